//! The store for many nodes: Postgres, 15 or later.
//!
//! READ COMMITTED is enough everywhere: conflicting transactions wait for a row that the other has written.

use std::collections::HashSet;
use std::path::Path;
use std::str::FromStr;
use std::time::{Duration, Instant};

use futures_util::future::{BoxFuture, FutureExt};
use futures_util::stream::{self, BoxStream, StreamExt};
use sqlx::migrate::MigrateError;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{
    PgConnectOptions, PgConnection, PgPool, PgPoolOptions, PgQueryResult, PgRow, PgStatement,
    PgTypeInfo,
};
use sqlx::query::Query;
use sqlx::{
    ConnectOptions, Connection, Either, Execute, Executor, IntoArguments, Postgres, Row, SqlStr,
    Transaction,
};

use super::migrate::{MigrationTable, Upgrade};
use super::rows::{Stored, int};
use super::{Append, OpenError, StoreError};
use crate::copy_mark::{self, unfinished_copy};
use crate::detached::{LINE_LIMIT, detached_within};
use crate::figures::{self, PoolFigures, StoreFigures};
use crate::limits::StoreLimits;
use PostgresStore as Backend;
use sqlx::Postgres as Db;

/// The time of the database, in milliseconds since the Unix epoch.
macro_rules! now_ms {
    () => {
        "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
    };
}

/// The head of the match `m`. Here it is a column: the row that an append updates is its lock.
macro_rules! head {
    () => {
        "m.head"
    };
}

/// The content that a readiness check writes: nothing, since the database server monitors its own disk.
macro_rules! probe_filling {
    () => {
        "''::bytea"
    };
}

/// The end of a SELECT that locks the rows until the end of the transaction.
macro_rules! for_update {
    () => {
        " FOR UPDATE"
    };
}

#[path = "sql/mod.rs"]
#[expect(
    clippy::duplicate_mod,
    reason = "the same SQL, compiled once for each database"
)]
mod sql;

static MIGRATIONS: MigrationTable = include!(concat!(env!("OUT_DIR"), "/migrations_postgres.rs"));

/// The number of connections for appends and the lease, which need one each. They are not shared with requests: under a high load of
/// requests the node would otherwise lose its lease, and with it every match.
pub(super) const RESERVED: u32 = 4;

/// The number of looks at the connections of a pooler.
const LOOKS: u32 = 3;

/// A connection used within this time is not tested before its next use.
const USED_LATELY: Duration = Duration::from_secs(1);

/// The time that a read or a write waits for a connection before the store counts as unavailable.
const ACQUIRE_LIMIT: Duration = Duration::from_secs(3);

/// The time within which a connection must answer a test before or after its use. A dead connection gives no error until the system gives
/// it up, after a quarter of an hour.
const SIGN_OF_LIFE: Duration = Duration::from_millis(1_000);

/// The settings of each connection that make the server end it when its node is unreachable; until then it would hold its row locks. The
/// program never pauses between two statements of a transaction.
const SESSION_LIMITS: &str = "SET idle_in_transaction_session_timeout = '5s';
    SET tcp_user_timeout = '5s';
    SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3";

/// The number of attempts of an append that the database aborts to resolve a deadlock; all other transactions of the deadlock continue.
const APPEND_ATTEMPTS: u32 = 5;

/// The store in a Postgres database.
pub(super) struct PostgresStore {
    pool: PgPool,
    /// Connections to the same database, reserved for the [`RESERVED`] tasks.
    reserved: PgPool,
    /// The greatest number of connections for requests.
    requests: u32,
}

/// A database with the schema of this program.
pub(super) struct Prepared {
    /// The options of a new connection.
    pub(super) options: PgConnectOptions,
    /// Host and port, for messages.
    pub(super) place: String,
}

impl Prepared {
    /// Connects, and brings the schema up to date. If several nodes do so at once, one migrates and the others wait.
    pub(super) async fn open(url: &str, application: &str) -> Result<Self, OpenError> {
        // The error shows no part of the address: in a mistyped one, the password may be anywhere.
        let options = PgConnectOptions::from_str(url).map_err(|_| {
            OpenError("the database's address must be postgres://USER:PASSWORD@HOST:PORT/NAME, with special characters escaped".to_owned())
        })?;
        // Poolers refuse this parameter of the start. It is about numbers as texts, and they are sent in binary.
        let options = options
            .extra_float_digits(None)
            .application_name(application);
        let place = format!("{}:{}", options.get_host(), options.get_port());
        // A single connection first, because its error tells the cause; an error of the pool would only be a timeout.
        let first = tokio::time::timeout(ACQUIRE_LIMIT, options.connect())
            .await
            .unwrap_or(Err(sqlx::Error::PoolTimedOut))
            .map_err(|error| unopened(&place, &error))?;
        // A pooler may let a connection wait for one of its own.
        let changes = changes_connections(first, &options);
        if tokio::time::timeout(ACQUIRE_LIMIT, changes)
            .await
            .unwrap_or(Err(sqlx::Error::PoolTimedOut))
            .map_err(|error| unopened(&place, &error))?
        {
            return Err(OpenError(format!(
                "a pooler at {place} gives each transaction another connection (PgBouncer's pool_mode = transaction): set pool_mode = session for this database, or name Postgres itself"
            )));
        }
        let migrator = PgPoolOptions::new().max_connections(1);
        let migrator = migrator
            .connect_with(options.clone())
            .await
            .map_err(|error| unopened(&place, &error))?;
        let upgrade = Upgrade::of(MIGRATIONS, &migrator)
            .await
            .map_err(|error| unmigrated(&place, &error))?;
        upgrade
            .apply(&migrator)
            .await
            .map_err(|error| unmigrated(&place, &error))?;
        migrator.close().await;
        Ok(Self { options, place })
    }

    /// Refuses a database that `mawe copy` has not finished.
    pub(super) async fn refuse_unfinished(&self) -> Result<(), OpenError> {
        let failed = |error| unopened(&self.place, &error);
        let mut connection = self.options.connect().await.map_err(failed)?;
        let marked: bool = sqlx::query_scalar("SELECT to_regclass($1) IS NOT NULL")
            .bind(copy_mark::MARK)
            .fetch_one(&mut connection)
            .await
            .map_err(failed)?;
        // An error is harmless: nothing was written.
        let _ = connection.close().await;
        match marked {
            false => Ok(()),
            true => Err(unfinished_copy(&format!("at {}", self.place))),
        }
    }

    /// Opens the store.
    pub(super) async fn into_store(self, limits: StoreLimits) -> Result<PostgresStore, OpenError> {
        self.refuse_unfinished().await?;
        let options = self.options;
        let requests = limits.postgres_connections.saturating_sub(RESERVED).max(1);
        Ok(PostgresStore {
            pool: pool(requests, options.clone()),
            reserved: pool(RESERVED, options),
            requests,
        })
    }
}

/// Whether a pooler gives each transaction another connection to the database, so that a connection has no state of its own. This store
/// has such state: prepared statements, the settings of [`SESSION_LIMITS`], and the lock of the migrations.
///
/// Two connections that are open at once are then the same process of the database server, or one of them is another process at each
/// statement.
async fn changes_connections(
    mut one: PgConnection,
    options: &PgConnectOptions,
) -> Result<bool, sqlx::Error> {
    let mut other = options.connect().await?;
    let first = process_of(&mut one).await?;
    let mut changes = false;
    for _ in 0..LOOKS {
        let another = process_of(&mut other).await?;
        let again = process_of(&mut one).await?;
        // A pooler that takes two processes in turn would give both connections the same one each time, were they asked in turn.
        let once_more = process_of(&mut one).await?;
        changes |= another == first || again != first || once_more != first;
    }
    // Errors are harmless: nothing was written.
    let _ = one.close().await;
    let _ = other.close().await;
    Ok(changes)
}

/// Returns the id of the process that serves a connection, without a prepared statement.
async fn process_of(connection: &mut PgConnection) -> Result<i32, sqlx::Error> {
    let row = sqlx::raw_sql("SELECT pg_backend_pid()")
        .fetch_one(connection)
        .await?;
    row.try_get(0)
}

impl PostgresStore {
    /// Connects and brings the schema up to date. If several nodes do so at once, one migrates and the others wait.
    pub(super) async fn open(url: &str, limits: StoreLimits) -> Result<Self, OpenError> {
        Prepared::open(url, "mawe").await?.into_store(limits).await
    }

    fn reader(&self) -> Reader<'_> {
        Reader(&self.pool)
    }

    /// The pool without a time limit for each read, for slow queries.
    fn slow_reader(&self) -> &PgPool {
        &self.pool
    }

    fn writer(&self) -> &PgPool {
        &self.pool
    }

    /// Always succeeds: the disk is the database server's, and monitored there.
    #[expect(
        clippy::unused_self,
        clippy::unnecessary_wraps,
        reason = "the other database has something to look at"
    )]
    fn has_space(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// The pool for the lease of this node.
    fn reserved(&self) -> &PgPool {
        &self.reserved
    }

    fn reserved_reader(&self) -> &PgPool {
        &self.reserved
    }

    /// Returns `false`: copies are made with `pg_dump`.
    #[expect(
        clippy::unused_async,
        reason = "the other database has something to wait for"
    )]
    async fn copy_into(&self, _: &Path) -> Result<bool, StoreError> {
        Ok(false)
    }

    /// The numbers of this store. The disk is the database server's.
    fn figures(&self) -> StoreFigures {
        let pool = |name, pool: &PgPool, most: u32| PoolFigures {
            name,
            open: pool.size().into(),
            idle: pool.num_idle() as u64,
            most: most.into(),
        };
        StoreFigures {
            backend: "postgres",
            pools: vec![
                pool("requests", &self.pool, self.requests),
                pool("reserved", &self.reserved, RESERVED),
            ],
            waits: figures::waits(),
            errors: figures::errors(),
            ..StoreFigures::default()
        }
    }

    /// Returns the size of the database in bytes.
    async fn database_bytes(&self) -> Result<u64, StoreError> {
        let bytes: i64 = sqlx::query_scalar("SELECT pg_database_size(current_database())")
            .fetch_one(self.reader())
            .await?;
        Ok(u64::try_from(bytes).unwrap_or_default())
    }

    async fn shut(&self) {
        self.pool.close().await;
        self.reserved.close().await;
    }

    /// Commits the appends that are not fenced, and returns the ids of their matches.
    async fn commit_appends(&self, appends: &[&Append]) -> Result<HashSet<String>, StoreError> {
        // Two nodes with the same matches in their batches (one of them is mistaken) may deadlock. Locking in a fixed order would prevent
        // that at a third of the throughput; instead, the database detects it, and one of them tries again.
        for _ in 1..APPEND_ATTEMPTS {
            match self.try_appends(appends).await {
                Err(StoreError::Unavailable(cause)) if is_deadlock(&cause) => {}
                outcome => return outcome,
            }
        }
        self.try_appends(appends).await
    }

    /// One statement, which is its own transaction: one round trip, one flush of the log. It waits for another node's write to the same
    /// match, and then compares the new head.
    async fn try_appends(&self, appends: &[&Append]) -> Result<HashSet<String>, StoreError> {
        let pool = self.reserved.clone();
        let (heads, entries) = (Heads::of(appends), Entries::of(appends));
        detached_within(LINE_LIMIT, async move {
            let mut connection = acquire(&pool).await?;
            let done: Vec<String> = sqlx::query_scalar(
                "WITH input AS (
                    SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[],
                            $6::text[], $7::text[], $8::bigint[], $9::bigint[], $10::bigint[], $11::boolean[], $19::bigint[], $20::text[])
                        AS i (id, head, epoch, new_head, finished_ms, winner, reason, score_first, score_second,
                            plies, owes, due_ms, left_by)
                ), advanced AS (
                    UPDATE matches m SET head = i.new_head, finished_ms = i.finished_ms, winner = i.winner,
                        reason = i.reason, score_first = i.score_first, score_second = i.score_second,
                        plies = i.plies, left_by = i.left_by, due_ms = coalesce(i.due_ms, m.due_ms)
                    FROM input i
                    WHERE m.id = i.id AND m.head = i.head AND m.epoch = i.epoch AND m.finished_ms IS NULL
                    RETURNING m.id, m.finished_ms, i.owes
                ), written AS (
                    INSERT INTO entries (match_id, seq, epoch, kind, payload, client_id, at_ms)
                    SELECT e.* FROM unnest($12::text[], $13::bigint[], $14::bigint[], $15::text[], $16::text[],
                            $17::text[], $18::bigint[])
                        AS e (match_id, seq, epoch, kind, payload, client_id, at_ms)
                    JOIN advanced a ON a.id = e.match_id
                ), uncounted AS (
                    INSERT INTO outbox (match_id, effect, created_ms)
                    SELECT id, 'count', finished_ms FROM advanced WHERE owes
                )
                SELECT id FROM advanced",
            )
            .bind(heads.id)
            .bind(heads.head)
            .bind(heads.epoch)
            .bind(heads.new_head)
            .bind(heads.finished_ms)
            .bind(heads.winner)
            .bind(heads.reason)
            .bind(heads.score_first)
            .bind(heads.score_second)
            .bind(heads.plies)
            .bind(heads.owes)
            .bind(entries.match_id)
            .bind(entries.seq)
            .bind(entries.epoch)
            .bind(entries.kind)
            .bind(entries.payload)
            .bind(entries.client_id)
            .bind(entries.at_ms)
            .bind(heads.due_ms)
            .bind(heads.left_by)
            .fetch_all(&mut *connection)
            .await
            .map_err(broken_commit)?;
            Ok(done.into_iter().collect())
        })
        .await
    }
}

/// Creates a pool of at most `size` connections, each opened when it is needed.
fn pool(size: u32, options: PgConnectOptions) -> PgPool {
    PgPoolOptions::new()
        .max_connections(size)
        .acquire_timeout(ACQUIRE_LIMIT)
        .after_connect(|connection, _| {
            Box::pin(async move {
                sqlx::raw_sql(SESSION_LIMITS).execute(connection).await?;
                Ok(())
            })
        })
        // Replaced by the test below, which has a time limit.
        .test_before_acquire(false)
        .before_acquire(|connection, state| {
            Box::pin(async move {
                if state.idle_for < USED_LATELY {
                    return Ok(true);
                }
                lives(connection).await
            })
        })
        .after_release(|connection, _| Box::pin(lives(connection)))
        .connect_lazy_with(options)
}

/// Tests whether a connection answers. An error makes the pool close it without sending anything.
async fn lives(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    match tokio::time::timeout(SIGN_OF_LIFE, connection.ping()).await {
        Ok(answer) => answer.map(|()| true),
        Err(_) => Err(silence()),
    }
}

fn silence() -> sqlx::Error {
    sqlx::Error::Io(std::io::ErrorKind::TimedOut.into())
}

/// An executor whose reads take at most [`LINE_LIMIT`] each.
#[derive(Debug, Clone, Copy)]
struct Reader<'p>(&'p PgPool);

impl<'p> Executor<'p> for Reader<'p> {
    type Database = Postgres;

    fn fetch_many<'e, 'q: 'e, E>(
        self,
        query: E,
    ) -> BoxStream<'e, Result<Either<PgQueryResult, PgRow>, sqlx::Error>>
    where
        'p: 'e,
        E: 'q + Execute<'q, Postgres>,
    {
        let until = tokio::time::Instant::now() + LINE_LIMIT;
        let rows = Some(self.0.fetch_many(query));
        let next = move |rows: Option<BoxStream<'e, _>>| async move {
            let mut rows = rows?;
            match tokio::time::timeout_at(until, rows.next()).await {
                Ok(row) => Some((row?, Some(rows))),
                Err(_) => Some((Err(silence()), None)),
            }
        };
        stream::unfold(rows, next).boxed()
    }

    fn fetch_optional<'e, 'q: 'e, E>(
        self,
        query: E,
    ) -> BoxFuture<'e, Result<Option<PgRow>, sqlx::Error>>
    where
        'p: 'e,
        E: 'q + Execute<'q, Postgres>,
    {
        let row = tokio::time::timeout(LINE_LIMIT, self.0.fetch_optional(query));
        row.map(|row| row.unwrap_or_else(|_| Err(silence())))
            .boxed()
    }

    fn prepare_with<'e>(
        self,
        sql: SqlStr,
        parameters: &'e [PgTypeInfo],
    ) -> BoxFuture<'e, Result<PgStatement, sqlx::Error>>
    where
        'p: 'e,
    {
        self.0.prepare_with(sql, parameters)
    }
}

/// The columns of a batch, one row per match.
#[derive(Default)]
struct Heads {
    id: Vec<String>,
    head: Vec<i64>,
    epoch: Vec<i64>,
    new_head: Vec<i64>,
    finished_ms: Vec<Option<i64>>,
    winner: Vec<Option<&'static str>>,
    reason: Vec<Option<String>>,
    score_first: Vec<Option<i64>>,
    score_second: Vec<Option<i64>>,
    plies: Vec<Option<i64>>,
    owes: Vec<bool>,
    due_ms: Vec<Option<i64>>,
    left_by: Vec<Option<&'static str>>,
}

impl Heads {
    fn of(appends: &[&Append]) -> Self {
        let mut columns = Self::default();
        for append in appends {
            let finish = append.finish.as_ref();
            let score = finish.and_then(|finish| finish.score);
            columns.id.push(append.match_id.to_string());
            columns.head.push(int(append.head));
            columns.epoch.push(int(append.epoch));
            columns.new_head.push(int(append.new_head()));
            columns.finished_ms.push(finish.map(|finish| finish.at_ms));
            columns
                .winner
                .push(finish.and_then(|finish| finish.winner).map(Stored::text));
            columns
                .reason
                .push(finish.map(|finish| finish.reason.clone()));
            columns
                .score_first
                .push(score.map(|score| score.first.into()));
            columns
                .score_second
                .push(score.map(|score| score.second.into()));
            columns.plies.push(finish.map(|finish| finish.plies.into()));
            columns
                .owes
                .push(finish.is_some_and(|finish| finish.uncounted));
            columns.due_ms.push(append.due_ms);
            let left_by = finish.and_then(|finish| finish.left_by);
            columns.left_by.push(left_by.map(Stored::text));
        }
        columns
    }
}

/// The columns of a batch, one row per entry.
#[derive(Default)]
struct Entries {
    match_id: Vec<String>,
    seq: Vec<i64>,
    epoch: Vec<i64>,
    kind: Vec<String>,
    payload: Vec<String>,
    client_id: Vec<Option<String>>,
    at_ms: Vec<i64>,
}

impl Entries {
    fn of(appends: &[&Append]) -> Self {
        let mut columns = Self::default();
        for append in appends {
            for entry in &append.entries {
                columns.match_id.push(append.match_id.to_string());
                columns.seq.push(int(entry.seq));
                columns.epoch.push(int(entry.epoch));
                columns.kind.push(entry.kind.clone());
                columns.payload.push(entry.payload.clone());
                columns.client_id.push(entry.client_id.clone());
                columns.at_ms.push(entry.at_ms);
            }
        }
        columns
    }
}

/// Whether no other transaction writes beside one, so that none needs locks.
const RUNS_ALONE: bool = false;

type Writer = PgPool;
type Tx = Transaction<'static, Postgres>;

async fn begin(writer: &Writer) -> Result<Tx, StoreError> {
    let began = Instant::now();
    let begun = writer.begin().await;
    figures::count_wait(began.elapsed());
    Ok(begun?)
}

/// Waits for a connection for a write.
async fn acquire(pool: &PgPool) -> Result<PoolConnection<Postgres>, sqlx::Error> {
    let began = Instant::now();
    let connection = pool.acquire().await;
    figures::count_wait(began.elapsed());
    connection
}

/// Begins a write that may last long: any transaction has a connection of its own.
async fn begin_alone(writer: &Writer) -> Result<Tx, StoreError> {
    begin(writer).await
}

/// Commits a transaction; if the connection fails now, the outcome is unknown.
async fn commit(tx: Tx) -> Result<(), StoreError> {
    tx.commit().await.map_err(broken_commit)
}

/// Runs a statement that is a transaction of its own: its commit may have failed, unless no connection was available.
async fn run<A>(
    writer: &Writer,
    statement: Query<'_, Postgres, A>,
) -> Result<PgQueryResult, StoreError>
where
    A: Send + IntoArguments<Postgres>,
{
    let mut connection = acquire(writer).await?;
    let done = statement.execute(&mut *connection).await;
    done.map_err(broken_commit)
}

/// Takes a lock that is held until the end of the transaction, for the text `on`: transactions with the same text run one after the other,
/// and each sees the rows of those before it. It locks no row, so it cannot cause a deadlock with row locks.
async fn serialise(tx: &mut Tx, on: &str) -> Result<(), StoreError> {
    sqlx::query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))")
        .bind(on)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// Converts the error of a statement that commits. Nothing was certainly committed only if the database has answered and was not stopping.
fn broken_commit(error: sqlx::Error) -> StoreError {
    let refused = error
        .as_database_error()
        .and_then(|refusal| refusal.code())
        .is_some_and(|code| {
            // 08: connection exception. 57P: the server is stopping. 40003: statement completion unknown.
            !(code.starts_with("08") || code.starts_with("57P") || code == "40003")
        });
    if refused {
        error.into()
    } else {
        StoreError::outcome_unknown(error)
    }
}

fn is_deadlock(error: &sqlx::Error) -> bool {
    let refusal = error.as_database_error();
    refusal
        .and_then(|refusal| refusal.code())
        .is_some_and(|code| code == "40P01")
}

fn unopened(place: &str, error: &sqlx::Error) -> OpenError {
    OpenError(match error {
        sqlx::Error::Database(refusal) => {
            format!("Postgres at {place} refuses: {}", refusal.message())
        }
        sqlx::Error::PoolTimedOut => format!(
            "Postgres at {place} does not answer; start it, or mend the host and port of the database's address"
        ),
        sqlx::Error::Io(cause) => format!(
            "cannot reach Postgres at {place}: {cause}; start it, or mend the host and port of the database's address"
        ),
        other => format!("cannot use Postgres at {place}: {other}"),
    })
}

fn unmigrated(place: &str, error: &MigrateError) -> OpenError {
    match error {
        MigrateError::Execute(cause) | MigrateError::ExecuteMigration(cause, _) => {
            unopened(place, cause)
        }
        MigrateError::VersionMissing(_) => OpenError(format!(
            "the database at {place} was written by a later version of this program; run that one"
        )),
        other => OpenError(format!(
            "cannot bring the database at {place} up to date: {other}"
        )),
    }
}
