//! The operator's interface: one router, which a running server serves on a Unix socket in its data directory, and which `mawe admin` calls
//! in its own process if no server runs. Both run the same code, and changes take effect at once.
//!
//! Nothing of this is reachable over the network: the user who may open the socket is the operator.

mod accounts;
pub mod api;
mod distributions;
mod invitations;
mod refusal;
mod router;
pub mod socket;
mod status;
pub mod timetable;
mod upkeep;

pub use self::refusal::{PATH, Refused};
pub use self::router::router;
