//! Players' actions besides moves, through the wire: takebacks, added time, claims, phrases; and the ends of matches without a move: flags,
//! days, sleep.

use std::time::{Duration, Instant};

use crate::common::play::{Pair, Seat};
use crate::common::socket::Socket;
use crate::common::{Person, TestServer, eventually};
use mawe_play::room::entry::{Action, Entry};
use mawe_rules::clock::TimeLeft;
use mawe_rules::notation::json::JsonRecord;
use mawe_rules::{AnySetup, BySide, GameKind, Record, Side};
use mawe_server::clock::unix_ms;
use mawe_store::{Append, Store};
use mawe_wire::ids::MatchId;
use mawe_wire::{Command, Event, EventMsg, MatchMsg, MatchView, Phrase, ServerMsg, ToMatch};
use serde_json::{Value, json};

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

fn realtime(base_ms: u64) -> Value {
    json!({ "kind": "realtime", "base_ms": base_ms, "increment_ms": 0 })
}

/// Makes a match by challenge, with these fields in the offer; the first has the first move.
async fn a_match(people: &mut [Person; 2], offer: Value) -> String {
    let mut whole = json!({ "game": "mawe", "side": "first", "time_control": realtime(600_000) });
    let fields = whole.as_object_mut().expect("an object");
    fields.extend(offer.as_object().expect("an object").clone());
    let [first, second] = people;
    loop {
        let challenge = first.post("/api/v1/challenges", &whole).await.text("/id");
        let path = format!("/api/v1/challenges/{challenge}/accept");
        let id = second.post(&path, &json!({})).await.text("/id");
        if first.keeps(&id, "first").await {
            return id;
        }
    }
}

async fn a_pair(server: &TestServer, offer: Value) -> Pair {
    let mut people = [server.guest().await, server.guest().await];
    let id = a_match(&mut people, offer).await;
    Pair::at(people, id).await
}

async fn accounts(server: &TestServer) -> [Person; 2] {
    [server.account("Amina").await, server.account("Zofia").await]
}

async fn against_the_computer(person: &mut Person, extra: Value) -> String {
    let mut new =
        json!({ "game": "mawe", "level": 1, "side": "first", "time_control": realtime(600_000) });
    let fields = new.as_object_mut().expect("an object");
    fields.extend(extra.as_object().expect("an object").clone());
    loop {
        let id = person.post("/api/v1/matches", &new).await.text("/id");
        if person.keeps(&id, "first").await {
            return id;
        }
    }
}

async fn view_of(person: &Person, id: &str) -> MatchView {
    let answer = person.get(&format!("/api/v1/matches/{id}")).await.json();
    serde_json::from_value(answer).expect("a match")
}

fn match_id(id: &str) -> MatchId {
    id.parse().expect("a match id")
}

// --- takebacks ---

#[tokio::test]
async fn a_move_is_taken_back_by_consent_in_every_game() {
    let server = TestServer::start().await;
    for game in GameKind::ALL {
        let mut pair = a_pair(&server, json!({ "game": game.id() })).await;
        assert_eq!(
            pair.seats[0].refused(Command::OfferTakeback).await,
            "nothing-to-take-back"
        );
        pair.ply().await;
        let after_one = pair.seats[0].mirror.state.clone();
        let asker = usize::from(pair.seats[0].mirror.plies[0].side == Side::Second);
        let other = 1 - asker;
        let offer = pair.act(asker, Command::OfferTakeback).await;
        let side = [Side::First, Side::Second][asker];
        assert_eq!(offer.state.takeback_offer, Some(side), "{game}");
        assert_eq!(
            pair.seats[asker].refused(Command::OfferTakeback).await,
            "takeback-offer-pending"
        );
        let declined = pair.act(other, Command::DeclineTakeback).await;
        assert_eq!(declined.state.takeback_offer, None);
        assert_eq!(declined.state.position, after_one.position);
        assert_eq!(
            pair.seats[asker].refused(Command::OfferTakeback).await,
            "takeback-offer-too-soon"
        );
        assert_eq!(
            pair.seats[other].refused(Command::AcceptTakeback).await,
            "no-takeback-offer"
        );

        // Until the other side has moved, too: then both plies are taken back.
        while pair.seats[0].mirror.plies.last().map(|ply| ply.side) == Some(side) {
            pair.ply().await;
        }
        let mut mine = pair.seats[0].mirror.plies.iter();
        let last = mine.rposition(|ply| ply.side == side);
        let last = last.expect("the asker has moved") as u32;
        let stale = pair.seats[other].a_move(&pair.seats[other].mirror.state.legal[0].clone());
        pair.act(asker, Command::OfferTakeback).await;
        let back = pair.act(other, Command::AcceptTakeback).await;
        assert!(matches!(back.event, Event::Takeback { .. }), "{game}");
        assert_eq!(back.state.ply, last, "{game}");
        assert_eq!(back.state.turn, side, "{game}");
        assert_eq!(back.state.takeback_offer, None);
        assert_eq!(pair.seats[0].refused(stale).await, "stale-ply", "{game}");

        // The game continues from there, and a new spectator sees the present position.
        for _ in 0..6 {
            if !pair.is_over() {
                pair.ply().await;
            }
        }
        let view = view_of(&pair.people[0], &pair.id).await;
        assert_eq!(view.plies, pair.seats[0].mirror.plies, "{game}");
        assert_eq!(view.state.position, pair.seats[1].mirror.state.position);
    }
    server.stop().await;
}

#[tokio::test]
async fn a_ply_that_comes_again_is_not_answered_by_a_move_from_before() {
    let server = TestServer::start().await;
    let mut pair = a_pair(&server, json!({})).await;
    pair.plies(2).await;
    let before = pair.seats[0].mirror.seq;
    let (ply, text) = (2, pair.seats[0].mirror.state.legal[0].clone());
    pair.act(0, Command::OfferTakeback).await;
    pair.act(1, Command::AcceptTakeback).await;
    pair.plies(2).await;
    // The same ply number, and a move sent before the client knew of the takeback.
    let id = pair.id.clone();
    let late = Command::Move { ply, text };
    let socket = &mut pair.seats[0].socket;
    socket.command(&id, "late", before, late).await;
    assert_eq!(socket.error().await.code.as_str(), "stale-ply");
    server.stop().await;
}

#[tokio::test]
async fn takebacks_are_free_against_the_computer_but_not_in_a_rated_match() {
    let server = TestServer::start().await;
    let mut person = server.account("Amina").await;
    let id = against_the_computer(&mut person, json!({})).await;
    let mut seat = Seat::take(&person, &id, Side::First).await;
    for _ in 0..3 {
        let text = seat.mirror.state.legal[5].clone();
        let command = seat.a_move(&text);
        seat.send(command).await;
        seat.event().await;
        // At once, while the computer thinks, or after its answer: in each case the person is to move again.
        seat.send(Command::OfferTakeback).await;
        loop {
            if let Event::Takeback { .. } = seat.event().await.event {
                break;
            }
        }
        assert_eq!(seat.mirror.state.turn, Side::First);
        assert_eq!(seat.mirror.state.ply, 0);
    }
    let command = seat.a_move("a1b2");
    seat.send(command).await;
    assert!(matches!(seat.event().await.event, Event::Move(_)));
    let answer = seat.event().await;
    assert!(matches!(answer.event, Event::Move(ply) if ply.side == Side::Second));

    let rated = json!({ "rated": true, "options": { "takebacks": true } });
    let id = against_the_computer(&mut person, rated).await;
    let mut seat = Seat::take(&person, &id, Side::First).await;
    let command = seat.a_move("a1b2");
    seat.send(command).await;
    seat.event().await;
    assert_eq!(seat.refused(Command::OfferTakeback).await, "takebacks-off");
    server.stop().await;
}

#[tokio::test]
async fn where_it_was_agreed_a_wrong_turn_is_put_right_before_the_reply_and_at_the_taker_s_cost() {
    let server = TestServer::start().await;
    let mut pair = a_pair(
        &server,
        json!({
            "game": "reversi",
            "options": { "takebacks": false, "free_takebacks": true },
            "time_control": { "kind": "realtime", "base_ms": 600_000, "increment_ms": 20_000 },
        }),
    )
    .await;
    assert_eq!(
        pair.seats[0].refused(Command::OfferTakeback).await,
        "takebacks-off",
        "there is nothing to put right"
    );
    pair.plies(2).await;
    let before = pair.seats[0].mirror.state.clone();
    let moved = pair.ply().await;
    assert!(moved.state.clock.first_ms > before.clock.first_ms);
    let back = pair.act(0, Command::OfferTakeback).await;
    assert_eq!(
        back.event,
        Event::Takeback {
            side: Side::First,
            plies: 1
        }
    );
    assert_eq!(
        (&back.state.position, back.state.ply),
        (&before.position, before.ply)
    );
    let (clock, then) = (&back.state.clock, &moved.state.clock);
    assert_eq!(clock.second_ms, then.second_ms, "who waits pays nothing");
    assert!(clock.first_ms <= before.clock.first_ms, "{clock:?}");

    // One offer at each ply, so that offers keep no player from moving.
    pair.ply().await;
    assert_eq!(
        pair.seats[0].refused(Command::OfferTakeback).await,
        "takebacks-off"
    );
    // It stays refused after the reply.
    pair.ply().await;
    assert_eq!(
        pair.seats[0].refused(Command::OfferTakeback).await,
        "takebacks-off"
    );
    pair.act(1, Command::OfferTakeback).await;
    assert_eq!(pair.turn(), 1);

    // The match rebuilt from its journal holds the corrected plies.
    let (path, [first, second]) = (format!("/api/v1/matches/{}", pair.id), &pair.people);
    assert_eq!(
        first.get(&path).await.json()["plies"],
        second.get(&path).await.json()["plies"]
    );
    server.stop().await;
}

#[tokio::test]
async fn with_both_kinds_of_takeback_the_opponent_is_asked_once_they_have_moved() {
    let server = TestServer::start().await;
    let options = json!({ "options": { "takebacks": true, "free_takebacks": true } });
    let mut pair = a_pair(&server, options).await;
    pair.plies(2).await;
    let asked = pair.act(0, Command::OfferTakeback).await;
    assert_eq!(asked.event, Event::OfferTakeback { side: Side::First });
    // The offer ends with the move that it concerned.
    let back = pair.act(1, Command::OfferTakeback).await;
    assert!(matches!(
        back.event,
        Event::Takeback {
            side: Side::Second,
            plies: 1
        }
    ));
    assert_eq!(back.state.takeback_offer, None);
    server.stop().await;
}

#[tokio::test]
async fn in_a_rated_match_nobody_agrees_on_takebacks_without_asking() {
    let server = TestServer::start().await;
    let [mut first, _] = accounts(&server).await;
    let offer = json!({
        "game": "reversi",
        "side": "random",
        "rated": true,
        "time_control": realtime(600_000),
        "options": { "free_takebacks": true },
    });
    let refused = first.post("/api/v1/challenges", &offer).await;
    assert_eq!(refused.status, 422, "{refused:?}");
    assert_eq!(refused.text("/code"), "bad-terms");
    server.stop().await;
}

#[tokio::test]
async fn who_agreed_on_no_takebacks_gifts_or_phrases_has_none() {
    let server = TestServer::start().await;
    let off = json!({ "options": { "takebacks": false, "give_time": false, "phrases": false } });
    let mut pair = a_pair(&server, off).await;
    pair.plies(2).await;
    assert_eq!(
        pair.seats[0].refused(Command::OfferTakeback).await,
        "takebacks-off"
    );
    assert_eq!(
        pair.seats[0].refused(Command::GiveTime).await,
        "cannot-give-time"
    );
    say(&mut pair.seats[0], Phrase::Hello).await;
    assert_eq!(
        pair.seats[0].socket.error().await.code.as_str(),
        "phrases-off"
    );
    server.stop().await;
}

// --- rounds ---

#[tokio::test]
async fn a_congkak_match_of_rounds_is_played_to_its_end_under_one_link() {
    let scores = rounds_under_one_link(GameKind::Congkak, "rounds=3").await;
    assert_eq!(scores.whole, scores.round);
}

#[tokio::test]
async fn the_rounds_of_pallanguzhi_are_played_to_their_end_under_one_link() {
    let scores = rounds_under_one_link(GameKind::Pallanguzhi, "rounds=3").await;
    assert_eq!(scores.whole, scores.round);
    // The seeds of both rounds of a pair are added.
    let scores = rounds_under_one_link(GameKind::Pallanguzhi, "form=pair").await;
    assert_eq!(scores.whole.first + scores.whole.second, 168);
}

/// The scores of a match of rounds: that of the last round by the rules, and that of the match as the server told it.
struct Scores {
    round: BySide<u16>,
    whole: BySide<u16>,
}

/// Plays a match of rounds to its end, and compares what the server tells of it with the rules.
async fn rounds_under_one_link(game: GameKind, setup: &str) -> Scores {
    let server = TestServer::start().await;
    let offer = json!({ "game": game, "setup": setup });
    let mut pair = a_pair(&server, offer).await;
    while !pair.is_over() {
        for _ in 0..30 {
            if !pair.is_over() {
                pair.ply().await;
            }
        }
        // On new sockets: one accepts forty frames at once, and a fast machine plays faster than that.
        pair = Pair::at(pair.people, pair.id).await;
    }
    let view = view_of(&pair.people[0], &pair.id).await;
    let result = view.state.result.clone().expect("it is over");

    let setup = AnySetup::parse(game, setup).expect("a setup");
    let mut record = Record::new(game, &setup).expect("a start");
    for ply in &view.plies {
        assert_eq!(ply.side, record.turn());
        record.play(&ply.text).expect("a legal move");
        assert_eq!(ply.position, record.position().to_string());
    }
    let rounds = record.rounds().expect("a match of rounds");
    assert!(rounds.len() > 1, "it went on: {rounds:?}");
    let round = rounds.last().expect("a round").score;
    let score = result.score.expect("seeds");
    let score = BySide::new(score.first, score.second);
    let outcome = record.outcome().expect("it is over");
    assert_eq!(
        (result.winner, Some(score)),
        (outcome.winner, outcome.score)
    );
    assert_eq!(result.reason, "row-empty");

    // One match, in the export and in the history.
    let path = format!("/api/v1/matches/{}/export", pair.id);
    let exported = pair.people[0].get(&path).await;
    let told: JsonRecord = serde_json::from_slice(&exported.body).expect("a record");
    assert_eq!(told.replay().as_ref(), Ok(&record));
    let name = pair.people[0].name().await;
    let path = format!("/api/v1/players/{name}/matches");
    let history = pair.people[0].get(&path).await.json();
    assert_eq!(history["items"].as_array().map(Vec::len), Some(1));

    // The match rebuilt from the journal is the same.
    let server = server.restart().await;
    let person = pair.people[0].moved_to(server.address);
    assert_eq!(view_of(&person, &pair.id).await.plies, view.plies);
    server.stop().await;
    Scores {
        round,
        whole: score,
    }
}

// --- time ---

#[tokio::test]
async fn time_is_given_while_clocks_run_and_up_to_three_hours() {
    let server = TestServer::start().await;
    let mut pair = a_pair(
        &server,
        json!({ "time_control": realtime(10_800_000 - 20_000) }),
    )
    .await;
    assert_eq!(
        pair.seats[0].refused(Command::GiveTime).await,
        "cannot-give-time"
    );
    pair.plies(2).await;
    let before = pair.seats[0].mirror.state.clock;
    let given = pair.act(0, Command::GiveTime).await;
    assert!(matches!(
        given.event,
        Event::GiveTime {
            side: Side::First,
            ms: 15_000
        }
    ));
    assert_eq!(given.state.clock.second_ms, before.second_ms + 15_000);
    assert!(given.state.clock.first_ms <= before.first_ms);
    assert_eq!(
        pair.seats[0].refused(Command::GiveTime).await,
        "time-enough"
    );
    server.stop().await;
}

/// The flag falls at the time of the server's clock: never before, and within 50 ms if the machine is not busy. Several clocks at once,
/// because a busy machine may be late with one.
#[tokio::test]
async fn a_flag_falls_at_the_right_moment() {
    let server = TestServer::start().await;
    let mut pairs = Vec::new();
    for game in GameKind::ALL {
        let mut pair = a_pair(
            &server,
            json!({ "game": game.id(), "time_control": realtime(10_000) }),
        )
        .await;
        while pair.seats[0].mirror.state.clock.running.is_none() {
            pair.ply().await;
        }
        pairs.push(pair);
    }
    let mut lateness = Vec::new();
    for pair in &mut pairs {
        let running = pair.seats[0].mirror.state.clock;
        let side = running.running.expect("a clock runs");
        let flag = pair.seats[0].event().await;
        assert_eq!(flag.event, Event::Flag { side });
        let result = flag.state.result.expect("it is over");
        assert_eq!(
            (result.winner, result.reason.as_str()),
            (Some(side.other()), "time")
        );
        let id = match_id(&pair.id);
        let entries = server
            .app()
            .store
            .entries(&id, 0)
            .await
            .expect("the journal");
        let [.., before, last] = entries.as_slice() else {
            panic!("two plies and a flag");
        };
        let left = match side {
            Side::First => running.first_ms,
            Side::Second => running.second_ms,
        };
        lateness.push(last.at_ms - before.at_ms - i64::try_from(left).expect("ten seconds"));
    }
    // An entry has the time of its proposal, and the clock runs from when it is durable: never early.
    assert!(lateness.iter().all(|late| *late >= 0), "{lateness:?}");
    assert!(lateness.iter().any(|late| *late <= 50), "{lateness:?}");
    server.stop().await;
}

#[tokio::test]
async fn a_first_move_that_does_not_come_is_a_no_show_and_an_abort_is_not() {
    let server = TestServer::start().await;
    let mut pair = a_pair(&server, json!({})).await;
    let aborted = pair.act(1, Command::Abort).await;
    assert_eq!(aborted.state.result.expect("it is over").reason, "aborted");
    server.stop().await;
}

// --- claims ---

#[tokio::test]
async fn who_has_gone_for_good_loses_by_claim_and_a_restless_winner_waits() {
    let server = TestServer::start().await;
    let mut people = accounts(&server).await;
    let rated = json!({ "rated": true, "time_control": realtime(60_000) });
    let id = a_match(&mut people, rated).await;
    let mut pair = Pair::at(people, id).await;
    pair.plies(5).await;
    assert_eq!(pair.turn(), 1);
    assert_eq!(pair.seats[0].refused(Command::ClaimWin).await, "not-gone");
    let Pair {
        people: [amina, zofia],
        seats: [mut first, second],
        id,
    } = pair;
    drop(second);
    first.socket.until_present((true, false, 0)).await;
    let presence = first.socket.presence.expect("it was just told");
    assert_eq!(presence.claim_after_ms, Some(20_000));
    assert!(presence.gone_ms.second.is_some() && presence.gone_ms.first.is_none());
    assert_eq!(first.refused(Command::ClaimDraw).await, "not-gone");

    tokio::time::sleep(Duration::from_millis(20_050)).await;
    first.send(Command::ClaimWin).await;
    let claimed = first.event().await;
    assert_eq!(claimed.event, Event::ClaimWin { side: Side::First });
    let result = claimed.state.result.expect("it is over");
    assert_eq!(
        (result.winner, result.reason.as_str()),
        (Some(Side::First), "abandoned")
    );
    let rated = async || {
        let view = view_of(&amina, &id).await;
        view.seats.first.rating_change.filter(|change| *change > 0)
    };
    eventually("the rating is counted", rated).await;
    drop(zofia);
    server.stop().await;
}

#[tokio::test]
async fn nothing_is_claimed_from_who_comes_back_or_from_a_computer() {
    let server = TestServer::start().await;
    let mut pair = a_pair(
        &server,
        json!({ "time_control": { "kind": "correspondence", "days": 1 } }),
    )
    .await;
    pair.plies(3).await;
    assert_eq!(pair.seats[0].refused(Command::ClaimWin).await, "not-gone");
    let mut person = server.guest().await;
    let id = against_the_computer(&mut person, json!({})).await;
    let mut seat = Seat::take(&person, &id, Side::First).await;
    assert_eq!(seat.refused(Command::ClaimWin).await, "not-gone");
    server.stop().await;
}

// --- phrases ---

async fn say(seat: &mut Seat, phrase: Phrase) {
    let match_id = match_id(&seat.id);
    seat.socket
        .send(&ToMatch {
            match_id,
            message: MatchMsg::Phrase { phrase },
        })
        .await;
}

async fn heard(socket: &mut Socket) -> (Side, Phrase) {
    let pick = |message| match message {
        ServerMsg::Phrase { side, phrase, .. } => Some((side, phrase)),
        ServerMsg::Error(error) => panic!("refused: {error:?}"),
        _ => None,
    };
    socket.until(pick).await
}

#[tokio::test]
async fn phrases_are_heard_by_all_but_who_mutes_them() {
    let server = TestServer::start().await;
    let mut pair = a_pair(&server, json!({})).await;
    let mut spectator = Socket::open(&server.stranger()).await;
    spectator.joined(&pair.id).await;
    say(&mut pair.seats[0], Phrase::GoodLuck).await;
    for socket in [&mut spectator] {
        assert_eq!(heard(socket).await, (Side::First, Phrase::GoodLuck));
    }
    for seat in &mut pair.seats {
        assert_eq!(
            heard(&mut seat.socket).await,
            (Side::First, Phrase::GoodLuck)
        );
    }
    let id = match_id(&pair.id);
    let mute = |muted| ToMatch {
        match_id: id.clone(),
        message: MatchMsg::Mute { muted },
    };
    pair.seats[1].socket.send(&mute(true)).await;
    // The player's own phrase is returned after the mute was stored: from then on it is in force.
    say(&mut pair.seats[1], Phrase::Oops).await;
    assert_eq!(
        heard(&mut pair.seats[1].socket).await,
        (Side::Second, Phrase::Oops)
    );
    assert_eq!(
        heard(&mut pair.seats[0].socket).await,
        (Side::Second, Phrase::Oops)
    );
    say(&mut pair.seats[0], Phrase::Sorry).await;
    assert_eq!(
        heard(&mut pair.seats[0].socket).await,
        (Side::First, Phrase::Sorry)
    );
    say(&mut pair.seats[1], Phrase::ThankYou).await;
    assert_eq!(
        heard(&mut pair.seats[1].socket).await,
        (Side::Second, Phrase::ThankYou),
        "the muted phrase was not sent"
    );

    // More than three at once are too many; a spectator may not send any.
    say(&mut pair.seats[0], Phrase::Hello).await;
    say(&mut pair.seats[0], Phrase::Hello).await;
    assert_eq!(pair.seats[0].socket.error().await.code.as_str(), "too-fast");
    let phrase = ToMatch {
        match_id: id.clone(),
        message: MatchMsg::Phrase {
            phrase: Phrase::Hello,
        },
    };
    spectator.send(&phrase).await;
    assert_eq!(spectator.error().await.code.as_str(), "not-seated");
    spectator.send(&mute(true)).await;
    assert_eq!(spectator.error().await.code.as_str(), "not-seated");
    let mut outside = Socket::open(&server.guest().await).await;
    outside.send(&phrase).await;
    assert_eq!(outside.error().await.code.as_str(), "not-joined");
    server.stop().await;
}

// --- watching ---

#[tokio::test]
async fn spectators_of_a_rated_match_are_behind_and_players_are_not() {
    let delay = Duration::from_millis(1_500);
    let server = TestServer::start_with(|config| config.live.spectator_delay = delay).await;
    let mut people = accounts(&server).await;
    let id = a_match(&mut people, json!({ "rated": true })).await;
    let mut pair = Pair::at(people, id.clone()).await;
    let stranger = server.stranger();
    let mut watcher = Socket::open(&stranger).await;
    watcher.joined(&id).await;

    let played = Instant::now();
    let event = pair.ply().await;
    // A client that joins now, over either interface, sees the delayed match; a player sees the present one.
    let mut late = Socket::open(&stranger).await;
    let snapshot = late.joined(&id).await;
    let seen = view_of(&stranger, &id).await;
    let mine = view_of(&pair.people[0], &id).await;
    if played.elapsed() < delay {
        assert_eq!((snapshot.view.seq, snapshot.view.plies.len()), (0, 0));
        assert_eq!(seen.seq, 0);
        assert!(snapshot.view.state.legal == seen.state.legal);
    }
    assert_eq!(mine.seq, 1);
    for socket in [&mut watcher, &mut late] {
        assert_eq!(socket.event().await, event);
        assert!(
            played.elapsed() >= delay,
            "shown after {:?}",
            played.elapsed()
        );
    }
    // After a lost connection: a delayed event arrives at its time, once.
    let second = pair.ply().await;
    let mut back = Socket::open(&stranger).await;
    back.join_since(&id, Some(1)).await;
    let told: EventMsg = back.event().await;
    assert_eq!(told, second);
    pair.act(0, Command::Resign).await;
    let end = back.event().await;
    assert!(end.state.result.is_some());
    server.stop().await;
}

#[tokio::test]
async fn a_casual_match_is_watched_as_it_is_played_and_a_private_one_by_link_only() {
    let delay = Duration::from_secs(60);
    let server = TestServer::start_with(|config| config.live.spectator_delay = delay).await;
    let mut pair = a_pair(&server, json!({ "private": true })).await;
    let stranger = server.stranger();
    let mut watcher = Socket::open(&stranger).await;
    watcher.joined(&pair.id).await;
    let event = pair.ply().await;
    assert_eq!(watcher.event().await, event);
    let listed = stranger.get("/api/v1/matches").await.json();
    assert_eq!(listed["items"], json!([]));
    let name = pair.people[0].name().await;
    let history = format!("/api/v1/players/{name}/matches");
    assert_eq!(stranger.get(&history).await.json()["items"], json!([]));
    assert_eq!(
        pair.people[0].get(&history).await.json()["items"][0]["id"],
        json!(pair.id)
    );
    server.stop().await;
}

// --- days ---

#[tokio::test]
async fn matches_by_the_day_sleep_and_come_back_on_the_next_move() {
    let server = TestServer::start_with(|config| config.linger = Duration::from_millis(300)).await;
    let asleep = async || (server.app().rooms.open_count() == 0).then_some(());
    for control in [
        json!({ "kind": "correspondence", "days": 3 }),
        json!({ "kind": "unlimited" }),
    ] {
        let mut pair = a_pair(&server, json!({ "time_control": control })).await;
        let plies = pair.seats[0].mirror.state.clone();
        assert_eq!(plies.ply, 0);
        pair.plies(3).await;
        let Pair { id, people, seats } = pair;
        let before = seats[0].mirror.clone();
        drop(seats);
        eventually("the match sleeps", asleep).await;
        let view = view_of(&people[0], &id).await;
        assert_eq!(view.seq, before.seq);
        eventually("the match sleeps again", asleep).await;
        let mut pair = Pair::at(people, id).await;
        assert_eq!(pair.seats[0].mirror.plies, before.plies);
        pair.play_out().await;
        drop(pair);
        eventually("the finished match leaves memory", asleep).await;
    }
    let mut pair = a_pair(&server, json!({})).await;
    pair.plies(2).await;
    drop(pair);
    tokio::time::sleep(Duration::from_millis(900)).await;
    assert_eq!(
        server.app().rooms.open_count(),
        1,
        "a clock that runs by the second keeps its match"
    );
    server.stop().await;
}

/// Stores three plies of a correspondence match that were played long ago: the last `ago_ms` before now.
async fn played_long_ago(store: &dyn Store, id: &str, days: i64, ago_ms: i64) {
    let id = match_id(id);
    let claimed = store
        .claim_match(&id, "the past")
        .await
        .expect("the store")
        .expect("the match");
    let left = TimeLeft {
        clock_ms: (days * DAY_MS).cast_unsigned(),
        lag_bank_ms: 0,
    };
    let at_ms = unix_ms() - ago_ms;
    let mut entries = Vec::new();
    for (seq, text) in (1..).zip(["c1e3", "c8f5", "a1b2"]) {
        let entry = Entry {
            seq,
            epoch: claimed.row.epoch,
            at_ms,
            client_id: Some(format!("past-{seq}").parse().expect("a client id")),
            early: false,
            side: Some(if seq % 2 == 1 {
                Side::First
            } else {
                Side::Second
            }),
            action: Action::Move {
                text: text.into(),
                spent_ms: 0,
                lag_ms: 0,
            },
            left: BySide::new(left, left),
        };
        entries.push(entry.to_stored());
    }
    let append = Append {
        match_id: id,
        head: 0,
        epoch: claimed.row.epoch,
        entries,
        finish: None,
        due_ms: Some(at_ms + days * DAY_MS),
    };
    store.append(&[append]).await.expect("the store");
}

#[tokio::test]
async fn correspondence_flags_fall_also_after_a_restart_and_not_for_time_without_a_server() {
    let server = TestServer::start().await;
    let mut people = [server.guest().await, server.guest().await];
    let control = json!({ "kind": "correspondence", "days": 2 });
    let mut ids = Vec::new();
    for _ in 0..2 {
        ids.push(a_match(&mut people, json!({ "time_control": control })).await);
    }
    let directory = server.stop().await;
    let url = format!("sqlite:{}", directory.path().join("mawe.sqlite").display());
    let store = mawe_store::open(&url).await.expect("the store");
    // One match has a few seconds left, the other ran out of time while the server was down.
    played_long_ago(store.as_ref(), &ids[0], 2, 2 * DAY_MS - 5_000).await;
    played_long_ago(store.as_ref(), &ids[1], 2, 3 * DAY_MS).await;
    store.close().await;

    let server = TestServer::start_on(directory).await;
    let person = people[1].moved_to(server.address);
    let nobody_looks = async || {
        let id = match_id(&ids[0]);
        let row = server.app().store.find_match(&id).await.expect("the store");
        row.expect("the match").finish
    };
    let finish = eventually("the flag falls though nobody is there", nobody_looks).await;
    assert_eq!(
        (finish.winner, finish.reason.as_str()),
        (Some(Side::First), "time")
    );
    let late_ms = finish.at_ms - (unix_ms() - 2 * DAY_MS);
    assert!(late_ms > 0);

    let view = view_of(&person, &ids[1]).await;
    assert_eq!(
        view.state.result, None,
        "the time of the outage is nobody's"
    );
    let mut seat = Seat::take(&person, &ids[1], Side::Second).await;
    let text = seat.mirror.state.legal[0].clone();
    let command = seat.a_move(&text);
    seat.send(command).await;
    let played = seat.event().await;
    assert!(matches!(played.event, Event::Move(_)));
    assert_eq!(played.state.clock.second_ms, (2 * DAY_MS).cast_unsigned());
    server.stop().await;
}

#[tokio::test]
async fn a_match_without_clocks_is_never_rated_nor_is_a_form_that_is_unfair() {
    let server = TestServer::start().await;
    let mut pair = a_pair(&server, json!({ "time_control": { "kind": "unlimited" } })).await;
    let clock = pair.seats[0].mirror.state.clock;
    assert_eq!((clock.first_ms, clock.first_move_ms), (0, None));
    pair.play_out().await;
    let mut amina = server.account("Amina").await;
    let offer = json!({ "game": "mawe", "rated": true, "time_control": { "kind": "unlimited" } });
    amina
        .post("/api/v1/challenges", &offer)
        .await
        .bad_field("bad-time-control", "time_control");
    for (game, setup) in [
        ("congkak", ""),
        ("congkak", "form=limited,rounds=3"),
        ("pallanguzhi", ""),
        ("pallanguzhi", "form=pair"),
    ] {
        let offer = json!({
            "game": game,
            "setup": setup,
            "rated": true,
            "time_control": realtime(600_000),
        });
        let refused = amina.post("/api/v1/challenges", &offer).await;
        refused.bad_field("bad-setup", "setup");
    }
    for days in [0, 15, 255] {
        let control = json!({ "kind": "correspondence", "days": days });
        amina
            .post(
                "/api/v1/challenges",
                &json!({ "game": "mawe", "time_control": control }),
            )
            .await
            .bad_field("bad-time-control", "time_control");
    }
    server.stop().await;
}
