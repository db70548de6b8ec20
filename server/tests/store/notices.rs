//! Notices to players: written with their causes, few, and gone with their player.

use std::sync::Arc;

use mawe_play::rating;
use mawe_play::room::io::Finish;
use mawe_rules::{GameKind, Side};
use mawe_store::{
    AccountChange, Attribution, ExtraTime, Judged, MAX_NOTICES, NewChallenge, NewMatch, NewNotice,
    NewPlayer, NewReport, NoticeCursor, NoticeFilter, NoticeRow, Offered, Player, Stale, Store,
    Verdict, WhichNotices, pruning,
};
use mawe_wire::ids::{ChallengeId, MatchId, PlayerId, ReportId};
use mawe_wire::reports::ReportReason;
use mawe_wire::{
    DeclineReason, MatchOptions, NoticeAbout, NoticeKind, NoticeOutcome, PlayerKind, Speed,
    TimeControl,
};

use super::story::{BLITZ, a_player, append, finishing, named_player, new_match};
use crate::common::place::Place;

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;
/// A time in the tests, long after the start of time, so that a day before it is one too.
const NOW: i64 = 1_000 * DAY_MS;

pub(super) async fn every_promise(place: &impl Place) {
    let open = async || mawe_store::open(&place.fresh().await).await.unwrap();
    a_challenge_is_noticed_by_both_until_it_is_answered(open().await).await;
    a_challenge_that_nobody_answers_is_noticed_once(open().await).await;
    a_thousand_challenges_leave_a_hundred_notices(open().await).await;
    about_a_match_there_is_one_notice(open().await).await;
    the_end_is_told_to_those_who_may_be_away(open().await).await;
    a_decision_is_told_to_the_reporter(open().await).await;
    notices_are_read_in_pages_and_marked(open().await).await;
    only_accounts_get_notices_and_lose_them_with_the_account(open().await).await;
    old_notices_go_but_for_unread_words_of_moderators(open().await).await;
}

async fn all(store: &Arc<dyn Store>, player: &Player) -> Vec<NoticeRow> {
    let all = NoticeFilter::default();
    store.notices_of(&player.id, all, None, 500).await.unwrap()
}

async fn kinds(store: &Arc<dyn Store>, player: &Player) -> Vec<NoticeKind> {
    all(store, player)
        .await
        .iter()
        .map(|row| row.kind)
        .collect()
}

fn challenge(by: &Player, to: &Player, at_ms: i64) -> NewChallenge {
    NewChallenge {
        id: ChallengeId::random(),
        challenger: by.id.clone(),
        game: GameKind::Oware,
        setup: String::new(),
        side: None,
        time_control: BLITZ,
        extra: ExtraTime::default(),
        rated: false,
        options: MatchOptions::usual(false),
        private: false,
        to: Some(to.id.clone()),
        listed: false,
        rating_range: (None, None),
        created_ms: at_ms,
        expires_ms: at_ms + DAY_MS,
    }
}

async fn challenged(store: &Arc<dyn Store>, by: &Player, to: &Player, at_ms: i64) -> ChallengeId {
    let new = challenge(by, to, at_ms);
    let made = store.create_challenge_within(&new, 9_999, 9_999, true);
    assert!(matches!(made.await.unwrap(), Offered::Made { .. }));
    new.id
}

fn turn(player: &Player, by: &Player, id: &MatchId, at_ms: i64) -> NewNotice {
    NewNotice {
        player: player.id.clone(),
        kind: NoticeKind::Turn,
        by: Some(by.id.clone()),
        key: id.to_string(),
        about: NoticeAbout {
            match_id: Some(id.clone()),
            game: Some(GameKind::Mawe),
            ..NoticeAbout::default()
        },
        until_ms: None,
        at_ms,
    }
}

async fn a_challenge_is_noticed_by_both_until_it_is_answered(store: Arc<dyn Store>) {
    let (me, you) = (a_player(&store).await, a_player(&store).await);
    let first = challenged(&store, &me, &you, NOW).await;
    let received = all(&store, &you).await.remove(0);
    assert_eq!(received.kind, NoticeKind::Challenge);
    assert_eq!(received.by.as_ref(), Some(&me));
    assert_eq!(received.about.challenge.as_ref(), Some(&first));
    assert_eq!(received.about.game, Some(GameKind::Oware));
    assert_eq!(
        (received.until_ms, received.at_ms, received.read),
        (Some(NOW + DAY_MS), NOW, false)
    );
    assert_eq!(store.unread_notices(&you.id).await.unwrap(), 1);
    assert_eq!(kinds(&store, &me).await, []);

    store
        .decline_challenge(&first, DeclineReason::Later, NOW + 5)
        .await
        .unwrap();
    assert_eq!(kinds(&store, &you).await, []);
    let declined = all(&store, &me).await.remove(0);
    assert_eq!(declined.kind, NoticeKind::ChallengeDeclined);
    assert_eq!(declined.about.reason.as_deref(), Some("later"));
    assert_eq!(declined.by.as_ref(), Some(&you));

    let second = challenged(&store, &me, &you, NOW + 10).await;
    store.cancel_challenge(&second).await.unwrap();
    assert_eq!(kinds(&store, &you).await, []);

    let third = challenged(&store, &me, &you, NOW + 20).await;
    let new = new_match(&me, &you);
    store
        .accept_challenge(&third, &new, NOW + 30)
        .await
        .unwrap();
    assert_eq!(kinds(&store, &you).await, []);
    let accepted = all(&store, &me).await.remove(0);
    assert_eq!(accepted.kind, NoticeKind::ChallengeAccepted);
    assert_eq!(accepted.about.match_id.as_ref(), Some(&new.id));
    // It is about the match from now on.
    let about = store.notices_about(new.id.as_str()).await.unwrap();
    assert_eq!(about, std::slice::from_ref(&accepted));

    // A computer opponent answers in the same request.
    let bot = store.ensure_bot(1, "Kokoto", 1).await.unwrap();
    let fourth = challenged(&store, &me, &bot, NOW + 40).await;
    let new = new_match(&me, &bot);
    store
        .accept_challenge(&fourth, &new, NOW + 41)
        .await
        .unwrap();
    assert_eq!(all(&store, &me).await.len(), 2);
    assert_eq!(kinds(&store, &bot).await, []);
}

async fn a_challenge_that_nobody_answers_is_noticed_once(store: Arc<dyn Store>) {
    let (me, you) = (a_player(&store).await, a_player(&store).await);
    // Three expire at the same time, one later; one is taken back, and one was over long ago.
    for _ in 0..3 {
        challenged(&store, &me, &you, NOW).await;
    }
    let last = challenged(&store, &me, &you, NOW + 10).await;
    let withdrawn = challenged(&store, &me, &you, NOW).await;
    store.cancel_challenge(&withdrawn).await.unwrap();
    challenged(&store, &me, &you, NOW - 3 * DAY_MS).await;
    let over = NOW + DAY_MS;
    assert!(store.note_lapsed(over - 1, 9).await.unwrap().is_empty());
    store
        .read_notices(&you.id, &WhichNotices::UpTo(NOW), over)
        .await
        .unwrap();
    // Of several nodes that do it at once, one does.
    let asked: Vec<_> = (0..4)
        .map(|_| {
            let store = Arc::clone(&store);
            tokio::spawn(async move { store.note_lapsed(over, 2).await.unwrap().len() })
        })
        .collect();
    let mut noted = 0;
    for one in asked {
        noted += one.await.unwrap();
    }
    assert_eq!(noted, 3, "those of the same time are not torn apart");
    assert_eq!(kinds(&store, &me).await, [NoticeKind::ChallengeLapsed; 3]);
    assert_eq!(store.note_lapsed(over + 10, 9).await.unwrap(), [last]);
    assert!(store.note_lapsed(over + 10, 9).await.unwrap().is_empty());
    assert_eq!(kinds(&store, &me).await, [NoticeKind::ChallengeLapsed; 4]);
    let missed = all(&store, &you).await;
    let missed = missed
        .iter()
        .filter(|row| row.kind == NoticeKind::ChallengeMissed);
    assert_eq!(missed.clone().count(), 4);
    assert_eq!(
        missed.filter(|row| !row.read).count(),
        1,
        "what was read stays read"
    );
}

async fn a_thousand_challenges_leave_a_hundred_notices(store: Arc<dyn Store>) {
    let (me, you) = (a_player(&store).await, a_player(&store).await);
    let moderator = a_player(&store).await;
    judged(&store, &moderator, &me, &you, Verdict::Warn).await;
    for number in 0..1_000 {
        challenged(&store, &me, &you, NOW + number).await;
    }
    let kept = all(&store, &you).await;
    let challenges = kept.iter().filter(|row| row.kind == NoticeKind::Challenge);
    let times: Vec<i64> = challenges.map(|row| row.at_ms - NOW).collect();
    assert_eq!(times, (900..1_000).rev().collect::<Vec<i64>>());
    // Nothing that a moderator says is lost by it, and it makes no room for more.
    assert_eq!(kept.len(), MAX_NOTICES as usize + 1);
    assert_eq!(kept.last().unwrap().kind, NoticeKind::Warning);
    assert_eq!(store.unread_notices(&you.id).await.unwrap(), 101);
}

async fn about_a_match_there_is_one_notice(store: Arc<dyn Store>) {
    let (me, you) = (a_player(&store).await, a_player(&store).await);
    let id = MatchId::random();
    assert!(
        store
            .write_notice(&turn(&me, &you, &id, NOW))
            .await
            .unwrap()
    );
    let first = all(&store, &me).await.remove(0);
    let mine = WhichNotices::About(id.to_string());
    assert_eq!(store.read_notices(&me.id, &mine, NOW).await.unwrap(), 1);
    assert_eq!(store.read_notices(&me.id, &mine, NOW).await.unwrap(), 0);
    assert!(!store.has_notice(&me.id, id.as_str(), None).await.unwrap());
    let another = turn(&me, &you, &MatchId::random(), NOW + 1);
    assert!(store.write_notice(&another).await.unwrap());
    // The next turn is unread again, and the newest.
    assert!(
        store
            .write_notice(&turn(&me, &you, &id, NOW + 2))
            .await
            .unwrap()
    );
    let rows = all(&store, &me).await;
    assert_eq!(rows.len(), 2);
    assert_eq!((&rows[0].id, rows[0].at_ms), (&first.id, NOW + 2));
    assert!(!rows[0].read);
    let has = async |kind| store.has_notice(&me.id, id.as_str(), kind).await.unwrap();
    assert!(has(None).await && has(Some(NoticeKind::Turn)).await);
    assert!(!has(Some(NoticeKind::Ended)).await);
    // It is withdrawn by its kind only.
    let withdraw = async |kind| {
        let done = store.delete_notice_about(&me.id, id.as_str(), kind);
        done.await.unwrap()
    };
    assert!(!withdraw(NoticeKind::Ended).await);
    assert!(withdraw(NoticeKind::Turn).await);
    assert!(!withdraw(NoticeKind::Turn).await);
    // The other player's is another.
    assert!(
        store
            .write_notice(&turn(&you, &me, &id, NOW))
            .await
            .unwrap()
    );
    assert!(!withdraw(NoticeKind::Turn).await);
}

async fn the_end_is_told_to_those_who_may_be_away(store: Arc<dyn Store>) {
    let daily = TimeControl::Correspondence { days: 3 };
    let played = async |time_control: TimeControl, rated, reason: &str, winner| {
        let (first, second) = (a_player(&store).await, a_player(&store).await);
        let new = NewMatch {
            time_control,
            speed: time_control.speed(),
            rated,
            ..new_match(&first, &second)
        };
        store.create_match(&new).await.unwrap();
        // A notice of the turn is replaced.
        let turn = turn(&first, &second, &new.id, 1_000);
        if !time_control.is_realtime() {
            assert!(store.write_notice(&turn).await.unwrap());
        }
        let mut end = finishing(&new.id, 0, winner);
        end.finish = end.finish.map(|finish| Finish {
            reason: reason.to_owned(),
            ..finish
        });
        append(&store, end).await;
        assert!(store.count_match(&new.id, rating::rate).await.unwrap());
        let told = |row: &NoticeRow| {
            assert_eq!(row.kind, NoticeKind::Ended);
            assert_eq!(row.about.match_id.as_ref(), Some(&new.id));
            assert_eq!(row.about.reason.as_deref(), Some(reason));
            (row.about.outcome.unwrap(), row.about.rating_change)
        };
        let both = [all(&store, &first).await, all(&store, &second).await];
        both.map(|rows| rows.iter().map(told).collect::<Vec<_>>())
    };
    let [first, second] = played(daily, true, "no-moves", Some(Side::Second)).await;
    let (lost, won) = (first[0], second[0]);
    assert_eq!((lost.0, won.0), (NoticeOutcome::Lost, NoticeOutcome::Won));
    assert!(
        lost.1.unwrap() < 0 && won.1.unwrap() > 0,
        "{lost:?} {won:?}"
    );
    let drawn = [(NoticeOutcome::Drawn, None)];
    assert_eq!(
        played(daily, false, "agreement", None).await,
        [drawn.to_vec(), drawn.to_vec()]
    );
    // Of a realtime match the loser by time or in absence is told.
    for reason in ["time", "abandoned"] {
        let [first, second] = played(BLITZ, false, reason, Some(Side::Second)).await;
        assert_eq!(
            (first, second),
            (vec![(NoticeOutcome::Lost, None)], vec![]),
            "{reason}"
        );
    }
    for reason in ["resign", "no-moves"] {
        let told = played(BLITZ, true, reason, Some(Side::First)).await;
        assert_eq!(told, [vec![], vec![]], "{reason}");
    }
    assert_eq!(daily.speed(), Speed::Daily);
}

async fn judged(
    store: &Arc<dyn Store>,
    moderator: &Player,
    by: &Player,
    about: &Player,
    verdict: Verdict,
) -> ReportId {
    let id = ReportId::random();
    let new = NewReport {
        id: id.clone(),
        reporter: by.id.clone(),
        reported: about.id.clone(),
        reason: ReportReason::Stalling,
        text: String::new(),
        match_id: None,
        chat_line: None,
        club: None,
        at_ms: 5,
    };
    store.create_report(&new).await.unwrap();
    let mine = Attribution {
        by: Some(moderator.id.clone()),
        why: "because".into(),
        at_ms: 10,
    };
    assert!(store.take_report(&id, &mine, 1).await.unwrap());
    let done = store.resolve_report(&id, &verdict, &mine).await.unwrap();
    assert!(matches!(done, Judged::Done { .. }));
    id
}

async fn a_decision_is_told_to_the_reporter(store: Arc<dyn Store>) {
    let (me, you) = (a_player(&store).await, a_player(&store).await);
    let moderator = a_player(&store).await;
    for (verdict, upheld) in [
        (Verdict::Dismiss, false),
        (Verdict::Warn, true),
        (Verdict::Rename("Better".into()), true),
        (Verdict::Disable(Some(50)), true),
    ] {
        let id = judged(&store, &moderator, &me, &you, verdict).await;
        let told = store.notices_about(id.as_str()).await.unwrap();
        assert_eq!(told.len(), 1);
        assert_eq!(
            (&told[0].player, told[0].kind),
            (&me.id, NoticeKind::Report)
        );
        assert_eq!(told[0].about.upheld, Some(upheld));
        // The reporter does not learn what was done, nor why.
        assert_eq!((told[0].text.as_str(), told[0].until_ms), ("", None));
    }
    let about_you = kinds(&store, &you).await;
    assert_eq!(
        about_you.len(),
        2,
        "a warning and a new name: {about_you:?}"
    );
}

async fn notices_are_read_in_pages_and_marked(store: Arc<dyn Store>) {
    let (me, you) = (a_player(&store).await, a_player(&store).await);
    for number in 0..5 {
        // Two have the same time.
        let at_ms = NOW + number / 2;
        let new = turn(&me, &you, &MatchId::random(), at_ms);
        assert!(store.write_notice(&new).await.unwrap());
    }
    let whole = all(&store, &me).await;
    let mut paged: Vec<NoticeRow> = Vec::new();
    loop {
        let cursor = paged.last().map(|row| NoticeCursor {
            at_ms: row.at_ms,
            id: row.id.clone(),
        });
        let filter = NoticeFilter::default();
        let page = store.notices_of(&me.id, filter, cursor.as_ref(), 2);
        let page = page.await.unwrap();
        if page.is_empty() {
            break;
        }
        paged.extend(page);
    }
    assert_eq!(paged, whole);
    let read = async |which| store.read_notices(&me.id, &which, NOW).await.unwrap();
    assert_eq!(read(WhichNotices::One(whole[0].id.clone())).await, 1);
    // Nobody reads for another.
    let theirs = WhichNotices::One(whole[1].id.clone());
    assert_eq!(store.read_notices(&you.id, &theirs, NOW).await.unwrap(), 0);
    assert!(!store.delete_notice(&you.id, &whole[1].id).await.unwrap());
    assert_eq!(read(WhichNotices::UpTo(NOW)).await, 2);
    assert_eq!(store.unread_notices(&me.id).await.unwrap(), 2);
    let unread = NoticeFilter {
        unread: true,
        of_moderators: false,
    };
    let rows = store.notices_of(&me.id, unread, None, 9).await.unwrap();
    assert_eq!(rows, whole[1..3]);
    let of_moderators = NoticeFilter {
        unread: false,
        of_moderators: true,
    };
    let words = store.notices_of(&me.id, of_moderators, None, 9);
    assert_eq!(words.await.unwrap(), []);
}

async fn only_accounts_get_notices_and_lose_them_with_the_account(store: Arc<dyn Store>) {
    let (me, you) = (a_player(&store).await, a_player(&store).await);
    let guest = named_player(PlayerId::random().as_str(), PlayerKind::Guest);
    let new = NewPlayer {
        player: guest.clone(),
        password_hash: None,
    };
    store.create_player(&new, None).await.unwrap();
    let about = MatchId::random();
    assert!(
        !store
            .write_notice(&turn(&guest, &me, &about, NOW))
            .await
            .unwrap()
    );
    let nobody = named_player("nobody", PlayerKind::Account);
    assert!(
        !store
            .write_notice(&turn(&nobody, &me, &about, NOW))
            .await
            .unwrap()
    );

    challenged(&store, &guest, &me, NOW).await;
    challenged(&store, &you, &me, NOW + 1).await;
    let other = challenged(&store, &me, &you, NOW).await;
    let attribution = Attribution {
        by: None,
        why: "asked for".into(),
        at_ms: NOW,
    };
    let delete = AccountChange::Delete("gone-1".into());
    store
        .change_account(&you.id, &delete, &attribution)
        .await
        .unwrap();
    assert_eq!(all(&store, &you).await, []);
    // What others keep does not say the old name.
    let names = all(&store, &me).await;
    let names: Vec<&str> = names
        .iter()
        .map(|row| row.by.as_ref().unwrap().name.as_str())
        .collect();
    assert_eq!(names, ["gone-1", guest.name.as_str()]);
    assert!(
        !store
            .write_notice(&turn(&you, &me, &about, NOW))
            .await
            .unwrap()
    );
    assert!(
        store
            .notices_about(other.as_str())
            .await
            .unwrap()
            .is_empty()
    );
}

async fn old_notices_go_but_for_unread_words_of_moderators(store: Arc<dyn Store>) {
    let (me, you) = (a_player(&store).await, a_player(&store).await);
    let moderator = a_player(&store).await;
    judged(&store, &moderator, &you, &me, Verdict::Warn).await;
    for number in 0..5 {
        let new = turn(&me, &you, &MatchId::random(), NOW + number);
        assert!(store.write_notice(&new).await.unwrap());
    }
    let late = NOW + pruning::NOTICE_MS + 2;
    let counted = pruning::count(store.as_ref(), late).await.unwrap();
    // Three turns, and what the reporter was told.
    assert_eq!(counted.notices, 4);
    for expected in [3, 1, 0] {
        let gone = store
            .delete_stale(Stale::Notices, NOW + 2, 3)
            .await
            .unwrap();
        assert_eq!(gone, expected);
    }
    let left = kinds(&store, &me).await;
    assert_eq!(
        left,
        [NoticeKind::Turn, NoticeKind::Turn, NoticeKind::Warning]
    );
    let read = WhichNotices::UpTo(NOW);
    assert_eq!(store.read_notices(&me.id, &read, late).await.unwrap(), 1);
    let gone = pruning::prune(store.as_ref(), late).await.unwrap();
    assert_eq!(gone.notices, 1);
}
