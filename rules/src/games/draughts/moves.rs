//! Moves and their text.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::str::FromStr;

use super::line::Line;
use super::path::Path;
use super::square::Square;
use super::variant::Variant;
use crate::error::MoveParseError;

/// A move: a step, `31-4`, or a capture with every landing square, `1x10x21x30`. This notation is its text form.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct DraughtsMove<V: Variant> {
    path: V::Landings,
    variant: PhantomData<V>,
}

impl<V: Variant> DraughtsMove<V> {
    /// A step from one square to another, which lies in a direction.
    #[inline(always)]
    pub(super) fn step(from: Square<V>, to: Square<V>, direction: usize) -> Self {
        let mut m = Self::capture(from);
        m.path = m.path.and_step(to.index(), direction);
        m
    }

    /// The beginning of a capture, without jumps.
    #[inline(always)]
    pub(super) fn capture(from: Square<V>) -> Self {
        Self {
            path: V::Landings::begin(from.index()),
            variant: PhantomData,
        }
    }

    /// Returns this capture with one more jump, to a square that lies in a direction.
    #[inline(always)]
    pub(super) fn and_jump(mut self, to: Square<V>, direction: usize) -> Self {
        self.path = self.path.and_jump(to.index(), direction);
        self
    }

    /// The square of origin.
    #[inline(always)]
    pub fn from(self) -> Square<V> {
        Square::from_index(self.path.origin())
    }

    /// The last square of the move.
    #[inline]
    pub fn to(self) -> Square<V> {
        self.landings().last().unwrap_or(self.from())
    }

    /// The number of captured pieces; 0 for a step.
    #[inline(always)]
    pub fn jumps(self) -> u32 {
        self.path.jumps()
    }

    /// Whether the move captures.
    #[inline(always)]
    pub fn is_capture(self) -> bool {
        self.jumps() > 0
    }

    /// The squares on which the piece lands, in order: one for a step, one for each captured piece of a capture.
    #[inline]
    pub fn landings(self) -> impl Iterator<Item = Square<V>> {
        let mut at = self.path.origin();
        (0..self.jumps().max(1)).map(move |place| {
            at = self.path.landing(at, place);
            Square::from_index(at)
        })
    }
}

impl<V: Variant> Hash for DraughtsMove<V> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.path.write(state);
    }
}

impl<V: Variant> fmt::Display for DraughtsMove<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_capture() { 'x' } else { '-' };
        self.from().fmt(f)?;
        self.landings()
            .try_for_each(|square| write!(f, "{sign}{square}"))
    }
}

impl<V: Variant> fmt::Debug for DraughtsMove<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<V: Variant> FromStr for DraughtsMove<V> {
    type Err = MoveParseError;

    fn from_str(text: &str) -> Result<Self, MoveParseError> {
        Written::read(text)
            .and_then(|written| written.to_move())
            .ok_or(MoveParseError)
    }
}

/// Text in the form of a move, whether the board allows it or not: `1-32`, `5x6`.
pub(super) struct Written<'a, V> {
    pub(super) from: Square<V>,
    pub(super) is_capture: bool,
    /// The landing squares with the signs between them: one for a step; for a capture one or more, at most as many as a move has.
    landings: &'a str,
}

impl<'a, V: Variant> Written<'a, V> {
    pub(super) fn read(text: &'a str) -> Option<Self> {
        let (is_capture, (from, landings)) = match text.split_once('x') {
            Some(parts) => (true, parts),
            None => (false, text.split_once('-')?),
        };
        let most = if is_capture {
            V::Landings::MOST_JUMPS
        } else {
            1
        };
        let mut count = 0;
        for landing in landings.split(sign(is_capture)) {
            count += 1;
            if count > most {
                return None;
            }
            square::<V>(landing)?;
        }
        Some(Self {
            from: square(from)?,
            is_capture,
            landings,
        })
    }

    /// The landing squares, in order.
    pub(super) fn landings(&self) -> impl Iterator<Item = Square<V>> {
        self.landings
            .split(sign(self.is_capture))
            .filter_map(square)
    }

    /// The move. Where kings do not fly, each square must lie one step or one jump from the last.
    fn to_move(&self) -> Option<DraughtsMove<V>> {
        let mut at = self.from;
        let mut m = DraughtsMove::capture(at);
        for to in self.landings() {
            let direction = match Line::of::<V>(at.bit(), to.bit()) {
                Some(line) if line.length() == 1 + u32::from(self.is_capture) => line.direction,
                Some(_) | None if V::KINGS_FLY => 0,
                Some(_) | None => return None,
            };
            m = match self.is_capture {
                true => m.and_jump(to, direction),
                false => DraughtsMove::step(at, to, direction),
            };
            at = to;
        }
        Some(m)
    }
}

const fn sign(is_capture: bool) -> char {
    if is_capture { 'x' } else { '-' }
}

/// A square's number, without leading zeros.
fn square<V: Variant>(text: &str) -> Option<Square<V>> {
    match text.as_bytes() {
        [b'1'..=b'9'] | [b'1'..=b'9', b'0'..=b'9'] => Square::new(text.parse().ok()?),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::variant::{American, Drafti, International};
    use super::*;

    #[test]
    fn text_is_a_move_or_an_error() {
        for text in ["31-4", "1x10x21x30", "50-45", "5x5"] {
            let m: DraughtsMove<International> = text.parse().expect(text);
            assert_eq!(m.to_string(), text);
        }
        let long = format!("1{}", "x2".repeat(32));
        assert!(long.parse::<DraughtsMove<International>>().is_ok());
        for text in [
            "",
            "1",
            "1-",
            "-1",
            "1-2-3",
            "1x",
            "x1",
            "01-2",
            "1-02",
            "51-46",
            "0-5",
            "1x2-3",
            "a-b",
            "1:2",
            &format!("{long}x2"),
        ] {
            assert!(
                text.parse::<DraughtsMove<International>>().is_err(),
                "{text}"
            );
        }
        let longest = format!("1{}", "x2".repeat(18));
        assert!(longest.parse::<DraughtsMove<Drafti>>().is_ok());
        assert!(
            format!("{longest}x2")
                .parse::<DraughtsMove<Drafti>>()
                .is_err()
        );
        assert!("33-29".parse::<DraughtsMove<Drafti>>().is_err());
    }

    #[test]
    fn a_move_of_short_kings_is_of_steps_and_jumps() {
        for text in ["9-14", "14-9", "22x15x8", "1x10x1x10x1x10x1x10x1x10"] {
            let m: DraughtsMove<American> = text.parse().expect(text);
            assert_eq!(m.to_string(), text);
        }
        for text in ["9-18", "9x14", "1x19", "5-5", "1x10x1x10x1x10x1x10x1x10x1"] {
            assert!(text.parse::<DraughtsMove<American>>().is_err(), "{text}");
        }
    }
}
