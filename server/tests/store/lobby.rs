//! The lobby: seeks, and players who abandon matches.

use std::sync::Arc;

use mawe_play::room::io::Finish;
use mawe_rules::{GameKind, Side};
use mawe_store::{Appended, ExtraTime, NewChallenge, NewMatch, Player, Store};
use mawe_wire::ids::{ChallengeId, PlayerId};
use mawe_wire::{MatchOptions, TimeControl};

use crate::common::place::Place;

use super::story::{BLITZ, a_player, finishing, new_match};

/// Runs each test on a database of its own.
pub(super) async fn every_promise(place: &impl Place) {
    let open = async || mawe_store::open(&place.fresh().await).await.unwrap();
    seeks_are_listed_while_they_are_open(open().await).await;
    who_walks_away_is_counted(open().await).await;
}

async fn seeks_are_listed_while_they_are_open(store: Arc<dyn Store>) {
    let (me, you) = (a_player(&store).await, a_player(&store).await);
    let seek = |by: &Player, created_ms, time_control| NewChallenge {
        id: ChallengeId::random(),
        challenger: by.id.clone(),
        game: GameKind::Oware,
        setup: String::new(),
        side: None,
        time_control,
        extra: ExtraTime::default(),
        rated: false,
        options: MatchOptions::usual(false),
        private: false,
        to: None,
        listed: true,
        rating_range: (Some(1_200), None),
        created_ms,
        expires_ms: 1_000,
    };
    let days = TimeControl::Correspondence { days: 3 };
    let mine = [1, 2, 3].map(|created| seek(&me, created, if created == 2 { days } else { BLITZ }));
    let yours = seek(&you, 4, BLITZ);
    let by_link = NewChallenge {
        listed: false,
        ..seek(&me, 5, BLITZ)
    };
    for new in mine.iter().chain([&yours, &by_link]) {
        store.create_challenge(new).await.unwrap();
    }
    let listed = async |of: Option<&PlayerId>, now_ms, limit| -> Vec<ChallengeId> {
        let rows = store.open_seeks(of, now_ms, limit).await.unwrap();
        rows.into_iter().map(|row| row.offer.id).collect()
    };
    let id = |seek: &NewChallenge| seek.id.clone();
    let [first, by_days, third] = [&mine[0], &mine[1], &mine[2]].map(id);
    assert_eq!(
        listed(None, 10, 9).await,
        [id(&yours), third.clone(), by_days.clone(), first.clone()],
        "newest first, and no challenge by link"
    );
    assert_eq!(listed(None, 10, 2).await, [id(&yours), third.clone()]);
    assert_eq!(listed(Some(&you.id), 10, 9).await, [id(&yours)]);
    assert!(listed(None, 1_000, 9).await.is_empty(), "they have expired");
    let rows = store.open_seeks(Some(&you.id), 10, 1).await.unwrap();
    assert_eq!((&rows[0].offer, &rows[0].challenger), (&yours, &you));

    store
        .accept_challenge(&third, &new_match(&me, &you), 10)
        .await
        .unwrap();
    assert_eq!(listed(Some(&me.id), 10, 9).await, [by_days.clone(), first]);
    assert_eq!(
        store
            .cancel_live_seeks(std::slice::from_ref(&me.id))
            .await
            .unwrap(),
        1
    );
    assert_eq!(listed(None, 10, 9).await, [id(&yours), by_days]);
    assert_eq!(
        store
            .cancel_live_seeks(std::slice::from_ref(&me.id))
            .await
            .unwrap(),
        0
    );
    let link = store.find_challenge(&by_link.id).await.unwrap().unwrap();
    assert!(!link.cancelled, "a link is sent to somebody");
}

async fn who_walks_away_is_counted(store: Arc<dyn Store>) {
    const HOUR_MS: i64 = 60 * 60 * 1_000;
    let (me, you) = (a_player(&store).await, a_player(&store).await);
    let finished_by = async |seats: [&Player; 2], reason: &str, winner, plies, at_ms, left_by| {
        let new = NewMatch {
            created_ms: at_ms - 1_000,
            ..new_match(seats[0], seats[1])
        };
        store.create_match(&new).await.unwrap();
        let mut append = finishing(&new.id, 0, winner);
        append.finish = append.finish.map(|finish| Finish {
            reason: reason.to_owned(),
            plies,
            at_ms,
            left_by,
            ..finish
        });
        let finish = append.finish.clone();
        assert_eq!(store.append(&[append]).await.unwrap(), [Appended::Done]);
        let row = store.find_match(&new.id).await.unwrap().unwrap();
        assert_eq!(row.finish, finish);
    };
    let finished = async |seats, reason: &str, winner, plies, at_ms| {
        finished_by(seats, reason, winner, plies, at_ms, None).await;
    };
    let at = |hours: i64| 100 * HOUR_MS + hours * HOUR_MS;
    let (first, second) = (Some(Side::First), Some(Side::Second));
    // I abandon two matches and miss two; the others are not my fault, or are against a computer opponent.
    finished([&me, &you], "abandoned", second, 10, at(1)).await;
    finished([&you, &me], "abandoned", first, 11, at(2)).await;
    finished([&me, &you], "no-show", None, 0, at(3)).await;
    finished([&you, &me], "no-show", None, 1, at(4)).await;
    finished([&me, &you], "abandoned", first, 10, at(5)).await;
    finished([&me, &you], "no-show", None, 1, at(6)).await;
    finished([&me, &you], "time", second, 10, at(7)).await;
    finished([&me, &you], "aborted", None, 0, at(8)).await;
    let bot = store.ensure_bot(1, "Kokoto", 1).await.unwrap();
    finished([&me, &bot], "no-show", None, 0, at(9)).await;
    let walked = async |player: &Player, since: i64| {
        let walked = store.abandonments(&player.id, since, since).await.unwrap();
        (walked.times, walked.last_ms)
    };
    assert_eq!(walked(&me, at(0)).await, (4, Some(at(4))));
    assert_eq!(walked(&me, at(2)).await, (3, Some(at(4))));
    assert_eq!(walked(&me, at(5)).await, (0, None));
    assert_eq!(walked(&you, at(0)).await, (2, Some(at(6))));

    // A rated match that was left before it counted counts as abandoned; one that was called off is counted separately, as is a no-show.
    finished_by([&me, &you], "left-early", None, 3, at(20), first).await;
    finished_by([&you, &me], "left-early", None, 3, at(21), second).await;
    finished_by([&me, &you], "left-early", None, 3, at(22), second).await;
    finished_by([&me, &you], "aborted", None, 0, at(23), first).await;
    finished_by([&you, &me], "aborted", None, 1, at(24), second).await;
    finished_by([&you, &me], "aborted", None, 1, at(25), first).await;
    finished_by([&me, &you], "no-show", None, 0, at(26), first).await;
    finished_by([&me, &bot], "aborted", None, 0, at(27), first).await;
    let left = async |player: &Player, call_offs_since| {
        let left = store.abandonments(&player.id, at(20), call_offs_since);
        let left = left.await.unwrap();
        let walked = (left.times, left.last_ms);
        (walked, (left.call_offs, left.last_call_off_ms))
    };
    assert_eq!(
        left(&me, at(20)).await,
        ((3, Some(at(26))), (3, Some(at(26))))
    );
    assert_eq!(
        left(&me, at(25)).await,
        ((3, Some(at(26))), (1, Some(at(26))))
    );
    assert_eq!(
        left(&you, at(20)).await,
        ((1, Some(at(22))), (1, Some(at(25))))
    );

    // After an opening of three plies the second side has the first move.
    finished_by([&me, &you], "no-show", None, 0, at(40), second).await;
    finished_by([&me, &you], "no-show", None, 1, at(41), first).await;
    let late = async |player: &Player| {
        let late = store
            .abandonments(&player.id, at(40), at(40))
            .await
            .unwrap();
        ((late.times, late.last_ms), late.call_offs)
    };
    assert_eq!(late(&you).await, ((1, Some(at(40))), 1));
    assert_eq!(late(&me).await, ((1, Some(at(41))), 1));
}
