//! Clubs: members, officers, requests to join, invitations, and their log.

use async_trait::async_trait;
use mawe_rules::GameKind;
use mawe_wire::Speed;
use mawe_wire::clubs::{ClubAction, ClubKind, ClubStanding, ClubTexts, Joining};
use mawe_wire::ids::{ClubId, PlayerId};

use crate::{Attribution, LeaderboardRow, MatchCursor, MatchRow, Player, StoreError};

/// Clubs.
///
/// A club has an officer as long as it has members; one without members is deleted. The log keeps its latest entries.
#[async_trait]
pub trait Clubs: Send + Sync {
    /// Founds a club with the founder as its officer.
    ///
    /// # Errors
    /// [`StoreError::Club`].
    async fn found_club(&self, new: &NewClub, limits: &ClubLimits) -> Result<(), StoreError>;

    /// Changes a club in the name of a player. The limits hold for concurrent calls.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when there is no such club; [`StoreError::Club`].
    async fn change_club(
        &self,
        club: &ClubId,
        by: &PlayerId,
        change: &ClubChange,
        limits: &ClubLimits,
        now_ms: i64,
    ) -> Result<ClubChanged, StoreError>;

    /// Changes or closes a club in the name of a moderator, and writes an audit log entry.
    ///
    /// # Errors
    /// As [`Clubs::change_club`].
    async fn moderate_club(
        &self,
        club: &ClubId,
        change: &ClubModeration,
        attribution: &Attribution,
    ) -> Result<ClubChanged, StoreError>;

    /// Returns a club by its handle, without regard to case.
    async fn find_club(&self, handle: &str) -> Result<Option<ClubRow>, StoreError>;

    /// Returns the standing of a player at a club. A hidden invitation is none.
    async fn club_standing(
        &self,
        club: &ClubId,
        player: &PlayerId,
    ) -> Result<ClubStanding, StoreError>;

    /// Whether two players are members of the same club.
    async fn share_club(&self, one: &PlayerId, other: &PlayerId) -> Result<bool, StoreError>;

    /// Returns a page of the public clubs, the largest first. With `search`, those of the next [`CLUBS_SEARCHED`] clubs whose name or handle
    /// contains it.
    async fn public_clubs(
        &self,
        search: &str,
        after: Option<&ClubCursor>,
        limit: u32,
    ) -> Result<Vec<ClubRow>, StoreError>;

    /// Returns a page of a player's clubs, the latest first; `public` leaves out those that are on no list.
    async fn clubs_of(
        &self,
        player: &PlayerId,
        public: bool,
        after: Option<&ClubOfCursor>,
        limit: u32,
    ) -> Result<Vec<ClubOf>, StoreError>;

    /// Returns a page of the clubs that a player has requested to join, the latest first.
    async fn club_requests_of(
        &self,
        player: &PlayerId,
        after: Option<&ClubOfCursor>,
        limit: u32,
    ) -> Result<Vec<ClubOf>, StoreError>;

    /// Returns a page of the clubs that a player is invited to, the latest first, without hidden invitations.
    async fn club_invitations_of(
        &self,
        player: &PlayerId,
        after: Option<&ClubOfCursor>,
        limit: u32,
    ) -> Result<Vec<ClubOf>, StoreError>;

    /// Returns a page of the members, those of longest standing first. `reader` is the reader of the page.
    async fn club_members(
        &self,
        club: &ClubId,
        reader: Option<&PlayerId>,
        after: Option<&ClubPlayerCursor>,
        limit: u32,
    ) -> Result<Vec<ClubMember>, StoreError>;

    /// Returns the officers by name.
    async fn club_officers(&self, club: &ClubId) -> Result<Vec<Player>, StoreError>;

    /// Returns a page of the requests to join, the latest first.
    async fn club_requests(
        &self,
        club: &ClubId,
        after: Option<&ClubPlayerCursor>,
        limit: u32,
    ) -> Result<Vec<ClubRequest>, StoreError>;

    /// Returns a page of the invitations, the latest first, with hidden ones.
    async fn club_invitations(
        &self,
        club: &ClubId,
        after: Option<&ClubPlayerCursor>,
        limit: u32,
    ) -> Result<Vec<ClubInvitation>, StoreError>;

    /// Returns a page of the log, the latest first, before the entry `before` if given.
    async fn club_log(
        &self,
        club: &ClubId,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Vec<ClubLogRow>, StoreError>;

    /// Returns a page of the members by rating, as [`Ratings::leaderboard`](crate::Ratings::leaderboard) ranks players.
    async fn club_leaderboard(
        &self,
        of: &ClubBoard,
        offset: u32,
        limit: u32,
    ) -> Result<Vec<LeaderboardRow>, StoreError>;

    /// Returns a page of running public matches with clocks in seconds of which both players are members, the latest first. The reader does not
    /// see those of players who have blocked them.
    async fn running_club_matches(
        &self,
        club: &ClubId,
        reader: Option<&PlayerId>,
        after: Option<&MatchCursor>,
        limit: u32,
    ) -> Result<Vec<MatchRow>, StoreError>;

    /// Returns a page of finished public matches of which both players are members, created since `since_ms`, the latest first. Matches that
    /// were called off are left out.
    async fn club_matches(
        &self,
        club: &ClubId,
        since_ms: i64,
        after: Option<&MatchCursor>,
        limit: u32,
    ) -> Result<Vec<MatchRow>, StoreError>;
}

/// The number of clubs that one search looks at: every search ends, however many clubs strangers found.
pub const CLUBS_SEARCHED: u32 = 5_000;

/// The number of entries that the log of a club keeps.
pub const CLUB_LOG_ENTRIES: u32 = 2_000;

/// The limits of clubs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClubLimits {
    /// Clubs that one account has founded and that exist.
    pub founded: u32,
    /// Clubs that one account belongs to.
    pub memberships: u32,
    /// Members of one club.
    pub members: u32,
    /// Officers of one club.
    pub officers: u32,
    /// Open requests of one account.
    pub requests_by_player: u32,
    /// Open requests to one club.
    pub requests: u32,
    /// Open invitations to one account; further ones are hidden.
    pub invitations_to_player: u32,
    /// Open invitations of one club.
    pub invitations: u32,
    /// Removed members that are kept from joining one club; older ones are forgotten.
    pub removals: u32,
}

/// The limits of every server.
pub const CLUB_LIMITS: ClubLimits = ClubLimits {
    founded: 5,
    memberships: 50,
    members: 2_000,
    officers: 10,
    requests_by_player: 20,
    requests: 500,
    invitations_to_player: 50,
    invitations: 200,
    removals: 2_000,
};

/// A club to found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewClub {
    /// Its id.
    pub id: ClubId,
    /// The name in addresses.
    pub handle: String,
    /// The kind.
    pub kind: ClubKind,
    /// The name.
    pub name: ClubName,
    /// The way to join.
    pub joining: Joining,
    /// The description.
    pub descriptions: ClubTexts,
    /// The line at the top; may be empty.
    pub banner: String,
    /// The founder.
    pub founder: PlayerId,
    /// The time.
    pub created_ms: i64,
}

/// The name of a club.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClubName {
    /// The name as it is shown.
    pub text: String,
    /// The same for all names that look alike; unique.
    pub key: String,
}

/// A change of the data of a club; `None` leaves a value as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClubEdit {
    /// The name.
    pub name: Option<ClubName>,
    /// The way to join.
    pub joining: Option<Joining>,
    /// The description in the changed languages; an empty text deletes it.
    pub descriptions: ClubTexts,
    /// The line at the top.
    pub banner: Option<String>,
}

/// A change of a club by a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClubChange {
    /// Joins, or requests to join with this line. Does nothing for a member.
    Join(String),
    /// Takes the own request back; does nothing without one.
    Withdraw,
    /// Declines the own invitation; does nothing without one.
    Decline,
    /// Leaves.
    Leave,
    /// An officer accepts a player's request.
    Accept(PlayerId),
    /// An officer refuses it.
    Refuse(PlayerId),
    /// An officer invites a player; does nothing for a member or an invited one.
    Invite(PlayerId),
    /// An officer takes an invitation back; does nothing without one.
    EndInvitation(PlayerId),
    /// An officer removes another member.
    Remove(PlayerId),
    /// An officer makes a member an officer.
    Appoint(PlayerId),
    /// An officer makes an officer, maybe themself, a member.
    Dismiss(PlayerId),
    /// An officer changes the club's data.
    Edit(ClubEdit),
    /// The only officer closes the club.
    Close,
}

/// A change of a club by a moderator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClubModeration {
    /// Changes the club's data.
    Edit(ClubEdit),
    /// Makes a player an officer, also one who is no member.
    Appoint(PlayerId),
    /// Closes the club.
    Close,
}

/// The effects of a change beside the club.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClubChanged {
    /// The keys of the notices that were written.
    pub told: Vec<String>,
    /// The players of whom a notice was deleted.
    pub recounted: Vec<PlayerId>,
}

/// A club.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClubRow {
    /// Its id.
    pub id: ClubId,
    /// The name in addresses.
    pub handle: String,
    /// The kind.
    pub kind: ClubKind,
    /// The name.
    pub name: String,
    /// The way to join.
    pub joining: Joining,
    /// The description.
    pub descriptions: ClubTexts,
    /// The line at the top; may be empty.
    pub banner: String,
    /// The number of members.
    pub members: u32,
    /// The founder.
    pub founder: Player,
    /// The time of the founding.
    pub created_ms: i64,
}

/// A club of a player's list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClubOf {
    /// The club.
    pub club: ClubRow,
    /// The player's standing there.
    pub standing: ClubStanding,
    /// The time at which it began.
    pub since_ms: i64,
}

/// A member, for a reader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClubMember {
    /// The member.
    pub player: Player,
    /// Whether the member is an officer.
    pub officer: bool,
    /// The time of joining.
    pub since_ms: i64,
    /// Whether the member has blocked the reader.
    pub blocked_by: bool,
    /// Whether the club has made the account.
    pub pupil: bool,
}

/// A request to join.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClubRequest {
    /// The player.
    pub player: Player,
    /// What the player says; may be empty.
    pub line: String,
    /// The time.
    pub since_ms: i64,
}

/// An invitation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClubInvitation {
    /// The invited player.
    pub player: Player,
    /// The name of the officer.
    pub by: String,
    /// The time.
    pub since_ms: i64,
}

/// An entry of the log of a club.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClubLogRow {
    /// The number of the entry.
    pub number: u64,
    /// The time.
    pub at_ms: i64,
    /// The name of the officer; `None` for the server and for moderators.
    pub actor: Option<String>,
    /// The action.
    pub action: ClubAction,
    /// The name of the other player.
    pub about: Option<String>,
    /// The changed fields, separated by spaces; may be empty.
    pub detail: String,
}

/// The leaderboard of a club.
#[derive(Debug, Clone, PartialEq)]
pub struct ClubBoard {
    /// The club.
    pub club: ClubId,
    /// The game kind.
    pub game: GameKind,
    /// The speed.
    pub speed: Speed,
    /// The greatest deviation of a ranked player.
    pub max_deviation: f64,
    /// The smallest number of opponents of a ranked player.
    pub min_opponents: u32,
}

/// A place in the list of public clubs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClubCursor {
    /// The members of the last club before it.
    pub members: u32,
    /// The id of that club.
    pub id: ClubId,
}

/// A place in a list of a player's clubs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClubOfCursor {
    /// `since_ms` of the last club before it.
    pub since_ms: i64,
    /// The id of that club.
    pub id: ClubId,
}

/// A place in a list of players of a club.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClubPlayerCursor {
    /// `since_ms` of the last player before it.
    pub since_ms: i64,
    /// The id of that player.
    pub player: PlayerId,
}
