//! Players: they look for a few words in a message, and know the moves of their game beforehand.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use fastrand::Rng;
use mawe_rules::{AnySetup, GameKind, Record, Side};
use mawe_wire::ids::MatchId;
use mawe_wire::{Command, MatchMsg};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Notify;

use super::LoadError;
use super::line::Line;

/// The number of different games.
const GAMES: u64 = 64;

/// A ply of a game.
#[derive(Debug)]
pub struct Ply {
    side: Side,
    text: String,
    /// Whether the server plays it by itself, as a compulsory pass.
    is_forced: bool,
}

/// Returns games of Reversi with random moves, always the same.
///
/// # Panics
///
/// Never: the moves are legal.
#[must_use]
pub fn games() -> Games {
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
    Arc::new((0..GAMES).map(game).collect())
}

/// The common state of the players of one match.
#[derive(Debug)]
pub struct Table {
    /// The time at which the last move was sent, in microseconds since `epoch`.
    sent_us: AtomicU64,
    epoch: Instant,
}

impl Table {
    /// Returns the state before the first move.
    #[must_use]
    pub fn new() -> Arc<Table> {
        Arc::new(Table {
            sent_us: AtomicU64::new(0),
            epoch: Instant::now(),
        })
    }

    /// Returns the time since the last move was sent.
    pub fn since_sent(&self) -> Duration {
        let sent = self.sent_us.load(Ordering::Relaxed);
        Duration::from_micros(self.now_us().saturating_sub(sent))
    }

    fn now_us(&self) -> u64 {
        u64::try_from(self.epoch.elapsed().as_micros()).unwrap_or(u64::MAX)
    }
}

/// The orders to all players.
#[derive(Debug)]
pub struct Orders {
    /// The time of the first move.
    pub begin: Instant,
    /// The interval between two moves of a match; zero for at once.
    pub interval: Duration,
    /// Whether a match that is over is followed by a rematch. Without it the first player whose game is over tells `over`.
    pub rematch: bool,
    /// Notified at the end of the first game, without rematches.
    pub over: Notify,
}

/// A received move of the opponent: the time, and the time since it was sent.
pub type Received = (Instant, Duration);

/// Games by their index, which begins again after the last.
pub type Games = Arc<Vec<Arc<Vec<Ply>>>>;

/// A player at a match.
#[derive(Debug)]
pub struct Seat<S> {
    /// The player's socket.
    pub line: Line<S>,
    /// The match.
    pub id: MatchId,
    /// The player's side.
    pub side: Side,
    /// The common state of both players.
    pub table: Arc<Table>,
    /// The games of all matches.
    pub games: Games,
    /// The index of the present game in `games`.
    pub game: usize,
    /// Whether the server is a bare one, which plays no compulsory passes and knows no rematch.
    pub is_bare: bool,
    /// The moves of the opponent so far.
    pub received: Vec<Received>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Seat<S> {
    /// Joins the match, and plays until the task is stopped or, without rematches, the game is over.
    ///
    /// # Errors
    ///
    /// A [`LoadError`] if the server refuses a move, or closes the socket.
    pub async fn play(&mut self, orders: &Orders) -> Result<(), LoadError> {
        let mut ply = self.line.join(&self.id).await?;
        loop {
            let game = Arc::clone(&self.games[self.game % self.games.len()]);
            tokio::time::sleep_until(orders.begin.into()).await;
            while ply < game.len() {
                self.move_at(&game, ply, orders).await?;
                self.line.until_a_move().await?;
                if game[ply].side != self.side && !self.is_played_by_server(&game[ply]) {
                    let passed = self.table.since_sent();
                    self.received.push((Instant::now(), passed));
                }
                ply += 1;
            }
            if !orders.rematch {
                orders.over.notify_one();
                return Ok(());
            }
            if self.is_bare {
                ply = 0;
            } else {
                let message = MatchMsg::Rematch {};
                self.line.tell(&self.id, message).await?;
                self.id = self.line.until_a_rematch(&self.id).await?;
                self.side = self.side.other();
                ply = self.line.join(&self.id).await?;
            }
            self.game += 1;
        }
    }

    fn is_played_by_server(&self, ply: &Ply) -> bool {
        ply.is_forced && !self.is_bare
    }

    /// Plays the ply, if it is this player's.
    async fn move_at(
        &mut self,
        game: &[Ply],
        ply: usize,
        orders: &Orders,
    ) -> Result<(), LoadError> {
        let Ply { side, text, .. } = &game[ply];
        if *side != self.side || self.is_played_by_server(&game[ply]) {
            return Ok(());
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
        self.line.tell(&self.id, message).await
    }
}

fn crc(id: &MatchId) -> u32 {
    id.as_str().bytes().fold(7, |sum, byte| {
        sum.wrapping_mul(31).wrapping_add(u32::from(byte))
    })
}
