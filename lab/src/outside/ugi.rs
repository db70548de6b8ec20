//! The Universal Game Interface, as `mawe engine` speaks it.

use std::fmt::Write;

use mawe_rules::{AnyMove, Record};

use super::answer::{hundredths, win_in};
use super::connection::Connection;
use super::dialogue::{Dialogue, Reply, after, is_standard};
use super::fault::Fault;
use super::limits::MoveLimits;

/// The part in which a protocol like UGI differs from the others.
pub(super) trait Variant: Send {
    /// Whether the engine answers the greeting `ugi`.
    const GREETS: bool;
    /// The command that begins a game.
    const NEW_GAME: &'static str;

    /// Sends the position and asks for a move; see [`Dialogue::choose`].
    fn choose(
        &self,
        connection: &mut Connection,
        game: &Record,
        limits: &MoveLimits,
    ) -> Result<Reply, Fault>;
}

/// The dialogue of a protocol like UGI; it keeps no state.
pub(super) struct UgiLike<V>(pub(super) V);

impl<V: Variant> Dialogue for UgiLike<V> {
    fn greet(&mut self, connection: &mut Connection) -> Result<Option<String>, Fault> {
        if !V::GREETS {
            return Ok(None);
        }
        connection.send("ugi")?;
        let mut name = None;
        connection.await_ready("ugiok", |line| {
            if let Some(given) = after(line, "id name") {
                name = Some(given.to_owned());
            }
            Ok((line == "ugiok").then_some(()))
        })?;
        Ok(name)
    }

    fn option(&self, name: &str, value: &str) -> Option<String> {
        Some(format!("setoption name {name} value {value}"))
    }

    fn finish_greeting(&mut self, connection: &mut Connection) -> Result<(), Fault> {
        get_ready(connection)
    }

    fn begin_game(&mut self, connection: &mut Connection) -> Result<(), Fault> {
        connection.send(V::NEW_GAME)?;
        get_ready(connection)
    }

    fn choose(
        &mut self,
        connection: &mut Connection,
        game: &Record,
        limits: &MoveLimits,
    ) -> Result<Reply, Fault> {
        self.0.choose(connection, game, limits)
    }

    fn interrupt(&mut self, connection: &mut Connection) -> Result<(), Fault> {
        connection.interrupt("stop", "bestmove")
    }
}

/// The Universal Game Interface itself.
pub(super) struct Ugi;

impl Variant for Ugi {
    const GREETS: bool = true;
    const NEW_GAME: &'static str = "uginewgame";

    fn choose(
        &self,
        connection: &mut Connection,
        game: &Record,
        limits: &MoveLimits,
    ) -> Result<Reply, Fault> {
        let start = match is_standard(game.round_start()) {
            true => "startpos".to_owned(),
            false => format!("fen {}", game.round_start()),
        };
        let moves: Vec<String> = game.round_moves().iter().map(AnyMove::to_string).collect();
        let command = format!("position {start} moves {}", moves.join(" "));
        connection.send(command.trim_end_matches(" moves "))?;
        get_ready(connection)?;
        ask(connection, game, limits, |word| Ok(word.to_owned()))
    }
}

/// Waits until the engine has finished earlier work, so that this work does not count as thinking time.
pub(super) fn get_ready(connection: &mut Connection) -> Result<(), Fault> {
    connection.send("isready")?;
    connection.await_word("readyok")
}

/// Asks for a move with `go`; `read` makes our notation of the engine's.
pub(super) fn ask(
    connection: &mut Connection,
    game: &Record,
    limits: &MoveLimits,
    read: impl Fn(&str) -> Result<String, Fault>,
) -> Result<Reply, Fault> {
    let question = go(limits);
    let mut score = None;
    let find = |line: &str| {
        if let Some(why) = after(line, "error") {
            let (command, answer) = (question.clone(), why.to_owned());
            return Err(Fault::Refused { command, answer });
        }
        if after(line, "info").is_some() {
            score = score_in(line).or(score);
        }
        Ok(after(line, "bestmove").map(|answer| (line.to_owned(), answer.to_owned())))
    };
    let ((line, answer), time) = connection.ask(&question, limits, game.turn(), find)?;
    let text = match answer.split_whitespace().next() {
        None => return Err(Fault::Unreadable(line)),
        Some("resign") => None,
        // A position in place of a move has blanks.
        Some(_) => Some(read(&answer)?),
    };
    Ok(Reply {
        line,
        text,
        score,
        time,
    })
}

/// The command for a search with these limits.
fn go(limits: &MoveLimits) -> String {
    let mut line = "go".to_owned();
    let mut push = |name: &str, value: u128| {
        write!(line, " {name} {value}").expect("a string takes all that is written");
    };
    if let Some(clocks) = limits.clocks {
        // An engine may take a time of 0 for none.
        push("p1time", clocks.left.first.as_millis().max(1));
        push("p2time", clocks.left.second.as_millis().max(1));
        push("p1inc", clocks.increment.as_millis());
        push("p2inc", clocks.increment.as_millis());
    }
    if let Some(movetime) = limits.movetime {
        push("movetime", movetime.as_millis().max(1));
    }
    if let Some(depth) = limits.depth {
        push("depth", depth.into());
    }
    if let Some(nodes) = limits.nodes {
        push("nodes", nodes.into());
    }
    line
}

/// The score of an `info` line: `score cp N`, `score win N` or `score mate N`.
fn score_in(line: &str) -> Option<i32> {
    let mut words = line
        .split_whitespace()
        .skip_while(|word| *word != "score")
        .skip(1);
    let (unit, value) = (words.next()?, words.next()?);
    match unit {
        "cp" => hundredths(value).map(|score| score / 100),
        "win" | "mate" => value.parse().ok().map(win_in),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use mawe_rules::BySide;

    use super::super::answer::WIN;
    use super::super::limits::Clocks;
    use super::*;

    #[test]
    fn the_limits_of_a_move_are_told_in_milliseconds() {
        assert_eq!(go(&MoveLimits::default()), "go");
        let seconds = Duration::from_secs;
        let limits = MoveLimits {
            clocks: Some(Clocks {
                base: seconds(60),
                increment: seconds(2),
                left: BySide::new(seconds(31), Duration::ZERO),
            }),
            movetime: Some(Duration::from_millis(1500)),
            depth: Some(7),
            nodes: Some(1000),
        };
        assert_eq!(
            go(&limits),
            "go p1time 31000 p2time 1 p1inc 2000 p2inc 2000 movetime 1500 depth 7 nodes 1000"
        );
    }

    #[test]
    fn scores_are_read_and_other_words_are_not() {
        let of = |score: &str| score_in(&format!("info depth 3 {score} nodes 5"));
        assert_eq!(of("score cp -31"), Some(-31));
        assert_eq!(of("score win 5"), Some(WIN - 5));
        assert_eq!(of("score mate -4"), Some(4 - WIN));
        assert_eq!(
            of("score win -2147483648"),
            Some(i32::MIN.saturating_add(0).max(win_in(i32::MIN)))
        );
        for text in ["", "score", "score cp", "score cp x", "score x 3"] {
            assert_eq!(score_in(&format!("info {text}")), None, "{text:?}");
        }
    }
}
