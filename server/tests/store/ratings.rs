//! Ratings and tallies.

use std::sync::Arc;

use mawe_play::rating;
use mawe_play::rating::Rating;
use mawe_rules::{BySide, GameKind, Side};
use mawe_store::{
    AccountChange, Appended, Attribution, GameTally, HistoryCursor, HistoryOrder, NewMatch, Player,
    RatingChange, SideTally, Store, Tally,
};
use mawe_wire::Speed;
use mawe_wire::ids::{MatchId, PlayerId};

use crate::common::place::Place;

use super::story::{a_player, append, finishing, new_match};

/// Runs each test on a database of its own.
pub(super) async fn every_promise(place: &impl Place) {
    let open = async || mawe_store::open(&place.fresh().await).await.unwrap();
    a_rating_is_settled_once(place).await;
    every_match_is_tallied_and_only_the_rated_rate(open().await).await;
    a_rating_s_history_is_read_in_pages_from_either_end(open().await).await;
    the_leaderboard_is_in_order(open().await).await;
    a_pair_s_matches_weigh_less_and_less(open().await).await;
    a_leaderboard_wants_different_opponents(open().await).await;
    ratings_are_counted_without_the_disabled_and_computer_opponents(open().await).await;
}

/// Plays and counts a rated match, which the first player wins.
pub(super) async fn won_by_first(store: &Arc<dyn Store>, first: &Player, second: &Player) {
    let new = new_match(first, second);
    store.create_match(&new).await.unwrap();
    append(store, finishing(&new.id, 0, Some(Side::First))).await;
    assert!(store.count_match(&new.id, rate).await.unwrap());
}

/// A test rating: the winner gets 10 points from the other player; a draw lowers both deviations.
fn rate(
    before: BySide<Option<Rating>>,
    winner: Option<Side>,
    _: f64,
    at_ms: i64,
) -> BySide<Rating> {
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
    let store = mawe_store::open(&url).await.unwrap();
    let (one, other) = (a_player(&store).await, a_player(&store).await);
    let mut uncounted = Vec::new();
    for n in 0..6 {
        // Alternately at either seat, so that locks taken by seat would deadlock.
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
        uncounted.push(new.id);
    }
    store.close().await;

    // A server that was stopped between the end of a match and its rating finds the uncounted match again.
    let store = mawe_store::open(&url).await.unwrap();
    assert_eq!(store.uncounted_matches(100).await.unwrap(), uncounted);
    assert_eq!(store.uncounted_matches(2).await.unwrap(), uncounted[..2]);
    assert!(
        store
            .find_match(&uncounted[0])
            .await
            .unwrap()
            .unwrap()
            .finish
            .unwrap()
            .uncounted
    );

    let settling: Vec<_> = uncounted
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
    assert_eq!(settled, uncounted.len());
    assert_eq!(store.uncounted_matches(100).await.unwrap(), []);
    assert!(!store.count_match(&uncounted[0], rate).await.unwrap());
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
    // Casual, called off or rated: each match that was processed has a number.
    assert_eq!(store.counted().await.unwrap(), uncounted.len() as u64);

    let row = store.find_match(&uncounted[0]).await.unwrap().unwrap();
    assert_eq!(row.rating_changes, BySide::new(Some(10.0), Some(-10.0)));
    assert!(!row.finish.unwrap().uncounted);
    let drawn = store.find_match(&uncounted[2]).await.unwrap().unwrap();
    assert_eq!(drawn.rating_changes, BySide::new(Some(0.0), Some(0.0)));

    // Every step of the history begins at the end of the previous one.
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
        // None of these counts, even if a faulty room marks them as uncounted.
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
        // Several at the same time, so that a page ends between two of them; and some that were counted late.
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
        won_by_first(&store, &players[winner], &players[loser]).await;
    }
    let board = async |max_deviation, offset, limit| {
        let rows = store
            .leaderboard(
                GameKind::Mawe,
                Speed::Blitz,
                max_deviation,
                1,
                offset,
                limit,
            )
            .await
            .unwrap();
        let place = |id: &PlayerId| players.iter().position(|player| player.id == *id).unwrap();
        let line =
            |row: &mawe_store::LeaderboardRow| (place(&row.player.id), row.row.rating.rating);
        rows.iter().map(line).collect::<Vec<_>>()
    };
    // Equal ratings are ordered by id, so that pages do not overlap.
    let mut equal = [(1, 1490.0), (2, 1490.0)];
    equal.sort_by(|a, b| players[a.0].id.cmp(&players[b.0].id));
    let all = [(0, 1520.0), equal[0], equal[1]];
    assert_eq!(board(350.0, 0, 10).await, all);
    assert_eq!(board(350.0, 1, 1).await, all[1..2]);
    assert_eq!(board(100.0, 0, 10).await, [(0, 1520.0), (1, 1490.0)]);
    assert_eq!(board(350.0, 3, 10).await, []);
    let other_speed = store
        .leaderboard(GameKind::Mawe, Speed::Bullet, 350.0, 0, 0, 10)
        .await
        .unwrap();
    assert_eq!(other_speed, []);
}

/// Plays a rated match that is counted at once; returns its row.
async fn counted(store: &Arc<dyn Store>, new: NewMatch, at_ms: i64) -> mawe_store::MatchRow {
    store.create_match(&new).await.unwrap();
    let mut last = finishing(&new.id, 0, Some(Side::First));
    last.finish.as_mut().unwrap().at_ms = at_ms;
    assert_eq!(append(store, last).await, Appended::Done);
    assert!(store.count_match(&new.id, rating::rate).await.unwrap());
    store.find_match(&new.id).await.unwrap().unwrap()
}

async fn a_pair_s_matches_weigh_less_and_less(store: Arc<dyn Store>) {
    const MINUTE_MS: i64 = 60_000;
    let (one, other) = (a_player(&store).await, a_player(&store).await);
    let third = a_player(&store).await;
    let start = 1_700_000_000_000;
    let rating_of = async |id: &PlayerId| {
        let row = store.rating(id, GameKind::Mawe, Speed::Blitz).await;
        row.unwrap().unwrap().rating
    };
    let mut weights = Vec::new();
    let mut before = None;
    for n in 0..7 {
        // The pair is the same at exchanged seats and at another speed.
        let seats = if n % 2 == 0 {
            [&one, &other]
        } else {
            [&other, &one]
        };
        let speed = if n == 1 { Speed::Rapid } else { Speed::Blitz };
        let new = NewMatch {
            speed,
            ..new_match(seats[0], seats[1])
        };
        let row = counted(&store, new, start + n * MINUTE_MS).await;
        weights.push(row.rating_weight.unwrap());
        if n >= 5 {
            assert_eq!(row.rating_changes, BySide::new(Some(0.0), Some(0.0)));
            assert_eq!(before, Some(rating_of(&one.id).await), "nothing changed");
        }
        before = Some(rating_of(&one.id).await);
    }
    assert_eq!(weights, [1.0, 1.0, 0.5, 0.25, 0.125, 0.0, 0.0]);

    // Matches of another game, against another opponent, and on another day count in full.
    let another_game = NewMatch {
        game: GameKind::Oware,
        ..new_match(&one, &other)
    };
    let row = counted(&store, another_game, start + 7 * MINUTE_MS).await;
    assert_eq!(row.rating_weight, Some(1.0));
    let row = counted(&store, new_match(&one, &third), start + 8 * MINUTE_MS).await;
    assert_eq!(row.rating_weight, Some(1.0));
    // A day after the first; the matches in the minutes after it are still in the window.
    let next_day = start + rating::PAIR_WINDOW_MS;
    let row = counted(&store, new_match(&one, &other), next_day).await;
    assert_eq!(row.rating_weight, Some(0.0));
    let row = counted(&store, new_match(&one, &other), next_day + 5 * MINUTE_MS).await;
    assert_eq!(row.rating_weight, Some(0.5));
}

async fn a_leaderboard_wants_different_opponents(store: Arc<dyn Store>) {
    let (me, friend) = (a_player(&store).await, a_player(&store).await);
    let bot = store.ensure_bot(1, "Kokoto", 1).await.unwrap();
    let mut at_ms = 1_700_000_000_000;
    let mut play = async |first: &Player, second: &Player| {
        at_ms += 2 * rating::PAIR_WINDOW_MS;
        counted(&store, new_match(first, second), at_ms).await;
    };
    for _ in 0..9 {
        play(&me, &friend).await;
        play(&me, &bot).await;
    }
    let board = async |min_opponents| {
        let page = store.leaderboard(GameKind::Mawe, Speed::Blitz, 350.0, min_opponents, 0, 50);
        let page = page.await.unwrap();
        let mine = page.iter().find(|line| line.player.id == me.id);
        mine.map(|line| line.row.opponents)
    };
    assert_eq!(
        board(1).await,
        Some(1),
        "a computer opponent is none, and a friend is one"
    );
    assert_eq!(board(2).await, None);
    for _ in 0..7 {
        let somebody = a_player(&store).await;
        play(&somebody, &me).await;
    }
    assert_eq!(board(rating::MIN_OPPONENTS).await, Some(8));
}

async fn ratings_are_counted_without_the_disabled_and_computer_opponents(store: Arc<dyn Store>) {
    let players = [
        a_player(&store).await,
        a_player(&store).await,
        a_player(&store).await,
    ];
    let bot = store.ensure_bot(1, "Kokoto", 1).await.unwrap();
    // 1520 with a deviation of a quarter, 1490 with an eighth, 1490 with a half.
    for (winner, loser) in [(0, 1), (0, 1), (1, 2)] {
        won_by_first(&store, &players[winner], &players[loser]).await;
    }
    won_by_first(&store, &bot, &a_player(&store).await).await;
    let of = |rating, players, provisional| mawe_store::RatingCount {
        game: GameKind::Mawe,
        speed: Speed::Blitz,
        rating,
        players,
        provisional,
    };
    let counts = store.rating_counts(100.0).await.unwrap();
    assert_eq!(counts, [of(1_490, 3, 2), of(1_520, 1, 0)]);
    let attribution = Attribution {
        by: None,
        why: String::new(),
        at_ms: 500,
    };
    store
        .change_account(&players[0].id, &AccountChange::Disable, &attribution)
        .await
        .unwrap();
    let counts = store.rating_counts(100.0).await.unwrap();
    assert_eq!(counts, [of(1_490, 3, 2)]);
}
