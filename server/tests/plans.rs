//! Every list is read along an index, on both databases: none scans all matches, players or histories.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::Arc;

use fastrand::Rng;
use mawe_store::Store;
use sqlx::AssertSqlSafe;

#[path = "common/crowd.rs"]
mod crowd;
#[path = "common/lists.rs"]
mod lists;
#[path = "common/postgres.rs"]
mod postgres;

use crowd::{Crowd, Database};
use lists::{KINDS, List};

/// Indices that are short by themselves (running matches, open seeks, debts, games of running club matches and events): a list of those may scan the whole index.
const WHOLE: &[&str] = &[
    "matches_running",
    "matches_live",
    "matches_due",
    "challenges_listed",
    "reports_open",
    "reports_resolved",
    "reports_appeals",
    "reports_appeals_decided",
    "players_disabled",
    "club_match_games_ready",
    "club_match_games_playing",
    "event_games_ready",
    "event_games_playing",
    "event_games_changed",
];

/// A single test, because it records all statements of this process.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_list_walks_along_an_index() {
    lists::listen();
    let directory = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", directory.path().join("mawe.sqlite").display());
    every_list(&url, sqlite_faults).await;
    let postgres = postgres::Postgres::start();
    every_list(&postgres.fresh_database().await, postgres_faults).await;
}

async fn every_list(url: &str, faults: fn(&List, &[String]) -> Vec<String>) {
    let store: Arc<dyn Store> = mawe_store::open(url).await.unwrap();
    let mut database = Database::open(url).await;
    let crowd = Crowd::fill(&mut database, 100, 1_000).await;
    prepare(&mut database).await;

    let mut rng = Rng::with_seed(1);
    let kinds = KINDS.iter().map(|kind| (kind.draw)(&crowd, &mut rng, 0));
    let all: Vec<List> = kinds.chain(lists::histories(&crowd)).collect();
    for list in &all {
        check(store.as_ref(), &mut database, list, faults).await;
    }
    if let Database::Sqlite(_) = database {
        // Most of these tables are empty here, in which Postgres takes any index. Another test compares the indexes of both databases.
        for list in lists::personal(&crowd) {
            check(store.as_ref(), &mut database, &list, faults).await;
        }
    }

    // Checks the test itself: a list without its indexes is found.
    for index in ["rating_history_player", "rating_history_pair"] {
        database.execute(format!("DROP INDEX {index}")).await;
    }
    let list = all
        .iter()
        .find(|list| matches!(list, List::RatingHistory(..)))
        .unwrap();
    for statement in heard(store.as_ref(), list).await {
        let plan = explain(&mut database, &statement).await;
        assert!(!faults(list, &plan).is_empty(), "{}", plan.join("\n"));
    }
    store.close().await;
}

async fn check(
    store: &dyn Store,
    database: &mut Database,
    list: &List,
    faults: fn(&List, &[String]) -> Vec<String>,
) {
    for statement in heard(store, list).await {
        let plan = explain(database, &statement).await;
        let faults = faults(list, &plan);
        assert!(
            faults.is_empty(),
            "{faults:#?}\n{list:?}\n{statement}\n{}",
            plan.join("\n")
        );
    }
}

async fn heard(store: &dyn Store, list: &List) -> Vec<String> {
    lists::heard(store, list, |text| text.starts_with("SELECT")).await
}

/// In small tables a scan is cheap, so Postgres is told to scan a table, or to sort, only if there is no other plan.
async fn prepare(database: &mut Database) {
    if let Database::Postgres(_) = database {
        for setting in [
            "enable_seqscan = off",
            "enable_bitmapscan = off",
            "enable_sort = off",
            "plan_cache_mode = force_generic_plan",
        ] {
            database.execute(format!("SET {setting}")).await;
        }
    }
}

/// Returns the plan for any parameters.
async fn explain(database: &mut Database, statement: &str) -> Vec<String> {
    match database {
        Database::Sqlite(connection) => {
            let plan: Vec<(i64, i64, i64, String)> =
                sqlx::query_as(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {statement}")))
                    .fetch_all(connection)
                    .await
                    .unwrap();
            plan.into_iter().map(|(.., step)| step).collect()
        }
        Database::Postgres(connection) => {
            let run = async |connection: &mut sqlx::PgConnection, sql: String| {
                sqlx::raw_sql(AssertSqlSafe(sql))
                    .execute(connection)
                    .await
                    .unwrap();
            };
            run(connection, format!("PREPARE asked AS {statement}")).await;
            let parameters: i32 = sqlx::query_scalar(
                "SELECT cardinality(parameter_types) FROM pg_prepared_statements WHERE name = 'asked'",
            )
            .fetch_one(&mut *connection)
            .await
            .unwrap();
            let nulls = vec!["NULL"; parameters as usize].join(", ");
            let execute = if nulls.is_empty() {
                "asked".to_owned()
            } else {
                format!("asked({nulls})")
            };
            let plan: Vec<String> = sqlx::query_scalar(AssertSqlSafe(format!(
                "EXPLAIN (COSTS off) EXECUTE {execute}"
            )))
            .persistent(false)
            .fetch_all(&mut *connection)
            .await
            .unwrap();
            run(connection, "DEALLOCATE asked".to_owned()).await;
            plan
        }
    }
}

/// Returns the faults of a plan of SQLite.
fn sqlite_faults(list: &List, plan: &[String]) -> Vec<String> {
    // Scans of the query's own results: a page, both arms of it, and the one row of a query without a table.
    let is_derived = |step: &str| {
        [
            "SCAN at_",
            "SCAN page",
            "SCAN walked_away",
            "SCAN (sub",
            "SCAN CONSTANT ROW",
        ]
        .iter()
        .any(|name| step.starts_with(name))
    };
    let scans = plan
        .iter()
        .filter(|step| step.starts_with("SCAN ") && !is_derived(step));
    let mut faults: Vec<String> = scans.filter(|step| !is_whole(step)).cloned().collect();
    // The page is sorted, as it is short; a sort right after the search of an arm would be a fault.
    let sorted = plan
        .windows(2)
        .filter(|pair| pair[0].starts_with("SEARCH matches") && pair[1].contains("TEMP B-TREE"));
    // The players of the page are looked up one by one: any other plan reads all ranked players.
    let is_of_many =
        |step: &&String| step.starts_with("SEARCH r ") && !step.contains("player_id=?");
    if matches!(list, List::Leaderboard(..)) {
        faults.extend(plan.iter().filter(is_of_many).cloned());
    }
    // A scan of all guests would be a fault.
    let is_of_all =
        |step: &&String| step.starts_with("SEARCH p ") && !step.contains("players_found");
    if matches!(list, List::Search(..)) {
        faults.extend(plan.iter().filter(is_of_all).cloned());
    }
    if matches!(list, List::History(..)) {
        faults.extend(sorted.map(|pair| format!("{} and then {}", pair[0], pair[1])));
    }
    faults
}

/// Returns the faults of a plan of Postgres.
fn postgres_faults(list: &List, plan: &[String]) -> Vec<String> {
    let mut faults: Vec<String> = plan
        .iter()
        .filter(|step| step.contains("Seq Scan on"))
        .cloned()
        .collect();
    for (place, step) in plan
        .iter()
        .enumerate()
        .filter(|(_, step)| step.contains("Index"))
    {
        let Some(scan) = step
            .split_once("Index Scan")
            .or(step.split_once("Index Only Scan"))
        else {
            continue;
        };
        let indent = |step: &str| step.len() - step.trim_start_matches([' ', '-', '>']).len();
        let details = plan[place + 1..]
            .iter()
            .take_while(|line| indent(line) >= indent(step) && !line.contains("->"));
        let has_condition = details
            .into_iter()
            .any(|line| line.trim_start().starts_with("Index Cond:"));
        if !has_condition && !is_whole(scan.1) {
            faults.push(step.clone());
        }
    }
    let sorts = plan
        .iter()
        .filter(|step| step.trim_start_matches([' ', '-', '>']).starts_with("Sort"))
        .filter(|step| !step.contains("Key"));
    if matches!(list, List::History(..)) && sorts.count() > 1 {
        faults.push("an arm is sorted".to_owned());
    }
    faults
}

fn is_whole(step: &str) -> bool {
    WHOLE.iter().any(|index| step.contains(index))
}
