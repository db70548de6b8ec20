//! Classes, tested on both backends.

use std::sync::Arc;

use futures_util::future::join_all;
use mawe_rules::BySide;
use mawe_store::{
    AccountChange, Attribution, CARDS_KEPT, CLUB_LIMITS, ClubChange, ClubModeration, ClubRefusal,
    NewCards, NewClub, NewPupil, NewPupils, Player, PupilChange, PupilFault, PupilsMade, Store,
    StoreError,
};
use mawe_wire::PlayerKind;
use mawe_wire::clubs::{CardState, ClassRules, ClassRulesEdition, ClubKind, ClubStanding, Joining};
use mawe_wire::ids::{ChallengeId, ClubId, PlayerId, TokenHash};

use super::clubs::club;
use super::faults::challenge;
use super::story::{named_player, new_match, with_password};
use crate::common::place::{Place, SqlitePlace};
use crate::common::postgres::Postgres;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sqlite_keeps_every_promise_about_classes() {
    every_promise(&SqlitePlace::new()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn postgres_keeps_every_promise_about_classes() {
    every_promise(&Postgres::start()).await;
}

async fn every_promise(place: &impl Place) {
    let open = async || mawe_store::open(&place.fresh().await).await.unwrap();
    pupils_are_made_all_or_none(open().await).await;
    a_card_is_used_once_and_replaced(open().await).await;
    concurrent_uses_and_renewals_leave_one_open_card(open().await).await;
    a_class_keeps_to_itself(open().await).await;
    a_pupil_is_released_deleted_and_never_leads(open().await).await;
    a_class_without_teachers_waits_for_a_moderator(open().await).await;
}

async fn account(store: &Arc<dyn Store>, name: &str) -> Player {
    let player = named_player(name, PlayerKind::Account);
    let new = with_password(&player);
    store.create_player(&new, None).await.unwrap();
    player
}

/// Founds a class of a new teacher.
async fn class(store: &Arc<dyn Store>) -> (ClubId, Player) {
    let teacher = account(store, "Mwalimu").await;
    let new = NewClub {
        kind: ClubKind::Class,
        ..club("class", &teacher, Joining::Invitation)
    };
    store.found_club(&new, &CLUB_LIMITS).await.unwrap();
    (new.id, teacher)
}

fn code(text: &str) -> TokenHash {
    let mut hash = TokenHash::default();
    for (at, byte) in text.bytes().enumerate() {
        hash[at % hash.len()] ^= byte;
    }
    hash
}

/// Pupils of these account names, with the real names and the codes after them.
fn pupils(names: &[&str]) -> NewPupils {
    NewPupils {
        pupils: names
            .iter()
            .map(|name| NewPupil {
                id: PlayerId::random(),
                name: (*name).to_owned(),
                real_name: format!("Real {name}"),
                code: code(name),
            })
            .collect(),
        password_hash: "unknown".to_owned(),
        expires_ms: 1_000,
        now_ms: 10,
    }
}

async fn make(
    store: &Arc<dyn Store>,
    (class, teacher): (&ClubId, &Player),
    names: &[&str],
) -> Vec<PlayerId> {
    let new = pupils(names);
    let made = store.make_pupils(class, &teacher.id, &new, 500).await;
    assert_eq!(made.unwrap(), PupilsMade::Made);
    new.pupils.into_iter().map(|pupil| pupil.id).collect()
}

fn cards(of: &[(&PlayerId, &str)], now_ms: i64) -> NewCards {
    NewCards {
        cards: of
            .iter()
            .map(|(pupil, text)| ((*pupil).clone(), code(text)))
            .collect(),
        password_hash: "unknown again".to_owned(),
        expires_ms: now_ms + 1_000,
        now_ms,
    }
}

#[track_caller]
fn refused<T: std::fmt::Debug>(result: Result<T, StoreError>, refusal: ClubRefusal) {
    match result {
        Err(StoreError::Club(found)) => assert_eq!(found, refusal),
        other => panic!("{other:?}"),
    }
}

async fn pupils_are_made_all_or_none(store: Arc<dyn Store>) {
    let (class, teacher) = class(&store).await;
    let other = account(&store, "taken").await;
    make(&store, (&class, &teacher), &["asha", "baraka"]).await;
    let shown = store.class(&class).await.unwrap().unwrap();
    assert_eq!((shown.pupils, shown.rules), (2, ClassRules::default()));
    let members = store.club_members(&class, None, None, 10).await.unwrap();
    let made: Vec<bool> = members.iter().map(|member| member.pupil).collect();
    assert_eq!(made, [false, true, true]);

    // A real name of the class, however it is written, and a name of somebody else: neither the third is made.
    let mut new = pupils(&["chiku", "TAKEN", "dalila"]);
    new.pupils[0].real_name = "REAL ASHA".to_owned();
    let made = store.make_pupils(&class, &teacher.id, &new, 500).await;
    let faults = vec![(0, PupilFault::InClass), (1, PupilFault::NameTaken)];
    assert_eq!(made.unwrap(), PupilsMade::Faults(faults));
    assert!(store.find_player_by_name("dalila").await.unwrap().is_none());

    refused(
        store
            .make_pupils(&class, &teacher.id, &pupils(&["chiku", "dalila"]), 3)
            .await,
        ClubRefusal::ClassFull,
    );
    for stranger in [&other.id, &PlayerId::random()] {
        refused(
            store
                .make_pupils(&class, stranger, &pupils(&["chiku"]), 500)
                .await,
            ClubRefusal::OfficersOnly,
        );
    }
    let no_class = store
        .make_pupils(&ClubId::random(), &teacher.id, &pupils(&["chiku"]), 500)
        .await;
    assert!(matches!(no_class, Err(StoreError::NotFound)));

    let listed = store.pupils(&class, None, 10).await.unwrap();
    let names: Vec<&str> = listed.iter().map(|row| row.player.name.as_str()).collect();
    assert_eq!(names, ["asha", "baraka"]);
    assert_eq!(listed[0].card, Some((CardState::Open, 1_000)));
    let rest = store.pupils(&class, Some(&listed[0].player.id), 10).await;
    assert_eq!(rest.unwrap().len(), 1);
    let after_another = store.pupils(&class, Some(&teacher.id), 10).await;
    assert!(matches!(after_another, Err(StoreError::NotFound)));
    let standing = store.club_standing(&class, &listed[0].player.id).await;
    assert_eq!(standing.unwrap(), ClubStanding::Member);
}

async fn a_card_is_used_once_and_replaced(store: Arc<dyn Store>) {
    let (class, teacher) = class(&store).await;
    let [asha] = make(&store, (&class, &teacher), &["asha"])
        .await
        .try_into()
        .unwrap();
    let used = |text: &'static str, now_ms| {
        let store = &store;
        async move {
            let code = code(text);
            let used = store.use_login_card(&code, "chosen", now_ms).await;
            used.unwrap().is_some()
        }
    };
    assert!(!used("unknown", 11).await);
    assert!(!used("asha", 1_000).await, "it has expired");
    assert!(used("asha", 11).await);
    assert!(!used("asha", 12).await, "it was used");
    let credentials = store.credentials("asha").await.unwrap().unwrap();
    assert_eq!(credentials.1, "chosen");

    // A new card ends the password, and the one before it.
    for (number, text) in ["first", "second", "third", "fourth", "fifth", "sixth"]
        .into_iter()
        .enumerate()
    {
        // The clock of another node may be behind.
        let now_ms = 20 - i64::try_from(number).unwrap();
        let new = cards(&[(&asha, text)], now_ms);
        store.renew_cards(&class, &teacher.id, &new).await.unwrap();
    }
    let credentials = store.credentials("asha").await.unwrap().unwrap();
    assert_eq!(credentials.1, "unknown again");
    let replaced = store.login_card(&code("fifth")).await.unwrap().unwrap();
    assert_eq!(replaced.state, CardState::Replaced);
    assert!(!used("fifth", 21).await);
    // The store keeps the latest of seven.
    assert_eq!(CARDS_KEPT, 5);
    assert!(store.login_card(&code("first")).await.unwrap().is_none());
    let listed = store.pupils(&class, None, 10).await.unwrap();
    assert!(matches!(listed[0].card, Some((CardState::Open, _))));
    assert!(used("sixth", 21).await);

    // All of them or none.
    let new = cards(&[(&asha, "seventh"), (&teacher.id, "eighth")], 30);
    let renewed = store.renew_cards(&class, &teacher.id, &new).await;
    assert!(matches!(renewed, Err(StoreError::NotFound)));
    assert!(store.login_card(&code("seventh")).await.unwrap().is_none());
    refused(
        store
            .renew_cards(&class, &asha, &cards(&[(&asha, "ninth")], 31))
            .await,
        ClubRefusal::OfficersOnly,
    );
}

async fn concurrent_uses_and_renewals_leave_one_open_card(store: Arc<dyn Store>) {
    let (class, teacher) = class(&store).await;
    let [asha] = make(&store, (&class, &teacher), &["asha"])
        .await
        .try_into()
        .unwrap();
    let uses = (0..8).map(|number| {
        let store = store.clone();
        async move {
            let hash = format!("password {number}");
            let used = store.use_login_card(&code("asha"), &hash, 11).await;
            used.unwrap().is_some()
        }
    });
    let used = join_all(uses).await.into_iter().filter(|used| *used);
    assert_eq!(used.count(), 1);

    let texts = ["one", "two", "three", "four"];
    let renewals = texts.map(|text| {
        let new = cards(&[(&asha, text)], 20);
        let (store, class, teacher) = (store.clone(), class.clone(), teacher.id.clone());
        async move { store.renew_cards(&class, &teacher, &new).await.unwrap() }
    });
    join_all(renewals).await;
    let mut open = 0;
    for text in texts {
        let card = store.login_card(&code(text)).await.unwrap().unwrap();
        open += usize::from(card.state == CardState::Open);
    }
    assert_eq!(open, 1);
}

async fn a_class_keeps_to_itself(store: Arc<dyn Store>) {
    let (class, teacher) = class(&store).await;
    let stranger = account(&store, "Stranger").await;
    let bot = store.ensure_bot(1, "Kokoto", 1).await.unwrap();
    let made = make(&store, (&class, &teacher), &["asha", "baraka"]).await;
    let player = async |id: &PlayerId| store.find_player(id).await.unwrap().unwrap();
    let (asha, baraka) = (player(&made[0]).await, player(&made[1]).await);
    for permitted in [&baraka, &teacher, &bot] {
        store
            .create_match(&new_match(&asha, permitted))
            .await
            .unwrap();
    }
    for seats in [(&asha, &stranger), (&stranger, &asha)] {
        let refusal = store.create_match(&new_match(seats.0, seats.1)).await;
        refused(refusal, ClubRefusal::ClassOnly);
    }
    let challenge = challenge(&ChallengeId::random(), &stranger, Some(&asha), false);
    refused(
        store
            .create_challenge_within(&challenge, 10, 10, true)
            .await,
        ClubRefusal::ClassOnly,
    );
    let hidden = async |reader: Option<&PlayerId>| {
        let hidden = store.is_profile_hidden(&asha.id, reader).await;
        hidden.unwrap()
    };
    assert!(hidden(None).await && hidden(Some(&stranger.id)).await);
    assert!(!hidden(Some(&asha.id)).await && !hidden(Some(&baraka.id)).await);
    let found = store.find_players("ash", 10).await.unwrap();
    assert!(found.is_empty(), "{found:?}");
    let both = BySide::new(&asha.id, &baraka.id);
    let rules = store.class_rules_at(both).await.unwrap();
    assert_eq!(rules, ClassRules::default());
    store.set_chat(&asha.id, true).await.unwrap();
    assert!(!store.has_chat(&asha.id).await.unwrap());

    // Another club takes no pupil, and an officer is not told why.
    let open = club("open", &stranger, Joining::Open);
    store.found_club(&open, &CLUB_LIMITS).await.unwrap();
    let join = ClubChange::Join(String::new());
    let joined = store
        .change_club(&open.id, &asha.id, &join, &CLUB_LIMITS, 30)
        .await;
    refused(joined, ClubRefusal::ClassOnly);
    let invite = ClubChange::Invite(asha.id.clone());
    let invited = store
        .change_club(&open.id, &stranger.id, &invite, &CLUB_LIMITS, 30)
        .await;
    refused(invited, ClubRefusal::NoPerson);

    let all = ClassRules {
        outsiders: true,
        phrases: true,
        spectators: true,
        profiles: true,
    };
    let edition = ClassRulesEdition {
        outsiders: Some(true),
        phrases: Some(true),
        spectators: Some(true),
        profiles: Some(true),
    };
    let change = async |by: &Player, edition: &ClassRulesEdition| {
        store.change_class_rules(&class, &by.id, edition, 40).await
    };
    refused(change(&asha, &edition).await, ClubRefusal::OfficersOnly);
    change(&teacher, &edition).await.unwrap();
    // What is so already is no change.
    change(&teacher, &edition).await.unwrap();
    let log = store.club_log(&class, None, 10).await.unwrap();
    assert_eq!(
        log[0].detail,
        "outsiders=true phrases=true spectators=true profiles=true"
    );
    assert_ne!(log[0].action, log[1].action);
    store
        .create_match(&new_match(&stranger, &asha))
        .await
        .unwrap();
    assert!(!hidden(None).await);
    assert_eq!(store.class_rules_at(both).await.unwrap(), all);
    assert!(store.has_chat(&asha.id).await.unwrap());
    assert_eq!(store.find_players("ash", 10).await.unwrap().len(), 1);
    let joined = store
        .change_club(&open.id, &asha.id, &join, &CLUB_LIMITS, 41)
        .await;
    joined.unwrap();
}

async fn a_pupil_is_released_deleted_and_never_leads(store: Arc<dyn Store>) {
    let (class, teacher) = class(&store).await;
    let [asha, baraka] = make(&store, (&class, &teacher), &["asha", "baraka"])
        .await
        .try_into()
        .unwrap();
    let changed = async |by: &PlayerId, what: ClubChange| {
        store.change_club(&class, by, &what, &CLUB_LIMITS, 50).await
    };
    refused(changed(&asha, ClubChange::Leave).await, ClubRefusal::Pupil);
    let remove = ClubChange::Remove(asha.clone());
    refused(changed(&teacher.id, remove).await, ClubRefusal::Pupil);
    let appoint = ClubChange::Appoint(asha.clone());
    refused(changed(&teacher.id, appoint).await, ClubRefusal::Pupil);
    refused(
        changed(&teacher.id, ClubChange::Close).await,
        ClubRefusal::HasPupils,
    );

    let renamed = PupilChange::RealName("Asha Juma".to_owned());
    let change = async |by: &PlayerId, pupil: &PlayerId, what: &PupilChange| {
        store.change_pupil(&class, by, pupil, what, 60).await
    };
    change(&teacher.id, &asha, &renamed).await.unwrap();
    let twice = change(&teacher.id, &baraka, &renamed).await;
    assert!(matches!(twice, Err(StoreError::Conflict)), "{twice:?}");
    refused(
        change(&asha, &asha, &renamed).await,
        ClubRefusal::OfficersOnly,
    );
    assert!(store.teaches(&teacher.id, &asha).await.unwrap());
    assert!(!store.teaches(&asha, &baraka).await.unwrap());

    let release = PupilChange::Release;
    change(&teacher.id, &asha, &release).await.unwrap();
    assert_eq!(store.class_of(&asha).await.unwrap(), None);
    let standing = store.club_standing(&class, &asha).await.unwrap();
    assert_eq!(standing, ClubStanding::None);
    assert!(store.login_card(&code("asha")).await.unwrap().is_none());
    let again = change(&teacher.id, &asha, &release).await;
    assert!(matches!(again, Err(StoreError::NotFound)), "{again:?}");

    let by_teacher = Attribution {
        by: Some(teacher.id.clone()),
        why: String::new(),
        at_ms: 70,
    };
    let own = AccountChange::Delete("deleted-1".to_owned());
    let deleted = store.change_account(&teacher.id, &own, &by_teacher).await;
    refused(deleted, ClubRefusal::OnlyTeacher);
    let deletion = AccountChange::Delete("deleted-2".to_owned());
    let deleted = store.change_account(&baraka, &deletion, &by_teacher).await;
    deleted.unwrap();
    assert_eq!(store.class(&class).await.unwrap().unwrap().pupils, 0);
    let log = store.club_log(&class, None, 1).await.unwrap();
    assert_eq!(log[0].actor.as_deref(), Some("Mwalimu"));
    assert_eq!(log[0].about.as_deref(), Some("deleted-2"));
    let closed = changed(&teacher.id, ClubChange::Close).await;
    closed.unwrap();
    assert!(store.class(&class).await.unwrap().is_none());
}

async fn a_class_without_teachers_waits_for_a_moderator(store: Arc<dyn Store>) {
    let (class, teacher) = class(&store).await;
    let [asha] = make(&store, (&class, &teacher), &["asha"])
        .await
        .try_into()
        .unwrap();
    let helper = account(&store, "Helper").await;
    let operator = Attribution {
        by: None,
        why: "because".to_owned(),
        at_ms: 80,
    };
    let deletion = AccountChange::Delete("deleted-3".to_owned());
    let deleted = store
        .change_account(&teacher.id, &deletion, &operator)
        .await;
    deleted.unwrap();
    assert!(store.club_officers(&class).await.unwrap().is_empty());
    assert_eq!(store.class(&class).await.unwrap().unwrap().pupils, 1);
    let appoint = |player: &PlayerId| ClubModeration::Appoint(player.clone());
    let appointed = store
        .moderate_club(&class, &appoint(&asha), &operator)
        .await;
    refused(appointed, ClubRefusal::Pupil);
    let appointed = store
        .moderate_club(&class, &appoint(&helper.id), &operator)
        .await;
    appointed.unwrap();
    assert!(store.teaches(&helper.id, &asha).await.unwrap());
}
