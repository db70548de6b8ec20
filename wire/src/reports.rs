//! The reasons and resolutions of reports about players.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The reason of a report about a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReportReason {
    /// Plays with the help of a computer or of another person.
    Cheating,
    /// Lets the clock run, walks away, loses on purpose.
    Stalling,
    /// Bothers others with phrases, challenges or in other ways.
    Harassing,
    /// Has written a line of chat that harms others.
    Chat,
    /// Has a name that insults or deceives.
    Name,
    /// Any other reason, given in the text.
    Other,
}

impl ReportReason {
    /// All reasons.
    pub const ALL: [ReportReason; 6] = [
        ReportReason::Cheating,
        ReportReason::Stalling,
        ReportReason::Harassing,
        ReportReason::Chat,
        ReportReason::Name,
        ReportReason::Other,
    ];

    /// Returns the reason's name on the wire and in the store.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            ReportReason::Cheating => "cheating",
            ReportReason::Stalling => "stalling",
            ReportReason::Harassing => "harassing",
            ReportReason::Chat => "chat",
            ReportReason::Name => "name",
            ReportReason::Other => "other",
        }
    }
}

/// A moderator's action on a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Resolution {
    /// No action: the report is unfounded.
    Dismiss,
    /// The player gets a warning.
    Warn,
    /// The player may neither send phrases nor write in chats.
    Mute,
    /// The player may not write in chats.
    MuteChat,
    /// The account is disabled: nobody can log in to it.
    Disable,
    /// The account gets another name.
    Rename,
    /// The account loses its display name.
    RemoveDisplayName,
}

impl Resolution {
    /// All resolutions.
    pub const ALL: [Resolution; 7] = [
        Resolution::Dismiss,
        Resolution::Warn,
        Resolution::Mute,
        Resolution::MuteChat,
        Resolution::Disable,
        Resolution::Rename,
        Resolution::RemoveDisplayName,
    ];

    /// Returns the resolution's name on the wire, in the store and in the log.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Resolution::Dismiss => "dismiss",
            Resolution::Warn => "warn",
            Resolution::Mute => "mute",
            Resolution::MuteChat => "mute-chat",
            Resolution::Disable => "disable",
            Resolution::Rename => "rename",
            Resolution::RemoveDisplayName => "remove-display-name",
        }
    }
}
