//! `mawe analyse`: the engine's analysis of a position.

use std::fmt::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use mawe_ai::search::{MAX_DEPTH, Objective};
use mawe_ai::{Engine, EngineOptions, Knowledge, Level, Limits, Thought, choose_as};
use mawe_rules::Record;
use serde::Serialize;

use crate::bots::endgames;
use crate::cli::output::{Failure, print};
use crate::cli::rules::Place;
use crate::config::DataOptions;

/// The default time of an analysis.
const DEFAULT_TIME: Duration = Duration::from_secs(1);
/// The longest time of a search: a day.
const MAX_TIME_MS: i64 = 86_400_000;

/// `mawe analyse`.
#[derive(Debug, Args)]
pub(super) struct AnalyseOptions {
    #[command(flatten)]
    place: Place,
    /// Moves played from there, separated by blanks; repetitions among them count
    #[arg(long, value_name = "MOVES", default_value = "")]
    moves: String,
    /// The milliseconds to think (1000 if nothing else limits the search)
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=MAX_TIME_MS as u64))]
    movetime: Option<u64>,
    /// The number of plies to look ahead
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    depth: Option<u32>,
    /// The number of positions to visit
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Play at this level, 1 to 10, instead of full strength
    #[arg(long, value_name = "L", conflicts_with_all = ["exact", "threads"])]
    level: Option<String>,
    /// The number of the player of that level: each seed plays differently
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Search until the result is proven; in games with points, also the exact margin
    #[arg(long)]
    exact: bool,
    /// The number of search threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// The size of the transposition table in megabytes
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
    #[command(flatten)]
    data: DataOptions,
}

/// The engine's answer, as JSON.
#[derive(Serialize)]
struct Analysis {
    /// The best move.
    best: String,
    /// The score in hundredths of the game's unit, from the view of the side to move; for a win ten million less the number of plies to it,
    /// the negative of that for a loss.
    score: i32,
    /// Whether the score is the exact result.
    proven: bool,
    /// `win`, `draw` or `loss` of the side to move, if it is proven.
    result: Option<&'static str>,
    /// The number of plies to the win or loss, if the score holds it.
    plies: Option<i32>,
    depth: u32,
    nodes: u64,
    nps: u64,
    time_ms: u64,
    /// The written slots of the transposition table in a thousand.
    hashfull: u32,
    pv: Vec<String>,
}

pub(super) fn analyse(options: &AnalyseOptions) -> Result<(), Failure> {
    let game = game(options)?;
    if let Some(outcome) = game.outcome() {
        return Err(Failure::BadInput(format!(
            "position {:?}: the game is over ({})",
            game.position().to_string(),
            outcome.reason
        )));
    }
    endgames::install(&options.data.data_dir, |line| eprintln!("mawe: {line}"));
    let (thought, time) = match &options.level {
        Some(level) => by_level(options, level, &game)?,
        None => with_all_strength(options, &game)?,
    };
    let answer = answer(&thought, time);
    if options.json {
        let text =
            serde_json::to_string(&answer).map_err(|error| Failure::Failed(error.to_string()))?;
        print(&format!("{text}\n"))?;
    } else {
        print(&text(&answer))?;
    }
    if options.exact && !thought.proven {
        return Err(Failure::Failed(format!(
            "the result is not proven: depth {}, {} positions",
            thought.depth, thought.nodes
        )));
    }
    Ok(())
}

/// Returns the game with the moves played so far.
fn game(options: &AnalyseOptions) -> Result<Record, Failure> {
    let mut game = Record::from_position(options.place.position()?);
    for (ply, text) in (1..).zip(options.moves.split_ascii_whitespace()) {
        game.play(text)
            .map_err(|why| Failure::BadInput(format!("ply {ply}, {text:?}: {why}")))?;
    }
    Ok(game)
}

fn with_all_strength(
    options: &AnalyseOptions,
    game: &Record,
) -> Result<(Thought, Duration), Failure> {
    let is_bounded = options.depth.is_some() || options.nodes.is_some() || options.exact;
    let default_time = (!is_bounded).then_some(DEFAULT_TIME);
    let limits = Limits {
        depth: options.depth,
        nodes: options.nodes,
        movetime: options.movetime.map(Duration::from_millis).or(default_time),
        ..Limits::default()
    };
    let failed = |error: &dyn std::fmt::Display| Failure::Failed(error.to_string());
    let engine = Engine::new(EngineOptions {
        megabytes: usize::try_from(options.hash).unwrap_or(usize::MAX),
        threads: usize::from(options.threads),
        objective: if options.exact {
            Objective::Points
        } else {
            Objective::Win
        },
        ..EngineOptions::default()
    });
    let engine = engine.map_err(|error| failed(&error))?;
    let began = Instant::now();
    let thought = engine.think(game, &limits, &mut |_| ());
    let thought = thought.map_err(|error| failed(&error))?;
    Ok((thought, began.elapsed()))
}

fn by_level(
    options: &AnalyseOptions,
    level: &str,
    game: &Record,
) -> Result<(Thought, Duration), Failure> {
    let level: Level = level
        .parse()
        .map_err(|error| Failure::BadInput(format!("level {level:?}: {error}")))?;
    if options.depth.is_some() || options.nodes.is_some() {
        return Err(Failure::BadInput(
            "--level has limits of its own: --depth and --nodes do not go with it".to_owned(),
        ));
    }
    let patience = options
        .movetime
        .map_or(Duration::MAX, Duration::from_millis);
    let began = Instant::now();
    let strength = level.strength(game.kind());
    let thought = choose_as(
        game,
        strength,
        &Knowledge::built_in(),
        options.seed,
        Arc::default(),
        patience,
    )
    .map_err(|error| Failure::Failed(error.to_string()))?;
    Ok((thought, began.elapsed()))
}

fn answer(thought: &Thought, time: Duration) -> Analysis {
    Analysis {
        best: thought.best.to_string(),
        score: thought.score,
        proven: thought.proven,
        result: thought.proven.then_some(match thought.score {
            1.. => "win",
            0 => "draw",
            _ => "loss",
        }),
        plies: thought.wins_in().map(i32::abs),
        depth: thought.depth,
        nodes: thought.nodes,
        nps: nodes_per_second(thought.nodes, time),
        time_ms: u64::try_from(time.as_millis()).unwrap_or(u64::MAX),
        hashfull: thought.table_permille,
        pv: thought.pv.iter().map(ToString::to_string).collect(),
    }
}

/// Returns the nodes a second.
pub(super) fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    let nanos = time.as_nanos().max(1);
    u64::try_from(u128::from(nodes) * 1_000_000_000 / nanos).unwrap_or(u64::MAX)
}

fn text(answer: &Analysis) -> String {
    let mut text = format!("best {}\nscore {}", answer.best, answer.score);
    if let Some(result) = answer.result {
        write!(text, " proven {result}").expect("a string takes all that is written");
    }
    if let Some(plies) = answer.plies {
        write!(text, " in {plies} plies").expect("a string takes all that is written");
    }
    let Analysis {
        depth,
        nodes,
        nps,
        time_ms,
        hashfull,
        ..
    } = answer;
    let pv = answer.pv.join(" ");
    format!(
        "{text}\ndepth {depth}\nnodes {nodes}\nnps {nps}\ntime_ms {time_ms}\nhashfull {hashfull}\npv {pv}\n"
    )
}
