//! All of the store whose SQL is the same on both databases, which is nearly all of it.
//!
//! This file is a module of each backend, and so compiled twice: `super::Db` is the database, `super::Backend` the store, and what
//! differs (opening, the append, how a transaction begins, how rows are locked) is in the parent. Both understand `$1`, `RETURNING`,
//! `ON CONFLICT`, row comparisons and `FILTER`; keep to what both do.

#[path = "sql/history.rs"]
pub(super) mod history;

use std::collections::HashSet;

use async_trait::async_trait;
use mawe_rules::{BySide, GameKind, Side};
use sqlx::Transaction;

use super::{Backend, Db};
use crate::ids::{ChallengeId, MatchId, PlayerId};
use crate::protocol::{PlayerKind, Speed};
use crate::store::rows::{
    AbandonmentsRecord, ChallengeRecord, CredentialsRecord, EntryRecord, LeaderboardRecord,
    MatchRecord, PlayerRecord, RatingRecord, ResultRecord, Stored, TallyRecord, TimeColumns,
    id as parsed_id, int, name_key, parsed,
};
use crate::store::{
    Abandonments, Append, Appended, ChallengeRow, ClaimedMatch, LeaderboardRow, MatchCursor,
    MatchFilter, MatchRow, NewChallenge, NewMatch, NewPlayer, Player, RateFn, Rating, RatingRow,
    START_RATING, Store, StoreError, StoredEntry, Tally, admitted, carried_through,
};

type Tx = Transaction<'static, Db>;

/// No match whose clocks run by the second lasts longer, near enough.
const LONGEST_LIVE_MS: i64 = 12 * 60 * 60 * 1_000;

/// Matches as [`MatchRecord`]s: `m`, joined to the players `f` and `s`.
macro_rules! select_matches {
    ($($rest:literal),+) => {
        concat!(
            "SELECT m.id, m.game, m.setup, m.rated, m.time_control, m.base_ms, m.increment_ms, m.days, m.speed,
                m.takebacks, m.give_time, m.phrases, m.private,
                m.first_id, f.name AS first_name, f.kind AS first_kind, f.level AS first_level,
                f.created_ms AS first_created_ms,
                m.second_id, s.name AS second_name, s.kind AS second_kind, s.level AS second_level,
                s.created_ms AS second_created_ms,
                m.first_rating, m.first_deviation, m.second_rating, m.second_deviation,
                m.first_change, m.second_change, m.created_ms, m.finished_ms, m.winner, m.reason,
                m.score_first, m.score_second, m.plies, m.head, m.epoch,
                EXISTS (SELECT 1 FROM outbox o WHERE o.match_id = m.id AND o.effect = 'count') AS owed
            FROM matches m JOIN players f ON f.id = m.first_id JOIN players s ON s.id = m.second_id ",
            $($rest),+
        )
    };
}

use select_matches;

/// Players as [`PlayerRecord`]s: `p`.
macro_rules! select_players {
    ($rest:literal) => {
        concat!(
            "SELECT p.id, p.name, p.kind, p.level, p.created_ms AS player_created_ms FROM players p ",
            $rest
        )
    };
}

/// Challenges as [`ChallengeRecord`]s: `c`, joined to the challenger `p`.
macro_rules! select_challenges {
    ($rest:literal) => {
        concat!(
            "SELECT c.id AS challenge_id, c.game, c.setup, c.side, c.time_control, c.base_ms, c.increment_ms, c.days,
                c.rated, c.takebacks, c.give_time, c.phrases, c.private, c.to_id, c.listed, c.min_rating, c.max_rating,
                c.created_ms, c.expires_ms, c.match_id, c.cancelled, c.declined,
                p.id, p.name, p.kind, p.level, p.created_ms AS player_created_ms
            FROM challenges c JOIN players p ON p.id = c.challenger_id ",
            $rest
        )
    };
}

/// Rows of `ratings` as [`RatingRecord`]s.
macro_rules! select_ratings {
    ($rest:literal) => {
        concat!(
            "SELECT game, speed, rating, deviation, volatility, updated_ms, won, drawn, lost FROM ratings ",
            $rest
        )
    };
}

#[async_trait]
impl Store for Backend {
    async fn append(&self, batch: &[Append]) -> Result<Vec<Appended>, StoreError> {
        let admitted = admitted(batch);
        let candidates: Vec<&Append> = batch
            .iter()
            .zip(&admitted)
            .filter_map(|(append, ok)| ok.then_some(append))
            .collect();
        let done = match self.commit_appends(&candidates).await {
            // One of them names a command a second time. Which, only the database knows, and the others must not suffer for it.
            Err(StoreError::Conflict) => commit_one_by_one(self, &candidates).await?,
            outcome => outcome?,
        };
        let answer = |(append, admitted): (&Append, &bool)| {
            if *admitted && done.contains(append.match_id.as_str()) {
                Appended::Done
            } else {
                Appended::Fenced
            }
        };
        Ok(batch.iter().zip(&admitted).map(answer).collect())
    }

    async fn entries(&self, id: &MatchId, after: u64) -> Result<Vec<StoredEntry>, StoreError> {
        let rows: Vec<EntryRecord> = sqlx::query_as(
            "SELECT seq, epoch, kind, payload, client_id, at_ms FROM entries
            WHERE match_id = $1 AND seq > $2 ORDER BY seq",
        )
        .bind(id.as_str())
        .bind(int(after))
        .fetch_all(self.reader())
        .await?;
        parsed(rows)
    }

    async fn claim_match(
        &self,
        id: &MatchId,
        owner: &str,
    ) -> Result<Option<ClaimedMatch>, StoreError> {
        let (writer, id, owner) = (self.writer().clone(), id.clone(), owner.to_owned());
        carried_through(async move {
            let mut tx = super::begin(&writer).await?;
            // From here on the row is ours, so nothing can be appended before the journal is read.
            sqlx::query(
                "UPDATE matches SET epoch = epoch + 1, owner = $2
                WHERE id = $1 AND finished_ms IS NULL",
            )
            .bind(id.as_str())
            .bind(owner)
            .execute(&mut *tx)
            .await?;
            let row: Option<MatchRecord> = sqlx::query_as(select_matches!("WHERE m.id = $1"))
                .bind(id.as_str())
                .fetch_optional(&mut *tx)
                .await?;
            let Some(row) = row else {
                return Ok(None);
            };
            let row = MatchRow::try_from(row)?;
            let entries: Vec<EntryRecord> = sqlx::query_as(
                "SELECT seq, epoch, kind, payload, client_id, at_ms FROM entries
                WHERE match_id = $1 AND seq <= $2 ORDER BY seq",
            )
            .bind(id.as_str())
            .bind(int(row.head))
            .fetch_all(&mut *tx)
            .await?;
            let entries: Vec<StoredEntry> = parsed(entries)?;
            // Every append moved the head by as many entries as it wrote.
            if !(1..=row.head).eq(entries.iter().map(|entry| entry.seq)) {
                let detail = format!("{} has a gap before its head {}", row.id, row.head);
                return Err(StoreError::Damaged {
                    what: "journal",
                    detail,
                });
            }
            commit(tx).await?;
            Ok(Some(ClaimedMatch { row, entries }))
        })
        .await
    }

    async fn create_match(&self, new: &NewMatch) -> Result<(), StoreError> {
        let (writer, new) = (self.writer().clone(), new.clone());
        carried_through(async move {
            let mut tx = super::begin(&writer).await?;
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
        limit: u32,
    ) -> Result<Vec<MatchRow>, StoreError> {
        let query = match game {
            None => sqlx::query_as(select_matches!(
                "WHERE m.finished_ms IS NULL AND NOT m.private
                ORDER BY m.strength DESC, m.created_ms DESC, m.id DESC LIMIT $1"
            ))
            .bind(i64::from(limit)),
            Some(game) => sqlx::query_as(select_matches!(
                "WHERE m.finished_ms IS NULL AND NOT m.private AND m.game = $2
                ORDER BY m.strength DESC, m.created_ms DESC, m.id DESC LIMIT $1"
            ))
            .bind(i64::from(limit))
            .bind(game.text()),
        };
        let rows: Vec<MatchRecord> = query.fetch_all(self.reader()).await?;
        parsed(rows)
    }

    async fn running_matches_of(
        &self,
        player: &PlayerId,
        limit: u32,
    ) -> Result<Vec<MatchRow>, StoreError> {
        // One arm a seat, each a walk along its own index; a match against oneself is in the first arm only.
        let rows: Vec<MatchRecord> = sqlx::query_as(select_matches!(
            "JOIN (
                SELECT * FROM (
                    SELECT id FROM matches WHERE first_id = $1 AND finished_ms IS NULL
                    ORDER BY created_ms DESC, id DESC LIMIT $2) AS at_first
                UNION ALL
                SELECT * FROM (
                    SELECT id FROM matches WHERE second_id = $1 AND first_id <> $1 AND finished_ms IS NULL
                    ORDER BY created_ms DESC, id DESC LIMIT $2) AS at_second
            ) AS page ON page.id = m.id
            ORDER BY m.created_ms DESC, m.id DESC LIMIT $2"
        ))
        .bind(player.as_str())
        .bind(i64::from(limit))
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
        history::matches_of(self, filter, cursor, limit).await
    }

    async fn create_player(&self, new: &NewPlayer) -> Result<(), StoreError> {
        let (writer, new) = (self.writer().clone(), new.clone());
        carried_through(async move {
            let mut tx = super::begin(&writer).await?;
            sqlx::query(
                "INSERT INTO players (id, name, name_key, kind, level, password_hash, created_ms)
                VALUES ($1, $2, $3, $4, $5, $6, $7)",
            )
            .bind(new.player.id.as_str())
            .bind(&new.player.name)
            .bind(name_key(&new.player.name))
            .bind(new.player.kind.text())
            .bind(new.player.level.map(i64::from))
            .bind(&new.password_hash)
            .bind(new.player.created_ms)
            .execute(&mut *tx)
            .await?;
            commit(tx).await
        })
        .await
    }

    async fn register_guest(
        &self,
        guest: &PlayerId,
        name: &str,
        password_hash: &str,
    ) -> Result<Player, StoreError> {
        let (writer, guest) = (self.writer().clone(), guest.clone());
        let (name, password_hash) = (name.to_owned(), password_hash.to_owned());
        carried_through(async move {
            let mut tx = super::begin(&writer).await?;
            let player: Option<PlayerRecord> = sqlx::query_as(
                "UPDATE players SET name = $2, name_key = $3, password_hash = $4, kind = $5
                WHERE id = $1 AND kind = $6
                RETURNING id, name, kind, level, created_ms AS player_created_ms",
            )
            .bind(guest.as_str())
            .bind(&name)
            .bind(name_key(&name))
            .bind(password_hash)
            .bind(PlayerKind::Account.text())
            .bind(PlayerKind::Guest.text())
            .fetch_optional(&mut *tx)
            .await?;
            let player = player.ok_or(StoreError::NotFound)?.try_into()?;
            commit(tx).await?;
            Ok(player)
        })
        .await
    }

    async fn ensure_bot(&self, level: u8, name: &str, now_ms: i64) -> Result<Player, StoreError> {
        let (writer, name) = (self.writer().clone(), name.to_owned());
        carried_through(async move {
            let mut tx = super::begin(&writer).await?;
            // A bot of this level and somebody with this name are both conflicts that leave things as they are.
            sqlx::query(
                "INSERT INTO players (id, name, name_key, kind, level, created_ms)
                VALUES ($1, $2, $3, 'bot', $4, $5) ON CONFLICT DO NOTHING",
            )
            .bind(PlayerId::random().as_str())
            .bind(&name)
            .bind(name_key(&name))
            .bind(i64::from(level))
            .bind(now_ms)
            .execute(&mut *tx)
            .await?;
            let bot: Option<PlayerRecord> =
                sqlx::query_as(select_players!("WHERE p.kind = 'bot' AND p.level = $1"))
                    .bind(i64::from(level))
                    .fetch_optional(&mut *tx)
                    .await?;
            let bot = bot.ok_or(StoreError::Conflict)?.try_into()?;
            commit(tx).await?;
            Ok(bot)
        })
        .await
    }

    async fn find_player(&self, id: &PlayerId) -> Result<Option<Player>, StoreError> {
        let row: Option<PlayerRecord> = sqlx::query_as(select_players!("WHERE p.id = $1"))
            .bind(id.as_str())
            .fetch_optional(self.reader())
            .await?;
        row.map(Player::try_from).transpose()
    }

    async fn find_player_by_name(&self, name: &str) -> Result<Option<Player>, StoreError> {
        let row: Option<PlayerRecord> = sqlx::query_as(select_players!("WHERE p.name_key = $1"))
            .bind(name_key(name))
            .fetch_optional(self.reader())
            .await?;
        row.map(Player::try_from).transpose()
    }

    async fn credentials(&self, name: &str) -> Result<Option<(Player, String)>, StoreError> {
        let row: Option<CredentialsRecord> = sqlx::query_as(
            "SELECT id, name, kind, level, created_ms AS player_created_ms, password_hash FROM players
            WHERE name_key = $1 AND kind = $2 AND password_hash IS NOT NULL",
        )
        .bind(name_key(name))
        .bind(PlayerKind::Account.text())
        .fetch_optional(self.reader())
        .await?;
        row.map(|row| Ok((row.player.try_into()?, row.password_hash)))
            .transpose()
    }

    async fn create_session(
        &self,
        token_hash: &[u8; 32],
        player: &PlayerId,
        now_ms: i64,
        expires_ms: i64,
    ) -> Result<(), StoreError> {
        let (writer, token_hash) = (self.writer().clone(), token_hash.to_vec());
        let player = player.clone();
        carried_through(async move {
            let mut tx = super::begin(&writer).await?;
            // Whoever comes sweeps away who has gone, so that the table does not grow for ever.
            sqlx::query("DELETE FROM sessions WHERE expires_ms <= $1")
                .bind(now_ms)
                .execute(&mut *tx)
                .await?;
            sqlx::query(
                "INSERT INTO sessions (token_hash, player_id, created_ms, expires_ms)
                VALUES ($1, $2, $3, $4)",
            )
            .bind(token_hash)
            .bind(player.as_str())
            .bind(now_ms)
            .bind(expires_ms)
            .execute(&mut *tx)
            .await?;
            commit(tx).await
        })
        .await
    }

    async fn session_player(
        &self,
        token_hash: &[u8; 32],
        now_ms: i64,
    ) -> Result<Option<Player>, StoreError> {
        let row: Option<PlayerRecord> = sqlx::query_as(select_players!(
            "JOIN sessions t ON t.player_id = p.id WHERE t.token_hash = $1 AND t.expires_ms > $2"
        ))
        .bind(token_hash.to_vec())
        .bind(now_ms)
        .fetch_optional(self.reader())
        .await?;
        row.map(Player::try_from).transpose()
    }

    async fn delete_session(&self, token_hash: &[u8; 32]) -> Result<(), StoreError> {
        let (writer, token_hash) = (self.writer().clone(), token_hash.to_vec());
        carried_through(async move {
            let mut tx = super::begin(&writer).await?;
            sqlx::query("DELETE FROM sessions WHERE token_hash = $1")
                .bind(token_hash)
                .execute(&mut *tx)
                .await?;
            commit(tx).await
        })
        .await
    }

    async fn create_challenge(&self, new: &NewChallenge) -> Result<(), StoreError> {
        let (writer, new) = (self.writer().clone(), new.clone());
        carried_through(async move {
            let mut tx = super::begin(&writer).await?;
            let time = TimeColumns::from(new.time_control);
            sqlx::query(
                "INSERT INTO challenges (id, challenger_id, game, setup, side, time_control, base_ms,
                    increment_ms, days, rated, takebacks, give_time, phrases, private, to_id, listed,
                    min_rating, max_rating, created_ms, expires_ms, cancelled)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)",
            )
            .bind(new.id.as_str())
            .bind(new.challenger.as_str())
            .bind(new.game.text())
            .bind(&new.setup)
            .bind(new.side.map(Stored::text))
            .bind(time.time_control)
            .bind(time.base_ms)
            .bind(time.increment_ms)
            .bind(time.days)
            .bind(new.rated)
            .bind(new.options.takebacks)
            .bind(new.options.give_time)
            .bind(new.options.phrases)
            .bind(new.private)
            .bind(new.to.as_ref().map(PlayerId::as_str))
            .bind(new.listed)
            .bind(new.rating_range.0.map(i64::from))
            .bind(new.rating_range.1.map(i64::from))
            .bind(new.created_ms)
            .bind(new.expires_ms)
            .bind(false)
            .execute(&mut *tx)
            .await?;
            commit(tx).await
        })
        .await
    }

    async fn find_challenge(&self, id: &ChallengeId) -> Result<Option<ChallengeRow>, StoreError> {
        let row: Option<ChallengeRecord> = sqlx::query_as(select_challenges!("WHERE c.id = $1"))
            .bind(id.as_str())
            .fetch_optional(self.reader())
            .await?;
        row.map(ChallengeRow::try_from).transpose()
    }

    async fn accept_challenge(
        &self,
        id: &ChallengeId,
        new: &NewMatch,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        let (writer, id, new) = (self.writer().clone(), id.clone(), new.clone());
        carried_through(async move {
            let mut tx = super::begin(&writer).await?;
            insert_match(&mut tx, &new).await?;
            // Of two who accept at once the second waits here for the first, and then finds the match set.
            let accepted = sqlx::query(
                "UPDATE challenges SET match_id = $2
                WHERE id = $1 AND match_id IS NULL AND NOT cancelled AND declined IS NULL AND expires_ms > $3",
            )
            .bind(id.as_str())
            .bind(new.id.as_str())
            .bind(now_ms)
            .execute(&mut *tx)
            .await?;
            if accepted.rows_affected() == 1 {
                commit(tx).await
            } else {
                Err(why_not_open(&mut tx, &id).await?)
            }
        })
        .await
    }

    async fn cancel_challenge(&self, id: &ChallengeId) -> Result<(), StoreError> {
        let (writer, id) = (self.writer().clone(), id.clone());
        carried_through(async move {
            let mut tx = super::begin(&writer).await?;
            let cancelled = sqlx::query(
                "UPDATE challenges SET cancelled = $2
                WHERE id = $1 AND match_id IS NULL AND NOT cancelled AND declined IS NULL",
            )
            .bind(id.as_str())
            .bind(true)
            .execute(&mut *tx)
            .await?;
            if cancelled.rows_affected() == 1 {
                commit(tx).await
            } else {
                Err(why_not_open(&mut tx, &id).await?)
            }
        })
        .await
    }

    async fn open_seeks(
        &self,
        of: Option<&PlayerId>,
        now_ms: i64,
        limit: u32,
    ) -> Result<Vec<ChallengeRow>, StoreError> {
        let query = match of {
            None => sqlx::query_as(select_challenges!(
                "WHERE c.listed AND c.match_id IS NULL AND NOT c.cancelled AND c.declined IS NULL AND c.expires_ms > $1
                ORDER BY c.created_ms DESC, c.id LIMIT $2"
            ))
            .bind(now_ms)
            .bind(i64::from(limit)),
            Some(player) => sqlx::query_as(select_challenges!(
                "WHERE c.challenger_id = $3 AND c.listed AND c.match_id IS NULL AND NOT c.cancelled AND c.declined IS NULL
                    AND c.expires_ms > $1
                ORDER BY c.created_ms DESC, c.id LIMIT $2"
            ))
            .bind(now_ms)
            .bind(i64::from(limit))
            .bind(player.as_str()),
        };
        let rows: Vec<ChallengeRecord> = query.fetch_all(self.reader()).await?;
        parsed(rows)
    }

    async fn cancel_live_seeks(&self, of: &PlayerId) -> Result<u64, StoreError> {
        let (writer, of) = (self.writer().clone(), of.clone());
        carried_through(async move {
            let mut tx = super::begin(&writer).await?;
            let cancelled = sqlx::query(
                "UPDATE challenges SET cancelled = $2
                WHERE challenger_id = $1 AND listed AND time_control = 'realtime'
                    AND match_id IS NULL AND NOT cancelled AND declined IS NULL",
            )
            .bind(of.as_str())
            .bind(true)
            .execute(&mut *tx)
            .await?;
            commit(tx).await?;
            Ok(cancelled.rows_affected())
        })
        .await
    }

    async fn abandonments(
        &self,
        player: &PlayerId,
        since_ms: i64,
    ) -> Result<Abandonments, StoreError> {
        // One arm a seat, each a walk along its own index: a match that is walked away from ends soon after it began.
        let row: AbandonmentsRecord = sqlx::query_as(
            "SELECT count(*) AS times, max(finished_ms) AS last_ms
            FROM (
                SELECT finished_ms FROM matches m JOIN players o ON o.id = m.second_id
                WHERE m.first_id = $1 AND m.second_id <> $1 AND o.kind <> 'bot' AND m.speed <> 'daily'
                    AND m.created_ms >= $3 AND m.finished_ms >= $2
                    AND ((reason = 'abandoned' AND winner = 'second') OR (reason = 'no-show' AND plies = 0))
                UNION ALL
                SELECT finished_ms FROM matches m JOIN players o ON o.id = m.first_id
                WHERE m.second_id = $1 AND m.first_id <> $1 AND o.kind <> 'bot' AND m.speed <> 'daily'
                    AND m.created_ms >= $3 AND m.finished_ms >= $2
                    AND ((reason = 'abandoned' AND winner = 'first') OR (reason = 'no-show' AND plies = 1))
            ) AS walked_away",
        )
        .bind(player.as_str())
        .bind(since_ms)
        .bind(since_ms.saturating_sub(LONGEST_LIVE_MS))
        .fetch_one(self.reader())
        .await?;
        row.try_into()
    }

    async fn rating(
        &self,
        player: &PlayerId,
        game: GameKind,
        speed: Speed,
    ) -> Result<Option<RatingRow>, StoreError> {
        let row: Option<RatingRecord> = sqlx::query_as(select_ratings!(
            "WHERE player_id = $1 AND game = $2 AND speed = $3"
        ))
        .bind(player.as_str())
        .bind(game.text())
        .bind(speed.text())
        .fetch_optional(self.reader())
        .await?;
        row.map(RatingRow::try_from).transpose()
    }

    async fn ratings_of(&self, player: &PlayerId) -> Result<Vec<RatingRow>, StoreError> {
        let rows: Vec<RatingRecord> =
            sqlx::query_as(select_ratings!("WHERE player_id = $1 ORDER BY game, speed"))
                .bind(player.as_str())
                .fetch_all(self.reader())
                .await?;
        parsed(rows)
    }

    async fn tally_of(&self, player: &PlayerId) -> Result<Tally, StoreError> {
        let row: TallyRecord = sqlx::query_as(
            "SELECT count(*) FILTER (WHERE winner = side) AS won,
                count(*) FILTER (WHERE winner IS NULL) AS drawn,
                count(*) FILTER (WHERE winner <> side) AS lost
            FROM (
                SELECT winner, reason, 'first' AS side FROM matches
                WHERE first_id = $1 AND finished_ms IS NOT NULL
                UNION ALL
                SELECT winner, reason, 'second' AS side FROM matches
                WHERE second_id = $1 AND finished_ms IS NOT NULL
            ) AS played WHERE reason <> 'aborted'",
        )
        .bind(player.as_str())
        .fetch_one(self.reader())
        .await?;
        row.try_into()
    }

    async fn leaderboard(
        &self,
        game: GameKind,
        speed: Speed,
        max_deviation: f64,
        offset: u32,
        limit: u32,
    ) -> Result<Vec<LeaderboardRow>, StoreError> {
        let rows: Vec<LeaderboardRecord> = sqlx::query_as(
            "SELECT p.id, p.name, p.kind, p.level, p.created_ms AS player_created_ms,
                r.game, r.speed, r.rating, r.deviation, r.volatility, r.updated_ms, r.won, r.drawn, r.lost
            FROM ratings r JOIN players p ON p.id = r.player_id
            WHERE r.game = $1 AND r.speed = $2 AND r.deviation <= $3
            ORDER BY r.rating DESC, r.player_id LIMIT $5 OFFSET $4",
        )
        .bind(game.text())
        .bind(speed.text())
        .bind(max_deviation)
        .bind(i64::from(offset))
        .bind(i64::from(limit))
        .fetch_all(self.reader())
        .await?;
        parsed(rows)
    }

    async fn uncounted_matches(&self, limit: u32) -> Result<Vec<MatchId>, StoreError> {
        let ids: Vec<String> = sqlx::query_scalar(
            "SELECT match_id FROM outbox WHERE effect = 'count' ORDER BY created_ms, match_id LIMIT $1",
        )
        .bind(i64::from(limit))
        .fetch_all(self.reader())
        .await?;
        ids.into_iter().map(match_id).collect()
    }

    async fn count_match(&self, id: &MatchId, rate: RateFn) -> Result<bool, StoreError> {
        let (writer, id) = (self.writer().clone(), id.clone());
        carried_through(async move {
            let mut tx = super::begin(&writer).await?;
            // Of two who settle at once the second waits here for the first, and then finds nothing owed.
            let paid = sqlx::query("DELETE FROM outbox WHERE match_id = $1 AND effect = 'count'")
                .bind(id.as_str())
                .execute(&mut *tx)
                .await?;
            if paid.rows_affected() == 0 {
                return Ok(false);
            }
            count(&mut tx, &id, rate).await?;
            commit(tx).await?;
            Ok(true)
        })
        .await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        sqlx::query("SELECT 1").execute(self.reader()).await?;
        Ok(())
    }

    async fn close(&self) {
        self.shut().await;
    }
}

/// Each append in a commit of its own, so that one that the database refuses is refused alone.
async fn commit_one_by_one(
    store: &Backend,
    candidates: &[&Append],
) -> Result<HashSet<String>, StoreError> {
    let mut done = HashSet::new();
    for append in candidates {
        match store.commit_appends(&[append]).await {
            Ok(one) => done.extend(one),
            Err(StoreError::Conflict) => {
                tracing::error!(match_id = %append.match_id, "an entry was to be written twice and was refused");
            }
            // Some of the batch is written, so it is no longer true that nothing is.
            Err(StoreError::Unavailable(cause)) => return Err(StoreError::OutcomeUnknown(cause)),
            Err(other) => return Err(other),
        }
    }
    Ok(done)
}

async fn insert_match(tx: &mut Tx, new: &NewMatch) -> Result<(), StoreError> {
    let time = TimeColumns::from(new.time_control);
    let ratings = new.ratings.map(|seat| seat.map(|(rating, _)| rating));
    let deviations = new.ratings.map(|seat| seat.map(|(_, deviation)| deviation));
    sqlx::query(
        "INSERT INTO matches (id, game, setup, rated, time_control, base_ms, increment_ms, days, speed,
            takebacks, give_time, phrases, private, due_ms,
            first_id, second_id, first_rating, first_deviation, second_rating, second_deviation,
            strength, rematch_of, created_ms, head, epoch)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23,
            0, 0)",
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
    .bind(ratings.first.unwrap_or(0.0) + ratings.second.unwrap_or(0.0))
    .bind(new.rematch_of.as_ref().map(MatchId::as_str))
    .bind(new.created_ms)
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Why a challenge could not be taken: it is not open, or not there.
async fn why_not_open(tx: &mut Tx, id: &ChallengeId) -> Result<StoreError, StoreError> {
    let found: Option<String> = sqlx::query_scalar("SELECT id FROM challenges WHERE id = $1")
        .bind(id.as_str())
        .fetch_optional(&mut **tx)
        .await?;
    Ok(found.map_or(StoreError::NotFound, |_| StoreError::Conflict))
}

/// Everything that a finished match changes beside itself, but for the debt.
async fn count(tx: &mut Tx, id: &MatchId, rate: RateFn) -> Result<(), StoreError> {
    let result: ResultRecord = sqlx::query_as(
        "SELECT game, speed, first_id, second_id, winner, finished_ms, rated FROM matches WHERE id = $1",
    )
    .bind(id.as_str())
    .fetch_one(&mut **tx)
    .await?;
    if result.rated {
        count_rating(tx, id, &result, rate).await?;
    }
    Ok(())
}

/// Ratings, history and the match's own changes.
async fn count_rating(
    tx: &mut Tx,
    id: &MatchId,
    result: &ResultRecord,
    rate: RateFn,
) -> Result<(), StoreError> {
    let winner = result.winner.as_deref().map(Side::from_text).transpose()?;
    let players = BySide::new(result.first_id.as_str(), result.second_id.as_str());

    if let Some(lock) = super::LOCK_PLAYERS {
        sqlx::query(lock)
            .bind(players.first)
            .bind(players.second)
            .execute(&mut **tx)
            .await?;
    }
    let mut before: BySide<Option<Rating>> = BySide::default();
    for side in Side::ALL {
        let row: Option<RatingRecord> = sqlx::query_as(select_ratings!(
            "WHERE player_id = $1 AND game = $2 AND speed = $3"
        ))
        .bind(players[side])
        .bind(&result.game)
        .bind(&result.speed)
        .fetch_optional(&mut **tx)
        .await?;
        before[side] = row
            .map(RatingRow::try_from)
            .transpose()?
            .map(|row| row.rating);
    }

    let after = rate(before, winner, result.finished_ms);
    for side in Side::ALL {
        let seat = RatedSeat {
            side,
            player: players[side],
            opponent: players[side.other()],
            before: before[side],
            after: after[side],
            won: winner.map(|winner| winner == side),
        };
        write_rating(tx, result, &seat).await?;
        write_history(tx, id, result, &seat).await?;
    }

    let change =
        |side: Side| after[side].rating - before[side].map_or(START_RATING, |before| before.rating);
    sqlx::query("UPDATE matches SET first_change = $2, second_change = $3 WHERE id = $1")
        .bind(id.as_str())
        .bind(change(Side::First))
        .bind(change(Side::Second))
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// What a match did to the rating of the player at one of its seats.
struct RatedSeat<'a> {
    side: Side,
    player: &'a str,
    opponent: &'a str,
    before: Option<Rating>,
    after: Rating,
    /// `None` for a draw.
    won: Option<bool>,
}

async fn write_rating(
    tx: &mut Tx,
    result: &ResultRecord,
    seat: &RatedSeat<'_>,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO ratings (player_id, game, speed, rating, deviation, volatility, updated_ms,
            won, drawn, lost)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        ON CONFLICT (player_id, game, speed) DO UPDATE SET rating = excluded.rating,
            deviation = excluded.deviation, volatility = excluded.volatility, updated_ms = excluded.updated_ms,
            won = ratings.won + excluded.won, drawn = ratings.drawn + excluded.drawn,
            lost = ratings.lost + excluded.lost",
    )
    .bind(seat.player)
    .bind(&result.game)
    .bind(&result.speed)
    .bind(seat.after.rating)
    .bind(seat.after.deviation)
    .bind(seat.after.volatility)
    .bind(result.finished_ms)
    .bind(i64::from(seat.won == Some(true)))
    .bind(i64::from(seat.won.is_none()))
    .bind(i64::from(seat.won == Some(false)))
    .execute(&mut **tx)
    .await?;
    Ok(())
}

async fn write_history(
    tx: &mut Tx,
    id: &MatchId,
    result: &ResultRecord,
    seat: &RatedSeat<'_>,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO rating_history (match_id, side, player_id, opponent_id, game, speed, score,
            rating_before, deviation_before, volatility_before,
            rating_after, deviation_after, volatility_after, at_ms)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
    )
    .bind(id.as_str())
    .bind(seat.side.text())
    .bind(seat.player)
    .bind(seat.opponent)
    .bind(&result.game)
    .bind(&result.speed)
    .bind(seat.won.map_or(0.5, |won| if won { 1.0 } else { 0.0 }))
    .bind(seat.before.map(|before| before.rating))
    .bind(seat.before.map(|before| before.deviation))
    .bind(seat.before.map(|before| before.volatility))
    .bind(seat.after.rating)
    .bind(seat.after.deviation)
    .bind(seat.after.volatility)
    .bind(result.finished_ms)
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Commits; what goes wrong with the line now leaves the outcome open.
async fn commit(tx: Tx) -> Result<(), StoreError> {
    tx.commit().await.map_err(super::broken_commit)
}

fn match_id(text: String) -> Result<MatchId, StoreError> {
    parsed_id("match id", text)
}
