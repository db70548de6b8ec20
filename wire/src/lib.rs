//! The words of the wire: messages, ids, time controls, reasons and scopes, as types with their JSON form and schema.
//!
//! Nothing here does more than parse and print. The REST interface, the WebSocket, the messages between nodes and the store all speak
//! these types.

mod challenges;
pub mod chat;
mod client;
pub mod club_matches;
pub mod clubs;
pub mod code;
pub mod end_reason;
pub mod events;
pub mod grants;
pub mod ids;
mod looks;
mod matches;
mod message;
mod notices;
pub mod people;
mod players;
pub mod pool;
#[cfg(any(test, feature = "random"))]
pub mod random;
pub mod reports;
pub mod scope;
mod time_control;

pub use challenges::{
    ChallengeStatus, ChallengeView, DeclineReason, ExtraMinutes, MatchOptions, PoolCount, SeekView,
    SideWish,
};
pub use client::{ClientMsg, ToMatch};
pub use code::{ClosingReason, Code};
pub use looks::{Avatar, Flag, Look, NoFlag};
pub use matches::{
    ClockView, Event, EventMsg, MatchResult, MatchView, PlyView, Presence, RematchView, SeatView,
    Seats, Snapshot, StateView,
};
pub use message::{
    Command, ErrorMsg, MAX_FRAME_BYTES, MatchMsg, Phrase, SUBPROTOCOL, ServerMsg, SessionMsg,
};
pub use notices::{Notice, NoticeAbout, NoticeKind, NoticeOutcome};
pub use players::{Language, PlayerKind, PlayerRef, RatingRef};
pub use time_control::{Speed, TimeControl};
