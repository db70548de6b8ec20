//! Follows, blocks, and the challenges by name that a player takes, tested on both backends.

use std::sync::Arc;

use futures_util::future::join_all;
use mawe_rules::Side;
use mawe_store::{
    AccountChange, Attribution, ChallengeRule, ClosedByBlock, ExtraTime, FollowCounts, Followed,
    MatchCursor, NewChallenge, Offered, Player, Relation, RelationCursor, Store, StoreError,
};
use mawe_wire::ids::{ChallengeId, PlayerId};
use mawe_wire::people::ChallengesFrom;
use mawe_wire::{DeclineReason, MatchOptions, PlayerKind};

use super::story::{BLITZ, append, finishing, named_player, new_match, with_password};
use crate::common::place::{Place, SqlitePlace};
use crate::common::postgres::Postgres;

const MANY: u32 = 99;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sqlite_keeps_every_promise_about_relations() {
    every_promise(&SqlitePlace::new()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn postgres_keeps_every_promise_about_relations() {
    every_promise(&Postgres::start()).await;
}

async fn every_promise(place: &impl Place) {
    let open = async || mawe_store::open(&place.fresh().await).await.unwrap();
    a_follow_is_one_way_and_two_make_friends(open().await).await;
    lists_come_in_pages(open().await).await;
    limits_hold_for_concurrent_calls(open().await).await;
    a_block_ends_what_is_between_two(open().await).await;
    a_blocked_follower_sees_nothing_and_is_not_seen(open().await).await;
    between_blocked_players_no_match_is_made(open().await).await;
    of_concurrent_blocks_and_matches_none_is_later(open().await).await;
    matches_of_followed_players_are_found(open().await).await;
    the_rule_about_challenges_is_stored(open().await).await;
    of_a_deleted_account_nothing_is_left(open().await).await;
}

async fn account(store: &Arc<dyn Store>, name: &str) -> Player {
    let player = named_player(name, PlayerKind::Account);
    let new = with_password(&player);
    store.create_player(&new, None).await.unwrap();
    player
}

async fn accounts<const N: usize>(store: &Arc<dyn Store>) -> [Player; N] {
    let mut players = Vec::new();
    for number in 0..N {
        players.push(account(store, &format!("player-{number}")).await);
    }
    players.try_into().expect("so many")
}

async fn follow(store: &Arc<dyn Store>, player: &Player, followed: &Player, at_ms: i64) {
    let done = store.follow(&player.id, &followed.id, MANY, at_ms).await;
    assert_eq!(done.unwrap(), Followed::Yes);
}

async fn block(store: &Arc<dyn Store>, player: &Player, blocked: &Player) -> ClosedByBlock {
    let closed = store.block(&player.id, &blocked.id, MANY, 50).await;
    closed.unwrap().expect("there is room")
}

async fn relation(store: &Arc<dyn Store>, player: &Player, other: &Player) -> Relation {
    store.relation(&player.id, &other.id).await.unwrap()
}

fn challenge(by: &Player, to: Option<&Player>) -> NewChallenge {
    NewChallenge {
        id: ChallengeId::random(),
        challenger: by.id.clone(),
        game: mawe_rules::GameKind::ALL[0],
        setup: String::new(),
        side: None,
        time_control: BLITZ,
        extra: ExtraTime::default(),
        rated: false,
        options: MatchOptions::usual(false),
        private: false,
        to: to.map(|to| to.id.clone()),
        listed: false,
        rating_range: (None, None),
        created_ms: 5,
        expires_ms: 1_000_000,
    }
}

async fn a_follow_is_one_way_and_two_make_friends(store: Arc<dyn Store>) {
    let [me, you] = accounts(&store).await;
    assert_eq!(relation(&store, &me, &you).await, Relation::default());
    follow(&store, &me, &you, 1).await;
    follow(&store, &me, &you, 2).await;
    let one_way = relation(&store, &me, &you).await;
    assert!(one_way.follows && !one_way.followed_by && !one_way.are_friends());
    let back = relation(&store, &you, &me).await;
    assert!(!back.follows && back.followed_by);
    let listed = store.following(&me.id, None, 9).await.unwrap();
    assert_eq!(listed.len(), 1);
    assert_eq!(
        (listed[0].since_ms, listed[0].mutual),
        (1, false),
        "the first follow counts"
    );
    follow(&store, &you, &me, 3).await;
    assert!(relation(&store, &me, &you).await.are_friends());
    assert!(store.followers(&me.id, None, 9).await.unwrap()[0].mutual);
    let counts = FollowCounts {
        following: 1,
        followers: 1,
    };
    assert_eq!(store.follow_counts(&me.id).await.unwrap(), counts);
    for _ in 0..2 {
        store.unfollow(&me.id, &you.id).await.unwrap();
    }
    assert_eq!(store.following(&me.id, None, 9).await.unwrap(), []);
    let nobody = store.follow(&me.id, &PlayerId::random(), MANY, 4).await;
    assert!(matches!(nobody, Err(StoreError::NotFound)));
}

async fn lists_come_in_pages(store: Arc<dyn Store>) {
    let [me, a, b, c] = accounts(&store).await;
    for (other, at_ms) in [(&a, 7), (&b, 8), (&c, 8)] {
        follow(&store, &me, other, at_ms).await;
        follow(&store, other, &me, at_ms).await;
        store.block(&me.id, &other.id, MANY, at_ms).await.unwrap();
        store.unblock(&me.id, &other.id).await.unwrap();
        follow(&store, &me, other, at_ms).await;
    }
    let mut expected = [&b.id, &c.id];
    expected.sort_by(|one, other| other.cmp(one));
    let expected = [expected[0], expected[1], &a.id];
    let mut after = None;
    for id in expected {
        let page = store.following(&me.id, after.as_ref(), 1).await.unwrap();
        assert_eq!(page[0].player.id, *id);
        let followers = store.followers(&me.id, after.as_ref(), 1).await.unwrap();
        assert_eq!(followers[0].player.id, *id);
        after = Some(RelationCursor {
            since_ms: page[0].since_ms,
            player: id.clone(),
        });
    }
    assert_eq!(
        store.following(&me.id, after.as_ref(), 1).await.unwrap(),
        []
    );
    assert_eq!(store.blocks(&me.id, None, 9).await.unwrap(), []);
}

async fn limits_hold_for_concurrent_calls(store: Arc<dyn Store>) {
    let others: [Player; 6] = accounts(&store).await;
    let me = account(&store, "Mimi").await;
    let follows = others
        .iter()
        .map(|other| store.follow(&me.id, &other.id, 4, 1));
    let done = join_all(follows).await;
    let full = done
        .into_iter()
        .filter(|it| it.as_ref().unwrap() == &Followed::TooMany);
    assert_eq!(full.count(), 2);
    let blocks = others
        .iter()
        .map(|other| store.block(&me.id, &other.id, 4, 1));
    let done = join_all(blocks).await;
    assert_eq!(
        done.into_iter()
            .filter(|it| it.as_ref().unwrap().is_none())
            .count(),
        2
    );
    let blocked = store.blocks(&me.id, None, 9).await.unwrap();
    assert_eq!(blocked.len(), 4);
    // A block that is there is there: it needs no room.
    let again = store.block(&me.id, &blocked[0].player.id, 4, 2).await;
    assert!(again.unwrap().is_some());
}

async fn a_block_ends_what_is_between_two(store: Arc<dyn Store>) {
    let [me, you, other] = accounts(&store).await;
    follow(&store, &me, &you, 1).await;
    follow(&store, &you, &me, 1).await;
    let (mine, theirs) = (challenge(&me, Some(&you)), challenge(&you, Some(&me)));
    let (beside, by_link) = (challenge(&other, Some(&me)), challenge(&you, None));
    for new in [&mine, &theirs, &beside, &by_link] {
        let made = store.create_challenge_within(new, 9, 9, false).await;
        assert!(matches!(made.unwrap(), Offered::Made { .. }));
    }
    let unread = async |player: &Player| store.unread_notices(&player.id).await.unwrap();
    assert_eq!((unread(&me).await, unread(&you).await), (2, 1));
    let closed = block(&store, &me, &you).await;
    let expected = ClosedByBlock {
        declined: vec![theirs.id.clone()],
        cancelled: vec![mine.id.clone()],
    };
    assert_eq!(closed, expected);
    assert_eq!(block(&store, &me, &you).await, ClosedByBlock::default());
    assert_eq!((unread(&me).await, unread(&you).await), (1, 0));
    let row = async |id| {
        store
            .find_challenge(id)
            .await
            .unwrap()
            .expect("it is there")
    };
    assert_eq!(row(&theirs.id).await.declined, Some(DeclineReason::Generic));
    assert!(row(&mine.id).await.cancelled);
    assert!(row(&beside.id).await.declined.is_none());
    assert!(!row(&by_link.id).await.cancelled);
    let now = relation(&store, &me, &you).await;
    assert!(now.blocks && !now.follows && now.followed_by && now.is_apart());
    assert!(!now.are_friends());
    // The blocker decides anew after the block.
    assert_eq!(
        store.follow(&me.id, &you.id, MANY, 60).await.unwrap(),
        Followed::Blocked
    );
    let refused = store
        .create_challenge_within(&challenge(&you, Some(&me)), 9, 9, false)
        .await;
    assert!(matches!(refused, Err(StoreError::Blocked)));
    store.unblock(&me.id, &you.id).await.unwrap();
    store.unblock(&me.id, &you.id).await.unwrap();
    assert!(!relation(&store, &me, &you).await.is_apart());
    follow(&store, &me, &you, 70).await;
    assert!(relation(&store, &me, &you).await.are_friends());
}

async fn a_blocked_follower_sees_nothing_and_is_not_seen(store: Arc<dyn Store>) {
    let [me, you, other] = accounts(&store).await;
    follow(&store, &you, &me, 1).await;
    let (running, ended) = (new_match(&me, &other), new_match(&other, &me));
    for new in [&running, &ended] {
        store.create_match(new).await.unwrap();
    }
    append(&store, finishing(&ended.id, 0, Some(Side::First))).await;
    let seen = async |player: &Player| {
        let running = store.running_of_followed(&player.id, 9).await.unwrap();
        let ended = store.finished_of_followed(&player.id, 0, None, 9).await;
        (running.len(), ended.unwrap().len())
    };
    assert_eq!(seen(&you).await, (1, 1));
    block(&store, &me, &you).await;
    assert_eq!(seen(&you).await, (0, 0));
    let mine = store.following(&you.id, None, 9).await.unwrap();
    assert!(mine[0].hidden, "the follow itself stays");
    assert_eq!(store.followers(&me.id, None, 9).await.unwrap(), []);
    assert_eq!(store.follow_counts(&me.id).await.unwrap().followers, 0);
}

async fn between_blocked_players_no_match_is_made(store: Arc<dyn Store>) {
    let [me, you, other] = accounts(&store).await;
    let before = new_match(&me, &you);
    store.create_match(&before).await.unwrap();
    let by_link = challenge(&you, None);
    store.create_challenge(&by_link).await.unwrap();
    block(&store, &me, &you).await;
    for new in [new_match(&me, &you), new_match(&you, &me)] {
        let made = store.create_match(&new).await;
        assert!(matches!(made, Err(StoreError::Blocked)));
        assert!(store.find_match(&new.id).await.unwrap().is_none());
        let accepted = store.accept_challenge(&by_link.id, &new, 50).await;
        assert!(matches!(accepted, Err(StoreError::Blocked)));
    }
    let row = store.find_challenge(&by_link.id).await.unwrap().unwrap();
    assert!(row.match_id.is_none(), "it stays open for others");
    // With others, and alone, both play on.
    for (one, two) in [(&me, &other), (&other, &you), (&me, &me)] {
        store.create_match(&new_match(one, two)).await.unwrap();
    }
    assert!(store.is_blocked_at(&before.id, &you.id).await.unwrap());
    for player in [&me, &other] {
        assert!(!store.is_blocked_at(&before.id, &player.id).await.unwrap());
    }
    store.unblock(&me.id, &you.id).await.unwrap();
    assert!(!store.is_blocked_at(&before.id, &you.id).await.unwrap());
    store.create_match(&new_match(&me, &you)).await.unwrap();
}

async fn of_concurrent_blocks_and_matches_none_is_later(store: Arc<dyn Store>) {
    let players: [Player; 8] = accounts(&store).await;
    let pairs = players.chunks(2).map(async |pair| {
        let (me, you) = (&pair[0], &pair[1]);
        let new = new_match(me, you);
        let (made, ()) = tokio::join!(store.create_match(&new), async {
            block(&store, me, you).await;
        });
        let stored = store.find_match(&new.id).await.unwrap().is_some();
        match made {
            Ok(()) => assert!(stored),
            Err(StoreError::Blocked) => assert!(!stored),
            Err(error) => panic!("{error}"),
        }
        let later = store.create_match(&new_match(me, you)).await;
        assert!(matches!(later, Err(StoreError::Blocked)));
    });
    join_all(pairs).await;
}

async fn matches_of_followed_players_are_found(store: Arc<dyn Store>) {
    let [me, a, b, other] = accounts(&store).await;
    for followed in [&a, &b] {
        follow(&store, &me, followed, 1).await;
    }
    let mut ended = Vec::new();
    for (number, (one, two)) in [(&a, &other), (&other, &b), (&a, &b)]
        .into_iter()
        .enumerate()
    {
        let mut new = new_match(one, two);
        new.created_ms = 100 + i64::try_from(number).unwrap();
        store.create_match(&new).await.unwrap();
        append(&store, finishing(&new.id, 0, Some(Side::First))).await;
        ended.insert(0, new.id);
    }
    let mut private = new_match(&a, &other);
    private.private = true;
    let running = new_match(&b, &a);
    let strangers = new_match(&other, &me);
    for new in [&private, &running, &strangers] {
        store.create_match(new).await.unwrap();
    }
    let rows = store.running_of_followed(&me.id, 9).await.unwrap();
    let ids: Vec<_> = rows.iter().map(|row| &row.id).collect();
    assert_eq!(ids, [&running.id]);
    append(&store, finishing(&private.id, 0, None)).await;
    let page = async |since_ms, after: Option<&MatchCursor>, limit| {
        let rows = store.finished_of_followed(&me.id, since_ms, after, limit);
        let rows = rows.await.unwrap();
        rows.into_iter().map(|row| row.id).collect::<Vec<_>>()
    };
    assert_eq!(page(0, None, 9).await, ended, "each once, the newest first");
    assert_eq!(page(101, None, 9).await, ended[..2]);
    assert_eq!(page(0, None, 1).await, ended[..1]);
    let after = MatchCursor {
        created_ms: 101,
        id: ended[1].clone(),
    };
    assert_eq!(page(0, Some(&after), 9).await, ended[2..]);
}

async fn the_rule_about_challenges_is_stored(store: Arc<dyn Store>) {
    let [me] = accounts(&store).await;
    let kept = async || store.challenge_rule(&me.id).await.unwrap();
    assert_eq!(kept().await, ChallengeRule::default());
    for from in ChallengesFrom::ALL {
        let rule = ChallengeRule {
            from,
            min_rating: Some(1_200),
            max_rating: None,
        };
        store.set_challenge_rule(&me.id, rule).await.unwrap();
        assert_eq!(kept().await, rule);
    }
    let nobody = store.challenge_rule(&PlayerId::random()).await.unwrap();
    assert_eq!(nobody, ChallengeRule::default());
}

async fn of_a_deleted_account_nothing_is_left(store: Arc<dyn Store>) {
    let [me, you, other] = accounts(&store).await;
    for (one, two) in [(&me, &you), (&you, &me)] {
        follow(&store, one, two, 1).await;
    }
    for (one, two) in [(&me, &other), (&other, &me)] {
        block(&store, one, two).await;
    }
    let attribution = Attribution {
        by: None,
        why: String::new(),
        at_ms: 9,
    };
    let delete = AccountChange::Delete("deleted-1".to_owned());
    store
        .change_account(&me.id, &delete, &attribution)
        .await
        .unwrap();
    for player in [&you, &other] {
        assert_eq!(relation(&store, player, &me).await, Relation::default());
    }
}
