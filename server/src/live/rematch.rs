//! The rematch of a finished match: an offer, which stands for some time, or the match that it became.

use std::time::{Duration, Instant};

use mawe_rules::Side;
use mawe_wire::RematchView;
use mawe_wire::ids::MatchId;

/// The rematch, as a room keeps it.
#[derive(Debug, Default)]
pub(super) struct Rematch {
    offer: Option<Offer>,
    next: Option<MatchId>,
}

#[derive(Debug, Clone, Copy)]
struct Offer {
    by: Side,
    ends_at: Instant,
}

impl Rematch {
    /// Returns the rematch of a match that has become `next`, or of one without a rematch.
    pub(super) fn new(next: Option<MatchId>) -> Self {
        Self { offer: None, next }
    }

    /// Returns whether the rematch has become a match.
    pub(super) fn is_made(&self) -> bool {
        self.next.is_some()
    }

    /// Returns whether a side's offer stands.
    pub(super) fn is_offered_by(&self, side: Side, now: Instant) -> bool {
        self.offer
            .is_some_and(|offer| offer.by == side && now < offer.ends_at)
    }

    /// Takes up a side's offer. A repeated offer does not last longer than the first.
    pub(super) fn offer(&mut self, by: Side, now: Instant, lasting: Duration) {
        if !self.is_offered_by(by, now) {
            let ends_at = now + lasting;
            self.offer = Some(Offer { by, ends_at });
        }
    }

    /// Notes the match that the rematch has become.
    pub(super) fn become_match(&mut self, next: MatchId) {
        *self = Self::new(Some(next));
    }

    /// Returns the end of the offer that stands.
    pub(super) fn due(&self) -> Option<Instant> {
        self.offer.map(|offer| offer.ends_at)
    }

    /// Drops an expired offer; returns whether there was one.
    pub(super) fn lapse(&mut self, now: Instant) -> bool {
        self.offer.take_if(|offer| offer.ends_at <= now).is_some()
    }

    /// Returns the rematch as clients receive it.
    pub(super) fn view(&self, now: Instant) -> RematchView {
        let left = |offer: Offer| offer.ends_at.saturating_duration_since(now);
        RematchView {
            offered_by: self.offer.map(|offer| offer.by),
            offer_ms: self
                .offer
                .map(|offer| u64::try_from(left(offer).as_millis()).unwrap_or(u64::MAX)),
            next: self.next.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    #[test]
    fn an_offer_stands_for_its_time() {
        let mut rematch = Rematch::default();
        let start = Instant::now();
        rematch.offer(Side::First, start, MINUTE);
        assert!(rematch.is_offered_by(Side::First, start));
        assert!(!rematch.is_offered_by(Side::Second, start));
        let view = rematch.view(start + MINUTE / 4);
        assert_eq!(
            (view.offered_by, view.offer_ms),
            (Some(Side::First), Some(45_000))
        );
        assert!(!rematch.lapse(start + MINUTE / 2));
        assert!(!rematch.is_offered_by(Side::First, start + MINUTE));
        assert!(rematch.lapse(start + MINUTE));
        assert_eq!(rematch.due(), None);
        assert!(!rematch.lapse(start + MINUTE), "only once");
    }

    #[test]
    fn a_repeated_offer_does_not_last_longer() {
        let mut rematch = Rematch::default();
        let start = Instant::now();
        rematch.offer(Side::First, start, MINUTE);
        rematch.offer(Side::First, start + MINUTE / 2, MINUTE);
        assert_eq!(rematch.due(), Some(start + MINUTE));
    }
}
