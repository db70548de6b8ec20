//! Chat over HTTP and the socket: rights, mutes, removal, reports, limits and the operator's option.

use std::collections::BTreeSet;

use mawe_play::chat::{MAX_LINES, OPEN_AFTER_END_MS};
use mawe_store::{AccountChange, NewChatLine};
use mawe_wire::chat::{ChatHidden, ChatLine, ChatRoom};
use mawe_wire::grants::Grant;
use mawe_wire::ids::MatchId;
use mawe_wire::{NoticeKind, ServerMsg, SessionMsg};
use serde_json::{Value, json};

use crate::common::socket::Socket;
use crate::common::{Answer, Person, TestServer};

const PREFERENCES: &str = "/api/v1/me/preferences";
const MUTES: &str = "/api/v1/me/mutes";

fn path(id: &str, room: &str) -> String {
    format!("/api/v1/matches/{id}/chat/{room}")
}

pub(crate) async fn patch(person: &mut Person, change: &Value) -> Answer {
    person.patch(PREFERENCES, change).await
}

/// Registers an account with chat on.
async fn talker(server: &TestServer, name: &str) -> Person {
    let mut person = server.account(name).await;
    let switched = patch(&mut person, &json!({ "chat": true })).await;
    assert_eq!(switched.json()["chat"], true, "{switched:?}");
    person
}

async fn say(person: &mut Person, id: &str, room: &str, text: &str) -> Answer {
    person.post(&path(id, room), &json!({ "text": text })).await
}

async fn said(person: &mut Person, id: &str, room: &str, text: &str) -> u64 {
    let answer = say(person, id, room, text).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.json()["number"].as_u64().expect("a number")
}

/// Ends a running match by the resignation of this player.
async fn resign(person: &mut Person, id: &str) {
    for (seq, command) in [(0, "abort")] {
        let body = json!({ "client_id": "end", "seq": seq, "command": { "kind": command } });
        let ended = person
            .post(&format!("/api/v1/matches/{id}/commands"), &body)
            .await;
        assert_eq!(ended.status, 200, "{ended:?}");
    }
}

/// Joins a match and follows a room; returns the socket and the latest lines.
async fn watching(person: &Person, id: &str, room: ChatRoom) -> (Socket, Vec<ChatLine>) {
    let mut socket = Socket::open(person).await;
    socket.joined(id).await;
    let lines = watch(&mut socket, id, room).await;
    (socket, lines)
}

async fn watch(socket: &mut Socket, id: &str, room: ChatRoom) -> Vec<ChatLine> {
    let match_id = id.parse().expect("an id");
    socket.send(&SessionMsg::WatchChat { match_id, room }).await;
    lines(socket).await
}

/// Waits for the next lines of chat.
async fn lines(socket: &mut Socket) -> Vec<ChatLine> {
    let pick = |message| match message {
        ServerMsg::Chat { lines, .. } => Some(lines),
        ServerMsg::Error(error) => panic!("{error:?}"),
        _ => None,
    };
    socket.until(pick).await
}

fn texts(lines: &[ChatLine]) -> Vec<(u32, Option<&str>)> {
    let text = |line: &'_ ChatLine| line.number;
    let numbers = lines.iter().map(text);
    numbers
        .zip(lines.iter().map(|line| line.text.as_deref()))
        .collect()
}

#[tokio::test]
async fn friends_and_spectators_talk_apart() {
    let server = TestServer::start().await;
    let mut amina = talker(&server, "Amina").await;
    let mut zofia = talker(&server, "Zofia").await;
    let mut halima = talker(&server, "Halima").await;
    let id = amina.play_with(&mut zofia, "first", false).await;
    assert_eq!(said(&mut amina, &id, "players", "  karibu ").await, 1);
    let (mut at_zofia, before) = watching(&zofia, &id, ChatRoom::Players).await;
    assert_eq!(texts(&before), [(1, Some("karibu"))]);
    assert_eq!(
        before[0].from.as_ref().map(|from| &*from.name),
        Some("Amina")
    );
    let (mut at_halima, before) = watching(&halima, &id, ChatRoom::Spectators).await;
    assert_eq!(before, []);
    assert_eq!(said(&mut zofia, &id, "players", "asante").await, 2);
    assert_eq!(said(&mut halima, &id, "spectators", "a3 wins").await, 1);
    assert_eq!(texts(&lines(&mut at_zofia).await), [(2, Some("asante"))]);
    assert_eq!(texts(&lines(&mut at_halima).await), [(1, Some("a3 wins"))]);
    // Apart: neither reads nor writes in the other's room.
    halima
        .get(&path(&id, "players"))
        .await
        .problem(403, "not-seated");
    say(&mut halima, &id, "players", "psst")
        .await
        .problem(403, "not-seated");
    amina
        .get(&path(&id, "spectators"))
        .await
        .problem(409, "match-not-over");
    say(&mut amina, &id, "spectators", "psst")
        .await
        .problem(409, "match-not-over");
    let rooms = amina
        .get(&format!("/api/v1/matches/{id}/chat"))
        .await
        .json();
    assert_eq!(
        rooms["rooms"],
        json!([
            { "room": "players", "unreadable": null, "unwritable": null, "last": 2 },
            { "room": "spectators", "unreadable": "match-not-over", "unwritable": "match-not-over", "last": 0 },
        ])
    );
    // The end opens the room of the spectators to the players, and not the other way round.
    resign(&mut amina, &id).await;
    let read = amina.get(&path(&id, "spectators")).await.json();
    assert_eq!(
        (&read["lines"][0]["text"], &read["last"]),
        (&json!("a3 wins"), &json!(1))
    );
    assert_eq!(
        said(&mut amina, &id, "spectators", "I saw it late").await,
        2
    );
    assert_eq!(
        texts(&lines(&mut at_halima).await),
        [(2, Some("I saw it late"))]
    );
    halima
        .get(&path(&id, "players"))
        .await
        .problem(403, "not-seated");
    let rooms = halima
        .get(&format!("/api/v1/matches/{id}/chat"))
        .await
        .json();
    assert_eq!(rooms["rooms"].as_array().map(Vec::len), Some(1), "{rooms}");
    // Nothing of it is in the match.
    let export = amina
        .get(&format!("/api/v1/matches/{id}/export?format=json"))
        .await;
    let whole = String::from_utf8(export.body).expect("text");
    assert!(
        !whole.contains("karibu") && !whole.contains("a3 wins"),
        "{whole}"
    );
    server.stop().await;
}

#[tokio::test]
async fn chat_is_off_until_an_account_switches_it_on() {
    let server = TestServer::start().await;
    let mut amina = server.account("Amina").await;
    let mut zofia = talker(&server, "Zofia").await;
    let mut guest = server.guest().await;
    let id = amina.play_with(&mut zofia, "first", false).await;
    assert_eq!(amina.get(PREFERENCES).await.json()["chat"], false);
    say(&mut amina, &id, "players", "hello")
        .await
        .problem(403, "chat-off");
    say(&mut zofia, &id, "players", "hello")
        .await
        .problem(409, "opponent-chat-off");
    // A guest has no choice.
    assert_eq!(guest.get(PREFERENCES).await.json()["chat"], Value::Null);
    patch(&mut guest, &json!({ "chat": true }))
        .await
        .problem(403, "account-needed");
    patch(&mut guest, &json!({ "chat": false }))
        .await
        .problem(403, "account-needed");
    guest
        .get(&path(&id, "spectators"))
        .await
        .problem(403, "account-needed");
    say(&mut guest, &id, "spectators", "hello")
        .await
        .problem(403, "account-needed");
    server
        .stranger()
        .get(&path(&id, "spectators"))
        .await
        .problem(401, "sign-in-first");
    patch(&mut amina, &json!({ "chat": true })).await;
    let (mut at_amina, _) = watching(&amina, &id, ChatRoom::Players).await;
    assert_eq!(said(&mut zofia, &id, "players", "hello").await, 1);
    assert_eq!(texts(&lines(&mut at_amina).await), [(1, Some("hello"))]);
    // Off again: her socket gets no more, and she is told why she cannot read.
    patch(&mut amina, &json!({ "chat": false })).await;
    say(&mut zofia, &id, "players", "again")
        .await
        .problem(409, "opponent-chat-off");
    let match_id = id.parse().expect("an id");
    let room = ChatRoom::Players;
    at_amina
        .send(&SessionMsg::WatchChat { match_id, room })
        .await;
    assert_eq!(at_amina.error().await.code.to_string(), "chat-off");
    // A guest on the other side has none, so neither has the account.
    let with_guest = zofia.play_with(&mut guest, "first", false).await;
    say(&mut zofia, &with_guest, "players", "hello")
        .await
        .problem(403, "no-chat");
    say(&mut guest, &with_guest, "players", "hello")
        .await
        .problem(403, "account-needed");
    server.stop().await;
}

#[tokio::test]
async fn strangers_who_met_by_a_seek_have_no_chat() {
    let server = TestServer::start().await;
    let mut amina = talker(&server, "Amina").await;
    let mut zofia = talker(&server, "Zofia").await;
    let seek = json!({ "game": "mawe", "side": "first", "time_control": { "kind": "correspondence", "days": 3 } });
    let made = amina.post("/api/v1/seeks", &seek).await;
    let accept = format!("/api/v1/seeks/{}/accept", made.text("/id"));
    let id = zofia.post(&accept, &json!({})).await.text("/id");
    say(&mut amina, &id, "players", "hello")
        .await
        .problem(403, "no-chat");
    let against = json!({ "game": "mawe", "level": 1, "side": "first", "time_control": { "kind": "unlimited" } });
    let id = amina.post("/api/v1/matches", &against).await.text("/id");
    say(&mut amina, &id, "players", "hello")
        .await
        .problem(403, "no-chat");
    let alone = json!({ "game": "mawe", "time_control": { "kind": "unlimited" } });
    let id = amina
        .post("/api/v1/matches/pass-and-play", &alone)
        .await
        .text("/id");
    say(&mut amina, &id, "players", "hello")
        .await
        .problem(403, "no-chat");
    server.stop().await;
}

#[tokio::test]
async fn a_text_is_plain_and_short() {
    let server = TestServer::start().await;
    let mut amina = talker(&server, "Amina").await;
    let mut zofia = talker(&server, "Zofia").await;
    let id = amina.play_with(&mut zofia, "first", false).await;
    let players = path(&id, "players");
    for text in [
        json!(""),
        json!("   "),
        json!("a\nb"),
        json!("a\u{0}b"),
        json!("a\u{202e}b"),
        json!("a\u{200b}b"),
        json!("ż".repeat(201)),
    ] {
        let refused = amina.post(&players, &json!({ "text": text })).await;
        refused.bad_field("bad-text", "text");
    }
    for body in [json!({}), json!({ "text": 7 }), json!({ "text": null })] {
        amina
            .post(&players, &body)
            .await
            .bad_field("bad-field", "text");
    }
    let extra = json!({ "text": "a", "bold": true });
    amina
        .post(&players, &extra)
        .await
        .bad_field("bad-field", "bold");
    for wrong in [
        path(&id, "moderators"),
        path("AAAAAAAAAAAA", "players"),
        path("..", "players"),
    ] {
        let refused = amina.post(&wrong, &json!({ "text": "a" })).await;
        refused.problem(404, "not-found");
    }
    // A refused line has cost nothing: all of the burst is left.
    for number in 1..=8 {
        let text = format!("<img src=x onerror=alert({number})> https://example.org");
        let line = say(&mut amina, &id, "players", &text).await;
        assert_eq!(line.json()["text"], text);
    }
    // No program writes to people, whatever its scopes.
    let mut program = amina.program(&["read", "play", "challenge"]).await;
    program
        .post(&players, &json!({ "text": "a" }))
        .await
        .problem(403, "session-needed");
    assert_eq!(program.get(&players).await.json()["last"], 8);
    server.stop().await;
}

#[tokio::test]
async fn a_flood_is_stopped() {
    let server = TestServer::start().await;
    let mut amina = talker(&server, "Amina").await;
    let mut zofia = talker(&server, "Zofia").await;
    let id = amina.play_with(&mut zofia, "first", false).await;
    let mut refused = 0;
    for _ in 0..30 {
        let answer = say(&mut amina, &id, "players", "flood").await;
        if answer.status == 429 {
            answer.problem(429, "too-many-requests");
            assert!(!answer.header("retry-after").is_empty());
            refused += 1;
        }
    }
    assert!(refused >= 15, "{refused}");
    assert_eq!(
        said(&mut zofia, &id, "players", "stop it").await,
        31 - refused
    );
    // A full room takes no line of anybody.
    let match_id: MatchId = id.parse().expect("an id");
    let store = &server.app().store;
    let line = NewChatLine {
        match_id,
        room: ChatRoom::Players,
        player: server.player_id("Amina").await,
        text: "a".repeat(200),
        at_ms: 1,
    };
    while store
        .write_chat_line(&line, MAX_LINES)
        .await
        .expect("it answers")
        .is_some()
    {}
    say(&mut zofia, &id, "players", "hello")
        .await
        .problem(409, "chat-full");
    let rooms = zofia
        .get(&format!("/api/v1/matches/{id}/chat"))
        .await
        .json();
    assert_eq!(rooms["rooms"][0]["unwritable"], "chat-full");
    // A reader gets a part of it at once, and the rest in pages.
    let (_, latest) = watching(&zofia, &id, ChatRoom::Players).await;
    assert_eq!(latest.last().map(|line| line.number), Some(MAX_LINES));
    assert_eq!(latest.len(), 40);
    let mut numbers = Vec::new();
    while numbers.len() < MAX_LINES as usize {
        let after = numbers.len();
        let page = zofia
            .get(&format!("{}?after={after}&limit=100", path(&id, "players")))
            .await
            .json();
        let lines = page["lines"].as_array().expect("lines").iter();
        numbers.extend(lines.map(|line| line["number"].as_u64().expect("a number")));
    }
    assert_eq!(numbers, (1..=u64::from(MAX_LINES)).collect::<Vec<_>>());
    for query in ["limit=0", "limit=101", "after=-1", "after=x", "before=3"] {
        let refused = zofia
            .get(&format!("{}?{query}", path(&id, "players")))
            .await;
        refused.problem(422, "bad-filter");
    }
    let beyond = zofia
        .get(&format!("{}?after=4294967295", path(&id, "players")))
        .await;
    assert_eq!(beyond.json()["lines"], json!([]));
    server.stop().await;
}

#[tokio::test]
async fn a_room_is_followed_at_a_joined_match_only() {
    let server = TestServer::start().await;
    let mut amina = talker(&server, "Amina").await;
    let mut zofia = talker(&server, "Zofia").await;
    let id = amina.play_with(&mut zofia, "first", false).await;
    let mut socket = Socket::open(&amina).await;
    let watch_it = |room| SessionMsg::WatchChat {
        match_id: id.parse().expect("an id"),
        room,
    };
    socket.send(&watch_it(ChatRoom::Players)).await;
    assert_eq!(socket.error().await.code.to_string(), "not-joined");
    socket.joined(&id).await;
    socket.send(&watch_it(ChatRoom::Spectators)).await;
    assert_eq!(socket.error().await.code.to_string(), "match-not-over");
    assert_eq!(watch(&mut socket, &id, ChatRoom::Players).await, []);
    assert_eq!(server.app().sockets.chat.room_count(), 1);
    // Whoever leaves the match, follows its chat no more; so does a socket that is gone.
    socket.leave(&id).await;
    socket.joined(&id).await;
    assert_eq!(server.app().sockets.chat.room_count(), 0);
    watch(&mut socket, &id, ChatRoom::Players).await;
    drop(socket);
    crate::common::eventually("the room is forgotten", async || {
        (server.app().sockets.chat.room_count() == 0).then_some(())
    })
    .await;
    server.stop().await;
}

#[tokio::test]
async fn a_reader_mutes_a_player_on_all_devices() {
    let server = TestServer::start().await;
    let mut amina = talker(&server, "Amina").await;
    let mut zofia = talker(&server, "Zofia").await;
    let id = amina.play_with(&mut zofia, "first", false).await;
    let (mut at_amina, _) = watching(&amina, &id, ChatRoom::Players).await;
    said(&mut zofia, &id, "players", "bah").await;
    assert_eq!(texts(&lines(&mut at_amina).await), [(1, Some("bah"))]);
    assert_eq!(
        amina
            .post(MUTES, &json!({ "player": "zofia" }))
            .await
            .status,
        204
    );
    let again = watch(&mut at_amina, &id, ChatRoom::Players).await;
    assert_eq!(
        (again[0].text.as_ref(), again[0].hidden),
        (None, Some(ChatHidden::Muted))
    );
    said(&mut zofia, &id, "players", "bah again").await;
    let live = lines(&mut at_amina).await;
    assert_eq!((live[0].number, live[0].text.as_ref()), (2, None));
    let read = amina.get(&path(&id, "players")).await.json();
    assert_eq!(read["lines"][1]["hidden"], "muted");
    // The muted player does not notice.
    let read = zofia.get(&path(&id, "players")).await.json();
    assert_eq!(read["lines"][1]["text"], "bah again");
    assert_eq!(amina.get(MUTES).await.json()["items"][0]["name"], "Zofia");
    assert_eq!(amina.delete(&format!("{MUTES}/Zofia")).await.status, 204);
    assert_eq!(
        texts(&watch(&mut at_amina, &id, ChatRoom::Players).await)[0],
        (1, Some("bah"))
    );
    amina
        .post(MUTES, &json!({ "player": "Amina" }))
        .await
        .bad_field("yourself", "player");
    amina
        .post(MUTES, &json!({ "player": "Nobody" }))
        .await
        .problem(404, "not-found");
    let mut guest = server.guest().await;
    guest
        .post(MUTES, &json!({ "player": "Amina" }))
        .await
        .problem(403, "account-needed");
    server.stop().await;
}

#[tokio::test]
async fn a_moderator_reads_the_reported_line_removes_it_and_mutes_its_author() {
    let server = TestServer::start().await;
    let mut amina = talker(&server, "Amina").await;
    let mut zofia = talker(&server, "Zofia").await;
    let mut halima = talker(&server, "Halima").await;
    let mut moderator = server.account("Mwalimu").await;
    server
        .change_account("Mwalimu", AccountChange::Grant(Grant::Moderator))
        .await;
    let id = amina.play_with(&mut zofia, "first", false).await;
    said(&mut amina, &id, "players", "hello").await;
    said(&mut zofia, &id, "players", "you pig").await;
    let reports = "/api/v1/players/Zofia/reports";
    let about = |room: &str, number: u32| json!({ "reason": "chat", "match": id, "line": { "room": room, "number": number } });
    // The line must be the reported player's, and the reporter's to read.
    for (body, code, field) in [
        (
            json!({ "reason": "chat", "match": id }),
            "bad-field",
            "line",
        ),
        (
            json!({ "reason": "name", "match": id, "line": { "room": "players", "number": 2 } }),
            "bad-field",
            "line",
        ),
        (
            json!({ "reason": "chat", "line": { "room": "players", "number": 2 } }),
            "bad-match",
            "line",
        ),
        (about("players", 1), "bad-match", "line"),
        (about("players", 0), "bad-match", "line"),
        (about("players", 3), "bad-match", "line"),
        (about("lobby", 2), "bad-field", "line.room"),
    ] {
        amina.post(reports, &body).await.bad_field(code, field);
    }
    halima
        .post(reports, &about("players", 2))
        .await
        .problem(403, "not-seated");
    let made = amina.post(reports, &about("players", 2)).await;
    assert_eq!(made.status, 201, "{made:?}");
    let report = format!("/api/v1/moderation/reports/{}", made.text("/id"));
    let seen = moderator.get(&report).await.json();
    assert_eq!(seen["line"], json!({ "room": "players", "number": 2 }));
    let evidence = moderator.get(&format!("{report}/chat")).await.json();
    assert_eq!(evidence["lines"][0]["text"], "hello");
    assert_eq!(evidence["lines"][1]["text"], "you pig");

    let (mut at_amina, _) = watching(&amina, &id, ChatRoom::Players).await;
    let mut removal = json!({ "match": id, "room": "players", "number": 2, "why": "" });
    let removed = "/api/v1/moderation/removed-lines";
    moderator
        .post(removed, &removal)
        .await
        .bad_field("bad-text", "why");
    removal["why"] = json!("an insult");
    amina
        .post(removed, &removal)
        .await
        .problem(403, "moderators-only");
    for _ in 0..2 {
        let answer = moderator.post(removed, &removal).await;
        assert_eq!(answer.status, 204, "{answer:?}");
    }
    let live = lines(&mut at_amina).await;
    assert_eq!(
        (live[0].number, live[0].text.as_ref(), live[0].hidden),
        (2, None, Some(ChatHidden::Removed))
    );
    let read = zofia.get(&path(&id, "players")).await.json();
    assert_eq!(read["lines"][1]["hidden"], "removed");
    assert!(read["lines"][1].get("text").is_none(), "{read}");
    let evidence = moderator.get(&format!("{report}/chat")).await.json();
    assert_eq!(
        evidence["lines"][1]["text"], "you pig",
        "moderators still see it"
    );
    removal["number"] = json!(9);
    moderator
        .post(removed, &removal)
        .await
        .problem(404, "not-found");

    let mut at_zofia = Socket::open(&zofia).await;
    assert_eq!(
        moderator
            .post(&format!("{report}/take"), &json!({}))
            .await
            .status,
        200
    );
    let mute = json!({ "action": "mute-chat", "why": "write politely", "days": 3 });
    let judged = moderator.post(&format!("{report}/resolve"), &mute).await;
    assert_eq!(
        judged.json()["resolved"]["action"],
        "mute-chat",
        "{judged:?}"
    );
    let notice = at_zofia
        .until(|message| match message {
            ServerMsg::Notice { notice, .. } => Some(notice),
            _ => None,
        })
        .await;
    assert_eq!(
        (notice.kind, notice.text.as_str()),
        (NoticeKind::ChatMuted, "write politely")
    );
    assert!(notice.until.is_some());
    say(&mut zofia, &id, "players", "but")
        .await
        .problem(409, "muted");
    // She still reads, and still says phrases.
    assert_eq!(zofia.get(&path(&id, "players")).await.json()["last"], 2);
    at_zofia.joined(&id).await;
    at_zofia
        .send_text(format!(
            r#"{{"t":"phrase","match":"{id}","phrase":"sorry"}}"#
        ))
        .await;
    at_zofia
        .until(|message| matches!(message, ServerMsg::Phrase { .. }).then_some(()))
        .await;
    let log = moderator.get("/api/v1/moderation/audit").await.json();
    let actions = log["items"].as_array().expect("items").iter();
    let actions: BTreeSet<&str> = actions.filter_map(|item| item["action"].as_str()).collect();
    for action in ["remove-chat-line", "mute-chat", "uphold-report"] {
        assert!(actions.contains(action), "{action}: {log}");
    }
    // A report of anything else has no lines.
    let made = halima.post(reports, &json!({ "reason": "stalling" })).await;
    let other = format!("/api/v1/moderation/reports/{}/chat", made.text("/id"));
    moderator.get(&other).await.problem(404, "not-found");
    server.stop().await;
}

#[tokio::test]
async fn a_chat_closes_a_day_after_its_match() {
    let server = TestServer::start().await;
    let mut amina = talker(&server, "Amina").await;
    let mut zofia = talker(&server, "Zofia").await;
    let id = amina.play_with(&mut zofia, "first", false).await;
    said(&mut amina, &id, "players", "hello").await;
    resign(&mut amina, &id).await;
    said(&mut zofia, &id, "players", "again?").await;
    let store = &server.app().store;
    let match_id: MatchId = id.parse().expect("an id");
    let facts = store
        .chat_facts(&match_id, Some(&server.player_id("Amina").await))
        .await;
    let facts = facts.expect("it answers").expect("a match");
    let ended_ms = facts.finished_ms.expect("it is over");
    let amina_id = server.player_id("Amina").await;
    let late = facts.place(Some(&amina_id), ended_ms + OPEN_AFTER_END_MS);
    assert!(late.may_read(ChatRoom::Players).is_ok() && late.may_write(ChatRoom::Players).is_err());
    server.stop().await;
}

#[tokio::test]
async fn an_operator_switches_chat_off_for_everybody() {
    let server = TestServer::start().await;
    let mut amina = talker(&server, "Amina").await;
    let mut zofia = talker(&server, "Zofia").await;
    let id = amina.play_with(&mut zofia, "first", false).await;
    said(&mut amina, &id, "players", "hello").await;
    let directory = server.stop().await;
    let server = TestServer::start_on_as(directory, |config| config.live.chat = false).await;
    let mut amina = amina.moved_to(server.address);
    assert_eq!(amina.get(PREFERENCES).await.json()["chat"], Value::Null);
    patch(&mut amina, &json!({ "chat": true }))
        .await
        .problem(403, "chat-disabled");
    amina
        .get(&path(&id, "players"))
        .await
        .problem(403, "chat-disabled");
    amina
        .get(&format!("/api/v1/matches/{id}/chat"))
        .await
        .problem(403, "chat-disabled");
    say(&mut amina, &id, "players", "hello?")
        .await
        .problem(403, "chat-disabled");
    let mut socket = Socket::open(&amina).await;
    socket.joined(&id).await;
    let match_id = id.parse().expect("an id");
    let room = ChatRoom::Players;
    socket.send(&SessionMsg::WatchChat { match_id, room }).await;
    assert_eq!(socket.error().await.code.to_string(), "chat-disabled");
    server.stop().await;
}
