//! The Mawe! server: the rights of requests, and the storage and distribution of matches.

pub mod admin;
pub mod api;
pub mod app;
pub mod bots;
pub mod cli;
pub mod clock;
pub mod cluster;
pub mod config;
pub mod connections;
pub mod http;
pub mod identity;
pub mod limits;
pub mod live;
pub mod load;
pub mod lobby;
pub mod meters;
pub mod metrics;
pub mod moderation;
pub(crate) mod outbound;
pub mod page;
pub mod pictures;
pub mod push;
pub mod server;
pub mod trace;
pub mod worker;
pub mod ws;
