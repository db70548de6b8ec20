//! The door for sockets: who may open one, and with which bounds.

mod session;

use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::response::{IntoResponse, Response};

use crate::http::App;
use crate::http::error::ApiError;
use crate::http::extract::Visitor;
use crate::protocol::SUBPROTOCOL;

/// What a socket reads at a time. The library's default, 128 KiB a socket, is the largest cost of an idle one.
const READ_BUFFER_BYTES: usize = 4 * 1024;

/// Several small frames for one socket go out in one write up to this.
const WRITE_BUFFER_BYTES: usize = 8 * 1024;

/// The library must not hold more than what one drained outbox can be.
const MAX_WRITE_BUFFER_BYTES: usize = 1024 * 1024;

/// Beyond this a frame is not even read: the socket is closed with 1009.
const HARD_FRAME_BYTES: usize = 16 * 1024;

/// `GET /api/v1/ws`: opens a socket. Offer the subprotocol `mawe.v1`; see `docs/protocol.md` for the messages.
#[utoipa::path(
    get, path = "/api/v1/ws", tag = "live",
    responses(
        (status = 101, description = "switching to the WebSocket protocol, subprotocol `mawe.v1`"),
        (status = 400, description = "not a WebSocket handshake, or not the subprotocol `mawe.v1`", body = crate::http::error::Problem, content_type = "application/problem+json"),
        (status = 403, description = "a page of another origin asks", body = crate::http::error::Problem, content_type = "application/problem+json"),
    )
)]
pub async fn open(
    State(app): State<App>,
    Visitor(visitor): Visitor,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Response {
    let Ok(upgrade) = upgrade else {
        return ApiError::BadRequest("this address is for WebSocket handshakes".to_owned())
            .into_response();
    };
    let upgrade = upgrade.protocols([SUBPROTOCOL]);
    if upgrade.selected_protocol().is_none() {
        return ApiError::BadRequest(format!("offer the subprotocol {SUBPROTOCOL}"))
            .into_response();
    }
    upgrade
        .read_buffer_size(READ_BUFFER_BYTES)
        .write_buffer_size(WRITE_BUFFER_BYTES)
        .max_write_buffer_size(MAX_WRITE_BUFFER_BYTES)
        .max_frame_size(HARD_FRAME_BYTES)
        .max_message_size(HARD_FRAME_BYTES)
        .on_upgrade(move |socket| {
            let tasks = app.sockets.tasks.clone();
            tasks.track_future(session::run(socket, app, visitor))
        })
        .into_response()
}
