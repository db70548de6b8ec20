//! The failures of engines.

use std::fmt;
use std::time::Duration;

use mawe_rules::PlayError;

/// The longest part of an engine's line that a message quotes, in characters.
const QUOTED: usize = 200;

/// The failure of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineError {
    /// The engine's name: its own, or else the program's.
    pub engine: String,
    /// The failure.
    pub fault: Fault,
    /// The last lines that the engine wrote to standard error, the oldest first.
    pub last_words: Vec<String>,
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "engine {:?}: {}", self.engine, self.fault)?;
        if !self.last_words.is_empty() {
            write!(f, "; its last words: {}", self.last_words.join(" / "))?;
        }
        Ok(())
    }
}

impl std::error::Error for EngineError {}

/// The kind of a failure. After each but [`Fault::Stopped`] and [`Fault::Unsupported`] the process is gone, and the next game starts
/// another.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The process cannot be started.
    #[error("it cannot be started: {0}")]
    Start(String),
    /// The protocol cannot express this, or the engine lacks it.
    #[error("{0}")]
    Unsupported(String),
    /// A line did not come in time.
    #[error("no {awaited} within {:.1} s", .limit.as_secs_f64())]
    Late {
        /// The content of the line.
        awaited: &'static str,
        /// The time for it.
        limit: Duration,
    },
    /// The process has ended or closed its output.
    #[error("it ended before its {awaited} ({status})")]
    Ended {
        /// The content of the line that was waited for.
        awaited: &'static str,
        /// The exit status, as text.
        status: String,
    },
    /// A line is longer than any answer.
    #[error("it wrote a line of more than {0} bytes")]
    LongLine(usize),
    /// There are more lines than any search needs.
    #[error("it wrote {lines} lines without its {awaited}")]
    ManyLines {
        /// The content of the line that was waited for.
        awaited: &'static str,
        /// The number of lines.
        lines: usize,
    },
    /// The engine does not read its input.
    #[error("it does not read its input")]
    Unread,
    /// An answer is not in the form of the protocol.
    #[error("its answer {:?} cannot be read", quoted(.0))]
    Unreadable(String),
    /// The engine answered a command with an error.
    #[error("it refused {:?} with {:?}", quoted(.command), quoted(.answer))]
    Refused {
        /// The command.
        command: String,
        /// The answer.
        answer: String,
    },
    /// The engine's move is not legal.
    #[error("its move in {:?} is not legal in {position:?}: {why}", quoted(.answer))]
    Illegal {
        /// The line of the engine.
        answer: String,
        /// The position of the move.
        position: String,
        /// The rule that the move breaks.
        why: PlayError,
    },
    /// The caller's flag is set.
    #[error("stopped")]
    Stopped,
}

/// The beginning of a line, short enough for a message.
pub(super) fn quoted(line: &str) -> String {
    let mut symbols = line.chars();
    let mut text: String = symbols.by_ref().take(QUOTED).collect();
    if symbols.next().is_some() {
        text.push('…');
    }
    text
}
