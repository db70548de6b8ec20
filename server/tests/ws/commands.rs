//! Commands: repeated, stale, forbidden.

use mawe_wire::{Command, Event, ServerMsg, SessionMsg};

use super::NOBODYS_MATCH;
use crate::common::TestServer;
use crate::common::play::Pair;
use crate::common::socket::Socket;

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
    // On the same socket, on another one, and with another content: the client id decides.
    let mut other_tab = Socket::open(&pair.people[0]).await;
    other_tab.joined(&pair.id).await;
    let id = pair.id.clone();
    for command in [again, Command::Resign] {
        for socket in [&mut pair.seats[0].socket, &mut other_tab] {
            socket.command(&id, "c-1", 0, command.clone()).await;
            assert_eq!(socket.event().await, first);
        }
    }
    // No other client received anything, and the journal continues.
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
    // Both seats use the client ids c-1, c-2, …
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
        assert_eq!(error.code.as_str(), "illegal-move", "{text:?}");
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
    // Another tab of the first player falls behind while the game continues.
    let told = [pair.ply().await, pair.ply().await];
    let mut behind = Socket::open(&pair.people[0]).await;
    behind.joined(&pair.id).await;
    let stale = Command::Move {
        ply: known.state.ply,
        text: known.state.legal[0].clone(),
    };
    behind.command(&pair.id, "late", known.seq, stale).await;
    let error = behind.error().await;
    assert_eq!(error.code.as_str(), "stale-ply");
    assert_eq!(error.client_id.map(String::from).as_deref(), Some("late"));
    for event in told {
        assert_eq!(behind.event().await, event);
    }
    // A future ply is refused too.
    let future = Command::Move {
        ply: 9,
        text: "a1b2".to_owned(),
    };
    behind.command(&pair.id, "early", 4, future).await;
    assert_eq!(behind.error().await.code.as_str(), "stale-ply");
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
    assert_eq!(error.code.as_str(), "not-joined");
    assert_eq!(
        error.client_id.map(String::from).as_deref(),
        Some("too-early")
    );
    assert_eq!(error.match_id.map(String::from), Some(pair.id.clone()));
    socket.rematch(&pair.id).await;
    assert_eq!(socket.error().await.code.as_str(), "not-joined");
    socket.join(NOBODYS_MATCH).await;
    let error = socket.error().await;
    assert_eq!(error.code.as_str(), "unknown-match");
    assert_eq!(
        error.match_id.map(String::from).as_deref(),
        Some(NOBODYS_MATCH)
    );
    socket
        .command(NOBODYS_MATCH, "nowhere", 0, Command::Resign)
        .await;
    let code = socket.error().await.code.to_string();
    assert!(code == "unknown-match" || code == "not-joined", "{code}");
    // The match is unchanged, and a client that leaves has to join again.
    assert_eq!(socket.joined(&pair.id).await.view.seq, 0);
    socket.leave(&pair.id).await;
    socket.command(&pair.id, "gone", 0, Command::Resign).await;
    assert_eq!(socket.error().await.code.as_str(), "not-joined");
    server.stop().await;
}

#[tokio::test]
async fn who_has_left_hears_no_more_of_a_match() {
    let server = TestServer::start().await;
    let mut pair = Pair::of_guests(&server).await;
    let mut spectator = Socket::open(&server.stranger()).await;
    spectator.joined(&pair.id).await;
    spectator.leave(&pair.id).await;
    spectator.send(&SessionMsg::Ping).await;
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
