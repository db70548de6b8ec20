//! Seating: makes the match of a game of an event, or notes the reason for which it is not played.

use mawe_play::events::{HOST, Input};
use mawe_rules::{AnySetup, BySide, Side};
use mawe_store::{EventGameRow, EventGameSeated, EventTerms, Player, StoreError};
use mawe_wire::events::{EventGameSkipped, EventKind};
use mawe_wire::{MatchOptions, ServerMsg};

use super::calls::reference;
use super::changes::EventFault;
use crate::live::arrange::{self, Terms};
use crate::live::outbox::encode;
use crate::lobby::event_states::Snapshot;
use crate::lobby::pools::Lobby;

/// The reason for which a game is not played, with the side of the player who is the reason.
type Skip = (EventGameSkipped, Option<Side>);

impl Lobby {
    pub(super) async fn seat_event_game(
        &self,
        game: &EventGameRow,
        now_ms: i64,
    ) -> Result<(), EventFault> {
        let id = &game.key.event;
        let snapshot = self.events.read(self.store.as_ref(), id).await?;
        let snapshot = snapshot.ok_or(EventFault::NotFound)?;
        let players = self.players_of(game).await?;
        let skipped = match snapshot.event.skip_before_seating(game.key.number) {
            Some(skipped) => Some(skipped),
            None => self.try_seat(&snapshot, game, &players).await?,
        };
        if let Some((reason, side)) = skipped {
            let input = Input::GameSkipped {
                game: game.key.number,
                reason,
                side,
            };
            self.change_event_by(id, now_ms, &[input, Input::Tick])
                .await?;
        }
        Ok(())
    }

    /// Makes the match; returns the reason if the game is not played. Without a reason it was seated, or the next round tries again.
    async fn try_seat(
        &self,
        snapshot: &Snapshot,
        game: &EventGameRow,
        players: &BySide<Player>,
    ) -> Result<Option<Skip>, EventFault> {
        let terms = terms(snapshot, game, players)?;
        let ids = [players.first.id.clone(), players.second.id.clone()];
        // A player who waits in a pool may be paired at this moment, by this node or another; then the next round seats the game.
        let mut seating = None;
        let mut seats = Vec::new();
        if terms.time_control.is_realtime() {
            // Computer players wait in no pool, and play many matches at once.
            let people = [&players.first, &players.second].into_iter();
            let people = people.filter(|player| !player.is_computer());
            seating = self.seat(people.map(|player| player.id.clone()));
            if seating.is_none() {
                return Ok(None);
            }
            seats = self
                .pairing_states(&[&players.first, &players.second])
                .await?;
            seats.retain(|wished| wished.got == Some(None));
        }
        let mut new = arrange::prepare(self.store.as_ref(), &terms, players, None).await?;
        new.extra_ms = extra_ms(&snapshot.row.terms, game);
        // In an arena the next match comes at once, and its notices would displace all others.
        let tell = snapshot.row.terms.kind != EventKind::Arena;
        let store = self.store.as_ref();
        match store.seat_event_game(&game.key, &new, &seats, tell).await {
            Ok(EventGameSeated::Seated) => {}
            Ok(EventGameSeated::NotReady | EventGameSeated::Changed) => return Ok(None),
            Ok(EventGameSeated::Absent { first, second }) => {
                return Ok(Some((EventGameSkipped::Absent, only(first, second))));
            }
            Err(StoreError::Blocked | StoreError::Club(_)) => {
                return Ok(Some((EventGameSkipped::Apart, None)));
            }
            Err(StoreError::TooManyMatches(busy)) => {
                let side = only(busy == players.first.id, busy == players.second.id);
                return Ok(Some((EventGameSkipped::Busy, side)));
            }
            Err(error) => return Err(error.into()),
        }
        if tell {
            self.rooms.services.notices.announce(new.id.as_str());
        }
        if self.cluster().is_none() {
            // In a cluster the nodes of the players open the match.
            self.rooms.open(&new.id);
        }
        let paired = encode(&ServerMsg::EventPaired {
            match_id: new.id.clone(),
            game: new.game,
            event: reference(snapshot),
        });
        for player in &ids {
            self.sockets.tell(player, &paired);
        }
        if let Some(seating) = seating {
            let left = seating.done().await;
            self.tell_left(&left);
        }
        if tell && terms.time_control.is_realtime() {
            self.call_to_match(snapshot, &new.id, players, new.created_ms);
        }
        Ok(None)
    }

    /// Returns the players of a game.
    async fn players_of(&self, game: &EventGameRow) -> Result<BySide<Player>, EventFault> {
        let seats = [game.first, game.second];
        let players = self.store.event_players(&game.key.event, &seats).await?;
        let at = |seat: u32| {
            let found = players.iter().find(|(at, _)| *at == seat);
            found.map(|(_, player)| player.clone())
        };
        match (at(game.first), at(game.second)) {
            (Some(first), Some(second)) if first.id != second.id => Ok(BySide::new(first, second)),
            _ => Err(damaged("a game without two players").into()),
        }
    }
}

/// The side that alone is so.
const fn only(first: bool, second: bool) -> Option<Side> {
    match (first, second) {
        (true, false) => Some(Side::First),
        (false, true) => Some(Side::Second),
        _ => None,
    }
}

fn terms(
    snapshot: &Snapshot,
    game: &EventGameRow,
    players: &BySide<Player>,
) -> Result<Terms, StoreError> {
    let agreed = &snapshot.row.terms;
    let setup = AnySetup::parse(agreed.game, &agreed.setup);
    let mut options = MatchOptions::usual(agreed.rated);
    options.berserk = agreed.berserk;
    // A computer player agrees to each takeback, and the point would be a present.
    options.takebacks &= !players.first.is_computer() && !players.second.is_computer();
    Ok(Terms {
        game: agreed.game,
        setup: setup.map_err(|error| damaged(&error.to_string()))?,
        time_control: game.time_control.unwrap_or(agreed.time_control),
        rated: agreed.rated,
        options,
        private: false,
    })
}

/// The time on each clock beyond the base time: that of the host of a simul, who plays many at once.
fn extra_ms(agreed: &EventTerms, game: &EventGameRow) -> BySide<u64> {
    let seats = BySide::new(game.first, game.second);
    BySide::from_fn(|side| {
        if agreed.kind == EventKind::Simul && seats[side] == HOST {
            agreed.host_extra_ms
        } else {
            0
        }
    })
}

fn damaged(detail: &str) -> StoreError {
    StoreError::Damaged {
        what: "event",
        detail: detail.to_owned(),
    }
}
