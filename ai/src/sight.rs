//! What a weak player does not see.
//!
//! A weak level is a search that overlooks moves: the longer a move and the further ahead it lies,
//! the more likely. What is near and plain is always seen, so a won end is won. Which moves are
//! overlooked follows from the seed, the position and the move alone: the same player in the same
//! position overlooks the same moves.

use std::hash::{Hash, Hasher};

/// The eyes of one player.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sight {
    /// Which of the many players of the same strength.
    pub(crate) seed: u64,
    /// The chance in percent to overlook a move, for each 100 of difficulty beyond `sure`.
    pub(crate) blindness: u32,
    /// The difficulty up to which everything is seen.
    pub(crate) sure: u32,
    /// How far a judgement may be off, in hundredths either way.
    pub(crate) noise: i32,
}

/// How much difficulty a ply of looking ahead adds.
const DIFFICULTY_PER_PLY: u32 = 8;

impl Sight {
    /// Whether no move is overlooked.
    pub(crate) fn sees_all(&self) -> bool {
        self.blindness == 0
    }

    /// Whether a move of the given effort, `ply` plies ahead in the position hashed `hash`, is not
    /// seen.
    pub(crate) fn overlooks(&self, hash: u64, m: &impl Hash, effort: u32, ply: u32) -> bool {
        let difficulty = effort.saturating_add(ply.saturating_mul(DIFFICULTY_PER_PLY));
        let chance = difficulty
            .saturating_sub(self.sure)
            .saturating_mul(self.blindness)
            / 100;
        let dice = mix(self.seed ^ mix(hash ^ hash_of(m))) % 100;
        dice < u64::from(chance.min(100))
    }

    /// The error in the judgement of the position hashed `hash`.
    pub(crate) fn error(&self, hash: u64) -> i32 {
        let span = i64::from(self.noise.max(0)) * 2 + 1;
        let dice = (mix(self.seed.wrapping_add(1) ^ mix(hash)) >> 32) as i64;
        // Within twice the noise, hence an i32.
        (dice % span) as i32 - self.noise.max(0)
    }
}

/// A small table index for a move, evenly spread; not a key, for moves may share it.
#[inline]
pub(crate) fn slot_of(m: &impl Hash, bits: u32) -> usize {
    (hash_of(m) >> (64 - bits)) as usize
}

#[inline]
fn hash_of(m: &impl Hash) -> u64 {
    let mut fold = Fold(0);
    m.hash(&mut fold);
    fold.finish()
}

/// A quick hasher whose high bits are the good ones, the same on every machine.
struct Fold(u64);

impl Hasher for Fold {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(6) ^ u64::from(*byte);
        }
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// Spreads a number over all 64 bits (the finaliser of splitmix64).
pub(crate) fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WEAK: Sight = Sight {
        seed: 1,
        blindness: 100,
        sure: 20,
        noise: 50,
    };

    #[test]
    fn the_near_is_always_seen_and_the_far_the_less_the_farther() {
        let missed = |effort, ply| {
            (0..1000)
                .filter(|h| WEAK.overlooks(*h, &'m', effort, ply))
                .count()
        };
        assert_eq!(missed(20, 0), 0);
        assert!((200..400).contains(&missed(50, 0)));
        assert!(missed(50, 3) > missed(50, 0));
        assert_eq!(missed(200, 0), 1000);
    }

    #[test]
    fn errors_stay_within_the_noise_and_differ() {
        let errors: Vec<i32> = (0..1000).map(|hash| WEAK.error(hash)).collect();
        assert!(errors.iter().all(|error| error.abs() <= 50));
        assert!(errors.iter().any(|error| *error > 40) && errors.iter().any(|error| *error < -40));
        let calm = Sight { noise: 0, ..WEAK };
        assert!((0..1000).all(|hash| calm.error(hash) == 0));
    }
}
