//! Boards and how their games ended, in a file that grows a chunk at a time.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, ErrorKind, Read, Write};
use std::path::Path;

use crate::reversi::board::Board;

/// A board and by how many discs the side to move won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// What lies where.
    pub board: Board,
    /// Own discs less the other side's at the end.
    pub margin: i8,
}

const BYTES: usize = 17;
/// No chunk is longer: what says so is no chunk.
const MAX_SAMPLES: u32 = 1 << 20;

/// A file of samples: chunks of so many games, each with its number of samples, so that a file cut
/// short loses a chunk at most.
pub struct Chunks {
    file: File,
    /// The games that the file holds.
    pub games: u64,
}

impl Chunks {
    /// Opens a file to go on with it, or a new one; what follows the last whole chunk is cut off.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)?;
        let (mut games, mut whole) = (0, 0);
        let mut reader = BufReader::new(&file);
        while let Some((count, samples)) = read_chunk(&mut reader)? {
            games += u64::from(count);
            whole += 8 + (samples.len() * BYTES) as u64;
        }
        file.set_len(whole)?;
        Ok(Self { file, games })
    }

    /// Appends the samples of so many games.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn append(&mut self, games: u32, samples: &[Sample]) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(8 + samples.len() * BYTES);
        bytes.extend(games.to_le_bytes());
        bytes.extend((samples.len() as u32).to_le_bytes());
        for sample in samples {
            bytes.extend(sample.board.own.to_le_bytes());
            bytes.extend(sample.board.other.to_le_bytes());
            bytes.extend(sample.margin.to_le_bytes());
        }
        self.file.write_all(&bytes)?;
        self.games += u64::from(games);
        Ok(())
    }

    /// All samples of a file.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn read(path: &Path) -> io::Result<Vec<Sample>> {
        let mut reader = BufReader::new(File::open(path)?);
        let mut all = Vec::new();
        while let Some((_, samples)) = read_chunk(&mut reader)? {
            all.extend(samples);
        }
        Ok(all)
    }
}

/// The next chunk, if a whole one is left.
fn read_chunk(reader: &mut impl Read) -> io::Result<Option<(u32, Vec<Sample>)>> {
    let mut head = [0; 8];
    if !fill(reader, &mut head)? {
        return Ok(None);
    }
    let number =
        |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
    let count = number(4);
    if count > MAX_SAMPLES {
        return Ok(None);
    }
    let mut bytes = vec![0; count as usize * BYTES];
    if !fill(reader, &mut bytes)? {
        return Ok(None);
    }
    let word = |bytes: &[u8]| {
        bytes
            .iter()
            .rev()
            .fold(0, |word, byte| word << 8 | u64::from(*byte))
    };
    let sample = |bytes: &[u8]| Sample {
        board: Board {
            own: word(&bytes[..8]),
            other: word(&bytes[8..16]),
        },
        margin: bytes[16] as i8,
    };
    Ok(Some((
        number(0),
        bytes.chunks_exact(BYTES).map(sample).collect(),
    )))
}

fn fill(reader: &mut impl Read, bytes: &mut [u8]) -> io::Result<bool> {
    match reader.read_exact(bytes) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}
