//! Makes the lists from which the openings of matches are drawn.
//!
//! Random plies from the start, each side equally likely to have gained by them, or every sequence of so many plies, make an opening if
//! the rules allow it, the position is new, and a search judges it even. Two smaller searches before it exclude most uneven positions of random plies.

use std::collections::HashSet;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::iter;
use std::path::PathBuf;

use clap::Args;
use mawe_ai::{Limits, mix, think};
use mawe_lab::arena::setup_of;
use mawe_rules::{AnyPosition, AnySetup, GameKind, Record};

use super::failure::Failure;

/// The smaller searches: the divisor of the nodes, and the percentage of the lead that passes. The second limit is narrower than
/// the final one, because most positions that pass it are even after ten million nodes as well.
const SIEVES: [(u64, i32); 2] = [(500, 200), (20, 50)];
/// A start has a limited number of openings: after this many failed attempts the search ends.
const ATTEMPTS: usize = 1_000_000;

/// `lab openings`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The game, one that has openings
    #[arg(value_name = "GAME")]
    kind: GameKind,
    /// Options of the game, as seeds=4 (default: those of rated play)
    #[arg(long, value_name = "OPTIONS")]
    setup: Option<String>,
    /// The number of openings
    #[arg(long, value_name = "N", default_value_t = 240)]
    count: usize,
    /// The nodes of the search that decides
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    nodes: u64,
    /// The most hundredths of the game's unit by which either side may be ahead
    #[arg(long, value_name = "N", default_value_t = 100)]
    lead: i32,
    /// The fewest and the most plies
    #[arg(long, value_name = "A-B", default_value = "4-8", value_parser = plies)]
    plies: (u64, u64),
    /// Judge every sequence of so many plies, each by the search that decides, instead of random ones
    #[arg(long, conflicts_with = "seed")]
    every: bool,
    /// The number that selects the plies
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The file, as play/openings/kalah.txt (default: standard output). Openings in it are kept and counted, so that a later run
    /// continues an interrupted one; lines that begin with `#` are comments
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Parses two numbers of plies, the fewest first.
fn plies(text: &str) -> Result<(u64, u64), String> {
    let numbers = text.split_once('-');
    let numbers = numbers.and_then(|(least, most)| Some((least.parse().ok()?, most.parse().ok()?)));
    numbers
        .filter(|(least, most)| least <= most)
        .ok_or_else(|| "plies like 4-8 are wanted, the fewest first".to_owned())
}

/// Writes a line for each opening: its plies, and the score in hundredths for the side to move.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let kind = options.kind;
    let setup = match &options.setup {
        Some(text) => AnySetup::parse(kind, text)?,
        None => setup_of(kind),
    };
    let mut known: HashSet<AnyPosition> = HashSet::new();
    let made = options
        .out
        .as_deref()
        .and_then(|path| fs::read_to_string(path).ok())
        .unwrap_or_default();
    for line in made.lines().filter(|line| !line.starts_with('#')) {
        let plies = line.split(' ').next().unwrap_or_default();
        let opening = setup.with_opening(plies.parse()?)?;
        known.insert(AnyPosition::start(kind, &opening)?);
    }
    let mut kept = known.len();
    let start = Record::new(kind, &setup)?;
    let mut dice = options.seed;
    let lines: Box<dyn Iterator<Item = Vec<String>>> = if options.every {
        Box::new(every(&start, options.plies).into_iter())
    } else {
        let attempts = iter::repeat_with(|| random(&start, options.plies, &mut dice));
        Box::new(attempts.take(ATTEMPTS))
    };
    for plies in lines {
        if kept >= options.count {
            return Ok(());
        }
        // Plies after which the game is over, or the wrong side is to move, are no opening.
        let Ok(opening) = setup.with_opening_plies(&plies) else {
            continue;
        };
        let position = AnyPosition::start(kind, &opening)?;
        if !known.insert(position.clone()) {
            continue;
        }
        let Some(score) = judged(&position, options) else {
            continue;
        };
        kept += 1;
        let line = format!("{} {score}\n", opening.opening());
        match &options.out {
            None => print!("{line}"),
            Some(path) => OpenOptions::new()
                .create(true)
                .append(true)
                .open(path)?
                .write_all(line.as_bytes())?,
        }
    }
    if options.every {
        return Ok(());
    }
    Err(format!("only {kept} openings were found").into())
}

/// Random plies from the start.
fn random(start: &Record, (least, most): (u64, u64), dice: &mut u64) -> Vec<String> {
    let mut game = start.clone();
    let count = least + roll(dice) % (most - least + 1);
    let mut plies = Vec::new();
    for _ in 0..count {
        let mut moves = game.legal_moves();
        if moves.is_empty() {
            break;
        }
        let m = moves.swap_remove(roll(dice) as usize % moves.len());
        game.play(&m).expect("a legal move");
        plies.push(m);
    }
    plies
}

/// Every sequence of so many plies from the start, the shortest first.
fn every(start: &Record, (least, most): (u64, u64)) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    let mut reached = vec![(start.clone(), Vec::new())];
    for count in 1..=most {
        let mut next = Vec::new();
        for (game, plies) in &reached {
            for m in game.legal_moves() {
                let mut game = game.clone();
                game.play(&m).expect("a legal move");
                let mut plies: Vec<String> = plies.clone();
                plies.push(m);
                next.push((game, plies));
            }
        }
        if count >= least {
            all.extend(next.iter().map(|(_, plies)| plies.clone()));
        }
        reached = next;
    }
    all
}

/// The score of an even position; `None` for an uneven one.
fn judged(position: &AnyPosition, options: &Options) -> Option<i32> {
    let score =
        |nodes| think(position, &Limits::nodes(nodes)).map_or(i32::MAX, |found| found.score);
    let passes = |(part, percent): &(u64, i32)| {
        score(options.nodes / part).abs() <= options.lead * percent / 100
    };
    // Sequences that can all be listed are few, and none of those that are even may be missed.
    if !options.every && !SIEVES.iter().all(passes) {
        return None;
    }
    let score = score(options.nodes);
    (score.abs() <= options.lead).then_some(score)
}

/// The next number of the generator (splitmix64).
fn roll(dice: &mut u64) -> u64 {
    let number = mix(*dice);
    *dice = dice.wrapping_add(0x9e37_79b9_7f4a_7c15);
    number
}
