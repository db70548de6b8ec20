//! The error model of weak players.
//!
//! A weak level is a search that overlooks moves, with a probability that grows with the length of
//! a move and its distance from the root. Near and simple moves are never overlooked, so a won
//! ending is won. The overlooked moves depend on the seed, the position and the move only: the same
//! player overlooks the same moves in the same position.

use std::hash::{Hash, Hasher};

/// The error parameters of one player.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sight {
    /// The seed that distinguishes players of the same strength.
    pub(crate) seed: u64,
    /// The chance in percent to overlook a move, for each 100 of difficulty beyond `sure`.
    pub(crate) blindness: u32,
    /// The difficulty up to which no move is overlooked.
    pub(crate) sure: u32,
    /// The greatest error of an evaluation, in hundredths either way.
    pub(crate) noise: i32,
}

/// The difficulty that each ply from the root adds.
const DIFFICULTY_PER_PLY: u32 = 8;

impl Sight {
    /// Whether no move is overlooked.
    pub(crate) fn sees_all(&self) -> bool {
        self.blindness == 0
    }

    /// Whether the player overlooks a move of the given visibility cost, `ply` plies from the root, in the
    /// position with this hash.
    pub(crate) fn overlooks(
        &self,
        hash: u64,
        m: &impl Hash,
        visibility_cost: u32,
        ply: u32,
    ) -> bool {
        let difficulty = visibility_cost.saturating_add(ply.saturating_mul(DIFFICULTY_PER_PLY));
        let chance = difficulty
            .saturating_sub(self.sure)
            .saturating_mul(self.blindness)
            / 100;
        let dice = mix(self.seed ^ mix(hash ^ hash_of(m))) % 100;
        dice < u64::from(chance.min(100))
    }

    /// The error of the evaluation of the position with this hash.
    pub(crate) fn error(&self, hash: u64) -> i32 {
        let span = i64::from(self.noise.max(0)) * 2 + 1;
        let dice = (mix(self.seed.wrapping_add(1) ^ mix(hash)) >> 32) as i64;
        // Less than twice the noise plus one, hence within an `i32`.
        (dice % span) as i32 - self.noise.max(0)
    }
}

/// A small table index for a move, evenly distributed; several moves may share it.
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

/// A fast hasher, the same on every machine, whose high bits are well mixed.
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

/// Mixes a number into all 64 bits (the finaliser of splitmix64). Everything that is drawn from a seed is drawn with it.
pub fn mix(mut z: u64) -> u64 {
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
        let missed = |visibility_cost, ply| {
            (0..1000)
                .filter(|h| WEAK.overlooks(*h, &'m', visibility_cost, ply))
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
