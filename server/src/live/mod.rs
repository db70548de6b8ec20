//! Live matches: the task of each match ([`actor`]) and its messages, the people present, the frames to their sockets, and all rooms of the
//! node ([`rooms`]).

pub mod actor;
pub mod arrange;
pub mod audience;
pub mod calls;
pub mod chat;
mod client;
mod correspondence;
pub mod export;
mod join;
pub mod journal;
pub mod message;
pub mod notices;
mod opponent;
pub mod options;
pub mod outbox;
mod rematch;
pub mod remote;
pub mod rooms;
pub mod run_time;
pub mod services;
pub mod sockets;
pub mod turns;
pub mod tv;
pub mod view;
