//! Matches by the day on a running server: conditional moves, and vacations.

use mawe_play::room::conditional::ConditionalMoves;
use mawe_play::room::io::{Input, Now};
use mawe_play::room::vacation::DAY_MS;
use mawe_rules::{BySide, GameKind, Side};
use mawe_server::clock::unix_ms;
use mawe_store::{Append, Appended, ClaimedMatch, NewMatch, Store};
use mawe_wire::ids::{MatchId, PlayerId};
use mawe_wire::{Command, Event, MatchOptions, Speed, TimeControl};
use reqwest::Method;
use serde_json::{Value, json};

use crate::common::play::{Pair, Seat};
use crate::common::socket::Socket;
use crate::common::{Answer, Person, TestServer, eventually};

const DAYS: u8 = 3;

fn path(id: &str) -> String {
    format!("/api/v1/matches/{id}/conditional-moves")
}

fn lines(lines: &[&str]) -> Value {
    let words = |line: &&str| line.split_whitespace().map(str::to_owned).collect();
    let lines: Vec<Vec<String>> = lines.iter().map(words).collect();
    json!(lines)
}

/// Stores conditional moves.
async fn put(person: &Person, id: &str, seq: u64, lines: &Value) -> Answer {
    let body = json!({ "seq": seq, "lines": lines });
    let request = person.request(Method::PUT, &path(id)).json(&body);
    Answer::of(request).await
}

/// Stores conditional moves, which must be taken.
async fn keep(person: &Person, id: &str, seq: u64, given: &[&str]) {
    let kept = put(person, id, seq, &lines(given)).await;
    assert_eq!(kept.status, 200, "{kept:?}");
}

async fn kept(person: &Person, id: &str) -> Value {
    let answer = person.get(&path(id)).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(answer.header("cache-control").contains("no-store"));
    answer.json()["lines"].clone()
}

/// A match of checkers by the day; the first person has the first move.
async fn daily(first: &mut Person, second: &mut Person) -> String {
    let offer = json!({
        "game": "checkers", "side": "second",
        "time_control": { "kind": "correspondence", "days": DAYS },
    });
    second.challenge(first, &offer).await
}

async fn pair(server: &TestServer) -> Pair {
    let (mut first, mut second) = (server.guest().await, server.guest().await);
    let id = daily(&mut first, &mut second).await;
    Pair::at([first, second], id).await
}

/// Plays a move by hand; both players receive its event.
async fn play(pair: &mut Pair, text: &str) {
    let turn = pair.turn();
    let command = pair.seats[turn].a_move(text);
    pair.act(turn, command).await;
}

/// Returns the next move that both players receive, with its side; it was not sent by a socket here.
async fn answered(pair: &mut Pair) -> (Side, String) {
    let [first, second] = &mut pair.seats;
    let (event, other) = (first.event().await, second.event().await);
    assert_eq!(event, other);
    // It looks as the command of a page does.
    let client_id = event.client_id.expect("a command's id").to_string();
    assert_eq!(client_id.len(), 20, "{client_id}");
    match event.event {
        Event::Move(ply) => {
            assert!(ply.spent_ms < 60_000, "{ply:?}");
            (ply.side, ply.text)
        }
        other => panic!("no move: {other:?}"),
    }
}

fn second(text: &str) -> (Side, String) {
    (Side::Second, text.to_owned())
}

async fn stored(server: &TestServer, id: &str) -> usize {
    let id = id.parse().expect("an id");
    let found = server.app().store.conditional_moves(&id).await;
    found.expect("the store answers").len()
}

/// Waits until the store keeps no conditional moves of a match.
async fn gone(server: &TestServer, id: &str) {
    eventually("the end of the lines", async || {
        (stored(server, id).await == 0).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_chosen_in_advance_is_played_at_once_as_a_move_of_the_player() {
    let server = TestServer::start().await;
    let mut pair = pair(&server).await;
    let id = pair.id.clone();
    let line = "11-15 22-18 15x22 25x18";
    keep(&pair.people[1], &id, 0, &[line, "9-13 22-18"]).await;
    assert_eq!(
        kept(&pair.people[1], &id).await,
        lines(&[line, "9-13 22-18"])
    );
    play(&mut pair, "11-15").await;
    assert_eq!(answered(&mut pair).await, second("22-18"));
    assert_eq!(kept(&pair.people[1], &id).await, lines(&["15x22 25x18"]));
    play(&mut pair, "15x22").await;
    assert_eq!(answered(&mut pair).await, second("25x18"));
    assert_eq!(kept(&pair.people[1], &id).await, json!([]));
    gone(&server, &id).await;
    // Stored anew, it goes on from here; another move ends it.
    let seq = pair.seats[1].mirror.seq;
    keep(&pair.people[1], &id, seq, &["12-16 24-20"]).await;
    play(&mut pair, "9-13").await;
    assert_eq!(kept(&pair.people[1], &id).await, json!([]));
    gone(&server, &id).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_answers_of_both_sides_follow_each_other() {
    let server = TestServer::start().await;
    let mut pair = pair(&server).await;
    let id = pair.id.clone();
    keep(&pair.people[1], &id, 0, &["11-15 22-18 15x22 25x18"]).await;
    // A draw is offered: the answer waits until the player has declined, since a move would decline it.
    pair.act(0, Command::OfferDraw).await;
    play(&mut pair, "11-15").await;
    let seq = pair.seats[0].mirror.seq;
    keep(&pair.people[0], &id, seq, &["22-18 15x22 25x18 12-16"]).await;
    pair.act(1, Command::DeclineDraw).await;
    assert_eq!(answered(&mut pair).await, second("22-18"));
    assert_eq!(answered(&mut pair).await, (Side::First, "15x22".to_owned()));
    assert_eq!(answered(&mut pair).await, second("25x18"));
    assert_eq!(answered(&mut pair).await, (Side::First, "12-16".to_owned()));
    gone(&server, &id).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_else_sees_that_there_are_any() {
    let server = TestServer::start().await;
    let mut pair = pair(&server).await;
    let id = pair.id.clone();
    let mut spectator = Socket::open(&server.stranger()).await;
    spectator.joined(&id).await;
    let seen = async |who: &Person| {
        let view = who.get(&format!("/api/v1/matches/{id}")).await;
        let export = who
            .get(&format!("/api/v1/matches/{id}/export?format=json"))
            .await;
        let mut view = view.json();
        // The clock goes on.
        view["clock"] = Value::Null;
        (view, export.body)
    };
    let (opponent, stranger) = (pair.people[0].clone(), server.stranger());
    let before = [seen(&opponent).await, seen(&stranger).await];
    keep(&pair.people[1], &id, 0, &["11-15 22-18"]).await;
    assert_eq!([seen(&opponent).await, seen(&stranger).await], before);
    assert_eq!(kept(&opponent, &id).await, json!([]), "their own");
    stranger.get(&path(&id)).await.problem(401, "sign-in-first");
    let guest = server.guest().await;
    guest.get(&path(&id)).await.problem(403, "not-seated");
    // Nothing was sent: the first event is the move.
    play(&mut pair, "11-15").await;
    let heard = spectator.event().await;
    assert_eq!(heard.seq, 1, "{heard:?}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn they_are_withdrawn_and_end_with_a_takeback_and_with_the_match() {
    let server = TestServer::start().await;
    let mut pair = pair(&server).await;
    let id = pair.id.clone();
    keep(&pair.people[1], &id, 0, &["11-15 22-18"]).await;
    let withdrawn = pair.people[1].delete(&path(&id)).await;
    assert_eq!(withdrawn.status, 204, "{withdrawn:?}");
    play(&mut pair, "11-15").await;
    play(&mut pair, "22-18").await;
    let seq = pair.seats[1].mirror.seq;
    keep(&pair.people[1], &id, seq, &["15x22 25x18"]).await;
    pair.act(1, Command::OfferTakeback).await;
    assert_eq!(kept(&pair.people[1], &id).await, lines(&["15x22 25x18"]));
    pair.act(0, Command::AcceptTakeback).await;
    gone(&server, &id).await;
    play(&mut pair, "22-18").await;
    let seq = pair.seats[1].mirror.seq;
    keep(&pair.people[1], &id, seq, &["15x22 25x18"]).await;
    keep(&pair.people[1], &id, seq, &[]).await;
    assert_eq!(stored(&server, &id).await, 0, "no lines withdraw them, too");
    keep(&pair.people[1], &id, seq, &["15x22 25x18"]).await;
    pair.act(0, Command::Resign).await;
    gone(&server, &id).await;
    put(&pair.people[1], &id, seq + 1, &lines(&[]))
        .await
        .problem(409, "match-over");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_refused_says_where_the_fault_is() {
    let server = TestServer::start().await;
    let mut pair = pair(&server).await;
    let id = pair.id.clone();
    let [first, second] = &pair.people;
    put(first, &id, 0, &lines(&["11-15 22-18"]))
        .await
        .problem(409, "your-turn");
    put(second, &id, 7, &lines(&["11-15 22-18"]))
        .await
        .problem(409, "stale-ply");
    let bad = async |given: &[&str], field: &str| {
        put(second, &id, 0, &lines(given))
            .await
            .bad_field("bad-lines", field);
    };
    bad(&["11-15 22-18", "11-15 22-18 15x22 26-22"], "lines.1.3").await;
    bad(&["11-15"], "lines.0").await;
    bad(&["11-15 22-18", "11-15 22-17"], "lines.1.1").await;
    bad(&["a1b2 c3d4"], "lines.0.0").await;
    bad(&["11-15 22-18"; 21], "lines").await;
    assert_eq!(stored(&server, &id).await, 0);
    let huge = "x".repeat(17 * 1024);
    put(second, &id, 0, &json!([[huge]]))
        .await
        .problem(413, "too-large");
    put(second, "aaaaaaaaaaaa", 0, &json!([]))
        .await
        .problem(404, "not-found");
    let live = pair.people[0]
        .clone()
        .play_with(&mut pair.people[1], "first", false)
        .await;
    put(&pair.people[1], &live, 0, &json!([]))
        .await
        .problem(409, "not-by-the-day");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_lines_is_refused_and_one_match_has_one_row_a_side() {
    let server = TestServer::start().await;
    let pair = pair(&server).await;
    let (id, me) = (pair.id.clone(), &pair.people[1]);
    let mut taken = 0;
    let refused = loop {
        let answer = put(me, &id, 0, &lines(&["11-15 22-18"])).await;
        if answer.status != 200 {
            break answer;
        }
        taken += 1;
        assert!(taken < 200, "nothing is refused");
    };
    refused.problem(429, "too-many-requests");
    assert!(refused.headers.contains_key("retry-after"));
    assert_eq!(stored(&server, &id).await, 1);
    // The other player has a limit of their own.
    let other = put(&pair.people[0], &id, 0, &json!([])).await;
    other.problem(409, "your-turn");
    server.stop().await;
}

/// A match by the day between two accounts, as a node leaves it that ends at any moment.
struct Left {
    id: MatchId,
    players: BySide<PlayerId>,
}

impl Left {
    async fn begin(store: &dyn Store, players: BySide<PlayerId>, created_ms: i64) -> Left {
        let id = MatchId::random();
        let new = NewMatch {
            id: id.clone(),
            game: GameKind::Checkers,
            setup: String::new(),
            rated: false,
            time_control: TimeControl::Correspondence { days: DAYS },
            speed: Speed::Daily,
            extra_ms: BySide::default(),
            options: MatchOptions::usual(false),
            private: false,
            players: players.clone(),
            ratings: BySide::default(),
            rematch_of: None,
            due_ms: Some(created_ms + i64::from(DAYS) * DAY_MS),
            created_ms,
        };
        store.create_match(&new).await.expect("it is created");
        Left { id, players }
    }

    /// Plays a move at this time, without a room: what follows from it is left to others.
    async fn play(&self, store: &dyn Store, text: &str, unix_ms: i64) {
        let row = store.find_match(&self.id).await.expect("the store answers");
        let entries = store.entries(&self.id, 0).await.expect("the store answers");
        let row = row.expect("the match");
        let mut state = ClaimedMatch { row, entries }.rebuild().expect("a journal");
        let input = Input::Command {
            side: state.record().turn(),
            client_id: format!("c-{}", state.head()).parse().expect("an id"),
            seq: state.head(),
            command: Command::Move {
                ply: state.record().ply(),
                text: text.to_owned(),
            },
            lag_ms: 0,
        };
        let now = Now {
            mono: 0,
            unix_ms,
            up_since_ms: 0,
        };
        let proposal = state.handle(now, input).append.expect("a legal move");
        let append = Append {
            match_id: self.id.clone(),
            head: proposal.head,
            epoch: state.epoch(),
            entries: proposal
                .entries
                .iter()
                .map(|entry| entry.to_stored())
                .collect(),
            finish: None,
            due_ms: proposal.due_ms,
        };
        let done = store.append(&[append]).await.expect("the store answers");
        assert_eq!(done, [Appended::Done]);
    }
}

async fn accounts(server: &TestServer) -> ([Person; 2], BySide<PlayerId>) {
    let people = [server.account("Amina").await, server.account("Zofia").await];
    let mut ids = Vec::new();
    for name in ["Amina", "Zofia"] {
        let found = server.app().store.find_player_by_name(name).await;
        ids.push(found.expect("the store answers").expect("an account").id);
    }
    let second = ids.pop().expect("two");
    (people, BySide::new(ids.remove(0), second))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_ends_between_a_move_and_its_answer_loses_nothing() {
    let server = TestServer::start().await;
    let (people, players) = accounts(&server).await;
    let store = server.app().store.clone();
    let left = Left::begin(store.as_ref(), players, unix_ms()).await;
    let moves = ConditionalMoves {
        ply: 0,
        seq: 0,
        lines: vec![vec!["11-15".to_owned(), "22-18".to_owned()]],
    };
    let kept = store.set_conditional_moves(&left.id, Side::Second, &moves);
    kept.await.expect("it is kept");
    left.play(store.as_ref(), "11-15", unix_ms()).await;
    drop(store);
    let directory = server.stop().await;
    // The next server opens the match by itself, and answers once.
    let server = TestServer::start_on(directory).await;
    let store = server.app().store.clone();
    let entries = eventually("the answer", async || {
        let entries = store.entries(&left.id, 0).await.expect("the store answers");
        (entries.len() >= 2).then_some(entries)
    })
    .await;
    gone(&server, left.id.as_str()).await;
    assert_eq!(entries.len(), 2, "{entries:?}");
    let watcher = people[1].moved_to(server.address);
    let seat = Seat::take(&watcher, left.id.as_str(), Side::Second).await;
    let texts: Vec<&str> = seat
        .mirror
        .plies
        .iter()
        .map(|ply| ply.text.as_str())
        .collect();
    assert_eq!(texts, ["11-15", "22-18"]);
    drop(store);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_vacation_no_flag_falls_and_the_turn_lasts_longer_by_its_days() {
    let server = TestServer::start().await;
    let (people, players) = accounts(&server).await;
    let store = server.app().store.clone();
    // Amina's turn ends in a moment. She has been on vacation for a day and a half of the three days.
    let turn_ms = i64::from(DAYS) * DAY_MS;
    let now = unix_ms();
    let since = now - turn_ms + 1_500;
    let begun = store
        .begin_vacation(&players.first, 10, now - DAY_MS * 3 / 2)
        .await;
    begun.expect("the store answers").expect("a vacation");
    let left = Left::begin(store.as_ref(), players, since - 2_000).await;
    left.play(store.as_ref(), "11-15", since - 1_000).await;
    left.play(store.as_ref(), "22-18", since).await;
    // Zofia's other match has nobody on vacation to move: there the flag falls.
    let flagged = Left::begin(
        store.as_ref(),
        BySide::new(left.players.second.clone(), left.players.first.clone()),
        since - 2_000,
    )
    .await;
    flagged.play(store.as_ref(), "11-15", since - 1_000).await;
    flagged.play(store.as_ref(), "22-18", since).await;
    let mut zofia = Socket::open(&people[1]).await;
    zofia.joined(left.id.as_str()).await;
    let event = zofia.event().await;
    // The day that has begun is counted, and no later one.
    let ms = 2 * DAY_MS.unsigned_abs();
    let side = Side::First;
    assert_eq!(event.event, Event::Vacation { side, ms });
    assert_eq!(event.state.result, None);
    let more_ms = event.state.clock.first_ms;
    assert!((ms - 60_000..=ms).contains(&more_ms), "{more_ms}");
    let fallen = eventually("the flag", async || {
        let row = store
            .find_match(&flagged.id)
            .await
            .expect("the store answers");
        row.expect("the match").finish
    })
    .await;
    assert_eq!(
        (fallen.reason.as_str(), fallen.winner),
        ("time", Some(Side::Second))
    );
    // She may play on, and the extension is part of the journal.
    let mut amina = Seat::take(&people[0], left.id.as_str(), Side::First).await;
    let command = amina.a_move("15x22");
    amina.send(command).await;
    let moved = amina.event().await;
    assert_eq!(moved.seq, 4, "{moved:?}");
    let profile = people[1].get("/api/v1/players/Amina").await.json();
    assert!(profile["vacation_until"].is_string(), "{profile}");
    drop(store);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_vacation_is_begun_and_ended_by_its_account_within_its_bounds() {
    let server = TestServer::start().await;
    let mut amina = server.account("Amina").await;
    let here = "/api/v1/me/vacation";
    let none = amina.get(here).await.json();
    assert_eq!(
        none,
        json!({ "until": null, "days_left": 30, "most_days": 14 })
    );
    amina
        .post(here, &json!({ "days": 15 }))
        .await
        .bad_field("bad-days", "days");
    amina
        .post(here, &json!({ "days": 0 }))
        .await
        .bad_field("bad-days", "days");
    let begun = amina.post(here, &json!({ "days": 9 })).await;
    assert_eq!(begun.status, 200, "{begun:?}");
    let begun = begun.json();
    let until: jiff::Timestamp = begun["until"]
        .as_str()
        .expect("a time")
        .parse()
        .expect("a time");
    let lasts = until.as_millisecond() - unix_ms();
    assert!((8 * DAY_MS..=9 * DAY_MS).contains(&lasts), "{lasts}");
    assert_eq!(begun["most_days"], 0, "{begun}");
    amina
        .post(here, &json!({ "days": 1 }))
        .await
        .problem(409, "on-vacation");
    let seen = server.stranger().get("/api/v1/players/Amina").await.json();
    assert_eq!(seen["vacation_until"], begun["until"]);
    // The day that has begun is used up.
    let ended = amina.delete(here).await.json();
    let until: jiff::Timestamp = ended["until"]
        .as_str()
        .expect("a time")
        .parse()
        .expect("a time");
    assert!(until.as_millisecond() - unix_ms() <= DAY_MS);
    let again = amina.delete(here).await.json();
    assert_eq!(again["until"], ended["until"]);
    // Begun long ago, it is over, and the next one must wait for a week.
    let store = server.app().store.clone();
    server.account("Zofia").await;
    let found = store
        .find_player_by_name("Zofia")
        .await
        .expect("the store answers");
    let zofia_id = found.expect("an account").id;
    let begun = store
        .begin_vacation(&zofia_id, 1, unix_ms() - 2 * DAY_MS)
        .await;
    begun.expect("the store answers").expect("a vacation");
    let mut zofia = server.stranger();
    let who = json!({ "name": "Zofia", "password": crate::common::PASSWORD });
    zofia.post("/api/v1/sessions", &who).await;
    zofia
        .post(here, &json!({ "days": 1 }))
        .await
        .problem(409, "vacation-too-soon");
    let wait = zofia.get(here).await.json();
    assert!(
        wait["not_before"].is_string() && wait["until"].is_null(),
        "{wait}"
    );
    let seen = server.stranger().get("/api/v1/players/Zofia").await.json();
    assert_eq!(seen["vacation_until"], Value::Null);
    let mut guest = server.guest().await;
    guest
        .post(here, &json!({ "days": 1 }))
        .await
        .problem(403, "account-needed");
    drop(store);
    server.stop().await;
}
