//! Rules and refusals specific to Reversi.

use mawe_rules::games::reversi::ReversiPosition;
use mawe_rules::{AnyPosition, AnySetup, GameKind, Outcome, PlayError, Position, perft};
use proptest::prelude::*;

/// The board part of a position string, 8 rows of 8.
type Board = Vec<Vec<char>>;

fn any_position() -> impl Strategy<Value = String> {
    let square = prop_oneof![2 => Just('-'), 3 => Just('X'), 3 => Just('O')];
    let sparse = prop_oneof![6 => Just('-'), 2 => Just('X'), 2 => Just('O')];
    let board = prop_oneof![
        prop::collection::vec(square, 64),
        prop::collection::vec(sparse, 64)
    ];
    (board, prop_oneof![Just('X'), Just('O')])
        .prop_map(|(board, turn)| format!("{} {turn}", String::from_iter(board)))
}

fn read(text: &str) -> (Board, char) {
    let symbols: Vec<char> = text.chars().collect();
    let rows = symbols[..64].chunks(8).map(<[char]>::to_vec).collect();
    (rows, symbols[65])
}

fn write(board: &Board, turn: char) -> String {
    format!("{} {turn}", String::from_iter(board.iter().flatten()))
}

/// A square's image under one of the eight symmetries of the board: bit 0 exchanges left and right,
/// bit 1 top and bottom, bit 2 columns and rows.
fn image(symmetry: u8, column: usize, row: usize) -> (usize, usize) {
    let column = if symmetry & 1 == 0 {
        column
    } else {
        7 - column
    };
    let row = if symmetry & 2 == 0 { row } else { 7 - row };
    match symmetry & 4 {
        0 => (column, row),
        _ => (row, column),
    }
}

fn image_of_position(symmetry: u8, text: &str) -> String {
    let (board, turn) = read(text);
    let mut laid = board.clone();
    for (row, squares) in board.iter().enumerate() {
        for (column, disc) in squares.iter().enumerate() {
            let (to_column, to_row) = image(symmetry, column, row);
            laid[to_row][to_column] = *disc;
        }
    }
    write(&laid, turn)
}

fn image_of_move(symmetry: u8, m: &str) -> String {
    match m.as_bytes() {
        &[column, row] => {
            let (column, row) = image(symmetry, (column - b'a').into(), (row - b'1').into());
            square(column, row)
        }
        _ => m.to_owned(),
    }
}

fn square(column: usize, row: usize) -> String {
    format!("{}{}", char::from(b'a' + column as u8), row + 1)
}

fn exchanged(text: &str) -> String {
    let swap = |symbol| match symbol {
        'X' => 'O',
        'O' => 'X',
        other => other,
    };
    text.chars().map(swap).collect()
}

/// The observable properties of a position: each move with the position after it, and the outcome.
fn seen(text: &str) -> (Vec<(String, String)>, Option<Outcome>) {
    let pos: ReversiPosition = text.parse().expect("a position");
    let follow = |m: &<ReversiPosition as Position>::Move| {
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
    fn all_eight_sides_of_the_board_are_alike(text in any_position()) {
        let (moves, outcome) = seen(&text);
        for symmetry in 1..8 {
            let lay = |(m, after): &(String, String)| {
                (image_of_move(symmetry, m), image_of_position(symmetry, after))
            };
            let mut expected: Vec<_> = moves.iter().map(lay).collect();
            expected.sort_unstable();
            prop_assert_eq!(seen(&image_of_position(symmetry, &text)), (expected, outcome));
        }
    }

    #[test]
    fn the_colours_are_alike(text in any_position()) {
        let (moves, outcome) = seen(&text);
        let expected: Vec<_> =
            moves.into_iter().map(|(m, after)| (m, exchanged(&after))).collect();
        let (other_moves, other_outcome) = seen(&exchanged(&text));
        prop_assert_eq!(other_moves, expected);
        prop_assert_eq!(
            other_outcome.map(|outcome| outcome.winner),
            outcome.map(|outcome| outcome.winner.map(|side| side.other())),
        );
    }

    #[test]
    fn every_board_plays_as_the_slow_rules_say(text in any_position()) {
        let slow = Slow::read(&text);
        let (moves, outcome) = seen(&text);
        let mut expected: Vec<_> =
            slow.moves().iter().map(|m| (m.clone(), slow.play(m).text())).collect();
        expected.sort_unstable();
        prop_assert_eq!(outcome.is_some(), expected.is_empty());
        prop_assert_eq!(moves, expected);
    }

    #[test]
    fn every_illegal_move_has_a_reason_and_no_legal_one(text in any_position()) {
        let pos: ReversiPosition = text.parse().expect("a position");
        let squares = (0..64).map(|i| square(i % 8, i / 8));
        for m in squares.chain(["pass".to_owned()]) {
            let legal = pos.is_legal(m.parse().expect("a move"));
            let reason = pos.explain_illegal(&m);
            prop_assert_eq!(legal, reason == PlayError::NoSuchMove, "{} {}", m, reason);
        }
    }
}

/// A slow second implementation of the rules, independent of the library: a board of characters,
/// lines followed square by square.
#[derive(Clone)]
struct Slow {
    board: Board,
    turn: char,
}

impl Slow {
    fn read(text: &str) -> Self {
        let (board, turn) = read(text);
        Self { board, turn }
    }

    fn text(&self) -> String {
        write(&self.board, self.turn)
    }

    /// The squares turned over by a disc of `colour`; empty if it cannot be placed there.
    fn turned(&self, colour: char, column: usize, row: usize) -> Vec<(usize, usize)> {
        let mut turned = Vec::new();
        if self.board[row][column] != '-' {
            return turned;
        }
        for (right, down) in [
            (0, 1),
            (0, -1),
            (1, 0),
            (-1, 0),
            (1, 1),
            (1, -1),
            (-1, 1),
            (-1, -1_isize),
        ] {
            let mut line = Vec::new();
            let (mut c, mut r) = (column, row);
            loop {
                let next = (c.checked_add_signed(right), r.checked_add_signed(down));
                let (Some(next_c @ 0..8), Some(next_r @ 0..8)) = next else {
                    break;
                };
                (c, r) = (next_c, next_r);
                match self.board[r][c] {
                    '-' => break,
                    disc if disc == colour => {
                        turned.append(&mut line);
                        break;
                    }
                    _ => line.push((c, r)),
                }
            }
        }
        turned
    }

    fn squares(&self, colour: char) -> Vec<String> {
        let all = (0..64).map(|i| (i % 8, i / 8));
        all.filter(|(column, row)| !self.turned(colour, *column, *row).is_empty())
            .map(|(column, row)| square(column, row))
            .collect()
    }

    fn other(&self) -> char {
        if self.turn == 'X' { 'O' } else { 'X' }
    }

    fn moves(&self) -> Vec<String> {
        let own = self.squares(self.turn);
        if own.is_empty() && !self.squares(self.other()).is_empty() {
            return vec!["pass".to_owned()];
        }
        own
    }

    fn play(&self, m: &str) -> Self {
        let mut after = self.clone();
        if let &[column, row] = m.as_bytes() {
            let (column, row) = (usize::from(column - b'a'), usize::from(row - b'1'));
            for (c, r) in self.turned(self.turn, column, row) {
                after.board[r][c] = self.turn;
            }
            after.board[row][column] = self.turn;
        }
        after.turn = self.other();
        after
    }

    fn perft(&self, depth: u32) -> u64 {
        let moves = self.moves();
        match depth {
            0 => 1,
            1 => moves.len() as u64,
            _ => moves.iter().map(|m| self.play(m).perft(depth - 1)).sum(),
        }
    }
}

#[test]
fn the_slow_rules_count_the_same() {
    /// A depth that is greater by four takes minutes.
    const DEPTH: u32 = 7;
    let start = AnyPosition::start(GameKind::Reversi, &AnySetup::standard(GameKind::Reversi));
    let start = start.expect("a start").to_string();
    let pos: ReversiPosition = start.parse().expect("a position");
    let slow = Slow::read(&start).perft(DEPTH);
    assert_eq!(slow, perft::perft(&pos, DEPTH));
}

#[test]
fn a_refusal_says_why() {
    let start = "---------------------------OX------XO--------------------------- X";
    let must_pass = "OXX-XOOOXXXXXXX-XXOOXXXOXOOOOOOOXXXXXXOOXXXXXXXOXXXOXXOOXXXXXXXO X";
    let over = "-----------X------XXX------X------------------------------------ O";
    let cases = [
        (start, "a1", PlayError::FlipsNothing),
        (start, "c5", PlayError::FlipsNothing),
        (start, "d4", PlayError::Occupied),
        (start, "d5", PlayError::Occupied),
        (start, "pass", PlayError::CannotPass),
        (start, "PASS", PlayError::MalformedMove),
        (start, "D3", PlayError::MalformedMove),
        (start, "i1", PlayError::MalformedMove),
        (start, "d3 ", PlayError::MalformedMove),
        (must_pass, "d1", PlayError::MustPass),
        (must_pass, "a1", PlayError::Occupied),
        (over, "a1", PlayError::GameOver),
        (over, "pass", PlayError::GameOver),
    ];
    for (text, m, why) in cases {
        let pos: ReversiPosition = text.parse().expect("a position");
        assert_eq!(pos.explain_illegal(m), why, "{m} in {text}");
        assert!(m.parse().map_or(true, |m| !pos.is_legal(m)));
    }
}
