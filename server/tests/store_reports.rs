//! Reports, their resolutions, and notices to players: the store's guarantees, tested on both backends.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::Arc;

use mawe_store::{
    AccountChange, Attribution, AuditFilter, Judged, NewPlayer, NewReport, NewSession,
    NoticeFilter, Player, ReportCursor, ReportFilter, ReportRow, ReportState, Store, StoreError,
    Verdict,
};
use mawe_wire::ids::{NoticeId, PlayerId, ReportId};
use mawe_wire::reports::{ReportReason, Resolution};
use mawe_wire::{NoticeKind, PlayerKind};

use crate::common::place::{Place, SqlitePlace};
use crate::common::postgres::Postgres;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sqlite_keeps_every_promise_about_reports() {
    every_promise(&SqlitePlace::new()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn postgres_keeps_every_promise_about_reports() {
    every_promise(&Postgres::start()).await;
}

async fn every_promise(place: &impl Place) {
    let open = async || mawe_store::open(&place.fresh().await).await.unwrap();
    one_report_of_one_by_one_is_open(open().await).await;
    the_queue_is_read_in_pages(open().await).await;
    of_two_moderators_one_takes_a_report(open().await).await;
    a_verdict_and_all_that_follows_happen_together(open().await).await;
    a_verdict_that_cannot_be_carried_out_changes_nothing(open().await).await;
    who_was_kept_out_for_a_time_comes_back(open().await).await;
    of_a_deleted_account_nothing_is_said(open().await).await;
}

async fn one_report_of_one_by_one_is_open(store: Arc<dyn Store>) {
    let (me, you, other) = (
        account(&store).await,
        account(&store).await,
        account(&store).await,
    );
    let first = report(&store, &me, &you, 1).await.unwrap();
    let again = report(&store, &me, &you, 2).await;
    assert!(matches!(again, Err(StoreError::Conflict)), "{again:?}");
    report(&store, &you, &me, 3).await.unwrap();
    report(&store, &other, &you, 4).await.unwrap();
    let row = store.report(&first).await.unwrap().unwrap();
    assert_eq!((row.reporter, row.reported), (me.clone(), you.clone()));
    assert_eq!(
        (row.reason, row.text.as_str()),
        (ReportReason::Stalling, "he sleeps")
    );
    assert_eq!((row.at_ms, row.open_about), (1, 2));
    assert_eq!((row.taken, row.resolved), (None, None));
    // After it is resolved, there may be another.
    judge(&store, &other, &first, Verdict::Dismiss, 5)
        .await
        .unwrap();
    report(&store, &me, &you, 6).await.unwrap();
    assert_eq!(store.report(&ReportId::random()).await.unwrap(), None);
    // A name that no database accepts is not found.
    assert_eq!(store.find_player_by_name("a\0b").await.unwrap(), None);
    assert_eq!(store.credentials("\0").await.unwrap(), None);
    // Of two concurrent reports one is stored.
    let (a, b) = (account(&store).await, account(&store).await);
    let made = tokio::join!(
        report(&store, &a, &b, 7),
        report(&store, &a, &b, 7),
        report(&store, &a, &b, 7)
    );
    let made = [made.0, made.1, made.2];
    assert_eq!(
        made.iter().filter(|made| made.is_ok()).count(),
        1,
        "{made:?}"
    );
}

async fn the_queue_is_read_in_pages(store: Arc<dyn Store>) {
    let (moderator, you, other) = (
        account(&store).await,
        account(&store).await,
        account(&store).await,
    );
    let mut made = Vec::new();
    // Several in one millisecond: the id decides the order.
    for at_ms in [10, 20, 20, 20, 30] {
        let by = account(&store).await;
        made.push(report(&store, &by, &you, at_ms).await.unwrap());
    }
    report(&store, &you, &other, 15).await.unwrap();
    let about = ReportFilter {
        about: Some(you.id.clone()),
        state: ReportState::Open,
    };
    let mut expected = made.clone();
    expected[1..4].sort_unstable_by(|a, b| a.as_str().cmp(b.as_str()));
    assert_eq!(pages(&store, &about).await, expected);
    assert_eq!(pages(&store, &ReportFilter::default()).await.len(), 6);
    for (id, at_ms) in made.iter().zip([100, 300, 200, 200, 400]) {
        judge(&store, &moderator, id, Verdict::Dismiss, at_ms)
            .await
            .unwrap();
    }
    assert_eq!(pages(&store, &about).await, []);
    let resolved = ReportFilter {
        state: ReportState::Resolved,
        ..about
    };
    let latest = pages(&store, &resolved).await;
    assert_eq!(
        [&latest[0], &latest[1], &latest[4]],
        [&made[4], &made[1], &made[0]]
    );
    assert_eq!(latest.len(), 5);
}

/// Returns the ids of all pages of two.
async fn pages(store: &Arc<dyn Store>, filter: &ReportFilter) -> Vec<ReportId> {
    let (mut all, mut cursor): (Vec<ReportRow>, _) = (Vec::new(), None);
    loop {
        let page = store.reports(filter, cursor.as_ref(), 2).await.unwrap();
        let Some(last) = page.last() else {
            return all.into_iter().map(|row| row.id).collect();
        };
        let resolved = last.resolved.as_ref();
        cursor = Some(ReportCursor {
            at_ms: resolved.map_or(last.at_ms, |resolved| resolved.at_ms),
            id: last.id.clone(),
        });
        all.extend(page);
    }
}

async fn of_two_moderators_one_takes_a_report(store: Arc<dyn Store>) {
    let (one, other) = (account(&store).await, account(&store).await);
    let (me, you) = (account(&store).await, account(&store).await);
    let id = report(&store, &me, &you, 1).await.unwrap();
    let (a, b) = (attribution(&one, "", 10), attribution(&other, "", 10));
    let (a, b) = tokio::join!(store.take_report(&id, &a, 0), store.take_report(&id, &b, 0));
    assert!(a.unwrap() != b.unwrap());
    let row = store.report(&id).await.unwrap().unwrap();
    let holder = row.taken.unwrap().0;
    let (holder, late) = if holder.id == one.id {
        (&one, &other)
    } else {
        (&other, &one)
    };
    // Taking it again is harmless; another moderator may take it only after too long a time.
    assert!(
        store
            .take_report(&id, &attribution(holder, "", 20), 0)
            .await
            .unwrap()
    );
    assert!(
        !store
            .take_report(&id, &attribution(late, "", 30), 19)
            .await
            .unwrap()
    );
    let judged = store
        .resolve_report(&id, &Verdict::Warn, &attribution(late, "x", 30))
        .await;
    assert_eq!(judged.unwrap(), Judged::NotTheirs);
    assert!(
        store
            .take_report(&id, &attribution(late, "", 40), 20)
            .await
            .unwrap()
    );
    let judged = store
        .resolve_report(&id, &Verdict::Dismiss, &attribution(holder, "x", 50))
        .await;
    assert_eq!(judged.unwrap(), Judged::NotTheirs);
    let judged = store
        .resolve_report(&id, &Verdict::Dismiss, &attribution(late, "x", 50))
        .await;
    assert!(matches!(
        judged.unwrap(),
        Judged::Done {
            changed: None,
            notice: None
        }
    ));
    assert!(
        !store
            .take_report(&id, &attribution(late, "", 60), 0)
            .await
            .unwrap()
    );
    let actions = actions(&store, &you).await;
    assert_eq!(
        actions,
        [
            "dismiss-report",
            "take-report",
            "take-report",
            "take-report"
        ]
    );
}

async fn a_verdict_and_all_that_follows_happen_together(store: Arc<dyn Store>) {
    let moderator = account(&store).await;
    let (me, you) = (account(&store).await, account(&store).await);
    let session = NewSession {
        hash: [1; 32],
        player: you.id.clone(),
        label: String::new(),
        created_ms: 1,
        expires_ms: 1_000,
    };
    store.create_session(&session).await.unwrap();
    for (verdict, kind, until_ms, action) in [
        (Verdict::Warn, NoticeKind::Warning, None, "warn"),
        (
            Verdict::Mute(Some(500)),
            NoticeKind::Muted,
            Some(500),
            "mute",
        ),
        (Verdict::Mute(None), NoticeKind::Muted, None, "mute"),
        (
            Verdict::Rename("Better".into()),
            NoticeKind::Renamed,
            None,
            "rename",
        ),
    ] {
        let id = report(&store, &me, &you, 1).await.unwrap();
        let resolution = verdict.resolution();
        let Judged::Done { notice, .. } =
            judge(&store, &moderator, &id, verdict, 10).await.unwrap()
        else {
            panic!("it was taken");
        };
        let notice = *notice.unwrap();
        assert_eq!(
            (notice.kind, notice.until_ms, notice.text.as_str()),
            (kind, until_ms, "because")
        );
        assert_eq!(
            store
                .notices_of(&you.id, NoticeFilter::default(), None, 5)
                .await
                .unwrap(),
            std::slice::from_ref(&notice)
        );
        assert_eq!(actions(&store, &you).await[0], action);
        let resolved = store.report(&id).await.unwrap().unwrap().resolved.unwrap();
        assert_eq!(
            (resolved.resolution, resolved.why.as_str()),
            (resolution, "because")
        );
        assert_eq!(resolved.by.id, moderator.id);
        // Only the player can delete the notice.
        assert!(!store.delete_notice(&me.id, &notice.id).await.unwrap());
        assert!(
            !store
                .delete_notice(&you.id, &NoticeId::random())
                .await
                .unwrap()
        );
        assert!(store.delete_notice(&you.id, &notice.id).await.unwrap());
        assert!(!store.delete_notice(&you.id, &notice.id).await.unwrap());
    }
    assert_eq!(store.muted_until(&you.id).await.unwrap(), Some(i64::MAX));
    assert_eq!(store.muted_until(&me.id).await.unwrap(), None);
    assert_eq!(
        store.find_player(&you.id).await.unwrap().unwrap().name,
        "Better"
    );

    let id = report(&store, &me, &you, 1).await.unwrap();
    let judged = judge(&store, &moderator, &id, Verdict::Disable(None), 20)
        .await
        .unwrap();
    let Judged::Done {
        changed: Some(changed),
        notice: None,
    } = judged
    else {
        panic!("{judged:?}");
    };
    assert_eq!(changed.ended, [[1; 32]]);
    let disabled = changed.account.disabled.unwrap();
    assert_eq!(
        (disabled.why.as_str(), disabled.until_ms),
        ("because", None)
    );
    let log = store
        .audit(
            &AuditFilter {
                about: Some(you.id.clone()),
                actor: None,
            },
            None,
            2,
        )
        .await
        .unwrap();
    let said: Vec<(&str, &str, Option<&PlayerId>)> = log
        .iter()
        .map(|row| {
            (
                row.action.as_str(),
                row.why.as_str(),
                row.actor.as_ref().map(|actor| &actor.id),
            )
        })
        .collect();
    let by = Some(&moderator.id);
    assert_eq!(
        said,
        [("disable", "because", by), ("uphold-report", "because", by)]
    );
    assert_eq!(log[1].detail, id.to_string());
}

async fn a_verdict_that_cannot_be_carried_out_changes_nothing(store: Arc<dyn Store>) {
    let (moderator, me, you) = (
        account(&store).await,
        account(&store).await,
        account(&store).await,
    );
    let id = report(&store, &me, &you, 1).await.unwrap();
    let taken = Verdict::Rename(me.name.to_uppercase());
    let judged = judge(&store, &moderator, &id, taken, 10).await;
    assert!(matches!(judged, Err(StoreError::Conflict)), "{judged:?}");
    let row = store.report(&id).await.unwrap().unwrap();
    assert_eq!(row.resolved, None);
    assert_eq!(
        store
            .notices_of(&you.id, NoticeFilter::default(), None, 5)
            .await
            .unwrap(),
        []
    );
    assert_eq!(actions(&store, &you).await, ["take-report"]);
    assert_eq!(row.reported.name, you.name);
}

async fn who_was_kept_out_for_a_time_comes_back(store: Arc<dyn Store>) {
    let moderator = account(&store).await;
    let (me, you, other) = (
        account(&store).await,
        account(&store).await,
        account(&store).await,
    );
    let id = report(&store, &me, &you, 1).await.unwrap();
    judge(&store, &moderator, &id, Verdict::Disable(Some(500)), 10)
        .await
        .unwrap();
    let for_good = Attribution {
        by: None,
        why: String::new(),
        at_ms: 11,
    };
    store
        .change_account(&other.id, &AccountChange::Disable, &for_good)
        .await
        .unwrap();
    let disabled = store
        .account(&you.id)
        .await
        .unwrap()
        .unwrap()
        .disabled
        .unwrap();
    assert_eq!(disabled.until_ms, Some(500));
    assert_eq!(store.enable_due(499).await.unwrap(), 0);
    // Two nodes check at once.
    let (a, b) = tokio::join!(store.enable_due(500), store.enable_due(500));
    assert_eq!(a.unwrap() + b.unwrap(), 1);
    assert_eq!(
        store.account(&you.id).await.unwrap().unwrap().disabled,
        None
    );
    assert!(
        store
            .account(&other.id)
            .await
            .unwrap()
            .unwrap()
            .disabled
            .is_some()
    );
    assert_eq!(actions(&store, &you).await[0], "enable");
    // A longer suspension replaces a shorter one, and a permanent one replaces both.
    for (until_ms, change) in [
        (Some(700), AccountChange::DisableUntil(700)),
        (None, AccountChange::Disable),
    ] {
        let changed = store
            .change_account(&you.id, &change, &for_good)
            .await
            .unwrap();
        assert_eq!(changed.account.disabled.unwrap().until_ms, until_ms);
    }
    assert_eq!(store.enable_due(9_999).await.unwrap(), 0);
}

async fn of_a_deleted_account_nothing_is_said(store: Arc<dyn Store>) {
    let (moderator, me, you) = (
        account(&store).await,
        account(&store).await,
        account(&store).await,
    );
    let about_you = report(&store, &me, &you, 1).await.unwrap();
    judge(&store, &moderator, &about_you, Verdict::Warn, 10)
        .await
        .unwrap();
    let by_you = report(&store, &you, &me, 2).await.unwrap();
    let attribution = Attribution {
        by: None,
        why: String::new(),
        at_ms: 20,
    };
    store
        .change_account(&you.id, &AccountChange::Delete("Gone".into()), &attribution)
        .await
        .unwrap();
    assert_eq!(
        store
            .notices_of(&you.id, NoticeFilter::default(), None, 5)
            .await
            .unwrap(),
        []
    );
    for id in [about_you, by_you] {
        let row = store.report(&id).await.unwrap().unwrap();
        assert_eq!(row.text, "");
        assert!(row.resolved.is_none_or(
            |resolved| resolved.why.is_empty() && resolved.resolution == Resolution::Warn
        ));
    }
}

async fn account(store: &Arc<dyn Store>) -> Player {
    let player = Player {
        id: PlayerId::random(),
        name: format!("p{}", PlayerId::random()),
        kind: PlayerKind::Account,
        level: None,
        look: mawe_wire::Look::default(),
        created_ms: 7,
    };
    let new = NewPlayer {
        player: player.clone(),
        password_hash: Some("x".into()),
    };
    store.create_player(&new, None).await.unwrap();
    player
}

async fn report(
    store: &Arc<dyn Store>,
    by: &Player,
    about: &Player,
    at_ms: i64,
) -> Result<ReportId, StoreError> {
    let new = NewReport {
        id: ReportId::random(),
        reporter: by.id.clone(),
        reported: about.id.clone(),
        reason: ReportReason::Stalling,
        text: "he sleeps".into(),
        match_id: None,
        chat_line: None,
        club: None,
        at_ms,
    };
    store.create_report(&new).await.map(|()| new.id)
}

fn attribution(by: &Player, why: &str, at_ms: i64) -> Attribution {
    Attribution {
        by: Some(by.id.clone()),
        why: why.into(),
        at_ms,
    }
}

/// Takes a report and resolves it.
async fn judge(
    store: &Arc<dyn Store>,
    by: &Player,
    id: &ReportId,
    verdict: Verdict,
    at_ms: i64,
) -> Result<Judged, StoreError> {
    assert!(
        store
            .take_report(id, &attribution(by, "", at_ms), 0)
            .await
            .unwrap()
    );
    store
        .resolve_report(id, &verdict, &attribution(by, "because", at_ms))
        .await
}

/// Returns the actions on a player, latest first.
async fn actions(store: &Arc<dyn Store>, about: &Player) -> Vec<String> {
    let about = AuditFilter {
        about: Some(about.id.clone()),
        actor: None,
    };
    let rows = store.audit(&about, None, 20).await.unwrap();
    rows.into_iter().map(|row| row.action).collect()
}
