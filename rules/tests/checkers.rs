//! Rules and refusals specific to American checkers.

use mawe_rules::games::checkers::CheckersPosition;
use mawe_rules::{AnyPosition, GameKind, Outcome, PlayError, Position, Reason, Record, Side};
use proptest::prelude::*;

/// The 32 squares in the order of their numbers: `b` `w` men, `B` `W` kings.
type Board = Vec<char>;

fn any_position() -> impl Strategy<Value = (Board, char)> {
    let square = prop_oneof![
        10 => Just(' '), 2 => Just('b'), 2 => Just('w'), 1 => Just('B'), 1 => Just('W')
    ];
    // White men around few black kings give long captures.
    let hunt = prop_oneof![6 => Just(' '), 8 => Just('w'), 1 => Just('B')];
    let board = prop_oneof![
        prop::collection::vec(square, 32),
        prop::collection::vec(hunt, 32)
    ];
    let crown = |(i, piece): (usize, char)| match piece {
        'b' if i >= 28 => 'B',
        'w' if i < 4 => 'W',
        piece => piece,
    };
    (
        board.prop_map(move |board| board.into_iter().enumerate().map(crown).collect()),
        prop_oneof![Just('B'), Just('W')],
    )
}

fn write(board: &Board, turn: char) -> String {
    let list = |man: char, king: char| {
        let pieces = board
            .iter()
            .enumerate()
            .filter_map(|(i, piece)| match *piece {
                piece if piece == man => Some(format!("{}", i + 1)),
                piece if piece == king => Some(format!("K{}", i + 1)),
                _ => None,
            });
        pieces.collect::<Vec<_>>().join(",")
    };
    format!("{turn}:W{}:B{}", list('w', 'W'), list('b', 'B'))
}

/// The board rotated by half a turn, with the colours exchanged.
fn reversed(board: &Board, turn: char) -> (Board, char) {
    let swap = |piece: &char| match piece {
        'b' => 'w',
        'w' => 'b',
        'B' => 'W',
        'W' => 'B',
        empty => *empty,
    };
    let board = board.iter().rev().map(swap).collect();
    (board, swap(&turn))
}

fn reversed_move(m: &str) -> String {
    let sign = if m.contains('x') { 'x' } else { '-' };
    let squares = m.split(sign).map(|number| {
        let number: u8 = number.parse().expect("a number");
        (33 - number).to_string()
    });
    squares.collect::<Vec<_>>().join(&sign.to_string())
}

/// A slow second implementation of the rules, independent of the library: rows and columns, paths
/// extended square by square. Returns each move with the board after it.
fn slow_moves(board: &Board, turn: char) -> Vec<(String, String)> {
    let mut steps = Vec::new();
    let mut captures = Vec::new();
    let other = if turn == 'B' { 'W' } else { 'B' };
    for from in 0..32 {
        if board[from].to_ascii_uppercase() != turn {
            continue;
        }
        let mut lifted = board.clone();
        lifted[from] = ' ';
        let man = board[from].is_lowercase();
        for (down, right) in directions(board[from]) {
            if let Some(to) = at(from, down, right).filter(|to| board[*to] == ' ') {
                let mut after = lifted.clone();
                after[to] = if man && far(turn, to) {
                    turn
                } else {
                    board[from]
                };
                steps.push((format!("{}-{}", from + 1, to + 1), write(&after, other)));
            }
        }
        let mut open = vec![(vec![from], Vec::new())];
        while let Some((path, jumped)) = open.pop() {
            let here = path[path.len() - 1];
            let mut on = Vec::new();
            if path.len() == 1 || !(man && far(turn, here)) {
                for (down, right) in directions(board[from]) {
                    let over = at(here, down, right);
                    let to = at(here, 2 * down, 2 * right);
                    if let (Some(over), Some(to)) = (over, to)
                        && board[over].to_ascii_uppercase() == other
                        && !jumped.contains(&over)
                        && lifted[to] == ' '
                    {
                        let path: Vec<usize> = path.iter().copied().chain([to]).collect();
                        let jumped: Vec<usize> = jumped.iter().copied().chain([over]).collect();
                        on.push((path, jumped));
                    }
                }
            }
            if on.is_empty() && path.len() > 1 {
                let mut after = lifted.clone();
                jumped.iter().for_each(|over| after[*over] = ' ');
                after[here] = if man && far(turn, here) {
                    turn
                } else {
                    board[from]
                };
                let squares: Vec<String> = path.iter().map(|at| (at + 1).to_string()).collect();
                captures.push((squares.join("x"), write(&after, other)));
            }
            open.append(&mut on);
        }
    }
    let mut moves = if captures.is_empty() { steps } else { captures };
    moves.sort_unstable();
    moves
}

fn directions(piece: char) -> Vec<(i32, i32)> {
    match piece {
        'b' => vec![(1, -1), (1, 1)],
        'w' => vec![(-1, -1), (-1, 1)],
        _ => vec![(1, -1), (1, 1), (-1, -1), (-1, 1)],
    }
}

fn far(turn: char, square: usize) -> bool {
    if turn == 'B' {
        square >= 28
    } else {
        square < 4
    }
}

/// The dark square that is `down` rows below and `right` columns to the right; `None` off the
/// board.
fn at(square: usize, down: i32, right: i32) -> Option<usize> {
    let row = square as i32 / 4;
    let column = 2 * (square as i32 % 4) + (row + 1) % 2;
    let (row, column) = (row + down, column + right);
    let on_board = (0..8).contains(&row) && (0..8).contains(&column);
    on_board.then(|| (4 * row + column / 2) as usize)
}

/// The observable properties of a position: each move with the position after it, and the outcome.
fn seen(text: &str) -> (Vec<(String, String)>, Option<Outcome>) {
    let pos: CheckersPosition = text.parse().expect("a position");
    let follow = |m: &<CheckersPosition as Position>::Move| {
        let mut after = pos.clone();
        after.play_unchecked(*m);
        let fresh: CheckersPosition = after.to_string().parse().expect("a position");
        assert_eq!(fresh.zobrist(), after.zobrist());
        (m.to_string(), after.to_string())
    };
    let mut moves: Vec<_> = pos.legal_moves().iter().map(follow).collect();
    assert_eq!(moves.len(), pos.count_legal());
    moves.sort_unstable();
    (moves, pos.outcome())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn every_board_plays_as_the_slow_rules_say((board, turn) in any_position()) {
        let (moves, outcome) = seen(&write(&board, turn));
        prop_assert_eq!(outcome.is_some(), moves.is_empty());
        prop_assert_eq!(moves, slow_moves(&board, turn));
    }

    #[test]
    fn the_colours_are_alike((board, turn) in any_position()) {
        let text = write(&board, turn);
        let (other_board, other_turn) = reversed(&board, turn);
        let other = write(&other_board, other_turn);
        let moves = |text: &str| seen(text).0.into_iter().map(|(m, _)| m).collect::<Vec<_>>();
        let mut expected: Vec<_> = moves(&text).iter().map(|m| reversed_move(m)).collect();
        expected.sort_unstable();
        prop_assert_eq!(moves(&other), expected);
        let winner = |text: &str| seen(text).1.map(|outcome| (outcome.reason, outcome.winner));
        let expected = winner(&text)
            .map(|(reason, winner)| (reason, winner.map(|side| side.other())));
        prop_assert_eq!(winner(&other), expected);
    }

    #[test]
    fn every_board_round_trips((board, turn) in any_position()) {
        let text = write(&board, turn);
        let pos: CheckersPosition = text.parse().expect("a position");
        prop_assert_eq!(pos.to_string(), text);
    }

    #[test]
    fn every_illegal_move_has_a_reason_and_no_legal_one((board, turn) in any_position()) {
        let pos: CheckersPosition = write(&board, turn).parse().expect("a position");
        for from in 1..=32 {
            for to in 1..=32 {
                for sign in ['-', 'x'] {
                    let text = format!("{from}{sign}{to}");
                    let legal = text.parse().is_ok_and(|m| pos.is_legal(m));
                    let reason = pos.explain_illegal(&text);
                    prop_assert_eq!(legal, reason == PlayError::NoSuchMove, "{} {}", text, reason);
                }
            }
        }
    }
}

#[test]
fn a_refusal_says_why() {
    let start = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";
    let branch = "B:W7,15,16,32:B2";
    let crown = "B:W26,27:B22";
    let circle = "B:W14,15,22,23,32:BK10";
    let cases = [
        (start, "13-17", PlayError::EmptySquare),
        (start, "21-17", PlayError::NotYourPiece),
        (start, "1-5", PlayError::Occupied),
        (start, "9-5", PlayError::MenMoveForward),
        (start, "9-10", PlayError::NotDiagonal),
        (start, "9-18", PlayError::NotDiagonal),
        (start, "9x18", PlayError::NothingToJump),
        (start, "5x14", PlayError::CannotJumpOwnPiece),
        (start, "9x14", PlayError::StepNotCapture),
        (start, "9x32", PlayError::NotDiagonal),
        (start, "9-9", PlayError::NotDiagonal),
        (start, "9-33", PlayError::MalformedMove),
        (start, "09-14", PlayError::MalformedMove),
        (start, "9:14", PlayError::MalformedMove),
        (start, "9-14-18", PlayError::MalformedMove),
        (start, "9", PlayError::MalformedMove),
        (branch, "2-6", PlayError::CaptureCompulsory),
        (branch, "2-11", PlayError::StepNotCapture),
        (branch, "2x11", PlayError::CaptureMustContinue),
        (branch, "2x11x20x27", PlayError::NothingToJump),
        (crown, "22x31x24", PlayError::CrowningEndsMove),
        (circle, "10x17x26x19x10x17", PlayError::JumpedTwice),
        ("B:W18,23:B14", "14x23", PlayError::Occupied),
        ("B:W10,32:B14", "14x7", PlayError::MenMoveForward),
        ("B:W10:B", "10-6", PlayError::GameOver),
    ];
    for (text, m, why) in cases {
        let pos: CheckersPosition = text.parse().expect("a position");
        assert_eq!(pos.explain_illegal(m), why, "{m} in {text}");
        assert!(m.parse().map_or(true, |m| !pos.is_legal(m)));
    }
}

#[test]
fn a_move_as_long_as_text_can_be_is_refused() {
    let pos: CheckersPosition = "B:W14,15,22,23,32:BK10".parse().expect("a position");
    let endless = "10x17x26x19x".repeat(10_000) + "10";
    assert_eq!(pos.explain_illegal(&endless), PlayError::MalformedMove);
    assert!(
        endless
            .parse::<<CheckersPosition as Position>::Move>()
            .is_err()
    );
}

#[test]
fn a_capture_of_nine_pieces_is_one_move() {
    // A king that jumps once through every gap between its eight squares.
    let pos: CheckersPosition = "B:W6,7,8,14,15,16,22,23,24:BK1"
        .parse()
        .expect("a position");
    let moves = pos.legal_moves();
    let longest = moves.iter().max_by_key(|m| m.jumps()).expect("a capture");
    assert_eq!(longest.jumps(), 9);
    assert_eq!(longest.to().number(), 28);
    assert_eq!(longest.to_string().parse(), Ok(*longest));
    let mut after = pos.clone();
    after.play(*longest).expect("a legal capture");
    assert_eq!(after.to_string(), "W:W:BK28");
    assert_eq!(longest.landings().count(), 9);
}

#[test]
fn a_win_on_the_last_quiet_ply_is_a_win() {
    let start = "B:W18,21,22,K27:BK29";
    let moves = "29-25 27-23 25-29 23-19 29-25 19-24 25-30 24-20 30-25 20-16 25-29 16-11 29-25 11-8 25-29 8-3 \
        29-25 3-7 25-29 7-10 29-25 10-14 25-30 14-17 30-25 17-13 25-29 13-17 29-25 17-14 25-30 14-9 30-25 9-13 \
        25-29 13-9 29-25 9-5 25-29 5-1 29-25 1-5 25-30 5-1 30-25 1-6 25-29 6-2 29-25 2-7 25-30 7-2 30-25 2-6 \
        25-29 6-10 29-25 10-15 25-30 15-11 30-25 11-8 25-29 8-12 29-25 12-16 25-29 16-20 29-25 20-24 25-29 24-27 \
        29-25 27-31 25-29 31-26 29-25 26-30 25-29";
    let start = AnyPosition::parse(GameKind::Checkers, start).expect("a position");
    let mut record = Record::from_position(start);
    for m in moves.split_whitespace() {
        record.play(m).expect("a legal move");
    }
    assert_eq!((record.ply(), record.outcome()), (79, None));
    let mut drawn = record.clone();
    drawn.play("30-26").expect("a legal move");
    assert_eq!(drawn.outcome(), Some(Outcome::draw(Reason::QuietLimit)));
    record.play("30-25").expect("a legal move");
    let outcome = record.outcome().expect("the end");
    assert_eq!(outcome.winner, Some(Side::Second));
    assert_eq!(outcome.reason, Reason::Blocked);
}
