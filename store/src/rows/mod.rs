//! Database rows, and their conversion to the types of the store. A value that does not parse is [`StoreError::Damaged`](super::StoreError::Damaged).

mod accounts;
mod challenges;
mod chat;
mod classes;
mod club_matches;
mod clubs;
mod convert;
mod correspondence;
mod event_timetables;
mod events;
mod identity;
mod invitations;
mod matches;
mod notices;
mod passkeys;
mod players;
mod push;
mod ratings;
mod relations;
mod reports;
mod tallies;
mod voids;

pub(super) use accounts::{AccountRecord, AuditRecord};
pub(super) use challenges::ChallengeRecord;
pub(super) use chat::{ChatFactsRecord, ChatLineRecord};
pub(super) use classes::{ClassRecord, ClassRulesRecord, LoginCardRecord, PupilRecord};
pub(super) use club_matches::{
    ClubBoardRecord, ClubGameKeyRecord, ClubGameRecord, ClubMatchPlayerRecord, ClubMatchRecord,
    ReadyClubGameRecord,
};
pub(super) use clubs::{
    ClubInvitationRecord, ClubLogRecord, ClubMemberRecord, ClubOfRecord, ClubRecord,
    ClubRequestRecord, StandingRecord,
};
pub(super) use convert::{Stored, damaged, id, int, number, parsed, token_hash};
pub use convert::{name_key, name_look};
pub(super) use correspondence::ConditionalRecord;
pub(super) use event_timetables::EventTimetableRecord;
pub(super) use events::{
    EndedEventGameRecord, EventEntryRecord, EventGameKeyRecord, EventGameRecord, EventPlayerRecord,
    EventRecord,
};
pub(super) use identity::{
    HolderRecord, OauthCodeRecord, SessionRecord, StoredOauthCode, TokenRecord,
};
pub(super) use invitations::InvitationRecord;
pub(super) use matches::{EntryRecord, MatchRecord, ResultRecord, TimeColumns};
pub(super) use notices::NoticeRecord;
pub(super) use passkeys::{LoginPasskeyRecord, PasskeyRecord};
pub(super) use players::{AbandonmentsRecord, CredentialsRecord, PlayerRecord};
pub(super) use push::SubscriptionRecord;
pub(super) use ratings::{
    ChangeRecord, LeaderboardRecord, OfPlayer, RatingCountRecord, RatingRecord, SeedRecord,
};
pub(super) use relations::{
    ChallengeRuleRecord, FollowCountsRecord, RelatedRecord, RelationRecord,
};
pub(super) use reports::ReportRecord;
pub(super) use tallies::{GameTallyRecord, OpponentTallyRecord, SideTallyRecord};
pub(super) use voids::PairToReviewRecord;
