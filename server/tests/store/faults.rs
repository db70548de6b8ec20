//! A fault at each step of each write in turn: the store works afterwards, the write is there completely or not at all, and the result that
//! the store returned is true.
//!
//! SQLite runs on a disk that fails at each of its calls in turn (`common/faults.rs`), Postgres behind a connection on which each of its
//! statements in turn is refused, or lost before or after it was executed (`common/wire.rs`). All tables are compared with those after a
//! write without a fault. [`every_write_is_here`] fails for a new write of the store until it is added to [`WRITES`].

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, join_all};
use mawe_play::rating;
use mawe_play::room::conditional::ConditionalMoves;
use mawe_rules::{BySide, GameKind, Side};
use mawe_store::{
    AccountChange, Attribution, CLUB_LIMITS, CLUB_MATCH_LIMITS, ChallengeRule, ClubChange,
    ClubChanged, ClubEdit, ClubGameKey, ClubGameSeated, ClubMatchChange, ClubMatchStep,
    ClubModeration, Corrections, DisplayNameSet, EVENT_TIMETABLE_LIMITS, EventAppend,
    EventGameSeated, EventOccurrenceMade, EventTimetableCreated, ExtraTime, Followed, GameTally,
    InvitationUse, Judged, LookChange, NewAnalysis, NewAudit, NewCards, NewChallenge, NewChatLine,
    NewClub, NewClubMatch, NewDisplayName, NewEvent, NewEventTimetable, NewInvitation, NewLink,
    NewMatch, NewNode, NewNotice, NewPasskey, NewPupil, NewPupils, NewReport, NewSession, NewToken,
    OauthCode, OauthRedemption, Offered, PasskeyCreated, PasskeyUse, Player, PupilChange,
    PupilsMade, RecoveryCodeSet, Redeemed, Renamed, RequestKey, RequestedAnalysis, Seed, Stale,
    Store, StoreError, SubscriptionRow, UsedChallenge, Verdict, VoidMatches, WhichNotices,
    WishState, name_look,
};
use mawe_wire::chat::ChatRoom;
use mawe_wire::club_matches::{ClubGameSkipped, ClubSide};
use mawe_wire::clubs::{ClassRulesEdition, ClubKind, Joining};
use mawe_wire::ids::{
    ChallengeId, ClubId, ClubMatchId, EventId, EventTimetableId, InvitationId, MatchId, NoticeId,
    PasskeyId, PlayerId, ReportId, TokenId,
};
use mawe_wire::people::ChallengesFrom;
use mawe_wire::reports::ReportReason;
use mawe_wire::scope::Scope;
use mawe_wire::{
    Avatar, DeclineReason, Language, MatchOptions, NoticeAbout, NoticeKind, PlayerKind, Speed,
};
use sqlx::{AssertSqlSafe, Connection};
use tokio::sync::{MappedMutexGuard, Mutex, MutexGuard};

use super::clubs::club;
use super::event_timetables::{occurrence, timetable};
use super::events::{event, joined, key, nothing, paired};
use super::story::{BLITZ, finishing, named_player, new_match, one, with_password};
use crate::common::faults::{Fault, FaultyDisk};
use crate::common::postgres::Postgres;
use crate::common::wire::{Loss, Wire};

/// The contents of the store before each write.
#[derive(Clone)]
struct World {
    me: Player,
    you: Player,
    moderator: Player,
    guest: Player,
    invitation: InvitationId,
    new_invitation: InvitationId,
    bot: Player,
    running: MatchId,
    finished: MatchId,
    called_off: MatchId,
    /// A void match, not recounted yet.
    voided: MatchId,
    challenge: ChallengeId,
    seek: ChallengeId,
    report: ReportId,
    taken_report: ReportId,
    /// Resolved with a warning for me.
    warned: ReportId,
    /// Resolved with a mute for you, who have appealed.
    appealed: ReportId,
    notice: NoticeId,
    /// My club, with you as a member and a request of the moderator.
    club: ClubId,
    new_club: ClubId,
    /// Your club.
    rival: ClubId,
    /// Club matches of the two: proposed by mine; agreed, with a player each; cancelled, with a player without a notice; begun, with a ready game; begun, with a running one.
    proposed: ClubMatchId,
    agreed: ClubMatchId,
    cancelled: ClubMatchId,
    ready: ClubMatchId,
    played: ClubMatchId,
    new_club_match: ClubMatchId,
    /// Events of mine: one that is coming, one with a ready game against you.
    coming_event: EventId,
    begun_event: EventId,
    new_event: EventId,
    /// A timetable of my club.
    timetable: EventTimetableId,
    new_timetable: EventTimetableId,
    new_pupil: PlayerId,
    /// My class, and its pupil with an open card.
    class: ClubId,
    pupil: PlayerId,
    token: TokenId,
    /// The token of a code that was used.
    code_token: TokenId,
    passkey: PasskeyId,
    new_passkey: PasskeyId,
    /// The ids of new rows.
    new: MatchId,
    new_player: Player,
    new_challenge: ChallengeId,
    new_report: ReportId,
    new_token: TokenId,
}

type Write = for<'a> fn(&'a dyn Store, &'a World) -> BoxFuture<'a, Result<(), StoreError>>;

const LATER: i64 = 1_000_000;
const EVER: i64 = 4_000_000_000_000;

fn attribution(by: &Player) -> Attribution {
    Attribution {
        by: Some(by.id.clone()),
        why: "so it is".into(),
        at_ms: LATER,
    }
}

pub(super) fn challenge(
    id: &ChallengeId,
    by: &Player,
    to: Option<&Player>,
    listed: bool,
) -> NewChallenge {
    NewChallenge {
        id: id.clone(),
        challenger: by.id.clone(),
        game: GameKind::Oware,
        setup: String::new(),
        side: None,
        time_control: BLITZ,
        extra: ExtraTime::default(),
        rated: false,
        options: MatchOptions::usual(false),
        private: false,
        to: to.map(|to| to.id.clone()),
        listed,
        rating_range: (None, None),
        created_ms: 5,
        expires_ms: EVER,
    }
}

async fn changed(
    store: &dyn Store,
    world: &World,
    by: &Player,
    change: &ClubChange,
) -> Result<ClubChanged, StoreError> {
    store
        .change_club(&world.club, &by.id, change, &CLUB_LIMITS, 50)
        .await
}

fn session(hash: u8, of: &Player) -> NewSession {
    NewSession {
        hash: [hash; 32],
        player: of.id.clone(),
        label: "a browser".into(),
        created_ms: 10,
        expires_ms: EVER,
    }
}

fn token(id: &TokenId, hash: u8, of: &Player) -> NewToken {
    NewToken {
        id: id.clone(),
        hash: [hash; 32],
        player: of.id.clone(),
        name: "a program".into(),
        scopes: [Scope::Play].into_iter().collect(),
        created_ms: 10,
        expires_ms: EVER,
    }
}

/// A code, known by a number.
fn oauth_code(number: u8, of: &Player) -> OauthCode {
    OauthCode {
        hash: [number; 32],
        player: of.id.clone(),
        client_id: "a-board".into(),
        redirect_uri: "https://app.example/".into(),
        challenge: [7; 32],
        scopes: [Scope::Read].into_iter().collect(),
        created_ms: 10,
    }
}

/// A passkey, known by a number.
fn passkey(id: &PasskeyId, number: u8, of: &Player) -> NewPasskey {
    NewPasskey {
        id: id.clone(),
        player: of.id.clone(),
        credential_id: vec![number; 20],
        name: "a phone".into(),
        public_key: vec![number; 36],
        state: vec![1; 7],
        transports: 0,
        created_ms: 10,
    }
}

/// A challenge that is answered, known by a number.
fn used_challenge(number: u8) -> UsedChallenge {
    UsedChallenge {
        hash: [number; 32],
        expires_ms: 20,
    }
}

/// A link in a mail, known by a number.
fn link(number: u8) -> NewLink {
    NewLink {
        token: [number; 32],
        created_ms: 1,
        expires_ms: LATER,
    }
}

/// Two recovery codes, known by their numbers.
fn recovery_codes(first: u8) -> RecoveryCodeSet {
    RecoveryCodeSet {
        hashes: vec![[first; 32], [first + 1; 32]],
        created_ms: 10,
    }
}

/// An invitation, its code known by a number.
fn invitation(id: &InvitationId, number: u8) -> NewInvitation {
    NewInvitation {
        id: id.clone(),
        code: [number; 32],
        note: "class 4b".into(),
        uses: 2,
        expires_ms: EVER,
    }
}

/// The use of that invitation.
const INVITED: Option<InvitationUse> = Some(InvitationUse {
    code: [70; 32],
    at_ms: LATER,
});

/// The exchange of that code for a token.
fn redemption(number: u8, token: &TokenId, challenge: [u8; 32]) -> OauthRedemption {
    OauthRedemption {
        hash: [number; 32],
        client_id: "a-board".into(),
        redirect_uri: "https://app.example/".into(),
        challenge,
        token: token.clone(),
        token_hash: [number + 100; 32],
        token_name: "app.example".into(),
        now_ms: 20,
        expires_ms: EVER,
    }
}

fn report(id: &ReportId, by: &Player, about: &Player) -> NewReport {
    NewReport {
        id: id.clone(),
        reporter: by.id.clone(),
        reported: about.id.clone(),
        reason: ReportReason::Stalling,
        text: "he sleeps".into(),
        match_id: None,
        chat_line: None,
        club: None,
        at_ms: 20,
    }
}

fn subscription(session: u8) -> SubscriptionRow {
    SubscriptionRow {
        session: [session; 32],
        endpoint: format!("https://push.example.org/{session}"),
        p256dh: vec![4; 65],
        auth: vec![5; 16],
        language: None,
        created_ms: 30,
    }
}

/// Conditional moves at the head of the running match.
fn lines(text: &str) -> ConditionalMoves {
    ConditionalMoves {
        ply: 1,
        seq: 1,
        lines: vec![vec![text.to_owned()]],
    }
}

fn fresh_match(world: &World) -> NewMatch {
    NewMatch {
        id: world.new.clone(),
        ..new_match(&world.me, &world.you)
    }
}

fn node(name: &str) -> NewNode {
    NewNode {
        id: name.to_owned(),
        name: format!("{name}-1"),
        address: "127.0.0.1:1".into(),
    }
}

fn analysis(match_id: &MatchId, by: &Player) -> NewAnalysis {
    NewAnalysis {
        match_id: match_id.clone(),
        engine: "1".to_owned(),
        by: by.id.clone(),
        at_ms: 5,
        most: 9,
        since_ms: 0,
    }
}

fn line(match_id: &MatchId, by: &Player) -> NewChatLine {
    NewChatLine {
        match_id: match_id.clone(),
        room: ChatRoom::Players,
        player: by.id.clone(),
        text: "hello".to_owned(),
        at_ms: 5,
    }
}

fn void_between(player: &Player, opponent: &Player) -> VoidMatches {
    VoidMatches {
        player: player.id.clone(),
        opponent: Some(opponent.id.clone()),
        since_ms: None,
        until_ms: None,
    }
}

fn turn(world: &World, id: &MatchId) -> NewNotice {
    NewNotice {
        player: world.me.id.clone(),
        kind: NoticeKind::Turn,
        by: Some(world.you.id.clone()),
        key: id.to_string(),
        about: NoticeAbout {
            match_id: Some(id.clone()),
            ..NoticeAbout::default()
        },
        until_ms: None,
        at_ms: 40,
    }
}

const LEASE: std::time::Duration = std::time::Duration::from_secs(3_600);

/// Fills a store with the contents before each write.
pub(crate) async fn fill(store: &Arc<dyn Store>) {
    world(store).await;
}

async fn world(store: &Arc<dyn Store>) -> World {
    let account = async |name: &str| {
        let player = named_player(name, PlayerKind::Account);
        store
            .create_player(&with_password(&player), None)
            .await
            .unwrap();
        player
    };
    let guest = async |name: &str| {
        let player = named_player(name, PlayerKind::Guest);
        let new = mawe_store::NewPlayer {
            player: player.clone(),
            password_hash: None,
        };
        store.create_player(&new, None).await.unwrap();
        player
    };
    let (me, you) = (account("Amina").await, account("Baraka").await);
    // A guest who never returned.
    guest("Guest two").await;
    let mut world = World {
        invitation: InvitationId::random(),
        new_invitation: InvitationId::random(),
        moderator: account("Chiku").await,
        guest: guest("Guest one").await,
        bot: store.ensure_bot(1, "Kokoto", 1).await.unwrap(),
        running: MatchId::random(),
        finished: MatchId::random(),
        called_off: MatchId::random(),
        voided: MatchId::random(),
        challenge: ChallengeId::random(),
        seek: ChallengeId::random(),
        report: ReportId::random(),
        taken_report: ReportId::random(),
        warned: ReportId::random(),
        appealed: ReportId::random(),
        notice: NoticeId::random(),
        club: ClubId::random(),
        new_club: ClubId::random(),
        rival: ClubId::random(),
        proposed: ClubMatchId::random(),
        agreed: ClubMatchId::random(),
        cancelled: ClubMatchId::random(),
        ready: ClubMatchId::random(),
        played: ClubMatchId::random(),
        new_club_match: ClubMatchId::random(),
        coming_event: EventId::random(),
        begun_event: EventId::random(),
        new_event: EventId::random(),
        timetable: EventTimetableId::random(),
        new_timetable: EventTimetableId::random(),
        new_pupil: PlayerId::random(),
        class: ClubId::random(),
        pupil: PlayerId::random(),
        token: TokenId::random(),
        code_token: TokenId::random(),
        passkey: PasskeyId::random(),
        new_passkey: PasskeyId::random(),
        new: MatchId::random(),
        new_player: named_player("Dalila", PlayerKind::Account),
        new_challenge: ChallengeId::random(),
        new_report: ReportId::random(),
        new_token: TokenId::random(),
        me,
        you,
    };
    for id in [&world.running, &world.finished, &world.called_off] {
        let new = NewMatch {
            id: id.clone(),
            ..new_match(&world.me, &world.you)
        };
        store.create_match(&new).await.unwrap();
    }
    let new = NewMatch {
        id: world.voided.clone(),
        ..new_match(&world.me, &world.bot)
    };
    store.create_match(&new).await.unwrap();
    let mut called_off = finishing(&world.called_off, 0, None);
    if let Some(finish) = &mut called_off.finish {
        (finish.reason, finish.plies, finish.uncounted) = ("aborted".into(), 0, false);
    }
    let appends = [
        one(&world.running, 0, 0),
        finishing(&world.finished, 0, Some(Side::First)),
        finishing(&world.voided, 0, Some(Side::First)),
        called_off,
    ];
    store.append(&appends).await.unwrap();
    let open = invitation(&world.invitation, 70);
    let by = attribution(&world.moderator);
    assert!(store.create_invitation(&open, 5, &by).await.unwrap());
    let lines = (&world.running, Side::First, lines("a b"));
    let kept = store.set_conditional_moves(lines.0, lines.1, &lines.2);
    kept.await.unwrap();
    let begun = store.begin_vacation(&world.you.id, 3, 5).await;
    begun.unwrap().unwrap();
    let new = analysis(&world.finished, &world.you);
    let requested = store.request_analysis(&new).await;
    assert_eq!(requested.unwrap(), RequestedAnalysis::New);
    let me = &world.me;
    for id in [&world.running, &world.voided] {
        let written = store.write_chat_line(&line(id, me), 9).await;
        assert_eq!(written.unwrap(), Some(1));
    }
    let followed = store.follow(&me.id, &world.you.id, 9, 5);
    assert_eq!(followed.await.unwrap(), Followed::Yes);
    let blocked = store.block(&world.you.id, &world.guest.id, 9, 5);
    assert!(blocked.await.unwrap().is_some());
    let new = NewClub {
        id: world.club.clone(),
        ..club("a-club", me, Joining::Open)
    };
    store.found_club(&new, &CLUB_LIMITS).await.unwrap();
    let class = NewClub {
        id: world.class.clone(),
        kind: ClubKind::Class,
        ..club("class", me, Joining::Invitation)
    };
    store.found_club(&class, &CLUB_LIMITS).await.unwrap();
    let pupil = pupils(world.pupil.clone(), "Juma", 1);
    let made = store.make_pupils(&class.id, &me.id, &pupil, 500).await;
    assert_eq!(made.unwrap(), PupilsMade::Made);
    let wish = ClubChange::Join(String::new());
    let by = store.as_ref();
    changed(by, &world, &world.you, &wish).await.unwrap();
    let edit = ClubEdit {
        joining: Some(Joining::Request),
        ..ClubEdit::default()
    };
    let edit = ClubChange::Edit(edit);
    changed(by, &world, me, &edit).await.unwrap();
    changed(by, &world, &world.moderator, &wish).await.unwrap();
    fill_club_matches(by, &world).await;
    fill_events(by, &world).await;
    let muted = store.mute_in_chat(&me.id, &world.you.id, 9, 5);
    assert!(muted.await.unwrap());
    let by_name = challenge(&world.challenge, &world.you, Some(me), false);
    store.create_challenge(&by_name).await.unwrap();
    let seek = challenge(&world.seek, me, None, true);
    store.create_challenge(&seek).await.unwrap();
    for hash in [1, 2] {
        store.create_session(&session(hash, me)).await.unwrap();
    }
    store.subscribe(&subscription(1), 5).await.unwrap();
    let made = token(&world.token, 9, me);
    assert!(store.create_token(&made, 5).await.unwrap());
    for number in [11, 12] {
        let made = oauth_code(number, me);
        assert!(store.create_oauth_code(&made, 5).await.unwrap());
    }
    let made = recovery_codes(30);
    store.set_recovery_codes(&me.id, &made).await.unwrap();
    let address = "me@example.org";
    store.await_email(&me.id, address, &link(60)).await.unwrap();
    let confirmed = store.confirm_email(&[60; 32], 5).await.unwrap();
    assert!(confirmed.is_some());
    store
        .await_email(&me.id, "me@example.com", &link(61))
        .await
        .unwrap();
    let sent_to = store.begin_reset(&me.id, &link(62)).await.unwrap();
    assert_eq!(sent_to.as_deref(), Some(address));
    let made = passkey(&world.passkey, 1, me);
    let made = store.create_passkey(&made, &used_challenge(1), 5).await;
    assert_eq!(made.unwrap(), PasskeyCreated::Yes);
    let used = redemption(11, &world.code_token, [7; 32]);
    let redeemed = store.redeem_oauth_code(&used, 5).await.unwrap();
    assert!(matches!(redeemed, Redeemed::Token(_)));
    let moderator = &world.moderator;
    for (id, by) in [
        (&world.report, &world.you),
        (&world.taken_report, moderator),
    ] {
        store.create_report(&report(id, by, me)).await.unwrap();
    }
    let mine = attribution(moderator);
    let void = void_between(&world.me, &world.bot);
    assert_eq!(store.void_matches(&void, &mine).await.unwrap(), 1);
    let taken = store.take_report(&world.taken_report, &mine, 1);
    assert!(taken.await.unwrap());
    store.join_nodes(&node("one"), LEASE).await.unwrap();
    store.set_wish(&world.you.id).await.unwrap();
    let mine_is_known = std::slice::from_ref(&world.me.id);
    store
        .note_shared_device(&moderator.id, mine_is_known, 5)
        .await
        .unwrap();
    let warned = world.warned.clone();
    let by_guest = report(&warned, &world.guest, me);
    store.create_report(&by_guest).await.unwrap();
    assert!(store.take_report(&warned, &mine, 1).await.unwrap());
    let (appealed, you) = (&world.appealed, &world.you);
    let by_guest = report(appealed, &world.guest, you);
    store.create_report(&by_guest).await.unwrap();
    assert!(store.take_report(appealed, &mine, 1).await.unwrap());
    let mute = store.resolve_report(appealed, &Verdict::Mute(None), &mine);
    mute.await.unwrap();
    let appeal = store.create_appeal(appealed, &you.id, "I said nothing", 9);
    assert!(appeal.await.unwrap());
    let Judged::Done {
        notice: Some(notice),
        ..
    } = store
        .resolve_report(&warned, &Verdict::Warn, &mine)
        .await
        .unwrap()
    else {
        panic!("a warning is told");
    };
    // A display name in the place of another.
    for text in ["Mwanga", "Nyota"] {
        let name = NewDisplayName {
            text: text.to_owned(),
            key: name_look(text),
        };
        let set = store.set_display_name(&me.id, &name, 1).await;
        assert!(matches!(set, Ok(DisplayNameSet::Done(_))), "{set:?}");
    }
    // An account whose suspension is over.
    let disabled = account("Farida").await;
    let renamed = store.rename_account(&disabled.id, "Fadhili", 3).await;
    assert!(matches!(renamed, Ok(Renamed::Done(_))), "{renamed:?}");
    let until = AccountChange::DisableUntil(5);
    store
        .change_account(&disabled.id, &until, &mine)
        .await
        .unwrap();
    world.notice = notice.id;
    store
        .write_notice(&turn(&world, &world.running))
        .await
        .unwrap();
    // Nobody answers it, and it is over.
    let unanswered = NewChallenge {
        expires_ms: LATER - 1,
        ..challenge(&ChallengeId::random(), &world.you, Some(moderator), false)
    };
    store.create_challenge(&unanswered).await.unwrap();
    world
}

fn club_match(world: &World, id: &ClubMatchId) -> NewClubMatch {
    NewClubMatch {
        id: id.clone(),
        home: world.club.clone(),
        away: world.rival.clone(),
        by: world.me.id.clone(),
        game: GameKind::Oware,
        time_control: BLITZ,
        rated: false,
        boards: 5,
        games: 2,
        start_ms: 100,
        created_ms: 5,
    }
}

fn first_game(of: &ClubMatchId) -> ClubGameKey {
    ClubGameKey {
        club_match: of.clone(),
        board: 1,
        game: 1,
    }
}

async fn club_match_changed(
    store: &dyn Store,
    id: &ClubMatchId,
    by: &Player,
    what: ClubMatchChange,
) -> Result<(), StoreError> {
    let limits = &CLUB_MATCH_LIMITS;
    let changed = store.change_club_match(id, &by.id, what, limits, 50);
    changed.await.map(drop)
}

async fn fill_club_matches(store: &dyn Store, world: &World) {
    let rival = NewClub {
        id: world.rival.clone(),
        ..club("rival", &world.you, Joining::Open)
    };
    store.found_club(&rival, &CLUB_LIMITS).await.unwrap();
    let all = [
        &world.proposed,
        &world.agreed,
        &world.cancelled,
        &world.ready,
        &world.played,
    ];
    for id in all {
        let new = club_match(world, id);
        let made = store.propose_club_match(&new, &CLUB_MATCH_LIMITS);
        made.await.unwrap();
    }
    let (me, you) = (&world.me, &world.you);
    for id in &all[1..] {
        for (by, what) in [
            (you, ClubMatchChange::Accept),
            (me, ClubMatchChange::SignUp(ClubSide::Home)),
            (you, ClubMatchChange::SignUp(ClubSide::Away)),
        ] {
            club_match_changed(store, id, by, what).await.unwrap();
        }
    }
    let cancelled = club_match_changed(store, &world.cancelled, me, ClubMatchChange::End);
    cancelled.await.unwrap();
    for id in &all[3..] {
        let begun = store.step_club_match(id, 100).await.unwrap();
        assert_eq!(begun, ClubMatchStep::Taken);
    }
    let key = first_game(&world.played);
    let new = new_match(me, you);
    let seated = store.seat_club_game(&key, &new, &[]);
    assert_eq!(seated.await.unwrap(), ClubGameSeated::Seated);
}

fn of_my_club(world: &World) -> NewEventTimetable {
    NewEventTimetable {
        id: world.timetable.clone(),
        ..timetable(&world.me, Some(&world.club))
    }
}

async fn fill_events(store: &dyn Store, world: &World) {
    let players = [&world.me, &world.you];
    for id in [&world.coming_event, &world.begun_event] {
        let new = NewEvent {
            id: id.clone(),
            ..event(&world.me)
        };
        let created = store.create_event(&new, &nothing(id), 9, 0).await;
        assert!(created.unwrap());
        let join = joined(id, 0, players);
        assert!(store.append_event(&join).await.unwrap());
    }
    let begin = paired(&world.begun_event, 1);
    assert!(store.append_event(&begin).await.unwrap());
    let new = of_my_club(world);
    let made = store.create_event_timetable(&new, &EVENT_TIMETABLE_LIMITS);
    assert_eq!(made.await.unwrap(), EventTimetableCreated::Created);
}

macro_rules! writes {
    ($($name:ident($store:ident, $world:ident) $body:block)*) => {
        /// Every write of the store, by its name there.
        const WRITES: &[(&str, Write)] = &[$((
            stringify!($name),
            |$store, $world| async move { $body; Ok(()) }.boxed(),
        )),*];
    };
}

writes! {
    append(store, w) {
        let told = store.append(&[one(&w.running, 1, 0)]).await?;
        assert_eq!(told, [mawe_store::Appended::Done]);
    }
    claim_match(store, w) { store.claim_match(&w.running, "owner").await? }
    claim_free_match(store, w) { store.claim_free_match(&w.running, "one-1").await? }
    join_nodes(store, w) { let _ = w; store.join_nodes(&node("two"), LEASE).await? }
    renew_lease(store, w) { let _ = w; assert!(store.renew_lease("one-1", LEASE).await?.is_some()) }
    leave_nodes(store, w) { let _ = w; store.leave_nodes("one-1").await? }
    set_wish(store, w) { store.set_wish(&w.me.id).await? }
    create_wished_match(store, w) {
        store.create_wished_match(&fresh_match(w), std::slice::from_ref(&w.you.id)).await?
    }
    create_match(store, w) { store.create_match(&fresh_match(w)).await? }
    create_player(store, w) { store.create_player(&with_password(&w.new_player), None).await? }
    create_player(store, w) {
        store.create_player(&with_password(&w.new_player), Some(&session(3, &w.new_player))).await?
    }
    register_account(store, w) {
        store.register_account(&with_password(&w.new_player), &session(3, &w.new_player), &recovery_codes(40), None).await?
    }
    register_guest(store, w) {
        store.register_guest(&w.guest.id, "Eshe", "$argon2id$y", &recovery_codes(40), None).await?
    }
    register_account(store, w) {
        store.register_account(&with_password(&w.new_player), &session(3, &w.new_player), &recovery_codes(40), INVITED).await?
    }
    register_guest(store, w) {
        store.register_guest(&w.guest.id, "Eshe", "$argon2id$y", &recovery_codes(40), INVITED).await?
    }
    create_invitation(store, w) {
        let new = invitation(&w.new_invitation, 71);
        assert!(store.create_invitation(&new, 5, &attribution(&w.moderator)).await?)
    }
    revoke_invitation(store, w) {
        store.revoke_invitation(&w.invitation, &attribution(&w.moderator)).await?
    }
    set_recovery_codes(store, w) { store.set_recovery_codes(&w.me.id, &recovery_codes(40)).await? }
    create_passkey(store, w) {
        let new = passkey(&w.new_passkey, 2, &w.me);
        assert_eq!(store.create_passkey(&new, &used_challenge(2), 5).await?, PasskeyCreated::Yes)
    }
    use_passkey(store, w) {
        let (id, old_state, new_state) = (w.passkey.clone(), vec![1; 7], vec![2; 7]);
        let used = PasskeyUse { id, old_state, new_state, at_ms: 15 };
        assert!(store.use_passkey(&used, &used_challenge(3)).await?)
    }
    rename_passkey(store, w) { assert!(store.rename_passkey(&w.me.id, &w.passkey, "old").await?) }
    delete_passkey(store, w) { assert!(store.delete_passkey(&w.me.id, &w.passkey).await?) }
    recover(store, w) {
        let ended = store.recover(&w.me.id, &[30; 32], "$argon2id$y").await?;
        assert_eq!(ended.map(|ended| ended.len()), Some(2))
    }
    await_email(store, w) { store.await_email(&w.me.id, "new@example.org", &link(63)).await? }
    confirm_email(store, _w) { assert!(store.confirm_email(&[61; 32], 5).await?.is_some()) }
    remove_email(store, w) { assert!(store.remove_email(&w.me.id).await?.is_some()) }
    begin_reset(store, w) { assert!(store.begin_reset(&w.me.id, &link(63)).await?.is_some()) }
    reset_password(store, _w) {
        let ended = store.reset_password(&[62; 32], "$argon2id$y", 5).await?;
        assert_eq!(ended.map(|ended| ended.len()), Some(2))
    }
    ensure_bot(store, w) { let _ = w; store.ensure_bot(2, "Jiwe", 1).await? }
    rename_account(store, w) {
        let renamed = store.rename_account(&w.me.id, "Dalila", LATER).await?;
        assert!(matches!(renamed, Renamed::Done(_)), "{renamed:?}");
    }
    set_display_name(store, w) {
        let name = NewDisplayName { text: "Dalila".to_owned(), key: "dallla".to_owned() };
        let set = store.set_display_name(&w.me.id, &name, LATER).await?;
        assert!(matches!(set, DisplayNameSet::Done(_)), "{set:?}");
    }
    remove_display_name(store, w) {
        assert_eq!(store.remove_display_name(&w.me.id, LATER).await?.look.display_name, None)
    }
    set_language(store, w) { store.set_language(&w.me.id, Language::Sw).await? }
    change_look(store, w) {
        let change = LookChange { avatar: Some(Some(Avatar::Crab)), flag: Some("TZ".parse().ok()) };
        store.change_look(&w.me.id, change).await?
    }
    set_challenge_rule(store, w) {
        let rule = ChallengeRule { from: ChallengesFrom::Friends, min_rating: Some(5), max_rating: None };
        store.set_challenge_rule(&w.me.id, rule).await?
    }
    follow(store, w) {
        assert_eq!(store.follow(&w.me.id, &w.moderator.id, 9, 50).await?, Followed::Yes)
    }
    unfollow(store, w) { store.unfollow(&w.me.id, &w.you.id).await? }
    block(store, w) { assert!(store.block(&w.me.id, &w.you.id, 9, 50).await?.is_some()) }
    found_club(store, w) {
        let new = NewClub { id: w.new_club.clone(), ..club("new-club", &w.you, Joining::Open) };
        store.found_club(&new, &CLUB_LIMITS).await?
    }
    change_club(store, w) { changed(store, w, &w.me, &ClubChange::Accept(w.moderator.id.clone())).await? }
    change_club(store, w) { changed(store, w, &w.me, &ClubChange::Remove(w.you.id.clone())).await? }
    change_club(store, w) { changed(store, w, &w.you, &ClubChange::Leave).await? }
    change_club(store, w) { changed(store, w, &w.me, &ClubChange::Close).await? }
    propose_club_match(store, w) {
        let new = club_match(w, &w.new_club_match);
        store.propose_club_match(&new, &CLUB_MATCH_LIMITS).await?
    }
    change_club_match(store, w) { club_match_changed(store, &w.proposed, &w.you, ClubMatchChange::Accept).await? }
    change_club_match(store, w) { club_match_changed(store, &w.proposed, &w.you, ClubMatchChange::Decline).await? }
    change_club_match(store, w) { club_match_changed(store, &w.proposed, &w.me, ClubMatchChange::End).await? }
    change_club_match(store, w) { club_match_changed(store, &w.agreed, &w.me, ClubMatchChange::End).await? }
    change_club_match(store, w) {
        let side = ClubMatchChange::SignUp(ClubSide::Home);
        club_match_changed(store, &w.agreed, &w.you, side).await?
    }
    change_club_match(store, w) { club_match_changed(store, &w.agreed, &w.you, ClubMatchChange::SignOff).await? }
    step_club_match(store, w) { assert_eq!(store.step_club_match(&w.agreed, 200).await?, ClubMatchStep::Taken) }
    step_club_match(store, w) { assert_eq!(store.step_club_match(&w.cancelled, 200).await?, ClubMatchStep::Told) }
    end_club_game(store, w) { assert!(store.end_club_game(&first_game(&w.played), 200).await?) }
    seat_club_game(store, w) {
        let seated = store.seat_club_game(&first_game(&w.ready), &fresh_match(w), &[]).await?;
        assert_eq!(seated, ClubGameSeated::Seated)
    }
    skip_club_game(store, w) {
        assert!(store.skip_club_game(&first_game(&w.ready), ClubGameSkipped::Busy, 200).await?)
    }
    make_pupils(store, w) {
        let new = pupils(w.new_pupil.clone(), "Neema", 3);
        store.make_pupils(&w.class, &w.me.id, &new, 500).await?
    }
    renew_cards(store, w) {
        let new = NewCards { cards: vec![(w.pupil.clone(), [2; 32])], password_hash: "another".to_owned(), expires_ms: 99, now_ms: 50 };
        store.renew_cards(&w.class, &w.me.id, &new).await?
    }
    change_pupil(store, w) {
        let change = PupilChange::RealName("Neema".to_owned());
        store.change_pupil(&w.class, &w.me.id, &w.pupil, &change, 50).await?
    }
    change_pupil(store, w) { store.change_pupil(&w.class, &w.me.id, &w.pupil, &PupilChange::Release, 50).await? }
    change_class_rules(store, w) {
        let rules = ClassRulesEdition { outsiders: Some(true), ..ClassRulesEdition::default() };
        store.change_class_rules(&w.class, &w.me.id, &rules, 50).await?
    }
    use_login_card(store, _w) { store.use_login_card(&[1; 32], "chosen", 50).await? }
    create_event(store, w) {
        let new = NewEvent { id: w.new_event.clone(), ..event(&w.you) };
        assert!(store.create_event(&new, &joined(&new.id, 0, [&w.you, &w.me]), 9, 0).await?)
    }
    create_event_timetable(store, w) {
        let new = NewEventTimetable { id: w.new_timetable.clone(), ..timetable(&w.you, None) };
        let made = store.create_event_timetable(&new, &EVENT_TIMETABLE_LIMITS).await?;
        assert_eq!(made, EventTimetableCreated::Created)
    }
    make_event_of_timetable(store, w) {
        let mut next = occurrence(&of_my_club(w), 1_000, 2_000);
        next.event.id = w.new_event.clone();
        let made = store.make_event_of_timetable(&next, &nothing(&w.new_event), 0).await?;
        assert_eq!(made, EventOccurrenceMade::Made)
    }
    delete_event_timetable(store, w) { assert!(store.delete_event_timetable(&w.timetable).await?) }
    append_event(store, w) { assert!(store.append_event(&paired(&w.coming_event, 1)).await?) }
    append_event(store, w) {
        let audit = NewAudit {
            attribution: attribution(&w.moderator), action: "judge-game", about: None, match_id: None, detail: String::new(),
        };
        assert!(store.append_event(&EventAppend { audit: Some(audit), ..paired(&w.coming_event, 1) }).await?)
    }
    tell_event_starts(store, w) {
        assert_eq!(store.tell_event_starts(LATER, 50, 1).await?, std::slice::from_ref(&w.coming_event))
    }
    seat_event_game(store, w) {
        let seated = store.seat_event_game(&key(&w.begun_event, 1), &fresh_match(w), &[], true).await?;
        assert_eq!(seated, EventGameSeated::Seated)
    }
    moderate_club(store, w) { store.moderate_club(&w.class, &ClubModeration::Appoint(w.you.id.clone()), &attribution(&w.moderator)).await? }
    moderate_club(store, w) {
        let edit = ClubEdit { banner: Some("a line".into()), ..ClubEdit::default() };
        store.moderate_club(&w.club, &ClubModeration::Edit(edit), &attribution(&w.moderator)).await?
    }
    unblock(store, w) { store.unblock(&w.you.id, &w.guest.id).await? }
    set_chat(store, w) { store.set_chat(&w.me.id, true).await? }
    write_chat_line(store, w) {
        assert_eq!(store.write_chat_line(&line(&w.running, &w.you), 9).await?, Some(2))
    }
    remove_chat_line(store, w) {
        let by = attribution(&w.moderator);
        assert!(store.remove_chat_line(&w.running, ChatRoom::Players, 1, &by).await?)
    }
    mute_in_chat(store, w) { assert!(store.mute_in_chat(&w.you.id, &w.me.id, 9, 50).await?) }
    unmute_in_chat(store, w) { store.unmute_in_chat(&w.me.id, &w.you.id).await? }
    create_challenge(store, w) {
        store.create_challenge(&challenge(&w.new_challenge, &w.me, None, false)).await?
    }
    create_challenge_within(store, w) {
        let new = challenge(&w.new_challenge, &w.me, Some(&w.you), false);
        assert!(matches!(
            store.create_challenge_within(&new, 9, 9, false).await?,
            Offered::Made { .. }
        ))
    }
    create_seek(store, w) {
        let new = challenge(&w.new_challenge, &w.you, None, true);
        assert!(store.create_seek(&new, 5).await?)
    }
    accept_challenge(store, w) {
        store.accept_challenge(&w.challenge, &fresh_match(w), 50).await?
    }
    accept_and_seat(store, w) {
        let seats = [WishState { player: w.you.id.clone(), got: Some(None) }];
        assert!(store.accept_and_seat(&w.challenge, &fresh_match(w), 50, &seats).await?)
    }
    cancel_challenge(store, w) { store.cancel_challenge(&w.challenge).await? }
    decline_challenge(store, w) {
        store.decline_challenge(&w.challenge, DeclineReason::Later, 50).await?
    }
    cancel_live_seeks(store, w) { assert_eq!(store.cancel_live_seeks(std::slice::from_ref(&w.me.id)).await?, 1) }
    cancel_seeks(store, w) { assert_eq!(store.cancel_seeks(&w.me.id).await?, 1) }
    count_match(store, w) { assert!(store.count_match(&w.finished, rating::rate).await?) }
    seed_ratings(store, w) {
        let seed = Seed {
            player: w.bot.id.clone(),
            game: GameKind::Mawe,
            speed: Speed::Blitz,
            rating: 1_400.0,
            deviation: 50.0,
            volatility: 0.06,
        };
        assert!(store.seed_ratings(1, &[seed], 60).await?)
    }
    correct(store, w) {
        let mut corrections = Corrections::default();
        let tally = GameTally { game: GameKind::Mawe, won: BySide::new(3, 1), drawn: 2, plies: 90 };
        corrections.standings.games.push(tally);
        assert!(store.correct(&corrections, &attribution(&w.moderator)).await?)
    }
    void_matches(store, w) {
        let void = void_between(&w.me, &w.you);
        assert_eq!(store.void_matches(&void, &attribution(&w.moderator)).await?, 1)
    }
    settle_voids(store, w) { store.settle_voids(std::slice::from_ref(&w.voided)).await? }
    create_session(store, w) { store.create_session(&session(3, &w.me)).await? }
    delete_session(store, w) { let _ = w; store.delete_session(&[1; 32]).await? }
    delete_other_sessions(store, w) { store.delete_other_sessions(&w.me.id, &[1; 32]).await? }
    change_password(store, w) {
        store.change_password(&w.me.id, "$argon2id$z", &[1; 32], true).await?
    }
    device_key(store, w) { let _ = w; store.device_key(&[8; 32]).await? }
    note_shared_device(store, w) {
        store.note_shared_device(&w.me.id, std::slice::from_ref(&w.you.id), 50).await?
    }
    create_token(store, w) { assert!(store.create_token(&token(&w.new_token, 8, &w.me), 5).await?) }
    delete_token(store, w) { assert!(store.delete_token(&w.me.id, &w.token).await?.is_some()) }
    revoke_token(store, w) { let _ = w; assert!(store.revoke_token(&[9; 32]).await?) }
    create_oauth_code(store, w) {
        assert!(store.create_oauth_code(&oauth_code(13, &w.me), 5).await?)
    }
    redeem_oauth_code(store, w) {
        let redemption = redemption(12, &w.new_token, [7; 32]);
        let redeemed = store.redeem_oauth_code(&redemption, 5).await?;
        assert!(matches!(redeemed, Redeemed::Token(_)), "{redeemed:?}")
    }
    redeem_oauth_code(store, w) {
        // With another verifier: the code is used up.
        let redeemed = store.redeem_oauth_code(&redemption(12, &w.new_token, [8; 32]), 5).await?;
        assert_eq!(redeemed, Redeemed::Mismatch)
    }
    redeem_oauth_code(store, w) {
        // Used before: the token is revoked.
        let redeemed = store.redeem_oauth_code(&redemption(11, &w.new_token, [7; 32]), 5).await?;
        assert_eq!(redeemed, Redeemed::UsedBefore(Some([111; 32])))
    }
    mark_used(store, w) { let _ = w; store.mark_used(&[([1; 32], 70)], &[([9; 32], 71)]).await? }
    become_bot(store, w) { store.become_bot(&w.moderator.id, 5).await? }
    push_key(store, w) { let _ = w; store.push_key(&[7; 32]).await? }
    subscribe(store, w) { let _ = w; store.subscribe(&subscription(2), 5).await? }
    unsubscribe(store, w) { let _ = w; store.unsubscribe(&[1; 32]).await? }
    forget_endpoint(store, w) {
        let _ = w;
        store.forget_endpoint("https://push.example.org/1").await?
    }
    create_account(store, w) {
        store.create_account(&with_password(&w.new_player), &attribution(&w.moderator)).await?
    }
    change_account(store, w) {
        let until = AccountChange::DisableUntil(LATER);
        store.change_account(&w.me.id, &until, &attribution(&w.moderator)).await?
    }
    write_audit(store, w) {
        let new = NewAudit {
            attribution: attribution(&w.moderator),
            action: "close-match",
            about: None,
            match_id: Some(w.running.clone()),
            detail: String::new(),
        };
        store.write_audit(&new).await?
    }
    set_conditional_moves(store, w) {
        store.set_conditional_moves(&w.running, Side::First, &lines("c d")).await?
    }
    delete_conditional_moves(store, w) {
        assert!(store.delete_conditional_moves(&w.running, Side::First).await?)
    }
    advance_conditional_moves(store, w) {
        store.advance_conditional_moves(&w.running, Side::First, 1, Some(2)).await?
    }
    begin_vacation(store, w) {
        assert!(store.begin_vacation(&w.me.id, 14, LATER).await?.is_ok())
    }
    end_vacation(store, w) {
        assert!(store.end_vacation(&w.you.id, LATER).await?.is_some())
    }
    request_analysis(store, w) {
        let requested = store.request_analysis(&analysis(&w.voided, &w.me)).await?;
        assert_eq!(requested, RequestedAnalysis::New);
    }
    claim_analyses(store, w) {
        let claimed = store.claim_analyses("1", LATER, LATER + 9, 1).await?;
        assert_eq!(claimed, std::slice::from_ref(&w.finished));
    }
    keep_analysis(store, w) { store.keep_analysis(&w.finished, "1", LATER).await? }
    end_analysis(store, w) {
        assert!(store.end_analysis(&w.finished, "1", Some("[]")).await?)
    }
    claim_request_key(store, w) {
        let new = RequestKey {
            player: w.me.id.clone(),
            key: "a key".to_owned(),
            digest: [4; 32],
            made_id: w.new.to_string(),
            created_ms: LATER,
        };
        assert_eq!(store.claim_request_key(&new).await?, new);
    }
    enable_due(store, w) { let _ = w; assert_eq!(store.enable_due(LATER).await?, 1) }
    create_report(store, w) {
        store.create_report(&report(&w.new_report, &w.you, &w.moderator)).await?
    }
    take_report(store, w) { assert!(store.take_report(&w.report, &attribution(&w.moderator), 1).await?) }
    resolve_report(store, w) {
        store.resolve_report(&w.taken_report, &Verdict::Mute(Some(LATER)), &attribution(&w.moderator)).await?
    }
    create_appeal(store, w) {
        assert!(store.create_appeal(&w.warned, &w.me.id, "that was not me", LATER).await?)
    }
    decide_appeal(store, w) {
        let by = attribution(&w.me);
        assert!(store.decide_appeal(&w.appealed, true, &by).await?.is_some())
    }
    decide_appeal(store, w) {
        let by = attribution(&w.me);
        assert!(store.decide_appeal(&w.appealed, false, &by).await?.is_some())
    }
    delete_notice(store, w) { assert!(store.delete_notice(&w.me.id, &w.notice).await?) }
    write_notice(store, w) { assert!(store.write_notice(&turn(w, &w.new)).await?) }
    write_notice(store, w) {
        // In the place of the older one.
        let ended = NewNotice { kind: NoticeKind::Ended, ..turn(w, &w.running) };
        assert!(store.write_notice(&ended).await?)
    }
    read_notices(store, w) {
        assert_eq!(store.read_notices(&w.me.id, &WhichNotices::UpTo(LATER), LATER).await?, 7)
    }
    delete_notice_about(store, w) {
        let about = w.running.as_str();
        assert!(store.delete_notice_about(&w.me.id, about, NoticeKind::Turn).await?)
    }
    note_lapsed(store, w) { let _ = w; assert_eq!(store.note_lapsed(LATER, 10).await?.len(), 1) }
    claim_upkeep(store, w) { let _ = w; assert!(store.claim_upkeep(10, LATER).await?) }
    delete_stale(store, w) {
        let _ = w;
        assert_eq!(store.delete_stale(Stale::UnplayedMatches, LATER, 10).await?, 1);
    }
    delete_stale(store, w) {
        let _ = w;
        assert_eq!(store.delete_stale(Stale::Guests, LATER, 10).await?, 1);
    }
    delete_stale(store, w) {
        let _ = w;
        assert_eq!(store.delete_stale(Stale::SharedDevices, LATER, 10).await?, 1);
    }
    delete_stale(store, w) {
        let _ = w;
        assert_eq!(store.delete_stale(Stale::ChatLines, LATER, 10).await?, 1);
    }
    delete_stale(store, w) {
        let _ = w;
        assert_eq!(store.delete_stale(Stale::FormerNames, EVER, 10).await?, 1);
    }
    delete_stale(store, w) {
        let _ = w;
        assert_eq!(store.delete_stale(Stale::FormerDisplayNames, EVER, 10).await?, 1);
    }
    delete_stale(store, w) {
        let _ = w;
        assert_eq!(store.delete_stale(Stale::Invitations, EVER, 10).await?, 1);
    }
    delete_stale(store, w) {
        let _ = w;
        assert_eq!(store.delete_stale(Stale::OauthCodes, LATER, 10).await?, 2);
    }
    delete_stale(store, w) {
        let _ = w;
        assert_eq!(store.delete_stale(Stale::Notices, LATER, 100).await?, 12);
    }
    ping(store, w) { let _ = w; store.ping().await? }
}

/// A database that can be restored to its contents at a chosen time, and made to fail.
trait FailingPlace {
    /// The faults of the database.
    type Fault: Copy + std::fmt::Debug;

    fn faults(&self) -> Vec<Self::Fault>;
    /// Restores the kept database, and opens it if the store that was open cannot go on with it.
    async fn restored(&self, open: Option<OpenStore>) -> OpenStore;
    /// Keeps a copy of the unused database at this address.
    async fn keep(&mut self, url: &str);
    /// Makes it fail once, after this many steps.
    fn arm(&self, fault: Self::Fault, after: u32);
    /// Ends the fault; returns whether it has occurred.
    fn disarm(&self) -> bool;
    /// Returns the contents of its tables, without the values that differ from run to run.
    async fn dump(&self, url: &str) -> String;
}

/// A store and the address of its database.
struct OpenStore {
    store: Arc<dyn Store>,
    url: String,
}

impl OpenStore {
    async fn at(url: String) -> Self {
        let store = mawe_store::open(&url).await.unwrap();
        Self { store, url }
    }
}

/// Fills an unused database, and keeps it.
async fn filled(place: &mut impl FailingPlace, fresh: &str) -> World {
    let store = mawe_store::open(fresh).await.unwrap();
    let world = world(&store).await;
    store.close().await;
    drop(store);
    place.keep(fresh).await;
    world
}

/// The number of tests for one kind of database. Each has its share of the writes: one test of all of them takes a quarter of an hour.
const PARTS: usize = 6;

async fn every_write_is_whole_or_absent(place: &mut impl FailingPlace, fresh: String, part: usize) {
    let world = filled(place, &fresh).await;
    let mut open = place.restored(None).await;
    for (name, write) in WRITES.iter().skip(part).step_by(PARTS) {
        let before = place.dump(&open.url).await;
        write(open.store.as_ref(), &world).await.expect(name);
        let after = place.dump(&open.url).await;
        // The values of these writes are left out, since they differ from run to run.
        let is_shown = !["ping", "renew_lease"].contains(name);
        assert_eq!(before != after, is_shown, "{name}");
        open = place.restored(Some(open)).await;

        for fault in place.faults() {
            for step in 0.. {
                // Connections are made before: another test covers a store that cannot be reached.
                open.store.ping().await.unwrap();
                place.arm(fault, step);
                let outcome = write(open.store.as_ref(), &world).await;
                let fired = place.disarm();
                let now = place.dump(&open.url).await;
                let (is_whole, is_absent) = (now == after, now == before);
                let case = format!("{name}, {fault:?} after {step} steps: {outcome:?}\n{now}");
                match outcome {
                    Ok(()) => assert!(is_whole, "told it is done: {case}"),
                    Err(StoreError::Unavailable(_)) => assert!(is_absent, "told it is not: {case}"),
                    Err(StoreError::OutcomeUnknown(_)) => assert!(is_whole || is_absent, "{case}"),
                    Err(_) => panic!("another error: {case}"),
                }
                // Also after a write whose values are left out.
                if !is_absent || !is_shown {
                    open.store.ping().await.unwrap();
                    open = place.restored(Some(open)).await;
                }
                if !fired {
                    // Every step has failed once: this write had no fault.
                    assert!(is_whole, "{case}");
                    break;
                }
            }
        }
    }
    open.store.close().await;
}

/// Writes that wait for each other share a commit: each of them is whole or absent all the same, and each result is true. One of them is
/// refused in any case, which must undo no other.
async fn every_write_of_a_crowd_is_whole_or_absent(place: &FailingDisk) {
    const CROWD: usize = 8;
    const REFUSED: usize = 3;
    for fault in place.faults() {
        for step in 0.. {
            let OpenStore { store, url } = place.restored(None).await;
            store.ping().await.unwrap();
            let players: Vec<Player> = (0..CROWD)
                .map(|i| match i {
                    REFUSED => named_player("amina", PlayerKind::Account),
                    _ => named_player(&format!("one-of-{i}"), PlayerKind::Account),
                })
                .collect();
            let crowd: Vec<_> = players.iter().map(with_password).collect();
            place.arm(fault, step);
            let outcomes = join_all(crowd.iter().map(|new| store.create_player(new, None))).await;
            let fired = place.disarm();
            store.close().await;
            let store = mawe_store::open(&url).await.unwrap();
            for (i, (player, outcome)) in players.iter().zip(&outcomes).enumerate() {
                let is_there = store.find_player(&player.id).await.unwrap().is_some();
                let case = format!("{i}, {fault:?} after {step} steps: {outcome:?}");
                match outcome {
                    Ok(()) => assert!(is_there && i != REFUSED, "{case}"),
                    Err(StoreError::Conflict) => assert!(!is_there && i == REFUSED, "{case}"),
                    Err(StoreError::Unavailable(_)) => assert!(!is_there, "{case}"),
                    Err(StoreError::OutcomeUnknown(_)) => {}
                    Err(_) => panic!("another error: {case}"),
                }
            }
            store.close().await;
            if !fired {
                assert_eq!(
                    outcomes.iter().filter(|outcome| outcome.is_ok()).count(),
                    CROWD - 1
                );
                break;
            }
        }
    }
}

/// SQLite on a failing disk.
struct FailingDisk {
    disk: FaultyDisk,
    kept: PathBuf,
    /// The SQL that reads all rows.
    dump: String,
    armed: std::cell::Cell<u32>,
}

impl FailingPlace for FailingDisk {
    type Fault = Fault;

    fn faults(&self) -> Vec<Fault> {
        vec![Fault::Full, Fault::Broken]
    }

    async fn restored(&self, open: Option<OpenStore>) -> OpenStore {
        if let Some(open) = open {
            open.store.close().await;
        }
        let file = self.disk.directory().join(MatchId::random().as_str());
        std::fs::copy(&self.kept, &file).unwrap();
        OpenStore::at(format!("sqlite:{}", file.display())).await
    }

    async fn keep(&mut self, url: &str) {
        // One statement for all tables: each is read thousands of times.
        let columns: Vec<(String, String)> = sqlx::query_as(
            "SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c
            WHERE t.type = 'table' AND t.name NOT LIKE '\\_sqlx%' ESCAPE '\\' AND t.name <> 'probe' ORDER BY t.name, c.cid",
        )
        .fetch_all(&mut sqlx::SqliteConnection::connect(url).await.unwrap())
        .await
        .unwrap();
        self.dump = dump_of(&columns, |table, listed| {
            let listed = listed.iter().map(|column| format!("quote({column})"));
            let listed: Vec<String> = listed.collect();
            format!(
                "SELECT '{table} ' || {} FROM {table}",
                listed.join(" || ' ' || ")
            )
        });
        std::fs::rename(&url["sqlite:".len()..], &self.kept).unwrap();
    }

    fn arm(&self, fault: Fault, after: u32) {
        self.armed.set(after);
        self.disk.fail_once_after(fault, after);
    }

    fn disarm(&self) -> bool {
        let fired = self.disk.operations() > self.armed.get();
        self.disk.heal();
        fired
    }

    async fn dump(&self, url: &str) -> String {
        let mut direct = sqlx::SqliteConnection::connect(url).await.unwrap();
        let rows: Vec<String> = sqlx::query_scalar(AssertSqlSafe(self.dump.as_str()))
            .fetch_all(&mut direct)
            .await
            .unwrap();
        direct.close().await.unwrap();
        rows.join("\n")
    }
}

/// The SQL that reads all rows of tables, given as tables and their columns; `select` makes it for a table.
fn dump_of(columns: &[(String, String)], select: impl Fn(&str, &[&str]) -> String) -> String {
    let tables = columns.chunk_by(|a, b| a.0 == b.0).map(|table| {
        let name = &table[0].0;
        let listed = table.iter().map(|(_, column)| column.as_str());
        let listed: Vec<&str> = listed
            .filter(|column| is_of_every_run(name, column))
            .collect();
        select(name, &listed)
    });
    let tables: Vec<String> = tables.collect();
    format!("{} ORDER BY 1", tables.join(" UNION ALL "))
}

/// Returns whether a column is the same in every run: not drawn, not counted through failures, not read from the clock of the database.
fn is_of_every_run(table: &str, column: &str) -> bool {
    !matches!(
        (table, column),
        ("nodes", "expires_ms") | ("audit" | "notices" | "players", "id")
    )
}

/// Postgres behind a failing connection.
struct FailingLine {
    wire: Wire,
    url: String,
    /// A connection without faults.
    direct: Mutex<Option<sqlx::PgConnection>>,
    /// The SQL that restores the rows.
    restore: String,
    /// The SQL that reads all rows.
    dump: String,
}

impl FailingLine {
    async fn direct(&self) -> MappedMutexGuard<'_, sqlx::PgConnection> {
        let mut direct = self.direct.lock().await;
        if direct.is_none() {
            *direct = Some(sqlx::PgConnection::connect(&self.url).await.unwrap());
        }
        MutexGuard::map(direct, |direct| direct.as_mut().unwrap())
    }

    async fn execute(&self, sql: &str) {
        sqlx::raw_sql(AssertSqlSafe(sql))
            .execute(&mut *self.direct().await)
            .await
            .unwrap();
    }
}

impl FailingPlace for FailingLine {
    type Fault = Loss;

    fn faults(&self) -> Vec<Loss> {
        vec![
            Loss::Before,
            Loss::After,
            Loss::Refused("53100"),
            Loss::Refused("58030"),
            Loss::Refused("55P03"),
        ]
    }

    async fn restored(&self, open: Option<OpenStore>) -> OpenStore {
        self.execute(&self.restore).await;
        // A store keeps nothing of its database in memory, and opening one takes a process of Postgres for each of ten connections.
        match open {
            Some(open) => open,
            None => OpenStore::at(self.wire.to(&self.url)).await,
        }
    }

    async fn keep(&mut self, url: &str) {
        self.url = url.to_owned();
        // In the order of their creation: no table refers to a later one.
        let tables: Vec<String> = sqlx::query_scalar(
            "SELECT relname::text FROM pg_class
            WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> '_sqlx_migrations'
            ORDER BY oid",
        )
        .fetch_all(&mut *self.direct().await)
        .await
        .unwrap();
        let keep: String = tables
            .iter()
            .map(|table| format!("CREATE TABLE kept.{table} AS TABLE {table}; "))
            .collect();
        self.execute(&format!("CREATE SCHEMA kept; {keep}")).await;

        // A separate database for each case would take minutes.
        let delete = tables
            .iter()
            .rev()
            .map(|table| format!("DELETE FROM {table}; "));
        let insert = tables.iter().map(|table| {
            format!("INSERT INTO {table} OVERRIDING SYSTEM VALUE SELECT * FROM kept.{table}; ")
        });
        let restore: String = delete.chain(insert).collect();
        // Without triggers, so that no row is looked up in the tables that refer to it.
        self.restore =
            format!("BEGIN; SET LOCAL session_replication_role = replica; {restore} COMMIT");

        let columns: Vec<(String, String)> = sqlx::query_as(
            "SELECT table_name::text, column_name::text FROM information_schema.columns
            WHERE table_schema = 'public' AND table_name NOT IN ('probe', '_sqlx_migrations')
            ORDER BY table_name, ordinal_position",
        )
        .fetch_all(&mut *self.direct().await)
        .await
        .unwrap();
        self.dump = dump_of(&columns, |table, listed| {
            format!(
                "SELECT '{table} ' || row({})::text FROM {table}",
                listed.join(", ")
            )
        });
    }

    fn arm(&self, fault: Loss, after: u32) {
        self.wire.arm(fault, after);
    }

    fn disarm(&self) -> bool {
        self.wire.disarm()
    }

    async fn dump(&self, _: &str) -> String {
        let rows: Vec<String> = sqlx::query_scalar(AssertSqlSafe(self.dump.as_str()))
            .fetch_all(&mut *self.direct().await)
            .await
            .unwrap();
        rows.join("\n")
    }
}

/// Runs a test in a separate process, whose system calls fail.
fn on_a_failing_disk(name: &str, test: impl AsyncFnOnce(&mut FailingDisk, String)) {
    let Some(disk) = FaultyDisk::of_this_process() else {
        let home = tempfile::tempdir().unwrap();
        let data = home.path().join("data");
        std::fs::create_dir(&data).unwrap();
        let disk = FaultyDisk::new(home.path(), &data);
        let ended = std::process::Command::new(std::env::current_exe().unwrap())
            .args([&format!("store::faults::{name}"), "--exact", "--nocapture"])
            .envs(disk.variables())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&ended.stdout);
        assert!(
            ended.status.success() && said.contains("1 passed"),
            "{said}\n{}",
            String::from_utf8_lossy(&ended.stderr)
        );
        return;
    };
    let fresh = format!("sqlite:{}", disk.directory().join("first").display());
    let mut place = FailingDisk {
        kept: disk.directory().join("kept"),
        disk,
        dump: String::new(),
        armed: std::cell::Cell::new(0),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build();
    runtime.unwrap().block_on(test(&mut place, fresh));
}

async fn on_a_failing_line(part: usize) {
    let postgres = Postgres::start();
    let fresh = postgres.whole_database().await;
    let mut place = FailingLine {
        wire: Wire::start(&fresh).await,
        url: String::new(),
        direct: Mutex::new(None),
        restore: String::new(),
        dump: String::new(),
    };
    every_write_is_whole_or_absent(&mut place, fresh, part).await;
}

/// The two tests of each part of the writes.
macro_rules! every_part {
    ($($part:literal $disk:ident $line:ident),+ $(,)?) => {
        const _: () = assert!([$($part),+].len() == PARTS);

        $(
            #[test]
            fn $disk() {
                on_a_failing_disk(stringify!($disk), async |place, fresh| {
                    every_write_is_whole_or_absent(place, fresh, $part).await;
                });
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $line() {
                on_a_failing_line($part).await;
            }
        )+
    };
}

every_part! {
    0 writes_on_a_failing_disk_are_whole_or_absent_1 writes_on_a_failing_line_are_whole_or_absent_1,
    1 writes_on_a_failing_disk_are_whole_or_absent_2 writes_on_a_failing_line_are_whole_or_absent_2,
    2 writes_on_a_failing_disk_are_whole_or_absent_3 writes_on_a_failing_line_are_whole_or_absent_3,
    3 writes_on_a_failing_disk_are_whole_or_absent_4 writes_on_a_failing_line_are_whole_or_absent_4,
    4 writes_on_a_failing_disk_are_whole_or_absent_5 writes_on_a_failing_line_are_whole_or_absent_5,
    5 writes_on_a_failing_disk_are_whole_or_absent_6 writes_on_a_failing_line_are_whole_or_absent_6,
}

#[test]
fn writes_of_a_crowd_on_a_failing_disk_are_whole_or_absent() {
    let name = "writes_of_a_crowd_on_a_failing_disk_are_whole_or_absent";
    on_a_failing_disk(name, async |place, fresh| {
        filled(place, &fresh).await;
        every_write_of_a_crowd_is_whole_or_absent(place).await;
    });
}

/// A method of a store that writes uses the writer's connections: each such method is a write that must be in the list above.
#[test]
fn every_write_is_here() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../store/src/sql");
    let mut missing = BTreeSet::new();
    let mut found = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        for method in text.split("\n    async fn ").skip(1) {
            let name = method.split(['(', '<']).next().unwrap();
            let body = method.split("\n    }\n").next().unwrap();
            let writes = body.contains("self.writer()") || body.contains("self.reserved()");
            // It reads over the connections of the lease.
            if writes && name != "living_nodes" {
                found += 1;
                if !WRITES.iter().any(|(write, _)| *write == name) {
                    missing.insert(name.to_owned());
                }
            }
        }
    }
    assert!(found > 40, "the methods are not found any more: {found}");
    assert!(missing.is_empty(), "no fault is tried in {missing:?}");
}

/// A pupil to make, with a code of this byte.
fn pupils(id: PlayerId, name: &str, byte: u8) -> NewPupils {
    NewPupils {
        pupils: vec![NewPupil {
            id,
            name: format!("pupil-{name}"),
            real_name: name.to_owned(),
            code: [byte; 32],
        }],
        password_hash: "unknown".to_owned(),
        expires_ms: 99,
        now_ms: 5,
    }
}
