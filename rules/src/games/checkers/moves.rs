//! Moves and their text.

use std::fmt;
use std::str::FromStr;

use super::board::{Direction, Square};
use crate::error::MoveParseError;

/// The greatest number of jumps in a capture. A jump goes two rows and two columns, so a piece can
/// land on eight squares at most, between which lie nine squares to jump over, each once.
pub(super) const MAX_JUMPS: u32 = 9;

/// The positions of the parts of a move in its number.
const JUMPS_SHIFT: u32 = 6;
const PATH_SHIFT: u32 = 10;

/// A move: a step, `9-14`, or a capture with every landing square, `22x15x8`. This notation is its
/// text form.
///
/// One number holds the square of origin (6 bits), the number of jumps (4 bits, 0 is a step) and
/// the direction of the step or of each jump (2 bits each).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CheckersMove(u32);

impl CheckersMove {
    #[inline]
    pub(super) fn step(from: u32, direction: Direction) -> Self {
        Self(from | (direction.code() << PATH_SHIFT))
    }

    /// The beginning of a capture, without jumps.
    #[inline]
    pub(super) fn capture(from: u32) -> Self {
        Self(from)
    }

    /// Returns this capture with one more jump, up to [`MAX_JUMPS`].
    #[inline]
    pub(super) fn and_jump(self, direction: Direction) -> Self {
        let shift = PATH_SHIFT + 2 * self.jumps();
        Self((self.0 | (direction.code() << shift)) + (1 << JUMPS_SHIFT))
    }

    /// The square of origin.
    #[inline]
    pub const fn from(self) -> Square {
        Square::from_index((self.0 & 63) as u8)
    }

    /// The last square of the move.
    pub fn to(self) -> Square {
        self.landings().last().unwrap_or(self.from())
    }

    /// The number of captured pieces; 0 for a step.
    #[inline]
    pub const fn jumps(self) -> u32 {
        (self.0 >> JUMPS_SHIFT) & 15
    }

    /// Whether the move captures.
    #[inline]
    pub const fn is_capture(self) -> bool {
        self.jumps() > 0
    }

    /// The squares on which the piece lands, in order: one for a step, one for each jump of a
    /// capture.
    pub fn landings(self) -> impl Iterator<Item = Square> {
        let distance = if self.is_capture() { 2 } else { 1 };
        let mut at = self.from().index() as i8;
        self.directions().map(move |direction| {
            at += distance * direction.offset();
            Square::from_index(at as u8)
        })
    }

    /// The direction of the step, or of each jump.
    #[inline]
    pub(super) fn directions(self) -> impl Iterator<Item = Direction> {
        let path = self.0 >> PATH_SHIFT;
        (0..self.jumps().max(1)).map(move |i| Direction::from_code(path >> (2 * i)))
    }
}

impl fmt::Display for CheckersMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.from().fmt(f)?;
        let sign = if self.is_capture() { 'x' } else { '-' };
        self.landings()
            .try_for_each(|square| write!(f, "{sign}{square}"))
    }
}

impl fmt::Debug for CheckersMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for CheckersMove {
    type Err = MoveParseError;

    fn from_str(text: &str) -> Result<Self, MoveParseError> {
        Written::read(text)
            .and_then(|written| written.to_move())
            .ok_or(MoveParseError)
    }
}

/// Text in the form of a move, whether the board allows it or not: `1-32`, `5x6`.
pub(super) struct Written {
    pub(super) from: Square,
    pub(super) is_capture: bool,
    /// One square for a step; for a capture one or more, at most one more than [`MAX_JUMPS`].
    pub(super) landings: Vec<Square>,
}

impl Written {
    pub(super) fn read(text: &str) -> Option<Self> {
        let is_capture = text.contains('x');
        let mut squares = text.split(if is_capture { 'x' } else { '-' }).map(square);
        let from = squares.next()??;
        let landings: Vec<Square> = squares
            .take(MAX_JUMPS as usize + 1)
            .collect::<Option<_>>()?;
        // The list holds one landing more than the longest move has; a longer text fails the count
        // below.
        let squares = 1 + landings.len();
        let is_form = match is_capture {
            true => squares >= 2 && text.split('x').count() == squares,
            false => squares == 2 && text.split('-').count() == squares,
        };
        is_form.then_some(Self {
            from,
            is_capture,
            landings,
        })
    }

    /// The move, if each square lies one step or one jump from the last.
    fn to_move(&self) -> Option<CheckersMove> {
        let from = self.from.index() as u32;
        if !self.is_capture {
            let direction = direction_of_step(self.from, *self.landings.first()?)?;
            return Some(CheckersMove::step(from, direction));
        }
        if self.landings.len() > MAX_JUMPS as usize {
            return None;
        }
        let mut m = CheckersMove::capture(from);
        let mut at = self.from;
        for to in &self.landings {
            m = m.and_jump(direction_of_jump(at, *to)?);
            at = *to;
        }
        Some(m)
    }
}

/// A square's number, without leading zeros.
fn square(text: &str) -> Option<Square> {
    match text.as_bytes() {
        [b'1'..=b'9'] | [b'1'..=b'9', b'0'..=b'9'] => Square::new(text.parse().ok()?),
        _ => None,
    }
}

/// The direction in which `to` is one step away from `from`.
pub(super) fn direction_of_step(from: Square, to: Square) -> Option<Direction> {
    let steps_there = |direction: &Direction| from.step(*direction) == Some(to);
    Direction::ALL.into_iter().find(steps_there)
}

/// The direction in which `to` is two steps away from `from`.
pub(super) fn direction_of_jump(from: Square, to: Square) -> Option<Direction> {
    let jumps_there = |direction: &Direction| {
        let over = from.step(*direction);
        over.and_then(|over| over.step(*direction)) == Some(to)
    };
    Direction::ALL.into_iter().find(jumps_there)
}
