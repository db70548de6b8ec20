//! Reports of clubs to the moderators. Each is a report about the officer who answers for the club, and names the club.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use mawe_store::NewReport;
use mawe_wire::Code;
use mawe_wire::ids::ReportId;
use mawe_wire::reports::ReportReason;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::shared::visible;
use crate::app::App;
use crate::clock::unix_ms;
use crate::http::error::ApiError;
use crate::http::extract::{Body, Path, SignedIn};
use crate::http::reports::{MadeReport, file, report_text};

/// The reasons for which a club is reported. The others are about matches.
const REASONS: [ReportReason; 3] = [
    ReportReason::Name,
    ReportReason::Harassing,
    ReportReason::Other,
];

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(report))
}

/// A new report of a club.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ClubReport {
    /// The reason: `name` for the name and the texts, `harassing`, or `other`.
    reason: ReportReason,
    /// A description in the reporter's words, up to 1,000 characters; required with the reason `other`.
    #[serde(default)]
    text: String,
}

/// Reports a club to the moderators.
/// The report is about an officer other than the reporter: the founder, if they are one; and about the founder where no officer is left. Only one
/// report of a player by the same reporter may be open at a time.
#[utoipa::path(
    post, path = "/api/v1/clubs/{handle}/reports", tag = "moderation", request_body = ClubReport,
    params(("handle" = String, Path, description = "the club's handle")),
    responses(
        (status = 201, body = MadeReport),
        (status = 401),
        (status = 403, description = "`account-needed`, `no-bots`, `session-needed`; `club-invitation-needed`: only who sees a club reports it"),
        (status = 404),
        (status = 409, description = "`own-report`: nobody else answers for the club; `reported-already`"),
        (status = 422, description = "`bad-text`, `bad-field`"),
        (status = 429),
    )
)]
async fn report(
    State(app): State<App>,
    me: SignedIn,
    Path(handle): Path<String>,
    Body(told): Body<ClubReport>,
) -> Result<(StatusCode, Json<MadeReport>), ApiError> {
    me.check_person()?;
    let text = report_text(told.reason, &told.text)?;
    if !REASONS.contains(&told.reason) {
        let advice = "a club is reported with the reason name, harassing or other";
        return Err(ApiError::field(Code::BadField, "reason", advice));
    }
    let (club, _) = visible(&app, &handle, Some(&me)).await?;
    let mut officers = app.store.club_officers(&club.id).await?;
    officers.sort_by_key(|officer| officer.id != club.founder.id);
    let officer = officers
        .into_iter()
        .chain([club.founder])
        .find(|officer| officer.id != me.player.id);
    let new = NewReport {
        id: ReportId::random(),
        reporter: me.player.id,
        reported: officer.ok_or(ApiError::OwnReport)?.id,
        reason: told.reason,
        text,
        match_id: None,
        chat_line: None,
        club: Some((club.id, club.name)),
        at_ms: unix_ms(),
    };
    file(&app, new).await
}
