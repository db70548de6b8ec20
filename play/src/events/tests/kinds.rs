//! Each kind of event, played to its end.

use mawe_rules::Side;
use mawe_wire::events::{
    EventCancelled, EventGameResult, EventGameSkipped, EventPlayerState, EventState,
};

use super::run::{Run, START, player, terms};
use crate::events::{Entry, Format, Input, Points, Refusal, Start};

const ARENA: Format = Format::Arena {
    duration_ms: 30 * 60_000,
    berserk: true,
};

pub(super) fn all_kinds() -> [Format; 9] {
    [
        ARENA,
        Format::Swiss { rounds: 3 },
        Format::Swiss { rounds: 7 },
        Format::RoundRobin { cycles: 1 },
        Format::RoundRobin { cycles: 2 },
        Format::Knockout,
        Format::Simul,
        Format::Series {
            games: 6,
            best_of: false,
        },
        Format::Series {
            games: 7,
            best_of: true,
        },
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
                group: None,
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
            let side = run.event.game(number).expect("a game").side_of(0);
            let berserk = Input::Berserk { game: number, side };
            run.input(&berserk).expect("a game");
            assert_eq!(run.input(&berserk), Err(Refusal::AlreadyBerserk));
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
fn a_clock_halved_in_a_match_that_outlives_its_event_counts_no_more() {
    let mut run = Run::with_players(ARENA, 2, 1);
    assert!(run.tick() && run.tick());
    let berserk = Input::Berserk {
        game: 1,
        side: Side::First,
    };
    let by = EventCancelled::ByModerator;
    run.input(&Input::Cancel(by)).expect("it runs");
    assert_eq!(run.pending(), [1]);
    assert_eq!(run.input(&berserk), Err(Refusal::Over));
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

/// Ends all pending games: the player with the lower seat wins, or as `draw` says.
fn end_all(run: &mut Run, draw: bool) {
    for number in run.pending() {
        let seats = run.event.game(number).expect("a game").seats;
        let result = match (draw, seats.first < seats.second) {
            (true, _) => EventGameResult::Drawn,
            (false, true) => EventGameResult::First,
            (false, false) => EventGameResult::Second,
        };
        run.end(number, result);
    }
}

fn places(run: &Run) -> Vec<(u32, u32)> {
    let rows = run.event.standings();
    rows.iter().map(|row| (row.place, row.seat)).collect()
}

#[test]
fn a_knockout_has_byes_for_the_best_and_eliminates_the_losers() {
    // The ratings fall by the seat, so the seats are the order of the draw.
    let mut run = Run::with_players(Format::Knockout, 6, 4);
    assert!(run.tick() && run.tick());
    assert_eq!(run.round(1), [(2, 5), (3, 4)]);
    let byes: Vec<u32> = run.event.byes().iter().map(|(_, bye)| bye.seat).collect();
    assert_eq!(byes, [0, 1]);
    end_all(&mut run, false);
    assert!(run.tick());
    // The second games have the sides exchanged.
    assert_eq!(run.round(1)[2..], [(5, 2), (4, 3)]);
    end_all(&mut run, false);
    assert_eq!(
        run.event.player_state(5),
        Some(EventPlayerState::Eliminated)
    );
    assert_eq!(run.event.player_state(2), Some(EventPlayerState::In));
    assert!(run.tick());
    assert_eq!(run.round(2), [(0, 3), (1, 2)]);
    while run.event.state() == EventState::Running {
        end_all(&mut run, false);
        assert!(run.tick());
    }
    assert_eq!(
        places(&run),
        [(1, 0), (2, 1), (3, 2), (3, 3), (5, 4), (5, 5)]
    );
}

#[test]
fn an_even_mini_match_goes_on_with_shorter_games_and_a_last_one() {
    let mut run = Run::with_players(Format::Knockout, 2, 4);
    assert!(run.tick());
    let mut shorter = Vec::new();
    for number in 1..=5 {
        assert!(run.tick());
        assert_eq!(run.pending(), [number]);
        shorter.push(
            run.event
                .game(number)
                .expect("a game")
                .time_control
                .is_some(),
        );
        end_all(&mut run, true);
    }
    assert_eq!(shorter, [false, false, true, true, true]);
    // A draw of the last game wins for its second side.
    let last = run.event.game(5).expect("a game").seats.second;
    assert!(run.tick());
    assert_eq!(run.event.state(), EventState::Finished);
    assert_eq!(places(&run), [(1, last), (2, 1 - last)]);
}

#[test]
fn a_player_who_leaves_a_knockout_loses_the_mini_match() {
    let mut run = Run::with_players(Format::Knockout, 2, 4);
    assert!(run.tick() && run.tick());
    run.input(&Input::Withdraw(&player(0))).expect("a player");
    let (reason, side) = run.event.skip_before_seating(1).expect("one has left");
    let skipped = Input::GameSkipped {
        game: 1,
        reason,
        side,
    };
    run.input(&skipped).expect("a game");
    assert!(run.tick());
    assert_eq!(run.event.state(), EventState::Finished);
    assert_eq!(places(&run), [(1, 1), (2, 0)]);
}

#[test]
fn the_host_of_a_simul_plays_all_with_the_sides_in_turn() {
    let mut run = Run::with_players(Format::Simul, 5, 4);
    assert!(run.tick() && run.tick());
    assert_eq!(run.round(1), [(0, 1), (2, 0), (0, 3), (4, 0)]);
    assert_eq!(run.event.due_ms(), None);
    end_all(&mut run, true);
    assert!(run.tick());
    assert_eq!(run.event.state(), EventState::Finished);
    assert_eq!(run.event.standings()[0].points.as_f64(), 2.0);
}

#[test]
fn a_simul_whose_host_or_all_others_left_before_the_pairing_has_no_games() {
    for left in [0..1, 1..3] {
        let mut run = Run::with_players(Format::Simul, 3, 4);
        assert!(run.tick());
        for number in left {
            run.input(&Input::Withdraw(&player(number)))
                .expect("a player");
        }
        assert!(run.tick());
        assert_eq!(run.event.state(), EventState::Finished);
        assert_eq!(run.event.games(), []);
    }
}

#[test]
fn a_knockout_whose_winners_have_all_left_has_no_further_round() {
    let mut run = Run::with_players(Format::Knockout, 4, 4);
    assert!(run.tick() && run.tick());
    end_all(&mut run, false);
    assert!(run.tick());
    end_all(&mut run, false);
    for number in [0, 1] {
        run.input(&Input::Withdraw(&player(number)))
            .expect("a player");
    }
    assert!(run.tick());
    assert_eq!(run.event.state(), EventState::Finished);
    assert_eq!(run.event.round(), 1);
}

#[test]
fn games_at_the_end_of_an_arena_count_until_the_grace_is_over() {
    let mut run = Run::with_players(ARENA, 4, 1);
    assert!(run.tick() && run.tick());
    let closes = run.event.closes_ms().expect("an arena");
    let late = Input::Resume(&player(0));
    assert_eq!(run.input(&late), Err(Refusal::NotPaused));
    run.now = closes;
    assert!(run.tick());
    assert_eq!(run.event.state(), EventState::Running);
    let join = Input::Join {
        player: &player(9),
        rating: 1500.0,
        group: None,
    };
    assert_eq!(run.input(&join), Err(Refusal::Begun));
    run.end(1, EventGameResult::First);
    // Both clocks with 40 increments each.
    assert_eq!(run.event.due_ms(), Some(closes + 520_000));
    assert!(run.tick());
    assert_eq!(run.event.state(), EventState::Finished);
    let points: u32 = run
        .event
        .standings()
        .iter()
        .map(|row| row.points.halves())
        .sum();
    assert_eq!(points, 4);
    // A result that comes later changes nothing, a moderator's correction does.
    run.end(2, EventGameResult::First);
    let correct = Input::Correct {
        game: 1,
        result: EventGameResult::CalledOff,
    };
    assert_eq!(run.input(&correct).map(|entries| entries.len()), Ok(1));
    assert!(
        run.event
            .standings()
            .iter()
            .all(|row| row.points == Points::ZERO)
    );
}

#[test]
fn an_arena_that_was_closed_after_its_last_game_ends_at_the_time_it_says() {
    let mut run = Run::with_players(ARENA, 2, 1);
    assert!(run.tick() && run.tick());
    end_all(&mut run, false);
    run.input(&Input::Withdraw(&player(0))).expect("a player");
    assert!(run.tick());
    let due = run.event.due_ms().expect("the end");
    let entries = run.event.decide(due, &Input::Tick, &mut |_| 0);
    assert_eq!(entries, Ok(vec![Entry::Finished]));
}

#[test]
fn two_alone_in_an_arena_meet_again_and_three_do_not() {
    for (players, again) in [(2, true), (3, false)] {
        let mut run = Run::with_players(ARENA, players, 1);
        assert!(run.tick() && run.tick());
        let first = run.event.games()[0].seats;
        end_all(&mut run, false);
        assert!(run.tick());
        let second = run.event.games()[1].seats;
        let pair = |seats: mawe_rules::BySide<u32>| {
            (seats.first.min(seats.second), seats.first.max(seats.second))
        };
        assert_eq!(pair(first) == pair(second), again);
        if again {
            assert_eq!(first.first, second.second, "the sides are balanced");
        }
    }
}

#[test]
fn a_player_who_does_not_come_is_paused_and_one_without_an_account_withdrawn() {
    let mut run = Run::with_players(Format::Swiss { rounds: 3 }, 6, 1);
    assert!(run.tick() && run.tick());
    let [one, two, three] = [1, 2, 3].map(|number| run.event.game(number).expect("a game").seats);
    let absent = Input::GameEnded {
        game: 1,
        result: EventGameResult::First,
        forfeit: true,
    };
    run.input(&absent).expect("a game");
    assert_eq!(
        run.event.player_state(one.second),
        Some(EventPlayerState::Paused)
    );
    let skipped = |game, reason, side| Input::GameSkipped { game, reason, side };
    run.input(&skipped(2, EventGameSkipped::Absent, Some(Side::First)))
        .expect("a game");
    assert_eq!(
        run.event.player_state(two.first),
        Some(EventPlayerState::Withdrawn)
    );
    run.input(&skipped(3, EventGameSkipped::Apart, None))
        .expect("a game");
    let points = |seat| {
        let rows = run.event.standings();
        rows.iter()
            .find(|row| row.seat == seat)
            .map(|row| row.points.as_f64())
    };
    assert_eq!([one.first, two.second].map(points), [Some(1.0); 2]);
    assert_eq!([three.first, three.second].map(points), [Some(0.5); 2]);
    // Paused and withdrawn players are not paired, and two players kept apart not with each other.
    assert!(run.tick());
    let paired: Vec<u32> = run.round(2).iter().flat_map(|(a, b)| [*a, *b]).collect();
    assert!(!paired.contains(&one.second) && !paired.contains(&two.first));
    assert!(!run.round(2).contains(&(three.first, three.second)));
    assert!(!run.round(2).contains(&(three.second, three.first)));
}

#[test]
fn an_event_that_waits_for_players_begins_with_the_last_or_is_cancelled() {
    for (players, state) in [(3, EventState::Running), (2, EventState::Cancelled)] {
        let mut terms = terms(Format::RoundRobin { cycles: 1 });
        terms.start = Start::Full {
            players: 3,
            until_ms: START,
        };
        let mut run = Run::new(terms, 1);
        for number in 0..players {
            let join = Input::Join {
                player: &player(number),
                rating: 1500.0,
                group: None,
            };
            run.input(&join).expect("a place");
        }
        assert_eq!(run.event.due_ms() < Some(START), players == 3);
        assert!(run.tick());
        assert_eq!(run.event.state(), state);
    }
}

#[test]
fn a_second_join_is_refused_and_a_player_who_had_left_has_the_old_seat() {
    let mut run = Run::with_players(ARENA, 3, 1);
    let id = player(1);
    let join = Input::Join {
        player: &id,
        rating: 1900.0,
        group: None,
    };
    assert_eq!(run.input(&join), Err(Refusal::AlreadyIn));
    run.input(&Input::Withdraw(&id)).expect("a player");
    assert_eq!(run.input(&Input::Withdraw(&id)), Err(Refusal::NotIn));
    assert_eq!(run.event.players(), 2);
    assert_eq!(run.input(&join), Ok(vec![Entry::Rejoined { seat: 1 }]));
    assert_eq!(run.event.entrants().len(), 3);
}

#[test]
fn players_whom_nothing_tells_apart_share_a_place() {
    let mut run = Run::with_players(Format::RoundRobin { cycles: 1 }, 3, 3);
    assert!(run.tick());
    for _ in 0..3 {
        assert!(run.tick());
        for number in run.pending() {
            let seats = run.event.game(number).expect("a game").seats;
            let wins = (seats.first + 1) % 3 == seats.second;
            run.end(
                number,
                if wins {
                    EventGameResult::First
                } else {
                    EventGameResult::Second
                },
            );
        }
    }
    let rows = run.event.standings();
    // A circle of wins: nothing tells them apart, and they share the first place.
    assert!(
        rows.iter()
            .all(|row| row.place == 1 && row.tie_breaks == [1.0, 1.0, 1.0])
    );
}
