//! The WebSocket of a running server: play, watch, come back, misbehave.

use std::net::SocketAddr;

use crate::common::play::{Mirror, Pair, Resumed, Seat};
use crate::common::socket::{Heard, Socket, handshake};
use crate::common::{PASSWORD, Person, TestServer, eventually};
use futures_util::future::join_all;
use mawe_rules::Side;
use mawe_server::protocol::{ClientMsg, Command, Event, PlayerKind, ServerMsg};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::{self, Message};

const NOBODYS_MATCH: &str = "AAAAAAAAAAAA";

/// The match that a rematch became; offers are passed over.
async fn next_match(socket: &mut Socket) -> String {
    socket
        .until(|message| match message {
            ServerMsg::Rematch { rematch, .. } => rematch.next.map(String::from),
            ServerMsg::Error(error) => panic!("refused: {error:?}"),
            _ => None,
        })
        .await
}

// --- play and watch ---

#[tokio::test]
async fn players_and_a_spectator_hear_one_game_without_a_gap() {
    let server = TestServer::start().await;
    let mut pair = Pair::of_guests(&server).await;
    let mut spectator = Socket::open(&server.stranger()).await;
    let snapshot = spectator.joined(&pair.id).await;
    assert_eq!(snapshot.you, None);
    let mut seen = Mirror::of(&snapshot.view);

    let mut told = Vec::new();
    while !pair.is_over() {
        told.push(pair.ply().await);
    }
    for event in &told {
        let heard = spectator.event().await;
        assert_eq!(&heard, event);
        seen.take(&heard);
    }
    assert_eq!(seen, pair.seats[0].mirror);
    assert_eq!(seen, pair.seats[1].mirror);
    let result = seen.state.result.clone().expect("the game is over");
    assert_eq!(result.reason, "no-moves");
    assert!(result.score.is_some(), "the stones home are counted");

    let view = pair.people[0]
        .get(&format!("/api/v1/matches/{}", pair.id))
        .await
        .json();
    assert_eq!(view["seq"], seen.seq);
    assert_eq!(view["position"], seen.state.position);
    assert_eq!(
        view["plies"],
        serde_json::to_value(&seen.plies).expect("plies are plain JSON")
    );
    server.stop().await;
}

#[tokio::test]
async fn an_anonymous_visitor_watches_and_may_do_nothing() {
    let server = TestServer::start().await;
    let mut pair = Pair::of_guests(&server).await;
    let mut visitor = Socket::open(&server.stranger()).await;
    assert_eq!(visitor.joined(&pair.id).await.you, None);
    let guest = server.guest().await;
    let mut watching_guest = Socket::open(&guest).await;
    assert_eq!(watching_guest.joined(&pair.id).await.you, None);
    for socket in [&mut visitor, &mut watching_guest] {
        socket.command(&pair.id, "mine", 0, Command::Resign).await;
        let error = socket.error().await;
        assert_eq!(error.code, "not-seated");
        assert_eq!(
            error.client_id.map(String::from).as_deref(),
            Some("mine"),
            "the refusal says what it answers"
        );
        socket.rematch(&pair.id).await;
        assert_eq!(socket.error().await.code, "not-seated");
    }
    let event = pair.ply().await;
    assert_eq!(event.seq, 1, "nothing was written for them");
    assert_eq!(visitor.event().await, event);
    server.stop().await;
}

#[tokio::test]
async fn a_computer_opponent_answers_a_move() {
    let server = TestServer::start().await;
    let mut person = server.guest().await;
    let new = json!({
        "game": "mawe", "level": 1, "side": "first",
        "time_control": { "kind": "realtime", "base_ms": 60_000, "increment_ms": 1_000 },
    });
    let id = person.post("/api/v1/matches", &new).await.text("/id");
    let mut seat = Seat::take(&person, &id, Side::First).await;
    let command = seat.a_move("a1b2");
    seat.send(command).await;
    assert!(seat.event().await.client_id.is_some());
    let answer = seat.event().await;
    assert!(
        matches!(&answer.event, Event::Move(ply) if ply.side == Side::Second),
        "{answer:?}"
    );
    // Early in a game a computer plays on.
    seat.send(Command::OfferDraw).await;
    assert_eq!(
        seat.event().await.event,
        Event::OfferDraw { side: Side::First }
    );
    assert_eq!(
        seat.event().await.event,
        Event::DeclineDraw { side: Side::Second }
    );
    server.stop().await;
}

// --- come back ---

/// Everything that one who never left has known, by seq.
async fn history_of(pair: &mut Pair) -> Vec<Mirror> {
    let mut history = vec![pair.seats[0].mirror.clone()];
    while !pair.is_over() {
        match pair.seats[0].mirror.seq {
            4 => pair.act(0, Command::OfferDraw).await,
            5 => pair.act(1, Command::DeclineDraw).await,
            _ => pair.ply().await,
        };
        history.push(pair.seats[0].mirror.clone());
    }
    history
}

#[tokio::test]
async fn who_resumes_from_any_seq_ends_where_one_is_who_never_left() {
    let server = TestServer::start().await;
    let mut pair = Pair::of_guests(&server).await;
    let history = history_of(&mut pair).await;
    let last = history.last().expect("a game has entries");
    assert!(last.seq > 41, "the game is too short to be far behind in");
    let mut by_snapshot = 0;
    // A socket may not ask too fast.
    for page in history.chunks(20) {
        let mut socket = Socket::open(&pair.people[1]).await;
        for known in page {
            let mut mirror = known.clone();
            socket.join_since(&pair.id, Some(known.seq)).await;
            match mirror.resume(&mut socket).await {
                Resumed::ByEvents { events, you } => {
                    assert_eq!(events, last.seq - known.seq);
                    assert!(events <= 40);
                    assert_eq!(you, Some(Side::Second));
                }
                Resumed::BySnapshot(snapshot) => {
                    assert!(last.seq - known.seq > 40);
                    assert_eq!(snapshot.you, Some(Side::Second));
                    by_snapshot += 1;
                }
            }
            assert_eq!(&mirror, last, "from seq {}", known.seq);
        }
    }
    assert_eq!(by_snapshot, last.seq - 40);
    server.stop().await;
}

#[tokio::test]
async fn a_client_that_claims_a_seq_of_the_future_gets_a_snapshot() {
    let server = TestServer::start().await;
    let mut pair = Pair::of_guests(&server).await;
    pair.plies(3).await;
    let mut socket = Socket::open(&pair.people[0]).await;
    for since in [4, u64::MAX] {
        socket.join_since(&pair.id, Some(since)).await;
        assert_eq!(socket.snapshot().await.view.seq, 3);
    }
    server.stop().await;
}

#[tokio::test]
async fn a_client_that_resumes_all_its_matches_at_once_is_served() {
    let server = TestServer::start().await;
    let mut pairs = Vec::new();
    for _ in 0..4 {
        pairs.push(Pair::of_guests(&server).await);
    }
    join_all(pairs.iter_mut().map(|pair| pair.plies(36))).await;
    let mut watcher = Socket::open(&server.stranger()).await;
    for pair in &pairs {
        watcher.join_since(&pair.id, Some(0)).await;
    }
    let mut back = 0;
    while back < pairs.len() {
        match watcher.next().await {
            ServerMsg::Joined { seq, .. } => {
                assert_eq!(seq, 36);
                back += 1;
            }
            ServerMsg::Event(_) | ServerMsg::Presence { .. } => {}
            other => panic!("not served: {other:?}"),
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn a_match_goes_on_after_a_restart_of_the_server() {
    let server = TestServer::start().await;
    let mut pair = Pair::of_guests(&server).await;
    pair.plies(9).await;
    pair.act(0, Command::OfferDraw).await;
    let known = pair.seats[1].mirror.clone();
    let Pair {
        id,
        people: [first, second],
        ..
    } = pair;
    let server = server.restart().await;
    let people = [
        first.moved_to(server.address),
        second.moved_to(server.address),
    ];
    let mut socket = Socket::open(&people[1]).await;
    let mut mirror = known.clone();
    socket.join_since(&id, Some(known.seq)).await;
    mirror.resume(&mut socket).await;
    assert_eq!(mirror, known);
    let mut pair = Pair::at(people, id).await;
    assert_eq!(pair.seats[0].mirror.plies, known.plies);
    assert_eq!(
        pair.seats[0].mirror.state.draw_offer,
        Some(Side::First),
        "an offer outlives a restart"
    );
    pair.play_out().await;
    server.stop().await;
}

// --- commands ---

#[tokio::test]
async fn a_command_sent_again_gets_the_stored_event_and_changes_nothing() {
    let server = TestServer::start().await;
    let mut pair = Pair::of_guests(&server).await;
    let first = pair.ply().await;
    pair.ply().await;
    let Event::Move(ply) = &first.event else {
        panic!("a ply is a move: {first:?}");
    };
    let again = Command::Move {
        ply: 0,
        text: ply.text.clone(),
    };
    // On the same socket, on another one, and with another content: the name decides.
    let mut other_tab = Socket::open(&pair.people[0]).await;
    other_tab.joined(&pair.id).await;
    let id = pair.id.clone();
    for command in [again, Command::Resign] {
        for socket in [&mut pair.seats[0].socket, &mut other_tab] {
            socket.command(&id, "c-1", 0, command.clone()).await;
            assert_eq!(socket.event().await, first);
        }
    }
    // Nobody else heard anything, and the journal goes on where it was.
    let third = pair.ply().await;
    assert_eq!(third.seq, 3);
    assert_eq!(other_tab.event().await, third);
    server.stop().await;
}

#[tokio::test]
async fn a_command_is_remembered_over_a_restart() {
    let server = TestServer::start().await;
    let mut pair = Pair::of_guests(&server).await;
    let first = pair.ply().await;
    let Pair { id, people, .. } = pair;
    let server = server.restart().await;
    let person = people[0].moved_to(server.address);
    let mut socket = Socket::open(&person).await;
    socket.joined(&id).await;
    socket.command(&id, "c-1", 0, Command::Resign).await;
    assert_eq!(socket.event().await, first);
    server.stop().await;
}

#[tokio::test]
async fn the_opponent_may_use_the_same_client_id() {
    let server = TestServer::start().await;
    let mut pair = Pair::of_guests(&server).await;
    // Both seats name their commands c-1, c-2, …
    let first = pair.ply().await;
    let second = pair.ply().await;
    assert_eq!(first.client_id, second.client_id);
    assert_eq!(second.seq, 2);
    server.stop().await;
}

#[tokio::test]
async fn what_the_rules_and_the_turn_forbid_is_refused_and_changes_nothing() {
    let server = TestServer::start().await;
    let mut pair = Pair::of_guests(&server).await;
    let [first, second] = &mut pair.seats;
    for (text, why) in [
        ("a1a2", "not-on-a-line"),
        ("a8b7", "not-your-stone"),
        ("a4b5", "empty-square"),
        ("b1a1", "sideways-needs-jump"),
        ("castling", "malformed-move"),
        ("", "malformed-move"),
    ] {
        let command = first.a_move(text);
        first.send(command).await;
        let error = first.socket.error().await;
        assert_eq!(error.code, "illegal-move", "{text:?}");
        assert_eq!(error.why.as_deref(), Some(why), "{text:?}");
    }
    let early = second.a_move("a8b7");
    assert_eq!(second.refused(early).await, "not-your-turn");
    assert_eq!(second.refused(Command::AcceptDraw).await, "no-draw-offer");
    let event = pair.ply().await;
    assert_eq!(event.seq, 1, "nothing was written before");
    server.stop().await;
}

#[tokio::test]
async fn a_stale_ply_is_refused_and_answered_with_the_entries_since() {
    let server = TestServer::start().await;
    let mut pair = Pair::of_guests(&server).await;
    pair.plies(2).await;
    let known = pair.seats[0].mirror.clone();
    // Another tab of the first player stays behind while the game goes on.
    let told = [pair.ply().await, pair.ply().await];
    let mut behind = Socket::open(&pair.people[0]).await;
    behind.joined(&pair.id).await;
    let stale = Command::Move {
        ply: known.state.ply,
        text: known.state.legal[0].clone(),
    };
    behind.command(&pair.id, "late", known.seq, stale).await;
    let error = behind.error().await;
    assert_eq!(error.code, "stale-ply");
    assert_eq!(error.client_id.map(String::from).as_deref(), Some("late"));
    for event in told {
        assert_eq!(behind.event().await, event);
    }
    // A ply that has not come yet is as wrong.
    let future = Command::Move {
        ply: 9,
        text: "a1b2".to_owned(),
    };
    behind.command(&pair.id, "early", 4, future).await;
    assert_eq!(behind.error().await.code, "stale-ply");
    assert_eq!(pair.ply().await.seq, 5);
    server.stop().await;
}

#[tokio::test]
async fn nothing_can_be_done_in_a_finished_match() {
    let server = TestServer::start().await;
    let mut pair = Pair::of_guests(&server).await;
    pair.plies(2).await;
    pair.act(1, Command::Resign).await;
    for seat in &mut pair.seats {
        let commands = [
            seat.a_move("a1b2"),
            Command::Resign,
            Command::OfferDraw,
            Command::AcceptDraw,
            Command::DeclineDraw,
            Command::Abort,
        ];
        for command in commands {
            assert_eq!(seat.refused(command).await, "match-over");
        }
    }
    let view = pair.people[0]
        .get(&format!("/api/v1/matches/{}", pair.id))
        .await
        .json();
    assert_eq!(view["seq"], 3);
    server.stop().await;
}

#[tokio::test]
async fn one_has_to_join_a_match_that_exists() {
    let server = TestServer::start().await;
    let pair = Pair::of_guests(&server).await;
    let mut socket = Socket::open(&pair.people[0]).await;
    socket
        .command(&pair.id, "too-early", 0, Command::Resign)
        .await;
    let error = socket.error().await;
    assert_eq!(error.code, "not-joined");
    assert_eq!(
        error.client_id.map(String::from).as_deref(),
        Some("too-early")
    );
    assert_eq!(error.match_id.map(String::from), Some(pair.id.clone()));
    socket.rematch(&pair.id).await;
    assert_eq!(socket.error().await.code, "not-joined");
    socket.join(NOBODYS_MATCH).await;
    let error = socket.error().await;
    assert_eq!(error.code, "unknown-match");
    assert_eq!(
        error.match_id.map(String::from).as_deref(),
        Some(NOBODYS_MATCH)
    );
    socket
        .command(NOBODYS_MATCH, "nowhere", 0, Command::Resign)
        .await;
    let code = socket.error().await.code;
    assert!(code == "unknown-match" || code == "not-joined", "{code}");
    // The match is as it was, and one who leaves has to join again.
    assert_eq!(socket.joined(&pair.id).await.view.seq, 0);
    socket.leave(&pair.id).await;
    socket.command(&pair.id, "gone", 0, Command::Resign).await;
    assert_eq!(socket.error().await.code, "not-joined");
    server.stop().await;
}

#[tokio::test]
async fn who_has_left_hears_no_more_of_a_match() {
    let server = TestServer::start().await;
    let mut pair = Pair::of_guests(&server).await;
    let mut spectator = Socket::open(&server.stranger()).await;
    spectator.joined(&pair.id).await;
    spectator.leave(&pair.id).await;
    spectator.send(&ClientMsg::Ping).await;
    spectator
        .until(|message| (message == ServerMsg::Pong).then_some(()))
        .await;
    pair.plies(2).await;
    spectator.join(&pair.id).await;
    // An event would have come before the snapshot.
    match spectator.next().await {
        ServerMsg::Snapshot(snapshot) => assert_eq!(snapshot.view.seq, 2),
        other => panic!("heard after leaving: {other:?}"),
    }
    server.stop().await;
}

// --- draws, resignations, aborts ---

#[tokio::test]
async fn a_draw_is_offered_declined_and_accepted() {
    let server = TestServer::start().await;
    let mut pair = Pair::of_guests(&server).await;
    pair.plies(2).await;
    let offer = pair.act(0, Command::OfferDraw).await;
    assert_eq!(offer.event, Event::OfferDraw { side: Side::First });
    assert_eq!(offer.state.draw_offer, Some(Side::First));
    assert_eq!(
        pair.seats[0].refused(Command::OfferDraw).await,
        "draw-offer-pending"
    );
    assert_eq!(
        pair.seats[0].refused(Command::AcceptDraw).await,
        "no-draw-offer",
        "one's own offer is not one's to accept"
    );
    let declined = pair.act(1, Command::DeclineDraw).await;
    assert_eq!(declined.event, Event::DeclineDraw { side: Side::Second });
    assert_eq!(declined.state.draw_offer, None);
    assert_eq!(
        pair.seats[0].refused(Command::OfferDraw).await,
        "draw-offer-too-soon"
    );
    pair.plies(10).await;
    pair.act(0, Command::OfferDraw).await;
    let accepted = pair.act(1, Command::AcceptDraw).await;
    assert_eq!(accepted.event, Event::AcceptDraw { side: Side::Second });
    let result = accepted.state.result.expect("the match is over");
    assert_eq!((result.winner, result.reason.as_str()), (None, "agreement"));
    assert!(accepted.state.legal.is_empty());
    assert_eq!(accepted.state.draw_offer, None);
    server.stop().await;
}

#[tokio::test]
async fn a_move_of_the_one_who_was_offered_a_draw_declines_it() {
    let server = TestServer::start().await;
    let mut pair = Pair::of_guests(&server).await;
    pair.plies(2).await;
    pair.act(0, Command::OfferDraw).await;
    assert_eq!(
        pair.ply().await.state.draw_offer,
        Some(Side::First),
        "the offerer's own move leaves the offer"
    );
    assert_eq!(pair.ply().await.state.draw_offer, None);
    assert_eq!(
        pair.seats[1].refused(Command::AcceptDraw).await,
        "no-draw-offer"
    );
    server.stop().await;
}

#[tokio::test]
async fn offering_what_the_opponent_offers_is_accepting() {
    let server = TestServer::start().await;
    let mut pair = Pair::of_guests(&server).await;
    pair.plies(2).await;
    pair.act(1, Command::OfferDraw).await;
    let event = pair.act(0, Command::OfferDraw).await;
    assert_eq!(event.event, Event::AcceptDraw { side: Side::First });
    assert!(event.state.result.is_some());
    server.stop().await;
}

#[tokio::test]
async fn one_may_resign_out_of_turn() {
    let server = TestServer::start().await;
    let mut pair = Pair::of_guests(&server).await;
    pair.plies(3).await;
    let event = pair.act(0, Command::Resign).await;
    assert_eq!(event.event, Event::Resign { side: Side::First });
    let result = event.state.result.expect("the match is over");
    assert_eq!(
        (result.winner, result.reason.as_str()),
        (Some(Side::Second), "resign")
    );
    assert_eq!(event.state.clock.running, None);
    server.stop().await;
}

#[tokio::test]
async fn a_match_can_be_called_off_before_its_second_ply_only() {
    let server = TestServer::start().await;
    for plies in [0, 1] {
        let mut pair = Pair::of_guests(&server).await;
        pair.plies(plies).await;
        let event = pair.act(1, Command::Abort).await;
        assert_eq!(
            event.event,
            Event::Abort {
                side: Some(Side::Second)
            }
        );
        let result = event.state.result.expect("the match is over");
        assert_eq!((result.winner, result.reason.as_str()), (None, "aborted"));
    }
    let mut pair = Pair::of_guests(&server).await;
    pair.plies(2).await;
    for seat in &mut pair.seats {
        assert_eq!(seat.refused(Command::Abort).await, "cannot-abort");
    }
    server.stop().await;
}

#[tokio::test]
async fn clocks_run_once_both_have_moved() {
    let server = TestServer::start().await;
    let mut pair = Pair::of_guests(&server).await;
    for running in [None, Some(Side::First), Some(Side::Second)] {
        let clock = pair.ply().await.state.clock;
        assert_eq!(clock.running, running);
        assert_eq!(clock.first_move_ms.is_some(), running.is_none());
        assert!(clock.first_ms <= 600_000 && clock.second_ms <= 600_000);
    }
    server.stop().await;
}

// --- rematches and challenges ---

#[tokio::test]
async fn a_rematch_exchanges_the_sides() {
    let server = TestServer::start().await;
    let mut pair = Pair::of_guests(&server).await;
    pair.seats[0].socket.rematch(&pair.id.clone()).await;
    assert_eq!(pair.seats[0].socket.error().await.code, "match-not-over");
    pair.act(0, Command::Abort).await;
    let id = pair.id.clone();
    // Offering twice is one offer.
    for _ in 0..2 {
        pair.seats[1].socket.rematch(&id).await;
    }
    for seat in &mut pair.seats {
        let offered = seat
            .socket
            .until(|message| match message {
                ServerMsg::Rematch { rematch, .. } => Some(rematch),
                _ => None,
            })
            .await;
        assert_eq!(offered.offered_by, Some(Side::Second));
        assert_eq!(offered.next, None);
    }
    // One who comes now sees the offer.
    let mut late = Socket::open(&pair.people[0]).await;
    assert_eq!(
        late.joined(&id).await.rematch.offered_by,
        Some(Side::Second)
    );
    pair.seats[0].socket.rematch(&id).await;
    let next = next_match(&mut pair.seats[0].socket).await;
    assert_eq!(next_match(&mut pair.seats[1].socket).await, next);
    assert_eq!(next_match(&mut late).await, next);
    Seat::take(&pair.people[0], &next, Side::Second).await;
    Seat::take(&pair.people[1], &next, Side::First).await;
    // Asking once more names the same match.
    pair.seats[1].socket.rematch(&id).await;
    assert_eq!(next_match(&mut pair.seats[1].socket).await, next);
    server.stop().await;
}

#[tokio::test]
async fn both_offering_a_rematch_at_once_make_one_match() {
    let server = TestServer::start().await;
    let mut pair = Pair::of_guests(&server).await;
    pair.act(0, Command::Abort).await;
    let id = pair.id.clone();
    let [first, second] = &mut pair.seats;
    tokio::join!(first.socket.rematch(&id), second.socket.rematch(&id));
    let (a, b) = tokio::join!(
        next_match(&mut first.socket),
        next_match(&mut second.socket)
    );
    assert_eq!(a, b);
    let running = pair.people[0].get("/api/v1/me/matches").await.json();
    assert_eq!(running["items"].as_array().map(Vec::len), Some(1));
    server.stop().await;
}

#[tokio::test]
async fn a_computer_takes_a_rematch_at_once() {
    let server = TestServer::start().await;
    let mut person = server.guest().await;
    let new = json!({
        "game": "mawe", "level": 2, "side": "first",
        "time_control": { "kind": "realtime", "base_ms": 60_000, "increment_ms": 0 },
    });
    let id = person.post("/api/v1/matches", &new).await.text("/id");
    let mut seat = Seat::take(&person, &id, Side::First).await;
    seat.send(Command::Abort).await;
    seat.event().await;
    seat.socket.rematch(&id).await;
    let next = next_match(&mut seat.socket).await;
    let mut seat = Seat::take(&person, &next, Side::Second).await;
    // It has the first move now, and makes it.
    assert!(matches!(
        seat.event().await.event,
        Event::Move(ply) if ply.side == Side::First
    ));
    server.stop().await;
}

#[tokio::test]
async fn a_challenger_is_told_on_every_socket_that_somebody_accepted() {
    let server = TestServer::start().await;
    let (mut challenger, mut other) = (server.guest().await, server.guest().await);
    let mut tabs = [
        Socket::open(&challenger).await,
        Socket::open(&challenger).await,
    ];
    let mut strangers_tab = Socket::open(&other).await;
    let id = challenger.play_with(&mut other, "second", false).await;
    for tab in &mut tabs {
        match tab.next().await {
            ServerMsg::ChallengeAccepted { match_id, .. } => assert_eq!(match_id.to_string(), id),
            other => panic!("not the notice: {other:?}"),
        }
    }
    // Nobody else is told.
    strangers_tab.send(&ClientMsg::Ping).await;
    assert_eq!(strangers_tab.next().await, ServerMsg::Pong);
    server.stop().await;
}

// --- who is there ---

#[tokio::test]
async fn two_tabs_are_one_presence_and_both_hear_everything() {
    let server = TestServer::start().await;
    let mut pair = Pair::of_guests(&server).await;
    let mut tab = Socket::open(&pair.people[1]).await;
    let snapshot = tab.joined(&pair.id).await;
    assert_eq!(snapshot.you, Some(Side::Second));
    assert!(snapshot.presence.first && snapshot.presence.second);
    let event = pair.ply().await;
    assert_eq!(tab.event().await, event);
    // From the second tab one plays as well.
    let reply = Command::Move {
        ply: 1,
        text: event.state.legal[0].clone(),
    };
    tab.command(&pair.id, "from-the-tab", 1, reply).await;
    let heard = tab.event().await;
    for seat in &mut pair.seats {
        assert_eq!(seat.event().await, heard);
    }
    let Pair {
        id,
        people,
        seats: [mut first, second],
    } = pair;
    drop(second);
    let mut watcher = Socket::open(&server.stranger()).await;
    watcher.join(&id).await;
    // What is said until the watcher is counted never says that the player is gone.
    while first.socket.here() != Some((true, true, 1)) {
        first.socket.next().await;
        let said = first.socket.here().expect("it was said at the join");
        assert!(said.1, "gone with one of two tabs: {said:?}");
    }
    drop(tab);
    first.socket.until_present((true, false, 1)).await;
    let mut back = Socket::open(&people[1]).await;
    back.join_since(&id, Some(2)).await;
    first.socket.until_present((true, true, 1)).await;
    server.stop().await;
}

#[tokio::test]
async fn a_guest_who_registers_keeps_the_seat() {
    let server = TestServer::start().await;
    let mut pair = Pair::of_guests(&server).await;
    pair.plies(2).await;
    let credentials = json!({ "name": "Rehema", "password": PASSWORD });
    let answer = pair.people[0].post("/api/v1/accounts", &credentials).await;
    assert_eq!(answer.text("/player/kind"), "account");
    // Everybody sees the new name, the old socket goes on, and a new one sits in the same seat.
    for seat in &mut pair.seats {
        let view = seat.socket.snapshot().await.view;
        assert_eq!(view.seats.first.player.name, "Rehema");
        assert_eq!(view.seq, 2);
    }
    pair.plies(1).await;
    let mut socket = Socket::open(&pair.people[0]).await;
    let snapshot = socket.joined(&pair.id).await;
    assert_eq!(snapshot.you, Some(Side::First));
    pair.plies(1).await;
    assert_eq!(socket.event().await.seq, 4);
    let play = Command::Move {
        ply: 4,
        text: pair.seats[0].mirror.state.legal[0].clone(),
    };
    socket.command(&pair.id, "as-rehema", 4, play).await;
    assert_eq!(socket.event().await.seq, 5);
    server.stop().await;
}

#[tokio::test]
async fn hello_says_for_whom_a_socket_speaks() {
    let server = TestServer::start().await;
    let account = server.account("Juma").await;
    let mut said = Vec::new();
    for person in [&server.stranger(), &account] {
        let headers = [
            ("sec-websocket-protocol", "other, mawe.v1"),
            ("cookie", &person.cookie().unwrap_or("a=b".to_owned())),
        ];
        let request = handshake(server.address, &headers);
        let stream = TcpStream::connect(server.address)
            .await
            .expect("it listens");
        let (mut stream, _) = tokio_tungstenite::client_async(request, stream)
            .await
            .expect("a handshake");
        let hello = futures_util::StreamExt::next(&mut stream).await;
        let hello = hello.expect("a message").expect("a frame");
        let hello: ServerMsg =
            serde_json::from_str(hello.to_text().expect("text")).expect("a message");
        let ServerMsg::Hello {
            player,
            heartbeat_ms,
        } = hello
        else {
            panic!("the first message is hello, not {hello:?}");
        };
        assert_eq!(heartbeat_ms, 10_000);
        said.push(player);
    }
    assert_eq!(said[0], None);
    let player = said[1].as_ref().expect("signed in");
    assert_eq!(
        (player.name.as_str(), player.kind),
        ("Juma", PlayerKind::Account)
    );
    server.stop().await;
}

// --- the line ---

#[tokio::test]
async fn a_handshake_without_the_subprotocol_is_refused() {
    let server = TestServer::start().await;
    for headers in [&[][..], &[("sec-websocket-protocol", "mawe.v0")]] {
        let (status, code) = refused_handshake(server.address, headers).await;
        assert_eq!((status, code.as_str()), (400, "bad-request"));
    }
    let answer = server.stranger().get("/api/v1/ws").await;
    answer.problem(400, "bad-request");
    server.stop().await;
}

#[tokio::test]
async fn a_page_of_another_origin_cannot_open_a_socket() {
    let server = TestServer::start().await;
    let own = format!("http://{}", server.address);
    let protocol = ("sec-websocket-protocol", "mawe.v1");
    let (status, code) = refused_handshake(
        server.address,
        &[protocol, ("origin", "https://evil.example")],
    )
    .await;
    assert_eq!((status, code.as_str()), (403, "foreign-origin"));
    let stream = TcpStream::connect(server.address)
        .await
        .expect("it listens");
    let request = handshake(server.address, &[protocol, ("origin", &own)]);
    assert!(
        tokio_tungstenite::client_async(request, stream)
            .await
            .is_ok()
    );
    server.stop().await;
}

async fn refused_handshake(address: SocketAddr, headers: &[(&'static str, &str)]) -> (u16, String) {
    let stream = TcpStream::connect(address).await.expect("it listens");
    let refused = tokio_tungstenite::client_async(handshake(address, headers), stream).await;
    match refused {
        Err(tungstenite::Error::Http(response)) => {
            let body = response.body().clone().unwrap_or_default();
            let problem: Value = serde_json::from_slice(&body).unwrap_or_default();
            let code = problem["code"].as_str().unwrap_or_default().to_owned();
            (response.status().as_u16(), code)
        }
        Err(other) => panic!("not refused over HTTP: {other}"),
        Ok(_) => panic!("the handshake was not refused"),
    }
}

#[tokio::test]
async fn a_frame_that_is_no_message_is_answered_and_the_line_kept() {
    let server = TestServer::start().await;
    let mut socket = Socket::open(&server.stranger()).await;
    for text in [
        "",
        "hello",
        "{",
        "[]",
        "{}",
        r#"{"t":"dance"}"#,
        r#"{"t":"join"}"#,
        r#"{"t":"join","match":"no id"}"#,
    ] {
        socket.send_text(text).await;
        assert_eq!(socket.error().await.code, "bad-frame", "{text}");
    }
    socket.send(&ClientMsg::Ping).await;
    assert_eq!(socket.next().await, ServerMsg::Pong);
    server.stop().await;
}

/// The codes of the errors among what was said, and the reason of the farewell.
fn codes(said: &[ServerMsg]) -> (Vec<&str>, Option<&str>) {
    let errors = said.iter().filter_map(|message| match message {
        ServerMsg::Error(error) => Some(error.code.as_str()),
        _ => None,
    });
    let farewell = said.last().and_then(|message| match message {
        ServerMsg::Closing { reason, .. } => Some(reason.as_str()),
        _ => None,
    });
    (errors.collect(), farewell)
}

#[tokio::test]
async fn too_many_bad_frames_close_the_socket() {
    let server = TestServer::start().await;
    let bad: [(Message, &str, u16); 3] = [
        (Message::text("no message"), "bad-frame", 1003),
        (Message::binary(vec![1, 2, 3]), "bad-frame", 1003),
        (Message::text(" ".repeat(4097)), "frame-too-large", 1009),
    ];
    for (frame, code, closed_with) in bad {
        let mut socket = Socket::open(&server.stranger()).await;
        for _ in 0..9 {
            socket.send_raw(frame.clone()).await.expect("it is open");
        }
        let (said, closed) = socket.rest().await;
        assert_eq!(codes(&said), (vec![code; 9], Some("too-many-bad-frames")));
        assert_eq!(closed, Some(closed_with));
    }
    server.stop().await;
}

#[tokio::test]
async fn a_frame_of_4096_bytes_is_read_and_one_of_4097_is_not() {
    let server = TestServer::start().await;
    let mut socket = Socket::open(&server.stranger()).await;
    let ping = r#"{"t":"ping"}"#;
    socket.send_text(format!("{ping:<4096}")).await;
    assert_eq!(socket.next().await, ServerMsg::Pong);
    socket.send_text(format!("{ping:<4097}")).await;
    assert_eq!(socket.error().await.code, "frame-too-large");
    socket.send_text(ping).await;
    assert_eq!(socket.next().await, ServerMsg::Pong);
    server.stop().await;
}

/// The head of a masked text frame that claims so many bytes of payload.
fn head_of_a_frame(bytes: u16) -> [u8; 8] {
    let [high, low] = bytes.to_be_bytes();
    [0x81, 0x80 | 126, high, low, 1, 2, 3, 4]
}

#[tokio::test]
async fn a_frame_over_16_kib_closes_the_socket_unread() {
    let server = TestServer::start().await;
    let mut socket = Socket::open(&server.stranger()).await;
    // Its head is enough to be closed for.
    socket.send_bytes(&head_of_a_frame(16 * 1024 + 1)).await;
    assert_eq!(socket.rest().await.1, Some(1009));
    let mut socket = Socket::open(&server.stranger()).await;
    socket.send_text(" ".repeat(16 * 1024)).await;
    assert_eq!(socket.error().await.code, "frame-too-large");
    server.stop().await;
}

#[tokio::test]
async fn what_is_no_frame_closes_the_socket() {
    let server = TestServer::start().await;
    let mut socket = Socket::open(&server.stranger()).await;
    // An unmasked frame, which no client may send.
    socket.send_bytes(&[0x81, 0x02, b'h', b'i']).await;
    assert_eq!(socket.rest().await.1, Some(1002));
    server.stop().await;
}

#[tokio::test]
async fn a_flood_is_refused_and_then_cut() {
    let server = TestServer::start().await;
    let mut socket = Socket::open(&server.stranger()).await;
    // So many come at once that no refill makes up for it; the server may hang up in the middle.
    for _ in 0..200 {
        if socket
            .send_raw(Message::text(r#"{"t":"ping"}"#))
            .await
            .is_err()
        {
            break;
        }
    }
    let (said, closed) = socket.rest().await;
    let pongs = said
        .iter()
        .filter(|message| **message == ServerMsg::Pong)
        .count();
    assert!(pongs >= 40, "an honest burst passes: {pongs}");
    let (errors, farewell) = codes(&said);
    assert_eq!(errors, vec!["too-fast"; 9]);
    assert_eq!(farewell, Some("too-fast"));
    assert_eq!(closed, Some(1008));
    server.stop().await;
}

#[tokio::test]
async fn one_socket_follows_sixteen_matches() {
    let server = TestServer::start().await;
    let mut person = server.guest().await;
    let new = json!({
        "game": "mawe", "level": 1, "side": "first",
        "time_control": { "kind": "realtime", "base_ms": 60_000, "increment_ms": 0 },
    });
    let mut ids = Vec::new();
    for _ in 0..17 {
        ids.push(person.post("/api/v1/matches", &new).await.text("/id"));
    }
    let mut socket = Socket::open(&server.stranger()).await;
    for id in &ids[..16] {
        socket.joined(id).await;
    }
    socket.join(&ids[16]).await;
    let error = socket.error().await;
    assert_eq!(error.code, "too-many-matches");
    assert_eq!(error.match_id.map(String::from).as_ref(), Some(&ids[16]));
    // One that it follows may be joined again; and when it leaves one, there is room for another.
    socket.joined(&ids[3]).await;
    socket.leave(&ids[0]).await;
    socket.joined(&ids[16]).await;
    server.stop().await;
}

#[tokio::test]
async fn a_player_has_thirty_two_sockets() {
    let server = TestServer::start().await;
    let person = server.guest().await;
    let mut open = Vec::new();
    for _ in 0..32 {
        open.push(Socket::open(&person).await);
    }
    let mut one_more = Socket::unheard(
        TcpStream::connect(server.address)
            .await
            .expect("it listens"),
        &person,
    )
    .await;
    assert!(matches!(one_more.hear().await, Heard::Closed(Some(1008))));
    // A closed one makes room.
    open.pop();
    eventually("room for another socket", || async {
        let stream = TcpStream::connect(server.address)
            .await
            .expect("it listens");
        let mut socket = Socket::unheard(stream, &person).await;
        matches!(socket.hear().await, Heard::Said(ServerMsg::Hello { .. })).then_some(())
    })
    .await;
    server.stop().await;
}

#[tokio::test]
async fn logging_out_closes_the_sockets_of_that_session_only() {
    let server = TestServer::start().await;
    let mut here = server.account("Salma").await;
    let mut elsewhere = server.stranger();
    let credentials = json!({ "name": "salma", "password": PASSWORD });
    assert_eq!(
        elsewhere
            .post("/api/v1/sessions", &credentials)
            .await
            .status,
        200
    );
    let mut tabs = [Socket::open(&here).await, Socket::open(&here).await];
    let mut other = Socket::open(&elsewhere).await;
    assert_eq!(here.delete("/api/v1/sessions/current").await.status, 204);
    for tab in &mut tabs {
        let (said, closed) = tab.rest().await;
        assert_eq!(codes(&said).1, Some("logged-out"));
        assert_eq!(closed, Some(1000));
    }
    other.send(&ClientMsg::Ping).await;
    assert_eq!(other.next().await, ServerMsg::Pong);
    server.stop().await;
}

#[tokio::test]
async fn a_server_that_stops_says_so_to_everybody() {
    let server = TestServer::start().await;
    let pair = Pair::of_guests(&server).await;
    let mut idle = Socket::open(&server.stranger()).await;
    let [mut first, mut second] = pair.seats;
    let stop = tokio::spawn(server.stop());
    for socket in [&mut first.socket, &mut second.socket, &mut idle] {
        let (said, closed) = socket.rest().await;
        assert_eq!(codes(&said).1, Some("restarting"), "{said:?}");
        assert_eq!(closed, Some(1012));
    }
    stop.await.expect("it stops");
}

/// A connection that takes little: small segments keep the server's send buffer small, too.
fn narrow_connection(address: SocketAddr) -> TcpStream {
    let socket = socket2::Socket::new(
        socket2::Domain::for_address(address),
        socket2::Type::STREAM,
        None,
    )
    .expect("a socket");
    socket.set_recv_buffer_size(4096).expect("a small buffer");
    socket.set_tcp_mss(536).expect("small segments");
    socket.connect(&address.into()).expect("it listens");
    socket.set_nonblocking(true).expect("for tokio");
    TcpStream::from_std(socket.into()).expect("an open connection")
}

#[tokio::test]
async fn a_reader_that_stalls_is_cut_and_delays_nobody() {
    let server = TestServer::start().await;
    let mut long = Pair::of_guests(&server).await;
    long.play_out().await;
    let head = long.seats[0].mirror.seq;
    let mut pair = Pair::of_guests(&server).await;

    let visitor = Person::at(server.address);
    let mut stalled = Socket::over(narrow_connection(server.address), &visitor).await;
    stalled.joined(&pair.id).await;
    pair.seats[0].socket.until_present((true, true, 1)).await;
    // From now on it reads nothing, and asks for more and more. The players play on.
    while !pair.is_over() {
        let since = ClientMsg::Join {
            match_id: long.id.parse().expect("a match id"),
            since: Some(head - 40),
        };
        let text = serde_json::to_string(&since).expect("plain JSON");
        // It may have been cut already.
        let _ = stalled.send_raw(Message::text(text)).await;
        pair.ply().await;
    }
    pair.seats[1].socket.until_present((true, true, 0)).await;
    server.stop().await;
}
