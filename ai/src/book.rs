//! Opening books: good moves in the first positions of a game, so that games differ.
//!
//! The file is text that a person can read and edit. Its first line is `mawe-book 1 GAME`; each other line is a
//! position, as the moves that lead to it from the start of a rated game, then a colon and the good moves
//! there. `lab book` makes it.

use std::collections::HashMap;
use std::fmt;

use mawe_rules::{AnyMove, AnyPosition, AnySetup, GameKind};

use crate::sight::mix;

/// The first words of a file, before the game.
const MAGIC: &str = "mawe-book 1 ";

/// The good moves in the first positions of one game.
#[derive(Clone, Debug, Default)]
pub struct Book {
    /// The moves by the hash of the position.
    replies: HashMap<u64, Vec<AnyMove>>,
}

impl Book {
    /// Reads the file of a game.
    ///
    /// # Errors
    ///
    /// A [`BadBook`] with the first line that cannot be used.
    pub fn read(text: &str, kind: GameKind) -> Result<Self, BadBook> {
        let mut lines = text.lines();
        if lines.next().and_then(|line| line.strip_prefix(MAGIC)) != Some(kind.id()) {
            return Err(BadBook { line: 1 });
        }
        let start = AnyPosition::start(kind, &AnySetup::usual(kind)).expect("a usual game starts");
        let mut replies = HashMap::new();
        for (i, line) in lines.enumerate() {
            let (hash, moves) = entry(line, start.clone()).ok_or(BadBook { line: i + 2 })?;
            replies.insert(hash, moves);
        }
        Ok(Self { replies })
    }

    /// The first line of the file of a game.
    pub fn title(kind: GameKind) -> String {
        format!("{MAGIC}{kind}")
    }

    /// One of the good moves of a position, the same for the same seed; `None` if the position is not in the
    /// book.
    pub fn reply(&self, pos: &AnyPosition, seed: u64) -> Option<AnyMove> {
        let hash = pos.zobrist();
        let moves = self.replies.get(&hash)?;
        let pick = mix(seed ^ mix(hash)) % moves.len() as u64;
        moves.get(pick as usize).copied()
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.replies.len()
    }

    /// Whether the book has no positions.
    pub fn is_empty(&self) -> bool {
        self.replies.is_empty()
    }
}

/// The hash of the position of a line, and its moves; `None` if one of them is not legal.
fn entry(line: &str, mut pos: AnyPosition) -> Option<(u64, Vec<AnyMove>)> {
    let (played, good) = line.split_once(':')?;
    for text in played.split_whitespace() {
        pos.play(text).ok()?;
    }
    let legal = pos.legal_moves();
    let moves = good.split_whitespace().map(|text| {
        let m = pos.parse_move(text).ok()?;
        legal.contains(&m).then_some(m)
    });
    let moves: Vec<AnyMove> = moves.collect::<Option<_>>()?;
    (!moves.is_empty()).then_some((pos.zobrist(), moves))
}

/// The error of a file that is not a book of this game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadBook {
    /// The first line that cannot be used, counted from 1.
    pub line: usize,
}

impl fmt::Display for BadBook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} is no line of a book of this game", self.line)
    }
}

impl std::error::Error for BadBook {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_book_is_read_and_a_wrong_line_is_named() {
        let read = |text| Book::read(text, GameKind::Kalah);
        let book = read("mawe-book 1 kalah\n:3 1\n3:6\n3 6:1 2\n").expect("a book");
        assert_eq!(book.len(), 3);
        let start = AnyPosition::start(GameKind::Kalah, &AnySetup::usual(GameKind::Kalah));
        let mut pos = start.expect("a start");
        let picks: Vec<String> = (0..20)
            .filter_map(|seed| book.reply(&pos, seed))
            .map(|m| m.to_string())
            .collect();
        assert_eq!(picks.len(), 20);
        assert!(picks.iter().any(|m| m == "1") && picks.iter().any(|m| m == "3"));
        pos.play("1").expect("a legal move");
        assert_eq!(book.reply(&pos, 1), None, "the book has ended");
        for (text, line) in [
            ("", 1),
            ("mawe-book 1 oware\n", 1),
            ("mawe-book 2 kalah\n", 1),
            ("mawe-book 1 kalah\n:3\n7:1\n", 3),
            ("mawe-book 1 kalah\n3:\n", 2),
            ("mawe-book 1 kalah\n3\n", 2),
        ] {
            assert_eq!(read(text).err(), Some(BadBook { line }), "{text:?}");
        }
    }
}
