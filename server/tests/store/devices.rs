//! Accounts that share a device, and the pairs that a moderator should review.

use std::sync::Arc;

use mawe_play::rating;
use mawe_rules::Side;
use mawe_store::{AccountChange, Attribution, NewPlayer, PairFilter, PairToReview, Player, Store};
use mawe_wire::PlayerKind;
use mawe_wire::ids::PlayerId;

use super::story::{a_player, finishing, named_player, new_match};
use crate::common::place::Place;

/// The greatest number of accounts that are stored as sharing a device with one account.
const MAX_SHARED: usize = 50;

const FILTER: PairFilter = PairFilter {
    since_ms: 0,
    min_matches: 5,
    min_matches_on_device: 2,
};

/// Runs each test on a database of its own.
pub(super) async fn every_promise(place: &impl Place) {
    let open = async || mawe_store::open(&place.fresh().await).await.unwrap();
    only_accounts_have_password_hashes(open().await).await;
    a_pair_is_listed_for_what_holds_of_it(open().await).await;
    only_accounts_share_devices_and_never_with_themselves(place).await;
    of_an_account_only_so_many_pairs_are_kept(place).await;
    a_deleted_account_shares_no_device(place).await;
}

async fn a_guest(store: &Arc<dyn Store>) -> Player {
    let player = named_player(PlayerId::random().as_str(), PlayerKind::Guest);
    let new = NewPlayer {
        player: player.clone(),
        password_hash: None,
    };
    store.create_player(&new, None).await.unwrap();
    player
}

/// Plays this many rated matches, each of which the first player wins.
async fn played(store: &Arc<dyn Store>, first: &Player, second: &Player, matches: usize) {
    for _ in 0..matches {
        let new = new_match(first, second);
        store.create_match(&new).await.unwrap();
        let won = finishing(&new.id, 0, Some(Side::First));
        store.append(&[won]).await.unwrap();
        assert!(store.count_match(&new.id, rating::rate).await.unwrap());
    }
}

async fn noted(store: &Arc<dyn Store>, player: &Player, others: &[&Player], seen_ms: i64) {
    let others: Vec<PlayerId> = others.iter().map(|other| other.id.clone()).collect();
    let noted = store.note_shared_device(&player.id, &others, seen_ms);
    noted.await.unwrap();
}

async fn listed(store: &Arc<dyn Store>) -> Vec<PairToReview> {
    store.pairs_to_review(&FILTER, 100).await.unwrap()
}

fn is_pair(pair: &PairToReview, one: &Player, other: &Player) -> bool {
    let [first, second] = &pair.players;
    (&first.id, &second.id) == (&one.id, &other.id)
        || (&first.id, &second.id) == (&other.id, &one.id)
}

async fn only_accounts_have_password_hashes(store: Arc<dyn Store>) {
    let (one, other) = (a_player(&store).await, a_player(&store).await);
    let guest = a_guest(&store).await;
    let bot = store.ensure_bot(1, "Kokoto", 1).await.unwrap();
    let unknown = PlayerId::random();
    let asked = [&other.id, &guest.id, &bot.id, &unknown, &one.id].map(PlayerId::clone);
    let hash = "$argon2id$x".to_owned();
    assert_eq!(
        store.password_hashes(&asked).await.unwrap(),
        [(other.id, hash.clone()), (one.id, hash)]
    );
    assert_eq!(store.password_hashes(&[]).await.unwrap(), []);
}

async fn a_pair_is_listed_for_what_holds_of_it(store: Arc<dyn Store>) {
    let mut players = Vec::new();
    for _ in 0..8 {
        players.push(a_player(&store).await);
    }
    let [a, b, c, d, e, f, g, h] = players.as_slice() else {
        panic!("there are eight");
    };
    // Only each other, on two devices; only each other, on one; on one, and others too; on one, and a single match.
    played(&store, a, b, 5).await;
    played(&store, c, d, 6).await;
    played(&store, e, f, 2).await;
    played(&store, g, h, 1).await;
    for (one, other) in [(e, g), (e, h), (f, g), (f, h), (g, a), (h, b)] {
        played(&store, one, other, 1).await;
    }
    let found = listed(&store).await;
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found.iter().all(|pair| !pair.share_device));

    // The order of the two logins does not matter, nor does their number.
    noted(&store, c, &[d], 7).await;
    noted(&store, f, &[e], 7).await;
    for seen_ms in [7, 9, 8] {
        noted(&store, g, &[h], seen_ms).await;
        noted(&store, h, &[g], seen_ms).await;
    }
    let found = listed(&store).await;
    assert_eq!(found.len(), 3, "{found:?}");
    for (pair, [one, other], matches, only_each_other, share_device) in [
        (&found[0], [c, d], 6, true, true),
        (&found[1], [a, b], 5, true, false),
        (&found[2], [e, f], 2, false, true),
    ] {
        assert!(is_pair(pair, one, other), "{pair:?}");
        assert_eq!(pair.matches, matches);
        assert_eq!(
            (pair.only_each_other, pair.share_device),
            (only_each_other, share_device),
            "{pair:?}"
        );
        let place = usize::from(pair.players[0].id != one.id);
        assert_eq!(
            (pair.won[place], pair.won[1 - place]),
            (matches, 0),
            "{pair:?}"
        );
    }
    assert_eq!(found[2].of, [4, 4]);

    // Each reason has its own smallest number of matches, and old matches do not count.
    let with = async |filter: PairFilter, limit| {
        let found = store.pairs_to_review(&filter, limit).await.unwrap();
        let matches = found.iter().map(|pair| pair.matches);
        matches.collect::<Vec<_>>()
    };
    let more_alone = PairFilter {
        min_matches: 6,
        ..FILTER
    };
    assert_eq!(with(more_alone, 100).await, [6, 2]);
    let more_on_device = PairFilter {
        min_matches_on_device: 7,
        ..FILTER
    };
    assert_eq!(with(more_on_device, 100).await, [6, 5]);
    let single = PairFilter {
        min_matches_on_device: 1,
        ..FILTER
    };
    assert_eq!(with(single, 100).await, [6, 5, 2, 1]);
    assert_eq!(with(single, 3).await, [6, 5, 2]);
    let later = PairFilter {
        since_ms: 2_001,
        ..FILTER
    };
    assert!(with(later, 100).await.is_empty());
}

async fn only_accounts_share_devices_and_never_with_themselves(place: &impl Place) {
    let url = place.fresh().await;
    let store = mawe_store::open(&url).await.unwrap();
    let (one, guest) = (a_player(&store).await, a_guest(&store).await);
    let bot = store.ensure_bot(1, "Kokoto", 1).await.unwrap();
    let nobody = named_player("Nobody", PlayerKind::Account);
    noted(&store, &one, &[&one, &guest, &bot, &nobody], 7).await;
    for player in [&guest, &bot, &nobody] {
        noted(&store, player, &[&one], 7).await;
    }
    noted(&store, &one, &[], 7).await;
    assert_eq!(rows(place, &url).await, 0);
}

async fn of_an_account_only_so_many_pairs_are_kept(place: &impl Place) {
    let url = place.fresh().await;
    let store = mawe_store::open(&url).await.unwrap();
    let me = a_player(&store).await;
    let mut others = Vec::new();
    for _ in 0..=MAX_SHARED {
        others.push(a_player(&store).await);
    }
    let (first, last) = (&others[0], &others[MAX_SHARED]);
    played(&store, &me, first, 2).await;
    played(&store, &me, last, 2).await;
    for (seen_ms, other) in (1_000..).zip(&others) {
        noted(&store, &me, &[other], seen_ms).await;
        let known = listed(&store).await;
        assert_eq!(known.len(), 1, "{known:?}");
        let other = if seen_ms == 1_050 { last } else { first };
        assert!(is_pair(&known[0], &me, other), "{known:?}");
    }
    // The oldest one is gone. Concurrent logins do not exceed the limit.
    assert_eq!(rows(place, &url).await, MAX_SHARED);
    let all: Vec<&Player> = others.iter().collect();
    tokio::join!(
        noted(&store, &me, &all, 5_000),
        noted(&store, &me, &all, 5_001)
    );
    assert_eq!(rows(place, &url).await, MAX_SHARED);
    // Other accounts have separate limits.
    noted(&store, first, &[&me], 6_000).await;
    assert_eq!(rows(place, &url).await, MAX_SHARED + 1);
}

async fn a_deleted_account_shares_no_device(place: &impl Place) {
    let url = place.fresh().await;
    let store = mawe_store::open(&url).await.unwrap();
    let (one, other, third) = (
        a_player(&store).await,
        a_player(&store).await,
        a_player(&store).await,
    );
    noted(&store, &one, &[&other, &third], 7).await;
    noted(&store, &other, &[&one, &third], 7).await;
    assert_eq!(rows(place, &url).await, 4);
    let delete = AccountChange::Delete("deleted-1".into());
    let attribution = Attribution {
        by: None,
        why: String::new(),
        at_ms: 9,
    };
    let deleted = store.change_account(&one.id, &delete, &attribution);
    deleted.await.unwrap();
    assert_eq!(rows(place, &url).await, 1);
    // A login that was in progress meanwhile.
    noted(&store, &other, &[&one], 8).await;
    noted(&store, &one, &[&other], 8).await;
    assert_eq!(rows(place, &url).await, 1);
}

/// Returns the number of stored pairs.
async fn rows(place: &impl Place, url: &str) -> usize {
    let count = "SELECT CAST(count(*) AS double precision) FROM shared_devices";
    place.look(url, count).await[0] as usize
}
