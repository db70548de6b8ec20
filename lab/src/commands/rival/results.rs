//! The results of games, and their file.

use std::fs::{self, OpenOptions};
use std::io::Write;

use mawe_lab::arena::{Pair, setup_of};
use mawe_rules::{Record, Side};

use super::options::Options;
use crate::commands::failure::Failure;

/// A game of this many plies is a draw.
pub(super) const MAX_PLIES: u32 = 600;

/// Counts a game in which we had this side.
pub(super) fn count(pair: &mut Pair, side: Side, game: &Record) {
    match game.outcome().and_then(|outcome| outcome.winner) {
        Some(winner) if winner == side => pair.won += 1,
        Some(_) => pair.lost += 1,
        None => pair.drawn += 1,
    }
}

/// The games in the file of results.
pub(super) fn read(options: &Options) -> Result<Vec<(String, Record)>, Failure> {
    let text = options.out.as_ref().map(fs::read_to_string);
    let Some(Ok(text)) = text else {
        return Ok(Vec::new());
    };
    let mut games = Vec::new();
    for line in text.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [number, side, _, moves] = fields.as_slice() else {
            // A game whose line was cut short by a kill is played again.
            continue;
        };
        let mut game = Record::new(options.kind, &setup_of(options.kind))?;
        for m in moves.split_whitespace() {
            game.play(m)?;
        }
        if game.outcome().is_none() && game.ply() < MAX_PLIES {
            continue;
        }
        games.push((format!("{number}\t{side}"), game));
    }
    Ok(games)
}

/// Adds a game to the file of results.
pub(super) fn write(
    options: &Options,
    key: &str,
    side: Side,
    game: &Record,
) -> Result<(), Failure> {
    let Some(path) = &options.out else {
        return Ok(());
    };
    let mut pair = Pair::default();
    count(&mut pair, side, game);
    let result = match (pair.won, pair.lost) {
        (1, _) => "won",
        (_, 1) => "lost",
        _ => "drawn",
    };
    let moves: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    writeln!(file, "{key}\t{result}\t{}", moves.join(" "))?;
    Ok(())
}
