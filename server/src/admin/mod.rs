//! The operator's interface: one router, which a running server serves on a Unix socket in its data directory, and which `mawe admin` calls
//! in its own process if no server runs. Both run the same code, and changes take effect at once.
//!
//! Nothing of this is reachable over the network: the user who may open the socket is the operator.

mod accounts;
pub mod socket;
mod upkeep;
pub mod words;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Json, Router, routing};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::words::Ask;
use crate::arrange::unix_ms;
use crate::backup::BackupError;
use crate::http::App;
use crate::store::{Deed, StoreError};

/// Path of the router's only route.
pub const PATH: &str = "/admin";

/// Maximum size of a request, in bytes: enough for a long reason.
const MAX_ASK_BYTES: usize = 64 * 1024;

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

/// Returns the router for all requests of the operator.
pub fn router(app: App) -> Router {
    Router::new()
        .route(PATH, routing::post(answer))
        .layer(axum::extract::DefaultBodyLimit::max(MAX_ASK_BYTES))
        .with_state(app)
}

async fn answer(State(app): State<App>, Json(ask): Json<Ask>) -> Result<Json<Value>, Refused> {
    // Completes even if the caller has gone: half a deletion is worse than a whole one.
    let done = tokio::spawn(async move { carry_out(&app, ask).await });
    match done.await {
        Ok(done) => done.map(Json),
        Err(error) => {
            tracing::error!(%error, "what the operator asked for did not end well");
            Err(Refused::Failed(
                "something went wrong; it was logged".to_owned(),
            ))
        }
    }
}

async fn carry_out(app: &App, ask: Ask) -> Result<Value, Refused> {
    match ask {
        Ask::Create(new) => told(accounts::create(app, new).await?),
        Ask::Show { name } => told(accounts::show(app, &name).await?),
        Ask::List(list) => told(accounts::list(app, list).await?),
        Ask::Change { name, step, why } => told(accounts::change(app, &name, step, why).await?),
        Ask::Sessions { name } => told(accounts::sessions(app, &name).await?),
        Ask::Delete { name, why } => told(accounts::delete(app, &name, why).await?),
        Ask::CloseMatch { id, loser, why } => {
            told(upkeep::close_match(app, &id, loser, why).await?)
        }
        Ask::Audit(page) => told(upkeep::audit(app, page).await?),
        Ask::VoidMatches(void) => told(upkeep::void_matches(app, void).await?),
        Ask::CheckRatings => told(upkeep::check_ratings(app).await?),
        Ask::RebuildRatings { why } => told(upkeep::rebuild_ratings(app, why).await?),
        Ask::Prune { dry_run } => told(upkeep::prune(app, dry_run).await?),
        Ask::Backup { file, force } => told(upkeep::backup(app, file, force).await?),
    }
}

fn told(answer: impl Serialize) -> Result<Value, Refused> {
    Ok(serde_json::to_value(answer).expect("an answer is plain JSON"))
}

/// Returns a deed of the operator, at the present time and with this reason.
fn deed(why: String) -> Deed {
    Deed {
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
fn understood(status: StatusCode, body: &[u8]) -> Result<Value, Refused> {
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
