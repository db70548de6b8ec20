//! Passkeys: a challenge counts once, a limit holds, and they go with the account.

use std::sync::Arc;

use mawe_store::{
    AccountChange, Attribution, MAX_PASSKEYS, NewPasskey, NewPlayer, PasskeyCreated, PasskeyRow,
    PasskeyUse, Stale, Store, StoreError, UsedChallenge,
};
use mawe_store::{LoginPasskey, Player};
use mawe_wire::PlayerKind;
use mawe_wire::ids::{PasskeyId, PlayerId};

use super::story::{named_player, with_password};
use crate::common::place::Place;

/// Runs each test on a database of its own.
pub(super) async fn every_promise(place: &impl Place) {
    let open = async || mawe_store::open(&place.fresh().await).await.unwrap();
    a_passkey_is_found_by_its_credential_until_it_is_deleted(open().await).await;
    a_challenge_is_answered_once(open().await).await;
    of_concurrent_logins_with_one_counter_one_counts(open().await).await;
    the_limit_holds_for_registrations_at_once(open().await).await;
    passkeys_end_with_the_account_and_its_password_by_the_operator(open().await).await;
    answered_challenges_are_kept_until_they_expire(open().await).await;
}

async fn a_player(store: &Arc<dyn Store>) -> Player {
    let player = named_player(PlayerId::random().as_str(), PlayerKind::Account);
    let new = with_password(&player);
    store.create_player(&new, None).await.unwrap();
    player
}

/// A passkey of a player, known by a number.
fn passkey(of: &Player, number: u8) -> NewPasskey {
    NewPasskey {
        id: PasskeyId::random(),
        player: of.id.clone(),
        credential_id: vec![number; 32],
        name: format!("key {number}"),
        public_key: vec![number, 1],
        state: vec![number, 2],
        transports: number,
        created_ms: i64::from(number),
    }
}

fn challenge(number: u8) -> UsedChallenge {
    UsedChallenge {
        hash: [number; 32],
        expires_ms: 100 + i64::from(number),
    }
}

async fn created(store: &Arc<dyn Store>, new: &NewPasskey, number: u8) -> PasskeyCreated {
    tried(store, new, number).await.unwrap()
}

async fn tried(
    store: &Arc<dyn Store>,
    new: &NewPasskey,
    number: u8,
) -> Result<PasskeyCreated, StoreError> {
    let challenge = challenge(number);
    store.create_passkey(new, &challenge, MAX_PASSKEYS).await
}

async fn listed(store: &Arc<dyn Store>, player: &Player) -> Vec<PasskeyRow> {
    store.passkeys_of(&player.id).await.unwrap()
}

async fn used(store: &Arc<dyn Store>, of: &NewPasskey, states: [u8; 2], number: u8) -> bool {
    let used = PasskeyUse {
        id: of.id.clone(),
        old_state: vec![states[0], 2],
        new_state: vec![states[1], 2],
        at_ms: 50,
    };
    store.use_passkey(&used, &challenge(number)).await.unwrap()
}

async fn a_passkey_is_found_by_its_credential_until_it_is_deleted(store: Arc<dyn Store>) {
    let (player, other) = (a_player(&store).await, a_player(&store).await);
    let (first, second) = (passkey(&player, 2), passkey(&player, 1));
    assert_eq!(created(&store, &first, 1).await, PasskeyCreated::Yes);
    assert_eq!(created(&store, &second, 2).await, PasskeyCreated::Yes);
    // The credential of another account.
    let copy = NewPasskey {
        player: other.id.clone(),
        id: PasskeyId::random(),
        ..first.clone()
    };
    assert_eq!(created(&store, &copy, 3).await, PasskeyCreated::Taken);
    assert_eq!(listed(&store, &other).await, []);
    let row = |new: &NewPasskey| PasskeyRow {
        id: new.id.clone(),
        credential_id: new.credential_id.clone(),
        name: new.name.clone(),
        transports: new.transports,
        created_ms: new.created_ms,
        last_used_ms: None,
    };
    // The oldest first.
    assert_eq!(listed(&store, &player).await, [row(&second), row(&first)]);
    let expected = LoginPasskey {
        id: first.id.clone(),
        player: player.clone(),
        password_hash: "$argon2id$x".to_owned(),
        public_key: first.public_key.clone(),
        state: first.state.clone(),
    };
    let found = store.passkey(&first.credential_id).await.unwrap();
    assert_eq!(found, Some(expected));
    for nobodys in [&[][..], &[9; 32], &[2; 31]] {
        assert_eq!(store.passkey(nobodys).await.unwrap(), None);
    }

    for (by, done) in [(&other, false), (&player, true)] {
        let renamed = store.rename_passkey(&by.id, &first.id, "a phone");
        assert_eq!(renamed.await.unwrap(), done);
    }
    assert_eq!(listed(&store, &player).await[1].name, "a phone");
    for (by, done) in [(&other, false), (&player, true), (&player, false)] {
        let deleted = store.delete_passkey(&by.id, &first.id);
        assert_eq!(deleted.await.unwrap(), done);
    }
    assert_eq!(store.passkey(&first.credential_id).await.unwrap(), None);
    assert_eq!(listed(&store, &player).await, [row(&second)]);
    let renamed = store.rename_passkey(&player.id, &first.id, "a phone");
    assert!(!renamed.await.unwrap());
    assert!(!used(&store, &first, [2, 3], 4).await, "it is gone");
}

async fn a_challenge_is_answered_once(store: Arc<dyn Store>) {
    let player = a_player(&store).await;
    let new = passkey(&player, 1);
    assert_eq!(created(&store, &new, 1).await, PasskeyCreated::Yes);
    let second = passkey(&player, 2);
    assert_eq!(
        created(&store, &second, 1).await,
        PasskeyCreated::ChallengeUsed
    );
    assert!(!used(&store, &new, [1, 3], 1).await);
    // A failure for another reason has not used the challenge up.
    assert!(!used(&store, &new, [7, 3], 2).await, "another state");
    assert!(used(&store, &new, [1, 3], 2).await);
    let row = listed(&store, &player).await.remove(0);
    assert_eq!(row.last_used_ms, Some(50));
    let found = store.passkey(&new.credential_id).await.unwrap();
    assert_eq!(found.unwrap().state, [3, 2]);
    // A device without a counter: the state stays, and each challenge counts once.
    assert!(used(&store, &new, [3, 3], 3).await);
    assert!(!used(&store, &new, [3, 3], 3).await);
    assert!(used(&store, &new, [3, 3], 4).await);
}

async fn of_concurrent_logins_with_one_counter_one_counts(store: Arc<dyn Store>) {
    let player = a_player(&store).await;
    let new = passkey(&player, 1);
    assert_eq!(created(&store, &new, 1).await, PasskeyCreated::Yes);
    let count = async |challenges: [u8; 8], next: u8| {
        let mut uses = tokio::task::JoinSet::new();
        for number in challenges {
            let (store, new) = (Arc::clone(&store), new.clone());
            uses.spawn(async move { used(&store, &new, [1, next], number).await });
        }
        uses.join_all()
            .await
            .into_iter()
            .filter(|done| *done)
            .count()
    };
    assert_eq!(count([2; 8], 1).await, 1, "one challenge");
    let challenges = [3, 4, 5, 6, 7, 8, 9, 10];
    assert_eq!(count(challenges, 2).await, 1, "one counter");
}

async fn the_limit_holds_for_registrations_at_once(store: Arc<dyn Store>) {
    let player = a_player(&store).await;
    let mut makers = tokio::task::JoinSet::new();
    for number in 0..16 {
        let (store, new) = (Arc::clone(&store), passkey(&player, number));
        makers.spawn(async move { created(&store, &new, number).await });
    }
    let made = makers.join_all().await;
    let count = |result| made.iter().filter(|one| **one == result).count();
    assert_eq!(count(PasskeyCreated::Yes), MAX_PASSKEYS as usize);
    assert_eq!(count(PasskeyCreated::TooMany), 16 - MAX_PASSKEYS as usize);
    assert_eq!(listed(&store, &player).await.len(), MAX_PASSKEYS as usize);
}

async fn passkeys_end_with_the_account_and_its_password_by_the_operator(store: Arc<dyn Store>) {
    let guest = named_player("Guest-1", PlayerKind::Guest);
    let without = NewPlayer {
        player: guest.clone(),
        password_hash: None,
    };
    store.create_player(&without, None).await.unwrap();
    let refused = tried(&store, &passkey(&guest, 9), 9).await;
    assert!(matches!(refused, Err(StoreError::NotFound)));
    let player = a_player(&store).await;
    let attribution = Attribution {
        by: None,
        why: "asked for".into(),
        at_ms: 5,
    };
    for (number, change) in [
        (1, AccountChange::SetPassword("$argon2id$o".into())),
        (2, AccountChange::Delete("deleted-1".into())),
    ] {
        let new = passkey(&player, number);
        assert_eq!(created(&store, &new, number).await, PasskeyCreated::Yes);
        let changed = store.change_account(&player.id, &change, &attribution);
        changed.await.unwrap();
        assert_eq!(listed(&store, &player).await, []);
        assert_eq!(store.passkey(&new.credential_id).await.unwrap(), None);
    }
    let refused = tried(&store, &passkey(&player, 3), 3).await;
    assert!(matches!(refused, Err(StoreError::NotFound)));
}

async fn answered_challenges_are_kept_until_they_expire(store: Arc<dyn Store>) {
    let player = a_player(&store).await;
    for number in 1..=3 {
        let new = passkey(&player, number);
        assert_eq!(created(&store, &new, number).await, PasskeyCreated::Yes);
    }
    let stale = Stale::PasskeyChallenges;
    assert_eq!(store.count_stale(stale, 102).await.unwrap(), 2);
    assert_eq!(store.delete_stale(stale, 102, 1).await.unwrap(), 1);
    assert_eq!(store.delete_stale(stale, 102, 9).await.unwrap(), 1);
    // The one that has not expired still counts.
    let new = passkey(&player, 4);
    assert_eq!(
        created(&store, &new, 3).await,
        PasskeyCreated::ChallengeUsed
    );
    assert_eq!(created(&store, &new, 1).await, PasskeyCreated::Yes);
}
