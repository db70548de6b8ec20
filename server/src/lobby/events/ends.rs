//! The results of matches, as they count in an event.

use mawe_rules::Side;
use mawe_store::EventMatchEnd;
use mawe_wire::end_reason::{self, EndReason};
use mawe_wire::events::EventGameResult;

/// Returns the result of a game whose match has ended so, and whether one side has lost it without playing. A match that one side has called off, or has not begun, is lost by that side: in an event
/// the other one has waited for it. One that the server or the operator has called off, that was made void or is gone counts for nobody.
pub(super) fn result(end: Option<&EventMatchEnd>) -> (EventGameResult, bool) {
    let Some(end) = end else {
        return (EventGameResult::CalledOff, false);
    };
    if !end_reason::is_called_off(&end.reason) {
        return (end.winner.map_or(EventGameResult::Drawn, won), false);
    }
    match end.left_by.or_else(|| no_show(end)) {
        Some(side) => (won(side.other()), true),
        None => (EventGameResult::CalledOff, false),
    }
}

/// The side that has not made its first move in time, in a match of the time when [`EventMatchEnd::left_by`] did not name it, and the first
/// side had the first move.
fn no_show(end: &EventMatchEnd) -> Option<Side> {
    let is_no_show = end.reason == EndReason::NoShow.code();
    match end.plies {
        0 if is_no_show => Some(Side::First),
        1 if is_no_show => Some(Side::Second),
        _ => None,
    }
}

const fn won(side: Side) -> EventGameResult {
    match side {
        Side::First => EventGameResult::First,
        Side::Second => EventGameResult::Second,
    }
}

#[cfg(test)]
mod tests {
    use mawe_rules::BySide;

    use super::*;

    fn ended(
        reason: &str,
        plies: u32,
        winner: Option<Side>,
        left_by: Option<Side>,
    ) -> EventMatchEnd {
        EventMatchEnd {
            winner,
            reason: reason.to_owned(),
            plies,
            left_by,
            berserk: BySide::default(),
        }
    }

    #[test]
    fn who_calls_a_match_off_has_lost_it() {
        let of = |end: &EventMatchEnd| result(Some(end));
        let first = Some(Side::First);
        let played = |result| (result, false);
        let forfeit = |result| (result, true);
        for (end, expected) in [
            (
                ended("resign", 9, first, None),
                played(EventGameResult::First),
            ),
            (
                ended("agreement", 9, None, None),
                played(EventGameResult::Drawn),
            ),
            (
                ended("aborted", 1, None, first),
                forfeit(EventGameResult::Second),
            ),
            (
                ended("no-show", 0, None, None),
                forfeit(EventGameResult::Second),
            ),
            (
                ended("no-show", 1, None, None),
                forfeit(EventGameResult::First),
            ),
            // The second side had the first move, after an opening of three plies.
            (
                ended("no-show", 0, None, Some(Side::Second)),
                forfeit(EventGameResult::First),
            ),
            (
                ended("closed", 4, None, None),
                played(EventGameResult::CalledOff),
            ),
        ] {
            assert_eq!(of(&end), expected, "{end:?}");
        }
        assert_eq!(result(None), played(EventGameResult::CalledOff));
    }
}
