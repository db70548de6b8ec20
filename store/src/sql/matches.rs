//! Matches: creating and finding them.

use async_trait::async_trait;
use mawe_play::pairing::penalty::Abandonments;
use mawe_play::room::due::{BOT_DUE_MS, NEVER_DUE};
use mawe_play::room::timing::UNATTENDED_MS;
use mawe_rules::GameKind;
use mawe_wire::ids::{MatchId, PlayerId};
use sqlx::{Executor, QueryBuilder};

use super::backend::{
    Backend, Db, RUNS_ALONE, Tx, begin, called_off_in_sql, commit, match_id, select_matches,
    serialise,
};
use super::history::page;
use super::pupils::check_class;
use crate::detached::detached;
use crate::rows::{
    AbandonmentsRecord, MatchRecord, Stored, TimeColumns, id as parsed_id, int, parsed,
};
use crate::{
    MAX_RUNNING, MAX_UNTIMED, MatchCursor, MatchFilter, MatchRow, Matches, NewMatch, RunningCounts,
    StoreError,
};

/// The practical upper limit of the length of a realtime match.
const LONGEST_LIVE_MS: i64 = 12 * 60 * 60 * 1_000;

/// A match without clocks against a computer opponent leaves the lobby's list after this time without an entry.
const IDLE_MS: i64 = 10 * 60 * 1_000;

#[async_trait]
impl Matches for Backend {
    async fn create_match(&self, new: &NewMatch) -> Result<(), StoreError> {
        self.has_space()?;
        let (writer, new) = (self.writer().clone(), new.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            insert_match(&mut tx, &new).await?;
            commit(tx).await
        })
        .await
    }

    async fn find_match(&self, id: &MatchId) -> Result<Option<MatchRow>, StoreError> {
        let row: Option<MatchRecord> = sqlx::query_as(select_matches!("WHERE m.id = $1"))
            .bind(id.as_str())
            .fetch_optional(self.reader())
            .await?;
        row.map(MatchRow::try_from).transpose()
    }

    async fn find_rematch(&self, of: &MatchId) -> Result<Option<MatchId>, StoreError> {
        let id: Option<String> = sqlx::query_scalar("SELECT id FROM matches WHERE rematch_of = $1")
            .bind(of.as_str())
            .fetch_optional(self.reader())
            .await?;
        id.map(match_id).transpose()
    }

    async fn live_match_ids(&self) -> Result<Vec<MatchId>, StoreError> {
        let ids: Vec<String> = sqlx::query_scalar(
            "SELECT id FROM matches WHERE finished_ms IS NULL AND speed <> 'daily' ORDER BY created_ms, id",
        )
        .fetch_all(self.reader())
        .await?;
        ids.into_iter().map(match_id).collect()
    }

    async fn due_match_ids(&self, now_ms: i64, limit: u32) -> Result<Vec<MatchId>, StoreError> {
        let ids: Vec<String> = sqlx::query_scalar(
            "SELECT id FROM matches WHERE due_ms <= $1 AND due_ms IS NOT NULL AND finished_ms IS NULL
            ORDER BY due_ms LIMIT $2",
        )
        .bind(now_ms)
        .bind(i64::from(limit))
        .fetch_all(self.reader())
        .await?;
        ids.into_iter().map(match_id).collect()
    }

    async fn running_matches(
        &self,
        game: Option<GameKind>,
        now_ms: i64,
        limit: u32,
    ) -> Result<Vec<MatchRow>, StoreError> {
        // The last entry's time follows from `due_ms`: a match without clocks against a computer opponent is due a fixed time after its last
        // entry, a shorter one when the computer is to move. A match without clocks between people is never due.
        let idle_since = now_ms - IDLE_MS;
        let (person_due, computer_due) = (
            idle_since.saturating_add_unsigned(UNATTENDED_MS),
            idle_since + BOT_DUE_MS,
        );
        let query = match game {
            None => sqlx::query_as(select_matches!(
                "WHERE m.finished_ms IS NULL AND NOT m.private
                    AND (m.time_control <> 'unlimited' OR m.due_ms >= $2
                        OR m.due_ms BETWEEN $3 AND $4)
                ORDER BY m.strength DESC, m.created_ms DESC, m.id DESC LIMIT $1"
            ))
            .bind(i64::from(limit))
            .bind(person_due)
            .bind(computer_due)
            .bind(computer_due + IDLE_MS),
            Some(game) => sqlx::query_as(select_matches!(
                "WHERE m.finished_ms IS NULL AND NOT m.private AND m.game = $5
                    AND (m.time_control <> 'unlimited' OR m.due_ms >= $2
                        OR m.due_ms BETWEEN $3 AND $4)
                ORDER BY m.strength DESC, m.created_ms DESC, m.id DESC LIMIT $1"
            ))
            .bind(i64::from(limit))
            .bind(person_due)
            .bind(computer_due)
            .bind(computer_due + IDLE_MS)
            .bind(game.text()),
        };
        let rows: Vec<MatchRecord> = query.fetch_all(self.reader()).await?;
        parsed(rows)
    }

    async fn strongest_live_matches(
        &self,
        game: GameKind,
        limit: u32,
    ) -> Result<Vec<MatchRow>, StoreError> {
        let rows: Vec<MatchRecord> = sqlx::query_as(select_matches!(
            "WHERE m.game = $1 AND m.finished_ms IS NULL AND NOT m.private AND m.speed <> 'daily'
                AND m.first_id <> m.second_id
            ORDER BY m.strength DESC, m.created_ms DESC, m.id DESC LIMIT $2"
        ))
        .bind(game.text())
        .bind(i64::from(limit))
        .fetch_all(self.reader())
        .await?;
        parsed(rows)
    }

    async fn count_live_matches(&self) -> Result<u32, StoreError> {
        let count: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM matches WHERE finished_ms IS NULL AND speed <> 'daily'",
        )
        .fetch_one(self.reader())
        .await?;
        Ok(u32::try_from(count).unwrap_or(u32::MAX))
    }

    async fn count_running_matches(&self) -> Result<u32, StoreError> {
        let count: i64 =
            sqlx::query_scalar("SELECT count(*) FROM matches WHERE finished_ms IS NULL")
                .fetch_one(self.reader())
                .await?;
        Ok(u32::try_from(count).unwrap_or(u32::MAX))
    }

    async fn latest_results(&self, since_ms: i64, limit: u32) -> Result<Vec<MatchRow>, StoreError> {
        let mut query = QueryBuilder::<Db>::new(select_matches!(
            "WHERE m.finished_ms IS NOT NULL AND NOT m.private AND m.first_id <> m.second_id
                AND m.finished_ms >= "
        ));
        query.push_bind(since_ms);
        query.push(" AND m.reason NOT IN (");
        query.push(called_off_in_sql());
        query.push(") ORDER BY m.finished_ms DESC, m.id DESC LIMIT ");
        query.push_bind(i64::from(limit));
        let rows: Vec<MatchRecord> = query.build_query_as().fetch_all(self.reader()).await?;
        parsed(rows)
    }

    async fn running_counts(
        &self,
        player: &PlayerId,
        now_ms: i64,
    ) -> Result<RunningCounts, StoreError> {
        let seats = [player.as_str(), player.as_str()];
        let found = running_counts(self.reader(), seats, now_ms).await?;
        Ok(found.first().map_or_else(RunningCounts::default, |it| it.1))
    }

    async fn running_matches_of(
        &self,
        player: &PlayerId,
        after: Option<&MatchCursor>,
        limit: u32,
    ) -> Result<Vec<MatchRow>, StoreError> {
        // One part per seat, each walking along its own index; a match of one player at both seats is in the first part only.
        let rows: Vec<MatchRecord> = sqlx::query_as(select_matches!(
            "JOIN (
                SELECT * FROM (
                    SELECT id FROM matches WHERE first_id = $1 AND finished_ms IS NULL
                        AND (created_ms, id) < ($3, $4)
                    ORDER BY created_ms DESC, id DESC LIMIT $2) AS at_first
                UNION ALL
                SELECT * FROM (
                    SELECT id FROM matches WHERE second_id = $1 AND first_id <> $1 AND finished_ms IS NULL
                        AND (created_ms, id) < ($3, $4)
                    ORDER BY created_ms DESC, id DESC LIMIT $2) AS at_second
            ) AS page ON page.id = m.id
            ORDER BY m.created_ms DESC, m.id DESC LIMIT $2"
        ))
        .bind(player.as_str())
        .bind(i64::from(limit))
        .bind(after.map_or(i64::MAX, |after| after.created_ms))
        .bind(after.map_or("", |after| after.id.as_str()).to_owned())
        .fetch_all(self.reader())
        .await?;
        parsed(rows)
    }

    async fn matches_of(
        &self,
        filter: &MatchFilter,
        cursor: Option<&MatchCursor>,
        limit: u32,
    ) -> Result<Vec<MatchRow>, StoreError> {
        let rows: Vec<MatchRecord> = page(filter, cursor, limit)
            .build_query_as()
            .fetch_all(self.reader())
            .await?;
        parsed(rows)
    }

    async fn finished_matches(
        &self,
        after: Option<&MatchId>,
        limit: u32,
    ) -> Result<Vec<MatchRow>, StoreError> {
        let rows: Vec<MatchRecord> = sqlx::query_as(select_matches!(
            "WHERE m.id > $1 AND m.finished_ms IS NOT NULL ORDER BY m.id LIMIT $2"
        ))
        .bind(after.map_or("", MatchId::as_str).to_owned())
        .bind(i64::from(limit))
        .fetch_all(self.reader())
        .await?;
        parsed(rows)
    }

    async fn count_finished_matches(&self) -> Result<u64, StoreError> {
        let (count,): (i64,) =
            sqlx::query_as("SELECT count(*) FROM matches WHERE finished_ms IS NOT NULL")
                .fetch_one(self.reader())
                .await?;
        Ok(count.unsigned_abs())
    }

    async fn abandonments(
        &self,
        player: &PlayerId,
        since_ms: i64,
        call_offs_since_ms: i64,
    ) -> Result<Abandonments, StoreError> {
        // One part per seat, each walking along its own index: an abandoned match ends soon after its creation. A no-show counts as both;
        // rows from the time when no side had left by it are of matches in which the first side had the first move.
        let row: AbandonmentsRecord = sqlx::query_as(
            "SELECT count(*) FILTER (WHERE walked) AS times, max(CASE WHEN walked THEN finished_ms END) AS last_ms,
                count(*) FILTER (WHERE called_off AND finished_ms >= $4) AS call_offs,
                max(CASE WHEN called_off AND finished_ms >= $4 THEN finished_ms END) AS last_call_off_ms
            FROM (
                SELECT m.finished_ms,
                    (m.reason = 'abandoned' AND coalesce(m.winner, '') = 'second') OR (m.reason = 'no-show' AND coalesce(m.left_by = 'first', m.plies = 0))
                        OR (m.reason = 'left-early' AND coalesce(m.left_by, '') = 'first') AS walked,
                    (m.reason = 'no-show' AND coalesce(m.left_by = 'first', m.plies = 0)) OR (m.reason = 'aborted' AND coalesce(m.left_by, '') = 'first') AS called_off
                FROM matches m JOIN players o ON o.id = m.second_id
                WHERE m.first_id = $1 AND m.second_id <> $1 AND o.kind <> 'bot' AND m.speed <> 'daily'
                    AND m.created_ms >= $3 AND m.finished_ms >= $2
                    AND m.reason IN ('abandoned', 'no-show', 'left-early', 'aborted')
                UNION ALL
                SELECT m.finished_ms,
                    (m.reason = 'abandoned' AND coalesce(m.winner, '') = 'first') OR (m.reason = 'no-show' AND coalesce(m.left_by = 'second', m.plies = 1))
                        OR (m.reason = 'left-early' AND coalesce(m.left_by, '') = 'second') AS walked,
                    (m.reason = 'no-show' AND coalesce(m.left_by = 'second', m.plies = 1)) OR (m.reason = 'aborted' AND coalesce(m.left_by, '') = 'second') AS called_off
                FROM matches m JOIN players o ON o.id = m.first_id
                WHERE m.second_id = $1 AND m.first_id <> $1 AND o.kind <> 'bot' AND m.speed <> 'daily'
                    AND m.created_ms >= $3 AND m.finished_ms >= $2
                    AND m.reason IN ('abandoned', 'no-show', 'left-early', 'aborted')
            ) AS walked_away",
        )
        .bind(player.as_str())
        .bind(since_ms)
        .bind(since_ms.saturating_sub(LONGEST_LIVE_MS))
        .bind(call_offs_since_ms)
        .fetch_one(self.reader())
        .await?;
        row.try_into()
    }
}

impl Backend {
    /// Returns the matches with these ids, newest first. A list whose rows are filtered selects the ids first, and these in a second statement:
    /// in one, Postgres would read all matches.
    pub(super) async fn matches_by_id(
        &self,
        ids: Vec<String>,
    ) -> Result<Vec<MatchRow>, StoreError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let mut query = QueryBuilder::<Db>::new(select_matches!("WHERE m.id IN ("));
        let mut listed = query.separated(", ");
        for id in ids {
            listed.push_bind(id);
        }
        query.push(") ORDER BY m.created_ms DESC, m.id DESC");
        let rows: Vec<MatchRecord> = query.build_query_as().fetch_all(self.reader()).await?;
        parsed(rows)
    }
}

/// Counts the running matches of the players at these seats, other than computer opponents. A player without any is left out.
async fn running_counts<'e>(
    executor: impl Executor<'e, Database = Db>,
    seats: [&str; 2],
    now_ms: i64,
) -> Result<Vec<(PlayerId, RunningCounts)>, StoreError> {
    // Each part walks along its own index. The last entry is looked up only for matches without clocks that are older than the limit.
    let rows: Vec<(String, i64, i64)> = sqlx::query_as(
        "SELECT player,
            count(*) FILTER (WHERE time_control <> 'unlimited' OR (NOT against_bot AND (created_ms >= $3
                OR (SELECT e.at_ms FROM entries e WHERE e.match_id = at_seat.id ORDER BY e.seq DESC LIMIT 1) >= $3))),
            count(*) FILTER (WHERE time_control = 'unlimited' AND against_bot)
        FROM (
            SELECT first_id AS player, id, time_control, created_ms, coalesce(due_ms, $4) <> $4 AS against_bot
            FROM matches WHERE finished_ms IS NULL
                AND first_id IN (SELECT id FROM players WHERE id IN ($1, $2) AND level IS NULL)
            UNION ALL
            SELECT second_id, id, time_control, created_ms, coalesce(due_ms, $4) <> $4
            FROM matches WHERE finished_ms IS NULL AND first_id <> second_id
                AND second_id IN (SELECT id FROM players WHERE id IN ($1, $2) AND level IS NULL)
        ) AS at_seat GROUP BY player ORDER BY player",
    )
    .bind(seats[0])
    .bind(seats[1])
    .bind(now_ms.saturating_sub_unsigned(UNATTENDED_MS))
    .bind(NEVER_DUE)
    .fetch_all(executor)
    .await?;
    let counted = |(player, counted, untimed): (String, i64, i64)| {
        let counts = RunningCounts {
            counted: u32::try_from(counted).unwrap_or(u32::MAX),
            untimed_against_bots: u32::try_from(untimed).unwrap_or(u32::MAX),
        };
        Ok((parsed_id("player id", player)?, counts))
    };
    rows.into_iter().map(counted).collect()
}

/// Refuses a match if one of its players has too many running ones or has blocked the other. Locks the players until the end of the transaction, so that concurrent
/// calls cannot exceed the limit.
async fn check_players(tx: &mut Tx, new: &NewMatch) -> Result<(), StoreError> {
    let seats = [new.players.first.as_str(), new.players.second.as_str()];
    if !RUNS_ALONE {
        // A fixed order, so that concurrent calls do not deadlock.
        let people: Vec<String> = sqlx::query_scalar(
            "SELECT id FROM players WHERE id IN ($1, $2) AND level IS NULL ORDER BY id",
        )
        .bind(seats[0])
        .bind(seats[1])
        .fetch_all(&mut **tx)
        .await?;
        for player in &people {
            serialise(tx, &format!("matches of {player}")).await?;
        }
    }
    let counts = running_counts(&mut **tx, seats, new.created_ms).await?;
    let full = counts.into_iter().find(|(_, counts)| {
        if new.is_untimed_against_bot() {
            counts.untimed_against_bots >= MAX_UNTIMED
        } else {
            counts.counted >= MAX_RUNNING
        }
    });
    if let Some((player, _)) = full {
        return Err(StoreError::TooManyMatches(player));
    }
    if seats[0] == seats[1] {
        return Ok(());
    }
    let is_blocked: bool = sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM blocks WHERE (player_id = $1 AND blocked_id = $2) OR (player_id = $2 AND blocked_id = $1))",
    )
    .bind(seats[0])
    .bind(seats[1])
    .fetch_one(&mut **tx)
    .await?;
    if is_blocked {
        return Err(StoreError::Blocked);
    }
    check_class(tx, (seats[0], seats[1])).await
}

/// Inserts a match, if its players have room for it and none has blocked the other. Its strength is that of the people in it: a computer opponent's rating does not
/// attract spectators.
pub(super) async fn insert_match(tx: &mut Tx, new: &NewMatch) -> Result<(), StoreError> {
    check_players(tx, new).await?;
    let time = TimeColumns::from(new.time_control);
    let ratings = new.ratings.map(|seat| seat.map(|(rating, _)| rating));
    let deviations = new.ratings.map(|seat| seat.map(|(_, deviation)| deviation));
    sqlx::query(
        "INSERT INTO matches (id, game, setup, rated, time_control, base_ms, increment_ms, days, speed,
            takebacks, give_time, phrases, private, due_ms,
            first_id, second_id, first_rating, first_deviation, second_rating, second_deviation,
            strength, rematch_of, created_ms, epoch, free_takebacks, by_challenge, berserk,
            first_extra_ms, second_extra_ms)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
            (SELECT coalesce(sum(CASE p.id WHEN $15 THEN $17 ELSE $19 END), 0.0) FROM players p
                WHERE p.id IN ($15, $16) AND p.level IS NULL),
            $21, $22, 0, $23, coalesce((SELECT before.by_challenge FROM matches before WHERE before.id = $21), $24), $25,
            $26, $27)",
    )
    .bind(new.id.as_str())
    .bind(new.game.text())
    .bind(&new.setup)
    .bind(new.rated)
    .bind(time.time_control)
    .bind(time.base_ms)
    .bind(time.increment_ms)
    .bind(time.days)
    .bind(new.speed.text())
    .bind(new.options.takebacks)
    .bind(new.options.give_time)
    .bind(new.options.phrases)
    .bind(new.private)
    .bind(new.due_ms)
    .bind(new.players.first.as_str())
    .bind(new.players.second.as_str())
    .bind(ratings.first)
    .bind(deviations.first)
    .bind(ratings.second)
    .bind(deviations.second)
    .bind(new.rematch_of.as_ref().map(MatchId::as_str))
    .bind(new.created_ms)
    .bind(new.options.free_takebacks)
    .bind(false)
    .bind(new.options.berserk)
    .bind(int(new.extra_ms.first))
    .bind(int(new.extra_ms.second))
    .execute(&mut **tx)
    .await?;
    Ok(())
}
