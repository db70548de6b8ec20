//! What is due in events at a time: beginnings, pairings, ends, the matches of paired games, and events of timetables.
//!
//! The node that pairs the pools does this; another one takes over when it dies. Two at once would do no harm.

use std::collections::BTreeMap;

use futures_util::StreamExt;
use futures_util::stream;
use mawe_play::events::Input;
use mawe_rules::Side;
use mawe_store::{EndedEventGame, StoreError};
use mawe_wire::events::EventGameResult;
use mawe_wire::ids::EventId;

use super::changes::EventFault;
use super::ends::result;
use crate::lobby::pools::Lobby;

/// The number of events that are read at once.
const EVENTS: u32 = 100;

/// The number of games that are read at once: more than end or begin between two rounds.
const GAMES: u32 = 1_000;

/// The number of matches that are made at once.
const AT_ONCE: usize = 16;

/// The time before the start at which the players get a notice.
const NOTICE_BEFORE_MS: i64 = 10 * 60 * 1_000;

impl Lobby {
    /// Does the work on events that is due at this time. What fails is logged, and tried again by the next call.
    pub async fn advance_events(&self, now_ms: i64) {
        if let Err(error) = self.try_advance_events(now_ms).await {
            failed(&error);
        }
        if let Err(error) = self.make_recurring_events(now_ms).await {
            failed(&error.into());
        }
    }

    async fn try_advance_events(&self, now_ms: i64) -> Result<(), EventFault> {
        let store = self.store.as_ref();
        let soon = store.tell_event_starts(now_ms + NOTICE_BEFORE_MS, now_ms, EVENTS);
        for id in soon.await? {
            self.rooms.services.notices.announce(id.as_str());
            self.call_to_event(&id).await?;
        }
        let mut ended: BTreeMap<EventId, Vec<EndedEventGame>> = BTreeMap::new();
        for game in store.ended_event_games(GAMES).await? {
            ended.entry(game.key.event.clone()).or_default().push(game);
        }
        for (id, games) in ended {
            let noted = self.note_ends(&id, &games, now_ms).await;
            noted.unwrap_or_else(|error| failed(&error));
        }
        for key in store.changed_event_games(GAMES).await? {
            let correction = Input::Correct {
                game: key.number,
                result: EventGameResult::CalledOff,
            };
            let corrected = self.change_event(&key.event, now_ms, &correction).await;
            corrected.unwrap_or_else(|error| failed(&error));
        }
        for id in store.due_events(now_ms, EVENTS).await? {
            let ticked = self.tick_event(&id, now_ms).await;
            ticked.unwrap_or_else(|error| failed(&error));
        }
        let ready = store.ready_event_games(GAMES).await?;
        stream::iter(ready)
            .for_each_concurrent(AT_ONCE, async |game| {
                let seated = self.seat_event_game(&game, now_ms).await;
                seated.unwrap_or_else(|error| failed(&error));
            })
            .await;
        Ok(())
    }

    /// Notes the ends of games, and what follows from them at once.
    async fn note_ends(
        &self,
        id: &EventId,
        games: &[EndedEventGame],
        now_ms: i64,
    ) -> Result<(), EventFault> {
        let mut inputs = Vec::with_capacity(games.len() + 1);
        for EndedEventGame { key, end } in games {
            let game = key.number;
            let halved = |side: &Side| end.as_ref().is_some_and(|end| end.berserk[*side]);
            let halved = Side::ALL.into_iter().filter(halved);
            inputs.extend(halved.map(|side| Input::Berserk { game, side }));
            let (result, forfeit) = result(end.as_ref());
            inputs.push(Input::GameEnded {
                game,
                result,
                forfeit,
            });
        }
        inputs.push(Input::Tick);
        self.change_event_by(id, now_ms, &inputs).await?;
        Ok(())
    }
}

pub(super) fn failed(error: &EventFault) {
    if matches!(error, EventFault::Store(StoreError::LowSpace)) {
        // The store has logged it for the operator, and every game would log it again.
        return;
    }
    tracing::warn!(
        error = error as &dyn std::error::Error,
        "a step of an event failed; it is tried again"
    );
}
