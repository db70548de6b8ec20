//! The reasons for which a change of a club is refused.

/// The reason for which a change of a club is refused; nothing was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ClubRefusal {
    /// Another club has the handle.
    #[error("another club has this handle")]
    HandleTaken,
    /// Another club has a name that looks like this one.
    #[error("another club has a name that looks like this one")]
    NameTaken,
    /// The caller is no officer.
    #[error("the caller is no officer")]
    OfficersOnly,
    /// The player is no member.
    #[error("the player is no member")]
    NotAMember,
    /// The only officer leaves or steps down while there are other members, or somebody closes a club with several officers.
    #[error("the club needs another officer first")]
    LastOfficer,
    /// The club is closed by its only officer, and there are others.
    #[error("the club has other officers")]
    OtherOfficers,
    /// The club is for invited players, or the player was removed.
    #[error("an invitation is needed")]
    InvitationNeeded,
    /// There is no request of the player.
    #[error("there is no such request")]
    NoRequest,
    /// The player is no account of a person, is disabled or deleted.
    #[error("the player is no account of a person")]
    NoPerson,
    /// An officer removes themself.
    #[error("an officer does not remove themself")]
    Yourself,
    /// The club has the maximum number of members.
    #[error("the club is full")]
    Full,
    /// The player has founded the maximum number of clubs.
    #[error("the player has founded too many clubs")]
    TooManyFounded,
    /// The player belongs to the maximum number of clubs.
    #[error("the player belongs to too many clubs")]
    TooManyMemberships,
    /// The player or the club has the maximum number of requests.
    #[error("too many requests")]
    TooManyRequests,
    /// The club has the maximum number of invitations.
    #[error("too many invitations")]
    TooManyInvitations,
    /// The club has the maximum number of officers.
    #[error("too many officers")]
    TooManyOfficers,
    /// A club has the maximum number of proposed and coming club matches.
    #[error("too many club matches")]
    TooManyMatches,
    /// The club match is not in a state for this change.
    #[error("the club match is not open to this change")]
    MatchClosed,
    /// The side of the club match has the maximum number of players.
    #[error("too many players have signed up")]
    MatchFull,
    /// A pupil of a class that plays among itself, and somebody or a club outside it.
    #[error("the class plays among itself")]
    ClassOnly,
    /// The class has the maximum number of pupils.
    #[error("the class has too many pupils")]
    ClassFull,
    /// The class to close has pupils.
    #[error("the class has pupils")]
    HasPupils,
    /// A class has made the account, which therefore does not leave it, or lead it.
    #[error("the player is a pupil of the class")]
    Pupil,
    /// The account that ends is the only teacher of a class with pupils.
    #[error("a class would have no teacher")]
    OnlyTeacher,
}
