//! The lobby of a running server: pools, computer opponents, seeks, and its watchers.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use crate::common::postgres::Postgres;
use crate::common::socket::Socket;
use crate::common::{Answer, PASSWORD, Person, TestServer, eventually};
use mawe_play::room::entry::StoredEntry;
use mawe_play::room::io::Finish;
use mawe_rules::{BySide, GameKind, Side};
use mawe_server::clock::unix_ms;
use mawe_store::{Append, ExtraTime, NewChallenge, NewMatch};
use mawe_wire::ids::{ChallengeId, MatchId};
use mawe_wire::pool::PoolId;
use mawe_wire::{
    ErrorMsg, MatchOptions, PlayerKind, PoolCount, SeekView, ServerMsg, SessionMsg, TimeControl,
};
use reqwest::StatusCode;
use serde_json::{Value, json};

const MAWE: GameKind = GameKind::Mawe;

fn join_pool(game: GameKind, pool: &str, rated: bool) -> SessionMsg {
    SessionMsg::JoinPool {
        game,
        pool: pool.to_owned(),
        rated,
    }
}

fn casual(pool: &str) -> SessionMsg {
    join_pool(MAWE, pool, false)
}

/// Opens a socket, and joins a pool.
async fn wait_in(person: &Person, pool: SessionMsg) -> Socket {
    let mut socket = Socket::open(person).await;
    socket.send(&pool).await;
    standing(&mut socket).await;
    socket
}

/// Returns the next standing in the pool: (own wait in milliseconds, number of waiting players).
async fn standing(socket: &mut Socket) -> (u64, u32) {
    socket
        .until(|message| match message {
            ServerMsg::Pool {
                waited_ms, waiting, ..
            } => Some((waited_ms, waiting)),
            ServerMsg::Error(error) => panic!("refused: {error:?}"),
            _ => None,
        })
        .await
}

/// Returns the match of the next pairing; fails on a refusal.
async fn paired(socket: &mut Socket) -> MatchId {
    socket
        .until(|message| match message {
            ServerMsg::Paired { match_id, .. } => Some(match_id),
            ServerMsg::Error(error) => panic!("refused: {error:?}"),
            _ => None,
        })
        .await
}

async fn refused(socket: &mut Socket, message: &SessionMsg) -> ErrorMsg {
    socket.send(message).await;
    socket.error().await
}

/// Returns the number of players who wait in all pools.
async fn waiting(person: &Person) -> u64 {
    let pools = person.get("/api/v1/pools").await.json();
    let items = pools["items"].as_array().expect("a list").iter();
    items
        .map(|pool| pool["waiting"].as_u64().expect("a number"))
        .sum()
}

/// Returns the number of running matches of a person.
async fn matches_of(person: &Person) -> usize {
    let list = person.get("/api/v1/me/matches").await.json();
    list["items"].as_array().expect("a list").len()
}

async fn until_nobody_waits(person: &Person) {
    eventually("nobody waits", async || {
        (waiting(person).await == 0).then_some(())
    })
    .await;
}

// --- pools ---

#[tokio::test]
async fn two_strangers_are_paired_in_every_game() {
    let server = TestServer::start().await;
    for (game, pool) in GameKind::ALL
        .iter()
        .zip(PoolId::all().collect::<Vec<_>>().into_iter().cycle())
    {
        let people = [server.guest().await, server.guest().await];
        let mut sockets = Vec::new();
        for person in &people {
            sockets.push(wait_in(person, join_pool(*game, pool.as_str(), false)).await);
        }
        let ids = [paired(&mut sockets[0]).await, paired(&mut sockets[1]).await];
        assert_eq!(ids[0], ids[1], "{game}: one match");
        let mut seats = BTreeSet::new();
        for socket in &mut sockets {
            let snapshot = socket.joined(ids[0].as_str()).await;
            assert_eq!(snapshot.view.game, *game);
            assert_eq!(snapshot.view.time_control, pool.time_control());
            assert!(!snapshot.view.rated && !snapshot.view.private);
            assert_eq!(snapshot.view.options, MatchOptions::usual(false));
            seats.insert(snapshot.you.expect("a player"));
        }
        assert_eq!(seats.len(), 2, "{game}: two seats");
    }
    until_nobody_waits(&server.stranger()).await;
    server.stop().await;
}

#[tokio::test]
async fn accounts_are_paired_for_ratings() {
    let server = TestServer::start().await;
    let people = [server.account("Amina").await, server.account("Zofia").await];
    let mut one = wait_in(&people[0], join_pool(GameKind::Congkak, "10+5", true)).await;
    let mut other = wait_in(&people[1], join_pool(GameKind::Congkak, "10+5", true)).await;
    let id = paired(&mut one).await;
    assert_eq!(paired(&mut other).await, id);
    let view = one.joined(id.as_str()).await.view;
    assert!(view.rated);
    let setup = view.setup.strip_prefix("form=limited,opening=");
    assert!(setup.is_some(), "the form of rated play: {}", view.setup);
    assert_eq!(view.options, MatchOptions::usual(true));
    server.stop().await;
}

#[tokio::test]
async fn who_may_not_wait_is_told_why() {
    let server = TestServer::start().await;
    let mut guest = Socket::open(&server.guest().await).await;
    let mut stranger = Socket::open(&server.stranger()).await;
    let rated = join_pool(MAWE, "5+0", true);
    assert_eq!(
        refused(&mut guest, &rated).await.code.as_str(),
        "account-needed"
    );
    assert_eq!(
        refused(&mut guest, &casual("7+7")).await.code.as_str(),
        "unknown-pool"
    );
    // No form of this game is rated.
    let rated = join_pool(GameKind::Pallanguzhi, "5+0", true);
    let mut account = Socket::open(&server.account("Asha").await).await;
    for socket in [&mut guest, &mut account] {
        let told = refused(socket, &rated).await;
        assert_eq!(told.code.as_str(), "unknown-pool");
        assert!(told.message.contains("not rated"), "{told:?}");
    }
    let accept = SessionMsg::AcceptBot {
        game: MAWE,
        pool: "5+0".into(),
        rated: false,
    };
    assert_eq!(
        refused(&mut guest, &accept).await.code.as_str(),
        "no-bot-offer"
    );
    let leave = SessionMsg::LeavePool {
        game: MAWE,
        pool: "5+0".into(),
        rated: false,
    };
    for message in [casual("5+0"), leave.clone(), accept] {
        assert_eq!(
            refused(&mut stranger, &message).await.code.as_str(),
            "sign-in-first",
            "{message:?}"
        );
    }
    // A player who does not wait may leave all the same.
    guest.send(&leave).await;
    assert!(matches!(guest.next().await, ServerMsg::PoolLeft { .. }));
    let mut pools = 0;
    for game in GameKind::ALL {
        for pool in PoolId::all() {
            guest.send(&join_pool(*game, pool.as_str(), false)).await;
            // The server also tells the waiting time in the pools joined before.
            let answer = guest.until(|message| match message {
                ServerMsg::Pool {
                    game: told,
                    pool: name,
                    ..
                } => (told == *game && name == pool).then_some(Ok(())),
                ServerMsg::Error(error) => Some(Err(error)),
                other => panic!("no answer: {other:?}"),
            });
            match answer.await {
                Ok(()) => pools += 1,
                Err(error) => {
                    assert_eq!((pools, error.code.as_str()), (12, "too-many-pools"));
                    server.stop().await;
                    return;
                }
            }
        }
    }
    panic!("one may wait in all pools");
}

#[tokio::test]
async fn two_devices_of_one_account_wait_once_and_leave_together() {
    let server = TestServer::start().await;
    let laptop = server.account("Amina").await;
    let mut phone = server.stranger();
    let credentials = json!({ "name": "Amina", "password": PASSWORD });
    let answer = phone.post("/api/v1/sessions", &credentials).await;
    assert_eq!(answer.status, StatusCode::OK);

    let mut on_laptop = wait_in(&laptop, casual("5+0")).await;
    let mut second_tab = wait_in(&laptop, casual("5+0")).await;
    let mut on_phone = wait_in(&phone, casual("5+0")).await;
    // Several rounds pass: no player is paired with themselves.
    while standing(&mut on_phone).await.0 < 5_000 {}
    assert_eq!(standing(&mut on_laptop).await.1, 1, "one ticket");
    drop(on_laptop);
    drop(on_phone);
    assert_eq!(waiting(&phone).await, 1, "one tab is left");
    // The phone joins again, and the other device gets a message when it leaves.
    let mut on_phone = Socket::open(&phone).await;
    on_phone.send(&casual("5+0")).await;
    let (waited_ms, _) = standing(&mut on_phone).await;
    assert!(waited_ms >= 5_000, "the wait does not begin anew");
    on_phone
        .send(&SessionMsg::LeavePool {
            game: MAWE,
            pool: "5+0".into(),
            rated: false,
        })
        .await;
    for socket in [&mut on_phone, &mut second_tab] {
        let left = |message| matches!(message, ServerMsg::PoolLeft { .. }).then_some(());
        socket.until(left).await;
    }
    assert_eq!(waiting(&phone).await, 0);
    assert_eq!(matches_of(&phone).await, 0);
    server.stop().await;
}

#[tokio::test]
async fn a_ticket_goes_with_the_last_socket_that_asked() {
    let server = TestServer::start().await;
    let person = server.guest().await;
    let asked = wait_in(&person, casual("5+0")).await;
    let mut did_not_ask = Socket::open(&person).await;
    assert_eq!(waiting(&person).await, 1);
    drop(asked);
    until_nobody_waits(&person).await;
    did_not_ask.send(&SessionMsg::Ping).await;
    assert!(matches!(did_not_ask.next().await, ServerMsg::Pong));
    server.stop().await;
}

#[tokio::test]
async fn who_waits_in_two_pools_is_paired_once() {
    let server = TestServer::start().await;
    let people = [
        server.guest().await,
        server.guest().await,
        server.guest().await,
    ];
    let mut both = wait_in(&people[0], casual("1+0")).await;
    both.send(&casual("15+10")).await;
    let mut one = wait_in(&people[1], casual("1+0")).await;
    let mut other = wait_in(&people[2], casual("15+10")).await;
    let id = paired(&mut both).await;
    eventually("the third one waits alone", async || {
        (waiting(&people[0]).await == 1).then_some(())
    })
    .await;
    assert_eq!(matches_of(&people[0]).await, 1);
    let view = both.joined(id.as_str()).await.view;
    let (lucky, left) = if view.time_control == PoolId::all().next().expect("1+0").time_control() {
        (&mut one, &mut other)
    } else {
        (&mut other, &mut one)
    };
    assert_eq!(paired(lucky).await, id);
    // Rounds pass: the remaining player is not paired with one who plays.
    while standing(left).await.0 < 5_000 {}
    assert_eq!(standing(left).await.1, 1);
    server.stop().await;
}

#[tokio::test]
async fn a_restart_forgets_who_waited_and_keeps_seeks() {
    let server = TestServer::start().await;
    let mut person = server.guest().await;
    let mut socket = wait_in(&person, casual("5+0")).await;
    let seek = seek(&mut person, &json!({})).await;
    let server = server.restart().await;
    let (said, _) = socket.rest().await;
    let restarting = |message: &ServerMsg| matches!(message, ServerMsg::Closing { reason, .. } if reason.as_str() == "restarting");
    assert!(said.iter().any(restarting), "{said:?}");

    let mut person = person.moved_to(server.address);
    assert_eq!(waiting(&person).await, 0);
    assert!(
        seeks(&server.stranger()).await.is_empty(),
        "the seeker is not back yet"
    );
    let own = [seek.id.to_string()];
    assert_eq!(seeks(&person).await, own, "one's own is always listed");
    let socket = wait_in(&person, casual("5+0")).await;
    assert_eq!(waiting(&person).await, 1);
    assert_eq!(seeks(&person).await, [seek.id.to_string()]);
    let path = format!("/api/v1/seeks/{}", seek.id);
    assert_eq!(person.delete(&path).await.status, StatusCode::NO_CONTENT);
    drop(socket);
    server.stop().await;
}

/// Also covers two players who have just played each other, and the sides that they get then.
#[tokio::test]
async fn who_cannot_be_seated_waits_on() {
    let postgres = Postgres::start();
    let url = postgres.fresh_database().await;
    let server = TestServer::start_with(|config| config.store_url = url).await;
    let people = [server.guest().await, server.guest().await];
    let mut one = wait_in(&people[0], casual("5+0")).await;
    let mut other = wait_in(&people[1], casual("5+0")).await;
    let first = paired(&mut one).await;
    assert_eq!(paired(&mut other).await, first);
    let seat = one.joined(first.as_str()).await.you.expect("a player");

    // They wait for another opponent for ten seconds; by then the store is unavailable.
    for socket in [&mut one, &mut other] {
        socket.send(&casual("5+0")).await;
        standing(socket).await;
    }
    postgres.kill().await;
    // Both sockets are read: an unread connection is closed after a while.
    let mut now = standing(&mut one).await;
    while now.0 < 15_000 {
        standing(&mut other).await;
        now = standing(&mut one).await;
    }
    assert_eq!(now.1, 2, "they wait on");
    postgres.revive().await;
    let second = paired(&mut one).await;
    assert_eq!(paired(&mut other).await, second);
    assert_ne!(first, second);
    let now = one.joined(second.as_str()).await.you;
    assert_eq!(now, Some(seat.other()), "sides are exchanged");
    assert_eq!(matches_of(&people[0]).await, 2);
    server.stop().await;
}

// --- abandoned matches ---

/// Finishes a match that `names[0]` has abandoned, this long ago.
async fn walked_away(server: &TestServer, names: [&str; 2], ago: Duration) {
    let store = Arc::clone(&server.app().store);
    let id = async |name: &str| {
        let player = store.find_player_by_name(name).await.expect("it answers");
        player.expect("they exist").id
    };
    let players = BySide::new(id(names[0]).await, id(names[1]).await);
    let ago_ms = i64::try_from(ago.as_millis()).expect("not so long");
    let at_ms = unix_ms() - ago_ms;
    let control = TimeControl::Realtime {
        base_ms: 60_000,
        increment_ms: 0,
    };
    let new = NewMatch {
        id: MatchId::random(),
        game: MAWE,
        setup: String::new(),
        rated: false,
        time_control: control,
        speed: control.speed(),
        extra_ms: BySide::default(),
        options: MatchOptions::usual(false),
        private: false,
        players,
        ratings: BySide::default(),
        rematch_of: None,
        due_ms: None,
        created_ms: at_ms - 60_000,
    };
    store.create_match(&new).await.expect("a new match");
    let abandoned = Append {
        match_id: new.id,
        head: 0,
        epoch: 0,
        entries: vec![StoredEntry {
            seq: 1,
            epoch: 0,
            kind: "flag".into(),
            payload: "{}".into(),
            client_id: None,
            at_ms,
        }],
        finish: Some(Finish {
            winner: Some(Side::Second),
            reason: "abandoned".into(),
            score: None,
            at_ms,
            plies: 8,
            uncounted: false,
            left_by: None,
        }),
        due_ms: None,
    };
    store.append(&[abandoned]).await.expect("it is appended");
}

#[tokio::test]
async fn walking_away_again_and_again_costs_waiting() {
    let server = TestServer::start().await;
    let (amina, _zofia) = (server.account("Amina").await, server.account("Zofia").await);
    let mut socket = Socket::open(&amina).await;
    let names = ["Amina", "Zofia"];
    let minutes = |minutes: u64| Duration::from_secs(60 * minutes);

    walked_away(&server, names, minutes(0)).await;
    socket.send(&casual("5+0")).await;
    standing(&mut socket).await;

    walked_away(&server, names, minutes(0)).await;
    let error = refused(&mut socket, &casual("3+2")).await;
    assert_eq!(error.code.as_str(), "pool-wait");
    let retry_ms = error.retry_ms.expect("it says when");
    assert!((1..=60_000).contains(&retry_ms), "{retry_ms}");

    walked_away(&server, names, minutes(0)).await;
    let retry_ms = refused(&mut socket, &casual("3+2")).await.retry_ms;
    assert!(retry_ms.is_some_and(|ms| ms > 60_000 && ms <= 300_000));
    assert_eq!(
        refused(&mut socket, &join_pool(MAWE, "3+2", true))
            .await
            .code
            .as_str(),
        "pool-wait",
        "rated or not"
    );
    server.stop().await;
}

#[tokio::test]
async fn a_wait_that_is_over_and_a_day_long_ago_are_forgotten() {
    let server = TestServer::start().await;
    let (amina, zofia) = (server.account("Amina").await, server.account("Zofia").await);
    let minutes = |minutes: u64| Duration::from_secs(60 * minutes);
    for _ in 0..2 {
        walked_away(&server, ["Amina", "Zofia"], minutes(2)).await;
    }
    for _ in 0..9 {
        walked_away(&server, ["Zofia", "Amina"], minutes(24 * 60 + 1)).await;
    }
    wait_in(&amina, casual("5+0")).await;
    wait_in(&zofia, casual("5+0")).await;
    server.stop().await;
}

// --- computer opponents ---

#[tokio::test]
async fn a_computer_opponent_is_offered_after_a_while_and_accepted() {
    let after = Duration::from_secs(5);
    let server = TestServer::start_with(|config| config.bots.offer_after = after).await;
    let people = [server.guest().await, server.account("Amina").await];
    for (person, rated) in people.iter().zip([false, true]) {
        let mut socket = wait_in(person, join_pool(MAWE, "3+2", rated)).await;
        let accept = SessionMsg::AcceptBot {
            game: MAWE,
            pool: "3+2".into(),
            rated,
        };
        let early = refused(&mut socket, &accept).await;
        assert_eq!(early.code.as_str(), "no-bot-offer", "not yet");
        let (bot, rating) = socket
            .until(|message| match message {
                ServerMsg::BotOffer { bot, rating, .. } => Some((bot, rating)),
                ServerMsg::Paired { .. } => panic!("nobody accepted"),
                _ => None,
            })
            .await;
        assert_eq!(bot.kind, PlayerKind::Bot);
        assert!(
            (1_400..=1_600).contains(&rating),
            "who is new counts as 1500"
        );
        assert_eq!(waiting(person).await, 1, "who does not accept waits on");
        socket.send(&accept).await;
        let id = paired(&mut socket).await;
        assert_eq!(waiting(person).await, 0);
        let snapshot = socket.joined(id.as_str()).await;
        let seats = &snapshot.view.seats;
        let opponent = match snapshot.you.expect("a player") {
            Side::First => &seats.second,
            Side::Second => &seats.first,
        };
        assert_eq!(opponent.player, bot);
        assert_eq!(snapshot.view.rated, rated, "on the pool's terms");
        assert_eq!(
            refused(&mut socket, &accept).await.code.as_str(),
            "no-bot-offer"
        );
    }
    server.stop().await;
}

// --- seeks ---

/// Returns a seek with these changes to the usual one.
fn wish(changes: &Value) -> Value {
    let mut wish = json!({
        "game": "mawe",
        "time_control": { "kind": "realtime", "base_ms": 300_000, "increment_ms": 3_000 },
    });
    let fields = wish.as_object_mut().expect("an object");
    let changes = changes.as_object().expect("an object").clone();
    fields.extend(changes);
    wish
}

async fn seek(person: &mut Person, changes: &Value) -> SeekView {
    let answer = person.post("/api/v1/seeks", &wish(changes)).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{answer:?}");
    serde_json::from_value(answer.json()).expect("a seek")
}

/// Returns the ids of the listed seeks.
async fn seeks(person: &Person) -> Vec<String> {
    let list = person.get("/api/v1/seeks").await.json();
    let items = list["items"].as_array().expect("a list").iter();
    items
        .map(|seek| seek["id"].as_str().expect("an id").to_owned())
        .collect()
}

async fn accept(person: &mut Person, seek: &SeekView) -> Answer {
    let path = format!("/api/v1/seeks/{}/accept", seek.id);
    person.post(&path, &json!({})).await
}

fn by_days() -> Value {
    json!({ "time_control": { "kind": "correspondence", "days": 3 } })
}

#[tokio::test]
async fn a_seek_is_listed_and_accepted() {
    let server = TestServer::start().await;
    let (mut amina, mut zofia) = (server.account("Amina").await, server.account("Zofia").await);
    let mut socket = wait_in(&amina, casual("5+0")).await;
    let mut other = wait_in(&zofia, join_pool(GameKind::Oware, "1+0", false)).await;
    let changes =
        json!({ "rated": true, "side": "second", "min_rating": 1_400, "max_rating": 1_600 });
    let made = seek(&mut amina, &changes).await;
    assert_eq!(made.seeker.name, "Amina");
    assert_eq!(made.side, None, "in a rated match it is drawn by lot");
    assert_eq!(
        (made.min_rating, made.max_rating),
        (Some(1_400), Some(1_600))
    );
    let another = seek(&mut amina, &json!({ "game": "kalah" })).await;
    let by_days = seek(&mut amina, &by_days()).await;
    let listed = zofia.get("/api/v1/seeks").await.json();
    let newest = serde_json::to_value(&by_days).expect("a seek is plain JSON");
    assert_eq!(listed["items"][0], newest);
    assert_eq!(listed["items"].as_array().map(Vec::len), Some(3));

    let answer = accept(&mut zofia, &made).await;
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    let id = answer.text("/id");
    socket
        .until(|message| match message {
            ServerMsg::ChallengeAccepted {
                challenge,
                match_id,
            } => {
                assert_eq!(
                    (challenge, match_id.to_string()),
                    (made.id.clone(), id.clone())
                );
                Some(())
            }
            _ => None,
        })
        .await;
    for socket in [&mut socket, &mut other] {
        let left = |message| matches!(message, ServerMsg::PoolLeft { .. }).then_some(());
        socket.until(left).await;
    }
    assert_eq!(waiting(&zofia).await, 0, "who plays waits in no pool");
    let snapshot = socket.joined(&id).await;
    assert!(snapshot.you.is_some() && snapshot.view.rated);
    assert_eq!(
        seeks(&zofia).await,
        [by_days.id.to_string()],
        "who plays seeks nobody else for now"
    );
    accept(&mut zofia, &made)
        .await
        .problem(409, "challenge-closed");
    accept(&mut zofia, &another)
        .await
        .problem(409, "challenge-closed");
    server.stop().await;
}

#[tokio::test]
async fn a_seek_is_no_challenge_by_link() {
    let server = TestServer::start().await;
    let (mut amina, mut zofia) = (server.guest().await, server.guest().await);
    let made = seek(&mut amina, &by_days()).await;
    let path = format!("/api/v1/challenges/{}", made.id);
    zofia.get(&path).await.problem(404, "not-found");
    amina.delete(&path).await.problem(404, "not-found");
    let accepted = zofia.post(&format!("{path}/accept"), &json!({})).await;
    accepted.problem(404, "not-found");
    let offer = wish(&json!({}));
    let challenge = amina.post("/api/v1/challenges", &offer).await;
    let path = format!("/api/v1/seeks/{}", challenge.text("/id"));
    let accepted = zofia.post(&format!("{path}/accept"), &json!({})).await;
    accepted.problem(404, "not-found");
    amina.delete(&path).await.problem(404, "not-found");
    server.stop().await;
}

#[tokio::test]
async fn only_whom_the_seeker_asks_for_may_accept() {
    let server = TestServer::start().await;
    let (mut amina, mut zofia) = (server.account("Amina").await, server.account("Zofia").await);
    let mut guest = server.guest().await;
    let _here = Socket::open(&amina).await;
    let strong = seek(&mut amina, &json!({ "min_rating": 1_501 })).await;
    let weak = seek(&mut amina, &json!({ "max_rating": 1_499 })).await;
    let rated = seek(&mut amina, &json!({ "rated": true })).await;
    // A player without a rating counts as 1500.
    for seek in [&strong, &weak] {
        accept(&mut zofia, seek)
            .await
            .problem(403, "rating-out-of-range");
    }
    accept(&mut guest, &rated)
        .await
        .problem(403, "account-needed");
    accept(&mut amina, &rated).await.problem(409, "own-seek");
    accept(&mut server.stranger(), &rated)
        .await
        .problem(401, "sign-in-first");
    let rated_by_guest = guest
        .post("/api/v1/seeks", &wish(&json!({ "rated": true })))
        .await;
    rated_by_guest.problem(403, "account-needed");
    for (changes, field) in [
        (json!({ "min_rating": -1 }), "min_rating"),
        (json!({ "max_rating": 4_001 }), "max_rating"),
        (
            json!({ "min_rating": 1_600, "max_rating": 1_500 }),
            "min_rating",
        ),
    ] {
        let answer = amina.post("/api/v1/seeks", &wish(&changes)).await;
        answer.bad_field("bad-range", field);
    }
    assert_eq!(accept(&mut zofia, &rated).await.status, StatusCode::OK);
    server.stop().await;
}

#[tokio::test]
async fn of_many_who_accept_at_once_one_plays() {
    let server = TestServer::start().await;
    let mut seeker = server.guest().await;
    let _here = Socket::open(&seeker).await;
    for changes in [json!({}), by_days()] {
        let made = Arc::new(seek(&mut seeker, &changes).await);
        let mut accepting = Vec::new();
        for _ in 0..6 {
            let (mut guest, made) = (server.guest().await, Arc::clone(&made));
            accepting.push(tokio::spawn(async move { accept(&mut guest, &made).await }));
        }
        let mut winners = 0;
        for answer in accepting {
            let answer = answer.await.expect("no panic");
            if answer.status == StatusCode::OK {
                winners += 1;
            } else {
                answer.problem(409, "challenge-closed");
            }
        }
        assert_eq!(winners, 1);
    }
    assert_eq!(matches_of(&seeker).await, 2);
    server.stop().await;
}

#[tokio::test]
async fn a_seeker_who_is_away_cannot_be_met_now() {
    let server = TestServer::start().await;
    let (mut seeker, mut guest) = (server.guest().await, server.guest().await);
    let now = seek(&mut seeker, &json!({})).await;
    let by_days = seek(&mut seeker, &by_days()).await;
    assert_eq!(seeks(&guest).await, [by_days.id.to_string()]);
    accept(&mut guest, &now).await.problem(409, "seeker-gone");
    let here = Socket::open(&seeker).await;
    assert_eq!(seeks(&guest).await.len(), 2);
    drop(here);
    eventually("the seeker is gone", async || {
        (seeks(&guest).await.len() == 1).then_some(())
    })
    .await;
    accept(&mut guest, &now).await.problem(409, "seeker-gone");
    assert_eq!(accept(&mut guest, &by_days).await.status, StatusCode::OK);
    server.stop().await;
}

#[tokio::test]
async fn one_has_a_few_seeks_and_can_take_them_back() {
    let server = TestServer::start().await;
    let (mut seeker, mut guest) = (server.account("Amina").await, server.guest().await);
    let mut made = Vec::new();
    for _ in 0..5 {
        made.push(seek(&mut seeker, &by_days()).await);
    }
    let one_more = seeker.post("/api/v1/seeks", &wish(&by_days())).await;
    one_more.bad_field("too-many-seeks", "");
    let path = format!("/api/v1/seeks/{}", made[0].id);
    guest.delete(&path).await.problem(404, "not-found");
    assert_eq!(seeker.delete(&path).await.status, StatusCode::NO_CONTENT);
    seeker.delete(&path).await.problem(409, "challenge-closed");
    accept(&mut guest, &made[0])
        .await
        .problem(409, "challenge-closed");
    seek(&mut seeker, &by_days()).await;
    assert_eq!(seeks(&guest).await.len(), 5);

    // Nor by concurrent requests.
    let mut hasty = server.guest().await;
    let at_once = (0..12).map(|_| {
        let mut person = hasty.clone();
        tokio::spawn(async move { person.post("/api/v1/seeks", &wish(&by_days())).await.status })
    });
    let answers = futures_util::future::join_all(at_once).await;
    let there = answers
        .into_iter()
        .filter(|status| *status.as_ref().expect("no panic") == StatusCode::CREATED);
    assert_eq!(there.count(), 2, "a guest has two");
    let too_many = hasty.post("/api/v1/seeks", &wish(&by_days())).await;
    too_many.bad_field("too-many-seeks", "");
    assert_eq!(seeks(&guest).await.len(), 7);
    server.stop().await;
}

// --- watching ---

/// Returns the next change of the lobby.
async fn change(socket: &mut Socket) -> (Option<Vec<SeekView>>, Option<Vec<PoolCount>>) {
    socket
        .until(|message| match message {
            ServerMsg::Lobby { seeks, pools } => Some((seeks, pools)),
            _ => None,
        })
        .await
}

#[tokio::test]
async fn who_watches_the_lobby_hears_what_changes() {
    let server = TestServer::start().await;
    let mut seeker = server.guest().await;
    let mut watcher = Socket::open(&server.stranger()).await;
    watcher.send(&SessionMsg::WatchLobby).await;
    assert_eq!(change(&mut watcher).await, (Some(vec![]), Some(vec![])));

    let made = seek(&mut seeker, &by_days()).await;
    assert_eq!(change(&mut watcher).await, (Some(vec![made.clone()]), None));
    let in_pool = wait_in(&seeker, casual("5+0")).await;
    let (seeks, pools) = change(&mut watcher).await;
    let pools = pools.expect("somebody waits");
    assert_eq!((seeks, pools.len()), (None, 1));
    assert_eq!((pools[0].pool.as_str(), pools[0].waiting), ("5+0", 1));

    let mut late = Socket::open(&server.guest().await).await;
    late.send(&SessionMsg::WatchLobby).await;
    assert_eq!(
        change(&mut late).await,
        (Some(vec![made.clone()]), Some(pools))
    );
    late.send(&SessionMsg::UnwatchLobby).await;
    late.send(&SessionMsg::Ping).await;
    late.until(|message| matches!(message, ServerMsg::Pong).then_some(()))
        .await;

    drop(in_pool);
    assert_eq!(change(&mut watcher).await, (None, Some(vec![])));
    let path = format!("/api/v1/seeks/{}", made.id);
    seeker.delete(&path).await;
    assert_eq!(change(&mut watcher).await, (Some(vec![]), None));
    // A client that stopped watching has received none of these.
    late.send(&SessionMsg::Ping).await;
    assert!(matches!(late.next().await, ServerMsg::Pong));
    server.stop().await;
}

/// Many players wait in a pool, and each can accept an open challenge. As soon as the first are paired, all accept: some before they are
/// paired themselves, some after, some at that moment.
async fn accept_while_paired(server: &TestServer) {
    let mut waiting = Vec::new();
    for _ in 0..24 {
        let (person, mut challenger) = (server.guest().await, server.guest().await);
        let offer = json!({
            "game": "oware",
            "time_control": { "kind": "realtime", "base_ms": 300_000, "increment_ms": 0 },
        });
        let made = challenger.post("/api/v1/challenges", &offer).await;
        assert_eq!(made.status, StatusCode::CREATED, "{made:?}");
        let socket = Socket::open(&person).await;
        waiting.push((person, socket, made.text("/id")));
    }
    for (_, socket, _) in &mut waiting {
        socket.send(&casual("5+0")).await;
    }
    paired(&mut waiting[0].1).await;
    let accepting = waiting.iter_mut().skip(1).map(async |(person, _, id)| {
        let path = format!("/api/v1/challenges/{id}/accept");
        let accepted = person.post(&path, &json!({})).await;
        let known = [StatusCode::OK, StatusCode::CONFLICT];
        assert!(known.contains(&accepted.status), "{accepted:?}");
    });
    futures_util::future::join_all(accepting).await;
    // A player who lost the partner to a challenge is paired with another one, or waits on: after two rounds nothing is pending.
    tokio::time::sleep(Duration::from_millis(2_500)).await;
    for (person, _, id) in &waiting {
        let list = person.get("/api/v1/me/matches").await.json();
        let count = list["items"].as_array().expect("a list").len();
        assert!(count <= 1, "{count} matches beside the challenge {id}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_accepts_a_challenge_while_they_are_paired_plays_one_match() {
    accept_while_paired(&TestServer::start().await).await;
    let postgres = Postgres::start();
    let url = postgres.fresh_database().await;
    let server = TestServer::start_with(|config| config.store_url = url).await;
    accept_while_paired(&server).await;
}

#[tokio::test]
async fn guests_do_not_fill_the_lobby_from_one_address() {
    let server = TestServer::start().await;
    let mut honest = server.guest().await;
    let theirs = seek(&mut honest, &by_days()).await;
    let mut made = 0;
    for _ in 0..40 {
        let mut guest = server.guest().await;
        for _ in 0..5 {
            let answer = guest.post("/api/v1/seeks", &wish(&by_days())).await;
            made += usize::from(answer.status == 201);
        }
    }
    // Two of each guest, and thirty of one address in all; one more for each 20 s that a slow machine takes.
    assert!((29..60).contains(&made), "{made}");
    let listed = server.stranger().get("/api/v1/seeks").await.json();
    let items = listed["items"].as_array().expect("a list");
    assert!(items.iter().any(|seek| seek["id"] == theirs.id.as_str()));
    server.stop().await;
}

#[tokio::test]
async fn one_s_own_seeks_are_shown_to_oneself_though_the_list_is_full() {
    let server = TestServer::start().await;
    let mut amina = server.account("Amina").await;
    let mut own = Vec::new();
    for _ in 0..3 {
        own.push(seek(&mut amina, &by_days()).await.id.to_string());
    }
    // One seek each of so many other players that only Amina's newest is listed; stored directly, as one address may not make that many.
    let store = &server.app().store;
    let now_ms = unix_ms();
    for n in 0..60 {
        let name = server.guest().await.name().await;
        let guest = store.find_player_by_name(&name).await.expect("it answers");
        let offer = NewChallenge {
            id: ChallengeId::random(),
            challenger: guest.expect("just made").id,
            game: GameKind::Oware,
            setup: String::new(),
            side: None,
            time_control: TimeControl::Correspondence { days: 3 },
            extra: ExtraTime::default(),
            rated: false,
            options: MatchOptions::usual(false),
            private: false,
            to: None,
            listed: true,
            rating_range: (None, None),
            created_ms: now_ms - 1_000 - n,
            expires_ms: now_ms + 1_000_000,
        };
        store.create_challenge(&offer).await.expect("a seek");
    }
    let all_own = |ids: &[String]| own.iter().all(|id| ids.contains(id));
    let listed = seeks(&amina).await;
    assert!(all_own(&listed) && listed.len() == 52, "{listed:?}");
    assert_eq!(seeks(&server.stranger()).await.len(), 50);
    let mut watcher = Socket::open(&amina).await;
    watcher.send(&SessionMsg::WatchLobby).await;
    let shown = |message: &ServerMsg| match message {
        ServerMsg::Lobby {
            seeks: Some(seeks), ..
        } => {
            let ids = seeks.iter().map(|seek| seek.id.to_string());
            Some(ids.collect::<Vec<String>>())
        }
        _ => None,
    };
    let told = loop {
        if let Some(ids) = shown(&watcher.next().await) {
            break ids;
        }
    };
    assert!(all_own(&told) && told.len() == 52, "{told:?}");
    // One of hers that is not listed is withdrawn, and she gets the message.
    let path = format!("/api/v1/seeks/{}", own[0]);
    assert_eq!(amina.delete(&path).await.status, StatusCode::NO_CONTENT);
    loop {
        if let Some(ids) = shown(&watcher.next().await)
            && !ids.contains(&own[0])
        {
            assert_eq!(ids.len(), 51);
            break;
        }
    }
    server.stop().await;
}
