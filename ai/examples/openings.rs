//! Makes the openings from which rated matches of Kalah and Congkak draw.
//!
//!     cargo run --release -p mawe-ai --example openings -- kalah --setup seeds=4 --out play/openings/kalah-4.txt
//!
//! Random plies from the start, each side equally likely to have gained by them, make an opening if the first side is to move, the
//! position is new, and a search judges it even. Two smaller searches before it exclude most uneven positions. Options: `--setup
//! TEXT` (that of rated play), `--count N` openings (240), `--nodes N` of the search that decides (10,000,000), `--lead N`
//! hundredths of a seed at most either way (100), `--plies A-B` (4-8), `--seed N` (1), `--out FILE` (standard output). Writes a
//! line for each opening: the played houses, and the score in hundredths for the side to move. Openings in FILE are kept and
//! counted, so that a later run continues an interrupted one; lines that begin with `#` are comments.

use std::collections::HashSet;
use std::error::Error;
use std::fs::{self, OpenOptions};
use std::io::Write;

use mawe_ai::arena::setup_of;
use mawe_ai::{Limits, think};
use mawe_rules::{AnyPosition, AnySetup, GameKind, Record, Side};

/// The smaller searches: the divisor of the nodes, and the percentage of the lead that passes. The second limit is narrower than
/// the final one, because most positions that pass it are even after ten million nodes as well.
const SIEVES: [(u64, i32); 2] = [(500, 200), (20, 50)];
/// A start has a limited number of openings: after this many failed attempts the search ends.
const ATTEMPTS: u64 = 1_000_000;

struct Options {
    setup: AnySetup,
    count: usize,
    nodes: u64,
    lead: i32,
    plies: (u64, u64),
    seed: u64,
    out: Option<String>,
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let kind: GameKind = arguments.next().ok_or("a game is wanted")?.parse()?;
    let mut options = Options {
        setup: setup_of(kind),
        count: 240,
        nodes: 10_000_000,
        lead: 100,
        plies: (4, 8),
        seed: 1,
        out: None,
    };
    while let Some(name) = arguments.next() {
        let value = arguments
            .next()
            .ok_or_else(|| format!("{name} wants a value"))?;
        match name.as_str() {
            "--setup" => options.setup = AnySetup::parse(kind, &value)?,
            "--count" => options.count = value.parse()?,
            "--nodes" => options.nodes = value.parse()?,
            "--lead" => options.lead = value.parse()?,
            "--plies" => {
                let (least, most) = value.split_once('-').ok_or("plies like 4-8 are wanted")?;
                options.plies = (least.parse()?, most.parse()?);
            }
            "--seed" => options.seed = value.parse()?,
            "--out" => options.out = Some(value),
            _ => return Err(format!("{name}: there is no such option").into()),
        }
    }
    if options.plies.0 > options.plies.1 {
        return Err("the fewest plies come first".into());
    }
    Ok(options)
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = options()?;
    let kind = options.setup.kind();
    let mut known: HashSet<AnyPosition> = HashSet::new();
    let made = options
        .out
        .as_deref()
        .and_then(|path| fs::read_to_string(path).ok())
        .unwrap_or_default();
    for line in made.lines().filter(|line| !line.starts_with('#')) {
        let plies = line.split(' ').next().unwrap_or_default();
        let mut game = Record::new(kind, &options.setup)?;
        for house in plies.chars() {
            game.play(&house.to_string())?;
        }
        known.insert(game.position().clone());
    }
    let mut kept = known.len();
    let mut dice = options.seed;
    for _ in 0..ATTEMPTS {
        if kept >= options.count {
            return Ok(());
        }
        let (game, plies) = random(&options, &mut dice)?;
        let position = game.position();
        if game.outcome().is_some() || game.turn() != Side::First || !known.insert(position.clone())
        {
            continue;
        }
        let Some(score) = judged(position, &options) else {
            continue;
        };
        kept += 1;
        let line = format!("{plies} {score}\n");
        match &options.out {
            None => print!("{line}"),
            Some(path) => OpenOptions::new()
                .create(true)
                .append(true)
                .open(path)?
                .write_all(line.as_bytes())?,
        }
    }
    Err(format!("only {kept} openings were found").into())
}

/// A game of random plies from the start, and their text.
fn random(options: &Options, dice: &mut u64) -> Result<(Record, String), Box<dyn Error>> {
    let mut game = Record::new(options.setup.kind(), &options.setup)?;
    let (least, most) = options.plies;
    let count = least + roll(dice) % (most - least + 1);
    let mut plies = String::new();
    for _ in 0..count {
        let moves = game.legal_moves();
        if moves.is_empty() {
            break;
        }
        let m = &moves[roll(dice) as usize % moves.len()];
        game.play(m)?;
        plies += m;
    }
    Ok((game, plies))
}

/// The score of an even position; `None` for an uneven one.
fn judged(position: &AnyPosition, options: &Options) -> Option<i32> {
    let score =
        |nodes| think(position, &Limits::nodes(nodes)).map_or(i32::MAX, |found| found.score);
    let passes = SIEVES
        .iter()
        .all(|(part, percent)| score(options.nodes / part).abs() <= options.lead * percent / 100);
    if !passes {
        return None;
    }
    let score = score(options.nodes);
    (score.abs() <= options.lead).then_some(score)
}

/// The next number of the generator (splitmix64).
fn roll(dice: &mut u64) -> u64 {
    *dice = dice.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *dice;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
