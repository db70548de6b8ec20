//! Invitations: each makes as many accounts as it says, and no more.

use std::sync::Arc;

use mawe_store::pruning::{self, Pruned};
use mawe_store::{
    Attribution, AuditFilter, INVITATION_KEPT_MS, InvitationCursor, InvitationUse, NewInvitation,
    NewPlayer, NewSession, Player, Store, StoreError,
};
use mawe_wire::PlayerKind;
use mawe_wire::ids::{InvitationId, PlayerId};

use super::recovery_codes::codes;
use super::story::{named_player, with_password};
use crate::common::place::Place;

/// The time at which the invitations of these tests are made, and that of their expiry.
const MADE: i64 = 1_000;
const EXPIRES: i64 = 2_000;

/// Runs each test on a database of its own.
pub(super) async fn every_promise(place: &impl Place) {
    let open = async || mawe_store::open(&place.fresh().await).await.unwrap();
    an_invitation_makes_as_many_accounts_as_it_says(open().await).await;
    of_concurrent_registrations_the_last_use_is_given_once(open().await).await;
    a_refused_registration_uses_no_invitation(open().await).await;
    expired_and_revoked_invitations_make_no_account(open().await).await;
    the_list_is_paged_and_bounded(open().await).await;
    old_invitations_go(open().await).await;
}

fn by(author: Option<&Player>, at_ms: i64) -> Attribution {
    Attribution {
        by: author.map(|author| author.id.clone()),
        why: "the new term".into(),
        at_ms,
    }
}

fn invitation(code: u8, uses: u32) -> NewInvitation {
    NewInvitation {
        id: InvitationId::random(),
        code: [code; 32],
        note: format!("class {code}"),
        uses,
        expires_ms: EXPIRES,
    }
}

async fn made(store: &Arc<dyn Store>, new: &NewInvitation) {
    let made = store.create_invitation(new, 9, &by(None, MADE)).await;
    assert!(made.unwrap());
}

fn with(code: u8, at_ms: i64) -> Option<InvitationUse> {
    Some(InvitationUse {
        code: [code; 32],
        at_ms,
    })
}

/// Registers an account, whose session is known by a number.
async fn register(
    store: &Arc<dyn Store>,
    number: u8,
    invitation: Option<InvitationUse>,
) -> Result<Player, StoreError> {
    let player = named_player(&format!("Person-{number}"), PlayerKind::Account);
    let session = NewSession {
        hash: [number; 32],
        player: player.id.clone(),
        label: String::new(),
        created_ms: 1,
        expires_ms: i64::MAX,
    };
    store
        .register_account(&with_password(&player), &session, &codes(1), invitation)
        .await?;
    Ok(player)
}

async fn guest(store: &Arc<dyn Store>) -> PlayerId {
    let player = named_player(InvitationId::random().as_str(), PlayerKind::Guest);
    let id = player.id.clone();
    let new = NewPlayer {
        player,
        password_hash: None,
    };
    store.create_player(&new, None).await.unwrap();
    id
}

async fn used(store: &Arc<dyn Store>, id: &InvitationId) -> u32 {
    store.invitation(id).await.unwrap().unwrap().used
}

async fn an_invitation_makes_as_many_accounts_as_it_says(store: Arc<dyn Store>) {
    let author = register(&store, 1, None).await.unwrap();
    let new = invitation(7, 2);
    let by_author = by(Some(&author), MADE);
    let stored = store.create_invitation(&new, 9, &by_author).await;
    assert!(stored.unwrap());
    let row = store.invitation(&new.id).await.unwrap().unwrap();
    assert_eq!((row.uses, row.used, &*row.note), (2, 0, "class 7"));
    assert_eq!(row.created_by.as_deref(), Some("Person-1"));
    assert_eq!((row.created_ms, row.expires_ms), (MADE, EXPIRES));
    assert!(row.is_open(MADE) && !row.is_open(EXPIRES));

    register(&store, 2, with(7, MADE)).await.unwrap();
    let guest_id = guest(&store).await;
    let kept = store
        .register_guest(&guest_id, "Neema", "$argon2id$x", &codes(1), with(7, MADE))
        .await;
    assert_eq!(kept.unwrap().id, guest_id);
    assert_eq!(used(&store, &new.id).await, 2);
    assert!(!store.is_invited(&[7; 32], MADE).await.unwrap());
    // Used up, for both, and of a code that never was one.
    for code in [7, 8] {
        let refused = register(&store, 3, with(code, MADE)).await;
        assert!(matches!(refused, Err(StoreError::NotInvited)));
        let guest_id = guest(&store).await;
        let refused = store
            .register_guest(
                &guest_id,
                "Zawadi",
                "$argon2id$x",
                &codes(1),
                with(code, MADE),
            )
            .await;
        assert!(matches!(refused, Err(StoreError::NotInvited)));
        let still = store.find_player(&guest_id).await.unwrap().unwrap();
        assert_eq!(still.kind, PlayerKind::Guest);
    }
    for name in ["Person-3", "Zawadi"] {
        assert_eq!(store.find_player_by_name(name).await.unwrap(), None);
    }
    assert_eq!(store.session(&[3; 32], 2).await.unwrap(), None);
    assert_eq!(used(&store, &new.id).await, 2);
}

async fn of_concurrent_registrations_the_last_use_is_given_once(store: Arc<dyn Store>) {
    let new = invitation(7, 3);
    made(&store, &new).await;
    let mut registrations = tokio::task::JoinSet::new();
    for number in 0..8 {
        let store = Arc::clone(&store);
        registrations.spawn(async move { register(&store, number, with(7, MADE)).await });
    }
    let mut there = 0;
    for outcome in registrations.join_all().await {
        match outcome {
            Ok(player) => {
                let found = store.find_player(&player.id).await.unwrap();
                assert_eq!(found.unwrap().name, player.name);
                there += 1;
            }
            Err(StoreError::NotInvited) => {}
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!((there, used(&store, &new.id).await), (3, 3));
}

async fn a_refused_registration_uses_no_invitation(store: Arc<dyn Store>) {
    let new = invitation(7, 1);
    made(&store, &new).await;
    register(&store, 1, None).await.unwrap();
    let taken = register(&store, 1, with(7, MADE)).await;
    assert!(matches!(taken, Err(StoreError::Conflict)));
    assert_eq!(used(&store, &new.id).await, 0);
    assert!(store.is_invited(&[7; 32], MADE).await.unwrap());
}

async fn expired_and_revoked_invitations_make_no_account(store: Arc<dyn Store>) {
    let (old, revoked) = (invitation(7, 5), invitation(8, 5));
    for new in [&old, &revoked] {
        made(&store, new).await;
    }
    assert!(store.is_invited(&[7; 32], EXPIRES - 1).await.unwrap());
    assert!(!store.is_invited(&[7; 32], EXPIRES).await.unwrap());
    let late = register(&store, 1, with(7, EXPIRES)).await;
    assert!(matches!(late, Err(StoreError::NotInvited)));

    register(&store, 2, with(8, MADE)).await.unwrap();
    for at_ms in [1_500, 1_600] {
        // The second time changes nothing.
        let done = store.revoke_invitation(&revoked.id, &by(None, at_ms)).await;
        done.unwrap();
        let row = store.invitation(&revoked.id).await.unwrap().unwrap();
        assert_eq!((row.revoked_ms, row.used), (Some(1_500), 1));
        assert!(!row.is_open(MADE));
    }
    let refused = register(&store, 3, with(8, MADE)).await;
    assert!(matches!(refused, Err(StoreError::NotInvited)));
    let none = store
        .revoke_invitation(&InvitationId::random(), &by(None, 1))
        .await;
    assert!(matches!(none, Err(StoreError::NotFound)));

    let log = store.audit(&AuditFilter::default(), None, 9).await.unwrap();
    let actions: Vec<_> = log
        .iter()
        .map(|row| {
            (
                row.action.as_str(),
                row.detail.contains(revoked.id.as_str()),
            )
        })
        .collect();
    assert_eq!(
        actions,
        [
            ("revoke-invitation", true),
            ("invite", true),
            ("invite", false)
        ]
    );
}

async fn the_list_is_paged_and_bounded(store: Arc<dyn Store>) {
    let mut expected = Vec::new();
    for code in 0..5 {
        let new = invitation(code, 1);
        // Two of each time.
        let at_ms = MADE + i64::from(code / 2);
        let stored = store.create_invitation(&new, 5, &by(None, at_ms)).await;
        assert!(stored.unwrap());
        expected.push((at_ms, new.id));
    }
    expected.sort_unstable_by(|one, other| other.cmp(one));
    let mut found = Vec::new();
    loop {
        let last: Option<&(i64, InvitationId)> = found.last();
        let after = last.map(|(created_ms, id)| InvitationCursor {
            created_ms: *created_ms,
            id: id.clone(),
        });
        let page = store.invitations(after.as_ref(), 2).await.unwrap();
        if page.is_empty() {
            break;
        }
        assert!(page.len() <= 2);
        found.extend(page.into_iter().map(|row| (row.created_ms, row.id)));
    }
    assert_eq!(found, expected);

    // No more than five are open, also at the same time; the expired ones do not count.
    let mut makers = tokio::task::JoinSet::new();
    for code in 10..18 {
        let store = Arc::clone(&store);
        makers.spawn(async move {
            let new = invitation(code, 1);
            store.create_invitation(&new, 7, &by(None, MADE)).await
        });
    }
    let outcomes = makers.join_all().await;
    let stored = outcomes
        .into_iter()
        .filter(|stored| *stored.as_ref().unwrap());
    assert_eq!(stored.count(), 2);
    let later = NewInvitation {
        expires_ms: 9_000,
        ..invitation(30, 1)
    };
    let stored = store.create_invitation(&later, 7, &by(None, EXPIRES)).await;
    assert!(stored.unwrap());
}

async fn old_invitations_go(store: Arc<dyn Store>) {
    let new = invitation(7, 1);
    made(&store, &new).await;
    let gone = EXPIRES + INVITATION_KEPT_MS;
    let count = async |now_ms| pruning::count(store.as_ref(), now_ms).await.unwrap();
    assert_eq!(count(gone - 1).await, Pruned::default());
    let one = Pruned {
        sessions: 1,
        ..Pruned::default()
    };
    assert_eq!(count(gone).await, one);
    assert_eq!(pruning::prune(store.as_ref(), gone).await.unwrap(), one);
    assert_eq!(store.invitation(&new.id).await.unwrap(), None);
}
