//! What can go wrong with a store.

use crate::ids::PlayerId;

/// What can go wrong with a store that is open.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// What was named is not there.
    #[error("not found")]
    NotFound,
    /// What was to be made is there already, or has changed meanwhile.
    #[error("conflict")]
    Conflict,
    /// The disk is nearly full: no match and no player is added, so that the running matches can end. Nothing was written.
    #[error("the disk is nearly full")]
    LowSpace,
    /// This player has [`MAX_RUNNING`](super::MAX_RUNNING) running matches; nothing was written.
    #[error("player {0} has too many running matches")]
    TooManyMatches(PlayerId),
    /// The store does not answer; nothing was written.
    #[error("the store is unavailable")]
    Unavailable(#[source] sqlx::Error),
    /// The line broke inside a commit: whether it was written must be read back.
    #[error("the outcome of a commit is unknown")]
    OutcomeUnknown(#[source] sqlx::Error),
    /// A row holds what this program would not have written.
    #[error("a stored {what} is damaged: {detail}")]
    Damaged {
        /// What.
        what: &'static str,
        /// What is wrong with it.
        detail: String,
    },
}

impl StoreError {
    /// Whether the cause is a disk without room.
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
    /// For anything but a commit, after which more is open: see the backends.
    fn from(error: sqlx::Error) -> Self {
        use sqlx::error::ErrorKind;
        match error {
            sqlx::Error::RowNotFound => Self::NotFound,
            sqlx::Error::Database(refusal) => match refusal.kind() {
                ErrorKind::UniqueViolation => Self::Conflict,
                // What the row was to belong to.
                ErrorKind::ForeignKeyViolation => Self::NotFound,
                _ => Self::Unavailable(sqlx::Error::Database(refusal)),
            },
            sqlx::Error::ColumnDecode { .. }
            | sqlx::Error::Decode(_)
            | sqlx::Error::ColumnNotFound(_)
            | sqlx::Error::ColumnIndexOutOfBounds { .. } => Self::Damaged {
                what: "row",
                detail: error.to_string(),
            },
            other => Self::Unavailable(other),
        }
    }
}

/// Why a store could not be opened: one line, with the thing and the mend, and without a password.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct OpenError(pub String);
