//! Learns the weights of Reversi's patterns from games of the engine against itself.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, Subcommand};
use mawe_ai::reversi::Known;
use mawe_lab::reversi::{Chunks, Course, Fit, Sample, deviations, play, relabel};

use super::failure::Failure;

/// The number of samples between two writes.
const RELABELLED: usize = 10_000;
/// The number of games between two writes.
const CHUNK: u64 = 500;

/// `lab reversi-train`.
#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Play games of the engine against itself
    Play(PlayOptions),
    /// Fit weights to games
    Fit(FitOptions),
    /// Replace the results of boards by their mean with the score of a search
    Relabel(RelabelOptions),
    /// Print the differences between deep and shallow searches, from which the constants of ProbCut are made
    Deviations(DeviationsOptions),
}

/// `lab reversi-train play`.
#[derive(Debug, Args)]
pub(crate) struct PlayOptions {
    /// The number of games in all
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    games: u64,
    /// The seed of the first game
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// The plies of a search for a move
    #[arg(long, value_name = "N", default_value_t = 5)]
    depth: u32,
    /// The nodes of a search for a move, without weights
    #[arg(long, value_name = "N", default_value_t = 300)]
    nodes: u64,
    /// The number of empty squares at which the game is solved
    #[arg(long, value_name = "N", default_value_t = 14)]
    solve: u32,
    /// The most random plies at the beginning
    #[arg(long, value_name = "N", default_value_t = 28)]
    random: u64,
    /// One of this many later plies is random
    #[arg(long, value_name = "N", default_value_t = 30)]
    random_one_in: u64,
    /// The weights of the engine (default: none)
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// The file of games, to which games are appended until it holds all, so that a later run continues an interrupted one
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// `lab reversi-train fit`.
#[derive(Debug, Args)]
pub(crate) struct FitOptions {
    /// The number of steps
    #[arg(long, value_name = "N", default_value_t = 40)]
    steps: u32,
    /// The penalty on the change of a weight, in samples
    #[arg(long, value_name = "N", default_value_t = 8.0)]
    penalty: f32,
    /// The weights to begin from (default: zeros)
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// The file of weights, written after every few steps
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Files of games; FILE@N uses only the boards with at most N empty squares
    #[arg(value_name = "FILE[@N]", required = true)]
    files: Vec<String>,
}

/// `lab reversi-train relabel`.
#[derive(Debug, Args)]
pub(crate) struct RelabelOptions {
    /// Boards with at most N empty squares keep their results
    #[arg(long, value_name = "N", default_value_t = 14)]
    solve: u32,
    /// The plies of the search
    #[arg(long, value_name = "N", default_value_t = 5)]
    depth: u32,
    /// The weights of the search
    #[arg(long, value_name = "FILE")]
    weights: PathBuf,
    /// The new file of games; a later run continues an interrupted one
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Files of games; FILE@N uses only the boards with at most N empty squares
    #[arg(value_name = "FILE[@N]", required = true)]
    files: Vec<String>,
}

/// `lab reversi-train deviations`.
#[derive(Debug, Args)]
pub(crate) struct DeviationsOptions {
    /// The greatest depth, in plies
    #[arg(long, value_name = "N", default_value_t = 5)]
    depth: u32,
    /// The most boards of each range of empty squares
    #[arg(long, value_name = "N", alias = "games", default_value_t = 100_000)]
    boards: u32,
    /// The weights of the searches
    #[arg(long, value_name = "FILE")]
    weights: PathBuf,
    /// Files of games; FILE@N uses only the boards with at most N empty squares
    #[arg(value_name = "FILE[@N]", required = true)]
    files: Vec<String>,
}

pub(crate) fn run(task: &Task) -> Result<(), Failure> {
    match task {
        Task::Play(options) => play_games(options),
        Task::Fit(options) => fit(options),
        Task::Relabel(options) => relabel_games(options),
        Task::Deviations(options) => deviate(options),
    }
}

fn play_games(options: &PlayOptions) -> Result<(), Failure> {
    let known = known(options.weights.as_deref())?;
    let mut chunks = Chunks::open(&options.out)?;
    let course = Course {
        depth: options.depth,
        nodes: options.nodes,
        solve_from: options.solve,
        random_plies: options.random,
        random_one_in: options.random_one_in,
    };
    let (began, before) = (Instant::now(), chunks.games);
    while chunks.games < options.games {
        let count = CHUNK.min(options.games - chunks.games);
        let first = options.seed + chunks.games;
        let samples = play(first..first + count, course, known.patterns())?;
        chunks.append(count as u32, &samples)?;
        let rate = (chunks.games - before) as f64 / began.elapsed().as_secs_f64();
        eprint!(
            "\r{} of {} games, {rate:.0} a second   ",
            chunks.games, options.games
        );
    }
    eprintln!();
    Ok(())
}

fn read(files: &[String]) -> Result<Vec<Sample>, Failure> {
    let mut samples = Vec::new();
    for file in files {
        let (path, most) = match file.rsplit_once('@') {
            Some((path, most)) => (path, most.parse()?),
            None => (file.as_str(), 64),
        };
        let of_file = Chunks::read(path.as_ref())?.into_iter();
        samples.extend(of_file.filter(|sample| sample.board.empties() <= most));
    }
    Ok(samples)
}

fn known(weights: Option<&Path>) -> Result<Known, Failure> {
    Ok(match weights {
        Some(path) => Known::read(&fs::read(path)?)?,
        None => Known::default(),
    })
}

fn relabel_games(options: &RelabelOptions) -> Result<(), Failure> {
    let known = known(Some(&options.weights))?;
    let patterns = known.patterns().ok_or("the file has no weights")?;
    let samples = read(&options.files)?;
    // A "game" of the new file is a chunk of samples.
    let mut chunks = Chunks::open(&options.out)?;
    for chunk in samples.chunks(RELABELLED).skip(chunks.games as usize) {
        let is_open = |sample: &Sample| sample.board.empties() > options.solve;
        let (mut open, solved): (Vec<Sample>, Vec<Sample>) = chunk.iter().partition(|s| is_open(s));
        relabel(&mut open, patterns, options.depth)?;
        open.extend(solved);
        chunks.append(1, &open)?;
        let done = chunks.games as usize * RELABELLED;
        eprint!(
            "\r{} of {} samples   ",
            done.min(samples.len()),
            samples.len()
        );
    }
    eprintln!();
    Ok(())
}

fn deviate(options: &DeviationsOptions) -> Result<(), Failure> {
    let known = known(Some(&options.weights))?;
    let patterns = known.patterns().ok_or("the file has no weights")?;
    let samples = read(&options.files)?;
    println!("depth shallow empties boards  mean deviation");
    for depth in 2..=options.depth {
        for found in deviations(&samples, patterns, depth, options.boards)? {
            println!(
                "{:>5} {:>7} {:>7} {:>6} {:>5.0} {:>9.0}",
                found.depth, found.shallow, found.empties, found.count, found.mean, found.deviation
            );
        }
    }
    Ok(())
}

fn fit(options: &FitOptions) -> Result<(), Failure> {
    let samples = read(&options.files)?;
    println!("{} samples", samples.len());
    let before = known(options.weights.as_deref())?.weights();
    let mut fit = Fit::new(&samples, options.penalty, before.as_deref());
    drop(samples);
    let began = Instant::now();
    for step in 1..=options.steps {
        let (error, aside) = fit.step();
        println!(
            "step {step}: error {error:.4}, aside {aside:.4} discs, {:.0} s",
            began.elapsed().as_secs_f64()
        );
        if step % 5 == 0 || step == options.steps {
            fs::write(&options.out, Known::file(&fit.weights()))?;
        }
    }
    println!("empty squares, samples aside, their error:");
    for (empties, count, error) in fit.by_stage() {
        println!("{empties:>3} {count:>8} {error:>8.3}");
    }
    Ok(())
}
