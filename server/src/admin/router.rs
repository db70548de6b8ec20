//! The router of the operator's requests.

use axum::extract::State;
use axum::{Json, Router, routing};
use serde::Serialize;
use serde_json::Value;

use super::api::Ask;
use super::refusal::{PATH, Refused};
use super::{accounts, distributions, invitations, status, upkeep};
use crate::app::App;

/// Maximum size of a request, in bytes: enough for a long reason.
const MAX_ASK_BYTES: usize = 64 * 1024;

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
        Ask::Invite(new) => told(invitations::invite(app, new).await?),
        Ask::Invitations(list) => told(invitations::list(app, list).await?),
        Ask::RevokeInvitation { id, why } => told(invitations::revoke(app, &id, why).await?),
        Ask::CloseMatch { id, loser, why } => {
            told(upkeep::close_match(app, &id, loser, why).await?)
        }
        Ask::Audit(page) => told(upkeep::audit(app, page).await?),
        Ask::VoidMatches(void) => told(upkeep::void_matches(app, void).await?),
        Ask::CheckRatings => told(upkeep::check_ratings(app).await?),
        Ask::RebuildRatings { why } => told(upkeep::rebuild_ratings(app, why).await?),
        Ask::Distributions => told(distributions::distributions(app).await?),
        Ask::Prune { dry_run } => told(upkeep::prune(app, dry_run).await?),
        Ask::Status => told(status::status(app).await?),
        Ask::Backup { file, force } => told(upkeep::backup(app, file, force).await?),
    }
}

fn told(answer: impl Serialize) -> Result<Value, Refused> {
    Ok(serde_json::to_value(answer).expect("an answer is plain JSON"))
}
