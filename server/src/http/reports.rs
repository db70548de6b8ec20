//! Reports: an account reports another player to the moderators.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use mawe_store::{NewReport, Player, StoreError};
use mawe_wire::Code;
use mawe_wire::ids::{MatchId, ReportId};
use mawe_wire::reports::ReportReason;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::clock::unix_ms;
use crate::http::chat::{ChatLineId, place};
use crate::http::error::ApiError;
use crate::http::extract::{Body, Path, SignedIn};
use crate::http::lookup::{chat_line, find};
use crate::live::view;

/// The longest text of a report, in characters: a person reads it.
pub(crate) const MAX_TEXT_CHARS: usize = 1_000;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(report))
}

/// A new report.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Told {
    /// The reason.
    reason: ReportReason,
    /// A description in the reporter's words, up to 1,000 characters; required with the reason `other`.
    #[serde(default)]
    text: String,
    /// The match where it happened; the reported player must have played it, or have written the line.
    #[serde(rename = "match")]
    match_id: Option<MatchId>,
    /// With the reason `chat`, and only with it: the line of the chat of that match. Moderators see it with the lines around.
    line: Option<ChatLineId>,
}

/// The confirmation of a new report.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MadeReport {
    id: ReportId,
    created_at: jiff::Timestamp,
}

/// Reports a player to the moderators.
/// Only one report of a player by the same reporter may be open at a time.
#[utoipa::path(
    post, path = "/api/v1/players/{name}/reports", tag = "moderation", request_body = Told,
    params(("name" = String, Path, description = "the player's name")),
    responses(
        (status = 201, body = MadeReport),
        (status = 401),
        (status = 403, description = "`account-needed`, `no-bots`, `session-needed`; for a line: as to read it"),
        (status = 404),
        (status = 409, description = "`own-report`, `reported-already`"),
        (status = 422, description = "`bad-text`, `bad-match`, `bad-field`, `computer-opponent`"),
        (status = 429),
    )
)]
async fn report(
    State(app): State<App>,
    me: SignedIn,
    Path(name): Path<String>,
    Body(told): Body<Told>,
) -> Result<(StatusCode, Json<MadeReport>), ApiError> {
    me.check_person()?;
    let text = report_text(told.reason, &told.text)?;
    if told.line.is_some() != (told.reason == ReportReason::Chat) {
        let advice = "name the line with the reason chat, and with no other";
        return Err(ApiError::field(Code::BadField, "line", advice));
    }
    let reported = find(&app, &name).await?;
    if reported.id == me.player.id {
        return Err(ApiError::OwnReport);
    }
    if reported.is_computer() {
        let advice =
            "a computer opponent only plays; tell the operator if something is wrong with it";
        return Err(ApiError::field(Code::ComputerOpponent, "", advice));
    }
    if let Some(line) = &told.line {
        written_by(&app, &me, told.match_id.as_ref(), line, &reported).await?;
    } else if let Some(id) = &told.match_id {
        let row = app.store.find_match(id).await?;
        let played = row.is_some_and(|row| {
            row.players
                .iter()
                .any(|(_, player)| player.id == reported.id)
        });
        if !played {
            let advice = "the reported player has played no such match";
            return Err(ApiError::field(Code::BadMatch, "match", advice));
        }
    }
    let new = NewReport {
        id: ReportId::random(),
        reporter: me.player.id,
        reported: reported.id,
        reason: told.reason,
        text,
        match_id: told.match_id,
        chat_line: told.line.map(|line| (line.room, line.number)),
        club: None,
        at_ms: unix_ms(),
    };
    file(&app, new).await
}

/// Stores a report, within the limit of its reporter.
pub(crate) async fn file(
    app: &App,
    new: NewReport,
) -> Result<(StatusCode, Json<MadeReport>), ApiError> {
    app.limits.report(&new.reporter)?;
    match app.store.create_report(&new).await {
        Ok(()) => {}
        Err(StoreError::Conflict) => return Err(ApiError::ReportedAlready),
        Err(other) => return Err(other.into()),
    }
    let made = MadeReport {
        id: new.id,
        created_at: view::timestamp(new.at_ms),
    };
    Ok((StatusCode::CREATED, Json(made)))
}

/// Checks the text of a report, which the reason `other` needs.
pub(crate) fn report_text(reason: ReportReason, text: &str) -> Result<String, ApiError> {
    let text = prose("text", text, MAX_TEXT_CHARS)?;
    if text.is_empty() && reason == ReportReason::Other {
        let advice = "say in a few words what it is";
        return Err(ApiError::field(Code::BadText, "text", advice));
    }
    Ok(text)
}

/// Checks that the reported player has written this line, and that the reporter can read it.
async fn written_by(
    app: &App,
    me: &SignedIn,
    match_id: Option<&MatchId>,
    line: &ChatLineId,
    reported: &Player,
) -> Result<(), ApiError> {
    let wrong = || {
        let advice = "the reported player has written no such line that you can read";
        ApiError::field(Code::BadMatch, "line", advice)
    };
    let id = match_id.ok_or_else(wrong)?;
    let (place, _) = place(app, id, Some(&me.player.id)).await?;
    place.may_read(line.room)?;
    let row = chat_line(app, id, line.room, line.number).await?;
    let author = row.and_then(|row| row.author).ok_or_else(wrong)?;
    (author.id == reported.id).then_some(()).ok_or_else(wrong)
}

/// Checks a text that people read and that must not be empty; `advice` is the message if it is.
pub(crate) fn needed_prose(
    field: &str,
    text: &str,
    max_chars: usize,
    advice: &str,
) -> Result<String, ApiError> {
    let text = prose(field, text, max_chars)?;
    if text.is_empty() {
        return Err(ApiError::field(Code::BadText, field, advice));
    }
    Ok(text)
}

/// Checks a text that people read: trims it, and refuses one that is too long or has control characters.
pub(crate) fn prose(field: &str, text: &str, max_chars: usize) -> Result<String, ApiError> {
    let text = text.trim();
    let is_shown = |c: char| !c.is_control() || c == '\n' || c == '\t';
    if text.chars().count() > max_chars {
        let advice = format!("write {max_chars} characters at most");
        Err(ApiError::field(Code::BadText, field, advice))
    } else if text.chars().all(is_shown) {
        Ok(text.to_owned())
    } else {
        let advice = "leave out control characters";
        Err(ApiError::field(Code::BadText, field, advice))
    }
}
