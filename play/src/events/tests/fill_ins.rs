//! Fill-ins: their number and their opponents.

use mawe_wire::events::{EventGameResult, EventGameSkipped, EventState};

use super::run::{Run, START, player, terms};
use crate::events::{
    BadTerms, Bye, Entry, Format, Input, MOST_FILL_INS, PairedGame, Points, Seat, Start, Terms,
};

const ARENA: Format = Format::Arena {
    duration_ms: 30 * 60_000,
    berserk: false,
};

const SWISS: Format = Format::Swiss { rounds: 5 };

fn filled(format: Format, fill_to: u32) -> Terms {
    Terms {
        fill_to: Some(fill_to),
        ..terms(format)
    }
}

/// The number of fill-ins with which an event of these people begins.
fn at_the_start(terms: Terms, people: u32) -> u32 {
    let mut run = Run::with_terms(terms, people, 1);
    run.now = START - 1;
    assert_eq!(
        run.event.wanted_fill_ins(run.now),
        0,
        "not before the start"
    );
    run.tick();
    run.event.players() - run.event.people()
}

#[test]
fn fill_ins_make_the_number_of_the_terms() {
    for (format, fill_to, people, expected) in [
        (ARENA, 6, 4, 2),
        (ARENA, 6, 1, 5),
        (ARENA, 6, 6, 0),
        (ARENA, 6, 9, 0),
        (ARENA, 100, 4, MOST_FILL_INS),
        (SWISS, 6, 4, 2),
        // The number is even, though more or fewer come for it.
        (SWISS, 6, 7, 1),
        (SWISS, 7, 4, 4),
        (SWISS, 100, 4, MOST_FILL_INS),
        (SWISS, 100, 5, MOST_FILL_INS - 1),
        // Nobody has come: the event is cancelled.
        (ARENA, 6, 0, 0),
        (SWISS, 6, 0, 0),
    ] {
        let came = at_the_start(filled(format, fill_to), people);
        assert_eq!(came, expected, "{format:?} {fill_to} {people}");
    }
    assert_eq!(at_the_start(terms(SWISS), 5), 0, "they are not asked for");
}

#[test]
fn an_event_that_waits_for_people_is_not_begun_by_fill_ins() {
    let start = Start::Full {
        players: 3,
        until_ms: START,
    };
    let waiting = Terms {
        start,
        ..filled(SWISS, 6)
    };
    let mut run = Run::with_terms(waiting.clone(), 2, 1);
    run.tick();
    assert_eq!(run.event.state(), EventState::Cancelled);
    let mut run = Run::with_terms(waiting.clone(), 3, 1);
    run.tick();
    assert_eq!(run.event.state(), EventState::Running);
    assert_eq!(run.event.players(), 6);
    // An odd number of people is no reason either.
    let start = Start::Full {
        players: 4,
        until_ms: START,
    };
    let mut run = Run::with_terms(Terms { start, ..waiting }, 3, 1);
    run.tick();
    assert_eq!(run.event.state(), EventState::Cancelled);
}

#[test]
fn only_an_arena_and_a_swiss_have_fill_ins() {
    for format in super::kinds::all_kinds() {
        let may = matches!(format, Format::Arena { .. } | Format::Swiss { .. });
        let expected = if may { Ok(()) } else { Err(BadTerms::FillIns) };
        assert_eq!(filled(format, 4).check(), expected, "{format:?}");
        for bad in [0, 1, format.most_players() + 1] {
            assert_eq!(filled(format, bad).check(), Err(BadTerms::FillIns));
        }
    }
}

#[test]
fn fill_ins_take_no_place_from_people() {
    let small = Terms {
        max_players: 4,
        ..filled(ARENA, 4)
    };
    let mut run = Run::with_terms(small, 2, 1);
    run.tick();
    assert_eq!(run.event.players(), 4);
    for number in 2..4 {
        let id = player(number);
        let late = Input::Join {
            player: &id,
            rating: 1_500.0,
            group: None,
        };
        run.input(&late).expect("a place");
    }
    assert_eq!(run.event.people(), 4);
}

#[test]
fn every_event_with_fill_ins_ends_and_two_of_them_never_meet() {
    for format in [ARENA, SWISS, Format::Swiss { rounds: 15 }] {
        for seed in 0..40 {
            let people = 1 + (seed as u32 * 5) % 12;
            let fill_to = 2 + (seed as u32 * 7) % 13;
            let mut run = Run::with_terms(filled(format, fill_to), people, seed);
            run.play(people + 3, if seed % 3 == 0 { 0 } else { 20 });
            assert!(matches!(
                run.event.state(),
                EventState::Finished | EventState::Cancelled
            ));
        }
    }
}

#[test]
fn in_a_swiss_nobody_has_a_bye_though_people_leave() {
    let mut run = Run::with_terms(filled(SWISS, 2), 8, 3);
    run.tick();
    assert_eq!(run.event.players(), 8);
    // After the second round one leaves, and after the third another one.
    for (round, paired) in (1..=5).zip([8, 8, 8, 6, 6]) {
        assert!(run.tick());
        assert_eq!(run.event.round(), round);
        assert_eq!(run.pending().len() * 2, paired, "round {round}");
        for game in run.pending() {
            run.end(game, EventGameResult::First);
        }
        if round == 2 || round == 3 {
            let left = run.input(&Input::Withdraw(&player(round)));
            left.expect("it is in the event");
        }
    }
    assert!(run.event.byes().is_empty());
    assert_eq!(run.event.players() - run.event.people(), 1);
}

#[test]
fn in_an_arena_a_person_waits_for_people_first() {
    let mut run = Run::with_terms(filled(ARENA, 5), 3, 1);
    run.tick();
    assert!(run.tick());
    // Of three people two are paired, and the third waits.
    assert_eq!(run.pending().len(), 1);
    let is_fill_in = |run: &Run, game: u32| {
        let seats = run.event.game(game).expect("a game").seats;
        seats.first > 2 || seats.second > 2
    };
    assert!(!is_fill_in(&run, 1));
    assert_eq!(run.event.due_ms(), Some(START + 10_000));
    assert!(run.tick());
    assert_eq!(run.pending().len(), 2);
    assert!(is_fill_in(&run, 2));
    // The other two have just met, and nobody else is free: with the third they might meet soon.
    run.end(1, EventGameResult::First);
    assert_eq!(run.event.due_ms(), Some(run.now + 10_000));
    run.end(2, EventGameResult::First);
    assert_eq!(run.event.due_ms(), Some(run.now + 2_000));
    assert!(run.tick());
    assert!(!is_fill_in(&run, 3));
}

#[test]
fn a_fill_in_that_does_not_come_is_paired_again() {
    let mut run = Run::with_terms(filled(ARENA, 2), 1, 1);
    run.tick();
    assert!(run.tick());
    let seats = run.event.game(1).expect("a game").seats;
    let result = if seats.first == 0 {
        EventGameResult::First
    } else {
        EventGameResult::Second
    };
    let ended = Input::GameEnded {
        game: 1,
        result,
        forfeit: true,
    };
    let entries = run.input(&ended).expect("a game");
    assert!(matches!(entries[..], [Entry::Ended { .. }]), "{entries:?}");
    assert!(run.tick());
    assert_eq!(run.pending(), [2]);
    let skipped = Input::GameSkipped {
        game: 2,
        reason: EventGameSkipped::Absent,
        side: Some(run.event.game(2).expect("a game").side_of(1)),
    };
    run.input(&skipped).expect("a game");
    assert_eq!(run.event.players(), 1, "one without an account leaves");
}

#[test]
fn in_a_swiss_a_fill_in_of_more_games_plays_where_another_one_cannot() {
    let mut run = Run::with_terms(filled(SWISS, 6), 4, 1);
    run.tick();
    let fill_in = |seat: Seat| run.event.entrants()[seat as usize].bot;
    assert!(fill_in(4) && fill_in(5) && run.event.players() == 6);
    // Of the people that stay, 0, 1 and 2, only 1 and 2 have not met. Fill-in 5 has met 0 alone, fill-in 4 both others.
    let rounds: [(&[[Seat; 2]], Option<Seat>); 3] = [
        (&[[0, 5], [1, 4], [2, 3]], None),
        (&[[0, 1], [2, 4]], Some(3)),
        (&[[0, 2], [1, 3]], None),
    ];
    for (round, (pairs, bye)) in (1..).zip(rounds) {
        let first = u32::try_from(run.event.games().len()).expect("few") + 1;
        let games = (first..)
            .zip(pairs)
            .map(|(number, [first, second])| PairedGame {
                number,
                first: *first,
                second: *second,
                time_control: None,
            });
        let byes = bye.map(|seat| Bye {
            seat,
            points: Points::ONE,
        });
        let paired = Entry::Paired {
            round,
            games: games.collect(),
            byes: byes.into_iter().collect(),
        };
        run.event.apply(run.now, &paired).expect("a round");
        run.journal.push((run.now, paired));
        for game in run.pending() {
            run.end(game, EventGameResult::Drawn);
        }
    }
    let left = run.input(&Input::Withdraw(&player(3)));
    left.expect("it is in the event");
    assert!(run.tick());
    let pairs = run.round(4);
    let meet =
        |one: Seat, other: Seat| pairs.contains(&(one, other)) || pairs.contains(&(other, one));
    assert!(meet(0, 4) && meet(1, 2), "{pairs:?}");
}
