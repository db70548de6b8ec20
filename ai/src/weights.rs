//! Learned weights: numbers in a file that names its game and version, so that the engine never uses a
//! wrong file.
//!
//! The file is a line of text, `mawe-weights 1 GAME COUNT CRC`, and then COUNT numbers of 16 bits, the low
//! byte first. CRC is the CRC-32 of those bytes in eight hexadecimal digits.

use std::fmt;
use std::ops::Index;

use mawe_rules::GameKind;

/// The first word of a file, and the supported version.
const MAGIC: &str = "mawe-weights";
const VERSION: &str = "1";

/// The greatest length of the first line.
const MAX_HEADER: usize = 100;

/// The weights of the features of a position, in sixteenths of a hundredth of the game's unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights(Box<[i16]>);

impl Weights {
    /// The number of parts of a hundredth: the unit of a weight is a hundredth divided by it.
    pub const PARTS: i32 = 16;

    /// Makes weights of these numbers.
    pub fn new(weights: Vec<i16>) -> Self {
        Self(weights.into())
    }

    /// Reads a file of weights for this game, which must hold `count` weights.
    ///
    /// # Errors
    ///
    /// A [`BadWeights`] with the fault of the file.
    pub fn read(file: &[u8], kind: GameKind, count: usize) -> Result<Self, BadWeights> {
        let head = &file[..file.len().min(MAX_HEADER)];
        let end = head.iter().position(|byte| *byte == b'\n');
        let end = end.ok_or(BadWeights::NoWeights)?;
        let words = std::str::from_utf8(&head[..end]).map_err(|_| BadWeights::NoWeights)?;
        let words: Vec<&str> = words.split(' ').collect();
        let &[MAGIC, version, game, told, checksum] = words.as_slice() else {
            return Err(BadWeights::NoWeights);
        };
        if version != VERSION {
            return Err(BadWeights::Version);
        }
        if game != kind.id() {
            return Err(BadWeights::Game);
        }
        if told.parse() != Ok(count) {
            return Err(BadWeights::Count);
        }
        let bytes = &file[end + 1..];
        if bytes.len() != 2 * count {
            return Err(BadWeights::Length);
        }
        if format!("{:08x}", crc32fast::hash(bytes)) != checksum {
            return Err(BadWeights::Checksum);
        }
        let (pairs, _) = bytes.as_chunks();
        Ok(Self(
            pairs.iter().copied().map(i16::from_le_bytes).collect(),
        ))
    }

    /// The file with these weights.
    pub fn write(&self, kind: GameKind) -> Vec<u8> {
        let bytes: Vec<u8> = self
            .0
            .iter()
            .flat_map(|weight| weight.to_le_bytes())
            .collect();
        let (count, checksum) = (self.0.len(), crc32fast::hash(&bytes));
        let mut file = format!("{MAGIC} {VERSION} {kind} {count} {checksum:08x}\n").into_bytes();
        file.extend(bytes);
        file
    }
}

impl Index<usize> for Weights {
    type Output = i16;

    #[inline(always)]
    fn index(&self, feature: usize) -> &i16 {
        &self.0[feature]
    }
}

/// The reason why a file cannot be used as weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadWeights {
    /// The file does not hold weights.
    NoWeights,
    /// Another version of the format.
    Version,
    /// Weights of another game.
    Game,
    /// Weights of another evaluation of this game.
    Count,
    /// The file is too short or too long.
    Length,
    /// The numbers do not match the checksum.
    Checksum,
}

impl fmt::Display for BadWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BadWeights::NoWeights => "this is no file of weights",
            BadWeights::Version => "weights of another version of the program",
            BadWeights::Game => "weights of another game",
            BadWeights::Count => "weights of another evaluation of this game",
            BadWeights::Length => "the file was cut short, or has more than it says",
            BadWeights::Checksum => "the file is damaged: its checksum is wrong",
        })
    }
}

impl std::error::Error for BadWeights {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_and_nothing_else_is() {
        let weights = Weights::new(vec![0, 1, -1, i16::MAX, i16::MIN]);
        let file = weights.write(GameKind::Oware);
        let read = |file: &[u8]| Weights::read(file, GameKind::Oware, 5);
        assert_eq!(read(&file), Ok(weights));
        assert_eq!(
            Weights::read(&file, GameKind::Kalah, 5),
            Err(BadWeights::Game)
        );
        assert_eq!(
            Weights::read(&file, GameKind::Oware, 4),
            Err(BadWeights::Count)
        );
        for end in 0..file.len() {
            assert!(read(&file[..end]).is_err(), "cut after {end} bytes");
        }
        let mut longer = file.clone();
        longer.push(0);
        assert_eq!(read(&longer), Err(BadWeights::Length));
        for at in 0..file.len() {
            let mut damaged = file.clone();
            damaged[at] ^= 1;
            assert!(read(&damaged).is_err(), "byte {at} is another");
        }
        let next = String::from_utf8_lossy(&file).replacen(" 1 ", " 2 ", 1);
        assert_eq!(read(next.as_bytes()), Err(BadWeights::Version));
    }
}
