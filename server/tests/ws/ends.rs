//! Draws, resignations, matches called off.

use mawe_rules::Side;
use mawe_wire::{Command, Event};

use crate::common::TestServer;
use crate::common::play::Pair;
use crate::common::socket::Socket;

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

#[tokio::test]
async fn a_rated_match_counts_once_both_have_made_two_moves() {
    let server = TestServer::start().await;
    let mut people = [server.account("Amina").await, server.account("Zofia").await];
    // The number of plies before a player leaves, the winner, the reason.
    for (plies, winner, reason) in [
        (0, None, "left-early"),
        (3, None, "left-early"),
        (4, Some(Side::First), "resign"),
    ] {
        let mut pair = Pair::of(people, true).await;
        pair.plies(plies).await;
        let resigned = pair.act(1, Command::Resign).await;
        let result = resigned.state.result.expect("it is over");
        assert_eq!((result.winner, result.reason.as_str()), (winner, reason));
        people = pair.people;
    }
    // A match ended by agreement does not count as left.
    let mut pair = Pair::of(people, true).await;
    pair.plies(2).await;
    pair.act(0, Command::OfferDraw).await;
    let agreed = pair.act(1, Command::AcceptDraw).await;
    let result = agreed.state.result.expect("it is over");
    assert_eq!((result.winner, result.reason.as_str()), (None, "aborted"));
    // In a casual match leaving has no consequences.
    let mut pair = Pair::of(pair.people, false).await;
    let resigned = pair.act(1, Command::Resign).await;
    let result = resigned.state.result.expect("it is over");
    assert_eq!(result.winner, Some(Side::First));
    server.stop().await;
}

#[tokio::test]
async fn who_leaves_or_calls_off_again_and_again_waits_for_the_next_match() {
    let server = TestServer::start().await;
    let mut people = [server.account("Amina").await, server.account("Zofia").await];
    // Three matches called off by the first player, two left early by the other.
    for _ in 0..3 {
        let mut pair = Pair::of(people, false).await;
        pair.act(0, Command::Abort).await;
        people = pair.people;
    }
    let seek = serde_json::json!({
        "game": "mawe", "time_control": { "kind": "realtime", "base_ms": 300_000, "increment_ms": 0 },
    });
    let [mut amina, zofia] = people;
    let refused = amina.post("/api/v1/seeks", &seek).await;
    refused.problem(429, "pool-wait");
    let wait: u64 = refused.header("retry-after").parse().expect("seconds");
    assert!((1..=120).contains(&wait), "{wait}");
    let mut socket = Socket::open(&amina).await;
    socket
        .send_text(r#"{"t":"join-pool","game":"mawe","pool":"5+0","rated":false}"#)
        .await;
    assert_eq!(socket.error().await.code.as_str(), "pool-wait");
    // The wait does not apply to correspondence.
    let mut by_days = seek.clone();
    by_days["time_control"] = serde_json::json!({ "kind": "correspondence", "days": 3 });
    assert_eq!(amina.post("/api/v1/seeks", &by_days).await.status, 201);

    let mut people = [amina, zofia];
    for _ in 0..2 {
        let mut pair = Pair::of(people, true).await;
        pair.plies(2).await;
        pair.act(1, Command::Resign).await;
        people = pair.people;
    }
    let [_, mut zofia] = people;
    let refused = zofia.post("/api/v1/seeks", &seek).await;
    refused.problem(429, "pool-wait");
    server.stop().await;
}
