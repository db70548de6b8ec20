//! Rows that nobody needs any more.

/// A kind of row that is deleted some time after it was of use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stale {
    /// Sessions that have expired.
    Sessions,
    /// Tokens that have expired.
    Tokens,
    /// Challenges and seeks that have expired and became no match.
    UnmetChallenges,
    /// Challenges that became a match, and have expired since: their links lead to it.
    MetChallenges,
    /// Matches that were called off before any person made a move, with their journals. One that somebody has reported, or that the log
    /// names, or that has a rematch, stays.
    UnplayedMatches,
    /// That accounts share a device.
    SharedDevices,
    /// Guests at no match, and with no session that was used since.
    Guests,
}

impl Stale {
    /// All kinds, in an order in which what refers to others goes before them.
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
