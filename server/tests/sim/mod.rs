//! The match core under a virtual clock and one seed: messages late, lost, twice; appends refused, for a moment or for minutes, or of
//! unknown outcome; crashes, restarts and takeovers with the old owner still writing. After every step the invariants of `ARCHITECTURE.md`
//! are checked.
//!
//! A failure prints its seed; `MAWE_SIM_SEED=… cargo nextest run -p mawe-server sim::` plays that one match again.
//! `MAWE_SIM_MATCHES` plays more.

mod client;
mod nodes;
mod store;
mod world;

use self::world::{Faults, Who, World};
use mawe_rules::GameKind;

/// The number of matches of each game in the everyday run, for each kind of faults.
const MATCHES: u64 = 120;

fn number(name: &str) -> Option<u64> {
    std::env::var(name)
        .ok()
        .map(|text| text.parse().expect("the variable is a number"))
}

/// Prints the seed of a failure.
struct Seed(u64);

impl Drop for Seed {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the match that failed: MAWE_SIM_SEED={}", self.0);
        }
    }
}

fn play_all(faults: Faults, who: Who) {
    let seeds = match number("MAWE_SIM_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("MAWE_SIM_MATCHES").unwrap_or(MATCHES),
    };
    let mut total = world::Tally::default();
    for seed in seeds {
        for game in GameKind::ALL {
            let _seed = Seed(seed);
            total += World::new(*game, seed, faults, who).play();
        }
    }
    eprintln!("{total:?}");
    // A simulation without events would pass every check.
    assert!(total.entries > 0 && total.acknowledged > 0, "{total:?}");
    if number("MAWE_SIM_SEED").is_none() {
        assert_eq!(total.crashes > 0, faults.crashes, "{total:?}");
        assert_eq!(total.pauses > 0, faults.pauses, "{total:?}");
        let old_owners = faults.takeovers || faults.leases;
        assert_eq!(total.fenced > 0, old_owners, "{total:?}");
        let nodes = total.lapses > 0 && total.moved > 0;
        assert_eq!(nodes, faults.leases, "{total:?}");
        // A returning client resends unanswered commands, under all kinds of faults.
        assert!(total.resent > 0 && total.again > 0, "{total:?}");
        assert_eq!(total.unknown > 0, faults.store, "{total:?}");
        assert_eq!(total.outages > 0, faults.store, "{total:?}");
        assert!(total.takebacks > 0, "{total:?}");
        assert_eq!(total.sleeps > 0, !faults.leases, "{total:?}");
        assert!(total.closed > 0, "{total:?}");
        let long_turns = !faults.leases && !faults.takeovers;
        assert!(total.vacations > 0 || !long_turns, "{total:?}");
        let people = who == Who::People;
        assert_eq!(total.claims > 0 && total.gifts > 0, people, "{total:?}");
        assert!(total.halved > 0, "{total:?}");
    }
}

const CALM: Faults = Faults {
    losses: false,
    store: false,
    crashes: false,
    takeovers: false,
    leases: false,
    pauses: false,
};
const ALL: Faults = Faults {
    losses: true,
    store: true,
    crashes: true,
    takeovers: true,
    leases: false,
    pauses: true,
};

#[test]
fn matches_in_calm_weather_end_and_agree() {
    play_all(CALM, Who::People);
}

#[test]
fn lost_and_doubled_messages_lose_and_double_nothing() {
    play_all(
        Faults {
            losses: true,
            ..CALM
        },
        Who::People,
    );
}

#[test]
fn failing_appends_lose_and_double_nothing() {
    play_all(
        Faults {
            losses: true,
            store: true,
            ..CALM
        },
        Who::People,
    );
}

#[test]
fn restarts_at_any_point_lose_nothing_that_was_acknowledged() {
    play_all(
        Faults {
            losses: true,
            crashes: true,
            ..CALM
        },
        Who::People,
    );
}

#[test]
fn a_node_that_does_not_run_for_a_while_charges_nobody() {
    play_all(
        Faults {
            pauses: true,
            ..CALM
        },
        Who::People,
    );
}

#[test]
fn an_old_owner_is_fenced_and_everybody_agrees() {
    play_all(ALL, Who::People);
}

#[test]
fn of_two_nodes_with_leases_one_speaks_and_the_other_is_fenced() {
    play_all(
        Faults {
            losses: true,
            store: true,
            leases: true,
            ..CALM
        },
        Who::People,
    );
}

#[test]
fn a_bot_plays_through_all_of_it() {
    play_all(ALL, Who::Bot);
}

#[test]
fn one_who_plays_both_sides_plays_through_all_of_it() {
    play_all(ALL, Who::Alone);
}
