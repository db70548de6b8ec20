//! Queries for clubs. The changes are in `club_changes`.

use async_trait::async_trait;
use mawe_wire::clubs::ClubStanding;
use mawe_wire::ids::{ClubId, PlayerId};

use super::backend::{Backend, begin, called_off_in_sql, commit};
use super::club_changes::{change, found, moderate};
use super::players::can_be_stored;
use crate::detached::detached;
use crate::rows::{
    ClubInvitationRecord, ClubLogRecord, ClubMemberRecord, ClubOfRecord, ClubRecord,
    ClubRequestRecord, LeaderboardRecord, PlayerRecord, StandingRecord, Stored, int, name_key,
    parsed,
};
use crate::{
    Attribution, CLUBS_SEARCHED, ClubBoard, ClubChange, ClubChanged, ClubCursor, ClubInvitation,
    ClubLimits, ClubLogRow, ClubMember, ClubModeration, ClubOf, ClubOfCursor, ClubPlayerCursor,
    ClubRequest, ClubRow, Clubs, LeaderboardRow, MatchCursor, MatchRow, NewClub, Player,
    StoreError,
};

/// The columns of a `ClubRecord`: the club `c` and its founder `p`.
macro_rules! club_columns {
    () => {
        "c.id AS club_id, c.handle, c.kind AS club_kind, c.name AS club_name, c.joining, c.descriptions, c.banner, c.members,
            c.created_ms AS club_created_ms, p.id, p.name, p.kind, p.level, p.display_name, p.avatar, p.flag, p.created_ms AS player_created_ms"
    };
}

/// Selects a page of a player's clubs as `ClubOfRecord`s, along the index on time of the table `$table`.
macro_rules! select_clubs_of {
    ($table:literal, $officer:literal, $rest:literal) => {
        concat!(
            "SELECT ",
            club_columns!(),
            ", r.since_ms, ",
            $officer,
            " AS officer FROM ",
            $table,
            " r JOIN clubs c ON c.id = r.club_id JOIN players p ON p.id = c.founder_id
            WHERE r.player_id = $1 AND (r.since_ms, r.club_id) < ($2, $3) ",
            $rest,
            " ORDER BY r.since_ms DESC, r.club_id DESC LIMIT $4"
        )
    };
}

/// Selects a page of players of a club, the latest first.
macro_rules! select_players_of {
    ($columns:literal, $tables:literal) => {
        concat!(
            "SELECT p.id, p.name, p.kind, p.level, p.display_name, p.avatar, p.flag, p.created_ms AS player_created_ms, r.since_ms, ",
            $columns,
            " FROM ",
            $tables,
            " WHERE r.club_id = $1 AND (r.since_ms, r.player_id) < ($2, $3) ORDER BY r.since_ms DESC, r.player_id DESC LIMIT $4"
        )
    };
}

#[async_trait]
impl Clubs for Backend {
    async fn found_club(&self, new: &NewClub, limits: &ClubLimits) -> Result<(), StoreError> {
        let (writer, new, limits) = (self.writer().clone(), new.clone(), *limits);
        detached(async move {
            let mut tx = begin(&writer).await?;
            found(&mut tx, &new, &limits).await?;
            commit(tx).await
        })
        .await
    }

    async fn change_club(
        &self,
        club: &ClubId,
        by: &PlayerId,
        what: &ClubChange,
        limits: &ClubLimits,
        now_ms: i64,
    ) -> Result<ClubChanged, StoreError> {
        let (writer, club, by) = (self.writer().clone(), club.clone(), by.clone());
        let (what, limits) = (what.clone(), *limits);
        detached(async move {
            let mut tx = begin(&writer).await?;
            let changed = change(&mut tx, (&club, &by), &what, &limits, now_ms).await?;
            commit(tx).await?;
            Ok(changed)
        })
        .await
    }

    async fn moderate_club(
        &self,
        club: &ClubId,
        what: &ClubModeration,
        attribution: &Attribution,
    ) -> Result<ClubChanged, StoreError> {
        let (writer, club) = (self.writer().clone(), club.clone());
        let (what, attribution) = (what.clone(), attribution.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            let changed = moderate(&mut tx, &club, &what, &attribution).await?;
            commit(tx).await?;
            Ok(changed)
        })
        .await
    }

    async fn find_club(&self, handle: &str) -> Result<Option<ClubRow>, StoreError> {
        if !can_be_stored(handle) {
            return Ok(None);
        }
        let row: Option<ClubRecord> = sqlx::query_as(concat!(
            "SELECT ",
            club_columns!(),
            " FROM clubs c JOIN players p ON p.id = c.founder_id WHERE c.handle_key = $1"
        ))
        .bind(name_key(handle))
        .fetch_optional(self.reader())
        .await?;
        row.map(ClubRow::try_from).transpose()
    }

    async fn club_standing(
        &self,
        club: &ClubId,
        player: &PlayerId,
    ) -> Result<ClubStanding, StoreError> {
        let row: StandingRecord = sqlx::query_as(
            "SELECT (SELECT officer FROM club_members WHERE club_id = $1 AND player_id = $2) AS officer,
                EXISTS (SELECT 1 FROM club_invitations WHERE club_id = $1 AND player_id = $2 AND NOT hidden) AS invited,
                EXISTS (SELECT 1 FROM club_requests WHERE club_id = $1 AND player_id = $2) AS requested",
        )
        .bind(club.as_str())
        .bind(player.as_str())
        .fetch_one(self.reader())
        .await?;
        Ok(row.into())
    }

    async fn share_club(&self, one: &PlayerId, other: &PlayerId) -> Result<bool, StoreError> {
        let shared = sqlx::query_scalar(
            "SELECT EXISTS (SELECT 1 FROM club_members m JOIN club_members o ON o.club_id = m.club_id AND o.player_id = $2
                WHERE m.player_id = $1)",
        )
        .bind(one.as_str())
        .bind(other.as_str())
        .fetch_one(self.reader())
        .await?;
        Ok(shared)
    }

    async fn public_clubs(
        &self,
        search: &str,
        after: Option<&ClubCursor>,
        limit: u32,
    ) -> Result<Vec<ClubRow>, StoreError> {
        if !can_be_stored(search) {
            return Ok(Vec::new());
        }
        let escaped = name_key(search).replace('\\', "\\\\");
        let escaped = escaped.replace('%', "\\%").replace('_', "\\_");
        let rows: Vec<ClubRecord> = sqlx::query_as(concat!(
            "SELECT ",
            club_columns!(),
            " FROM (SELECT id, members FROM (SELECT id, members, find_key FROM clubs
                    WHERE joining <> 'invitation' AND (members, id) < ($1, $2) ORDER BY members DESC, id DESC LIMIT $5) AS at_largest
                WHERE find_key LIKE $3 ESCAPE '\\' ORDER BY members DESC, id DESC LIMIT $4) AS page
            JOIN clubs c ON c.id = page.id JOIN players p ON p.id = c.founder_id ORDER BY page.members DESC, page.id DESC"
        ))
        .bind(after.map_or(i64::MAX, |after| i64::from(after.members)))
        .bind(after.map_or("", |after| after.id.as_str()))
        .bind(format!("%{escaped}%"))
        .bind(i64::from(limit))
        .bind(i64::from(CLUBS_SEARCHED))
        .fetch_all(self.reader())
        .await?;
        parsed(rows)
    }

    async fn clubs_of(
        &self,
        player: &PlayerId,
        public: bool,
        after: Option<&ClubOfCursor>,
        limit: u32,
    ) -> Result<Vec<ClubOf>, StoreError> {
        let sql = if public {
            select_clubs_of!("club_members", "officer", "AND c.joining <> 'invitation'")
        } else {
            select_clubs_of!("club_members", "officer", "")
        };
        self.clubs_page(sql, (player, ClubStanding::Member), after, limit)
            .await
    }

    async fn club_requests_of(
        &self,
        player: &PlayerId,
        after: Option<&ClubOfCursor>,
        limit: u32,
    ) -> Result<Vec<ClubOf>, StoreError> {
        let sql = select_clubs_of!("club_requests", "(1 = 0)", "");
        self.clubs_page(sql, (player, ClubStanding::Requested), after, limit)
            .await
    }

    async fn club_invitations_of(
        &self,
        player: &PlayerId,
        after: Option<&ClubOfCursor>,
        limit: u32,
    ) -> Result<Vec<ClubOf>, StoreError> {
        let sql = select_clubs_of!("club_invitations", "(1 = 0)", "AND NOT r.hidden");
        self.clubs_page(sql, (player, ClubStanding::Invited), after, limit)
            .await
    }

    async fn club_members(
        &self,
        club: &ClubId,
        reader: Option<&PlayerId>,
        after: Option<&ClubPlayerCursor>,
        limit: u32,
    ) -> Result<Vec<ClubMember>, StoreError> {
        let rows: Vec<ClubMemberRecord> = sqlx::query_as(
            "SELECT p.id, p.name, p.kind, p.level, p.display_name, p.avatar, p.flag, p.created_ms AS player_created_ms, r.officer, r.since_ms,
                EXISTS (SELECT 1 FROM blocks b WHERE b.player_id = p.id AND b.blocked_id = $5) AS blocked_by,
                EXISTS (SELECT 1 FROM pupils q WHERE q.player_id = p.id AND q.club_id = $1) AS pupil
            FROM club_members r JOIN players p ON p.id = r.player_id
            WHERE r.club_id = $1 AND (r.since_ms, r.player_id) > ($2, $3) ORDER BY r.since_ms, r.player_id LIMIT $4",
        )
        .bind(club.as_str())
        .bind(after.map_or(i64::MIN, |after| after.since_ms))
        .bind(after.map_or("", |after| after.player.as_str()))
        .bind(i64::from(limit))
        .bind(reader.map(PlayerId::as_str))
        .fetch_all(self.reader())
        .await?;
        parsed(rows)
    }

    async fn club_officers(&self, club: &ClubId) -> Result<Vec<Player>, StoreError> {
        let rows: Vec<PlayerRecord> = sqlx::query_as(
            "SELECT p.id, p.name, p.kind, p.level, p.display_name, p.avatar, p.flag, p.created_ms AS player_created_ms
            FROM club_members r JOIN players p ON p.id = r.player_id WHERE r.club_id = $1 AND r.officer",
        )
        .bind(club.as_str())
        .fetch_all(self.reader())
        .await?;
        // Sorted here, for the few rows: Postgres would rather walk along the names of all players.
        let mut officers: Vec<Player> = parsed(rows)?;
        officers.sort_by_cached_key(|officer| name_key(&officer.name));
        Ok(officers)
    }

    async fn club_requests(
        &self,
        club: &ClubId,
        after: Option<&ClubPlayerCursor>,
        limit: u32,
    ) -> Result<Vec<ClubRequest>, StoreError> {
        let sql = select_players_of!(
            "r.line",
            "club_requests r JOIN players p ON p.id = r.player_id"
        );
        let rows: Vec<ClubRequestRecord> = sqlx::query_as(sql)
            .bind(club.as_str())
            .bind(after.map_or(i64::MAX, |after| after.since_ms))
            .bind(after.map_or("", |after| after.player.as_str()))
            .bind(i64::from(limit))
            .fetch_all(self.reader())
            .await?;
        parsed(rows)
    }

    async fn club_invitations(
        &self,
        club: &ClubId,
        after: Option<&ClubPlayerCursor>,
        limit: u32,
    ) -> Result<Vec<ClubInvitation>, StoreError> {
        let sql = select_players_of!(
            "b.name AS by_name",
            "club_invitations r JOIN players p ON p.id = r.player_id JOIN players b ON b.id = r.by_id"
        );
        let rows: Vec<ClubInvitationRecord> = sqlx::query_as(sql)
            .bind(club.as_str())
            .bind(after.map_or(i64::MAX, |after| after.since_ms))
            .bind(after.map_or("", |after| after.player.as_str()))
            .bind(i64::from(limit))
            .fetch_all(self.reader())
            .await?;
        parsed(rows)
    }

    async fn club_log(
        &self,
        club: &ClubId,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Vec<ClubLogRow>, StoreError> {
        let rows: Vec<ClubLogRecord> = sqlx::query_as(
            "SELECT l.number, l.at_ms, a.name AS actor, l.action, p.name AS about, l.detail
            FROM club_log l LEFT JOIN players a ON a.id = l.actor_id LEFT JOIN players p ON p.id = l.about_id
            WHERE l.club_id = $1 AND l.number < $2 ORDER BY l.number DESC LIMIT $3",
        )
        .bind(club.as_str())
        .bind(before.map_or(i64::MAX, int))
        .bind(i64::from(limit))
        .fetch_all(self.reader())
        .await?;
        parsed(rows)
    }

    async fn club_leaderboard(
        &self,
        of: &ClubBoard,
        offset: u32,
        limit: u32,
    ) -> Result<Vec<LeaderboardRow>, StoreError> {
        // (SQLite keeps the order of a CROSS JOIN; otherwise it might begin with all ratings of the game.)
        let rows: Vec<LeaderboardRecord> = sqlx::query_as(
            "SELECT p.id, p.name, p.kind, p.level, p.display_name, p.avatar, p.flag, p.created_ms AS player_created_ms,
                r.game, r.speed, r.rating, r.deviation, r.volatility, r.updated_ms, r.won, r.drawn, r.lost, r.opponents
            FROM (
                SELECT s.player_id, s.rating FROM club_members m CROSS JOIN ratings s
                WHERE m.club_id = $1 AND s.player_id = m.player_id AND s.game = $2 AND s.speed = $3 AND s.deviation <= $4
                    AND s.opponents >= $7 AND s.won + s.drawn + s.lost > 0
                    AND NOT EXISTS (SELECT 1 FROM players d WHERE d.id = m.player_id AND d.disabled_ms IS NOT NULL)
                ORDER BY s.rating DESC, s.player_id LIMIT $6 OFFSET $5
            ) AS page
            CROSS JOIN ratings r CROSS JOIN players p
            WHERE r.player_id = page.player_id AND r.game = $2 AND r.speed = $3 AND p.id = page.player_id
            ORDER BY page.rating DESC, page.player_id",
        )
        .bind(of.club.as_str())
        .bind(of.game.text())
        .bind(of.speed.text())
        .bind(of.max_deviation)
        .bind(i64::from(offset))
        .bind(i64::from(limit))
        .bind(i64::from(of.min_opponents))
        .fetch_all(self.reader())
        .await?;
        parsed(rows)
    }

    async fn running_club_matches(
        &self,
        club: &ClubId,
        reader: Option<&PlayerId>,
        after: Option<&MatchCursor>,
        limit: u32,
    ) -> Result<Vec<MatchRow>, StoreError> {
        let ids: Vec<String> = sqlx::query_scalar(
            "SELECT id FROM matches
            WHERE first_id IN (SELECT player_id FROM club_members WHERE club_id = $1) AND (created_ms, id) < ($3, $4)
                AND finished_ms IS NULL AND NOT private AND speed <> 'daily' AND first_id <> second_id
                AND EXISTS (SELECT 1 FROM club_members o WHERE o.club_id = $1 AND o.player_id = second_id)
                AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocked_id = $2 AND player_id = first_id)
                AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocked_id = $2 AND player_id = second_id)
            ORDER BY created_ms DESC, id DESC LIMIT $5",
        )
        .bind(club.as_str())
        .bind(reader.map_or("", PlayerId::as_str))
        .bind(after.map_or(i64::MAX, |after| after.created_ms))
        .bind(after.map_or("", |after| after.id.as_str()))
        .bind(i64::from(limit))
        .fetch_all(self.reader())
        .await?;
        self.matches_by_id(ids).await
    }

    async fn club_matches(
        &self,
        club: &ClubId,
        since_ms: i64,
        after: Option<&MatchCursor>,
        limit: u32,
    ) -> Result<Vec<MatchRow>, StoreError> {
        let sql = format!(
            "SELECT id FROM (SELECT id, created_ms FROM matches
                WHERE first_id IN (SELECT player_id FROM club_members WHERE club_id = $1) AND created_ms >= $2
                    AND (created_ms, id) < ($3, $4) AND finished_ms IS NOT NULL AND NOT private AND first_id <> second_id
                    AND EXISTS (SELECT 1 FROM club_members o WHERE o.club_id = $1 AND o.player_id = second_id)
                    AND reason NOT IN ({})
                ORDER BY created_ms DESC, id DESC LIMIT $5) AS page ORDER BY created_ms DESC, id DESC",
            called_off_in_sql()
        );
        let ids: Vec<String> = sqlx::query_scalar(sqlx::AssertSqlSafe(sql))
            .bind(club.as_str())
            .bind(since_ms)
            .bind(after.map_or(i64::MAX, |after| after.created_ms))
            .bind(after.map_or("", |after| after.id.as_str()))
            .bind(i64::from(limit))
            .fetch_all(self.reader())
            .await?;
        self.matches_by_id(ids).await
    }
}

impl Backend {
    /// Executes a query of [`select_clubs_of`].
    async fn clubs_page(
        &self,
        sql: &'static str,
        (player, standing): (&PlayerId, ClubStanding),
        after: Option<&ClubOfCursor>,
        limit: u32,
    ) -> Result<Vec<ClubOf>, StoreError> {
        let rows: Vec<ClubOfRecord> = sqlx::query_as(sql)
            .bind(player.as_str())
            .bind(after.map_or(i64::MAX, |after| after.since_ms))
            .bind(after.map_or("", |after| after.id.as_str()))
            .bind(i64::from(limit))
            .fetch_all(self.reader())
            .await?;
        rows.into_iter()
            .map(|row| row.into_club(standing))
            .collect()
    }
}
