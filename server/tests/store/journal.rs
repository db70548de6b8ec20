//! The journal: every append is a compare-and-set.

use std::collections::HashSet;
use std::sync::Arc;

use mawe_rules::Side;
use mawe_store::{Append, Appended, Store, StoreError};
use mawe_wire::ids::MatchId;

use crate::common::place::Place;

use super::story::{a_match, append, finishing, many, matches, named, one};

/// Runs each test on a database of its own.
pub(super) async fn every_promise(place: &impl Place) {
    let open = async || mawe_store::open(&place.fresh().await).await.unwrap();
    an_append_is_a_compare_and_set(open().await).await;
    a_refused_append_harms_no_other_of_its_batch(open().await).await;
    of_many_appenders_one_writes_each_entry(open().await).await;
    who_lost_a_match_cannot_append_to_it(open().await).await;
    what_was_acknowledged_survives_a_crash(place).await;
}

async fn an_append_is_a_compare_and_set(store: Arc<dyn Store>) {
    let id = a_match(&store).await;
    assert_eq!(append(&store, one(&id, 0, 0)).await, Appended::Done);
    assert_eq!(
        append(&store, one(&id, 0, 0)).await,
        Appended::Fenced,
        "the head has moved on"
    );
    assert_eq!(
        append(&store, one(&id, 2, 0)).await,
        Appended::Fenced,
        "a gap"
    );
    assert_eq!(
        append(&store, one(&id, 1, 1)).await,
        Appended::Fenced,
        "a wrong epoch"
    );
    assert_eq!(append(&store, many(&id, 1, 0, 3)).await, Appended::Done);
    assert_eq!(
        append(&store, one(&MatchId::random(), 0, 0)).await,
        Appended::Fenced,
        "no match"
    );
    assert!(store.append(&[]).await.unwrap().is_empty());

    let entries = store.entries(&id, 0).await.unwrap();
    assert_eq!(
        entries,
        [one(&id, 0, 0).entries, many(&id, 1, 0, 3).entries].concat()
    );
    assert_eq!(store.entries(&id, 3).await.unwrap(), entries[3..]);
    assert_eq!(store.entries(&id, u64::MAX).await.unwrap(), []);
    assert_eq!(store.entries(&MatchId::random(), 0).await.unwrap(), []);
    assert_eq!(store.find_match(&id).await.unwrap().unwrap().head, 4);
}

async fn a_refused_append_harms_no_other_of_its_batch(store: Arc<dyn Store>) {
    let ids = matches(&store, 6).await;
    assert_eq!(
        append(&store, named(&ids[2], 0, "first:a")).await,
        Appended::Done
    );
    let mut malformed = one(&ids[4], 0, 0);
    malformed.entries[0].seq = 7;
    let batch = [
        one(&ids[0], 0, 0),
        one(&ids[1], 5, 0),           // a wrong head
        one(&ids[2], 0, 0),           // a head before an accepted command
        named(&ids[3], 0, "first:a"), // the same client id in another match
        malformed,
        one(&ids[5], 0, 0),
        one(&ids[5], 1, 0), // the same match again
    ];
    use Appended::{Done, Fenced};
    let answers = store.append(&batch).await.unwrap();
    assert_eq!(answers, [Done, Fenced, Fenced, Done, Fenced, Done, Fenced]);
    let mut heads = Vec::new();
    for id in &ids {
        let head = store.find_match(id).await.unwrap().unwrap().head;
        assert_eq!(store.entries(id, 0).await.unwrap().len() as u64, head);
        heads.push(head);
    }
    assert_eq!(heads, [1, 0, 1, 1, 0, 1]);

    // The same command twice within one append is refused too.
    let mut twice = many(&ids[0], 1, 0, 2);
    twice
        .entries
        .iter_mut()
        .for_each(|entry| entry.client_id = Some("first:b".into()));
    assert_eq!(append(&store, twice).await, Fenced);
    assert_eq!(append(&store, one(&ids[0], 1, 0)).await, Done);
}

async fn of_many_appenders_one_writes_each_entry(store: Arc<dyn Store>) {
    const ROUNDS: u64 = 3;
    let ids = Arc::new(matches(&store, 20).await);
    let mut done = 0;
    for head in 0..ROUNDS {
        let appenders: Vec<_> = (0..4)
            .map(|appender| {
                let (store, ids) = (store.clone(), ids.clone());
                let mut batch: Vec<Append> = ids.iter().map(|id| one(id, head, 0)).collect();
                // Each appender has a different order, so that their appends overlap.
                batch.rotate_left(appender * 5);
                tokio::spawn(async move { store.append(&batch).await.unwrap() })
            })
            .collect();
        for appender in appenders {
            let answers = appender.await.unwrap();
            done += answers
                .iter()
                .filter(|answer| **answer == Appended::Done)
                .count() as u64;
        }
        assert_eq!(
            done,
            ids.len() as u64 * (head + 1),
            "each entry has one writer"
        );
    }
    for id in ids.iter() {
        let seqs = store
            .entries(id, 0)
            .await
            .unwrap()
            .into_iter()
            .map(|entry| entry.seq);
        assert!(seqs.eq(1..=ROUNDS));
    }
}

async fn who_lost_a_match_cannot_append_to_it(store: Arc<dyn Store>) {
    let id = a_match(&store).await;
    let first = store.claim_match(&id, "one").await.unwrap().unwrap();
    assert_eq!(
        (first.row.epoch, first.row.head, first.entries.len()),
        (1, 0, 0)
    );
    assert_eq!(append(&store, many(&id, 0, 1, 3)).await, Appended::Done);

    let second = store.claim_match(&id, "two").await.unwrap().unwrap();
    assert_eq!((second.row.epoch, second.row.head), (2, 3));
    assert_eq!(second.entries, many(&id, 0, 1, 3).entries);
    assert_eq!(
        append(&store, one(&id, 3, 1)).await,
        Appended::Fenced,
        "the old owner"
    );
    assert_eq!(append(&store, one(&id, 3, 2)).await, Appended::Done);
    assert!(
        store
            .claim_match(&MatchId::random(), "one")
            .await
            .unwrap()
            .is_none()
    );

    // Concurrent claims and appends: a claim returns all entries of older epochs.
    let claims = (0..8).map(|n| {
        let (store, id) = (store.clone(), id.clone());
        tokio::spawn(async move {
            let claim = store
                .claim_match(&id, &n.to_string())
                .await
                .unwrap()
                .unwrap();
            let answer = append(&store, one(&id, claim.row.head, claim.row.epoch)).await;
            (claim, answer)
        })
    });
    let mut epochs = HashSet::new();
    let mut written = 0;
    for claim in claims.collect::<Vec<_>>() {
        let (claim, answer) = claim.await.unwrap();
        assert!(epochs.insert(claim.row.epoch), "an epoch has one owner");
        assert_eq!(claim.entries.len() as u64, claim.row.head);
        written += u64::from(answer == Appended::Done);
    }
    assert_eq!(
        store.find_match(&id).await.unwrap().unwrap().head,
        4 + written
    );
}

async fn what_was_acknowledged_survives_a_crash(place: &impl Place) {
    let url = place.fresh().await;
    let store = mawe_store::open(&url).await.unwrap();
    let ids = matches(&store, 10).await;
    for head in 0..5 {
        let batch: Vec<Append> = ids.iter().map(|id| one(id, head, 0)).collect();
        assert_eq!(store.append(&batch).await.unwrap(), [Appended::Done; 10]);
    }
    assert_eq!(
        append(&store, finishing(&ids[0], 5, Some(Side::First))).await,
        Appended::Done
    );

    let url = place.crash(&url).await;
    let store = mawe_store::open(&url).await.unwrap();
    for id in &ids[1..] {
        assert_eq!(store.find_match(id).await.unwrap().unwrap().head, 5);
        assert_eq!(store.entries(id, 0).await.unwrap().len(), 5);
        assert_eq!(append(&store, one(id, 5, 0)).await, Appended::Done);
    }
    assert_eq!(store.uncounted_matches(10).await.unwrap(), ids[..1]);
    assert_eq!(store.live_match_ids().await.unwrap().len(), 9);
    store.close().await;
    assert!(matches!(
        store.ping().await,
        Err(StoreError::Unavailable(_))
    ));
    mawe_store::open(&url).await.unwrap().ping().await.unwrap();
}
