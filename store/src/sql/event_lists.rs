//! Reads of events: one, lists, journals, players, games, and what waits for the server.

use mawe_wire::events::EventState;
use mawe_wire::ids::{ClubId, EventId, PlayerId};
use sqlx::QueryBuilder;

use super::backend::{Backend, Db};
use super::pupils::class_forbids;
use crate::rows::{
    EndedEventGameRecord, EventEntryRecord, EventGameKeyRecord, EventGameRecord, EventPlayerRecord,
    EventRecord, Stored, id as parsed_id, int, parsed,
};
use crate::{
    EndedEventGame, EventCandidate, EventCursor, EventEntry, EventGameKey, EventGameRow, EventRow,
    Player, StoreError,
};

/// Selects events as `EventRecord`s: `e`, joined to the creator `p` and to the club `c`.
macro_rules! select_events {
    ($rest:literal) => {
        concat!(
            "SELECT e.id AS event_id, e.kind AS event_kind, e.name AS event_name, e.description, e.game, e.setup,
                e.time_control, e.base_ms, e.increment_ms, e.days, e.rated, e.start_ms, e.start_players, e.duration_ms, e.rounds, e.cycles,
                e.games, e.best_of, e.max_players, e.fill_players, e.fill_level, e.apart_by_address, e.berserk, e.host_extra_ms, e.address_key, e.min_rating, e.max_rating, e.min_matches, e.for_club, e.password_hash, e.created_ms AS event_created_ms,
                e.state, e.sort_ms, e.due_ms, e.head AS event_head, e.players, e.round, e.finished_ms, e.hidden,
                c.id AS club_id, c.handle AS club_handle, c.name AS club_name, c.joining AS club_joining,
                p.id, p.name, p.kind, p.level, p.display_name, p.avatar, p.flag, p.created_ms AS player_created_ms
            FROM events e JOIN players p ON p.id = e.by_id LEFT JOIN clubs c ON c.id = e.club_id ",
            $rest
        )
    };
}

/// Selects games as `EventGameRecord`s: `g`, joined to the match `m` if there is one.
macro_rules! select_games {
    ($rest:literal) => {
        concat!(
            "SELECT g.event_id, g.number, g.round, g.first_seat, g.second_seat, g.time_control, g.base_ms, g.increment_ms, g.days, g.state,
                g.result, g.skipped, g.match_id, m.private
            FROM event_games g LEFT JOIN matches m ON m.id = g.match_id ",
            $rest
        )
    };
}

impl Backend {
    pub(super) async fn event_by_id(&self, id: &EventId) -> Result<Option<EventRow>, StoreError> {
        let row: Option<EventRecord> = sqlx::query_as(select_events!("WHERE e.id = $1"))
            .bind(id.as_str())
            .fetch_optional(self.reader())
            .await?;
        row.map(EventRow::try_from).transpose()
    }

    pub(super) async fn entries_of_event(
        &self,
        id: &EventId,
        after: u64,
        limit: u32,
    ) -> Result<Vec<EventEntry>, StoreError> {
        let rows: Vec<EventEntryRecord> = sqlx::query_as(
            "SELECT seq, at_ms, payload FROM event_entries WHERE event_id = $1 AND seq > $2 ORDER BY seq LIMIT $3",
        )
        .bind(id.as_str())
        .bind(int(after))
        .bind(i64::from(limit))
        .fetch_all(self.reader())
        .await?;
        parsed(rows)
    }

    pub(super) async fn list_of_events(
        &self,
        state: EventState,
        after: Option<&EventCursor>,
        limit: u32,
    ) -> Result<Vec<EventRow>, StoreError> {
        let (sql, from_ms) = match state {
            EventState::Coming => (
                select_events!(
                    "WHERE e.state = $1 AND (e.sort_ms, e.id) > ($2, $3) ORDER BY e.sort_ms, e.id LIMIT $4"
                ),
                i64::MIN,
            ),
            EventState::Running | EventState::Finished | EventState::Cancelled => (
                select_events!(
                    "WHERE e.state = $1 AND (e.sort_ms, e.id) < ($2, $3) ORDER BY e.sort_ms DESC, e.id DESC LIMIT $4"
                ),
                i64::MAX,
            ),
        };
        let rows: Vec<EventRecord> = sqlx::query_as(sql)
            .bind(state.text())
            .bind(after.map_or(from_ms, |after| after.sort_ms))
            .bind(after.map_or("", |after| after.id.as_str()).to_owned())
            .bind(i64::from(limit))
            .fetch_all(self.reader())
            .await?;
        parsed(rows)
    }

    pub(super) async fn events_due(
        &self,
        now_ms: i64,
        limit: u32,
    ) -> Result<Vec<EventId>, StoreError> {
        let ids: Vec<String> = sqlx::query_scalar(
            "SELECT id FROM events WHERE due_ms IS NOT NULL AND due_ms <= $1 ORDER BY due_ms LIMIT $2",
        )
        .bind(now_ms)
        .bind(i64::from(limit))
        .fetch_all(self.reader())
        .await?;
        ids.into_iter()
            .map(|id| parsed_id("event id", id))
            .collect()
    }

    pub(super) async fn players_of_event(
        &self,
        id: &EventId,
        seats: &[u32],
    ) -> Result<Vec<(u32, Player)>, StoreError> {
        if seats.is_empty() {
            return Ok(Vec::new());
        }
        let mut query = QueryBuilder::<Db>::new(
            "SELECT r.seat, p.id, p.name, p.kind, p.level, p.display_name, p.avatar, p.flag, p.created_ms AS player_created_ms
            FROM event_players r JOIN players p ON p.id = r.player_id WHERE r.event_id = ",
        );
        query.push_bind(id.as_str().to_owned());
        query.push(" AND r.seat IN (");
        let mut listed = query.separated(", ");
        for seat in seats {
            listed.push_bind(i64::from(*seat));
        }
        query.push(")");
        let rows: Vec<EventPlayerRecord> = query.build_query_as().fetch_all(self.reader()).await?;
        parsed(rows)
    }

    pub(super) async fn games_of_event(
        &self,
        id: &EventId,
        round: Option<u32>,
        after: u32,
        limit: u32,
    ) -> Result<Vec<EventGameRow>, StoreError> {
        let query = match round {
            None => sqlx::query_as(select_games!(
                "WHERE g.event_id = $1 AND g.number > $2 ORDER BY g.number LIMIT $3"
            )),
            Some(_) => sqlx::query_as(select_games!(
                "WHERE g.event_id = $1 AND g.number > $2 AND g.round = $4 ORDER BY g.number LIMIT $3"
            )),
        };
        let mut query = query
            .bind(id.as_str())
            .bind(i64::from(after))
            .bind(i64::from(limit));
        if let Some(round) = round {
            query = query.bind(i64::from(round));
        }
        let rows: Vec<EventGameRecord> = query.fetch_all(self.reader()).await?;
        parsed(rows)
    }

    pub(super) async fn game_of_event(
        &self,
        key: &EventGameKey,
    ) -> Result<Option<EventGameRow>, StoreError> {
        let row: Option<EventGameRecord> =
            sqlx::query_as(select_games!("WHERE g.event_id = $1 AND g.number = $2"))
                .bind(key.event.as_str())
                .bind(i64::from(key.number))
                .fetch_optional(self.reader())
                .await?;
        row.map(EventGameRow::try_from).transpose()
    }

    pub(super) async fn event_games_to_begin(
        &self,
        limit: u32,
    ) -> Result<Vec<EventGameRow>, StoreError> {
        // Those of a cancelled event are never played. A subquery, because in a join SQLite would read all games of the running events.
        let rows: Vec<EventGameRecord> = sqlx::query_as(select_games!(
            "WHERE g.state = 'ready' AND (SELECT e.state FROM events e WHERE e.id = g.event_id) = 'running' LIMIT $1"
        ))
        .bind(i64::from(limit))
        .fetch_all(self.reader())
        .await?;
        parsed(rows)
    }

    pub(super) async fn event_games_that_ended(
        &self,
        limit: u32,
    ) -> Result<Vec<EndedEventGame>, StoreError> {
        // A match that is gone has ended.
        let rows: Vec<EndedEventGameRecord> = sqlx::query_as(
            "SELECT g.event_id, g.number, m.winner, m.reason, m.plies, m.left_by, m.voided_ms,
                m.berserk AND EXISTS (SELECT 1 FROM entries x WHERE x.match_id = m.id AND x.kind = 'berserk' AND x.client_id LIKE 'first:%')
                    AS first_berserk,
                m.berserk AND EXISTS (SELECT 1 FROM entries x WHERE x.match_id = m.id AND x.kind = 'berserk' AND x.client_id LIKE 'second:%')
                    AS second_berserk
            FROM event_games g LEFT JOIN matches m ON m.id = g.match_id
            WHERE g.state = 'playing' AND (SELECT e.state FROM events e WHERE e.id = g.event_id) = 'running' AND (m.id IS NULL OR m.finished_ms IS NOT NULL) LIMIT $1",
        )
        .bind(i64::from(limit))
        .fetch_all(self.reader())
        .await?;
        parsed(rows)
    }

    pub(super) async fn event_games_that_changed(
        &self,
        limit: u32,
    ) -> Result<Vec<EventGameKey>, StoreError> {
        let rows: Vec<EventGameKeyRecord> =
            sqlx::query_as("SELECT event_id, number FROM event_games WHERE changed AND state = 'ended' AND result <> 'called-off' LIMIT $1")
                .bind(i64::from(limit))
                .fetch_all(self.reader())
                .await?;
        parsed(rows)
    }

    pub(super) async fn candidate_of_event(
        &self,
        player: &PlayerId,
        club: Option<&ClubId>,
    ) -> Result<EventCandidate, StoreError> {
        let (is_member, is_pupil, is_kept): (bool, bool, bool) = sqlx::query_as(concat!(
            "SELECT EXISTS (SELECT 1 FROM club_members WHERE club_id = $2 AND player_id = $1),
                EXISTS (SELECT 1 FROM pupils WHERE player_id = $1 AND club_id = $2), ",
            class_forbids!("outsiders", "$1")
        ))
        .bind(player.as_str())
        .bind(club.map_or("", ClubId::as_str).to_owned())
        .fetch_one(self.reader())
        .await?;
        Ok(EventCandidate {
            is_member,
            is_kept: is_kept && !is_pupil,
        })
    }
}
