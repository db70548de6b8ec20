//! Every list that a page or a program requests from the store, and the statements that the database receives for it: these are taken from
//! the log of the database client, so that the explained statements are the executed ones.

#![allow(dead_code, reason = "each test and bench uses a part of it")]

use std::fmt;
use std::sync::Mutex;
use std::time::Duration;

use fastrand::Rng;
use mawe_play::rating::{MIN_OPPONENTS, PROVISIONAL_DEVIATION};
use mawe_rules::GameKind;
use mawe_store::{
    AuditFilter, ClubBoard, ClubCursor, ClubMatchCursor, EventCursor, EventGameKey,
    EventTimetableReader, HistoryCursor, HistoryOrder, InvitationCursor, MatchCursor, MatchFilter,
    NoticeFilter, PersonalPart, ReportCursor, ReportFilter, ReportState, Score, Store,
};
use mawe_wire::Speed;
use mawe_wire::club_matches::{ClubMatchList, ClubSide};
use mawe_wire::events::EventState;
use mawe_wire::ids::{
    ClubId, ClubMatchId, EventId, EventTimetableId, InvitationId, PlayerId, ReportId,
};
use tracing::field::{Field, Visit};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

use super::crowd::{Crowd, FIRST_MS, PUPILS};

/// A page, and one row that shows whether there is another page.
const PAGE: u32 = 21;

/// A list as one call of the store.
#[derive(Debug, Clone)]
pub(crate) enum List {
    /// A profile: the player, the ratings, the tallies.
    Profile(String),
    /// Players by the beginning of their names.
    Search(String),
    History(Box<MatchFilter>, Option<MatchCursor>),
    Leaderboard(GameKind, Speed, u32),
    HeadToHead(PlayerId, PlayerId),
    RatingHistory(
        PlayerId,
        GameKind,
        Speed,
        HistoryOrder,
        Option<HistoryCursor>,
    ),
    Running(Option<GameKind>),
    Strongest(GameKind),
    RunningOf(PlayerId),
    LiveIds,
    LiveCount,
    Results,
    DueIds,
    Abandonments(PlayerId),
    ChallengesTo(PlayerId),
    ChallengesBy(PlayerId),
    Seeks(Option<PlayerId>),
    SessionsOf(PlayerId),
    TokensOf(PlayerId),
    PasskeysOf(PlayerId),
    PasskeyWith(Vec<u8>),
    EmailOf(PlayerId),
    PlayersByEmail(String),
    ResetOf([u8; 32]),
    Uncounted,
    RatingChanges,
    FinishedMatches,
    Reports(ReportFilter, Option<ReportCursor>),
    Decisions(PlayerId),
    Notices(PlayerId),
    Following(PlayerId),
    Followers(PlayerId),
    FollowCounts(PlayerId),
    Blocks(PlayerId),
    Invitations(bool),
    RunningOfFollowed(PlayerId),
    FinishedOfFollowed(PlayerId, Option<MatchCursor>),
    Personal(PersonalPart, PlayerId),
    PublicClubs(&'static str, Option<ClubCursor>),
    ClubsOf(PlayerId, bool),
    ClubRequestsOf(PlayerId),
    Pupils(ClubId, Option<PlayerId>),
    ClubInvitationsOf(PlayerId),
    ClubMembers(ClubId, PlayerId),
    ClubOfficers(ClubId),
    ClubRequests(ClubId),
    ClubInvitations(ClubId),
    ClubLog(ClubId),
    ClubLeaderboard(ClubBoard),
    ClubMatches(ClubId, Option<MatchCursor>),
    RunningClubMatches(ClubId, PlayerId),
    ClubMatchesOf(ClubId, ClubMatchList, Option<ClubMatchCursor>),
    ClubMatchPlayers(ClubMatchId),
    ClubMatchBoards(ClubMatchId),
    ClubMatchWork,
    EventsIn(EventState, Option<EventCursor>),
    EventParts(EventId, Option<u32>),
    EventWork,
    EventTimetables(Option<PlayerId>, Option<EventTimetableId>),
    Due,
    Audit(AuditFilter),
    /// A round trip to the database, for comparison.
    Nothing,
}

impl List {
    /// Performs the call; returns the number of rows.
    pub(crate) async fn ask(&self, store: &dyn Store) -> usize {
        let answer = match self {
            Self::Profile(name) => {
                let player = store.find_player_by_name(name).await.expect("it answers");
                let player = player.expect("the player is there").id;
                let ratings = store.ratings_of(&player).await.expect("it answers");
                store
                    .tallies_of(&player)
                    .await
                    .map(|rows| rows.len() + ratings.len())
            }
            Self::Search(start) => store.find_players(start, PAGE).await.map(|rows| rows.len()),
            Self::History(filter, cursor) => store
                .matches_of(filter, cursor.as_ref(), PAGE)
                .await
                .map(|rows| rows.len()),
            Self::Leaderboard(game, speed, offset) => store
                .leaderboard(
                    *game,
                    *speed,
                    PROVISIONAL_DEVIATION,
                    MIN_OPPONENTS,
                    *offset,
                    PAGE,
                )
                .await
                .map(|rows| rows.len()),
            Self::HeadToHead(one, other) => {
                store.head_to_head(one, other).await.map(|rows| rows.len())
            }
            Self::RatingHistory(player, game, speed, order, cursor) => store
                .rating_history(player, *game, *speed, *order, cursor.as_ref(), 101)
                .await
                .map(|rows| rows.len()),
            Self::Running(game) => store
                .running_matches(*game, 1_000, PAGE)
                .await
                .map(|rows| rows.len()),
            Self::Strongest(game) => store
                .strongest_live_matches(*game, 5)
                .await
                .map(|rows| rows.len()),
            Self::RunningOf(player) => store
                .running_matches_of(player, None, PAGE)
                .await
                .map(|rows| rows.len()),
            Self::LiveIds => store.live_match_ids().await.map(|rows| rows.len()),
            Self::LiveCount => store.count_live_matches().await.map(|count| count as usize),
            Self::Results => store
                .latest_results(FIRST_MS, 10)
                .await
                .map(|rows| rows.len()),
            Self::DueIds => store
                .due_match_ids(i64::MAX, 500)
                .await
                .map(|rows| rows.len()),
            Self::Abandonments(player) => store
                .abandonments(player, FIRST_MS, FIRST_MS)
                .await
                .map(|found| found.times as usize),
            Self::ChallengesTo(player) => store
                .challenges_to(player, 0, PAGE)
                .await
                .map(|rows| rows.len()),
            Self::ChallengesBy(player) => store
                .challenges_by(player, 0, PAGE)
                .await
                .map(|rows| rows.len()),
            Self::Seeks(of) => store
                .open_seeks(of.as_ref(), 0, PAGE)
                .await
                .map(|rows| rows.len()),
            Self::SessionsOf(player) => store.sessions_of(player, 0).await.map(|rows| rows.len()),
            Self::TokensOf(player) => store.tokens_of(player, 0).await.map(|rows| rows.len()),
            Self::PasskeysOf(player) => store.passkeys_of(player).await.map(|rows| rows.len()),
            Self::PasskeyWith(id) => store.passkey(id).await.map(|row| row.iter().count()),
            Self::EmailOf(player) => store
                .email(player)
                .await
                .map(|own| own.confirmed.iter().count()),
            Self::PlayersByEmail(address) => {
                let found = store.players_by_email(address, 9).await;
                found.map(|players| players.len())
            }
            Self::ResetOf(token) => store.reset_of(token, 1).await.map(|row| row.iter().count()),
            Self::Uncounted => store.uncounted_matches(100).await.map(|rows| rows.len()),
            Self::RatingChanges => store.rating_changes(5, 15).await.map(|rows| rows.len()),
            Self::FinishedMatches => store
                .finished_matches(None, 100)
                .await
                .map(|rows| rows.len()),
            Self::Reports(filter, cursor) => store
                .reports(filter, cursor.as_ref(), PAGE)
                .await
                .map(|rows| rows.len()),
            Self::Decisions(player) => store
                .decisions_about(player, PAGE)
                .await
                .map(|rows| rows.len()),
            Self::Following(player) => store
                .following(player, None, PAGE)
                .await
                .map(|rows| rows.len()),
            Self::Followers(player) => store
                .followers(player, None, PAGE)
                .await
                .map(|rows| rows.len()),
            Self::FollowCounts(player) => store
                .follow_counts(player)
                .await
                .map(|counts| counts.following as usize),
            Self::Blocks(player) => store
                .blocks(player, None, PAGE)
                .await
                .map(|rows| rows.len()),
            Self::Invitations(is_later) => {
                let cursor = is_later.then(|| InvitationCursor {
                    created_ms: FIRST_MS,
                    id: InvitationId::random(),
                });
                store
                    .invitations(cursor.as_ref(), PAGE)
                    .await
                    .map(|rows| rows.len())
            }
            Self::RunningOfFollowed(player) => store
                .running_of_followed(player, PAGE)
                .await
                .map(|rows| rows.len()),
            Self::FinishedOfFollowed(player, cursor) => store
                .finished_of_followed(player, FIRST_MS, cursor.as_ref(), PAGE)
                .await
                .map(|rows| rows.len()),
            Self::Notices(player) => store
                .notices_of(player, NoticeFilter::default(), None, PAGE)
                .await
                .map(|rows| rows.len()),
            Self::PublicClubs(search, cursor) => store
                .public_clubs(search, cursor.as_ref(), PAGE)
                .await
                .map(|rows| rows.len()),
            Self::Personal(part, player) => store
                .personal_data(player, *part, None, PAGE)
                .await
                .map(|page| page.rows.len()),
            Self::ClubsOf(player, public) => store
                .clubs_of(player, *public, None, PAGE)
                .await
                .map(|rows| rows.len()),
            Self::Pupils(class, after) => store
                .pupils(class, after.as_ref(), PAGE)
                .await
                .map(|rows| rows.len()),
            Self::ClubRequestsOf(player) => store
                .club_requests_of(player, None, PAGE)
                .await
                .map(|rows| rows.len()),
            Self::ClubInvitationsOf(player) => store
                .club_invitations_of(player, None, PAGE)
                .await
                .map(|rows| rows.len()),
            Self::ClubMembers(club, reader) => store
                .club_members(club, Some(reader), None, PAGE)
                .await
                .map(|rows| rows.len()),
            Self::ClubOfficers(club) => store.club_officers(club).await.map(|rows| rows.len()),
            Self::ClubRequests(club) => store
                .club_requests(club, None, PAGE)
                .await
                .map(|rows| rows.len()),
            Self::ClubInvitations(club) => store
                .club_invitations(club, None, PAGE)
                .await
                .map(|rows| rows.len()),
            Self::ClubLog(club) => store
                .club_log(club, None, PAGE)
                .await
                .map(|rows| rows.len()),
            Self::ClubLeaderboard(board) => store
                .club_leaderboard(board, 0, PAGE)
                .await
                .map(|rows| rows.len()),
            Self::ClubMatchesOf(club, list, cursor) => store
                .club_matches_of(club, *list, cursor.as_ref(), PAGE)
                .await
                .map(|rows| rows.len()),
            Self::ClubMatchPlayers(id) => {
                let entries = store.club_match_entries(id, None).await;
                entries.expect("it answers");
                store
                    .club_match_players(id, ClubSide::Home, None, PAGE)
                    .await
                    .map(|rows| rows.len())
            }
            Self::ClubMatchBoards(id) => store.club_match_boards(id).await.map(|rows| rows.len()),
            Self::ClubMatchWork => {
                let due = store.due_club_matches(FIRST_MS, PAGE).await;
                let due = due.expect("it answers").len();
                let ended = store.ended_club_games(PAGE).await;
                let ended = ended.expect("it answers").len();
                let ready = store.ready_club_games(PAGE).await;
                ready.map(|rows| due + ended + rows.len())
            }
            Self::EventsIn(state, cursor) => store
                .events_in(*state, cursor.as_ref(), PAGE)
                .await
                .map(|rows| rows.len()),
            Self::EventParts(id, round) => {
                let event = store.find_event(id).await.expect("it answers");
                let entries = store.event_entries(id, 1, PAGE).await;
                let entries = entries.expect("it answers").len();
                let players = store.event_players(id, &[0, 1]).await;
                let players = players.expect("it answers").len();
                let key = EventGameKey {
                    event: id.clone(),
                    number: 1,
                };
                store.event_game(&key).await.expect("it answers");
                let games = store.event_games(id, *round, 0, PAGE).await;
                let found = usize::from(event.is_some()) + entries + players;
                games.map(|rows| rows.len() + found)
            }
            Self::EventWork => {
                let due = store.due_events(FIRST_MS, PAGE).await;
                let due = due.expect("it answers").len();
                let ended = store.ended_event_games(PAGE).await;
                let ended = ended.expect("it answers").len();
                let changed = store.changed_event_games(PAGE).await;
                let changed = changed.expect("it answers").len();
                let recurring = store.due_event_timetables(FIRST_MS, PAGE).await;
                let due = due + recurring.expect("it answers").len();
                let ready = store.ready_event_games(PAGE).await;
                ready.map(|rows| due + ended + changed + rows.len())
            }
            Self::EventTimetables(player, after) => {
                let reader = match player.clone() {
                    Some(player) => EventTimetableReader::Account { player, site: true },
                    None => EventTimetableReader::All,
                };
                if let Some(id) = after {
                    store.event_timetable(id).await.expect("it answers");
                }
                store
                    .event_timetables(&reader, after.as_ref(), PAGE)
                    .await
                    .map(|rows| rows.len())
            }
            Self::ClubMatches(club, cursor) => store
                .club_matches(club, FIRST_MS, cursor.as_ref(), PAGE)
                .await
                .map(|rows| rows.len()),
            Self::RunningClubMatches(club, reader) => store
                .running_club_matches(club, Some(reader), None, PAGE)
                .await
                .map(|rows| rows.len()),
            Self::Due => store.enable_due(0).await.map(|count| count as usize),
            Self::Audit(filter) => store.audit(filter, None, PAGE).await.map(|rows| rows.len()),
            Self::Nothing => store.ping().await.map(|()| 0),
        };
        answer.expect("it answers")
    }

    /// Returns the number of statements of the call.
    pub(crate) fn statements(&self) -> usize {
        match self {
            Self::Profile(_) => 3,
            Self::Nothing => 0,
            _ => 1,
        }
    }
}

/// A kind of list, and a function that draws one of them.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) draw: fn(&Crowd, &mut Rng, usize) -> List,
}

/// All kinds. `draw` gets the crowd, a random number generator, and the index of the player.
pub(crate) const KINDS: &[Kind] = &[
    kind("nothing: a round trip", |_, _, _| List::Nothing),
    kind("profile", |_, _, index| List::Profile(Crowd::name(index))),
    kind("players by the beginning of a name", |_, _, index| {
        List::Search(Crowd::name(index)[..7].to_owned())
    }),
    kind("history, first page", |crowd, _, index| {
        history(crowd, index, None, |_| ())
    }),
    kind("history, deep cursor", |crowd, rng, index| {
        history(crowd, index, Some(rng.f64() / 5.0), |_| ())
    }),
    kind("history by game", |crowd, rng, index| {
        history(crowd, index, Some(rng.f64()), |filter| {
            filter.game = game(rng)
        })
    }),
    kind("history by opponent", |crowd, rng, index| {
        let opponent = other(crowd, rng, index);
        history(crowd, index, Some(rng.f64()), |filter| {
            filter.opponent = Some(opponent)
        })
    }),
    kind("history by rated", |crowd, rng, index| {
        let rated = rng.bool();
        history(crowd, index, Some(rng.f64()), |filter| {
            filter.rated = Some(rated)
        })
    }),
    kind("history by result", |crowd, rng, index| {
        let score = *rng
            .choice(&[Score::Won, Score::Drawn, Score::Lost])
            .expect("one");
        history(crowd, index, Some(rng.f64()), |filter| {
            filter.score = Some(score)
        })
    }),
    kind("history by speed", |crowd, rng, index| {
        history(crowd, index, Some(rng.f64()), |filter| {
            filter.speed = speed(rng)
        })
    }),
    kind("history since", |crowd, rng, index| {
        let since = crowd.at_ms(rng.f64());
        history(crowd, index, None, |filter| filter.since_ms = Some(since))
    }),
    kind("history until", |crowd, rng, index| {
        let until = crowd.at_ms(rng.f64());
        history(crowd, index, None, |filter| filter.until_ms = Some(until))
    }),
    kind(
        "history by game, speed, unrated, drawn",
        |crowd, rng, index| {
            history(crowd, index, None, |filter| {
                filter.game = game(rng);
                filter.speed = speed(rng);
                filter.rated = Some(false);
                filter.score = Some(Score::Drawn);
            })
        },
    ),
    kind(
        "history by all filters, as a stranger sees it",
        |crowd, rng, index| {
            let opponent = other(crowd, rng, index);
            history(crowd, index, Some(0.9), |filter| {
                filter.viewer = None;
                filter.game = game(rng);
                filter.speed = speed(rng);
                filter.rated = Some(true);
                filter.score = Some(Score::Drawn);
                filter.opponent = Some(opponent);
                filter.since_ms = Some(crowd.at_ms(0.1));
                filter.until_ms = Some(crowd.at_ms(0.95));
            })
        },
    ),
    kind("leaderboard, first page", |_, rng, _| {
        List::Leaderboard(game(rng).expect("one"), speed(rng).expect("one"), 0)
    }),
    kind("leaderboard, rank 5,000", |_, rng, _| {
        List::Leaderboard(game(rng).expect("one"), speed(rng).expect("one"), 5_000)
    }),
    kind("leaderboard, past its end", |_, rng, _| {
        List::Leaderboard(game(rng).expect("one"), speed(rng).expect("one"), 10_000)
    }),
    kind("head-to-head", |crowd, rng, index| {
        List::HeadToHead(crowd.players[index].clone(), other(crowd, rng, index))
    }),
    kind("rating history, from the oldest", |crowd, rng, index| {
        rating_history(crowd, rng, index, HistoryOrder::OldestFirst, None)
    }),
    kind("rating history, from the newest", |crowd, rng, index| {
        rating_history(crowd, rng, index, HistoryOrder::NewestFirst, None)
    }),
    kind("rating history, deep cursor", |crowd, rng, index| {
        rating_history(crowd, rng, index, HistoryOrder::NewestFirst, Some(0.1))
    }),
    kind("running matches", |_, rng, _| {
        List::Running(rng.bool().then(|| game(rng)).flatten())
    }),
    kind("strongest running match", |_, rng, _| {
        List::Strongest(game(rng).expect("one"))
    }),
    kind("running matches of a player", |crowd, _, index| {
        List::RunningOf(crowd.players[index].clone())
    }),
    kind("walk-aways of a player", |crowd, _, index| {
        List::Abandonments(crowd.players[index].clone())
    }),
    kind("challenges to a player", |crowd, _, index| {
        List::ChallengesTo(crowd.players[index].clone())
    }),
    kind("challenges of a player", |crowd, _, index| {
        List::ChallengesBy(crowd.players[index].clone())
    }),
    kind("followed players", |crowd, _, index| {
        List::Following(crowd.players[index].clone())
    }),
    kind("followers", |crowd, _, index| {
        List::Followers(crowd.players[index].clone())
    }),
    kind("numbers of follows", |crowd, _, index| {
        List::FollowCounts(crowd.players[index].clone())
    }),
    kind("blocked players", |crowd, _, index| {
        List::Blocks(crowd.players[index].clone())
    }),
    kind("invitations", |_, rng, _| List::Invitations(rng.bool())),
    kind("running matches of followed players", |crowd, _, index| {
        List::RunningOfFollowed(crowd.players[index].clone())
    }),
    kind(
        "finished matches of followed players",
        |crowd, rng, index| {
            let cursor = rng.bool().then(|| crowd.cursor(rng.f64()));
            List::FinishedOfFollowed(crowd.players[index].clone(), cursor)
        },
    ),
    kind("clubs, first page", |_, _, _| List::PublicClubs("", None)),
    kind("clubs by a search, deep cursor", |crowd, rng, _| {
        let id = crowd.clubs[rng.usize(..crowd.clubs.len())].clone();
        List::PublicClubs("row", Some(ClubCursor { members: 5, id }))
    }),
    kind("clubs of a player", |crowd, rng, index| {
        List::ClubsOf(crowd.players[index].clone(), rng.bool())
    }),
    kind("requests of a player", |crowd, _, index| {
        List::ClubRequestsOf(crowd.players[index].clone())
    }),
    kind("invitations to a player", |crowd, _, index| {
        List::ClubInvitationsOf(crowd.players[index].clone())
    }),
    kind("members of a club", |crowd, rng, index| {
        List::ClubMembers(a_club(crowd, rng), crowd.players[index].clone())
    }),
    kind("officers of a club", |crowd, rng, _| {
        List::ClubOfficers(a_club(crowd, rng))
    }),
    kind("pupils of a class", |crowd, rng, _| {
        let after = rng.bool().then(|| crowd.players[PUPILS / 2].clone());
        List::Pupils(crowd.clubs[0].clone(), after)
    }),
    kind("requests to a club", |crowd, rng, _| {
        List::ClubRequests(a_club(crowd, rng))
    }),
    kind("invitations of a club", |crowd, rng, _| {
        List::ClubInvitations(a_club(crowd, rng))
    }),
    kind("the log of a club", |crowd, rng, _| {
        List::ClubLog(a_club(crowd, rng))
    }),
    kind("the leaderboard of a club", |crowd, rng, _| {
        List::ClubLeaderboard(ClubBoard {
            club: crowd.clubs[0].clone(),
            game: game(rng).expect("one"),
            speed: speed(rng).expect("one"),
            max_deviation: PROVISIONAL_DEVIATION,
            min_opponents: MIN_OPPONENTS,
        })
    }),
    kind("matches of a club", |crowd, rng, _| {
        let cursor = rng.bool().then(|| crowd.cursor(rng.f64()));
        List::ClubMatches(crowd.clubs[0].clone(), cursor)
    }),
    kind("running matches of a club", |crowd, _, index| {
        List::RunningClubMatches(crowd.clubs[0].clone(), crowd.players[index].clone())
    }),
    kind("club matches of a club", |crowd, rng, _| {
        let lists = ClubMatchList::ALL;
        let list = lists[rng.usize(..lists.len())];
        let cursor = rng.bool().then(|| ClubMatchCursor {
            start_ms: FIRST_MS + rng.i64(0..400),
            id: crowd.club_matches[0].clone(),
        });
        List::ClubMatchesOf(crowd.clubs[0].clone(), list, cursor)
    }),
    kind("players of a club match", |crowd, rng, _| {
        List::ClubMatchPlayers(a_club_match(crowd, rng))
    }),
    kind("boards of a club match", |crowd, rng, _| {
        List::ClubMatchBoards(a_club_match(crowd, rng))
    }),
    kind("work on club matches", |_, _, _| List::ClubMatchWork),
    kind("events", |crowd, rng, _| {
        let states = EventState::ALL;
        let cursor = rng.bool().then(|| EventCursor {
            sort_ms: FIRST_MS + rng.i64(0..20),
            id: crowd.events[0].clone(),
        });
        List::EventsIn(states[rng.usize(..states.len())], cursor)
    }),
    kind("an event", |crowd, rng, _| {
        let id = crowd.events[rng.usize(..crowd.events.len())].clone();
        List::EventParts(id, rng.bool().then_some(1))
    }),
    kind("work on events", |_, _, _| List::EventWork),
    kind("timetables of events", |crowd, rng, index| {
        let player = rng.bool().then(|| crowd.players[index].clone());
        List::EventTimetables(player, rng.bool().then(EventTimetableId::random))
    }),
    kind("seeks", |crowd, rng, index| {
        List::Seeks(rng.bool().then(|| crowd.players[index].clone()))
    }),
    kind("sessions", |crowd, _, index| {
        List::SessionsOf(crowd.players[index].clone())
    }),
    kind("tokens", |crowd, _, index| {
        List::TokensOf(crowd.players[index].clone())
    }),
    kind("passkeys", |crowd, _, index| {
        List::PasskeysOf(crowd.players[index].clone())
    }),
    kind("a passkey", |_, _, index| {
        List::PasskeyWith(index.to_be_bytes().to_vec())
    }),
    kind("an address", |crowd, _, index| {
        List::EmailOf(crowd.players[index].clone())
    }),
    kind("players by an address", |_, _, index| {
        List::PlayersByEmail(format!("a{index}@x.example"))
    }),
    kind("a link for a password", |_, _, index| {
        List::ResetOf([u8::try_from(index % 250).unwrap_or(0); 32])
    }),
    kind("matches that are due", |_, _, _| List::DueIds),
    kind("matches to be counted", |_, _, _| List::Uncounted),
    kind("matches a restart takes up", |_, _, _| List::LiveIds),
    kind("running matches in real time", |_, _, _| List::LiveCount),
    kind("latest results", |_, _, _| List::Results),
    kind("counted matches by number", |_, _, _| List::RatingChanges),
    kind("finished matches by id", |_, _, _| List::FinishedMatches),
    kind("open reports", |crowd, rng, _| {
        reports(crowd, rng, ReportState::Open)
    }),
    kind("resolved reports", |crowd, rng, _| {
        reports(crowd, rng, ReportState::Resolved)
    }),
    kind("open appeals", |crowd, rng, _| {
        reports(crowd, rng, ReportState::Appealed)
    }),
    kind("decided appeals", |crowd, rng, _| {
        reports(crowd, rng, ReportState::AppealDecided)
    }),
    kind("open reports of a player", |crowd, _, index| {
        reports_about(crowd, index, ReportState::Open)
    }),
    kind("resolved reports of a player", |crowd, _, index| {
        reports_about(crowd, index, ReportState::Resolved)
    }),
    kind("decisions about a player", |crowd, _, index| {
        List::Decisions(crowd.players[index].clone())
    }),
    kind("notices to a player", |crowd, _, index| {
        List::Notices(crowd.players[index].clone())
    }),
    kind("accounts to be enabled", |_, _, _| List::Due),
    kind("the moderators' log", |_, _, _| {
        List::Audit(AuditFilter::default())
    }),
    kind("the moderators' log of a player", |crowd, _, index| {
        let about = Some(crowd.players[index].clone());
        List::Audit(AuditFilter {
            about,
            ..AuditFilter::default()
        })
    }),
];

fn a_club_match(crowd: &Crowd, rng: &mut Rng) -> ClubMatchId {
    crowd.club_matches[rng.usize(..crowd.club_matches.len())].clone()
}

fn a_club(crowd: &Crowd, rng: &mut Rng) -> ClubId {
    crowd.clubs[rng.usize(..crowd.clubs.len())].clone()
}

const fn kind(name: &'static str, draw: fn(&Crowd, &mut Rng, usize) -> List) -> Kind {
    Kind { name, draw }
}

fn history(
    crowd: &Crowd,
    index: usize,
    behind: Option<f64>,
    narrow: impl FnOnce(&mut MatchFilter),
) -> List {
    let mut filter = MatchFilter::of(crowd.players[index].clone());
    narrow(&mut filter);
    List::History(Box::new(filter), behind.map(|part| crowd.cursor(part)))
}

fn rating_history(
    crowd: &Crowd,
    rng: &mut Rng,
    index: usize,
    order: HistoryOrder,
    behind: Option<f64>,
) -> List {
    let cursor = behind.map(|part| HistoryCursor {
        at_ms: crowd.at_ms(part),
        ordinal: 1,
    });
    let (game, speed) = (game(rng).expect("one"), speed(rng).expect("one"));
    List::RatingHistory(crowd.players[index].clone(), game, speed, order, cursor)
}

fn reports(crowd: &Crowd, rng: &mut Rng, state: ReportState) -> List {
    let filter = ReportFilter { about: None, state };
    let cursor = ReportCursor {
        at_ms: crowd.at_ms(rng.f64()),
        id: ReportId::random(),
    };
    List::Reports(filter, rng.bool().then_some(cursor))
}

fn reports_about(crowd: &Crowd, index: usize, state: ReportState) -> List {
    let about = Some(crowd.players[index].clone());
    List::Reports(ReportFilter { about, state }, None)
}

fn game(rng: &mut Rng) -> Option<GameKind> {
    rng.choice(GameKind::ALL).copied()
}

fn speed(rng: &mut Rng) -> Option<Speed> {
    rng.choice(Speed::ALL)
}

fn other(crowd: &Crowd, rng: &mut Rng, index: usize) -> PlayerId {
    let other = crowd.draw(rng);
    let other = if other == index {
        (index + 1) % crowd.players.len()
    } else {
        other
    };
    crowd.players[other].clone()
}

/// Returns each part of the personal data of a player. They sort the rows of that player.
pub(crate) fn personal(crowd: &Crowd) -> Vec<List> {
    let player = &crowd.players[0];
    let part = |part: PersonalPart| List::Personal(part, player.clone());
    PersonalPart::ALL.map(part).to_vec()
}

/// Returns combinations of the filters of a history, with a cursor and without, with the rights of its owner and of others.
pub(crate) fn histories(crowd: &Crowd) -> Vec<List> {
    let (player, other) = (&crowd.players[0], &crowd.players[1]);
    let mut lists = Vec::new();
    for bits in 0..128_u32 {
        let is = |bit: u32| bits & (1 << bit) != 0;
        for score in [None, Some(Score::Drawn)] {
            let filter = MatchFilter {
                viewer: (!is(5)).then(|| player.clone()),
                game: is(0).then_some(GameKind::ALL[0]),
                opponent: is(1).then(|| other.clone()),
                rated: is(2).then_some(true),
                speed: is(3).then_some(Speed::Blitz),
                since_ms: is(4).then_some(crowd.at_ms(0.1)),
                until_ms: is(4).then_some(crowd.at_ms(0.9)),
                finished: is(5),
                score,
                ..MatchFilter::of(player.clone())
            };
            let cursor = is(6).then(|| crowd.cursor(0.5));
            lists.push(List::History(Box::new(filter), cursor));
        }
    }
    lists
}

static HEARD: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Starts to record the statements of the databases, and the notices of Postgres. Once a process.
pub(crate) fn listen() {
    let targets = Targets::new()
        .with_target("sqlx::query", LevelFilter::DEBUG)
        .with_target("sqlx::postgres::notice", LevelFilter::TRACE);
    let subscriber = tracing_subscriber::registry().with(Ear.with_filter(targets));
    tracing::subscriber::set_global_default(subscriber).expect("nobody else listens");
}

/// Returns the texts recorded during the call of `list`, statements or notices of Postgres, for which `is_wanted` is true.
pub(crate) async fn heard(
    store: &dyn Store,
    list: &List,
    is_wanted: fn(&str) -> bool,
) -> Vec<String> {
    HEARD.lock().expect("nobody panics with it").clear();
    list.ask(store).await;
    // A statement is logged when its connection has finished it, a moment after its last row.
    for _ in 0..5_000 {
        let mut heard = HEARD.lock().expect("nobody panics with it").clone();
        heard.retain(|text| is_wanted(text));
        if heard.len() >= list.statements() {
            return heard;
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    panic!("{list:?} was not in the log");
}

struct Ear;

impl<S: tracing::Subscriber> Layer<S> for Ear {
    fn on_event(&self, event: &tracing::Event<'_>, _: Context<'_, S>) {
        event.record(&mut Words);
    }
}

struct Words;

impl Visit for Words {
    fn record_str(&mut self, field: &Field, value: &str) {
        if matches!(field.name(), "db.statement" | "message") {
            let value = value.trim().to_owned();
            HEARD.lock().expect("nobody panics with it").push(value);
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.record_str(field, &format!("{value:?}"));
    }
}
