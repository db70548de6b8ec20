//! Push messages to the players of a match.

use std::time::Duration;

use mawe_rules::Side;

use crate::clock::unix_ms;
use crate::live::actor::Room;
use crate::push::{About, Call};

/// The age up to which a match without entries counts as new. When a room is opened later, the first player has been notified already.
const NEW: Duration = Duration::from_secs(10);

impl Room {
    /// Whether the match was just created and has no entries.
    pub(super) fn is_new(&self) -> bool {
        let age_ms = u128::try_from(unix_ms() - self.row.created_ms).unwrap_or_default();
        self.state.head() == 0 && age_ms < NEW.as_millis()
    }

    /// Sends a push message to the player to move, in a match that is not realtime, after a command of `by`; `by` gets none. There are
    /// no push messages in a match with a computer opponent, because it answers at once.
    pub(super) fn call_to_move(&self, by: Option<Side>) {
        let Some(push) = &self.services.push else {
            return;
        };
        let setup = self.state.setup();
        let side = self.state.record().turn();
        if self.row.time_control.is_realtime()
            || self.state.result().is_some()
            || setup.one_player
            || setup.bots[side].is_some()
            || setup.bots[side.other()].is_some()
            || by == Some(side)
        {
            return;
        }
        let turn_ms = self.row.time_control.turn_ms();
        let turn_ms = turn_ms.map(|ms| i64::try_from(ms).unwrap_or(i64::MAX));
        push.call(Call {
            player: self.row.players[side].id.clone(),
            by: self.row.players[side.other()].name.clone(),
            game: self.row.game,
            until_ms: turn_ms.map(|ms| unix_ms().saturating_add(ms)),
            about: About::Turn {
                match_id: self.row.id.clone(),
                head: self.state.head(),
            },
        });
    }
}
