//! Recovery codes: each sets a new password once.

use std::sync::Arc;

use mawe_store::{
    AccountChange, Attribution, NewPlayer, NewSession, Player, RecoveryCodeSet, Store, StoreError,
};
use mawe_wire::PlayerKind;
use mawe_wire::ids::{PlayerId, TokenHash};

use super::story::{named_player, with_password};
use crate::common::place::Place;

/// Runs each test on a database of its own.
pub(super) async fn every_promise(place: &impl Place) {
    let open = async || mawe_store::open(&place.fresh().await).await.unwrap();
    a_code_sets_a_password_once_and_ends_all_sessions(open().await).await;
    of_concurrent_uses_of_a_code_one_succeeds(open().await).await;
    new_codes_replace_the_old_ones(open().await).await;
    codes_begin_with_the_account_and_end_with_it(open().await).await;
}

/// Three codes, known by a number.
pub(super) fn codes(number: u8) -> RecoveryCodeSet {
    RecoveryCodeSet {
        hashes: (0..3).map(|code| [10 * number + code; 32]).collect(),
        created_ms: i64::from(number),
    }
}

async fn a_player(store: &Arc<dyn Store>) -> Player {
    let player = named_player(PlayerId::random().as_str(), PlayerKind::Account);
    let new = with_password(&player);
    store.create_player(&new, None).await.unwrap();
    player
}

fn session(player: &Player, number: u8) -> NewSession {
    NewSession {
        hash: [number; 32],
        player: player.id.clone(),
        label: String::new(),
        created_ms: 1,
        expires_ms: i64::MAX,
    }
}

async fn password_of(store: &Arc<dyn Store>, player: &Player) -> String {
    store.credentials(&player.name).await.unwrap().unwrap().1
}

/// The codes that are left.
async fn left(store: &Arc<dyn Store>, player: &Player) -> RecoveryCodeSet {
    store.recovery_codes(&player.id).await.unwrap()
}

async fn a_code_sets_a_password_once_and_ends_all_sessions(store: Arc<dyn Store>) {
    let (player, other) = (a_player(&store).await, a_player(&store).await);
    assert_eq!(left(&store, &player).await, RecoveryCodeSet::default());
    for (of, number) in [(&player, 1), (&other, 2)] {
        let made = store.set_recovery_codes(&of.id, &codes(number)).await;
        made.unwrap();
    }
    for number in [1, 2] {
        let begun = store.create_session(&session(&player, number)).await;
        assert_eq!(begun.unwrap(), [] as [TokenHash; 0]);
    }
    store.create_session(&session(&other, 3)).await.unwrap();
    // A code of nobody, and one of somebody else.
    for code in [[99; 32], codes(2).hashes[0]] {
        let none = store.recover(&player.id, &code, "$argon2id$n").await;
        assert_eq!(none.unwrap(), None);
        assert_eq!(password_of(&store, &player).await, "$argon2id$x");
        assert_eq!(left(&store, &player).await, codes(1));
    }
    let code = codes(1).hashes[1];
    let ended = store.recover(&player.id, &code, "$argon2id$n").await;
    let mut ended = ended.unwrap().expect("the code is right");
    ended.sort_unstable();
    assert_eq!(ended, [[1; 32], [2; 32]]);
    assert_eq!(password_of(&store, &player).await, "$argon2id$n");
    let there = [[1; 32], [2; 32], [3; 32]];
    let gone = store.ended_sessions(&there).await.unwrap();
    assert_eq!(gone, there[..2]);
    // The others stay, and this one is used up.
    let expected = RecoveryCodeSet {
        hashes: vec![codes(1).hashes[0], codes(1).hashes[2]],
        created_ms: 1,
    };
    assert_eq!(left(&store, &player).await, expected);
    let again = store.recover(&player.id, &code, "$argon2id$m").await;
    assert_eq!(again.unwrap(), None);
    assert_eq!(password_of(&store, &player).await, "$argon2id$n");
    assert_eq!(left(&store, &other).await, codes(2));
}

async fn of_concurrent_uses_of_a_code_one_succeeds(store: Arc<dyn Store>) {
    let player = a_player(&store).await;
    let made = store.set_recovery_codes(&player.id, &codes(1)).await;
    made.unwrap();
    let mut uses = tokio::task::JoinSet::new();
    for number in 0..8 {
        let (store, player) = (Arc::clone(&store), player.id.clone());
        uses.spawn(async move {
            let password_hash = format!("$argon2id${number}");
            let code = codes(1).hashes[0];
            let used = store.recover(&player, &code, &password_hash).await;
            used.unwrap().map(|_| password_hash)
        });
    }
    let uses: Vec<String> = uses.join_all().await.into_iter().flatten().collect();
    assert_eq!(uses, [password_of(&store, &player).await]);
    assert_eq!(left(&store, &player).await.hashes, codes(1).hashes[1..]);
}

async fn new_codes_replace_the_old_ones(store: Arc<dyn Store>) {
    let player = a_player(&store).await;
    let mut makers = tokio::task::JoinSet::new();
    for number in 1..=4 {
        let (store, player) = (Arc::clone(&store), player.id.clone());
        makers.spawn(async move { store.set_recovery_codes(&player, &codes(number)).await });
    }
    for made in makers.join_all().await {
        made.unwrap();
    }
    let last = left(&store, &player).await;
    let number = u8::try_from(last.created_ms).unwrap();
    assert_eq!(last, codes(number), "one set, and whole");
    let made = store.set_recovery_codes(&player.id, &codes(5)).await;
    made.unwrap();
    let old = store.recover(&player.id, &last.hashes[0], "$argon2id$n");
    assert_eq!(old.await.unwrap(), None);
    assert_eq!(left(&store, &player).await, codes(5));
}

async fn codes_begin_with_the_account_and_end_with_it(store: Arc<dyn Store>) {
    let new = |player: &Player| with_password(player);
    let player = named_player("Amina", PlayerKind::Account);
    let begin = session(&player, 1);
    let registered = store
        .register_account(&new(&player), &begin, &codes(1), None)
        .await;
    registered.unwrap();
    assert_eq!(left(&store, &player).await, codes(1));
    assert!(store.session(&[1; 32], 2).await.unwrap().is_some());
    // Nothing is left of an account whose name is taken.
    let namesake = named_player("AMINA", PlayerKind::Account);
    let taken = store
        .register_account(&new(&namesake), &session(&namesake, 2), &codes(2), None)
        .await;
    assert!(matches!(taken, Err(StoreError::Conflict)));
    assert_eq!(left(&store, &namesake).await, RecoveryCodeSet::default());
    // A guest has no password, and gets no codes.
    let guest = named_player("Guest-1", PlayerKind::Guest);
    let without = NewPlayer {
        player: guest.clone(),
        password_hash: None,
    };
    store.create_player(&without, None).await.unwrap();
    let refused = store.set_recovery_codes(&guest.id, &codes(2)).await;
    assert!(matches!(refused, Err(StoreError::NotFound)));
    assert_eq!(left(&store, &guest).await, RecoveryCodeSet::default());

    let attribution = Attribution {
        by: None,
        why: "asked for".into(),
        at_ms: 5,
    };
    for change in [
        AccountChange::SetPassword("$argon2id$o".into()),
        AccountChange::Delete("deleted-1".into()),
    ] {
        let made = store.set_recovery_codes(&player.id, &codes(3)).await;
        made.unwrap();
        let changed = store
            .change_account(&player.id, &change, &attribution)
            .await;
        changed.unwrap();
        assert_eq!(left(&store, &player).await, RecoveryCodeSet::default());
    }
    let refused = store.set_recovery_codes(&player.id, &codes(3)).await;
    assert!(matches!(refused, Err(StoreError::NotFound)));
    let code = codes(3).hashes[0];
    let none = store.recover(&player.id, &code, "$argon2id$n").await;
    assert_eq!(none.unwrap(), None);
}
