//! Timetables of events, tested on both backends: an occurrence has one event, limits hold, and rights are those of the moment.

use std::sync::Arc;

use futures_util::future::join_all;
use mawe_store::{
    AccountChange, Attribution, CLUB_LIMITS, ClubChange, EVENT_TIMETABLE_LIMITS, EventOccurrence,
    EventOccurrenceMade, EventRecurrence, EventTerms, EventTimetableCreated, EventTimetableLimits,
    EventTimetableReader, EventTimetableRow, NewEvent, NewEventTimetable, Player, Store,
};
use mawe_wire::clubs::Joining;
use mawe_wire::events::{EventInterval, EventKind, EventState, Weekday};
use mawe_wire::grants::Grant;
use mawe_wire::ids::{ClubId, EventId, EventTimetableId};

use super::clubs::club;
use super::events::{event, nothing, terms};
use super::story::a_player;
use crate::common::place::{Place, SqlitePlace};
use crate::common::postgres::Postgres;

const NOW: i64 = 1_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sqlite_keeps_every_promise_about_event_timetables() {
    every_promise(&SqlitePlace::new()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn postgres_keeps_every_promise_about_event_timetables() {
    every_promise(&Postgres::start()).await;
}

async fn every_promise(place: &impl Place) {
    let open = async || mawe_store::open(&place.fresh().await).await.unwrap();
    a_timetable_is_created_listed_and_deleted(open().await).await;
    an_occurrence_has_one_event(open().await).await;
    who_may_make_no_event_makes_none(open().await).await;
    a_flood_of_timetables_is_bounded(open().await).await;
}

pub(super) fn timetable(by: &Player, club: Option<&ClubId>) -> NewEventTimetable {
    NewEventTimetable {
        id: EventTimetableId::random(),
        recurrence: EventRecurrence {
            every: EventInterval::Weekly,
            weekdays: vec![Weekday::Friday, Weekday::Monday],
            at_minute: 1_110,
            zone: "Europe/Warsaw".to_owned(),
        },
        terms: terms(EventKind::RoundRobin),
        by: by.id.clone(),
        club: club.cloned(),
        password_hash: Some("$hash".to_owned()),
        created_ms: NOW,
    }
}

/// The next event of a timetable.
pub(super) fn occurrence(of: &NewEventTimetable, last_ms: i64, start_ms: i64) -> EventOccurrence {
    EventOccurrence {
        timetable: of.id.clone(),
        last_ms,
        event: NewEvent {
            id: EventId::random(),
            terms: EventTerms {
                start_ms,
                ..of.terms.clone()
            },
            by: of.by.clone(),
            club: of.club.clone(),
            password_hash: of.password_hash.clone(),
            address_key: None,
            created_ms: last_ms,
        },
    }
}

async fn make(store: &Arc<dyn Store>, next: &EventOccurrence) -> EventOccurrenceMade {
    let first = nothing(&next.event.id);
    let made = store.make_event_of_timetable(next, &first, 0).await;
    made.unwrap()
}

async fn created(store: &Arc<dyn Store>, new: &NewEventTimetable) -> EventTimetableCreated {
    let limits = &EVENT_TIMETABLE_LIMITS;
    store.create_event_timetable(new, limits).await.unwrap()
}

async fn founded(store: &Arc<dyn Store>, handle: &str, by: &Player) -> ClubId {
    let new = club(handle, by, Joining::Open);
    store.found_club(&new, &CLUB_LIMITS).await.unwrap();
    new.id
}

async fn change(store: &Arc<dyn Store>, who: &Player, change: AccountChange) {
    let attribution = Attribution {
        by: None,
        why: String::new(),
        at_ms: NOW,
    };
    let changed = store.change_account(&who.id, &change, &attribution).await;
    changed.unwrap();
}

async fn coming(store: &Arc<dyn Store>) -> usize {
    let page = store.events_in(EventState::Coming, None, 1_000).await;
    page.unwrap().len()
}

async fn a_timetable_is_created_listed_and_deleted(store: Arc<dyn Store>) {
    let (asha, bahati) = (a_player(&store).await, a_player(&store).await);
    let club = founded(&store, "friday", &asha).await;
    let of_club = timetable(&asha, Some(&club));
    let of_site = timetable(&bahati, None);
    for new in [&of_club, &of_site] {
        assert_eq!(created(&store, new).await, EventTimetableCreated::Created);
    }
    let row = store.event_timetable(&of_club.id).await.unwrap();
    let row = row.expect("it");
    assert_eq!(row.recurrence, of_club.recurrence);
    assert_eq!((&row.terms, row.last_ms), (&of_club.terms, NOW));
    assert_eq!(row.club.as_ref().map(|(id, _)| id), Some(&club));
    assert_eq!(
        (&row.by.id, row.password_hash.as_deref()),
        (&asha.id, Some("$hash"))
    );
    let listed = async |reader: EventTimetableReader| {
        let mut ids = Vec::new();
        loop {
            let page = store.event_timetables(&reader, ids.last(), 1).await;
            let page: Vec<EventTimetableRow> = page.unwrap();
            let Some(row) = page.into_iter().next() else {
                return ids;
            };
            ids.push(row.id);
        }
    };
    let of = |player: &Player, site| EventTimetableReader::Account {
        player: player.id.clone(),
        site,
    };
    let mut all = vec![of_club.id.clone(), of_site.id.clone()];
    all.sort();
    assert_eq!(listed(EventTimetableReader::All).await, all);
    assert_eq!(listed(of(&asha, true)).await, all);
    assert_eq!(
        listed(of(&asha, false)).await,
        std::slice::from_ref(&of_club.id)
    );
    assert_eq!(
        listed(of(&bahati, true)).await,
        std::slice::from_ref(&of_site.id)
    );
    assert_eq!(listed(of(&bahati, false)).await, []);
    assert!(store.delete_event_timetable(&of_site.id).await.unwrap());
    assert!(!store.delete_event_timetable(&of_site.id).await.unwrap());
    // It ends with its club.
    let limits = &CLUB_LIMITS;
    let closed = store.change_club(&club, &asha.id, &ClubChange::Close, limits, NOW);
    closed.await.unwrap();
    assert_eq!(listed(EventTimetableReader::All).await, []);
}

async fn an_occurrence_has_one_event(store: Arc<dyn Store>) {
    let asha = a_player(&store).await;
    let club = founded(&store, "friday", &asha).await;
    let new = timetable(&asha, Some(&club));
    created(&store, &new).await;
    let due = async |now_ms| store.due_event_timetables(now_ms, 9).await.unwrap().len();
    assert_eq!((due(NOW - 1).await, due(NOW).await), (0, 1));
    // Two nodes at the same time, again and again.
    let several: Vec<_> = (0..4).map(|_| occurrence(&new, NOW, 2_000)).collect();
    let made = join_all(several.iter().map(|next| make(&store, next))).await;
    let made = made
        .into_iter()
        .filter(|made| *made == EventOccurrenceMade::Made);
    assert_eq!((made.count(), coming(&store).await), (1, 1));
    assert_eq!((due(1_999).await, due(2_000).await), (0, 1));
    let late = occurrence(&new, NOW, 3_000);
    assert_eq!(make(&store, &late).await, EventOccurrenceMade::Passed);
    let next = occurrence(&new, 2_000, 3_000);
    assert_eq!(make(&store, &next).await, EventOccurrenceMade::Made);
    let row = store.find_event(&next.event.id).await.unwrap().expect("it");
    assert_eq!(row.terms, next.event.terms);
    // Events of timetables leave room for own ones, until it is stopped.
    let own = async || {
        let own = event(&asha);
        store
            .create_event(&own, &nothing(&own.id), 1, 0)
            .await
            .unwrap()
    };
    assert!(own().await && !own().await);
    assert!(store.delete_event_timetable(&new.id).await.unwrap());
    assert_eq!(coming(&store).await, 3, "its events stay");
    let after = occurrence(&new, 3_000, 4_000);
    assert_eq!(make(&store, &after).await, EventOccurrenceMade::Passed);
    let limits = EventTimetableLimits {
        coming: 3,
        ..EVENT_TIMETABLE_LIMITS
    };
    let again = timetable(&asha, Some(&club));
    let refused = store.create_event_timetable(&again, &limits).await;
    assert_eq!(refused.unwrap(), EventTimetableCreated::TooManyEvents);
}

async fn who_may_make_no_event_makes_none(store: Arc<dyn Store>) {
    let (asha, bahati) = (a_player(&store).await, a_player(&store).await);
    let club = founded(&store, "friday", &bahati).await;
    let of_site = timetable(&asha, None);
    let of_club = timetable(&asha, Some(&club));
    for new in [&of_site, &of_club] {
        created(&store, new).await;
    }
    // Neither an operator nor an officer.
    for new in [&of_site, &of_club] {
        let omitted = make(&store, &occurrence(new, NOW, 2_000)).await;
        assert_eq!(omitted, EventOccurrenceMade::Omitted);
    }
    assert_eq!(coming(&store).await, 0);
    change(&store, &asha, AccountChange::Grant(Grant::Operator)).await;
    let next = make(&store, &occurrence(&of_site, 2_000, 3_000)).await;
    assert_eq!(next, EventOccurrenceMade::Made);
    change(&store, &asha, AccountChange::Disable).await;
    let omitted = make(&store, &occurrence(&of_site, 3_000, 4_000)).await;
    assert_eq!(omitted, EventOccurrenceMade::Omitted);
    // Timetables end with the account; the event stays.
    change(&store, &asha, AccountChange::Delete("deleted-1".into())).await;
    let all = EventTimetableReader::All;
    assert_eq!(store.event_timetables(&all, None, 9).await.unwrap(), []);
    assert_eq!(coming(&store).await, 1);
}

async fn a_flood_of_timetables_is_bounded(store: Arc<dyn Store>) {
    let asha = a_player(&store).await;
    let club = founded(&store, "friday", &asha).await;
    let limits = EventTimetableLimits {
        of_club: 3,
        of_site: 4,
        all: 6,
        coming: 9,
    };
    let flood = async |club: Option<&ClubId>| {
        let new: Vec<_> = (0..8).map(|_| timetable(&asha, club)).collect();
        let made = join_all(
            new.iter()
                .map(|new| store.create_event_timetable(new, &limits)),
        )
        .await;
        let made = made.into_iter().map(Result::unwrap);
        made.filter(|made| *made == EventTimetableCreated::Created)
            .count()
    };
    // Of the club, for everybody, and in all.
    assert_eq!(flood(Some(&club)).await, 3);
    assert_eq!(flood(None).await, 3);
}
