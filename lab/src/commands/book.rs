//! Makes the opening book of a game: the moves of the first positions that a search judges about as good as the best.

use std::collections::{HashSet, VecDeque};
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use clap::Args;
use mawe_ai::search::WIN;
use mawe_ai::{Book, Limits, think};
use mawe_lab::arena::{setup_of, start_of};
use mawe_rules::{AnyMove, AnyPosition, GameKind};

use super::failure::Failure;

/// `lab book`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The game: mawe, reversi, checkers, …
    #[arg(value_name = "GAME")]
    kind: GameKind,
    /// The nodes of the search for every move
    #[arg(long, value_name = "N", default_value_t = 60_000)]
    nodes: u64,
    /// The greatest number of positions
    #[arg(long, value_name = "N", default_value_t = 120)]
    positions: usize,
    /// The greatest number of plies from the start
    #[arg(long, value_name = "N", default_value_t = 8)]
    plies: usize,
    /// The most hundredths by which a move may be worse than the best
    #[arg(long, value_name = "N", default_value_t = 25)]
    slack: i32,
    /// The greatest number of moves of a position
    #[arg(long, value_name = "N", default_value_t = 3)]
    width: usize,
    /// The file to write, as ai/weights/oware.book
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let text = write(options)?;
    // Checks that the written text is a valid book.
    Book::read(&text, options.kind)?;
    fs::write(&options.out, text)?;
    Ok(())
}

/// The text of the book, with the positions nearest to the start first.
fn write(options: &Options) -> Result<String, Failure> {
    let mut text = Book::title(options.kind) + "\n";
    let mut queue = VecDeque::from([(start_of(options.kind), Vec::<String>::new())]);
    let mut seen = HashSet::new();
    while let Some((pos, played)) = queue.pop_front() {
        if seen.len() == options.positions {
            break;
        }
        if played.len() >= options.plies || !seen.insert(pos.zobrist()) {
            continue;
        }
        let good = good_moves(&pos, options)?;
        let moves: Vec<String> = good.iter().map(ToString::to_string).collect();
        writeln!(text, "{}:{}", played.join(" "), moves.join(" "))?;
        eprint!(
            "\r{} positions of {} ({})  ",
            seen.len(),
            options.kind,
            setup_of(options.kind)
        );
        for m in moves {
            let mut child = pos.clone();
            child.play(&m)?;
            let mut line = played.clone();
            line.push(m);
            if child.outcome().is_none() {
                queue.push_back((child, line));
            }
        }
    }
    eprintln!();
    Ok(text)
}

/// The moves that are about as good as the best, the best first.
fn good_moves(pos: &AnyPosition, options: &Options) -> Result<Vec<AnyMove>, Failure> {
    let mut judged = Vec::new();
    for m in pos.legal_moves() {
        let mut child = pos.clone();
        child.play(&m.to_string())?;
        let score = match child.outcome() {
            Some(outcome) if outcome.winner == Some(pos.turn()) => WIN,
            Some(outcome) if outcome.winner.is_some() => -WIN,
            Some(_) => 0,
            None => {
                let score = think(&child, &Limits::nodes(options.nodes))?.score;
                if child.turn() == pos.turn() {
                    score
                } else {
                    -score
                }
            }
        };
        judged.push((score, m));
    }
    judged.sort_by_key(|(score, _)| -score);
    let best = judged.first().map_or(0, |(score, _)| *score);
    let good = judged.into_iter();
    let good = good.take_while(|(score, _)| best.saturating_sub(*score) <= options.slack);
    Ok(good.take(options.width).map(|(_, m)| m).collect())
}
