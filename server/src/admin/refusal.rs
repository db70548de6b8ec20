//! Refusals of the operator's requests, and their attribution in the audit log.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use mawe_store::backup::BackupError;
use mawe_store::{Attribution, StoreError};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::clock::unix_ms;

/// Path of the router's only route.
pub const PATH: &str = "/admin";

/// A request was refused. The message is one line for the operator.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The request is not valid.
    #[error("{0}")]
    BadInput(String),
    /// The request could not be carried out.
    #[error("{0}")]
    Failed(String),
}

/// A refusal in an answer.
#[derive(Debug, Serialize, Deserialize)]
struct Problem {
    error: String,
}

/// Returns an attribution to the operator, at the present time and with this reason.
pub(super) fn attribution(why: String) -> Attribution {
    Attribution {
        by: None,
        why,
        at_ms: unix_ms(),
    }
}

/// The cause is shown, since it stays on the operator's own machine.
impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Refused {
        let cause = std::error::Error::source(&error).map(ToString::to_string);
        let cause = cause.map_or(String::new(), |cause| format!(": {cause}"));
        Refused::Failed(format!("{error}{cause}"))
    }
}

impl From<BackupError> for Refused {
    fn from(error: BackupError) -> Refused {
        Refused::Failed(error.to_string())
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let status = match self {
            Refused::BadInput(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Refused::Failed(_) => StatusCode::CONFLICT,
        };
        let problem = Problem {
            error: self.to_string(),
        };
        (status, Json(problem)).into_response()
    }
}

/// Reads an answer or a refusal from a response.
pub(super) fn understood(status: StatusCode, body: &[u8]) -> Result<Value, Refused> {
    if status.is_success() {
        return serde_json::from_slice(body)
            .map_err(|_| Refused::Failed("the server's answer is no JSON".to_owned()));
    }
    match serde_json::from_slice::<Problem>(body) {
        Ok(Problem { error }) if status == StatusCode::UNPROCESSABLE_ENTITY => {
            Err(Refused::BadInput(error))
        }
        Ok(Problem { error }) => Err(Refused::Failed(error)),
        Err(_) => Err(Refused::Failed(format!(
            "the running server does not understand this ({status}); use the program of its version"
        ))),
    }
}
