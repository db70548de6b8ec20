//! The operator's page: numbers, accounts, jobs, options and the log, for accounts with the grant `operator` where the page is switched on.
//!
//! Nothing here changes anything: the operator's actions go over the socket of the data directory
//! (`docs/decisions/0024-operators-page.md`).

use axum::Json;
use axum::extract::State;
use mawe_store::{Account, AccountFilter};
use mawe_wire::grants::Grant;
use mawe_wire::{Code, PlayerKind};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::{App, Setting};
use crate::bots::{LevelFigures, WorkerKind};
use crate::clock::unix_ms;
use crate::http::error::ApiError;
use crate::http::extract::{Operator, Query};
use crate::http::metrics as reading;
use crate::http::moderation::{AuditPage, AuditQuery, audit_page};
use crate::http::paging::{bad_cursor, page_size};
use crate::http::players::MAX_SEARCH;
use crate::live::view;
use crate::metrics::{self, StatusView};

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(status))
        .routes(routes!(pulse))
        .routes(routes!(accounts))
        .routes(routes!(jobs))
        .routes(routes!(settings))
        .routes(routes!(log))
}

/// Returns the state of the server, as `mawe status` prints it.
#[utoipa::path(
    get, path = "/api/v1/operator/status", tag = "operator",
    responses(
        (status = 200, body = StatusView),
        (status = 401),
        (status = 403, description = "`operators-only`, `log-in-again`, `session-needed`"),
        (status = 404, description = "the page is switched off"),
    )
)]
async fn status(State(app): State<App>, _: Operator) -> Result<Json<StatusView>, ApiError> {
    let reading = reading::read(&app).await?;
    Ok(Json(metrics::status(&app, &reading).await))
}

/// The numbers of a node for charts. Counts rise from the start of the node.
#[derive(Debug, Serialize, ToSchema)]
struct Pulse {
    at: jiff::Timestamp,
    /// The node that answers; null on a single node.
    #[schema(required = true)]
    node: Option<String>,
    /// The start of the node.
    started_at: jiff::Timestamp,
    /// Players with a socket on any node.
    players: u64,
    /// Open sockets and streams.
    sockets: u64,
    /// Matches in memory.
    rooms: u64,
    /// Requests since the start.
    requests: u64,
    /// Those of them that were answered with a status from 500.
    failed_requests: u64,
    /// Moves since the start.
    moves: u64,
    /// Commits of the journal since the start.
    commits: u64,
    /// The seconds that these took, in all.
    commit_seconds: f64,
    /// Appends that wait for the journal's writer.
    appends_waiting: u64,
    /// Jobs of computer opponents that wait for a worker.
    jobs_waiting: u64,
    /// Jobs that a worker has.
    jobs_running: u64,
    /// The processor time since the start, in seconds; null on a system that does not report it, like the next number.
    #[schema(required = true)]
    cpu_seconds: Option<f64>,
    /// The memory in use, in bytes.
    #[schema(required = true)]
    memory_bytes: Option<u64>,
}

/// Returns numbers of the answering node, for charts of the present.
#[utoipa::path(
    get, path = "/api/v1/operator/pulse", tag = "operator",
    responses(
        (status = 200, body = Pulse),
        (status = 401),
        (status = 403, description = "`operators-only`, `log-in-again`, `session-needed`"),
        (status = 404, description = "the page is switched off"),
    )
)]
async fn pulse(State(app): State<App>, _: Operator) -> Result<Json<Pulse>, ApiError> {
    let reading = reading::read(&app).await?;
    let (requests, failed_requests) = app.meters.requests.totals();
    let services = &app.rooms.services;
    let commits = services.journal.meters().seconds.read();
    let levels = || reading.bots.levels.iter();
    let process = reading.slow.process;
    Ok(Json(Pulse {
        at: view::timestamp(unix_ms()),
        node: services
            .remote
            .as_ref()
            .map(|remote| remote.node().to_owned()),
        started_at: view::timestamp(app.meters.began_ms),
        players: reading.players as u64,
        sockets: reading.sockets as u64,
        rooms: reading.rooms as u64,
        requests,
        failed_requests,
        moves: services.moves.made.get(),
        commits: commits.count(),
        commit_seconds: commits.sum,
        appends_waiting: reading.appends_waiting as u64,
        jobs_waiting: levels().map(|level| level.waiting as u64).sum(),
        jobs_running: levels().map(|level| level.running as u64).sum(),
        cpu_seconds: process.cpu_seconds,
        memory_bytes: process.resident_bytes,
    }))
}

/// The query of a page of accounts.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct AccountQuery {
    /// Only names with this part, of any case.
    search: Option<String>,
    /// Only accounts with this grant: `admin`, `moderator`, `bot`, `premium` or `operator`.
    grant: Option<String>,
    /// Only disabled accounts, if true.
    disabled: Option<bool>,
    /// Guests too, if true.
    guests: Option<bool>,
    /// `next` of the previous page.
    cursor: Option<String>,
    /// The size of the page, 1 to 100; 20 by default.
    limit: Option<u32>,
}

/// A page of accounts.
#[derive(Debug, Serialize, ToSchema)]
struct AccountPage {
    items: Vec<AccountItem>,
    /// The `cursor` of the next page; null on the last page.
    #[schema(required = true)]
    next: Option<String>,
}

/// An account, as the operator sees it.
#[derive(Debug, Serialize, ToSchema)]
struct AccountItem {
    name: String,
    kind: PlayerKind,
    /// The grants, as words.
    grants: Vec<String>,
    created_at: jiff::Timestamp,
    /// The time of its disabling; null if it is not disabled.
    #[schema(required = true)]
    disabled_at: Option<jiff::Timestamp>,
    /// The reason of its disabling.
    #[schema(required = true)]
    disabled_why: Option<String>,
    /// The time of its deletion; null if it is not deleted.
    #[schema(required = true)]
    deleted_at: Option<jiff::Timestamp>,
}

impl From<Account> for AccountItem {
    fn from(account: Account) -> AccountItem {
        let (disabled_at, disabled_why) = account
            .disabled
            .map(|disabled| (view::timestamp(disabled.at_ms), disabled.why))
            .unzip();
        AccountItem {
            name: account.player.name,
            kind: account.player.kind,
            grants: account
                .grants
                .iter()
                .map(|grant| grant.to_string())
                .collect(),
            created_at: view::timestamp(account.player.created_ms),
            disabled_at,
            disabled_why,
            deleted_at: account.deleted_ms.map(view::timestamp),
        }
    }
}

/// Lists accounts by name.
#[utoipa::path(
    get, path = "/api/v1/operator/accounts", tag = "operator", params(AccountQuery),
    responses(
        (status = 200, body = AccountPage),
        (status = 401),
        (status = 403, description = "`operators-only`, `log-in-again`, `session-needed`"),
        (status = 404, description = "the page is switched off"),
        (status = 422),
    )
)]
async fn accounts(
    State(app): State<App>,
    _: Operator,
    Query(query): Query<AccountQuery>,
) -> Result<Json<AccountPage>, ApiError> {
    let limit = page_size(query.limit)?;
    let name_part = query.search.unwrap_or_default();
    let is_long = |text: &str| text.chars().count() > MAX_SEARCH;
    if query.cursor.as_deref().is_some_and(is_long) {
        return Err(bad_cursor());
    }
    if is_long(&name_part) {
        let advice = format!("a part of a name has at most {MAX_SEARCH} characters");
        return Err(ApiError::field(Code::BadFilter, "search", advice));
    }
    let grant = query.grant.map(|grant| grant.parse::<Grant>());
    let grant = grant
        .transpose()
        .map_err(|error| ApiError::field(Code::BadFilter, "grant", error.to_string()))?;
    let filter = AccountFilter {
        name_part,
        grant,
        disabled: query.disabled.unwrap_or_default(),
        guests: query.guests.unwrap_or_default(),
    };
    let found = app
        .store
        .accounts(&filter, query.cursor.as_deref(), limit + 1)
        .await?;
    let more = found.len() > limit as usize;
    let items = found.into_iter().take(limit as usize);
    let items: Vec<AccountItem> = items.map(AccountItem::from).collect();
    let next = items.last().filter(|_| more).map(|last| last.name.clone());
    Ok(Json(AccountPage { items, next }))
}

/// The jobs of the computer opponents on a node.
#[derive(Debug, Serialize, ToSchema)]
struct JobFigures {
    /// The longest wait for a worker at present, in milliseconds.
    longest_wait_ms: u64,
    /// The jobs by level, level 1 first.
    levels: Vec<LevelJobs>,
}

/// The jobs of a level. Counts rise from the start of the node.
#[derive(Debug, Serialize, ToSchema)]
struct LevelJobs {
    level: u8,
    /// Jobs that wait for a worker.
    waiting: u64,
    /// Jobs that a worker has.
    running: u64,
    /// Jobs answered by threads of this process.
    by_threads: u64,
    /// Jobs answered by workers over HTTP.
    by_http: u64,
    /// Jobs answered by workers and nodes over NATS.
    by_nats: u64,
    /// Jobs answered by the fallback.
    by_fallback: u64,
    /// Jobs taken from a worker because their time was over.
    late: u64,
    /// Jobs whose worker had no answer or an illegal one.
    failed: u64,
}

impl From<&LevelFigures> for LevelJobs {
    fn from(figures: &LevelFigures) -> LevelJobs {
        let by = |kind: WorkerKind| figures.answered[kind as usize];
        LevelJobs {
            level: figures.level,
            waiting: figures.waiting as u64,
            running: figures.running as u64,
            by_threads: by(WorkerKind::Thread),
            by_http: by(WorkerKind::Http),
            by_nats: by(WorkerKind::Nats),
            by_fallback: by(WorkerKind::Fallback),
            late: figures.late,
            failed: figures.failed,
        }
    }
}

/// Returns the jobs of the computer opponents on the node that answers.
#[utoipa::path(
    get, path = "/api/v1/operator/jobs", tag = "operator",
    responses(
        (status = 200, body = JobFigures),
        (status = 401),
        (status = 403, description = "`operators-only`, `log-in-again`, `session-needed`"),
        (status = 404, description = "the page is switched off"),
    )
)]
async fn jobs(State(app): State<App>, _: Operator) -> Json<JobFigures> {
    let figures = app.rooms.services.bots.figures();
    let longest_wait_ms = u64::try_from(figures.longest_wait.as_millis());
    Json(JobFigures {
        longest_wait_ms: longest_wait_ms.unwrap_or(u64::MAX),
        levels: figures.levels.iter().map(LevelJobs::from).collect(),
    })
}

/// The options in force.
#[derive(Debug, Serialize, ToSchema)]
struct SettingList {
    items: Vec<Setting>,
}

/// Lists the options in force on the node that answers. Secrets are named without their values.
#[utoipa::path(
    get, path = "/api/v1/operator/settings", tag = "operator",
    responses(
        (status = 200, body = SettingList),
        (status = 401),
        (status = 403, description = "`operators-only`, `log-in-again`, `session-needed`"),
        (status = 404, description = "the page is switched off"),
    )
)]
async fn settings(State(app): State<App>, _: Operator) -> Json<SettingList> {
    Json(SettingList {
        items: app.settings.in_force.clone(),
    })
}

/// Lists the actions of the operator and of moderators, newest first.
#[utoipa::path(
    get, path = "/api/v1/operator/audit", tag = "operator", params(AuditQuery),
    responses(
        (status = 200, body = AuditPage),
        (status = 401),
        (status = 403, description = "`operators-only`, `log-in-again`, `session-needed`"),
        (status = 404, description = "the page is switched off"),
        (status = 422),
    )
)]
async fn log(
    State(app): State<App>,
    _: Operator,
    Query(query): Query<AuditQuery>,
) -> Result<Json<AuditPage>, ApiError> {
    audit_page(&app, query).await.map(Json)
}
