//! Display names: who gets one that looks like another, how often it changes, and for whom it is held.

use std::sync::Arc;

use mawe_store::{
    AccountChange, Attribution, AuditFilter, DISPLAY_NAME_PERIOD_MS, DISPLAY_NAMES_IN_PERIOD,
    DisplayNameSet, NAME_HELD_MS, NewDisplayName, NewPlayer, Player, RecoveryCodeSet, Renamed,
    Stale, Store, StoreError, name_look,
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
    a_display_name_is_set_found_and_removed(open().await).await;
    it_looks_like_no_other_name(open().await).await;
    a_new_name_looks_like_no_other(open().await).await;
    names_that_look_alike_and_are_wanted_at_once_get_one_owner(open().await).await;
    a_name_and_a_display_name_that_are_wanted_at_once_get_one_owner(open().await).await;
    it_changes_a_few_times_in_a_period(open().await).await;
    one_that_is_given_up_is_held(open().await).await;
    a_moderator_removes_it(open().await).await;
    a_deleted_account_has_none(open().await).await;
    former_ones_are_forgotten_by_upkeep(open().await).await;
}

async fn a_player(store: &Arc<dyn Store>, name: &str) -> Player {
    let player = named_player(name, PlayerKind::Account);
    let new = with_password(&player);
    store.create_player(&new, None).await.unwrap();
    player
}

/// A name whose key is that of a name in ASCII; other letters are their own key here.
fn name(text: &str) -> NewDisplayName {
    NewDisplayName {
        text: text.to_owned(),
        key: name_look(&text.replace(' ', "")),
    }
}

async fn set(
    store: &Arc<dyn Store>,
    player: &Player,
    text: &str,
    now_ms: i64,
) -> Result<DisplayNameSet, StoreError> {
    store
        .set_display_name(&player.id, &name(text), now_ms)
        .await
}

/// Sets a name that can be set.
async fn done(store: &Arc<dyn Store>, player: &Player, text: &str, now_ms: i64) {
    let set = set(store, player, text, now_ms).await.unwrap();
    assert!(
        matches!(&set, DisplayNameSet::Done(now) if now.look.display_name.as_deref() == Some(text)),
        "{set:?}"
    );
}

async fn is_alike(store: &Arc<dyn Store>, player: &Player, text: &str, now_ms: i64) {
    let set = set(store, player, text, now_ms).await;
    assert!(
        matches!(set, Err(StoreError::LooksAlike)),
        "{text}: {set:?}"
    );
}

async fn shown(store: &Arc<dyn Store>, player: &Player) -> Option<String> {
    let found = store.find_player(&player.id).await.unwrap();
    found.unwrap().look.display_name
}

async fn a_display_name_is_set_found_and_removed(store: Arc<dyn Store>) {
    let player = a_player(&store, "ammu").await;
    let guest = named_player("Guest-1", PlayerKind::Guest);
    let new = NewPlayer {
        player: guest.clone(),
        password_hash: None,
    };
    store.create_player(&new, None).await.unwrap();
    let refused = set(&store, &guest, "Ammu", AT).await;
    assert!(matches!(refused, Err(StoreError::NotFound)), "{refused:?}");

    done(&store, &player, "Łukasz Żółw", AT).await;
    // The same again costs nothing, and is no entry of the log.
    for _ in 0..5 {
        done(&store, &player, "Łukasz Żółw", AT).await;
    }
    let search = async |start: &str, limit| {
        let found = store.find_players(start, limit).await.unwrap();
        let names = found.into_iter().map(|player| player.name);
        names.collect::<Vec<_>>()
    };
    for start in ["łu", "ŁUKASZ Ż", "am", "AMMU"] {
        assert_eq!(search(start, 9).await, ["ammu"], "{start}");
    }
    assert_eq!(search("żół", 9).await, [] as [&str; 0]);
    // One who is found by both names is there once, and the limit holds for both together.
    done(&store, &player, "Ammu Kutty", AT).await;
    a_player(&store, "ammini").await;
    assert_eq!(search("amm", 9).await, ["ammini", "ammu"]);
    assert_eq!(search("amm", 1).await, ["ammini"]);

    let after = store.remove_display_name(&player.id, AT).await.unwrap();
    assert_eq!(after, player);
    assert_eq!(
        store.remove_display_name(&player.id, AT).await.unwrap(),
        player
    );
    assert_eq!(search("ammu k", 9).await, [] as [&str; 0]);
    let log = store.audit(&AuditFilter::default(), None, 9).await.unwrap();
    let log = log.iter().map(|row| {
        assert_eq!(row.actor.as_ref().map(|actor| &actor.id), Some(&player.id));
        assert_eq!(row.about.as_ref().map(|about| &about.id), Some(&player.id));
        (row.action.as_str(), row.detail.as_str())
    });
    assert_eq!(
        log.collect::<Vec<_>>(),
        [
            ("remove-display-name", "Ammu Kutty"),
            ("set-display-name", "from Łukasz Żółw to Ammu Kutty"),
            ("set-display-name", "Łukasz Żółw"),
        ]
    );
}

async fn it_looks_like_no_other_name(store: Arc<dyn Store>) {
    let (amina, other) = (
        a_player(&store, "Amina").await,
        a_player(&store, "Other").await,
    );
    // The name of somebody else, in whatever letters.
    for alike in ["Amina", "AMINA", "A mina", "Arnina", "Am1na", "Amlna"] {
        is_alike(&store, &other, alike, AT).await;
    }
    // One's own is no other name.
    done(&store, &amina, "A M I N A", AT).await;
    done(&store, &other, "Zofia", AT).await;
    for alike in ["Zofia", "Zof1a", "ZOFLA"] {
        is_alike(&store, &amina, alike, AT).await;
    }
    assert_eq!(shown(&store, &amina).await.as_deref(), Some("A M I N A"));
    // A name of a guest keeps no name away: no account may look so.
    let guest = named_player("Guest-1", PlayerKind::Guest);
    let new = NewPlayer {
        player: guest,
        password_hash: None,
    };
    store.create_player(&new, None).await.unwrap();
    done(&store, &other, "Guest 1", AT).await;
    // Neither a former name that is held for its owner.
    let renamed = store.rename_account(&amina.id, "Bahati", AT).await.unwrap();
    assert!(matches!(renamed, Renamed::Done(_)), "{renamed:?}");
    store.remove_display_name(&amina.id, AT).await.unwrap();
    is_alike(&store, &other, "Amina", FREE - 1).await;
    done(&store, &amina, "Amina", FREE - 1).await;
    done(&store, &other, "Arnina Z", FREE).await;
}

async fn register(store: &Arc<dyn Store>, name: &str, now_ms: i64) -> Result<(), StoreError> {
    let player = Player {
        created_ms: now_ms,
        ..named_player(name, PlayerKind::Account)
    };
    store.create_player(&with_password(&player), None).await
}

async fn a_new_name_looks_like_no_other(store: Arc<dyn Store>) {
    let player = a_player(&store, "Amina").await;
    let other = a_player(&store, "Other").await;
    done(&store, &player, "Zofia", AT).await;
    let alike = |result: Result<(), StoreError>| {
        assert!(matches!(result, Err(StoreError::LooksAlike)), "{result:?}");
    };
    let codes = RecoveryCodeSet {
        hashes: Vec::new(),
        created_ms: AT,
    };
    let guest = named_player("Guest-1", PlayerKind::Guest);
    let new = NewPlayer {
        player: guest.clone(),
        password_hash: None,
    };
    store.create_player(&new, None).await.unwrap();
    let attribution = Attribution {
        by: None,
        why: String::new(),
        at_ms: AT,
    };
    for name in ["Zofia", "ZOF1A", "zof-ia", "Am1na", "Arnina", "A_mina"] {
        alike(register(&store, name, AT).await);
        alike(store.rename_account(&other.id, name, AT).await.map(drop));
        let guest_takes = store.register_guest(&guest.id, name, "$hash", &codes, None);
        alike(guest_takes.await.map(drop));
        let change = AccountChange::Rename(name.to_owned());
        let operator = store.change_account(&other.id, &change, &attribution);
        alike(operator.await.map(drop));
        assert_eq!(
            store.find_player_by_name(name).await.unwrap(),
            None,
            "{name}"
        );
    }
    // The owner may have both, and other letters of one's name look as before.
    let renamed = store.rename_account(&player.id, "zofia", AT).await.unwrap();
    assert!(matches!(renamed, Renamed::Done(_)), "{renamed:?}");
    let change = AccountChange::Rename("zof1a".to_owned());
    store
        .change_account(&player.id, &change, &attribution)
        .await
        .unwrap();
    // A name that was just given up, and one that is free.
    alike(register(&store, "Arnina", FREE - 1).await);
    register(&store, "Arnina", FREE).await.unwrap();
}

async fn names_that_look_alike_and_are_wanted_at_once_get_one_owner(store: Arc<dyn Store>) {
    let mut seekers = tokio::task::JoinSet::new();
    for (number, text) in ["Rose", "R0se", "rose", "R O S E", "ROSE", "r0se!"]
        .into_iter()
        .enumerate()
    {
        let player = a_player(&store, &format!("player-{number}")).await;
        let store = Arc::clone(&store);
        seekers.spawn(async move {
            let name = NewDisplayName {
                text: text.to_owned(),
                key: "rose".to_owned(),
            };
            match store.set_display_name(&player.id, &name, AT).await {
                Ok(DisplayNameSet::Done(_)) => true,
                Err(StoreError::LooksAlike) => false,
                other => panic!("{other:?}"),
            }
        });
    }
    let taken = seekers.join_all().await;
    assert_eq!(taken.iter().filter(|taken| **taken).count(), 1, "{taken:?}");
}

async fn a_name_and_a_display_name_that_are_wanted_at_once_get_one_owner(store: Arc<dyn Store>) {
    for round in ["a", "b", "c", "d"] {
        let mut seekers = tokio::task::JoinSet::new();
        for number in 0..3 {
            let player = a_player(&store, &format!("{round}-{number}-x")).await;
            let (by_display, by_name) = (Arc::clone(&store), Arc::clone(&store));
            let text = format!("Rose {round}");
            seekers.spawn(async move {
                let set = set(&by_display, &player, &text, AT).await;
                assert!(
                    matches!(set, Ok(_) | Err(StoreError::LooksAlike)),
                    "{set:?}"
                );
                set.is_ok()
            });
            // Each looks like the others, and is written in another way.
            let name = ["Rose", "R0se", "r-ose"][number];
            seekers.spawn(async move {
                let registered = register(&by_name, &format!("{name}-{round}"), AT).await;
                let is_right = matches!(
                    registered,
                    Ok(()) | Err(StoreError::LooksAlike | StoreError::Conflict)
                );
                assert!(is_right, "{registered:?}");
                registered.is_ok()
            });
        }
        let taken = seekers.join_all().await;
        assert_eq!(taken.iter().filter(|taken| **taken).count(), 1, "{taken:?}");
    }
}

async fn it_changes_a_few_times_in_a_period(store: Arc<dyn Store>) {
    let player = a_player(&store, "Amina").await;
    let state = async |now_ms| {
        let state = store.display_name_state(&player.id, now_ms).await.unwrap();
        assert!(!state.is_pupil);
        state.settable_from_ms
    };
    assert_eq!(state(AT).await, None);
    for number in 0..DISPLAY_NAMES_IN_PERIOD {
        assert_eq!(state(AT + 5).await, None);
        done(
            &store,
            &player,
            &format!("Rose {number}"),
            AT + i64::from(number),
        )
        .await;
    }
    let from = AT + DISPLAY_NAME_PERIOD_MS;
    // It can always be removed, which gives no change back.
    store.remove_display_name(&player.id, AT + 5).await.unwrap();
    for now_ms in [AT + 5, from - 1] {
        assert_eq!(state(now_ms).await, Some(from));
        let often = set(&store, &player, "Rose 0", now_ms).await.unwrap();
        assert_eq!(often, DisplayNameSet::TooOften(from));
    }
    assert_eq!(shown(&store, &player).await, None);
    assert_eq!(state(from).await, None);
    done(&store, &player, "Rose 0", from).await;
    assert_eq!(state(from).await, None);
}

async fn one_that_is_given_up_is_held(store: Arc<dyn Store>) {
    let (player, other) = (
        a_player(&store, "Amina").await,
        a_player(&store, "Other").await,
    );
    done(&store, &player, "Rose", AT).await;
    done(&store, &player, "Zofia", AT).await;
    store.remove_display_name(&player.id, AT).await.unwrap();
    for held in ["Rose", "R0SE", "Zofia"] {
        is_alike(&store, &other, held, FREE - 1).await;
        let registered = register(&store, &held.to_lowercase(), FREE - 1).await;
        assert!(matches!(registered, Err(StoreError::LooksAlike)));
    }
    // Its owner takes one back, also in other letters.
    done(&store, &player, "ROSE", AT).await;
    is_alike(&store, &other, "Rose", FREE).await;
    done(&store, &other, "Zofia", FREE).await;
    is_alike(&store, &player, "Zofia", FREE).await;
    assert_eq!(shown(&store, &player).await.as_deref(), Some("ROSE"));
}

async fn a_moderator_removes_it(store: Arc<dyn Store>) {
    let (player, other) = (
        a_player(&store, "Amina").await,
        a_player(&store, "Other").await,
    );
    let attribution = Attribution {
        by: Some(other.id.clone()),
        why: "it misleads".into(),
        at_ms: AT,
    };
    let remove = AccountChange::RemoveDisplayName;
    let nothing = store
        .change_account(&player.id, &remove, &attribution)
        .await;
    assert!(matches!(nothing, Err(StoreError::Conflict)), "{nothing:?}");
    done(&store, &player, "Rose", AT).await;
    let changed = store
        .change_account(&player.id, &remove, &attribution)
        .await;
    assert_eq!(changed.unwrap().account.player.look.display_name, None);
    let from = AT + DISPLAY_NAME_PERIOD_MS;
    let early = set(&store, &player, "Zofia", from - 1).await.unwrap();
    assert_eq!(early, DisplayNameSet::TooOften(from));
    is_alike(&store, &other, "Rose", from).await;
    done(&store, &player, "Zofia", from).await;
    let log = store.audit(&AuditFilter::default(), None, 9).await.unwrap();
    let removed = log
        .iter()
        .find(|row| row.action == "remove-display-name")
        .expect("it is in the log");
    assert_eq!(
        (removed.detail.as_str(), removed.why.as_str()),
        ("Rose", "it misleads")
    );
    assert_eq!(
        removed.actor.as_ref().map(|actor| &actor.id),
        Some(&other.id)
    );
}

async fn a_deleted_account_has_none(store: Arc<dyn Store>) {
    let (player, other) = (
        a_player(&store, "Amina").await,
        a_player(&store, "Other").await,
    );
    done(&store, &player, "Rose", AT).await;
    done(&store, &player, "Zofia", AT).await;
    let attribution = Attribution {
        by: Some(player.id.clone()),
        why: String::new(),
        at_ms: AT,
    };
    let delete = AccountChange::Delete("deleted-1".into());
    let deleted = store.change_account(&player.id, &delete, &attribution);
    assert_eq!(
        deleted.await.unwrap().account.player.look.display_name,
        None
    );
    // Nothing is held for it, and it takes no other.
    done(&store, &other, "Rose", AT).await;
    done(&store, &other, "Zofia", AT).await;
    let refused = set(&store, &player, "Bahati", AT).await;
    assert!(matches!(refused, Err(StoreError::NotFound)), "{refused:?}");
    let refused = store.remove_display_name(&player.id, AT).await;
    assert!(matches!(refused, Err(StoreError::NotFound)), "{refused:?}");
}

async fn former_ones_are_forgotten_by_upkeep(store: Arc<dyn Store>) {
    let player = a_player(&store, "Amina").await;
    for (text, now_ms) in [("Rose", AT), ("Zofia", AT + 1), ("Bahati", AT + 2)] {
        done(&store, &player, text, now_ms).await;
    }
    let stale = async |at_ms| {
        let found = store.count_stale(Stale::FormerDisplayNames, at_ms).await;
        found.unwrap()
    };
    // They are given up one after the other.
    assert_eq!(
        [
            stale(FREE).await,
            stale(FREE + 1).await,
            stale(FREE + 2).await
        ],
        [0, 1, 2]
    );
    let delete = store.delete_stale(Stale::FormerDisplayNames, FREE + 2, 1);
    assert_eq!(delete.await.unwrap(), 1);
    let other = a_player(&store, "Other").await;
    done(&store, &other, "Rose", AT).await;
    is_alike(&store, &other, "Zofia", AT).await;
}
