//! Club matches: proposals, sign-ups, boards and games.

use async_trait::async_trait;
use mawe_rules::{BySide, GameKind, Side};
use mawe_wire::TimeControl;
use mawe_wire::club_matches::{
    ClubGameSkipped, ClubGameState, ClubMatchList, ClubMatchState, ClubSide,
};
use mawe_wire::clubs::{ClubRef, Joining};
use mawe_wire::ids::{ClubId, ClubMatchId, MatchId, PlayerId};

use crate::{ClubPlayerCursor, NewMatch, Player, StoreError, WishState};

/// Club matches.
///
/// A change locks both clubs, in the order of their ids, and then the row of the club match: of a cancellation and an acceptance, or of the work
/// of two nodes, one is first, and the other one finds what has changed. The score is never stored: it is counted from the matches.
#[async_trait]
pub trait ClubMatches: Send + Sync {
    /// Proposes a club match in the name of an officer. The officers of the other club get notices.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when a club was closed meanwhile; [`StoreError::Club`].
    async fn propose_club_match(
        &self,
        new: &NewClubMatch,
        limits: &ClubMatchLimits,
    ) -> Result<ClubMatchChanged, StoreError>;

    /// Changes a club match in the name of a player.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when there is no such club match; [`StoreError::Club`].
    async fn change_club_match(
        &self,
        id: &ClubMatchId,
        by: &PlayerId,
        change: ClubMatchChange,
        limits: &ClubMatchLimits,
        now_ms: i64,
    ) -> Result<ClubMatchChanged, StoreError>;

    /// Returns a club match with its score.
    async fn find_club_match(&self, id: &ClubMatchId) -> Result<Option<ClubMatchRow>, StoreError>;

    /// Returns the number of sign-ups of each side, and the side for which the reader has signed up.
    async fn club_match_entries(
        &self,
        id: &ClubMatchId,
        reader: Option<&PlayerId>,
    ) -> Result<ClubMatchEntries, StoreError>;

    /// Returns a page of the entrants for a side, the first first.
    async fn club_match_players(
        &self,
        id: &ClubMatchId,
        side: ClubSide,
        after: Option<&ClubPlayerCursor>,
        limit: u32,
    ) -> Result<Vec<ClubMatchPlayer>, StoreError>;

    /// Returns the boards with their games, the first board first: [`MAX_BOARDS`] at most.
    async fn club_match_boards(&self, id: &ClubMatchId) -> Result<Vec<ClubBoardRow>, StoreError>;

    /// Returns a page of a list of a club, in the order of the list.
    async fn club_matches_of(
        &self,
        club: &ClubId,
        list: ClubMatchList,
        after: Option<&ClubMatchCursor>,
        limit: u32,
    ) -> Result<Vec<ClubMatchRow>, StoreError>;

    /// Returns club matches that are to begin, that nobody has answered until the start, or that were cancelled and have entrants without a notice;
    /// those that are longest due first.
    async fn due_club_matches(
        &self,
        now_ms: i64,
        limit: u32,
    ) -> Result<Vec<ClubMatchId>, StoreError>;

    /// Takes the due step of a club match. It pairs the boards of an accepted one at its start; a proposal lapses, and a match without a pair is
    /// cancelled. Of a cancelled one, [`CANCELLATIONS`] entrants become players with a notice. Of concurrent calls, one takes a step.
    async fn step_club_match(
        &self,
        id: &ClubMatchId,
        now_ms: i64,
    ) -> Result<ClubMatchStep, StoreError>;

    /// Returns games whose match has ended, and of which the end is not noted.
    async fn ended_club_games(&self, limit: u32) -> Result<Vec<ClubGameKey>, StoreError>;

    /// Notes the end of the match of a game: the next game of the board becomes ready, and after the last of all games the club match is finished.
    /// Returns whether this call did it.
    async fn end_club_game(&self, key: &ClubGameKey, now_ms: i64) -> Result<bool, StoreError>;

    /// Returns games that are to begin.
    async fn ready_club_games(&self, limit: u32) -> Result<Vec<ReadyClubGame>, StoreError>;

    /// Creates the match of a ready game, with notices to both players, and grants the wishes in `seats` by it.
    ///
    /// # Errors
    /// As [`Matches::create_match`](crate::Matches::create_match); nothing was written then.
    async fn seat_club_game(
        &self,
        key: &ClubGameKey,
        new: &NewMatch,
        seats: &[WishState],
    ) -> Result<ClubGameSeated, StoreError>;

    /// Notes that a ready game is not played; the board and the club match go on as after its end. Returns whether this call did it.
    async fn skip_club_game(
        &self,
        key: &ClubGameKey,
        reason: ClubGameSkipped,
        now_ms: i64,
    ) -> Result<bool, StoreError>;
}

/// The most boards of a club match.
pub const MAX_BOARDS: u32 = 50;

/// The most games at each board of a club match.
pub const MAX_BOARD_GAMES: u32 = 2;

/// The most notices of a cancelled club match in one step: a step locks the notices of all its players.
pub const CANCELLATIONS: u32 = 100;

/// The limits of club matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClubMatchLimits {
    /// Club matches of a club that it has proposed, or that are agreed and have not begun.
    pub coming: u32,
    /// Open proposals to a club by all others.
    pub incoming: u32,
    /// Entrants for a side.
    pub players: u32,
    /// The time for which a club match is kept that was not played, in milliseconds after its start.
    pub kept_ms: i64,
}

/// The limits of every server.
pub const CLUB_MATCH_LIMITS: ClubMatchLimits = ClubMatchLimits {
    coming: 10,
    incoming: 10,
    players: 500,
    kept_ms: 30 * 24 * 60 * 60 * 1_000,
};

/// A club match to propose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewClubMatch {
    /// Its id.
    pub id: ClubMatchId,
    /// The proposing club.
    pub home: ClubId,
    /// The other club.
    pub away: ClubId,
    /// The officer of the proposing club.
    pub by: PlayerId,
    /// The game kind.
    pub game: GameKind,
    /// The time control.
    pub time_control: TimeControl,
    /// Whether ratings change.
    pub rated: bool,
    /// The most boards.
    pub boards: u32,
    /// The games at each board.
    pub games: u32,
    /// The time of the pairing.
    pub start_ms: i64,
    /// The time.
    pub created_ms: i64,
}

/// A change of a club match by a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClubMatchChange {
    /// An officer of the other club accepts the proposal.
    Accept,
    /// An officer of the other club declines it.
    Decline,
    /// An officer of the proposing club withdraws the proposal, or an officer of either club cancels the agreed match.
    End,
    /// A member of the club of this side signs up; an entrant of the other side changes.
    SignUp(ClubSide),
    /// Signs off; does nothing for a player who is no entrant.
    SignOff,
}

/// The effects of a change beside the club match.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClubMatchChanged {
    /// The keys of the notices that were written.
    pub told: Vec<String>,
}

/// The result of [`ClubMatches::step_club_match`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClubMatchStep {
    /// Nothing was due.
    NotDue,
    /// A step was taken.
    Taken,
    /// The last entrants of a cancelled club match have got their notices; the key of these is its id.
    Told,
}

/// A club of a club match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClubMatchClub {
    /// The name; the last one of a closed club.
    pub name: String,
    /// The club; `None` after it was closed.
    pub open: Option<OpenClub>,
}

/// A club of a club match that exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenClub {
    /// Its id.
    pub id: ClubId,
    /// The name in addresses.
    pub handle: String,
    /// The way to join.
    pub joining: Joining,
}

impl ClubMatchClub {
    /// Returns the name with the address, if the club exists.
    #[must_use]
    pub fn reference(&self) -> Option<ClubRef> {
        self.open.as_ref().map(|open| ClubRef {
            handle: open.handle.clone(),
            name: self.name.clone(),
        })
    }
}

/// Two of something, by the sides of a club match.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ByClub<T> {
    /// That of the proposing club.
    pub home: T,
    /// That of the other club.
    pub away: T,
}

impl<T> ByClub<T> {
    /// Returns that of a side.
    pub const fn at(&self, side: ClubSide) -> &T {
        match side {
            ClubSide::Home => &self.home,
            ClubSide::Away => &self.away,
        }
    }
}

/// The results of the matches of a club match that have ended and were not called off.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ClubScore {
    /// Matches won, by club.
    pub won: ByClub<u32>,
    /// Draws.
    pub drawn: u32,
}

/// A club match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClubMatchRow {
    /// Its id.
    pub id: ClubMatchId,
    /// Its clubs.
    pub clubs: ByClub<ClubMatchClub>,
    /// Whether a closed club was joined by invitation.
    pub hidden: bool,
    /// The game kind.
    pub game: GameKind,
    /// The time control.
    pub time_control: TimeControl,
    /// Whether ratings change.
    pub rated: bool,
    /// The most boards.
    pub boards: u32,
    /// The games at each board.
    pub games: u32,
    /// The state.
    pub state: ClubMatchState,
    /// The time of the pairing.
    pub start_ms: i64,
    /// The time of the proposal.
    pub created_ms: i64,
    /// The time after which all its matches had ended.
    pub finished_ms: Option<i64>,
    /// The score.
    pub score: ClubScore,
}

/// The sign-ups of a club match, for a reader.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ClubMatchEntries {
    /// The number of players of each side.
    pub players: ByClub<u32>,
    /// The side for which the reader has signed up.
    pub mine: Option<ClubSide>,
}

/// An entrant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClubMatchPlayer {
    /// The player.
    pub player: Player,
    /// The time.
    pub since_ms: i64,
}

/// A board of a club match.
#[derive(Debug, Clone, PartialEq)]
pub struct ClubBoardRow {
    /// The number; 1 has the strongest players.
    pub number: u32,
    /// The player of each club.
    pub players: ByClub<Player>,
    /// The ratings at the pairing.
    pub ratings: ByClub<Option<f64>>,
    /// The games, the first first.
    pub games: Vec<ClubGameRow>,
}

/// A game at a board of a club match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClubGameRow {
    /// The state.
    pub state: ClubGameState,
    /// The side of the player of the proposing club.
    pub home_side: Side,
    /// The reason for which it is not played.
    pub skipped: Option<ClubGameSkipped>,
    /// Its match.
    pub played: Option<ClubGameMatch>,
}

/// The match of a game of a club match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClubGameMatch {
    /// The match.
    pub id: MatchId,
    /// Whether only clients with its id can see it.
    pub private: bool,
    /// The result, once it has ended.
    pub result: Option<ClubGameResult>,
}

/// The result of a match of a club match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClubGameResult {
    /// The player of this club has won.
    Won(ClubSide),
    /// A draw.
    Drawn,
    /// The match was called off, or made void, and counts for nobody.
    CalledOff,
}

/// A game of a club match, by its place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClubGameKey {
    /// The club match.
    pub club_match: ClubMatchId,
    /// The board.
    pub board: u32,
    /// The game at the board: 1 or 2.
    pub game: u32,
}

/// A game that is to begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadyClubGame {
    /// Its place.
    pub key: ClubGameKey,
    /// Its players.
    pub players: BySide<Player>,
    /// The game kind.
    pub game: GameKind,
    /// The time control.
    pub time_control: TimeControl,
    /// Whether ratings change.
    pub rated: bool,
}

/// The result of [`ClubMatches::seat_club_game`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClubGameSeated {
    /// The match was created.
    Seated,
    /// The game was not ready any more.
    NotReady,
    /// A wish has changed since it was read; the caller tries again.
    Changed,
    /// The account of a player is disabled or deleted.
    Absent,
}

/// A place in a list of club matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClubMatchCursor {
    /// `start_ms` of the last club match before it.
    pub start_ms: i64,
    /// The id of that club match.
    pub id: ClubMatchId,
}
