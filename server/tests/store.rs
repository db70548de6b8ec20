//! The promises of a store, told once and kept by both backends.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::HashSet;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Waker};
use std::time::{Duration, Instant};

use mawe_rules::{BySide, GameKind, Side};
use mawe_server::grants::Grants;
use mawe_server::ids::{ChallengeId, MatchId, PlayerId, TokenId};
use mawe_server::protocol::{
    DeclineReason, Language, MatchOptions, PlayerKind, Speed, TimeControl,
};
use mawe_server::store::{
    self, AccountChange, Append, Appended, Claim, Deed, Finish, GameTally, HistoryCursor,
    HistoryOrder, Holder, MatchCursor, MatchFilter, MatchRow, NEVER_DUE, NewChallenge, NewMatch,
    NewNode, NewPlayer, NewSession, NewToken, Player, Rating, RatingChange, Score, SideTally,
    Store, StoreError, StoredEntry, Tally, TokenRow,
};
use mawe_server::tokens::Scopes;
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, Connection};

use crate::common::place::{Place, SqlitePlace};
use crate::common::postgres::Postgres;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sqlite_keeps_every_promise() {
    every_promise(&SqlitePlace::new()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn postgres_keeps_every_promise() {
    let postgres = Postgres::start();
    every_promise(&postgres).await;
    a_killed_database_is_unavailable_and_comes_back_whole(&postgres).await;
    several_servers_may_start_on_an_empty_database_at_once(&postgres).await;
    a_node_that_came_back_keeps_its_match(&postgres).await;
}

async fn every_promise(place: &impl Place) {
    let open = async || store::open(&place.fresh().await).await.unwrap();
    an_append_is_a_compare_and_set(open().await).await;
    a_refused_append_harms_no_other_of_its_batch(open().await).await;
    of_many_appenders_one_writes_each_entry(open().await).await;
    who_lost_a_match_cannot_append_to_it(open().await).await;
    what_was_acknowledged_survives_a_crash(place).await;
    a_match_reads_back_as_it_was_written(open().await).await;
    every_time_control_and_option_reads_back(open().await).await;
    a_private_match_is_in_no_public_list(open().await).await;
    a_sleeping_match_is_found_when_it_is_due(open().await).await;
    a_finished_match_is_immutable(open().await).await;
    a_match_has_one_rematch(open().await).await;
    running_matches_are_listed_by_strength(open().await).await;
    what_could_be_on_runs_by_the_second_between_two_in_public(open().await).await;
    pages_hold_every_match_once(open().await).await;
    a_challenge_is_accepted_once(open().await).await;
    a_named_challenge_is_listed_while_it_is_open(open().await).await;
    no_more_challenges_are_open_than_there_is_room_for(open().await).await;
    names_are_unique_without_regard_to_case(open().await).await;
    players_are_found_by_how_their_names_begin(open().await).await;
    a_language_is_kept_until_another_is_chosen(open().await).await;
    a_guest_who_registers_keeps_id_and_matches(open().await).await;
    a_level_has_one_bot(open().await).await;
    a_ladder_is_used_once_and_touches_no_person(open().await).await;
    sessions_expire(open().await).await;
    sessions_are_listed_and_ended(open().await).await;
    of_many_sessions_those_that_are_no_more_are_named(open().await).await;
    a_new_password_ends_other_sessions(open().await).await;
    tokens_speak_for_their_player_until_they_are_revoked(open().await).await;
    an_account_becomes_a_bot_before_it_has_played(open().await).await;
    a_rating_is_settled_once(place).await;
    every_match_is_tallied_and_only_the_rated_rate(open().await).await;
    a_rating_s_history_is_read_in_pages_from_either_end(open().await).await;
    the_leaderboard_is_in_order(open().await).await;
    what_was_begun_is_finished_though_nobody_waits(open().await).await;
    seeks_are_listed_while_they_are_open(open().await).await;
    who_walks_away_is_counted(open().await).await;
    a_history_by_any_filter_is_what_it_says(open().await).await;
    a_match_is_left_to_its_node_while_that_lives(open().await).await;
    an_id_has_one_node_that_lives(open().await).await;
    of_nodes_that_claim_at_once_one_gets_the_match(open().await).await;
    a_wish_is_granted_once(open().await).await;
    whoever_is_seated_here_is_not_paired_there(open().await).await;
    what_crosses_seats_nobody_twice(open().await).await;
}

// --- nodes ---

const LONG: Duration = Duration::from_secs(600);

fn node(id: &str, name: &str) -> NewNode {
    NewNode {
        id: id.to_owned(),
        name: name.to_owned(),
        address: "127.0.0.1:8080".to_owned(),
    }
}

/// The epoch in which a node has a match now, or who has it.
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

    // One whose lease has ended may write on until another has claimed what was its own.
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

    // One that leaves takes nothing with it.
    store.leave_nodes("two").await.unwrap();
    assert_eq!(store.matches_owned_by("two").await.unwrap(), []);
    assert_eq!(store.renew_lease("two", LONG).await.unwrap(), None);
    let living = store.renew_lease("one", LONG).await.unwrap();
    assert_eq!(living, Some(vec!["one".to_owned()]));
    assert_eq!(claimed(&store, &id, "one").await, Ok(4));
}

/// The fault test found it: a claim that had to wait for the row judged by the nodes as they were when it began to wait.
async fn a_node_that_came_back_keeps_its_match(postgres: &Postgres) {
    let url = postgres.fresh_database().await;
    let store = store::open(&url).await.unwrap();
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
        store.wish(&player.id).await.unwrap();
        assert_eq!(store.granted(&player.id).await.unwrap(), None);
    }
    store
        .create_wished_match(&first, &pair(one, two))
        .await
        .unwrap();
    assert_eq!(
        store.granted(&two.id).await.unwrap(),
        Some(first.id.clone())
    );
    // Another node that pairs comes too late, and makes nothing.
    let second = new_match(two, three);
    assert!(conflict(
        store.create_wished_match(&second, &pair(two, three)).await
    ));
    assert_eq!(store.find_match(&second.id).await.unwrap(), None);
    assert_eq!(store.granted(&three.id).await.unwrap(), None);
    store.wish(&two.id).await.unwrap();
    store
        .create_wished_match(&second, &pair(three, two))
        .await
        .unwrap();
    assert_eq!(store.granted(&three.id).await.unwrap(), Some(second.id));
}

fn a_seek(by: &Player) -> NewChallenge {
    NewChallenge {
        id: ChallengeId::random(),
        challenger: by.id.clone(),
        game: GameKind::Oware,
        setup: String::new(),
        side: None,
        time_control: BLITZ,
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
        store.wish(&player.id).await.unwrap();
    }
    let (seek, mine, yours) = (a_seek(&other), a_seek(&me), a_seek(&you));
    for new in [&seek, &mine, &yours] {
        store.create_challenge(new).await.unwrap();
    }
    let seats = async |players: [&Player; 2]| {
        [
            store.wished(&players[0].id).await.unwrap(),
            store.wished(&players[1].id).await.unwrap(),
        ]
    };
    let before = seats([&me, &other]).await;
    assert_eq!((&before[0].got, &before[1].got), (&Some(None), &None));
    let seated = new_match(&me, &other);
    let accepted = store.accept_and_seat(&seek.id, &seated, 10, &before).await;
    assert!(accepted.unwrap());
    // The node that pairs comes too late.
    let paired = new_match(&me, &you);
    let refused = store.create_wished_match(&paired, &pair).await;
    assert!(matches!(refused, Err(StoreError::Conflict)), "{refused:?}");
    assert_eq!(store.granted(&me.id).await.unwrap(), Some(seated.id));
    // My own seek went with it; who sees it still is refused. Yours stands.
    let open = store.open_seeks(None, 10, 9).await.unwrap();
    let open: Vec<&ChallengeId> = open.iter().map(|row| &row.offer.id).collect();
    assert_eq!(open, [&yours.id]);
    // The other way round: the pair is made between the question and the match.
    store.wish(&me.id).await.unwrap();
    let again = a_seek(&other);
    store.create_challenge(&again).await.unwrap();
    let before = seats([&me, &other]).await;
    store.create_wished_match(&paired, &pair).await.unwrap();
    let late = new_match(&me, &other);
    let accepted = store.accept_and_seat(&again.id, &late, 10, &before).await;
    assert!(!accepted.unwrap());
    assert_eq!(store.find_match(&late.id).await.unwrap(), None);
    // Nothing was written: the seek is open, and whoever is free takes it. That of who was paired is gone.
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
            store.wish(&player.id).await.unwrap();
            let seek = a_seek(&player);
            store.create_challenge(&seek).await.unwrap();
            people.push((player, seek));
        }
        let mut going = Vec::new();
        for n in 0..4 {
            let ((me, _), (next, seek)) = (people[n].clone(), people[(n + 1) % 4].clone());
            let seats = [
                store.wished(&me.id).await.unwrap(),
                store.wished(&next.id).await.unwrap(),
            ];
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
            let running = store.running_matches_of(&player.id, 9).await.unwrap();
            assert!(running.len() <= 1, "{running:?}");
        }
    }
}

// --- the lobby ---

async fn seeks_are_listed_while_they_are_open(store: Arc<dyn Store>) {
    let (me, you) = (a_player(&store).await, a_player(&store).await);
    let seek = |by: &Player, created_ms, time_control| NewChallenge {
        id: ChallengeId::random(),
        challenger: by.id.clone(),
        game: GameKind::Oware,
        setup: String::new(),
        side: None,
        time_control,
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
    assert_eq!(store.cancel_live_seeks(&me.id).await.unwrap(), 1);
    assert_eq!(listed(None, 10, 9).await, [id(&yours), by_days]);
    assert_eq!(store.cancel_live_seeks(&me.id).await.unwrap(), 0);
    let link = store.find_challenge(&by_link.id).await.unwrap().unwrap();
    assert!(!link.cancelled, "a link is sent to somebody");
}

async fn who_walks_away_is_counted(store: Arc<dyn Store>) {
    const HOUR_MS: i64 = 60 * 60 * 1_000;
    let (me, you) = (a_player(&store).await, a_player(&store).await);
    let finished = async |seats: [&Player; 2], reason: &str, winner, plies, at_ms| {
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
            ..finish
        });
        assert_eq!(store.append(&[append]).await.unwrap(), [Appended::Done]);
    };
    let at = |hours: i64| 100 * HOUR_MS + hours * HOUR_MS;
    let (first, second) = (Some(Side::First), Some(Side::Second));
    // I walk away twice and do not come twice; the rest is not my doing, or a computer's time.
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
        let walked = store.abandonments(&player.id, since).await.unwrap();
        (walked.times, walked.last_ms)
    };
    assert_eq!(walked(&me, at(0)).await, (4, Some(at(4))));
    assert_eq!(walked(&me, at(2)).await, (3, Some(at(4))));
    assert_eq!(walked(&me, at(5)).await, (0, None));
    assert_eq!(walked(&you, at(0)).await, (2, Some(at(6))));
}

// --- the journal ---

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
        named(&ids[2], 1, "first:a"), // a command that was carried out
        named(&ids[3], 0, "first:a"), // the same name in another match
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

    // A command twice within one append is no better.
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
                // Each has an order of its own, so that they meet in the middle.
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

    // Claims and appends at once: what a claim returns is all there is in older epochs.
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
    let store = store::open(&url).await.unwrap();
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
    let store = store::open(&url).await.unwrap();
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
    store::open(&url).await.unwrap().ping().await.unwrap();
}

// --- matches ---

async fn a_match_reads_back_as_it_was_written(store: Arc<dyn Store>) {
    let (first, second) = (a_player(&store).await, a_player(&store).await);
    for game in GameKind::ALL {
        let mut new = new_match(&first, &second);
        new.game = *game;
        new.setup = "x'; DROP TABLE matches; --".into();
        new.ratings = BySide::new(Some((1512.25, 87.5)), None);
        store.create_match(&new).await.unwrap();
        let row = store.find_match(&new.id).await.unwrap().unwrap();
        let expected = MatchRow {
            id: new.id.clone(),
            game: *game,
            setup: new.setup.clone(),
            rated: true,
            time_control: new.time_control,
            speed: Speed::Blitz,
            options: new.options,
            private: new.private,
            players: BySide::new(first.clone(), second.clone()),
            ratings: new.ratings,
            rating_changes: BySide::default(),
            created_ms: new.created_ms,
            finish: None,
            head: 0,
            epoch: 0,
        };
        assert_eq!(row, expected);
        assert!(matches!(
            store.create_match(&new).await,
            Err(StoreError::Conflict)
        ));
    }
    let mut orphan = new_match(&first, &second);
    orphan.players.second = PlayerId::random();
    assert!(matches!(
        store.create_match(&orphan).await,
        Err(StoreError::NotFound)
    ));
    assert!(store.find_match(&orphan.id).await.unwrap().is_none());
}

async fn every_time_control_and_option_reads_back(store: Arc<dyn Store>) {
    let (first, second) = (a_player(&store).await, a_player(&store).await);
    let controls = [
        BLITZ,
        TimeControl::Correspondence { days: 1 },
        TimeControl::Correspondence { days: 14 },
        TimeControl::Unlimited,
    ];
    for (bits, time_control) in (0u8..).zip(controls.into_iter().cycle()).take(8) {
        let new = NewMatch {
            time_control,
            speed: time_control.speed(),
            options: MatchOptions {
                takebacks: bits & 1 != 0,
                give_time: bits & 2 != 0,
                phrases: bits & 4 != 0,
            },
            private: bits & 1 == 0,
            ..new_match(&first, &second)
        };
        store.create_match(&new).await.unwrap();
        let row = store.find_match(&new.id).await.unwrap().unwrap();
        assert_eq!(
            (row.time_control, row.speed, row.options, row.private),
            (new.time_control, new.speed, new.options, new.private)
        );
        let challenge = NewChallenge {
            id: ChallengeId::random(),
            challenger: first.id.clone(),
            game: GameKind::Mawe,
            setup: String::new(),
            side: None,
            time_control,
            rated: false,
            options: new.options,
            private: new.private,
            to: (bits & 1 != 0).then(|| second.id.clone()),
            listed: bits & 2 != 0,
            rating_range: (
                (bits & 1 != 0).then_some(1_200),
                (bits & 2 != 0).then_some(1_800),
            ),
            created_ms: 1,
            expires_ms: 2,
        };
        store.create_challenge(&challenge).await.unwrap();
        let row = store.find_challenge(&challenge.id).await.unwrap().unwrap();
        assert_eq!(row.offer, challenge);
    }
}

async fn a_private_match_is_in_no_public_list(store: Arc<dyn Store>) {
    let (first, second) = (a_player(&store).await, a_player(&store).await);
    let open = new_match(&first, &second);
    let hidden = NewMatch {
        private: true,
        ..new_match(&first, &second)
    };
    store.create_match(&open).await.unwrap();
    store.create_match(&hidden).await.unwrap();
    for game in [None, Some(GameKind::Mawe)] {
        let listed = store.running_matches(game, 10).await.unwrap();
        assert_eq!(listed.len(), 1);
        assert_eq!(listed[0].id, open.id);
    }
    assert_eq!(
        store.running_matches_of(&first.id, 10).await.unwrap().len(),
        2
    );
}

async fn a_sleeping_match_is_found_when_it_is_due(store: Arc<dyn Store>) {
    let (first, second) = (a_player(&store).await, a_player(&store).await);
    let daily = |due_ms| NewMatch {
        time_control: TimeControl::Correspondence { days: 1 },
        speed: Speed::Daily,
        due_ms,
        ..new_match(&first, &second)
    };
    let (early, late, never) = (daily(Some(100)), daily(Some(200)), daily(Some(NEVER_DUE)));
    for new in [&late, &early, &never] {
        store.create_match(new).await.unwrap();
    }
    let live = new_match(&first, &second);
    store.create_match(&live).await.unwrap();
    assert_eq!(
        store.live_match_ids().await.unwrap(),
        std::slice::from_ref(&live.id)
    );
    assert_eq!(store.due_match_ids(99, 10).await.unwrap(), []);
    assert_eq!(
        store.due_match_ids(100, 10).await.unwrap(),
        std::slice::from_ref(&early.id)
    );
    assert_eq!(
        store.due_match_ids(10_000, 10).await.unwrap(),
        [early.id.clone(), late.id.clone()]
    );
    assert_eq!(
        store.due_match_ids(10_000, 1).await.unwrap(),
        std::slice::from_ref(&early.id)
    );

    // An entry says when it is due next; one that does not say leaves it; the end of the match ends it.
    let mut append_due = one(&early.id, 0, 0);
    append_due.due_ms = Some(300);
    assert_eq!(append(&store, append_due).await, Appended::Done);
    assert_eq!(append(&store, one(&late.id, 0, 0)).await, Appended::Done);
    assert_eq!(
        store.due_match_ids(299, 10).await.unwrap(),
        std::slice::from_ref(&late.id)
    );
    assert_eq!(
        append(&store, finishing(&late.id, 1, None)).await,
        Appended::Done
    );
    assert_eq!(store.due_match_ids(300, 10).await.unwrap(), [early.id]);
}

async fn a_finished_match_is_immutable(store: Arc<dyn Store>) {
    let id = a_match(&store).await;
    let last = finishing(&id, 0, Some(Side::Second));
    assert_eq!(append(&store, last.clone()).await, Appended::Done);
    let row = store.find_match(&id).await.unwrap().unwrap();
    assert_eq!(row.finish, last.finish);
    assert_eq!(append(&store, one(&id, 1, 0)).await, Appended::Fenced);
    let claimed = store.claim_match(&id, "late").await.unwrap().unwrap();
    assert_eq!((claimed.row, claimed.entries), (row, last.entries));
    assert_eq!(store.live_match_ids().await.unwrap(), []);

    // A match that was called off owes nothing.
    let called_off = a_match(&store).await;
    let mut last = finishing(&called_off, 0, None);
    let finish = last.finish.as_mut().unwrap();
    (finish.reason, finish.owed) = ("aborted".into(), false);
    assert_eq!(append(&store, last).await, Appended::Done);
    assert_eq!(store.uncounted_matches(10).await.unwrap(), [id]);
    let row = store.find_match(&called_off).await.unwrap().unwrap();
    assert!(!row.finish.unwrap().owed);
}

async fn a_match_has_one_rematch(store: Arc<dyn Store>) {
    let (first, second) = (a_player(&store).await, a_player(&store).await);
    let before = new_match(&first, &second);
    store.create_match(&before).await.unwrap();
    assert_eq!(store.find_rematch(&before.id).await.unwrap(), None);
    let [one, other] = [0, 1].map(|_| {
        let rematch = NewMatch {
            rematch_of: Some(before.id.clone()),
            ..new_match(&second, &first)
        };
        let store = store.clone();
        tokio::spawn(async move { store.create_match(&rematch).await.map(|()| rematch.id) })
    });
    let outcomes = [one.await.unwrap(), other.await.unwrap()];
    let made: Vec<&MatchId> = outcomes
        .iter()
        .filter_map(|outcome| outcome.as_ref().ok())
        .collect();
    assert_eq!(made.len(), 1);
    assert!(
        outcomes
            .iter()
            .any(|outcome| matches!(outcome, Err(StoreError::Conflict)))
    );
    assert_eq!(
        store.find_rematch(&before.id).await.unwrap().as_ref(),
        Some(made[0])
    );
}

async fn running_matches_are_listed_by_strength(store: Arc<dyn Store>) {
    let (one, other) = (a_player(&store).await, a_player(&store).await);
    let mut ids = Vec::new();
    for (created_ms, first, second) in [
        (1, None, None),
        (2, Some(1400.0), Some(1500.0)),
        (3, None, Some(2100.0)),
        (4, None, None),
    ] {
        let rated = |rating: Option<f64>| rating.map(|rating| (rating, 60.0));
        let new = NewMatch {
            created_ms,
            ratings: BySide::new(rated(first), rated(second)),
            ..new_match(&one, &other)
        };
        store.create_match(&new).await.unwrap();
        ids.push(new.id);
    }
    let listed = |rows: Vec<MatchRow>| -> Vec<usize> {
        let place = |row: &MatchRow| ids.iter().position(|id| *id == row.id).unwrap();
        rows.iter().map(place).collect()
    };
    assert_eq!(
        listed(store.running_matches(None, 10).await.unwrap()),
        [1, 2, 3, 0]
    );
    assert_eq!(
        listed(
            store
                .running_matches(Some(GameKind::Mawe), 3)
                .await
                .unwrap()
        ),
        [1, 2, 3]
    );
    assert_eq!(
        listed(store.running_matches_of(&other.id, 3).await.unwrap()),
        [3, 2, 1]
    );
    assert_eq!(store.live_match_ids().await.unwrap(), ids);
    assert_eq!(
        append(&store, finishing(&ids[1], 0, None)).await,
        Appended::Done
    );
    assert_eq!(
        listed(store.running_matches(None, 10).await.unwrap()),
        [2, 3, 0]
    );
    assert_eq!(
        listed(store.running_matches_of(&one.id, 10).await.unwrap()),
        [3, 2, 0]
    );
    assert_eq!(
        listed(
            store
                .matches_of(&MatchFilter::of(one.id.clone()), None, 10)
                .await
                .unwrap()
        ),
        [3, 2, 1, 0]
    );
}

async fn what_could_be_on_runs_by_the_second_between_two_in_public(store: Arc<dyn Store>) {
    let (one, other) = (a_player(&store).await, a_player(&store).await);
    let rated = |rating: f64| BySide::new(Some((rating, 60.0)), Some((rating, 60.0)));
    let weak = new_match(&one, &other);
    let strong = NewMatch {
        ratings: rated(1_800.0),
        ..new_match(&one, &other)
    };
    let others = [
        NewMatch {
            game: GameKind::Oware,
            ratings: rated(2_000.0),
            ..new_match(&one, &other)
        },
        NewMatch {
            private: true,
            ratings: rated(2_100.0),
            ..new_match(&one, &other)
        },
        NewMatch {
            time_control: TimeControl::Correspondence { days: 2 },
            speed: Speed::Daily,
            ratings: rated(2_200.0),
            ..new_match(&one, &other)
        },
        NewMatch {
            ratings: rated(2_300.0),
            ..new_match(&one, &one)
        },
    ];
    for new in [&weak, &strong].into_iter().chain(&others) {
        store.create_match(new).await.unwrap();
    }
    let live = async |limit| {
        let rows = store
            .strongest_live_matches(GameKind::Mawe, limit)
            .await
            .unwrap();
        rows.into_iter().map(|row| row.id).collect::<Vec<_>>()
    };
    assert_eq!(live(10).await, [strong.id.clone(), weak.id.clone()]);
    assert_eq!(live(1).await, std::slice::from_ref(&strong.id));
    append(&store, finishing(&strong.id, 0, None)).await;
    assert_eq!(live(10).await, [weak.id]);
}

async fn pages_hold_every_match_once(store: Arc<dyn Store>) {
    let (me, you) = (a_player(&store).await, a_player(&store).await);
    let mut expected = Vec::new();
    for n in 0..57 {
        let (first, second) = match n % 3 {
            0 => (&me, &you),
            1 => (&you, &me),
            _ => (&me, &me),
        };
        // Several matches a moment, so that a page ends between two of one.
        let new = NewMatch {
            created_ms: n / 5,
            ..new_match(first, second)
        };
        store.create_match(&new).await.unwrap();
        expected.push((new.created_ms, new.id));
    }
    expected.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| b.1.cmp(&a.1)));
    for limit in [1, 7, 57, 1000] {
        let mut listed = Vec::new();
        let mut cursor: Option<MatchCursor> = None;
        loop {
            let page = store
                .matches_of(&MatchFilter::of(me.id.clone()), cursor.as_ref(), limit)
                .await
                .unwrap();
            assert!(page.len() <= limit as usize);
            let Some(last) = page.last() else { break };
            cursor = Some(MatchCursor {
                created_ms: last.created_ms,
                id: last.id.clone(),
            });
            listed.extend(page.into_iter().map(|row| (row.created_ms, row.id)));
        }
        assert_eq!(listed, expected, "in pages of {limit}");
    }
    assert_eq!(
        store
            .matches_of(&MatchFilter::of(PlayerId::random()), None, 10)
            .await
            .unwrap(),
        []
    );
}

/// What the filter means, said once more and naively.
fn passes(row: &MatchRow, filter: &MatchFilter) -> bool {
    let me = &filter.player;
    let Some(side) = Side::ALL
        .into_iter()
        .find(|side| row.players[*side].id == *me)
    else {
        return false;
    };
    let other = &row.players[side.other()].id;
    let score = row
        .finish
        .as_ref()
        .filter(|finish| other != me && !["aborted", "no-show"].contains(&finish.reason.as_str()));
    let score = score.map(|finish| match finish.winner {
        None => Score::Drawn,
        Some(winner) if winner == side => Score::Won,
        Some(_) => Score::Lost,
    });
    let is_known_to = |viewer: &PlayerId| {
        Side::ALL
            .iter()
            .any(|side| row.players[*side].id == *viewer)
    };
    (!row.private || filter.viewer.as_ref().is_some_and(is_known_to))
        && filter.game.is_none_or(|game| game == row.game)
        && filter
            .opponent
            .as_ref()
            .is_none_or(|wanted| wanted == other)
        && filter.rated.is_none_or(|rated| rated == row.rated)
        && filter.score.is_none_or(|wanted| Some(wanted) == score)
        && filter.speed.is_none_or(|speed| speed == row.speed)
        && filter.since_ms.is_none_or(|since| row.created_ms >= since)
        && filter.until_ms.is_none_or(|until| row.created_ms < until)
        && (!filter.finished || row.finish.is_some())
}

async fn a_history_by_any_filter_is_what_it_says(store: Arc<dyn Store>) {
    let mut random = fastrand::Rng::with_seed(0x4815);
    let mut people = Vec::new();
    for _ in 0..4 {
        people.push(a_player(&store).await);
    }
    let games = &GameKind::ALL[..3];
    let speeds = [Speed::Blitz, Speed::Rapid];
    let reasons = ["no-moves", "aborted", "no-show", "time"];
    let mut rows = Vec::new();
    for _ in 0..240 {
        let players = BySide::new(&people[random.usize(..4)], &people[random.usize(..4)]);
        let new = NewMatch {
            game: games[random.usize(..games.len())],
            rated: random.bool(),
            speed: speeds[random.usize(..2)],
            private: random.u8(..4) == 0,
            created_ms: random.i64(0..40),
            ..new_match(players.first, players.second)
        };
        store.create_match(&new).await.unwrap();
        if random.u8(..5) > 0 {
            let winner = [None, Some(Side::First), Some(Side::Second)][random.usize(..3)];
            let mut end = finishing(&new.id, 0, winner);
            let finish = end.finish.as_mut().unwrap();
            finish.reason = reasons[random.usize(..reasons.len())].to_owned();
            if ["aborted", "no-show"].contains(&finish.reason.as_str()) {
                finish.winner = None;
            }
            append(&store, end).await;
        }
        rows.push(store.find_match(&new.id).await.unwrap().unwrap());
    }
    rows.sort_by(|a, b| (b.created_ms, &b.id).cmp(&(a.created_ms, &a.id)));

    let mut found = 0;
    for _ in 0..400 {
        let mut wish = |of: u8| random.u8(..of) == 0;
        let (viewer, game, opponent, rated, score, speed, since, until, finished) = (
            !wish(3),
            wish(3),
            wish(4),
            wish(4),
            wish(3),
            wish(4),
            wish(4),
            wish(4),
            wish(4),
        );
        let one = |random: &mut fastrand::Rng| people[random.usize(..4)].id.clone();
        let filter = MatchFilter {
            player: one(&mut random),
            viewer: viewer.then(|| one(&mut random)),
            game: game.then(|| games[random.usize(..games.len())]),
            opponent: opponent.then(|| one(&mut random)),
            rated: rated.then(|| random.bool()),
            score: score.then(|| [Score::Won, Score::Drawn, Score::Lost][random.usize(..3)]),
            speed: speed.then(|| speeds[random.usize(..2)]),
            since_ms: since.then(|| random.i64(-1..40)),
            until_ms: until.then(|| random.i64(0..45)),
            finished,
        };
        let expected: Vec<&MatchRow> = rows.iter().filter(|row| passes(row, &filter)).collect();
        let limit = random.u32(1..30);
        let mut listed = Vec::new();
        let mut cursor: Option<MatchCursor> = None;
        loop {
            let page = store
                .matches_of(&filter, cursor.as_ref(), limit)
                .await
                .unwrap();
            assert!(page.len() <= limit as usize);
            let Some(last) = page.last() else { break };
            cursor = Some(MatchCursor {
                created_ms: last.created_ms,
                id: last.id.clone(),
            });
            listed.extend(page);
        }
        assert_eq!(
            listed.iter().collect::<Vec<_>>(),
            expected,
            "{filter:?} in pages of {limit}"
        );
        found += listed.len();
    }
    assert!(found > 1_000, "only {found} matches were found at all");
}

// --- players, sessions, challenges ---

async fn names_are_unique_without_regard_to_case(store: Arc<dyn Store>) {
    for (name, same) in [
        ("Amani", "aMANI"),
        ("Żółw", "ŻÓŁW"),
        ("Straße", "STRASSE"),
        ("മാവേ", "മാവേ"),
        ("x'; DROP TABLE players; --", "X'; drop table PLAYERS; --"),
        ("100%_\\", "100%_\\"),
    ] {
        let player = named_player(name, PlayerKind::Account);
        store.create_player(&with_password(&player)).await.unwrap();
        let other = named_player(same, PlayerKind::Guest);
        let refused = store
            .create_player(&NewPlayer {
                player: other,
                password_hash: None,
            })
            .await;
        assert!(matches!(refused, Err(StoreError::Conflict)), "{same}");
        assert_eq!(
            store.find_player_by_name(same).await.unwrap(),
            Some(player.clone())
        );
        assert_eq!(
            store.find_player(&player.id).await.unwrap(),
            Some(player.clone())
        );
        let credentials = store.credentials(same).await.unwrap();
        assert_eq!(credentials, Some((player, "$argon2id$x".to_owned())));
    }
    assert_eq!(store.find_player_by_name("%").await.unwrap(), None);
    assert_eq!(store.credentials("nobody' OR '1'='1").await.unwrap(), None);
}

async fn players_are_found_by_how_their_names_begin(store: Arc<dyn Store>) {
    for (name, kind) in [
        ("Amina", PlayerKind::Account),
        ("AMIN_x", PlayerKind::Account),
        ("amin", PlayerKind::Bot),
        ("Aminata", PlayerKind::Guest),
        ("Benamina", PlayerKind::Account),
        ("Żaneta", PlayerKind::Account),
        ("മാവേ", PlayerKind::Account),
    ] {
        let player = named_player(name, kind);
        store.create_player(&with_password(&player)).await.unwrap();
    }
    let gone = named_player("Amina-2", PlayerKind::Account);
    store.create_player(&with_password(&gone)).await.unwrap();
    let deed = Deed {
        by: None,
        why: String::new(),
        at_ms: 500,
    };
    let disabled = store.change_account(&gone.id, &AccountChange::Disable, &deed);
    disabled.await.unwrap();
    for (start, limit, expected) in [
        ("amin", 9, &["amin", "AMIN_x", "Amina"][..]),
        ("AMIN", 2, &["amin", "AMIN_x"]),
        ("amina", 9, &["Amina"]),
        ("amin_", 9, &["AMIN_x"]),
        ("amin%", 9, &[]),
        ("żan", 9, &["Żaneta"]),
        ("മാ", 9, &["മാവേ"]),
        ("a\0", 9, &[]),
    ] {
        let found = store.find_players(start, limit).await.unwrap();
        let names: Vec<_> = found.iter().map(|player| player.name.as_str()).collect();
        assert_eq!(names, expected, "{start}");
    }
}

async fn a_language_is_kept_until_another_is_chosen(store: Arc<dyn Store>) {
    let guest = named_player("Guest-5", PlayerKind::Guest);
    let new = NewPlayer {
        player: guest.clone(),
        password_hash: None,
    };
    store.create_player(&new).await.unwrap();
    let other = a_player(&store).await;
    assert_eq!(store.language(&guest.id).await.unwrap(), None);
    for language in Language::ALL {
        store.set_language(&guest.id, language).await.unwrap();
        assert_eq!(store.language(&guest.id).await.unwrap(), Some(language));
    }
    let registered = store.register_guest(&guest.id, "Halima", "$hash").await;
    registered.unwrap();
    assert_eq!(
        store.language(&guest.id).await.unwrap(),
        Some(Language::ALL[3])
    );
    assert_eq!(store.language(&other.id).await.unwrap(), None);
}

async fn a_guest_who_registers_keeps_id_and_matches(store: Arc<dyn Store>) {
    let guest = named_player("Guest-1", PlayerKind::Guest);
    store
        .create_player(&NewPlayer {
            player: guest.clone(),
            password_hash: None,
        })
        .await
        .unwrap();
    let opponent = a_player(&store).await;
    let played = new_match(&guest, &opponent);
    store.create_match(&played).await.unwrap();
    assert_eq!(store.credentials("Guest-1").await.unwrap(), None);

    let taken = store
        .register_guest(&guest.id, &opponent.name.to_uppercase(), "$hash")
        .await;
    assert!(matches!(taken, Err(StoreError::Conflict)));
    let account = store
        .register_guest(&guest.id, "Neema", "$hash")
        .await
        .unwrap();
    assert_eq!(
        account,
        Player {
            name: "Neema".into(),
            kind: PlayerKind::Account,
            ..guest.clone()
        }
    );
    assert_eq!(
        store.credentials("neema").await.unwrap().unwrap().0,
        account
    );
    assert_eq!(store.find_player_by_name("guest-1").await.unwrap(), None);
    let all = MatchFilter::of(guest.id.clone());
    let rows = store.matches_of(&all, None, 10).await.unwrap();
    assert_eq!(rows[0].players.first, account);

    let again = store.register_guest(&guest.id, "Other", "$hash").await;
    assert!(
        matches!(again, Err(StoreError::NotFound)),
        "it is no guest any more"
    );
}

async fn a_level_has_one_bot(store: Arc<dyn Store>) {
    let asking: Vec<_> = (0..4)
        .map(|_| {
            let store = store.clone();
            tokio::spawn(async move { store.ensure_bot(3, "Level 3", 5).await.unwrap() })
        })
        .collect();
    let mut bots = Vec::new();
    for asking in asking {
        bots.push(asking.await.unwrap());
    }
    assert!(bots.iter().all(|bot| *bot == bots[0]));
    assert_eq!((bots[0].kind, bots[0].level), (PlayerKind::Bot, Some(3)));
    assert_eq!(
        store.ensure_bot(3, "Another name", 6).await.unwrap(),
        bots[0]
    );
    assert_ne!(
        store.ensure_bot(4, "Level 4", 6).await.unwrap().id,
        bots[0].id
    );
    assert!(matches!(
        store.ensure_bot(5, "LEVEL 4", 6).await,
        Err(StoreError::Conflict)
    ));
    assert_eq!(store.credentials("Level 3").await.unwrap(), None);
}

async fn a_ladder_is_used_once_and_touches_no_person(store: Arc<dyn Store>) {
    let bot = store.ensure_bot(1, "Level 1", 5).await.unwrap();
    let person = a_player(&store).await;
    let seed = |player: &Player, rating| store::Seed {
        player: player.id.clone(),
        game: GameKind::Mawe,
        speed: Speed::Blitz,
        rating,
        deviation: 100.0,
        volatility: 0.01,
    };
    let rating_of = async |player: &Player| {
        let row = store.rating(&player.id, GameKind::Mawe, Speed::Blitz).await;
        row.unwrap().map(|row| (row.rating.rating, row.tally.won))
    };
    // Of two servers that start at once one seeds.
    let both = [900.0, 900.0].map(|rating| {
        let (store, seeds) = (store.clone(), [seed(&bot, rating)]);
        tokio::spawn(async move { store.seed_ratings(1, &seeds, 10).await.unwrap() })
    });
    let mut done = 0;
    for one in both {
        done += u32::from(one.await.unwrap());
    }
    assert_eq!((done, rating_of(&bot).await), (1, Some((900.0, 0))));
    // It has a rating, but no place on a board before it has played.
    let board = async || {
        let rows = store
            .leaderboard(GameKind::Mawe, Speed::Blitz, 350.0, 0, 10)
            .await;
        rows.unwrap().len()
    };
    assert_eq!(board().await, 0);

    let new = new_match(&bot, &person);
    store.create_match(&new).await.unwrap();
    append(&store, finishing(&new.id, 0, Some(Side::First))).await;
    assert!(
        store
            .count_match(&new.id, mawe_server::rating::rate)
            .await
            .unwrap()
    );
    let (played, won) = rating_of(&bot).await.unwrap();
    let persons = rating_of(&person).await;
    assert!(played > 900.0 && won == 1);
    assert_eq!(board().await, 2);

    // The same ladder again, and an older one: nothing happens.
    for ladder in [1, 0] {
        assert!(
            !store
                .seed_ratings(ladder, &[seed(&bot, 700.0)], 20)
                .await
                .unwrap()
        );
    }
    assert_eq!(rating_of(&bot).await, Some((played, 1)));
    // A seed for a person is refused, and with it the whole ladder.
    let seeds = [seed(&bot, 1_000.0), seed(&person, 1_000.0)];
    assert!(matches!(
        store.seed_ratings(2, &seeds, 30).await,
        Err(StoreError::Conflict)
    ));
    assert_eq!(rating_of(&bot).await, Some((played, 1)));
    assert!(store.seed_ratings(2, &seeds[..1], 30).await.unwrap());
    assert_eq!(rating_of(&bot).await, Some((1_000.0, 1)));
    assert_eq!(rating_of(&person).await, persons);
    let places: Vec<(u64, f64)> = store
        .rating_seeds(u64::MAX >> 1)
        .await
        .unwrap()
        .iter()
        .map(|placed| (placed.ordinal, placed.seed.rating))
        .collect();
    assert_eq!(places, [(0, 900.0), (1, 1_000.0)]);
}

fn a_session(hash: [u8; 32], player: &PlayerId, created_ms: i64, expires_ms: i64) -> NewSession {
    NewSession {
        hash,
        player: player.clone(),
        label: "Firefox, Linux".into(),
        created_ms,
        expires_ms,
    }
}

async fn of_many_sessions_those_that_are_no_more_are_named(store: Arc<dyn Store>) {
    let player = a_player(&store).await;
    assert_eq!(
        store.ended_sessions(&[]).await.unwrap(),
        Vec::<[u8; 32]>::new()
    );
    let there = [[1; 32], [2; 32]];
    for hash in there {
        let session = a_session(hash, &player.id, 100, 200);
        store.create_session(&session).await.unwrap();
    }
    // More than one statement asks after.
    let mut asked: Vec<[u8; 32]> = (0..1_200u16)
        .map(|n| {
            let mut hash = [9; 32];
            hash[..2].copy_from_slice(&n.to_be_bytes());
            hash
        })
        .collect();
    let gone = asked.clone();
    asked.extend(there);
    assert_eq!(store.ended_sessions(&asked).await.unwrap(), gone);
    store.delete_session(&there[0]).await.unwrap();
    assert_eq!(store.ended_sessions(&there).await.unwrap(), [there[0]]);
}

async fn sessions_expire(store: Arc<dyn Store>) {
    let player = a_player(&store).await;
    let (token, other) = ([7; 32], [8; 32]);
    let session = a_session(token, &player.id, 100, 200);
    assert!(store.create_session(&session).await.unwrap().is_empty());
    let holder = Holder {
        player: player.clone(),
        grants: Grants::default(),
        is_disabled: false,
        scopes: None,
        last_used_ms: Some(100),
        expires_ms: 200,
    };
    assert_eq!(store.session(&token, 199).await.unwrap(), Some(holder));
    assert_eq!(store.session(&token, 200).await.unwrap(), None);
    assert_eq!(store.session(&other, 150).await.unwrap(), None);
    let again = store.create_session(&session).await;
    assert!(matches!(again, Err(StoreError::Conflict)));
    let nobody = a_session(other, &PlayerId::random(), 100, 200);
    let nobody = store.create_session(&nobody).await;
    assert!(matches!(nobody, Err(StoreError::NotFound)));

    let late = a_session(other, &player.id, 300, 400);
    store.create_session(&late).await.unwrap();
    assert_eq!(
        store.session(&token, 199).await.unwrap(),
        None,
        "it was swept away"
    );
    store.delete_session(&other).await.unwrap();
    store.delete_session(&other).await.unwrap();
    assert_eq!(store.session(&other, 350).await.unwrap(), None);
}

async fn sessions_are_listed_and_ended(store: Arc<dyn Store>) {
    let (me, you) = (a_player(&store).await, a_player(&store).await);
    for n in 1..=3u8 {
        let session = a_session([n; 32], &me.id, 100 + i64::from(n), 900);
        store.create_session(&session).await.unwrap();
    }
    let yours = a_session([9; 32], &you.id, 100, 900);
    store.create_session(&yours).await.unwrap();
    // The one that was used last comes first; one that is not there is passed over.
    let used = [([1; 32], 500), ([77; 32], 500)];
    store.mark_used(&used, &[]).await.unwrap();
    let rows = store.sessions_of(&me.id, 600).await.unwrap();
    let hashes: Vec<_> = rows.iter().map(|row| row.hash).collect();
    assert_eq!(hashes, [[1; 32], [3; 32], [2; 32]]);
    assert_eq!(rows[0].last_used_ms, 500);
    assert_eq!(rows[1].last_used_ms, 103, "when it began");
    assert_eq!(rows[0].label, "Firefox, Linux");
    assert!(store.sessions_of(&me.id, 900).await.unwrap().is_empty());

    let mut ended = store.delete_other_sessions(&me.id, &[2; 32]).await.unwrap();
    ended.sort_unstable();
    assert_eq!(ended, [[1; 32], [3; 32]]);
    assert_eq!(store.sessions_of(&me.id, 600).await.unwrap().len(), 1);
    assert_eq!(store.sessions_of(&you.id, 600).await.unwrap().len(), 1);

    // Of too many the one that was shown longest ago ends.
    for n in 10..=59u8 {
        let session = a_session([n; 32], &me.id, 200 + i64::from(n), 900);
        let ended = store.create_session(&session).await.unwrap();
        let expected: &[[u8; 32]] = if n == 59 { &[[2; 32]] } else { &[] };
        assert_eq!(ended, expected, "{n}");
    }
    assert_eq!(store.sessions_of(&me.id, 600).await.unwrap().len(), 50);
}

async fn a_new_password_ends_other_sessions(store: Arc<dyn Store>) {
    let guest = NewPlayer {
        player: named_player("Guest-7", PlayerKind::Guest),
        password_hash: None,
    };
    store.create_player(&guest).await.unwrap();
    let guest = guest.player.id;
    for n in 1..=2u8 {
        let session = a_session([n; 32], &guest, 100, 900);
        store.create_session(&session).await.unwrap();
    }
    let refused = store.change_password(&guest, "$new", &[1; 32]).await;
    assert!(matches!(refused, Err(StoreError::NotFound)), "{refused:?}");
    assert_eq!(store.sessions_of(&guest, 200).await.unwrap().len(), 2);
    let account = NewPlayer {
        player: Player {
            id: PlayerId::random(),
            name: "Rehema".into(),
            kind: PlayerKind::Account,
            level: None,
            created_ms: 1,
        },
        password_hash: Some("$old".into()),
    };
    store.create_player(&account).await.unwrap();
    let id = &account.player.id;
    for n in 3..=4u8 {
        let session = a_session([n; 32], id, 100, 900);
        store.create_session(&session).await.unwrap();
    }
    let ended = store.change_password(id, "$new", &[3; 32]).await.unwrap();
    assert_eq!(ended, [[4; 32]]);
    let (_, stored) = store.credentials("rehema").await.unwrap().unwrap();
    assert_eq!(stored, "$new");
    assert!(store.session(&[3; 32], 200).await.unwrap().is_some());
}

async fn tokens_speak_for_their_player_until_they_are_revoked(store: Arc<dyn Store>) {
    let (me, you) = (a_player(&store).await, a_player(&store).await);
    let scopes: Scopes = "read play".parse().unwrap();
    let token = |n: u8, created_ms: i64, expires_ms: i64| NewToken {
        id: TokenId::random(),
        hash: [n; 32],
        player: me.id.clone(),
        name: format!("token {n}"),
        scopes,
        created_ms,
        expires_ms,
    };
    let first = token(1, 100, 500);
    assert!(store.create_token(&first, 2).await.unwrap());
    let holder = Holder {
        player: me.clone(),
        grants: Grants::default(),
        is_disabled: false,
        scopes: Some(scopes),
        last_used_ms: None,
        expires_ms: 500,
    };
    assert_eq!(store.token(&[1; 32], 499).await.unwrap(), Some(holder));
    assert_eq!(store.token(&[1; 32], 500).await.unwrap(), None);
    assert_eq!(store.session(&[1; 32], 200).await.unwrap(), None);
    store.mark_used(&[], &[([1; 32], 300)]).await.unwrap();
    let rows = store.tokens_of(&me.id, 400).await.unwrap();
    assert_eq!(
        rows,
        [TokenRow {
            id: first.id.clone(),
            name: "token 1".into(),
            scopes,
            created_ms: 100,
            expires_ms: 500,
            last_used_ms: Some(300),
        }]
    );
    // Two at once, and room for one.
    let (second, third) = (token(2, 200, 900), token(3, 200, 900));
    let (one, other) = tokio::join!(
        store.create_token(&second, 2),
        store.create_token(&third, 2)
    );
    assert_ne!(one.unwrap(), other.unwrap());
    // One that has expired makes room.
    assert!(store.create_token(&token(4, 600, 900), 2).await.unwrap());
    assert!(!store.create_token(&token(5, 600, 900), 2).await.unwrap());
    let rows = store.tokens_of(&me.id, 600).await.unwrap();
    assert_eq!(rows.len(), 2);
    // Nobody revokes another's.
    let id = rows[0].id.clone();
    assert_eq!(store.delete_token(&you.id, &id).await.unwrap(), None);
    let revoked = store.delete_token(&me.id, &id).await.unwrap();
    assert_eq!(revoked, Some([4; 32]));
    assert_eq!(store.delete_token(&me.id, &id).await.unwrap(), None);
    assert_eq!(store.token(&[4; 32], 700).await.unwrap(), None);
}

async fn an_account_becomes_a_bot_before_it_has_played(store: Arc<dyn Store>) {
    let account = async |name: &str| {
        let new = NewPlayer {
            player: Player {
                id: PlayerId::random(),
                name: name.into(),
                kind: PlayerKind::Account,
                level: None,
                created_ms: 1,
            },
            password_hash: Some("$hash".into()),
        };
        store.create_player(&new).await.unwrap();
        new.player
    };
    let (one, two, played) = (
        account("Roboti").await,
        account("Mashine").await,
        account("Mtu").await,
    );
    let bot = store.become_bot(&one.id).await.unwrap();
    let expected = Player {
        kind: PlayerKind::Bot,
        ..one.clone()
    };
    assert_eq!(bot, expected);
    assert!(!bot.is_computer());
    // Any number of them, beside one computer opponent a level.
    store.become_bot(&two.id).await.unwrap();
    let level = store.ensure_bot(1, "Kokoto", 1).await.unwrap();
    assert!(level.is_computer());
    assert_eq!(store.ensure_bot(1, "Kokoto", 1).await.unwrap(), level);
    assert!(
        store.credentials("roboti").await.unwrap().is_some(),
        "its owner can log in"
    );
    let again = store.become_bot(&one.id).await;
    assert!(matches!(again, Err(StoreError::Conflict)), "{again:?}");
    for seats in [[&played, &two], [&two, &played]] {
        let new = new_match(seats[0], seats[1]);
        store.create_match(&new).await.unwrap();
        let refused = store.become_bot(&played.id).await;
        assert!(matches!(refused, Err(StoreError::Conflict)), "{refused:?}");
    }
}

async fn a_challenge_is_accepted_once(store: Arc<dyn Store>) {
    let (me, you) = (a_player(&store).await, a_player(&store).await);
    let offer = |side| NewChallenge {
        id: ChallengeId::random(),
        challenger: me.id.clone(),
        game: GameKind::Mawe,
        setup: String::new(),
        side,
        time_control: BLITZ,
        rated: false,
        options: MatchOptions::usual(false),
        private: false,
        to: None,
        listed: false,
        rating_range: (None, None),
        created_ms: 10,
        expires_ms: 100,
    };
    let challenge = offer(Some(Side::Second));
    store.create_challenge(&challenge).await.unwrap();
    let row = store.find_challenge(&challenge.id).await.unwrap().unwrap();
    assert_eq!(
        (&row.offer, &row.challenger, row.match_id),
        (&challenge, &me, None)
    );

    let late = store
        .accept_challenge(&challenge.id, &new_match(&me, &you), 100)
        .await;
    assert!(matches!(late, Err(StoreError::Conflict)));
    let accepting: Vec<_> = (0..4)
        .map(|_| {
            let (store, id, new) = (store.clone(), challenge.id.clone(), new_match(&me, &you));
            tokio::spawn(
                async move { store.accept_challenge(&id, &new, 99).await.map(|()| new.id) },
            )
        })
        .collect();
    let mut made = Vec::new();
    for accepting in accepting {
        match accepting.await.unwrap() {
            Ok(id) => made.push(id),
            Err(refused) => assert!(matches!(refused, StoreError::Conflict)),
        }
    }
    let row = store.find_challenge(&challenge.id).await.unwrap().unwrap();
    assert_eq!((made.len(), row.match_id.as_ref()), (1, made.first()));
    assert_eq!(
        store.live_match_ids().await.unwrap(),
        made,
        "the others made no match"
    );
    assert!(matches!(
        store.cancel_challenge(&challenge.id).await,
        Err(StoreError::Conflict)
    ));

    let taken_back = offer(None);
    store.create_challenge(&taken_back).await.unwrap();
    store.cancel_challenge(&taken_back.id).await.unwrap();
    assert!(
        store
            .find_challenge(&taken_back.id)
            .await
            .unwrap()
            .unwrap()
            .cancelled
    );
    assert!(matches!(
        store.cancel_challenge(&taken_back.id).await,
        Err(StoreError::Conflict)
    ));
    let too_late = store
        .accept_challenge(&taken_back.id, &new_match(&me, &you), 20)
        .await;
    assert!(matches!(too_late, Err(StoreError::Conflict)));

    let unknown = ChallengeId::random();
    assert!(store.find_challenge(&unknown).await.unwrap().is_none());
    assert!(matches!(
        store.cancel_challenge(&unknown).await,
        Err(StoreError::NotFound)
    ));
    let unknown = store
        .accept_challenge(&unknown, &new_match(&me, &you), 20)
        .await;
    assert!(matches!(unknown, Err(StoreError::NotFound)));
}

fn challenge(from: &Player, to: Option<&Player>, created_ms: i64) -> NewChallenge {
    NewChallenge {
        id: ChallengeId::random(),
        challenger: from.id.clone(),
        game: GameKind::Kalah,
        setup: String::new(),
        side: None,
        time_control: BLITZ,
        rated: false,
        options: MatchOptions::usual(false),
        private: false,
        to: to.map(|to| to.id.clone()),
        listed: false,
        rating_range: (None, None),
        created_ms,
        expires_ms: created_ms + 100,
    }
}

async fn a_named_challenge_is_listed_while_it_is_open(store: Arc<dyn Store>) {
    let (me, you) = (a_player(&store).await, a_player(&store).await);
    let offers: Vec<NewChallenge> = (0..6).map(|n| challenge(&me, Some(&you), n)).collect();
    let link = challenge(&me, None, 10);
    let seek = NewChallenge {
        listed: true,
        ..challenge(&me, None, 11)
    };
    for offer in offers.iter().chain([&link, &seek]) {
        store.create_challenge(offer).await.unwrap();
    }
    let ids = |rows: Vec<store::ChallengeRow>| -> Vec<ChallengeId> {
        rows.into_iter().map(|row| row.offer.id).collect()
    };
    let to = async |player: &Player, now_ms, limit| {
        ids(store
            .challenges_to(&player.id, now_ms, limit)
            .await
            .unwrap())
    };
    let by = async |player: &Player, now_ms, limit| {
        ids(store
            .challenges_by(&player.id, now_ms, limit)
            .await
            .unwrap())
    };
    let at = |places: &[usize]| {
        places
            .iter()
            .map(|n| offers[*n].id.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(to(&you, 50, 10).await, at(&[5, 4, 3, 2, 1, 0]));
    assert_eq!(to(&you, 50, 2).await, at(&[5, 4]));
    assert_eq!(to(&me, 50, 10).await, []);
    assert_eq!(
        by(&me, 50, 10).await,
        [vec![link.id.clone()], at(&[5, 4, 3, 2, 1, 0])].concat()
    );
    assert_eq!(by(&you, 50, 10).await, []);

    // 0 and 1 expire, 2 is declined, 3 taken back, 4 accepted.
    let no = DeclineReason::TooSlow;
    let decline = async |n: usize, now_ms| store.decline_challenge(&offers[n].id, no, now_ms).await;
    decline(2, 50).await.unwrap();
    store.cancel_challenge(&offers[3].id).await.unwrap();
    let new = new_match(&me, &you);
    store
        .accept_challenge(&offers[4].id, &new, 50)
        .await
        .unwrap();
    assert_eq!(to(&you, 101, 10).await, at(&[5]));
    assert_eq!(
        by(&me, 101, 10).await,
        [vec![link.id.clone()], at(&[5])].concat()
    );
    let row = store.find_challenge(&offers[2].id).await.unwrap().unwrap();
    assert_eq!(row.declined, Some(no));
    for n in [1, 2, 3, 4] {
        let refused = decline(n, 101).await;
        assert!(matches!(refused, Err(StoreError::Conflict)), "{n}");
    }
    let new = new_match(&me, &you);
    for n in [1, 2] {
        let refused = store.accept_challenge(&offers[n].id, &new, 101).await;
        assert!(matches!(refused, Err(StoreError::Conflict)), "{n}");
    }
    let refused = store.cancel_challenge(&offers[2].id).await;
    assert!(matches!(refused, Err(StoreError::Conflict)));
    let unknown = store.decline_challenge(&ChallengeId::random(), no, 1).await;
    assert!(matches!(unknown, Err(StoreError::NotFound)));
}

async fn no_more_challenges_are_open_than_there_is_room_for(store: Arc<dyn Store>) {
    let (me, you) = (a_player(&store).await, a_player(&store).await);
    let many = async |to: Option<&Player>, now_ms| {
        let asking: Vec<_> = (0..8)
            .map(|_| {
                let (store, new) = (store.clone(), challenge(&me, to, now_ms));
                tokio::spawn(
                    async move { store.create_challenge_within(&new, 5, 2).await.unwrap() },
                )
            })
            .collect();
        let mut made = 0;
        for asking in asking {
            made += usize::from(asking.await.unwrap());
        }
        made
    };
    assert_eq!(many(Some(&you), 0).await, 2);
    assert_eq!(many(None, 0).await, 3);
    // A seek has no part in it, nor has what has expired.
    let seek = NewChallenge {
        listed: true,
        ..challenge(&you, None, 0)
    };
    store.create_challenge(&seek).await.unwrap();
    assert_eq!(many(Some(&you), 50).await, 0);
    assert_eq!(many(None, 100).await, 5);
    assert_eq!(store.challenges_by(&me.id, 100, 50).await.unwrap().len(), 5);
}

// --- ratings ---

/// Whoever wins gets 10 points from the other; a draw makes both surer.
fn rate(before: BySide<Option<Rating>>, winner: Option<Side>, at_ms: i64) -> BySide<Rating> {
    BySide::from_fn(|side| {
        let unrated = Rating {
            rating: 1500.0,
            deviation: 350.0,
            volatility: 0.06,
            updated_ms: None,
        };
        let before = before[side].unwrap_or(unrated);
        let gain = winner.map_or(0.0, |winner| if winner == side { 10.0 } else { -10.0 });
        Rating {
            rating: before.rating + gain,
            deviation: before.deviation / 2.0,
            updated_ms: Some(at_ms),
            ..before
        }
    })
}

async fn a_rating_is_settled_once(place: &impl Place) {
    let url = place.fresh().await;
    let store = store::open(&url).await.unwrap();
    let (one, other) = (a_player(&store).await, a_player(&store).await);
    let mut owed = Vec::new();
    for n in 0..6 {
        // By turns at either seat, so that locks taken by seat would cross.
        let (first, second) = if n % 2 == 0 {
            (&one, &other)
        } else {
            (&other, &one)
        };
        let new = new_match(first, second);
        store.create_match(&new).await.unwrap();
        let winner = [Some(Side::First), Some(Side::First), None][n % 3];
        let mut last = finishing(&new.id, 0, winner);
        last.finish.as_mut().unwrap().at_ms = 1000 + n as i64;
        assert_eq!(append(&store, last).await, Appended::Done);
        owed.push(new.id);
    }
    store.close().await;

    // A server that was stopped between the end of a match and its ratings finds the debt again.
    let store = store::open(&url).await.unwrap();
    assert_eq!(store.uncounted_matches(100).await.unwrap(), owed);
    assert_eq!(store.uncounted_matches(2).await.unwrap(), owed[..2]);
    assert!(
        store
            .find_match(&owed[0])
            .await
            .unwrap()
            .unwrap()
            .finish
            .unwrap()
            .owed
    );

    let settling: Vec<_> = owed
        .iter()
        .flat_map(|id| [id, id, id])
        .map(|id| {
            let (store, id) = (store.clone(), id.clone());
            tokio::spawn(async move { store.count_match(&id, rate).await.unwrap() })
        })
        .collect();
    let mut settled = 0;
    for settling in settling {
        settled += usize::from(settling.await.unwrap());
    }
    assert_eq!(settled, owed.len());
    assert_eq!(store.uncounted_matches(100).await.unwrap(), []);
    assert!(!store.count_match(&owed[0], rate).await.unwrap());
    assert!(!store.count_match(&MatchId::random(), rate).await.unwrap());

    // Matches 0 and 3 were won by the first seat, which `one` had, then `other`; 1 and 4 as well; 2 and 5 were drawn.
    for player in [&one, &other] {
        let row = store
            .rating(&player.id, GameKind::Mawe, Speed::Blitz)
            .await
            .unwrap()
            .unwrap();
        assert_eq!(row.rating.rating, 1500.0);
        assert_eq!(row.rating.deviation, 350.0 / 64.0);
        assert_eq!(
            row.tally,
            Tally {
                won: 2,
                drawn: 2,
                lost: 2
            }
        );
        assert_eq!(
            store.ratings_of(&player.id).await.unwrap(),
            std::slice::from_ref(&row)
        );
        let tallies = store.tallies_of(&player.id).await.unwrap();
        let sum = |of: fn(&Tally) -> u32| tallies.iter().map(|row| of(&row.tally)).sum::<u32>();
        assert_eq!(
            (sum(|t| t.won), sum(|t| t.drawn), sum(|t| t.lost)),
            (2, 2, 2)
        );
    }
    assert_eq!(
        store
            .rating(&one.id, GameKind::Mawe, Speed::Rapid)
            .await
            .unwrap(),
        None
    );
    assert_eq!(store.ratings_of(&PlayerId::random()).await.unwrap(), []);
    assert_eq!(store.tallies_of(&PlayerId::random()).await.unwrap(), []);
    // Casual, called off or counted: whatever was owed has its number.
    assert_eq!(store.counted().await.unwrap(), owed.len() as u64);

    let row = store.find_match(&owed[0]).await.unwrap().unwrap();
    assert_eq!(row.rating_changes, BySide::new(Some(10.0), Some(-10.0)));
    assert!(!row.finish.unwrap().owed);
    let drawn = store.find_match(&owed[2]).await.unwrap().unwrap();
    assert_eq!(drawn.rating_changes, BySide::new(Some(0.0), Some(0.0)));

    // Every step of the history begins where the one before ended.
    for player in [&one, &other] {
        let of = format!("FROM rating_history WHERE player_id = '{}'", player.id);
        let look = async |column: &str| {
            let sql = format!("SELECT {column} {of} ORDER BY deviation_after DESC");
            place.look(&url, &sql).await
        };
        let before = look("coalesce(rating_before, 0.0)").await;
        let after = look("rating_after").await;
        assert_eq!((before.len(), before[0]), (6, 0.0));
        assert_eq!(before[1..], after[..5]);
        assert_eq!(look("score").await.iter().sum::<f64>(), 3.0);
    }
}

async fn every_match_is_tallied_and_only_the_rated_rate(store: Arc<dyn Store>) {
    let (one, other) = (a_player(&store).await, a_player(&store).await);
    let first = Some(Side::First);
    for (players, game, rated, winner, reason) in [
        ((&one, &other), GameKind::Mawe, false, first, "no-moves"),
        ((&one, &other), GameKind::Mawe, true, first, "resign"),
        ((&other, &one), GameKind::Mawe, false, None, "agreement"),
        ((&other, &one), GameKind::Kalah, false, first, "time"),
        // None of these counts, though a room that erred owed them.
        ((&one, &one), GameKind::Mawe, false, first, "no-moves"),
        ((&one, &other), GameKind::Mawe, true, None, "aborted"),
        ((&one, &other), GameKind::Mawe, true, None, "no-show"),
    ] {
        let new = NewMatch {
            game,
            rated,
            ..new_match(players.0, players.1)
        };
        store.create_match(&new).await.unwrap();
        let mut last = finishing(&new.id, 0, winner);
        last.finish.as_mut().unwrap().reason = reason.into();
        append(&store, last).await;
        assert!(store.count_match(&new.id, rate).await.unwrap());
        let row = store.find_match(&new.id).await.unwrap().unwrap();
        assert_eq!(
            row.rating_changes.first.is_some(),
            rated && reason == "resign"
        );
    }
    let tally = |won, drawn, lost| Tally { won, drawn, lost };
    let at = |game, side, tally, matches: u64| SideTally {
        game,
        side,
        tally,
        plies: matches * 41,
    };
    assert_eq!(
        store.tallies_of(&one.id).await.unwrap(),
        [
            at(GameKind::Kalah, Side::Second, tally(0, 0, 1), 1),
            at(GameKind::Mawe, Side::First, tally(2, 0, 0), 2),
            at(GameKind::Mawe, Side::Second, tally(0, 1, 0), 1),
        ]
    );
    assert_eq!(
        store.head_to_head(&one.id, &other.id).await.unwrap(),
        [
            (GameKind::Kalah, tally(0, 0, 1)),
            (GameKind::Mawe, tally(2, 1, 0))
        ]
    );
    assert_eq!(
        store.head_to_head(&other.id, &one.id).await.unwrap(),
        [
            (GameKind::Kalah, tally(1, 0, 0)),
            (GameKind::Mawe, tally(0, 1, 2))
        ]
    );
    assert_eq!(store.head_to_head(&one.id, &one.id).await.unwrap(), []);
    let game = |game, first, drawn, matches: u64| GameTally {
        game,
        won: BySide::new(first, 0),
        drawn,
        plies: matches * 41,
    };
    assert_eq!(
        store.game_tallies().await.unwrap(),
        [
            game(GameKind::Kalah, 1, 0, 1),
            game(GameKind::Mawe, 2, 1, 3)
        ]
    );
    assert_eq!(store.ratings_of(&one.id).await.unwrap().len(), 1);
    let finished = store.finished_matches(None, 100).await.unwrap();
    let ids: Vec<MatchId> = finished.iter().map(|row| row.id.clone()).collect();
    assert!(ids.len() == 7 && ids.is_sorted());
    let rest = store.finished_matches(Some(&ids[4]), 100).await.unwrap();
    assert_eq!(rest, finished[5..]);
}

async fn a_rating_s_history_is_read_in_pages_from_either_end(store: Arc<dyn Store>) {
    let (one, other) = (a_player(&store).await, a_player(&store).await);
    for n in 0..23i64 {
        let new = new_match(&one, &other);
        store.create_match(&new).await.unwrap();
        let mut last = finishing(
            &new.id,
            0,
            [Some(Side::First), None][usize::from(n % 3 == 0)],
        );
        // Several at one moment, so that a page ends between two of one; and some that were counted late.
        last.finish.as_mut().unwrap().at_ms = (n / 4) * 10 - (n % 5);
        append(&store, last).await;
        assert!(store.count_match(&new.id, rate).await.unwrap());
    }
    let read = async |order, limit| {
        let mut all: Vec<RatingChange> = Vec::new();
        loop {
            let cursor = all.last().map(|change| HistoryCursor {
                at_ms: change.at_ms,
                ordinal: change.ordinal,
            });
            let page = store
                .rating_history(
                    &one.id,
                    GameKind::Mawe,
                    Speed::Blitz,
                    order,
                    cursor.as_ref(),
                    limit,
                )
                .await
                .unwrap();
            assert!(page.len() <= limit as usize);
            if page.is_empty() {
                break all;
            }
            all.extend(page);
        }
    };
    let whole = read(HistoryOrder::OldestFirst, 100).await;
    assert_eq!(whole.len(), 23);
    assert!(whole.is_sorted_by_key(|change| (change.at_ms, change.ordinal)));
    for limit in [1, 4, 22, 23] {
        assert_eq!(read(HistoryOrder::OldestFirst, limit).await, whole);
        let mut back = read(HistoryOrder::NewestFirst, limit).await;
        back.reverse();
        assert_eq!(back, whole);
    }
    let mut counted = store.rating_changes(0, 100).await.unwrap();
    assert_eq!(counted.len(), 46);
    assert!(counted.is_sorted_by_key(|change| (change.ordinal, change.side)));
    counted.retain(|change| change.player == one.id);
    for (before, after) in counted.iter().zip(&counted[1..]) {
        let begins = after.before.map(|rating| rating.rating);
        assert_eq!(begins, Some(before.after.rating));
    }
    assert_eq!((counted[0].before, &counted[0].opponent), (None, &other));
    assert_eq!(counted[0].won, None);
    assert_eq!(counted[1].won, Some(true));
    let some = store.rating_changes(3, 5).await.unwrap();
    assert!(some.iter().map(|change| change.ordinal).eq([4, 4, 5, 5]));
}

async fn the_leaderboard_is_in_order(store: Arc<dyn Store>) {
    let players = [
        a_player(&store).await,
        a_player(&store).await,
        a_player(&store).await,
    ];
    // 0 beats 1 twice, 1 beats 2 once: 20, -10, -10, with deviations of a quarter, an eighth and a half.
    for (winner, loser) in [(0, 1), (0, 1), (1, 2)] {
        let new = new_match(&players[winner], &players[loser]);
        store.create_match(&new).await.unwrap();
        append(&store, finishing(&new.id, 0, Some(Side::First))).await;
        assert!(store.count_match(&new.id, rate).await.unwrap());
    }
    let board = async |max_deviation, offset, limit| {
        let rows = store
            .leaderboard(GameKind::Mawe, Speed::Blitz, max_deviation, offset, limit)
            .await
            .unwrap();
        let place = |id: &PlayerId| players.iter().position(|player| player.id == *id).unwrap();
        let line = |row: &store::LeaderboardRow| (place(&row.player.id), row.row.rating.rating);
        rows.iter().map(line).collect::<Vec<_>>()
    };
    // Equal ratings are in the order of ids, so that pages do not overlap.
    let mut equal = [(1, 1490.0), (2, 1490.0)];
    equal.sort_by(|a, b| players[a.0].id.cmp(&players[b.0].id));
    let all = [(0, 1520.0), equal[0], equal[1]];
    assert_eq!(board(350.0, 0, 10).await, all);
    assert_eq!(board(350.0, 1, 1).await, all[1..2]);
    assert_eq!(board(100.0, 0, 10).await, [(0, 1520.0), (1, 1490.0)]);
    assert_eq!(board(350.0, 3, 10).await, []);
    let other_speed = store
        .leaderboard(GameKind::Mawe, Speed::Bullet, 350.0, 0, 10)
        .await
        .unwrap();
    assert_eq!(other_speed, []);
}

// --- when things go wrong ---

async fn what_was_begun_is_finished_though_nobody_waits(store: Arc<dyn Store>) {
    let ids = matches(&store, 40).await;
    let (one_player, other) = (a_player(&store).await, a_player(&store).await);
    let mut made = Vec::new();
    for id in &ids {
        poll_once_and_drop(store.append(&[one(id, 0, 0)]));
        let new = new_match(&one_player, &other);
        poll_once_and_drop(store.create_match(&new));
        poll_once_and_drop(store.ensure_bot(1, "Level 1", 0));
        made.push(new.id);
    }
    let deadline = Instant::now() + Duration::from_secs(10);
    for (id, made) in ids.iter().zip(&made) {
        while store.find_match(made).await.unwrap().is_none()
            || store.entries(id, 0).await.unwrap().len() != 1
        {
            assert!(Instant::now() < deadline, "a write was lost");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        assert_eq!(append(&store, one(id, 1, 0)).await, Appended::Done);
    }
}

fn poll_once_and_drop(future: impl Future) {
    let mut context = Context::from_waker(Waker::noop());
    assert!(pin!(future).poll(&mut context).is_pending());
}

async fn a_killed_database_is_unavailable_and_comes_back_whole(postgres: &Postgres) {
    let store = store::open(&postgres.fresh_database().await).await.unwrap();
    let ids = matches(&store, 16).await;
    let appenders: Vec<_> = ids
        .iter()
        .map(|id| {
            let (store, id) = (store.clone(), id.clone());
            tokio::spawn(async move { append_through_trouble(store, id).await })
        })
        .collect();
    tokio::time::sleep(Duration::from_millis(300)).await;
    postgres.kill().await;
    assert!(matches!(
        store.ping().await,
        Err(StoreError::Unavailable(_))
    ));
    let id = &ids[0];
    assert!(matches!(
        store.claim_match(id, "x").await,
        Err(StoreError::Unavailable(_))
    ));
    postgres.revive().await;
    for appender in appenders {
        appender.await.unwrap();
    }
}

/// Appends as a room does, until some entries after the first error are written, and then compares.
async fn append_through_trouble(store: Arc<dyn Store>, id: MatchId) {
    let mut head = 0;
    let mut after_trouble = None;
    let mut unsure = false;
    while after_trouble != Some(3) {
        match store.append(&[one(&id, head, 0)]).await {
            // A statement whose line broke may still be under way when it is read back, and be written after all: then the next is
            // fenced, and a room begins anew from its journal.
            Ok(answers) if unsure && answers == [Appended::Fenced] => {
                head = store.entries(&id, 0).await.unwrap().len() as u64;
                unsure = false;
            }
            Ok(answers) => {
                assert_eq!(answers, [Appended::Done]);
                unsure = false;
                head += 1;
                after_trouble = after_trouble.map(|written| written + 1);
            }
            Err(StoreError::Unavailable(_)) => {
                after_trouble.get_or_insert(0);
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            Err(StoreError::OutcomeUnknown(_)) => {
                after_trouble.get_or_insert(0);
                unsure = true;
                head = loop {
                    match store.entries(&id, 0).await {
                        Ok(entries) => break entries.len() as u64,
                        Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
                    }
                };
            }
            Err(other) => panic!("{other:?}"),
        }
    }
    let entries = store.entries(&id, 0).await.unwrap();
    assert!(entries.iter().map(|entry| entry.seq).eq(1..=head));
}

async fn several_servers_may_start_on_an_empty_database_at_once(postgres: &Postgres) {
    let url = postgres.fresh_database().await;
    let starting: Vec<_> = (0..4)
        .map(|_| {
            let url = url.clone();
            tokio::spawn(async move { store::open(&url).await.map(drop) })
        })
        .collect();
    for starting in starting {
        starting.await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn a_database_that_cannot_be_reached_is_named_without_its_password() {
    // A port that was free a moment ago: nobody listens there.
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let message = refusal(&format!("postgres://mawe:sesame@127.0.0.1:{port}/mawe")).await;
    assert!(message.contains(&format!("127.0.0.1:{port}")), "{message}");
    for url in [
        &format!("postgres://mawe:sesame@127.0.0.1:{port}/mawe"),
        "postgres://mawe:sesame@:x/mawe",
        "postgres://mawe:ses/ame@127.0.0.1/mawe",
        "mysql://mawe:sesame@127.0.0.1/mawe",
    ] {
        let message = refusal(url).await;
        assert!(
            !message.contains("ses") && !message.contains('\n'),
            "{message}"
        );
    }
}

#[tokio::test]
async fn a_second_server_on_one_file_is_refused() {
    let place = SqlitePlace::new();
    let url = place.fresh().await;
    let store = store::open(&url).await.unwrap();
    let message = refusal(&url).await;
    assert!(message.contains("in use by another server"), "{message}");
    store.close().await;
    store::open(&url).await.unwrap();
}

#[tokio::test]
async fn a_file_that_is_no_database_is_named() {
    let place = SqlitePlace::new();
    let file = place.file();
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    for garbage in [
        "these are not the bytes that you are looking for ".repeat(100),
        {
            // The right beginning, and then nothing that makes sense.
            format!(
                "SQLite format 3\0\u{10}\0\u{1}\u{1}\0@  {}",
                "x".repeat(5000)
            )
        },
    ] {
        std::fs::write(&file, garbage).unwrap();
        let message = refusal(&format!("sqlite:{}", file.display())).await;
        assert!(message.contains(file.to_str().unwrap()), "{message}");
        assert!(message.contains("damaged"), "{message}");
    }
}

#[tokio::test]
async fn a_directory_that_cannot_be_made_is_named() {
    let place = SqlitePlace::new();
    // A file where a directory is wanted stops root, too, whom permissions do not.
    let in_the_way = place.0.path().join("in-the-way");
    std::fs::write(&in_the_way, "").unwrap();
    let message = refusal(&format!("sqlite:{}/mawe.sqlite", in_the_way.display())).await;
    assert!(message.contains(in_the_way.to_str().unwrap()), "{message}");
    // A directory where the file is wanted.
    let message = refusal(&format!("sqlite:{}", place.0.path().display())).await;
    assert!(
        message.contains(place.0.path().to_str().unwrap()),
        "{message}"
    );
}

async fn refusal(url: &str) -> String {
    match store::open(url).await {
        Ok(_) => panic!("it was opened"),
        Err(error) => error.to_string(),
    }
}

// --- what the story is made of ---

const BLITZ: TimeControl = TimeControl::Realtime {
    base_ms: 300_000,
    increment_ms: 3_000,
};

async fn append(store: &Arc<dyn Store>, append: Append) -> Appended {
    store.append(&[append]).await.unwrap()[0]
}

fn one(id: &MatchId, head: u64, epoch: u64) -> Append {
    many(id, head, epoch, 1)
}

fn many(id: &MatchId, head: u64, epoch: u64, entries: u64) -> Append {
    let entry = |seq: u64| StoredEntry {
        seq,
        epoch,
        kind: "move".into(),
        payload: format!(r#"{{"text":"a1'\"; \\ ż മ","ply":{seq}}}"#),
        client_id: seq.is_multiple_of(2).then(|| format!("first:{seq}")),
        at_ms: 1_700_000_000_000 + seq as i64,
    };
    let entries = (head + 1..=head + entries).map(entry).collect();
    Append {
        match_id: id.clone(),
        head,
        epoch,
        entries,
        finish: None,
        due_ms: None,
    }
}

fn named(id: &MatchId, head: u64, client_id: &str) -> Append {
    let mut append = one(id, head, 0);
    append.entries[0].client_id = Some(client_id.to_owned());
    append
}

fn finishing(id: &MatchId, head: u64, winner: Option<Side>) -> Append {
    let finish = Finish {
        winner,
        reason: "no-moves".into(),
        score: Some(BySide::new(3, 2)),
        at_ms: 2_000,
        plies: 41,
        owed: true,
    };
    Append {
        finish: Some(finish),
        ..one(id, head, 0)
    }
}

async fn a_match(store: &Arc<dyn Store>) -> MatchId {
    matches(store, 1).await.remove(0)
}

async fn matches(store: &Arc<dyn Store>, number: usize) -> Vec<MatchId> {
    let (first, second) = (a_player(store).await, a_player(store).await);
    let mut ids = Vec::new();
    for _ in 0..number {
        let new = new_match(&first, &second);
        store.create_match(&new).await.unwrap();
        ids.push(new.id);
    }
    ids
}

fn new_match(first: &Player, second: &Player) -> NewMatch {
    NewMatch {
        id: MatchId::random(),
        game: GameKind::Mawe,
        setup: String::new(),
        rated: true,
        time_control: BLITZ,
        speed: Speed::Blitz,
        options: MatchOptions {
            takebacks: true,
            give_time: false,
            phrases: true,
        },
        private: false,
        players: BySide::new(first.id.clone(), second.id.clone()),
        ratings: BySide::default(),
        rematch_of: None,
        due_ms: None,
        created_ms: 1_000,
    }
}

async fn a_player(store: &Arc<dyn Store>) -> Player {
    let player = named_player(PlayerId::random().as_str(), PlayerKind::Account);
    store.create_player(&with_password(&player)).await.unwrap();
    player
}

fn named_player(name: &str, kind: PlayerKind) -> Player {
    Player {
        id: PlayerId::random(),
        name: name.to_owned(),
        kind,
        level: None,
        created_ms: 7,
    }
}

fn with_password(player: &Player) -> NewPlayer {
    NewPlayer {
        player: player.clone(),
        password_hash: Some("$argon2id$x".to_owned()),
    }
}
