//! The NBoard protocol, version 2, of programs of Reversi.

use std::time::Duration;

use mawe_rules::{Record, Side};

use super::answer::hundredths;
use super::connection::Connection;
use super::dialogue::{Dialogue, Reply, after};
use super::fault::Fault;
use super::limits::MoveLimits;

/// The time of a game in a record without clocks.
const TIME: Duration = Duration::from_secs(900);

/// The dialogue.
#[derive(Default)]
pub(super) struct Nboard {
    /// The number of the last ping.
    pings: u64,
}

impl Nboard {
    /// Waits until the engine has finished earlier work.
    fn ping(&mut self, connection: &mut Connection) -> Result<Option<String>, Fault> {
        self.pings += 1;
        let pong = format!("pong {}", self.pings);
        connection.send(format!("ping {}", self.pings))?;
        let mut name = None;
        connection.await_ready("pong", |line| {
            if let Some(given) = after(line, "set myname") {
                name = Some(given.to_owned());
            }
            Ok((line == pong).then_some(()))
        })?;
        Ok(name)
    }
}

impl Dialogue for Nboard {
    fn greet(&mut self, connection: &mut Connection) -> Result<Option<String>, Fault> {
        connection.send("nboard 2")?;
        self.ping(connection)
    }

    fn option(&self, _: &str, _: &str) -> Option<String> {
        None
    }

    fn finish_greeting(&mut self, connection: &mut Connection) -> Result<(), Fault> {
        self.ping(connection).map(|_| ())
    }

    /// There is no command for it: each question comes with its game.
    fn begin_game(&mut self, connection: &mut Connection) -> Result<(), Fault> {
        self.ping(connection).map(|_| ())
    }

    fn choose(
        &mut self,
        connection: &mut Connection,
        game: &Record,
        limits: &MoveLimits,
    ) -> Result<Reply, Fault> {
        connection.send(format!("set game {}", ggf(game, limits)))?;
        if let Some(depth) = limits.depth {
            connection.send(format!("set depth {depth}"))?;
        }
        self.ping(connection)?;
        let find = |line: &str| Ok(after(line, "===").map(|_| line.to_owned()));
        let (line, time) = connection.ask("go", limits, game.turn(), find)?;
        // The move, the score in discs and the time are separated by slashes or blanks.
        let mut parts = line["===".len()..]
            .split(|symbol: char| symbol == '/' || symbol.is_whitespace())
            .filter(|part| !part.is_empty());
        let text = match parts.next() {
            None => return Err(Fault::Unreadable(line)),
            Some(m) if m.eq_ignore_ascii_case("pa") => "pass".to_owned(),
            Some(m) => m.to_lowercase(),
        };
        let score = parts.next().and_then(hundredths);
        Ok(Reply {
            text: Some(text),
            line,
            score,
            time,
        })
    }
}

/// A game of Reversi in the format of the Generic Game Server.
fn ggf(game: &Record, limits: &MoveLimits) -> String {
    let time = limits.clocks.map_or(TIME, |clocks| clocks.base).as_secs();
    let start = game.start().to_string();
    let board: String = start
        .chars()
        .map(|square| match square {
            'X' => '*',
            square => square,
        })
        .collect();
    let mut text = format!(
        "(;GM[Othello]PC[Mawe!]PB[black]PW[white]RE[?]TI[{:02}:{:02}]TY[8]BO[8 {board}]",
        time / 60,
        time % 60
    );
    let mut side = game.start().turn();
    // The sides alternate, because passes are plies.
    for m in game.moves() {
        let colour = match side {
            Side::First => "B",
            Side::Second => "W",
        };
        let m = match m.to_string() {
            pass if pass == "pass" => "PA".to_owned(),
            square => square.to_uppercase(),
        };
        text += &format!("{colour}[{m}]");
        side = side.other();
    }
    text + ";)"
}

#[cfg(test)]
mod tests {
    use mawe_rules::{AnySetup, GameKind};

    use super::*;

    #[test]
    fn a_game_is_told_with_its_board_and_its_colours() {
        let kind = GameKind::Reversi;
        let mut game = Record::new(kind, &AnySetup::standard(kind)).expect("it starts");
        for m in ["f5", "d6"] {
            game.play(m).expect("a legal move");
        }
        assert_eq!(
            ggf(&game, &MoveLimits::default()),
            "(;GM[Othello]PC[Mawe!]PB[black]PW[white]RE[?]TI[15:00]TY[8]\
             BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[D6];)"
        );
    }
}
