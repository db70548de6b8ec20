//! Chat across nodes: lines of players and spectators on different nodes, and lines whose message between nodes was lost.

use mawe_wire::chat::ChatRoom;
use serde_json::json;

use super::lobby::account;
use super::place::Place;
use crate::chat::{lines, patch, watching};
use crate::common::Person;

async fn say(person: &mut Person, id: &str, text: &str) {
    let path = format!("/api/v1/matches/{id}/chat/players");
    let said = person.post(&path, &json!({ "text": text })).await;
    assert_eq!(said.status, 201, "{said:?}");
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
    let (mut at_asha, _) = watching(&asha, &id, ChatRoom::Players).await;
    let (mut at_bahati, _) = watching(&bahati, &id, ChatRoom::Players).await;
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
    let (mut at_other, _) = watching(&elsewhere, &id, ChatRoom::Players).await;
    assert_eq!(
        patch(&mut asha, &json!({ "chat": false })).await.status,
        200
    );
    assert_eq!(patch(&mut asha, &json!({ "chat": true })).await.status, 200);
    // The node of a reader dies: at another node the reader gets all lines from the store.
    place.take(1).kill().await;
    say(&mut asha, &id, "are you there?").await;
    let bahati = bahati.moved_to(place.addresses[0]);
    let (_, latest) = watching(&bahati, &id, ChatRoom::Players).await;
    let numbers: Vec<u32> = latest.iter().map(|line| line.number).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5]);
    drop(at_other.rest().await);
}
