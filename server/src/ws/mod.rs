//! The WebSocket handshake: the checks before a socket opens, and the limits of its stream.

mod bucket;
mod frames;
mod session;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::alphabet;
use base64::engine::{GeneralPurpose, GeneralPurposeConfig};
use hyper_util::rt::TokioIo;
use mawe_wire::SUBPROTOCOL;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::server::create_response_with_body;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};

use crate::app::App;
use crate::http::error::ApiError;
use crate::http::extract::{From, Visitor};
use crate::ws::frames::CountedStream;

/// The read buffer of a socket: a usual message of a client. The library makes it at the start and keeps it; for a larger frame it grows. The
/// library's default, 128 KiB, would be the largest cost of an idle socket.
const READ_BUFFER_BYTES: usize = 512;

/// The write buffer of a socket: small frames up to this size together go out in one write.
const WRITE_BUFFER_BYTES: usize = 8 * 1024;

/// The most output that the library may hold: the frames of one drained outbox fit in it.
const MAX_WRITE_BUFFER_BYTES: usize = 1024 * 1024;

/// The largest frame, or message in fragments, that is read at all. A larger one closes the socket with 1009.
const HARD_FRAME_BYTES: usize = 16 * 1024;

/// The decoded length of a `Sec-WebSocket-Key`.
const KEY_BYTES: usize = 16;

/// The Base64 of a key. Bits after the last byte have no meaning, and some clients do not clear them.
const KEY_CODING: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true),
);

/// `GET /api/v1/ws`: opens a socket. Offer the subprotocol `mawe.v1`; see `docs/protocol.md` for the messages.
#[utoipa::path(
    get, path = "/api/v1/ws", tag = "live",
    responses(
        (status = 101, description = "switching to the WebSocket protocol, subprotocol `mawe.v1`"),
        (status = 400, description = "not a WebSocket handshake, or not the subprotocol `mawe.v1`"),
        (status = 403, description = "a page of another origin asks"),
        (status = 503, description = "`too-many-connections`: the server has no place, or has none for this address"),
    )
)]
pub async fn open(
    State(app): State<App>,
    Visitor(visitor): Visitor,
    From(address): From,
    mut request: Request,
) -> Response {
    let response = match answer(&request) {
        Ok(response) => response,
        Err(refusal) => {
            let mut response = refusal.into_response();
            // RFC 6455, section 4.4: a refusal names the supported version.
            let version = HeaderValue::from_static("13");
            let headers = response.headers_mut();
            headers.insert(header::SEC_WEBSOCKET_VERSION, version);
            return response;
        }
    };
    let player = visitor.as_ref().map(|visitor| &visitor.player.id);
    let admitted = app.sockets.admit(app.store.as_ref(), player, address).await;
    let Ok(permit) = admitted else {
        return ApiError::TooManyConnections.into_response();
    };
    let upgrade = hyper::upgrade::on(&mut request);
    let tasks = app.sockets.tasks.clone();
    tasks.spawn(async move {
        // The client may disconnect before it receives the response.
        let Ok(upgraded) = upgrade.await else {
            return;
        };
        let config = WebSocketConfig::default()
            .read_buffer_size(READ_BUFFER_BYTES)
            .write_buffer_size(WRITE_BUFFER_BYTES)
            .max_write_buffer_size(MAX_WRITE_BUFFER_BYTES)
            .max_frame_size(Some(HARD_FRAME_BYTES))
            .max_message_size(Some(HARD_FRAME_BYTES));
        let stream = CountedStream::new(TokioIo::new(upgraded), app.messages_per_second);
        let mut socket = WebSocketStream::from_raw_socket(stream, Role::Server, Some(config)).await;
        session::run(&mut socket, app, visitor).await;
        drop(permit);
    });
    response
}

/// Returns the response to a handshake, or the reason to refuse it.
fn answer(request: &Request) -> Result<Response, ApiError> {
    let response = create_response_with_body(request, Body::empty);
    let Ok(mut response) = response else {
        let message = "this address is for WebSocket handshakes of version 13";
        return Err(ApiError::BadRequest(message.to_owned()));
    };
    if !has_key(request.headers()) {
        let message = "Sec-WebSocket-Key must be one, and 16 bytes in Base64";
        return Err(ApiError::BadRequest(message.to_owned()));
    }
    if !offers_ours(request.headers()) {
        return Err(ApiError::BadRequest(format!(
            "offer the subprotocol {SUBPROTOCOL}"
        )));
    }
    let selected = HeaderValue::from_static(SUBPROTOCOL);
    let headers = response.headers_mut();
    headers.insert(header::SEC_WEBSOCKET_PROTOCOL, selected);
    Ok(response)
}

/// Returns whether the request has exactly one key, valid by RFC 6455, section 4.1.
fn has_key(headers: &HeaderMap) -> bool {
    let mut keys = headers.get_all(header::SEC_WEBSOCKET_KEY).iter();
    let (Some(key), None) = (keys.next(), keys.next()) else {
        return false;
    };
    let key = KEY_CODING.decode(key.as_bytes());
    key.is_ok_and(|key| key.len() == KEY_BYTES)
}

/// Returns whether the client offers [`SUBPROTOCOL`].
fn offers_ours(headers: &HeaderMap) -> bool {
    let offered = headers.get_all(header::SEC_WEBSOCKET_PROTOCOL).iter();
    offered
        .flat_map(|value| value.as_bytes().split(|byte| *byte == b','))
        .any(|one| one.trim_ascii() == SUBPROTOCOL.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_sixteen_bytes_and_there_is_one() {
        let keys = |keys: &[&'static str]| {
            let keys = keys.iter().map(|key| HeaderValue::from_static(key));
            let headers = keys.map(|key| (header::SEC_WEBSOCKET_KEY, key)).collect();
            has_key(&headers)
        };
        assert!(keys(&["dGhlIHNhbXBsZSBub25jZQ=="]));
        // The same key with unused bits set.
        assert!(keys(&["dGhlIHNhbXBsZSBub25jZR=="]));
        for bad in [
            &[][..],
            &[""],
            &["abc"],
            &["dGhlIHNhbXBsZSBub25jZQ"],
            &["dGhlIHNhbXBsZSBub25jZWQ="],
            &["dGhlIHNhbXBsZSBub25j"],
            &["not base64 at all !!====="],
            &["dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZSBub25jZQ=="],
        ] {
            assert!(!keys(bad), "{bad:?}");
        }
    }
}
