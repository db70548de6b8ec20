//! The Go Text Protocol, version 2, as programs of Reversi such as Edax speak it.

use std::time::Duration;

use mawe_rules::{AnyMove, Record, Side};

use super::connection::Connection;
use super::dialogue::{Dialogue, Reply, is_standard};
use super::fault::Fault;
use super::limits::MoveLimits;

/// The dialogue, with the state of the engine's board.
#[derive(Default)]
pub(super) struct Gtp {
    /// The number of the last command.
    id: u64,
    /// The moves on the engine's board; `None` if its state is unknown.
    known: Option<Vec<AnyMove>>,
    /// The last `time_settings`.
    settings: Option<String>,
}

/// The successful answer of a command, or the reason of its refusal.
type Answer = Result<String, String>;

impl Gtp {
    /// Sends a command, and waits for its answer within the time of a preparation.
    fn command(&mut self, connection: &mut Connection, command: &str) -> Result<Answer, Fault> {
        self.id += 1;
        let id = self.id;
        connection.send(format!("{id} {command}"))?;
        connection.await_ready("answer", |line| Ok(answer(id, line)))
    }

    /// As [`command`](Self::command); a refusal is a fault.
    fn obey(&mut self, connection: &mut Connection, command: &str) -> Result<String, Fault> {
        let answer = self.command(connection, command)?;
        answer.map_err(|answer| Fault::Refused {
            command: command.to_owned(),
            answer,
        })
    }

    /// Puts the moves of a game on the engine's board.
    fn set_board(&mut self, connection: &mut Connection, game: &Record) -> Result<(), Fault> {
        if !is_standard(game.start()) {
            return Err(Fault::Unsupported(
                "gtp has no command for a position of Reversi other than the start".to_owned(),
            ));
        }
        let known = self.known.take();
        let known = known.filter(|known| game.moves().starts_with(known));
        if known.is_none() {
            self.obey(connection, "clear_board")?;
        }
        let played = known.map_or(0, |known| known.len());
        let turns = Side::ALL.into_iter().cycle();
        for (side, m) in turns.zip(game.moves()).skip(played) {
            let m = m.to_string();
            let command = format!("play {} {m}", colour(side));
            // Programs differ in whether a forced pass is a move; those that pass by themselves refuse it.
            if m == "pass" {
                let _ = self.command(connection, &command)?;
            } else {
                self.obey(connection, &command)?;
            }
        }
        self.known = Some(game.moves().to_vec());
        Ok(())
    }

    /// Tells the engine its time. A program without these commands plays by its own.
    fn set_time(
        &mut self,
        connection: &mut Connection,
        limits: &MoveLimits,
        side: Side,
    ) -> Result<(), Fault> {
        let (settings, left) = match (limits.movetime, limits.clocks) {
            (Some(movetime), _) => {
                let seconds = movetime.as_millis().div_ceil(1000);
                let left = format!("time_left {} {} 1", colour(side), in_seconds(movetime));
                (format!("time_settings 0 {seconds} 1"), vec![left])
            }
            (None, Some(clocks)) => {
                let of = |(side, left): (Side, &Duration)| {
                    format!("time_left {} {} 0", colour(side), in_seconds(*left))
                };
                let base = clocks.base.as_secs();
                (
                    format!("time_settings {base} 0 0"),
                    clocks.left.iter().map(of).collect(),
                )
            }
            (None, None) => return Ok(()),
        };
        if self.settings.as_ref() != Some(&settings) {
            let _ = self.command(connection, &settings)?;
            self.settings = Some(settings);
        }
        for command in left {
            let _ = self.command(connection, &command)?;
        }
        Ok(())
    }
}

impl Dialogue for Gtp {
    fn greet(&mut self, connection: &mut Connection) -> Result<Option<String>, Fault> {
        *self = Self::default();
        let name = self.command(connection, "name")?.ok();
        let version = self.command(connection, "version")?.unwrap_or_default();
        let name = name.map(|name| format!("{name} {version}").trim().to_owned());
        Ok(name.filter(|name| !name.is_empty()))
    }

    fn option(&self, _: &str, _: &str) -> Option<String> {
        None
    }

    fn finish_greeting(&mut self, connection: &mut Connection) -> Result<(), Fault> {
        // The first is of programs with several games, the second of those with several boards.
        let _ = self.command(connection, "set_game Othello")?;
        self.obey(connection, "boardsize 8").map(|_| ())
    }

    fn begin_game(&mut self, connection: &mut Connection) -> Result<(), Fault> {
        self.obey(connection, "clear_board")?;
        self.known = Some(Vec::new());
        self.settings = None;
        Ok(())
    }

    fn choose(
        &mut self,
        connection: &mut Connection,
        game: &Record,
        limits: &MoveLimits,
    ) -> Result<Reply, Fault> {
        let side = game.turn();
        self.set_board(connection, game)?;
        self.set_time(connection, limits, side)?;
        let mut known = self.known.take().unwrap_or_default();
        self.id += 1;
        let id = self.id;
        let command = format!("genmove {}", colour(side));
        let find = |line: &str| Ok(answer(id, line).map(|answer| (line.to_owned(), answer)));
        let question = format!("{id} {command}");
        let ((line, answer), time) = connection.ask(&question, limits, side, find)?;
        let text = match answer {
            Err(answer) => return Err(Fault::Refused { command, answer }),
            Ok(answer) if answer.is_empty() => return Err(Fault::Unreadable(line)),
            Ok(answer) if answer.eq_ignore_ascii_case("resign") => None,
            Ok(answer) => Some(answer.to_lowercase()),
        };
        // The engine has its own move on its board.
        let m = text
            .as_ref()
            .and_then(|text| game.position().parse_move(text).ok());
        self.known = m.map(|m| {
            known.push(m);
            known
        });
        Ok(Reply {
            line,
            text,
            score: None,
            time,
        })
    }
}

fn colour(side: Side) -> &'static str {
    match side {
        Side::First => "black",
        Side::Second => "white",
    }
}

/// Reads `=ID answer` or `?ID reason`. An answer without a number, or a refusal with another, is that of the last command too: programs
/// are careless there.
fn answer(id: u64, line: &str) -> Option<Answer> {
    let is_success = line.starts_with('=');
    let rest = line.strip_prefix(['=', '?'])?.trim_start();
    let digits = rest.find(|symbol: char| !symbol.is_ascii_digit());
    let (number, text) = rest.split_at(digits.unwrap_or(rest.len()));
    if is_success && !number.is_empty() && number != id.to_string() {
        return None;
    }
    let text = text.trim().to_owned();
    Some(if is_success { Ok(text) } else { Err(text) })
}

/// A time in whole seconds, as the protocol has it; below a second in decimals, because 0 would be no time at all.
fn in_seconds(time: Duration) -> String {
    match time.as_secs() {
        0 => format!("{:.3}", time.as_secs_f64()),
        seconds => seconds.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_with_and_without_their_number() {
        let yes = |text: &str| Some(Ok(text.to_owned()));
        let no = |text: &str| Some(Err(text.to_owned()));
        assert_eq!(answer(7, "=7 E6"), yes("E6"));
        assert_eq!(answer(7, "= 7 E6"), yes("E6"));
        assert_eq!(answer(7, "= E6"), yes("E6"));
        assert_eq!(answer(7, "="), yes(""));
        assert_eq!(answer(7, "=6 E6"), None, "it is the answer of before");
        assert_eq!(answer(7, "?7 illegal move"), no("illegal move"));
        assert_eq!(answer(7, "? 1 wrong color"), no("wrong color"));
        for line in ["", "E6", "info =7 E6"] {
            assert_eq!(answer(7, line), None, "{line:?}");
        }
    }

    #[test]
    fn a_time_is_told_in_seconds() {
        for (millis, text) in [(0, "0.000"), (250, "0.250"), (1000, "1"), (61_900, "61")] {
            assert_eq!(in_seconds(Duration::from_millis(millis)), text);
        }
    }
}
