//! Names that accounts had before, which are held for them.

use std::sync::Arc;

use mawe_store::{
    AccountChange, Attribution, AuditFilter, NAME_HELD_MS, NewPlayer, Player, RecoveryCodeSet,
    Renamed, Stale, Store, StoreError,
};
use mawe_wire::PlayerKind;

use super::story::{named_player, with_password};
use crate::common::place::Place;

const AT: i64 = 1_000;
/// The first time at which a name of `AT` is free.
const FREE: i64 = AT + NAME_HELD_MS;

/// Runs each test on a database of its own.
pub(super) async fn every_promise(place: &impl Place) {
    let open = async || mawe_store::open(&place.fresh().await).await.unwrap();
    an_account_is_renamed_once_in_a_while(open().await).await;
    a_former_name_is_held_for_its_owner(open().await).await;
    of_a_name_that_is_given_up_and_asked_for_at_once_none_is_lost(open().await).await;
    a_name_in_other_letters_counts_as_a_new_one(open().await).await;
    a_deleted_account_holds_nothing(open().await).await;
    names_are_forgotten_by_upkeep(open().await).await;
}

async fn a_player(store: &Arc<dyn Store>, name: &str) -> Player {
    let player = named_player(name, PlayerKind::Account);
    let new = with_password(&player);
    store.create_player(&new, None).await.unwrap();
    player
}

async fn rename(
    store: &Arc<dyn Store>,
    player: &Player,
    name: &str,
    now_ms: i64,
) -> Result<Renamed, StoreError> {
    store.rename_account(&player.id, name, now_ms).await
}

/// Renames an account, which is possible.
async fn renamed(store: &Arc<dyn Store>, player: &Player, name: &str, now_ms: i64) -> Player {
    match rename(store, player, name, now_ms).await.unwrap() {
        Renamed::Done(changed) => {
            assert_eq!(changed.account.player.id, player.id);
            assert_eq!(changed.account.player.name, name);
            assert_eq!(changed.ended, [] as [mawe_wire::ids::TokenHash; 0]);
            changed.account.player
        }
        Renamed::TooEarly(from_ms) => panic!("not before {from_ms}"),
    }
}

/// The name of the account for which a name is held.
async fn holder(store: &Arc<dyn Store>, name: &str, now_ms: i64) -> Option<String> {
    let found = store.find_player_by_former_name(name, now_ms).await;
    found.unwrap().map(|player| player.name)
}

/// Registers an account under a name at a time.
async fn register(store: &Arc<dyn Store>, name: &str, now_ms: i64) -> Result<(), StoreError> {
    let player = Player {
        created_ms: now_ms,
        ..named_player(name, PlayerKind::Account)
    };
    store.create_player(&with_password(&player), None).await
}

async fn an_account_is_renamed_once_in_a_while(store: Arc<dyn Store>) {
    let player = a_player(&store, "Amina").await;
    let from = async |now_ms| store.renamable_from(&player.id, now_ms).await.unwrap();
    assert_eq!(from(AT).await, None);
    assert_eq!(holder(&store, "Amina", AT).await, None);
    // The name that it has costs nothing.
    assert_eq!(renamed(&store, &player, "Amina", AT).await, player);
    assert_eq!(from(AT).await, None);
    renamed(&store, &player, "Bahati", AT).await;
    let found = store.find_player_by_name("bahati").await.unwrap();
    assert_eq!(found.unwrap().id, player.id);
    assert_eq!(store.find_player_by_name("Amina").await.unwrap(), None);
    for now_ms in [AT, FREE - 1] {
        assert_eq!(from(now_ms).await, Some(FREE));
        for name in ["Chiku", "Amina"] {
            let early = rename(&store, &player, name, now_ms).await.unwrap();
            assert_eq!(early, Renamed::TooEarly(FREE));
        }
    }
    assert_eq!(from(FREE).await, None);
    renamed(&store, &player, "Chiku", FREE).await;
    assert_eq!(from(FREE).await, Some(FREE + NAME_HELD_MS));
    // The log has both, by the player.
    let log = store.audit(&AuditFilter::default(), None, 9).await.unwrap();
    let log = log.iter().map(|row| {
        let actor = row.actor.as_ref().map(|actor| actor.id.clone());
        assert_eq!(actor.as_ref(), Some(&player.id));
        assert_eq!(row.about.as_ref().map(|about| &about.id), actor.as_ref());
        (row.action.as_str(), row.detail.as_str())
    });
    assert_eq!(
        log.collect::<Vec<_>>(),
        [
            ("rename", "from Bahati to Chiku"),
            ("rename", "from Amina to Bahati")
        ]
    );
    let guest = named_player("Guest-1", PlayerKind::Guest);
    let new = NewPlayer {
        player: guest.clone(),
        password_hash: None,
    };
    store.create_player(&new, None).await.unwrap();
    let refused = rename(&store, &guest, "Dalila", AT).await;
    assert!(matches!(refused, Err(StoreError::NotFound)));
}

async fn a_former_name_is_held_for_its_owner(store: Arc<dyn Store>) {
    let player = a_player(&store, "Amina").await;
    let other = a_player(&store, "Other").await;
    let guest = named_player("Guest-1", PlayerKind::Guest);
    let new = NewPlayer {
        player: guest.clone(),
        password_hash: None,
    };
    store.create_player(&new, None).await.unwrap();
    // A name of somebody, which stays as it is.
    let taken = rename(&store, &player, "OTHER", AT).await;
    assert!(matches!(taken, Err(StoreError::Conflict)));
    assert_eq!(store.renamable_from(&player.id, AT).await.unwrap(), None);

    renamed(&store, &player, "Bahati", AT).await;
    let late = FREE - 1;
    assert_eq!(
        holder(&store, "aMINA", late).await.as_deref(),
        Some("Bahati")
    );
    let conflict = |result: Result<(), StoreError>| matches!(result, Err(StoreError::Conflict));
    assert!(conflict(register(&store, "AMINA", late).await));
    assert!(conflict(
        rename(&store, &other, "Amina", late).await.map(drop)
    ));
    let codes = RecoveryCodeSet {
        hashes: Vec::new(),
        created_ms: late,
    };
    let guest_takes = store.register_guest(&guest.id, "Amina", "$hash", &codes, None);
    assert!(conflict(guest_takes.await.map(drop)));
    let attribution = Attribution {
        by: None,
        why: "because".into(),
        at_ms: late,
    };
    let operator = AccountChange::Rename("Amina".into());
    let refused = store.change_account(&other.id, &operator, &attribution);
    assert!(conflict(refused.await.map(drop)));
    assert_eq!(store.find_player_by_name("Amina").await.unwrap(), None);
    // The operator gives it back to its owner before the time.
    let given = store.change_account(&player.id, &operator, &attribution);
    assert_eq!(given.await.unwrap().account.player.name, "Amina");
    assert_eq!(holder(&store, "Amina", late).await, None);

    // After the time it is free.
    renamed(&store, &player, "Bahati", AT).await;
    assert_eq!(holder(&store, "Amina", FREE).await, None);
    register(&store, "Amina", FREE).await.unwrap();
    // And its owner returns to a name that nobody has taken.
    renamed(&store, &other, "Zuri", AT).await;
    let back = renamed(&store, &other, "Other", FREE).await;
    assert_eq!(back, other);
    assert_eq!(holder(&store, "Zuri", FREE).await.as_deref(), Some("Other"));
    assert_eq!(holder(&store, "Other", FREE).await, None);
}

async fn of_a_name_that_is_given_up_and_asked_for_at_once_none_is_lost(store: Arc<dyn Store>) {
    let player = a_player(&store, "Amina").await;
    let mut seekers = tokio::task::JoinSet::new();
    let giver = Arc::clone(&store);
    seekers.spawn(async move {
        renamed(&giver, &player, "Bahati", AT).await;
        false
    });
    for _ in 0..8 {
        let store = Arc::clone(&store);
        seekers.spawn(async move { register(&store, "Amina", AT).await.is_ok() });
    }
    let taken = seekers.join_all().await;
    assert!(!taken.contains(&true), "{taken:?}");
    assert_eq!(holder(&store, "Amina", AT).await.as_deref(), Some("Bahati"));
}

async fn a_name_in_other_letters_counts_as_a_new_one(store: Arc<dyn Store>) {
    let player = a_player(&store, "amina").await;
    let now = renamed(&store, &player, "Amina", AT).await;
    let found = store.find_player_by_name("AMINA").await.unwrap();
    assert_eq!(found, Some(now));
    let early = rename(&store, &player, "AMINA", FREE - 1).await.unwrap();
    assert_eq!(early, Renamed::TooEarly(FREE));
    renamed(&store, &player, "AMINA", FREE).await;
}

async fn a_deleted_account_holds_nothing(store: Arc<dyn Store>) {
    let player = a_player(&store, "Amina").await;
    renamed(&store, &player, "Bahati", AT).await;
    let attribution = Attribution {
        by: Some(player.id.clone()),
        why: String::new(),
        at_ms: AT,
    };
    let delete = AccountChange::Delete("deleted-1".into());
    let deleted = store.change_account(&player.id, &delete, &attribution);
    deleted.await.unwrap();
    assert_eq!(holder(&store, "Amina", AT).await, None);
    for name in ["Amina", "Bahati"] {
        register(&store, name, AT).await.unwrap();
    }
    let refused = rename(&store, &player, "Chiku", FREE).await;
    assert!(matches!(refused, Err(StoreError::NotFound)));
}

async fn names_are_forgotten_by_upkeep(store: Arc<dyn Store>) {
    for (name, now_ms) in [("Amina", AT), ("Bahati", AT + 1), ("Chiku", AT + 2)] {
        let player = a_player(&store, name).await;
        renamed(&store, &player, &format!("{name}-2"), now_ms).await;
    }
    let stale = async |at_ms| store.count_stale(Stale::FormerNames, at_ms).await.unwrap();
    assert_eq!([stale(FREE - 1).await, stale(FREE + 1).await], [0, 2]);
    let delete = |limit| store.delete_stale(Stale::FormerNames, FREE + 1, limit);
    assert_eq!(delete(1).await.unwrap(), 1);
    // The oldest first.
    assert_eq!(holder(&store, "Amina", AT).await, None);
    assert!(holder(&store, "Bahati", AT).await.is_some());
    assert_eq!(delete(9).await.unwrap(), 1);
    assert!(holder(&store, "Chiku", AT).await.is_some());
}
