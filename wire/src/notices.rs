//! Notices to players about events in their absence.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::PlayerRef;
use crate::clubs::ClubRef;
use crate::events::EventRef;
use crate::ids::{ChallengeId, ClubMatchId, MatchId, NoticeId};
use mawe_rules::GameKind;

/// A notice to a player. It is kept for 90 days, read or not; of one player, the latest 100 are kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Notice {
    /// Its id.
    pub id: NoticeId,
    /// The kind of notice.
    pub kind: NoticeKind,
    /// A moderator's reason, in their words; empty in every other notice.
    pub text: String,
    /// The end of a moderator's measure, of the time to answer a challenge, or of the turn; null if there is none.
    #[schema(required = true)]
    pub until: Option<jiff::Timestamp>,
    /// The time of its cause. A later cause about the same match replaces a notice.
    pub at: jiff::Timestamp,
    /// Whether the player has read it.
    pub read: bool,
    /// The other player: the challenger, the challenged player, the opponent, the reported player, the appellant, or the inviting
    /// officer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<PlayerRef>,
    /// What it is about.
    #[serde(flatten)]
    pub about: NoticeAbout,
}

/// What a notice is about; which fields there are depends on its kind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NoticeAbout {
    /// The match.
    #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
    pub match_id: Option<MatchId>,
    /// The challenge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub challenge: Option<ChallengeId>,
    /// The game kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<GameKind>,
    /// The result of a match that has ended, for the reader.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<NoticeOutcome>,
    /// The code of the reason: for which a match ended, or a challenge was declined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The change of the reader's rating, rounded, where the match was rated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating_change: Option<i32>,
    /// Whether moderators have acted on the reader's report, or have accepted the appeal against the reader's decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upheld: Option<bool>,
    /// The club.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub club: Option<ClubRef>,
    /// The club match; `club` is then the other club, unless it is closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub club_match: Option<ClubMatchId>,
    /// The event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<EventRef>,
}

/// The result of a match, for one of its players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NoticeOutcome {
    /// The reader has won.
    Won,
    /// A draw.
    Drawn,
    /// The reader has lost.
    Lost,
    /// The match was called off.
    CalledOff,
}

/// A kind of notice: a code, which the page translates for the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NoticeKind {
    /// A moderator: the player's conduct is not acceptable.
    Warning,
    /// A moderator: the player can no longer send phrases, nor write in chats.
    Muted,
    /// A moderator: the player can no longer write in chats.
    ChatMuted,
    /// A moderator: the player has another name.
    Renamed,
    /// A moderator: the player's display name was removed.
    DisplayNameRemoved,
    /// A moderator: the player's appeal was accepted, and the measure against them is taken back.
    AppealAccepted,
    /// A moderator: the player's appeal was rejected.
    AppealRejected,
    /// For a moderator: another one has decided about an appeal against their decision.
    AppealDecided,
    /// Moderators have decided about the player's report.
    Report,
    /// Somebody challenges the player by name.
    Challenge,
    /// A challenge to the player was not answered in time.
    ChallengeMissed,
    /// The player's challenge by name was accepted.
    ChallengeAccepted,
    /// The player's challenge by name was declined.
    ChallengeDeclined,
    /// The player's challenge by name was not answered in time.
    ChallengeLapsed,
    /// It is the player's turn in a match that is not realtime.
    Turn,
    /// A match that is not realtime, or that the player had left, has ended.
    Ended,
    /// An officer invites the player to a club.
    ClubInvitation,
    /// An officer has accepted the player's request to join a club.
    ClubAccepted,
    /// An officer has removed the player from a club.
    ClubRemoved,
    /// For an officer: another club proposes a club match.
    ClubMatchProposed,
    /// For an officer: the other club has accepted a club match.
    ClubMatchAccepted,
    /// For an officer: the other club has declined a club match.
    ClubMatchDeclined,
    /// A match of the player for a club has begun.
    ClubMatchBegun,
    /// A club match for which the player had signed up was cancelled.
    ClubMatchCancelled,
    /// An event that the player has joined begins soon.
    EventStarts,
    /// A match of the player in an event has begun.
    EventMatchBegun,
}

impl NoticeKind {
    /// All of them.
    pub const ALL: [NoticeKind; 26] = [
        NoticeKind::Warning,
        NoticeKind::Muted,
        NoticeKind::ChatMuted,
        NoticeKind::Renamed,
        NoticeKind::DisplayNameRemoved,
        NoticeKind::AppealAccepted,
        NoticeKind::AppealRejected,
        NoticeKind::AppealDecided,
        NoticeKind::Report,
        NoticeKind::Challenge,
        NoticeKind::ChallengeMissed,
        NoticeKind::ChallengeAccepted,
        NoticeKind::ChallengeDeclined,
        NoticeKind::ChallengeLapsed,
        NoticeKind::Turn,
        NoticeKind::Ended,
        NoticeKind::ClubInvitation,
        NoticeKind::ClubAccepted,
        NoticeKind::ClubRemoved,
        NoticeKind::ClubMatchProposed,
        NoticeKind::ClubMatchAccepted,
        NoticeKind::ClubMatchDeclined,
        NoticeKind::ClubMatchBegun,
        NoticeKind::ClubMatchCancelled,
        NoticeKind::EventStarts,
        NoticeKind::EventMatchBegun,
    ];

    /// The code, on the wire and in the store.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            NoticeKind::Warning => "warning",
            NoticeKind::Muted => "muted",
            NoticeKind::ChatMuted => "chat-muted",
            NoticeKind::Renamed => "renamed",
            NoticeKind::DisplayNameRemoved => "display-name-removed",
            NoticeKind::AppealAccepted => "appeal-accepted",
            NoticeKind::AppealRejected => "appeal-rejected",
            NoticeKind::AppealDecided => "appeal-decided",
            NoticeKind::Report => "report",
            NoticeKind::Challenge => "challenge",
            NoticeKind::ChallengeMissed => "challenge-missed",
            NoticeKind::ChallengeAccepted => "challenge-accepted",
            NoticeKind::ChallengeDeclined => "challenge-declined",
            NoticeKind::ChallengeLapsed => "challenge-lapsed",
            NoticeKind::Turn => "turn",
            NoticeKind::Ended => "ended",
            NoticeKind::ClubInvitation => "club-invitation",
            NoticeKind::ClubAccepted => "club-accepted",
            NoticeKind::ClubRemoved => "club-removed",
            NoticeKind::ClubMatchProposed => "club-match-proposed",
            NoticeKind::ClubMatchAccepted => "club-match-accepted",
            NoticeKind::ClubMatchDeclined => "club-match-declined",
            NoticeKind::ClubMatchBegun => "club-match-begun",
            NoticeKind::ClubMatchCancelled => "club-match-cancelled",
            NoticeKind::EventStarts => "event-starts",
            NoticeKind::EventMatchBegun => "event-match-begun",
        }
    }

    /// Whether a moderator addresses the player with it. The page shows such a notice above everything until it is read, and it is kept
    /// until then.
    #[must_use]
    pub fn is_of_moderator(self) -> bool {
        matches!(
            self,
            NoticeKind::Warning
                | NoticeKind::Muted
                | NoticeKind::ChatMuted
                | NoticeKind::Renamed
                | NoticeKind::DisplayNameRemoved
                | NoticeKind::AppealAccepted
                | NoticeKind::AppealRejected
        )
    }
}
