//! `mawe solve`: makes endgame databases, slice by slice; existing slices are kept.

use std::time::Instant;

use clap::Args;
use indicatif::ProgressBar;
use mawe_ai::endgame::{
    CheckersDatabase, Counts, Database, DraughtsDatabase, KalahDatabase, OwareDatabase, Progress,
    Slice,
};
use mawe_rules::GameKind;
use mawe_rules::games::draughts::{Brazilian, Drafti, Pool, Russian};

use crate::bots::endgames::EndgameStore;
use crate::cli::output::{Failure, print};
use crate::cli::progress;
use crate::config::DataOptions;

/// The default number of pieces to solve: takes a minute, and a few megabytes.
const PIECES: u8 = 4;

const BAR: &str = "{prefix}: round {msg} {wide_bar} {percent:>3}%, {eta} left in this round";

/// `mawe solve`.
#[derive(Debug, Args)]
pub(super) struct SolveOptions {
    /// The game kind: checkers, drafti, brazilian, russian, pool, kalah or oware
    #[arg(value_name = "GAME")]
    game: String,
    /// Checkers and draughts: the greatest number of pieces, 2 to 6 in checkers and to 4 in the others [default: 4]
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
    let kind = super::rules::kind(&options.game)?;
    match kind {
        GameKind::Checkers => by_pieces::<CheckersDatabase>(options),
        GameKind::Drafti => by_pieces::<DraughtsDatabase<Drafti>>(options),
        GameKind::Brazilian => by_pieces::<DraughtsDatabase<Brazilian>>(options),
        GameKind::Russian => by_pieces::<DraughtsDatabase<Russian>>(options),
        GameKind::Pool => by_pieces::<DraughtsDatabase<Pool>>(options),
        GameKind::Kalah => by_seeds::<KalahDatabase>(options),
        GameKind::Oware => by_seeds::<OwareDatabase>(options),
        GameKind::Mawe
        | GameKind::Reversi
        | GameKind::International
        | GameKind::Congkak
        | GameKind::Bao
        | GameKind::Pallanguzhi => Err(Failure::BadInput(format!(
            "game {:?}: there are endgame databases of checkers, drafti, brazilian, russian, pool, kalah and oware",
            kind.id()
        ))),
    }
}

fn by_pieces<D: Database>(options: &SolveOptions) -> Result<(), Failure> {
    let pieces = options.pieces.unwrap_or(PIECES);
    match options.seeds {
        Some(_) => Err(wrong("--seeds", D::KIND)),
        None if pieces > D::LARGEST => Err(Failure::BadInput(format!(
            "--pieces {pieces}: the databases of {} have at most {}",
            D::KIND.id(),
            D::LARGEST
        ))),
        None => make::<D>(options, pieces),
    }
}

fn by_seeds<D: Database>(options: &SolveOptions) -> Result<(), Failure> {
    match options.pieces {
        Some(_) => Err(wrong("--pieces", D::KIND)),
        None => make::<D>(options, options.seeds.unwrap_or(D::LARGEST)),
    }
}

fn wrong(option: &str, kind: GameKind) -> Failure {
    let game = kind.id();
    Failure::BadInput(format!(
        "{option} does not go with {game}: see `mawe solve --help`"
    ))
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
