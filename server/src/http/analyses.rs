//! Computer analyses of matches.

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use mawe_store::{AnalysisState, RequestedAnalysis};
use mawe_wire::Seats;
use mawe_wire::ids::MatchId;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::analysis::analyst::next_day_ms;
use crate::analysis::report::{AnalysedPosition, SideReport};
use crate::app::App;
use crate::bots::job::{EVALUATION_NODES, VERSION};
use crate::clock::unix_ms;
use crate::http::error::ApiError;
use crate::http::extract::{Path, SignedIn};
use crate::http::lookup;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(show, request))
}

/// The computer analysis of a match.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "engine": "0.2.0", "state": "done", "nodes": 300_000,
    "positions": [
        { "ply": 0, "best": "3", "score": 350, "proven": false, "depth": 13, "nodes": 300_000, "pv": ["3", "6"], "loss": 0.12, "mistake": "mistake" },
    ],
    "sides": {
        "first": { "accuracy": 0.61, "inaccuracies": 0, "mistakes": 1, "blunders": 0 },
        "second": { "accuracy": null, "inaccuracies": 0, "mistakes": 0, "blunders": 0 },
    },
}))]
struct Analysis {
    /// The version of the server. The same version finds the same again.
    engine: String,
    state: AnalysisStateView,
    /// The positions that the search of one position visits, where the exact result is not found sooner.
    nodes: u64,
    /// The positions in which the game was not over, in order; empty unless the analysis is done.
    #[schema(value_type = Vec<AnalysedPosition>)]
    positions: Box<RawValue>,
    /// The judgement of each side's moves; left out unless the analysis is done.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Seats<SideReport>>, nullable = false)]
    sides: Option<Box<RawValue>>,
}

/// The parts of a stored [`Report`](crate::analysis::report::Report), which are sent as they are stored.
#[derive(Deserialize)]
struct StoredReport {
    nodes: u64,
    positions: Box<RawValue>,
    sides: Box<RawValue>,
}

/// The state of an analysis.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum AnalysisStateView {
    /// It waits for workers, or they are at it.
    Waiting,
    /// It is done.
    Done,
    /// Workers could not finish it; it can be requested again.
    Failed,
}

impl TryFrom<mawe_store::Analysis> for Analysis {
    type Error = serde_json::Error;

    fn try_from(stored: mawe_store::Analysis) -> Result<Analysis, serde_json::Error> {
        let (state, report) = match stored.state {
            AnalysisState::Waiting => (AnalysisStateView::Waiting, None),
            AnalysisState::Failed => (AnalysisStateView::Failed, None),
            AnalysisState::Done => {
                let report: StoredReport = serde_json::from_str(&stored.evaluations)?;
                (AnalysisStateView::Done, Some(report))
            }
        };
        let (nodes, positions, sides) = match report {
            Some(report) => (report.nodes, report.positions, Some(report.sides)),
            None => (
                EVALUATION_NODES,
                RawValue::from_string("[]".to_owned())?,
                None,
            ),
        };
        Ok(Analysis {
            engine: stored.engine,
            state,
            nodes,
            positions,
            sides,
        })
    }
}

async fn stored(app: &App, id: &MatchId) -> Result<Option<Analysis>, ApiError> {
    let found = app.store.analysis(id, VERSION).await?;
    found.map(Analysis::try_from).transpose().map_err(|error| {
        tracing::error!(game.match_id = %id, %error, "a stored analysis cannot be read");
        ApiError::Internal
    })
}

/// Returns the computer analysis of a match.
/// It is that of this version of the server, or the latest one of another version.
#[utoipa::path(
    get, path = "/api/v1/matches/{id}/analysis", tag = "matches",
    params(("id" = MatchId, Path, description = "the match's id")),
    responses(
        (status = 200, body = Analysis),
        (status = 404, description = "there is no such match, or none was requested"),
    )
)]
async fn show(State(app): State<App>, Path(id): Path<MatchId>) -> Result<Response, ApiError> {
    let found = stored(&app, &id).await?;
    let analysis = found.ok_or(ApiError::NotFound("analysis"))?;
    Ok(([(header::CACHE_CONTROL, "no-cache")], Json(analysis)).into_response())
}

/// Requests the computer analysis of a match that is over.
/// Workers of the computer opponents make it when none of these needs them; it is stored, and everybody reads it. An account may request 30 on
/// a day (UTC), unless the operator permits another number; a second request of one analysis does not count. Of a very long match the first
/// 600 plies are analysed.
#[utoipa::path(
    post, path = "/api/v1/matches/{id}/analysis", tag = "matches",
    params(("id" = MatchId, Path, description = "the match's id")),
    responses(
        (status = 200, body = Analysis, description = "it is done already"),
        (status = 202, body = Analysis, description = "it waits for workers"),
        (status = 401),
        (status = 403, description = "`account-needed`, `no-bots`"),
        (status = 404),
        (status = 409, description = "`match-not-over`"),
        (status = 429, description = "`too-many-analyses`: the account has requested as many as it may on this day"),
    )
)]
async fn request(
    State(app): State<App>,
    me: SignedIn,
    Path(id): Path<MatchId>,
) -> Result<Response, ApiError> {
    me.check_person()?;
    let row = lookup::find_match(&app, &id).await?;
    if row.finish.is_none() {
        return Err(ApiError::MatchNotOver);
    }
    match app.analyst.request(&id, &me.player.id).await? {
        RequestedAnalysis::New | RequestedAnalysis::Known => {}
        RequestedAnalysis::Spent => {
            return Err(ApiError::TooManyAnalyses {
                most: app.analyst.per_day(),
                retry_s: seconds_to_next_day(unix_ms()),
            });
        }
    }
    let analysis = stored(&app, &id)
        .await?
        .ok_or(ApiError::NotFound("match"))?;
    let status = match analysis.state {
        AnalysisStateView::Done => StatusCode::OK,
        AnalysisStateView::Waiting | AnalysisStateView::Failed => StatusCode::ACCEPTED,
    };
    Ok((status, Json(analysis)).into_response())
}

/// Returns the seconds until an account may request more, rounded up.
fn seconds_to_next_day(now_ms: i64) -> u64 {
    let wait_ms = u64::try_from(next_day_ms(now_ms) - now_ms).unwrap_or_default();
    wait_ms.div_ceil(1_000)
}
