//! The store: one trait with two backends, SQLite and Postgres, that give the same guarantees.
//!
//! The central operation is [`Store::append`]: a compare-and-set on a match's `head` and `epoch` together with the insertion of entries,
//! for many matches in one commit. **The log is the lock**: an append whose `head` or `epoch` differs from the stored one is refused; the
//! rest of its batch is still written.
//!
//! Every write is atomic: after a crash at any point, either all of it is stored or none. A call that returns `Ok` is durable. A write that
//! was begun is completed even when the caller's future is dropped (a cancelled HTTP request must not leave a transaction open on a pooled
//! connection).
//!
//! Times are milliseconds since the Unix epoch, UTC. A *realtime* match has clocks that run in seconds; every other match has the speed
//! `daily`. Every write that adds a match or a player may fail with [`StoreError::LowSpace`].

mod accounts;
pub mod backup;
mod carried;
mod challenges;
mod connect;
mod copies;
mod corrections;
mod error;
mod identity;
mod interface;
mod journal;
mod matches;
mod migrate;
mod nodes;
mod players;
mod postgres;
pub mod private;
mod prune;
pub mod pruning;
mod push;
mod ratings;
pub mod readiness;
pub mod recount;
mod reports;
mod rows;
mod space;
mod sqlite;
mod standings;
mod tallies;
mod voids;

pub use accounts::{
    Account, AccountChange, AccountFilter, AuditFilter, AuditRow, Changed, Deed, Disabled, NewAudit,
};
pub use challenges::{ChallengeRow, NewChallenge, Offered};
pub use connect::*;
pub use copies::check_copy;
pub use corrections::{Corrections, RatedMatch};
pub use error::{OpenError, StoreError};
pub use identity::{DeviceKey, Holder, NewSession, NewToken, SessionRow, TokenRow};
pub use interface::Store;
pub use journal::{Append, Appended};
pub use matches::{ClaimedMatch, MAX_RUNNING, MatchCursor, MatchFilter, MatchRow, NewMatch, Score};
pub use nodes::{Claim, NewNode, Wished};
pub use players::{NewPlayer, Player};
pub use prune::Stale;
pub use push::{PushSecret, SubscriptionRow};
pub use ratings::{
    HistoryCursor, HistoryOrder, LeaderboardRow, PlacedSeed, RateFn, RatingChange, RatingRow, Seed,
};
pub use reports::{
    Judged, NewReport, NoticeRow, PlayerName, ReportCursor, ReportFilter, ReportRow, Resolved,
    Verdict,
};
pub use space::MinFreeSpace;
pub use standings::Standings;
pub use tallies::{GameTally, SideTally, Tally};

pub use voids::{PairFilter, PairToReview, VoidMatches};
