//! The error of a command.

use std::error::Error;

/// The reason why a command cannot go on, as one line.
pub(crate) type Failure = Box<dyn Error + Send + Sync>;
