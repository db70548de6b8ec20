//! Sockets that do not move: players who wait, and the spectators of a match.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::{join_all, try_join_all};
use mawe_rules::Side;
use mawe_wire::ids::MatchId;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Notify;
use tokio::task::JoinSet;

use super::LoadError;
use super::line::Line;
use super::players::{Orders, Seat, Table, games};
use super::playing::Pair;

/// The interval between two moves of a watched match.
const INTERVAL: Duration = Duration::from_millis(400);

/// The longest wait for a move to reach a spectator.
const PATIENCE: Duration = Duration::from_secs(30);

/// Opens the sockets of all pairs, and joins their matches.
///
/// # Errors
///
/// A [`LoadError`] if the server refuses one.
pub async fn joined<S: AsyncRead + AsyncWrite + Unpin>(
    pairs: &[Pair],
    open: impl AsyncFn(Option<&str>) -> Result<Line<S>, LoadError>,
) -> Result<Vec<Line<S>>, LoadError> {
    let seats = pairs.iter().flat_map(|pair| {
        let cookies = pair.cookies.iter();
        cookies.map(|cookie| (&pair.id, cookie.as_deref()))
    });
    let join = async |(id, cookie): (&MatchId, Option<&str>)| {
        let mut line = open(cookie).await?;
        line.join(id).await?;
        Ok(line)
    };
    try_join_all(seats.map(join)).await
}

/// A match in progress with its spectators.
#[derive(Debug)]
pub struct Watching<S> {
    spectators: Vec<Line<S>>,
    table: Arc<Table>,
    // It stops the players at the end.
    players: JoinSet<Result<(), LoadError>>,
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> Watching<S> {
    /// Opens the sockets of the spectators, then lets the players move.
    ///
    /// # Errors
    ///
    /// A [`LoadError`] if the server refuses a socket.
    pub async fn start(
        pair: &Pair,
        spectators: usize,
        is_bare: bool,
        open: impl AsyncFn(Option<&str>) -> Result<Line<S>, LoadError>,
    ) -> Result<Watching<S>, LoadError> {
        let watch = async |_| {
            let mut line = open(None).await?;
            line.join(&pair.id).await?;
            Ok(line)
        };
        let spectators = try_join_all((0..spectators).map(watch)).await?;
        let (table, games) = (Table::new(), games());
        let mut seats = Vec::new();
        for (side, cookie) in [Side::First, Side::Second].into_iter().zip(&pair.cookies) {
            seats.push(Seat {
                line: open(cookie.as_deref()).await?,
                id: pair.id.clone(),
                side,
                table: Arc::clone(&table),
                games: Arc::clone(&games),
                game: 0,
                is_bare,
                received: Vec::new(),
            });
        }
        let orders = Arc::new(Orders {
            begin: Instant::now(),
            interval: INTERVAL,
            rematch: true,
            over: Notify::new(),
        });
        let mut players = JoinSet::new();
        for mut seat in seats {
            let orders = Arc::clone(&orders);
            players.spawn(async move { seat.play(&orders).await });
        }
        Ok(Watching {
            spectators,
            table,
            players,
        })
    }

    /// Waits for the next move; returns the time from the mover to the last spectator.
    ///
    /// # Errors
    ///
    /// A [`LoadError`] if a socket is closed, a player cannot play, or the move does not come.
    ///
    /// # Panics
    ///
    /// If a player panics.
    pub async fn next(&mut self) -> Result<Duration, LoadError> {
        let table = &self.table;
        let heard = self.spectators.iter_mut().map(|line| async {
            line.until_a_move().await?;
            Ok(table.since_sent())
        });
        let heard = async {
            let times: Result<Vec<Duration>, LoadError> =
                join_all(heard).await.into_iter().collect();
            times.map(|times| times.into_iter().max().unwrap_or_default())
        };
        tokio::select! {
            heard = tokio::time::timeout(PATIENCE, heard) => heard.unwrap_or_else(|_| {
                Err(LoadError::Closed("a spectator hears nothing".to_owned()))
            }),
            // Players go on with rematches, so that only a failure ends one.
            Some(ended) = self.players.join_next() => {
                ended.expect("players do not panic")?;
                Err(LoadError::Closed("a player left".to_owned()))
            }
        }
    }
}
