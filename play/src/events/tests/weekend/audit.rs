//! Each append and each state of an event, against the ledger and the rules of `docs/events.md`.

use mawe_wire::events::EventState;

use super::ledger::{Course, Ledger, LedgerGame, Presence};
use super::{fill_ins, groups, recount, rules};
use crate::events::{Entry, Event};

/// Enters the entries of an append into the ledger; each pairing and the end are checked before.
pub(super) fn append(ledger: &mut Ledger, at_ms: i64, entries: &[Entry]) {
    for (place, entry) in entries.iter().enumerate() {
        if let Entry::Paired { round, games, byes } = entry {
            let next = &entries[place + 1..];
            rules::check_pairing(ledger, at_ms, *round, games, byes, next);
            fill_ins::check_pairing(ledger, at_ms, games, byes);
            groups::check_pairing(ledger, games, next);
        }
        if let Entry::Joined { bot: true, .. } = entry {
            fill_ins::check_join(ledger, at_ms);
        }
        if let Entry::Began { .. } = entry {
            fill_ins::check_begin(ledger);
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
    for (player, entrant) in ledger.players.iter().zip(event.entrants()) {
        let counted = (player.is_fill_in, player.group);
        assert_eq!((entrant.bot, entrant.group), counted, "{entrant:?}");
    }
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
