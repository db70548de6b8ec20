//! Whom a match calls who is not there.

use std::time::Duration;

use mawe_rules::Side;

use crate::arrange::unix_ms;
use crate::push::{About, Call};
use crate::room::actor::Room;

/// How young a match is that nobody has been called to yet: a room that is opened later found a player who knows, or was called.
const NEW: Duration = Duration::from_secs(10);

impl Room {
    /// Whether nothing has happened in the match, which was made just now.
    pub(super) fn is_new(&self) -> bool {
        let age_ms = u128::try_from(unix_ms() - self.row.created_ms).unwrap_or_default();
        self.state.head() == 0 && age_ms < NEW.as_millis()
    }

    /// Calls whoever is to move in a match that does not run by the second, after what `by` has done there: who has done it themselves
    /// knows. Where a computer plays nobody is called, because it answers at once.
    pub(super) fn call_to_move(&self, by: Option<Side>) {
        let Some(push) = self.rooms.push.get() else {
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
