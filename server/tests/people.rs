//! Follows, blocks, and the players from whom challenges by name are taken, over HTTP and the socket.

use mawe_rules::{GameKind, Side};
use mawe_wire::{ChallengeStatus, DeclineReason, MatchMsg, Phrase, ServerMsg, SessionMsg, ToMatch};
use reqwest::Method;
use serde_json::{Value, json};

use crate::chat::patch;
use crate::common::play::Pair;
use crate::common::socket::Socket;
use crate::common::{Answer, Person, TestServer, eventually};

const FOLLOWS: &str = "/api/v1/me/follows";
const FOLLOWERS: &str = "/api/v1/me/followers";
const FEED: &str = "/api/v1/me/followed-matches";
const BLOCKS: &str = "/api/v1/me/blocks";
const CHALLENGES: &str = "/api/v1/challenges";

fn named(name: &str) -> Value {
    json!({ "player": name })
}

fn offer(to: Option<&str>) -> Value {
    let mut offer = json!({
        "game": "oware", "side": "first", "time_control": { "kind": "correspondence", "days": 1 },
    });
    if let Some(to) = to {
        offer["to"] = json!(to);
    }
    offer
}

async fn done(answer: Answer) {
    assert_eq!(answer.status, 204, "{answer:?}");
}

pub(crate) async fn block(person: &mut Person, name: &str) {
    done(person.post(BLOCKS, &named(name)).await).await;
}

async fn follow(person: &mut Person, name: &str) {
    done(person.post(FOLLOWS, &named(name)).await).await;
}

async fn relation(person: &Person, name: &str) -> [bool; 4] {
    let answer = person.get(&format!("/api/v1/me/relations/{name}")).await;
    let answer = answer.json();
    ["following", "follower", "friend", "blocked"].map(|key| answer[key] == true)
}

fn names(answer: &Answer) -> Vec<String> {
    let items = answer.json()["items"].as_array().expect("a list").clone();
    let name = |item: &Value| item["player"]["name"].as_str().map(str::to_owned);
    items.iter().filter_map(name).collect()
}

/// A challenge by name; returns its id.
async fn challenge(person: &mut Person, to: Option<&str>) -> String {
    let made = person.post(CHALLENGES, &offer(to)).await;
    assert_eq!(made.status, 201, "{made:?}");
    made.text("/id")
}

#[tokio::test]
async fn one_follows_others_and_sees_what_they_play() {
    let server = TestServer::start().await;
    let mut asha = server.account("Asha").await;
    let mut bahati = server.account("Bahati").await;
    follow(&mut asha, "bahati").await;
    assert_eq!(relation(&asha, "Bahati").await, [true, false, false, false]);
    assert_eq!(relation(&bahati, "Asha").await, [false, true, false, false]);
    assert_eq!(names(&bahati.get(FOLLOWERS).await), ["Asha"]);
    let profile = asha.get("/api/v1/players/Bahati").await.json();
    assert_eq!(
        (&profile["followers"], &profile["following"]),
        (&json!(1), &json!(0))
    );
    let one = async || asha.get(FOLLOWS).await.json()["items"][0].clone();
    assert_eq!(
        (&one().await["online"], &one().await["match"]),
        (&json!(false), &Value::Null)
    );

    // A match with clocks, against a third player, with a page open.
    let mut chiku = server.account("Chiku").await;
    let _at_bahati = Socket::open(&bahati).await;
    let terms = json!({ "game": "oware", "side": "first", "time_control": { "kind": "realtime", "base_ms": 600_000, "increment_ms": 0 } });
    let id = bahati.challenge(&mut chiku, &terms).await;
    let now = one().await;
    assert_eq!(now["online"], true);
    assert_eq!(now["match"]["id"], json!(id));
    let resign = json!({ "client_id": "end", "seq": 0, "command": { "kind": "abort" } });
    let ended = bahati
        .post(&format!("/api/v1/matches/{id}/commands"), &resign)
        .await;
    assert_eq!(ended.status, 200, "{ended:?}");
    eventually("the match is over", async || {
        (one().await["match"] == Value::Null).then_some(())
    })
    .await;
    assert_eq!(
        asha.get(FEED).await.json()["items"],
        json!([]),
        "it was called off"
    );
    let mut pair = Pair::of([bahati, chiku], false).await;
    pair.play_out().await;
    eventually("the result is on the list", async || {
        let feed = asha.get(FEED).await.json();
        (feed["items"][0]["id"] == json!(pair.id)).then_some(())
    })
    .await;

    let [mut bahati, chiku] = pair.people;
    follow(&mut bahati, "Asha").await;
    assert_eq!(relation(&asha, "Bahati").await, [true, true, true, false]);
    assert_eq!(asha.get(FEED).await.json()["next"], Value::Null);
    assert_eq!(chiku.get(FEED).await.json()["items"], json!([]));
    done(asha.delete(&format!("{FOLLOWS}/Bahati")).await).await;
    assert_eq!(asha.get(FOLLOWS).await.json()["items"], json!([]));
    server.stop().await;
}

#[tokio::test]
async fn wrong_follows_and_blocks_have_one_clear_answer() {
    let server = TestServer::start().await;
    let mut asha = server.account("Asha").await;
    let mut guest = server.guest().await;
    for path in [FOLLOWS, BLOCKS] {
        asha.post(path, &named("Asha"))
            .await
            .bad_field("yourself", "player");
        asha.post(path, &named("Nobody"))
            .await
            .problem(404, "not-found");
        asha.post(path, &named("a\0b"))
            .await
            .problem(404, "not-found");
        asha.post(path, &named("mawe-Kokoto"))
            .await
            .problem(403, "no-bots");
        asha.post(path, &json!({ "name": "Asha" }))
            .await
            .bad_field("bad-field", "name");
        guest
            .post(path, &named("Asha"))
            .await
            .problem(403, "account-needed");
        asha.delete(&format!("{path}/Nobody"))
            .await
            .problem(404, "not-found");
        for wrong in ["?cursor=x", "?cursor=5.", "?limit=0", "?limit=101"] {
            asha.get(&format!("{path}{wrong}"))
                .await
                .problem(422, "bad-filter");
        }
    }
    asha.get(&format!("{FEED}?cursor=."))
        .await
        .problem(422, "bad-filter");
    asha.get(&format!("{FOLLOWERS}?cursor=."))
        .await
        .problem(422, "bad-filter");
    server.account("Bahati").await;
    block(&mut asha, "Bahati").await;
    asha.post(FOLLOWS, &named("Bahati"))
        .await
        .problem(409, "player-blocked");
    server.stop().await;
}

#[tokio::test]
async fn a_flood_of_follows_ends_at_the_limit_and_comes_in_pages() {
    let server = TestServer::start().await;
    let mut asha = server.account("Asha").await;
    let store = &server.app().store;
    let me = store
        .find_player_by_name("Asha")
        .await
        .expect("it answers")
        .expect("a player");
    let mut ids = Vec::new();
    for number in 0..201 {
        let guest = server.guest().await.name().await;
        let guest = store.find_player_by_name(&guest).await.expect("it answers");
        let guest = guest.expect("a guest");
        if number < 200 {
            let followed = store.follow(&me.id, &guest.id, 200, number).await;
            followed.expect("it answers");
        }
        ids.push(guest.name);
    }
    let more = asha.post(FOLLOWS, &named(&ids[200])).await;
    more.bad_field("too-many-follows", "player");
    // One that is there needs no room.
    follow(&mut asha, &ids[0]).await;
    let mut seen = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = asha.get(&format!("{FOLLOWS}?limit=77{cursor}")).await;
        seen.extend(names(&page));
        match page.json()["next"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    let expected: Vec<String> = ids[..200].iter().rev().cloned().collect();
    assert_eq!(seen, expected);
    server.stop().await;
}

#[tokio::test]
async fn a_blocked_player_cannot_challenge_and_is_told_nothing() {
    let server = TestServer::start().await;
    let mut asha = server.account("Asha").await;
    let mut bahati = server.account("Bahati").await;
    let theirs = challenge(&mut bahati, Some("Asha")).await;
    let mine = challenge(&mut asha, Some("Bahati")).await;
    let by_link = challenge(&mut asha, None).await;
    let by_their_link = challenge(&mut bahati, None).await;
    let mut at_bahati = Socket::open(&bahati).await;
    block(&mut asha, "Bahati").await;
    // The open ones are closed as if by the players.
    let mut closed = Vec::new();
    while closed.len() < 2 {
        let gone = at_bahati
            .until(|message| match message {
                ServerMsg::ChallengeGone {
                    challenge,
                    status,
                    reason,
                } => Some((challenge.to_string(), status, reason)),
                _ => None,
            })
            .await;
        closed.push(gone);
    }
    assert_eq!(
        closed,
        [
            (
                theirs,
                ChallengeStatus::Declined,
                Some(DeclineReason::Generic)
            ),
            (mine, ChallengeStatus::Cancelled, None)
        ]
    );
    let refused = bahati.post(CHALLENGES, &offer(Some("Asha"))).await;
    let by_block = refused.problem(403, "match-refused");
    let accepted = bahati
        .post(&format!("{CHALLENGES}/{by_link}/accept"), &json!({}))
        .await;
    accepted.problem(403, "match-refused");
    asha.post(CHALLENGES, &offer(Some("Bahati")))
        .await
        .problem(409, "player-blocked");
    let accepted = asha
        .post(&format!("{CHALLENGES}/{by_their_link}/accept"), &json!({}))
        .await;
    accepted.problem(409, "player-blocked");
    assert_eq!(
        relation(&bahati, "Asha").await,
        [false; 4],
        "nothing is told"
    );
    assert_eq!(relation(&asha, "Bahati").await, [false, false, false, true]);
    // One who takes no challenges answers the same.
    let nobody = json!({ "challenges_from": "nobody" });
    let mut chiku = server.account("Chiku").await;
    assert_eq!(patch(&mut chiku, &nobody).await.status, 200);
    let refused = bahati.post(CHALLENGES, &offer(Some("Chiku"))).await;
    let by_rule = refused.problem(403, "match-refused");
    assert_eq!(by_rule["detail"], by_block["detail"]);
    // The block is on a list, and ends.
    assert_eq!(names(&asha.get(BLOCKS).await), ["Bahati"]);
    for _ in 0..2 {
        done(asha.delete(&format!("{BLOCKS}/bahati")).await).await;
    }
    let accepted = bahati
        .post(&format!("{CHALLENGES}/{by_link}/accept"), &json!({}))
        .await;
    assert_eq!(accepted.status, 200, "{accepted:?}");
    server.stop().await;
}

#[tokio::test]
async fn the_rule_of_a_player_decides_about_challenges() {
    let server = TestServer::start().await;
    let mut asha = server.account("Asha").await;
    let mut bahati = server.account("Bahati").await;
    let mut guest = server.guest().await;
    let rule = async |asha: &mut Person, change: Value| {
        let changed = patch(asha, &change).await;
        assert_eq!(changed.status, 200, "{changed:?}");
    };
    let answer = async |person: &mut Person| {
        let made = person.post(CHALLENGES, &offer(Some("Asha"))).await;
        if made.status != 201 {
            return made.text("/code");
        }
        let id = made.text("/id");
        let taken_back = person.delete(&format!("{CHALLENGES}/{id}")).await;
        assert_eq!(taken_back.status, 204, "{taken_back:?}");
        "made".to_owned()
    };
    for (from, by_account, by_guest) in [
        ("everybody", "made", "made"),
        ("registered", "made", "guests-refused"),
        ("friends", "match-refused", "match-refused"),
        ("nobody", "match-refused", "match-refused"),
    ] {
        rule(&mut asha, json!({ "challenges_from": from })).await;
        assert_eq!(answer(&mut bahati).await, by_account, "{from}");
        assert_eq!(answer(&mut guest).await, by_guest, "{from}");
    }
    rule(&mut asha, json!({ "challenges_from": "friends" })).await;
    follow(&mut asha, "Bahati").await;
    assert_eq!(
        answer(&mut bahati).await,
        "match-refused",
        "one way is not enough"
    );
    follow(&mut bahati, "Asha").await;
    assert_eq!(answer(&mut bahati).await, "made");
    // The switch for guests leaves a narrower rule alone.
    rule(&mut asha, json!({ "guests_may_challenge": true })).await;
    assert_eq!(answer(&mut guest).await, "match-refused");
    // A player without a rating counts as 1500. Another one asks: so many challenges of one to one are too many.
    let mut bahati = server.account("Chiku").await;
    rule(
        &mut asha,
        json!({ "challenges_from": "everybody", "challenge_min_rating": 1501 }),
    )
    .await;
    assert_eq!(answer(&mut bahati).await, "match-refused");
    rule(
        &mut asha,
        json!({ "challenge_min_rating": 1500, "challenge_max_rating": 1500 }),
    )
    .await;
    assert_eq!(answer(&mut bahati).await, "made");
    rule(
        &mut asha,
        json!({ "challenge_min_rating": null, "challenge_max_rating": 1499 }),
    )
    .await;
    assert_eq!(answer(&mut bahati).await, "match-refused");
    for (change, field) in [
        (
            json!({ "challenge_min_rating": 1500 }),
            "challenge_min_rating",
        ),
        (
            json!({ "challenge_max_rating": 4001 }),
            "challenge_max_rating",
        ),
        (
            json!({ "challenge_max_rating": -1 }),
            "challenge_max_rating",
        ),
    ] {
        patch(&mut asha, &change)
            .await
            .bad_field("bad-range", field);
    }
    for wrong in [
        json!({ "challenges_from": "clubs" }),
        json!({ "challenges_from": null }),
    ] {
        let answer = patch(&mut asha, &wrong).await;
        assert!(
            answer.status == 422 || wrong["challenges_from"].is_null(),
            "{answer:?}"
        );
    }
    let open = bahati.request(Method::GET, "/api/v1/me/preferences");
    assert_eq!(
        bahati.send(open).await.json()["challenges_from"],
        "everybody"
    );
    server.stop().await;
}

#[tokio::test]
async fn a_blocked_player_joins_no_seek_and_is_not_paired() {
    let server = TestServer::start().await;
    let mut asha = server.account("Asha").await;
    let mut bahati = server.account("Bahati").await;
    let seek = asha.post("/api/v1/seeks", &offer(None)).await;
    let seek = seek.text("/id");
    block(&mut asha, "Bahati").await;
    let accepted = bahati
        .post(&format!("/api/v1/seeks/{seek}/accept"), &json!({}))
        .await;
    accepted.problem(403, "match-refused");
    let theirs = bahati.post("/api/v1/seeks", &offer(None)).await.text("/id");
    let accepted = asha
        .post(&format!("/api/v1/seeks/{theirs}/accept"), &json!({}))
        .await;
    accepted.problem(409, "player-blocked");

    // Both wait in one pool; a third player, who comes later, plays one of them.
    let join = SessionMsg::JoinPool {
        game: GameKind::Oware,
        pool: "5+0".into(),
        rated: false,
    };
    let wait = async |person: &Person| {
        let mut socket = Socket::open(person).await;
        socket.send(&join).await;
        let waits = |message| matches!(message, ServerMsg::Pool { .. }).then_some(());
        socket.until(waits).await;
        socket
    };
    let mut first = wait(&asha).await;
    let mut second = wait(&bahati).await;
    // The server tells the standings every few seconds: two of them are rounds of pairing in which both were free.
    for _ in 0..2 {
        for socket in [&mut first, &mut second] {
            let stands = |message| match message {
                ServerMsg::Pool { waiting, .. } => (waiting == 2).then_some(()),
                ServerMsg::Paired { .. } => panic!("they were paired"),
                _ => None,
            };
            socket.until(stands).await;
        }
    }
    let guest = server.guest().await;
    let mut third = wait(&guest).await;
    let paired = |message| match message {
        ServerMsg::Paired { match_id, .. } => Some(match_id),
        _ => None,
    };
    let id = third.until(paired).await;
    let view = guest.get(&format!("/api/v1/matches/{id}")).await.json();
    let seats = view["seats"].to_string();
    assert!(
        seats.contains("Asha") != seats.contains("Bahati"),
        "{seats}"
    );
    server.stop().await;
}

async fn say(socket: &mut Socket, id: &str, phrase: Phrase) {
    let message = ToMatch {
        match_id: id.parse().expect("an id"),
        message: MatchMsg::Phrase { phrase },
    };
    socket.send(&message).await;
}

async fn heard(socket: &mut Socket) -> (Side, Phrase) {
    let pick = |message| match message {
        ServerMsg::Phrase { side, phrase, .. } => Some((side, phrase)),
        ServerMsg::Error(error) => panic!("{error:?}"),
        _ => None,
    };
    socket.until(pick).await
}

#[tokio::test]
async fn after_a_block_in_a_match_its_phrases_chat_and_rematch_end() {
    let server = TestServer::start().await;
    let mut asha = server.account("Asha").await;
    let mut bahati = server.account("Bahati").await;
    for person in [&mut asha, &mut bahati] {
        assert_eq!(patch(person, &json!({ "chat": true })).await.status, 200);
    }
    let mut pair = Pair::of([asha, bahati], false).await;
    let id = pair.id.clone();
    let mut spectator = Socket::open(&server.stranger()).await;
    spectator.joined(&id).await;
    block(&mut pair.people[0], "Bahati").await;
    // The blocked player hears their own phrase, and spectators do; the blocker's own next phrase is the first that the blocker hears.
    say(&mut pair.seats[1].socket, &id, Phrase::Oops).await;
    assert_eq!(
        heard(&mut pair.seats[1].socket).await,
        (Side::Second, Phrase::Oops)
    );
    assert_eq!(heard(&mut spectator).await, (Side::Second, Phrase::Oops));
    say(&mut pair.seats[0].socket, &id, Phrase::GoodLuck).await;
    assert_eq!(
        heard(&mut pair.seats[0].socket).await,
        (Side::First, Phrase::GoodLuck)
    );
    assert_eq!(
        heard(&mut pair.seats[1].socket).await,
        (Side::First, Phrase::GoodLuck)
    );
    let path = format!("/api/v1/matches/{id}/chat/players");
    let line = pair.people[1].post(&path, &json!({ "text": "bah" })).await;
    assert_eq!(line.status, 201, "{line:?}");
    let read = pair.people[0].get(&path).await.json();
    assert_eq!(read["lines"][0]["hidden"], "muted");
    // The match that runs goes on to its end.
    pair.play_out().await;
    for (seat, code) in [(1, "match-refused"), (0, "player-blocked")] {
        pair.seats[seat].socket.rematch(&id).await;
        let error = pair.seats[seat].socket.error().await;
        assert_eq!(error.code.as_str(), code);
    }
    // The running matches of the blocker are not listed for the blocked player.
    let mut chiku = server.account("Chiku").await;
    let running = pair.people[0].play_with(&mut chiku, "first", false).await;
    let history = "/api/v1/players/Asha/matches";
    let ids = async |person: &Person| {
        let items = person.get(history).await.json()["items"].clone();
        let items = items.as_array().expect("a list").clone();
        let ids = items.iter().map(|item| item["id"].clone());
        ids.collect::<Vec<Value>>()
    };
    assert!(ids(&chiku).await.contains(&json!(running)));
    assert_eq!(ids(&pair.people[1]).await, [json!(id)]);
    server.stop().await;
}

#[tokio::test]
async fn a_block_reaches_a_chat_that_is_followed() {
    let server = TestServer::start().await;
    let mut asha = server.account("Asha").await;
    let mut bahati = server.account("Bahati").await;
    for person in [&mut asha, &mut bahati] {
        assert_eq!(patch(person, &json!({ "chat": true })).await.status, 200);
    }
    let id = asha.play_with(&mut bahati, "first", false).await;
    let mut socket = Socket::open(&asha).await;
    socket.joined(&id).await;
    let watch = SessionMsg::WatchChat {
        match_id: id.parse().expect("an id"),
        room: mawe_wire::chat::ChatRoom::Players,
    };
    socket.send(&watch).await;
    let lines = async |socket: &mut Socket| {
        let pick = |message| match message {
            ServerMsg::Chat { lines, .. } => Some(lines),
            _ => None,
        };
        socket.until(pick).await
    };
    assert_eq!(lines(&mut socket).await, []);
    block(&mut asha, "Bahati").await;
    let path = format!("/api/v1/matches/{id}/chat/players");
    let line = bahati.post(&path, &json!({ "text": "bah" })).await;
    assert_eq!(line.status, 201, "{line:?}");
    assert_eq!(lines(&mut socket).await[0].text, None);
    server.stop().await;
}
