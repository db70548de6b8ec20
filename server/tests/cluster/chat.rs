//! Chat across nodes: lines of players and spectators on different nodes, and lines whose message between nodes was lost.

use mawe_wire::chat::{ChatLine, ChatRoom};
use mawe_wire::{ServerMsg, SessionMsg};
use serde_json::json;

use super::lobby::account;
use super::place::Place;
use crate::chat::patch;
use crate::common::Person;
use crate::common::socket::Socket;

async fn say(person: &mut Person, id: &str, text: &str) {
    let path = format!("/api/v1/matches/{id}/chat/players");
    let said = person.post(&path, &json!({ "text": text })).await;
    assert_eq!(said.status, 201, "{said:?}");
}

/// Waits for the next lines. While the match itself is on its way to another node its chat goes on, so other messages do not matter.
async fn lines(socket: &mut Socket) -> Vec<ChatLine> {
    let pick = |message| match message {
        ServerMsg::Chat { lines, .. } => Some(lines),
        _ => None,
    };
    socket.until(pick).await
}

async fn watching(person: &Person, id: &str) -> (Socket, Vec<ChatLine>) {
    let mut socket = Socket::open(person).await;
    socket.join(id).await;
    let match_id = id.parse().expect("an id");
    let room = ChatRoom::Players;
    socket.send(&SessionMsg::WatchChat { match_id, room }).await;
    let latest = lines(&mut socket).await;
    (socket, latest)
}

#[tokio::test]
async fn a_line_reaches_the_readers_on_all_nodes() {
    let mut place = Place::of(2).await;
    let mut asha = account(&place, 0, "Asha").await;
    let mut bahati = account(&place, 1, "Bahati").await;
    for person in [&mut asha, &mut bahati] {
        assert_eq!(patch(person, &json!({ "chat": true })).await.status, 200);
    }
    let id = asha.play_with(&mut bahati, "first", false).await;
    let (mut at_asha, _) = watching(&asha, &id).await;
    let (mut at_bahati, _) = watching(&bahati, &id).await;
    for (number, asks) in [true, false, true, false].into_iter().enumerate() {
        let text = format!("line {number}");
        say(if asks { &mut asha } else { &mut bahati }, &id, &text).await;
        for socket in [&mut at_asha, &mut at_bahati] {
            let heard = lines(socket).await;
            assert_eq!(heard[0].number as usize, number + 1);
            assert_eq!(heard[0].text.as_deref(), Some(text.as_str()));
        }
    }
    // Switched off at one node, a socket on the other follows no chat either.
    let elsewhere = asha.moved_to(place.addresses[1]);
    let (mut at_other, _) = watching(&elsewhere, &id).await;
    assert_eq!(
        patch(&mut asha, &json!({ "chat": false })).await.status,
        200
    );
    assert_eq!(patch(&mut asha, &json!({ "chat": true })).await.status, 200);
    say(&mut asha, &id, "nobody hears me").await;
    assert_eq!(lines(&mut at_bahati).await[0].number, 5);
    let match_id = id.parse().expect("an id");
    let room = ChatRoom::Players;
    at_other
        .send(&SessionMsg::WatchChat { match_id, room })
        .await;
    let latest = lines(&mut at_other).await;
    assert_eq!(
        latest.len(),
        5,
        "the first frame is this answer: {latest:?}"
    );
    // The node of a reader dies: at another node the reader gets all lines from the store.
    place.take(1).kill().await;
    say(&mut asha, &id, "are you there?").await;
    let bahati = bahati.moved_to(place.addresses[0]);
    let (_, latest) = watching(&bahati, &id).await;
    let numbers: Vec<u32> = latest.iter().map(|line| line.number).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6]);
}
