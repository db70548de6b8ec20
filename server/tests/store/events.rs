//! Events, tested on both backends: an append is a compare-and-set, what follows from it is written with it, and each game is seated, ended,
//! skipped and corrected once.

use std::sync::Arc;

use mawe_rules::{BySide, GameKind, Side};
use mawe_store::{
    AccountChange, Attribution, AuditFilter, AuditRow, CLUB_LIMITS, ClubChange, EventAppend,
    EventColumns, EventCursor, EventFillIns, EventGameChange, EventGameKey, EventGameSeated,
    EventPlayerChange, EventTerms, NewAudit, NewEvent, NewMatch, Player, Store, StoreError,
    VoidMatches,
};
use mawe_wire::NoticeKind;
use mawe_wire::PlayerKind;
use mawe_wire::clubs::Joining;
use mawe_wire::events::{
    EventGameResult, EventGameSkipped, EventGameState, EventKind, EventPlayerState, EventState,
};
use mawe_wire::ids::{EventId, PlayerId};

use super::clubs::club;
use super::story::{
    BLITZ, a_player, append, finishing, named, named_player, new_match, with_password,
};
use crate::common::place::{Place, SqlitePlace};
use crate::common::postgres::Postgres;

const NOW: i64 = 1_000;
const START: i64 = 2_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sqlite_keeps_every_promise_about_events() {
    every_promise(&SqlitePlace::new()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn postgres_keeps_every_promise_about_events() {
    every_promise(&Postgres::start()).await;
}

async fn every_promise(place: &impl Place) {
    let open = async || mawe_store::open(&place.fresh().await).await.unwrap();
    an_event_is_created_joined_played_and_read_back(open().await).await;
    a_computer_opponent_enters_and_gets_no_notice(open().await).await;
    the_key_of_addresses_ends_with_the_event(open().await).await;
    of_concurrent_appends_one_is_first(open().await).await;
    a_game_is_seated_once_and_only_as_long_as_it_is_ready(open().await).await;
    a_match_made_void_is_reported_once(open().await).await;
    a_game_is_judged_with_a_line_in_the_log(open().await).await;
    an_account_has_a_number_of_coming_events(open().await).await;
    lists_of_events_come_in_pages(open().await).await;
    what_decides_about_joining_is_read(open().await).await;
}

pub(super) fn terms(kind: EventKind) -> EventTerms {
    EventTerms {
        kind,
        name: "Friday".to_owned(),
        description: "Every week".to_owned(),
        game: GameKind::Mawe,
        setup: String::new(),
        time_control: BLITZ,
        rated: true,
        start_ms: START,
        start_players: None,
        duration_ms: None,
        rounds: None,
        cycles: Some(1),
        games: Some(3),
        best_of: true,
        max_players: 16,
        berserk: false,
        host_extra_ms: 0,
        apart_by_address: true,
        fill_ins: Some(EventFillIns {
            players: 8,
            level: 3,
        }),
        min_rating: Some(1_000),
        max_rating: None,
        min_matches: 2,
    }
}

pub(super) fn event(by: &Player) -> NewEvent {
    NewEvent {
        id: EventId::random(),
        terms: terms(EventKind::RoundRobin),
        by: by.id.clone(),
        club: None,
        password_hash: None,
        address_key: Some(vec![7; 32]),
        created_ms: NOW,
    }
}

/// An append of one entry in a coming event.
pub(super) fn entry(id: &EventId, head: u64) -> EventAppend {
    EventAppend {
        event: id.clone(),
        head,
        at_ms: NOW,
        entries: vec![format!("{{\"entry\":{}}}", head + 1)],
        columns: EventColumns {
            state: EventState::Coming,
            sort_ms: START,
            due_ms: Some(START),
            players: 0,
            round: 0,
            finished_ms: None,
        },
        players: Vec::new(),
        games: Vec::new(),
        audit: None,
    }
}

/// The append of nothing with which an event is created.
pub(super) fn nothing(id: &EventId) -> EventAppend {
    EventAppend {
        entries: Vec::new(),
        ..entry(id, 0)
    }
}

fn running(append: EventAppend) -> EventAppend {
    EventAppend {
        columns: EventColumns {
            state: EventState::Running,
            sort_ms: START + 1,
            due_ms: None,
            players: 2,
            round: 1,
            finished_ms: None,
        },
        ..append
    }
}

/// Two players join a coming event.
pub(super) fn joined(id: &EventId, head: u64, players: [&Player; 2]) -> EventAppend {
    EventAppend {
        players: vec![join(0, &players[0].id), join(1, &players[1].id)],
        ..entry(id, head)
    }
}

/// A coming event of two players begins with two games that are ready.
pub(super) fn paired(id: &EventId, head: u64) -> EventAppend {
    let paired = |number: u32, first: u32| EventGameChange::Paired {
        number,
        round: 1,
        first,
        second: 1 - first,
        time_control: (number == 2).then_some(BLITZ),
    };
    EventAppend {
        games: vec![paired(1, 0), paired(2, 1)],
        ..running(entry(id, head))
    }
}

fn join(seat: u32, player: &PlayerId) -> EventPlayerChange {
    EventPlayerChange {
        seat,
        new: Some(player.clone()),
        state: EventPlayerState::In,
    }
}

pub(super) fn key(event: &EventId, number: u32) -> EventGameKey {
    EventGameKey {
        event: event.clone(),
        number,
    }
}

/// An event of two players with two games that are ready; its head is 2.
async fn begun(store: &dyn Store, players: [&Player; 2]) -> EventId {
    let new = event(players[0]);
    let created = store.create_event(&new, &nothing(&new.id), 99, 0).await;
    assert!(created.unwrap());
    let joined = joined(&new.id, 0, players);
    assert!(store.append_event(&joined).await.unwrap());
    assert!(store.append_event(&paired(&new.id, 1)).await.unwrap());
    new.id
}

async fn seated(store: &Arc<dyn Store>, id: &EventId, players: [&Player; 2]) -> NewMatch {
    let new = new_match(players[0], players[1]);
    let seated = store.seat_event_game(&key(id, 1), &new, &[], true).await;
    assert_eq!(seated.unwrap(), EventGameSeated::Seated);
    new
}

fn corrected(id: &EventId, head: u64, number: u32, result: EventGameResult) -> EventAppend {
    EventAppend {
        games: vec![EventGameChange::Corrected { number, result }],
        ..running(entry(id, head))
    }
}

fn ended(id: &EventId, head: u64, result: EventGameResult) -> EventAppend {
    EventAppend {
        games: vec![EventGameChange::Ended { number: 1, result }],
        ..running(entry(id, head))
    }
}

async fn two(store: &Arc<dyn Store>) -> [Player; 2] {
    [a_player(store).await, a_player(store).await]
}

async fn the_key_of_addresses_ends_with_the_event(store: Arc<dyn Store>) {
    let [asha, bahati] = two(&store).await;
    let id = begun(store.as_ref(), [&asha, &bahati]).await;
    let key = async || {
        store
            .find_event(&id)
            .await
            .unwrap()
            .expect("it")
            .address_key
    };
    assert_eq!(key().await, Some(vec![7; 32]));
    let mut end = running(entry(&id, 2));
    end.columns.state = EventState::Finished;
    assert!(store.append_event(&end).await.unwrap());
    assert_eq!(key().await, None);
}

async fn a_computer_opponent_enters_and_gets_no_notice(store: Arc<dyn Store>) {
    let asha = a_player(&store).await;
    let bot = store.ensure_bot(3, "mawe-Komwe", NOW).await.unwrap();
    let new = event(&asha);
    let first = joined(&new.id, 0, [&asha, &bot]);
    assert!(store.create_event(&new, &first, 5, 0).await.unwrap());
    let players = store.event_players(&new.id, &[1]).await.unwrap();
    assert_eq!(players, [(1, bot.clone())]);
    store.tell_event_starts(START, NOW, 9).await.unwrap();
    let begin = paired(&new.id, 1);
    assert!(store.append_event(&begin).await.unwrap());
    let game = seated(&store, &new.id, [&asha, &bot]).await;
    for about in [new.id.as_str(), game.id.as_str()] {
        let told = store.notices_about(about).await.unwrap();
        assert_eq!(told.len(), 1, "the computer needs none");
        assert_eq!(told[0].player, asha.id);
    }
}

async fn an_event_is_created_joined_played_and_read_back(store: Arc<dyn Store>) {
    let [asha, bahati] = two(&store).await;
    let new = event(&asha);
    let first = EventAppend {
        players: vec![join(0, &asha.id)],
        ..entry(&new.id, 0)
    };
    assert!(store.create_event(&new, &first, 5, 0).await.unwrap());
    let row = store.find_event(&new.id).await.unwrap().expect("it");
    assert_eq!((&row.terms, row.head), (&new.terms, 1));
    assert_eq!(row.columns, first.columns);
    assert_eq!(row.by, asha);
    let joining = EventAppend {
        players: vec![join(1, &bahati.id)],
        ..entry(&new.id, 1)
    };
    assert!(store.append_event(&joining).await.unwrap());
    assert!(
        !store.append_event(&joining).await.unwrap(),
        "the head is 2"
    );
    let entries = store.event_entries(&new.id, 0, 9).await.unwrap();
    let texts: Vec<&str> = entries.iter().map(|one| one.payload.as_str()).collect();
    assert_eq!(texts, ["{\"entry\":1}", "{\"entry\":2}"]);
    assert_eq!(store.event_entries(&new.id, 1, 9).await.unwrap().len(), 1);
    let mut players = store.event_players(&new.id, &[0, 1, 2]).await.unwrap();
    players.sort_by_key(|(seat, _)| *seat);
    assert_eq!(players, [(0, asha.clone()), (1, bahati.clone())]);

    // The notices before the start come once.
    let told = store.tell_event_starts(START, NOW, 9).await.unwrap();
    assert_eq!(told, std::slice::from_ref(&new.id));
    assert_eq!(store.tell_event_starts(START, NOW, 9).await.unwrap(), []);
    let notices = store.notices_about(new.id.as_str()).await.unwrap();
    assert_eq!(notices.len(), 2);
    assert_eq!(notices[0].kind, NoticeKind::EventStarts);
    assert_eq!(notices[0].about.event.as_ref().unwrap().name, "Friday");

    assert_eq!(store.due_events(START - 1, 9).await.unwrap(), []);
    let due = store.due_events(START, 9).await.unwrap();
    assert_eq!(due, std::slice::from_ref(&new.id));
    let begin = EventAppend {
        games: vec![EventGameChange::Paired {
            number: 1,
            round: 1,
            first: 1,
            second: 0,
            time_control: None,
        }],
        ..running(entry(&new.id, 2))
    };
    assert!(store.append_event(&begin).await.unwrap());
    assert_eq!(store.due_events(i64::MAX, 9).await.unwrap(), []);
    let ready = store.ready_event_games(9).await.unwrap();
    assert_eq!((ready.len(), ready[0].first, ready[0].second), (1, 1, 0));
    let game = seated(&store, &new.id, [&bahati, &asha]).await;
    assert_eq!(store.ready_event_games(9).await.unwrap(), []);
    let told = store.notices_about(game.id.as_str()).await.unwrap();
    assert_eq!(told.len(), 2);
    assert_eq!(told[0].kind, NoticeKind::EventMatchBegun);
    assert_eq!(store.ended_event_games(9).await.unwrap(), []);
    let mut halved = named(&game.id, 0, "second:1");
    halved.entries[0].kind = "berserk".to_owned();
    append(&store, halved).await;
    append(&store, finishing(&game.id, 1, Some(Side::First))).await;
    let over = store.ended_event_games(9).await.unwrap();
    let end = over[0].end.as_ref().expect("an end");
    assert_eq!((over.len(), end.winner), (1, Some(Side::First)));
    assert_eq!(end.berserk, BySide::new(false, true));
    let end = EventAppend {
        columns: EventColumns {
            state: EventState::Finished,
            finished_ms: Some(9_000),
            ..running(entry(&new.id, 3)).columns
        },
        ..ended(&new.id, 3, EventGameResult::First)
    };
    assert!(store.append_event(&end).await.unwrap());
    assert_eq!(store.ended_event_games(9).await.unwrap(), []);
    let games = store.event_games(&new.id, Some(1), 0, 9).await.unwrap();
    assert_eq!(games.len(), 1);
    assert_eq!(games[0].state, EventGameState::Ended);
    assert_eq!(games[0].result, Some(EventGameResult::First));
    assert_eq!(games[0].match_id.as_ref(), Some(&game.id));
    assert_eq!(store.event_games(&new.id, Some(2), 0, 9).await.unwrap(), []);
    let row = store.find_event(&new.id).await.unwrap().expect("it");
    assert_eq!(row.columns, end.columns);
}

async fn of_concurrent_appends_one_is_first(store: Arc<dyn Store>) {
    let asha = a_player(&store).await;
    let new = event(&asha);
    let created = store.create_event(&new, &nothing(&new.id), 5, 0).await;
    assert!(created.unwrap());
    let mut people = Vec::new();
    for _ in 0..8 {
        people.push(a_player(&store).await);
    }
    let tries = people.iter().map(|player| {
        let joining = EventAppend {
            players: vec![join(0, &player.id)],
            ..entry(&new.id, 0)
        };
        let store = Arc::clone(&store);
        tokio::spawn(async move { store.append_event(&joining).await.unwrap() })
    });
    let mut written = 0;
    for tried in tries.collect::<Vec<_>>() {
        written += u32::from(tried.await.unwrap());
    }
    assert_eq!(written, 1);
    assert_eq!(store.event_entries(&new.id, 0, 9).await.unwrap().len(), 1);
    assert_eq!(store.event_players(&new.id, &[0]).await.unwrap().len(), 1);
}

async fn a_game_is_seated_once_and_only_as_long_as_it_is_ready(store: Arc<dyn Store>) {
    let [asha, bahati] = two(&store).await;
    let id = begun(store.as_ref(), [&asha, &bahati]).await;
    seated(&store, &id, [&asha, &bahati]).await;
    let again = new_match(&asha, &bahati);
    let seated = store.seat_event_game(&key(&id, 1), &again, &[], true).await;
    assert_eq!(seated.unwrap(), EventGameSeated::NotReady);
    assert!(store.find_match(&again.id).await.unwrap().is_none());
    // One that is played is not skipped: the append is not written, and the head stays.
    let skip = |number| EventAppend {
        games: vec![EventGameChange::Skipped {
            number,
            reason: EventGameSkipped::Busy,
        }],
        ..running(entry(&id, 2))
    };
    assert!(!store.append_event(&skip(1)).await.unwrap());
    assert_eq!(store.find_event(&id).await.unwrap().expect("it").head, 2);
    let game = store.event_game(&key(&id, 2)).await.unwrap().expect("it");
    assert_eq!(game.time_control, Some(BLITZ));
    let operator = Attribution {
        by: None,
        why: "because".to_owned(),
        at_ms: NOW,
    };
    let disable = AccountChange::Disable;
    store
        .change_account(&bahati.id, &disable, &operator)
        .await
        .unwrap();
    let seated = store
        .seat_event_game(&key(&id, 2), &new_match(&bahati, &asha), &[], true)
        .await;
    let absent = EventGameSeated::Absent {
        first: true,
        second: false,
    };
    assert_eq!(seated.unwrap(), absent);
    assert!(store.append_event(&skip(2)).await.unwrap());
    let game = store.event_game(&key(&id, 2)).await.unwrap().expect("it");
    assert_eq!(game.state, EventGameState::Skipped);
    assert_eq!(game.skipped, Some(EventGameSkipped::Busy));
    // An account that cannot play does not join.
    let joining = EventAppend {
        players: vec![join(2, &bahati.id)],
        ..running(entry(&id, 3))
    };
    let refused = store.append_event(&joining).await;
    assert!(matches!(refused, Err(StoreError::Club(_))), "{refused:?}");
}

async fn a_match_made_void_is_reported_once(store: Arc<dyn Store>) {
    let [asha, bahati] = two(&store).await;
    let id = begun(store.as_ref(), [&asha, &bahati]).await;
    let game = seated(&store, &id, [&asha, &bahati]).await;
    append(&store, finishing(&game.id, 0, Some(Side::First))).await;
    let end = ended(&id, 2, EventGameResult::First);
    assert!(store.append_event(&end).await.unwrap());
    let void = VoidMatches {
        player: asha.id.clone(),
        opponent: None,
        since_ms: None,
        until_ms: None,
    };
    let moderator = Attribution {
        by: None,
        why: "because".to_owned(),
        at_ms: NOW,
    };
    assert_eq!(store.void_matches(&void, &moderator).await.unwrap(), 1);
    assert_eq!(store.changed_event_games(9).await.unwrap(), [key(&id, 1)]);
    let correct = corrected(&id, 3, 1, EventGameResult::CalledOff);
    assert!(store.append_event(&correct).await.unwrap());
    assert_eq!(store.changed_event_games(9).await.unwrap(), []);
    // One that is ready ends, too, as after the end of an arena; then nobody seats it.
    let close = EventAppend {
        games: vec![EventGameChange::Ended {
            number: 2,
            result: EventGameResult::CalledOff,
        }],
        ..running(entry(&id, 4))
    };
    assert!(store.append_event(&close).await.unwrap());
    let late = new_match(&bahati, &asha);
    let seated = store.seat_event_game(&key(&id, 2), &late, &[], true).await;
    assert_eq!(seated.unwrap(), EventGameSeated::NotReady);
    let game = store.event_game(&key(&id, 1)).await.unwrap().expect("it");
    assert_eq!(game.result, Some(EventGameResult::CalledOff));
}

async fn a_game_is_judged_with_a_line_in_the_log(store: Arc<dyn Store>) {
    let [asha, bahati] = two(&store).await;
    let id = begun(store.as_ref(), [&asha, &bahati]).await;
    let audit = NewAudit {
        attribution: Attribution {
            by: Some(asha.id.clone()),
            why: "because".to_owned(),
            at_ms: NOW,
        },
        action: "judge-game",
        about: None,
        match_id: None,
        detail: "game 2".to_owned(),
    };
    let log = async || {
        let all = store.audit(&AuditFilter::default(), None, 9).await;
        let of = |row: AuditRow| (row.action, row.detail, row.why);
        all.unwrap().into_iter().map(of).collect::<Vec<_>>()
    };
    let judge = |head| EventAppend {
        audit: Some(audit.clone()),
        ..corrected(&id, head, 2, EventGameResult::Drawn)
    };
    // One that is ready is not over: neither the result nor the line is written.
    assert!(!store.append_event(&judge(2)).await.unwrap());
    assert_eq!(log().await, []);
    let skip = EventAppend {
        games: vec![EventGameChange::Skipped {
            number: 2,
            reason: EventGameSkipped::Busy,
        }],
        ..running(entry(&id, 2))
    };
    assert!(store.append_event(&skip).await.unwrap());
    assert!(store.append_event(&judge(3)).await.unwrap());
    let line = ["judge-game", "game 2", "because"].map(str::to_owned);
    assert_eq!(log().await, [line.into()]);
    let game = store.event_game(&key(&id, 2)).await.unwrap().expect("it");
    assert_eq!(game.state, EventGameState::Ended);
    assert_eq!(game.result, Some(EventGameResult::Drawn));
    assert_eq!(game.skipped, None);
}

async fn an_account_has_a_number_of_coming_events(store: Arc<dyn Store>) {
    let asha = a_player(&store).await;
    let create = async |most, forget| {
        let new = event(&asha);
        let append = nothing(&new.id);
        let created = store.create_event(&new, &append, most, forget);
        created.await.unwrap().then_some(new.id)
    };
    let first = create(2, 0).await.expect("the first");
    assert!(create(2, 0).await.is_some());
    assert!(create(2, 0).await.is_none());
    let cancel = EventAppend {
        columns: EventColumns {
            state: EventState::Cancelled,
            sort_ms: 3_000,
            due_ms: None,
            ..entry(&first, 0).columns
        },
        ..entry(&first, 0)
    };
    assert!(store.append_event(&cancel).await.unwrap());
    assert!(create(2, 0).await.is_some());
    assert!(store.find_event(&first).await.unwrap().is_some());
    // Later the cancelled one is forgotten.
    assert!(create(3, 4_000).await.is_some());
    assert!(store.find_event(&first).await.unwrap().is_none());
}

async fn lists_of_events_come_in_pages(store: Arc<dyn Store>) {
    let asha = a_player(&store).await;
    let mut ids = Vec::new();
    for number in 0..5 {
        let mut new = event(&asha);
        new.terms.start_ms = START + number;
        let mut first = nothing(&new.id);
        first.columns.sort_ms = START + number;
        assert!(store.create_event(&new, &first, 9, 0).await.unwrap());
        ids.push(new.id);
    }
    let mut seen = Vec::new();
    let mut after = None;
    loop {
        let page = store.events_in(EventState::Coming, after.as_ref(), 2).await;
        let page = page.unwrap();
        let Some(last) = page.last() else { break };
        after = Some(EventCursor {
            sort_ms: last.columns.sort_ms,
            id: last.id.clone(),
        });
        seen.extend(page.into_iter().map(|row| row.id));
    }
    assert_eq!(seen, ids, "the next start first");
    for (number, id) in (0..).zip(&ids) {
        let mut begin = running(entry(id, 0));
        begin.columns.sort_ms = START + number;
        assert!(store.append_event(&begin).await.unwrap());
    }
    let page = store.events_in(EventState::Running, None, 9).await.unwrap();
    let latest_first: Vec<EventId> = page.into_iter().map(|row| row.id).collect();
    ids.reverse();
    assert_eq!(latest_first, ids);
}

async fn what_decides_about_joining_is_read(store: Arc<dyn Store>) {
    let asha = named_player("Asha", PlayerKind::Account);
    store
        .create_player(&with_password(&asha), None)
        .await
        .unwrap();
    let bahati = a_player(&store).await;
    let new = club("hidden", &asha, Joining::Invitation);
    store.found_club(&new, &CLUB_LIMITS).await.unwrap();
    let candidate = store
        .event_candidate(&asha.id, Some(&new.id))
        .await
        .unwrap();
    assert!(candidate.is_member && !candidate.is_kept);
    let candidate = store.event_candidate(&bahati.id, Some(&new.id)).await;
    assert!(!candidate.unwrap().is_member);
    let mut made = event(&asha);
    made.club = Some(new.id.clone());
    let created = store.create_event(&made, &nothing(&made.id), 9, 0).await;
    assert!(created.unwrap());
    let row = store.find_event(&made.id).await.unwrap().expect("it");
    assert_eq!(row.club.expect("the club").reference.handle, "hidden");
    assert!(row.for_club && !row.hidden);
    let closed = store.change_club(&new.id, &asha.id, &ClubChange::Close, &CLUB_LIMITS, 20);
    closed.await.unwrap();
    let row = store.find_event(&made.id).await.unwrap().expect("it");
    assert!(row.club.is_none() && row.for_club && row.hidden);
}
