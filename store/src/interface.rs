//! The trait of every store.

use crate::{
    Accounts, AuditLog, Challenges, Counting, Database, Devices, Journal, Matches, Nodes, Notices,
    Players, PushSubscriptions, Ratings, Recounts, Reports, Seeds, Seeks, Sessions, Tallies,
    Tokens, Upkeep, Voids, Wishes,
};

/// A store: all its domains, with their guarantees. Its methods are those of the domains' traits; a test of one domain implements only
/// that trait.
pub trait Store:
    Journal
    + Nodes
    + Wishes
    + Matches
    + Players
    + Challenges
    + Seeks
    + Ratings
    + Seeds
    + Tallies
    + Counting
    + Recounts
    + Voids
    + Sessions
    + Tokens
    + Devices
    + PushSubscriptions
    + Accounts
    + AuditLog
    + Reports
    + Notices
    + Upkeep
    + Database
    + 'static
{
}
