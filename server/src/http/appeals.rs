//! Appeals: a player objects to a moderator's decision about them, once, and another moderator decides about that.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use mawe_store::{Account, AccountFilter, ReportRow};
use mawe_wire::grants::Grant;
use mawe_wire::ids::ReportId;
use mawe_wire::reports::Resolution;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::clock::unix_ms;
use crate::http::credentials::{Attempt, check_credentials};
use crate::http::error::ApiError;
use crate::http::extract::{Body, From, Moderator, Path, SignedIn};
use crate::http::moderation::{MAX_WHY_CHARS, ReportView, allowed, attribution, existing};
use crate::http::reports::needed_prose;
use crate::identity::devices::GivenMarks;
use crate::live::{notices, view};
use crate::moderation::effects;

/// The longest text of an appeal, in characters: a person reads it.
pub(crate) const MAX_TEXT_CHARS: usize = 1_000;

/// The number of decisions that are listed.
const MAX_DECISIONS: u32 = 20;

/// The greatest number of moderators in the search for one other than the decision's.
const MAX_MODERATORS: u32 = 100;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(decisions))
        .routes(routes!(appeal))
        .routes(routes!(appeal_disabled))
        .routes(routes!(decide))
}

/// The latest decisions about the caller.
#[derive(Debug, Serialize, ToSchema)]
struct DecisionList {
    items: Vec<DecisionView>,
}

/// A moderator's decision about the caller.
#[derive(Debug, Serialize, ToSchema)]
struct DecisionView {
    id: ReportId,
    at: jiff::Timestamp,
    action: Resolution,
    /// The reason in the moderator's words.
    why: String,
    /// The end of the measure; null for good, and where it has none.
    #[schema(required = true)]
    until: Option<jiff::Timestamp>,
    /// The caller's appeal; null while there is none, and one is possible.
    #[schema(required = true)]
    appeal: Option<AppealView>,
}

/// The caller's appeal against a decision.
#[derive(Debug, Serialize, ToSchema)]
struct AppealView {
    text: String,
    at: jiff::Timestamp,
    /// The answer; null while a moderator has not decided about it.
    #[schema(required = true)]
    answer: Option<AppealAnswer>,
}

/// The decision about an appeal.
#[derive(Debug, Serialize, ToSchema)]
struct AppealAnswer {
    at: jiff::Timestamp,
    /// Whether the measure was taken back.
    accepted: bool,
    /// In the moderator's words.
    note: String,
}

/// An appeal against a decision.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewAppeal {
    /// The objection in the caller's words: 1 to 1,000 characters.
    text: String,
}

/// An appeal of a disabled account, which has no session.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct DisabledAppeal {
    /// The name of the account.
    name: String,
    /// Its password.
    password: String,
    /// The objection in the owner's words: 1 to 1,000 characters.
    text: String,
}

/// A decision about an appeal.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct AppealDecision {
    /// Whether the measure is taken back.
    accept: bool,
    /// The answer for the player and the log: 1 to 500 characters.
    note: String,
}

impl DecisionView {
    /// Returns the view of a report with a measure; `None` for any other.
    fn from_row(row: ReportRow) -> Option<DecisionView> {
        let resolved = row.resolved?;
        let appeal = resolved.appeal.map(|appeal| AppealView {
            text: appeal.text,
            at: view::timestamp(appeal.at_ms),
            answer: appeal.end.map(|end| AppealAnswer {
                at: view::timestamp(end.at_ms),
                accepted: end.is_accepted,
                note: end.note,
            }),
        });
        Some(DecisionView {
            id: row.id,
            at: view::timestamp(resolved.at_ms),
            action: resolved.resolution,
            why: resolved.why,
            until: resolved.until_ms.map(view::timestamp),
            appeal,
        })
    }
}

/// Lists the latest decisions of moderators about the caller, latest first; 20 at most.
#[utoipa::path(
    get, path = "/api/v1/me/decisions", tag = "moderation",
    responses((status = 200, body = DecisionList), (status = 401))
)]
async fn decisions(State(app): State<App>, me: SignedIn) -> Result<Json<DecisionList>, ApiError> {
    let rows = app
        .store
        .decisions_about(&me.player.id, MAX_DECISIONS)
        .await?;
    let items = rows.into_iter().filter_map(DecisionView::from_row);
    Ok(Json(DecisionList {
        items: items.collect(),
    }))
}

/// Appeals against a decision about the caller.
/// One appeal against a decision is possible. Another moderator than the one of the decision answers it, where there is another.
#[utoipa::path(
    post, path = "/api/v1/me/decisions/{id}/appeal", tag = "moderation", request_body = NewAppeal,
    params(("id" = ReportId, Path, description = "the decision's id")),
    responses(
        (status = 201, body = DecisionView),
        (status = 401),
        (status = 403, description = "`session-needed`"),
        (status = 404, description = "also for a decision about another player"),
        (status = 409, description = "`appealed-already`"),
        (status = 422, description = "`bad-text`"),
    )
)]
async fn appeal(
    State(app): State<App>,
    me: SignedIn,
    Path(id): Path<ReportId>,
    Body(new): Body<NewAppeal>,
) -> Result<(StatusCode, Json<DecisionView>), ApiError> {
    let text = objection(&new.text)?;
    let row = app.store.report(&id).await?;
    let row = row.filter(|row| row.reported.id == me.player.id);
    object(&app, row, &text).await
}

/// Appeals for a disabled account against the decision by which it was disabled.
/// The attempts count as those to log in.
#[utoipa::path(
    post, path = "/api/v1/appeals", tag = "moderation", request_body = DisabledAppeal,
    responses(
        (status = 201, body = DecisionView),
        (status = 401, description = "`wrong-credentials`"),
        (status = 404, description = "the account is not disabled, or not by a decision about a report"),
        (status = 409, description = "`appealed-already`"),
        (status = 422, description = "`bad-text`"),
        (status = 429),
    )
)]
async fn appeal_disabled(
    State(app): State<App>,
    From(address): From,
    marks: GivenMarks,
    Body(new): Body<DisabledAppeal>,
) -> Result<(StatusCode, Json<DecisionView>), ApiError> {
    let text = objection(&new.text)?;
    let attempt = Attempt {
        address,
        marks: &marks,
        name: &new.name,
        password: new.password,
    };
    let (player, _) = check_credentials(&app, attempt).await?;
    let account = app.store.account(&player.id).await?;
    let disabled = account.and_then(|account| account.disabled);
    let row = match disabled {
        Some(disabled) => {
            let by = Resolution::Disable;
            app.store
                .decision_at(&player.id, by, disabled.at_ms)
                .await?
        }
        None => None,
    };
    object(&app, row, &text).await
}

/// Decides about an appeal.
/// If it is accepted, the measure ends, unless a later one of its kind is in force: a mute or a disabling is taken back; a warning has no effect
/// to take back, and a name stays. The player and the moderator of the decision are notified.
#[utoipa::path(
    post, path = "/api/v1/moderation/reports/{id}/appeal", tag = "moderation", request_body = AppealDecision,
    params(("id" = ReportId, Path, description = "the report's id")),
    responses(
        (status = 200, body = ReportView),
        (status = 401),
        (status = 403, description = "`moderators-only`, `own-case`, `own-decision`, `admins-only`, `session-needed`"),
        (status = 404, description = "also for a report without an appeal"),
        (status = 409, description = "`report-taken`: another moderator has decided about it"),
        (status = 422, description = "`bad-text`"),
    )
)]
async fn decide(
    State(app): State<App>,
    Moderator(me): Moderator,
    Path(id): Path<ReportId>,
    Body(decision): Body<AppealDecision>,
) -> Result<Json<ReportView>, ApiError> {
    let advice = "say why: the log keeps it, and the player reads it";
    let note = needed_prose("note", &decision.note, MAX_WHY_CHARS, advice)?;
    let row = existing(&app, &id).await?;
    allowed(&app, &me, &row).await?;
    let resolved = row.resolved.as_ref().ok_or(ApiError::NotFound("appeal"))?;
    let appeal = resolved
        .appeal
        .as_ref()
        .ok_or(ApiError::NotFound("appeal"))?;
    if appeal.end.is_some() {
        return Err(ApiError::ReportTaken);
    }
    if resolved.by.id == me.player.id && has_other_judge(&app, &me, &row).await? {
        return Err(ApiError::OwnDecision);
    }
    let decided = app
        .store
        .decide_appeal(&id, decision.accept, &attribution(&me, note))
        .await?;
    let decided = decided.ok_or(ApiError::ReportTaken)?;
    if let Some(changed) = &decided.changed {
        effects::took_effect(&app, &row.reported.id, changed).await;
    }
    notices::tell(app.store.as_ref(), &app.sockets, *decided.notice).await?;
    app.rooms.services.notices.announce(id.as_str());
    Ok(Json(ReportView::from_row(existing(&app, &id).await?)))
}

/// Checks the text of an appeal.
fn objection(text: &str) -> Result<String, ApiError> {
    let advice = "say why the decision is wrong";
    let text = needed_prose("text", text, MAX_TEXT_CHARS, advice)?;
    Ok(text)
}

/// Stores an appeal against the decision about this report.
async fn object(
    app: &App,
    row: Option<ReportRow>,
    text: &str,
) -> Result<(StatusCode, Json<DecisionView>), ApiError> {
    let unknown = || ApiError::NotFound("decision");
    let row = row.ok_or_else(unknown)?;
    let is_measure = row
        .resolved
        .as_ref()
        .is_some_and(|resolved| resolved.resolution != Resolution::Dismiss);
    if !is_measure {
        return Err(unknown());
    }
    let stored = app
        .store
        .create_appeal(&row.id, &row.reported.id, text, unix_ms());
    if !stored.await? {
        return Err(ApiError::AppealedAlready);
    }
    let row = app.store.report(&row.id).await?;
    let decision = row.and_then(DecisionView::from_row).ok_or_else(unknown)?;
    Ok((StatusCode::CREATED, Json(decision)))
}

/// Returns whether another moderator may decide about an appeal of this report's player.
async fn has_other_judge(app: &App, me: &SignedIn, row: &ReportRow) -> Result<bool, ApiError> {
    let about = app.store.account(&row.reported.id).await?;
    let admins_only = about.is_some_and(|about| about.grants.has(Grant::Admin));
    let grants = if admins_only {
        &[Grant::Admin][..]
    } else {
        &[Grant::Moderator, Grant::Admin]
    };
    for grant in grants {
        let filter = AccountFilter {
            grant: Some(*grant),
            ..AccountFilter::default()
        };
        let found = app.store.accounts(&filter, None, MAX_MODERATORS).await?;
        let may_judge = |account: &Account| {
            account.disabled.is_none()
                && account.player.id != me.player.id
                && account.player.id != row.reported.id
        };
        if found.iter().any(may_judge) {
            return Ok(true);
        }
    }
    Ok(false)
}
