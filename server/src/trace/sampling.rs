//! The draw at the head of a trace.

use std::str::FromStr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The number of parts of a share.
const PARTS: f64 = 4_294_967_296.0;

/// The share of heads that are drawn; 0 without a collector.
static SHARE: AtomicU64 = AtomicU64::new(0);

/// Whether this process sends spans.
static IS_EXPORTING: AtomicBool = AtomicBool::new(false);

/// The state of the generator of draws. It begins at a number that nobody outside knows.
static STATE: AtomicU64 = AtomicU64::new(0);

/// The share of requests and commands that are traced, in parts of 2^32.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Share(u64);

impl Share {
    /// No request and no command.
    pub(super) const NONE: Share = Share(0);
}

impl Default for Share {
    /// One in a hundred.
    fn default() -> Share {
        Share(42_949_673)
    }
}

impl FromStr for Share {
    type Err = String;

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the number is between 0 and 2^32"
    )]
    fn from_str(text: &str) -> Result<Share, String> {
        match text.parse::<f64>() {
            Ok(share) if (0.0..=1.0).contains(&share) => Ok(Share((share * PARTS).round() as u64)),
            _ => Err("give a number from 0 to 1, such as 0.01 for one in a hundred".to_owned()),
        }
    }
}

/// Begins to draw this share of the heads.
pub(super) fn begin(share: Share) -> Result<(), getrandom::Error> {
    STATE.store(getrandom::u64()?, Ordering::Relaxed);
    SHARE.store(share.0, Ordering::Relaxed);
    IS_EXPORTING.store(true, Ordering::Relaxed);
    Ok(())
}

/// Returns whether this process sends spans.
pub(super) fn is_exporting() -> bool {
    IS_EXPORTING.load(Ordering::Relaxed)
}

/// Draws for a head.
#[inline]
pub(super) fn is_drawn() -> bool {
    let share = SHARE.load(Ordering::Relaxed);
    share != 0 && next() >> 32 < share
}

/// Returns the next number of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014). Its state rises by
/// a constant, so that threads need no lock.
fn next() -> u64 {
    const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut z = STATE
        .fetch_add(GAMMA, Ordering::Relaxed)
        .wrapping_add(GAMMA);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_between_none_and_all() {
        for (text, share) in [("0", 0), ("0.5", 1 << 31), ("1", 1 << 32), ("1.0", 1 << 32)] {
            assert_eq!(text.parse(), Ok(Share(share)), "{text}");
        }
        assert_eq!("0.01".parse(), Ok(Share::default()));
        for text in ["", "-0.1", "1.01", "NaN", "inf", "1 %", "one"] {
            assert!(text.parse::<Share>().is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_fall_on_all_parts_alike() {
        let below_a_tenth = (0..10_000).filter(|_| next() >> 32 < (1 << 32) / 10);
        let count = below_a_tenth.count();
        assert!((800..1_200).contains(&count), "{count}");
    }
}
