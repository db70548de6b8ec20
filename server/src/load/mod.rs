//! Load on a server, for `mawe bench` and the benches: players and spectators over sockets, as light as they can be.
//!
//! The players know the moves of their games beforehand and parse no event: the work of a browser is not measured.

pub mod line;
pub mod players;
pub mod playing;
pub mod target;
pub mod watching;

/// The options of a server under load: a free port on this machine, and no limit of one address.
pub const UNLIMITED: [&str; 10] = [
    "--listen=127.0.0.1:0",
    "--bots=0",
    "--solve-endgames=false",
    "--spectator-delay=0",
    "--min-free-space=0",
    "--sign-ups-per-minute=1000000",
    "--requests-per-minute=10000000",
    "--connections-per-address=100000",
    "--sockets-per-address=1000000",
    "--messages-per-second=100000",
];

/// A server refused load, or ended it.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The address of the server cannot be used.
    #[error("{0} is no address of a server: {1}")]
    BadAddress(String, String),
    /// No connection could be made, or it ended.
    #[error("no connection to {0}: {1}")]
    Unreachable(String, String),
    /// The server refused a request; its status and its problem.
    #[error("{0} was refused: {1}")]
    Refused(&'static str, String),
    /// The server refused a message of a socket.
    #[error("a message was refused: {0}")]
    Message(String),
    /// The server closed a socket.
    #[error("the server closed a socket: {0}")]
    Closed(String),
    /// No move arrived in a period of so many seconds.
    #[error("no move reached the opponent within {0} seconds; measure for longer")]
    Late(u64),
    /// The server sent an answer that could not be read.
    #[error("an answer cannot be read: {0}")]
    Unreadable(String),
}

/// Returns a quantile of sorted values; the default of an empty list.
pub fn quantile<T: Copy + Default>(sorted: &[T], q: f64) -> T {
    let last = sorted.len().saturating_sub(1);
    sorted
        .get((last as f64 * q) as usize)
        .copied()
        .unwrap_or_default()
}
