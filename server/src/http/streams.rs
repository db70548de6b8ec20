//! Live streams for programs: the messages of the WebSocket as NDJSON or as server-sent events.
//!
//! A stream is a socket that only receives: it is numbered and counted like one, has the same bounded outbox, and rooms treat it the same.
//! Each stream has one task, which ends when the reader disconnects, stalls or logs out, or the server stops.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use mawe_rules::GameKind;
use mawe_store::Player;
use mawe_wire::events::EventState;
use mawe_wire::ids::{EventId, MatchId};
use mawe_wire::{PlayerKind, ServerMsg};
use serde::Deserialize;
use serde::de::IgnoredAny;
use tokio::sync::mpsc;
use tokio::time::MissedTickBehavior;
use tokio_tungstenite::tungstenite::Utf8Bytes;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::connections::admission::Permit;
use crate::connections::timeouts::WRITE;
use crate::http::challenges;
use crate::http::error::ApiError;
use crate::http::events;
use crate::http::export::NDJSON;
use crate::http::extract::{From, Path, Query, SignedIn, Visitor};
use crate::http::lookup;
use crate::limits::concurrency::Permit as ConcurrencyPermit;
use crate::live::message::{Caller, RoomMsg};
use crate::live::outbox::{CloseReason, Outbox, encode};
use crate::live::sockets::Owner;
use crate::live::view;
use crate::lobby::Asker;

/// The most streams that one address may read at a time: enough for the programs of a whole network, and no way to exhaust the server.
pub const MAX_STREAMS: u32 = 64;

/// The interval of keep-alive lines, so that both sides know that the connection works.
const KEEP_ALIVE: Duration = Duration::from_secs(10);

/// The delay in milliseconds before a reader reconnects after `closing`.
const RETRY_MS: u64 = 500;

/// The media type of server-sent events.
const EVENTS: &str = "text/event-stream";

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(of_match))
        .routes(routes!(of_me))
        .routes(routes!(of_tv))
        .routes(routes!(of_event))
}

/// Marks a response that must not be buffered for compression.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Live;

/// The format of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    /// NDJSON, a message a line.
    Lines,
    /// Server-sent events.
    Events,
}

impl Format {
    fn from_headers(headers: &HeaderMap) -> Format {
        let accept = headers.get_all(header::ACCEPT).iter();
        let mut kinds = accept
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','));
        let is_events = |kind: &str| kind.split(';').next().is_some_and(|k| k.trim() == EVENTS);
        match kinds.any(is_events) {
            true => Format::Events,
            false => Format::Lines,
        }
    }

    fn content_type(self) -> &'static str {
        match self {
            Format::Lines => NDJSON,
            Format::Events => EVENTS,
        }
    }

    fn write(self, message: &str, numbered: bool, into: &mut Vec<u8>) {
        if self == Format::Events {
            if let Some(seq) = numbered.then(|| seq_of(message)).flatten() {
                into.extend_from_slice(format!("id: {seq}\n").as_bytes());
            }
            into.extend_from_slice(b"data: ");
        }
        // Our JSON has no line breaks.
        into.extend_from_slice(message.as_bytes());
        into.extend_from_slice(match self {
            Format::Lines => b"\n",
            Format::Events => b"\n\n",
        });
    }

    fn keep_alive(self) -> Bytes {
        Bytes::from_static(match self {
            Format::Lines => b"\n",
            Format::Events => b":\n\n",
        })
    }
}

/// Returns the `seq` to resume from after a message, if it has one.
fn seq_of(message: &str) -> Option<u64> {
    #[derive(Deserialize)]
    struct Numbered {
        seq: Option<u64>,
        #[serde(rename = "match")]
        of: Option<Of>,
    }
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Of {
        /// A snapshot, which has the whole match.
        View {
            seq: u64,
        },
        Other(IgnoredAny),
    }
    let numbered: Numbered = serde_json::from_str(message).ok()?;
    numbered.seq.or(match numbered.of {
        Some(Of::View { seq }) => Some(seq),
        Some(Of::Other(IgnoredAny)) | None => None,
    })
}

/// The query of a stream.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Since {
    /// The last `seq` that the client has received. `Last-Event-ID`, which a browser sends when it reconnects, takes precedence.
    since: Option<u64>,
}

/// The subject of a stream.
enum Subject {
    Match { id: MatchId, since: Option<u64> },
    Me(Box<Player>),
    Tv { game: GameKind },
    Event(EventId),
}

/// Streams a match: the messages that a WebSocket receives after `join`.
/// Players get all messages at once, other callers get them as spectators do.
#[utoipa::path(
    get, path = "/api/v1/matches/{id}/stream", tag = "live",
    params(
        ("id" = MatchId, Path, description = "the match's id"), Since,
        ("Last-Event-ID" = Option<String>, Header, description = "the last `seq` one has; what is no number is passed over"),
    ),
    responses(
        (status = 200, description = "a message a line, or server-sent events if `Accept` names them", content((ServerMsg = "application/x-ndjson"), (String = "text/event-stream"))),
        (status = 404),
        (status = 422),
        (status = 429, description = "`too-many-streams`: 64 from one address, 32 streams and sockets of one player"),
        (status = 503, description = "`too-many-connections`: the server has no place, or has none for this address"),
    )
)]
async fn of_match(
    State(app): State<App>,
    Visitor(visitor): Visitor,
    From(address): From,
    Path(id): Path<MatchId>,
    Query(Since { since }): Query<Since>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    lookup::find_match(&app, &id).await?;
    let last = headers
        .get("last-event-id")
        .and_then(|value| value.to_str().ok()?.parse().ok());
    let since = last.or(since);
    let subject = Subject::Match { id, since };
    start(
        app,
        visitor,
        address,
        Format::from_headers(&headers),
        subject,
    )
    .await
}

/// Streams the caller's own messages: `challenge`, `challenge-gone`, `challenge-accepted`, `paired`, `pool-left`.
/// The stream begins with the open challenges, oldest first, so that a client that reconnects misses none; for matches that began meanwhile
/// see `GET /api/v1/me/matches`. A challenge may be sent twice: compare its `id`. While the stream is open the player counts as connected.
#[utoipa::path(
    get, path = "/api/v1/me/stream", tag = "live",
    responses(
        (status = 200, description = "a message a line, or server-sent events if `Accept` names them", content((ServerMsg = "application/x-ndjson"), (String = "text/event-stream"))),
        (status = 401),
        (status = 429, description = "`too-many-streams`: 64 from one address, 32 streams and sockets of one player"),
        (status = 503, description = "`too-many-connections`: the server has no place, or has none for this address"),
    )
)]
async fn of_me(
    State(app): State<App>,
    me: SignedIn,
    From(address): From,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let subject = Subject::Me(Box::new(me.player.clone()));
    start(
        app,
        Some(me),
        address,
        Format::from_headers(&headers),
        subject,
    )
    .await
}

/// Streams the featured match of a game, and after it the next: `tv`, then the match from a snapshot on.
/// The stream cannot be resumed: a client that reconnects begins with the current match.
#[utoipa::path(
    get, path = "/api/v1/tv/{game}/stream", tag = "live",
    params(("game" = GameKind, Path, description = "the game kind")),
    responses(
        (status = 200, description = "a message a line, or server-sent events if `Accept` names them", content((ServerMsg = "application/x-ndjson"), (String = "text/event-stream"))),
        (status = 404),
        (status = 429, description = "`too-many-streams`: 64 from one address, 32 streams and sockets of one player"),
        (status = 503, description = "`too-many-connections`: the server has no place, or has none for this address"),
    )
)]
async fn of_tv(
    State(app): State<App>,
    Visitor(visitor): Visitor,
    From(address): From,
    Path(game): Path<GameKind>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let subject = Subject::Tv { game };
    start(
        app,
        visitor,
        address,
        Format::from_headers(&headers),
        subject,
    )
    .await
}

/// Streams the state of an event: `event-state` at once and when it changes, once a second at most. The stream ends with the event.
#[utoipa::path(
    get, path = "/api/v1/events/{id}/stream", tag = "events",
    params(("id" = EventId, Path, description = "the id of the event")),
    responses(
        (status = 200, description = "a message a line, or server-sent events if `Accept` names them", content((ServerMsg = "application/x-ndjson"), (String = "text/event-stream"))),
        (status = 404),
        (status = 429, description = "`too-many-streams`: 64 from one address, 32 streams and sockets of one player"),
        (status = 503, description = "`too-many-connections`: the server has no place, or has none for this address"),
    )
)]
async fn of_event(
    State(app): State<App>,
    Visitor(visitor): Visitor,
    From(address): From,
    Path(id): Path<EventId>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    events::find_seen(&app, &id, visitor.as_ref()).await?;
    let format = Format::from_headers(&headers);
    start(app, visitor, address, format, Subject::Event(id)).await
}

/// Registers a stream and returns the response with it.
async fn start(
    app: App,
    visitor: Option<SignedIn>,
    address: IpAddr,
    format: Format,
    subject: Subject,
) -> Result<Response, ApiError> {
    let place = app.streams.enter(address)?;
    let player = visitor.as_ref().map(|visitor| &visitor.player.id);
    let admitted = app.sockets.admit(app.store.as_ref(), player, address).await;
    let permit = admitted.map_err(|_| ApiError::TooManyConnections)?;
    let outbox = Arc::new(Outbox::default());
    let owner = visitor.as_ref().map(|visitor| Owner {
        player: visitor.player.id.clone(),
        session: visitor.session,
        is_guest: visitor.player.kind == PlayerKind::Guest,
    });
    let Some(socket) = app.sockets.add(owner.as_ref(), &outbox) else {
        return Err(ApiError::TooManyStreams);
    };
    outbox.push(encode(&ServerMsg::Hello {
        player: visitor
            .as_ref()
            .map(|visitor| view::player(&visitor.player)),
        heartbeat_ms: u64::try_from(KEEP_ALIVE.as_millis()).unwrap_or(u64::MAX),
    }));
    // At most one chunk is in progress. Further messages wait in the outbox, which is bounded.
    let (chunks, body) = mpsc::channel(1);
    let stream = Stream {
        caller: Caller {
            socket,
            player: owner.as_ref().map(|owner| owner.player.clone()),
            outbox,
        },
        app: app.clone(),
        owner,
        format,
        chunks,
        watched: None,
        _place: place,
        _permit: permit,
    };
    app.sockets.tasks.spawn(stream.run(subject));
    let body = stream::unfold(body, async |mut body: mpsc::Receiver<Bytes>| {
        let chunk = body.recv().await?;
        Some((Ok::<_, std::convert::Infallible>(chunk), body))
    });
    let headers = [
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static(format.content_type()),
        ),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (header::VARY, HeaderValue::from_static("accept")),
        // A proxy that buffers whole responses would pass nothing on.
        (
            HeaderName::from_static("x-accel-buffering"),
            HeaderValue::from_static("no"),
        ),
    ];
    let mut response = (headers, Body::from_stream(body)).into_response();
    response.extensions_mut().insert(Live);
    Ok(response)
}

/// A stream in progress.
struct Stream {
    app: App,
    caller: Caller,
    owner: Option<Owner>,
    format: Format,
    chunks: mpsc::Sender<Bytes>,
    /// The match that the stream follows.
    watched: Option<MatchId>,
    _place: ConcurrencyPermit,
    _permit: Permit,
}

impl Stream {
    async fn run(mut self, subject: Subject) {
        let socket = self.caller.socket;
        match &subject {
            Subject::Match { id, since } => self.follow(id.clone(), *since).await,
            Subject::Me(player) => self.tell_open_challenges(player).await,
            Subject::Tv { game } => self.app.tv.watch(*game, socket, &self.caller.outbox),
            Subject::Event(id) => self.watch_event(id).await,
        }
        self.serve(&subject).await;
        self.unfollow().await;
        let asker = Asker {
            socket,
            player: self.caller.player.as_ref(),
        };
        self.app.lobby.close_socket(asker);
        self.app.tv.forget(socket);
        self.app.sockets.remove(socket, self.owner.as_ref());
    }

    /// Queues the open challenges. The outbox is registered already, so no challenge is lost between this list and the live messages.
    async fn tell_open_challenges(&self, player: &Player) {
        match challenges::told(&self.app, player).await {
            Ok(told) => told
                .iter()
                .for_each(|challenge| self.caller.outbox.push(encode(challenge))),
            // The client reconnects and gets the list then.
            Err(_) => self.caller.outbox.close(CloseReason::Restarting),
        }
    }

    async fn follow(&mut self, id: MatchId, since: Option<u64>) {
        let join = RoomMsg::Join {
            caller: self.caller.clone(),
            since,
            answered: None,
        };
        self.app.rooms.send(&id, join).await;
        self.watched = Some(id);
    }

    async fn watch_event(&self, id: &EventId) {
        let Caller {
            socket,
            player,
            outbox,
        } = &self.caller;
        let lobby = &self.app.lobby;
        let watching = lobby.watch_event(id, player.as_ref(), *socket, outbox);
        if watching.await.is_err() {
            // The client reconnects, and is told the reason if it is still there.
            outbox.close(CloseReason::Restarting);
        }
    }

    async fn unfollow(&mut self) {
        let socket = self.caller.socket;
        if let Some(id) = self.watched.take() {
            let leave = RoomMsg::Leave { socket };
            self.app.rooms.send_if_open(&id, leave).await;
        }
    }

    /// Writes messages until the stream ends.
    async fn serve(&mut self, subject: &Subject) {
        let mut keep_alive = tokio::time::interval(KEEP_ALIVE);
        keep_alive.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // The first tick completes immediately.
        keep_alive.tick().await;
        let mut frames = Vec::new();
        let is_numbered = matches!(subject, Subject::Match { .. } | Subject::Event(_));
        loop {
            let mut going = Going::On;
            let chunk = tokio::select! {
                () = self.chunks.closed() => return,
                _ = keep_alive.tick() => self.format.keep_alive(),
                () = self.caller.outbox.ready() => {
                    let close_reason = self.caller.outbox.drain(&mut frames);
                    let mut chunk = Vec::new();
                    for frame in frames.drain(..) {
                        self.format.write(&frame, is_numbered, &mut chunk);
                        if self.heed(&frame, subject).await == Going::Ends {
                            going = Going::Ends;
                            break;
                        }
                    }
                    if let Some(close_reason) = close_reason {
                        self.app.sockets.meters.note_closed(close_reason);
                        self.format.write(&closing(close_reason), false, &mut chunk);
                        going = Going::Ends;
                    }
                    chunk.into()
                }
            };
            if !chunk.is_empty() {
                let sent = tokio::time::timeout(WRITE, self.chunks.send(chunk)).await;
                if !matches!(sent, Ok(Ok(()))) {
                    return;
                }
            }
            if going == Going::Ends {
                return;
            }
        }
    }

    /// Handles the messages that affect the stream itself.
    async fn heed(&mut self, frame: &str, subject: &Subject) -> Going {
        // Most messages are events and do not affect the stream, so they are not parsed here.
        if frame.starts_with(r#"{"t":"error""#) {
            // A stream sends no requests that could be refused, so the room is gone or unreachable. The client reconnects.
            return Going::Ends;
        }
        if let Subject::Event(_) = subject
            && frame.starts_with(r#"{"t":"event-state""#)
            && let Ok(ServerMsg::EventState { state, .. }) = serde_json::from_str(frame)
            && matches!(state, EventState::Finished | EventState::Cancelled)
        {
            return Going::Ends;
        }
        if let Subject::Tv { .. } = subject
            && frame.starts_with(r#"{"t":"tv""#)
            && let Ok(ServerMsg::Tv { match_id, .. }) = serde_json::from_str(frame)
        {
            self.unfollow().await;
            if let Some(id) = match_id {
                self.follow(id, None).await;
            }
        }
        Going::On
    }
}

#[derive(PartialEq, Eq)]
enum Going {
    On,
    Ends,
}

fn closing(close_reason: CloseReason) -> Utf8Bytes {
    encode(&ServerMsg::Closing {
        reason: close_reason.reason(),
        retry_ms: RETRY_MS,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_carry_the_seq_that_a_reader_resumes_from() {
        let written = |message: &str| {
            let mut into = Vec::new();
            Format::Events.write(message, true, &mut into);
            String::from_utf8(into).expect("text")
        };
        assert_eq!(
            written(r#"{"t":"event","match":"Kx7Rm2Qp9TzA","seq":34}"#),
            "id: 34\ndata: {\"t\":\"event\",\"match\":\"Kx7Rm2Qp9TzA\",\"seq\":34}\n\n"
        );
        assert!(written(r#"{"t":"snapshot","match":{"id":"x","seq":7}}"#).starts_with("id: 7\n"));
        assert!(written(r#"{"t":"presence","match":"x"}"#).starts_with("data: "));
    }

    #[test]
    fn who_accepts_events_gets_events() {
        let of = |accept: &'static str| {
            Format::from_headers(&HeaderMap::from_iter([(
                header::ACCEPT,
                HeaderValue::from_static(accept),
            )]))
        };
        assert_eq!(of("text/event-stream"), Format::Events);
        assert_eq!(of("text/html, text/event-stream;q=0.5"), Format::Events);
        assert_eq!(of("*/*"), Format::Lines);
        assert_eq!(Format::from_headers(&HeaderMap::new()), Format::Lines);
    }
}
