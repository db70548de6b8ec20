//! `mawe solve`: makes endgame databases, slice by slice; existing slices are kept.

use std::time::Instant;

use clap::Args;
use indicatif::ProgressBar;
use mawe_ai::endgame::{
    CheckersDatabase, Counts, Database, KalahDatabase, OwareDatabase, Progress, Slice,
};
use mawe_rules::Family;

use crate::bots::endgames::EndgameStore;
use crate::cli::output::{Failure, print};
use crate::cli::progress;
use crate::config::DataOptions;

/// The default number of checkers pieces to solve: takes a minute, and a few megabytes.
const PIECES: u8 = 4;

const BAR: &str = "{prefix}: round {msg} {wide_bar} {percent:>3}%, {eta} left in this round";

/// `mawe solve`.
#[derive(Debug, Args)]
pub(super) struct SolveOptions {
    /// The game kind: checkers, kalah or oware
    #[arg(value_name = "GAME")]
    game: String,
    /// Checkers: the greatest number of pieces, 2 to 6 [default: 4]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=i64::from(CheckersDatabase::LARGEST)))]
    pieces: Option<u8>,
    /// Kalah and Oware: the greatest number of seeds in the houses, 1 to 17 [default: 17]
    #[arg(long, value_name = "N", conflicts_with = "pieces", value_parser = clap::value_parser!(u8).range(1..=i64::from(KalahDatabase::LARGEST)))]
    seeds: Option<u8>,
    #[command(flatten)]
    data: DataOptions,
    /// The number of threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
}

pub(super) fn solve(options: &SolveOptions) -> Result<(), Failure> {
    let wrong = |option, game| {
        let line = format!("{option} does not go with {game}: see `mawe solve --help`");
        Err(Failure::BadInput(line))
    };
    let kind = super::rules::kind(&options.game)?;
    match (kind.family(), options) {
        (Family::Checkers, SolveOptions { seeds: Some(_), .. }) => wrong("--seeds", "checkers"),
        (Family::Checkers, _) => {
            make::<CheckersDatabase>(options, options.pieces.unwrap_or(PIECES))
        }
        (
            Family::Kalah | Family::Oware,
            SolveOptions {
                pieces: Some(_), ..
            },
        ) => wrong("--pieces", kind.id()),
        (Family::Kalah, _) => {
            make::<KalahDatabase>(options, options.seeds.unwrap_or(KalahDatabase::LARGEST))
        }
        (Family::Oware, _) => {
            make::<OwareDatabase>(options, options.seeds.unwrap_or(OwareDatabase::LARGEST))
        }
        (
            Family::Mawe
            | Family::Reversi
            | Family::Draughts
            | Family::Congkak
            | Family::Bao
            | Family::Pallanguzhi,
            _,
        ) => Err(Failure::BadInput(format!(
            "game {:?}: there are endgame databases of checkers, kalah and oware",
            kind.id()
        ))),
    }
}

fn make<D: Database>(options: &SolveOptions, up_to: u8) -> Result<(), Failure> {
    let store = EndgameStore::new(&options.data.data_dir);
    let began = Instant::now();
    let mut database = D::default();
    let mut all = Counts::default();
    for slices in D::plan(up_to) {
        let began = Instant::now();
        let mut shown: Option<Shown> = None;
        let ensured = store.ensure(
            &slices,
            usize::from(options.threads),
            &mut database,
            |line| eprintln!("mawe: {line}"),
            &mut |progress| {
                let shown = shown.get_or_insert_with(|| Shown::new(&slices));
                shown.show(progress);
            },
        );
        if let Some(shown) = shown {
            shown.bar.finish_and_clear();
        }
        let is_kept = ensured.map_err(|error| Failure::Failed(error.to_string()))?;
        for slice in slices {
            let counts = database.count(slice).expect("it was solved or kept");
            add(&mut all, counts);
            let time = match is_kept {
                true => "kept".to_owned(),
                false => format!("{:.1} s", began.elapsed().as_secs_f64()),
            };
            print(&format!("{slice}: {}, {time}\n", line(counts)))?;
        }
    }
    let time = began.elapsed().as_secs_f64();
    print(&format!("in all: {}, {time:.1} s\n", line(all)))
}

fn add(all: &mut Counts, counts: Counts) {
    all.won += counts.won;
    all.drawn += counts.drawn;
    all.lost += counts.lost;
    all.open += counts.open;
    all.longest = all.longest.max(counts.longest);
}

fn line(counts: Counts) -> String {
    let Counts {
        won,
        drawn,
        lost,
        open,
        longest,
    } = counts;
    let mut line = format!(
        "{} positions, {won} won, {drawn} drawn, {lost} lost",
        counts.all()
    );
    if open > 0 {
        line += &format!(", {open} open");
    }
    if longest > 0 {
        line += &format!(", longest win {longest} plies");
    }
    line
}

/// The bar of the slices that are solved together. The number of its rounds is not known, so it tells the rest of a round.
struct Shown {
    bar: ProgressBar,
    round: Option<u64>,
}

impl Shown {
    fn new(slices: &[Slice]) -> Self {
        let bar = progress::bar(0, BAR);
        bar.set_prefix(slices.first().map_or_else(String::new, ToString::to_string));
        Self { bar, round: None }
    }

    fn show(&mut self, Progress { round, done, of }: Progress) {
        let round = u64::from(round) + 1;
        if self.round.replace(round) != Some(round) {
            self.bar.set_message(round.to_string());
            self.bar.reset_eta();
        }
        self.bar.set_length(of as u64);
        self.bar.set_position(done as u64);
    }
}
