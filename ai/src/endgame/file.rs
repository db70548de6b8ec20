//! The file format of a slice: a header and the values, with a checksum over both.
//!
//! Bytes 0-7 are the magic, 8-9 the version, 10-11 zero, 12-19 the game's name padded with zeros, 20-23
//! the parts of the slice, 24-31 the number of values, 32-35 the CRC-32 of the rest of the header and
//! the values, 36-39 zero. Numbers are little endian.

use std::fmt;

use super::slice::Slice;

const MAGIC: [u8; 8] = *b"MaweEnd\n";
/// Raised when the format, an index, a value's meaning or a rule of a game changes.
const VERSION: u16 = 1;

/// The length of the header.
pub const HEADER_BYTES: usize = 40;
/// The offsets of the checksum.
const CHECKSUM: std::ops::Range<usize> = 32..36;

/// The reason why a file is not the expected slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadFile {
    /// The file is not a slice.
    NotASlice,
    /// A slice in this other version of the format.
    OtherVersion(u16),
    /// A slice of another game, or another slice of this game.
    OtherSlice,
    /// The file has the wrong length.
    Length {
        /// The actual number of bytes.
        is: usize,
        /// The expected number of bytes.
        should_be: usize,
    },
    /// The values do not match the checksum.
    Checksum,
}

impl fmt::Display for BadFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadFile::NotASlice => f.write_str("it is no slice of an endgame database"),
            BadFile::OtherVersion(version) => {
                write!(f, "it is of version {version}, not of version {VERSION}")
            }
            BadFile::OtherSlice => f.write_str("it is of another game or another slice"),
            BadFile::Length { is, should_be } => {
                write!(f, "it has {is} bytes, not {should_be}")
            }
            BadFile::Checksum => f.write_str("its checksum is wrong"),
        }
    }
}

impl std::error::Error for BadFile {}

/// The header of the file of a slice.
pub fn header(slice: Slice, data: &[u8]) -> [u8; HEADER_BYTES] {
    let mut header = [0; HEADER_BYTES];
    header[..8].copy_from_slice(&MAGIC);
    header[8..10].copy_from_slice(&VERSION.to_le_bytes());
    let name = slice.kind.id().as_bytes();
    header[12..12 + name.len()].copy_from_slice(name);
    header[20..24].copy_from_slice(&slice.parts);
    header[24..32].copy_from_slice(&(data.len() as u64).to_le_bytes());
    let checksum = checksum(&header, data);
    header[CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
    header
}

/// Returns the values of a slice from the bytes of its file.
///
/// # Errors
///
/// [`BadFile`] if the file is not that slice, complete and unchanged.
pub fn decode(slice: Slice, length: usize, mut bytes: Vec<u8>) -> Result<Vec<u8>, BadFile> {
    if bytes.len() < HEADER_BYTES || bytes[..8] != MAGIC {
        return Err(BadFile::NotASlice);
    }
    let version = u16::from_le_bytes([bytes[8], bytes[9]]);
    if version != VERSION {
        return Err(BadFile::OtherVersion(version));
    }
    let values = bytes.split_off(HEADER_BYTES);
    let wanted = header(slice, &values);
    let identity = 10..24;
    if bytes[identity.clone()] != wanted[identity] {
        return Err(BadFile::OtherSlice);
    }
    if values.len() != length {
        return Err(BadFile::Length {
            is: HEADER_BYTES + values.len(),
            should_be: HEADER_BYTES + length,
        });
    }
    match bytes == wanted {
        true => Ok(values),
        false => Err(BadFile::Checksum),
    }
}

/// The checksum of a header whose checksum is zero, and the values.
fn checksum(header: &[u8; HEADER_BYTES], data: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(header);
    hasher.update(data);
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use mawe_rules::GameKind;

    use super::*;

    fn file(slice: Slice, data: &[u8]) -> Vec<u8> {
        [&header(slice, data)[..], data].concat()
    }

    #[test]
    fn what_is_written_is_read_and_nothing_else() {
        let slice = Slice::seeds(GameKind::Oware, 3);
        let data: Vec<u8> = (0..100).collect();
        let whole = file(slice, &data);
        assert_eq!(decode(slice, 100, whole.clone()), Ok(data.clone()));

        for cut in [0, 7, HEADER_BYTES - 1] {
            let refused = decode(slice, 100, whole[..cut].to_vec());
            assert_eq!(refused, Err(BadFile::NotASlice), "{cut}");
        }
        for cut in [HEADER_BYTES, whole.len() - 1] {
            let refused = decode(slice, 100, whole[..cut].to_vec());
            let should_be = whole.len();
            assert_eq!(refused, Err(BadFile::Length { is: cut, should_be }));
        }
        let others = [
            file(Slice::seeds(GameKind::Kalah, 3), &data),
            file(Slice::seeds(GameKind::Oware, 4), &data),
        ];
        for other in others {
            assert_eq!(decode(slice, 100, other), Err(BadFile::OtherSlice));
        }
        let mut other = whole.clone();
        other[8] += 1;
        let refused = decode(slice, 100, other);
        assert_eq!(refused, Err(BadFile::OtherVersion(VERSION + 1)));
    }

    #[test]
    fn no_byte_can_change_unnoticed() {
        let slice = Slice::seeds(GameKind::Checkers, 3);
        let data: Vec<u8> = (0..50).collect();
        let whole = file(slice, &data);
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 0x10;
            assert!(decode(slice, 50, changed).is_err(), "{at}");
        }
    }
}
