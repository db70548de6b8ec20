//! The buckets that a request was counted in, and the headers that report them.

use std::sync::Arc;

use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use mawe_wire::ids::{PlayerId, TokenHash};
use parking_lot::Mutex;

use crate::app::App;
use crate::http::error::ApiError;
use crate::limits::quotas::{Kind, Left, WINDOW_S};

/// The buckets counted for one request, by all layers.
#[derive(Debug, Clone)]
pub(crate) struct CallerQuota {
    pub(crate) kind: Kind,
    pub(crate) left: Arc<Mutex<Vec<Left>>>,
}

impl CallerQuota {
    pub(crate) fn note(&self, (left, outcome): (Left, Result<(), u64>)) -> Result<(), ApiError> {
        let mut noted = self.left.lock();
        noted.retain(|other| other.name != left.name);
        noted.push(left);
        outcome.map_err(|retry_s| ApiError::TooMany { retry_s })
    }

    pub(crate) fn write(&self, headers: &mut HeaderMap) {
        let noted = self.left.lock();
        let list = |one: fn(&Left) -> String| noted.iter().map(one).collect::<Vec<_>>().join(", ");
        for (name, value) in [
            (
                "ratelimit-policy",
                list(|left| format!("\"{}\";q={};w={WINDOW_S}", left.name, left.quota)),
            ),
            (
                "ratelimit",
                list(|left| format!("\"{}\";r={};t={}", left.name, left.rest, left.whole_in_s())),
            ),
        ] {
            let value = HeaderValue::try_from(value).expect("names and numbers are plain ASCII");
            headers.insert(HeaderName::from_static(name), value);
        }
    }
}

/// Counts a request for the caller's account, and for the token if it came with one.
pub(crate) fn count_for(
    parts: &Parts,
    app: &App,
    player: &PlayerId,
    token: Option<&TokenHash>,
) -> Result<(), ApiError> {
    let Some(tally) = parts.extensions.get::<CallerQuota>() else {
        return Ok(());
    };
    tally.note(app.quotas.accounts.acquire(tally.kind, player))?;
    if let Some(token) = token {
        tally.note(app.quotas.tokens.acquire(tally.kind, token))?;
    }
    Ok(())
}
