//! The errors of a store.

use mawe_play::Damaged;
use mawe_wire::ids::PlayerId;

use crate::ClubRefusal;
use crate::figures::{Fault, count_error};

/// An error of an open store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The named row does not exist.
    #[error("not found")]
    NotFound,
    /// The row to create exists already, or the row to change was changed by another.
    #[error("conflict")]
    Conflict,
    /// The disk is nearly full: no match or player is added, so that the running matches can end. Nothing was written.
    #[error("the disk is nearly full")]
    LowSpace,
    /// This player has [`MAX_RUNNING`](super::MAX_RUNNING) running matches; nothing was written.
    #[error("player {0} has too many running matches")]
    TooManyMatches(PlayerId),
    /// One of the two players has blocked the other; nothing was written.
    #[error("one of the players has blocked the other")]
    Blocked,
    /// The code of an invitation makes no account; nothing was written.
    #[error("the invitation makes no account")]
    NotInvited,
    /// A name looks like that of another player, or like one held for them; nothing was written.
    #[error("the name looks like that of another player")]
    LooksAlike,
    /// A change of a club is refused; nothing was written.
    #[error(transparent)]
    Club(#[from] ClubRefusal),
    /// The database does not answer; nothing was written.
    #[error("the store is unavailable")]
    Unavailable(#[source] sqlx::Error),
    /// The connection broke during a commit: read back whether it was written.
    #[error("the outcome of a commit is unknown")]
    OutcomeUnknown(#[source] sqlx::Error),
    /// A row has a content that this program does not write.
    #[error("a stored {what} is damaged: {detail}")]
    Damaged {
        /// The kind of the value.
        what: &'static str,
        /// The fault.
        detail: String,
    },
}

impl StoreError {
    /// Returns the error of a statement that could not be executed, and counts it.
    pub(crate) fn unavailable(cause: sqlx::Error) -> Self {
        count_error(Fault::Unavailable);
        Self::Unavailable(cause)
    }

    /// Returns the error of a commit whose outcome is unknown, and counts it.
    pub(crate) fn outcome_unknown(cause: sqlx::Error) -> Self {
        count_error(Fault::OutcomeUnknown);
        Self::OutcomeUnknown(cause)
    }

    /// Returns the error of a stored value that this program does not write, and counts it.
    pub(crate) fn damaged(what: &'static str, detail: String) -> Self {
        count_error(Fault::Damaged);
        Self::Damaged { what, detail }
    }

    /// Whether the cause is a full disk.
    #[must_use]
    pub fn is_disk_full(&self) -> bool {
        let (Self::Unavailable(cause) | Self::OutcomeUnknown(cause)) = self else {
            return false;
        };
        let code = cause.as_database_error().and_then(|refusal| refusal.code());
        // SQLITE_FULL, and the SQLSTATE of a full disk.
        code.is_some_and(|code| code == "13" || code == "53100")
    }
}

impl From<sqlx::Error> for StoreError {
    /// Converts an error of any statement except a commit, whose outcome may be unknown: see the backends.
    fn from(error: sqlx::Error) -> Self {
        use sqlx::error::ErrorKind;
        match error {
            sqlx::Error::RowNotFound => Self::NotFound,
            sqlx::Error::Database(refusal) => match refusal.kind() {
                ErrorKind::UniqueViolation => Self::Conflict,
                // The row that the new one refers to does not exist.
                ErrorKind::ForeignKeyViolation => Self::NotFound,
                _ => Self::unavailable(sqlx::Error::Database(refusal)),
            },
            sqlx::Error::ColumnDecode { .. }
            | sqlx::Error::Decode(_)
            | sqlx::Error::ColumnNotFound(_)
            | sqlx::Error::ColumnIndexOutOfBounds { .. } => Self::damaged("row", error.to_string()),
            other => Self::unavailable(other),
        }
    }
}

/// The reason why a store could not be opened: one line with the file or address, the fault and its remedy, without a password.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct OpenError(pub String);

impl From<Damaged> for StoreError {
    fn from(Damaged { what, detail }: Damaged) -> Self {
        Self::damaged(what, detail)
    }
}
