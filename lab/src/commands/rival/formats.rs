//! Games and positions in the formats of other programs.

use mawe_rules::{Record, Side};

use crate::commands::failure::Failure;

/// A game of Reversi in the format of the Generic Game Server.
pub(super) fn ggf(game: &Record) -> String {
    let mut text = String::from(
        "(;GM[Othello]PC[rival]PB[black]PW[white]RE[?]TI[15:00]TY[8]\
         BO[8 ---------------------------O*------*O--------------------------- *]",
    );
    for (colour, m) in coloured(game) {
        let m = if m == "pass" { "PA" } else { &m };
        text += &format!("{colour}[{}]", m.to_uppercase());
    }
    text + ";)"
}

/// The plies of a game of Reversi with their colours; the sides alternate, because passes are plies.
fn coloured(game: &Record) -> impl Iterator<Item = (&'static str, String)> {
    let colours = ["B", "W"].into_iter().cycle();
    colours
        .zip(game.moves())
        .map(|(colour, m)| (colour, m.to_string()))
}

/// The plies of a game of Oware as letters.
pub(super) fn houses(game: &Record) -> Result<String, Failure> {
    let mut turns = Side::ALL.into_iter().cycle();
    let letter = |m: &str| -> Result<char, Failure> {
        let first = match turns.next() {
            Some(Side::Second) => b'a',
            Some(Side::First) | None => b'A',
        };
        Ok(char::from(first + m.parse::<u8>()? - 1))
    };
    let moves: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
    moves.iter().map(String::as_str).map(letter).collect()
}

/// A position of Oware in Aalina's format: all houses, both stores, and the side to move.
pub(super) fn dashes(game: &Record) -> String {
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
