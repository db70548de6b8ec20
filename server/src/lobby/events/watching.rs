//! Sends the states of events to their watchers.
//!
//! One task reads the watched events once a second and encodes a state once for all watchers.

use std::sync::Arc;
use std::time::Duration;

use mawe_store::StoreError;
use mawe_wire::ServerMsg;
use mawe_wire::events::EventState;
use mawe_wire::ids::{EventId, MatchId, PlayerId};
use tokio::sync::watch;

use crate::live::outbox::{Outbox, encode};
use crate::lobby::event_standings::{featured, page};
use crate::lobby::event_states::{Snapshot, is_public, may_see};
use crate::lobby::event_watch::Encoded;
use crate::lobby::pools::Lobby;

/// The pause between two readings of the watched events.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// The number of rows of the standings in a state.
const ROWS: usize = 20;

/// The reason for which an event is not watched.
#[derive(Debug, thiserror::Error)]
pub enum WatchRefusal {
    /// There is no such event, or the reader does not see it.
    #[error("there is no such event")]
    NotFound,
    /// Too many events are watched.
    #[error("too many events are watched just now; read this one by GET /api/v1/events/{{id}}")]
    TooMany,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Lobby {
    /// Sends a socket the state of an event, now and when it changes.
    ///
    /// # Errors
    /// [`WatchRefusal`]; the socket watches no event then.
    pub async fn watch_event(
        &self,
        id: &EventId,
        player: Option<&PlayerId>,
        socket: u64,
        outbox: &Arc<Outbox>,
    ) -> Result<(), WatchRefusal> {
        self.event_watch.forget(socket);
        let store = self.store.as_ref();
        let snapshot = self.events.read(store, id).await?;
        let snapshot = snapshot.ok_or(WatchRefusal::NotFound)?;
        if !may_see(store, &snapshot, player).await? {
            return Err(WatchRefusal::NotFound);
        }
        let current = if is_over(&snapshot) {
            self.encoded(&snapshot, None).await?
        } else if self.event_watch.add(id, player, socket, outbox) {
            let first = self.first_state(&snapshot).await;
            first.inspect_err(|_| self.event_watch.forget(socket))?
        } else {
            return Err(WatchRefusal::TooMany);
        };
        outbox.push(current.frame);
        Ok(())
    }

    /// Returns the state for a new watcher: the one of the other watchers, as all get the next one together.
    async fn first_state(&self, snapshot: &Snapshot) -> Result<Encoded, StoreError> {
        let id = &snapshot.row.id;
        if let Some(last) = self.event_watch.last(id) {
            return Ok(last);
        }
        let _first = self.event_watch.first.lock().await;
        if let Some(last) = self.event_watch.last(id) {
            return Ok(last);
        }
        let encoded = self.encoded(snapshot, None).await?;
        self.event_watch.keep_first(id, &encoded);
        Ok(encoded)
    }

    /// Encodes a state. The featured match is looked for if it is not given.
    async fn encoded(
        &self,
        snapshot: &Snapshot,
        shown: Option<Option<MatchId>>,
    ) -> Result<Encoded, StoreError> {
        let store = self.store.as_ref();
        let featured = match shown {
            Some(shown) => shown,
            None => featured(store, snapshot).await?,
        };
        let columns = &snapshot.row.columns;
        let frame = encode(&ServerMsg::EventState {
            event: snapshot.row.id.clone(),
            seq: snapshot.row.head,
            state: columns.state,
            players: columns.players,
            round: columns.round,
            featured: featured.clone(),
            standings: Box::new(page(store, snapshot, 0, ROWS).await?),
        });
        Ok(Encoded {
            seq: snapshot.row.head,
            featured,
            frame,
        })
    }

    async fn look_at_event(&self, id: &EventId) -> Result<(), StoreError> {
        let store = self.store.as_ref();
        let Some(snapshot) = self.events.read(store, id).await? else {
            self.event_watch.end(id);
            return Ok(());
        };
        // A match that begins or ends is no entry of the journal, but changes what is featured.
        let featured = featured(store, &snapshot).await?;
        let last = self.event_watch.last(id);
        let is_same = |last: Encoded| last.seq == snapshot.row.head && last.featured == featured;
        if !last.is_some_and(is_same) {
            self.forget_outsiders(&snapshot).await?;
            let encoded = self.encoded(&snapshot, Some(featured)).await?;
            self.event_watch.tell(id, encoded);
        }
        if is_over(&snapshot) {
            self.event_watch.end(id);
        }
        Ok(())
    }
}

impl Lobby {
    /// Removes watchers who do not see the event any more, as a member who was removed from its club.
    async fn forget_outsiders(&self, snapshot: &Snapshot) -> Result<(), StoreError> {
        if is_public(&snapshot.row) {
            return Ok(());
        }
        for (socket, player) in self.event_watch.readers(&snapshot.row.id) {
            if !may_see(self.store.as_ref(), snapshot, player.as_ref()).await? {
                self.event_watch.forget(socket);
            }
        }
        Ok(())
    }
}

fn is_over(snapshot: &Snapshot) -> bool {
    let state = snapshot.row.columns.state;
    matches!(state, EventState::Finished | EventState::Cancelled)
}

/// Sends the states of watched events until the server stops.
pub async fn run(lobby: Arc<Lobby>, mut stopped: watch::Receiver<bool>) {
    loop {
        for id in lobby.event_watch.watched() {
            if let Err(error) = lobby.look_at_event(&id).await {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "a watched event could not be read; its watchers get the next state"
                );
                break;
            }
        }
        tokio::select! {
            _ = stopped.wait_for(|stopped| *stopped) => return,
            () = tokio::time::sleep(LOOK_EVERY) => {}
        }
    }
}
