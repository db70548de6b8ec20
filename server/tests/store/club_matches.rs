//! Club matches, tested on both backends.

use std::sync::Arc;

use futures_util::future::join_all;
use mawe_rules::{BySide, GameKind, Side};
use mawe_store::{
    AccountChange, Attribution, CANCELLATIONS, CLUB_LIMITS, CLUB_MATCH_LIMITS, ClubChange,
    ClubGameKey, ClubGameResult, ClubGameSeated, ClubMatchChange, ClubMatchCursor, ClubMatchLimits,
    ClubMatchRow, ClubMatchStep, ClubRefusal, NewClub, NewClubMatch, NewMatch, Player, Store,
    StoreError,
};
use mawe_wire::club_matches::{
    ClubGameSkipped, ClubGameState, ClubMatchList, ClubMatchState, ClubSide,
};
use mawe_wire::clubs::{ClassRulesEdition, ClubAction, ClubKind, Joining};
use mawe_wire::ids::{ClubId, ClubMatchId};
use mawe_wire::{NoticeKind, PlayerKind};

use super::clubs::club;
use super::story::{BLITZ, append, finishing, named_player, new_match, with_password};
use crate::common::place::{Place, SqlitePlace};
use crate::common::postgres::Postgres;

/// The time of the proposals, and that of the start.
const NOW: i64 = 1_000;
const START: i64 = 2_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sqlite_keeps_every_promise_about_club_matches() {
    every_promise(&SqlitePlace::new()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn postgres_keeps_every_promise_about_club_matches() {
    every_promise(&Postgres::start()).await;
}

async fn every_promise(place: &impl Place) {
    let open = async || mawe_store::open(&place.fresh().await).await.unwrap();
    a_club_match_is_proposed_accepted_and_played_to_its_score(open().await).await;
    of_concurrent_answers_one_is_first(open().await).await;
    it_begins_once_and_each_game_is_seated_once(open().await).await;
    a_game_that_cannot_be_seated_is_skipped(open().await).await;
    bad_changes_are_refused(open().await).await;
    limits_of_club_matches_hold_for_concurrent_calls(open().await).await;
    memberships_accounts_and_clubs_end_in_each_phase(open().await).await;
    entrants_of_a_cancelled_match_get_one_notice_each(open().await).await;
    lists_of_club_matches_come_in_pages(open().await).await;
}

/// Two clubs, each with an officer and a member.
struct World {
    store: Arc<dyn Store>,
    home: ClubId,
    away: ClubId,
    /// The officer and the member of the proposing club, and of the other one.
    people: [Player; 4],
}

async fn world(store: Arc<dyn Store>) -> World {
    let mut people = Vec::new();
    for name in ["Asha", "Bahati", "Chiku", "Dalili"] {
        let player = named_player(name, PlayerKind::Account);
        let new = with_password(&player);
        store.create_player(&new, None).await.unwrap();
        people.push(player);
    }
    let people: [Player; 4] = people.try_into().expect("four");
    let mut clubs = Vec::new();
    for (handle, founder, member) in [("home", 0, 1), ("away", 2, 3)] {
        let new = club(handle, &people[founder], Joining::Open);
        store.found_club(&new, &CLUB_LIMITS).await.unwrap();
        let join = ClubChange::Join(String::new());
        let joined = store.change_club(&new.id, &people[member].id, &join, &CLUB_LIMITS, 10);
        joined.await.unwrap();
        clubs.push(new.id);
    }
    World {
        store,
        home: clubs[0].clone(),
        away: clubs[1].clone(),
        people,
    }
}

impl World {
    fn proposal(&self) -> NewClubMatch {
        NewClubMatch {
            id: ClubMatchId::random(),
            home: self.home.clone(),
            away: self.away.clone(),
            by: self.people[0].id.clone(),
            game: GameKind::Mawe,
            time_control: BLITZ,
            rated: false,
            boards: 5,
            games: 1,
            start_ms: START,
            created_ms: NOW,
        }
    }

    async fn proposed(&self, games: u32) -> ClubMatchId {
        let new = NewClubMatch {
            games,
            ..self.proposal()
        };
        let made = self.store.propose_club_match(&new, &CLUB_MATCH_LIMITS);
        made.await.unwrap();
        new.id
    }

    async fn change(
        &self,
        id: &ClubMatchId,
        by: usize,
        what: ClubMatchChange,
    ) -> Result<Vec<String>, StoreError> {
        let by = &self.people[by].id;
        let limits = &CLUB_MATCH_LIMITS;
        let changed = self.store.change_club_match(id, by, what, limits, NOW + 1);
        Ok(changed.await?.told)
    }

    /// A match that is agreed, with all four players.
    async fn agreed(&self, games: u32) -> ClubMatchId {
        let id = self.proposed(games).await;
        self.change(&id, 2, ClubMatchChange::Accept).await.unwrap();
        for (player, side) in [
            (0, ClubSide::Home),
            (1, ClubSide::Home),
            (2, ClubSide::Away),
            (3, ClubSide::Away),
        ] {
            let entry = ClubMatchChange::SignUp(side);
            self.change(&id, player, entry).await.unwrap();
        }
        id
    }

    async fn begun(&self, games: u32) -> ClubMatchId {
        let id = self.agreed(games).await;
        assert_eq!(
            self.store.step_club_match(&id, START).await.unwrap(),
            ClubMatchStep::Taken
        );
        id
    }

    async fn row(&self, id: &ClubMatchId) -> ClubMatchRow {
        self.store.find_club_match(id).await.unwrap().expect("it")
    }

    async fn state(&self, id: &ClubMatchId) -> ClubMatchState {
        self.row(id).await.state
    }

    /// Points times two, of both sides.
    async fn score(&self, id: &ClubMatchId) -> (u32, u32) {
        let score = self.row(id).await.score;
        let twice = |won: u32| 2 * won + score.drawn;
        (twice(score.won.home), twice(score.won.away))
    }

    async fn games(&self, id: &ClubMatchId) -> Vec<Vec<ClubGameState>> {
        let boards = self.store.club_match_boards(id).await.unwrap();
        let states = boards.into_iter().map(|board| {
            let games = board.games.into_iter();
            games.map(|game| game.state).collect()
        });
        states.collect()
    }

    /// Takes the next step of a cancelled match.
    async fn tell(&self, id: &ClubMatchId) -> ClubMatchStep {
        self.store.step_club_match(id, NOW + 1).await.unwrap()
    }

    /// The readers of notices of the cancellation, with the named club: the four by their number, all others by a greater one.
    async fn cancellations(&self, id: &ClubMatchId) -> Vec<(usize, String)> {
        let notices = self.store.notices_about(id.as_str()).await.unwrap();
        let cancelled = notices
            .into_iter()
            .filter(|notice| notice.kind == NoticeKind::ClubMatchCancelled);
        let mut told: Vec<(usize, String)> = cancelled
            .map(|notice| {
                let mut people = self.people.iter();
                let number = people.position(|player| player.id == notice.player);
                let club = notice
                    .about
                    .club
                    .map_or_else(String::new, |club| club.handle);
                (number.unwrap_or(self.people.len()), club)
            })
            .collect();
        told.sort();
        told
    }

    /// Seats all games that are ready; returns their matches with the players.
    async fn seat_all(&self) -> Vec<(ClubGameKey, NewMatch)> {
        let mut seated = Vec::new();
        for ready in self.store.ready_club_games(99).await.unwrap() {
            let new = of(&ready.players);
            let done = self.store.seat_club_game(&ready.key, &new, &[]).await;
            assert_eq!(done.unwrap(), ClubGameSeated::Seated);
            seated.push((ready.key, new));
        }
        seated.sort_by(|a, b| a.0.cmp(&b.0));
        seated
    }

    /// Ends a match, and notes it.
    async fn finish(&self, new: &NewMatch, winner: Option<Side>) {
        append(&self.store, finishing(&new.id, 0, winner)).await;
        for key in self.store.ended_club_games(99).await.unwrap() {
            assert!(self.store.end_club_game(&key, 5_000).await.unwrap());
            assert!(!self.store.end_club_game(&key, 5_000).await.unwrap());
        }
    }
}

fn of(players: &BySide<Player>) -> NewMatch {
    NewMatch {
        rated: false,
        ..new_match(&players.first, &players.second)
    }
}

fn operator() -> Attribution {
    Attribution {
        by: None,
        why: "because".to_owned(),
        at_ms: NOW,
    }
}

#[track_caller]
fn refused<T: std::fmt::Debug>(result: Result<T, StoreError>) -> ClubRefusal {
    match result {
        Err(StoreError::Club(refusal)) => refusal,
        other => panic!("{other:?}"),
    }
}

async fn a_club_match_is_proposed_accepted_and_played_to_its_score(store: Arc<dyn Store>) {
    let w = world(store).await;
    let id = w.proposed(2).await;
    let told = w.store.notices_about(id.as_str()).await.unwrap();
    assert_eq!(told.len(), 1, "the officer of the other club alone");
    assert_eq!(told[0].kind, NoticeKind::ClubMatchProposed);
    assert_eq!(told[0].player, w.people[2].id);
    assert_eq!(told[0].about.club.as_ref().unwrap().handle, "home");
    let told = w.change(&id, 2, ClubMatchChange::Accept).await.unwrap();
    let told = w.store.notices_about(&told[0]).await.unwrap();
    assert!(
        told.iter()
            .any(|notice| notice.kind == NoticeKind::ClubMatchAccepted
                && notice.player == w.people[0].id)
    );
    let log = w.store.club_log(&w.away, None, 1).await.unwrap();
    let (action, detail) = (log[0].action, log[0].detail.as_str());
    assert_eq!((action, detail), (ClubAction::MatchAccepted, "home"));
    for (player, side) in [
        (1, ClubSide::Home),
        (0, ClubSide::Home),
        (3, ClubSide::Away),
        (2, ClubSide::Away),
    ] {
        for _ in 0..2 {
            let entry = ClubMatchChange::SignUp(side);
            w.change(&id, player, entry).await.unwrap();
        }
    }
    w.change(&id, 2, ClubMatchChange::SignOff).await.unwrap();
    let entries = w.store.club_match_entries(&id, Some(&w.people[3].id));
    let entries = entries.await.unwrap();
    assert_eq!((entries.players.home, entries.players.away), (2, 1));
    assert_eq!(entries.mine, Some(ClubSide::Away));
    assert_eq!(
        w.store.step_club_match(&id, START - 1).await.unwrap(),
        ClubMatchStep::NotDue
    );
    assert_eq!(w.store.due_club_matches(START - 1, 9).await.unwrap(), []);
    assert_eq!(
        w.store.due_club_matches(START, 9).await.unwrap(),
        std::slice::from_ref(&id)
    );
    assert_eq!(
        w.store.step_club_match(&id, START).await.unwrap(),
        ClubMatchStep::Taken
    );
    assert_eq!(w.store.due_club_matches(START, 9).await.unwrap(), []);

    // One board: the away side has one player.
    let boards = w.store.club_match_boards(&id).await.unwrap();
    assert_eq!(boards.len(), 1);
    assert_eq!(boards[0].players.away.id, w.people[3].id);
    let waiting = [ClubGameState::Ready, ClubGameState::Waiting];
    assert_eq!(w.games(&id).await, [waiting]);
    let seated = w.seat_all().await;
    assert_eq!(seated.len(), 1);
    let (first, second) = (&seated[0].1.players.first, &seated[0].1.players.second);
    assert_eq!(*first, boards[0].players.home.id, "odd boards: home first");
    assert_eq!(*second, w.people[3].id);
    let begun = w.store.notices_about(seated[0].1.id.as_str());
    let begun = begun.await.unwrap();
    assert_eq!(begun.len(), 2);
    for notice in &begun {
        assert_eq!(notice.kind, NoticeKind::ClubMatchBegun);
        let theirs = if notice.player == w.people[3].id {
            "home"
        } else {
            "away"
        };
        assert_eq!(notice.about.club.as_ref().unwrap().handle, theirs);
    }
    assert_eq!(w.score(&id).await, (0, 0));
    // The score is there before the end is noted.
    append(&w.store, finishing(&seated[0].1.id, 0, Some(Side::First))).await;
    assert_eq!(w.score(&id).await, (2, 0));
    let ended = w.store.ended_club_games(9).await.unwrap();
    assert_eq!(ended, [seated[0].0.clone()]);
    assert!(w.store.end_club_game(&ended[0], 5_000).await.unwrap());
    assert_eq!(w.state(&id).await, ClubMatchState::Running);
    let next = [ClubGameState::Ended, ClubGameState::Ready];
    assert_eq!(w.games(&id).await, [next]);
    let seated = w.seat_all().await;
    assert_eq!(seated[0].1.players.first, w.people[3].id, "sides exchanged");
    w.finish(&seated[0].1, None).await;
    assert_eq!(w.score(&id).await, (3, 1));
    let row = w.row(&id).await;
    assert_eq!(row.state, ClubMatchState::Finished);
    assert_eq!(row.finished_ms, Some(5_000));
    let boards = w.store.club_match_boards(&id).await.unwrap();
    let results = boards[0].games.iter();
    let results: Vec<_> = results
        .map(|game| game.played.as_ref().unwrap().result.unwrap())
        .collect();
    assert_eq!(
        results,
        [ClubGameResult::Won(ClubSide::Home), ClubGameResult::Drawn]
    );
}

async fn of_concurrent_answers_one_is_first(store: Arc<dyn Store>) {
    let w = world(store).await;
    for _ in 0..5 {
        let id = w.proposed(1).await;
        let answers = [
            (2, ClubMatchChange::Accept),
            (2, ClubMatchChange::Accept),
            (2, ClubMatchChange::Decline),
        ];
        let done = join_all(answers.map(|(by, what)| w.change(&id, by, what))).await;
        let (done, denied): (Vec<_>, Vec<_>) = done.into_iter().partition(Result::is_ok);
        assert_eq!(done.len(), 1);
        for denied in denied {
            assert_eq!(refused(denied), ClubRefusal::MatchClosed);
        }
        // Whichever it was: the state is one of the two, and only an accepted match can be cancelled, once.
        let was = w.state(&id).await;
        let ends = [0, 2].map(|by| w.change(&id, by, ClubMatchChange::End));
        let ended = join_all(ends).await.into_iter().filter(Result::is_ok);
        let (ended, now) = (ended.count(), w.state(&id).await);
        match was {
            ClubMatchState::Accepted => assert_eq!((ended, now), (1, ClubMatchState::Cancelled)),
            ClubMatchState::Declined => assert_eq!((ended, now), (0, ClubMatchState::Declined)),
            other => panic!("{other}"),
        }
    }
    // An acceptance and a withdrawal at one moment.
    let id = w.proposed(1).await;
    let done = join_all([
        w.change(&id, 2, ClubMatchChange::Accept),
        w.change(&id, 0, ClubMatchChange::End),
    ])
    .await;
    let expected = match (&done[0], &done[1]) {
        // The officer's withdrawal, or after the acceptance the cancellation.
        (Err(_), Ok(_)) => ClubMatchState::Withdrawn,
        (Ok(_), Ok(_)) => ClubMatchState::Cancelled,
        other => panic!("{other:?}"),
    };
    assert_eq!(w.state(&id).await, expected);
}

async fn it_begins_once_and_each_game_is_seated_once(store: Arc<dyn Store>) {
    let w = world(store).await;
    let id = w.agreed(1).await;
    let starts = (0..6).map(|_| w.store.step_club_match(&id, START));
    let begun = join_all(starts).await.into_iter().map(Result::unwrap);
    let begun = begun.filter(|step| *step == ClubMatchStep::Taken);
    assert_eq!(begun.count(), 1);
    assert_eq!(w.games(&id).await, [[ClubGameState::Ready]; 2]);
    let ready = w.store.ready_club_games(9).await.unwrap();
    let new: Vec<NewMatch> = (0..6).map(|_| of(&ready[0].players)).collect();
    let seats = new
        .iter()
        .map(|new| w.store.seat_club_game(&ready[0].key, new, &[]));
    let seated: Vec<ClubGameSeated> = join_all(seats)
        .await
        .into_iter()
        .map(Result::unwrap)
        .collect();
    let times = seated.iter().filter(|one| **one == ClubGameSeated::Seated);
    assert_eq!(times.count(), 1);
    assert!(!seated.contains(&ClubGameSeated::Changed));
    let mut made = 0;
    for new in &new {
        made += u32::from(w.store.find_match(&new.id).await.unwrap().is_some());
    }
    assert_eq!(made, 1);
    // A seated game is neither skipped nor cancelled.
    let skipped = w
        .store
        .skip_club_game(&ready[0].key, ClubGameSkipped::Busy, 9);
    assert!(!skipped.await.unwrap());
    let ended = w.change(&id, 0, ClubMatchChange::End).await;
    assert_eq!(refused(ended), ClubRefusal::MatchClosed);
    let late = w.change(&id, 0, ClubMatchChange::SignOff).await;
    assert_eq!(refused(late), ClubRefusal::MatchClosed);
}

async fn a_game_that_cannot_be_seated_is_skipped(store: Arc<dyn Store>) {
    let w = world(store).await;
    let id = w.begun(2).await;
    let ready = w.store.ready_club_games(9).await.unwrap();
    let (first, second) = (&ready[0], &ready[1]);
    let players = &first.players;
    let blocked = w.store.block(&players.first.id, &players.second.id, 9, NOW);
    assert!(blocked.await.unwrap().is_some());
    let seated = w.store.seat_club_game(&first.key, &of(players), &[]).await;
    assert!(matches!(seated, Err(StoreError::Blocked)), "{seated:?}");
    let apart = ClubGameSkipped::Apart;
    assert!(
        w.store
            .skip_club_game(&first.key, apart, 3_000)
            .await
            .unwrap()
    );
    // The second game of the board is tried on its own.
    let board = (first.key.board - 1) as usize;
    let states = w.games(&id).await;
    assert_eq!(
        states[board],
        [ClubGameState::Skipped, ClubGameState::Ready]
    );
    let account = &second.players.first.id;
    let by = operator();
    let disabled = w
        .store
        .change_account(account, &AccountChange::Disable, &by);
    disabled.await.unwrap();
    let new = of(&second.players);
    let seated = w
        .store
        .seat_club_game(&second.key, &new, &[])
        .await
        .unwrap();
    assert_eq!(seated, ClubGameSeated::Absent);
    assert!(w.store.find_match(&new.id).await.unwrap().is_none());
    let absent = ClubGameSkipped::Absent;
    let mut round = 0;
    loop {
        let ready = w.store.ready_club_games(9).await.unwrap();
        if ready.is_empty() {
            break;
        }
        for game in ready {
            assert!(
                w.store
                    .skip_club_game(&game.key, absent, 4_000)
                    .await
                    .unwrap()
            );
        }
        round += 1;
        assert!(round < 5, "each game is skipped once");
    }
    assert_eq!(w.state(&id).await, ClubMatchState::Finished);
    assert_eq!(w.score(&id).await, (0, 0));
    let boards = w.store.club_match_boards(&id).await.unwrap();
    assert_eq!(boards[board].games[0].skipped, Some(apart));
}

async fn bad_changes_are_refused(store: Arc<dyn Store>) {
    let w = world(store).await;
    let stranger = named_player("Stranger", PlayerKind::Account);
    let new = with_password(&stranger);
    w.store.create_player(&new, None).await.unwrap();
    let limits = &CLUB_MATCH_LIMITS;
    for by in [&w.people[1], &w.people[2], &stranger] {
        let by = by.id.clone();
        let new = NewClubMatch { by, ..w.proposal() };
        let made = w.store.propose_club_match(&new, limits).await;
        assert_eq!(refused(made), ClubRefusal::OfficersOnly);
    }
    let gone = NewClubMatch {
        away: ClubId::random(),
        ..w.proposal()
    };
    let made = w.store.propose_club_match(&gone, limits).await;
    assert!(matches!(made, Err(StoreError::NotFound)), "{made:?}");
    let id = w.proposed(1).await;
    for by in [0, 1, 3] {
        for what in [ClubMatchChange::Accept, ClubMatchChange::Decline] {
            let answer = w.change(&id, by, what).await;
            assert_eq!(refused(answer), ClubRefusal::OfficersOnly);
        }
    }
    for by in [1, 2, 3] {
        let ended = w.change(&id, by, ClubMatchChange::End).await;
        assert_eq!(refused(ended), ClubRefusal::OfficersOnly);
    }
    let early = ClubMatchChange::SignUp(ClubSide::Home);
    let early = w.change(&id, 0, early).await;
    assert_eq!(refused(early), ClubRefusal::MatchClosed);
    let late =
        w.store
            .change_club_match(&id, &w.people[2].id, ClubMatchChange::Accept, limits, START);
    assert_eq!(refused(late.await), ClubRefusal::MatchClosed);
    w.change(&id, 2, ClubMatchChange::Accept).await.unwrap();
    let other = ClubMatchChange::SignUp(ClubSide::Away);
    let other = w.change(&id, 0, other).await;
    assert_eq!(refused(other), ClubRefusal::NotAMember);
    let none = w
        .change(&ClubMatchId::random(), 0, ClubMatchChange::End)
        .await;
    assert!(matches!(none, Err(StoreError::NotFound)), "{none:?}");

    // A class plays others only where its rule allows it: at the proposal and at the answer.
    let teacher = &w.people[0];
    let class = NewClub {
        kind: ClubKind::Class,
        ..club("class", teacher, Joining::Invitation)
    };
    w.store.found_club(&class, &CLUB_LIMITS).await.unwrap();
    let from_class = |home: &ClubId, away: &ClubId, by: usize| NewClubMatch {
        home: home.clone(),
        away: away.clone(),
        by: w.people[by].id.clone(),
        ..w.proposal()
    };
    for new in [
        from_class(&class.id, &w.away, 0),
        from_class(&w.away, &class.id, 2),
    ] {
        let made = w.store.propose_club_match(&new, limits).await;
        assert_eq!(refused(made), ClubRefusal::ClassOnly);
    }
    let rule = |outsiders: bool| ClassRulesEdition {
        outsiders: Some(outsiders),
        ..ClassRulesEdition::default()
    };
    let set = async |outsiders: bool| {
        let rules = rule(outsiders);
        let changed = w
            .store
            .change_class_rules(&class.id, &teacher.id, &rules, NOW);
        changed.await.unwrap();
    };
    set(true).await;
    let new = from_class(&w.away, &class.id, 2);
    w.store.propose_club_match(&new, limits).await.unwrap();
    set(false).await;
    let answer = w.change(&new.id, 0, ClubMatchChange::Accept).await;
    assert_eq!(refused(answer), ClubRefusal::ClassOnly);
    // It lapses.
    assert_eq!(
        w.store.step_club_match(&new.id, START).await.unwrap(),
        ClubMatchStep::Taken
    );
    assert_eq!(w.state(&new.id).await, ClubMatchState::Lapsed);
}

async fn limits_of_club_matches_hold_for_concurrent_calls(store: Arc<dyn Store>) {
    let w = world(store).await;
    let few = ClubMatchLimits {
        coming: 3,
        incoming: 2,
        players: 1,
        kept_ms: 100,
    };
    let new: Vec<NewClubMatch> = (0..6).map(|_| w.proposal()).collect();
    let made = join_all(new.iter().map(|new| w.store.propose_club_match(new, &few))).await;
    let (made, denied): (Vec<_>, Vec<_>) = made.into_iter().partition(Result::is_ok);
    assert_eq!(made.len(), 2);
    for denied in denied {
        assert_eq!(refused(denied), ClubRefusal::TooManyMatches);
    }
    let proposed = ClubMatchList::Proposed;
    let rows = w
        .store
        .club_matches_of(&w.away, proposed, None, 9)
        .await
        .unwrap();
    let by = &w.people[2].id;
    let accept = async |id: &ClubMatchId, limits: &ClubMatchLimits| {
        let what = ClubMatchChange::Accept;
        w.store
            .change_club_match(id, by, what, limits, NOW + 1)
            .await
    };
    let one = ClubMatchLimits { coming: 1, ..few };
    accept(&rows[0].id, &one).await.unwrap();
    let second = accept(&rows[1].id, &one).await;
    assert_eq!(refused(second), ClubRefusal::TooManyMatches);
    accept(&rows[1].id, &few).await.unwrap();
    // Of two players one gets the last place of a side.
    let entry = ClubMatchChange::SignUp(ClubSide::Home);
    let id = &rows[0].id;
    let entries = [0, 1, 0, 1].map(|player: usize| {
        let player = &w.people[player].id;
        w.store.change_club_match(id, player, entry, &few, NOW + 2)
    });
    for denied in join_all(entries).await.into_iter().filter(Result::is_err) {
        assert_eq!(refused(denied), ClubRefusal::MatchFull);
    }
    let entries = w.store.club_match_entries(id, None).await.unwrap();
    assert_eq!(entries.players.home, 1);

    // What was not played is deleted by a later proposal of the club.
    w.change(id, 0, ClubMatchChange::End).await.unwrap();
    let later = NewClubMatch {
        created_ms: START + 101,
        start_ms: START + 200,
        ..w.proposal()
    };
    w.store.propose_club_match(&later, &few).await.unwrap();
    assert!(w.store.find_club_match(id).await.unwrap().is_none());
}

async fn memberships_accounts_and_clubs_end_in_each_phase(store: Arc<dyn Store>) {
    let w = world(store).await;
    let leave = async |club: &ClubId, player: usize| {
        let (player, limits) = (&w.people[player].id, &CLUB_LIMITS);
        let left = w
            .store
            .change_club(club, player, &ClubChange::Leave, limits, NOW);
        left.await.unwrap();
    };
    // A member who leaves is signed off, from matches of that club alone.
    let id = w.agreed(1).await;
    leave(&w.away, 3).await;
    let entries = w.store.club_match_entries(&id, None).await.unwrap();
    assert_eq!((entries.players.home, entries.players.away), (2, 1));
    assert_eq!(
        w.store.step_club_match(&id, START).await.unwrap(),
        ClubMatchStep::Taken
    );
    let seated = w.seat_all().await;
    assert_eq!(seated.len(), 1);

    // One who leaves while the match runs plays on.
    let home_player = &w.store.club_match_boards(&id).await.unwrap()[0]
        .players
        .home;
    if home_player.id == w.people[1].id {
        leave(&w.home, 1).await;
    }
    w.finish(&seated[0].1, Some(Side::First)).await;
    assert_eq!(w.score(&id).await, (2, 0));

    // A deleted account is signed off; its board stays, under its new name.
    let next = w.proposed(1).await;
    w.change(&next, 2, ClubMatchChange::Accept).await.unwrap();
    let dalili = &w.people[3];
    let join = ClubChange::Join(String::new());
    let joined = w
        .store
        .change_club(&w.away, &dalili.id, &join, &CLUB_LIMITS, NOW);
    joined.await.unwrap();
    let entry = ClubMatchChange::SignUp(ClubSide::Away);
    w.change(&next, 3, entry).await.unwrap();
    let delete = AccountChange::Delete("deleted-1".to_owned());
    let by = operator();
    let deleted = w.store.change_account(&dalili.id, &delete, &by);
    deleted.await.unwrap();
    let entries = w.store.club_match_entries(&next, None).await.unwrap();
    assert_eq!(entries.players.away, 0);
    // Without a pair the match is cancelled at its start.
    assert_eq!(
        w.store.step_club_match(&next, START).await.unwrap(),
        ClubMatchStep::Taken
    );
    assert_eq!(w.state(&next).await, ClubMatchState::Cancelled);
    assert_eq!(w.tell(&next).await, ClubMatchStep::Taken, "no entrants");

    // A closed club: what has not begun is cancelled, the rest stays with the other club.
    let last = w.proposed(1).await;
    let close = ClubChange::Close;
    let closed = w
        .store
        .change_club(&w.away, &w.people[2].id, &close, &CLUB_LIMITS, NOW);
    closed.await.unwrap();
    assert_eq!(w.state(&last).await, ClubMatchState::Cancelled);
    let row = w.row(&id).await;
    assert_eq!(row.clubs.away.name, "Club away");
    assert!(row.clubs.away.open.is_none() && !row.hidden);
    let answer = w.change(&last, 2, ClubMatchChange::Accept).await;
    assert_eq!(refused(answer), ClubRefusal::OfficersOnly);
    let past = ClubMatchList::Past;
    let past = w
        .store
        .club_matches_of(&w.home, past, None, 9)
        .await
        .unwrap();
    assert_eq!(past.len(), 1);
    let closed = w
        .store
        .change_club(&w.home, &w.people[0].id, &close, &CLUB_LIMITS, NOW);
    closed.await.unwrap();
    assert!(w.store.find_club_match(&id).await.unwrap().is_none());
    assert_eq!(
        w.store.step_club_match(&id, START).await.unwrap(),
        ClubMatchStep::NotDue
    );
    let played = w.store.find_match(&seated[0].1.id).await.unwrap();
    assert!(played.is_some(), "the match itself stays");
}

async fn entrants_of_a_cancelled_match_get_one_notice_each(store: Arc<dyn Store>) {
    let w = world(store).await;
    // By an officer, without a notice to the same.
    let id = w.agreed(1).await;
    w.change(&id, 0, ClubMatchChange::End).await.unwrap();
    assert_eq!(w.store.due_club_matches(NOW, 9).await.unwrap(), []);
    let due = w.store.due_club_matches(NOW + 1, 9).await.unwrap();
    assert_eq!(due, std::slice::from_ref(&id), "before the start");
    // Of several nodes one tells them.
    let steps = (0..6).map(|_| w.tell(&id));
    let told = join_all(steps).await.into_iter();
    assert_eq!(told.filter(|step| *step == ClubMatchStep::Told).count(), 1);
    assert_eq!(
        w.cancellations(&id).await,
        [(1, "away"), (2, "home"), (3, "home")].map(named)
    );
    let entries = w.store.club_match_entries(&id, None).await.unwrap();
    assert_eq!((entries.players.home, entries.players.away), (0, 0));
    assert_eq!(w.store.due_club_matches(START, 9).await.unwrap(), []);
    assert_eq!(w.tell(&id).await, ClubMatchStep::NotDue);

    // In several steps, each with the most entrants.
    let id = w.agreed(1).await;
    let mut crowd = Vec::new();
    for number in 0..CANCELLATIONS {
        let player = named_player(&format!("Crowd{number}"), PlayerKind::Account);
        let new = with_password(&player);
        w.store.create_player(&new, None).await.unwrap();
        let join = ClubChange::Join(String::new());
        let joined = w
            .store
            .change_club(&w.away, &player.id, &join, &CLUB_LIMITS, 10);
        joined.await.unwrap();
        let entry = ClubMatchChange::SignUp(ClubSide::Away);
        let limits = &CLUB_MATCH_LIMITS;
        let entered = w
            .store
            .change_club_match(&id, &player.id, entry, limits, NOW);
        entered.await.unwrap();
        crowd.push(player);
    }
    w.change(&id, 0, ClubMatchChange::End).await.unwrap();
    assert_eq!(w.tell(&id).await, ClubMatchStep::Taken);
    assert_eq!(w.cancellations(&id).await.len(), CANCELLATIONS as usize);
    assert_eq!(w.tell(&id).await, ClubMatchStep::Told);
    assert_eq!(w.cancellations(&id).await.len(), crowd.len() + 3);

    // By the closing of a club: the members of both are told, and the other club has no address any more.
    let id = w.agreed(1).await;
    let closed = w.store.change_club(
        &w.away,
        &w.people[2].id,
        &ClubChange::Close,
        &CLUB_LIMITS,
        NOW,
    );
    closed.await.unwrap();
    assert_eq!(w.tell(&id).await, ClubMatchStep::Told);
    assert_eq!(
        w.cancellations(&id).await,
        [(0, ""), (1, ""), (2, "home"), (3, "home")].map(named)
    );
}

fn named((player, club): (usize, &str)) -> (usize, String) {
    (player, club.to_owned())
}

async fn lists_of_club_matches_come_in_pages(store: Arc<dyn Store>) {
    let w = world(store).await;
    let mut ids = Vec::new();
    for number in 0..4 {
        let (home, away, by) = if number % 2 == 0 {
            (&w.home, &w.away, 0)
        } else {
            (&w.away, &w.home, 2)
        };
        let new = NewClubMatch {
            home: home.clone(),
            away: away.clone(),
            by: w.people[by].id.clone(),
            start_ms: START + number,
            ..w.proposal()
        };
        let made = w.store.propose_club_match(&new, &CLUB_MATCH_LIMITS);
        made.await.unwrap();
        ids.push(new.id);
    }
    let page = async |list: ClubMatchList, after: Option<&ClubMatchRow>| {
        let after = after.map(|row| ClubMatchCursor {
            start_ms: row.start_ms,
            id: row.id.clone(),
        });
        let rows = w.store.club_matches_of(&w.home, list, after.as_ref(), 3);
        rows.await.unwrap()
    };
    let ids_of = |rows: &[ClubMatchRow]| -> Vec<ClubMatchId> {
        rows.iter().map(|row| row.id.clone()).collect()
    };
    let proposed = ClubMatchList::Proposed;
    let first = page(proposed, None).await;
    assert_eq!(ids_of(&first), ids[..3]);
    let second = page(proposed, first.last()).await;
    assert_eq!(ids_of(&second), ids[3..]);
    for (number, id) in ids.iter().enumerate() {
        let by = if number % 2 == 0 { 2 } else { 0 };
        w.change(id, by, ClubMatchChange::Accept).await.unwrap();
    }
    let coming = page(ClubMatchList::Coming, None).await;
    assert_eq!(ids_of(&coming), ids[..3]);
    for id in &ids {
        for (player, side) in [(1, &w.home), (3, &w.away)] {
            let row = w.row(id).await;
            let home = row.clubs.home.open.as_ref().unwrap();
            let side = if home.id == *side {
                ClubSide::Home
            } else {
                ClubSide::Away
            };
            let entry = ClubMatchChange::SignUp(side);
            w.change(id, player, entry).await.unwrap();
        }
        assert_eq!(
            w.store.step_club_match(id, START + 9).await.unwrap(),
            ClubMatchStep::Taken
        );
    }
    // The latest start first.
    let running = page(ClubMatchList::Running, None).await;
    assert_eq!(
        ids_of(&running),
        [&ids[3], &ids[2], &ids[1]].map(Clone::clone)
    );
    let rest = page(ClubMatchList::Running, running.last()).await;
    assert_eq!(ids_of(&rest), ids[..1]);
    let players = w.store.club_match_players(&ids[0], ClubSide::Home, None, 9);
    assert_eq!(players.await.unwrap()[0].player.id, w.people[1].id);
}
