//! Several nodes on one Postgres and one NATS: three processes of the program, with players on all of them. Nodes are killed, paused and
//! stopped in the middle of matches, and no acknowledged entry is lost or doubled.

mod bots;
mod calls;
mod chat;
mod club_matches;
mod compose;
mod correspondence;
mod events;
mod faults;
mod guard;
mod jobs;
mod links;
mod lobby;
mod place;
mod player;
mod proxy;
mod request_keys;
mod traces;
mod world;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use fastrand::Rng;
use futures_util::future::join_all;
use mawe_rules::Side;

use self::lobby::account;
use self::place::Place;
use self::player::{Addresses, Player};
use self::proxy::Line;
use crate::common::eventually;
use crate::common::process::{mawe, run};

const SEED: u64 = 20_261_121;

/// More plies than any match here has.
const TO_THE_END: usize = usize::MAX;

/// Two players on two nodes and a spectator on a third.
struct Board {
    id: String,
    players: [Player; 3],
}

impl Board {
    /// Sets up a match; the first player's node makes it, and so owns it.
    async fn set_up(place: &Place, addresses: &Addresses, game: &str, nodes: [usize; 3]) -> Board {
        let mut people = [
            place.guest(nodes[0]).await,
            place.guest(nodes[1]).await,
            place.guest(nodes[2]).await,
        ];
        let [first, second, _] = &mut people;
        let id = place.arrange(game, second, first, false).await;
        // Otherwise a join elsewhere may be sooner than the node that opens the match in the background.
        eventually("an owner", async || place.owner_name(&id).await).await;
        let [first, second, third] = people;
        // The challenger has the first move; the accepting player's node made the match.
        let players = [
            Player::new(first, &id, Some(Side::Second), nodes[0], addresses),
            Player::new(second, &id, Some(Side::First), nodes[1], addresses),
            Player::new(third, &id, None, nodes[2], addresses),
        ];
        Board { id, players }
    }

    /// Sets up a rated match between accounts.
    async fn set_up_rated(
        place: &Place,
        addresses: &Addresses,
        game: &str,
        nodes: [usize; 3],
        number: usize,
    ) -> Board {
        let mut first = account(place, nodes[0], &format!("First{number}")).await;
        let mut second = account(place, nodes[1], &format!("Second{number}")).await;
        let third = place.guest(nodes[2]).await;
        let id = place.arrange(game, &mut second, &mut first, true).await;
        let players = [
            Player::new(first, &id, Some(Side::Second), nodes[0], addresses),
            Player::new(second, &id, Some(Side::First), nodes[1], addresses),
            Player::new(third, &id, None, nodes[2], addresses),
        ];
        Board { id, players }
    }

    /// All three continue until there are this many plies, or the match is over.
    async fn until(&mut self, plies: usize, rng: &mut Rng) {
        let mut forks = [rng.fork(), rng.fork(), rng.fork()];
        let going = self.players.iter_mut().zip(&mut forks);
        join_all(going.map(|(player, rng)| player.until(plies, rng))).await;
    }

    /// The two players continue until there are this many plies, regardless of the spectator.
    async fn until_players(&mut self, plies: usize, rng: &mut Rng) {
        let mut forks = [rng.fork(), rng.fork()];
        let going = self.players.iter_mut().take(2).zip(&mut forks);
        join_all(going.map(|(player, rng)| player.until(plies, rng))).await;
    }

    /// Sets the pause before each move.
    fn think(&mut self, pace: Duration) {
        for player in &mut self.players {
            player.pace = pace;
        }
    }

    /// Checks that every acknowledged move is in the journal exactly once, at the acknowledged seq; that no client received anything else;
    /// and that each epoch has entries of one owner only.
    async fn check(&self, place: &Place) {
        let journal = place.journal(&self.id).await;
        let mut epoch = 0;
        for (seq, written) in (1..).zip(&journal) {
            assert_eq!(written.seq, seq, "a gap in {}", self.id);
            assert!(written.epoch >= epoch, "an old owner wrote in {}", self.id);
            epoch = written.epoch;
        }
        let mut acknowledged = 0;
        for player in &self.players {
            for move_ in &player.acknowledged {
                acknowledged += 1;
                let side = move_.client_id.split('-').next().expect("a side");
                let name = format!("{side}:{}", move_.client_id);
                let places: Vec<u64> = journal
                    .iter()
                    .filter(|written| written.client_id.as_deref() == Some(&name))
                    .map(|written| written.seq)
                    .collect();
                assert_eq!(places, [move_.seq], "{name} of {}", self.id);
            }
            for (seq, event) in &player.heard {
                let written = &journal[usize::try_from(*seq).expect("it is short") - 1];
                let heard = event.client_id.as_ref().map(|id| id.as_str());
                let stored = written.client_id.as_deref();
                let stored = stored
                    .and_then(|name| name.split_once(':'))
                    .map(|(_, id)| id);
                assert_eq!(heard, stored, "seq {seq} of {}", self.id);
                for other in &self.players {
                    let Some(theirs) = other.heard.get(seq) else {
                        continue;
                    };
                    assert_eq!(theirs.event, event.event, "seq {seq} of {}", self.id);
                }
            }
        }
        let moves = journal.iter().filter(|entry| entry.client_id.is_some());
        assert_eq!(acknowledged, moves.count(), "all that was done was told");
        let mirrors = self.players.each_ref().map(|player| &player.mirror);
        assert!(
            mirrors[0].is_some() && mirrors[0] == mirrors[1],
            "{}",
            self.id
        );
    }

    /// Returns the number of acknowledged moves.
    fn moves(&self) -> usize {
        let of_each = self.players.iter().map(|player| player.acknowledged.len());
        of_each.sum()
    }

    fn longest(&self) -> Duration {
        let longest = self.players.iter().map(|player| player.longest);
        longest.max().unwrap_or_default()
    }
}

fn addresses(place: &Place) -> Addresses {
    Arc::new(Mutex::new(place.addresses.clone()))
}

#[tokio::test]
async fn people_on_three_nodes_play_whole_games_together() {
    let place = Place::of(3).await;
    let addresses = addresses(&place);
    let mut rng = Rng::with_seed(SEED);
    let (mut at_owner, mut by_relay) = (Vec::new(), Vec::new());
    let games = ["mawe", "reversi", "checkers", "kalah", "oware", "congkak"];
    for (number, game) in games.into_iter().enumerate() {
        let nodes = [number % 3, (number + 1) % 3, (number + 2) % 3];
        let mut board = loop {
            let lost = place.leases_lost().await;
            let mut board = Board::set_up(&place, &addresses, game, nodes).await;
            board.until(4, &mut rng).await;
            let owner = place.owner(&board.id).await;
            board.until(TO_THE_END, &mut rng).await;
            board.check(&place).await;
            let journal = place.journal(&board.id).await;
            let epochs: BTreeSet<u64> = journal.into_iter().map(|entry| entry.epoch).collect();
            if owner == Some(nodes[0]) && epochs.len() == 1 {
                break board;
            }
            // Another node may claim a match before the one that made it has opened it, for a player who joins there. Otherwise a match
            // leaves that node only where its lease is lost. In both cases the game is played again.
            if epochs.len() == 1 {
                continue;
            }
            let why = format!(
                "the lost lease of {}: {owner:?}, epochs {epochs:?}",
                nodes[0]
            );
            eventually(&why, async || {
                (place.leases_lost().await > lost).then_some(())
            })
            .await;
        };
        at_owner.append(&mut board.players[0].waits);
        by_relay.append(&mut board.players[1].waits);
    }
    for (what, waits) in [("on its owner", at_owner), ("by a relay", by_relay)] {
        println!("a move {what}: {:?}", median(waits));
    }
}

#[tokio::test]
async fn each_node_has_its_cluster_in_its_metrics() {
    let place = Place::of(2).await;
    for node in 0..2 {
        for (name, value) in [
            ("mawe_nodes", 2.0),
            ("mawe_lease_held", 1.0),
            ("mawe_nats_connected", 1.0),
        ] {
            eventually(name, async || {
                (place.metric(node, name).await == value).then_some(())
            })
            .await;
        }
    }
}

fn median(mut waits: Vec<Duration>) -> Option<Duration> {
    waits.sort();
    waits.get(waits.len() / 2).copied()
}

#[tokio::test]
async fn an_owner_that_is_killed_loses_nothing_and_play_goes_on() {
    let mut place = Place::of(3).await;
    let addresses = addresses(&place);
    let mut rng = Rng::with_seed(SEED);
    let mut board = Board::set_up(&place, &addresses, "reversi", [0, 1, 2]).await;
    board.until(6, &mut rng).await;
    let killed = place.first_owner(&board.id).await;
    place.take(killed).kill().await;
    board.until(12, &mut rng).await;
    println!(
        "kill: the longest wait for a move was {:?}",
        board.longest()
    );
    let owner = place.owner(&board.id).await;
    assert!(owner.is_some_and(|owner| owner != killed), "{owner:?}");
    board.until(TO_THE_END, &mut rng).await;
    board.check(&place).await;
}

#[tokio::test]
async fn an_owner_that_is_stopped_hands_its_matches_over() {
    let mut place = Place::of(3).await;
    let addresses = addresses(&place);
    let mut rng = Rng::with_seed(SEED);
    let mut board = Board::set_up(&place, &addresses, "reversi", [0, 1, 2]).await;
    board.until(6, &mut rng).await;
    let stopping = place.take(0);
    let (code, ()) = tokio::join!(stopping.stop("TERM"), board.until(12, &mut rng));
    assert_eq!(code, Some(0));
    println!(
        "hand-over: the longest wait for a move was {:?}",
        board.longest()
    );
    board.until(TO_THE_END, &mut rng).await;
    board.check(&place).await;
}

#[tokio::test]
async fn an_owner_that_was_paused_writes_nothing_when_it_wakes() {
    let mut place = Place::of(3).await;
    let addresses = addresses(&place);
    let mut rng = Rng::with_seed(SEED);
    let mut board = Board::set_up(&place, &addresses, "reversi", [0, 1, 2]).await;
    board.until(6, &mut rng).await;
    place.node(0).signal("STOP").await;
    board.until(12, &mut rng).await;
    let owner = place.owner(&board.id).await;
    assert!(matches!(owner, Some(1 | 2)), "{owner:?}");
    place.node(0).signal("CONT").await;
    board.until(20, &mut rng).await;
    // The node's players return to it, and play on there.
    for player in &mut board.players {
        player.go_to(0);
    }
    board.until(TO_THE_END, &mut rng).await;
    board.check(&place).await;
    assert_eq!(place.take(0).stop("TERM").await, Some(0));
}

#[tokio::test]
async fn a_node_that_is_cut_off_stops_when_it_is_told_to_and_others_go_on() {
    let mut place = Place::behind_proxies(3).await;
    let addresses = addresses(&place);
    let mut rng = Rng::with_seed(SEED);
    let mut board = Board::set_up(&place, &addresses, "reversi", [0, 1, 2]).await;
    board.until(6, &mut rng).await;
    let (postgres, _) = place.lines(0);
    postgres.set(Line::Silent);
    // Until the node's lease has ended, and it cannot know the state of its match.
    board.until(8, &mut rng).await;
    assert_eq!(place.take(0).stop("TERM").await, Some(0));
    board.until(TO_THE_END, &mut rng).await;
    board.check(&place).await;
}

#[tokio::test]
async fn a_crowd_that_waits_for_the_database_keeps_no_move_from_being_written() {
    let mut place = Place::of(2).await;
    let addresses = addresses(&place);
    let mut rng = Rng::with_seed(SEED);
    let mut board = Board::set_up(&place, &addresses, "kalah", [0, 0, 0]).await;
    board.until(4, &mut rng).await;
    let before = place.journal(&board.id).await;
    // No session can be checked, and each request keeps a connection: more than there are.
    let crowd = place.guest(0).await;
    let locked = place.lock_sessions().await;
    let asking: Vec<_> = (0..60)
        .map(|_| {
            let person = crowd.moved_to(place.addresses[0]);
            tokio::spawn(async move { person.get("/api/v1/me").await })
        })
        .collect();
    board.until_players(TO_THE_END, &mut rng).await;
    let journal = place.journal(&board.id).await;
    assert!(journal.len() > before.len() + 4, "{}", journal.len());
    assert_eq!(
        journal[0].epoch,
        journal[journal.len() - 1].epoch,
        "the node keeps its lease, and the match its owner"
    );
    drop(locked);
    for one in asking {
        let answer = one.await.expect("it ends");
        assert!(matches!(answer.status.as_u16(), 200 | 503), "{answer:?}");
    }
    board.until(TO_THE_END, &mut rng).await;
    board.check(&place).await;
    assert_eq!(place.take(0).stop("TERM").await, Some(0));
}

#[tokio::test]
async fn half_a_cluster_refuses_to_start_with_one_line() {
    let mut place = Place::of(1).await;
    place.note_one_that_lives("steady").await;
    let directory = tempfile::tempdir().expect("a temporary directory");
    let start = |arguments: &[&str]| {
        let mut command = mawe(["--listen", "127.0.0.1:0", "--bots", "0", "--data-dir"]);
        command.arg(directory.path()).args(arguments);
        // A slow database causes warnings on lines of their own.
        command.env("RUST_LOG", "error");
        run(command)
    };
    let (nats, database) = (place.nats.url.as_str(), place.database.as_str());
    for (arguments, mend) in [
        // An embedded database permits one node only.
        (vec!["--nats", nats], "--database"),
        (
            vec!["--nats", "127.0.0.1", "--database", database],
            "nats://",
        ),
        (
            vec!["--nats", "http://secret@x", "--database", database],
            "nats://",
        ),
        (vec!["--node", "one", "--database", database], "--nats"),
        (
            vec!["--nats", nats, "--database", database, "--node", "a b"],
            "letters, digits and dashes",
        ),
        (
            vec![
                "--nats",
                nats,
                "--database",
                database,
                "--nats-ca",
                "/nowhere/ca.pem",
            ],
            "/nowhere/ca.pem",
        ),
        // The address has no listener.
        (
            vec!["--nats", "nats://127.0.0.1:9", "--database", database],
            "--nats",
        ),
        (
            vec![
                "--nats",
                nats,
                "--database",
                "postgres://mawe@127.0.0.1:9/mawe",
            ],
            "127.0.0.1:9",
        ),
        // A node with this name runs.
        (
            vec!["--nats", nats, "--database", database, "--node", "steady"],
            "--node",
        ),
        // A single node on a database that others use as a cluster.
        (vec!["--database", database], "--nats"),
    ] {
        let complaint = start(&arguments).await.complaint(1);
        assert!(
            complaint.contains(mend) && !complaint.contains("secret"),
            "{arguments:?}: {complaint}"
        );
    }
    // A node that was killed a moment ago does not block its own restart.
    place.take(0).kill().await;
    place.again(0).await;
    eventually("its id is its own again", async || {
        place
            .guest(0)
            .await
            .get("/readyz")
            .await
            .status
            .is_success()
            .then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_node_older_than_the_schema_refuses_to_start_and_those_that_run_go_on() {
    let mut place = Place::of(1).await;
    place.note_a_newer_schema().await;
    let directory = tempfile::tempdir().expect("a temporary directory");
    let mut command = mawe(["--listen", "127.0.0.1:0", "--bots", "0", "--data-dir"]);
    command
        .arg(directory.path())
        .args(["--nats", &place.nats.url, "--database", &place.database])
        .env("RUST_LOG", "error");
    let complaint = run(command).await.complaint(1);
    assert!(complaint.contains("later version"), "{complaint}");
    let guest = place.guest(0).await;
    assert!(guest.get("/readyz").await.status.is_success());
    assert_eq!(place.take(0).stop("TERM").await, Some(0));
}
