//! The commands that start engines.

use std::path::PathBuf;
use std::time::Duration;

use super::protocol::Protocol;

/// The default time of a handshake: engines load weights and books in it.
const HANDSHAKE: Duration = Duration::from_secs(30);
/// The default time beyond a move's own, after which an engine is killed.
const GRACE: Duration = Duration::from_secs(5);

/// A command that starts an engine, and the way to speak to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineCommand {
    /// The protocol.
    pub protocol: Protocol,
    /// The program and its arguments.
    pub words: Vec<String>,
    /// The directory to start it in; `None` for the current one.
    pub directory: Option<PathBuf>,
    /// Names and values of the engine's options, for protocols that have them.
    pub options: Vec<(String, String)>,
    /// Lines to send after the options.
    pub init: Vec<String>,
    /// The time in which the engine must have finished its start, and later the preparation of a game.
    pub handshake: Duration,
    /// The time beyond a move's own, after which the engine is killed.
    pub grace: Duration,
}

impl EngineCommand {
    /// A command with the words of a line, split as a POSIX shell does. No shell runs: there are neither variables nor redirections.
    ///
    /// # Errors
    ///
    /// [`CommandError`] if a quotation mark is left open, or there is no word.
    pub fn parse(protocol: Protocol, line: &str) -> Result<Self, CommandError> {
        let words = shlex::split(line).ok_or(CommandError::Quotation)?;
        if words.first().is_none_or(String::is_empty) {
            return Err(CommandError::Empty);
        }
        Ok(Self {
            protocol,
            words,
            directory: None,
            options: Vec::new(),
            init: Vec::new(),
            handshake: HANDSHAKE,
            grace: GRACE,
        })
    }
}

/// The error of a line that is not a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// No program is named.
    #[error("the command names no program")]
    Empty,
    /// The line ends within a quotation.
    #[error("the command ends within a quotation")]
    Quotation,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_split_into_words_and_no_shell_reads_it() {
        let words = |line| EngineCommand::parse(Protocol::Ugi, line).map(|command| command.words);
        let expected = ["my engine", "-x", "a b", "$HOME", "|", "cat"];
        assert_eq!(
            words("'my engine' -x \"a b\" $HOME | cat"),
            Ok(expected.map(str::to_owned).to_vec())
        );
        assert_eq!(words("engine 'x"), Err(CommandError::Quotation));
        for line in ["", "  ", "''"] {
            assert_eq!(words(line), Err(CommandError::Empty), "{line:?}");
        }
    }
}
