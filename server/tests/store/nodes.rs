//! Nodes and their leases, and the rule that no player is seated twice.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mawe_rules::GameKind;
use mawe_store::{Appended, Claim, ExtraTime, NewChallenge, NewNode, Player, Store, StoreError};
use mawe_wire::MatchOptions;
use mawe_wire::ids::{ChallengeId, MatchId, PlayerId};
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, Connection};

use crate::common::place::Place;
use crate::common::postgres::Postgres;

use super::story::{BLITZ, a_match, a_player, append, many, new_match, one};

/// Runs each test on a database of its own.
pub(super) async fn every_promise(place: &impl Place) {
    let open = async || mawe_store::open(&place.fresh().await).await.unwrap();
    a_match_is_left_to_its_node_while_that_lives(open().await).await;
    an_id_has_one_node_that_lives(open().await).await;
    of_nodes_that_claim_at_once_one_gets_the_match(open().await).await;
    a_wish_is_granted_once(open().await).await;
    whoever_is_seated_here_is_not_paired_there(open().await).await;
    what_crosses_seats_nobody_twice(open().await).await;
}

const LONG: Duration = Duration::from_secs(600);

fn node(id: &str, name: &str) -> NewNode {
    NewNode {
        id: id.to_owned(),
        name: name.to_owned(),
        address: "127.0.0.1:8080".to_owned(),
    }
}

/// Claims a match for a node; returns the epoch, or the name of the node that owns it.
async fn claimed(store: &Arc<dyn Store>, id: &MatchId, node: &str) -> Result<u64, String> {
    match store.claim_free_match(id, node).await.unwrap() {
        Some(Claim::Taken(claimed)) => Ok(claimed.row.epoch),
        Some(Claim::Owned { by }) => Err(by),
        None => panic!("the match is there"),
    }
}

async fn a_match_is_left_to_its_node_while_that_lives(store: Arc<dyn Store>) {
    let id = a_match(&store).await;
    let unknown = store.claim_free_match(&MatchId::random(), "one").await;
    assert_eq!(unknown.unwrap(), None);
    for name in ["one", "two"] {
        assert!(store.join_nodes(&node(name, name), LONG).await.unwrap());
    }
    assert_eq!(store.living_nodes().await.unwrap(), ["one", "two"]);
    assert_eq!(claimed(&store, &id, "one").await, Ok(1));
    assert_eq!(claimed(&store, &id, "two").await, Err("one".to_owned()));
    assert_eq!(claimed(&store, &id, "one").await, Ok(2), "it opens it anew");
    assert_eq!(append(&store, many(&id, 0, 2, 3)).await, Appended::Done);
    assert_eq!(
        store.matches_owned_by("one").await.unwrap(),
        vec![id.clone()]
    );
    assert_eq!(store.orphaned_matches(9).await.unwrap(), []);

    // A node whose lease has ended may continue to write until another node has claimed its matches.
    assert!(
        store
            .join_nodes(&node("one", "one"), Duration::ZERO)
            .await
            .unwrap()
    );
    assert_eq!(store.living_nodes().await.unwrap(), ["two"]);
    assert_eq!(store.renew_lease("one", LONG).await.unwrap(), None);
    assert_eq!(store.orphaned_matches(9).await.unwrap(), vec![id.clone()]);
    assert_eq!(append(&store, one(&id, 3, 2)).await, Appended::Done);
    let Some(Claim::Taken(taken)) = store.claim_free_match(&id, "two").await.unwrap() else {
        panic!("its owner does not live");
    };
    assert_eq!((taken.row.epoch, taken.row.head), (3, 4));
    assert_eq!(taken.entries.len(), 4, "with all that was written");
    assert_eq!(append(&store, one(&id, 4, 2)).await, Appended::Fenced);
    assert_eq!(store.orphaned_matches(9).await.unwrap(), []);
    assert!(store.join_nodes(&node("one", "one"), LONG).await.unwrap());
    assert_eq!(claimed(&store, &id, "one").await, Err("two".to_owned()));

    // A node that leaves gives up its matches.
    store.leave_nodes("two").await.unwrap();
    assert_eq!(store.matches_owned_by("two").await.unwrap(), []);
    assert_eq!(store.renew_lease("two", LONG).await.unwrap(), None);
    let living = store.renew_lease("one", LONG).await.unwrap();
    assert_eq!(living, Some(vec!["one".to_owned()]));
    assert_eq!(claimed(&store, &id, "one").await, Ok(4));
}

/// Found by the fault test: a claim that had to wait for the row used the nodes' state from before the wait.
pub(super) async fn a_node_that_came_back_keeps_its_match(postgres: &Postgres) {
    let url = postgres.fresh_database().await;
    let store = mawe_store::open(&url).await.unwrap();
    let id = a_match(&store).await;
    let one = node("one", "one");
    assert!(store.join_nodes(&one, Duration::ZERO).await.unwrap());
    assert!(store.join_nodes(&node("two", "two"), LONG).await.unwrap());
    assert_eq!(claimed(&store, &id, "one").await, Ok(1));

    let options: PgConnectOptions = url.parse().unwrap();
    let mut busy = options.connect().await.unwrap();
    let sql = "SELECT 1 FROM matches WHERE id = $1 FOR UPDATE";
    let mut tx = busy.begin().await.unwrap();
    sqlx::query(sql)
        .bind(id.as_str())
        .execute(&mut *tx)
        .await
        .unwrap();
    let claim = {
        let (store, id) = (store.clone(), id.clone());
        tokio::spawn(async move { claimed(&store, &id, "two").await })
    };
    let waits = "SELECT count(*) FROM pg_stat_activity
        WHERE wait_event_type = 'Lock' AND datname = current_database()";
    let began = Instant::now();
    while sqlx::query_scalar::<_, i64>(waits)
        .fetch_one(&mut *tx)
        .await
        .unwrap()
        == 0
    {
        assert!(
            began.elapsed() < Duration::from_secs(30),
            "it waits for the row"
        );
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(store.join_nodes(&one, LONG).await.unwrap());
    tx.commit().await.unwrap();
    assert_eq!(claim.await.unwrap(), Err("one".to_owned()));
}

async fn an_id_has_one_node_that_lives(store: Arc<dyn Store>) {
    assert!(store.join_nodes(&node("a", "a-1"), LONG).await.unwrap());
    assert!(!store.join_nodes(&node("a", "a-2"), LONG).await.unwrap());
    assert_eq!(store.living_nodes().await.unwrap(), ["a-1"]);
    assert!(
        store
            .join_nodes(&node("a", "a-1"), Duration::ZERO)
            .await
            .unwrap()
    );
    assert!(store.join_nodes(&node("a", "a-2"), LONG).await.unwrap());
    assert_eq!(
        store.renew_lease("a-1", LONG).await.unwrap(),
        None,
        "it was replaced"
    );
    assert!(!store.join_nodes(&node("a", "a-1"), LONG).await.unwrap());
}

async fn of_nodes_that_claim_at_once_one_gets_the_match(store: Arc<dyn Store>) {
    let id = a_match(&store).await;
    let names: Vec<String> = (0..8).map(|number| format!("node-{number}")).collect();
    for name in &names {
        assert!(store.join_nodes(&node(name, name), LONG).await.unwrap());
    }
    let claims = names.iter().map(|name| {
        let (store, id, name) = (store.clone(), id.clone(), name.clone());
        tokio::spawn(async move { claimed(&store, &id, &name).await })
    });
    let (mut taken, mut owned) = (0, HashSet::new());
    for claim in claims.collect::<Vec<_>>() {
        match claim.await.unwrap() {
            Ok(epoch) => {
                assert_eq!(epoch, 1);
                taken += 1;
            }
            Err(by) => {
                owned.insert(by);
            }
        }
    }
    assert_eq!((taken, owned.len()), (1, 1), "{owned:?}");
}

async fn a_wish_is_granted_once(store: Arc<dyn Store>) {
    let people = [
        a_player(&store).await,
        a_player(&store).await,
        a_player(&store).await,
    ];
    let [one, two, three] = &people;
    let first = new_match(one, two);
    let conflict = |made: Result<(), StoreError>| matches!(made, Err(StoreError::Conflict));
    let pair = |a: &Player, b: &Player| [a.id.clone(), b.id.clone()];
    assert!(
        conflict(store.create_wished_match(&first, &pair(one, two)).await),
        "nobody wished for it"
    );
    for player in &people {
        store.set_wish(&player.id).await.unwrap();
        assert_eq!(store.granted_match(&player.id).await.unwrap(), None);
    }
    store
        .create_wished_match(&first, &pair(one, two))
        .await
        .unwrap();
    assert_eq!(
        store.granted_match(&two.id).await.unwrap(),
        Some(first.id.clone())
    );
    // A second node's pairing comes too late, and creates nothing.
    let second = new_match(two, three);
    assert!(conflict(
        store.create_wished_match(&second, &pair(two, three)).await
    ));
    assert_eq!(store.find_match(&second.id).await.unwrap(), None);
    assert_eq!(store.granted_match(&three.id).await.unwrap(), None);
    store.set_wish(&two.id).await.unwrap();
    store
        .create_wished_match(&second, &pair(three, two))
        .await
        .unwrap();
    assert_eq!(
        store.granted_match(&three.id).await.unwrap(),
        Some(second.id)
    );
}

fn a_seek(by: &Player) -> NewChallenge {
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
        to: None,
        listed: true,
        rating_range: (None, None),
        created_ms: 1,
        expires_ms: 1_000,
    }
}

async fn whoever_is_seated_here_is_not_paired_there(store: Arc<dyn Store>) {
    let (me, you, other) = (
        a_player(&store).await,
        a_player(&store).await,
        a_player(&store).await,
    );
    let pair = [me.id.clone(), you.id.clone()];
    for player in [&me, &you] {
        store.set_wish(&player.id).await.unwrap();
    }
    let (seek, mine, yours) = (a_seek(&other), a_seek(&me), a_seek(&you));
    for new in [&seek, &mine, &yours] {
        store.create_challenge(new).await.unwrap();
    }
    let seats = async |players: [&Player; 2]| {
        [
            store.wish_state(&players[0].id).await.unwrap(),
            store.wish_state(&players[1].id).await.unwrap(),
        ]
    };
    let before = seats([&me, &other]).await;
    assert_eq!((&before[0].got, &before[1].got), (&Some(None), &None));
    let seated = new_match(&me, &other);
    let accepted = store.accept_and_seat(&seek.id, &seated, 10, &before).await;
    assert!(accepted.unwrap());
    // The node's pairing comes too late.
    let paired = new_match(&me, &you);
    let refused = store.create_wished_match(&paired, &pair).await;
    assert!(matches!(refused, Err(StoreError::Conflict)), "{refused:?}");
    assert_eq!(store.granted_match(&me.id).await.unwrap(), Some(seated.id));
    // My own seek was closed with it, and accepting it is refused. Yours stays open.
    let open = store.open_seeks(None, 10, 9).await.unwrap();
    let open: Vec<&ChallengeId> = open.iter().map(|row| &row.offer.id).collect();
    assert_eq!(open, [&yours.id]);
    // The opposite order: the pair is made between the check and the match.
    store.set_wish(&me.id).await.unwrap();
    let again = a_seek(&other);
    store.create_challenge(&again).await.unwrap();
    let before = seats([&me, &other]).await;
    store.create_wished_match(&paired, &pair).await.unwrap();
    let late = new_match(&me, &other);
    let accepted = store.accept_and_seat(&again.id, &late, 10, &before).await;
    assert!(!accepted.unwrap());
    assert_eq!(store.find_match(&late.id).await.unwrap(), None);
    // Nothing was written: the seek is open, and a free player may accept it. The seek of the paired player is closed.
    let open = store.open_seeks(None, 10, 9).await.unwrap();
    let open: Vec<&ChallengeId> = open.iter().map(|row| &row.offer.id).collect();
    assert_eq!(open, [&again.id]);
    let before = seats([&me, &other]).await;
    let accepted = store.accept_and_seat(&again.id, &late, 10, &before).await;
    assert!(accepted.unwrap());
}

async fn what_crosses_seats_nobody_twice(store: Arc<dyn Store>) {
    // In a ring: each accepts the seek of the next while theirs is accepted, and two pairs are made besides, all at once.
    for _round in 0..4 {
        let mut people = Vec::new();
        for _ in 0..4 {
            let player = a_player(&store).await;
            store.set_wish(&player.id).await.unwrap();
            let seek = a_seek(&player);
            store.create_challenge(&seek).await.unwrap();
            people.push((player, seek));
        }
        // Read before any write: a later read would show players who are seated already, which the caller must check.
        let mut wishes = Vec::new();
        for (player, _) in &people {
            wishes.push(store.wish_state(&player.id).await.unwrap());
        }
        let mut going = Vec::new();
        for n in 0..4 {
            let ((me, _), (next, seek)) = (people[n].clone(), people[(n + 1) % 4].clone());
            let seats = [wishes[n].clone(), wishes[(n + 1) % 4].clone()];
            let accepting = Arc::clone(&store);
            let new = new_match(&me, &next);
            going.push(tokio::spawn(async move {
                let accepted = accepting.accept_and_seat(&seek.id, &new, 10, &seats).await;
                match accepted {
                    Ok(true) => vec![me.id, next.id],
                    Ok(false) | Err(StoreError::Conflict) => Vec::new(),
                    Err(error) => panic!("{error}"),
                }
            }));
        }
        for (a, b) in [(0, 2), (1, 3)] {
            let (a, b) = (people[a].0.clone(), people[b].0.clone());
            let pairing = Arc::clone(&store);
            let new = new_match(&a, &b);
            going.push(tokio::spawn(async move {
                let pair = [b.id, a.id];
                match pairing.create_wished_match(&new, &pair).await {
                    Ok(()) => pair.to_vec(),
                    Err(StoreError::Conflict) => Vec::new(),
                    Err(error) => panic!("{error}"),
                }
            }));
        }
        let mut seated = Vec::new();
        for one in going {
            seated.extend(one.await.expect("it ends"));
        }
        let distinct: HashSet<&PlayerId> = seated.iter().collect();
        assert_eq!(distinct.len(), seated.len(), "somebody has two matches");
        assert!(!seated.is_empty(), "somebody is first");
        for (player, _) in &people {
            let running = store.running_matches_of(&player.id, None, 9).await.unwrap();
            assert!(running.len() <= 1, "{running:?}");
        }
    }
}
