//! A weekend of events of all kinds, side by side on one clock, on two nodes that crash and take the work over from each other.
//!
//! `MAWE_WEEKENDS` is the number of weekends, `MAWE_WEEKEND_SEED` the seed of the first one. A failure prints the variables that repeat it.

mod acts;
mod audit;
mod fill_ins;
mod groups;
mod journals;
mod ledger;
mod node;
mod programme;
mod recount;
mod rules;
mod seen;
mod simulation;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use mawe_wire::events::EventState;

use self::seen::Seen;
use self::simulation::Simulation;
use super::run::player;

/// The number of weekends of an everyday run.
const WEEKENDS: u64 = 8;

/// The number of players of the weekend; each event has some of them.
const PLAYERS: u32 = 70;

/// The number of computer players of the server, more than an event may have.
const BOTS: u32 = 12;

#[test]
fn a_weekend_of_events_survives_crashes_and_takeovers() {
    let first = from_environment("MAWE_WEEKEND_SEED", 1);
    let weekends = from_environment("MAWE_WEEKENDS", WEEKENDS);
    let mut seen = Seen::default();
    for seed in first..first + weekends {
        let played = catch_unwind(AssertUnwindSafe(|| play(seed)));
        match played {
            Ok(one) => seen.add(&one),
            Err(panic) => {
                eprintln!(
                    "to repeat it: MAWE_WEEKEND_SEED={seed} MAWE_WEEKENDS=1 cargo test -p mawe-play weekend"
                );
                resume_unwind(panic);
            }
        }
    }
    println!("{weekends} weekends: {seen:?}");
    // A simulation in which these do not happen proves nothing about them.
    assert!(
        seen.finished > seen.cancelled && seen.cancelled > 0,
        "{seen:?}"
    );
    assert!(seen.crashes > 0 && seen.takeovers > 0, "{seen:?}");
    assert!(
        seen.lost_writes > 0 && seen.late_writes_refused > 0,
        "{seen:?}"
    );
    assert!(seen.refused_inputs > 0 && seen.corrected > 0, "{seen:?}");
    // One weekend alone may have none of these.
    if weekends >= WEEKENDS {
        assert!(seen.fill_ins > 0 && seen.games_of_fill_ins > 0, "{seen:?}");
        assert!(
            seen.full > 0 && seen.grouped > 0 && seen.of_one_group > 0,
            "{seen:?}"
        );
    }
}

fn play(seed: u64) -> Seen {
    let ids: Vec<_> = (0..PLAYERS).map(player).collect();
    let bots: Vec<_> = (PLAYERS..PLAYERS + BOTS).map(player).collect();
    let mut simulation = Simulation::new(seed, &ids, &bots);
    simulation.play();
    let mut seen = simulation.seen;
    for journal in &simulation.journals.all {
        match journal.event.state() {
            EventState::Finished => seen.finished += 1,
            EventState::Cancelled => seen.cancelled += 1,
            EventState::Coming | EventState::Running => panic!("an event does not end"),
        }
        seen.entries += journal.entries.len();
        seen.games += journal.event.games().len();
        seen.count_fill_ins(journal);
        seen.count_pairs(&journal.event);
    }
    seen
}

fn from_environment(name: &str, usual: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|_| panic!("{name} is a whole number, not `{text}`")),
        Err(_) => usual,
    }
}
