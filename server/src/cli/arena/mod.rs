//! `mawe arena`: a tournament of engines and levels on this machine, without a server and an account.

mod records;
mod table;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use indicatif::ProgressBar;
use mawe_lab::arena::{Encounter, Spec, Standings, Tournament, Verdict};

use crate::cli::match_options::{self, MatchOptions, bounds};
use crate::cli::output::{Failure, print, runtime};
use crate::cli::progress;
use crate::cli::signals::Signals;
use records::{RecordFiles, RecordOptions};

/// The greatest number of players: a wider table cannot be read.
const MAX_PLAYERS: usize = 64;
/// The greatest number of games of two players.
const MAX_GAMES: i64 = 1_000_000;
/// The greatest number of games at the same time: more than any machine has cores.
const MAX_CONCURRENCY: i64 = 1_024;

const BAR: &str = "{wide_bar} {human_pos} of {human_len} games, {eta} left  {msg}";

/// `mawe arena`.
#[derive(Debug, Args)]
pub(super) struct ArenaOptions {
    #[command(flatten)]
    terms: MatchOptions,
    /// Two or more players, as `mawe duel` takes them: a level (5), limits of the engine (nodes=1000, movetime=100, clock=60+0.5), or limits and
    /// another engine (movetime=100,cmd:gtp:edax -gtp); name=TEXT, in front names a player
    #[arg(value_name = "PLAYER", required = true, num_args = 1..)]
    players: Vec<String>,
    /// The games of every two players: pairs with the same opening and exchanged sides, so one more for an odd number
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=MAX_GAMES))]
    games: u32,
    /// With two players: end as soon as it is clear whether the first is stronger by at least CLAIM rather than by NULL Elo at most, as
    /// NULL,CLAIM (wrong one time in twenty)
    #[arg(long, value_name = "NULL,CLAIM", value_parser = bounds)]
    sprt: Option<(f64, f64)>,
    /// The games that are played at the same time, each with processes and tables of its own; players that are limited by time need a free core
    /// each
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=MAX_CONCURRENCY))]
    concurrency: u16,
    #[command(flatten)]
    records: RecordOptions,
}

/// Plays the tournament, and prints the table; an interrupt ends it with the table so far.
pub(super) fn arena(options: &ArenaOptions) -> Result<(), Failure> {
    let count = options.players.len();
    if !(2..=MAX_PLAYERS).contains(&count) {
        let line = format!("{count} players: 2 to {MAX_PLAYERS} are wanted");
        return Err(Failure::BadInput(line));
    }
    if options.sprt.is_some() && count != 2 {
        return Err(Failure::BadInput(
            "--sprt compares two players; there are more".to_owned(),
        ));
    }
    let place = |index: usize| format!("player {}", index + 1);
    let texts = options.players.iter().enumerate();
    let specs: Vec<Spec> = texts
        .map(|(index, text)| match_options::player(&place(index), text))
        .collect::<Result<_, _>>()?;
    let names = specs.iter().zip(&options.players);
    let names: Vec<&str> = names
        .map(|(spec, text)| spec.name().unwrap_or(text))
        .collect();
    let terms = options.terms.terms()?;
    let mut files = RecordFiles::open(&options.records, terms.kind)?;

    let stop: Arc<AtomicBool> = Arc::default();
    let is_interrupted: Arc<AtomicBool> = Arc::default();
    let runtime = runtime()?;
    let interrupts = {
        let _context = runtime.enter();
        Signals::new().map_err(|error| Failure::Failed(error.to_string()))?
    };
    runtime.spawn(set_at_signal(
        interrupts,
        [Arc::clone(&is_interrupted), Arc::clone(&stop)],
    ));
    let tournament = Tournament {
        kind: terms.kind,
        players: &specs,
        pairs: u64::from(options.games.div_ceil(2)),
        seed: options.terms.seed,
        concurrency: usize::from(options.concurrency),
        stop,
    };
    let planned = 2 * tournament.encounters();
    let mut progress = Progress::new(planned, &names);
    let mut standings = Standings::new(count);
    let mut written = Ok(());
    let played = tournament.play(
        |number| terms.opening(number),
        |encounter| {
            standings.add(&encounter);
            progress.show(&encounter, &standings);
            written = files.write(&encounter, &names);
            let verdict = options
                .sprt
                .map(|(null, claim)| standings.against(0, 1).verdict(null, claim));
            match written.is_err() || verdict.is_some_and(|verdict| verdict != Verdict::Open) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        },
    );
    progress.bar.finish_and_clear();
    played.map_err(|(index, error)| Failure::BadInput(format!("{}: {error}", place(index))))?;
    print(&table::table(terms.kind, &names, &standings, options.sprt))?;
    written?;
    match is_interrupted.load(Ordering::Relaxed) {
        true => Err(Failure::Failed(format!(
            "interrupted: the table has {} of {planned} games",
            progress.games
        ))),
        false => Ok(()),
    }
}

async fn set_at_signal(mut signals: Signals, flags: [Arc<AtomicBool>; 2]) {
    signals.stop().await;
    for flag in flags {
        flag.store(true, Ordering::Relaxed);
    }
}

/// The bar on a terminal, and the first failure of each engine anywhere.
struct Progress<'a> {
    bar: ProgressBar,
    names: &'a [&'a str],
    games: u64,
    has_failed: Vec<bool>,
}

impl<'a> Progress<'a> {
    fn new(games: u64, names: &'a [&'a str]) -> Self {
        Self {
            bar: progress::bar(games, BAR),
            names,
            games: 0,
            has_failed: vec![false; names.len()],
        }
    }

    fn show(&mut self, encounter: &Encounter, standings: &Standings) {
        self.games += 2;
        for index in encounter.players {
            let Some(failure) = &standings.of(index).last_failure else {
                continue;
            };
            if !std::mem::replace(&mut self.has_failed[index], true) {
                let name = table::short(self.names[index]);
                let line = format!("mawe: {name} loses a game: {failure}");
                self.bar.suspend(|| eprintln!("{line}"));
            }
        }
        self.bar.inc(2);
        if let Some(best) = standings.ranking().first() {
            let elo = standings.of(*best).tally.elo();
            self.bar.set_message(format!(
                "{} {:+.0} ± {:.0}",
                table::short(self.names[*best]),
                elo.difference,
                elo.error
            ));
        }
    }
}
