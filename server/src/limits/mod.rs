//! Limits on requests: attempts, password guesses, requests in a minute, responses in progress.
//!
//! Nothing here knows of HTTP: a refusal is a [`TooMany`], which `http/error.rs` turns into a problem.

pub mod attempts;
pub mod compression;
pub mod concurrency;
pub mod guesses;
pub mod network;
pub mod quotas;

/// A refusal by a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many requests; try again in {retry_s} s")]
pub struct TooMany {
    /// The seconds to wait before the next attempt.
    pub retry_s: u64,
}
