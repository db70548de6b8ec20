//! What moderators do: the queue of reports, what becomes of them, and the log.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::accounts;
use crate::arrange::unix_ms;
use crate::http::App;
use crate::http::error::{ApiError, Problem};
use crate::http::extract::{Body, Moderator, Path, Query, SignedIn, may_act_on};
use crate::http::notices;
use crate::http::players::{bad_cursor, find, page_size};
use crate::http::reports::prose;
use crate::ids::{MatchId, PlayerId, ReportId};
use crate::names::check_name;
use crate::outbox::encode;
use crate::protocol::{PlayerRef, ServerMsg};
use crate::reports::{ReportReason, Resolution};
use crate::room::view;
use crate::store::{
    AuditFilter, AuditRow, Deed, Judged, PairFilter, PairToReview, ReportCursor, ReportFilter,
    ReportRow, StoreError, Verdict, VoidMatches,
};

/// How long a report stays with the moderator who has taken it, if nothing comes of it.
const HELD_MS: i64 = 60 * 60 * 1_000;

/// How long the reason of a deed may be, in characters.
const MAX_WHY_CHARS: usize = 500;

/// For how many days somebody may be muted or kept out; longer is for good.
const MAX_DAYS: u32 = 366;

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(queue))
        .routes(routes!(one))
        .routes(routes!(take))
        .routes(routes!(resolve))
        .routes(routes!(log))
        .routes(routes!(pairs))
        .routes(routes!(void))
}

/// Over how many days pairs are looked for.
const PAIRS_DAYS: i64 = 30;

/// Fewer rated matches than this of a pair in that time are not listed: they change little.
const PAIRS_MIN_MATCHES: u32 = 5;

/// The same for a pair that shares a device: two can be made up as well as five, and one is no habit.
const PAIRS_MIN_MATCHES_ON_DEVICE: u32 = 2;

/// How many pairs are listed.
const MAX_PAIRS: u32 = 100;

/// Pairs of players.
#[derive(Debug, Serialize, ToSchema)]
struct PairList {
    items: Vec<PairView>,
}

/// Two players whose matches with each other may be made up. The reasons are hints, and prove nothing.
#[derive(Debug, Serialize, ToSchema)]
struct PairView {
    /// The two.
    players: [PlayerRef; 2],
    /// How many rated matches they have played with each other in the last 30 days.
    matches: u32,
    /// How many of these each has won.
    won: [u32; 2],
    /// How many rated matches each has played with anybody.
    of: [u32; 2],
    /// Whether at least one of them has played hardly anybody but the other, and they have played five such matches.
    only_each_other: bool,
    /// Whether both accounts were logged in to from one browser within a year, as those of a family that shares a tablet are.
    share_device: bool,
}

/// Which rated matches to make void.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Voiding {
    /// Of this player, by name.
    player: String,
    /// Against this player only.
    opponent: Option<String>,
    /// That ended at this time or later (RFC 3339).
    #[schema(value_type = Option<String>)]
    since: Option<jiff::Timestamp>,
    /// That ended before this time.
    #[schema(value_type = Option<String>)]
    until: Option<jiff::Timestamp>,
    /// Why, for the log: 1 to 500 characters.
    why: String,
}

/// What became of it.
#[derive(Debug, Serialize, ToSchema)]
struct Voided {
    /// How many matches count for nothing from now on; ratings follow in a moment.
    matches: u64,
}

/// Pairs of players of whom at least one has played hardly anybody but the other in the last 30 days, five rated matches at least, or who
/// share a device and have played two; those with the most first, 100 at most.
#[utoipa::path(
    get, path = "/api/v1/moderation/pairs", tag = "moderation",
    responses(
        (status = 200, body = PairList),
        (status = 401, body = Problem, content_type = "application/problem+json"),
        (status = 403, body = Problem, content_type = "application/problem+json", description = "`moderators-only`, `session-needed`"),
    )
)]
async fn pairs(State(app): State<App>, _: Moderator) -> Result<Json<PairList>, ApiError> {
    let filter = PairFilter {
        since_ms: unix_ms() - PAIRS_DAYS * DAY_MS,
        min_matches: PAIRS_MIN_MATCHES,
        min_matches_on_device: PAIRS_MIN_MATCHES_ON_DEVICE,
    };
    let found = app.store.pairs_to_review(&filter, MAX_PAIRS);
    let pair = |pair: PairToReview| PairView {
        players: pair.players.each_ref().map(view::player),
        matches: pair.matches,
        won: pair.won,
        of: pair.of,
        only_each_other: pair.only_each_other,
        share_device: pair.share_device,
    };
    Ok(Json(PairList {
        items: found.await?.into_iter().map(pair).collect(),
    }))
}

/// Make rated matches of a player void, or those of a pair: they stay in the history, marked, and count for nothing. All ratings are
/// counted again without them.
#[utoipa::path(
    post, path = "/api/v1/moderation/voids", tag = "moderation", request_body = Voiding,
    responses(
        (status = 200, body = Voided),
        (status = 401, body = Problem, content_type = "application/problem+json"),
        (status = 403, body = Problem, content_type = "application/problem+json", description = "`moderators-only`, `own-case`, `admins-only`, `session-needed`"),
        (status = 422, body = Problem, content_type = "application/problem+json", description = "`unknown-player`, `bad-text`"),
    )
)]
async fn void(
    State(app): State<App>,
    Moderator(me): Moderator,
    Body(voiding): Body<Voiding>,
) -> Result<Json<Voided>, ApiError> {
    let why = prose("why", &voiding.why, MAX_WHY_CHARS)?;
    if why.is_empty() {
        let advice = "say why: the log keeps it";
        return Err(ApiError::field("bad-text", "why", advice));
    }
    let player = judged(&app, &me, "player", &voiding.player).await?;
    let opponent = match &voiding.opponent {
        Some(name) => Some(judged(&app, &me, "opponent", name).await?),
        None => None,
    };
    let matches = VoidMatches {
        player,
        opponent,
        since_ms: voiding.since.map(jiff::Timestamp::as_millisecond),
        until_ms: voiding.until.map(jiff::Timestamp::as_millisecond),
    };
    let matches = app.store.void_matches(&matches, &deed(&me, why)).await?;
    app.rooms.count_matches();
    Ok(Json(Voided { matches }))
}

/// A player whom a moderator judges; a computer opponent is nobody's case.
async fn judged(
    app: &App,
    me: &SignedIn,
    field: &'static str,
    name: &str,
) -> Result<PlayerId, ApiError> {
    let unknown = || ApiError::field("unknown-player", field, "there is no player of this name");
    let player = app.store.find_player_by_name(name).await?;
    let player = player.ok_or_else(unknown)?;
    if let Some(account) = app.store.account(&player.id).await? {
        may_act_on(me, &account)?;
    }
    Ok(player.id)
}

/// Which reports.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Which {
    /// Those that wait for a moderator, oldest first.
    #[default]
    Open,
    /// Those that a moderator has resolved, latest first.
    Resolved,
}

/// Which page of which reports.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ReportQuery {
    /// `open` by default.
    #[param(inline)]
    state: Option<Which>,
    /// Only of this player, by name.
    about: Option<String>,
    /// `next` of the page before.
    cursor: Option<String>,
    /// How many, 1 to 100; 20 by default.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<u32>,
}

/// Which page of the log.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct AuditQuery {
    /// Only what was done to this player, by name.
    about: Option<String>,
    /// Only what this player did, by name.
    actor: Option<String>,
    /// `next` of the page before.
    cursor: Option<String>,
    /// How many, 1 to 100; 20 by default.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<u32>,
}

/// A page of reports.
#[derive(Debug, Serialize, ToSchema)]
struct ReportPage {
    items: Vec<ReportView>,
    /// What to give as `cursor` for the next page; null on the last.
    #[schema(required = true)]
    next: Option<String>,
}

/// A report.
#[derive(Debug, Serialize, ToSchema)]
struct ReportView {
    #[schema(value_type = String)]
    id: ReportId,
    reported: PlayerRef,
    reporter: PlayerRef,
    reason: ReportReason,
    /// In the reporter's words; may be empty.
    text: String,
    /// Where it happened.
    #[serde(rename = "match")]
    #[schema(required = true, value_type = Option<String>)]
    match_id: Option<MatchId>,
    #[schema(value_type = String)]
    created_at: jiff::Timestamp,
    /// How many reports of the same player are open: `about` lists them.
    open_about: u32,
    /// Which moderator looks into it, by name.
    #[schema(required = true)]
    taken_by: Option<String>,
    /// What became of it; null while it is open.
    #[schema(required = true)]
    resolved: Option<ResolvedView>,
}

/// What became of a report.
#[derive(Debug, Serialize, ToSchema)]
struct ResolvedView {
    /// The moderator's name.
    by: String,
    #[schema(value_type = String)]
    at: jiff::Timestamp,
    action: Resolution,
    why: String,
}

/// What to do about a report.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Decision {
    /// What.
    action: Resolution,
    /// Why, up to 500 characters: for the log, and for the player where they are told.
    why: String,
    /// `mute` and `disable`: for how many days, 1 to 366; for good where it is left out.
    days: Option<u32>,
    /// `rename`: the new name.
    name: Option<String>,
}

/// A page of the log.
#[derive(Debug, Serialize, ToSchema)]
struct AuditPage {
    items: Vec<AuditView>,
    /// What to give as `cursor` for the next page; null on the last.
    #[schema(required = true)]
    next: Option<String>,
}

/// A line of the log.
#[derive(Debug, Serialize, ToSchema)]
struct AuditView {
    #[schema(value_type = String)]
    at: jiff::Timestamp,
    /// Who did it; null for the operator at the console, and for what the server does by itself.
    #[schema(required = true)]
    actor: Option<PlayerRef>,
    /// What, in a word.
    action: String,
    /// To whom.
    #[schema(required = true)]
    about: Option<PlayerRef>,
    /// To, or in, which match.
    #[serde(rename = "match")]
    #[schema(required = true, value_type = Option<String>)]
    match_id: Option<MatchId>,
    /// What exactly: which report, grant or name; may be empty.
    detail: String,
    /// Why, in their words; may be empty.
    why: String,
}

impl ReportView {
    fn of(row: ReportRow) -> ReportView {
        ReportView {
            id: row.id,
            reported: view::player(&row.reported),
            reporter: view::player(&row.reporter),
            reason: row.reason,
            text: row.text,
            match_id: row.match_id,
            created_at: view::timestamp(row.at_ms),
            open_about: row.open_about,
            taken_by: row.taken.map(|(moderator, _)| moderator.name),
            resolved: row.resolved.map(|resolved| ResolvedView {
                by: resolved.by.name,
                at: view::timestamp(resolved.at_ms),
                action: resolved.resolution,
                why: resolved.why,
            }),
        }
    }
}

impl AuditView {
    fn of(row: AuditRow) -> AuditView {
        AuditView {
            at: view::timestamp(row.at_ms),
            actor: row.actor.as_ref().map(view::player),
            action: row.action,
            about: row.about.as_ref().map(view::player),
            match_id: row.match_id,
            detail: row.detail,
            why: row.why,
        }
    }
}

/// The reports that wait, oldest first, or those that are resolved, latest first.
#[utoipa::path(
    get, path = "/api/v1/moderation/reports", tag = "moderation", params(ReportQuery),
    responses(
        (status = 200, body = ReportPage),
        (status = 401, body = Problem, content_type = "application/problem+json"),
        (status = 403, body = Problem, content_type = "application/problem+json", description = "`moderators-only`, `session-needed`"),
        (status = 422, body = Problem, content_type = "application/problem+json"),
    )
)]
async fn queue(
    State(app): State<App>,
    _: Moderator,
    Query(query): Query<ReportQuery>,
) -> Result<Json<ReportPage>, ApiError> {
    let limit = page_size(query.limit)?;
    let cursor = query.cursor.as_deref().map(parse_cursor).transpose()?;
    let filter = ReportFilter {
        about: named(&app, "about", query.about.as_deref()).await?,
        resolved: query.state.unwrap_or_default() == Which::Resolved,
    };
    // One more than asked for tells whether there is a next page.
    let mut rows = app
        .store
        .reports(&filter, cursor.as_ref(), limit + 1)
        .await?;
    let more = rows.len() > limit as usize;
    rows.truncate(limit as usize);
    let next = rows.last().filter(|_| more).map(|row| {
        let resolved = row.resolved.as_ref();
        let at_ms = resolved.map_or(row.at_ms, |resolved| resolved.at_ms);
        format!("{at_ms}.{}", row.id)
    });
    Ok(Json(ReportPage {
        items: rows.into_iter().map(ReportView::of).collect(),
        next,
    }))
}

/// One report.
#[utoipa::path(
    get, path = "/api/v1/moderation/reports/{id}", tag = "moderation", params(("id" = String, Path, description = "the report's id")),
    responses(
        (status = 200, body = ReportView),
        (status = 401, body = Problem, content_type = "application/problem+json"),
        (status = 403, body = Problem, content_type = "application/problem+json", description = "`moderators-only`, `session-needed`"),
        (status = 404, body = Problem, content_type = "application/problem+json"),
    )
)]
async fn one(
    State(app): State<App>,
    _: Moderator,
    Path(id): Path<ReportId>,
) -> Result<Json<ReportView>, ApiError> {
    Ok(Json(ReportView::of(existing(&app, &id).await?)))
}

/// Take a report, so that no other moderator looks into it meanwhile. One that was taken an hour ago and not resolved may be taken over.
#[utoipa::path(
    post, path = "/api/v1/moderation/reports/{id}/take", tag = "moderation", params(("id" = String, Path, description = "the report's id")),
    responses(
        (status = 200, body = ReportView),
        (status = 401, body = Problem, content_type = "application/problem+json"),
        (status = 403, body = Problem, content_type = "application/problem+json", description = "`moderators-only`, `own-case`, `admins-only`, `session-needed`"),
        (status = 404, body = Problem, content_type = "application/problem+json"),
        (status = 409, body = Problem, content_type = "application/problem+json", description = "`report-taken`"),
    )
)]
async fn take(
    State(app): State<App>,
    Moderator(me): Moderator,
    Path(id): Path<ReportId>,
) -> Result<Json<ReportView>, ApiError> {
    let row = existing(&app, &id).await?;
    allowed(&app, &me, &row).await?;
    let deed = deed(&me, String::new());
    let stale_ms = deed.at_ms - HELD_MS;
    if !app.store.take_report(&id, &deed, stale_ms).await? {
        return Err(ApiError::ReportTaken);
    }
    Ok(Json(ReportView::of(existing(&app, &id).await?)))
}

/// Resolve a report that one has taken. `warn`, `mute` and `rename` tell the player, at once and at the next visit; `disable` ends their
/// sessions and closes their sockets.
#[utoipa::path(
    post, path = "/api/v1/moderation/reports/{id}/resolve", tag = "moderation", request_body = Decision,
    params(("id" = String, Path, description = "the report's id")),
    responses(
        (status = 200, body = ReportView),
        (status = 401, body = Problem, content_type = "application/problem+json"),
        (status = 403, body = Problem, content_type = "application/problem+json", description = "`moderators-only`, `own-case`, `admins-only`, `session-needed`"),
        (status = 404, body = Problem, content_type = "application/problem+json"),
        (status = 409, body = Problem, content_type = "application/problem+json", description = "`report-taken`, `take-first`, `name-taken`, `cannot-change`"),
        (status = 422, body = Problem, content_type = "application/problem+json", description = "`bad-text`, `bad-days`, `bad-name`"),
    )
)]
async fn resolve(
    State(app): State<App>,
    Moderator(me): Moderator,
    Path(id): Path<ReportId>,
    Body(decision): Body<Decision>,
) -> Result<Json<ReportView>, ApiError> {
    let why = prose("why", &decision.why, MAX_WHY_CHARS)?;
    if why.is_empty() {
        let advice = "say why: the log keeps it, and the player reads it";
        return Err(ApiError::field("bad-text", "why", advice));
    }
    let deed = deed(&me, why);
    let verdict = verdict(decision, deed.at_ms)?;
    let row = existing(&app, &id).await?;
    allowed(&app, &me, &row).await?;
    match &row.taken {
        _ if row.resolved.is_some() => return Err(ApiError::ReportTaken),
        None => return Err(ApiError::TakeFirst),
        Some((moderator, _)) if moderator.id != me.player.id => return Err(ApiError::ReportTaken),
        Some(_) => {}
    }
    let judged = match app.store.resolve_report(&id, &verdict, &deed).await {
        // What was changed at the same time is told by what is there now.
        Err(StoreError::Conflict) => return Err(conflict(&app, &verdict).await?),
        outcome => outcome?,
    };
    let Judged::Done { changed, notice } = judged else {
        return Err(ApiError::ReportTaken);
    };
    if let Some(changed) = &changed {
        accounts::took_effect(&app, &row.reported.id, changed).await;
    }
    if let Verdict::Rename(_) = verdict {
        accounts::show_anew(&app, &row.reported.id).await?;
    }
    if let Some(notice) = notice {
        let notice = notices::shown(notice);
        app.sockets
            .tell(&row.reported.id, &encode(&ServerMsg::Notice { notice }));
    }
    Ok(Json(ReportView::of(existing(&app, &id).await?)))
}

/// The log of what the operator and moderators did, newest first.
#[utoipa::path(
    get, path = "/api/v1/moderation/audit", tag = "moderation", params(AuditQuery),
    responses(
        (status = 200, body = AuditPage),
        (status = 401, body = Problem, content_type = "application/problem+json"),
        (status = 403, body = Problem, content_type = "application/problem+json", description = "`moderators-only`, `session-needed`"),
        (status = 422, body = Problem, content_type = "application/problem+json"),
    )
)]
async fn log(
    State(app): State<App>,
    _: Moderator,
    Query(query): Query<AuditQuery>,
) -> Result<Json<AuditPage>, ApiError> {
    let limit = page_size(query.limit)?;
    let before = query
        .cursor
        .map(|cursor| cursor.parse().map_err(|_| bad_cursor()))
        .transpose()?;
    let filter = AuditFilter {
        about: named(&app, "about", query.about.as_deref()).await?,
        actor: named(&app, "actor", query.actor.as_deref()).await?,
    };
    let mut rows = app.store.audit(&filter, before, limit + 1).await?;
    let more = rows.len() > limit as usize;
    rows.truncate(limit as usize);
    let next = rows.last().filter(|_| more).map(|row| row.id.to_string());
    Ok(Json(AuditPage {
        items: rows.into_iter().map(AuditView::of).collect(),
        next,
    }))
}

async fn existing(app: &App, id: &ReportId) -> Result<ReportRow, ApiError> {
    let row = app.store.report(id).await?;
    row.ok_or(ApiError::NotFound("report"))
}

async fn allowed(app: &App, me: &SignedIn, row: &ReportRow) -> Result<(), ApiError> {
    let account = app.store.account(&row.reported.id).await?;
    may_act_on(me, &account.ok_or(ApiError::NotFound("player"))?)
}

fn deed(me: &SignedIn, why: String) -> Deed {
    Deed {
        by: Some(me.player.id.clone()),
        why,
        at_ms: unix_ms(),
    }
}

/// What a decision comes to; what belongs to another action is refused rather than passed over.
fn verdict(decision: Decision, now_ms: i64) -> Result<Verdict, ApiError> {
    let Decision {
        action, days, name, ..
    } = decision;
    let is_timed = matches!(action, Resolution::Mute | Resolution::Disable);
    let is_right = days.is_none_or(|days| is_timed && (1..=MAX_DAYS).contains(&days));
    if !is_right {
        let advice = "mute and disable last 1 to 366 days, or for good without days; nothing else takes them";
        return Err(ApiError::field("bad-days", "days", advice));
    }
    if name.is_some() != (action == Resolution::Rename) {
        let advice = "rename needs the new name; nothing else takes one";
        return Err(ApiError::field("bad-name", "name", advice));
    }
    let until_ms = days.map(|days| now_ms + i64::from(days) * DAY_MS);
    Ok(match action {
        Resolution::Dismiss => Verdict::Dismiss,
        Resolution::Warn => Verdict::Warn,
        Resolution::Mute => Verdict::Mute(until_ms),
        Resolution::Disable => Verdict::Disable(until_ms),
        Resolution::Rename => {
            let name = name.unwrap_or_default();
            check_name(&name).map_err(|advice| ApiError::field("bad-name", "name", advice))?;
            Verdict::Rename(name)
        }
    })
}

/// Why the store refuses to change an account.
async fn conflict(app: &App, verdict: &Verdict) -> Result<ApiError, ApiError> {
    let taken = match verdict {
        Verdict::Rename(name) => app.store.find_player_by_name(name).await?.is_some(),
        Verdict::Dismiss | Verdict::Warn | Verdict::Mute(_) | Verdict::Disable(_) => false,
    };
    Ok(if taken {
        ApiError::NameTaken
    } else {
        ApiError::CannotChange
    })
}

/// A player that a filter names.
async fn named(
    app: &App,
    field: &'static str,
    name: Option<&str>,
) -> Result<Option<PlayerId>, ApiError> {
    let Some(name) = name else {
        return Ok(None);
    };
    match find(app, name).await {
        Ok(player) => Ok(Some(player.id)),
        Err(ApiError::NotFound(_)) => {
            let advice = "there is no player of this name";
            Err(ApiError::field("bad-filter", field, advice))
        }
        Err(error) => Err(error),
    }
}

fn parse_cursor(text: &str) -> Result<ReportCursor, ApiError> {
    let (at_ms, id) = text.split_once('.').ok_or_else(bad_cursor)?;
    Ok(ReportCursor {
        at_ms: at_ms.parse().map_err(|_| bad_cursor())?,
        id: id.parse().map_err(|_| bad_cursor())?,
    })
}
