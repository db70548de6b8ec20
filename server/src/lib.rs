//! The Mawe! server: who may do what, and when it is remembered.

pub mod arrange;
pub mod bots;
pub mod cli;
pub mod config;
pub mod export;
pub mod http;
pub mod ids;
pub mod journal;
pub mod lobby;
pub mod outbox;
pub mod pairing;
pub mod passwords;
pub mod patient;
pub mod protocol;
pub mod rating;
pub mod recount;
pub mod room;
pub mod rooms;
pub mod server;
pub mod sessions;
pub mod sockets;
pub mod store;
pub mod time_control;
pub mod tv;
pub mod worker;
pub mod ws;
