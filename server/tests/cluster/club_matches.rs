//! A club match at which several nodes work at the same time, some of which die.

use std::collections::BTreeSet;

use mawe_server::clock::unix_ms;
use serde_json::json;
use sqlx::Row;
use sqlx::postgres::PgConnection;

use super::lobby::account;
use super::place::Place;
use crate::common::{Person, eventually};

/// The players of each club.
const PLAYERS: usize = 4;

/// Makes the beginning of a club match wait for the lock 1, and the seating of its third board for the lock 2.
const STOPS: &str = "
    CREATE FUNCTION wait_for_the_test() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_ARGV[0] = '1' OR (SELECT count(*) FROM club_match_games WHERE match_id IS NOT NULL) >= 2 THEN
            PERFORM pg_advisory_xact_lock(TG_ARGV[0]::bigint);
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER beginning BEFORE UPDATE ON club_matches FOR EACH ROW
        WHEN (NEW.state = 'running' AND OLD.state = 'accepted') EXECUTE FUNCTION wait_for_the_test('1');
    CREATE TRIGGER seating BEFORE UPDATE ON club_match_games FOR EACH ROW
        WHEN (NEW.match_id IS NOT NULL AND OLD.match_id IS NULL) EXECUTE FUNCTION wait_for_the_test('2')";

/// Founds a club with its players.
async fn club(place: &Place, handle: &str) -> Vec<Person> {
    let mut people: Vec<Person> = Vec::new();
    for number in 0..PLAYERS {
        let mut person = account(place, 0, &format!("{handle}{number}")).await;
        let (path, body) = if people.is_empty() {
            let new = json!({ "handle": handle, "name": handle, "joining": "open" });
            ("/api/v1/clubs".to_owned(), new)
        } else {
            (format!("/api/v1/clubs/{handle}/members"), json!({}))
        };
        let entered = person.post(&path, &body).await;
        assert!(entered.status.is_success(), "{entered:?}");
        people.push(person);
    }
    people
}

/// Proposes and accepts a match of two clubs, for which all sign up; returns its id.
async fn agreed(home: &mut [Person], away: &mut [Person]) -> String {
    let start = jiff::Timestamp::from_millisecond(unix_ms() + 60 * 60 * 1_000).expect("a time");
    let proposal = json!({
        "against": "away", "game": "mawe", "boards": PLAYERS, "start_at": start.to_string(),
        "time_control": { "kind": "realtime", "base_ms": 600_000, "increment_ms": 0 },
    });
    let path = "/api/v1/clubs/home/club-matches";
    let id = home[0].post(path, &proposal).await.text("/id");
    let path = format!("/api/v1/club-matches/{id}");
    let accepted = away[0].post(&format!("{path}/accept"), &json!({})).await;
    assert_eq!(accepted.text("/state"), "accepted", "{accepted:?}");
    for person in home.iter_mut().chain(away) {
        let entered = person.post(&format!("{path}/players"), &json!({})).await;
        assert_eq!(entered.status, 204, "{entered:?}");
    }
    id
}

/// Executes statements that lock something until the connection is dropped.
async fn locked(mut connection: PgConnection, statements: &str) -> PgConnection {
    let statements = sqlx::AssertSqlSafe(statements.to_owned());
    let done = sqlx::raw_sql(statements).execute(&mut connection).await;
    done.expect("a lock");
    connection
}

/// Waits until this number of nodes waits for a lock.
async fn until_waiting(place: &Place, nodes: usize) {
    eventually("nodes that wait for a lock", async || {
        let waiting = place
            .query(
                "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query <> $1",
                "",
            )
            .await;
        (waiting.len() >= nodes).then_some(())
    })
    .await;
}

/// Returns the number of boards that have a match.
async fn seated(place: &Place, id: &str) -> usize {
    let sql = "SELECT 1 FROM club_match_games WHERE club_match_id = $1 AND match_id IS NOT NULL";
    place.query(sql, id).await.len()
}

#[tokio::test]
async fn a_club_match_is_begun_and_seated_once_though_nodes_die_at_it() {
    let mut place = Place::of(1).await;
    let mut home = club(&place, "home").await;
    let mut away = club(&place, "away").await;
    let id = agreed(&mut home, &mut away).await;

    let stops = place.connection().await;
    let beginning = locked(stops, &format!("{STOPS}; SELECT pg_advisory_lock(1)")).await;
    let seating = locked(place.connection().await, "SELECT pg_advisory_lock(2)").await;

    // The start is now. The first node begins the match, and dies within its transaction; the others have come to the same match meanwhile.
    let now = "UPDATE club_matches SET start_ms = created_ms, due_ms = created_ms WHERE id = $1";
    place.query(now, &id).await;
    until_waiting(&place, 1).await;
    place.add().await;
    place.add().await;
    until_waiting(&place, 3).await;
    place.take(0).kill().await;
    drop(beginning);

    // The two others seat the boards, up to the third one. There one of them waits for the test, and the other one for the row.
    eventually("two boards", async || {
        (seated(&place, &id).await == 2).then_some(())
    })
    .await;
    until_waiting(&place, 2).await;
    place.take(1).kill().await;
    drop(seating);
    eventually("all boards", async || {
        (seated(&place, &id).await == PLAYERS).then_some(())
    })
    .await;

    let boards = place
        .query(
            "SELECT g.board, m.first_id, m.second_id, b.home_player_id, b.away_player_id FROM club_match_games g
                JOIN club_match_boards b ON b.club_match_id = g.club_match_id AND b.number = g.board
                JOIN matches m ON m.id = g.match_id
            WHERE g.club_match_id = $1 AND g.state = 'playing'",
            &id,
        )
        .await;
    assert_eq!(boards.len(), PLAYERS);
    let mut seats = BTreeSet::new();
    for board in &boards {
        let player = |column: &str| board.get::<String, _>(column);
        let mut pair = [player("first_id"), player("second_id")];
        let mut paired = [player("home_player_id"), player("away_player_id")];
        pair.sort();
        paired.sort();
        assert_eq!(pair, paired);
        seats.extend(pair);
    }
    assert_eq!(seats.len(), 2 * PLAYERS, "each player at one board");
    let matches = place
        .query("SELECT 1 FROM matches WHERE id <> $1", "")
        .await;
    assert_eq!(
        matches.len(),
        PLAYERS,
        "no match beside those of the boards"
    );
    let begun = "SELECT 1 FROM notices WHERE kind = $1";
    let begun = place.query(begun, "club-match-begun").await;
    assert_eq!(begun.len(), 2 * PLAYERS, "one notice to each player");
    // The remaining node runs the matches of all.
    let at_last = home[0].moved_to(place.addresses[2]);
    let view = at_last.get(&format!("/api/v1/club-matches/{id}")).await;
    assert_eq!(view.text("/state"), "running");
    let running = at_last.get("/api/v1/me/matches").await;
    assert_eq!(
        running.json()["items"].as_array().map(Vec::len),
        Some(1),
        "{running:?}"
    );
}
