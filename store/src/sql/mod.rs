//! The part of the store whose SQL is the same on both databases, which is nearly all of it; one file for each domain, with its
//! trait.
//!
//! This module is a child of each backend, and so compiled twice: `super::Db` is the database, `super::Backend` the store. The parent has
//! the differences (opening, the append, beginning a transaction, locking rows). Both databases support `$1`, `RETURNING`, `ON CONFLICT`,
//! row comparisons and `FILTER`; use only features of both.

mod accounts;
mod analyses;
mod audit;
mod backend;
mod challenges;
mod chat;
mod classes;
mod club_changes;
mod club_match_cancellations;
mod club_match_games;
mod club_match_lists;
mod club_match_rows;
mod club_matches;
mod club_members;
mod clubs;
mod conditional_moves;
mod corrections;
mod counting;
mod database;
mod devices;
mod display_names;
mod email_ends;
mod emails;
mod event_games;
mod event_lists;
mod event_timetables;
mod events;
mod former_names;
mod held_display_names;
mod held_names;
pub(super) mod history;
mod invitations;
mod journal;
mod looks;
mod matches;
mod nodes;
mod notices;
mod oauth_codes;
mod passkeys;
mod personal_data;
mod players;
mod prune;
mod pupils;
mod push;
mod ratings;
mod recovery_codes;
mod relations;
mod reports;
mod request_keys;
mod seating;
mod seeds;
mod seeks;
mod sessions;
mod tallies;
mod tokens;
mod vacations;
mod voids;
mod wishes;

impl crate::Store for super::Backend {}
