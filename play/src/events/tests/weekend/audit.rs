//! Each append and each state of an event, against the ledger and the rules of `docs/events.md`.

use mawe_wire::events::EventState;

use super::ledger::{Course, Ledger, LedgerGame, Presence};
use super::{recount, rules};
use crate::events::{Entry, Event};

/// Enters the entries of an append into the ledger; each pairing and the end are checked before.
pub(super) fn append(ledger: &mut Ledger, at_ms: i64, entries: &[Entry]) {
    for (place, entry) in entries.iter().enumerate() {
        if let Entry::Paired { round, games, byes } = entry {
            rules::check_pairing(ledger, at_ms, *round, games, byes, &entries[place + 1..]);
        }
        if *entry == Entry::Finished {
            rules::check_end(ledger);
        }
        ledger.enter(at_ms, entry);
    }
}

/// Compares a state with the ledger.
pub(super) fn check(ledger: &Ledger, event: &Event) {
    assert_eq!(event.players() as usize, ledger.present().count());
    if event.state() == EventState::Finished {
        let running = |game: &&LedgerGame| game.course == Course::Running;
        assert_eq!(
            ledger.games.iter().filter(running).count(),
            0,
            "it finished too early"
        );
    }
    let mut points = recount::points(ledger);
    for row in event.standings() {
        let counted = points[row.seat as usize].take();
        assert_eq!(
            counted,
            Some(row.points.halves()),
            "the points of seat {}",
            row.seat
        );
    }
    for (player, left) in ledger.players.iter().zip(points) {
        let is_left_out = player.presence == Presence::Withdrawn && player.games.is_empty();
        assert_eq!(
            left.is_some(),
            is_left_out,
            "a row for each player who plays"
        );
    }
}
