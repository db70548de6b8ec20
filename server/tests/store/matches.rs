//! Matches, their lists and their histories.

use std::sync::Arc;

use mawe_play::room::due::NEVER_DUE;
use mawe_rules::{AnySetup, BySide, GameKind, Side};
use mawe_store::{
    Appended, ExtraTime, MAX_UNTIMED, MatchCursor, MatchFilter, MatchRow, NewChallenge, NewMatch,
    Player, Score, Store, StoreError,
};
use mawe_wire::end_reason::EndReason;
use mawe_wire::ids::{ChallengeId, MatchId, PlayerId};
use mawe_wire::{MatchOptions, Speed, TimeControl};

use crate::common::place::Place;

use super::story::{BLITZ, a_match, a_player, append, finishing, new_match, one};

/// Runs each test on a database of its own.
pub(super) async fn every_promise(place: &impl Place) {
    let open = async || mawe_store::open(&place.fresh().await).await.unwrap();
    a_match_reads_back_as_it_was_written(open().await).await;
    every_time_control_and_option_reads_back(open().await).await;
    a_private_match_is_in_no_public_list(open().await).await;
    a_sleeping_match_is_found_when_it_is_due(open().await).await;
    a_finished_match_is_immutable(open().await).await;
    a_match_has_one_rematch(open().await).await;
    no_player_gets_more_running_matches_than_one_may_have(open().await).await;
    a_match_that_nobody_touches_leaves_room_for_others(open().await).await;
    matches_without_clocks_against_the_computer_have_a_limit_of_their_own(open().await).await;
    running_matches_are_listed_by_strength(open().await).await;
    what_could_be_on_runs_by_the_second_between_two_in_public(open().await).await;
    pages_hold_every_match_once(open().await).await;
    a_history_by_any_filter_is_what_it_says(open().await).await;
    a_match_of_rounds_that_ended_with_a_round_is_known_as_that_round(place).await;
}

/// Checks the migration of matches that an earlier version ended after their first round.
async fn a_match_of_rounds_that_ended_with_a_round_is_known_as_that_round(place: &impl Place) {
    let migrations = [
        include_str!("../../../migrations/sqlite/0015_match_options.sql"),
        include_str!("../../../migrations/postgres/0015_match_options.sql"),
    ];
    let [update, other] =
        migrations.map(|sql| &sql[sql.find("WITH RECURSIVE").expect("the statement")..]);
    assert_eq!(update, other);
    let url = place.fresh().await;
    let store = mawe_store::open(&url).await.unwrap();
    let (first, second) = (a_player(&store).await, a_player(&store).await);
    let mut expected = Vec::new();
    for (game, reason, before, after) in [
        (GameKind::Congkak, "row-empty", "rounds=3", "rounds=1"),
        (GameKind::Congkak, "row-empty", "rounds=1", "rounds=1"),
        (GameKind::Congkak, "row-empty", "", ""),
        (
            GameKind::Congkak,
            "row-empty",
            "form=limited,rounds=20",
            "form=limited,rounds=1",
        ),
        (
            GameKind::Congkak,
            "row-empty",
            "form=limited,rounds=12,round=2,owned=49-49,begins=n",
            "form=limited,rounds=2,round=2,owned=49-49,begins=n",
        ),
        (
            GameKind::Congkak,
            "row-empty",
            "rounds=20,round=12,owned=60-38",
            "rounds=12,round=12,owned=60-38",
        ),
        // It ended regardless of further rounds.
        (GameKind::Congkak, "resign", "rounds=3", "rounds=3"),
        (GameKind::Kalah, "row-empty", "rounds=3", "rounds=3"),
        (GameKind::Congkak, "", "rounds=5", "rounds=5"),
    ] {
        let mut new = new_match(&first, &second);
        (new.game, new.setup) = (game, before.to_owned());
        store.create_match(&new).await.unwrap();
        if !reason.is_empty() {
            let mut end = finishing(&new.id, 0, Some(Side::First));
            end.finish.as_mut().unwrap().reason = reason.to_owned();
            append(&store, end).await;
        }
        expected.push((new.id, after));
    }
    place.look(&url, update).await;
    for (id, setup) in expected {
        let row = store.find_match(&id).await.unwrap().unwrap();
        assert_eq!(row.setup, setup);
        if row.game == GameKind::Congkak {
            let parsed = AnySetup::parse(row.game, setup).expect("a setup");
            assert_eq!(parsed.to_string(), setup);
        }
    }
}

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
            extra_ms: new.extra_ms,
            options: new.options,
            private: new.private,
            players: BySide::new(first.clone(), second.clone()),
            ratings: new.ratings,
            rating_changes: BySide::default(),
            rating_weight: None,
            voided_ms: None,
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
                berserk: false,
                takebacks: bits & 1 != 0,
                give_time: bits & 2 != 0,
                phrases: bits & 4 != 0,
                free_takebacks: bits & 3 == 2,
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
            extra: ExtraTime::default(),
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
    let over = NewMatch {
        private: true,
        ..new_match(&first, &second)
    };
    store.create_match(&over).await.unwrap();
    append(&store, finishing(&over.id, 0, None)).await;
    assert_eq!(store.latest_results(0, 10).await.unwrap(), []);
    for game in [None, Some(GameKind::Mawe)] {
        let listed = store.running_matches(game, 1_000, 10).await.unwrap();
        assert_eq!(listed.len(), 1);
        assert_eq!(listed[0].id, open.id);
    }
    assert_eq!(
        store
            .running_matches_of(&first.id, None, 10)
            .await
            .unwrap()
            .len(),
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

    // An entry sets the next due time; an entry without one keeps it; the end of the match removes it.
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

    // A match that was called off need not be counted.
    let called_off = a_match(&store).await;
    let mut last = finishing(&called_off, 0, None);
    let finish = last.finish.as_mut().unwrap();
    (finish.reason, finish.uncounted) = ("aborted".into(), false);
    assert_eq!(append(&store, last).await, Appended::Done);
    assert_eq!(store.uncounted_matches(10).await.unwrap(), [id]);
    let row = store.find_match(&called_off).await.unwrap().unwrap();
    assert!(!row.finish.unwrap().uncounted);
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

/// Applies to every way of making a match, also at once.
async fn no_player_gets_more_running_matches_than_one_may_have(store: Arc<dyn Store>) {
    const AT_ONCE: usize = 110;
    let me = a_player(&store).await;
    let mut making = Vec::new();
    for number in 0..AT_ONCE {
        let you = a_player(&store).await;
        let seats = if number % 2 == 0 {
            [&me, &you]
        } else {
            [&you, &me]
        };
        let new = new_match(seats[0], seats[1]);
        let challenge = NewChallenge {
            id: ChallengeId::random(),
            challenger: you.id.clone(),
            game: GameKind::Mawe,
            setup: String::new(),
            side: None,
            time_control: BLITZ,
            extra: ExtraTime::default(),
            rated: false,
            options: new.options,
            private: false,
            to: None,
            listed: false,
            rating_range: (None, None),
            created_ms: 1,
            expires_ms: 100,
        };
        store.create_challenge(&challenge).await.unwrap();
        store.set_wish(&you.id).await.unwrap();
        let store = Arc::clone(&store);
        making.push(tokio::spawn(async move {
            match number % 3 {
                0 => store.create_match(&new).await,
                1 => store.accept_challenge(&challenge.id, &new, 10).await,
                _ => store.create_wished_match(&new, &[you.id]).await,
            }
        }));
    }
    let mut made = 0;
    for outcome in making {
        match outcome.await.unwrap() {
            Ok(()) => made += 1,
            Err(StoreError::TooManyMatches(player)) => assert_eq!(player, me.id),
            Err(other) => panic!("{other:?}"),
        }
    }
    let running = store.running_matches_of(&me.id, None, 200).await.unwrap();
    assert_eq!((made, running.len()), (50, 50));

    // The limit does not apply to a computer opponent; a finished match makes room for another one.
    let bot = store.ensure_bot(1, "Kokoto", 1).await.unwrap();
    for _ in 0..60 {
        let you = a_player(&store).await;
        store.create_match(&new_match(&you, &bot)).await.unwrap();
    }
    let refused = store.create_match(&new_match(&me, &bot)).await;
    assert!(matches!(refused, Err(StoreError::TooManyMatches(_))));
    let over = finishing(&running[0].id, 0, None);
    assert_eq!(append(&store, over).await, Appended::Done);
    store.create_match(&new_match(&me, &me)).await.unwrap();
    let refused = store.create_match(&new_match(&me, &me)).await;
    assert!(matches!(refused, Err(StoreError::TooManyMatches(_))));
}

fn without_clocks(first: &Player, second: &Player, due_ms: i64) -> NewMatch {
    NewMatch {
        time_control: TimeControl::Unlimited,
        speed: Speed::Daily,
        rated: false,
        due_ms: Some(due_ms),
        ..new_match(first, second)
    }
}

async fn a_match_that_nobody_touches_leaves_room_for_others(store: Arc<dyn Store>) {
    const DAY_MS: i64 = 24 * 60 * 60 * 1_000;
    let (me, you) = (a_player(&store).await, a_player(&store).await);
    let counted = async |now_ms| {
        let counts = store.running_counts(&me.id, now_ms).await.unwrap();
        assert_eq!(counts.untimed_against_bots, 0);
        counts.counted
    };
    assert_eq!(counted(1_000).await, 0);
    let new = without_clocks(&me, &you, NEVER_DUE);
    store.create_match(&new).await.unwrap();
    store
        .create_match(&without_clocks(&me, &me, NEVER_DUE))
        .await
        .unwrap();
    assert_eq!(counted(1_000 + 14 * DAY_MS).await, 2);
    assert_eq!(counted(1_001 + 14 * DAY_MS).await, 0);
    let moved = one(&new.id, 0, 0);
    let moved_ms = moved.entries[0].at_ms;
    assert_eq!(append(&store, moved).await, Appended::Done);
    assert_eq!(counted(moved_ms + 14 * DAY_MS).await, 1);
    assert_eq!(counted(moved_ms + 14 * DAY_MS + 1).await, 0);
    // A clock ends its match by itself, so that one counts.
    store.create_match(&new_match(&you, &me)).await.unwrap();
    assert_eq!(counted(moved_ms + 15 * DAY_MS).await, 1);
    let all = store.running_matches_of(&me.id, None, 9).await.unwrap();
    assert_eq!(all.len(), 3);
    let cursor = MatchCursor {
        created_ms: all[0].created_ms,
        id: all[0].id.clone(),
    };
    let rest = store.running_matches_of(&me.id, Some(&cursor), 9).await;
    assert_eq!(rest.unwrap(), all[1..]);
}

async fn matches_without_clocks_against_the_computer_have_a_limit_of_their_own(
    store: Arc<dyn Store>,
) {
    let me = a_player(&store).await;
    let bot = store.ensure_bot(1, "Kokoto", 1).await.unwrap();
    let mut made = Vec::new();
    for number in 0..MAX_UNTIMED {
        let seats = if number % 2 == 0 {
            [&me, &bot]
        } else {
            [&bot, &me]
        };
        let new = without_clocks(seats[0], seats[1], 9_000);
        store.create_match(&new).await.unwrap();
        made.push(new.id);
    }
    let counts = store.running_counts(&me.id, 1_000).await.unwrap();
    assert_eq!((counts.counted, counts.untimed_against_bots), (0, 200));
    let one_more = without_clocks(&me, &bot, 9_000);
    let refused = store.create_match(&one_more).await;
    assert!(matches!(refused, Err(StoreError::TooManyMatches(player)) if player == me.id));
    // There is room for every other match, and for one more of these when one is over.
    store.create_match(&new_match(&me, &bot)).await.unwrap();
    let over = finishing(&made[0], 0, None);
    assert_eq!(append(&store, over).await, Appended::Done);
    store.create_match(&one_more).await.unwrap();
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
        listed(store.running_matches(None, 1_000, 10).await.unwrap()),
        [1, 2, 3, 0]
    );
    assert_eq!(
        listed(
            store
                .running_matches(Some(GameKind::Mawe), 1_000, 3)
                .await
                .unwrap()
        ),
        [1, 2, 3]
    );
    assert_eq!(
        listed(store.running_matches_of(&other.id, None, 3).await.unwrap()),
        [3, 2, 1]
    );
    assert_eq!(store.live_match_ids().await.unwrap(), ids);
    assert_eq!(
        append(&store, finishing(&ids[1], 0, None)).await,
        Appended::Done
    );
    assert_eq!(
        listed(store.running_matches(None, 1_000, 10).await.unwrap()),
        [2, 3, 0]
    );
    assert_eq!(
        listed(store.running_matches_of(&one.id, None, 10).await.unwrap()),
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
    // Those by the day are not counted, those of one player at both seats are.
    assert_eq!(store.count_live_matches().await.unwrap(), 5);
    assert_eq!(live(1).await, std::slice::from_ref(&strong.id));
    append(&store, finishing(&strong.id, 0, None)).await;
    assert_eq!(live(10).await, [weak.id]);
}

async fn pages_hold_every_match_once(store: Arc<dyn Store>) {
    let (me, you) = (a_player(&store).await, a_player(&store).await);
    let mut expected = Vec::new();
    for n in 0..47 {
        let (first, second) = match n % 3 {
            0 => (&me, &you),
            1 => (&you, &me),
            _ => (&me, &me),
        };
        // Several matches at the same time, so that a page ends between two of them.
        let new = NewMatch {
            created_ms: n / 5,
            ..new_match(first, second)
        };
        store.create_match(&new).await.unwrap();
        expected.push((new.created_ms, new.id));
    }
    expected.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| b.1.cmp(&a.1)));
    for limit in [1, 7, 47, 1000] {
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

/// A simple second implementation, for comparison.
fn called_off(reason: &str) -> bool {
    ["aborted", "no-show", "left-early", "closed"].contains(&reason)
}

/// A simple second implementation of the filter, for comparison.
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
        .filter(|finish| other != me && !called_off(&finish.reason));
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
    let reasons: Vec<&str> = EndReason::all().map(EndReason::code).collect();
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
            if called_off(&finish.reason) {
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
