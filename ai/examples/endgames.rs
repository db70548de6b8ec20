//! Makes an endgame database in memory and prints the results of each slice, the time, and a checksum of its
//! values: to measure the generator, and to check that a change of it changes no value.
//!
//!     cargo run --release -p mawe-ai --example endgames -- oware 17 2
//!
//! Arguments: the game (checkers, kalah, oware), the most pieces or seeds, and the number of threads (1). Writes
//! no files; `mawe solve` makes them.

use std::error::Error;
use std::time::Instant;

use mawe_ai::endgame::{
    CheckersDatabase, Database, KalahDatabase, OwareDatabase, Progress, header,
};
use mawe_rules::GameKind;

/// The offsets of a slice's checksum in its header.
const CHECKSUM: std::ops::Range<usize> = 32..36;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let kind: GameKind = arguments.next().ok_or("which game?")?.parse()?;
    let up_to = arguments
        .next()
        .ok_or("how many pieces or seeds?")?
        .parse()?;
    let threads = match arguments.next() {
        Some(threads) => threads.parse()?,
        None => 1,
    };
    match kind {
        GameKind::Checkers => solve::<CheckersDatabase>(up_to, threads),
        GameKind::Kalah => solve::<KalahDatabase>(up_to, threads),
        GameKind::Oware => solve::<OwareDatabase>(up_to, threads),
        GameKind::Mawe | GameKind::Reversi | GameKind::Congkak => {
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
