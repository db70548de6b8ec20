//! Learns the evaluation of a game: plays games of the engine against itself, then fits weights to them.

use std::collections::HashSet;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use clap::{Args, Subcommand};
use mawe_ai::{Knowledge, Learn};
use mawe_lab::arena::{setup_of, start_of};
use mawe_lab::learn::{Course, Fitted, Lesson, PlayOptions, play};
use mawe_rules::{AnyPosition, GameKind};

use super::databases::databases;
use super::failure::Failure;

/// `lab learn`.
#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Play games of the engine against itself
    Play(GamesOptions),
    /// Fit weights to games
    Fit(FitOptions),
}

/// `lab learn play`.
#[derive(Debug, Args)]
pub(crate) struct GamesOptions {
    /// The game: any but reversi and pallanguzhi
    #[arg(value_name = "GAME")]
    kind: GameKind,
    /// The number of games in all
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    games: u64,
    /// The nodes of a search for a ply
    #[arg(long, value_name = "N", default_value_t = 1_500)]
    nodes: u64,
    /// The most random plies at the beginning
    #[arg(long, value_name = "N", default_value_t = 12)]
    random: u64,
    /// The seed of the games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The number of threads
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: u64,
    /// The weights of the engine (default: those built in), or `hand` for none
    #[arg(long, value_name = "FILE")]
    weights: Option<String>,
    /// Make a database of up to N pieces or seeds for the engine first
    #[arg(long, value_name = "N")]
    endgames: Option<u8>,
    /// The file of games. Games in it are not played again, so that a later run continues an interrupted one
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// `lab learn fit`.
#[derive(Debug, Args)]
pub(crate) struct FitOptions {
    /// The game: any but reversi
    #[arg(value_name = "GAME")]
    kind: GameKind,
    /// A file of games; may be given several times
    #[arg(long = "in", value_name = "FILE")]
    from: Vec<PathBuf>,
    /// The number of passes over all positions
    #[arg(long, value_name = "N", default_value_t = Course::default().rounds)]
    rounds: u32,
    /// The size of a step
    #[arg(long, value_name = "X", default_value_t = Course::default().step)]
    step: f32,
    /// The strength of the pull to zero on weights with little evidence
    #[arg(long, value_name = "X", default_value_t = Course::default().pull)]
    pull: f32,
    /// The hundredths of a logit (default: from the games)
    #[arg(long, value_name = "X")]
    scale: Option<f32>,
    /// The weight of the game's result in the target of a position, 0 to 1; the rest is the score of the search
    #[arg(long, value_name = "X", default_value_t = Course::default().result)]
    result: f32,
    /// The seed of the order of positions
    #[arg(long, value_name = "N", default_value_t = Course::default().seed)]
    seed: u64,
    /// The file of weights to write, as ai/weights/oware.weights
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

impl FitOptions {
    fn course(&self) -> Course {
        Course {
            rounds: self.rounds,
            step: self.step,
            pull: self.pull,
            result: self.result,
            scale: self.scale,
            seed: self.seed,
        }
    }
}

pub(crate) fn run(task: &Task) -> Result<(), Failure> {
    match task {
        Task::Play(options) => play_games(options),
        Task::Fit(options) => fit(options),
    }
}

fn knowledge(options: &GamesOptions) -> Result<Arc<Knowledge>, Failure> {
    if let Some(up_to) = options.endgames {
        Knowledge::install(&databases(options.kind, up_to)?);
    }
    Ok(match options.weights.as_deref() {
        None => Knowledge::built_in(),
        Some("hand") => Arc::clone(Knowledge::by_hand()),
        Some(path) => Arc::new(Knowledge::built_in_with(options.kind, &fs::read(path)?)?),
    })
}

fn play_games(options: &GamesOptions) -> Result<(), Failure> {
    let knowledge = knowledge(options)?;
    let play_options = PlayOptions {
        nodes: options.nodes,
        random: options.random,
        seed: options.seed,
    };
    let old = fs::read_to_string(&options.out).unwrap_or_default();
    let number_of = |line: &str| line.split(' ').next()?.parse::<u64>().ok();
    let known: HashSet<u64> = old.lines().filter_map(number_of).collect();
    let mut file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(&options.out)?;
    if !old.is_empty() && !old.ends_with('\n') {
        // A line that was cut short stays in the file and does not count as a game.
        file.write_all(b"\n")?;
    }
    let file = Mutex::new(file);
    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let setup = setup_of(options.kind);
    let work = || -> Result<(), Failure> {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= options.games {
                return Ok(());
            }
            if !known.contains(&number) {
                let line = play(&setup, &knowledge, &play_options, number)?;
                let mut file = file.lock().map_err(|_| "another thread failed")?;
                file.write_all(line.as_bytes())?;
            }
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            if done.is_multiple_of(100) {
                eprint!("\r{done} of {} games ", options.games);
            }
        }
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..options.threads).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().expect("a thread that does not panic"))
    })?;
    eprintln!();
    Ok(())
}

fn fit(options: &FitOptions) -> Result<(), Failure> {
    let fitted = match start_of(options.kind) {
        AnyPosition::Mawe(start) => learn(&start, options),
        AnyPosition::Checkers(start) => learn(&start, options),
        AnyPosition::Drafti(start) => learn(&start, options),
        AnyPosition::Brazilian(start) => learn(&start, options),
        AnyPosition::Russian(start) => learn(&start, options),
        AnyPosition::International(start) => learn(&start, options),
        AnyPosition::Pool(start) => learn(&start, options),
        AnyPosition::Kalah(start) => learn(&start, options),
        AnyPosition::Oware(start) => learn(&start, options),
        AnyPosition::Congkak(start) => learn(&start, options),
        AnyPosition::Bao(start) => learn(&start, options),
        AnyPosition::Reversi(_) => Err("Reversi learns otherwise".into()),
        AnyPosition::Pallanguzhi(_) => Err("Pallanguzhi is evaluated by hand only".into()),
    }?;
    fs::write(&options.out, fitted.weights.write(options.kind))?;
    Ok(())
}

fn learn<P: Learn>(start: &P, options: &FitOptions) -> Result<Fitted, Failure> {
    let mut lesson = Lesson::of::<P>();
    let mut games = 0;
    for path in &options.from {
        for line in fs::read_to_string(path)?.lines() {
            games += usize::from(lesson.add(start, line).is_some());
        }
    }
    println!("{games} games, {} positions", lesson.positions());
    let fitted = lesson.fit(options.course(), &mut |round, loss| {
        println!("round {round}: loss {loss:.5}");
    });
    println!("{:.0} hundredths are a logit", fitted.scale);
    Ok(fitted)
}
