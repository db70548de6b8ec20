//! The mark of a database that `mawe copy` has not finished. No program opens it as a store.

use crate::error::OpenError;

/// The table that marks a target, with a row for each table: its number of rows in the source, those copied, and the key of the last of them.
pub(super) const MARK: &str = "unfinished_copy";

/// The table of the references that were set aside, where the database allows no other way.
pub(super) const REFERENCES: &str = "unfinished_copy_references";

/// Returns the error of a database that `mawe copy` has not finished.
pub(super) fn unfinished_copy(place: &str) -> OpenError {
    OpenError(format!(
        "the database {place} is an unfinished copy; say the same `mawe copy` again, which finishes it, or begin anew with an empty one"
    ))
}
