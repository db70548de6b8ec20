//! Club matches: begins them at their time, seats their games, notes the ends of these, and tells entrants of a cancellation.
//!
//! Every node does this at intervals. Each step is one transaction of the store, which finds whether the step is still to be done: it happens
//! once, also after a crash between two of them.

use mawe_rules::AnySetup;
use mawe_store::{ClubGameSeated, ClubMatchStep, ReadyClubGame, StoreError};
use mawe_wire::MatchOptions;
use mawe_wire::club_matches::ClubGameSkipped;

use super::pools::Lobby;
use crate::live::arrange::{self, Terms};

/// The number of club matches and of games that are read at once.
const BATCH: u32 = 100;

impl Lobby {
    /// Does the work on club matches that is due at this time. What fails is logged, and tried again by the next call.
    pub async fn advance_club_matches(&self, now_ms: i64) {
        if let Err(error) = self.try_advance(now_ms).await {
            failed(&error);
        }
    }

    async fn try_advance(&self, now_ms: i64) -> Result<(), StoreError> {
        for id in self.store.due_club_matches(now_ms, BATCH).await? {
            match self.store.step_club_match(&id, now_ms).await {
                Ok(ClubMatchStep::Told) => self.rooms.services.notices.announce(id.as_str()),
                Ok(ClubMatchStep::NotDue | ClubMatchStep::Taken) => {}
                Err(error) => failed(&error),
            }
        }
        for key in self.store.ended_club_games(BATCH).await? {
            self.store
                .end_club_game(&key, now_ms)
                .await
                .map_or_else(|error| failed(&error), drop);
        }
        for ready in self.store.ready_club_games(BATCH).await? {
            self.seat_club_game(&ready, now_ms)
                .await
                .unwrap_or_else(|error| failed(&error));
        }
        Ok(())
    }

    /// Makes the match of a game, or notes the reason for which it is not played.
    async fn seat_club_game(&self, ready: &ReadyClubGame, now_ms: i64) -> Result<(), StoreError> {
        let players = &ready.players;
        let ids = [players.first.id.clone(), players.second.id.clone()];
        let is_realtime = ready.time_control.is_realtime();
        // A player who waits in a pool may be paired at this moment, by this node or another; then the next round seats the game.
        let mut seating = None;
        let mut seats = Vec::new();
        if is_realtime {
            seating = self.seat(ids.clone());
            if seating.is_none() {
                return Ok(());
            }
            seats = self
                .pairing_states(&[&players.first, &players.second])
                .await?;
            seats.retain(|wished| wished.got == Some(None));
        }
        let terms = Terms {
            game: ready.game,
            setup: AnySetup::usual(ready.game),
            time_control: ready.time_control,
            rated: ready.rated,
            options: MatchOptions::usual(ready.rated),
            private: false,
        };
        let new = arrange::prepare(self.store.as_ref(), &terms, players, None).await?;
        let skipped = match self.store.seat_club_game(&ready.key, &new, &seats).await {
            Ok(ClubGameSeated::Seated) => None,
            Ok(ClubGameSeated::NotReady | ClubGameSeated::Changed) => return Ok(()),
            Ok(ClubGameSeated::Absent) => Some(ClubGameSkipped::Absent),
            Err(StoreError::Blocked | StoreError::Club(_)) => Some(ClubGameSkipped::Apart),
            Err(StoreError::TooManyMatches(_)) => Some(ClubGameSkipped::Busy),
            Err(error) => return Err(error),
        };
        if let Some(reason) = skipped {
            self.store
                .skip_club_game(&ready.key, reason, now_ms)
                .await?;
            return Ok(());
        }
        self.rooms.services.notices.announce(new.id.as_str());
        self.rooms.open(&new.id);
        if let Some(seating) = seating {
            let left = seating.done().await;
            self.tell_left(&left);
        }
        Ok(())
    }
}

fn failed(error: &StoreError) {
    tracing::warn!(
        error = error as &dyn std::error::Error,
        "a step of a club match failed; it is tried again"
    );
}
