//! The interface of a protocol.

use std::time::Duration;

use mawe_rules::{AnyPosition, AnySetup, GameKind, Record};

use super::connection::Connection;
use super::fault::Fault;
use super::limits::MoveLimits;

/// One side of a conversation in a protocol, with the state that it needs.
pub(super) trait Dialogue: Send {
    /// Greets a new process; returns the name that the engine gives itself.
    fn greet(&mut self, connection: &mut Connection) -> Result<Option<String>, Fault>;

    /// The line that sets an option of the engine; `None` if the protocol has no options.
    fn option(&self, name: &str, value: &str) -> Option<String>;

    /// Waits until the engine is ready, after the greeting and the options.
    fn finish_greeting(&mut self, connection: &mut Connection) -> Result<(), Fault>;

    /// Tells the engine that a new game begins, and waits until it is ready.
    fn begin_game(&mut self, connection: &mut Connection) -> Result<(), Fault>;

    /// Asks for a move in the current position of a game that is not over and in which no pass is forced.
    fn choose(
        &mut self,
        connection: &mut Connection,
        game: &Record,
        limits: &MoveLimits,
    ) -> Result<Reply, Fault>;

    /// Ends a search whose move is not wanted any more; afterwards the engine is ready. A protocol without a command for it fails.
    fn interrupt(&mut self, _connection: &mut Connection) -> Result<(), Fault> {
        Err(Fault::Stopped)
    }
}

/// The answer of an engine, before it is judged.
pub(super) struct Reply {
    /// The line of the answer.
    pub(super) line: String,
    /// The move in our notation; `None` if the engine resigns.
    pub(super) text: Option<String>,
    /// As in [`Answer`](super::Answer).
    pub(super) score: Option<i32>,
    /// As in [`Answer`](super::Answer).
    pub(super) time: Duration,
}

/// Whether this is the position before the first ply of the standard game.
pub(super) fn is_standard(position: &AnyPosition) -> bool {
    let kind: GameKind = position.kind();
    AnyPosition::start(kind, &AnySetup::standard(kind)).as_ref() == Ok(position)
}

/// The first word of a line and the rest, if it is this one.
pub(super) fn after<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let rest = line.strip_prefix(word)?;
    (rest.is_empty() || rest.starts_with(char::is_whitespace)).then(|| rest.trim())
}
