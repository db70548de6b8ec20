//! Links that fail at the network level: packets vanish in one direction or both, cables are pulled, links are slow and lossy, and no
//! connection gets an error. Every node, both NATS servers, Postgres and the players have hosts of their own ([`super::world`]).

use std::time::{Duration, Instant};

use fastrand::Rng;
use futures_util::future::join_all;

use super::faults::{GAMES, set, set_or};
use super::place::{Network, Place};
use super::world::{World, is_inside};
use super::{Board, SEED, TO_THE_END, addresses};
use crate::common::{eventually, http_client};

/// The number of concurrent matches in an everyday run.
const MATCHES: usize = 12;

/// The pause of a player before a move: matches are to last as long as the faults.
const PACE: Duration = Duration::from_millis(300);

/// A fault of a node's link.
#[derive(Debug, Clone, Copy)]
enum Fault {
    /// Nothing passes in either direction.
    Both(Far),
    /// Nothing from the node arrives.
    To(Far),
    /// Nothing arrives at the node.
    From(Far),
    /// The link fails and works again, many times.
    Flicker(Far),
    /// Nothing passes between the node and any host, and its router reports that.
    Unplugged,
    /// All links of the node are slow and lose packets.
    Bad,
    /// The node reaches neither Postgres nor NATS.
    Alone,
    /// The two NATS servers are cut off from each other, and with them their nodes; all else works.
    Islands,
}

/// The other end of the link.
#[derive(Debug, Clone, Copy)]
enum Far {
    Postgres,
    Nats,
    People,
}

const FAULTS: [Fault; 14] = [
    Fault::Both(Far::Postgres),
    Fault::To(Far::Postgres),
    Fault::From(Far::Postgres),
    Fault::Flicker(Far::Postgres),
    Fault::Both(Far::Nats),
    Fault::To(Far::Nats),
    Fault::From(Far::Nats),
    Fault::Flicker(Far::Nats),
    Fault::Both(Far::People),
    Fault::To(Far::People),
    Fault::Unplugged,
    Fault::Bad,
    Fault::Alone,
    Fault::Islands,
];

impl Far {
    fn host(self, node: usize) -> usize {
        match self {
            Far::Postgres => Network::POSTGRES,
            Far::Nats => Network::nats_of(node),
            Far::People => Network::PEOPLE,
        }
    }
}

/// Causes the fault for a time, and ends it.
async fn suffer(world: &World, fault: Fault, node: usize, lasting: Duration) {
    println!("fault: {fault:?} at node {node} for {lasting:?}");
    let host = Network::host(node);
    match fault {
        Fault::Both(far) => world.cut_both(host, far.host(node)),
        Fault::To(far) => world.cut(host, far.host(node)),
        Fault::From(far) => world.cut(far.host(node), host),
        Fault::Flicker(far) => return world.flicker(host, far.host(node), lasting).await,
        Fault::Unplugged => world.plug(host, false),
        Fault::Bad => world.shape(host, true),
        Fault::Alone => {
            world.cut_both(host, Network::POSTGRES);
            world.cut_both(host, Network::nats_of(node));
        }
        Fault::Islands => world.cut_both(Network::NATS, Network::SECOND_NATS),
    }
    tokio::time::sleep(lasting).await;
    world.mend();
    match fault {
        Fault::Unplugged => world.plug(host, true),
        Fault::Bad => world.shape(host, false),
        _ => {}
    }
}

fn name(test: &str) -> String {
    let module = module_path!();
    let (_program, module) = module.split_once("::").expect("a module of the program");
    format!("{module}::{test}")
}

#[tokio::test]
async fn whatever_link_is_cut_no_acknowledged_move_is_lost_or_doubled() {
    if !is_inside(&name(
        "whatever_link_is_cut_no_acknowledged_move_is_lost_or_doubled",
    )) {
        return;
    }
    let seed = set("MAWE_TEST_SEED").unwrap_or(SEED);
    let rounds = set_or("MAWE_TEST_FAULTS", FAULTS.len()).div_ceil(FAULTS.len());
    let matches = set_or("MAWE_TEST_MATCHES", MATCHES);
    println!("MAWE_TEST_SEED={seed}, {matches} matches, {rounds} times all faults");
    let mut rng = Rng::with_seed(seed);
    let place = Place::in_a_network().await;
    let addresses = addresses(&place);
    let mut boards = Vec::new();
    for number in 0..matches {
        let mut nodes = [0, 1, 2];
        rng.shuffle(&mut nodes);
        let game = GAMES[number % GAMES.len()];
        let mut board = Board::set_up(&place, &addresses, game, nodes).await;
        board.think(PACE);
        boards.push(board);
    }
    let mut forks: Vec<Rng> = boards.iter().map(|_| rng.fork()).collect();
    let playing = boards
        .iter_mut()
        .zip(&mut forks)
        .map(|(board, rng)| board.until(TO_THE_END, rng));
    let harming = async {
        for _ in 0..rounds {
            let mut faults = FAULTS;
            rng.shuffle(&mut faults);
            for fault in faults {
                tokio::time::sleep(Duration::from_millis(rng.u64(200..1_000))).await;
                let lasting = Duration::from_millis(rng.u64(300..4_500));
                suffer(place.world(), fault, rng.usize(..3), lasting).await;
            }
        }
    };
    tokio::join!(join_all(playing), harming);
    for board in &boards {
        board.check(&place).await;
    }
}

/// Waits until a node reports that it is ready.
async fn until_ready(place: &Place, node: usize) {
    let begun = Instant::now();
    eventually("the node is ready", async || {
        let asked = http_client()
            .no_proxy()
            .timeout(Duration::from_secs(1))
            .build();
        let url = format!("http://{}/readyz", place.addresses[node]);
        let answer = asked.expect("a client").get(url).send().await.ok()?;
        answer.status().is_success().then_some(())
    })
    .await;
    println!("node {node} is ready after {:?}", begun.elapsed());
}

#[tokio::test]
async fn a_node_cut_from_postgres_alone_gives_way_and_comes_back() {
    if !is_inside(&name(
        "a_node_cut_from_postgres_alone_gives_way_and_comes_back",
    )) {
        return;
    }
    let place = Place::in_a_network().await;
    let addresses = addresses(&place);
    let mut rng = Rng::with_seed(SEED);
    for way in [
        Fault::Both(Far::Postgres),
        Fault::To(Far::Postgres),
        Fault::From(Far::Postgres),
    ] {
        let mut board = Board::set_up(&place, &addresses, "reversi", [0, 1, 2]).await;
        board.until(6, &mut rng).await;
        // The owner is the first node, unless the machine was too busy for its lease.
        let first = place.first_owner(&board.id).await;
        let world = place.world();
        let (owner, far) = (Network::host(first), Network::POSTGRES);
        match way {
            Fault::To(_) => world.cut(owner, far),
            Fault::From(_) => world.cut(far, owner),
            _ => world.cut_both(owner, far),
        }
        board.until(14, &mut rng).await;
        let heir = place.owner(&board.id).await;
        assert!(heir.is_some_and(|heir| heir != first), "{way:?}: {heir:?}");
        world.mend();
        until_ready(&place, first).await;
        for player in &mut board.players {
            player.go_to(first);
        }
        board.until(TO_THE_END, &mut rng).await;
        board.check(&place).await;
        println!("{way:?}: the longest wait was {:?}", board.longest());
    }
}

#[tokio::test]
async fn a_node_cut_from_nats_alone_plays_on_with_its_own_people() {
    if !is_inside(&name(
        "a_node_cut_from_nats_alone_plays_on_with_its_own_people",
    )) {
        return;
    }
    let place = Place::in_a_network().await;
    let addresses = addresses(&place);
    let mut rng = Rng::with_seed(SEED);
    for way in [
        Fault::Both(Far::Nats),
        Fault::To(Far::Nats),
        Fault::From(Far::Nats),
    ] {
        // Both players use the node of the match, the spectator another one.
        let mut board = Board::set_up(&place, &addresses, "reversi", [0, 0, 1]).await;
        board.until(6, &mut rng).await;
        let world = place.world();
        let (owner, far) = (Network::host(0), Network::NATS);
        match way {
            Fault::To(_) => world.cut(owner, far),
            Fault::From(_) => world.cut(far, owner),
            _ => world.cut_both(owner, far),
        }
        board.until_players(30, &mut rng).await;
        world.mend();
        board.until(TO_THE_END, &mut rng).await;
        board.check(&place).await;
    }
}

#[tokio::test]
async fn nodes_that_do_not_hear_each_other_own_no_match_twice() {
    if !is_inside(&name(
        "nodes_that_do_not_hear_each_other_own_no_match_twice",
    )) {
        return;
    }
    let place = Place::in_a_network().await;
    let addresses = addresses(&place);
    let mut rng = Rng::with_seed(SEED);
    // One match whose players share a node, and one whose players use different nodes.
    let mut near = Board::set_up(&place, &addresses, "reversi", [0, 0, Network::ISLAND]).await;
    let mut far = Board::set_up(&place, &addresses, "oware", [0, Network::ISLAND, 1]).await;
    near.until(4, &mut rng).await;
    far.until(4, &mut rng).await;
    place.world().cut_both(Network::NATS, Network::SECOND_NATS);
    near.until_players(30, &mut rng).await;
    // The other match waits: its owner lives, but does not receive the requests.
    place.world().mend();
    for board in [&mut near, &mut far] {
        board.until(TO_THE_END, &mut rng).await;
        board.check(&place).await;
    }
}

/// A firewall drops long silent connections: their packets are lost from then on, in both directions.
#[tokio::test]
async fn connections_that_never_come_back_are_given_up() {
    if !is_inside(&name("connections_that_never_come_back_are_given_up")) {
        return;
    }
    let place = Place::in_a_network().await;
    let addresses = addresses(&place);
    let mut rng = Rng::with_seed(SEED);
    let mut board = Board::set_up(&place, &addresses, "reversi", [0, 1, 2]).await;
    board.until(6, &mut rng).await;
    let owner = place.first_owner(&board.id).await;
    let cut = Instant::now();
    place.world().forget(Network::host(owner));
    board.until(14, &mut rng).await;
    until_ready(&place, owner).await;
    println!("ready {:?} after the cut", cut.elapsed());
    // It reads, writes and receives again: a new match, with players on other nodes.
    let others = [owner, (owner + 1) % 3, (owner + 2) % 3];
    let mut fresh = Board::set_up(&place, &addresses, "kalah", others).await;
    fresh.until(8, &mut rng).await;
    println!("a match of its own {:?} after the cut", cut.elapsed());
    for board in [&mut board, &mut fresh] {
        board.until(TO_THE_END, &mut rng).await;
        board.check(&place).await;
    }
}
