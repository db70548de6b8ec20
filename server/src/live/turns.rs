//! The side to move in matches of which only the row is at hand. It takes the whole journal to tell it, so it is kept for as long as the
//! journal has no further entry.

use std::collections::HashMap;

use mawe_rules::Side;
use mawe_wire::ids::MatchId;
use parking_lot::Mutex;

/// The greatest number of matches kept. Beyond it all are forgotten, and told anew when they are next asked for.
const MAX_KEPT: usize = 20_000;

/// The sides to move, by match and head.
#[derive(Debug, Default)]
pub struct Turns {
    kept: Mutex<HashMap<MatchId, (u64, Side)>>,
}

impl Turns {
    /// Returns the side to move in a match after entry `head` of its journal, if it is kept.
    #[must_use]
    pub fn get(&self, id: &MatchId, head: u64) -> Option<Side> {
        let kept = self.kept.lock();
        kept.get(id)
            .filter(|(at, _)| *at == head)
            .map(|(_, side)| *side)
    }

    /// Keeps the side to move in a match after entry `head` of its journal.
    pub fn put(&self, id: MatchId, head: u64, side: Side) {
        let mut kept = self.kept.lock();
        if kept.len() >= MAX_KEPT && !kept.contains_key(&id) {
            kept.clear();
        }
        kept.insert(id, (head, side));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: usize) -> MatchId {
        format!("{number:012}").parse().expect("an id")
    }

    #[test]
    fn a_turn_is_kept_until_the_journal_goes_on() {
        let turns = Turns::default();
        assert_eq!(turns.get(&id(1), 3), None);
        turns.put(id(1), 3, Side::Second);
        assert_eq!(turns.get(&id(1), 3), Some(Side::Second));
        assert_eq!(turns.get(&id(1), 4), None);
        turns.put(id(1), 4, Side::First);
        assert_eq!(turns.get(&id(1), 4), Some(Side::First));
        assert_eq!(turns.get(&id(2), 4), None);
    }

    #[test]
    fn a_flood_of_matches_is_not_kept() {
        let turns = Turns::default();
        for number in 0..2 * MAX_KEPT + 7 {
            turns.put(id(number), 1, Side::First);
            assert!(turns.kept.lock().len() <= MAX_KEPT);
        }
        assert_eq!(
            turns.get(&id(2 * MAX_KEPT + 6), 1),
            Some(Side::First),
            "the last is kept"
        );
    }
}
