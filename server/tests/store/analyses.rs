//! Computer analyses of matches: one for each match and engine, within the bounds of their accounts, claimed by one node at a time.

use std::sync::Arc;

use mawe_store::{
    AccountChange, Analysis, AnalysisState, Attribution, NewAnalysis, Player, RequestedAnalysis,
    Store,
};
use mawe_wire::ids::MatchId;

use super::story::{a_player, append, finishing, matches};
use crate::common::place::Place;

/// Runs each test on a database of its own.
pub(super) async fn every_promise(place: &impl Place) {
    let open = async || mawe_store::open(&place.fresh().await).await.unwrap();
    a_match_has_one_analysis_of_an_engine(open().await).await;
    concurrent_requests_make_one_and_count_once(open().await).await;
    an_account_requests_as_many_as_it_may(open().await).await;
    one_node_at_a_time_claims_the_oldest(open().await).await;
    a_deleted_account_leaves_the_analysis(open().await).await;
}

async fn finished(store: &Arc<dyn Store>, number: usize) -> Vec<MatchId> {
    let ids = matches(store, number).await;
    for id in &ids {
        append(store, finishing(id, 0, None)).await;
    }
    ids
}

fn request(match_id: &MatchId, by: &Player, at_ms: i64) -> NewAnalysis {
    NewAnalysis {
        match_id: match_id.clone(),
        engine: "2".to_owned(),
        by: by.id.clone(),
        at_ms,
        most: 3,
        since_ms: 100,
    }
}

async fn ask(store: &Arc<dyn Store>, new: &NewAnalysis) -> RequestedAnalysis {
    store.request_analysis(new).await.unwrap()
}

async fn state(store: &Arc<dyn Store>, id: &MatchId) -> Option<AnalysisState> {
    let found = store.analysis(id, "2").await.unwrap();
    found.map(|analysis| analysis.state)
}

async fn a_match_has_one_analysis_of_an_engine(store: Arc<dyn Store>) {
    let (me, other) = (a_player(&store).await, a_player(&store).await);
    let id = &finished(&store, 1).await[0];
    assert_eq!(state(&store, id).await, None);
    assert!(!store.end_analysis(id, "2", Some("[]")).await.unwrap());
    let ask = async |new: NewAnalysis| ask(&store, &new).await;
    assert_eq!(ask(request(id, &me, 200)).await, RequestedAnalysis::New);
    assert_eq!(
        ask(request(id, &other, 201)).await,
        RequestedAnalysis::Known
    );
    assert_eq!(state(&store, id).await, Some(AnalysisState::Waiting));
    // A failed one may be requested again.
    assert!(store.end_analysis(id, "2", None).await.unwrap());
    assert_eq!(state(&store, id).await, Some(AnalysisState::Failed));
    assert_eq!(ask(request(id, &other, 202)).await, RequestedAnalysis::New);
    let text = r#"[{"ply":0}]"#;
    assert!(store.end_analysis(id, "2", Some(text)).await.unwrap());
    assert!(
        !store.end_analysis(id, "2", None).await.unwrap(),
        "it has ended"
    );
    assert_eq!(ask(request(id, &me, 203)).await, RequestedAnalysis::Known);
    let done = Analysis {
        engine: "2".to_owned(),
        state: AnalysisState::Done,
        evaluations: text.to_owned(),
    };
    assert_eq!(store.analysis(id, "2").await.unwrap(), Some(done.clone()));
    // A newer engine shows the older one's until it has its own.
    assert_eq!(store.analysis(id, "3").await.unwrap(), Some(done));
    let newer = NewAnalysis {
        engine: "3".to_owned(),
        ..request(id, &me, 300)
    };
    assert_eq!(ask(newer).await, RequestedAnalysis::New);
    let found = store.analysis(id, "3").await.unwrap().unwrap();
    assert_eq!(
        (found.engine.as_str(), found.state),
        ("3", AnalysisState::Waiting)
    );
}

async fn concurrent_requests_make_one_and_count_once(store: Arc<dyn Store>) {
    let id = finished(&store, 1).await.remove(0);
    let mut players = Vec::new();
    for _ in 0..6 {
        players.push(a_player(&store).await);
    }
    let asked = players.iter().map(|player| {
        let (store, new) = (Arc::clone(&store), request(&id, player, 200));
        tokio::spawn(async move { store.request_analysis(&new).await.unwrap() })
    });
    let mut new = 0;
    for asked in asked.collect::<Vec<_>>() {
        match asked.await.unwrap() {
            RequestedAnalysis::New => new += 1,
            RequestedAnalysis::Known => {}
            RequestedAnalysis::Spent => panic!("nobody has requested another"),
        }
    }
    assert_eq!(new, 1);
}

async fn an_account_requests_as_many_as_it_may(store: Arc<dyn Store>) {
    let (me, other) = (a_player(&store).await, a_player(&store).await);
    let ids = finished(&store, 6).await;
    // The first is of the day before.
    let mut told = Vec::new();
    for (id, at_ms) in ids.iter().zip([99, 100, 101, 102, 103]) {
        told.push(ask(&store, &request(id, &me, at_ms)).await);
    }
    let new = RequestedAnalysis::New;
    assert_eq!(told, [new, new, new, new, RequestedAnalysis::Spent]);
    assert_eq!(state(&store, &ids[4]).await, None);
    assert_eq!(ask(&store, &request(&ids[4], &other, 104)).await, new);
}

async fn one_node_at_a_time_claims_the_oldest(store: Arc<dyn Store>) {
    let me = a_player(&store).await;
    let ids = finished(&store, 3).await;
    for (id, at_ms) in ids.iter().zip([203, 201, 202]) {
        let asked = ask(&store, &request(id, &me, at_ms)).await;
        assert_eq!(asked, RequestedAnalysis::New);
    }
    let claim = async |now: i64, until: i64, limit: u32| {
        store.claim_analyses("2", now, until, limit).await.unwrap()
    };
    assert!(
        store
            .claim_analyses("3", 300, 400, 9)
            .await
            .unwrap()
            .is_empty()
    );
    assert_eq!(claim(300, 400, 1).await, [ids[1].clone()]);
    assert_eq!(claim(310, 500, 1).await, [ids[2].clone()]);
    assert!(store.end_analysis(&ids[2], "2", Some("[]")).await.unwrap());
    assert_eq!(claim(399, 500, 9).await, [ids[0].clone()]);
    assert!(claim(399, 500, 9).await.is_empty());
    // The first node has renewed its claim, and is gone then.
    store.keep_analysis(&ids[1], "2", 450).await.unwrap();
    assert!(claim(449, 500, 9).await.is_empty());
    assert_eq!(claim(450, 500, 9).await, [ids[1].clone()]);
}

async fn a_deleted_account_leaves_the_analysis(store: Arc<dyn Store>) {
    let me = a_player(&store).await;
    let id = &finished(&store, 1).await[0];
    let asked = ask(&store, &request(id, &me, 200)).await;
    assert_eq!(asked, RequestedAnalysis::New);
    let by = Attribution {
        by: None,
        why: String::new(),
        at_ms: 201,
    };
    let deletion = AccountChange::Delete("deleted-1".to_owned());
    store.change_account(&me.id, &deletion, &by).await.unwrap();
    assert_eq!(state(&store, id).await, Some(AnalysisState::Waiting));
}
