//! The errors of this library.

use std::time::Duration;

use serde::Deserialize;

use crate::types::ErrorMsg;

/// Every error of this library.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A request was refused.
    #[error("{}: {}", .0.code, .0.detail)]
    Problem(Box<Problem>),
    /// A command or a match on the socket was refused. `code` is stable, and so is `why`, the rule that an illegal move breaks.
    #[error("{}: {}", .0.code, .0.message)]
    Refused(Box<ErrorMsg>),
    /// The server does not want this client back: the token is revoked or the session has ended (1000), the frames are no messages (1003), or
    /// the handshake was refused (an HTTP status).
    #[error("the server does not want this client back ({0})")]
    Goodbye(u16),
    /// The program has closed the line, or left the match, before the answer came. A command may have been carried out.
    #[error("the line is closed, or the match was left")]
    Closed,
    /// The program reads more slowly than messages come, or sends more than is answered.
    #[error("{0}")]
    Overrun(String),
    /// No answer came to a request.
    #[error("{request}: {cause}")]
    #[non_exhaustive]
    Unreachable {
        /// The method and path.
        request: String,
        /// The failure of the last attempt.
        cause: String,
        /// Whether the request may have been done: it was sent, and no answer came.
        sent: bool,
    },
    /// A request, or the answer to one, is not of the expected form.
    #[error("{request}: {cause}")]
    #[non_exhaustive]
    Unreadable {
        /// The method and path.
        request: String,
        /// The difference.
        cause: String,
    },
    /// The client cannot be made: the address is none, the token has characters that no header takes.
    #[error("{0}")]
    Configuration(String),
}

impl Error {
    /// The stable code of a refusal, over REST or on the socket.
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        match self {
            Error::Problem(problem) => Some(&problem.code),
            Error::Refused(refused) => Some(&refused.code),
            _ => None,
        }
    }

    /// Whether the request may have been done all the same: no answer came, or that of a server in trouble. A `GET` shows how it stands.
    #[must_use]
    pub fn is_outcome_unknown(&self) -> bool {
        match self {
            Error::Problem(problem) => {
                matches!(problem.status, 502..=504) && problem.retry_after.is_none()
            }
            Error::Unreachable { sent, .. } => *sent,
            _ => false,
        }
    }
}

/// The refusal of a request (RFC 9457).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Problem {
    /// The status of the answer.
    #[serde(default)]
    pub status: u16,
    /// A stable code; `not-json` where a proxy in front has answered in its own words.
    pub code: String,
    /// The meaning of the code.
    #[serde(default)]
    pub title: String,
    /// What is wrong with this request, in English.
    #[serde(default)]
    pub detail: String,
    /// The field that is wrong.
    #[serde(default)]
    pub field: Option<String>,
    /// The id of the request, by which the operator finds it.
    #[serde(default)]
    pub request_id: String,
    /// The pause that the server asks for.
    #[serde(skip)]
    pub retry_after: Option<Duration>,
}
