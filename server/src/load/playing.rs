//! Many matches at once, and their moves in a period.

use std::sync::Arc;
use std::time::{Duration, Instant};

use mawe_rules::Side;
use mawe_wire::ids::MatchId;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::line::Line;
use super::players::{Orders, Received, Seat, Table, games};
use super::{LoadError, quantile};

/// The time that players get to join before the first move, and as much again for each match.
const GATHERING: Duration = Duration::from_millis(500);
const GATHERING_A_MATCH: Duration = Duration::from_millis(2);

/// A match whose players are not connected yet.
#[derive(Debug)]
pub struct Pair {
    /// The match.
    pub id: MatchId,
    /// The cookies of the first and the second player; none on a bare server.
    pub cookies: [Option<String>; 2],
}

/// The pace of all matches.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// The interval between two moves of a match; zero for at once.
    pub interval: Duration,
    /// Whether a match that is over is followed by a rematch; otherwise the period ends with the first game.
    pub rematch: bool,
    /// The longest period.
    pub lasts: Duration,
    /// Whether the server is a bare one, for a bench that compares with it.
    pub is_bare: bool,
}

/// Matches in progress.
#[derive(Debug)]
pub struct Playing<S> {
    orders: Arc<Orders>,
    lasts: Duration,
    players: JoinSet<(Seat<S>, Result<(), LoadError>)>,
}

/// The moves of a period that reached the opponent.
#[derive(Debug)]
pub struct Moves {
    /// The beginning of the period.
    pub begin: Instant,
    /// The moves.
    pub received: Vec<Received>,
    /// The length of the period in seconds.
    pub seconds: f64,
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> Playing<S> {
    /// Connects the players of all pairs. They begin together, after a time in which all can join.
    ///
    /// # Errors
    ///
    /// A [`LoadError`] if a socket cannot be opened.
    pub async fn start(
        pairs: Vec<Pair>,
        pace: Pace,
        open: impl AsyncFn(Option<&str>) -> Result<Line<S>, LoadError>,
    ) -> Result<Playing<S>, LoadError> {
        let games = games();
        let mut seats = Vec::new();
        let number = u32::try_from(pairs.len()).unwrap_or(u32::MAX);
        for (index, pair) in pairs.into_iter().enumerate() {
            let table = Table::new();
            for (side, cookie) in [Side::First, Side::Second].into_iter().zip(pair.cookies) {
                seats.push(Seat {
                    line: open(cookie.as_deref()).await?,
                    id: pair.id.clone(),
                    side,
                    table: Arc::clone(&table),
                    games: Arc::clone(&games),
                    game: index,
                    is_bare: pace.is_bare,
                    received: Vec::new(),
                });
            }
        }
        let orders = Arc::new(Orders {
            begin: Instant::now() + GATHERING + GATHERING_A_MATCH * number,
            interval: pace.interval,
            rematch: pace.rematch,
            over: Notify::new(),
        });
        let mut players = JoinSet::new();
        for mut seat in seats {
            let (orders, until) = (Arc::clone(&orders), orders.begin + pace.lasts);
            players.spawn(async move {
                let played = tokio::time::timeout_at(until.into(), seat.play(&orders)).await;
                (seat, played.unwrap_or(Ok(())))
            });
        }
        Ok(Playing {
            orders,
            lasts: pace.lasts,
            players,
        })
    }

    /// Waits for the first moves.
    pub async fn begin(&self) {
        tokio::time::sleep_until(self.orders.begin.into()).await;
    }

    /// Waits for the end of the period.
    pub async fn end(&self) -> Instant {
        // Without an end of a game the period has its whole length.
        let _ = timeout(self.lasts, self.orders.over.notified()).await;
        Instant::now()
    }

    /// Returns the moves until the end of the period. Players go on to the end of their games before.
    ///
    /// # Errors
    ///
    /// The [`LoadError`] of the first player whose match failed.
    ///
    /// # Panics
    ///
    /// If a player panics.
    pub async fn moves(mut self, end: Instant) -> Result<Moves, LoadError> {
        let begin = self.orders.begin;
        let mut received = Vec::new();
        while let Some(player) = self.players.join_next().await {
            let (seat, played) = player.expect("players do not panic");
            played?;
            received.extend(seat.received.into_iter().filter(|(at, _)| *at <= end));
        }
        Ok(Moves {
            begin,
            received,
            seconds: (end - begin).as_secs_f64(),
        })
    }
}

impl Moves {
    /// Returns the moves a second.
    #[must_use]
    pub fn per_second(&self) -> f64 {
        self.received.len() as f64 / self.seconds
    }

    /// Returns quantiles of the time from mover to opponent, in milliseconds.
    #[must_use]
    pub fn quantiles_ms<const N: usize>(&self, quantiles: [f64; N]) -> [f64; N] {
        let mut times: Vec<Duration> = self.received.iter().map(|(_, time)| *time).collect();
        times.sort_unstable();
        quantiles.map(|q| quantile(&times, q).as_secs_f64() * 1_000.0)
    }
}
