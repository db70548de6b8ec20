//! Reports of players, and what moderators make of them: the words of both.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a player is reported for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReportReason {
    /// Plays with the help of a computer, or of somebody else.
    Cheating,
    /// Lets the clock run, walks away, loses on purpose.
    Stalling,
    /// Bothers others with phrases, challenges or in other ways.
    Harassing,
    /// Has a name that insults or deceives.
    Name,
    /// Something else; the text says what.
    Other,
}

impl ReportReason {
    /// All of them.
    pub const ALL: [ReportReason; 5] = [
        ReportReason::Cheating,
        ReportReason::Stalling,
        ReportReason::Harassing,
        ReportReason::Name,
        ReportReason::Other,
    ];

    /// Its word, on the wire and in the store.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            ReportReason::Cheating => "cheating",
            ReportReason::Stalling => "stalling",
            ReportReason::Harassing => "harassing",
            ReportReason::Name => "name",
            ReportReason::Other => "other",
        }
    }
}

/// What a moderator did about a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Resolution {
    /// Nothing: there is nothing in it.
    Dismiss,
    /// The player is told what was wrong.
    Warn,
    /// The player says no phrases.
    Mute,
    /// Nobody gets into the account.
    Disable,
    /// The account has another name.
    Rename,
}

impl Resolution {
    /// All of them.
    pub const ALL: [Resolution; 5] = [
        Resolution::Dismiss,
        Resolution::Warn,
        Resolution::Mute,
        Resolution::Disable,
        Resolution::Rename,
    ];

    /// Its word, on the wire, in the store and in the log.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Resolution::Dismiss => "dismiss",
            Resolution::Warn => "warn",
            Resolution::Mute => "mute",
            Resolution::Disable => "disable",
            Resolution::Rename => "rename",
        }
    }
}
