//! Nearly valid inputs: seeds, changed a little again and again.
//!
//! Without coverage as a guide, the results of the readers take its place: accepted inputs join the seeds, so that their variants get
//! further. The same seed number gives the same inputs.

/// The longest input, in bytes.
pub const MAX_BYTES: usize = 4096;
/// The number of accepted inputs kept beside the seeds; later ones replace earlier ones.
const MAX_KEPT: usize = 2_000;
/// The most changes to one input.
const MAX_CHANGES: usize = 6;
/// The longest piece that is removed or copied, in bytes.
const MAX_PIECE: usize = 40;

/// An endless sequence of inputs.
#[derive(Clone, Debug)]
pub struct Inputs {
    dice: Dice,
    /// The seeds, then the accepted inputs.
    pool: Vec<Vec<u8>>,
    seeds: usize,
    words: Vec<Vec<u8>>,
}

impl Inputs {
    /// Creates inputs from seeds, and from words that the readers know.
    ///
    /// # Panics
    ///
    /// Without any seed or any word.
    pub fn new(number: u64, seeds: Vec<Vec<u8>>, words: Vec<Vec<u8>>) -> Self {
        assert!(!seeds.is_empty() && !words.is_empty());
        Self {
            dice: Dice(number),
            seeds: seeds.len(),
            pool: seeds,
            words,
        }
    }

    /// Returns the next input.
    pub fn make(&mut self) -> Vec<u8> {
        // Half of them from the seeds themselves: accepted inputs drift far away in time.
        let from = match self.dice.below(2) {
            0 => &self.pool[..self.seeds],
            _ => &self.pool,
        };
        let mut input = self.dice.pick(from).clone();
        // Mostly one change: each further one halves the chance that the input is accepted.
        for _ in 0..=self.dice.below(2) * self.dice.below(MAX_CHANGES) {
            self.change(&mut input);
        }
        input.truncate(MAX_BYTES);
        input
    }

    /// Keeps an accepted input.
    pub fn keep(&mut self, input: Vec<u8>) {
        if self.pool.len() < self.seeds + MAX_KEPT {
            self.pool.push(input);
        } else {
            let place = self.seeds + self.dice.below(MAX_KEPT);
            self.pool[place] = input;
        }
    }

    fn change(&mut self, input: &mut Vec<u8>) {
        let dice = &mut self.dice;
        let at = dice.below(input.len() + 1);
        let piece = at..(at + dice.below(MAX_PIECE)).min(input.len());
        match dice.below(8) {
            0 => insert(input, at, &[dice.byte_like(&self.pool)]),
            1 => {
                let like = dice.byte_like(&self.pool);
                if let Some(byte) = input.get_mut(at) {
                    *byte = like;
                }
            }
            2 => {
                if let Some(byte) = input.get_mut(at) {
                    *byte ^= 1 << dice.below(8);
                }
            }
            3 => drop(input.drain(piece)),
            4 => {
                let copy = input[piece].to_vec();
                let to = dice.below(input.len() + 1);
                insert(input, to, &copy);
            }
            5 => insert(input, at, dice.pick(&self.words).as_slice()),
            6 => drop(input.splice(piece, dice.pick(&self.words).iter().copied())),
            _ => {
                // Append the end of another input.
                let other = dice.pick(&self.pool);
                let from = dice.below(other.len() + 1);
                input.truncate(at);
                input.extend_from_slice(&other[from..]);
            }
        }
    }
}

fn insert(input: &mut Vec<u8>, at: usize, piece: &[u8]) {
    input.splice(at..at, piece.iter().copied());
}

/// Parses a dictionary in the form of libFuzzer: one word a line in quotes, `\xAB`, `\"` and `\\` in them, `#` before a comment.
///
/// # Errors
///
/// The first line that has none of these forms.
pub fn words(dictionary: &str) -> Result<Vec<Vec<u8>>, String> {
    let lines = dictionary.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let word = |line: &str| word(line).ok_or_else(|| line.to_owned());
    lines.map(word).collect()
}

fn word(line: &str) -> Option<Vec<u8>> {
    let text = line.strip_prefix('"')?.strip_suffix('"')?;
    let mut bytes = text.bytes();
    let mut word = Vec::new();
    while let Some(byte) = bytes.next() {
        word.push(match byte {
            b'\\' => match bytes.next()? {
                b'x' => {
                    let digits = [bytes.next()?, bytes.next()?];
                    u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
                }
                escaped @ (b'"' | b'\\') => escaped,
                _ => return None,
            },
            byte => byte,
        });
    }
    Some(word)
}

/// A small reproducible generator (splitmix64).
#[derive(Clone, Debug)]
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number below `n`, which must not be 0.
    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// Returns a byte of one of these inputs; once in eight times any byte.
    fn byte_like(&mut self, pool: &[Vec<u8>]) -> u8 {
        match self.pick(pool) {
            known if known.is_empty() || self.below(8) == 0 => self.next() as u8,
            known => *self.pick(known),
        }
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_number_gives_the_same_inputs() {
        let make = |number| {
            let seeds = vec![b"11-15 23-19".to_vec(), b"".to_vec()];
            let mut inputs = Inputs::new(number, seeds, vec![b"x".to_vec()]);
            let mut made = Vec::new();
            for _ in 0..5_000 {
                let input = inputs.make();
                assert!(input.len() <= MAX_BYTES);
                inputs.keep(input.clone());
                made.push(input);
            }
            made
        };
        assert_eq!(make(1), make(1));
        assert_ne!(make(1), make(2));
    }

    #[test]
    fn a_dictionary_is_read_as_libfuzzer_reads_it() {
        let read = words("# moves\n\"9-14\"\n\n  \"\\\"\\\\\\x00\\xfF\"\n");
        assert_eq!(read, Ok(vec![b"9-14".to_vec(), b"\"\\\0\xff".to_vec()]));
        for bad in ["9-14", "\"", "\"\\", "\"\\xz0\"", "\"\\n\""] {
            assert_eq!(words(bad), Err(bad.to_owned()));
        }
    }
}
