//! A bare server: it sends each message to all sockets of its match, and judges, stores and limits nothing.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use axum::routing::any;
use futures_util::{SinkExt, StreamExt};
use mawe_server::load::line::BARE_SNAPSHOT;
use mawe_wire::SUBPROTOCOL;
use parking_lot::Mutex;
use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

/// The beginning of an event of a move.
const EVENT: &str = r#"{"t":"event","event":{"kind":"move","filling":""#;

/// The read buffer of a socket in bytes, as of the measured server.
const READ_BUFFER: usize = 4 * 1024;

type Room = Arc<Mutex<Vec<UnboundedSender<Utf8Bytes>>>>;

#[derive(Clone)]
struct Echo {
    rooms: Arc<Mutex<HashMap<String, Room>>>,
    event: Utf8Bytes,
}

/// Serves on a free port, which it prints as the program does.
pub(crate) async fn serve(event_bytes: usize) {
    let filling = "x".repeat(event_bytes.saturating_sub(EVENT.len() + 2));
    let echo = Echo {
        rooms: Arc::default(),
        event: format!("{EVENT}{filling}\"}}").into(),
    };
    let router = Router::new()
        .route("/api/v1/ws", any(upgrade))
        .with_state(echo);
    let listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0)))
        .await
        .expect("a free port");
    println!(
        "Mawe! is at http://{}",
        listener.local_addr().expect("it is bound")
    );
    axum::serve(listener, router).await.expect("it serves");
}

async fn upgrade(State(echo): State<Echo>, upgrade: WebSocketUpgrade) -> Response {
    upgrade
        .protocols([SUBPROTOCOL])
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(0)
        .on_upgrade(|socket| answer(socket, echo))
}

async fn answer(socket: WebSocket, echo: Echo) {
    let (mut output, mut input) = socket.split();
    let (mine, mut waiting) = unbounded_channel();
    let mut room: Option<Room> = None;
    loop {
        tokio::select! {
            Some(text) = waiting.recv() => {
                if output.send(Message::Text(text)).await.is_err() {
                    break;
                }
            }
            message = input.next() => match message {
                Some(Ok(Message::Text(text))) => match &room {
                    None => {
                        let joined = echo.rooms.lock().entry(text.to_string()).or_default().clone();
                        joined.lock().push(mine.clone());
                        room = Some(joined);
                        let _ = mine.send(BARE_SNAPSHOT.into());
                    }
                    Some(room) => {
                        for other in room.lock().iter() {
                            let _ = other.send(echo.event.clone());
                        }
                    }
                },
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                _ => break,
            }
        }
    }
    if let Some(room) = room {
        room.lock().retain(|other| !other.same_channel(&mine));
    }
}
