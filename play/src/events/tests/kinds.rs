//! Each kind of event, played to its end.

use mawe_wire::events::{EventGameResult, EventState};

use super::run::{Run, player};
use crate::events::{Format, Input, Points, Refusal};

const ARENA: Format = Format::Arena {
    duration_ms: 30 * 60_000,
    berserk: true,
};

fn all_kinds() -> [Format; 7] {
    [
        ARENA,
        Format::Swiss { rounds: 3 },
        Format::Swiss { rounds: 7 },
        Format::RoundRobin { cycles: 1 },
        Format::RoundRobin { cycles: 2 },
        Format::Knockout,
        Format::Simul,
    ]
}

#[test]
fn every_kind_ends_whatever_its_players_do() {
    for format in all_kinds() {
        for seed in 0..60 {
            let most = format.most_players().min(20);
            let players = 2 + (seed as u32 * 7) % (most - 1);
            let mut run = Run::with_players(format, players, seed);
            run.play(players + 4, if seed % 3 == 0 { 0 } else { 20 });
            assert!(matches!(
                run.event.state(),
                EventState::Finished | EventState::Cancelled
            ));
        }
    }
}

#[test]
fn an_event_without_players_is_cancelled_at_its_start() {
    for format in all_kinds() {
        for players in 0..2 {
            let mut run = Run::with_players(format, players, 1);
            assert!(run.tick());
            assert_eq!(run.event.state(), EventState::Cancelled, "{format:?}");
            let late = player(9);
            let join = Input::Join {
                player: &late,
                rating: 1500.0,
                bot: false,
            };
            assert_eq!(run.input(&join), Err(Refusal::Over));
        }
    }
}

#[test]
fn an_arena_counts_streaks_and_berserk() {
    let mut run = Run::with_players(ARENA, 2, 1);
    assert!(run.tick());
    let points = |run: &Run, seat| {
        let rows = run.event.standings();
        let row = rows.iter().find(|row| row.seat == seat).expect("a row");
        (row.points.as_f64(), row.on_fire)
    };
    // Seat 0 wins three times, the last one on fire and with half the clock; then a draw on fire, and a win.
    let mut sum = Vec::new();
    for (number, wins) in (1..).zip([true, true, true, false, true]) {
        assert!(run.tick());
        assert_eq!(run.pending(), [number]);
        if number == 3 {
            run.input(&Input::Berserk(&player(0))).expect("a game");
            assert_eq!(
                run.input(&Input::Berserk(&player(0))),
                Err(Refusal::AlreadyBerserk)
            );
        }
        let first = run.event.game(number).expect("a game").seats.first == 0;
        run.end(
            number,
            match (wins, first) {
                (false, _) => EventGameResult::Drawn,
                (true, true) => EventGameResult::First,
                (true, false) => EventGameResult::Second,
            },
        );
        sum.push(points(&run, 0));
    }
    let expected = [
        (2.0, false),
        (4.0, true),
        (9.0, true),
        (11.0, false),
        (13.0, false),
    ];
    assert_eq!(sum, expected);
    assert_eq!(points(&run, 1), (1.0, false));
}

#[test]
fn a_round_robin_is_played_round_by_round() {
    let mut run = Run::with_players(Format::RoundRobin { cycles: 1 }, 5, 3);
    assert!(run.tick());
    for round in 1..=5 {
        assert!(run.tick());
        assert_eq!(run.event.round(), round);
        assert_eq!(run.pending().len(), 2);
        assert_eq!(run.event.due_ms(), None);
        // The player with the lower seat wins.
        for number in run.pending() {
            let seats = run.event.game(number).expect("a game").seats;
            run.end(
                number,
                if seats.first < seats.second {
                    EventGameResult::First
                } else {
                    EventGameResult::Second
                },
            );
        }
    }
    assert!(run.tick());
    assert_eq!(run.event.state(), EventState::Finished);
    let rows = run.event.standings();
    let table: Vec<_> = rows
        .iter()
        .map(|row| (row.place, row.seat, row.points))
        .collect();
    let points = [4, 3, 2, 1, 0].map(|points| Points::from_halves(2 * points));
    let expected: Vec<_> = (1..)
        .zip(0..)
        .zip(points)
        .map(|((a, b), c)| (a, b, c))
        .collect();
    assert_eq!(table, expected);
}
