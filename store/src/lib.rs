//! The store: a trait for each domain, and two backends, SQLite and Postgres, that implement all of them with the same guarantees.
//! [`Store`] stands for all domains together.
//!
//! The central operation is [`Journal::append`]: a compare-and-set on a match's `head` and `epoch` together with the insertion of entries,
//! for many matches in one commit. **The log is the lock**: an append whose `head` or `epoch` differs from the stored one is refused; the
//! rest of its batch is still written.
//!
//! Every write is atomic: after a crash at any point, either all of it is stored or none. A call that returns `Ok` is durable. A write that
//! was begun is completed even when the caller's future is dropped (a cancelled HTTP request must not leave a transaction open on a pooled
//! connection).
//!
//! Times are milliseconds since the Unix epoch, UTC. A *realtime* match has clocks that run in seconds; every other match has the speed
//! `daily`. Every write that adds a match or a player may fail with [`StoreError::LowSpace`].

mod accounts;
mod address;
mod analyses;
mod audit;
pub mod backup;
mod challenges;
mod chat;
mod classes;
mod club_matches;
mod club_refusal;
mod clubs;
mod conditional_moves;
mod connect;
mod copies;
mod copy_mark;
mod corrections;
mod counting;
mod database;
mod detached;
mod devices;
mod directory;
mod display_names;
mod emails;
mod error;
mod event_timetables;
mod events;
mod figures;
mod former_names;
mod interface;
mod invitation_use;
mod invitations;
mod journal;
mod limits;
mod matches;
mod migrate;
mod new_session;
mod nodes;
mod notices;
mod oauth_codes;
mod passkeys;
mod personal_data;
mod players;
mod postgres;
pub mod private;
mod prune;
pub mod pruning;
mod push;
mod ratings;
pub mod readiness;
pub mod recount;
mod recovery_codes;
mod relations;
mod reports;
mod request_keys;
mod rows;
mod scratch;
mod seeds;
mod seeks;
mod sessions;
mod space;
mod sqlite;
mod standings;
mod tallies;
mod tokens;
pub mod transfer;
mod vacations;
mod voids;
mod wishes;

pub use accounts::{Account, AccountChange, AccountFilter, Accounts, Changed, Disabled};
pub use analyses::{Analyses, Analysis, AnalysisState, NewAnalysis, RequestedAnalysis};
pub use audit::{Attribution, AuditFilter, AuditLog, AuditRow, NewAudit};
pub use challenges::{ChallengeRow, Challenges, ExtraTime, NewChallenge, Offered};
pub use chat::{Chat, ChatFacts, ChatLineRow, NewChatLine};
pub use classes::{
    CARDS_KEPT, ClassRow, Classes, LoginCard, MAX_PUPILS, NewCards, NewPupil, NewPupils,
    PupilChange, PupilFault, PupilRow, PupilsMade,
};
pub use club_matches::{
    ByClub, CANCELLATIONS, CLUB_MATCH_LIMITS, ClubBoardRow, ClubGameKey, ClubGameMatch,
    ClubGameResult, ClubGameRow, ClubGameSeated, ClubMatchChange, ClubMatchChanged, ClubMatchClub,
    ClubMatchCursor, ClubMatchEntries, ClubMatchLimits, ClubMatchPlayer, ClubMatchRow,
    ClubMatchStep, ClubMatches, ClubScore, MAX_BOARD_GAMES, MAX_BOARDS, NewClubMatch, OpenClub,
    ReadyClubGame,
};
pub use club_refusal::ClubRefusal;
pub use clubs::{
    CLUB_LIMITS, CLUB_LOG_ENTRIES, CLUBS_SEARCHED, ClubBoard, ClubChange, ClubChanged, ClubCursor,
    ClubEdit, ClubInvitation, ClubLimits, ClubLogRow, ClubMember, ClubModeration, ClubName, ClubOf,
    ClubOfCursor, ClubPlayerCursor, ClubRequest, ClubRow, Clubs, NewClub,
};
pub use conditional_moves::AnswerableMoves;
pub use connect::*;
pub use copies::check_copy;
pub use corrections::{Corrections, RatedMatch, Recounts};
pub use counting::{Counting, RateFn};
pub use database::Database;
pub use devices::{DeviceKey, Devices};
pub use display_names::{
    DISPLAY_NAME_PERIOD_MS, DISPLAY_NAMES_IN_PERIOD, DisplayNameSet, DisplayNameState,
    DisplayNames, NewDisplayName,
};
pub use emails::{CONFIRMATION_MS, EmailConfirmed, Emails, NewLink, OwnEmail, RESET_MS};
pub use error::{OpenError, StoreError};
pub use event_timetables::{
    EVENT_TIMETABLE_LIMITS, EventOccurrence, EventOccurrenceMade, EventRecurrence,
    EventTimetableCreated, EventTimetableLimits, EventTimetableReader, EventTimetableRow,
    EventTimetables, NewEventTimetable,
};
pub use events::{
    EndedEventGame, EventAppend, EventCandidate, EventClub, EventColumns, EventCursor, EventEntry,
    EventFillIns, EventGameChange, EventGameKey, EventGameRow, EventGameSeated, EventMatchEnd,
    EventPlayerChange, EventRow, EventTerms, Events, NewEvent,
};
pub use figures::{DiskFigures, ErrorFigures, PoolFigures, StoreFigures, WaitFigures};
pub use former_names::{FormerNames, NAME_HELD_MS, Renamed};
pub use interface::Store;
pub use invitation_use::InvitationUse;
pub use invitations::{
    INVITATION_KEPT_MS, InvitationCursor, InvitationRow, Invitations, NewInvitation,
};
pub use journal::{Append, Appended, Claim, Journal};
pub use limits::StoreLimits;
pub use matches::{
    ClaimedMatch, MAX_RUNNING, MAX_UNTIMED, MatchCursor, MatchFilter, MatchRow, Matches, NewMatch,
    RunningCounts, Score,
};
pub use new_session::NewSession;
pub use nodes::{NewNode, Nodes};
pub use notices::{
    MAX_NOTICES, NewNotice, NoticeCursor, NoticeFilter, NoticeRow, Notices, WhichNotices,
};
pub use oauth_codes::{
    MAX_OAUTH_CODES, OAUTH_CODE_MS, OauthCode, OauthCodes, OauthRedemption, Redeemed,
};
pub use passkeys::{
    LoginPasskey, MAX_PASSKEYS, NewPasskey, PasskeyCreated, PasskeyRow, PasskeyUse, Passkeys,
    UsedChallenge,
};
pub use personal_data::{PersonalCursor, PersonalData, PersonalPage, PersonalPart};
pub use players::{LookChange, NewPlayer, Player, Players};
pub use prune::{Stale, Upkeep};
pub use push::{PushSecret, PushSubscriptions, SubscriptionRow};
pub use ratings::{
    HistoryCursor, HistoryOrder, LeaderboardRow, RatingChange, RatingCount, RatingRow, Ratings,
};
pub use recovery_codes::{RECOVERY_CODES, RecoveryCodeSet, RecoveryCodes};
pub use relations::{
    ChallengeRule, ClosedByBlock, FollowCounts, Followed, MAX_FOLLOWERS_COUNTED, Related, Relation,
    RelationCursor, Relations,
};
pub use reports::{
    Appeal, AppealDecided, AppealEnd, Judged, NewReport, PlayerName, ReportCursor, ReportFilter,
    ReportRow, ReportState, ReportedClub, Reports, Resolved, Verdict,
};
pub use request_keys::{MAX_REQUEST_KEYS, REQUEST_KEY_MS, RequestKey, RequestKeys};
pub use rows::{name_key, name_look};
pub use scratch::ScratchDatabase;
pub use seeds::{PlacedSeed, Seed, Seeds};
pub use seeks::Seeks;
pub use sessions::{Holder, SessionRow, Sessions};
pub use space::MinFreeSpace;
pub use standings::Standings;
pub use tallies::{GameTally, SideTally, Tallies, Tally};
pub use tokens::{NewToken, TokenRow, Tokens};
pub use vacations::Vacations;
pub use voids::{PairFilter, PairToReview, VoidMatches, Voids};
pub use wishes::{WishState, Wishes};
