//! Chat: numbers without a gap, rights as they are stored, mutes, removal and erasure, tested on both backends.

use std::sync::Arc;

use futures_util::future::join_all;
use mawe_play::chat::{ChatRefusal, Person};
use mawe_rules::Side;
use mawe_store::{
    AccountChange, Attribution, AuditFilter, ExtraTime, NewChallenge, NewChatLine, NewMatch,
    Player, Store, StoreError,
};
use mawe_wire::chat::ChatRoom;
use mawe_wire::ids::{ChallengeId, MatchId, PlayerId};
use mawe_wire::{MatchOptions, PlayerKind};

use super::story::{
    BLITZ, a_match, a_player, append, finishing, named_player, new_match, with_password,
};
use crate::common::place::{Place, SqlitePlace};
use crate::common::postgres::Postgres;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sqlite_keeps_every_promise_about_chat() {
    every_promise(&SqlitePlace::new()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn postgres_keeps_every_promise_about_chat() {
    every_promise(&Postgres::start()).await;
}

async fn every_promise(place: &impl Place) {
    let open = async || mawe_store::open(&place.fresh().await).await.unwrap();
    lines_have_numbers_without_a_gap(open().await).await;
    a_room_is_full(open().await).await;
    the_facts_decide_about_the_rights(open().await).await;
    only_a_challenge_brings_players_together(open().await).await;
    a_reader_mutes_so_many(open().await).await;
    a_removed_line_is_in_the_log(open().await).await;
    of_a_deleted_account_nothing_is_left(open().await).await;
}

fn line(match_id: &MatchId, room: ChatRoom, by: &Player, text: &str) -> NewChatLine {
    NewChatLine {
        match_id: match_id.clone(),
        room,
        player: by.id.clone(),
        text: text.to_owned(),
        at_ms: 5,
    }
}

fn attribution(by: &Player, why: &str) -> Attribution {
    Attribution {
        by: Some(by.id.clone()),
        why: why.to_owned(),
        at_ms: 7,
    }
}

async fn account(store: &Arc<dyn Store>, name: &str) -> Player {
    let player = named_player(name, PlayerKind::Account);
    store
        .create_player(&with_password(&player), None)
        .await
        .unwrap();
    player
}

async fn lines_have_numbers_without_a_gap(store: Arc<dyn Store>) {
    let (id, me) = (a_match(&store).await, a_player(&store).await);
    assert_eq!(
        store.last_chat_line(&id, ChatRoom::Players).await.unwrap(),
        0
    );
    let text = "it's \"so\"; -- \\ ż മ 👩";
    let new = line(&id, ChatRoom::Players, &me, text);
    // Concurrent lines get different numbers.
    let written = join_all((0..12).map(|_| store.write_chat_line(&new, 99))).await;
    let mut numbers: Vec<u32> = written.into_iter().map(|it| it.unwrap().unwrap()).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=12).collect::<Vec<_>>());
    assert_eq!(
        store.last_chat_line(&id, ChatRoom::Players).await.unwrap(),
        12
    );
    // The other room, and another match, count for themselves.
    let other = line(&id, ChatRoom::Spectators, &me, text);
    assert_eq!(store.write_chat_line(&other, 99).await.unwrap(), Some(1));
    let lines = store
        .chat_lines(&id, ChatRoom::Players, 9, 2)
        .await
        .unwrap();
    let numbers: Vec<u32> = lines.iter().map(|line| line.number).collect();
    assert_eq!(numbers, [10, 11]);
    assert_eq!(lines[0].text, text);
    assert_eq!(lines[0].author.as_ref(), Some(&me));
    assert_eq!((lines[0].at_ms, lines[0].removed), (5, false));
    // A line of no match cannot be.
    let nowhere = line(&MatchId::random(), ChatRoom::Players, &me, text);
    assert!(store.write_chat_line(&nowhere, 99).await.is_err());
}

async fn a_room_is_full(store: Arc<dyn Store>) {
    let (id, me) = (a_match(&store).await, a_player(&store).await);
    let new = line(&id, ChatRoom::Spectators, &me, "again");
    let written = join_all((0..20).map(|_| store.write_chat_line(&new, 7))).await;
    let written = written
        .into_iter()
        .filter(|it| it.as_ref().unwrap().is_some());
    assert_eq!(written.count(), 7);
    assert_eq!(
        store
            .last_chat_line(&id, ChatRoom::Spectators)
            .await
            .unwrap(),
        7
    );
}

async fn the_facts_decide_about_the_rights(store: Arc<dyn Store>) {
    let (me, you) = (
        account(&store, "Amina").await,
        account(&store, "Baraka").await,
    );
    let other = account(&store, "Chiku").await;
    let new = new_match(&me, &you);
    store.create_match(&new).await.unwrap();
    let id = new.id;
    let facts = async |reader: Option<&PlayerId>| {
        let facts = store.chat_facts(&id, reader).await;
        facts.unwrap().expect("a match")
    };
    let place = facts(Some(&me.id)).await.place(Some(&me.id), 10);
    assert_eq!(
        place.person,
        Person::Account { chat: false },
        "off until it is switched on"
    );
    assert_eq!(place.opponent, Some(Person::Account { chat: false }));
    assert_eq!(place.over_ms, None);
    for player in [&me, &you, &other] {
        assert!(!store.has_chat(&player.id).await.unwrap());
        store.set_chat(&player.id, true).await.unwrap();
        assert!(store.has_chat(&player.id).await.unwrap());
    }
    store.set_chat(&you.id, false).await.unwrap();
    let place = facts(Some(&me.id)).await.place(Some(&me.id), 10);
    assert_eq!(place.person, Person::Account { chat: true });
    assert_eq!(place.opponent, Some(Person::Account { chat: false }));
    let place = facts(Some(&other.id)).await.place(Some(&other.id), 10);
    assert_eq!(
        (place.opponent, place.may_read(ChatRoom::Spectators)),
        (None, Ok(()))
    );
    let place = facts(None).await.place(None, 10);
    assert_eq!((place.person, place.opponent), (Person::Nobody, None));

    // Either mute ends the writing, the later end counts.
    for (change, until_ms) in [
        (AccountChange::MuteChatUntil(50), 50),
        (AccountChange::MuteUntil(20), 50),
        (AccountChange::MuteUntil(80), 80),
        (AccountChange::MuteChatUntil(i64::MAX), i64::MAX),
    ] {
        let by = attribution(&me, "loud");
        store.change_account(&other.id, &change, &by).await.unwrap();
        let facts = facts(Some(&other.id)).await;
        assert_eq!(facts.muted_until_ms, Some(until_ms));
        let write = |now_ms| {
            let place = facts.place(Some(&other.id), now_ms);
            place.may_write(ChatRoom::Spectators)
        };
        assert_eq!(write(until_ms - 1), Err(ChatRefusal::Muted));
        assert_eq!(write(until_ms), Ok(()));
    }

    append(&store, finishing(&id, 0, Some(Side::First))).await;
    let place = facts(Some(&me.id)).await.place(Some(&me.id), 2_500);
    assert_eq!(place.over_ms, Some(500));
    assert_eq!(
        store.chat_facts(&MatchId::random(), None).await.unwrap(),
        None
    );
}

async fn only_a_challenge_brings_players_together(store: Arc<dyn Store>) {
    let (me, you) = (
        account(&store, "Amina").await,
        account(&store, "Baraka").await,
    );
    let together = async |id: &MatchId| {
        let facts = store.chat_facts(id, None).await.unwrap();
        facts.expect("a match").by_challenge
    };
    for (to, listed, expected) in [
        (Some(you.id.clone()), false, true),
        (None, false, true),
        (None, true, false),
    ] {
        let offer = NewChallenge {
            id: ChallengeId::random(),
            challenger: me.id.clone(),
            game: mawe_rules::GameKind::Mawe,
            setup: String::new(),
            side: None,
            time_control: BLITZ,
            extra: ExtraTime::default(),
            rated: false,
            options: MatchOptions::usual(false),
            private: false,
            to,
            listed,
            rating_range: (None, None),
            created_ms: 1,
            expires_ms: 100,
        };
        store.create_challenge(&offer).await.unwrap();
        let first = new_match(&me, &you);
        store.accept_challenge(&offer.id, &first, 50).await.unwrap();
        assert_eq!(together(&first.id).await, expected, "{offer:?}");
        // A rematch is what its first match was, and so is the next one.
        let mut before = first.id;
        for _ in 0..2 {
            let next = NewMatch {
                rematch_of: Some(before),
                ..new_match(&you, &me)
            };
            store.create_match(&next).await.unwrap();
            assert_eq!(together(&next.id).await, expected, "{offer:?}");
            before = next.id;
        }
    }
    let paired = new_match(&me, &you);
    store.create_match(&paired).await.unwrap();
    assert!(!together(&paired.id).await);
}

async fn a_reader_mutes_so_many(store: Arc<dyn Store>) {
    let me = account(&store, "Amina").await;
    let mut others = Vec::new();
    for number in 0..6 {
        others.push(account(&store, &format!("Other-{number}")).await);
    }
    let muted = join_all(
        others
            .iter()
            .map(|it| store.mute_in_chat(&me.id, &it.id, 4, 5)),
    )
    .await;
    let muted = muted.into_iter().filter(|it| *it.as_ref().unwrap());
    assert_eq!(muted.count(), 4);
    let mutes = store.chat_mutes(&me.id).await.unwrap();
    assert_eq!(mutes.len(), 4);
    // Once more changes nothing, also at the limit.
    assert!(
        store
            .mute_in_chat(&me.id, &mutes[0].id, 4, 6)
            .await
            .unwrap()
    );
    store.unmute_in_chat(&me.id, &mutes[0].id).await.unwrap();
    store.unmute_in_chat(&me.id, &mutes[0].id).await.unwrap();
    assert_eq!(store.chat_mutes(&me.id).await.unwrap(), mutes[1..]);
    assert_eq!(store.chat_mutes(&others[0].id).await.unwrap(), []);
    let id = a_match(&store).await;
    let facts = store.chat_facts(&id, Some(&me.id)).await.unwrap().unwrap();
    assert_eq!(
        facts.mutes,
        mutes[1..].iter().map(|it| it.id.clone()).collect()
    );
}

async fn a_removed_line_is_in_the_log(store: Arc<dyn Store>) {
    let (id, me) = (a_match(&store).await, a_player(&store).await);
    let moderator = account(&store, "Mwalimu").await;
    let room = ChatRoom::Players;
    store
        .write_chat_line(&line(&id, room, &me, "ugly"), 9)
        .await
        .unwrap();
    let by = attribution(&moderator, "an insult");
    assert!(store.remove_chat_line(&id, room, 1, &by).await.unwrap());
    assert!(
        !store.remove_chat_line(&id, room, 1, &by).await.unwrap(),
        "once"
    );
    for (room, number) in [(room, 2), (room, 0), (ChatRoom::Spectators, 1)] {
        let nothing = store.remove_chat_line(&id, room, number, &by).await;
        assert!(matches!(nothing, Err(StoreError::NotFound)), "{nothing:?}");
    }
    let lines = store.chat_lines(&id, room, 0, 9).await.unwrap();
    assert_eq!((lines[0].removed, lines[0].text.as_str()), (true, "ugly"));
    // The next number is not that of the removed line.
    let next = store
        .write_chat_line(&line(&id, room, &me, "sorry"), 9)
        .await;
    assert_eq!(next.unwrap(), Some(2));
    let log = store.audit(&AuditFilter::default(), None, 9).await.unwrap();
    assert_eq!(log.len(), 1);
    let entry = &log[0];
    assert_eq!(
        (entry.action.as_str(), entry.detail.as_str()),
        ("remove-chat-line", "players 1")
    );
    assert_eq!(
        (entry.about.as_ref(), entry.match_id.as_ref()),
        (Some(&me), Some(&id))
    );
    assert_eq!(
        (entry.actor.as_ref(), entry.why.as_str()),
        (Some(&moderator), "an insult")
    );
}

async fn of_a_deleted_account_nothing_is_left(store: Arc<dyn Store>) {
    let (me, you) = (
        account(&store, "Amina").await,
        account(&store, "Baraka").await,
    );
    let id = a_match(&store).await;
    let room = ChatRoom::Spectators;
    for (by, text) in [(&me, "my secret"), (&you, "yours")] {
        store
            .write_chat_line(&line(&id, room, by, text), 9)
            .await
            .unwrap();
    }
    assert!(store.mute_in_chat(&me.id, &you.id, 9, 5).await.unwrap());
    assert!(store.mute_in_chat(&you.id, &me.id, 9, 5).await.unwrap());
    store.set_chat(&me.id, true).await.unwrap();
    let delete = AccountChange::Delete("deleted-1".to_owned());
    store
        .change_account(&me.id, &delete, &attribution(&you, ""))
        .await
        .unwrap();
    let lines = store.chat_lines(&id, room, 0, 9).await.unwrap();
    assert_eq!(
        (
            lines[0].number,
            lines[0].author.as_ref(),
            lines[0].text.as_str()
        ),
        (1, None, "")
    );
    assert_eq!(lines[1].text, "yours");
    assert!(!store.has_chat(&me.id).await.unwrap());
    assert_eq!(store.chat_mutes(&you.id).await.unwrap(), []);
    assert_eq!(store.chat_mutes(&me.id).await.unwrap(), []);
}
