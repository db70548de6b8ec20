//! The export of personal data, by its owner.

use mawe_server::http::export::MAX_EXPORTS;
use mawe_store::PersonalPart;
use reqwest::Method;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, SqliteConnection};

use crate::common::{PASSWORD, TestServer, eventually};

const EXPORT: &str = "/api/v1/me/export";

#[tokio::test]
async fn an_owner_reads_all_that_the_server_has_and_nobody_else_does() {
    let server = TestServer::start().await;
    let (mut amina, mut zofia) = (server.account("Amina").await, server.account("Zofia").await);
    let followed = amina
        .post("/api/v1/me/follows", &json!({ "player": "Zofia" }))
        .await;
    assert_eq!(followed.status, 204);
    let id = amina.play_with(&mut zofia, "first", false).await;

    let answer = amina.get(EXPORT).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.header("content-type"), "application/json");
    assert_eq!(answer.header("cache-control"), "no-store");
    assert_eq!(
        answer.header("content-disposition"),
        "attachment; filename=\"mawe-Amina.json\""
    );
    let all = answer.json();
    let mut names: Vec<&str> = PersonalPart::ALL.map(PersonalPart::as_str).to_vec();
    names.extend(["version", "exported_at", "matches"]);
    names.sort_unstable();
    let fields: Vec<&String> = all.as_object().expect("an object").keys().collect();
    assert_eq!(fields, names);
    assert_eq!(all["account"][0]["name"], "Amina");
    assert_eq!(all["account"][0]["has_password"], true);
    assert_eq!(all["follows"][0]["player"], "Zofia");
    assert_eq!(all["running_matches"][0]["match"], id);
    assert_eq!(all["sessions"].as_array().map(Vec::len), Some(1));
    let text = String::from_utf8(answer.body).expect("text");
    assert!(!text.contains(PASSWORD) && !text.contains("argon2"));
    assert_eq!(all["matches"], "/api/v1/players/Amina/matches/export");
    assert_eq!(
        amina
            .get("/api/v1/players/Amina/matches/export")
            .await
            .status,
        200
    );

    let of_zofia = zofia.get(EXPORT).await.json();
    assert_eq!(of_zofia["followers"][0]["player"], "Amina");
    let guest = server.guest().await;
    let of_guest = guest.get(EXPORT).await.json();
    assert_eq!(of_guest["account"][0]["kind"], "guest");
    let program = amina.program(&["read", "play"]).await;
    program.get(EXPORT).await.problem(403, "session-needed");
    server
        .stranger()
        .get(EXPORT)
        .await
        .problem(401, "sign-in-first");
    server.stop().await;
}

#[tokio::test]
async fn an_address_reads_so_many_exports_at_a_time_and_each_is_whole() {
    const NOTICES: usize = 20_000;
    let server = TestServer::start().await;
    let amina = server.account("Amina").await;
    let directory = server.stop().await;
    let file = directory.path().join("mawe.sqlite");
    // More than the system holds for a reader.
    let sql = format!(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {NOTICES})
        INSERT INTO notices (id, player_id, kind, text, created_ms)
        SELECT 'n' || i, (SELECT id FROM players WHERE name = 'Amina'), 'warning', hex(zeroblob(500)), i % 7 FROM n"
    );
    let database = SqliteConnection::connect(&format!("sqlite:{}", file.display())).await;
    let mut database = database.expect("the database");
    let inserted = sqlx::raw_sql(AssertSqlSafe(sql))
        .execute(&mut database)
        .await;
    assert_eq!(inserted.expect("rows").rows_affected(), NOTICES as u64);
    drop(database);
    let server = TestServer::start_on(directory).await;
    let amina = amina.moved_to(server.address);

    let mut open = Vec::new();
    for _ in 0..MAX_EXPORTS {
        let response = amina.request(Method::GET, EXPORT).send().await;
        let response = response.expect("an answer");
        assert_eq!(response.status(), 200);
        open.push(response);
    }
    amina.get(EXPORT).await.problem(429, "too-many-streams");
    let whole = open.pop().expect("one").bytes().await.expect("all of it");
    let all: Value = serde_json::from_slice(&whole).expect("JSON");
    assert_eq!(all["notices"].as_array().map(Vec::len), Some(NOTICES));
    eventually("a place for another export", async || {
        let answer = amina.request(Method::GET, EXPORT).send().await;
        (answer.expect("an answer").status() == 200).then_some(())
    })
    .await;
    drop(open);
    server.stop().await;
}
