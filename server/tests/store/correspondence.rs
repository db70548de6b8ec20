//! Conditional moves and vacations.

use std::sync::Arc;

use mawe_play::room::conditional::ConditionalMoves;
use mawe_play::room::vacation::{DAY_MS, Refused, Vacation};
use mawe_rules::Side;
use mawe_store::{Attribution, Store, StoreError};

use super::story::{a_match, a_player, append, finishing, one};
use crate::common::place::Place;

pub(super) async fn every_promise(place: &impl Place) {
    let open = async || mawe_store::open(&place.fresh().await).await.unwrap();
    lines_are_kept_for_a_side_at_the_head_that_they_name(open().await).await;
    what_was_not_compared_with_the_game_is_found(open().await).await;
    an_append_and_lines_at_the_same_moment_leave_no_answer_unseen(open().await).await;
    vacations_keep_to_their_bounds(open().await).await;
    vacations_that_begin_at_once_are_one(open().await).await;
}

fn lines(seq: u64, text: &str) -> ConditionalMoves {
    let line = text.split_whitespace().map(str::to_owned).collect();
    ConditionalMoves {
        ply: 3,
        seq,
        lines: vec![line],
    }
}

async fn lines_are_kept_for_a_side_at_the_head_that_they_name(store: Arc<dyn Store>) {
    let id = a_match(&store).await;
    append(&store, one(&id, 0, 0)).await;
    let early = store
        .set_conditional_moves(&id, Side::First, &lines(0, "a b"))
        .await;
    assert!(matches!(early, Err(StoreError::Conflict)), "{early:?}");
    let ahead = store
        .set_conditional_moves(&id, Side::First, &lines(2, "a b"))
        .await;
    assert!(matches!(ahead, Err(StoreError::Conflict)), "{ahead:?}");
    let first = lines(1, "a' \"b\" ∅ <c>");
    for (side, moves) in [(Side::First, &first), (Side::Second, &lines(1, "d e"))] {
        store.set_conditional_moves(&id, side, moves).await.unwrap();
    }
    let second = lines(1, "f g");
    store
        .set_conditional_moves(&id, Side::Second, &second)
        .await
        .unwrap();
    let both = vec![(Side::First, first), (Side::Second, second.clone())];
    assert_eq!(store.conditional_moves(&id).await.unwrap(), both);
    assert!(
        store
            .delete_conditional_moves(&id, Side::First)
            .await
            .unwrap()
    );
    assert!(
        !store
            .delete_conditional_moves(&id, Side::First)
            .await
            .unwrap()
    );
    assert_eq!(
        store.conditional_moves(&id).await.unwrap(),
        [(Side::Second, second)]
    );
    append(&store, finishing(&id, 1, None)).await;
    let over = store
        .set_conditional_moves(&id, Side::First, &lines(2, "a b"))
        .await;
    assert!(matches!(over, Err(StoreError::Conflict)), "{over:?}");
}

async fn what_was_not_compared_with_the_game_is_found(store: Arc<dyn Store>) {
    let (one_id, other) = (a_match(&store).await, a_match(&store).await);
    for id in [&one_id, &other] {
        store
            .set_conditional_moves(id, Side::First, &lines(0, "a b"))
            .await
            .unwrap();
    }
    assert!(store.matches_to_answer(10).await.unwrap().is_empty());
    append(&store, one(&one_id, 0, 0)).await;
    let behind = store.matches_to_answer(10).await.unwrap();
    assert_eq!(behind, std::slice::from_ref(&one_id));
    append(&store, finishing(&other, 0, None)).await;
    assert_eq!(
        store.matches_to_answer(10).await.unwrap().len(),
        2,
        "a match that is over, too"
    );
    assert_eq!(store.matches_to_answer(1).await.unwrap().len(), 1);
    // Stored anew, they are not touched by a look at the earlier ones.
    store
        .set_conditional_moves(&one_id, Side::First, &lines(1, "c d"))
        .await
        .unwrap();
    store
        .advance_conditional_moves(&one_id, Side::First, 0, None)
        .await
        .unwrap();
    store
        .advance_conditional_moves(&one_id, Side::First, 0, Some(7))
        .await
        .unwrap();
    assert_eq!(
        store.conditional_moves(&one_id).await.unwrap(),
        [(Side::First, lines(1, "c d"))]
    );
    append(&store, one(&one_id, 1, 0)).await;
    store
        .advance_conditional_moves(&one_id, Side::First, 1, Some(2))
        .await
        .unwrap();
    assert_eq!(
        store.conditional_moves(&one_id).await.unwrap(),
        [(Side::First, lines(2, "c d"))]
    );
    store
        .advance_conditional_moves(&other, Side::First, 0, None)
        .await
        .unwrap();
    assert!(store.matches_to_answer(10).await.unwrap().is_empty());
}

async fn an_append_and_lines_at_the_same_moment_leave_no_answer_unseen(store: Arc<dyn Store>) {
    for _ in 0..20 {
        let id = a_match(&store).await;
        let (writer, other) = (Arc::clone(&store), id.clone());
        let appended = tokio::spawn(async move {
            append(&writer, one(&other, 0, 0)).await;
            // What the room sees after its entry.
            writer.conditional_moves(&other).await.unwrap().len()
        });
        let kept = store
            .set_conditional_moves(&id, Side::First, &lines(0, "a b"))
            .await;
        let seen = appended.await.unwrap();
        match kept {
            Ok(()) => assert_eq!(seen, 1, "kept before the entry, and seen after it"),
            Err(error) => {
                assert!(matches!(error, StoreError::Conflict), "{error}");
                assert_eq!(seen, 0);
            }
        }
    }
}

async fn vacations_keep_to_their_bounds(store: Arc<dyn Store>) {
    let me = a_player(&store).await;
    let other = a_player(&store).await;
    // Day 365 begins the year 1971.
    let day = |day: i64| day * DAY_MS;
    let begin =
        async |days: u32, at: i64| store.begin_vacation(&me.id, days, day(at)).await.unwrap();
    let first = Vacation {
        from_ms: day(400),
        until_ms: day(414),
    };
    assert_eq!(begin(15, 400).await, Err(Refused::Days));
    assert_eq!(begin(14, 400).await, Ok(first));
    assert_eq!(begin(1, 413).await, Err(Refused::OnVacation));
    let from_ms = day(421);
    assert_eq!(begin(1, 414).await, Err(Refused::Lately { from_ms }));
    assert_eq!(store.end_vacation(&me.id, day(414)).await.unwrap(), None);
    let second = begin(14, 421).await.unwrap();
    let left = 2;
    assert_eq!(
        begin(3, 500).await,
        Err(Refused::TooFewLeft { year: 1971, left })
    );
    // Ended early, the days that have not begun are left.
    let ended = store.end_vacation(&me.id, day(423) + 1).await.unwrap();
    assert_eq!(
        ended,
        Some(Vacation {
            until_ms: day(424),
            ..second
        })
    );
    let third = begin(13, 500).await.unwrap();
    let all = store.vacations_of(&me.id, 0).await.unwrap();
    assert_eq!(
        all,
        [
            first,
            Vacation {
                until_ms: day(424),
                ..second
            },
            third
        ]
    );
    assert_eq!(store.vacations_of(&me.id, day(424)).await.unwrap(), [third]);
    assert!(store.vacations_of(&other.id, 0).await.unwrap().is_empty());
    // Vacations of no year that counts go with the next beginning.
    let late = begin(1, 2_000).await.unwrap();
    assert_eq!(store.vacations_of(&me.id, 0).await.unwrap(), [late]);
    let attribution = Attribution {
        by: None,
        why: String::new(),
        at_ms: day(2_001),
    };
    let deletion = mawe_store::AccountChange::Delete("deleted-1".to_owned());
    store
        .change_account(&me.id, &deletion, &attribution)
        .await
        .unwrap();
    assert!(store.vacations_of(&me.id, 0).await.unwrap().is_empty());
}

async fn vacations_that_begin_at_once_are_one(store: Arc<dyn Store>) {
    let me = a_player(&store).await;
    let begin = |_| {
        let (store, id) = (Arc::clone(&store), me.id.clone());
        tokio::spawn(async move { store.begin_vacation(&id, 14, 400 * DAY_MS).await.unwrap() })
    };
    let begun: Vec<_> = (0..8).map(begin).collect();
    let mut taken = 0;
    for one in begun {
        match one.await.unwrap() {
            Ok(_) => taken += 1,
            Err(refused) => assert_eq!(refused, Refused::OnVacation),
        }
    }
    assert_eq!(taken, 1);
}
