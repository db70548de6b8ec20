//! Resuming after a lost connection or a restart.

use futures_util::future::join_all;
use mawe_rules::Side;
use mawe_wire::{Command, ServerMsg};

use crate::common::TestServer;
use crate::common::play::{Mirror, Pair, Resumed};
use crate::common::socket::Socket;

/// Returns the states by seq of a client that never left.
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
    // A socket's requests are limited.
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
