//! Players over sockets, as light as they can be: they look for a few words in a message, and know the moves of their game beforehand.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use fastrand::Rng;
use futures_util::{SinkExt, StreamExt};
use mawe_rules::{AnySetup, GameKind, Record, Side};
use mawe_wire::ids::MatchId;
use mawe_wire::{Command, MatchMsg, SUBPROTOCOL, ServerMsg, SessionMsg, ToMatch};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::Notify;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

use crate::common::socket::handshake;

/// The beginning of an event of a move from the bare server.
pub(crate) const EVENT: &str = r#"{"t":"event","event":{"kind":"move","filling":""#;

/// The answer of the bare server to `join`.
pub(crate) const SNAPSHOT: &str = r#"{"t":"snapshot"}"#;

/// The number of different games.
const GAMES: u64 = 64;

/// A ply of a game.
pub(crate) struct Ply {
    side: Side,
    text: String,
    /// Whether the server plays it by itself, as a compulsory pass.
    is_forced: bool,
}

/// Returns games of Reversi with random moves.
pub(crate) fn games() -> Vec<Arc<Vec<Ply>>> {
    let kind = GameKind::Reversi;
    let game = |seed| {
        let mut rng = Rng::with_seed(seed);
        let mut record = Record::new(kind, &AnySetup::standard(kind)).expect("every game starts");
        let plies = std::iter::from_fn(|| {
            let (side, is_forced) = (record.turn(), record.forced_pass().is_some());
            let text = rng.choice(record.legal_moves())?;
            record.play(&text).expect("it is legal");
            Some(Ply {
                side,
                text,
                is_forced,
            })
        });
        Arc::new(plies.collect())
    };
    (0..GAMES).map(game).collect()
}

/// The common state of the players of one match.
pub(crate) struct Table {
    /// The time at which the last move was sent, in microseconds since `epoch`.
    sent_us: AtomicU64,
    epoch: Instant,
}

impl Table {
    pub(crate) fn new() -> Arc<Table> {
        Arc::new(Table {
            sent_us: AtomicU64::new(0),
            epoch: Instant::now(),
        })
    }

    /// Returns the time since the last move was sent.
    pub(crate) fn since_sent(&self) -> Duration {
        let sent = self.sent_us.load(Ordering::Relaxed);
        Duration::from_micros(self.now_us().saturating_sub(sent))
    }

    fn now_us(&self) -> u64 {
        u64::try_from(self.epoch.elapsed().as_micros()).unwrap_or(u64::MAX)
    }
}

/// The orders to all players of a scenario.
pub(crate) struct Orders {
    /// The time of the first move.
    pub(crate) begin: Instant,
    /// The interval between two moves of a match; zero for at once.
    pub(crate) interval: Duration,
    /// Whether a match that is over is followed by a rematch. Without it the first player whose game is over tells `over`.
    pub(crate) rematch: bool,
    pub(crate) over: Notify,
}

/// A received move of the opponent: the time, and the time since it was sent.
pub(crate) type Received = (Instant, Duration);

/// A player at a match.
pub(crate) struct Seat {
    pub(crate) line: Line,
    pub(crate) id: MatchId,
    pub(crate) side: Side,
    pub(crate) table: Arc<Table>,
    pub(crate) games: Arc<Vec<Arc<Vec<Ply>>>>,
    /// The index of the present game in `games`.
    pub(crate) game: usize,
    pub(crate) is_bare: bool,
    pub(crate) received: Vec<Received>,
}

impl Seat {
    /// Joins the match, and plays until the task is stopped or, without rematches, the game is over.
    pub(crate) async fn play(&mut self, orders: &Orders) {
        let mut ply = self.line.join(&self.id).await;
        loop {
            let game = Arc::clone(&self.games[self.game % self.games.len()]);
            tokio::time::sleep_until(orders.begin.into()).await;
            while ply < game.len() {
                self.move_at(&game, ply, orders).await;
                self.line.until_a_move().await;
                if game[ply].side != self.side && !self.is_played_by_server(&game[ply]) {
                    let passed = self.table.since_sent();
                    self.received.push((Instant::now(), passed));
                }
                ply += 1;
            }
            if !orders.rematch {
                orders.over.notify_one();
                return;
            }
            if self.is_bare {
                ply = 0;
            } else {
                let message = MatchMsg::Rematch {};
                self.line.tell(&self.id, message).await;
                self.id = self.line.until_a_rematch(&self.id).await;
                self.side = self.side.other();
                ply = self.line.join(&self.id).await;
            }
            self.game += 1;
        }
    }

    fn is_played_by_server(&self, ply: &Ply) -> bool {
        ply.is_forced && !self.is_bare
    }

    /// Plays the ply, if it is this player's.
    async fn move_at(&mut self, game: &[Ply], ply: usize, orders: &Orders) {
        let Ply { side, text, .. } = &game[ply];
        if *side != self.side || self.is_played_by_server(&game[ply]) {
            return;
        }
        if !orders.interval.is_zero() {
            // Spread over the interval, so that the moves of all matches come evenly.
            let part = f64::from(crc(&self.id) % 1_000) / 1_000.0;
            let after = orders.interval.mul_f64(ply as f64 + part);
            tokio::time::sleep_until((orders.begin + after).into()).await;
        }
        self.table
            .sent_us
            .store(self.table.now_us(), Ordering::Relaxed);
        let command = Command::Move {
            ply: u32::try_from(ply).expect("a short game"),
            text: text.clone(),
        };
        let message = MatchMsg::Command {
            client_id: format!("c{ply}").parse().expect("a client id"),
            seq: 0,
            command,
        };
        self.line.tell(&self.id, message).await;
    }
}

fn crc(id: &MatchId) -> u32 {
    id.as_str().bytes().fold(7, |sum, byte| {
        sum.wrapping_mul(31).wrapping_add(u32::from(byte))
    })
}

/// A socket to a server.
pub(crate) struct Line {
    stream: WebSocketStream<TcpStream>,
}

impl Line {
    /// Opens a socket; the server may greet, which the next reader skips.
    pub(crate) async fn open(address: SocketAddr, cookie: Option<&str>) -> Line {
        Line::open_from(Ipv4Addr::UNSPECIFIED, address, cookie).await
    }

    /// Opens a socket from one of the addresses of this machine.
    pub(crate) async fn open_from(
        source: Ipv4Addr,
        address: SocketAddr,
        cookie: Option<&str>,
    ) -> Line {
        let socket = TcpSocket::new_v4().expect("a TCP socket");
        let bound = socket.bind((source, 0).into());
        bound.expect("an address of this machine");
        let stream = socket.connect(address).await.expect("it listens");
        stream.set_nodelay(true).expect("a TCP socket");
        let mut headers = vec![("sec-websocket-protocol", SUBPROTOCOL)];
        headers.extend(cookie.map(|cookie| ("cookie", cookie)));
        let config = WebSocketConfig::default()
            .read_buffer_size(4 * 1024)
            .write_buffer_size(0);
        let request = handshake(address, &headers);
        let opened =
            tokio_tungstenite::client_async_with_config(request, stream, Some(config)).await;
        Line {
            stream: opened.expect("the handshake succeeds").0,
        }
    }

    async fn send(&mut self, message: &impl serde::Serialize) {
        let text = serde_json::to_string(message).expect("a message is plain JSON");
        let sent = self.stream.send(Message::text(text)).await;
        sent.expect("the line is open");
    }

    async fn tell(&mut self, id: &MatchId, message: MatchMsg) {
        let match_id = id.clone();
        self.send(&ToMatch { match_id, message }).await;
    }

    /// Returns the next text that `wanted` accepts.
    async fn until(&mut self, wanted: impl Fn(&str) -> bool) -> String {
        loop {
            match self.stream.next().await {
                Some(Ok(Message::Text(text))) => {
                    assert!(!text.starts_with(r#"{"t":"error""#), "refused: {text}");
                    if wanted(&text) {
                        return text.to_string();
                    }
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                other => panic!("the server hung up: {other:?}"),
            }
        }
    }

    /// Joins a match; returns the number of plies played.
    pub(crate) async fn join(&mut self, id: &MatchId) -> usize {
        let match_id = id.clone();
        let since = None;
        self.send(&SessionMsg::Join { match_id, since }).await;
        let text = self
            .until(|text| text.starts_with(r#"{"t":"snapshot""#))
            .await;
        if text == SNAPSHOT {
            return 0;
        }
        match serde_json::from_str(&text) {
            Ok(ServerMsg::Snapshot(snapshot)) => snapshot.view.plies.len(),
            other => panic!("no snapshot: {other:?}"),
        }
    }

    /// Waits for the event of a move.
    pub(crate) async fn until_a_move(&mut self) {
        self.until(|text| {
            text.starts_with(r#"{"t":"event""#) && text.contains(r#""event":{"kind":"move""#)
        })
        .await;
    }

    /// Waits for the rematch of a match; returns its id.
    async fn until_a_rematch(&mut self, of: &MatchId) -> MatchId {
        loop {
            let text = self
                .until(|text| text.starts_with(r#"{"t":"rematch""#))
                .await;
            match serde_json::from_str(&text) {
                Ok(ServerMsg::Rematch { match_id, rematch }) if match_id == *of => {
                    if let Some(next) = rematch.next {
                        return next;
                    }
                }
                Ok(_) => {}
                Err(error) => panic!("{error}: {text}"),
            }
        }
    }
}
