//! Commands over REST, for programs that follow their matches as streams: what the WebSocket's `command` does, and answered the same.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::App;
use crate::http::error::{ApiError, Problem};
use crate::http::extract::{Body, Path, SignedIn};
use crate::ids::{ClientId, MatchId};
use crate::outbox::Outbox;
use crate::protocol::{Command, ServerMsg};
use crate::room::mail::{Caller, RoomMsg};
use crate::sockets::Owner;

/// How long a room may take to answer: longer only when the store is away.
const PATIENCE: Duration = Duration::from_secs(10);

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(give))
}

/// Something to do in a match: the `command` of the WebSocket.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewCommand {
    /// One's own name for this command, new for each. Sent again under the same name it is done once, and answered as before.
    #[schema(value_type = String)]
    client_id: ClientId,
    /// The last `seq` one has.
    seq: u64,
    /// What to do.
    command: Command,
}

/// What waits for the room's answer: counted like a socket, so that it ends with its session.
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

    /// The event or the error that answers a command.
    async fn answer(&self, client_id: &ClientId) -> Result<ServerMsg, ApiError> {
        let mut frames = Vec::new();
        loop {
            self.caller.outbox.ready().await;
            let farewell = self.caller.outbox.drain(&mut frames);
            for frame in frames.drain(..) {
                // What else a player is told, challenges for example, is for streams.
                match serde_json::from_str(&frame) {
                    Ok(ServerMsg::Event(event)) if event.client_id.as_ref() == Some(client_id) => {
                        return Ok(ServerMsg::Event(event));
                    }
                    Ok(ServerMsg::Error(error)) => return Err(ApiError::Refused(Box::new(error))),
                    _ => {}
                }
            }
            if farewell.is_some() {
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

/// Do something in a match that one plays in: move, resign, offer or answer a draw. Answered by the `event` that it became, which is durable.
/// Whoever gets no answer sends it again under the same `client_id`.
#[utoipa::path(
    post, path = "/api/v1/matches/{id}/commands", tag = "matches", request_body = NewCommand,
    params(("id" = String, Path, description = "the match's id")),
    responses(
        (status = 200, body = ServerMsg, description = "the `event`"),
        (status = 401, body = Problem, content_type = "application/problem+json"),
        (status = 403, body = Problem, content_type = "application/problem+json", description = "`not-seated`: one does not play in this match"),
        (status = 404, body = Problem, content_type = "application/problem+json"),
        (status = 409, body = Problem, content_type = "application/problem+json", description = "the match does not take it, and stands as it did: `illegal-move` (`why` is the rule), `not-your-turn`, `stale-ply`, `match-over` and the other codes of the WebSocket's `error`"),
    )
)]
async fn give(
    State(app): State<App>,
    me: SignedIn,
    Path(id): Path<MatchId>,
    Body(new): Body<NewCommand>,
) -> Result<Json<ServerMsg>, ApiError> {
    let received = Instant::now();
    if app.store.find_match(&id).await?.is_none() {
        return Err(ApiError::NotFound("match"));
    }
    let ear = Ear::open(&app, &me)?;
    let command = RoomMsg::Command {
        caller: ear.caller.clone(),
        client_id: new.client_id.clone(),
        seq: new.seq,
        command: new.command,
        received,
        // A program that asks over REST is not measured, and gets nothing back for its line.
        lag_ms: 0,
    };
    app.rooms.send(&id, command).await;
    let answer = tokio::time::timeout(PATIENCE, ear.answer(&new.client_id)).await;
    answer.unwrap_or(Err(ApiError::OutcomeUnknown)).map(Json)
}
