//! Reads of club matches: one, lists, sign-ups, boards, and the games that wait for the server.

use std::collections::BTreeMap;

use mawe_wire::club_matches::{ClubMatchList, ClubSide};
use mawe_wire::ids::{ClubId, ClubMatchId, PlayerId};
use sqlx::QueryBuilder;

use super::backend::{Backend, Db, called_off_in_sql};
use crate::rows::{
    ClubBoardRecord, ClubGameKeyRecord, ClubGameRecord, ClubMatchPlayerRecord, ClubMatchRecord,
    ReadyClubGameRecord, number, parsed,
};
use crate::{
    ByClub, ClubBoardRow, ClubGameKey, ClubGameRow, ClubMatchCursor, ClubMatchEntries,
    ClubMatchPlayer, ClubMatchRow, ClubPlayerCursor, ReadyClubGame, StoreError,
};

/// The columns of a `PairRecord`: the players `hp` and `ap`.
macro_rules! pair_columns {
    () => {
        "hp.id AS home_player_id, hp.name AS home_player_name, hp.kind AS home_kind, hp.level AS home_level, hp.display_name AS home_display_name,
            hp.avatar AS home_avatar, hp.flag AS home_flag, hp.created_ms AS home_created_ms,
            ap.id AS away_player_id, ap.name AS away_player_name, ap.kind AS away_kind, ap.level AS away_level, ap.display_name AS away_display_name,
            ap.avatar AS away_avatar, ap.flag AS away_flag, ap.created_ms AS away_created_ms"
    };
}

/// Selects a page of ids of club matches of a club in a state, walking the index of each side.
macro_rules! select_page {
    ($compare:literal, $order:literal) => {
        concat!(
            "SELECT id FROM (
                SELECT * FROM (SELECT id, start_ms FROM club_matches WHERE home_id = $1 AND state = $2 AND (start_ms, id) ",
            $compare,
            " ($3, $4) ORDER BY start_ms ", $order, ", id ", $order, " LIMIT $5) AS at_home
                UNION ALL
                SELECT * FROM (SELECT id, start_ms FROM club_matches WHERE away_id = $1 AND state = $2 AND (start_ms, id) ",
            $compare,
            " ($3, $4) ORDER BY start_ms ", $order, ", id ", $order, " LIMIT $5) AS at_away
            ) AS page ORDER BY start_ms ", $order, ", id ", $order, " LIMIT $5"
        )
    };
}

/// Whether the match `m` of a game counts: it has ended, was not called off and was not made void.
fn counts() -> String {
    let called_off = called_off_in_sql();
    format!("m.finished_ms IS NOT NULL AND m.voided_ms IS NULL AND m.reason NOT IN ({called_off})")
}

impl Backend {
    /// Returns the club matches with these ids, in any order.
    pub(super) async fn club_matches_by_id(
        &self,
        ids: Vec<String>,
    ) -> Result<Vec<ClubMatchRow>, StoreError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let counts = counts();
        let results = |won: &str| {
            format!(
                "(SELECT count(*) FROM club_match_games g JOIN matches m ON m.id = g.match_id
                    WHERE g.club_match_id = c.id AND {counts} AND {won})"
            )
        };
        let mut query = QueryBuilder::<Db>::new(format!(
            "SELECT c.id, c.hidden, c.game, c.time_control, c.base_ms, c.increment_ms, c.days, c.rated, c.boards, c.games, c.state,
                c.start_ms, c.created_ms, c.finished_ms,
                coalesce(h.name, c.home_name) AS home_name, h.id AS home_id, h.handle AS home_handle, h.joining AS home_joining,
                coalesce(a.name, c.away_name) AS away_name, a.id AS away_id, a.handle AS away_handle, a.joining AS away_joining,
                {} AS home_won, {} AS away_won, {} AS drawn
            FROM club_matches c LEFT JOIN clubs h ON h.id = c.home_id LEFT JOIN clubs a ON a.id = c.away_id WHERE c.id IN (",
            results("m.winner = g.home_side"),
            results("m.winner <> g.home_side"),
            results("m.winner IS NULL"),
        ));
        let mut listed = query.separated(", ");
        for id in ids {
            listed.push_bind(id);
        }
        query.push(")");
        let rows: Vec<ClubMatchRecord> = query.build_query_as().fetch_all(self.reader()).await?;
        parsed(rows)
    }

    pub(super) async fn list_of_club_matches(
        &self,
        club: &ClubId,
        list: ClubMatchList,
        after: Option<&ClubMatchCursor>,
        limit: u32,
    ) -> Result<Vec<ClubMatchRow>, StoreError> {
        let next_first = (select_page!(">", "ASC"), i64::MIN);
        let last_first = (select_page!("<", "DESC"), i64::MAX);
        let (state, (sql, from_ms)) = match list {
            ClubMatchList::Proposed => ("proposed", next_first),
            ClubMatchList::Coming => ("accepted", next_first),
            ClubMatchList::Running => ("running", last_first),
            ClubMatchList::Past => ("finished", last_first),
        };
        let ids: Vec<String> = sqlx::query_scalar(sql)
            .bind(club.as_str())
            .bind(state)
            .bind(after.map_or(from_ms, |after| after.start_ms))
            .bind(after.map_or("", |after| after.id.as_str()))
            .bind(i64::from(limit))
            .fetch_all(self.reader())
            .await?;
        let rows = self.club_matches_by_id(ids.clone()).await?;
        let by_id: BTreeMap<String, ClubMatchRow> = rows
            .into_iter()
            .map(|row| (row.id.to_string(), row))
            .collect();
        Ok(ids.iter().filter_map(|id| by_id.get(id).cloned()).collect())
    }

    pub(super) async fn entries_of_club_match(
        &self,
        id: &ClubMatchId,
        reader: Option<&PlayerId>,
    ) -> Result<ClubMatchEntries, StoreError> {
        let (home, away, mine): (i64, i64, Option<bool>) = sqlx::query_as(
            "SELECT (SELECT count(*) FROM club_match_players WHERE club_match_id = $1 AND home),
                (SELECT count(*) FROM club_match_players WHERE club_match_id = $1 AND NOT home),
                (SELECT home FROM club_match_players WHERE club_match_id = $1 AND player_id = $2)",
        )
        .bind(id.as_str())
        .bind(reader.map(PlayerId::as_str))
        .fetch_one(self.reader())
        .await?;
        Ok(ClubMatchEntries {
            players: ByClub {
                home: number("number of players", home)?,
                away: number("number of players", away)?,
            },
            mine: mine.map(|home| if home { ClubSide::Home } else { ClubSide::Away }),
        })
    }

    pub(super) async fn players_of_club_match(
        &self,
        id: &ClubMatchId,
        side: ClubSide,
        after: Option<&ClubPlayerCursor>,
        limit: u32,
    ) -> Result<Vec<ClubMatchPlayer>, StoreError> {
        let rows: Vec<ClubMatchPlayerRecord> = sqlx::query_as(
            "SELECT p.id, p.name, p.kind, p.level, p.display_name, p.avatar, p.flag, p.created_ms AS player_created_ms, r.since_ms
            FROM club_match_players r JOIN players p ON p.id = r.player_id
            WHERE r.club_match_id = $1 AND r.home = $2 AND (r.since_ms, r.player_id) > ($3, $4) ORDER BY r.since_ms, r.player_id LIMIT $5",
        )
        .bind(id.as_str())
        .bind(side == ClubSide::Home)
        .bind(after.map_or(i64::MIN, |after| after.since_ms))
        .bind(after.map_or("", |after| after.player.as_str()))
        .bind(i64::from(limit))
        .fetch_all(self.reader())
        .await?;
        parsed(rows)
    }

    pub(super) async fn boards_of_club_match(
        &self,
        id: &ClubMatchId,
    ) -> Result<Vec<ClubBoardRow>, StoreError> {
        let rows: Vec<ClubBoardRecord> = sqlx::query_as(concat!(
            "SELECT b.number, b.home_rating, b.away_rating, ",
            pair_columns!(),
            " FROM club_match_boards b JOIN players hp ON hp.id = b.home_player_id JOIN players ap ON ap.id = b.away_player_id
            WHERE b.club_match_id = $1 ORDER BY b.number"
        ))
        .bind(id.as_str())
        .fetch_all(self.reader())
        .await?;
        let mut boards: Vec<ClubBoardRow> = parsed(rows)?;
        let sql = format!(
            "SELECT g.board, g.home_side, g.state, g.skipped, g.match_id, m.private, m.finished_ms, m.winner, ({}) AS counts
            FROM club_match_games g LEFT JOIN matches m ON m.id = g.match_id WHERE g.club_match_id = $1 ORDER BY g.board, g.game",
            counts()
        );
        let games: Vec<ClubGameRecord> = sqlx::query_as(sqlx::AssertSqlSafe(sql))
            .bind(id.as_str())
            .fetch_all(self.reader())
            .await?;
        let mut by_board: BTreeMap<u32, Vec<ClubGameRow>> = BTreeMap::new();
        for game in games {
            let (board, game) = game.into_game()?;
            by_board.entry(board).or_default().push(game);
        }
        for board in &mut boards {
            board.games = by_board.remove(&board.number).unwrap_or_default();
        }
        Ok(boards)
    }

    pub(super) async fn games_that_ended(
        &self,
        limit: u32,
    ) -> Result<Vec<ClubGameKey>, StoreError> {
        // A match that is gone has ended.
        let rows: Vec<ClubGameKeyRecord> = sqlx::query_as(
            "SELECT g.club_match_id, g.board, g.game AS game_number FROM club_match_games g LEFT JOIN matches m ON m.id = g.match_id
            WHERE g.state = 'playing' AND (m.id IS NULL OR m.finished_ms IS NOT NULL) LIMIT $1",
        )
        .bind(i64::from(limit))
        .fetch_all(self.reader())
        .await?;
        parsed(rows)
    }

    pub(super) async fn games_to_begin(
        &self,
        limit: u32,
    ) -> Result<Vec<ReadyClubGame>, StoreError> {
        let rows: Vec<ReadyClubGameRecord> = sqlx::query_as(concat!(
            "SELECT g.club_match_id, g.board, g.game AS game_number, g.home_side, c.game, c.time_control, c.base_ms, c.increment_ms, c.days,
                c.rated, ",
            pair_columns!(),
            " FROM club_match_games g JOIN club_matches c ON c.id = g.club_match_id
                JOIN club_match_boards b ON b.club_match_id = g.club_match_id AND b.number = g.board
                JOIN players hp ON hp.id = b.home_player_id JOIN players ap ON ap.id = b.away_player_id
            WHERE g.state = 'ready' LIMIT $1"
        ))
        .bind(i64::from(limit))
        .fetch_all(self.reader())
        .await?;
        parsed(rows)
    }
}
