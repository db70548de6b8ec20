//! The key for push services, and browsers with a subscription: the store's guarantees, tested on both backends.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::Arc;

use mawe_server::identity::sessions;
use mawe_store::{
    AccountChange, Attribution, NewPlayer, NewSession, Player, Store, StoreError, SubscriptionRow,
};
use mawe_wire::ids::PlayerId;
use mawe_wire::ids::TokenHash;
use mawe_wire::{Language, PlayerKind};

use crate::common::place::{Place, SqlitePlace};
use crate::common::postgres::Postgres;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sqlite_keeps_every_promise_about_push_messages() {
    every_promise(&SqlitePlace::new()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn postgres_keeps_every_promise_about_push_messages() {
    every_promise(&Postgres::start()).await;
}

async fn every_promise(place: &impl Place) {
    let url = place.fresh().await;
    the_first_key_is_kept(&url).await;
    let open = async || mawe_store::open(&place.fresh().await).await.unwrap();
    a_session_is_one_browser_and_an_address_is_one_session(open().await).await;
    of_too_many_the_oldest_goes(open().await).await;
    what_ends_a_session_ends_its_subscription(open().await).await;
}

async fn the_first_key_is_kept(url: &str) {
    let store = mawe_store::open(url).await.unwrap();
    let (a, b, c) = tokio::join!(
        store.push_key(&[1; 32]),
        store.push_key(&[2; 32]),
        store.push_key(&[3; 32])
    );
    let kept = a.unwrap();
    assert_eq!((b.unwrap(), c.unwrap()), (kept, kept));
    store.close().await;
    let again = mawe_store::open(url).await.unwrap();
    assert_eq!(again.push_key(&[4; 32]).await.unwrap(), kept);
    // The key of known devices is separate.
    let (a, b) = tokio::join!(again.device_key(&[5; 32]), again.device_key(&[6; 32]));
    let kept = a.unwrap();
    assert_eq!(b.unwrap(), kept);
    assert_eq!(again.device_key(&[7; 32]).await.unwrap(), kept);
    again.close().await;
}

async fn a_session_is_one_browser_and_an_address_is_one_session(store: Arc<dyn Store>) {
    let (me, you) = (account(&store).await, account(&store).await);
    let (mine, yours) = (session(&store, &me).await, session(&store, &you).await);
    assert_eq!(subscriptions(&store, &me).await, []);
    store.subscribe(&new(mine, "a", None, 1), 10).await.unwrap();
    let row = &store.subscriptions_of(&me, 0).await.unwrap()[0];
    assert_eq!(
        (row.session, row.endpoint.as_str(), row.created_ms),
        (mine, "a", 1)
    );
    assert_eq!(
        (row.p256dh.as_slice(), row.auth.as_slice()),
        (&[4; 65][..], &[5; 16][..])
    );
    // Repeating the subscription changes nothing; its language stays unless another is given, and takes precedence over the account's.
    let language = async || store.subscriptions_of(&me, 0).await.unwrap()[0].language;
    assert_eq!(language().await, None);
    store.set_language(&me, Language::Sw).await.unwrap();
    assert_eq!(language().await, Some(Language::Sw));
    store
        .subscribe(&new(mine, "a", Some(Language::Ml), 2), 10)
        .await
        .unwrap();
    store.subscribe(&new(mine, "a", None, 3), 10).await.unwrap();
    assert_eq!(language().await, Some(Language::Ml));
    assert_eq!(subscriptions(&store, &me).await, [("a".to_owned(), 2)]);
    store.subscribe(&new(mine, "b", None, 4), 10).await.unwrap();
    assert_eq!(subscriptions(&store, &me).await, [("b".to_owned(), 4)]);
    // The browser is used by another player.
    store
        .subscribe(&new(yours, "b", None, 5), 10)
        .await
        .unwrap();
    assert_eq!(subscriptions(&store, &me).await, []);
    assert_eq!(subscriptions(&store, &you).await, [("b".to_owned(), 5)]);
    // An expired session gets no messages, an unknown one cannot subscribe.
    assert_eq!(store.subscriptions_of(&you, EXPIRES_MS).await.unwrap(), []);
    let nobody = store.subscribe(&new([9; 32], "c", None, 6), 10).await;
    assert!(matches!(nobody, Err(StoreError::NotFound)), "{nobody:?}");
    store.forget_endpoint("nowhere").await.unwrap();
    store.forget_endpoint("b").await.unwrap();
    assert_eq!(subscriptions(&store, &you).await, []);
}

async fn of_too_many_the_oldest_goes(store: Arc<dyn Store>) {
    let (me, you) = (account(&store).await, account(&store).await);
    let yours = session(&store, &you).await;
    store
        .subscribe(&new(yours, "yours", None, 0), 3)
        .await
        .unwrap();
    for at_ms in 1..=5 {
        let session = session(&store, &me).await;
        let name = format!("mine{at_ms}");
        store
            .subscribe(&new(session, &name, None, at_ms), 3)
            .await
            .unwrap();
    }
    let kept: Vec<i64> = subscriptions(&store, &me)
        .await
        .iter()
        .map(|(_, at)| *at)
        .collect();
    assert_eq!(kept, [5, 4, 3]);
    assert_eq!(subscriptions(&store, &you).await.len(), 1);
}

async fn what_ends_a_session_ends_its_subscription(store: Arc<dyn Store>) {
    let me = account(&store).await;
    let subscribed = async |name: &str| {
        let session = session(&store, &me).await;
        store
            .subscribe(&new(session, name, None, 1), 10)
            .await
            .unwrap();
        session
    };
    let names = async || {
        let rows = subscriptions(&store, &me).await;
        rows.into_iter().map(|(name, _)| name).collect::<Vec<_>>()
    };
    let first = subscribed("a").await;
    store.unsubscribe(&first).await.unwrap();
    assert_eq!(names().await, [""; 0]);
    let (second, third) = (subscribed("b").await, subscribed("c").await);
    store.delete_session(&second).await.unwrap();
    assert_eq!(names().await, ["c"]);
    subscribed("d").await;
    store
        .change_password(&me, "y", &third, false)
        .await
        .unwrap();
    assert_eq!(names().await, ["c"]);
    let attribution = Attribution {
        by: None,
        why: String::new(),
        at_ms: 1,
    };
    store
        .change_account(&me, &AccountChange::Disable, &attribution)
        .await
        .unwrap();
    assert_eq!(names().await, [""; 0]);
}

/// The expiry of the sessions here.
const EXPIRES_MS: i64 = 1_000;

async fn account(store: &Arc<dyn Store>) -> PlayerId {
    let id = PlayerId::random();
    let new = NewPlayer {
        player: Player {
            id: id.clone(),
            name: format!("p{id}"),
            kind: PlayerKind::Account,
            level: None,
            look: mawe_wire::Look::default(),
            created_ms: 0,
        },
        password_hash: Some("x".into()),
    };
    store.create_player(&new, None).await.unwrap();
    id
}

async fn session(store: &Arc<dyn Store>, player: &PlayerId) -> TokenHash {
    let (_, hash) = sessions::draw();
    let new = NewSession {
        hash,
        player: player.clone(),
        label: String::new(),
        created_ms: 0,
        expires_ms: EXPIRES_MS,
    };
    store.create_session(&new).await.unwrap();
    hash
}

fn new(
    session: TokenHash,
    endpoint: &str,
    language: Option<Language>,
    at_ms: i64,
) -> SubscriptionRow {
    SubscriptionRow {
        session,
        endpoint: endpoint.to_owned(),
        p256dh: vec![4; 65],
        auth: vec![5; 16],
        language,
        created_ms: at_ms,
    }
}

async fn subscriptions(store: &Arc<dyn Store>, player: &PlayerId) -> Vec<(String, i64)> {
    let rows = store.subscriptions_of(player, 0).await.unwrap();
    rows.into_iter()
        .map(|row| (row.endpoint, row.created_ms))
        .collect()
}
