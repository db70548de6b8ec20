//! Group commit for the one writer of SQLite: writes that wait for each other share a transaction, and so one commit and one wait for the
//! disk (`docs/decisions/0017-shared-commits.md`).
//!
//! A write takes its turn, and works behind a savepoint, so that it is undone alone. While others wait, it leaves the transaction open for
//! the next one; its caller gets the outcome of the commit, which comes after those that were waiting by then. A write that nobody waits for
//! is a transaction of its own.

use std::borrow::Cow;
use std::error::Error;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use sqlx::error::{DatabaseError, ErrorKind};
use sqlx::query::Query;
use sqlx::sqlite::{SqliteConnection, SqlitePool, SqliteQueryResult};
use sqlx::{IntoArguments, Sqlite, Transaction};
use tokio::sync::{Mutex, OwnedMutexGuard, oneshot};

use crate::StoreError;
use crate::figures::count_wait;

/// The most writes in one commit, so that the first does not wait for a crowd.
const MOST: usize = 128;

/// The time that a write waits for its turn before the store counts as unavailable.
pub(super) const TURN_LIMIT: Duration = Duration::from_secs(10);

const IS_OPEN: &str = "a write in progress has a transaction";

type Group = Arc<Mutex<Option<Open>>>;

/// The connection for writing, for one write at a time in the order of their calls.
#[derive(Clone)]
pub(super) struct Writer {
    pool: SqlitePool,
    group: Group,
    waiting: Arc<AtomicUsize>,
}

/// A transaction with the finished writes of a group.
struct Open {
    transaction: Transaction<'static, Sqlite>,
    /// The callers of the finished writes.
    finished: Vec<oneshot::Sender<Outcome>>,
    /// Whether there is a savepoint, which only the first write does without.
    has_savepoint: bool,
    /// Whether the write after the savepoint has failed, so that it is to be rolled back.
    is_given_up: bool,
}

/// The outcome of a commit for each of its writes: an error has no copies.
type Outcome = Result<(), Failure>;

#[derive(Clone, Debug)]
struct Failure {
    is_certain: bool,
    cause: Cause,
}

/// The cause of a failed commit, for each of its writes. It keeps the code of SQLite, which distinguishes a full disk from a broken one.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{text}")]
struct Cause {
    code: Option<String>,
    text: String,
}

/// A write in progress: a transaction, or the part of one behind a savepoint. Undone if it is dropped.
pub(super) struct Tx {
    writer: Writer,
    group: OwnedMutexGuard<Option<Open>>,
    is_alone: bool,
}

/// Counts a write that waits for its turn.
struct Waiting<'a>(&'a AtomicUsize);

impl Writer {
    /// `pool` has one connection.
    pub(super) fn new(pool: SqlitePool) -> Self {
        Self {
            pool,
            group: Group::default(),
            waiting: Arc::default(),
        }
    }

    pub(super) fn pool(&self) -> &SqlitePool {
        &self.pool
    }

    pub(super) async fn close(&self) {
        self.pool.close().await;
    }

    async fn turn(&self) -> Result<OwnedMutexGuard<Option<Open>>, StoreError> {
        let _waiting = Waiting::new(&self.waiting);
        let began = Instant::now();
        let turn = tokio::time::timeout(TURN_LIMIT, Arc::clone(&self.group).lock_owned()).await;
        count_wait(began.elapsed());
        turn.map_err(|_too_late| StoreError::unavailable(sqlx::Error::PoolTimedOut))
    }

    /// Returns the number of writes that wait for their turn.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Commits the group after the writes that are waiting now.
    fn close_later(&self) {
        let group = Arc::clone(&self.group);
        tokio::spawn(async move { close(&mut *group.lock_owned().await).await });
    }
}

async fn close(group: &mut Option<Open>) {
    if let Some(open) = group.take() {
        // Its callers get the outcome.
        let _ = open.close().await;
    }
}

/// Begins a write. A new transaction has the write lock from its first statement, so it never has to be retried.
pub(super) async fn begin(writer: &Writer) -> Result<Tx, StoreError> {
    let group = writer.turn().await?;
    begin_in(writer, group).await
}

async fn begin_in(
    writer: &Writer,
    mut group: OwnedMutexGuard<Option<Open>>,
) -> Result<Tx, StoreError> {
    match group.as_mut() {
        None => *group = Some(Open::begin(&writer.pool).await?),
        Some(open) => {
            if let Err(error) = open.next().await {
                // The transaction is gone, and the finished writes with it.
                let lost = StoreError::from(error);
                if let Some(open) = group.take() {
                    answer(open.finished, &Err(Failure::of(&lost)));
                }
                return Err(lost);
            }
        }
    }
    Ok(Tx {
        writer: writer.clone(),
        group,
        is_alone: false,
    })
}

/// Begins a write that may last long, in a transaction of its own: the writes before it are acknowledged first.
pub(super) async fn begin_alone(writer: &Writer) -> Result<Tx, StoreError> {
    let mut group = writer.turn().await?;
    close(&mut group).await;
    *group = Some(Open::begin(&writer.pool).await?);
    Ok(Tx {
        writer: writer.clone(),
        group,
        is_alone: true,
    })
}

/// Commits a write. [`StoreError::Unavailable`] when certainly nothing was written.
pub(super) async fn commit(mut tx: Tx) -> Result<(), StoreError> {
    let waits = tx.writer.waiting.load(Ordering::Relaxed) > 0;
    let mut open = tx.group.take().expect(IS_OPEN);
    open.is_given_up = false;
    if tx.is_alone || !waits || open.finished.len() + 1 >= MOST {
        return open.close().await;
    }
    let (finished, outcome) = oneshot::channel();
    open.finished.push(finished);
    if open.finished.len() == 1 {
        tx.writer.close_later();
    }
    *tx.group = Some(open);
    drop(tx);
    outcome
        .await
        .map_err(|_dropped| StoreError::outcome_unknown(sqlx::Error::WorkerCrashed))?
        .map_err(StoreError::from)
}

/// Runs a statement that is a write of its own.
pub(super) async fn run<'q, A>(
    writer: &Writer,
    statement: Query<'q, Sqlite, A>,
) -> Result<SqliteQueryResult, StoreError>
where
    A: Send + IntoArguments<Sqlite>,
{
    let group = writer.turn().await?;
    if group.is_some() {
        let mut tx = begin_in(writer, group).await?;
        let done = statement.execute(&mut *tx).await?;
        commit(tx).await?;
        return Ok(done);
    }
    // A statement alone is a transaction, without the changes of thread that begin and commit one.
    let mut connection = writer.pool.acquire().await?;
    let done = statement.execute(&mut *connection).await;
    done.map_err(broken_commit)
}

/// Converts the error of a failed commit. After a disk error in the middle of a commit, the commit may still exist, and come back after a
/// crash. Only a database locked by another process, or a broken constraint, has certainly written nothing.
fn broken_commit(error: sqlx::Error) -> StoreError {
    match StoreError::from(error) {
        StoreError::Unavailable(cause) if !is_busy(&cause) => StoreError::outcome_unknown(cause),
        certain => certain,
    }
}

fn is_busy(error: &sqlx::Error) -> bool {
    const SQLITE_BUSY: u32 = 5;
    let code = error.as_database_error().and_then(|refusal| refusal.code());
    // The lowest byte is the primary result code.
    let code = code.and_then(|code| code.parse::<u32>().ok());
    code.is_some_and(|code| code & 0xff == SQLITE_BUSY)
}

impl Open {
    async fn begin(pool: &SqlitePool) -> Result<Open, StoreError> {
        Ok(Open {
            transaction: pool.begin_with("BEGIN IMMEDIATE").await?,
            finished: Vec::new(),
            has_savepoint: false,
            is_given_up: true,
        })
    }

    /// Prepares for the next write: rolls back the write before it if that failed.
    async fn next(&mut self) -> Result<(), sqlx::Error> {
        let statement = match (self.has_savepoint, self.is_given_up) {
            (true, true) => "ROLLBACK TO write",
            (true, false) => "RELEASE write; SAVEPOINT write",
            (false, _) => "SAVEPOINT write",
        };
        // True from here on, also if nobody waits for the end of the statement.
        (self.has_savepoint, self.is_given_up) = (true, true);
        sqlx::raw_sql(statement)
            .execute(&mut *self.transaction)
            .await?;
        Ok(())
    }

    /// Commits the finished writes.
    async fn close(mut self) -> Result<(), StoreError> {
        let undone = match self.has_savepoint && self.is_given_up {
            true => sqlx::raw_sql("ROLLBACK TO write")
                .execute(&mut *self.transaction)
                .await
                .map(drop),
            false => Ok(()),
        };
        let Self {
            transaction,
            finished,
            ..
        } = self;
        let outcome = match undone {
            Ok(()) => transaction.commit().await.map_err(broken_commit),
            Err(error) => Err(StoreError::from(error)),
        };
        answer(finished, &outcome.as_ref().copied().map_err(Failure::of));
        outcome
    }
}

/// Returns the outcome of a commit to the callers of its writes.
fn answer(finished: Vec<oneshot::Sender<Outcome>>, outcome: &Outcome) {
    for caller in finished {
        // The caller may have stopped waiting.
        let _ = caller.send(outcome.clone());
    }
}

impl Failure {
    fn of(error: &StoreError) -> Self {
        let (StoreError::Unavailable(cause) | StoreError::OutcomeUnknown(cause)) = error else {
            let (code, text) = (None, error.to_string());
            return Self {
                is_certain: true,
                cause: Cause { code, text },
            };
        };
        let code = cause.as_database_error().and_then(|refusal| refusal.code());
        Self {
            is_certain: matches!(error, StoreError::Unavailable(_)),
            cause: Cause {
                code: code.map(Cow::into_owned),
                text: cause.to_string(),
            },
        }
    }
}

impl From<Failure> for StoreError {
    fn from(Failure { is_certain, cause }: Failure) -> Self {
        let cause = sqlx::Error::Database(Box::new(cause));
        match is_certain {
            true => StoreError::Unavailable(cause),
            false => StoreError::OutcomeUnknown(cause),
        }
    }
}

impl DatabaseError for Cause {
    fn message(&self) -> &str {
        &self.text
    }

    fn code(&self) -> Option<Cow<'_, str>> {
        self.code.as_deref().map(Cow::Borrowed)
    }

    fn as_error(&self) -> &(dyn Error + Send + Sync + 'static) {
        self
    }

    fn as_error_mut(&mut self) -> &mut (dyn Error + Send + Sync + 'static) {
        self
    }

    fn into_error(self: Box<Self>) -> Box<dyn Error + Send + Sync + 'static> {
        self
    }

    fn kind(&self) -> ErrorKind {
        ErrorKind::Other
    }
}

impl Deref for Tx {
    type Target = SqliteConnection;

    fn deref(&self) -> &SqliteConnection {
        &self.group.as_ref().expect(IS_OPEN).transaction
    }
}

impl DerefMut for Tx {
    fn deref_mut(&mut self) -> &mut SqliteConnection {
        &mut self.group.as_mut().expect(IS_OPEN).transaction
    }
}

impl Drop for Tx {
    fn drop(&mut self) {
        // A write after others is undone by the next one, or before the commit.
        self.group.take_if(|open| open.finished.is_empty());
    }
}

impl<'a> Waiting<'a> {
    fn new(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::task::Poll;

    use futures_util::future::join_all;
    use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};

    use super::*;

    /// A writer for a table of texts, with a count of its commits.
    async fn writer() -> (Writer, Arc<AtomicUsize>) {
        let options = SqliteConnectOptions::new().in_memory(true);
        let pool = SqlitePoolOptions::new().max_connections(1);
        let pool = pool.connect_with(options).await.expect("a database");
        sqlx::query("CREATE TABLE texts (text TEXT PRIMARY KEY)")
            .execute(&pool)
            .await
            .expect("a table");
        let commits = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&commits);
        let mut connection = pool.acquire().await.expect("the connection");
        connection
            .lock_handle()
            .await
            .expect("the handle")
            .set_commit_hook(move || {
                count.fetch_add(1, Ordering::Relaxed);
                true
            });
        (Writer::new(pool), commits)
    }

    async fn write(tx: &mut Tx, text: &str) -> Result<(), StoreError> {
        let statement = sqlx::query("INSERT INTO texts VALUES ($1)").bind(text);
        statement.execute(&mut **tx).await?;
        Ok(())
    }

    async fn add(writer: &Writer, text: &str) -> Result<(), StoreError> {
        let mut tx = begin(writer).await?;
        write(&mut tx, text).await?;
        commit(tx).await
    }

    async fn texts(writer: &Writer) -> Vec<String> {
        sqlx::query_scalar("SELECT text FROM texts ORDER BY text")
            .fetch_all(writer.pool())
            .await
            .expect("the texts")
    }

    /// Lets all tasks run until each of them waits for the writer.
    async fn until_waiting(writer: &Writer, count: usize) {
        while writer.waiting.load(Ordering::Relaxed) < count {
            tokio::task::yield_now().await;
        }
    }

    /// Otherwise its caller would call a full disk a broken one.
    #[tokio::test]
    async fn every_write_of_a_failed_commit_gets_its_cause() {
        let (writer, _) = writer().await;
        sqlx::raw_sql("PRAGMA max_page_count = 4")
            .execute(writer.pool())
            .await
            .expect("a limit");
        let error = add(&writer, &"x".repeat(1 << 20)).await;
        let full = error.expect_err("there is no room");
        assert!(full.is_disk_full());
        let cause = sqlx::Error::Database(Box::new(Failure::of(&full).cause));
        for error in [full, StoreError::OutcomeUnknown(cause)] {
            let copy = StoreError::from(Failure::of(&error));
            assert!(copy.is_disk_full(), "{copy:?}");
            assert_eq!(
                matches!(copy, StoreError::Unavailable(_)),
                matches!(error, StoreError::Unavailable(_))
            );
        }
        let busy = StoreError::from(Failure::of(&StoreError::unavailable(
            sqlx::Error::PoolTimedOut,
        )));
        assert!(!busy.is_disk_full() && matches!(busy, StoreError::Unavailable(_)));
    }

    #[tokio::test]
    async fn a_write_without_others_is_a_commit_of_its_own() {
        let (writer, commits) = writer().await;
        for (done, text) in ["a", "b", "c"].into_iter().enumerate() {
            add(&writer, text).await.expect("a write");
            assert_eq!(commits.load(Ordering::Relaxed), done + 1);
        }
        let statement = sqlx::query("INSERT INTO texts VALUES ('d')");
        run(&writer, statement).await.expect("a write");
        assert_eq!(commits.load(Ordering::Relaxed), 4);
        assert_eq!(texts(&writer).await, ["a", "b", "c", "d"]);
    }

    #[tokio::test]
    async fn writes_that_wait_share_a_commit_and_are_undone_alone() {
        let (writer, commits) = writer().await;
        let mut first = begin(&writer).await.expect("a turn");
        write(&mut first, "first").await.expect("a write");
        let others = async {
            let statement = sqlx::query("INSERT INTO texts VALUES ('statement')");
            let given_up = async {
                let mut tx = begin(&writer).await?;
                write(&mut tx, "given up").await
            };
            tokio::join!(
                add(&writer, "second"),
                given_up,
                add(&writer, "first"),
                run(&writer, statement),
                add(&writer, "third"),
            )
        };
        let first = async {
            until_waiting(&writer, 5).await;
            assert_eq!(commits.load(Ordering::Relaxed), 0);
            commit(first).await
        };
        let (first, (second, given_up, refused, statement, third)) = tokio::join!(first, others);
        for done in [first, second, given_up, statement.map(drop), third] {
            done.expect("a write");
        }
        assert!(matches!(refused, Err(StoreError::Conflict)), "{refused:?}");
        assert_eq!(commits.load(Ordering::Relaxed), 1);
        assert_eq!(
            texts(&writer).await,
            ["first", "second", "statement", "third"]
        );
    }

    #[tokio::test]
    async fn a_caller_that_stops_waiting_leaves_no_write_uncommitted() {
        let (writer, commits) = writer().await;
        let first = begin(&writer).await.expect("a turn");
        let waiting = tokio::spawn({
            let writer = writer.clone();
            async move { add(&writer, "waiting").await }
        });
        until_waiting(&writer, 1).await;
        let mut ending = Box::pin(commit(first));
        // It hands its turn over.
        let polled = poll_fn(|context| Poll::Ready(ending.as_mut().poll(context))).await;
        assert!(polled.is_pending());
        waiting.abort();
        ending.await.expect("a write");
        assert_eq!(commits.load(Ordering::Relaxed), 1);
        assert_eq!(texts(&writer).await, [""; 0]);
    }

    #[tokio::test]
    async fn a_long_write_delays_no_answer_and_shares_nothing() {
        let (writer, commits) = writer().await;
        let first = begin(&writer).await.expect("a turn");
        let long = async {
            let mut tx = begin_alone(&writer).await.expect("a turn");
            // The write before is committed and answered.
            assert_eq!(commits.load(Ordering::Relaxed), 1);
            write(&mut tx, "long").await.expect("a write");
            until_waiting(&writer, 1).await;
            commit(tx).await
        };
        let first = async {
            until_waiting(&writer, 1).await;
            commit(first).await?;
            add(&writer, "after").await
        };
        let (long, first) = tokio::join!(long, first);
        long.expect("a write");
        first.expect("a write");
        assert_eq!(commits.load(Ordering::Relaxed), 3);
    }

    #[tokio::test]
    async fn a_group_ends_though_others_keep_coming() {
        let (writer, commits) = writer().await;
        let held = begin(&writer).await.expect("a turn");
        let names: Vec<String> = (0..3 * MOST).map(|i| format!("{i:04}")).collect();
        let crowd = join_all(names.iter().map(|name| add(&writer, name)));
        let held = async {
            until_waiting(&writer, names.len()).await;
            commit(held).await
        };
        let (held, crowd) = tokio::join!(held, crowd);
        held.expect("a write");
        for done in crowd {
            done.expect("a write");
        }
        let commits = commits.load(Ordering::Relaxed);
        assert!((3..=6).contains(&commits), "{commits}");
        assert_eq!(texts(&writer).await, names);
    }
}
