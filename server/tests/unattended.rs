//! A match without clocks against a computer opponent, abandoned by its player.

use mawe_play::room::io::{Effects, Input, MatchSetup, Now};
use mawe_play::room::state::RoomState;
use mawe_rules::{BySide, GameKind, Side};
use mawe_wire::ids::MatchId;
use mawe_wire::{Command, MatchOptions, TimeControl};

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

fn unlimited(bots: BySide<Option<u8>>) -> MatchSetup {
    MatchSetup {
        id: MatchId::random(),
        game: GameKind::Mawe,
        setup: String::new(),
        rated: false,
        time_control: TimeControl::Unlimited,
        extra_ms: BySide::default(),
        options: MatchOptions::usual(false),
        one_player: false,
        created_ms: 0,
        bots,
    }
}

fn at(unix_ms: i64) -> Now {
    Now {
        mono: unix_ms.unsigned_abs(),
        unix_ms,
        up_since_ms: 0,
    }
}

fn play(state: &mut RoomState, side: Side, unix_ms: i64) -> Effects {
    let text = state.record().legal_moves()[0].clone();
    let input = Input::Command {
        side,
        client_id: format!("at-{unix_ms}").parse().expect("a client id"),
        seq: state.head(),
        command: Command::Move {
            ply: state.record().ply(),
            text,
        },
        lag_ms: 0,
    };
    let effects = state.handle(at(unix_ms), input);
    assert!(effects.append.is_some(), "it is legal: {effects:?}");
    state.handle(at(unix_ms), Input::Durable);
    effects
}

#[test]
fn it_is_called_off_two_weeks_after_the_last_move_and_not_before() {
    for moves in [0, 1, 2, 3] {
        let setup = unlimited(BySide::new(None, Some(3)));
        let mut state = RoomState::new(setup.clone(), 1).expect("a setup");
        state.handle(at(0), Input::Open);
        let mut last_ms = 0;
        for number in 0..moves {
            last_ms = 1_000 * (number + 1);
            let side = state.record().turn();
            let effects = play(&mut state, side, last_ms);
            let due_ms = effects.append.expect("a move").due_ms;
            // The computer's turn is checked soon; a person has two weeks.
            let wait_ms = match side {
                Side::First => 60_000,
                Side::Second => 14 * DAY_MS,
            };
            assert_eq!(due_ms, Some(last_ms + wait_ms));
        }
        let due_ms = last_ms + 14 * DAY_MS;
        let early = state.handle(at(due_ms - 1), Input::Tick);
        assert_eq!(early.append, None, "{moves} moves");
        let ending = state.handle(at(due_ms), Input::Tick);
        let finish = ending.append.and_then(|proposal| proposal.finish);
        let finish = finish.expect("it ends");
        assert_eq!((finish.winner, finish.uncounted), (None, false));
        assert_eq!(finish.reason, "no-show");
        state.handle(at(due_ms), Input::Durable);
        let journal = state.journal().to_vec();
        let replayed = RoomState::replay(setup, 1, journal).expect("its own journal");
        assert!(replayed.is_replay_of(&state));
        assert!(replayed.result().is_some());
    }
}

#[test]
fn one_of_two_people_waits_for_ever() {
    let mut state = RoomState::new(unlimited(BySide::default()), 1).expect("a setup");
    state.handle(at(0), Input::Open);
    play(&mut state, Side::First, 1_000);
    let much_later = state.handle(at(10_000 * DAY_MS), Input::Tick);
    assert_eq!(much_later, Effects::default());
}
