//! Commands over REST, for programs that follow their matches as streams: equivalent to the WebSocket's `command`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use mawe_wire::ids::{ClientId, MatchId};
use mawe_wire::{Command, MatchMsg, PlayerKind, ServerMsg};
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::http::error::ApiError;
use crate::http::extract::{Body, Path, SignedIn};
use crate::http::lookup;
use crate::http::requests;
use crate::live::message::{Caller, Envelope, RoomMsg};
use crate::live::outbox::Outbox;
use crate::live::sockets::Owner;

/// The time limit for a room's answer; only an unavailable store takes longer.
const PATIENCE: Duration = Duration::from_secs(10);

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(give))
}

/// A command in a match, as in the `command` of the WebSocket.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "client_id": "a-1", "seq": 0, "command": { "kind": "move", "ply": 0, "move": "11-15" } }))]
struct NewCommand {
    /// An id chosen by the client, new for each command. A command sent again with the same id takes effect once and gets the same answer.
    client_id: ClientId,
    /// The last `seq` that the client has received.
    seq: u64,
    /// The command.
    command: Command,
}

/// The receiver of a room's answer, registered like a socket so that it closes with its session.
struct Ear {
    app: App,
    owner: Owner,
    caller: Caller,
}

impl Ear {
    fn open(app: &App, me: &SignedIn) -> Result<Ear, ApiError> {
        let owner = Owner {
            player: me.player.id.clone(),
            session: me.session,
            is_guest: me.player.kind == PlayerKind::Guest,
        };
        let outbox = Arc::new(Outbox::default());
        let socket = app.sockets.add(Some(&owner), &outbox);
        let caller = Caller {
            socket: socket.ok_or(ApiError::TooManyStreams)?,
            player: Some(owner.player.clone()),
            outbox,
        };
        Ok(Ear {
            app: Arc::clone(app),
            owner,
            caller,
        })
    }

    /// Waits for the event or the error that answers a command.
    async fn answer(&self, client_id: &ClientId) -> Result<ServerMsg, ApiError> {
        let mut frames = Vec::new();
        loop {
            self.caller.outbox.ready().await;
            let close_reason = self.caller.outbox.drain(&mut frames);
            for frame in frames.drain(..) {
                // Other messages to the player, challenges for example, are for streams.
                match serde_json::from_str(&frame) {
                    Ok(ServerMsg::Event(event)) if event.client_id.as_ref() == Some(client_id) => {
                        return Ok(ServerMsg::Event(event));
                    }
                    Ok(ServerMsg::Error(error)) => return Err(ApiError::Refused(Box::new(error))),
                    _ => {}
                }
            }
            if close_reason.is_some() {
                return Err(ApiError::OutcomeUnknown);
            }
        }
    }
}

impl Drop for Ear {
    fn drop(&mut self) {
        self.app
            .sockets
            .remove(self.caller.socket, Some(&self.owner));
    }
}

/// Sends a command to a match that the caller plays in: move, resign, offer or answer a draw.
/// The response is the resulting `event`, which is durable. Without a response, send the command again with the same `client_id`.
#[utoipa::path(
    post, path = "/api/v1/matches/{id}/commands", tag = "matches", request_body = NewCommand,
    params(("id" = MatchId, Path, description = "the match's id")),
    responses(
        (status = 200, body = ServerMsg, description = "the `event`"),
        (status = 401),
        (status = 403, description = "`not-seated`: one does not play in this match"),
        (status = 404),
        (status = 409, description = "the match does not take it, and stands as it did: `illegal-move` (`why` is the rule), `not-your-turn`, `stale-ply`, `match-over` and the other codes of the WebSocket's `error`"),
    )
)]
async fn give(
    State(app): State<App>,
    me: SignedIn,
    Path(id): Path<MatchId>,
    Body(new): Body<NewCommand>,
) -> Result<Json<ServerMsg>, ApiError> {
    let received = Instant::now();
    lookup::find_match(&app, &id).await?;
    let ear = Ear::open(&app, &me)?;
    let envelope = Envelope {
        caller: ear.caller.clone(),
        received,
        // The round trip of a REST client is not measured, so its clock gets no compensation.
        lag_ms: 0,
        message: MatchMsg::Command {
            client_id: new.client_id.clone(),
            seq: new.seq,
            command: new.command,
        },
        unheard: false,
        trace: requests::trace(),
    };
    app.rooms.send(&id, RoomMsg::Client(envelope)).await;
    let answer = tokio::time::timeout(PATIENCE, ear.answer(&new.client_id)).await;
    answer.unwrap_or(Err(ApiError::OutcomeUnknown)).map(Json)
}
