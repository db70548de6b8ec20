//! Notices to players.

use async_trait::async_trait;
use mawe_wire::ids::{ChallengeId, NoticeId, PlayerId};
use mawe_wire::{NoticeAbout, NoticeKind};

use crate::{Player, StoreError};

/// The number of notices that are kept of one player. Unread ones of moderators are kept beyond it: only moderators can make many of them.
pub const MAX_NOTICES: u32 = 100;

/// Notices to players about events in their absence.
///
/// Challenges, reports and counted matches write their notices in their own transactions. Only registered players get notices; a
/// moderator's is for everybody.
#[async_trait]
pub trait Notices: Send + Sync {
    /// Returns a page of a player's notices, newest first, after `cursor` if given.
    async fn notices_of(
        &self,
        player: &PlayerId,
        filter: NoticeFilter,
        cursor: Option<&NoticeCursor>,
        limit: u32,
    ) -> Result<Vec<NoticeRow>, StoreError>;

    /// Returns all notices about a match, a challenge or a report, by its id.
    async fn notices_about(&self, about: &str) -> Result<Vec<NoticeRow>, StoreError>;

    /// Returns the number of a player's unread notices.
    async fn unread_notices(&self, player: &PlayerId) -> Result<u32, StoreError>;

    /// Returns whether a player has a notice about this, unread or of this kind.
    async fn has_notice(
        &self,
        player: &PlayerId,
        about: &str,
        kind: Option<NoticeKind>,
    ) -> Result<bool, StoreError>;

    /// Writes a notice, in the place of an older one about the same thing, if the player has an account. Returns whether it was written.
    async fn write_notice(&self, new: &NewNotice) -> Result<bool, StoreError>;

    /// Marks notices of a player as read. Returns the number of those that were unread.
    async fn read_notices(
        &self,
        player: &PlayerId,
        which: &WhichNotices,
        now_ms: i64,
    ) -> Result<u64, StoreError>;

    /// Deletes a notice. Returns `false` when the player has no notice with this id.
    async fn delete_notice(&self, player: &PlayerId, id: &NoticeId) -> Result<bool, StoreError>;

    /// Deletes a player's notice about this if it is of this kind. Returns whether there was one.
    async fn delete_notice_about(
        &self,
        player: &PlayerId,
        about: &str,
        kind: NoticeKind,
    ) -> Result<bool, StoreError>;

    /// Writes the notices of challenges by name that nobody answered and that have expired by `now_ms`, oldest first and each once, also
    /// where several nodes call. Returns the challenges; as many as `limit` mean that there may be more.
    async fn note_lapsed(&self, now_ms: i64, limit: u32) -> Result<Vec<ChallengeId>, StoreError>;
}

/// The notices to list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NoticeFilter {
    /// Unread ones only.
    pub unread: bool,
    /// Those of moderators only.
    pub of_moderators: bool,
}

/// A place in a list of notices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoticeCursor {
    /// The time of the last notice before it.
    pub at_ms: i64,
    /// The id of that notice.
    pub id: NoticeId,
}

/// The notices to mark as read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WhichNotices {
    /// All up to this time.
    UpTo(i64),
    /// One.
    One(NoticeId),
    /// The one about a match, a challenge or a report.
    About(String),
}

/// A notice to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewNotice {
    /// The player.
    pub player: PlayerId,
    /// The kind; none of a moderator's.
    pub kind: NoticeKind,
    /// The other player.
    pub by: Option<PlayerId>,
    /// The id of the match, challenge or report.
    pub key: String,
    /// What it is about, for the reader.
    pub about: NoticeAbout,
    /// The time after which it is pointless, if any.
    pub until_ms: Option<i64>,
    /// The time of the cause.
    pub at_ms: i64,
}

/// A notice as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoticeRow {
    /// Its id.
    pub id: NoticeId,
    /// The player.
    pub player: PlayerId,
    /// The kind.
    pub kind: NoticeKind,
    /// The moderator's text.
    pub text: String,
    /// The end of the measure or of the time to act, if there is one.
    pub until_ms: Option<i64>,
    /// The time of the cause.
    pub at_ms: i64,
    /// Whether the player has read it.
    pub read: bool,
    /// The other player, if there is one and their account exists.
    pub by: Option<Player>,
    /// What it is about.
    pub about: NoticeAbout,
}
