//! Limits on requests: attempts, password guesses, requests in a minute, responses in progress.
//!
//! Nothing here knows of HTTP: a refusal is a [`TooMany`], which `http/error.rs` turns into a problem.

pub mod attempts;
pub mod compression;
pub mod concurrency;
pub mod guesses;
pub mod log_lines;
pub mod network;
pub mod quotas;

use std::num::NonZeroU32;

use clap::Args;

/// The default of [`RateLimits::sign_ups_per_minute`]: a class of children at once.
const SIGN_UPS_PER_MINUTE: NonZeroU32 = NonZeroU32::new(60).expect("not zero");

/// The default of [`RateLimits::requests_per_minute`]: a hundred pages that are all in use.
const REQUESTS_PER_MINUTE: NonZeroU32 = NonZeroU32::new(6_000).expect("not zero");

/// The default of [`RateLimits::messages_per_second`]: an honest client sends one or two.
pub const MESSAGES_PER_SECOND: NonZeroU32 = NonZeroU32::new(15).expect("not zero");

/// The limits on the requests of one address, and on the messages of one socket, that an operator can set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Args)]
pub struct RateLimits {
    /// The number of guests and accounts that one address may create in a minute.
    #[arg(
        long,
        env = "MAWE_SIGN_UPS_PER_MINUTE",
        value_name = "N",
        default_value_t = SIGN_UPS_PER_MINUTE
    )]
    pub sign_ups_per_minute: NonZeroU32,
    /// The number of requests that one address may send in a minute; a quarter of them may change something and a twentieth create
    /// something.
    #[arg(
        long,
        env = "MAWE_REQUESTS_PER_MINUTE",
        value_name = "N",
        default_value_t = REQUESTS_PER_MINUTE
    )]
    pub requests_per_minute: NonZeroU32,
    /// The number of messages that one socket may send in a second, and nearly three times as many at once.
    #[arg(
        long,
        env = "MAWE_MESSAGES_PER_SECOND",
        value_name = "N",
        default_value_t = MESSAGES_PER_SECOND
    )]
    pub messages_per_second: NonZeroU32,
}

/// A refusal by a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many requests; try again in {retry_s} s")]
pub struct TooMany {
    /// The seconds to wait before the next attempt.
    pub retry_s: u64,
}
