//! Errors of the HTTP interface, sent as RFC 9457 problems with a stable `code`.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use mawe_play::Damaged;
use mawe_play::chat::ChatRefusal;
use mawe_play::events::Refusal;
use mawe_store::{ClubRefusal, PupilFault, StoreError};
use mawe_wire::scope::Scope;
use mawe_wire::{Code, ErrorMsg};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa::openapi::schema::{Object, ObjectBuilder, Type};

use crate::bots::job::VERSION;
use crate::http::requests::{ProblemCode, RequestId};
use crate::identity::display_names::NameFault;
use crate::limits::TooMany;
use crate::limits::concurrency::TooManyAtOnce;
use crate::mail::QueueFull;
use crate::page::precompressed::CompressionFailed;

/// `Retry-After` while the store or the server is overloaded or unavailable, in seconds.
const STORE_RETRY_S: u64 = 2;

/// `Retry-After` when there are too many connections, in seconds: by then other connections have ended.
const CONNECTIONS_RETRY_S: u64 = 5;

/// Every error that a handler may return.
#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    /// The request is malformed.
    #[error("{0}")]
    BadRequest(String),
    /// The request has no session and no token.
    #[error("sign in first, or come as a guest: POST /api/v1/guests")]
    SignInFirst,
    /// The name or the password is wrong; the message does not say which.
    #[error("the name or the password is wrong")]
    WrongCredentials,
    /// The name or the recovery code is wrong; the message does not say which.
    #[error("the name or the code is wrong, or the code was used before")]
    WrongRecoveryCode,
    /// No login card has the code.
    #[error("no login card has this code: compare each letter and digit with the card")]
    WrongLoginCard,
    /// The login card was used.
    #[error(
        "this card was used: log in with the password that was chosen then, or ask the teacher for a new card"
    )]
    CardUsed,
    /// The login card was replaced.
    #[error("there is a newer card: use that one, or ask the teacher for another")]
    CardReplaced,
    /// The login card has expired.
    #[error("this card has expired: ask the teacher for a new one")]
    CardExpired,
    /// The browser is logged in to another account.
    #[error("this browser is logged in to another account: log out first")]
    LogOutFirst,
    /// The account does not found classes.
    #[error("only accounts with the grant teacher found classes: the operator gives it")]
    TeachersOnly,
    /// Lines of a list of pupils are at fault; nothing was made.
    #[error("nothing was made: {} of the pupils cannot be made so; lines has each, counted from 1", .0.len())]
    BadPupils(Vec<PupilLine>),
    /// The answer of a passkey does not log in; the message does not say why.
    #[error("this passkey does not log in here, or its answer does not fit the challenge")]
    WrongPasskey,
    /// The challenge of a passkey has expired, was answered before, or is of another browser or session.
    #[error(
        "this challenge has expired, was answered before, or is of another browser; begin again"
    )]
    PasskeyExpired,
    /// The credential is registered already.
    #[error("this passkey is registered already")]
    PasskeyTaken,
    /// Browsers have no passkeys for this address.
    #[error(
        "passkeys need https, or a server on localhost; the operator sets its address with --origin"
    )]
    PasskeysUnavailable,
    /// The password is right, but the operator or a moderator has disabled the account.
    #[error("this account was disabled{}{}", ending(*until), because(why))]
    AccountDisabled {
        /// The reason; may be empty.
        why: String,
        /// The end; `None` if permanent.
        until: Option<jiff::Timestamp>,
    },
    /// The caller is not a moderator with a session.
    #[error("this is for moderators, by their session")]
    ModeratorsOnly,
    /// The caller has no session of an account with the grant `operator`.
    #[error("this is for the operator, by a session of an account with that grant")]
    OperatorsOnly,
    /// The session of the operator began too long ago.
    #[error("log in again: this wants a session of the last 12 hours")]
    LogInAgain,
    /// The case concerns the deciding moderator.
    #[error("this is about you: another moderator decides it")]
    OwnCase,
    /// The case is about an admin, and the moderator is not one.
    #[error("this is about an admin: only another admin decides it")]
    AdminsOnly,
    /// Another moderator has taken the report, or it is resolved.
    #[error("this report is resolved, or another moderator has taken it; look at it again")]
    ReportTaken,
    /// The report cannot be resolved, because no moderator has taken it.
    #[error("take the report first, so that nobody else resolves it meanwhile")]
    TakeFirst,
    /// The reporter and the reported player are the same.
    #[error("you cannot report yourself")]
    OwnReport,
    /// The caller has appealed against this decision before.
    #[error("you have appealed against this decision already; one appeal is possible")]
    AppealedAlready,
    /// The appeal is against the caller's own decision, and another moderator may decide about it.
    #[error("this appeal is against your own decision: another moderator decides about it")]
    OwnDecision,
    /// The caller's report of the same player is still open.
    #[error("you have reported this player already; a moderator will look into it")]
    ReportedAlready,
    /// The operation does not apply to this account: a guest has no name of its own, and a deleted account cannot change.
    #[error("this cannot be done to this account")]
    CannotChange,
    /// The request is from a page of another origin.
    #[error("a page of another origin may not do this")]
    ForeignOrigin,
    /// A guest requests a rated match.
    #[error("rated matches need an account")]
    AccountNeeded,
    /// The account is on vacation.
    #[error("you are on vacation already")]
    OnVacation,
    /// The last vacation was lately.
    #[error("between two vacations there are at least 7 days: begin one from {0:.0} on")]
    VacationTooSoon(jiff::Timestamp),
    /// The year has fewer days of vacation left.
    #[error("{0}")]
    NoVacationLeft(String),
    /// The named kind of object was not found.
    #[error("there is no such {0}")]
    NotFound(&'static str),
    /// The method is not allowed here.
    #[error("this address does not take that method")]
    MethodNotAllowed,
    /// The match still runs.
    #[error("this match is not over yet")]
    MatchNotOver,
    /// The account to delete has running matches.
    #[error("you have running matches; end or resign each of them first")]
    MatchesRunning,
    /// The name belongs to another account.
    #[error("this name is taken")]
    NameTaken,
    /// The display name breaks the rules for display names.
    #[error(transparent)]
    BadDisplayName(NameFault),
    /// The name looks like that of another player.
    #[error(
        "this name looks like that of another player, or like one held for them; choose another"
    )]
    NameLooksAlike,
    /// The owner has set a display name as often as permitted; the date from which on it is possible again.
    #[error(
        "a display name is set three times in 30 days, and not after a moderator has removed one: do so again from {0:.0} on"
    )]
    DisplayNameLately(jiff::Timestamp),
    /// A display name of a pupil.
    #[error("a class has made this account: its pupils have no display names")]
    PupilDisplayName,
    /// The owner has renamed the account before; the date from which on it is possible again.
    #[error("you have renamed this account less than 90 days ago: do so again from {0:.0} on")]
    RenamedLately(jiff::Timestamp),
    /// The caller accepts their own challenge.
    #[error("this challenge is your own; send its link to somebody")]
    OwnChallenge,
    /// The challenge was accepted, cancelled or has expired.
    #[error("this challenge is no longer open")]
    ChallengeClosed,
    /// The caller accepts their own seek.
    #[error("this seek is your own; wait for somebody else")]
    OwnSeek,
    /// The seek is for a real-time match, and the seeker is not connected.
    #[error("the seeker is not here just now")]
    SeekerGone,
    /// The caller's rating is outside the seeker's range.
    #[error("the seeker asks for another rating than yours")]
    RatingOutOfRange,
    /// The caller is being paired at this moment.
    #[error("you are just being seated at a match")]
    BeingSeated,
    /// The other player has too many running matches.
    #[error("the other player has too many running matches just now")]
    OpponentBusy,
    /// The caller registers while signed in to an account.
    #[error("you are signed in to an account already")]
    HasAccount,
    /// A guest requests something that needs an account.
    #[error("this is for accounts; become one: POST /api/v1/accounts")]
    AccountOnly,
    /// The token is unknown, expired or revoked; the message does not say which.
    #[error("this token is unknown, has expired or was revoked")]
    BadToken,
    /// The token lacks this scope.
    #[error("this token lacks the scope `{0}`, which this needs")]
    ScopeNeeded(Scope),
    /// The request needs a session; no token is enough.
    #[error("no token may do this: log in with the name and the password")]
    SessionNeeded,
    /// A right in a chat is missing.
    #[error("{}", .0.message())]
    Chat(ChatRefusal),
    /// The operator has switched chat off.
    #[error("this server has no chat; its operator can set --chat")]
    ChatDisabled,
    /// The room of the chat has the maximum number of lines.
    #[error("this chat is full")]
    ChatFull,
    /// The operator has not enabled push messages.
    #[error("this server sends no push messages; its operator can set --push")]
    PushOff,
    /// The account has played, and so cannot become a bot account.
    #[error("this account has played; make a new one for the bot")]
    HasPlayed,
    /// A bot account requests something that is only for people.
    #[error("this is for people; a bot account plays by challenge")]
    NoBots,
    /// The operator has not enabled mail.
    #[error("this server sends no mail; its operator can set --smtp")]
    MailOff,
    /// The queue of mails is full.
    #[error("too many mails wait to be sent just now; try again in a moment")]
    MailBusy,
    /// A link that came by mail was used or replaced, or has expired.
    #[error("this link was used, was replaced by a newer one, or has expired: ask for another")]
    LinkExpired,
    /// The operator has set no key for workers.
    #[error("this server takes no workers from elsewhere; its operator can set --worker-key")]
    WorkersOff,
    /// The worker's key is not the server's.
    #[error("the key is not the one that this server was given as --worker-key")]
    BadWorkerKey,
    /// The worker's version is not the server's.
    #[error(
        "the worker is of version {0} and the server of {VERSION}; install the server's version where the worker runs"
    )]
    OtherVersion(String),
    /// A value is not acceptable.
    #[error("{detail}")]
    Unprocessable {
        /// A stable code.
        code: Code,
        /// The path of the field.
        field: String,
        /// The fault, and its remedy.
        detail: String,
    },
    /// The body is too large.
    #[error("the body has more than 16 KiB")]
    TooLarge,
    /// The body's content type is not JSON.
    #[error("send application/json")]
    NotJson,
    /// Too many requests.
    #[error("too many attempts; try again in {retry_s} s")]
    TooMany {
        /// The time to wait, in seconds.
        retry_s: u64,
    },
    /// The challenged player has recently declined the challenger.
    #[error("this player has declined; ask again in {retry_s} s")]
    Declined {
        /// The time to wait, in seconds.
        retry_s: u64,
    },
    /// Only the operator makes accounts.
    #[error("accounts on this server are made by its operator; ask there")]
    RegistrationClosed,
    /// An account is made only with an invitation.
    #[error("accounts on this server need an invitation; ask its operator for one")]
    InvitationNeeded,
    /// The other player does not take the match: by the rule about challenges by name, or because of a block, which the caller must not
    /// learn of.
    #[error("this player does not take this match from you; ask somebody else, or use a pool")]
    MatchRefused,
    /// A change of a club is refused.
    #[error("{}", club_advice(*.0))]
    Club(ClubRefusal),
    /// A change of an event is refused.
    #[error(transparent)]
    Event(Refusal),
    /// The caller has blocked the other player.
    #[error("you have blocked this player: unblock them first")]
    PlayerBlocked,
    /// A guest challenges a player who accepts no challenges from guests.
    #[error("this player takes no challenges of guests")]
    GuestsRefused,
    /// The caller has repeatedly left matches or called them off.
    #[error("you have left matches or called them off again and again; try again in {retry_s} s")]
    PairingWait {
        /// The time to wait, in seconds.
        retry_s: u64,
    },
    /// The account has requested as many analyses as it may on a day.
    #[error("{most} analyses can be requested on a day; more from midnight UTC on")]
    TooManyAnalyses {
        /// The number of a day.
        most: u32,
        /// The time until the next day, in seconds.
        retry_s: u64,
    },
    /// One address or one player has too many streams or exports open.
    #[error("too many streams are open already; close some first")]
    TooManyStreams,
    /// The body of the request made no progress in time.
    #[error("the body of the request did not come in time; send it again")]
    BodyTimeout,
    /// The server, or this address, has too many connections or sockets.
    #[error("too many connections are open just now; try again in a moment")]
    TooManyConnections,
    /// The server is busy hashing passwords, or stopping.
    #[error("too many people are logging in just now; try again in a moment")]
    Busy,
    /// Too many pictures are being drawn.
    #[error("too many pictures are being drawn just now; try again in a moment")]
    TooManyPictures,
    /// Too many requests wait for the exact value of a position.
    #[error("too many exact values are being searched just now; try again in a moment")]
    TooManyValues,
    /// Too many others change an event.
    #[error("too many others change this event just now; try again in a moment")]
    EventBusy,
    /// The store does not answer.
    #[error("the store cannot be read or written just now; nothing was changed")]
    StoreUnavailable,
    /// The outcome of a write is unknown. Without `Retry-After`, because the thing may be there already.
    #[error("the store did not say in time whether this was written; look before sending it again")]
    WriteUnknown,
    /// The store's disk is full.
    #[error(
        "the disk of this server is full, and nothing can be written; its operator has to make room"
    )]
    StoreFull,
    /// The store's disk is nearly full.
    #[error(
        "the disk of this server is nearly full: matches that run go on, and new ones and new players are taken when its operator has made room"
    )]
    StoreLow,
    /// It is not known yet whether a command was carried out.
    #[error("the match did not answer in time; send the command again under the same client_id")]
    OutcomeUnknown,
    /// The match refuses a command.
    #[error("{}", .0.message)]
    Refused(Box<ErrorMsg>),
    /// An unexpected error, logged where it occurred.
    #[error("something went wrong here; it was logged")]
    Internal,
}

fn ending(until: Option<jiff::Timestamp>) -> String {
    until.map_or_else(String::new, |until| format!(" until {until:.0}"))
}

/// Returns the error for a code that makes no account. It does not say whether the code never was one, has expired, was used or revoked.
pub(crate) fn bad_invitation() -> ApiError {
    let advice = "this invitation makes no account: it is mistyped, used up, expired or revoked; ask the operator for another";
    ApiError::field(Code::BadInvitation, "invitation", advice)
}

/// Returns the reason as a suffix of the message, or nothing if it is empty.
fn because(why: &str) -> String {
    if why.is_empty() {
        String::new()
    } else {
        format!(": {why}")
    }
}

/// Returns the schema of `code`.
fn code_schema() -> Object {
    let codes = Code::ALL.iter().filter(|code| code.status().is_some());
    ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(codes.map(Code::as_str)))
        .description(Some("A stable code."))
        .build()
}

/// A fault in a list of pupils.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PupilLine {
    /// The line, counted from 1.
    pub line: u32,
    /// The fault.
    pub fault: PupilFaultCode,
    /// The name of the account that was wanted, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl PupilLine {
    /// The line at this index, counted from 0.
    pub(crate) fn new(at: usize, fault: PupilFaultCode, name: Option<String>) -> PupilLine {
        let line = u32::try_from(at + 1).unwrap_or(u32::MAX);
        PupilLine { line, fault, name }
    }
}

/// The fault of a line of a list of pupils.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PupilFaultCode {
    /// There is no real name.
    Empty,
    /// The real name is too long.
    TooLong,
    /// The real name has a character outside names.
    BadText,
    /// The real name is there earlier in the list.
    Twice,
    /// Another pupil of the class has the real name: add a distinction.
    InClass,
    /// The name of the account breaks the rules for names.
    BadName,
    /// Another account has the name.
    NameTaken,
}

impl From<PupilFault> for PupilFaultCode {
    fn from(fault: PupilFault) -> PupilFaultCode {
        match fault {
            PupilFault::InClass => PupilFaultCode::InClass,
            PupilFault::NameTaken => PupilFaultCode::NameTaken,
        }
    }
}

/// A problem in the format of RFC 9457.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// The HTTP status.
    pub status: u16,
    /// A stable code.
    #[schema(schema_with = code_schema)]
    pub code: Code,
    /// The status in words.
    pub title: String,
    /// The fault and its remedy, in English.
    pub detail: String,
    /// The path of the wrong field (422).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The stable code of the rule that the move (`illegal-move`) or the display name (`bad-name`) breaks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The scope that the token lacks (`scope-needed`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    /// The lines of the list that are at fault (`bad-pupils`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<Vec<PupilLine>>,
    /// The id of the request, as in the header `X-Request-Id`: the operator finds it in the log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = true, pattern = "^[0-9a-f]{16}$")]
    pub request_id: Option<String>,
}

impl ApiError {
    /// Returns the error for a value that is not acceptable.
    pub fn field(code: Code, field: &str, detail: impl Into<String>) -> ApiError {
        ApiError::Unprocessable {
            code,
            field: field.to_owned(),
            detail: detail.into(),
        }
    }

    /// Returns the error for a caller with too many running matches.
    pub fn too_many_matches() -> ApiError {
        let advice = "finish some of your running matches first";
        ApiError::field(Code::TooManyMatches, "", advice)
    }

    /// Returns the stable code.
    pub(crate) fn code(&self) -> Code {
        match self {
            ApiError::BadRequest(_) => Code::BadRequest,
            ApiError::SignInFirst => Code::SignInFirst,
            ApiError::WrongCredentials
            | ApiError::WrongRecoveryCode
            | ApiError::WrongLoginCard
            | ApiError::WrongPasskey => Code::WrongCredentials,
            ApiError::CardUsed => Code::CardUsed,
            ApiError::CardReplaced => Code::CardReplaced,
            ApiError::CardExpired => Code::CardExpired,
            ApiError::LogOutFirst => Code::LogOutFirst,
            ApiError::TeachersOnly => Code::TeachersOnly,
            ApiError::BadPupils(_) => Code::BadPupils,
            ApiError::PasskeyExpired => Code::PasskeyExpired,
            ApiError::PasskeyTaken => Code::PasskeyTaken,
            ApiError::PasskeysUnavailable => Code::PasskeysUnavailable,
            ApiError::AccountDisabled { .. } => Code::AccountDisabled,
            ApiError::ModeratorsOnly => Code::ModeratorsOnly,
            ApiError::OperatorsOnly => Code::OperatorsOnly,
            ApiError::LogInAgain => Code::LogInAgain,
            ApiError::OwnCase => Code::OwnCase,
            ApiError::AdminsOnly => Code::AdminsOnly,
            ApiError::ReportTaken => Code::ReportTaken,
            ApiError::TakeFirst => Code::TakeFirst,
            ApiError::AppealedAlready => Code::AppealedAlready,
            ApiError::OwnDecision => Code::OwnDecision,
            ApiError::OwnReport => Code::OwnReport,
            ApiError::ReportedAlready => Code::ReportedAlready,
            ApiError::CannotChange => Code::CannotChange,
            ApiError::ForeignOrigin => Code::ForeignOrigin,
            ApiError::AccountNeeded => Code::AccountNeeded,
            ApiError::NotFound(_) => Code::NotFound,
            ApiError::MethodNotAllowed => Code::MethodNotAllowed,
            ApiError::MatchNotOver => Code::MatchNotOver,
            ApiError::MatchesRunning => Code::MatchesRunning,
            ApiError::NameTaken => Code::NameTaken,
            ApiError::BadDisplayName(_) => Code::BadName,
            ApiError::NameLooksAlike => Code::NameLooksAlike,
            ApiError::PupilDisplayName => Code::PupilAccount,
            ApiError::RenamedLately(_) | ApiError::DisplayNameLately(_) => Code::RenamedLately,
            ApiError::OwnChallenge => Code::OwnChallenge,
            ApiError::ChallengeClosed => Code::ChallengeClosed,
            ApiError::OwnSeek => Code::OwnSeek,
            ApiError::OnVacation => Code::OnVacation,
            ApiError::VacationTooSoon(_) => Code::VacationTooSoon,
            ApiError::NoVacationLeft(_) => Code::NoVacationLeft,
            ApiError::SeekerGone => Code::SeekerGone,
            ApiError::RatingOutOfRange => Code::RatingOutOfRange,
            ApiError::BeingSeated => Code::BeingSeated,
            ApiError::OpponentBusy => Code::OpponentBusy,
            ApiError::HasAccount => Code::HasAccount,
            ApiError::AccountOnly => Code::AccountNeeded,
            ApiError::BadToken => Code::BadToken,
            ApiError::ScopeNeeded(_) => Code::ScopeNeeded,
            ApiError::SessionNeeded => Code::SessionNeeded,
            ApiError::HasPlayed => Code::HasPlayed,
            ApiError::NoBots => Code::NoBots,
            ApiError::Chat(refusal) => refusal.code(),
            ApiError::ChatDisabled => Code::ChatDisabled,
            ApiError::ChatFull => Code::ChatFull,
            ApiError::PushOff => Code::PushOff,
            ApiError::MailOff => Code::MailOff,
            ApiError::LinkExpired => Code::LinkExpired,
            ApiError::WorkersOff => Code::WorkersOff,
            ApiError::BadWorkerKey => Code::BadWorkerKey,
            ApiError::OtherVersion(_) => Code::OtherVersion,
            ApiError::Unprocessable { code, .. } => code.clone(),
            ApiError::TooLarge => Code::TooLarge,
            ApiError::NotJson => Code::NotJson,
            ApiError::TooMany { .. } => Code::TooManyRequests,
            ApiError::Declined { .. } => Code::ChallengeDeclined,
            ApiError::GuestsRefused => Code::GuestsRefused,
            ApiError::MatchRefused => Code::MatchRefused,
            ApiError::RegistrationClosed => Code::RegistrationClosed,
            ApiError::InvitationNeeded => Code::InvitationNeeded,
            ApiError::PlayerBlocked => Code::PlayerBlocked,
            ApiError::Club(refusal) => club_code(*refusal),
            ApiError::Event(refusal) => event_code(*refusal),
            ApiError::PairingWait { .. } => Code::PoolWait,
            ApiError::TooManyAnalyses { .. } => Code::TooManyAnalyses,
            ApiError::TooManyStreams => Code::TooManyStreams,
            ApiError::BodyTimeout => Code::BodyTimeout,
            ApiError::TooManyConnections => Code::TooManyConnections,
            ApiError::Busy
            | ApiError::MailBusy
            | ApiError::TooManyPictures
            | ApiError::TooManyValues
            | ApiError::EventBusy => Code::Busy,
            ApiError::StoreUnavailable | ApiError::OutcomeUnknown | ApiError::WriteUnknown => {
                Code::StorageUnavailable
            }
            ApiError::StoreFull => Code::StorageFull,
            ApiError::StoreLow => Code::StorageLow,
            ApiError::Refused(error) => error.code.clone(),
            ApiError::Internal => Code::Internal,
        }
    }

    /// Returns the `WWW-Authenticate` header that RFC 6750 requires for a refused token.
    fn authenticate(&self) -> Option<HeaderValue> {
        match self {
            ApiError::BadToken | ApiError::BadWorkerKey => {
                Some(HeaderValue::from_static("Bearer error=\"invalid_token\""))
            }
            ApiError::ScopeNeeded(scope) => HeaderValue::try_from(format!(
                "Bearer error=\"insufficient_scope\", scope=\"{scope}\""
            ))
            .ok(),
            _ => None,
        }
    }

    fn retry_after_s(&self) -> Option<u64> {
        match self {
            ApiError::TooManyConnections => Some(CONNECTIONS_RETRY_S),
            ApiError::TooMany { retry_s }
            | ApiError::Declined { retry_s }
            | ApiError::TooManyAnalyses { retry_s, .. }
            | ApiError::PairingWait { retry_s } => Some(*retry_s),
            ApiError::TooManyStreams
            | ApiError::Busy
            | ApiError::MailBusy
            | ApiError::TooManyPictures
            | ApiError::TooManyValues
            | ApiError::EventBusy
            | ApiError::StoreUnavailable
            | ApiError::StoreFull
            | ApiError::StoreLow
            | ApiError::OutcomeUnknown => Some(STORE_RETRY_S),
            ApiError::Refused(error) if status_of(&error.code).is_server_error() => {
                Some(STORE_RETRY_S)
            }
            _ => None,
        }
    }
}

/// Returns the HTTP status of a problem. A code without one is a room's: of the WebSocket only, or of a later version.
fn status_of(code: &Code) -> StatusCode {
    let status = code
        .status()
        .and_then(|status| StatusCode::from_u16(status).ok());
    status.unwrap_or(StatusCode::CONFLICT)
}

/// Returns the code of a refused change of a club.
fn club_code(refusal: ClubRefusal) -> Code {
    match refusal {
        ClubRefusal::HandleTaken | ClubRefusal::NameTaken => Code::NameTaken,
        ClubRefusal::OfficersOnly => Code::OfficersOnly,
        ClubRefusal::NotAMember => Code::NotAMember,
        ClubRefusal::LastOfficer => Code::LastOfficer,
        ClubRefusal::OtherOfficers => Code::OtherOfficers,
        ClubRefusal::InvitationNeeded => Code::ClubInvitationNeeded,
        ClubRefusal::NoRequest => Code::NoJoinRequest,
        ClubRefusal::NoPerson => Code::CannotInvite,
        ClubRefusal::Yourself => Code::Yourself,
        ClubRefusal::Full => Code::ClubFull,
        ClubRefusal::TooManyFounded | ClubRefusal::TooManyMemberships => Code::TooManyClubs,
        ClubRefusal::TooManyRequests => Code::TooManyJoinRequests,
        ClubRefusal::TooManyInvitations => Code::TooManyClubInvitations,
        ClubRefusal::TooManyOfficers => Code::TooManyOfficers,
        ClubRefusal::TooManyMatches => Code::TooManyClubMatches,
        ClubRefusal::MatchClosed => Code::ClubMatchClosed,
        ClubRefusal::MatchFull => Code::ClubMatchFull,
        ClubRefusal::ClassOnly => Code::ClassOnly,
        ClubRefusal::ClassFull => Code::ClassFull,
        ClubRefusal::HasPupils => Code::ClassHasPupils,
        ClubRefusal::Pupil => Code::PupilAccount,
        ClubRefusal::OnlyTeacher => Code::OnlyTeacher,
    }
}

/// Returns the code of a refused change of an event.
fn event_code(refusal: Refusal) -> Code {
    match refusal {
        Refusal::NotIn => Code::NotInEvent,
        Refusal::Full => Code::EventFull,
        Refusal::Over => Code::EventOver,
        Refusal::AlreadyIn
        | Refusal::NotBegun
        | Refusal::Begun
        | Refusal::NotAllowed
        | Refusal::NotPaused
        | Refusal::AlreadyPaused
        | Refusal::NoSuchGame
        | Refusal::AlreadyBerserk
        | Refusal::TooManyChanges
        | Refusal::NoSuchRound
        | Refusal::TooManyByes => Code::EventClosed,
    }
}

/// Returns the fault of a change of a club and its remedy.
fn club_advice(refusal: ClubRefusal) -> &'static str {
    match refusal {
        ClubRefusal::HandleTaken => "another club has this handle; choose another",
        ClubRefusal::NameTaken => {
            "another club has this name, or one that looks like it; choose another"
        }
        ClubRefusal::OfficersOnly => "this is for the officers of the club",
        ClubRefusal::NotAMember => "this player is no member of the club",
        ClubRefusal::LastOfficer => {
            "the club would have no officer: make another member an officer first"
        }
        ClubRefusal::OtherOfficers => {
            "the club has other officers; only its last officer closes it"
        }
        ClubRefusal::InvitationNeeded => "this club takes you by invitation of an officer only",
        ClubRefusal::NoRequest => "this request was withdrawn, or answered",
        ClubRefusal::NoPerson => "only accounts of people can be in a club",
        ClubRefusal::Yourself => "this is you; leave the club instead",
        ClubRefusal::Full => "the club is full: 2000 members at most",
        ClubRefusal::TooManyFounded => "an account has founded 5 clubs at most; close one first",
        ClubRefusal::TooManyMemberships => {
            "an account belongs to 50 clubs at most; leave one first"
        }
        ClubRefusal::TooManyRequests => {
            "too many requests are open: 20 of one account, 500 to one club"
        }
        ClubRefusal::TooManyInvitations => {
            "a club has 200 open invitations at most; take some back"
        }
        ClubRefusal::TooManyOfficers => "a club has 10 officers at most",
        ClubRefusal::TooManyMatches => {
            "a club has 10 proposed and coming club matches at most, and 10 open proposals from others"
        }
        ClubRefusal::MatchClosed => {
            "the club match has begun or ended, or is not agreed yet: look at it once more"
        }
        ClubRefusal::MatchFull => "500 players of a club sign up at most",
        ClubRefusal::ClassOnly => "the class of one of you plays and meets among itself",
        ClubRefusal::ClassFull => "a class has 500 pupils at most; found another class",
        ClubRefusal::HasPupils => "a pupil was added meanwhile; look at the class once more",
        ClubRefusal::Pupil => {
            "a class has made this account: a teacher of the class releases or deletes it"
        }
        ClubRefusal::OnlyTeacher => {
            "a class with pupils would have no teacher: make another member a teacher, or close the class"
        }
    }
}

impl From<TooMany> for ApiError {
    fn from(TooMany { retry_s }: TooMany) -> ApiError {
        ApiError::TooMany { retry_s }
    }
}

impl From<ChatRefusal> for ApiError {
    fn from(refusal: ChatRefusal) -> ApiError {
        ApiError::Chat(refusal)
    }
}

impl From<TooManyAtOnce> for ApiError {
    fn from(TooManyAtOnce: TooManyAtOnce) -> ApiError {
        ApiError::TooManyStreams
    }
}

impl From<CompressionFailed> for ApiError {
    fn from(CompressionFailed: CompressionFailed) -> ApiError {
        ApiError::Internal
    }
}

impl From<Damaged> for ApiError {
    fn from(damaged: Damaged) -> ApiError {
        StoreError::from(damaged).into()
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let code = self.code();
        let for_log = ProblemCode(code.clone());
        let status = status_of(&code);
        let field = match &self {
            ApiError::Unprocessable { field, .. } => Some(field.clone()),
            ApiError::BadDisplayName(_) => Some("display_name".to_owned()),
            ApiError::Club(ClubRefusal::HandleTaken) => Some("handle".to_owned()),
            ApiError::Club(ClubRefusal::NameTaken) => Some("name".to_owned()),
            _ => None,
        };
        let title = status.canonical_reason().unwrap_or_default().to_owned();
        let problem = Problem {
            status: status.as_u16(),
            code,
            title,
            detail: self.to_string(),
            field,
            why: match &self {
                ApiError::Refused(error) => error.why.clone(),
                ApiError::BadDisplayName(fault) => Some(fault.as_str().to_owned()),
                _ => None,
            },
            scope: match &self {
                ApiError::ScopeNeeded(scope) => Some(*scope),
                _ => None,
            },
            lines: match &self {
                ApiError::BadPupils(lines) => Some(lines.clone()),
                _ => None,
            },
            request_id: RequestId::current().map(|id| id.to_string()),
        };
        let mut response = (status, Json(problem)).into_response();
        response.extensions_mut().insert(for_log);
        response.headers_mut().insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/problem+json"),
        );
        if let Some(how) = self.authenticate() {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, how);
        }
        if let Some(seconds) = self.retry_after_s() {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}

/// Converts an error of the store for the client. The cause is logged here, once, and not sent.
impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> ApiError {
        match error {
            StoreError::NotFound => ApiError::NotFound("thing"),
            // The store has already logged this for the operator.
            StoreError::LowSpace => ApiError::StoreLow,
            StoreError::TooManyMatches(_) => ApiError::too_many_matches(),
            StoreError::Blocked => ApiError::MatchRefused,
            StoreError::LooksAlike => ApiError::NameLooksAlike,
            StoreError::NotInvited => bad_invitation(),
            StoreError::Club(refusal) => ApiError::Club(refusal),
            StoreError::Unavailable(_) | StoreError::OutcomeUnknown(_) => {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "the store did not answer a request"
                );
                match error {
                    _ if error.is_disk_full() => ApiError::StoreFull,
                    StoreError::OutcomeUnknown(_) => ApiError::WriteUnknown,
                    _ => ApiError::StoreUnavailable,
                }
            }
            StoreError::Conflict | StoreError::Damaged { .. } => {
                tracing::error!(
                    error = &error as &dyn std::error::Error,
                    "the store gave a request what it did not expect"
                );
                ApiError::Internal
            }
        }
    }
}

impl From<QueueFull> for ApiError {
    fn from(QueueFull: QueueFull) -> ApiError {
        ApiError::MailBusy
    }
}

impl From<crate::identity::passwords::Busy> for ApiError {
    fn from(_: crate::identity::passwords::Busy) -> ApiError {
        ApiError::Busy
    }
}
