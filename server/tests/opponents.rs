//! The computer opponents as players talk to them: their phrases through the wire, and the page's copy of their names and manners.
//!
//! `MAWE_FACTS=write cargo nextest run --workspace -E 'test(the_page_knows_the_computer_opponents)'` writes the copy again after a change.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::bots::bot_of;
use crate::common::play::Seat;
use crate::common::socket::Socket;
use crate::common::{Person, TestServer};
use mawe_rules::Side;
use mawe_server::bots::ladder::{NAMES, PREFIX};
use mawe_server::bots::manner::{self, Ending, Manner};
use mawe_wire::ids::MatchId;
use mawe_wire::{Command, MatchMsg, Phrase, ServerMsg, ToMatch};
use serde_json::{Value, json};

/// Starts a match against the computer in which the person has the first side.
async fn begin(person: &mut Person, level: u8, extra: Value) -> MatchId {
    let mut new = json!({ "game": "mawe", "level": level, "side": "first", "time_control": { "kind": "unlimited" } });
    let fields = new.as_object_mut().expect("an object");
    fields.extend(extra.as_object().expect("an object").clone());
    loop {
        let begun = person.post("/api/v1/matches", &new).await;
        assert_eq!(begun.status, 201, "{begun:?}");
        let id = begun.text("/id");
        // In a rated match the lot decides.
        if person.keeps(&id, "first").await {
            return id.parse().expect("an id");
        }
    }
}

async fn send(socket: &mut Socket, id: &MatchId, message: MatchMsg) {
    let match_id = id.clone();
    socket.send(&ToMatch { match_id, message }).await;
}

async fn say(socket: &mut Socket, id: &MatchId, phrase: Phrase) {
    send(socket, id, MatchMsg::Phrase { phrase }).await;
}

/// The next phrase, or the end of the match as `None`.
async fn phrase_or_end(socket: &mut Socket) -> Option<(Side, Phrase)> {
    socket
        .until(|message| match message {
            ServerMsg::Phrase { side, phrase, .. } => Some(Some((side, phrase))),
            ServerMsg::Event(event) => event.state.result.map(|_| None),
            ServerMsg::Error(error) => panic!("refused: {error:?}"),
            _ => None,
        })
        .await
}

async fn heard(socket: &mut Socket) -> (Side, Phrase) {
    let phrase = phrase_or_end(socket).await;
    phrase.expect("the match goes on")
}

/// Plays plies, the computer's among them, until this many are played.
async fn play(seat: &mut Seat, plies: u32) {
    while seat.mirror.state.ply < plies {
        if seat.mirror.state.turn == Side::First {
            let text = seat.mirror.state.legal[0].clone();
            let command = seat.a_move(&text);
            seat.send(command).await;
        }
        seat.event().await;
    }
}

const THEIRS: Side = Side::Second;

#[tokio::test]
async fn a_computer_opponent_greets_answers_a_little_and_says_farewell() {
    let server = TestServer::start().await;
    let mut person = server.guest().await;
    for level in [1, 5, 10] {
        let manner = Manner::of(level);
        let id = begin(&mut person, level, json!({})).await;
        let mut socket = Socket::open(&person).await;
        socket.joined(id.as_str()).await;
        assert_eq!(heard(&mut socket).await, (THEIRS, manner.greeting(&id)));

        // Neither another page of the player nor a page that joins again is greeted; of many phrases some are answered.
        let mut another = Socket::open(&person).await;
        another.joined(id.as_str()).await;
        socket.leave(id.as_str()).await;
        socket.joined(id.as_str()).await;
        let mut answers = 0;
        for _ in 0..=manner::MOST_ANSWERS {
            say(&mut socket, &id, Phrase::GoodLuck).await;
            for socket in [&mut socket, &mut another] {
                assert_eq!(heard(socket).await, (Side::First, Phrase::GoodLuck));
            }
            if answers < manner.answers {
                answers += 1;
                for socket in [&mut socket, &mut another] {
                    assert_eq!(heard(socket).await, (THEIRS, Phrase::ThankYou));
                }
            }
        }

        socket
            .command(id.as_str(), "gone", 0, Command::Resign)
            .await;
        for socket in [&mut socket, &mut another] {
            assert_eq!(phrase_or_end(socket).await, None, "level {level}");
            let farewell = manner.farewell(&id, 0, Ending::Won);
            assert_eq!(heard(socket).await, (THEIRS, farewell));
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn nothing_is_said_a_second_time_after_a_restart() {
    let server = TestServer::start().await;
    let mut person = server.guest().await;
    let id = begin(&mut person, 1, json!({})).await;
    let manner = Manner::of(1);
    let mut socket = Socket::open(&person).await;
    socket.joined(id.as_str()).await;
    assert_eq!(heard(&mut socket).await, (THEIRS, manner.greeting(&id)));

    // The next owner of the match takes it over as another node would.
    let server = server.restart().await;
    let person = person.moved_to(server.address);
    let mut seat = Seat::take(&person, id.as_str(), Side::First).await;
    say(&mut seat.socket, &id, Phrase::GoodLuck).await;
    assert_eq!(
        heard(&mut seat.socket).await,
        (Side::First, Phrase::GoodLuck),
        "no greeting"
    );
    seat.send(Command::Resign).await;
    assert_eq!(phrase_or_end(&mut seat.socket).await, None, "no answer");
    let farewell = manner.farewell(&id, 0, Ending::Won);
    assert_eq!(heard(&mut seat.socket).await, (THEIRS, farewell));

    // A match that is over is over: nobody takes leave again.
    let server = server.restart().await;
    let person = person.moved_to(server.address);
    let mut socket = Socket::open(&person).await;
    socket.joined(id.as_str()).await;
    say(&mut socket, &id, Phrase::Oops).await;
    assert_eq!(heard(&mut socket).await, (Side::First, Phrase::Oops));
    server.stop().await;
}

#[tokio::test]
async fn a_match_that_is_called_off_has_no_farewell_and_one_without_phrases_none_at_all() {
    let server = TestServer::start().await;
    let mut person = server.guest().await;
    let id = begin(&mut person, 2, json!({})).await;
    let mut socket = Socket::open(&person).await;
    socket.joined(id.as_str()).await;
    assert_eq!(
        heard(&mut socket).await,
        (THEIRS, Manner::of(2).greeting(&id))
    );
    socket.command(id.as_str(), "off", 0, Command::Abort).await;
    assert_eq!(phrase_or_end(&mut socket).await, None);
    say(&mut socket, &id, Phrase::Sorry).await;
    assert_eq!(heard(&mut socket).await, (Side::First, Phrase::Sorry));

    let off = json!({ "options": { "phrases": false } });
    let id = begin(&mut person, 2, off).await;
    let mut socket = Socket::open(&person).await;
    socket.joined(id.as_str()).await;
    socket
        .command(id.as_str(), "gone", 0, Command::Resign)
        .await;
    assert_eq!(phrase_or_end(&mut socket).await, None, "no greeting");
    // The answer to a later message comes after any farewell.
    say(&mut socket, &id, Phrase::Sorry).await;
    let next = socket
        .until(|message| match message {
            ServerMsg::Phrase { phrase, .. } => Some(Err(phrase)),
            ServerMsg::Error(error) => Some(Ok(error.code.to_string())),
            _ => None,
        })
        .await;
    assert_eq!(next, Ok("phrases-off".to_owned()));
    server.stop().await;
}

#[tokio::test]
async fn a_muted_opponent_is_not_heard_and_programs_are_not_spoken_to() {
    let server = TestServer::start().await;
    let mut person = server.guest().await;
    let id = begin(&mut person, 1, json!({})).await;
    let mut socket = Socket::open(&person).await;
    socket.joined(id.as_str()).await;
    heard(&mut socket).await;
    let mut spectator = Socket::open(&server.stranger()).await;
    spectator.joined(id.as_str()).await;
    send(&mut socket, &id, MatchMsg::Mute { muted: true }).await;
    say(&mut socket, &id, Phrase::GoodLuck).await;
    assert_eq!(heard(&mut socket).await, (Side::First, Phrase::GoodLuck));
    assert_eq!(heard(&mut spectator).await, (Side::First, Phrase::GoodLuck));
    assert_eq!(heard(&mut spectator).await, (THEIRS, Phrase::ThankYou));
    say(&mut socket, &id, Phrase::Oops).await;
    assert_eq!(heard(&mut socket).await, (Side::First, Phrase::Oops));

    let (_owner, mut program) = bot_of(server.account("Chatu").await).await;
    let offer = json!({ "to": NAMES[0], "game": "mawe", "side": "first", "time_control": { "kind": "unlimited" } });
    let made = program.post("/api/v1/challenges", &offer).await;
    let id: MatchId = made.text("/match").parse().expect("an id");
    let mut socket = Socket::open(&program).await;
    socket.joined(id.as_str()).await;
    say(&mut socket, &id, Phrase::GoodLuck).await;
    assert_eq!(heard(&mut socket).await, (Side::First, Phrase::GoodLuck));
    socket
        .command(id.as_str(), "gone", 0, Command::Resign)
        .await;
    assert_eq!(phrase_or_end(&mut socket).await, None);
    say(&mut socket, &id, Phrase::Oops).await;
    assert_eq!(heard(&mut socket).await, (Side::First, Phrase::Oops));
    server.stop().await;
}

#[tokio::test]
async fn spectators_of_a_rated_match_hear_the_farewell_after_the_end() {
    let delay = Duration::from_millis(700);
    let server = TestServer::start_with(|config| config.live.spectator_delay = delay).await;
    let mut person = server.account("Amina").await;
    let clock = json!({ "kind": "realtime", "base_ms": 600_000, "increment_ms": 0 });
    let rated = json!({ "rated": true, "time_control": clock });
    let id = begin(&mut person, 1, rated).await;
    let mut spectator = Socket::open(&server.stranger()).await;
    spectator.joined(id.as_str()).await;
    let mut seat = Seat::take(&person, id.as_str(), Side::First).await;
    // Enough to count.
    play(&mut seat, 4).await;
    seat.send(Command::Resign).await;
    let end = loop {
        let event = seat.event().await;
        if event.state.result.is_some() {
            break event;
        }
    };
    let farewell = Manner::of(1).farewell(&id, end.state.ply, Ending::Won);
    assert_eq!(heard(&mut seat.socket).await, (THEIRS, farewell));
    let greeting = Manner::of(1).greeting(&id);
    assert_eq!(heard(&mut spectator).await, (THEIRS, greeting));
    assert_eq!(phrase_or_end(&mut spectator).await, None, "first the end");
    assert_eq!(heard(&mut spectator).await, (THEIRS, farewell));
    server.stop().await;
}

// --- the page's copy ---

/// The code of a phrase, in quotes.
fn code(phrase: Phrase) -> String {
    serde_json::to_string(&phrase).expect("plain JSON")
}

fn codes(phrases: &[Phrase]) -> String {
    let codes: Vec<String> = phrases.iter().copied().map(code).collect();
    format!("[{}]", codes.join(", "))
}

const PHRASES: [Phrase; 9] = [
    Phrase::Hello,
    Phrase::GoodLuck,
    Phrase::GoodGame,
    Phrase::WellPlayed,
    Phrase::ThankYou,
    Phrase::OneMoment,
    Phrase::Sorry,
    Phrase::Oops,
    Phrase::MustGo,
];

/// Returns `static/core/opponents.js`.
fn module() -> String {
    let mut text = String::from(
        "// @ts-check\n\
         // Made by `MAWE_FACTS=write cargo nextest run --workspace -E 'test(the_page_knows_the_computer_opponents)'`: the computer opponents of\n\
         // `server/src/bots/`.\n\n\
         /** @import { Phrase } from \"./types.js\" */\n\n\
         /**\n \
         * @typedef {Object} Opponent\n \
         * @property {string} name\n \
         * @property {readonly Phrase[]} greets\n \
         * @property {readonly Phrase[]} wins\n \
         * @property {readonly Phrase[]} loses\n \
         * @property {readonly Phrase[]} draws\n \
         * @property {number} answers the number of phrases that are answered in one match\n \
         */\n",
    );
    write!(
        text,
        "\n/** The beginning of their names on the server. */\nexport const PREFIX = \"{PREFIX}\";\n\
         \n/** The computer opponents, level 1 first. @type {{readonly Opponent[]}} */\nexport const OPPONENTS = [\n"
    )
    .expect("a string takes all text");
    for (level, name) in (1..).zip(NAMES) {
        let name = name.strip_prefix(PREFIX).expect("all begin like that");
        let Manner {
            greets,
            wins,
            loses,
            draws,
            answers,
        } = Manner::of(level);
        let [greets, wins, loses, draws] = [greets, wins, loses, draws].map(|list| codes(list));
        write!(
            text,
            "  {{\n    name: \"{name}\",\n    greets: {greets},\n    wins: {wins},\n    loses: {loses},\n    draws: {draws},\n    answers: {answers},\n  }},\n"
        )
        .expect("a string takes all text");
    }
    text.push_str("];\n\n/** The answers of all of them, by the person's phrase. @type {Partial<Record<Phrase, Phrase>>} */\nexport const ANSWERS = {\n");
    for phrase in PHRASES {
        if let Some(answer) = manner::answer(phrase) {
            writeln!(text, "  {}: {},", code(phrase), code(answer))
                .expect("a string takes all text");
        }
    }
    text.push_str("};\n");
    text
}

/// Returns `static/tests/opponents.golden.json`: phrases by level, match and ply.
fn golden() -> String {
    let ids = ["Kx7Rm2Qp9TzA", "AAAAAAAAAAAA", "0aZ9bY8cX7dW"];
    let mut cases = Vec::new();
    for (level, _) in (1..).zip(NAMES) {
        for (plies, id) in (17..).zip(ids) {
            let manner = Manner::of(level);
            let id: MatchId = id.parse().expect("an id");
            let farewell = |ending| manner.farewell(&id, plies, ending);
            let case = json!({
                "level": level, "id": id, "plies": plies,
                "greeting": manner.greeting(&id),
                "won": farewell(Ending::Won), "lost": farewell(Ending::Lost), "drawn": farewell(Ending::Drawn),
            });
            cases.push(case.to_string());
        }
    }
    format!("[\n{}\n]\n", cases.join(",\n"))
}

#[test]
fn the_page_knows_the_computer_opponents() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../static");
    let files = [
        ("core/opponents.js", module()),
        ("tests/opponents.golden.json", golden()),
    ];
    for (name, text) in files {
        let path = page.join(name);
        if std::env::var_os("MAWE_FACTS").is_some_and(|task| task == "write") {
            fs::write(path, text).expect("the file can be written");
            continue;
        }
        let known = fs::read_to_string(path).unwrap_or_default();
        assert!(
            known == text,
            "static/{name} is older than server/src/bots/: run MAWE_FACTS=write cargo nextest run --workspace -E \
             'test(the_page_knows_the_computer_opponents)'"
        );
    }
}
