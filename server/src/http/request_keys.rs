//! The header `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07) of requests that create something: a program that got no
//! answer sends its request again under the same key, and one thing is created.

use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

use axum::extract::{FromRequest, MatchedPath, Request};
use axum::http::{HeaderName, HeaderValue};
use mawe_store::RequestKey;
use mawe_wire::Code;
use mawe_wire::ids::PlayerId;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use crate::app::App;
use crate::clock::unix_ms;
use crate::http::error::ApiError;
use crate::http::extract;

/// The header of a request with its key, as the OpenAPI document names it.
pub(crate) const HEADER: &str = "Idempotency-Key";

/// The header of an answer about a thing that an earlier request has created.
pub(crate) const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// The longest key: a UUID has 36 characters.
const MAX_KEY_BYTES: usize = 128;

/// The number of looks for a thing that is being created, and the time between them: two seconds are more than a commit takes.
const MAX_LOOKS: u32 = 80;
const BETWEEN_LOOKS: Duration = Duration::from_millis(25);

/// A JSON body with the key of its request.
#[derive(Debug)]
pub(crate) struct Keyed<T> {
    pub(crate) body: T,
    pub(crate) key: Option<Key>,
}

/// The key of a request.
#[derive(Debug, Clone)]
pub(crate) struct Key {
    text: String,
    /// The digest of the route and the body.
    digest: [u8; 32],
}

/// The id of the thing that a request creates.
#[derive(Debug)]
pub(crate) struct Claim<I> {
    pub(crate) id: I,
    /// Whether the request has a key: another one with the same key may have created the thing, or be doing it at this moment.
    pub(crate) is_shared: bool,
}

impl<T: DeserializeOwned> FromRequest<App> for Keyed<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Keyed<T>, ApiError> {
        let text = key_of(&request)?;
        let route = request.extensions().get::<MatchedPath>().cloned();
        let bytes = extract::json_bytes(request, app).await?;
        let body = extract::parsed(&bytes)?;
        let key = text.map(|text| {
            let route = route.as_ref().map_or("", MatchedPath::as_str);
            let digest = Sha256::new()
                .chain_update(route)
                .chain_update([0])
                .chain_update(&bytes);
            Key {
                text,
                digest: digest.finalize().into(),
            }
        });
        Ok(Keyed { body, key })
    }
}

/// Returns the key of a request.
fn key_of(request: &Request) -> Result<Option<String>, ApiError> {
    let mut values = request.headers().get_all(HEADER).into_iter();
    let Some(value) = values.next() else {
        return Ok(None);
    };
    let text = value.to_str().unwrap_or_default().trim();
    let is_key = (1..=MAX_KEY_BYTES).contains(&text.len()) && values.next().is_none();
    if !is_key {
        let advice = format!("a key has 1 to {MAX_KEY_BYTES} visible ASCII characters");
        return Err(ApiError::field(Code::BadField, HEADER, advice));
    }
    Ok(Some(text.to_owned()))
}

impl Key {
    /// Returns the id for the thing that a request with this key creates: the same for each of them.
    ///
    /// # Errors
    /// [`Code::BadField`] if another request had the key; an error of the store.
    async fn claim<I: Display + FromStr>(
        self,
        app: &App,
        player: &PlayerId,
        drawn: I,
    ) -> Result<Claim<I>, ApiError> {
        let new = RequestKey {
            player: player.clone(),
            key: self.text,
            digest: self.digest,
            made_id: drawn.to_string(),
            created_ms: unix_ms(),
        };
        let known = app.store.claim_request_key(&new).await?;
        if known.digest != new.digest {
            let advice = "another request had this key: draw a new one for each request";
            return Err(ApiError::field(Code::BadField, HEADER, advice));
        }
        let id = known.made_id.parse().map_err(|_| {
            tracing::error!(
                key.made_id = known.made_id,
                "the id of a stored key is none"
            );
            ApiError::Internal
        })?;
        Ok(Claim {
            id,
            is_shared: true,
        })
    }
}

/// Returns the id for the thing that a request creates; without a key the drawn one.
pub(crate) async fn claim<I: Display + FromStr>(
    key: Option<Key>,
    app: &App,
    player: &PlayerId,
    drawn: I,
) -> Result<Claim<I>, ApiError> {
    match key {
        Some(key) => key.claim(app, player, drawn).await,
        None => Ok(Claim {
            id: drawn,
            is_shared: false,
        }),
    }
}

/// Looks for a thing that another request with the same key is creating at this moment: the store may refuse the second before the first is
/// committed.
#[derive(Debug, Default)]
pub(crate) struct Looks(u32);

impl Looks {
    /// Waits until it is time for the next look; returns whether there is one.
    pub(crate) async fn next(&mut self) -> bool {
        if self.0 > 0 {
            tokio::time::sleep(BETWEEN_LOOKS).await;
        }
        self.0 += 1;
        self.0 <= MAX_LOOKS
    }
}

/// Returns the headers of an answer: those about a thing that was there already have one.
pub(crate) fn headers(was_there: bool) -> Option<[(HeaderName, HeaderValue); 1]> {
    was_there.then(|| [(REPLAYED, HeaderValue::from_static("true"))])
}
