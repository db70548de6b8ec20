//! Moves and their text.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::str::FromStr;

use super::variant::Variant;
use crate::error::MoveParseError;

/// A move: a step, `31-4`, or a capture with every landing square, `1x10x21x30`. This notation is its text form.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct DraughtsMove<V: Variant> {
    from: u8,
    /// The landing squares, one for a step; the rest is 0. They come before the number of jumps: the order of two captures is that of their paths.
    landings: V::Landings,
    /// The number of captured pieces; 0 for a step.
    jumps: u8,
    variant: PhantomData<V>,
}

impl<V: Variant> DraughtsMove<V> {
    pub(super) fn step(from: u8, to: u8) -> Self {
        let mut landings = V::NO_LANDING;
        landings.as_mut()[0] = to;
        Self {
            from,
            jumps: 0,
            landings,
            variant: PhantomData,
        }
    }

    /// The beginning of a capture, without jumps.
    pub(super) const fn capture(from: u8) -> Self {
        Self {
            from,
            jumps: 0,
            landings: V::NO_LANDING,
            variant: PhantomData,
        }
    }

    /// Returns this capture with one more jump.
    pub(super) fn and_jump(mut self, to: u8) -> Self {
        self.landings.as_mut()[usize::from(self.jumps)] = to;
        self.jumps += 1;
        self
    }

    /// The number of the square of origin.
    pub const fn from(self) -> u8 {
        self.from
    }

    /// The number of the last square.
    pub fn to(self) -> u8 {
        self.landings.as_ref()[usize::from(self.jumps).saturating_sub(1)]
    }

    /// The number of captured pieces; 0 for a step.
    pub const fn jumps(self) -> u8 {
        self.jumps
    }

    /// Whether the move captures.
    pub const fn is_capture(self) -> bool {
        self.jumps > 0
    }

    /// The numbers of the squares on which the piece lands, in order: one for a step, one for each captured piece of a capture.
    pub fn landings(self) -> impl Iterator<Item = u8> {
        let count = usize::from(self.jumps.max(1));
        (0..count).map(move |place| self.landings.as_ref()[place])
    }
}

// One word, the same on every machine: the hash of an array begins with its length in the machine's own width.
impl<V: Variant> Hash for DraughtsMove<V> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let start = u64::from(self.from) << 6 | u64::from(self.jumps);
        let path = self.landings();
        state.write_u64(path.fold(start, |word, landing| word << 6 ^ u64::from(landing)));
    }
}

impl<V: Variant> fmt::Display for DraughtsMove<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_capture() { 'x' } else { '-' };
        write!(f, "{}", self.from)?;
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
        read(text).ok_or(MoveParseError)
    }
}

fn read<V: Variant>(text: &str) -> Option<DraughtsMove<V>> {
    let Some((from, landings)) = text.split_once('x') else {
        let (from, to) = text.split_once('-')?;
        return Some(DraughtsMove::step(square::<V>(from)?, square::<V>(to)?));
    };
    let mut m = DraughtsMove::<V>::capture(square::<V>(from)?);
    for landing in landings.split('x') {
        if usize::from(m.jumps) == m.landings.as_ref().len() {
            return None;
        }
        m = m.and_jump(square::<V>(landing)?);
    }
    Some(m)
}

/// A square's number, without leading zeros.
fn square<V: Variant>(text: &str) -> Option<u8> {
    match text.as_bytes() {
        [b'1'..=b'9'] | [b'1'..=b'9', b'0'..=b'9'] => {
            let number: u8 = text.parse().ok()?;
            (u32::from(number) <= 2 * V::ROW * V::ROW).then_some(number)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::variant::{Drafti, International};
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
}
