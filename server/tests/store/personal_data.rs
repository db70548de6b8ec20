//! Personal data, tested on both backends: each column of each table is exported, or listed here with the reason why not; a deletion leaves
//! no text of the person.

use std::collections::BTreeSet;
use std::str::FromStr;

use mawe_store::{AccountChange, Attribution, PersonalCursor, PersonalPage, PersonalPart, Store};
use mawe_wire::ids::{MatchId, PlayerId};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, Connection};

use super::story::a_player;
use crate::common::place::{Place, SqlitePlace};
use crate::common::postgres::Postgres;

/// The tables with rows about players that are not exported, each with its reason.
const TABLES_LEFT_OUT: &[(&str, &str)] = &[
    ("entries", "the export of matches has them"),
    ("outbox", "work of the server, for some seconds"),
    ("club_matches", "of the clubs, not of the player"),
    ("club_match_games", "the matches are exported"),
    (
        "event_entries",
        "of the event; the part of the player is exported",
    ),
    ("event_games", "the matches are exported"),
    ("wishes", "who waits in a pool at the moment"),
    ("request_keys", "kept for a day, and nothing to read"),
    ("oauth_codes", "a secret of some minutes"),
    ("passkey_challenges", "of nobody, for some minutes"),
    ("shared_devices", "they name other persons"),
    ("rating_seeds", "of computer opponents"),
];

/// The columns that are not exported, each with its reason.
const COLUMNS_LEFT_OUT: &[(&str, &str)] = &[
    ("analyses.claimed_until_ms", "work of the server"),
    ("analyses.evaluations", "of the match, for everybody"),
    ("players.name_key", "the name again"),
    ("players.display_find", "the display name again"),
    ("players.display_key", "the display name again"),
    ("players.level", "of computer opponents"),
    ("players.password_hash", "a secret"),
    ("players.deleted_ms", "there is no export after it"),
    ("players.refuses_guests", "challenges_from says it"),
    ("former_display_names.display_key", "the name again"),
    ("former_names.name_key", "the name again"),
    ("sessions.token_hash", "a secret"),
    ("push_subscriptions.p256dh", "a secret"),
    ("push_subscriptions.auth", "a secret"),
    ("tokens.id", "the name says which"),
    ("tokens.token_hash", "a secret"),
    ("recovery_codes.code_hash", "a secret"),
    ("emails.address_key", "the address again"),
    ("email_confirmations.token_hash", "a secret"),
    ("password_resets.token_hash", "a secret"),
    ("passkeys.id", "the name says which"),
    ("passkeys.credential_id", "of the authenticator"),
    ("passkeys.public_key", "of the authenticator"),
    ("passkeys.state", "of the authenticator"),
    ("passkeys.transports", "of the authenticator"),
    ("rating_history.ordinal", "work of the server"),
    ("conditional_moves.seq", "work of the server"),
    ("challenges.id", "a secret"),
    ("club_log.number", "the order of the log"),
    ("classes.outsiders", "of the class, not of the founder"),
    ("classes.profiles", "of the class, not of the founder"),
    ("classes.spectators", "of the class, not of the founder"),
    ("clubs.find_key", "handle and name again"),
    ("clubs.handle_key", "the handle again"),
    ("clubs.log_entries", "work of the server"),
    ("clubs.name_key", "the name again"),
    ("events.address_key", "a secret"),
    ("events.club_id", "for_club says it"),
    ("events.due_ms", "work of the server"),
    ("events.head", "work of the server"),
    ("events.hidden", "of the club, not of the creator"),
    ("events.password_hash", "a secret"),
    ("events.sort_ms", "the start, or the end"),
    ("events.told", "work of the server"),
    ("event_timetables.password_hash", "a secret"),
    ("login_cards.code_hash", "a secret"),
    ("pupils.real_name_key", "the real name again"),
    ("invitations.id", "nothing to read"),
    ("notices.id", "nothing to read"),
    ("notices.about", "the match or the challenge"),
    ("reports.club_id", "nothing to read: the name is there"),
    ("reports.id", "nothing to read"),
    ("reports.taken_ms", "the work of moderators"),
    ("audit.id", "the order of the log"),
];

/// The columns whose texts a deletion leaves: they are codes, or of others.
const TEXTS_LEFT: &[&str] = &[
    "analyses.engine",
    "analyses.evaluations",
    "analyses.state",
    "audit.action",
    "challenges.declined",
    "challenges.game",
    "challenges.id",
    "challenges.setup",
    "challenges.side",
    "challenges.time_control",
    "chat_lines.room",
    "conditional_moves.lines",
    "entries.client_id",
    "entries.kind",
    "entries.payload",
    "event_entries.payload",
    "event_games.result",
    "event_games.skipped",
    "event_games.state",
    "event_games.time_control",
    "event_players.state",
    "events.game",
    "events.kind",
    "events.name",
    "events.setup",
    "events.state",
    "events.time_control",
    "head_to_head.game",
    "invitations.id",
    "matches.game",
    "matches.left_by",
    "matches.owner",
    "matches.reason",
    "matches.setup",
    "matches.speed",
    "matches.time_control",
    "matches.winner",
    "outbox.effect",
    "rating_history.game",
    "rating_history.side",
    "rating_history.speed",
    "rating_seeds.game",
    "rating_seeds.speed",
    "ratings.game",
    "ratings.speed",
    "reports.chat_room",
    "reports.club_id",
    "reports.club_name",
    "reports.id",
    "reports.reason",
    "reports.resolution",
    "tallies.game",
    "tallies.side",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sqlite_keeps_every_promise_about_personal_data() {
    every_promise(&SqlitePlace::new()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn postgres_keeps_every_promise_about_personal_data() {
    every_promise(&Postgres::start()).await;
}

async fn every_promise(place: &impl Raw) {
    a_part_comes_in_pages(place).await;
    what_is_about_a_player_is_exported_and_goes_with_the_account(place).await;
}

/// A place whose tables can be written past the store.
trait Raw: Place {
    /// The columns, one a line: table, column, type and the table that it refers to.
    const COLUMNS: &str;

    /// Runs statements without the checks of references.
    async fn run(&self, url: &str, sql: &str);

    async fn texts(&self, url: &str, sql: &str) -> Vec<String>;
}

impl Raw for SqlitePlace {
    const COLUMNS: &str = "
        SELECT concat_ws(' ', t.name, c.name, lower(c.type),
            (SELECT f.\"table\" FROM pragma_foreign_key_list(t.name) f WHERE f.\"from\" = c.name))
        FROM sqlite_schema t, pragma_table_info(t.name) c
        WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%' AND t.name NOT LIKE '%migrations' ORDER BY t.name, c.cid";

    async fn run(&self, url: &str, sql: &str) {
        let options = SqliteConnectOptions::from_str(url).unwrap();
        let options = options.foreign_keys(false);
        let mut direct = sqlx::SqliteConnection::connect_with(&options)
            .await
            .unwrap();
        sqlx::raw_sql(AssertSqlSafe(sql))
            .execute(&mut direct)
            .await
            .unwrap();
    }

    async fn texts(&self, url: &str, sql: &str) -> Vec<String> {
        let mut direct = sqlx::SqliteConnection::connect(url).await.unwrap();
        sqlx::query_scalar(AssertSqlSafe(sql))
            .fetch_all(&mut direct)
            .await
            .unwrap()
    }
}

impl Raw for Postgres {
    const COLUMNS: &str = "
        SELECT concat_ws(' ', t.relname, a.attname, split_part(format_type(a.atttypid, a.atttypmod), ' ', 1),
            (SELECT f.confrelid::regclass::text FROM pg_constraint f
                WHERE f.contype = 'f' AND f.conrelid = t.oid AND f.conkey = ARRAY[a.attnum]))
        FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid
        WHERE t.relkind = 'r' AND t.relnamespace = current_schema()::text::regnamespace AND t.relname NOT LIKE '%migrations'
            AND a.attnum > 0 AND NOT a.attisdropped ORDER BY t.relname, a.attnum";

    async fn run(&self, url: &str, sql: &str) {
        let mut direct = sqlx::PgConnection::connect(url).await.unwrap();
        let sql = format!("SET session_replication_role = replica; {sql}");
        sqlx::raw_sql(AssertSqlSafe(sql))
            .execute(&mut direct)
            .await
            .unwrap();
    }

    async fn texts(&self, url: &str, sql: &str) -> Vec<String> {
        let mut direct = sqlx::PgConnection::connect(url).await.unwrap();
        sqlx::query_scalar(AssertSqlSafe(sql))
            .fetch_all(&mut direct)
            .await
            .unwrap()
    }
}

/// A column, and what the test writes there.
struct Column {
    table: String,
    name: String,
    /// The value in SQL.
    value: String,
    /// How an export writes it; `None` where the value is no sign of the column.
    shown: Option<Vec<String>>,
    is_text: bool,
}

impl Column {
    fn path(&self) -> String {
        format!("{}.{}", self.table, self.name)
    }
}

/// Reads the columns of the tables that refer to players, directly or through another table.
async fn columns(
    place: &impl Raw,
    url: &str,
    columns_of: &'static str,
    me: &PlayerId,
    match_id: &MatchId,
) -> Vec<Column> {
    let lines = place.texts(url, columns_of).await;
    let parsed: Vec<Vec<&str>> = lines.iter().map(|line| line.split(' ').collect()).collect();
    let mut about = BTreeSet::from(["players"]);
    loop {
        let before = about.len();
        let refers = parsed
            .iter()
            .filter(|column| column.len() > 3 && about.contains(column[3]));
        let more: Vec<&str> = refers.map(|column| column[0]).collect();
        about.extend(more);
        if about.len() == before {
            break;
        }
    }
    // Postgres does not check this reference.
    assert!(about.contains("matches"));
    about.insert("entries");
    let mine = parsed
        .iter()
        .enumerate()
        .filter(|(_, column)| about.contains(column[0]));
    mine.map(|(place, column)| {
        let path = format!("{}.{}", column[0], column[1]);
        let number = 1_700_000_000_000 + 1_000 * place as i64;
        let time = jiff::Timestamp::from_millisecond(number)
            .unwrap()
            .to_string();
        let refers_to = column.get(3).copied();
        let text = |text: &str| (format!("'{text}'"), None);
        let (value, shown) = match (path.as_str(), column[2], refers_to) {
            ("players.id" | "notices.by_id", ..) | (_, _, Some("players" | "pupils")) => {
                text(me.as_str())
            }
            ("matches.id" | "entries.match_id", ..) | (_, _, Some("matches")) => {
                text(match_id.as_str())
            }
            ("clubs.id" | "club_matches.id" | "events.id" | "event_timetables.id", ..)
            | (
                _,
                _,
                Some("clubs" | "classes" | "club_matches" | "events" | "event_timetables"),
            ) => {
                text(match_id.as_str())
            }
            ("club_invitations.hidden", "boolean", _) => ("false".to_owned(), None),
            ("club_invitations.hidden", ..) => ("0".to_owned(), None),
            ("players.kind", ..) => text("account"),
            ("conditional_moves.side", ..) => text("first"),
            ("matches.finished_ms" | "players.deleted_ms", ..) => ("NULL".to_owned(), None),
            (
                "notices.data"
                | "conditional_moves.lines"
                | "clubs.descriptions"
                | "event_timetables.terms",
                ..,
            ) => {
                (format!("'\"{path}\"'"), Some(vec![format!("\"{path}\"")]))
            }
            (_, "text", _) => (format!("'{path}'"), Some(vec![format!("\"{path}\"")])),
            (_, "blob", _) => (format!("x'{}'", "01".repeat(32)), None),
            (_, "bytea", _) => (format!("'\\x{}'", "01".repeat(32)), None),
            (_, "boolean", _) => (
                "true".to_owned(),
                Some(vec![format!("\"{}\":true", column[1])]),
            ),
            (_, "real" | "double", _) => {
                let value = format!("{place}.25");
                (value.clone(), Some(vec![value]))
            }
            (_, "bigint" | "integer", _) => (
                number.to_string(),
                Some(vec![
                    number.to_string(),
                    time,
                    format!("\"{}\":true", column[1]),
                ]),
            ),
            other => panic!("a type without a value in this test: {other:?}"),
        };
        Column {
            table: column[0].to_owned(),
            name: column[1].to_owned(),
            value,
            shown,
            is_text: column[2] == "text",
        }
    })
    .collect()
}

async fn exported(store: &dyn Store, me: &PlayerId) -> String {
    let mut all = String::new();
    for part in PersonalPart::ALL {
        let PersonalPage { rows, next } = store.personal_data(me, part, None, 500).await.unwrap();
        assert_eq!((rows.len(), next), (1, None), "{part:?}");
        let row: serde_json::Value = serde_json::from_str(&rows[0]).unwrap();
        assert!(row.is_object(), "{part:?}");
        all.push_str(&rows[0]);
        all.push('\n');
    }
    all
}

async fn what_is_about_a_player_is_exported_and_goes_with_the_account<P: Raw>(place: &P) {
    let url = place.fresh().await;
    let store = mawe_store::open(&url).await.unwrap();
    let (me, match_id) = (PlayerId::random(), MatchId::random());
    let columns = columns(place, &url, P::COLUMNS, &me, &match_id).await;
    let mut seeding = String::new();
    for table in columns.chunk_by(|a, b| a.table == b.table) {
        let names: Vec<&str> = table.iter().map(|column| column.name.as_str()).collect();
        let values: Vec<&str> = table.iter().map(|column| column.value.as_str()).collect();
        let overriding = if table[0].table == "audit" && url.starts_with("postgres") {
            "OVERRIDING SYSTEM VALUE "
        } else {
            ""
        };
        seeding.push_str(&format!(
            "INSERT INTO {} ({}) {overriding}VALUES ({});\n",
            table[0].table,
            names
                .iter()
                .map(|name| format!("\"{name}\""))
                .collect::<Vec<_>>()
                .join(", "),
            values.join(", ")
        ));
    }
    place.run(&url, &seeding).await;

    let all = exported(store.as_ref(), &me).await;
    let is_listed = |list: &[(&str, &str)], what: &str| list.iter().any(|(it, _)| *it == what);
    let mut left_out = BTreeSet::new();
    for column in &columns {
        // The export of matches has the rest of a match.
        if column.table == "matches" || is_listed(TABLES_LEFT_OUT, &column.table) {
            continue;
        }
        let Some(shown) = &column.shown else { continue };
        if !shown.iter().any(|text| all.contains(text.as_str())) {
            left_out.insert(column.path());
        }
    }
    let allowed: BTreeSet<String> = COLUMNS_LEFT_OUT
        .iter()
        .map(|(column, _)| (*column).to_owned())
        .filter(|path| {
            let column = columns.iter().find(|column| column.path() == *path);
            column
                .unwrap_or_else(|| panic!("{path} is no column"))
                .shown
                .is_some()
        })
        .collect();
    assert_eq!(left_out, allowed, "{all}");

    // What the store parses has to be of its kind from here on.
    let over = "UPDATE matches SET finished_ms = 1; UPDATE players SET level = NULL, grants = '', avatar = NULL, flag = NULL";
    place.run(&url, over).await;
    let attribution = Attribution {
        by: None,
        why: String::new(),
        at_ms: 2,
    };
    let change = AccountChange::Delete("deleted-1".into());
    store
        .change_account(&me, &change, &attribution)
        .await
        .unwrap();
    let texts = columns
        .iter()
        .filter(|column| column.is_text && column.shown.is_some());
    let mut left = BTreeSet::new();
    for column in texts {
        let (table, name, path) = (&column.table, &column.name, column.path());
        let query = format!("SELECT \"{name}\" FROM {table} WHERE \"{name}\" LIKE '%{path}%'");
        if !place.texts(&url, &query).await.is_empty() {
            left.insert(path);
        }
    }
    let allowed = TEXTS_LEFT.iter().map(|path| (*path).to_owned());
    assert_eq!(left, allowed.collect());
}

async fn a_part_comes_in_pages(place: &impl Place) {
    let store = mawe_store::open(&place.fresh().await).await.unwrap();
    let me = a_player(&store).await;
    let mut names = Vec::new();
    for number in 0..5 {
        let other = a_player(&store).await;
        store
            .follow(&me.id, &other.id, 9, number / 2)
            .await
            .unwrap();
        names.push((number / 2, other.id, other.name));
    }
    names.sort();
    let mut found = Vec::new();
    let mut after: Option<PersonalCursor> = None;
    loop {
        let page = store.personal_data(&me.id, PersonalPart::Follow, after.as_ref(), 2);
        let page = page.await.unwrap();
        assert!(page.rows.len() <= 2);
        found.extend(page.rows);
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    let expected: Vec<String> = names
        .iter()
        .map(|(since_ms, _, name)| {
            let since = jiff::Timestamp::from_millisecond(*since_ms).unwrap();
            format!(r#"{{"player":"{name}","since":"{since}"}}"#)
        })
        .collect();
    assert_eq!(found, expected);
}
