//! Personal data of a player, as JSON.

use async_trait::async_trait;
use mawe_wire::ids::PlayerId;
use serde::{Serialize, Serializer};
use sqlx::{FromRow, Row};
use sqlx_macros::{FromRow, Type};

use super::backend::{Backend, Db};
use crate::rows::damaged;
use crate::{PersonalCursor, PersonalData, PersonalPage, PersonalPart, StoreError};

type DbRow = <Db as sqlx::Database>::Row;

/// A time in Unix milliseconds, written as RFC 3339. One that never comes is written as the last that can be.
#[derive(Type)]
#[sqlx(transparent)]
struct Time(i64);

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let time = jiff::Timestamp::from_millisecond(self.0);
        time.unwrap_or(jiff::Timestamp::MAX).serialize(serializer)
    }
}

/// A text that is JSON.
#[derive(Type)]
#[sqlx(transparent)]
struct Json(String);

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value: serde_json::Value =
            serde_json::from_str(&self.0).map_err(serde::ser::Error::custom)?;
        value.serialize(serializer)
    }
}

/// Defines the fields of each part, and its query: `$1` is the player, `$2`, `$3` and `$4` the position after which the page begins, `$5`
/// its size. Its columns `at_group`, `at_number` and `at_key` are the position of each row.
macro_rules! parts {
    ($($part:ident { $($(#[$meta:meta])? $field:ident: $type:ty),* $(,)? } $group:literal, $number:literal, $key:literal: $columns:literal $from:literal;)*) => {
        $(
            #[derive(FromRow, Serialize)]
            struct $part { $($(#[$meta])? $field: $type),* }
        )*

        impl Backend {
            async fn personal_rows(
                &self,
                part: PersonalPart,
                player: &PlayerId,
                after: &PersonalCursor,
                limit: u32,
            ) -> Result<PersonalPage, StoreError> {
                match part {
                    $(PersonalPart::$part => {
                        let query = concat!(
                            "SELECT ", $group, " AS at_group, ", $number, " AS at_number, ", $key, " AS at_key, ", $columns,
                            " ", $from, " AND (", $group, ", ", $number, ", ", $key, ") > ($2, $3, $4) ORDER BY 1, 2, 3 LIMIT $5"
                        );
                        self.personal_page::<$part>(query, player, after, limit).await
                    })*
                }
            }
        }
    };
}

parts! {
    Account {
        name: String, kind: String, created_at: Time, has_password: bool, grants: String, language: Option<String>,
        display_name: Option<String>, display_name_changes: Option<i64>, display_name_changes_since: Option<Time>,
        avatar: Option<String>, flag: Option<String>, chat: bool, challenges_from: String, challenge_min_rating: Option<i64>,
        challenge_max_rating: Option<i64>, muted_until: Option<Time>, chat_muted_until: Option<Time>,
        disabled_at: Option<Time>, disabled_until: Option<Time>, disabled_why: Option<String>,
    } "''", "p.created_ms", "p.id":
        "p.name, p.kind, p.created_ms AS created_at, p.password_hash IS NOT NULL AS has_password, p.grants, p.language, p.display_name,
            p.display_changes AS display_name_changes, p.display_since_ms AS display_name_changes_since, p.avatar, p.flag, p.chat,
            coalesce(p.challenges_from, CASE WHEN p.refuses_guests THEN 'registered' ELSE 'everybody' END) AS challenges_from,
            p.challenge_min_rating, p.challenge_max_rating, p.muted_until_ms AS muted_until, p.chat_muted_until_ms AS chat_muted_until,
            p.disabled_ms AS disabled_at, p.disabled_until_ms AS disabled_until, p.disabled_why"
        "FROM players p WHERE p.id = $1";
    FormerName { name: String, held_until: Time } "''", "until_ms", "name":
        "name, until_ms AS held_until"
        "FROM former_names WHERE player_id = $1";
    FormerDisplayName { name: String, held_until: Time } "''", "until_ms", "name":
        "name, until_ms AS held_until"
        "FROM former_display_names WHERE player_id = $1";
    // A player has 50 sessions at most, which is less than a page: their key is a hash, and stays here.
    Session { created_at: Time, expires_at: Time, label: String, last_used_at: Option<Time> } "''", "created_ms", "label":
        "created_ms AS created_at, expires_ms AS expires_at, label, last_used_ms AS last_used_at"
        "FROM sessions WHERE player_id = $1";
    PushSubscription { endpoint: String, language: String, created_at: Time } "''", "u.created_ms", "u.endpoint":
        "u.endpoint, u.language, u.created_ms AS created_at"
        "FROM sessions s JOIN push_subscriptions u ON u.session_hash = s.token_hash WHERE s.player_id = $1";
    Token {
        name: String, scopes: String, created_at: Time, expires_at: Time, last_used_at: Option<Time>,
    } "''", "created_ms", "id":
        "name, scopes, created_ms AS created_at, expires_ms AS expires_at, last_used_ms AS last_used_at"
        "FROM tokens WHERE player_id = $1";
    // There are 8 at most.
    RecoveryCode { created_at: Time } "''", "created_ms", "''":
        "created_ms AS created_at"
        "FROM recovery_codes WHERE player_id = $1";
    Passkey { name: String, created_at: Time, last_used_at: Option<Time> } "''", "created_ms", "id":
        "name, created_ms AS created_at, last_used_ms AS last_used_at"
        "FROM passkeys WHERE player_id = $1";
    Email { address: String, confirmed_at: Time } "''", "confirmed_ms", "''":
        "address, confirmed_ms AS confirmed_at"
        "FROM emails WHERE player_id = $1";
    WaitingEmail { address: String, asked_at: Time, expires_at: Time } "''", "created_ms", "''":
        "address, created_ms AS asked_at, expires_ms AS expires_at"
        "FROM email_confirmations WHERE player_id = $1";
    PasswordReset { asked_at: Time, expires_at: Time } "''", "created_ms", "''":
        "created_ms AS asked_at, expires_ms AS expires_at"
        "FROM password_resets WHERE player_id = $1";
    Follow { player: String, since: Time } "''", "f.created_ms", "f.followed_id":
        "p.name AS player, f.created_ms AS since"
        "FROM follows f JOIN players p ON p.id = f.followed_id WHERE f.player_id = $1";
    Follower { player: String, since: Time } "''", "f.created_ms", "f.player_id":
        "p.name AS player, f.created_ms AS since"
        "FROM follows f JOIN players p ON p.id = f.player_id WHERE f.followed_id = $1";
    Block { player: String, since: Time } "''", "b.created_ms", "b.blocked_id":
        "p.name AS player, b.created_ms AS since"
        "FROM blocks b JOIN players p ON p.id = b.blocked_id WHERE b.player_id = $1";
    Mute { player: String, since: Time } "''", "m.created_ms", "m.muted_id":
        "p.name AS player, m.created_ms AS since"
        "FROM chat_mutes m JOIN players p ON p.id = m.muted_id WHERE m.player_id = $1";
    Vacation { from: Time, until: Time } "''", "from_ms", "''":
        "from_ms AS \"from\", until_ms AS until"
        "FROM vacations WHERE player_id = $1";
    Analysis { #[serde(rename = "match")] match_id: String, engine: String, state: String, requested_at: Time } "engine", "requested_ms", "match_id":
        "match_id, engine, state, requested_ms AS requested_at"
        "FROM analyses WHERE requested_by = $1";
    Rating {
        game: String, speed: String, rating: f64, deviation: f64, volatility: f64, updated_at: Option<Time>,
        won: i64, drawn: i64, lost: i64, opponents: i64,
    } "game", "CAST(0 AS bigint)", "speed":
        "game, speed, rating, deviation, volatility, updated_ms AS updated_at, won, drawn, lost, opponents"
        "FROM ratings WHERE player_id = $1";
    RatingChange {
        #[serde(rename = "match")] match_id: String, side: String, opponent: String, game: String, speed: String, score: f64,
        rating_before: Option<f64>, deviation_before: Option<f64>, volatility_before: Option<f64>,
        rating_after: f64, deviation_after: f64, volatility_after: f64, at: Time,
    } "''", "h.at_ms", "h.match_id":
        "h.match_id, h.side, o.name AS opponent, h.game, h.speed, h.score, h.rating_before, h.deviation_before, h.volatility_before,
            h.rating_after, h.deviation_after, h.volatility_after, h.at_ms AS at"
        "FROM rating_history h JOIN players o ON o.id = h.opponent_id WHERE h.player_id = $1";
    SideResult { game: String, side: String, won: i64, drawn: i64, lost: i64, plies: i64 } "game", "CAST(0 AS bigint)", "side":
        "game, side, won, drawn, lost, plies"
        "FROM tallies WHERE player_id = $1";
    OpponentResult {
        opponent: String, game: String, won: i64, drawn: i64, lost: i64,
    } "h.opponent_id", "CAST(0 AS bigint)", "h.game":
        "o.name AS opponent, h.game, h.won, h.drawn, h.lost"
        "FROM head_to_head h JOIN players o ON o.id = h.opponent_id WHERE h.player_id = $1";
    RunningMatch {
        #[serde(rename = "match")] match_id: String, game: String, setup: String, first: String, second: String, rated: bool,
        private: bool, created_at: Time,
    } "''", "m.created_ms", "m.id":
        "m.id AS match_id, m.game, m.setup, f.name AS first, s.name AS second, m.rated, m.private, m.created_ms AS created_at"
        "FROM matches m JOIN players f ON f.id = m.first_id JOIN players s ON s.id = m.second_id
            WHERE m.finished_ms IS NULL AND (m.first_id = $1 OR m.second_id = $1)";
    ConditionalMoves { #[serde(rename = "match")] match_id: String, side: String, ply: i64, lines: Json } "c.match_id", "CAST(0 AS bigint)", "c.side":
        "c.match_id, c.side, c.ply, c.lines"
        "FROM matches m JOIN conditional_moves c ON c.match_id = m.id
            WHERE m.finished_ms IS NULL AND ((m.first_id = $1 AND c.side = 'first') OR (m.second_id = $1 AND c.side = 'second'))";
    Challenge {
        by: String, to: Option<String>, game: String, setup: String, side: Option<String>, time_control: String,
        base_ms: Option<i64>, increment_ms: Option<i64>, days: Option<i64>, challenger_extra_ms: i64, opponent_extra_ms: i64, rated: bool, takebacks: bool,
        free_takebacks: bool, give_time: bool, phrases: bool, private: bool, listed: bool, min_rating: Option<i64>, max_rating: Option<i64>, created_at: Time, expires_at: Time,
        #[serde(rename = "match")] match_id: Option<String>, cancelled: bool, declined: Option<String>, declined_at: Option<Time>,
    } "''", "c.created_ms", "c.id":
        "b.name AS \"by\", t.name AS \"to\", c.game, c.setup, c.side, c.time_control, c.base_ms, c.increment_ms, c.days, c.challenger_extra_ms, c.opponent_extra_ms, c.rated, c.takebacks,
            c.free_takebacks, c.give_time, c.phrases, c.private, c.listed,
            c.min_rating, c.max_rating, c.created_ms AS created_at, c.expires_ms AS expires_at, c.match_id, c.cancelled, c.declined,
            c.declined_ms AS declined_at"
        "FROM challenges c JOIN players b ON b.id = c.challenger_id LEFT JOIN players t ON t.id = c.to_id
            WHERE (c.challenger_id = $1 OR c.to_id = $1)";
    ChatLine {
        #[serde(rename = "match")] match_id: String, room: String, number: i64, text: String, at: Time, removed_at: Option<Time>,
    } "match_id", "number", "room":
        "match_id, room, number, text, created_ms AS at, removed_ms AS removed_at"
        "FROM chat_lines WHERE player_id = $1";
    Club { club: String, name: String, officer: bool, since: Time } "''", "m.since_ms", "m.club_id":
        "c.handle AS club, c.name, m.officer, m.since_ms AS since"
        "FROM club_members m JOIN clubs c ON c.id = m.club_id WHERE m.player_id = $1";
    FoundedClub {
        club: String, name: String, kind: String, joining: String, descriptions: Json, banner: String, members: i64, created_at: Time,
    } "''", "created_ms", "id":
        "handle AS club, name, kind, joining, descriptions, banner, members, created_ms AS created_at"
        "FROM clubs WHERE founder_id = $1";
    ClubRequest { club: String, line: String, since: Time } "''", "r.since_ms", "r.club_id":
        "c.handle AS club, r.line, r.since_ms AS since"
        "FROM club_requests r JOIN clubs c ON c.id = r.club_id WHERE r.player_id = $1";
    ClubInvitation { club: String, by: String, since: Time } "''", "i.since_ms", "i.club_id":
        "c.handle AS club, p.name AS \"by\", i.since_ms AS since"
        "FROM club_invitations i JOIN clubs c ON c.id = i.club_id JOIN players p ON p.id = i.by_id
            WHERE i.player_id = $1 AND NOT i.hidden";
    SentClubInvitation { club: String, player: String, since: Time } "i.club_id", "i.since_ms", "i.player_id":
        "c.handle AS club, p.name AS player, i.since_ms AS since"
        "FROM club_invitations i JOIN clubs c ON c.id = i.club_id JOIN players p ON p.id = i.player_id WHERE i.by_id = $1";
    ClubRemoval { club: String, at: Time } "''", "r.at_ms", "r.club_id":
        "c.handle AS club, r.at_ms AS at"
        "FROM club_removals r JOIN clubs c ON c.id = r.club_id WHERE r.player_id = $1";
    ClubAction { club: String, action: String, about: Option<String>, detail: String, at: Time } "l.club_id", "l.number", "''":
        "c.handle AS club, l.action, p.name AS about, l.detail, l.at_ms AS at"
        "FROM club_log l JOIN clubs c ON c.id = l.club_id LEFT JOIN players p ON p.id = l.about_id WHERE l.actor_id = $1";
    ClubChange { club: String, action: String, at: Time } "l.club_id", "l.number", "''":
        "c.handle AS club, l.action, l.at_ms AS at"
        "FROM club_log l JOIN clubs c ON c.id = l.club_id WHERE l.about_id = $1";
    ClubMatchEntry { club_match: String, home: bool, since: Time } "''", "since_ms", "club_match_id":
        "club_match_id AS club_match, home, since_ms AS since"
        "FROM club_match_players WHERE player_id = $1";
    ClubMatchBoard {
        club_match: String, board: i64, home_rating: Option<f64>, away_rating: Option<f64>,
    } "club_match_id", "number", "''":
        "club_match_id AS club_match, number AS board, home_rating, away_rating"
        "FROM club_match_boards WHERE (home_player_id = $1 OR away_player_id = $1)";
    Event {
        event: String, kind: String, name: String, description: String, game: String, setup: String, time_control: String,
        base_ms: Option<i64>, increment_ms: Option<i64>, days: Option<i64>, rated: bool, starts_at: Time, start_players: Option<i64>,
        duration_ms: Option<i64>, rounds: Option<i64>, cycles: Option<i64>, games: Option<i64>, best_of: bool, max_players: i64, apart_by_address: bool, berserk: bool, host_extra_ms: i64, fill_players: Option<i64>, fill_level: Option<i64>, min_rating: Option<i64>,
        max_rating: Option<i64>, min_matches: i64, for_club: bool, created_at: Time, state: String, players: i64, round: i64,
        finished_at: Option<Time>,
    } "''", "created_ms", "id":
        "id AS event, kind, name, description, game, setup, time_control, base_ms, increment_ms, days, rated, start_ms AS starts_at,
            start_players, duration_ms, rounds, cycles, games, best_of, max_players, apart_by_address, berserk, host_extra_ms, fill_players, fill_level, min_rating, max_rating, min_matches, for_club,
            created_ms AS created_at, state, players, round, finished_ms AS finished_at"
        "FROM events WHERE by_id = $1";
    EventEntry { event: String, seat: i64, state: String, since: Time } "''", "since_ms", "event_id":
        "event_id AS event, seat, state, since_ms AS since"
        "FROM event_players WHERE player_id = $1";
    EventTimetable {
        club: Option<String>, every: String, weekdays: String, at_minute: i64, zone: String, terms: Json, created_at: Time, last_at: Time,
    } "''", "t.created_ms", "t.id":
        "c.handle AS club, t.every, t.weekdays, t.at_minute, t.zone, t.terms, t.created_ms AS created_at, t.last_ms AS last_at"
        "FROM event_timetables t LEFT JOIN clubs c ON c.id = t.club_id WHERE t.by_id = $1";
    Pupil { class: String, name: String, real_name: String, made_at: Time } "''", "q.created_ms", "q.player_id":
        "c.handle AS class, c.name, q.real_name, q.created_ms AS made_at"
        "FROM pupils q JOIN clubs c ON c.id = q.club_id WHERE q.player_id = $1";
    LoginCard { state: String, made_at: Time, expires_at: Time } "k.state", "k.created_ms", "k.player_id":
        "k.state, k.created_ms AS made_at, k.expires_ms AS expires_at"
        "FROM login_cards k WHERE k.player_id = $1";
    Invitation {
        note: String, uses: i64, used: i64, created_at: Time, expires_at: Time, revoked_at: Option<Time>,
    } "''", "created_ms", "id":
        "note, uses, used, created_ms AS created_at, expires_ms AS expires_at, revoked_ms AS revoked_at"
        "FROM invitations WHERE created_by = $1";
    Notice {
        kind: String, text: String, by: Option<String>, data: Option<Json>, until: Option<Time>, at: Time, read_at: Option<Time>,
    } "''", "n.created_ms", "n.id":
        "n.kind, n.text, b.name AS \"by\", n.data, n.until_ms AS until, n.created_ms AS at, n.read_ms AS read_at"
        "FROM notices n LEFT JOIN players b ON b.id = n.by_id WHERE n.player_id = $1";
    Report {
        reported: String, reason: String, text: String, #[serde(rename = "match")] match_id: Option<String>, chat_room: Option<String>,
        chat_number: Option<i64>, club: Option<String>, created_at: Time, resolved_at: Option<Time>,
    } "''", "r.created_ms", "r.id":
        "p.name AS reported, r.reason, r.text, r.match_id, r.chat_room, r.chat_number, r.club_name AS club, r.created_ms AS created_at, r.resolved_ms AS resolved_at"
        "FROM reports r JOIN players p ON p.id = r.reported_id WHERE r.reporter_id = $1";
    Decision {
        at: Time, action: String, why: Option<String>, until: Option<Time>, appeal: Option<String>, appeal_at: Option<Time>,
        appeal_decided_at: Option<Time>, appeal_accepted: Option<bool>, appeal_note: Option<String>,
    } "''", "resolved_ms", "id":
        "resolved_ms AS at, resolution AS action, why, until_ms AS until, appeal, appeal_ms AS appeal_at,
            appeal_end_ms AS appeal_decided_at, appeal_accepted, appeal_note"
        "FROM reports WHERE reported_id = $1 AND resolved_ms IS NOT NULL AND resolution <> 'dismiss'";
    // The reasons of moderators are those of the decisions; others are notes for moderators.
    AccountChange { at: Time, action: String, detail: String } "''", "id", "''":
        "at_ms AS at, action, detail"
        "FROM audit WHERE about_id = $1";
    OwnAction {
        at: Time, action: String, about: Option<String>, #[serde(rename = "match")] match_id: Option<String>, detail: String, why: String,
    } "''", "a.id", "''":
        "a.at_ms AS at, a.action, p.name AS about, a.match_id, a.detail, a.why"
        "FROM audit a LEFT JOIN players p ON p.id = a.about_id WHERE a.actor_id = $1";
}

impl Backend {
    async fn personal_page<T>(
        &self,
        query: &'static str,
        player: &PlayerId,
        after: &PersonalCursor,
        limit: u32,
    ) -> Result<PersonalPage, StoreError>
    where
        T: for<'r> FromRow<'r, DbRow> + Serialize,
    {
        let rows: Vec<DbRow> = sqlx::query(query)
            .bind(player.as_str())
            .bind(&after.group)
            .bind(after.number)
            .bind(&after.key)
            .bind(i64::from(limit))
            .fetch_all(self.reader())
            .await?;
        let next = match rows.last() {
            Some(last) if rows.len() >= limit as usize => Some(PersonalCursor {
                group: last.try_get("at_group")?,
                number: last.try_get("at_number")?,
                key: last.try_get("at_key")?,
            }),
            _ => None,
        };
        let rows = rows.iter().map(|row| {
            let row = T::from_row(row)?;
            serde_json::to_string(&row)
                .map_err(|error| damaged("personal data", &error.to_string()))
        });
        Ok(PersonalPage {
            rows: rows.collect::<Result<_, StoreError>>()?,
            next,
        })
    }
}

#[async_trait]
impl PersonalData for Backend {
    async fn personal_data(
        &self,
        player: &PlayerId,
        part: PersonalPart,
        after: Option<&PersonalCursor>,
        limit: u32,
    ) -> Result<PersonalPage, StoreError> {
        // No number of a row is negative, nor the least one.
        let start = PersonalCursor {
            number: i64::MIN,
            ..PersonalCursor::default()
        };
        self.personal_rows(part, player, after.unwrap_or(&start), limit)
            .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_that_never_comes_is_written() {
        let shown = |ms| serde_json::to_string(&Time(ms)).expect("a text");
        assert_eq!(shown(1_000), "\"1970-01-01T00:00:01Z\"");
        assert_eq!(shown(i64::MAX), "\"9999-12-30T22:00:00.999999999Z\"");
    }
}
