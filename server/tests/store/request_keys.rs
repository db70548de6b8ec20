//! Keys of requests: one thing for each key of a player, within bounds.

use std::sync::Arc;

use mawe_store::{MAX_REQUEST_KEYS, NewPlayer, Player, REQUEST_KEY_MS, RequestKey, Stale, Store};
use mawe_wire::PlayerKind;
use mawe_wire::ids::{MatchId, PlayerId};

use super::story::named_player;
use crate::common::place::Place;

/// Runs each test on a database of its own.
pub(super) async fn every_promise(place: &impl Place) {
    let open = async || mawe_store::open(&place.fresh().await).await.unwrap();
    a_key_is_one_thing_of_one_player(open().await).await;
    concurrent_requests_with_one_key_get_one_id(open().await).await;
    a_key_expires_and_old_keys_give_way(open().await).await;
}

async fn a_player(store: &Arc<dyn Store>) -> Player {
    let player = named_player(PlayerId::random().as_str(), PlayerKind::Guest);
    let new = NewPlayer {
        player: player.clone(),
        password_hash: None,
    };
    store.create_player(&new, None).await.unwrap();
    player
}

fn request(player: &Player, key: &str, at_ms: i64) -> RequestKey {
    RequestKey {
        player: player.id.clone(),
        key: key.to_owned(),
        digest: [1; 32],
        made_id: MatchId::random().to_string(),
        created_ms: at_ms,
    }
}

async fn a_key_is_one_thing_of_one_player(store: Arc<dyn Store>) {
    let (one, other) = (a_player(&store).await, a_player(&store).await);
    let first = request(&one, "k", 5);
    assert_eq!(store.claim_request_key(&first).await.unwrap(), first);
    // The digest is that of the first request too: the caller compares.
    let again = RequestKey {
        digest: [2; 32],
        ..request(&one, "k", 9)
    };
    assert_eq!(store.claim_request_key(&again).await.unwrap(), first);
    for new in [request(&other, "k", 5), request(&one, "K", 5)] {
        assert_eq!(store.claim_request_key(&new).await.unwrap(), new);
    }
}

async fn concurrent_requests_with_one_key_get_one_id(store: Arc<dyn Store>) {
    let player = a_player(&store).await;
    let mut claims = tokio::task::JoinSet::new();
    for _ in 0..16 {
        let (store, new) = (Arc::clone(&store), request(&player, "k", 5));
        claims.spawn(async move { store.claim_request_key(&new).await.unwrap().made_id });
    }
    let mut ids = claims.join_all().await;
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 1);
}

async fn a_key_expires_and_old_keys_give_way(store: Arc<dyn Store>) {
    let (player, other) = (a_player(&store).await, a_player(&store).await);
    let first = request(&player, "0", 0);
    store.claim_request_key(&first).await.unwrap();
    let kept = request(&player, "0", REQUEST_KEY_MS - 1);
    assert_eq!(store.claim_request_key(&kept).await.unwrap(), first);
    let new = request(&player, "0", REQUEST_KEY_MS);
    assert_eq!(store.claim_request_key(&new).await.unwrap(), new);
    // With one more than the greatest number, the oldest is gone and all others are there.
    let most = i64::from(MAX_REQUEST_KEYS);
    for number in 1..=most {
        let new = request(&player, &number.to_string(), REQUEST_KEY_MS + number);
        store.claim_request_key(&new).await.unwrap();
    }
    let at_ms = REQUEST_KEY_MS + most + 1;
    for number in [most, most / 2, 1] {
        let key = request(&player, &number.to_string(), at_ms);
        let known = store.claim_request_key(&key).await.unwrap();
        assert_eq!(known.created_ms, REQUEST_KEY_MS + number);
    }
    let oldest = request(&player, "0", at_ms);
    assert_eq!(store.claim_request_key(&oldest).await.unwrap(), oldest);
    // Upkeep deletes the expired keys of everybody, and no others.
    let later = request(&other, "later", at_ms + 1);
    store.claim_request_key(&later).await.unwrap();
    let expired = store.count_stale(Stale::RequestKeys, at_ms).await.unwrap();
    assert!(expired >= MAX_REQUEST_KEYS.into());
    let deleted = store.delete_stale(Stale::RequestKeys, at_ms, u32::MAX);
    assert_eq!(deleted.await.unwrap(), expired);
    let again = request(&other, "later", at_ms + 2);
    assert_eq!(store.claim_request_key(&again).await.unwrap(), later);
    let kept = request(&player, &most.to_string(), REQUEST_KEY_MS + most);
    let found = store.claim_request_key(&kept).await.unwrap();
    assert_eq!(found, kept, "it was deleted, and is new");
}
