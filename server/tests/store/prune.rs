//! Upkeep: it deletes unneeded rows, and no others; the time is passed in.

use std::sync::Arc;

use mawe_play::room::io::Finish;
use mawe_rules::GameKind;
use mawe_store::pruning::{self, Pruned};
use mawe_store::{
    Append, ExtraTime, NewChallenge, NewChatLine, NewMatch, NewPlayer, NewReport, NewSession,
    Player, Stale, Store,
};
use mawe_wire::chat::ChatRoom;
use mawe_wire::ids::{ChallengeId, MatchId, PlayerId, ReportId};
use mawe_wire::reports::ReportReason;
use mawe_wire::{MatchOptions, PlayerKind, Speed, TimeControl};

use super::story::{BLITZ, a_player, finishing, named_player, new_match, one};
use crate::common::place::Place;

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// The default time of all rows here.
const THEN: i64 = 1_000 * DAY_MS;

/// Runs each test on a database of its own.
pub(super) async fn every_promise(place: &impl Place) {
    let open = async || mawe_store::open(&place.fresh().await).await.unwrap();
    what_nobody_needs_goes_and_nothing_else(open().await).await;
    many_rows_go_a_few_at_a_time(open().await).await;
    one_node_a_day_does_it(open().await).await;
    who_shares_a_device_is_forgotten_after_a_year(open().await).await;
    a_game_against_the_computer_that_nobody_plays_is_not_shown(open().await).await;
}

async fn guest(store: &Arc<dyn Store>, created_ms: i64) -> Player {
    let player = Player {
        created_ms,
        ..named_player(MatchId::random().as_str(), PlayerKind::Guest)
    };
    let new = NewPlayer {
        player: player.clone(),
        password_hash: None,
    };
    store.create_player(&new, None).await.unwrap();
    player
}

async fn session(store: &Arc<dyn Store>, hash: u16, of: &Player, created_ms: i64, expires_ms: i64) {
    let mut token = [0; 32];
    token[..2].copy_from_slice(&hash.to_be_bytes());
    let new = NewSession {
        hash: token,
        player: of.id.clone(),
        label: String::new(),
        created_ms,
        expires_ms,
    };
    store.create_session(&new).await.unwrap();
}

async fn seek(store: &Arc<dyn Store>, by: &Player, expires_ms: i64) -> ChallengeId {
    let new = NewChallenge {
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
        created_ms: THEN,
        expires_ms,
    };
    store.create_challenge(&new).await.unwrap();
    new.id
}

/// Stores a match that ended for this reason, after this many plies.
async fn ended(store: &Arc<dyn Store>, seats: [&Player; 2], reason: &str, plies: u32) -> MatchId {
    let new = new_match(seats[0], seats[1]);
    store.create_match(&new).await.unwrap();
    let called_off = reason != "no-moves";
    let append = finishing(&new.id, 0, None);
    let append = Append {
        finish: append.finish.map(|finish| Finish {
            reason: reason.to_owned(),
            plies,
            at_ms: THEN,
            uncounted: !called_off,
            ..finish
        }),
        ..append
    };
    store.append(&[append]).await.unwrap();
    new.id
}

async fn what_nobody_needs_goes_and_nothing_else(store: Arc<dyn Store>) {
    let (me, you) = (a_player(&store).await, a_player(&store).await);
    let bot = store.ensure_bot(1, "Kokoto", 1).await.unwrap();
    let unplayed = ended(&store, [&me, &you], "aborted", 0).await;
    let nobody_came = ended(&store, [&bot, &you], "no-show", 1).await;
    let closed = ended(&store, [&me, &you], "closed", 0).await;
    let going = [&unplayed, &nobody_came, &closed];
    let moved = ended(&store, [&me, &you], "no-show", 1).await;
    let played = ended(&store, [&me, &you], "no-moves", 40).await;
    let reported = ended(&store, [&me, &you], "aborted", 0).await;
    let report = NewReport {
        id: ReportId::random(),
        reporter: me.id.clone(),
        reported: you.id.clone(),
        reason: ReportReason::Stalling,
        text: String::new(),
        match_id: Some(reported.clone()),
        chat_line: None,
        club: None,
        at_ms: THEN,
    };
    store.create_report(&report).await.unwrap();
    let met_again = ended(&store, [&me, &you], "aborted", 0).await;
    let rematch = NewMatch {
        rematch_of: Some(met_again.clone()),
        ..new_match(&you, &me)
    };
    store.create_match(&rematch).await.unwrap();
    let staying = [&moved, &played, &reported, &met_again, &rematch.id];

    // Lines of chat: of a match that is deleted, of one that stays, of one that an open report names, and of one that runs.
    for id in [&unplayed, &played, &reported, &rematch.id] {
        write_line(&store, id, &me).await;
    }

    // The guests: one in a match that is deleted, one in a match that stays, one with a later visit, one created later.
    let idle = guest(&store, THEN).await;
    let walked_away = guest(&store, THEN).await;
    ended(&store, [&walked_away, &idle], "no-show", 0).await;
    let player = guest(&store, THEN).await;
    ended(&store, [&player, &me], "no-moves", 12).await;
    let reader = guest(&store, THEN).await;
    let later = guest(&store, THEN + 1).await;
    session(&store, 1, &reader, THEN + DAY_MS, THEN + 90 * DAY_MS).await;
    session(&store, 2, &idle, THEN, THEN + 90 * DAY_MS).await;
    session(&store, 3, &me, THEN, THEN + DAY_MS).await;
    store.set_wish(&idle.id).await.unwrap();

    let expired = seek(&store, &me, THEN).await;
    let met = seek(&store, &me, THEN).await;
    store
        .accept_challenge(&met, &new_match(&me, &you), THEN - 1)
        .await
        .unwrap();

    // Nothing is deleted too early.
    let at = |days: i64| THEN + days * DAY_MS;
    let none = Pruned::default();
    assert_eq!(
        pruning::count(store.as_ref(), THEN - 1).await.unwrap(),
        none
    );
    assert_eq!(
        pruning::prune(store.as_ref(), THEN - 1).await.unwrap(),
        none
    );
    // After a day: the seek, and a session of one day.
    let day_after = Pruned {
        sessions: 1,
        challenges: 1,
        ..none
    };
    let counted = pruning::count(store.as_ref(), at(1)).await.unwrap();
    assert_eq!(counted, day_after);
    assert_eq!(
        pruning::prune(store.as_ref(), at(1)).await.unwrap(),
        day_after
    );
    assert!(store.find_challenge(&expired).await.unwrap().is_none());
    assert!(store.find_challenge(&met).await.unwrap().is_some());
    // After a week: the matches.
    let week_after = Pruned { matches: 4, ..none };
    assert_eq!(
        pruning::count(store.as_ref(), at(7)).await.unwrap(),
        week_after
    );
    assert_eq!(
        pruning::prune(store.as_ref(), at(7)).await.unwrap(),
        week_after
    );
    for id in going {
        assert!(store.find_match(id).await.unwrap().is_none());
        assert!(store.entries(id, 0).await.unwrap().is_empty());
    }
    for id in staying {
        assert!(store.find_match(id).await.unwrap().is_some());
    }
    // After a month: the guests, with all their rows, and the challenge whose match is old.
    let month_after = Pruned {
        challenges: 1,
        guests: 2,
        ..none
    };
    let counted = pruning::count(store.as_ref(), at(30)).await.unwrap();
    assert_eq!(counted, month_after);
    assert_eq!(
        pruning::prune(store.as_ref(), at(30)).await.unwrap(),
        month_after
    );
    for gone in [&idle, &walked_away] {
        assert!(store.find_player(&gone.id).await.unwrap().is_none());
    }
    for stays in [&player, &reader, &later, &me, &you, &bot] {
        assert!(store.find_player(&stays.id).await.unwrap().is_some());
    }
    // A line goes later than its match could have gone, and only from a match that is over and that no open report names.
    let stale = store.count_stale(Stale::ChatLines, THEN - 1).await;
    assert_eq!(stale.unwrap(), 0);
    let gone = store.delete_stale(Stale::ChatLines, THEN, 10).await;
    assert_eq!(gone.unwrap(), 1);
    for (id, lines) in [(&played, 0), (&reported, 1), (&rematch.id, 1)] {
        let last = store.last_chat_line(id, ChatRoom::Players).await.unwrap();
        assert_eq!(last, lines);
    }
    assert_eq!(pruning::count(store.as_ref(), at(30)).await.unwrap(), none);
}

async fn write_line(store: &Arc<dyn Store>, id: &MatchId, by: &Player) {
    let line = NewChatLine {
        match_id: id.clone(),
        room: ChatRoom::Players,
        player: by.id.clone(),
        text: "hello".to_owned(),
        at_ms: THEN,
    };
    let written = store.write_chat_line(&line, 9).await;
    assert_eq!(written.unwrap(), Some(1));
}

async fn many_rows_go_a_few_at_a_time(store: Arc<dyn Store>) {
    let mut guests = Vec::new();
    for _ in 0..23 {
        guests.push(guest(&store, THEN).await);
    }
    let now = THEN + pruning::GUEST_MS;
    for expected in [10, 10, 3, 0] {
        let gone = store.delete_stale(Stale::Guests, THEN, 10).await.unwrap();
        assert_eq!(gone, expected);
    }
    let left = pruning::count(store.as_ref(), now).await.unwrap();
    assert_eq!(left, Pruned::default());
}

async fn one_node_a_day_does_it(store: Arc<dyn Store>) {
    guest(&store, THEN).await;
    let now = THEN + pruning::GUEST_MS;
    let asked = (0..8).map(|_| {
        let store = Arc::clone(&store);
        tokio::spawn(async move { pruning::daily(store.as_ref(), now).await.unwrap() })
    });
    let mut done = Vec::new();
    for asked in asked.collect::<Vec<_>>() {
        done.extend(asked.await.unwrap());
    }
    assert_eq!(done.len(), 1, "one of them");
    assert_eq!(done[0].guests, 1);
    let daily = async |now| pruning::daily(store.as_ref(), now).await.unwrap();
    assert!(daily(now + DAY_MS - 1).await.is_none());
    assert!(daily(now + DAY_MS).await.is_some());
}

async fn who_shares_a_device_is_forgotten_after_a_year(store: Arc<dyn Store>) {
    let mut others = Vec::new();
    for _ in 0..12 {
        others.push(a_player(&store).await.id);
    }
    let me = others.pop().unwrap();
    let note = async |others: &[PlayerId], seen_ms| {
        let noted = store.note_shared_device(&me, others, seen_ms);
        noted.await.unwrap();
    };
    note(&others, THEN).await;
    // One of them is seen again, and a clock that goes back does not shorten that.
    note(&others[..1], THEN + DAY_MS).await;
    note(&others[..1], THEN - DAY_MS).await;
    let year_after = THEN + pruning::SHARED_DEVICE_MS;
    let gone = |shared_devices| Pruned {
        shared_devices,
        ..Pruned::default()
    };
    let count = async |now_ms| pruning::count(store.as_ref(), now_ms).await.unwrap();
    assert_eq!(count(year_after - 1).await, gone(0));
    assert_eq!(count(year_after).await, gone(10));
    for expected in [4, 4, 2, 0] {
        let deleted = store.delete_stale(Stale::SharedDevices, THEN, 4);
        assert_eq!(deleted.await.unwrap(), expected);
    }
    assert_eq!(count(year_after).await, gone(0));
    let next_day = pruning::prune(store.as_ref(), year_after + DAY_MS).await;
    assert_eq!(next_day.unwrap(), gone(1));
}

async fn a_game_against_the_computer_that_nobody_plays_is_not_shown(store: Arc<dyn Store>) {
    const MINUTE_MS: i64 = 60_000;
    let me = a_player(&store).await;
    let bot = store.ensure_bot(1, "Kokoto", 1).await.unwrap();
    let new = NewMatch {
        time_control: TimeControl::Unlimited,
        speed: Speed::Daily,
        rated: false,
        due_ms: Some(THEN + 14 * DAY_MS),
        created_ms: THEN,
        ..new_match(&me, &bot)
    };
    store.create_match(&new).await.unwrap();
    let shown = async |now_ms| {
        let all = store.running_matches(None, now_ms, 9).await.unwrap();
        let of_game = store.running_matches(Some(new.game), now_ms, 9);
        assert_eq!(all, of_game.await.unwrap());
        all.len()
    };
    assert_eq!(shown(THEN + 9 * MINUTE_MS).await, 1);
    assert_eq!(shown(THEN + 11 * MINUTE_MS).await, 0);
    // A move an hour later: it is the computer's turn, then the person's.
    let moved = THEN + 60 * MINUTE_MS;
    let append = |head, due_ms| Append {
        due_ms: Some(due_ms),
        ..one(&new.id, head, 0)
    };
    store.append(&[append(0, moved + MINUTE_MS)]).await.unwrap();
    assert_eq!(shown(moved + MINUTE_MS).await, 1);
    assert_eq!(shown(moved + 11 * MINUTE_MS).await, 0);
    store
        .append(&[append(1, moved + 14 * DAY_MS)])
        .await
        .unwrap();
    assert_eq!(shown(moved + 9 * MINUTE_MS).await, 1);
    assert_eq!(shown(moved + 11 * MINUTE_MS).await, 0);
}
