//! Views of club matches, and who sees them.

use mawe_play::rating;
use mawe_rules::{GameKind, Side};
use mawe_store::{
    ByClub, ClubBoardRow, ClubGameResult, ClubGameRow, ClubMatchClub, ClubMatchEntries,
    ClubMatchRow,
};
use mawe_wire::club_matches::{ClubGameSkipped, ClubGameState, ClubMatchState, ClubSide};
use mawe_wire::clubs::{ClubRef, ClubStanding};
use mawe_wire::ids::{ClubMatchId, MatchId, PlayerId};
use mawe_wire::{PlayerRef, Speed, TimeControl};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::http::error::ApiError;
use crate::http::extract::SignedIn;
use crate::live::view;

/// A side of a club match.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ClubMatchSideView {
    /// The name of the club; the last one of a closed club.
    name: String,
    /// The club; null after it was closed.
    #[schema(required = true)]
    club: Option<ClubRef>,
    /// The points: 1 for a match won, ½ for a draw.
    score: f64,
}

/// A club match in a list.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ClubMatchSummary {
    id: ClubMatchId,
    state: ClubMatchState,
    /// The club that has proposed it.
    home: ClubMatchSideView,
    /// The other club.
    away: ClubMatchSideView,
    game: GameKind,
    time_control: TimeControl,
    speed: Speed,
    rated: bool,
    /// The most boards.
    boards: u32,
    /// The matches at each board, one after the other, with the sides exchanged.
    games_per_board: u32,
    /// The time at which the entrants are paired.
    start_at: jiff::Timestamp,
    /// The time after which all matches had ended; null before.
    #[schema(required = true)]
    finished_at: Option<jiff::Timestamp>,
}

/// A club match.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ClubMatchView {
    #[serde(flatten)]
    summary: ClubMatchSummary,
    created_at: jiff::Timestamp,
    /// The number of entrants for the proposing club.
    home_players: u32,
    /// The number of entrants for the other club.
    away_players: u32,
    /// The side for which the caller has signed up.
    #[schema(required = true)]
    signed_up: Option<ClubSide>,
    /// The sides of the caller's own clubs.
    member_of: Vec<ClubSide>,
    /// The sides of the clubs with the caller as an officer.
    officer_of: Vec<ClubSide>,
    /// The boards, the strongest first; empty before the start.
    board_list: Vec<ClubBoardView>,
}

/// A board of a club match.
#[derive(Debug, Serialize, ToSchema)]
struct ClubBoardView {
    number: u32,
    home: ClubBoardPlayer,
    away: ClubBoardPlayer,
    games: Vec<ClubGameView>,
}

/// A player at a board.
#[derive(Debug, Serialize, ToSchema)]
struct ClubBoardPlayer {
    player: PlayerRef,
    /// The rating at the pairing, rounded; null for a player without one.
    #[schema(required = true)]
    rating: Option<i32>,
}

/// A match at a board.
#[derive(Debug, Serialize, ToSchema)]
struct ClubGameView {
    state: ClubGameState,
    /// The side of the first move.
    first: ClubSide,
    /// The match; null before it begins, and for readers without access to it.
    #[serde(rename = "match")]
    #[schema(required = true)]
    match_id: Option<MatchId>,
    /// The result; null before the end.
    #[schema(required = true)]
    result: Option<ClubGameOutcome>,
    /// The reason for which it is not played; null for every other one.
    #[schema(required = true)]
    skipped: Option<ClubGameSkipped>,
}

/// The result of a match at a board.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum ClubGameOutcome {
    /// The player of the proposing club has won.
    Home,
    /// The player of the other club has won.
    Away,
    Drawn,
    /// The match was called off or made void, and counts for nobody.
    CalledOff,
}

/// The relation of a reader to a club match.
pub(super) struct Standings {
    of: ByClub<ClubStanding>,
    moderates: bool,
}

impl Standings {
    async fn read(
        app: &App,
        row: &ClubMatchRow,
        reader: Option<&SignedIn>,
    ) -> Result<Standings, ApiError> {
        let standing = async |club: &ClubMatchClub| match (reader, &club.open) {
            (Some(me), Some(open)) => app.store.club_standing(&open.id, &me.player.id).await,
            _ => Ok(ClubStanding::None),
        };
        Ok(Standings {
            of: ByClub {
                home: standing(&row.clubs.home).await?,
                away: standing(&row.clubs.away).await?,
            },
            moderates: reader.is_some_and(SignedIn::moderates),
        })
    }

    fn sides(&self, holds: impl Fn(ClubStanding) -> bool) -> Vec<ClubSide> {
        let sides = ClubSide::ALL.iter().copied();
        sides.filter(|side| holds(*self.of.at(*side))).collect()
    }

    /// The sides of the reader's own clubs.
    pub(super) fn member_of(&self) -> Vec<ClubSide> {
        self.sides(ClubStanding::is_member)
    }

    fn officer_of(&self) -> Vec<ClubSide> {
        self.sides(|standing| standing == ClubStanding::Officer)
    }

    /// Whether the reader sees the club match. One that was not agreed is for the officers; any other for everybody where both clubs are public,
    /// else for those who see one of the clubs from the inside.
    fn see(&self, row: &ClubMatchRow) -> bool {
        match row.state {
            _ if self.moderates => true,
            ClubMatchState::Proposed
            | ClubMatchState::Declined
            | ClubMatchState::Withdrawn
            | ClubMatchState::Lapsed => !self.officer_of().is_empty(),
            ClubMatchState::Accepted
            | ClubMatchState::Running
            | ClubMatchState::Finished
            | ClubMatchState::Cancelled => {
                let inside = |standing: ClubStanding| {
                    standing.is_member() || standing == ClubStanding::Invited
                };
                is_public(row) || !self.sides(inside).is_empty()
            }
        }
    }
}

/// Whether both clubs are seen by everybody.
pub(super) fn is_public(row: &ClubMatchRow) -> bool {
    let public = |club: &ClubMatchClub| {
        club.open
            .as_ref()
            .is_none_or(|open| open.joining.is_public())
    };
    !row.hidden && public(&row.clubs.home) && public(&row.clubs.away)
}

/// Finds a club match that the reader sees.
///
/// # Errors
/// [`ApiError::NotFound`], also for one that the reader does not see.
pub(super) async fn seen(
    app: &App,
    id: &ClubMatchId,
    reader: Option<&SignedIn>,
) -> Result<(ClubMatchRow, Standings), ApiError> {
    let row = app.store.find_club_match(id).await?;
    let row = row.ok_or(ApiError::NotFound("club match"))?;
    let standings = Standings::read(app, &row, reader).await?;
    if standings.see(&row) {
        Ok((row, standings))
    } else {
        Err(ApiError::NotFound("club match"))
    }
}

impl ClubMatchSummary {
    pub(super) fn of(row: &ClubMatchRow) -> ClubMatchSummary {
        let side = |side: ClubSide| {
            let club = row.clubs.at(side);
            ClubMatchSideView {
                name: club.name.clone(),
                club: club.reference(),
                score: f64::from(*row.score.won.at(side)) + f64::from(row.score.drawn) / 2.0,
            }
        };
        ClubMatchSummary {
            id: row.id.clone(),
            state: row.state,
            home: side(ClubSide::Home),
            away: side(ClubSide::Away),
            game: row.game,
            time_control: row.time_control,
            speed: row.time_control.speed(),
            rated: row.rated,
            boards: row.boards,
            games_per_board: row.games,
            start_at: view::timestamp(row.start_ms),
            finished_at: row.finished_ms.map(view::timestamp),
        }
    }
}

/// Returns the view of a club match for a reader who sees it.
pub(super) async fn shown(
    app: &App,
    (row, standings): (&ClubMatchRow, &Standings),
    reader: Option<&SignedIn>,
) -> Result<ClubMatchView, ApiError> {
    let me = reader.map(|reader| &reader.player.id);
    let ClubMatchEntries { players, mine } = app.store.club_match_entries(&row.id, me).await?;
    let boards = app.store.club_match_boards(&row.id).await?;
    let officer_of = standings.officer_of();
    let leads = !officer_of.is_empty();
    let boards = boards.iter().map(|board| board_view(board, me, leads));
    Ok(ClubMatchView {
        summary: ClubMatchSummary::of(row),
        created_at: view::timestamp(row.created_ms),
        home_players: players.home,
        away_players: players.away,
        signed_up: mine,
        member_of: standings.member_of(),
        officer_of,
        board_list: boards.collect(),
    })
}

fn board_view(board: &ClubBoardRow, me: Option<&PlayerId>, leads: bool) -> ClubBoardView {
    let player = |side: ClubSide| ClubBoardPlayer {
        player: view::player(board.players.at(side)),
        rating: board.ratings.at(side).map(rating::rounded),
    };
    let plays = me.is_some_and(|me| {
        let both = [&board.players.home, &board.players.away];
        both.iter().any(|player| player.id == *me)
    });
    let games = board.games.iter();
    ClubBoardView {
        number: board.number,
        home: player(ClubSide::Home),
        away: player(ClubSide::Away),
        games: games.map(|game| game_view(game, plays || leads)).collect(),
    }
}

/// A private match, as a class may want it, is named to its players and to officers alone: with the id anybody could watch.
fn game_view(game: &ClubGameRow, inside: bool) -> ClubGameView {
    let played = game.played.as_ref();
    let result = played.and_then(|played| played.result);
    ClubGameView {
        state: game.state,
        first: match game.home_side {
            Side::First => ClubSide::Home,
            Side::Second => ClubSide::Away,
        },
        match_id: played
            .filter(|played| inside || !played.private)
            .map(|played| played.id.clone()),
        result: result.map(|result| match result {
            ClubGameResult::Won(ClubSide::Home) => ClubGameOutcome::Home,
            ClubGameResult::Won(ClubSide::Away) => ClubGameOutcome::Away,
            ClubGameResult::Drawn => ClubGameOutcome::Drawn,
            ClubGameResult::CalledOff => ClubGameOutcome::CalledOff,
        }),
        skipped: game.skipped,
    }
}
