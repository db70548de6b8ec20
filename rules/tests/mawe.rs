//! Rules and refusals specific to Mawe!

use mawe_rules::games::mawe::{Form, MawePosition, MaweSetup};
use mawe_rules::games::options::SetupOptions;
use mawe_rules::{BySide, Outcome, PlayError, Position, Reason, SetupError, Side};
use proptest::prelude::*;

/// The text of a board with any stones; most squares are empty, so that stones can move.
fn any_position() -> impl Strategy<Value = String> {
    let square =
        prop_oneof![5 => Just(' '), 2 => Just('W'), 2 => Just('B'), 1 => Just('w'), 1 => Just('b')];
    let board = prop::collection::vec(prop::collection::vec(square, 8), 8);
    (board, prop_oneof![Just('w'), Just('b')]).prop_map(|(board, turn)| write(&board, turn))
}

fn write(board: &[Vec<char>], turn: char) -> String {
    let ranks: Vec<String> = board.iter().map(|rank| write_rank(rank)).collect();
    format!("{} {turn}", ranks.join("/"))
}

fn write_rank(rank: &[char]) -> String {
    let runs = rank.chunk_by(|a, b| *a == ' ' && *b == ' ');
    runs.map(|run| match run {
        [' ', ..] => run.len().to_string(),
        stones => stones.iter().collect(),
    })
    .collect()
}

fn read(text: &str) -> (Vec<Vec<char>>, char) {
    let (board, turn) = text.split_once(' ').expect("a blank");
    let rank = |rank: &str| rank.chars().flat_map(squares).collect();
    (
        board.split('/').map(rank).collect(),
        turn.chars().next().expect("a side"),
    )
}

fn squares(symbol: char) -> Vec<char> {
    match symbol.to_digit(10) {
        Some(run) => vec![' '; run as usize],
        None => vec![symbol],
    }
}

/// The position with left and right exchanged.
fn mirrored(text: &str) -> String {
    let (mut board, turn) = read(text);
    board.iter_mut().for_each(|rank| rank.reverse());
    write(&board, turn)
}

fn mirrored_move(m: &str) -> String {
    let mirror = |c| {
        if ('a'..='h').contains(&c) {
            (b'a' + b'h' - c as u8) as char
        } else {
            c
        }
    };
    m.chars().map(mirror).collect()
}

fn recoloured(symbol: char) -> char {
    match symbol {
        'W' => 'B',
        'B' => 'W',
        'w' => 'b',
        'b' => 'w',
        empty => empty,
    }
}

/// The board turned upside down, with the colours exchanged.
fn reversed(text: &str) -> String {
    let (mut board, turn) = read(text);
    board.reverse();
    board
        .iter_mut()
        .flatten()
        .for_each(|symbol| *symbol = recoloured(*symbol));
    write(&board, recoloured(turn))
}

fn reversed_move(m: &str) -> String {
    let turn = |c| {
        if ('1'..='8').contains(&c) {
            (b'1' + b'8' - c as u8) as char
        } else {
            c
        }
    };
    m.chars().map(turn).collect()
}

fn exchanged(outcome: Outcome) -> Outcome {
    Outcome {
        winner: outcome.winner.map(|side| side.other()),
        score: outcome
            .score
            .map(|score| BySide::new(score.second, score.first)),
        ..outcome
    }
}

/// The observable properties of a position: each move with the position after it, and the outcome.
fn seen(text: &str) -> (Vec<(String, String)>, Option<Outcome>) {
    let pos: MawePosition = text.parse().expect("a position");
    let follow = |m: &<MawePosition as Position>::Move| {
        let mut after = pos.clone();
        after.play_unchecked(*m);
        (m.to_string(), after.to_string())
    };
    let mut moves: Vec<_> = pos.legal_moves().iter().map(follow).collect();
    moves.sort_unstable();
    (moves, pos.outcome())
}

proptest! {
    #[test]
    fn left_and_right_are_alike(text in any_position()) {
        let (moves, outcome) = seen(&text);
        let mut expected: Vec<_> =
            moves.iter().map(|(m, after)| (mirrored_move(m), mirrored(after))).collect();
        expected.sort_unstable();
        prop_assert_eq!(seen(&mirrored(&text)), (expected, outcome));
    }

    #[test]
    fn the_colours_are_alike(text in any_position()) {
        let (moves, outcome) = seen(&text);
        let mut expected: Vec<_> =
            moves.iter().map(|(m, after)| (reversed_move(m), reversed(after))).collect();
        expected.sort_unstable();
        prop_assert_eq!(seen(&reversed(&text)), (expected, outcome.map(exchanged)));
    }

    #[test]
    fn every_board_round_trips_and_counts_what_it_lists(text in any_position()) {
        let pos: MawePosition = text.parse().expect("a position");
        prop_assert_eq!(pos.to_string(), text);
        prop_assert_eq!(pos.count_legal(), pos.legal_moves().len());
    }

    #[test]
    fn every_illegal_move_has_a_reason_and_no_legal_one(text in any_position()) {
        // All 4032 pairs of squares, legal or not.
        let pos: MawePosition = text.parse().expect("a position");
        for from in 0..64 {
            for to in (0..64).filter(|to| *to != from) {
                let square = |i: u8| format!("{}{}", (b'a' + i % 8) as char, (b'1' + i / 8) as char);
                let m = square(from) + &square(to);
                let legal = pos.is_legal(m.parse().expect("two squares"));
                let reason = pos.explain_illegal(&m);
                let slide = pos.outcome().is_none() && reason == PlayError::Occupied;
                // For a legal slide the explanation is `Occupied`, because no stone stands before
                // the target.
                prop_assert!(!legal || slide || reason == PlayError::NoSuchMove, "{m} {reason}");
                prop_assert!(legal || reason != PlayError::NoSuchMove, "{m} has no reason");
            }
        }
    }
}

#[test]
fn a_refusal_says_why() {
    let start = "BBBBBBBB/8/8/8/8/8/8/WWWWWWWW w";
    let cases = [
        (start, "a8b7", PlayError::NotYourStone),
        (start, "a2b3", PlayError::EmptySquare),
        (start, "a1a2", PlayError::NotOnALine),
        (start, "a1b1", PlayError::SidewaysNeedsJump),
        (start, "a1h8", PlayError::Occupied),
        (start, "a1i9", PlayError::MalformedMove),
        (start, "a1a1", PlayError::MalformedMove),
        (start, "A1B2", PlayError::MalformedMove),
        ("8/8/8/8/3w4/2W5/8/8 w", "d4e5", PlayError::Pinned),
        (
            "8/8/8/8/3b4/2W5/8/8 w",
            "c3e5",
            PlayError::CannotJumpPinnedOpponent,
        ),
        (
            "8/8/8/8/3W4/2W5/8/8 w",
            "c3e5",
            PlayError::CannotJumpUnpinnedAlly,
        ),
        ("8/8/8/8/3b4/2W5/8/8 w", "c3d4", PlayError::Occupied),
        ("8/8/8/8/3b4/2W5/8/8 w", "c3f6", PlayError::Blocked),
        (
            "8/8/8/8/3B4/2W5/8/8 w",
            "c3f6",
            PlayError::JumpGoesNoFurther,
        ),
        ("8/8/8/4B3/3B4/2W5/8/8 w", "c3e5", PlayError::Occupied),
        ("8/8/8/4B3/3B4/2W5/8/8 w", "c3f6", PlayError::Blocked),
        ("8/8/8/8/2W5/8/8/8 w", "c4b3", PlayError::NotForward),
        ("8/8/8/8/2B5/8/8/8 b", "c4b5", PlayError::NotForward),
        ("8/8/8/8/2W5/8/8/8 w", "c4a4", PlayError::NothingToJump),
        (
            "8/8/8/8/1bW5/8/8/8 w",
            "c4a4",
            PlayError::CannotJumpPinnedOpponent,
        ),
        (
            "8/8/8/8/1WW5/8/8/8 w",
            "c4a4",
            PlayError::CannotJumpUnpinnedAlly,
        ),
        ("8/8/8/8/BBW5/8/8/8 w", "c4a4", PlayError::Occupied),
        ("8/8/8/8/8/8/8/w6b w", "a1b2", PlayError::GameOver),
    ];
    for (text, m, why) in cases {
        let pos: MawePosition = text.parse().expect("a position");
        assert_eq!(pos.explain_illegal(m), why, "{m} in {text}");
        assert!(m.parse().map_or(true, |m| !pos.is_legal(m)));
    }
}

#[test]
fn a_setup_names_the_form() {
    for (form, text, turn) in [
        (Form::Standard, "", "w"),
        (Form::Decisive, "form=decisive", "wd"),
    ] {
        let setup = MaweSetup::new(form);
        assert_eq!(setup.to_string(), text);
        assert_eq!(text.parse::<MaweSetup>(), Ok(setup));
        assert_eq!(setup.may_be_rated(), form == Form::Standard);
        let start = MawePosition::from_setup(&setup).expect("a start");
        assert_eq!(start.form(), form);
        assert!(start.to_string().ends_with(&format!(" {turn}")), "{start}");
    }
    assert_eq!("form=standard".parse(), Ok(MaweSetup::default()));
    for (text, error) in [
        ("form=kiswahili", SetupError::BadValue),
        ("form=decisive,form=decisive", SetupError::RepeatedOption),
        ("seeds=4", SetupError::UnknownOption),
    ] {
        assert_eq!(text.parse::<MaweSetup>(), Err(error), "{text}");
    }
}

#[test]
fn equal_points_are_a_win_of_the_side_that_moved_last_in_the_decisive_form() {
    let cases = [
        (
            "8/8/8/8/8/8/8/b7",
            'w',
            Some(Side::Second),
            Reason::LastMove,
        ),
        (
            "w7/8/8/8/8/8/8/W7",
            'b',
            Some(Side::First),
            Reason::LastMove,
        ),
        (
            "W7/8/8/8/8/8/8/B7",
            'w',
            Some(Side::Second),
            Reason::LastMove,
        ),
        // With unequal points the last move does not matter.
        ("W7/8/8/8/8/8/8/b7", 'w', Some(Side::First), Reason::NoMoves),
        ("8/8/8/8/8/8/8/B7", 'b', Some(Side::Second), Reason::NoMoves),
    ];
    for (board, turn, winner, reason) in cases {
        let pos: MawePosition = format!("{board} {turn}d").parse().expect("a position");
        let end = pos.outcome().map(|end| (end.winner, end.reason));
        assert_eq!(end, Some((winner, reason)), "{pos}");
    }
}

proptest! {
    #[test]
    fn the_decisive_form_differs_in_its_draws_alone(text in any_position()) {
        let standard: MawePosition = text.parse().expect("a position");
        let decisive: MawePosition = format!("{text}d").parse().expect("a position");
        prop_assert_eq!(decisive.to_string(), format!("{text}d"));
        prop_assert_ne!(decisive.zobrist(), standard.zobrist());
        prop_assert_eq!(decisive.legal_moves(), standard.legal_moves());
        let expected = standard.outcome().map(|end| match end.winner {
            Some(_) => end,
            None => Outcome { winner: Some(standard.turn().other()), reason: Reason::LastMove, ..end },
        });
        prop_assert_eq!(decisive.outcome(), expected);
        for m in decisive.legal_moves() {
            let mut after = decisive.clone();
            after.play_unchecked(m);
            // The hash of play is that of the position.
            prop_assert_eq!(after.zobrist(), after.to_string().parse::<MawePosition>().expect("a position").zobrist());
        }
    }
}
