//! Makes the opening book of a game: the moves of the first positions that a search judges about as good as the best.
//!
//!     cargo run --release -p mawe-ai --example book -- oware --out ai/weights/oware.book
//!
//! Options: `--nodes N` for every move (60000), `--positions N` at most (120), `--plies N` from the start at most
//! (8), `--slack N` hundredths below the best at most (25), `--width N` moves of a position at most (3), `--out FILE`.

use std::collections::{HashSet, VecDeque};
use std::error::Error;
use std::fmt::Write;
use std::fs;

use mawe_ai::arena::{setup_of, start_of};
use mawe_ai::search::WIN;
use mawe_ai::{Book, Limits, think};
use mawe_rules::{AnyMove, AnyPosition, GameKind};

struct Options {
    kind: GameKind,
    nodes: u64,
    positions: usize,
    plies: usize,
    slack: i32,
    width: usize,
    out: String,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let kind = arguments.next().ok_or("which game?")?.parse()?;
    let mut options = Options {
        kind,
        nodes: 60_000,
        positions: 120,
        plies: 8,
        slack: 25,
        width: 3,
        out: String::new(),
    };
    while let Some(name) = arguments.next() {
        let value = arguments
            .next()
            .ok_or_else(|| format!("{name} wants a value"))?;
        match name.as_str() {
            "--nodes" => options.nodes = value.parse()?,
            "--positions" => options.positions = value.parse()?,
            "--plies" => options.plies = value.parse()?,
            "--slack" => options.slack = value.parse()?,
            "--width" => options.width = value.parse()?,
            "--out" => options.out = value,
            _ => return Err(format!("{name}: there is no such option").into()),
        }
    }
    if options.out.is_empty() {
        return Err("--out FILE is wanted".into());
    }
    let text = write(&options)?;
    // Checks that the written text is a valid book.
    Book::read(&text, options.kind)?;
    fs::write(&options.out, text)?;
    Ok(())
}

/// The text of the book, with the positions nearest to the start first.
fn write(options: &Options) -> Result<String, Box<dyn Error>> {
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
fn good_moves(pos: &AnyPosition, options: &Options) -> Result<Vec<AnyMove>, Box<dyn Error>> {
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
