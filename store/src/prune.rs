//! Rows that are no longer needed.

/// A kind of row that is deleted some time after its last use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stale {
    /// Sessions that have expired.
    Sessions,
    /// Tokens that have expired.
    Tokens,
    /// Challenges and seeks that have expired without a match.
    UnmetChallenges,
    /// Challenges that became a match and have expired since. Until then their links lead to the match.
    MetChallenges,
    /// Matches that were called off before any person made a move, with their journals. A match is kept if it has a rematch, or if a report
    /// or an audit log entry names it.
    UnplayedMatches,
    /// Records of accounts that share a device.
    SharedDevices,
    /// Guests without a match, and without a session that was used since.
    Guests,
}

impl Stale {
    /// All kinds. Rows that refer to others are deleted before them.
    pub const ALL: [Stale; 7] = [
        Stale::Sessions,
        Stale::Tokens,
        Stale::UnmetChallenges,
        Stale::MetChallenges,
        Stale::UnplayedMatches,
        Stale::SharedDevices,
        Stale::Guests,
    ];
}
