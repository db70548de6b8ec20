//! Groups: players of one are not paired with each other.

use mawe_wire::events::{EventGameSkipped, EventState};

use super::run::{Run, player, terms};
use crate::events::{Format, GameOutcome, Input};

const ARENA: Format = Format::Arena {
    duration_ms: 30 * 60_000,
    berserk: false,
};

/// A run in which these groups have joined, a player for each.
fn with_groups(format: Format, groups: &[Option<u32>], seed: u64) -> Run {
    let mut run = Run::new(terms(format), seed);
    for (number, group) in (0..).zip(groups) {
        let id = player(number);
        let join = Input::Join {
            player: &id,
            rating: f64::from(2_400 - number),
            group: *group,
        };
        run.input(&join).expect("a place");
    }
    run
}

/// The games of two players of one group: those that were not played for that reason, and the others.
fn of_one_group(run: &Run) -> (usize, usize) {
    let entrants = run.event.entrants();
    let mut counts = (0, 0);
    for game in run.event.games() {
        let [a, b] =
            [game.seats.first, game.seats.second].map(|seat| entrants[seat as usize].group);
        if a.is_none() || a != b {
            continue;
        }
        match game.outcome {
            GameOutcome::Skipped {
                reason: EventGameSkipped::Apart,
                ..
            } => counts.0 += 1,
            _ => counts.1 += 1,
        }
    }
    counts
}

#[test]
fn players_of_a_group_do_not_play_each_other() {
    for seed in 0..30 {
        let groups: Vec<Option<u32>> = (0..12)
            .map(|number| (number % 3 > 0).then_some((number * 7 + seed as u32) % 4))
            .collect();
        for format in [ARENA, Format::Swiss { rounds: 5 }] {
            let mut run = with_groups(format, &groups, seed);
            run.play(12, if seed % 3 == 0 { 0 } else { 15 });
            assert_eq!(run.event.state(), EventState::Finished);
            let (skipped, played) = of_one_group(&run);
            assert_eq!(played, 0, "{format:?}");
            assert!(format != ARENA || skipped == 0, "an arena pairs none");
        }
    }
}

#[test]
fn in_a_swiss_others_are_paired_with_others_as_long_as_there_are_some() {
    // Four of one family and four others: for four rounds each can meet one of the others.
    let groups = [1, 1, 1, 1].map(Some).into_iter().chain([None; 4]);
    let groups: Vec<Option<u32>> = groups.collect();
    let mut run = with_groups(Format::Swiss { rounds: 3 }, &groups, 1);
    run.play(8, 0);
    assert_eq!(run.event.state(), EventState::Finished);
    assert_eq!(run.event.round(), 3);
    assert_eq!(of_one_group(&run), (0, 0));
}

#[test]
fn a_swiss_of_one_group_alone_ends_without_a_game() {
    let mut run = with_groups(Format::Swiss { rounds: 3 }, &[Some(7); 4], 1);
    run.play(4, 0);
    assert_eq!(run.event.state(), EventState::Finished);
    assert_eq!(of_one_group(&run), (6, 0));
}

#[test]
fn a_large_group_in_an_arena_is_paired_with_the_few_others() {
    let mut groups = vec![Some(1); 200];
    groups.extend([None; 3]);
    let mut run = with_groups(ARENA, &groups, 1);
    run.replays = false;
    run.tick();
    assert!(run.tick());
    assert!(run.pending().len() >= 2);
    assert_eq!(of_one_group(&run), (0, 0));
}
