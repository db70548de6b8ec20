//! An arena of three hundred players, each with a socket of its own.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::{StreamExt, stream};
use mawe_wire::ServerMsg;
use mawe_wire::ids::MatchId;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::timeout;

use crate::common::socket::{Heard, Socket};
use crate::common::{PATIENCE, Person, TestServer};
use crate::events::{HOUR_MS, create, first_resigns, join, later, proposal, with};

const PLAYERS: usize = 300;

/// The number of requests under way at once.
const AT_ONCE: usize = 8;

/// A player, and the matches for which the server has told their socket that they are paired.
struct Player {
    person: Person,
    paired: UnboundedReceiver<MatchId>,
}

impl Player {
    async fn of(server: &TestServer, number: usize) -> Player {
        let person = server.account(&format!("Mchezaji{number}")).await;
        let (told, paired) = unbounded_channel();
        tokio::spawn(listen(Socket::open(&person).await, told));
        Player { person, paired }
    }

    /// The next match for which the player is paired.
    async fn next_match(&mut self) -> MatchId {
        let paired = timeout(PATIENCE, self.paired.recv()).await;
        paired
            .expect("the player is paired")
            .expect("the socket is open")
    }
}

/// Reads a socket until it is closed. The server closes one that answers no ping, so that each is read also while its player waits for
/// the 299 others.
async fn listen(mut socket: Socket, told: UnboundedSender<MatchId>) {
    loop {
        match socket.hear_at_last().await {
            Heard::Said(ServerMsg::EventPaired { match_id, .. }) => {
                if told.send(match_id).is_err() {
                    return;
                }
            }
            Heard::Said(_) => {}
            Heard::Closed(_) => return,
        }
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
    let (mut people, paired): (Vec<Person>, Vec<_>) = seated
        .into_iter()
        .map(|player| (player.person, player.paired))
        .unzip();
    first_resigns(&mut people, &id.to_string()).await;
    let both = people.into_iter().zip(paired);
    both.map(|(person, paired)| Player { person, paired })
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
