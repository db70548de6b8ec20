//! Clubs, tested on both backends.

use std::sync::Arc;

use futures_util::future::join_all;
use mawe_rules::{GameKind, Side};
use mawe_store::{
    AccountChange, Attribution, CLUB_LIMITS, CLUB_LOG_ENTRIES, ClubBoard, ClubChange, ClubChanged,
    ClubCursor, ClubEdit, ClubLimits, ClubLogRow, ClubModeration, ClubName, ClubOfCursor,
    ClubPlayerCursor, ClubRefusal, ClubRow, MatchCursor, NewClub, Player, Store, StoreError,
};
use mawe_wire::clubs::{ClubAction, ClubKind, ClubStanding, ClubTexts, Joining};
use mawe_wire::ids::{ClubId, PlayerId};
use mawe_wire::{NoticeKind, PlayerKind, Speed};

use super::ratings::won_by_first;
use super::story::{append, finishing, named_player, new_match, with_password};
use crate::common::place::{Place, SqlitePlace};
use crate::common::postgres::Postgres;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sqlite_keeps_every_promise_about_clubs() {
    every_promise(&SqlitePlace::new()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn postgres_keeps_every_promise_about_clubs() {
    every_promise(&Postgres::start()).await;
}

async fn every_promise(place: &impl Place) {
    let open = async || mawe_store::open(&place.fresh().await).await.unwrap();
    a_club_is_founded_once_under_a_handle_and_a_name(open().await).await;
    one_joins_as_the_club_says(open().await).await;
    an_invitation_is_told_but_not_by_a_blocked_officer(open().await).await;
    a_removed_member_returns_by_invitation_only(open().await).await;
    there_is_an_officer_as_long_as_there_are_members(open().await).await;
    limits_hold_for_concurrent_calls_about_clubs(open().await).await;
    of_two_concurrent_changes_one_is_first(open().await).await;
    the_last_officer_is_succeeded_whatever_ends_the_office(open().await).await;
    of_a_deleted_account_no_club_knows(open().await).await;
    lists_of_clubs_come_in_pages(open().await).await;
    the_log_keeps_its_latest_entries(open().await).await;
    data_are_changed_by_officers_and_moderators(open().await).await;
    matches_and_ratings_of_members_are_found(open().await).await;
}

async fn account(store: &Arc<dyn Store>, name: &str) -> Player {
    let player = named_player(name, PlayerKind::Account);
    store
        .create_player(&with_password(&player), None)
        .await
        .unwrap();
    player
}

async fn accounts<const N: usize>(store: &Arc<dyn Store>) -> [Player; N] {
    let mut players = Vec::new();
    for number in 0..N {
        players.push(account(store, &format!("player-{number}")).await);
    }
    players.try_into().expect("so many")
}

pub(super) fn club(handle: &str, founder: &Player, joining: Joining) -> NewClub {
    NewClub {
        id: ClubId::random(),
        handle: handle.to_owned(),
        kind: ClubKind::Club,
        name: ClubName {
            text: format!("Club {handle}"),
            key: format!("key of {handle}"),
        },
        joining,
        descriptions: ClubTexts::default(),
        banner: String::new(),
        founder: founder.id.clone(),
        created_ms: 5,
    }
}

async fn founded(
    store: &Arc<dyn Store>,
    handle: &str,
    founder: &Player,
    joining: Joining,
) -> ClubId {
    let new = club(handle, founder, joining);
    store.found_club(&new, &CLUB_LIMITS).await.unwrap();
    new.id
}

async fn within(
    store: &Arc<dyn Store>,
    (club, by): (&ClubId, &Player),
    change: ClubChange,
    limits: &ClubLimits,
    now_ms: i64,
) -> Result<ClubChanged, StoreError> {
    store
        .change_club(club, &by.id, &change, limits, now_ms)
        .await
}

async fn change(
    store: &Arc<dyn Store>,
    at: (&ClubId, &Player),
    change: ClubChange,
    now_ms: i64,
) -> ClubChanged {
    within(store, at, change, &CLUB_LIMITS, now_ms)
        .await
        .unwrap()
}

#[track_caller]
fn refused<T: std::fmt::Debug>(result: Result<T, StoreError>) -> ClubRefusal {
    match result {
        Err(StoreError::Club(refusal)) => refusal,
        other => panic!("{other:?}"),
    }
}

async fn refusal(
    store: &Arc<dyn Store>,
    at: (&ClubId, &Player),
    change: ClubChange,
) -> ClubRefusal {
    refused(within(store, at, change, &CLUB_LIMITS, 50).await)
}

async fn join(store: &Arc<dyn Store>, at: (&ClubId, &Player), now_ms: i64) {
    change(store, at, ClubChange::Join(String::new()), now_ms).await;
}

async fn standing(store: &Arc<dyn Store>, club: &ClubId, player: &Player) -> ClubStanding {
    store.club_standing(club, &player.id).await.unwrap()
}

async fn row(store: &Arc<dyn Store>, handle: &str) -> ClubRow {
    store.find_club(handle).await.unwrap().expect("a club")
}

async fn members(store: &Arc<dyn Store>, club: &ClubId) -> Vec<String> {
    let rows = store.club_members(club, None, None, 99).await.unwrap();
    rows.into_iter().map(|row| row.player.name).collect()
}

async fn officers(store: &Arc<dyn Store>, club: &ClubId) -> Vec<String> {
    let rows = store.club_officers(club).await.unwrap();
    rows.into_iter().map(|player| player.name).collect()
}

async fn log(store: &Arc<dyn Store>, club: &ClubId) -> Vec<ClubLogRow> {
    store.club_log(club, None, 99).await.unwrap()
}

async fn notices(store: &Arc<dyn Store>, player: &Player) -> Vec<NoticeKind> {
    let rows = store.notices_of(&player.id, mawe_store::NoticeFilter::default(), None, 99);
    rows.await
        .unwrap()
        .into_iter()
        .map(|row| row.kind)
        .collect()
}

fn by_the_console() -> Attribution {
    Attribution {
        by: None,
        why: "so it is".to_owned(),
        at_ms: 70,
    }
}

async fn a_club_is_founded_once_under_a_handle_and_a_name(store: Arc<dyn Store>) {
    let [me, you] = accounts(&store).await;
    let mut new = club("Stones", &me, Joining::Open);
    new.banner = "welcome".to_owned();
    new.descriptions.sw = Some("karibu".to_owned());
    store.found_club(&new, &CLUB_LIMITS).await.unwrap();
    let found = row(&store, "sToNeS").await;
    assert_eq!(found.id, new.id);
    assert_eq!((found.members, found.founder.id), (1, me.id.clone()));
    assert_eq!(
        (found.banner, found.descriptions),
        (new.banner.clone(), new.descriptions)
    );
    assert_eq!(
        standing(&store, &new.id, &me).await,
        ClubStanding::Officer,
        "the founder leads"
    );
    assert_eq!(log(&store, &new.id).await[0].action, ClubAction::Founded);

    let mut other = club("stones", &you, Joining::Open);
    other.name.key = "another".to_owned();
    let taken = store.found_club(&other, &CLUB_LIMITS).await;
    assert_eq!(refused(taken), ClubRefusal::HandleTaken);
    let mut other = club("other", &you, Joining::Open);
    other.name.key.clone_from(&new.name.key);
    let taken = store.found_club(&other, &CLUB_LIMITS).await;
    assert_eq!(refused(taken), ClubRefusal::NameTaken);
    assert_eq!(
        store.clubs_of(&you.id, false, None, 9).await.unwrap(),
        [],
        "nothing was half done"
    );
    let guest = named_player("a-guest", PlayerKind::Guest);
    let guest_row = mawe_store::NewPlayer {
        player: guest.clone(),
        password_hash: None,
    };
    store.create_player(&guest_row, None).await.unwrap();
    let third = club("third", &guest, Joining::Open);
    let by_guest = store.found_club(&third, &CLUB_LIMITS);
    assert_eq!(refused(by_guest.await), ClubRefusal::NoPerson);
    assert_eq!(store.find_club("third").await.unwrap(), None);
    assert_eq!(store.find_club("a\0b").await.unwrap(), None);
}

async fn one_joins_as_the_club_says(store: Arc<dyn Store>) {
    let [me, you, other] = accounts(&store).await;
    let open = founded(&store, "open", &me, Joining::Open).await;
    let by_request = founded(&store, "request", &me, Joining::Request).await;
    let closed = founded(&store, "closed", &me, Joining::Invitation).await;
    for _ in 0..2 {
        join(&store, (&open, &you), 10).await;
    }
    assert_eq!(members(&store, &open).await, ["player-0", "player-1"]);
    assert_eq!(row(&store, "open").await.members, 2);

    for (line, at_ms) in [("let me in", 10), ("please", 11)] {
        let wish = ClubChange::Join(line.to_owned());
        change(&store, (&by_request, &you), wish, at_ms).await;
    }
    assert_eq!(
        standing(&store, &by_request, &you).await,
        ClubStanding::Requested
    );
    let asked = store.club_requests(&by_request, None, 9).await.unwrap();
    assert_eq!(
        (asked.len(), asked[0].line.as_str(), asked[0].since_ms),
        (1, "please", 10)
    );
    let by_member = ClubChange::Accept(you.id.clone());
    let denied = refusal(&store, (&by_request, &other), by_member.clone()).await;
    assert_eq!(denied, ClubRefusal::OfficersOnly);
    let told = change(&store, (&by_request, &me), by_member.clone(), 12).await;
    assert_eq!(told.told.len(), 1);
    assert_eq!(notices(&store, &you).await, [NoticeKind::ClubAccepted]);
    assert_eq!(store.club_requests(&by_request, None, 9).await.unwrap(), []);
    assert_eq!(
        refusal(&store, (&by_request, &me), by_member).await,
        ClubRefusal::NoRequest
    );

    // A request that was withdrawn cannot be accepted, nor refused.
    join(&store, (&by_request, &other), 13).await;
    for _ in 0..2 {
        change(&store, (&by_request, &other), ClubChange::Withdraw, 14).await;
    }
    for late in [
        ClubChange::Accept(other.id.clone()),
        ClubChange::Refuse(other.id.clone()),
    ] {
        let denied = refusal(&store, (&by_request, &me), late).await;
        assert_eq!(denied, ClubRefusal::NoRequest);
    }
    join(&store, (&by_request, &other), 15).await;
    let no = ClubChange::Refuse(other.id.clone());
    change(&store, (&by_request, &me), no, 16).await;
    assert_eq!(
        standing(&store, &by_request, &other).await,
        ClubStanding::None
    );
    assert_eq!(notices(&store, &other).await, []);

    let wish = ClubChange::Join(String::new());
    let denied = refusal(&store, (&closed, &you), wish).await;
    assert_eq!(denied, ClubRefusal::InvitationNeeded);
    let denied = refusal(&store, (&closed, &you), ClubChange::Leave).await;
    assert_eq!(denied, ClubRefusal::NotAMember);
    let none = ClubId::random();
    let nowhere = within(&store, (&none, &you), ClubChange::Leave, &CLUB_LIMITS, 5);
    assert!(matches!(nowhere.await, Err(StoreError::NotFound)));
    assert!(store.share_club(&me.id, &you.id).await.unwrap());
    assert!(!store.share_club(&me.id, &other.id).await.unwrap());
}

async fn an_invitation_is_told_but_not_by_a_blocked_officer(store: Arc<dyn Store>) {
    let [me, you, enemy] = accounts(&store).await;
    let id = founded(&store, "house", &me, Joining::Invitation).await;
    let invite = |player: &Player| ClubChange::Invite(player.id.clone());
    let told = change(&store, (&id, &me), invite(&you), 10).await;
    assert_eq!(told.told.len(), 1);
    let again = change(&store, (&id, &me), invite(&you), 11).await;
    assert_eq!(again, ClubChanged::default(), "it is there");
    assert_eq!(notices(&store, &you).await, [NoticeKind::ClubInvitation]);
    assert_eq!(standing(&store, &id, &you).await, ClubStanding::Invited);

    // Declined, invited again, taken back: the notice comes and goes.
    let declined = change(&store, (&id, &you), ClubChange::Decline, 12).await;
    assert_eq!(declined.recounted, std::slice::from_ref(&you.id));
    assert_eq!(notices(&store, &you).await, []);
    change(&store, (&id, &me), invite(&you), 13).await;
    let end = ClubChange::EndInvitation(you.id.clone());
    change(&store, (&id, &me), end, 14).await;
    assert_eq!(notices(&store, &you).await, []);
    change(&store, (&id, &me), invite(&you), 15).await;
    join(&store, (&id, &you), 16).await;
    assert_eq!(standing(&store, &id, &you).await, ClubStanding::Member);
    assert_eq!(notices(&store, &you).await, []);

    // The officer sees the same as ever; the invited player sees nothing.
    store.block(&enemy.id, &me.id, 9, 17).await.unwrap();
    change(&store, (&id, &me), invite(&enemy), 18).await;
    assert_eq!(notices(&store, &enemy).await, []);
    assert_eq!(standing(&store, &id, &enemy).await, ClubStanding::None);
    let shown = store.club_invitations(&id, None, 9).await.unwrap();
    assert_eq!(shown[0].player.id, enemy.id);
    let mine = store.club_invitations_of(&enemy.id, None, 9).await.unwrap();
    assert_eq!(mine, []);
    let wish = ClubChange::Join(String::new());
    let denied = refusal(&store, (&id, &enemy), wish).await;
    assert_eq!(denied, ClubRefusal::InvitationNeeded);

    // Nobody but a person with an account is invited.
    let bot = named_player("a-bot", PlayerKind::Bot);
    store
        .create_player(&with_password(&bot), None)
        .await
        .unwrap();
    let gone = account(&store, "gone").await;
    let barred = account(&store, "barred").await;
    for (player, change) in [
        (&gone, AccountChange::Delete("deleted-x".to_owned())),
        (&barred, AccountChange::Disable),
    ] {
        store
            .change_account(&player.id, &change, &by_the_console())
            .await
            .unwrap();
    }
    for player in [&bot.id, &gone.id, &barred.id, &PlayerId::random()] {
        let invite = ClubChange::Invite(player.clone());
        let denied = refusal(&store, (&id, &me), invite).await;
        assert_eq!(denied, ClubRefusal::NoPerson);
    }
}

async fn a_removed_member_returns_by_invitation_only(store: Arc<dyn Store>) {
    let [me, you] = accounts(&store).await;
    let id = founded(&store, "open", &me, Joining::Open).await;
    join(&store, (&id, &you), 10).await;
    let itself = ClubChange::Remove(me.id.clone());
    assert_eq!(
        refusal(&store, (&id, &me), itself).await,
        ClubRefusal::Yourself
    );
    let remove = ClubChange::Remove(you.id.clone());
    change(&store, (&id, &me), remove.clone(), 11).await;
    assert_eq!(notices(&store, &you).await, [NoticeKind::ClubRemoved]);
    assert_eq!(
        refusal(&store, (&id, &me), remove).await,
        ClubRefusal::NotAMember
    );
    assert_eq!(row(&store, "open").await.members, 1);
    let wish = ClubChange::Join(String::new());
    let denied = refusal(&store, (&id, &you), wish).await;
    assert_eq!(denied, ClubRefusal::InvitationNeeded);
    let invite = ClubChange::Invite(you.id.clone());
    change(&store, (&id, &me), invite, 12).await;
    join(&store, (&id, &you), 13).await;
    change(&store, (&id, &you), ClubChange::Leave, 14).await;
    join(&store, (&id, &you), 15).await;
    assert_eq!(
        standing(&store, &id, &you).await,
        ClubStanding::Member,
        "one who left by themself returns"
    );
}

async fn there_is_an_officer_as_long_as_there_are_members(store: Arc<dyn Store>) {
    let [me, you] = accounts(&store).await;
    let id = founded(&store, "open", &me, Joining::Open).await;
    join(&store, (&id, &you), 10).await;
    let step_down = ClubChange::Dismiss(me.id.clone());
    for early in [ClubChange::Leave, step_down.clone()] {
        let denied = refusal(&store, (&id, &me), early).await;
        assert_eq!(denied, ClubRefusal::LastOfficer);
    }
    let appoint = ClubChange::Appoint(you.id.clone());
    let denied = refusal(&store, (&id, &you), appoint.clone()).await;
    assert_eq!(denied, ClubRefusal::OfficersOnly);
    for _ in 0..2 {
        change(&store, (&id, &me), appoint.clone(), 11).await;
    }
    let denied = refusal(&store, (&id, &me), ClubChange::Close).await;
    assert_eq!(denied, ClubRefusal::OtherOfficers);
    change(&store, (&id, &me), step_down, 12).await;
    assert_eq!(officers(&store, &id).await, ["player-1"]);
    change(&store, (&id, &me), ClubChange::Leave, 13).await;
    let step_down = ClubChange::Dismiss(you.id.clone());
    let denied = refusal(&store, (&id, &you), step_down).await;
    assert_eq!(denied, ClubRefusal::LastOfficer, "of a club of one, too");
    let actions: Vec<ClubAction> = log(&store, &id)
        .await
        .iter()
        .map(|row| row.action)
        .collect();
    let expected = [
        ClubAction::Dismissed,
        ClubAction::Appointed,
        ClubAction::Founded,
    ];
    assert_eq!(actions, expected);
    change(&store, (&id, &you), ClubChange::Leave, 14).await;
    assert_eq!(store.find_club("open").await.unwrap(), None);

    // Closing takes all with it: the handle and the name are free.
    let id = founded(&store, "open", &me, Joining::Invitation).await;
    let invite = ClubChange::Invite(you.id.clone());
    change(&store, (&id, &me), invite, 20).await;
    let closed = change(&store, (&id, &me), ClubChange::Close, 21).await;
    assert_eq!(closed.recounted, std::slice::from_ref(&you.id));
    assert_eq!(notices(&store, &you).await, []);
    founded(&store, "open", &me, Joining::Open).await;
}

async fn limits_hold_for_concurrent_calls_about_clubs(store: Arc<dyn Store>) {
    let people: [Player; 6] = accounts(&store).await;
    let me = account(&store, "Mimi").await;
    let new: Vec<NewClub> = (0..8)
        .map(|number| club(&format!("club-{number}"), &me, Joining::Open))
        .collect();
    let done = join_all(new.iter().map(|new| store.found_club(new, &CLUB_LIMITS))).await;
    let (made, denied): (Vec<_>, Vec<_>) = done.into_iter().partition(Result::is_ok);
    assert_eq!(made.len(), 5);
    for denied in denied {
        assert_eq!(refused(denied), ClubRefusal::TooManyFounded);
    }
    let mine = store.clubs_of(&me.id, false, None, 9).await.unwrap();
    let ids: Vec<ClubId> = mine.into_iter().map(|one| one.club.id).collect();

    // Room for three members beside the founder; of two devices of one player, one joins.
    let full = ClubLimits {
        members: 4,
        ..CLUB_LIMITS
    };
    let wish = || ClubChange::Join(String::new());
    let joins = people
        .iter()
        .chain(&people)
        .map(|player| within(&store, (&ids[0], player), wish(), &full, 10));
    let done = join_all(joins).await;
    assert!(done.iter().any(Result::is_err));
    assert_eq!(members(&store, &ids[0]).await.len(), 4);
    let shown = store.public_clubs("", None, 9).await.unwrap();
    assert_eq!((shown[0].id.clone(), shown[0].members), (ids[0].clone(), 4));

    // One player joins two clubs at most.
    let few = ClubLimits {
        memberships: 2,
        ..CLUB_LIMITS
    };
    let late = account(&store, "Late").await;
    let joins = ids[1..]
        .iter()
        .map(|id| within(&store, (id, &late), wish(), &few, 11));
    let denied = join_all(joins).await.into_iter().filter(Result::is_err);
    for denied in denied {
        assert_eq!(refused(denied), ClubRefusal::TooManyMemberships);
    }
    let joined = store.clubs_of(&late.id, false, None, 9).await.unwrap();
    assert_eq!(joined.len(), 2);

    // Requests, invitations, officers.
    let asked = founded(&store, "asked", &people[0], Joining::Request).await;
    let bounds = ClubLimits {
        requests: 2,
        invitations: 2,
        officers: 2,
        ..CLUB_LIMITS
    };
    let requests = people[1..]
        .iter()
        .map(|player| within(&store, (&asked, player), wish(), &bounds, 12));
    join_all(requests).await;
    let open = store.club_requests(&asked, None, 9).await.unwrap();
    // Advisory locks are by player: the number is counted under the lock of the club.
    assert_eq!(open.len(), 2);
    let invitations = people[1..].iter().map(|player| {
        let invite = ClubChange::Invite(player.id.clone());
        within(&store, (&asked, &people[0]), invite, &bounds, 13)
    });
    join_all(invitations).await;
    let open = store.club_invitations(&asked, None, 9).await.unwrap();
    assert_eq!(open.len(), 2);
    for player in &people[1..4] {
        let invite = ClubChange::Invite(player.id.clone());
        change(&store, (&asked, &people[0]), invite, 14).await;
        join(&store, (&asked, player), 15).await;
    }
    let appointments = people[1..4].iter().map(|player| {
        let appoint = ClubChange::Appoint(player.id.clone());
        within(&store, (&asked, &people[0]), appoint, &bounds, 16)
    });
    join_all(appointments).await;
    assert_eq!(officers(&store, &asked).await.len(), 2);

    // A player who has many invitations is not told of more.
    let calm = ClubLimits {
        invitations_to_player: 0,
        ..CLUB_LIMITS
    };
    let invite = ClubChange::Invite(people[5].id.clone());
    within(&store, (&ids[1], &me), invite, &calm, 17)
        .await
        .unwrap();
    assert_eq!(
        standing(&store, &ids[1], &people[5]).await,
        ClubStanding::None
    );
}

async fn of_two_concurrent_changes_one_is_first(store: Arc<dyn Store>) {
    let [me, you] = accounts(&store).await;
    for number in 0..8 {
        let handle = format!("duel-{number}");
        let new = club(&handle, if number < 4 { &me } else { &you }, Joining::Open);
        store.found_club(&new, &CLUB_LIMITS).await.unwrap();
        let (first, second) = if number < 4 { (&me, &you) } else { (&you, &me) };
        join(&store, (&new.id, second), 10).await;
        let appoint = ClubChange::Appoint(second.id.clone());
        change(&store, (&new.id, first), appoint, 11).await;
        let duels = [(first, second), (second, first)].map(|(by, other)| {
            let remove = ClubChange::Remove(other.id.clone());
            within(&store, (&new.id, by), remove, &CLUB_LIMITS, 12)
        });
        let done = join_all(duels).await;
        assert_eq!(done.iter().filter(|one| one.is_ok()).count(), 1);
        for denied in done.into_iter().filter(Result::is_err) {
            assert_eq!(refused(denied), ClubRefusal::OfficersOnly);
        }
        assert_eq!(members(&store, &new.id).await.len(), 1);
        assert_eq!(officers(&store, &new.id).await.len(), 1);
        assert_eq!(row(&store, &handle).await.members, 1);
        // An account that ends while it joins: the club has the members that it counts.
        let brief = account(&store, &format!("brief-{number}")).await;
        let end = AccountChange::Delete(format!("deleted-{number}"));
        let wish = ClubChange::Join(String::new());
        let (joined, ended) = tokio::join!(
            within(&store, (&new.id, &brief), wish, &CLUB_LIMITS, 13),
            async {
                store
                    .change_account(&brief.id, &end, &by_the_console())
                    .await
            }
        );
        ended.unwrap();
        if joined.is_err() {
            assert_eq!(refused(joined), ClubRefusal::NoPerson);
        }
        assert_eq!(members(&store, &new.id).await.len(), 1);
        assert_eq!(row(&store, &handle).await.members, 1);
    }
}

async fn the_last_officer_is_succeeded_whatever_ends_the_office(store: Arc<dyn Store>) {
    let console = by_the_console();
    for (number, end) in [
        AccountChange::Delete("deleted-1".to_owned()),
        AccountChange::Disable,
        AccountChange::DisableUntil(1_000),
        AccountChange::Grant(mawe_wire::grants::Grant::Bot),
    ]
    .into_iter()
    .enumerate()
    {
        let me = account(&store, &format!("a-{number}")).await;
        let first = account(&store, &format!("b-{number}")).await;
        let second = account(&store, &format!("c-{number}")).await;
        let handle = format!("club-{number}");
        let id = founded(&store, &handle, &me, Joining::Open).await;
        let alone = founded(&store, &format!("alone-{number}"), &me, Joining::Open).await;
        join(&store, (&id, &first), 20).await;
        join(&store, (&id, &second), 10).await;
        store.change_account(&me.id, &end, &console).await.unwrap();
        assert_eq!(
            officers(&store, &id).await,
            std::slice::from_ref(&second.name),
            "of the longest standing: {}",
            end.action()
        );
        assert_eq!(log(&store, &id).await[0].action, ClubAction::Succeeded);
        let is_disabled = end.action() == "disable";
        let kept = store
            .find_club(&format!("alone-{number}"))
            .await
            .unwrap()
            .is_some();
        assert_eq!(kept, is_disabled, "a club without members is closed");
        let left = if is_disabled { 3 } else { 2 };
        assert_eq!(row(&store, &handle).await.members, left);
        assert_eq!(members(&store, &id).await.len(), left as usize);
        if is_disabled {
            assert_eq!(
                officers(&store, &alone).await,
                std::slice::from_ref(&me.name)
            );
        }
    }
    let [one, two] = accounts(&store).await;
    let id = founded(&store, "bots", &one, Joining::Open).await;
    join(&store, (&id, &two), 10).await;
    store.become_bot(&one.id, 11).await.unwrap();
    assert_eq!(members(&store, &id).await, ["player-1"]);
    assert_eq!(officers(&store, &id).await, ["player-1"]);
}

async fn of_a_deleted_account_no_club_knows(store: Arc<dyn Store>) {
    let [me, you] = accounts(&store).await;
    let asked = founded(&store, "asked", &me, Joining::Request).await;
    let closed = founded(&store, "closed", &me, Joining::Invitation).await;
    let open = founded(&store, "open", &me, Joining::Open).await;
    join(&store, (&asked, &you), 10).await;
    let invite = ClubChange::Invite(you.id.clone());
    change(&store, (&closed, &me), invite, 11).await;
    join(&store, (&open, &you), 12).await;
    let remove = ClubChange::Remove(you.id.clone());
    change(&store, (&open, &me), remove, 13).await;
    let delete = AccountChange::Delete("deleted-2".to_owned());
    store
        .change_account(&you.id, &delete, &by_the_console())
        .await
        .unwrap();
    assert_eq!(store.club_requests(&asked, None, 9).await.unwrap(), []);
    assert_eq!(store.club_invitations(&closed, None, 9).await.unwrap(), []);
    let about = log(&store, &open).await[0].about.clone();
    assert_eq!(about.as_deref(), Some("deleted-2"));
}

async fn lists_of_clubs_come_in_pages(store: Arc<dyn Store>) {
    let people: [Player; 4] = accounts(&store).await;
    let [me, you, other, _] = &people;
    let large = founded(&store, "large", me, Joining::Open).await;
    let small = founded(&store, "Small_Club", me, Joining::Request).await;
    let hidden = founded(&store, "hidden", me, Joining::Invitation).await;
    join(&store, (&large, you), 10).await;
    join(&store, (&large, other), 10).await;
    let first = store.public_clubs("", None, 1).await.unwrap();
    assert_eq!(first[0].id, large);
    let after = ClubCursor {
        members: first[0].members,
        id: first[0].id.clone(),
    };
    let rest = store.public_clubs("", Some(&after), 9).await.unwrap();
    assert_eq!(
        rest.iter().map(|row| &row.id).collect::<Vec<_>>(),
        [&small],
        "without the one by invitation"
    );
    for (search, found) in [
        ("SMALL_", 1),
        ("lub l", 1),
        ("%", 0),
        ("club", 2),
        ("hidden", 0),
        ("\0", 0),
    ] {
        let rows = store.public_clubs(search, None, 9).await.unwrap();
        assert_eq!(rows.len(), found, "{search:?}");
    }

    let mine = async |public: bool, after: Option<&ClubOfCursor>| {
        let rows = store.clubs_of(&me.id, public, after, 9).await.unwrap();
        let ids = rows.into_iter().map(|row| row.club.id);
        ids.collect::<Vec<_>>()
    };
    assert_eq!(mine(false, None).await.len(), 3);
    assert!(!mine(true, None).await.contains(&hidden));
    let all = mine(false, None).await;
    let after = ClubOfCursor {
        since_ms: 5,
        id: all[0].clone(),
    };
    assert_eq!(mine(false, Some(&after)).await, all[1..]);

    let page = store
        .club_members(&large, Some(&me.id), None, 2)
        .await
        .unwrap();
    assert_eq!(
        (page[0].player.id.clone(), page[0].officer),
        (me.id.clone(), true)
    );
    let after = ClubPlayerCursor {
        since_ms: page[1].since_ms,
        player: page[1].player.id.clone(),
    };
    store.block(&you.id, &me.id, 9, 11).await.unwrap();
    store.block(&other.id, &me.id, 9, 11).await.unwrap();
    let rest = store
        .club_members(&large, Some(&me.id), Some(&after), 9)
        .await
        .unwrap();
    assert_eq!(rest.len(), 1);
    assert!(rest[0].blocked_by && rest[0].player.id != page[1].player.id);
    for (number, player) in people[1..].iter().enumerate() {
        join(&store, (&small, player), 20 + number as i64).await;
    }
    let page = store.club_requests(&small, None, 1).await.unwrap();
    assert_eq!(page[0].player.id, people[3].id, "the latest first");
    let after = ClubPlayerCursor {
        since_ms: page[0].since_ms,
        player: page[0].player.id.clone(),
    };
    let rest = store.club_requests(&small, Some(&after), 9).await.unwrap();
    assert_eq!(rest.len(), 2);
    let asked = store.club_requests_of(&you.id, None, 9).await.unwrap();
    assert_eq!(
        (asked.len(), asked[0].standing),
        (1, ClubStanding::Requested)
    );
    let number = log(&store, &large).await[0].number;
    let before = store.club_log(&large, Some(number), 9).await.unwrap();
    assert_eq!(before.len(), log(&store, &large).await.len() - 1);
}

async fn the_log_keeps_its_latest_entries(store: Arc<dyn Store>) {
    let [me] = accounts(&store).await;
    let id = founded(&store, "noisy", &me, Joining::Open).await;
    // A flood by an officer: each change is an entry.
    for number in 0..i64::from(CLUB_LOG_ENTRIES) + 5 {
        let edit = ClubEdit {
            banner: Some(format!("number {number}")),
            ..ClubEdit::default()
        };
        change(&store, (&id, &me), ClubChange::Edit(edit), number).await;
    }
    let rows = store.club_log(&id, None, 9_999).await.unwrap();
    assert_eq!(rows.len(), CLUB_LOG_ENTRIES as usize);
    assert_eq!(rows[0].number, u64::from(CLUB_LOG_ENTRIES) + 6);
}

async fn data_are_changed_by_officers_and_moderators(store: Arc<dyn Store>) {
    let [me, you] = accounts(&store).await;
    let id = founded(&store, "one", &me, Joining::Open).await;
    founded(&store, "two", &you, Joining::Open).await;
    let name = |key: &str| ClubName {
        text: "New name".to_owned(),
        key: key.to_owned(),
    };
    let mut edit = ClubEdit {
        name: Some(name("fresh")),
        joining: Some(Joining::Request),
        banner: Some("a line".to_owned()),
        ..ClubEdit::default()
    };
    edit.descriptions.en = Some("hello".to_owned());
    edit.descriptions.pl = Some("dzień dobry".to_owned());
    let denied = refusal(&store, (&id, &you), ClubChange::Edit(edit.clone())).await;
    assert_eq!(denied, ClubRefusal::OfficersOnly);
    change(&store, (&id, &me), ClubChange::Edit(edit), 10).await;
    let found = row(&store, "one").await;
    assert_eq!(
        (found.name.as_str(), found.joining, found.banner.as_str()),
        ("New name", Joining::Request, "a line")
    );
    assert_eq!(
        log(&store, &id).await[0].detail,
        "name joining description banner"
    );
    let mut edit = ClubEdit::default();
    edit.descriptions.en = Some(String::new());
    change(&store, (&id, &me), ClubChange::Edit(edit), 11).await;
    let texts = row(&store, "one").await.descriptions;
    assert_eq!((texts.en, texts.pl.as_deref()), (None, Some("dzień dobry")));
    let entries = log(&store, &id).await.len();
    let nothing = ClubChange::Edit(ClubEdit::default());
    change(&store, (&id, &me), nothing, 12).await;
    assert_eq!(log(&store, &id).await.len(), entries);
    let taken = ClubEdit {
        name: Some(name("key of two")),
        banner: Some("not written".to_owned()),
        ..ClubEdit::default()
    };
    let denied = refusal(&store, (&id, &me), ClubChange::Edit(taken.clone())).await;
    assert_eq!(denied, ClubRefusal::NameTaken);

    let by = Attribution {
        by: Some(you.id.clone()),
        ..by_the_console()
    };
    let moderate = async |what: ClubModeration| store.moderate_club(&id, &what, &by).await;
    let denied = moderate(ClubModeration::Edit(taken)).await;
    assert_eq!(refused(denied), ClubRefusal::NameTaken);
    assert_eq!(row(&store, "one").await.banner, "a line");
    let edit = ClubEdit {
        banner: Some(String::new()),
        ..ClubEdit::default()
    };
    moderate(ClubModeration::Edit(edit)).await.unwrap();
    let entry = &log(&store, &id).await[0];
    assert_eq!(
        (entry.action, entry.actor.as_ref(), entry.detail.as_str()),
        (ClubAction::Moderated, None, "banner")
    );
    moderate(ClubModeration::Close).await.unwrap();
    assert_eq!(store.find_club("one").await.unwrap(), None);
    let audit = store
        .audit(&mawe_store::AuditFilter::default(), None, 9)
        .await
        .unwrap();
    let actions: Vec<&str> = audit.iter().map(|row| row.action.as_str()).collect();
    assert_eq!(actions, ["close-club", "change-club"]);
    assert_eq!(audit[0].detail, "one (New name)");
    assert!(matches!(
        moderate(ClubModeration::Close).await,
        Err(StoreError::NotFound)
    ));
}

async fn matches_and_ratings_of_members_are_found(store: Arc<dyn Store>) {
    let [me, you, stranger] = accounts(&store).await;
    let id = founded(&store, "players", &me, Joining::Open).await;
    join(&store, (&id, &you), 10).await;
    let mut ids = Vec::new();
    for (number, (first, second, private)) in [
        (&me, &you, false),
        (&you, &me, false),
        (&me, &you, true),
        (&me, &stranger, false),
        (&me, &me, false),
    ]
    .into_iter()
    .enumerate()
    {
        let new = mawe_store::NewMatch {
            created_ms: 100 + number as i64,
            private,
            rated: false,
            ..new_match(first, second)
        };
        store.create_match(&new).await.unwrap();
        append(&store, finishing(&new.id, 0, Some(Side::First))).await;
        ids.push(new.id);
    }
    // The same pairs play on, with clocks and by days.
    let mut running = Vec::new();
    for (number, (first, second, private, speed)) in [
        (&me, &you, false, Speed::Blitz),
        (&you, &me, false, Speed::Daily),
        (&me, &you, true, Speed::Blitz),
        (&stranger, &you, false, Speed::Blitz),
        (&you, &me, false, Speed::Rapid),
    ]
    .into_iter()
    .enumerate()
    {
        let new = mawe_store::NewMatch {
            created_ms: 200 + number as i64,
            private,
            rated: false,
            speed,
            ..new_match(first, second)
        };
        store.create_match(&new).await.unwrap();
        running.push(new.id);
    }
    let now = async |reader: Option<&PlayerId>, after: Option<&MatchCursor>| {
        let rows = store.running_club_matches(&id, reader, after, 9);
        let rows = rows.await.unwrap();
        rows.into_iter().map(|row| row.id).collect::<Vec<_>>()
    };
    let both = [running[4].clone(), running[0].clone()];
    assert_eq!(now(None, None).await, both);
    let after = MatchCursor {
        created_ms: 204,
        id: running[4].clone(),
    };
    assert_eq!(now(None, Some(&after)).await, both[1..]);
    assert_eq!(now(Some(&stranger.id), None).await, both);
    store.block(&you.id, &stranger.id, 9, 300).await.unwrap();
    assert_eq!(now(Some(&stranger.id), None).await, []);
    assert_eq!(now(Some(&you.id), None).await, both);
    store.unblock(&you.id, &stranger.id).await.unwrap();

    let found = async |since_ms: i64, after: Option<&MatchCursor>| {
        let rows = store.club_matches(&id, since_ms, after, 9).await.unwrap();
        rows.into_iter().map(|row| row.id).collect::<Vec<_>>()
    };
    assert_eq!(found(0, None).await, [ids[1].clone(), ids[0].clone()]);
    assert_eq!(found(101, None).await, [ids[1].clone()]);
    let after = MatchCursor {
        created_ms: 101,
        id: ids[1].clone(),
    };
    assert_eq!(found(0, Some(&after)).await, [ids[0].clone()]);
    let board = ClubBoard {
        club: id.clone(),
        game: GameKind::Mawe,
        speed: Speed::Blitz,
        max_deviation: 1_000.0,
        min_opponents: 0,
    };
    let ranked = async |board: &ClubBoard, offset: u32, limit: u32| {
        let rows = store.club_leaderboard(board, offset, limit).await.unwrap();
        let rows = rows.into_iter();
        rows.map(|row| (row.player.id, row.row.rating.rating))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        ranked(&board, 0, 9).await,
        [],
        "nobody has played a rated match"
    );

    // The stranger has the highest rating, and is no member.
    for (first, second) in [
        (&you, &me),
        (&you, &stranger),
        (&stranger, &me),
        (&stranger, &me),
    ] {
        won_by_first(&store, first, second).await;
    }
    let all = [(you.id.clone(), 1520.0), (me.id.clone(), 1470.0)];
    assert_eq!(ranked(&board, 0, 9).await, all);
    assert_eq!(ranked(&board, 1, 9).await, all[1..]);
    assert_eq!(ranked(&board, 0, 1).await, all[..1]);
    let elsewhere = ClubBoard {
        speed: Speed::Rapid,
        ..board.clone()
    };
    assert_eq!(ranked(&elsewhere, 0, 9).await, []);
    let certain = ClubBoard {
        // Of the two, who has played more: each match halves the deviation.
        max_deviation: 50.0,
        ..board.clone()
    };
    assert_eq!(ranked(&certain, 0, 9).await, all[1..]);
    let many = ClubBoard {
        min_opponents: 3,
        ..board.clone()
    };
    assert_eq!(ranked(&many, 0, 9).await, []);
    let console = by_the_console();
    let disabled = store.change_account(&you.id, &AccountChange::Disable, &console);
    disabled.await.unwrap();
    assert_eq!(ranked(&board, 0, 9).await, all[1..]);
}
