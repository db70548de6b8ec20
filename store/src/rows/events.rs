//! Rows of events.

use mawe_rules::{BySide, GameKind, Side};
use mawe_wire::clubs::{ClubRef, Joining};
use mawe_wire::events::{
    EventGameResult, EventGameSkipped, EventGameState, EventKind, EventPlayerState, EventState,
};
use sqlx_macros::FromRow;

use super::convert::{Stored, id, number, stored};
use super::matches::TimeColumns;
use super::players::PlayerRecord;
use crate::{
    EndedEventGame, EventClub, EventColumns, EventEntry, EventFillIns, EventGameKey, EventGameRow,
    EventMatchEnd, EventRow, EventTerms, Player, StoreError,
};

stored! {
    EventKind "kind of event",
    EventState "state of an event",
    EventPlayerState "state of a player of an event",
    EventGameState "state of a game of an event",
    EventGameResult "result of a game of an event",
    EventGameSkipped "reason to skip a game of an event",
}

/// An event joined to its creator, and to its club if there is one.
#[derive(FromRow)]
pub(crate) struct EventRecord {
    event_id: String,
    event_kind: String,
    event_name: String,
    description: String,
    game: String,
    setup: String,
    #[sqlx(flatten)]
    time: TimeColumns,
    rated: bool,
    start_ms: i64,
    start_players: Option<i64>,
    duration_ms: Option<i64>,
    rounds: Option<i64>,
    cycles: Option<i64>,
    games: Option<i64>,
    best_of: bool,
    max_players: i64,
    fill_players: Option<i64>,
    fill_level: Option<i64>,
    apart_by_address: bool,
    berserk: bool,
    host_extra_ms: i64,
    address_key: Option<Vec<u8>>,
    min_rating: Option<i64>,
    max_rating: Option<i64>,
    min_matches: i64,
    for_club: bool,
    password_hash: Option<String>,
    event_created_ms: i64,
    state: String,
    sort_ms: i64,
    due_ms: Option<i64>,
    event_head: i64,
    players: i64,
    round: i64,
    finished_ms: Option<i64>,
    hidden: bool,
    club_id: Option<String>,
    club_handle: Option<String>,
    club_name: Option<String>,
    club_joining: Option<String>,
    #[sqlx(flatten)]
    by: PlayerRecord,
}

fn small<T: TryFrom<i64>>(
    what: &'static str,
    stored: Option<i64>,
) -> Result<Option<T>, StoreError> {
    stored.map(|stored| number(what, stored)).transpose()
}

fn fill_ins(players: Option<i64>, level: Option<i64>) -> Result<Option<EventFillIns>, StoreError> {
    let (Some(players), Some(level)) = (players, level) else {
        return Ok(None);
    };
    Ok(Some(EventFillIns {
        players: number("number of players", players)?,
        level: number("level", level)?,
    }))
}

fn club(
    stored: (
        Option<String>,
        Option<String>,
        Option<String>,
        Option<String>,
    ),
) -> Result<Option<EventClub>, StoreError> {
    let (Some(club), Some(handle), Some(name), Some(joining)) = stored else {
        return Ok(None);
    };
    Ok(Some(EventClub {
        id: id("club id", club)?,
        reference: ClubRef { handle, name },
        joining: Joining::from_text(&joining)?,
    }))
}

impl TryFrom<EventRecord> for EventRow {
    type Error = StoreError;

    fn try_from(row: EventRecord) -> Result<Self, StoreError> {
        Ok(Self {
            id: id("event id", row.event_id)?,
            terms: EventTerms {
                kind: EventKind::from_text(&row.event_kind)?,
                name: row.event_name,
                description: row.description,
                game: GameKind::from_text(&row.game)?,
                setup: row.setup,
                time_control: row.time.try_into()?,
                rated: row.rated,
                start_ms: row.start_ms,
                start_players: small("number of players", row.start_players)?,
                duration_ms: row.duration_ms,
                rounds: small("number of rounds", row.rounds)?,
                cycles: small("number of cycles", row.cycles)?,
                games: small("number of games", row.games)?,
                best_of: row.best_of,
                max_players: number("number of players", row.max_players)?,
                apart_by_address: row.apart_by_address,
                berserk: row.berserk,
                host_extra_ms: number("extra time", row.host_extra_ms)?,
                fill_ins: fill_ins(row.fill_players, row.fill_level)?,
                min_rating: small("rating", row.min_rating)?,
                max_rating: small("rating", row.max_rating)?,
                min_matches: number("number of matches", row.min_matches)?,
            },
            by: row.by.try_into()?,
            club: club((
                row.club_id,
                row.club_handle,
                row.club_name,
                row.club_joining,
            ))?,
            for_club: row.for_club,
            hidden: row.hidden,
            password_hash: row.password_hash,
            address_key: row.address_key,
            created_ms: row.event_created_ms,
            columns: EventColumns {
                state: EventState::from_text(&row.state)?,
                sort_ms: row.sort_ms,
                due_ms: row.due_ms,
                players: number("number of players", row.players)?,
                round: number("round", row.round)?,
                finished_ms: row.finished_ms,
            },
            head: number("head", row.event_head)?,
        })
    }
}

/// An entry of the journal of an event.
#[derive(FromRow)]
pub(crate) struct EventEntryRecord {
    seq: i64,
    at_ms: i64,
    payload: String,
}

impl TryFrom<EventEntryRecord> for EventEntry {
    type Error = StoreError;

    fn try_from(row: EventEntryRecord) -> Result<Self, StoreError> {
        Ok(Self {
            seq: number("seq", row.seq)?,
            at_ms: row.at_ms,
            payload: row.payload,
        })
    }
}

/// A player at a seat.
#[derive(FromRow)]
pub(crate) struct EventPlayerRecord {
    seat: i64,
    #[sqlx(flatten)]
    player: PlayerRecord,
}

impl TryFrom<EventPlayerRecord> for (u32, Player) {
    type Error = StoreError;

    fn try_from(row: EventPlayerRecord) -> Result<Self, StoreError> {
        Ok((number("seat", row.seat)?, row.player.try_into()?))
    }
}

/// The place of a game.
#[derive(FromRow)]
pub(crate) struct EventGameKeyRecord {
    event_id: String,
    number: i64,
}

impl TryFrom<EventGameKeyRecord> for EventGameKey {
    type Error = StoreError;

    fn try_from(row: EventGameKeyRecord) -> Result<Self, StoreError> {
        Ok(Self {
            event: id("event id", row.event_id)?,
            number: number("number of a game", row.number)?,
        })
    }
}

/// A game, joined to its match if there is one.
#[derive(FromRow)]
pub(crate) struct EventGameRecord {
    #[sqlx(flatten)]
    key: EventGameKeyRecord,
    round: i64,
    first_seat: i64,
    second_seat: i64,
    time_control: Option<String>,
    base_ms: Option<i64>,
    increment_ms: Option<i64>,
    days: Option<i64>,
    state: String,
    result: Option<String>,
    skipped: Option<String>,
    match_id: Option<String>,
    private: Option<bool>,
}

impl TryFrom<EventGameRecord> for EventGameRow {
    type Error = StoreError;

    fn try_from(row: EventGameRecord) -> Result<Self, StoreError> {
        let time = row.time_control.map(|time_control| TimeColumns {
            time_control,
            base_ms: row.base_ms,
            increment_ms: row.increment_ms,
            days: row.days,
        });
        let result = row.result.as_deref().map(EventGameResult::from_text);
        let skipped = row.skipped.as_deref().map(EventGameSkipped::from_text);
        Ok(Self {
            key: row.key.try_into()?,
            round: number("round", row.round)?,
            first: number("seat", row.first_seat)?,
            second: number("seat", row.second_seat)?,
            time_control: time.map(TryInto::try_into).transpose()?,
            state: EventGameState::from_text(&row.state)?,
            result: result.transpose()?,
            skipped: skipped.transpose()?,
            match_id: row
                .match_id
                .map(|played| id("match id", played))
                .transpose()?,
            private: row.private.unwrap_or(true),
        })
    }
}

/// A game whose match has ended, or is gone.
#[derive(FromRow)]
pub(crate) struct EndedEventGameRecord {
    #[sqlx(flatten)]
    key: EventGameKeyRecord,
    winner: Option<String>,
    reason: Option<String>,
    plies: Option<i64>,
    left_by: Option<String>,
    voided_ms: Option<i64>,
    first_berserk: Option<bool>,
    second_berserk: Option<bool>,
}

impl TryFrom<EndedEventGameRecord> for EndedEventGame {
    type Error = StoreError;

    fn try_from(row: EndedEventGameRecord) -> Result<Self, StoreError> {
        let side = |stored: Option<String>| stored.as_deref().map(Side::from_text).transpose();
        let end = match row.reason {
            Some(reason) if row.voided_ms.is_none() => Some(EventMatchEnd {
                winner: side(row.winner)?,
                reason,
                plies: number("number of plies", row.plies.unwrap_or_default())?,
                left_by: side(row.left_by)?,
                berserk: BySide::new(
                    row.first_berserk.unwrap_or_default(),
                    row.second_berserk.unwrap_or_default(),
                ),
            }),
            _ => None,
        };
        Ok(Self {
            key: row.key.try_into()?,
            end,
        })
    }
}
