//! The state of a player with regard to the results.

use mawe_wire::events::EventPlayerState;

use super::entry::Seat;
use super::knockout;
use super::state::Event;
use super::terms::Format;

impl Event {
    /// The state of a player.
    #[must_use]
    pub fn player_state(&self, seat: Seat) -> Option<EventPlayerState> {
        let state = self.entrant(seat)?.state;
        let lost = self.terms.format == Format::Knockout
            && state != EventPlayerState::Withdrawn
            && knockout::is_eliminated(self, seat);
        Some(if lost {
            EventPlayerState::Eliminated
        } else {
            state
        })
    }
}
