//! E-mail addresses, and links that set a new password.

use std::sync::Arc;

use mawe_store::pruning;
use mawe_store::{
    AccountChange, Attribution, NewLink, NewSession, OwnEmail, Player, Stale, Store, StoreError,
};
use mawe_wire::PlayerKind;
use mawe_wire::ids::PlayerId;

use super::story::{named_player, with_password};
use crate::common::place::Place;

/// Runs each test on a database of its own.
pub(super) async fn every_promise(place: &impl Place) {
    let open = async || mawe_store::open(&place.fresh().await).await.unwrap();
    an_address_counts_when_it_is_confirmed(open().await).await;
    a_link_sets_a_password_once_and_ends_all_sessions(open().await).await;
    of_concurrent_uses_of_a_link_one_succeeds(open().await).await;
    accounts_of_one_address_are_found(open().await).await;
    what_ends_an_address_ends_its_links(open().await).await;
    expired_links_are_deleted(open().await).await;
}

async fn a_player(store: &Arc<dyn Store>) -> Player {
    let player = named_player(PlayerId::random().as_str(), PlayerKind::Account);
    let new = with_password(&player);
    store.create_player(&new, None).await.unwrap();
    player
}

/// A link that is good until the time 100, known by a number.
pub(super) fn link(number: u8) -> NewLink {
    NewLink {
        token: [number; 32],
        created_ms: 1,
        expires_ms: 100,
    }
}

async fn confirmed(store: &Arc<dyn Store>, player: &Player, address: &str, number: u8) {
    let waits = store.await_email(&player.id, address, &link(number)).await;
    waits.unwrap();
    let confirmed = store.confirm_email(&[number; 32], 50).await.unwrap();
    let confirmed = confirmed.expect("the link is good");
    assert_eq!(
        (&confirmed.player, confirmed.address.as_str()),
        (player, address)
    );
}

async fn own(store: &Arc<dyn Store>, player: &Player) -> OwnEmail {
    store.email(&player.id).await.unwrap()
}

async fn address_of(store: &Arc<dyn Store>, player: &Player) -> Option<String> {
    own(store, player)
        .await
        .confirmed
        .map(|(address, _)| address)
}

async fn password_of(store: &Arc<dyn Store>, player: &Player) -> String {
    store.credentials(&player.name).await.unwrap().unwrap().1
}

async fn session(store: &Arc<dyn Store>, player: &Player, number: u8) {
    let new = NewSession {
        hash: [number; 32],
        player: player.id.clone(),
        label: String::new(),
        created_ms: 1,
        expires_ms: i64::MAX,
    };
    store.create_session(&new).await.unwrap();
}

async fn an_address_counts_when_it_is_confirmed(store: Arc<dyn Store>) {
    let (player, other) = (a_player(&store).await, a_player(&store).await);
    assert_eq!(own(&store, &player).await, OwnEmail::default());
    store
        .await_email(&player.id, "A@x.example", &link(1))
        .await
        .unwrap();
    let waiting = Some(("A@x.example".to_owned(), 100));
    assert_eq!(own(&store, &player).await.waiting, waiting);
    assert_eq!(address_of(&store, &player).await, None);
    assert_eq!(store.begin_reset(&player.id, &link(2)).await.unwrap(), None);
    // Of nobody, and at its end.
    assert_eq!(store.confirm_email(&[9; 32], 50).await.unwrap(), None);
    assert_eq!(store.confirm_email(&[1; 32], 100).await.unwrap(), None);
    let first = store
        .confirm_email(&[1; 32], 99)
        .await
        .unwrap()
        .expect("it is good");
    assert_eq!(
        (first.address.as_str(), first.former),
        ("A@x.example", None)
    );
    assert_eq!(store.confirm_email(&[1; 32], 99).await.unwrap(), None);
    let expected = OwnEmail {
        confirmed: Some(("A@x.example".to_owned(), 99)),
        ..OwnEmail::default()
    };
    assert_eq!(own(&store, &player).await, expected);
    // The newest of two that wait, and then the former address is named.
    for (address, number) in [("b@x.example", 3), ("c@x.example", 4)] {
        store
            .await_email(&player.id, address, &link(number))
            .await
            .unwrap();
    }
    assert_eq!(store.confirm_email(&[3; 32], 50).await.unwrap(), None);
    let second = store
        .confirm_email(&[4; 32], 50)
        .await
        .unwrap()
        .expect("it is good");
    assert_eq!(second.former.as_deref(), Some("A@x.example"));
    assert_eq!(
        address_of(&store, &player).await.as_deref(),
        Some("c@x.example")
    );
    assert_eq!(own(&store, &other).await, OwnEmail::default());
    let guest = named_player(PlayerId::random().as_str(), PlayerKind::Guest);
    let refused = store.await_email(&guest.id, "g@x.example", &link(5)).await;
    assert!(matches!(refused, Err(StoreError::NotFound)), "{refused:?}");
}

async fn a_link_sets_a_password_once_and_ends_all_sessions(store: Arc<dyn Store>) {
    let (player, other) = (a_player(&store).await, a_player(&store).await);
    confirmed(&store, &player, "a@x.example", 1).await;
    confirmed(&store, &other, "b@x.example", 2).await;
    for number in [1, 2] {
        session(&store, &player, number).await;
    }
    session(&store, &other, 3).await;
    let sent_to = store.begin_reset(&player.id, &link(10)).await.unwrap();
    assert_eq!(sent_to.as_deref(), Some("a@x.example"));
    store.begin_reset(&other.id, &link(20)).await.unwrap();
    store.begin_reset(&player.id, &link(11)).await.unwrap();
    // A replaced one, one of nobody, and one at its end.
    for (token, now_ms) in [([10; 32], 50), ([99; 32], 50), ([11; 32], 100)] {
        assert_eq!(store.reset_of(&token, now_ms).await.unwrap(), None);
        let none = store.reset_password(&token, "$argon2id$n", now_ms).await;
        assert_eq!(none.unwrap(), None);
        assert_eq!(password_of(&store, &player).await, "$argon2id$x");
    }
    let of = store.reset_of(&[11; 32], 99).await.unwrap();
    assert_eq!(of.as_ref(), Some(&player));
    let ended = store.reset_password(&[11; 32], "$argon2id$n", 99).await;
    let mut ended = ended.unwrap().expect("the link is good");
    ended.sort_unstable();
    assert_eq!(ended, [[1; 32], [2; 32]]);
    assert_eq!(password_of(&store, &player).await, "$argon2id$n");
    let again = store.reset_password(&[11; 32], "$argon2id$m", 99).await;
    assert_eq!(again.unwrap(), None);
    // Nothing of the other account has changed.
    assert_eq!(password_of(&store, &other).await, "$argon2id$x");
    assert_eq!(store.reset_of(&[20; 32], 99).await.unwrap(), Some(other));
    assert_eq!(
        address_of(&store, &player).await.as_deref(),
        Some("a@x.example")
    );
}

async fn of_concurrent_uses_of_a_link_one_succeeds(store: Arc<dyn Store>) {
    let player = a_player(&store).await;
    confirmed(&store, &player, "a@x.example", 1).await;
    store.begin_reset(&player.id, &link(10)).await.unwrap();
    let uses = (0..5).map(|number| {
        let store = Arc::clone(&store);
        async move {
            let password = format!("$argon2id${number}");
            let used = store.reset_password(&[10; 32], &password, 50).await;
            used.unwrap().map(|_| password)
        }
    });
    let used = futures_util::future::join_all(uses).await;
    let used: Vec<String> = used.into_iter().flatten().collect();
    assert_eq!(used, [password_of(&store, &player).await]);
    // The same for the confirmation of an address.
    store
        .await_email(&player.id, "b@x.example", &link(30))
        .await
        .unwrap();
    let uses = (0..5).map(|_| {
        let store = Arc::clone(&store);
        async move { store.confirm_email(&[30; 32], 50).await.unwrap() }
    });
    let used = futures_util::future::join_all(uses).await;
    assert_eq!(used.into_iter().flatten().count(), 1);
}

async fn accounts_of_one_address_are_found(store: Arc<dyn Store>) {
    let mut players = Vec::new();
    for number in 1..=3 {
        let player = a_player(&store).await;
        let address = if number == 2 {
            "Family@x.example"
        } else {
            "family@X.example"
        };
        confirmed(&store, &player, address, number).await;
        players.push(player);
    }
    let other = a_player(&store).await;
    confirmed(&store, &other, "family@y.example", 9).await;
    players.sort_by(|one, other| one.id.cmp(&other.id));
    let found = async |address: &str, limit| {
        let found = store.players_by_email(address, limit).await;
        found.unwrap()
    };
    assert_eq!(found("FAMILY@x.example", 9).await, players);
    assert_eq!(found("family@x.example", 2).await, players[..2]);
    assert_eq!(found("family", 9).await, []);
    assert_eq!(found("%@x.example", 9).await, []);
}

async fn what_ends_an_address_ends_its_links(store: Arc<dyn Store>) {
    let attribution = Attribution {
        by: None,
        why: "because".to_owned(),
        at_ms: 1,
    };
    for (number, change) in [
        None,
        Some(AccountChange::SetPassword("$argon2id$n".to_owned())),
        Some(AccountChange::Delete("gone".to_owned())),
        Some(AccountChange::Grant(mawe_wire::grants::Grant::Bot)),
    ]
    .into_iter()
    .enumerate()
    {
        let number = u8::try_from(10 * (number + 1)).unwrap();
        let player = a_player(&store).await;
        confirmed(&store, &player, "a@x.example", number).await;
        store.begin_reset(&player.id, &link(number)).await.unwrap();
        let waits = link(number + 1);
        store
            .await_email(&player.id, "b@x.example", &waits)
            .await
            .unwrap();
        match &change {
            None => {
                let removed = store.remove_email(&player.id).await.unwrap();
                assert_eq!(removed.as_deref(), Some("a@x.example"));
                assert_eq!(store.remove_email(&player.id).await.unwrap(), None);
            }
            Some(change) => {
                let changed = store.change_account(&player.id, change, &attribution);
                changed.await.unwrap();
            }
        }
        assert_eq!(own(&store, &player).await, OwnEmail::default(), "{number}");
        assert_eq!(store.reset_of(&[number; 32], 50).await.unwrap(), None);
        let late = store.confirm_email(&[number + 1; 32], 50).await;
        assert_eq!(late.unwrap(), None);
    }
    // By a new address or a new password of the owner the link ends alone.
    let player = a_player(&store).await;
    confirmed(&store, &player, "a@x.example", 100).await;
    store.begin_reset(&player.id, &link(100)).await.unwrap();
    confirmed(&store, &player, "b@x.example", 101).await;
    assert_eq!(store.reset_of(&[100; 32], 50).await.unwrap(), None);
    store.begin_reset(&player.id, &link(100)).await.unwrap();
    let changed = store.change_password(&player.id, "$argon2id$n", &[0; 32], false);
    changed.await.unwrap();
    assert_eq!(store.reset_of(&[100; 32], 50).await.unwrap(), None);
    assert_eq!(
        address_of(&store, &player).await.as_deref(),
        Some("b@x.example")
    );
}

async fn expired_links_are_deleted(store: Arc<dyn Store>) {
    let player = a_player(&store).await;
    confirmed(&store, &player, "a@x.example", 1).await;
    store.begin_reset(&player.id, &link(10)).await.unwrap();
    store
        .await_email(&player.id, "b@x.example", &link(11))
        .await
        .unwrap();
    let gone = pruning::prune(store.as_ref(), 99).await.unwrap();
    assert_eq!(gone.sessions, 0);
    for stale in [Stale::EmailConfirmations, Stale::PasswordResets] {
        assert_eq!(store.count_stale(stale, 100).await.unwrap(), 1);
    }
    let gone = pruning::prune(store.as_ref(), 100).await.unwrap();
    assert_eq!(gone.sessions, 2);
    assert_eq!(own(&store, &player).await.waiting, None);
    assert_eq!(
        address_of(&store, &player).await.as_deref(),
        Some("a@x.example")
    );
}
