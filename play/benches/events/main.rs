//! Pairing of the largest events, in simulated time: an arena of 1,000 players at a pace of three minutes and two seconds, for an hour; the
//! same with games that are 20 times as short, so that in each step 20 times as many players are free and the journal is 20 times as long;
//! and a Swiss of as many players as it admits.
//!
//! `cargo bench -p mawe-play --bench events`

mod arena;
mod run;
mod swiss;
mod timing;

use timing::Times;

fn main() {
    println!("{}", Times::HEAD);
    arena::play(1);
    arena::play(20);
    swiss::play();
}
