//! Engines that speak like UGI, but know positions or other moves.

use mawe_rules::{AnyMove, Record, Side};

use super::connection::Connection;
use super::dialogue::Reply;
use super::fault::Fault;
use super::limits::MoveLimits;
use super::ugi::{Variant, ask, get_ready};

/// Engines that know positions only.
pub(super) struct Fen;

impl Variant for Fen {
    const GREETS: bool = false;
    const NEW_GAME: &'static str = "uginewgame";

    fn choose(
        &self,
        connection: &mut Connection,
        game: &Record,
        limits: &MoveLimits,
    ) -> Result<Reply, Fault> {
        connection.send(format!("position fen {}", game.position()))?;
        get_ready(connection)?;
        ask(connection, game, limits, |answer| {
            // Several captures may lead to the same position; any of them will do.
            let leads = |m: &AnyMove| {
                let mut after = game.position().clone();
                after.play(&m.to_string()).is_ok() && after.to_string() == answer
            };
            let m = game.position().legal_moves().into_iter().find(leads);
            Ok(m.map_or_else(|| answer.to_owned(), |m| m.to_string()))
        })
    }
}

/// Aalina, a program of Oware with letters for houses.
pub(super) struct Aalina;

impl Variant for Aalina {
    const GREETS: bool = false;
    const NEW_GAME: &'static str = "ucinewgame";

    fn choose(
        &self,
        connection: &mut Connection,
        game: &Record,
        limits: &MoveLimits,
    ) -> Result<Reply, Fault> {
        let as_is = |answer: &str| Ok(answer.to_owned());
        connection.send(format!("position startpos moves {}", letters(game)))?;
        get_ready(connection)?;
        let mut reply = ask(connection, game, limits, as_is)?;
        if reply
            .text
            .as_ref()
            .is_some_and(|text| text.starts_with("0000"))
        {
            // The program took the game for finished (a second occurrence), so it gets the position without the history.
            connection.send(format!("position fen {}", dashes(game)))?;
            get_ready(connection)?;
            reply = ask(connection, game, limits, as_is)?;
        }
        if let Some(text) = &mut reply.text {
            let house = text.bytes().next().and_then(|letter| {
                let house = i16::from(letter) - i16::from(first_letter(game.turn())) + 1;
                (1..=6).contains(&house).then(|| house.to_string())
            });
            *text = house.ok_or_else(|| Fault::Unreadable(reply.line.clone()))?;
        }
        Ok(reply)
    }
}

/// The letter of a side's first house.
fn first_letter(side: Side) -> u8 {
    match side {
        Side::First => b'A',
        Side::Second => b'a',
    }
}

/// The plies of a game of Oware as letters.
fn letters(game: &Record) -> String {
    let turns = Side::ALL.into_iter().cycle();
    let letter = |(side, m): (Side, &AnyMove)| {
        let house = m.to_string().parse().unwrap_or(1_u8);
        char::from(first_letter(side) + house.saturating_sub(1))
    };
    turns.zip(game.moves()).map(letter).collect()
}

/// A position of Oware in Aalina's format: all houses, both stores, and the side to move.
fn dashes(game: &Record) -> String {
    let text = game.position().to_string();
    let numbers: Vec<&str> = text.split(['/', ',', ' ']).collect();
    let side = match game.turn() {
        Side::First => "S",
        Side::Second => "N",
    };
    let houses: Vec<&str> = numbers[..6]
        .iter()
        .chain(&numbers[7..13])
        .copied()
        .collect();
    format!("{}-{}-{}-{side}", houses.join("-"), numbers[6], numbers[13])
}

#[cfg(test)]
mod tests {
    use mawe_rules::{AnySetup, GameKind};

    use super::*;

    #[test]
    fn a_game_of_oware_is_told_in_letters() {
        let kind = GameKind::Oware;
        let mut game = Record::new(kind, &AnySetup::standard(kind)).expect("it starts");
        for m in ["3", "6", "1"] {
            game.play(m).expect("a legal move");
        }
        assert_eq!(letters(&game), "CfA");
        assert_eq!(dashes(&game), "0-6-2-7-6-6-5-4-4-4-4-0-0-0-N");
    }
}
