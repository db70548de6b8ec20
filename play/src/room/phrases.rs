//! Quick phrases between players: their rate limit, and muting the opponent.

use std::time::{Duration, Instant};

use mawe_rules::{BySide, Side};

/// The number of phrases that a side may send at once.
const AT_ONCE: u32 = 3;

/// The time after which a side may send one more phrase.
const ONE_EVERY: Duration = Duration::from_secs(4);

/// The phrases of one match.
#[derive(Debug, Default)]
pub struct Phrases {
    /// The time at which a side's full allowance of [`AT_ONCE`] phrases is restored.
    full_at: BySide<Option<Instant>>,
    muted: BySide<bool>,
}

impl Phrases {
    /// Whether the side may send a phrase now; if so, it is counted.
    pub fn may_say(&mut self, now: Instant, side: Side) -> bool {
        let full_at = self.full_at[side].map_or(now, |at| at.max(now)) + ONE_EVERY;
        if full_at > now + ONE_EVERY * AT_ONCE {
            return false;
        }
        self.full_at[side] = Some(full_at);
        true
    }

    /// Sets whether the side has muted the other.
    pub fn set_muted(&mut self, side: Side, muted: bool) {
        self.muted[side] = muted;
    }

    /// Whether a phrase of `from` is sent to the seat `to`; `None` for spectators.
    #[must_use]
    pub fn reaches(&self, from: Side, to: Option<Side>) -> bool {
        to.is_none_or(|to| to == from || !self.muted[to])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chatterbox_is_slowed_down() {
        let mut phrases = Phrases::default();
        let start = Instant::now();
        let said = (0..10)
            .filter(|_| phrases.may_say(start, Side::First))
            .count();
        assert_eq!(said, AT_ONCE as usize);
        assert!(
            phrases.may_say(start, Side::Second),
            "each has their own measure"
        );
        assert!(phrases.may_say(start + ONE_EVERY, Side::First));
        assert!(!phrases.may_say(start + ONE_EVERY, Side::First));
    }

    #[test]
    fn who_mutes_the_other_hears_only_themselves() {
        let mut phrases = Phrases::default();
        phrases.set_muted(Side::First, true);
        assert!(!phrases.reaches(Side::Second, Some(Side::First)));
        assert!(phrases.reaches(Side::First, Some(Side::First)));
        assert!(phrases.reaches(Side::First, Some(Side::Second)));
        assert!(phrases.reaches(Side::Second, None));
    }
}
