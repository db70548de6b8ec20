//! Series: the sides, the score, the end, and players who leave.

use mawe_rules::Side;
use mawe_wire::events::{EventGameResult, EventGameSkipped, EventState};

use super::run::{Run, START, player, terms};
use crate::events::{BadTerms, Entry, Format, Input, Refusal, Start};

fn series(games: u32, best_of: bool, seed: u64) -> Run {
    let mut run = Run::with_players(Format::Series { games, best_of }, 2, seed);
    assert!(run.tick());
    run
}

/// Pairs the next game and ends it: `winner` is a seat, or nobody for a draw.
fn play(run: &mut Run, winner: Option<u32>) {
    assert!(run.tick());
    let [number] = run.pending()[..] else {
        panic!("one game at a time");
    };
    let seats = run.event.game(number).expect("a game").seats;
    let result = match winner {
        None => EventGameResult::Drawn,
        Some(seat) if seat == seats.first => EventGameResult::First,
        Some(_) => EventGameResult::Second,
    };
    run.end(number, result);
}

/// The place, the seat and the halves of points of each row.
fn table(run: &Run) -> Vec<(u32, u32, u32)> {
    let rows = run.event.standings();
    rows.iter()
        .map(|row| (row.place, row.seat, row.points.halves()))
        .collect()
}

fn is_finished(run: &Run) -> bool {
    run.event.state() == EventState::Finished
}

#[test]
fn the_first_sides_are_drawn_and_then_exchanged() {
    let mut firsts = std::collections::BTreeSet::new();
    for seed in 0..20 {
        let mut run = series(4, false, seed);
        for _ in 0..4 {
            let before = run.now;
            play(&mut run, None);
            assert_eq!(run.now, before, "the next game does not wait");
        }
        let seats: Vec<_> = (1..=4).flat_map(|round| run.round(round)).collect();
        assert_eq!(seats[0], (seats[1].1, seats[1].0));
        assert_eq!(seats[..2], seats[2..]);
        firsts.insert(seats[0].0);
        assert!(run.tick() && is_finished(&run));
        // A drawn series stays drawn.
        assert_eq!(table(&run), [(1, 0, 4), (1, 1, 4)]);
    }
    assert_eq!(firsts.len(), 2);
}

#[test]
fn a_best_of_n_ends_when_a_player_cannot_be_caught_and_other_series_do_not() {
    // The winners of the games, and the number of games of a best of five and of five games.
    let table = [
        (&[Some(0), Some(0), Some(0), Some(1), Some(1)][..], 3),
        (&[Some(0), Some(1), Some(0), Some(0), None], 4),
        // Two ahead with two games to play may still be caught.
        (&[Some(1), Some(1), None, None, Some(0)], 4),
        (&[None, None, None, None, None], 5),
    ];
    for (winners, games) in table {
        for (best_of, expected) in [(true, games), (false, 5)] {
            let mut run = series(5, best_of, 1);
            for winner in &winners[..expected] {
                play(&mut run, *winner);
            }
            assert!(run.tick());
            assert!(is_finished(&run), "{winners:?}, best of: {best_of}");
            assert_eq!(run.event.games().len(), expected);
        }
    }
}

#[test]
fn a_player_who_withdraws_loses_the_series_whatever_the_score() {
    let mut run = series(4, true, 1);
    play(&mut run, Some(0));
    assert!(run.tick());
    run.input(&Input::Withdraw(&player(0))).expect("a player");
    // The game is played to its end, and counts.
    assert_eq!(run.event.due_ms(), None);
    let seats = run.event.game(2).expect("a game").seats;
    let result = if seats.first == 0 {
        EventGameResult::First
    } else {
        EventGameResult::Second
    };
    run.end(2, result);
    assert!(run.tick() && is_finished(&run));
    assert_eq!(table(&run), [(1, 1, 0), (2, 0, 4)]);
}

#[test]
fn a_player_who_leaves_between_two_games_is_not_paired_again() {
    let mut run = series(4, false, 1);
    play(&mut run, None);
    run.input(&Input::Withdraw(&player(1))).expect("a player");
    assert!(run.tick() && is_finished(&run));
    assert_eq!(run.event.games().len(), 1);
    assert_eq!(table(&run), [(1, 0, 1), (2, 1, 1)]);
    let back = player(1);
    let join = Input::Join {
        player: &back,
        rating: 1500.0,
        group: None,
    };
    assert_eq!(run.input(&join), Err(Refusal::Over));
}

#[test]
fn a_game_without_a_player_is_lost_and_the_series_goes_on_only_if_the_player_can_come() {
    let mut run = series(3, false, 1);
    assert!(run.tick());
    let forfeit = Input::GameEnded {
        game: 1,
        result: EventGameResult::First,
        forfeit: true,
    };
    run.input(&forfeit).expect("a game");
    assert!(run.tick());
    assert_eq!(run.pending(), [2]);
    for reason in [EventGameSkipped::Busy, EventGameSkipped::Absent] {
        let mut run = series(3, false, 1);
        assert!(run.tick());
        let missing = run.event.game(1).expect("a game").seats.second;
        let skipped = Input::GameSkipped {
            game: 1,
            reason,
            side: Some(Side::Second),
        };
        run.input(&skipped).expect("a game");
        assert!(run.tick());
        assert!(is_finished(&run), "{reason}");
        assert_eq!(table(&run), [(1, 1 - missing, 2), (2, missing, 0)]);
    }
}

#[test]
fn games_that_nobody_is_to_blame_for_count_as_played_and_two_apart_end_the_series() {
    for best_of in [false, true] {
        let mut run = series(3, best_of, 1);
        for game in 1..=3 {
            assert!(run.tick());
            let skipped = Input::GameSkipped {
                game,
                reason: EventGameSkipped::Busy,
                side: None,
            };
            run.input(&skipped).expect("a game");
        }
        assert!(run.tick() && is_finished(&run));
        assert_eq!(table(&run), [(1, 0, 0), (1, 1, 0)]);
    }
    let mut run = series(20, false, 1);
    assert!(run.tick());
    let skipped = Input::GameSkipped {
        game: 1,
        reason: EventGameSkipped::Apart,
        side: None,
    };
    run.input(&skipped).expect("a game");
    assert!(run.tick() && is_finished(&run));
    assert_eq!(table(&run), [(1, 0, 1), (1, 1, 1)]);
}

#[test]
fn a_correction_changes_the_score_and_pairs_nothing_after_the_end() {
    let mut run = series(3, true, 1);
    play(&mut run, Some(0));
    play(&mut run, Some(0));
    assert!(run.tick() && is_finished(&run));
    assert_eq!(table(&run), [(1, 0, 4), (2, 1, 0)]);
    let seats = run.event.game(1).expect("a game").seats;
    let result = if seats.first == 1 {
        EventGameResult::First
    } else {
        EventGameResult::Second
    };
    let correct = Input::Correct { game: 1, result };
    let entries = run.input(&correct);
    assert_eq!(entries, Ok(vec![Entry::Corrected { game: 1, result }]));
    assert_eq!(table(&run), [(1, 0, 2), (1, 1, 2)]);
    assert_eq!(run.event.due_ms(), None);
    assert_eq!(run.input(&Input::Tick), Ok(Vec::new()));
}

#[test]
fn a_correction_before_the_end_opens_a_best_of_n_again() {
    let mut run = series(3, true, 1);
    play(&mut run, Some(0));
    play(&mut run, Some(0));
    let correct = Input::Correct {
        game: 2,
        result: EventGameResult::Drawn,
    };
    run.input(&correct).expect("a game");
    assert!(run.tick());
    assert_eq!(run.pending(), [3]);
}

#[test]
fn a_series_is_for_two_and_begins_when_both_have_come() {
    let format = Format::Series {
        games: 2,
        best_of: false,
    };
    let mut terms = terms(format);
    terms.start = Start::Full {
        players: 2,
        until_ms: START,
    };
    let mut run = Run::with_terms(terms.clone(), 2, 1);
    let late = player(2);
    let join = Input::Join {
        player: &late,
        rating: 1500.0,
        group: None,
    };
    assert_eq!(run.input(&join), Err(Refusal::Full));
    assert!(run.event.due_ms() <= Some(run.now));
    assert!(run.tick() && run.tick());
    assert_eq!(run.pending(), [1]);
    assert_eq!(run.input(&join), Err(Refusal::Begun));
    assert_eq!(
        run.input(&Input::Pause(&player(0))),
        Err(Refusal::NotAllowed)
    );
    terms.max_players = 3;
    assert_eq!(terms.check(), Err(BadTerms::Players));
    terms.max_players = 2;
    for games in [0, 21, u32::MAX] {
        terms.format = Format::Series {
            games,
            best_of: true,
        };
        assert_eq!(terms.check(), Err(BadTerms::Games));
    }
}
