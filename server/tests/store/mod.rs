//! The guarantees of a store, tested on both backends.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod analyses;
mod chat;
mod classes;
mod club_matches;
mod clubs;
mod correspondence;
mod devices;
mod display_names;
mod emails;
mod event_timetables;
mod events;
pub(crate) mod faults;
mod former_names;
mod invitations;
mod journal;
mod lobby;
mod matches;
mod nodes;
mod notices;
mod oauth_codes;
mod pages;
mod passkeys;
mod personal_data;
mod players;
mod prune;
mod ratings;
mod recovery_codes;
mod relations;
mod request_keys;
mod schemas;
mod story;
mod trouble;
mod upgrades;

use crate::common::place::{Place, SqlitePlace};
use crate::common::postgres::Postgres;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sqlite_keeps_every_promise() {
    every_promise(&SqlitePlace::new()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn postgres_keeps_every_promise() {
    let postgres = Postgres::start();
    every_promise(&postgres).await;
    trouble::a_killed_database_is_unavailable_and_comes_back_whole(&postgres).await;
    trouble::several_servers_may_start_on_an_empty_database_at_once(&postgres).await;
    nodes::a_node_that_came_back_keeps_its_match(&postgres).await;
}

async fn every_promise(place: &impl Place) {
    nodes::every_promise(place).await;
    lobby::every_promise(place).await;
    journal::every_promise(place).await;
    matches::every_promise(place).await;
    correspondence::every_promise(place).await;
    players::every_promise(place).await;
    ratings::every_promise(place).await;
    devices::every_promise(place).await;
    prune::every_promise(place).await;
    analyses::every_promise(place).await;
    notices::every_promise(place).await;
    request_keys::every_promise(place).await;
    oauth_codes::every_promise(place).await;
    recovery_codes::every_promise(place).await;
    emails::every_promise(place).await;
    passkeys::every_promise(place).await;
    former_names::every_promise(place).await;
    display_names::every_promise(place).await;
    invitations::every_promise(place).await;
    trouble::every_promise(place).await;
}
