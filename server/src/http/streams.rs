//! What happens, line by line, for programs: the messages of the WebSocket as NDJSON or as server-sent events.
//!
//! A stream is a socket that only listens: it is numbered and counted like one, it has the same bounded outbox, and rooms treat it the
//! same. One task a stream; it ends when the reader goes, stalls, logs out, or the server stops.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use mawe_rules::GameKind;
use serde::Deserialize;
use serde::de::IgnoredAny;
use tokio::sync::mpsc;
use tokio::time::MissedTickBehavior;
use tokio_tungstenite::tungstenite::Utf8Bytes;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::connections::admission::Permit;
use crate::http::App;
use crate::http::challenges;
use crate::http::crowd::Place;
use crate::http::error::{ApiError, Problem};
use crate::http::export::NDJSON;
use crate::http::extract::{From, Path, Query, SignedIn, Visitor};
use crate::ids::MatchId;
use crate::lobby::Asker;
use crate::outbox::{Farewell, Outbox, encode};
use crate::patient::PATIENCE;
use crate::protocol::ServerMsg;
use crate::room::mail::{Caller, RoomMsg};
use crate::room::view;
use crate::sockets::Owner;
use crate::store::Player;

/// How many streams one address may read at a time: programs of a whole network, not a way to exhaust the server.
pub const MAX_STREAMS: u32 = 64;

/// How often something is written, so that both sides know that the line is alive.
const KEEP_ALIVE: Duration = Duration::from_secs(10);

/// When a reader that was sent away should come back.
const RETRY_MS: u64 = 500;

/// Server-sent events.
const EVENTS: &str = "text/event-stream";

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(of_match))
        .routes(routes!(of_me))
        .routes(routes!(of_tv))
}

/// An answer that must not wait until there is enough of it to be compressed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Live;

/// How a message is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    /// A message a line.
    Lines,
    /// Server-sent events.
    Events,
}

impl Format {
    fn of(headers: &HeaderMap) -> Format {
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
        // JSON as we write it has no line breaks.
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

/// The cursor to resume from after a message, where it has one.
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
        /// A snapshot has the match whole.
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

/// Where to go on.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Since {
    /// The last `seq` one has. `Last-Event-ID`, which a browser sends when it comes back, goes before it.
    since: Option<u64>,
}

/// What a stream follows.
enum Subject {
    Match { id: MatchId, since: Option<u64> },
    Me(Box<Player>),
    Tv { game: GameKind },
}

/// Follow a match: the messages that a WebSocket gets after `join`. Players hear of everything at once, others as spectators do.
#[utoipa::path(
    get, path = "/api/v1/matches/{id}/stream", tag = "live",
    params(
        ("id" = String, Path, description = "the match's id"), Since,
        ("Last-Event-ID" = Option<String>, Header, description = "the last `seq` one has; what is no number is passed over"),
    ),
    responses(
        (status = 200, description = "a message a line, or server-sent events if `Accept` names them", content((ServerMsg = "application/x-ndjson"), (String = "text/event-stream"))),
        (status = 404, body = Problem, content_type = "application/problem+json"),
        (status = 422, body = Problem, content_type = "application/problem+json"),
        (status = 429, body = Problem, content_type = "application/problem+json", description = "`too-many-streams`: 64 from one address, 32 streams and sockets of one player"),
        (status = 503, body = Problem, content_type = "application/problem+json", description = "`too-many-connections`: the server has no place, or has none for this address"),
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
    if app.store.find_match(&id).await?.is_none() {
        return Err(ApiError::NotFound("match"));
    }
    let last = headers
        .get("last-event-id")
        .and_then(|value| value.to_str().ok()?.parse().ok());
    let since = last.or(since);
    let subject = Subject::Match { id, since };
    start(app, visitor, address, Format::of(&headers), subject).await
}

/// What concerns oneself, whatever one follows: `challenge`, `challenge-gone`, `challenge-accepted`, `paired`, `pool-left`. It begins
/// with the challenges that are open, oldest last, so that who comes back misses none; matches that began meanwhile stand in
/// `GET /api/v1/me/matches`. A challenge may be told twice: go by its `id`. While the stream is open one counts as being here.
#[utoipa::path(
    get, path = "/api/v1/me/stream", tag = "live",
    responses(
        (status = 200, description = "a message a line, or server-sent events if `Accept` names them", content((ServerMsg = "application/x-ndjson"), (String = "text/event-stream"))),
        (status = 401, body = Problem, content_type = "application/problem+json"),
        (status = 429, body = Problem, content_type = "application/problem+json", description = "`too-many-streams`: 64 from one address, 32 streams and sockets of one player"),
        (status = 503, body = Problem, content_type = "application/problem+json", description = "`too-many-connections`: the server has no place, or has none for this address"),
    )
)]
async fn of_me(
    State(app): State<App>,
    me: SignedIn,
    From(address): From,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let subject = Subject::Me(Box::new(me.player.clone()));
    start(app, Some(me), address, Format::of(&headers), subject).await
}

/// Watch the featured match of a game, and after it the next: `tv`, then the match from a snapshot on. There is nothing to resume: who
/// comes back begins with what is on.
#[utoipa::path(
    get, path = "/api/v1/tv/{game}/stream", tag = "live",
    params(("game" = String, Path, description = "the game kind")),
    responses(
        (status = 200, description = "a message a line, or server-sent events if `Accept` names them", content((ServerMsg = "application/x-ndjson"), (String = "text/event-stream"))),
        (status = 404, body = Problem, content_type = "application/problem+json"),
        (status = 429, body = Problem, content_type = "application/problem+json", description = "`too-many-streams`: 64 from one address, 32 streams and sockets of one player"),
        (status = 503, body = Problem, content_type = "application/problem+json", description = "`too-many-connections`: the server has no place, or has none for this address"),
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
    start(app, visitor, address, Format::of(&headers), subject).await
}

/// Registers a stream and answers with it.
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
    // One chunk under way: what waits beyond it waits in the outbox, which is bounded.
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
        // A proxy that collects an answer before it passes it on would pass nothing on.
        (
            HeaderName::from_static("x-accel-buffering"),
            HeaderValue::from_static("no"),
        ),
    ];
    let mut response = (headers, Body::from_stream(body)).into_response();
    response.extensions_mut().insert(Live);
    Ok(response)
}

/// A stream under way.
struct Stream {
    app: App,
    caller: Caller,
    owner: Option<Owner>,
    format: Format,
    chunks: mpsc::Sender<Bytes>,
    /// The match that it follows.
    watched: Option<MatchId>,
    _place: Place,
    _permit: Permit,
}

impl Stream {
    async fn run(mut self, subject: Subject) {
        let socket = self.caller.socket;
        match &subject {
            Subject::Match { id, since } => self.follow(id.clone(), *since).await,
            Subject::Me(player) => self.tell_open_challenges(player).await,
            Subject::Tv { game } => self.app.tv.watch(*game, socket, &self.caller.outbox),
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

    /// News is heard from before this on, so nothing falls between what was and what comes.
    async fn tell_open_challenges(&self, player: &Player) {
        match challenges::told(&self.app, player).await {
            Ok(told) => told
                .iter()
                .for_each(|challenge| self.caller.outbox.push(encode(challenge))),
            // Who comes back asks again.
            Err(_) => self.caller.outbox.close(Farewell::Restarting),
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

    async fn unfollow(&mut self) {
        let socket = self.caller.socket;
        if let Some(id) = self.watched.take() {
            let leave = RoomMsg::Leave { socket };
            self.app.rooms.send_if_open(&id, leave).await;
        }
    }

    /// Writes what comes until the stream ends.
    async fn serve(&mut self, subject: &Subject) {
        let mut keep_alive = tokio::time::interval(KEEP_ALIVE);
        keep_alive.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // The first tick comes at once.
        keep_alive.tick().await;
        let mut frames = Vec::new();
        loop {
            let mut going = Going::On;
            let chunk = tokio::select! {
                () = self.chunks.closed() => return,
                _ = keep_alive.tick() => self.format.keep_alive(),
                () = self.caller.outbox.ready() => {
                    let farewell = self.caller.outbox.drain(&mut frames);
                    let mut chunk = Vec::new();
                    for frame in frames.drain(..) {
                        self.format.write(&frame, matches!(subject, Subject::Match { .. }), &mut chunk);
                        if self.heed(&frame, subject).await == Going::Ends {
                            going = Going::Ends;
                            break;
                        }
                    }
                    if let Some(farewell) = farewell {
                        self.format.write(&closing(farewell), false, &mut chunk);
                        going = Going::Ends;
                    }
                    chunk.into()
                }
            };
            if !chunk.is_empty() {
                let sent = tokio::time::timeout(PATIENCE, self.chunks.send(chunk)).await;
                if !matches!(sent, Ok(Ok(()))) {
                    return;
                }
            }
            if going == Going::Ends {
                return;
            }
        }
    }

    /// What a message means for the stream itself.
    async fn heed(&mut self, frame: &str, subject: &Subject) -> Going {
        // Most are events, and mean nothing: they are not parsed for it.
        if frame.starts_with(r#"{"t":"error""#) {
            // A stream asks for nothing that could be refused: its room is gone, or cannot be reached. The reader comes back.
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

fn closing(farewell: Farewell) -> Utf8Bytes {
    encode(&ServerMsg::Closing {
        reason: farewell.reason().to_owned(),
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
            Format::of(&HeaderMap::from_iter([(
                header::ACCEPT,
                HeaderValue::from_static(accept),
            )]))
        };
        assert_eq!(of("text/event-stream"), Format::Events);
        assert_eq!(of("text/html, text/event-stream;q=0.5"), Format::Events);
        assert_eq!(of("*/*"), Format::Lines);
        assert_eq!(Format::of(&HeaderMap::new()), Format::Lines);
    }
}
