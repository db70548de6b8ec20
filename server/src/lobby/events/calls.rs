//! Push messages to absent players of events.

use mawe_rules::{BySide, Side};
use mawe_store::{Player, StoreError};
use mawe_wire::PlayerKind;
use mawe_wire::events::EventRef;
use mawe_wire::ids::{EventId, MatchId, PlayerId};

use crate::lobby::event_states::Snapshot;
use crate::lobby::pools::Lobby;
use crate::push::{About, Call};

/// The time after which a call to a match that has begun is pointless: without a first move it is called off before.
const MATCH_CALL_MS: i64 = 5 * 60 * 1_000;

/// The number of calls after which their sender gets a turn: its queue takes several times as many.
const CALLED_AT_ONCE: usize = 100;

impl Lobby {
    /// Calls the players of an event that begins soon, each once; calls that the queue does not take are lost.
    pub(super) async fn call_to_event(&self, id: &EventId) -> Result<(), StoreError> {
        let Some(push) = &self.rooms.services.push else {
            return Ok(());
        };
        let Some(snapshot) = self.events.read(self.store.as_ref(), id).await? else {
            return Ok(());
        };
        let there = snapshot.event.entrants().iter();
        let there = there.filter(|entrant| entrant.is_there() && !entrant.bot);
        let players: Vec<PlayerId> = there.map(|entrant| entrant.player.clone()).collect();
        for players in players.chunks(CALLED_AT_ONCE) {
            for player in players {
                push.call(Call {
                    player: player.clone(),
                    by: String::new(),
                    game: snapshot.row.terms.game,
                    until_ms: None,
                    about: About::EventStarts(reference(&snapshot)),
                });
            }
            tokio::task::yield_now().await;
        }
        Ok(())
    }

    /// Calls the players of a realtime match that has just begun; the room of another match calls the player to move.
    pub(super) fn call_to_match(
        &self,
        snapshot: &Snapshot,
        id: &MatchId,
        players: &BySide<Player>,
        now_ms: i64,
    ) {
        let Some(push) = &self.rooms.services.push else {
            return;
        };
        for side in Side::ALL {
            if players[side].kind != PlayerKind::Account {
                continue;
            }
            push.call(Call {
                player: players[side].id.clone(),
                by: players[side.other()].called().to_owned(),
                game: snapshot.row.terms.game,
                until_ms: Some(now_ms.saturating_add(MATCH_CALL_MS)),
                about: About::EventMatch {
                    match_id: id.clone(),
                    event: reference(snapshot),
                },
            });
        }
    }
}

/// Returns what names the event elsewhere.
pub(super) fn reference(snapshot: &Snapshot) -> EventRef {
    EventRef {
        id: snapshot.row.id.clone(),
        name: snapshot.row.terms.name.clone(),
    }
}
