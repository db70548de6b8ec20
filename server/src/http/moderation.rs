//! Moderation: the queue of reports, their resolution, void matches, and the log.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use mawe_store::{
    Appeal, Attribution, AuditFilter, AuditRow, ChatLineRow, Judged, PairFilter, PairToReview,
    ReportCursor, ReportFilter, ReportRow, ReportState, StoreError, Verdict, VoidMatches,
};
use mawe_wire::chat::ChatRoom;
use mawe_wire::ids::{MatchId, PlayerId, ReportId};
use mawe_wire::reports::{ReportReason, Resolution};
use mawe_wire::{Code, PlayerRef};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::clock::unix_ms;
use crate::http::chat::{ChatLineId, ChatLines};
use crate::http::error::ApiError;
use crate::http::extract::{Body, Moderator, Path, Query, SignedIn, may_act_on};
use crate::http::lookup::{chat_line, find};
use crate::http::paging::{cut, page_size, part, parts};
use crate::http::reports::needed_prose;
use crate::identity::refused_names::RefusedNames;
use crate::live::chat::{self, watchers::ChatNews};
use crate::live::{notices, view};
use crate::moderation::effects;

/// The time for which a report stays with the moderator who has taken it, if it is not resolved.
const HELD_MS: i64 = 60 * 60 * 1_000;

/// The longest reason of an action, in characters.
pub(crate) const MAX_WHY_CHARS: usize = 500;

/// The longest mute or suspension, in days; without a number of days it is permanent.
pub(crate) const MAX_DAYS: u32 = 366;

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(queue))
        .routes(routes!(one))
        .routes(routes!(take))
        .routes(routes!(resolve))
        .routes(routes!(reported_lines))
        .routes(routes!(remove_line))
        .routes(routes!(log))
        .routes(routes!(pairs))
        .routes(routes!(void))
}

/// The number of lines before and after a reported line of chat that moderators see.
const LINES_AROUND: u32 = 20;

/// The period in which suspicious pairs are looked for, in days.
const PAIRS_DAYS: i64 = 30;

/// The fewest rated matches in that period for a pair to be listed: fewer change ratings little.
const PAIRS_MIN_MATCHES: u32 = 5;

/// The fewest for a pair that shares a device: even two may be arranged, and one is no pattern.
const PAIRS_MIN_MATCHES_ON_DEVICE: u32 = 2;

/// The most pairs that are listed.
const MAX_PAIRS: u32 = 100;

/// A list of pairs of players.
#[derive(Debug, Serialize, ToSchema)]
struct PairList {
    items: Vec<PairView>,
}

/// Two players whose matches with each other may be arranged. The reasons are hints, and prove nothing.
#[derive(Debug, Serialize, ToSchema)]
struct PairView {
    /// The two players.
    players: [PlayerRef; 2],
    /// The number of rated matches between them in the last 30 days.
    matches: u32,
    /// The number of these that each has won.
    won: [u32; 2],
    /// The number of rated matches of each against any opponent.
    of: [u32; 2],
    /// Whether at least one of them has played hardly anybody but the other, and they have played at least five such matches.
    only_each_other: bool,
    /// Whether both accounts have logged in from one browser within a year, as in a family that shares a tablet.
    share_device: bool,
}

/// The rated matches to make void.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Voiding {
    /// The player, by name.
    player: String,
    /// Only matches against this player, by name.
    opponent: Option<String>,
    /// Only matches that ended at this time or later (RFC 3339).
    since: Option<jiff::Timestamp>,
    /// Only matches that ended before this time (RFC 3339).
    until: Option<jiff::Timestamp>,
    /// The reason, for the log: 1 to 500 characters.
    why: String,
}

/// The result of making matches void.
#[derive(Debug, Serialize, ToSchema)]
struct Voided {
    /// The number of matches that are now void. Ratings follow shortly afterwards.
    matches: u64,
}

/// Lists pairs of players whose matches may be arranged.
/// In the last 30 days at least one of the two has played hardly anybody but the other, in five rated matches or more, or they share
/// a device and have played two. Most matches first, 100 at most.
#[utoipa::path(
    get, path = "/api/v1/moderation/pairs", tag = "moderation",
    responses(
        (status = 200, body = PairList),
        (status = 401),
        (status = 403, description = "`moderators-only`, `session-needed`"),
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

/// Makes rated matches of a player or of a pair void.
/// They stay in the history, marked, and count for nothing. All ratings are computed again without them.
#[utoipa::path(
    post, path = "/api/v1/moderation/voids", tag = "moderation", request_body = Voiding,
    responses(
        (status = 200, body = Voided),
        (status = 401),
        (status = 403, description = "`moderators-only`, `own-case`, `admins-only`, `session-needed`"),
        (status = 422, description = "`unknown-player`, `bad-text`"),
    )
)]
async fn void(
    State(app): State<App>,
    Moderator(me): Moderator,
    Body(voiding): Body<Voiding>,
) -> Result<Json<Voided>, ApiError> {
    let why = checked_why(&voiding.why)?;
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
    let matches = app
        .store
        .void_matches(&matches, &attribution(&me, why))
        .await?;
    app.rooms.services.count_matches();
    Ok(Json(Voided { matches }))
}

/// Returns the player of this name, if the moderator may act on them. A computer opponent has no account to protect.
async fn judged(
    app: &App,
    me: &SignedIn,
    field: &'static str,
    name: &str,
) -> Result<PlayerId, ApiError> {
    let unknown = || {
        ApiError::field(
            Code::UnknownPlayer,
            field,
            "there is no player of this name",
        )
    };
    let player = app.store.find_player_by_name(name).await?;
    let player = player.ok_or_else(unknown)?;
    if let Some(account) = app.store.account(&player.id).await? {
        may_act_on(me, &account)?;
    }
    Ok(player.id)
}

/// The state of reports.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Which {
    /// Reports that wait for a moderator, oldest first.
    #[default]
    Open,
    /// Resolved reports, latest first.
    Resolved,
    /// Resolved reports with an appeal that waits for a moderator, oldest appeal first.
    Appealed,
    /// Reports with a decided appeal, latest first.
    AppealDecided,
}

impl From<Which> for ReportState {
    fn from(which: Which) -> ReportState {
        match which {
            Which::Open => ReportState::Open,
            Which::Resolved => ReportState::Resolved,
            Which::Appealed => ReportState::Appealed,
            Which::AppealDecided => ReportState::AppealDecided,
        }
    }
}

/// The query of a page of reports.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ReportQuery {
    /// The state; `open` by default.
    #[param(inline)]
    state: Option<Which>,
    /// Only reports about this player, by name.
    about: Option<String>,
    /// `next` of the previous page.
    cursor: Option<String>,
    /// The size of the page, 1 to 100; 20 by default.
    limit: Option<u32>,
}

/// The query of a page of the log.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct AuditQuery {
    /// Only actions about this player, by name.
    about: Option<String>,
    /// Only actions by this player, by name.
    actor: Option<String>,
    /// `next` of the previous page.
    cursor: Option<String>,
    /// The size of the page, 1 to 100; 20 by default.
    limit: Option<u32>,
}

/// A page of reports.
#[derive(Debug, Serialize, ToSchema)]
struct ReportPage {
    items: Vec<ReportView>,
    /// The `cursor` of the next page; null on the last page.
    #[schema(required = true)]
    next: Option<String>,
}

/// A report.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ReportView {
    id: ReportId,
    reported: PlayerRef,
    reporter: PlayerRef,
    reason: ReportReason,
    /// In the reporter's words; may be empty.
    text: String,
    /// The match that the report is about.
    #[serde(rename = "match")]
    #[schema(required = true)]
    match_id: Option<MatchId>,
    /// The line of the chat of that match that the report is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    line: Option<ChatLineId>,
    /// The club that the report is about; the reported player is one of its officers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    club: Option<ReportedClubView>,
    created_at: jiff::Timestamp,
    /// The number of open reports about the same player; filter by `about` to list them.
    open_about: u32,
    /// The name of the moderator who has taken it.
    #[schema(required = true)]
    taken_by: Option<String>,
    /// The resolution; null while the report is open.
    #[schema(required = true)]
    resolved: Option<ResolvedView>,
}

/// A club that was reported.
#[derive(Debug, Serialize, ToSchema)]
struct ReportedClubView {
    /// The name when it was reported.
    name: String,
    /// The handle; null if it was closed.
    #[schema(required = true)]
    handle: Option<String>,
}

/// The resolution of a report.
#[derive(Debug, Serialize, ToSchema)]
struct ResolvedView {
    /// The moderator's name.
    by: String,
    at: jiff::Timestamp,
    action: Resolution,
    why: String,
    /// The end of the measure; null for good, and where it has none.
    #[schema(required = true)]
    until: Option<jiff::Timestamp>,
    /// The player's appeal against it; null if there is none.
    #[schema(required = true)]
    appeal: Option<ReportedAppeal>,
}

/// An appeal against the resolution of a report, as moderators see it.
#[derive(Debug, Serialize, ToSchema)]
struct ReportedAppeal {
    /// In the player's words.
    text: String,
    at: jiff::Timestamp,
    /// The decision about it; null while it is open.
    #[schema(required = true)]
    decided: Option<DecidedAppeal>,
}

/// The decision about an appeal, as moderators see it.
#[derive(Debug, Serialize, ToSchema)]
struct DecidedAppeal {
    /// The moderator's name.
    by: String,
    at: jiff::Timestamp,
    /// Whether the measure was taken back.
    accepted: bool,
    /// In the moderator's words.
    note: String,
}

/// A decision on a report.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Decision {
    /// The action.
    action: Resolution,
    /// The reason, up to 500 characters: for the log, and for the player if the action notifies them.
    why: String,
    /// For `mute`, `mute-chat` and `disable`: the number of days, 1 to 366; permanent if left out.
    days: Option<u32>,
    /// For `rename`: the new name.
    name: Option<String>,
}

/// A page of the log.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AuditPage {
    items: Vec<AuditView>,
    /// The `cursor` of the next page; null on the last page.
    #[schema(required = true)]
    next: Option<String>,
}

/// A line of the log.
#[derive(Debug, Serialize, ToSchema)]
struct AuditView {
    at: jiff::Timestamp,
    /// The player who acted; null for the operator at the console, and for automatic actions of the server.
    #[schema(required = true)]
    actor: Option<PlayerRef>,
    /// The action, as one word.
    action: String,
    /// The player whom the action is about.
    #[schema(required = true)]
    about: Option<PlayerRef>,
    /// The match that the action is about.
    #[serde(rename = "match")]
    #[schema(required = true)]
    match_id: Option<MatchId>,
    /// Details of the action, such as the report, the grant or the name; may be empty.
    detail: String,
    /// The reason in the actor's words; may be empty.
    why: String,
}

impl ReportView {
    pub(crate) fn from_row(row: ReportRow) -> ReportView {
        ReportView {
            id: row.id,
            reported: view::player(&row.reported),
            reporter: view::player(&row.reporter),
            reason: row.reason,
            text: row.text,
            match_id: row.match_id,
            line: row.chat_line.map(ChatLineId::from),
            club: row.club.map(|club| ReportedClubView {
                name: club.name,
                handle: club.handle,
            }),
            created_at: view::timestamp(row.at_ms),
            open_about: row.open_about,
            taken_by: row.taken.map(|(moderator, _)| moderator.name),
            resolved: row.resolved.map(|resolved| ResolvedView {
                by: resolved.by.name,
                at: view::timestamp(resolved.at_ms),
                action: resolved.resolution,
                why: resolved.why,
                until: resolved.until_ms.map(view::timestamp),
                appeal: resolved.appeal.map(ReportedAppeal::from_row),
            }),
        }
    }
}

impl ReportedAppeal {
    fn from_row(appeal: Appeal) -> ReportedAppeal {
        ReportedAppeal {
            text: appeal.text,
            at: view::timestamp(appeal.at_ms),
            decided: appeal.end.map(|end| DecidedAppeal {
                by: end.by.name,
                at: view::timestamp(end.at_ms),
                accepted: end.is_accepted,
                note: end.note,
            }),
        }
    }
}

impl AuditView {
    fn from_row(row: AuditRow) -> AuditView {
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

/// Lists reports in a state: those that wait for a moderator oldest first, the others latest first.
#[utoipa::path(
    get, path = "/api/v1/moderation/reports", tag = "moderation", params(ReportQuery),
    responses(
        (status = 200, body = ReportPage),
        (status = 401),
        (status = 403, description = "`moderators-only`, `session-needed`"),
        (status = 422),
    )
)]
async fn queue(
    State(app): State<App>,
    _: Moderator,
    Query(query): Query<ReportQuery>,
) -> Result<Json<ReportPage>, ApiError> {
    let limit = page_size(query.limit)?;
    let cursor = parts(query.cursor.as_deref())?;
    let cursor = cursor.map(|(at_ms, id)| ReportCursor { at_ms, id });
    let filter = ReportFilter {
        about: named(&app, "about", query.about.as_deref()).await?,
        state: query.state.unwrap_or_default().into(),
    };
    let mut rows = app
        .store
        .reports(&filter, cursor.as_ref(), limit + 1)
        .await?;
    let next = cut(&mut rows, limit, |row| {
        format!("{}.{}", place_of(row, filter.state), row.id)
    });
    Ok(Json(ReportPage {
        items: rows.into_iter().map(ReportView::from_row).collect(),
        next,
    }))
}

/// Returns a report.
#[utoipa::path(
    get, path = "/api/v1/moderation/reports/{id}", tag = "moderation", params(("id" = ReportId, Path, description = "the report's id")),
    responses(
        (status = 200, body = ReportView),
        (status = 401),
        (status = 403, description = "`moderators-only`, `session-needed`"),
        (status = 404),
    )
)]
async fn one(
    State(app): State<App>,
    _: Moderator,
    Path(id): Path<ReportId>,
) -> Result<Json<ReportView>, ApiError> {
    Ok(Json(ReportView::from_row(existing(&app, &id).await?)))
}

/// Takes a report, so that no other moderator works on it.
/// A report that was taken an hour ago and is not resolved may be taken over.
#[utoipa::path(
    post, path = "/api/v1/moderation/reports/{id}/take", tag = "moderation", params(("id" = ReportId, Path, description = "the report's id")),
    responses(
        (status = 200, body = ReportView),
        (status = 401),
        (status = 403, description = "`moderators-only`, `own-case`, `admins-only`, `session-needed`"),
        (status = 404),
        (status = 409, description = "`report-taken`"),
    )
)]
async fn take(
    State(app): State<App>,
    Moderator(me): Moderator,
    Path(id): Path<ReportId>,
) -> Result<Json<ReportView>, ApiError> {
    let row = existing(&app, &id).await?;
    allowed(&app, &me, &row).await?;
    let attribution = attribution(&me, String::new());
    let stale_ms = attribution.at_ms - HELD_MS;
    if !app.store.take_report(&id, &attribution, stale_ms).await? {
        return Err(ApiError::ReportTaken);
    }
    Ok(Json(ReportView::from_row(existing(&app, &id).await?)))
}

/// Resolves a report that the caller has taken.
/// `warn`, `mute`, `mute-chat` and `rename` notify the player, at once and at the next visit; `disable` ends the player's sessions and closes their
/// sockets.
#[utoipa::path(
    post, path = "/api/v1/moderation/reports/{id}/resolve", tag = "moderation", request_body = Decision,
    params(("id" = ReportId, Path, description = "the report's id")),
    responses(
        (status = 200, body = ReportView),
        (status = 401),
        (status = 403, description = "`moderators-only`, `own-case`, `admins-only`, `session-needed`"),
        (status = 404),
        (status = 409, description = "`report-taken`, `take-first`, `name-taken`, `name-looks-alike`, `cannot-change`"),
        (status = 422, description = "`bad-text`, `bad-days`, `bad-name`"),
    )
)]
async fn resolve(
    State(app): State<App>,
    Moderator(me): Moderator,
    Path(id): Path<ReportId>,
    Body(decision): Body<Decision>,
) -> Result<Json<ReportView>, ApiError> {
    let advice = "say why: the log keeps it, and the player reads it";
    let why = needed_prose("why", &decision.why, MAX_WHY_CHARS, advice)?;
    let attribution = attribution(&me, why);
    let verdict = verdict(decision, &app.settings.refused_names, attribution.at_ms)?;
    let row = existing(&app, &id).await?;
    allowed(&app, &me, &row).await?;
    match &row.taken {
        _ if row.resolved.is_some() => return Err(ApiError::ReportTaken),
        None => return Err(ApiError::TakeFirst),
        Some((moderator, _)) if moderator.id != me.player.id => return Err(ApiError::ReportTaken),
        Some(_) => {}
    }
    let judged = match app.store.resolve_report(&id, &verdict, &attribution).await {
        // The current state of the account explains the conflict.
        Err(StoreError::Conflict) => return Err(conflict(&app, &verdict).await?),
        outcome => outcome?,
    };
    let Judged::Done { changed, notice } = judged else {
        return Err(ApiError::ReportTaken);
    };
    if let Some(changed) = &changed {
        effects::took_effect(&app, &row.reported.id, changed).await;
    }
    if let Verdict::Rename(_) | Verdict::RemoveDisplayName = verdict {
        effects::show_anew(&app, &row.reported.id).await?;
    }
    if let Some(notice) = notice {
        notices::tell(app.store.as_ref(), &app.sockets, *notice).await?;
    }
    app.rooms.services.notices.announce(id.as_str());
    Ok(Json(ReportView::from_row(existing(&app, &id).await?)))
}

/// Returns the lines of chat around the reported one, with the text of removed ones.
#[utoipa::path(
    get, path = "/api/v1/moderation/reports/{id}/chat", tag = "moderation",
    params(("id" = ReportId, Path, description = "the report's id")),
    responses(
        (status = 200, body = ChatLines),
        (status = 401),
        (status = 403, description = "`moderators-only`, `session-needed`"),
        (status = 404, description = "also for a report that names no line"),
    )
)]
async fn reported_lines(
    State(app): State<App>,
    _: Moderator,
    Path(id): Path<ReportId>,
) -> Result<Json<ChatLines>, ApiError> {
    let row = existing(&app, &id).await?;
    let (match_id, (room, number)) = row
        .match_id
        .zip(row.chat_line)
        .ok_or(ApiError::NotFound("line"))?;
    let after = number.saturating_sub(LINES_AROUND + 1);
    let rows = app
        .store
        .chat_lines(&match_id, room, after, 2 * LINES_AROUND + 1);
    let lines = rows.await?.iter().map(chat::line_for_moderator).collect();
    let last = app.store.last_chat_line(&match_id, room).await?;
    Ok(Json(ChatLines { lines, last }))
}

/// A line of chat to remove.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct LineRemoval {
    /// The match.
    #[serde(rename = "match")]
    match_id: MatchId,
    /// The room.
    room: ChatRoom,
    /// The number of the line.
    number: u32,
    /// The reason, for the log: 1 to 500 characters.
    why: String,
}

/// Removes a line of chat.
/// Its readers see that a line was removed; moderators still see its text in the reports about it. Removing it again changes nothing.
#[utoipa::path(
    post, path = "/api/v1/moderation/removed-lines", tag = "moderation", request_body = LineRemoval,
    responses(
        (status = 204),
        (status = 401),
        (status = 403, description = "`moderators-only`, `own-case`, `admins-only`, `session-needed`"),
        (status = 404),
        (status = 422, description = "`bad-text`"),
    )
)]
async fn remove_line(
    State(app): State<App>,
    Moderator(me): Moderator,
    Body(removal): Body<LineRemoval>,
) -> Result<StatusCode, ApiError> {
    let why = checked_why(&removal.why)?;
    let LineRemoval {
        match_id,
        room,
        number,
        ..
    } = removal;
    let row = chat_line(&app, &match_id, room, number).await?;
    let row = row.ok_or(ApiError::NotFound("line"))?;
    if let Some(author) = &row.author
        && let Some(account) = app.store.account(&author.id).await?
    {
        may_act_on(&me, &account)?;
    }
    let attribution = attribution(&me, why);
    let removed = app
        .store
        .remove_chat_line(&match_id, room, number, &attribution);
    if removed.await? {
        let removed = ChatLineRow {
            removed: true,
            ..row
        };
        app.sockets.tell_chat(ChatNews {
            match_id,
            room,
            author: removed.author.as_ref().map(|author| author.id.clone()),
            line: chat::line(&removed),
        });
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Lists the actions of the operator and of moderators, newest first.
#[utoipa::path(
    get, path = "/api/v1/moderation/audit", tag = "moderation", params(AuditQuery),
    responses(
        (status = 200, body = AuditPage),
        (status = 401),
        (status = 403, description = "`moderators-only`, `session-needed`"),
        (status = 422),
    )
)]
async fn log(
    State(app): State<App>,
    _: Moderator,
    Query(query): Query<AuditQuery>,
) -> Result<Json<AuditPage>, ApiError> {
    audit_page(&app, query).await.map(Json)
}

/// Returns a page of the log.
pub(crate) async fn audit_page(app: &App, query: AuditQuery) -> Result<AuditPage, ApiError> {
    let limit = page_size(query.limit)?;
    let before = part(query.cursor.as_deref())?;
    let filter = AuditFilter {
        about: named(app, "about", query.about.as_deref()).await?,
        actor: named(app, "actor", query.actor.as_deref()).await?,
    };
    let mut rows = app.store.audit(&filter, before, limit + 1).await?;
    let next = cut(&mut rows, limit, |row| row.id.to_string());
    Ok(AuditPage {
        items: rows.into_iter().map(AuditView::from_row).collect(),
        next,
    })
}

/// Returns the time by which a report has its place in a list.
fn place_of(row: &ReportRow, state: ReportState) -> i64 {
    let resolved = row.resolved.as_ref();
    let appeal = resolved.and_then(|resolved| resolved.appeal.as_ref());
    let at_ms = match state {
        ReportState::Open => None,
        ReportState::Resolved => resolved.map(|resolved| resolved.at_ms),
        ReportState::Appealed => appeal.map(|appeal| appeal.at_ms),
        ReportState::AppealDecided => appeal.and_then(|appeal| Some(appeal.end.as_ref()?.at_ms)),
    };
    at_ms.unwrap_or(row.at_ms)
}

pub(crate) async fn existing(app: &App, id: &ReportId) -> Result<ReportRow, ApiError> {
    let row = app.store.report(id).await?;
    row.ok_or(ApiError::NotFound("report"))
}

pub(crate) async fn allowed(app: &App, me: &SignedIn, row: &ReportRow) -> Result<(), ApiError> {
    let account = app.store.account(&row.reported.id).await?;
    may_act_on(me, &account.ok_or(ApiError::NotFound("player"))?)
}

/// Checks the reason of an action, which the log keeps.
pub(crate) fn checked_why(why: &str) -> Result<String, ApiError> {
    needed_prose("why", why, MAX_WHY_CHARS, "say why: the log keeps it")
}

pub(crate) fn attribution(me: &SignedIn, why: String) -> Attribution {
    Attribution {
        by: Some(me.player.id.clone()),
        why,
        at_ms: unix_ms(),
    }
}

/// Returns the verdict of a decision. A field that belongs to another action is refused rather than ignored.
fn verdict(decision: Decision, refused: &RefusedNames, now_ms: i64) -> Result<Verdict, ApiError> {
    let Decision {
        action, days, name, ..
    } = decision;
    let is_timed = matches!(
        action,
        Resolution::Mute | Resolution::MuteChat | Resolution::Disable
    );
    let is_right = days.is_none_or(|days| is_timed && (1..=MAX_DAYS).contains(&days));
    if !is_right {
        let advice = "mute, mute-chat and disable last 1 to 366 days, or for good without days; nothing else takes them";
        return Err(ApiError::field(Code::BadDays, "days", advice));
    }
    if name.is_some() != (action == Resolution::Rename) {
        let advice = "rename needs the new name; nothing else takes one";
        return Err(ApiError::field(Code::BadName, "name", advice));
    }
    let until_ms = days.map(|days| now_ms + i64::from(days) * DAY_MS);
    Ok(match action {
        Resolution::Dismiss => Verdict::Dismiss,
        Resolution::Warn => Verdict::Warn,
        Resolution::Mute => Verdict::Mute(until_ms),
        Resolution::MuteChat => Verdict::MuteChat(until_ms),
        Resolution::Disable => Verdict::Disable(until_ms),
        Resolution::Rename => {
            let name = name.unwrap_or_default();
            let checked = refused.check_name(&name);
            checked.map_err(|advice| ApiError::field(Code::BadName, "name", advice))?;
            Verdict::Rename(name)
        }
        Resolution::RemoveDisplayName => Verdict::RemoveDisplayName,
    })
}

/// Returns the reason why the store refuses to change an account.
async fn conflict(app: &App, verdict: &Verdict) -> Result<ApiError, ApiError> {
    let taken = match verdict {
        Verdict::Rename(name) => app.store.find_player_by_name(name).await?.is_some(),
        Verdict::Dismiss
        | Verdict::Warn
        | Verdict::Mute(_)
        | Verdict::MuteChat(_)
        | Verdict::Disable(_)
        | Verdict::RemoveDisplayName => false,
    };
    Ok(if taken {
        ApiError::NameTaken
    } else {
        ApiError::CannotChange
    })
}

/// Returns the player that a filter names.
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
            Err(ApiError::field(Code::BadFilter, field, advice))
        }
        Err(error) => Err(error),
    }
}
