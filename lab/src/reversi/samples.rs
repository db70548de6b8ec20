//! Boards and the results of their games, in a file that grows chunk by chunk.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, ErrorKind, Read, Write};
use std::path::Path;

use mawe_ai::reversi::board::Board;

/// A board and the final margin of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The discs on the board.
    pub board: Board,
    /// Own discs less the other side's discs at the end of the game.
    pub margin: i8,
}

const BYTES: usize = 17;
/// The most samples of a chunk; a greater number means that the file is damaged.
const MAX_SAMPLES: u32 = 1 << 20;

/// A file of samples: chunks of several games, each with its number of samples, so that a truncated
/// file loses one chunk at most.
pub struct Chunks {
    file: File,
    /// The number of games in the file.
    pub games: u64,
}

impl Chunks {
    /// Opens a file to append to it, or creates it; removes everything after the last complete
    /// chunk.
    ///
    /// # Errors
    ///
    /// An error of the file system.
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

    /// Appends the samples of `games` games as a chunk.
    ///
    /// # Errors
    ///
    /// An error of the file system.
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
    /// An error of the file system.
    pub fn read(path: &Path) -> io::Result<Vec<Sample>> {
        let mut reader = BufReader::new(File::open(path)?);
        let mut all = Vec::new();
        while let Some((_, samples)) = read_chunk(&mut reader)? {
            all.extend(samples);
        }
        Ok(all)
    }
}

/// The next chunk; `None` if no complete one is left.
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
