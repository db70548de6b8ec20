//! Learns the weights of Reversi's patterns from games of the engine against itself.
//!
//!     cargo run --release -p mawe-ai --example reversi_train -- play --games 100000 --out games.bin
//!     cargo run --release -p mawe-ai --example reversi_train -- fit --out reversi.weights games.bin
//!
//!     cargo run --release -p mawe-ai --example reversi_train -- deviations --weights reversi.weights games.bin
//!
//!     cargo run --release -p mawe-ai --example reversi_train -- relabel --weights reversi.weights --out more.bin games.bin
//!
//! `play`: `--games N` in all (100000), `--seed N` of the first (0), `--depth N` plies a move (5), `--nodes N` a move without weights
//! (300), `--solve N` empty squares (14), `--random N` random plies at the beginning at most (28), `--random-one-in N` plies later on (30),
//! `--weights FILE` for the engine, `--out FILE`. Games are appended to FILE until it holds N, so that a later run continues an interrupted
//! one.
//!
//! `fit`: `--steps N` (40), `--penalty N` samples (8), `--weights FILE` to begin from (default: zero weights), `--out FILE` written after
//! every few steps, and files of games; `FILE@N` uses only the boards of a file with at most N empty squares. Prints the errors of each
//! step on the samples and on the validation samples.
//!
//! `relabel`: replaces the results of boards with more than `--solve N` empty squares by their mean with the score of a search of `--depth
//! N` plies; the others stay as they are. A later run continues an interrupted one.
//!
//! `deviations`: the differences between searches of up to `--depth N` plies and shallow ones, from which the constants of ProbCut are
//! made.

use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

use mawe_ai::reversi::Known;
use mawe_ai::reversi::train::{Chunks, Course, Fit, Sample, deviations, play, relabel};

/// The number of samples between two writes.
const RELABELLED: usize = 10_000;
/// The number of games between two writes.
const CHUNK: u64 = 500;

struct Options {
    games: u64,
    seed: u64,
    course: Course,
    weights: Option<PathBuf>,
    out: Option<PathBuf>,
    steps: u32,
    penalty: f32,
    files: Vec<String>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut options = Options {
        games: 100_000,
        seed: 0,
        course: Course {
            depth: 5,
            nodes: 300,
            solve_from: 14,
            random_plies: 28,
            random_one_in: 30,
        },
        weights: None,
        out: None,
        steps: 40,
        penalty: 8.0,
        files: Vec::new(),
    };
    let mut arguments = std::env::args().skip(1);
    let task = arguments.next().unwrap_or_default();
    while let Some(name) = arguments.next() {
        if !name.starts_with("--") {
            options.files.push(name);
            continue;
        }
        let value = arguments
            .next()
            .ok_or_else(|| format!("{name} wants a value"))?;
        match name.as_str() {
            "--games" => options.games = value.parse()?,
            "--seed" => options.seed = value.parse()?,
            "--depth" => options.course.depth = value.parse()?,
            "--nodes" => options.course.nodes = value.parse()?,
            "--solve" => options.course.solve_from = value.parse()?,
            "--random" => options.course.random_plies = value.parse()?,
            "--random-one-in" => options.course.random_one_in = value.parse()?,
            "--weights" => options.weights = Some(value.into()),
            "--out" => options.out = Some(value.into()),
            "--steps" => options.steps = value.parse()?,
            "--penalty" => options.penalty = value.parse()?,
            _ => return Err(format!("{name}: there is no such option").into()),
        }
    }
    match task.as_str() {
        "play" => play_games(&options),
        "fit" => fit(&options),
        "relabel" => relabel_games(&options),
        "deviations" => deviate(&options),
        _ => Err("the first word is play, fit, relabel or deviations".into()),
    }
}

fn play_games(options: &Options) -> Result<(), Box<dyn Error>> {
    let out = options.out.as_ref().ok_or("--out FILE is wanted")?;
    let known = known(options)?;
    let mut chunks = Chunks::open(out)?;
    let (began, before) = (Instant::now(), chunks.games);
    while chunks.games < options.games {
        let count = CHUNK.min(options.games - chunks.games);
        let first = options.seed + chunks.games;
        let samples = play(first..first + count, options.course, known.patterns());
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

fn read(files: &[String]) -> Result<Vec<Sample>, Box<dyn Error>> {
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

fn known(options: &Options) -> Result<Known, Box<dyn Error>> {
    Ok(match &options.weights {
        Some(path) => Known::read(&std::fs::read(path)?)?,
        None => Known::default(),
    })
}

fn relabel_games(options: &Options) -> Result<(), Box<dyn Error>> {
    let out = options.out.as_ref().ok_or("--out FILE is wanted")?;
    let known = known(options)?;
    let patterns = known.patterns().ok_or("--weights FILE is wanted")?;
    let samples = read(&options.files)?;
    // A "game" of the new file is a chunk of samples.
    let mut chunks = Chunks::open(out)?;
    for chunk in samples.chunks(RELABELLED).skip(chunks.games as usize) {
        let is_open = |sample: &Sample| sample.board.empties() > options.course.solve_from;
        let (mut open, solved): (Vec<Sample>, Vec<Sample>) = chunk.iter().partition(|s| is_open(s));
        relabel(&mut open, patterns, options.course.depth);
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

fn deviate(options: &Options) -> Result<(), Box<dyn Error>> {
    let known = known(options)?;
    let patterns = known.patterns().ok_or("--weights FILE is wanted")?;
    let samples = read(&options.files)?;
    println!("depth shallow empties boards  mean deviation");
    for depth in 2..=options.course.depth {
        for found in deviations(&samples, patterns, depth, options.games as u32) {
            println!(
                "{:>5} {:>7} {:>7} {:>6} {:>5.0} {:>9.0}",
                found.depth, found.shallow, found.empties, found.count, found.mean, found.deviation
            );
        }
    }
    Ok(())
}

fn fit(options: &Options) -> Result<(), Box<dyn Error>> {
    let out = options.out.as_ref().ok_or("--out FILE is wanted")?;
    let samples = read(&options.files)?;
    println!("{} samples", samples.len());
    let before = known(options)?.weights();
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
            std::fs::write(out, Known::file(&fit.weights()))?;
        }
    }
    println!("empty squares, samples aside, their error:");
    for (empties, count, error) in fit.by_stage() {
        println!("{empties:>3} {count:>8} {error:>8.3}");
    }
    Ok(())
}
