//! Makes an endgame database in memory and prints the results of each slice, the time, and a checksum of its
//! values: to measure the generator, and to check that a change of it changes no value.

use std::time::Instant;

use clap::Args;
use mawe_ai::endgame::{
    CheckersDatabase, Database, DraughtsDatabase, KalahDatabase, OwareDatabase, Progress, header,
};
use mawe_rules::GameKind;
use mawe_rules::games::draughts::{Brazilian, Drafti, Pool, Russian};

use super::failure::Failure;

/// The offsets of a slice's checksum in its header.
const CHECKSUM: std::ops::Range<usize> = 32..36;

/// `lab endgames`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The game: checkers, drafti, brazilian, russian, pool, kalah or oware
    #[arg(value_name = "GAME")]
    kind: GameKind,
    /// The most pieces or seeds
    #[arg(value_name = "N")]
    up_to: u8,
    /// The number of threads
    #[arg(value_name = "THREADS", default_value_t = 1)]
    threads: usize,
}

pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let &Options {
        kind,
        up_to,
        threads,
    } = options;
    match kind {
        GameKind::Checkers => solve::<CheckersDatabase>(up_to, threads),
        GameKind::Drafti => solve::<DraughtsDatabase<Drafti>>(up_to, threads),
        GameKind::Brazilian => solve::<DraughtsDatabase<Brazilian>>(up_to, threads),
        GameKind::Russian => solve::<DraughtsDatabase<Russian>>(up_to, threads),
        GameKind::Pool => solve::<DraughtsDatabase<Pool>>(up_to, threads),
        GameKind::Kalah => solve::<KalahDatabase>(up_to, threads),
        GameKind::Oware => solve::<OwareDatabase>(up_to, threads),
        GameKind::Mawe
        | GameKind::Reversi
        | GameKind::International
        | GameKind::Congkak
        | GameKind::Bao
        | GameKind::Pallanguzhi => {
            return Err(format!("{kind} has no database").into());
        }
    }
    Ok(())
}

fn solve<D: Database>(up_to: u8, threads: usize) {
    let began = Instant::now();
    let mut database = D::default();
    let (mut all, mut longest) = (0, 0);
    let (mut won, mut drawn, mut lost, mut open) = (0, 0, 0, 0);
    for slices in D::plan(up_to) {
        let slice_began = Instant::now();
        let mut rounds = 0;
        database.solve(&slices, threads, &mut |Progress { round, .. }| {
            rounds = round
        });
        let seconds = slice_began.elapsed().as_secs_f64();
        for slice in slices {
            let data = database.data(slice).expect("it was solved");
            let counts = database.count(slice).expect("it was solved");
            let crc: [u8; 4] = header(slice, data)[CHECKSUM]
                .try_into()
                .expect("four bytes");
            println!(
                "{slice}: {} positions, {} won, {} drawn, {} lost, {} open, longest {}, \
                 {rounds} rounds, {seconds:.1} s, CRC {:08x}",
                counts.all(),
                counts.won,
                counts.drawn,
                counts.lost,
                counts.open,
                counts.longest,
                u32::from_le_bytes(crc)
            );
            all += counts.all();
            won += counts.won;
            drawn += counts.drawn;
            lost += counts.lost;
            open += counts.open;
            longest = longest.max(counts.longest);
        }
    }
    println!(
        "in all {all} positions, {won} won, {drawn} drawn, {lost} lost, {open} open, longest {longest}, {:.1} s",
        began.elapsed().as_secs_f64()
    );
}
