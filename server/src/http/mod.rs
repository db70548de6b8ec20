//! The HTTP interface: one router, built from a module for each resource.

pub(crate) mod accounts;
pub(crate) mod assets;
pub(crate) mod banner;
pub(crate) mod bots;
pub(crate) mod caching;
pub(crate) mod cards;
pub(crate) mod catalogues;
pub(crate) mod challenges;
pub(crate) mod chat;
pub(crate) mod commands;
pub mod compression;
pub(crate) mod conditional_moves;
pub mod error;
pub mod export;
pub mod extract;
pub(crate) mod files;
pub(crate) mod framing;
pub(crate) mod history;
pub mod jobs;
pub(crate) mod lobby;
pub(crate) mod lookup;
pub(crate) mod matches;
pub(crate) mod measure;
pub mod metrics;
pub(crate) mod moderation;
pub(crate) mod notices;
pub(crate) mod origin;
pub(crate) mod pages;
pub(crate) mod pictures;
pub(crate) mod players;
pub(crate) mod preferences;
pub(crate) mod prerender;
pub(crate) mod push;
pub mod quotas;
pub(crate) mod records;
pub(crate) mod reports;
pub(crate) mod sessions;
pub(crate) mod shell;
pub(crate) mod sitemap;
pub mod streams;
pub(crate) mod tally;
pub(crate) mod terms;
pub(crate) mod tokens;
pub(crate) mod vacations;

/// The largest body of a request, in bytes. The longest honest one has a few hundred.
pub(crate) const MAX_BODY_BYTES: usize = 16 * 1024;
