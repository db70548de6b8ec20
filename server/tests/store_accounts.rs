//! Changes of accounts by operators and moderators, and their log: the store's guarantees, tested on both backends.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::Arc;

use mawe_play::room::entry::StoredEntry;
use mawe_play::room::io::Finish;
use mawe_rules::{BySide, GameKind};
use mawe_store::{
    Account, AccountChange, AccountFilter, Append, Appended, Attribution, AuditFilter, AuditRow,
    Disabled, ExtraTime, NewAudit, NewChallenge, NewMatch, NewPlayer, NewSession, NewToken, Player,
    Store, StoreError,
};
use mawe_wire::grants::{Grant, Grants};
use mawe_wire::ids::{ChallengeId, MatchId, PlayerId, TokenId};
use mawe_wire::{Language, MatchOptions, PlayerKind, Speed, TimeControl};

use crate::common::place::{Place, SqlitePlace};
use crate::common::postgres::Postgres;

const BLITZ: TimeControl = TimeControl::Realtime {
    base_ms: 300_000,
    increment_ms: 0,
};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sqlite_keeps_every_promise_about_accounts() {
    every_promise(&SqlitePlace::new()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn postgres_keeps_every_promise_about_accounts() {
    every_promise(&Postgres::start()).await;
}

async fn every_promise(place: &impl Place) {
    let open = async || mawe_store::open(&place.fresh().await).await.unwrap();
    a_disabled_account_loses_its_ways_in_and_what_it_asked_for(open().await).await;
    who_was_let_in_meanwhile_is_known_to_be_disabled(open().await).await;
    grants_come_and_go_one_by_one(open().await).await;
    a_bot_account_is_made_and_unmade_before_it_has_played(open().await).await;
    a_new_name_is_free_and_a_new_password_ends_sessions(open().await).await;
    sessions_and_tokens_end_one_or_all(open().await).await;
    of_a_deleted_account_its_matches_stay(open().await).await;
    computer_opponents_and_guests_are_what_they_are(open().await).await;
    accounts_are_found_in_pages(open().await).await;
    the_log_has_every_change_once_in_order(open().await).await;
    grants_that_come_at_once_are_all_kept(open().await).await;
}

async fn a_disabled_account_loses_its_ways_in_and_what_it_asked_for(store: Arc<dyn Store>) {
    let (me, you) = (an_account(&store).await, an_account(&store).await);
    let (session, token) = ([1; 32], [2; 32]);
    let_in(&store, &me, session, token).await;
    let_in(&store, &you, [3; 32], [4; 32]).await;
    let mine = a_challenge(&store, &me, None).await;
    let to_me = a_challenge(&store, &you, Some(&me)).await;
    let others = a_challenge(&store, &you, None).await;
    let running = a_match(&store, &me, &you).await;

    let changed = change(&store, &me, AccountChange::Disable).await.unwrap();
    let mut ended = changed.ended.clone();
    ended.sort_unstable();
    assert_eq!(ended, [session, token]);
    let disabled = Disabled {
        at_ms: 500,
        why: "because".into(),
        until_ms: None,
    };
    let expected = Account {
        player: me.clone(),
        grants: Grants::default(),
        disabled: Some(disabled),
        deleted_ms: None,
    };
    assert_eq!(changed.account, expected);
    assert_eq!(store.account(&me.id).await.unwrap(), Some(expected));
    assert_eq!(store.session(&session, 600).await.unwrap(), None);
    assert_eq!(store.token(&token, 600).await.unwrap(), None);
    for (id, cancelled) in [(&mine, true), (&to_me, true), (&others, false)] {
        let found = store.find_challenge(id).await.unwrap().unwrap();
        assert_eq!(found.cancelled, cancelled);
    }
    // The other player's session and token stay, and so do the seats.
    assert!(store.session(&[3; 32], 600).await.unwrap().is_some());
    assert!(store.token(&[4; 32], 600).await.unwrap().is_some());
    assert_eq!(
        store.find_match(&running).await.unwrap().unwrap().finish,
        None
    );

    let enabled = change(&store, &me, AccountChange::Enable).await.unwrap();
    assert_eq!(enabled.account.disabled, None);
    let again = change(&store, &me, AccountChange::Enable).await.unwrap();
    assert_eq!(again, enabled, "it was so already");
    assert_eq!(actions(&store, &me).await, ["enable", "disable"]);
}

/// A login whose password was being checked when the account was disabled.
async fn who_was_let_in_meanwhile_is_known_to_be_disabled(store: Arc<dyn Store>) {
    let me = an_account(&store).await;
    change(&store, &me, AccountChange::Disable).await.unwrap();
    let_in(&store, &me, [1; 32], [2; 32]).await;
    let by_session = store.session(&[1; 32], 600).await.unwrap().unwrap();
    let by_token = store.token(&[2; 32], 600).await.unwrap().unwrap();
    assert!(by_session.is_disabled && by_token.is_disabled);
    change(&store, &me, AccountChange::Enable).await.unwrap();
    let by_session = store.session(&[1; 32], 600).await.unwrap().unwrap();
    assert!(!by_session.is_disabled);
}

async fn grants_come_and_go_one_by_one(store: Arc<dyn Store>) {
    let me = an_account(&store).await;
    let_in(&store, &me, [1; 32], [2; 32]).await;
    for (step, expected) in [
        (AccountChange::Grant(Grant::Premium), "premium"),
        (AccountChange::Grant(Grant::Moderator), "moderator premium"),
        (AccountChange::Grant(Grant::Moderator), "moderator premium"),
        (AccountChange::Revoke(Grant::Premium), "moderator"),
        (AccountChange::Revoke(Grant::Premium), "moderator"),
        (AccountChange::Grant(Grant::Admin), "admin moderator"),
    ] {
        let changed = change(&store, &me, step).await.unwrap();
        assert_eq!(changed.account.grants.to_string(), expected);
        for holder in [
            store.session(&[1; 32], 600).await.unwrap().unwrap(),
            store.token(&[2; 32], 600).await.unwrap().unwrap(),
        ] {
            assert_eq!(holder.grants.to_string(), expected);
        }
    }
    let log = store.audit(&AuditFilter::default(), None, 9).await.unwrap();
    let steps = log
        .iter()
        .map(|row| format!("{} {}", row.action, row.detail));
    let expected = [
        "grant admin",
        "revoke premium",
        "grant moderator",
        "grant premium",
    ];
    assert!(
        steps.eq(expected),
        "what was so already is not in the log: {log:?}"
    );
}

async fn a_bot_account_is_made_and_unmade_before_it_has_played(store: Arc<dyn Store>) {
    let (me, you) = (an_account(&store).await, an_account(&store).await);
    change(&store, &me, AccountChange::Grant(Grant::Premium))
        .await
        .unwrap();
    let bot = change(&store, &me, AccountChange::Grant(Grant::Bot))
        .await
        .unwrap();
    assert_eq!(bot.account.player.kind, PlayerKind::Bot);
    assert_eq!(bot.account.grants.to_string(), "bot premium");
    assert_eq!(
        store.find_player(&me.id).await.unwrap().unwrap().kind,
        PlayerKind::Bot
    );
    let person = change(&store, &me, AccountChange::Revoke(Grant::Bot))
        .await
        .unwrap();
    assert_eq!(person.account.player.kind, PlayerKind::Account);
    assert_eq!(person.account.grants.to_string(), "premium");

    a_match(&store, &you, &me).await;
    let too_late = change(&store, &me, AccountChange::Grant(Grant::Bot)).await;
    assert!(
        matches!(too_late, Err(StoreError::Conflict)),
        "{too_late:?}"
    );
    let third = an_account(&store).await;
    change(&store, &third, AccountChange::Grant(Grant::Bot))
        .await
        .unwrap();
    a_match(&store, &third, &you).await;
    let too_late = change(&store, &third, AccountChange::Revoke(Grant::Bot)).await;
    assert!(
        matches!(too_late, Err(StoreError::Conflict)),
        "{too_late:?}"
    );
    assert_eq!(
        actions(&store, &third).await,
        ["grant"],
        "what failed is not in the log"
    );
}

async fn a_new_name_is_free_and_a_new_password_ends_sessions(store: Arc<dyn Store>) {
    let (me, you) = (an_account(&store).await, an_account(&store).await);
    let taken = AccountChange::Rename(you.name.to_uppercase());
    let taken = change(&store, &me, taken).await;
    assert!(matches!(taken, Err(StoreError::Conflict)), "{taken:?}");
    let renamed = change(&store, &me, AccountChange::Rename("Zofia".into())).await;
    assert_eq!(renamed.unwrap().account.player.name, "Zofia");
    assert_eq!(store.find_player_by_name(&me.name).await.unwrap(), None);
    let found = store.find_player_by_name("ZOFIA").await.unwrap();
    assert_eq!(found.unwrap().id, me.id);
    // A change of case is a new name, and does not conflict with the old one.
    let case = change(&store, &me, AccountChange::Rename("ZoFia".into())).await;
    assert_eq!(case.unwrap().account.player.name, "ZoFia");

    let_in(&store, &me, [1; 32], [2; 32]).await;
    let password = AccountChange::SetPassword("$argon2id$new".into());
    let changed = change(&store, &me, password).await.unwrap();
    assert_eq!(changed.ended, [[1; 32]]);
    let (_, hash) = store.credentials("zofia").await.unwrap().unwrap();
    assert_eq!(hash, "$argon2id$new");
    assert!(store.token(&[2; 32], 600).await.unwrap().is_some());
    let log = store.audit(&AuditFilter::default(), None, 9).await.unwrap();
    assert!(
        !format!("{log:?}").contains("argon2"),
        "no hash is in the log"
    );
    assert_eq!(log[1].detail, "from Zofia to ZoFia");
}

async fn sessions_and_tokens_end_one_or_all(store: Arc<dyn Store>) {
    let (me, you) = (an_account(&store).await, an_account(&store).await);
    let_in(&store, &me, [1; 32], [2; 32]).await;
    let_in(&store, &me, [3; 32], [4; 32]).await;
    let_in(&store, &you, [5; 32], [6; 32]).await;
    let one = change(&store, &me, AccountChange::EndSession([1; 32])).await;
    assert_eq!(one.unwrap().ended, [[1; 32]]);
    let tokens = store.tokens_of(&me.id, 600).await.unwrap();
    let token = AccountChange::EndToken(tokens[0].id.clone());
    let ended = change(&store, &me, token.clone()).await.unwrap().ended;
    assert!(ended == [[2; 32]] || ended == [[4; 32]], "{ended:?}");
    let theirs = store.tokens_of(&you.id, 600).await.unwrap().remove(0);
    for nothing in [
        token,
        AccountChange::EndToken(theirs.id),
        AccountChange::EndSession([5; 32]),
        AccountChange::EndSession([1; 32]),
    ] {
        let gone = change(&store, &me, nothing).await;
        assert!(matches!(gone, Err(StoreError::NotFound)), "{gone:?}");
    }
    let changed = change(&store, &me, AccountChange::EndSessions)
        .await
        .unwrap();
    assert_eq!(changed.ended.len(), 2);
    assert!(changed.ended.contains(&[3; 32]));
    assert!(store.tokens_of(&me.id, 600).await.unwrap().is_empty());
    assert!(store.session(&[5; 32], 600).await.unwrap().is_some());
}

async fn of_a_deleted_account_its_matches_stay(store: Arc<dyn Store>) {
    let (me, you) = (an_account(&store).await, an_account(&store).await);
    change(&store, &me, AccountChange::Grant(Grant::Premium))
        .await
        .unwrap();
    change(&store, &me, AccountChange::Rename("Zofia".into()))
        .await
        .unwrap();
    let_in(&store, &me, [1; 32], [2; 32]).await;
    store.set_language(&me.id, Language::Sw).await.unwrap();
    let asked = a_challenge(&store, &me, Some(&you)).await;
    let played = a_match(&store, &me, &you).await;
    let taken = change(&store, &me, AccountChange::Delete(you.name.clone())).await;
    assert!(matches!(taken, Err(StoreError::Conflict)), "{taken:?}");
    assert!(
        store.session(&[1; 32], 600).await.unwrap().is_some(),
        "nothing was done"
    );

    let deleted = AccountChange::Delete("deleted-x1".into());
    let playing = change(&store, &me, deleted.clone()).await;
    assert!(matches!(playing, Err(StoreError::Conflict)), "{playing:?}");
    end(&store, &played).await;
    let deleted = change(&store, &me, deleted).await.unwrap();
    assert_eq!(deleted.ended.len(), 2);
    assert_eq!(deleted.account.player.name, "deleted-x1");
    assert_eq!(deleted.account.grants, Grants::default());
    assert_eq!(deleted.account.deleted_ms, Some(500));
    assert!(deleted.account.disabled.is_some());
    assert_eq!(store.language(&me.id).await.unwrap(), None);
    let row = store.find_match(&played).await.unwrap().unwrap();
    assert_eq!(row.players[mawe_rules::Side::First].name, "deleted-x1");
    assert!(
        store
            .find_challenge(&asked)
            .await
            .unwrap()
            .unwrap()
            .cancelled
    );
    assert_eq!(store.credentials("deleted-x1").await.unwrap(), None);
    // The name is free, and its previous owner is nowhere recorded.
    let next = person("Zofia", PlayerKind::Account);
    store
        .create_player(&with_password(&next), None)
        .await
        .unwrap();
    let about = AuditFilter {
        about: Some(me.id.clone()),
        ..AuditFilter::default()
    };
    let log = store.audit(&about, None, 9).await.unwrap();
    let words = log
        .iter()
        .map(|row| (row.action.as_str(), row.detail.as_str()));
    assert!(
        words.eq([("delete", ""), ("rename", ""), ("grant", "")]),
        "{log:?}"
    );
    for late in [
        AccountChange::Enable,
        AccountChange::Rename("Zo".into()),
        AccountChange::SetPassword("$".into()),
        AccountChange::Delete("deleted-x2".into()),
    ] {
        let refused = change(&store, &me, late).await;
        assert!(matches!(refused, Err(StoreError::Conflict)), "{refused:?}");
    }
}

async fn computer_opponents_and_guests_are_what_they_are(store: Arc<dyn Store>) {
    let computer = store.ensure_bot(3, "mawe-Three", 5).await.unwrap();
    assert_eq!(store.account(&computer.id).await.unwrap(), None);
    let refused = change(&store, &computer, AccountChange::Disable).await;
    assert!(matches!(refused, Err(StoreError::NotFound)), "{refused:?}");
    let nobody = person("Nobody", PlayerKind::Account);
    let refused = change(&store, &nobody, AccountChange::Disable).await;
    assert!(matches!(refused, Err(StoreError::NotFound)), "{refused:?}");

    let guest = person("Guest-x1", PlayerKind::Guest);
    let new = NewPlayer {
        player: guest.clone(),
        password_hash: None,
    };
    store.create_player(&new, None).await.unwrap();
    for account_only in [
        AccountChange::Grant(Grant::Moderator),
        AccountChange::Rename("Amina".into()),
        AccountChange::SetPassword("$".into()),
    ] {
        let refused = change(&store, &guest, account_only).await;
        assert!(matches!(refused, Err(StoreError::Conflict)), "{refused:?}");
    }
    let disabled = change(&store, &guest, AccountChange::Disable)
        .await
        .unwrap();
    assert!(disabled.account.disabled.is_some());
    assert_eq!(
        store
            .audit(&AuditFilter::default(), None, 9)
            .await
            .unwrap()
            .len(),
        1
    );
}

async fn accounts_are_found_in_pages(store: Arc<dyn Store>) {
    for name in ["Amina", "amin_x", "Zofia", "Bo%b"] {
        let player = person(name, PlayerKind::Account);
        store
            .create_player(&with_password(&player), None)
            .await
            .unwrap();
    }
    let guest = person("Guest-amina", PlayerKind::Guest);
    store
        .create_player(&with_password(&guest), None)
        .await
        .unwrap();
    store.ensure_bot(1, "mawe-amin", 5).await.unwrap();
    let zofia = store.find_player_by_name("Zofia").await.unwrap().unwrap();
    change(&store, &zofia, AccountChange::Grant(Grant::Moderator))
        .await
        .unwrap();
    change(&store, &zofia, AccountChange::Disable)
        .await
        .unwrap();
    let bob = store.find_player_by_name("Bo%b").await.unwrap().unwrap();
    change(&store, &bob, AccountChange::Grant(Grant::Bot))
        .await
        .unwrap();

    let all = AccountFilter::default;
    let part = |part: &str| AccountFilter {
        name_part: part.into(),
        ..all()
    };
    let granted = |grant| AccountFilter {
        grant: Some(grant),
        ..all()
    };
    let names = async |filter: &AccountFilter, after, limit| -> Vec<String> {
        let found = store.accounts(filter, after, limit).await.unwrap();
        found
            .into_iter()
            .map(|account| account.player.name)
            .collect()
    };
    assert_eq!(
        names(&all(), None, 9).await,
        ["amin_x", "Amina", "Bo%b", "Zofia"]
    );
    assert_eq!(names(&all(), None, 2).await, ["amin_x", "Amina"]);
    assert_eq!(names(&all(), Some("AMINA"), 2).await, ["Bo%b", "Zofia"]);
    assert_eq!(names(&part("AMIN"), None, 9).await, ["amin_x", "Amina"]);
    assert_eq!(names(&part("_"), None, 9).await, ["amin_x"]);
    assert_eq!(names(&part("%"), None, 9).await, ["Bo%b"]);
    assert_eq!(names(&part("\\"), None, 9).await, Vec::<String>::new());
    assert_eq!(names(&granted(Grant::Moderator), None, 9).await, ["Zofia"]);
    assert_eq!(names(&granted(Grant::Bot), None, 9).await, ["Bo%b"]);
    let disabled = AccountFilter {
        disabled: true,
        ..all()
    };
    assert_eq!(names(&disabled, None, 9).await, ["Zofia"]);
    let guests = AccountFilter {
        guests: true,
        ..part("amina")
    };
    assert_eq!(names(&guests, None, 9).await, ["Amina", "Guest-amina"]);
}

async fn the_log_has_every_change_once_in_order(store: Arc<dyn Store>) {
    let (moderator, you) = (an_account(&store).await, an_account(&store).await);
    let running = a_match(&store, &moderator, &you).await;
    let created = person("Amina", PlayerKind::Account);
    let new = with_password(&created);
    store.create_account(&new, &attribution()).await.unwrap();
    let twice = store.create_account(&new, &attribution()).await;
    assert!(matches!(twice, Err(StoreError::Conflict)), "{twice:?}");
    let by_moderator = Attribution {
        by: Some(moderator.id.clone()),
        why: "insults".into(),
        at_ms: 600,
    };
    let disable = AccountChange::Disable;
    store
        .change_account(&you.id, &disable, &by_moderator)
        .await
        .unwrap();
    let closed = NewAudit {
        attribution: attribution(),
        action: "close-match",
        about: None,
        match_id: Some(running.clone()),
        detail: "called off".into(),
    };
    store.write_audit(&closed).await.unwrap();

    let all = store.audit(&AuditFilter::default(), None, 9).await.unwrap();
    let expected = [
        AuditRow {
            id: all[0].id,
            at_ms: 500,
            actor: None,
            action: "close-match".into(),
            about: None,
            match_id: Some(running),
            detail: "called off".into(),
            why: "because".into(),
        },
        AuditRow {
            id: all[1].id,
            at_ms: 600,
            actor: Some(moderator.clone()),
            action: "disable".into(),
            about: Some(you.clone()),
            match_id: None,
            detail: String::new(),
            why: "insults".into(),
        },
        AuditRow {
            id: all[2].id,
            at_ms: 500,
            actor: None,
            action: "create".into(),
            about: Some(created),
            match_id: None,
            detail: String::new(),
            why: "because".into(),
        },
    ];
    assert_eq!(all, expected);
    let page = store.audit(&AuditFilter::default(), None, 2).await.unwrap();
    assert_eq!(page, expected[..2]);
    let before = store
        .audit(&AuditFilter::default(), Some(page[1].id), 9)
        .await;
    assert_eq!(before.unwrap(), expected[2..]);
    let did = AuditFilter {
        actor: Some(moderator.id),
        ..AuditFilter::default()
    };
    assert_eq!(store.audit(&did, None, 9).await.unwrap(), expected[1..2]);
    assert_eq!(actions(&store, &you).await, ["disable"]);
}

async fn grants_that_come_at_once_are_all_kept(store: Arc<dyn Store>) {
    let me = an_account(&store).await;
    let grants = [Grant::Admin, Grant::Moderator, Grant::Premium];
    let granting = grants.map(|grant| {
        let (store, me) = (Arc::clone(&store), me.clone());
        tokio::spawn(async move {
            change(&store, &me, AccountChange::Grant(grant))
                .await
                .unwrap();
        })
    });
    for granting in granting {
        granting.await.unwrap();
    }
    let account = store.account(&me.id).await.unwrap().unwrap();
    assert!(account.grants.iter().eq(grants));
    assert_eq!(actions(&store, &me).await.len(), 3);
}

// --- helpers ---

fn attribution() -> Attribution {
    Attribution {
        by: None,
        why: "because".into(),
        at_ms: 500,
    }
}

async fn change(
    store: &Arc<dyn Store>,
    player: &Player,
    change: AccountChange,
) -> Result<mawe_store::Changed, StoreError> {
    store
        .change_account(&player.id, &change, &attribution())
        .await
}

/// Returns the actions on a player, latest first.
async fn actions(store: &Arc<dyn Store>, player: &Player) -> Vec<String> {
    let about = AuditFilter {
        about: Some(player.id.clone()),
        ..AuditFilter::default()
    };
    let log = store.audit(&about, None, 99).await.unwrap();
    log.into_iter().map(|row| row.action).collect()
}

async fn an_account(store: &Arc<dyn Store>) -> Player {
    let player = person(PlayerId::random().as_str(), PlayerKind::Account);
    store
        .create_player(&with_password(&player), None)
        .await
        .unwrap();
    player
}

fn person(name: &str, kind: PlayerKind) -> Player {
    Player {
        id: PlayerId::random(),
        name: name.to_owned(),
        kind,
        level: None,
        look: mawe_wire::Look::default(),
        created_ms: 7,
    }
}

fn with_password(player: &Player) -> NewPlayer {
    NewPlayer {
        player: player.clone(),
        password_hash: Some("$argon2id$x".to_owned()),
    }
}

async fn let_in(store: &Arc<dyn Store>, player: &Player, session: [u8; 32], token: [u8; 32]) {
    let session = NewSession {
        hash: session,
        player: player.id.clone(),
        label: "Firefox, Linux".into(),
        created_ms: 100,
        expires_ms: 900,
    };
    store.create_session(&session).await.unwrap();
    let token = NewToken {
        id: TokenId::random(),
        hash: token,
        player: player.id.clone(),
        name: "a program".into(),
        scopes: "read play".parse().unwrap(),
        created_ms: 100,
        expires_ms: 900,
    };
    assert!(store.create_token(&token, 9).await.unwrap());
}

async fn a_match(store: &Arc<dyn Store>, first: &Player, second: &Player) -> MatchId {
    let new = NewMatch {
        id: MatchId::random(),
        game: GameKind::Mawe,
        setup: String::new(),
        rated: false,
        time_control: BLITZ,
        speed: Speed::Blitz,
        extra_ms: BySide::default(),
        options: MatchOptions::usual(false),
        private: false,
        players: BySide::new(first.id.clone(), second.id.clone()),
        ratings: BySide::default(),
        rematch_of: None,
        due_ms: None,
        created_ms: 1_000,
    };
    store.create_match(&new).await.unwrap();
    new.id
}

async fn end(store: &Arc<dyn Store>, id: &MatchId) {
    let claimed = store.claim_match(id, "here").await.unwrap().unwrap();
    let epoch = claimed.row.epoch;
    let entry = StoredEntry {
        seq: 1,
        epoch,
        kind: "abort".into(),
        payload: "{}".into(),
        client_id: None,
        at_ms: 400,
    };
    let finish = Finish {
        winner: None,
        reason: "aborted".into(),
        score: None,
        at_ms: 400,
        plies: 0,
        uncounted: false,
        left_by: None,
    };
    let append = Append {
        match_id: id.clone(),
        head: 0,
        epoch,
        entries: vec![entry],
        finish: Some(finish),
        due_ms: None,
    };
    assert_eq!(store.append(&[append]).await.unwrap(), [Appended::Done]);
}

async fn a_challenge(store: &Arc<dyn Store>, from: &Player, to: Option<&Player>) -> ChallengeId {
    let new = NewChallenge {
        id: ChallengeId::random(),
        challenger: from.id.clone(),
        game: GameKind::Mawe,
        setup: String::new(),
        side: None,
        time_control: BLITZ,
        extra: ExtraTime::default(),
        rated: false,
        options: MatchOptions::usual(false),
        private: false,
        to: to.map(|to| to.id.clone()),
        listed: false,
        rating_range: (None, None),
        created_ms: 100,
        expires_ms: 9_000,
    };
    store.create_challenge(&new).await.unwrap();
    new.id
}
