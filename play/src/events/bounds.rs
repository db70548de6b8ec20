//! Bounds of events.

/// The fewest players of an event.
pub const FEWEST_PLAYERS: u32 = 2;

/// The number of times that a player may come, go, pause and resume: it bounds the journal.
pub const MOST_CHANGES: u32 = 200;

/// The number of byes of half a point that a player of a Swiss may ask for.
pub const MOST_BYES: usize = 2;

/// The number of games of an event beyond which nothing is paired: it bounds the memory of an arena of programs that play without thinking.
pub const MOST_GAMES: usize = 200_000;

/// The pause between the last end of a round and the next pairing, in milliseconds: players see the standings and get their breath.
pub(super) const PAUSE_MS: i64 = 15_000;
