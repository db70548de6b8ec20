//! The states of events, as read from their journals.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use mawe_play::events::{Entry, Event, Format, Standing, Start, Terms};
use mawe_store::{EventRow, EventTerms, Store, StoreError};
use mawe_wire::events::EventKind;
use mawe_wire::ids::{EventId, PlayerId};
use parking_lot::Mutex;
use tokio::sync::{Mutex as AsyncMutex, Semaphore};

/// The number of events whose states are kept. The one that was read the longest ago is forgotten first.
const KEPT: usize = 200;

/// The number of entries that are read at once.
const BATCH: u32 = 1_000;

/// The number of journals that are read from their beginning at once.
const LOADS: usize = 2;

/// The states of events that were read lately, a cache of their journals.
#[derive(Debug)]
pub struct EventStates {
    kept: Mutex<Kept>,
    loads: Semaphore,
}

#[derive(Debug, Default)]
struct Kept {
    /// Counts reads, for the order of the last ones.
    reads: u64,
    slots: HashMap<EventId, (u64, Arc<Slot>)>,
}

/// The last state of an event that was read; its lock lets one task read the journal.
type Slot = AsyncMutex<Option<Arc<Snapshot>>>;

/// An event, with its state at the head of its row.
#[derive(Debug)]
pub struct Snapshot {
    /// The row.
    pub row: EventRow,
    /// The state.
    pub event: Event,
    /// The time of the last entry.
    pub at_ms: i64,
    standings: OnceLock<Vec<Standing>>,
}

impl Snapshot {
    /// The time of a change that is made now. The clocks of nodes differ a little; the journal never goes back.
    pub(super) fn time_of(&self, now_ms: i64) -> i64 {
        now_ms.max(self.at_ms)
    }

    /// Returns the standings, computed once for a state.
    pub fn standings(&self) -> &[Standing] {
        self.standings.get_or_init(|| self.event.standings())
    }
}

impl Default for EventStates {
    fn default() -> Self {
        EventStates {
            kept: Mutex::default(),
            loads: Semaphore::new(LOADS),
        }
    }
}

impl EventStates {
    /// Returns an event with its present state; `None` if there is no such event.
    ///
    /// # Errors
    /// [`StoreError`]; [`StoreError::Damaged`] for a journal that does not replay.
    pub async fn read(
        &self,
        store: &dyn Store,
        id: &EventId,
    ) -> Result<Option<Arc<Snapshot>>, StoreError> {
        let Some(row) = store.find_event(id).await? else {
            self.kept.lock().slots.remove(id);
            return Ok(None);
        };
        let slot = self.slot(id);
        let mut last = slot.lock().await;
        // Another reader may have seen a later head meanwhile.
        let known = last.as_ref();
        if known.is_some_and(|known| known.row == row || known.row.head > row.head) {
            return Ok(last.clone());
        }
        let before = last.take();
        let now = self.bring_up(store, before, row).await?;
        *last = Some(Arc::new(now));
        Ok(last.clone())
    }

    fn slot(&self, id: &EventId) -> Arc<Slot> {
        let mut kept = self.kept.lock();
        kept.reads += 1;
        let reads = kept.reads;
        if let Some((last, slot)) = kept.slots.get_mut(id) {
            *last = reads;
            return Arc::clone(slot);
        }
        if kept.slots.len() >= KEPT {
            let oldest = kept.slots.iter().min_by_key(|(_, (last, _))| *last);
            if let Some(oldest) = oldest.map(|(id, _)| id.clone()) {
                kept.slots.remove(&oldest);
            }
        }
        let slot = Arc::default();
        kept.slots.insert(id.clone(), (reads, Arc::clone(&slot)));
        slot
    }

    /// Applies the entries up to the head of the row.
    async fn bring_up(
        &self,
        store: &dyn Store,
        before: Option<Arc<Snapshot>>,
        row: EventRow,
    ) -> Result<Snapshot, StoreError> {
        let _load = match before {
            // The semaphore is never closed.
            None => self.loads.acquire().await.ok(),
            Some(_) => None,
        };
        let (mut event, mut at_ms, mut head) = match before {
            None => (Event::new(terms(&row.terms)), row.created_ms, 0),
            Some(before) => {
                let (at_ms, head) = (before.at_ms, before.row.head);
                let event = Arc::try_unwrap(before)
                    .map_or_else(|shared| shared.event.clone(), |own| own.event);
                (event, at_ms, head)
            }
        };
        while head < row.head {
            let entries = store.event_entries(&row.id, head, BATCH).await?;
            if entries.is_empty() {
                return Err(damaged("its journal is shorter than its head"));
            }
            // An append after the row was read is left to the next read.
            for entry in entries.iter().take_while(|entry| entry.seq <= row.head) {
                event.apply(entry.at_ms, &Entry::read(&entry.payload)?)?;
                (at_ms, head) = (entry.at_ms, entry.seq);
            }
        }
        Ok(Snapshot {
            row,
            event,
            at_ms,
            standings: OnceLock::new(),
        })
    }
}

/// Whether everybody sees an event: not one for a club that is, or was, joined by invitation.
#[must_use]
pub fn is_public(row: &EventRow) -> bool {
    let open = row.club.as_ref();
    !row.hidden && open.is_none_or(|club| club.joining.is_public())
}

/// Whether a reader sees an event: everybody sees a public one, and its creator, its players and the members of its club another one.
///
/// # Errors
/// [`StoreError`].
pub async fn may_see(
    store: &dyn Store,
    snapshot: &Snapshot,
    reader: Option<&PlayerId>,
) -> Result<bool, StoreError> {
    let row = &snapshot.row;
    if is_public(row) {
        return Ok(true);
    }
    let Some(me) = reader else {
        return Ok(false);
    };
    if row.by.id == *me || snapshot.event.seat_of(me).is_some() {
        return Ok(true);
    }
    match &row.club {
        Some(club) => Ok(store.club_standing(&club.id, me).await?.is_member()),
        None => Ok(false),
    }
}

fn damaged(detail: &str) -> StoreError {
    StoreError::Damaged {
        what: "journal of an event",
        detail: detail.to_owned(),
    }
}

/// Returns the terms of an event for the core.
#[must_use]
pub fn terms(stored: &EventTerms) -> Terms {
    let format = match stored.kind {
        EventKind::Arena => Format::Arena {
            duration_ms: stored.duration_ms.unwrap_or_default(),
            berserk: stored.berserk,
        },
        EventKind::Swiss => Format::Swiss {
            rounds: stored.rounds.unwrap_or_default(),
        },
        EventKind::RoundRobin => Format::RoundRobin {
            cycles: stored.cycles.unwrap_or(1),
        },
        EventKind::Knockout => Format::Knockout,
        EventKind::Simul => Format::Simul,
        EventKind::Series => Format::Series {
            games: stored.games.unwrap_or_default(),
            best_of: stored.best_of,
        },
    };
    Terms {
        format,
        time_control: stored.time_control,
        start: match stored.start_players {
            Some(players) => Start::Full {
                players,
                until_ms: stored.start_ms,
            },
            None => Start::At {
                at_ms: stored.start_ms,
            },
        },
        max_players: stored.max_players,
        fill_to: stored.fill_ins.map(|fill| fill.players),
    }
}
