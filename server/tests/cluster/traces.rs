//! A traced move whose socket is on another node than its match.

use fastrand::Rng;
use mawe_rules::Side;

use super::jobs::{against, play, worker};
use super::place::Place;
use super::{Board, SEED, addresses};
use crate::common::collector::{Collector, Received, check_job_of_worker};
use crate::common::play::Seat;

#[tokio::test]
async fn a_move_through_two_nodes_is_one_trace() {
    let collector = Collector::start().await;
    let mut place = Place::of(0).await;
    place.more = collector.options("1");
    for _ in 0..2 {
        place.add().await;
    }
    let addresses = addresses(&place);
    let mut board = Board::set_up(&place, &addresses, "mawe", [0, 1, 1]).await;
    // Of two moves one is made at the node that does not own the match; a busy machine may move the match in between.
    board.until(8, &mut Rng::with_seed(SEED)).await;

    let is_move = |span: &Received| span.name == "command";
    let names = ["relayed", "room", "append", "commit", "deliver"];
    let trace = collector.trace(is_move, &names).await;
    let command = trace.root();
    assert_eq!(command.attributes["game.match_id"], board.id);
    let relayed = trace.below(command, "relayed");
    let room = trace.below(relayed, "room");
    let append = trace.below(room, "append");
    let commit = trace.below(append, "commit");
    let deliver = trace.below(command, "deliver");
    assert!(command.is_server && relayed.is_server);
    assert!(deliver.time.0 >= commit.time.1, "{trace:#?}");
    assert!(command.time.1 >= deliver.time.1, "{trace:#?}");
    assert_ne!(command.node, relayed.node, "{trace:#?}");
    assert!(
        command.node.is_some() && relayed.node.is_some(),
        "{trace:#?}"
    );
    assert_eq!(deliver.node, command.node, "{trace:#?}");
    for span in [room, append, commit] {
        assert_eq!(span.node, relayed.node, "{trace:#?}");
    }
}

#[tokio::test]
async fn a_worker_over_nats_continues_the_trace_of_its_job() {
    let collector = Collector::start().await;
    let mut place = Place::of(0).await;
    place.more = collector.options("1");
    place.add().await;
    let mut worker = worker(&place.nats.url);
    worker.args(collector.option_of_worker());
    let _worker = worker.spawn().expect("the binary is there");
    let (person, id) = against(&place, 0, "mawe", 1).await;
    let mut seat = Seat::take_in_cluster(&person, &id, Side::Second).await;
    // One traced move is enough; a busy machine may move the match during another, whose trace then ends.
    play(&mut seat, 9).await;

    let is_move = |span: &Received| span.name == "command";
    let names = ["room", "job", "search", "room"];
    let trace = collector.trace(is_move, &names).await;
    check_job_of_worker(&collector, &trace, "nats");
}
