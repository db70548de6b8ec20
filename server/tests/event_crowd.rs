//! An arena of three hundred players, each with a socket of its own.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::{StreamExt, stream};
use mawe_wire::ServerMsg;
use mawe_wire::ids::MatchId;

use crate::common::socket::Socket;
use crate::common::{Person, TestServer};
use crate::events::{HOUR_MS, create, first_resigns, join, later, proposal, with};

const PLAYERS: usize = 300;

/// The number of requests under way at once.
const AT_ONCE: usize = 8;

/// A player with a socket.
struct Player {
    person: Person,
    socket: Socket,
}

impl Player {
    async fn of(server: &TestServer, number: usize) -> Player {
        let person = server.account(&format!("Mchezaji{number}")).await;
        let socket = Socket::open(&person).await;
        Player { person, socket }
    }

    /// The next match for which the player is paired.
    async fn next_match(&mut self) -> MatchId {
        let paired = |message| match message {
            ServerMsg::EventPaired { match_id, .. } => Some(match_id),
            _ => None,
        };
        self.socket.until(paired).await
    }
}

/// Waits until each player has heard of a match, and returns the matches with their players.
async fn pairs_of(players: Vec<Player>) -> Vec<(MatchId, Vec<Player>)> {
    let mut matches: BTreeMap<String, (MatchId, Vec<Player>)> = BTreeMap::new();
    for mut player in players {
        let id = player.next_match().await;
        let (_, seated) = matches
            .entry(id.to_string())
            .or_insert_with(|| (id, Vec::new()));
        seated.push(player);
    }
    matches.into_values().collect()
}

/// The first side loses a match; returns its players.
async fn played((id, seated): (MatchId, Vec<Player>)) -> Vec<Player> {
    let (mut people, sockets): (Vec<Person>, Vec<Socket>) = seated
        .into_iter()
        .map(|player| (player.person, player.socket))
        .unzip();
    first_resigns(&mut people, &id.to_string()).await;
    let both = people.into_iter().zip(sockets);
    both.map(|(person, socket)| Player { person, socket })
        .collect()
}

#[tokio::test]
async fn three_hundred_sockets_in_one_arena_are_paired_and_paired_again() {
    let server = TestServer::start().await;
    let mut players: Vec<Player> = stream::iter(0..PLAYERS)
        .map(|number| Player::of(&server, number))
        .buffer_unordered(AT_ONCE)
        .collect()
        .await;
    let arena = with(proposal("arena"), "duration_minutes", 60.into());
    let id = create(&mut players[0].person, &arena).await;
    for player in &mut players {
        join(&mut player.person, &id).await;
    }
    // Begun, and paired a moment later.
    for ms in [0, 1_000, 30_000] {
        later(&server, HOUR_MS + ms).await;
    }
    let first = pairs_of(players).await;
    assert_eq!(first.len(), PLAYERS / 2);
    assert!(first.iter().all(|(_, seated)| seated.len() == 2));
    let before: BTreeSet<String> = first.iter().map(|(id, _)| id.to_string()).collect();

    let players: Vec<Vec<Player>> = stream::iter(first)
        .map(played)
        .buffer_unordered(AT_ONCE)
        .collect()
        .await;
    later(&server, HOUR_MS + 120_000).await;
    later(&server, HOUR_MS + 150_000).await;
    let second = pairs_of(players.into_iter().flatten().collect()).await;
    assert_eq!(second.len(), PLAYERS / 2);
    assert!(second.iter().all(|(_, seated)| seated.len() == 2));
    assert!(
        second
            .iter()
            .all(|(id, _)| !before.contains(&id.to_string()))
    );
    server.stop().await;
}
