//! Learns the evaluation of a game: plays games of the engine against itself, then fits weights to them.
//!
//!     cargo run --release -p mawe-ai --example learn -- play oware --games 20000 --out oware.games
//!     cargo run --release -p mawe-ai --example learn -- fit oware --in oware.games --out ai/weights/oware.weights
//!
//! `play`: `--games N` (10000), `--nodes N` a ply (1500), `--random N` random plies at most (12), `--seed N` (1), `--threads N`
//! (1), `--weights FILE` for the engine (default: those built in; `--weights hand` for none), `--out FILE`. Games in FILE are not
//! played again, so that a later run continues an interrupted one. `--endgames N`: in checkers, first makes a database of up to N
//! pieces for the engine. `fit`: `--in FILE`, which may be given several times, `--rounds N`, `--step X`, `--pull X`, `--scale X`,
//! `--result X`, `--seed N`, see `Course`.

use std::collections::HashSet;
use std::error::Error;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use mawe_ai::arena::{setup_of, start_of};
use mawe_ai::endgame::{CheckersDatabase, Database};
use mawe_ai::learn::{Course, Fitted, Lesson, PlayOptions, play};
use mawe_ai::{Endgames, Knowledge, Learn};
use mawe_rules::{AnyPosition, GameKind};

type Failure = Box<dyn Error + Send + Sync>;

struct Options {
    kind: GameKind,
    games: u64,
    play: PlayOptions,
    threads: u64,
    weights: Option<String>,
    from: Vec<String>,
    out: String,
    course: Course,
}

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let what = arguments.next().unwrap_or_default();
    let kind = arguments.next().ok_or("which game?")?.parse()?;
    let mut options = Options {
        kind,
        games: 10_000,
        play: PlayOptions {
            nodes: 1_500,
            random: 12,
            seed: 1,
        },
        threads: 1,
        weights: None,
        from: Vec::new(),
        out: String::new(),
        course: Course::default(),
    };
    while let Some(name) = arguments.next() {
        let value = arguments
            .next()
            .ok_or_else(|| format!("{name} wants a value"))?;
        match name.as_str() {
            "--games" => options.games = value.parse()?,
            "--nodes" => options.play.nodes = value.parse()?,
            "--random" => options.play.random = value.parse()?,
            "--seed" => {
                options.play.seed = value.parse()?;
                options.course.seed = options.play.seed;
            }
            "--endgames" if kind == GameKind::Checkers => {
                let endgames = Endgames {
                    checkers: Arc::new(CheckersDatabase::solved(value.parse()?, 1)),
                    ..Endgames::default()
                };
                Knowledge::install(endgames);
            }
            "--threads" => options.threads = value.parse()?,
            "--weights" => options.weights = Some(value),
            "--in" => options.from.push(value),
            "--out" => options.out = value,
            "--scale" => options.course.scale = Some(value.parse()?),
            "--rounds" => options.course.rounds = value.parse()?,
            "--step" => options.course.step = value.parse()?,
            "--pull" => options.course.pull = value.parse()?,
            "--result" => options.course.result = value.parse()?,
            _ => return Err(format!("{name}: there is no such option").into()),
        }
    }
    if options.out.is_empty() {
        return Err("--out FILE is wanted".into());
    }
    match what.as_str() {
        "play" => play_games(&options),
        "fit" => fit(&options),
        _ => Err("play or fit?".into()),
    }
}

fn knowledge(options: &Options) -> Result<Arc<Knowledge>, Failure> {
    Ok(match options.weights.as_deref() {
        None => Arc::clone(Knowledge::built_in()),
        Some("hand") => Arc::clone(Knowledge::by_hand()),
        Some(path) => Arc::new(Knowledge::built_in_with(options.kind, &fs::read(path)?)?),
    })
}

fn play_games(options: &Options) -> Result<(), Failure> {
    let knowledge = knowledge(options)?;
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
                let line = play(&setup, &knowledge, &options.play, number)?;
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

fn fit(options: &Options) -> Result<(), Failure> {
    let fitted = match start_of(options.kind) {
        AnyPosition::Mawe(start) => learn(&start, options),
        AnyPosition::Checkers(start) => learn(&start, options),
        AnyPosition::Kalah(start) => learn(&start, options),
        AnyPosition::Oware(start) => learn(&start, options),
        AnyPosition::Congkak(start) => learn(&start, options),
        AnyPosition::Reversi(_) => Err("Reversi learns otherwise".into()),
    }?;
    fs::write(&options.out, fitted.weights.write(options.kind))?;
    Ok(())
}

fn learn<P: Learn>(start: &P, options: &Options) -> Result<Fitted, Failure> {
    let mut lesson = Lesson::of::<P>();
    let mut games = 0;
    for path in &options.from {
        for line in fs::read_to_string(path)?.lines() {
            games += usize::from(lesson.add(start, line).is_some());
        }
    }
    println!("{games} games, {} positions", lesson.positions());
    let fitted = lesson.fit(options.course, &mut |round, loss| {
        println!("round {round}: loss {loss:.5}");
    });
    println!("{:.0} hundredths are a logit", fitted.scale);
    Ok(fitted)
}
