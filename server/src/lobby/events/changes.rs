//! Changes of events: a decision on the state, and an append with what follows from it.

use std::sync::Arc;

use mawe_play::events::{Entry, Event, Input, Refusal};
use mawe_play::rating::START_RATING;
use mawe_store::{
    EventAppend, EventColumns, EventGameChange, EventPlayerChange, EventRow, NewAudit, NewEvent,
    Store, StoreError,
};
use mawe_wire::events::{EventKind, EventState};
use mawe_wire::ids::EventId;
use mawe_wire::random;
use tokio::task;

use crate::lobby::event_states::{Snapshot, terms};
use crate::lobby::pools::Lobby;

/// The number of times that a change is decided anew because another one was faster.
const TRIES: u32 = 20;

/// The number of times that the clock advances an event in one append.
const TICKS: u32 = 4;

/// The reason for which an event was not changed.
#[derive(Debug, thiserror::Error)]
pub enum EventFault {
    /// There is no such event.
    #[error("there is no such event")]
    NotFound,
    /// The event refuses it.
    #[error(transparent)]
    Refused(Refusal),
    /// Other changes were faster again and again.
    #[error("too many others change this event at this moment")]
    Crowded,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A change that is decided, before it is written.
struct Decided {
    append: EventAppend,
    refused: Vec<Refusal>,
}

impl Lobby {
    /// Changes an event.
    ///
    /// # Errors
    /// [`EventFault`]; nothing was written.
    pub async fn change_event(
        &self,
        id: &EventId,
        now_ms: i64,
        input: &Input<'_>,
    ) -> Result<(), EventFault> {
        let inputs = std::slice::from_ref(input);
        first_refusal(self.write_change(id, now_ms, inputs, None).await?)
    }

    /// Changes an event for a moderator, with an entry of the audit log in the same transaction; there is none if nothing changes.
    ///
    /// # Errors
    /// [`EventFault`]; nothing was written.
    pub async fn moderate_event(
        &self,
        id: &EventId,
        input: &Input<'_>,
        audit: NewAudit,
    ) -> Result<(), EventFault> {
        let now_ms = audit.attribution.at_ms;
        let inputs = std::slice::from_ref(input);
        let refused = self.write_change(id, now_ms, inputs, Some(&audit)).await?;
        first_refusal(refused)
    }

    /// Changes an event by several inputs, one after the other, in one append. Returns the refusals; the other inputs were carried out.
    ///
    /// # Errors
    /// [`EventFault`]; nothing was written.
    pub(super) async fn change_event_by(
        &self,
        id: &EventId,
        now_ms: i64,
        inputs: &[Input<'_>],
    ) -> Result<Vec<Refusal>, EventFault> {
        self.write_change(id, now_ms, inputs, None).await
    }

    async fn write_change(
        &self,
        id: &EventId,
        now_ms: i64,
        inputs: &[Input<'_>],
        audit: Option<&NewAudit>,
    ) -> Result<Vec<Refusal>, EventFault> {
        for _ in 0..TRIES {
            let snapshot = self.event_state(id).await?;
            let mut decided = decide(&snapshot, now_ms, inputs)?;
            decided.append.audit = audit.cloned();
            if self.wrote(&decided).await? {
                return Ok(decided.refused);
            }
        }
        Err(EventFault::Crowded)
    }

    /// Does what is due in an event. Where it wants fill-ins, they join in the same append.
    ///
    /// # Errors
    /// [`EventFault`]; nothing was written.
    pub(super) async fn tick_event(&self, id: &EventId, now_ms: i64) -> Result<(), EventFault> {
        for _ in 0..TRIES {
            let snapshot = self.event_state(id).await?;
            let fill_ins = self.fill_ins(&snapshot, snapshot.time_of(now_ms)).await?;
            // A round of hundreds of players takes a part of a second to pair, in which this task and its thread have other work.
            let deciding = task::spawn_blocking(move || {
                let joins = fill_ins.iter().map(|(player, rating)| Input::FillIn {
                    player,
                    rating: *rating,
                });
                let inputs: Vec<Input<'_>> = joins.chain([Input::Tick]).collect();
                decide(&snapshot, now_ms, &inputs)
            });
            // An error is a panic, as on this thread, or the end of the runtime, which drops this task.
            let decided = deciding.await.expect("the decision is made")?;
            if self.wrote(&decided).await? {
                return Ok(());
            }
        }
        Err(EventFault::Crowded)
    }

    async fn event_state(&self, id: &EventId) -> Result<Arc<Snapshot>, EventFault> {
        let snapshot = self.events.read(self.store.as_ref(), id).await?;
        snapshot.ok_or(EventFault::NotFound)
    }

    /// Writes what was decided, if anything; `false` if another change was faster.
    async fn wrote(&self, decided: &Decided) -> Result<bool, EventFault> {
        let append = &decided.append;
        Ok(append.entries.is_empty() || self.store.append_event(append).await?)
    }
}

fn first_refusal(refused: Vec<Refusal>) -> Result<(), EventFault> {
    let first = refused.into_iter().next();
    first.map_or(Ok(()), |refusal| Err(EventFault::Refused(refusal)))
}

/// A number below `bound`, at random.
fn chance(bound: u32) -> u32 {
    let drawn = random::number() % u64::from(bound.max(1));
    u32::try_from(drawn).unwrap_or_default()
}

/// Decides on the state of an event; each input sees the changes of those before it.
fn decide(snapshot: &Snapshot, now_ms: i64, inputs: &[Input<'_>]) -> Result<Decided, StoreError> {
    let at_ms = snapshot.time_of(now_ms);
    let mut event = snapshot.event.clone();
    let mut entries = Vec::new();
    let mut refused = Vec::new();
    for input in inputs {
        // After its beginning an event pairs at once, and after the last game it ends.
        let steps = if *input == Input::Tick { TICKS } else { 1 };
        for _ in 0..steps {
            match event.decide(at_ms, input, &mut chance) {
                Ok(new) if new.is_empty() => break,
                Ok(new) => {
                    for entry in &new {
                        event.apply(at_ms, entry)?;
                    }
                    entries.extend(new);
                }
                Err(refusal) => refused.push(refusal),
            }
        }
    }
    let append = append(&snapshot.row, (&snapshot.event, &event), at_ms, &entries);
    Ok(Decided { append, refused })
}

/// Returns the first append of an event, which has no entries, or those of the host of a simul, and its refusals.
///
/// # Errors
/// [`StoreError::Damaged`] where the core refuses its own entries.
pub fn first_append(
    new: &NewEvent,
    host: Option<&Input<'_>>,
) -> Result<(EventAppend, Vec<Refusal>), StoreError> {
    let before = Event::new(terms(&new.terms));
    let mut after = before.clone();
    let (mut entries, mut refused) = (Vec::new(), Vec::new());
    if let Some(host) = host {
        match after.decide(new.created_ms, host, &mut chance) {
            Ok(decided) => entries = decided,
            Err(refusal) => refused.push(refusal),
        }
        for entry in &entries {
            after.apply(new.created_ms, entry)?;
        }
    }
    let columns = EventColumns {
        state: EventState::Coming,
        sort_ms: match new.terms.start_players {
            None => new.terms.start_ms,
            Some(_) => new.created_ms,
        },
        due_ms: None,
        players: 0,
        round: 0,
        finished_ms: None,
    };
    let about = About {
        id: &new.id,
        columns,
        head: 0,
    };
    Ok((
        about.append((&before, &after), new.created_ms, &entries),
        refused,
    ))
}

/// Returns the first append of an event, with the creator as the host of a simul, and its refusals.
///
/// # Errors
/// As [`first_append`], and those of the store.
pub async fn first_append_of(
    store: &dyn Store,
    new: &NewEvent,
) -> Result<(EventAppend, Vec<Refusal>), StoreError> {
    if new.terms.kind != EventKind::Simul {
        return first_append(new, None);
    }
    let speed = new.terms.time_control.speed();
    let rating = store.rating(&new.by, new.terms.game, speed).await?;
    let host = Input::Join {
        player: &new.by,
        rating: rating.map_or(START_RATING, |row| row.rating.rating),
        group: None,
    };
    first_append(new, Some(&host))
}

fn append(row: &EventRow, states: (&Event, &Event), at_ms: i64, entries: &[Entry]) -> EventAppend {
    let about = About {
        id: &row.id,
        columns: row.columns,
        head: row.head,
    };
    about.append(states, at_ms, entries)
}

/// What an append needs of an event beside its states.
struct About<'a> {
    id: &'a EventId,
    columns: EventColumns,
    head: u64,
}

impl About<'_> {
    fn append(
        &self,
        (before, after): (&Event, &Event),
        at_ms: i64,
        entries: &[Entry],
    ) -> EventAppend {
        let mut columns = self.columns;
        columns.state = after.state();
        columns.due_ms = after.due_ms();
        if after.state() != before.state() {
            columns.sort_ms = at_ms;
        }
        if after.state() == EventState::Finished && before.state() != EventState::Finished {
            columns.finished_ms = Some(at_ms);
        }
        columns.players = after.players();
        columns.round = after.round();
        EventAppend {
            event: self.id.clone(),
            head: self.head,
            at_ms,
            entries: entries.iter().map(Entry::write).collect(),
            columns,
            players: players(before, after),
            games: entries.iter().flat_map(games).collect(),
            audit: None,
        }
    }
}

/// The players who are new or have another state.
fn players(before: &Event, after: &Event) -> Vec<EventPlayerChange> {
    let seats = (0..).zip(after.entrants());
    let changed = seats.filter_map(|(seat, entrant)| {
        let state = after.player_state(seat)?;
        let old = before.player_state(seat);
        (old != Some(state)).then(|| EventPlayerChange {
            seat,
            new: old.is_none().then(|| entrant.player.clone()),
            state,
        })
    });
    changed.collect()
}

/// The games that an entry changes.
fn games(entry: &Entry) -> Vec<EventGameChange> {
    match entry {
        Entry::Paired { round, games, .. } => {
            let paired = games.iter().map(|game| EventGameChange::Paired {
                number: game.number,
                round: *round,
                first: game.first,
                second: game.second,
                time_control: game.time_control,
            });
            paired.collect()
        }
        Entry::Ended { game, result, .. } => vec![EventGameChange::Ended {
            number: *game,
            result: *result,
        }],
        Entry::Skipped { game, reason, .. } => vec![EventGameChange::Skipped {
            number: *game,
            reason: *reason,
        }],
        Entry::Corrected { game, result } => vec![EventGameChange::Corrected {
            number: *game,
            result: *result,
        }],
        Entry::Joined { .. }
        | Entry::Rejoined { .. }
        | Entry::Withdrawn { .. }
        | Entry::Paused { .. }
        | Entry::Resumed { .. }
        | Entry::ByeAsked { .. }
        | Entry::Began { .. }
        | Entry::Cancelled { .. }
        | Entry::Berserk { .. }
        | Entry::Closed
        | Entry::Finished => Vec::new(),
    }
}
