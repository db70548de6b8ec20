//! The stable codes of refusals and of closing sockets: one table each.
//!
//! A code is part of the published interface: rows are added, never renamed. Tests compare the table with `docs/protocol.md` and with the
//! page's catalogues.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;
use utoipa::{PartialSchema, ToSchema};

/// The error of parsing a text that is in no row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("this version knows no such code")]
pub struct UnknownCode;

/// Makes an enum of stable texts.
macro_rules! table {
    (
        $(#[$about:meta])*
        $name:ident { $($(#[doc = $doc:literal])* $variant:ident $text:literal,)* }
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[doc = $doc])* $variant,)*
            /// A text that this version does not know, read from a message. During an upgrade a node passes it on unchanged.
            Later(Box<str>),
        }

        impl $name {
            /// Every row of the table.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// Returns the stable text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    $($name::$variant => $text,)*
                    $name::Later(text) => text,
                }
            }

            /// Returns the meaning in English, for authors of clients; empty for a text of a later version.
            #[must_use]
            pub fn meaning(&self) -> &'static str {
                match self {
                    $($name::$variant => concat!($($doc),*).trim_ascii(),)*
                    $name::Later(_) => "",
                }
            }
        }

        /// Any text: a client must expect the rows of a later version.
        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                String::schema()
            }
        }

        impl ToSchema for $name {}

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl FromStr for $name {
            type Err = UnknownCode;

            fn from_str(text: &str) -> Result<$name, UnknownCode> {
                match text {
                    $($text => Ok($name::$variant),)*
                    _ => Err(UnknownCode),
                }
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                let text = String::deserialize(deserializer)?;
                Ok(text.parse().unwrap_or_else(|UnknownCode| $name::Later(text.into())))
            }
        }
    };
}

/// Makes [`Code`]: a row is a variant, its text and, if it can be the code of an HTTP problem, its status.
macro_rules! codes {
    ($($(#[doc = $doc:literal])* $variant:ident $text:literal $($status:literal)?,)*) => {
        table! {
            /// The stable code of a refusal, over HTTP and over the WebSocket.
            Code { $($(#[doc = $doc])* $variant $text,)* }
        }

        impl Code {
            /// Returns the status of an HTTP problem with this code; `None` for a code of the WebSocket only, and of a later version.
            #[must_use]
            pub fn status(&self) -> Option<u16> {
                match self {
                    $(Code::$variant => status!($($status)?),)*
                    Code::Later(_) => None,
                }
            }
        }
    };
}

macro_rules! status {
    () => {
        None
    };
    ($status:literal) => {
        Some($status)
    };
}

// In the order of the texts, which is that of the OpenAPI document.
codes! {
    /// The operator or a moderator has disabled the account.
    AccountDisabled "account-disabled" 403,
    /// A guest requests something that needs an account.
    AccountNeeded "account-needed" 403,
    /// The case is about an admin, and the moderator is not one.
    AdminsOnly "admins-only" 403,
    /// The player has appealed against this decision before.
    AppealedAlready "appealed-already" 409,
    /// The number of days of a mute, a ban or a vacation is outside its bounds.
    BadDays "bad-days" 422,
    /// The e-mail address has no valid form.
    BadEmail "bad-email" 422,
    /// The lifetime of a token is outside its bounds.
    BadExpiry "bad-expiry" 422,
    /// A field of the body is missing, unknown or of a wrong type.
    BadField "bad-field" 422,
    /// A parameter of the query is unknown or wrong.
    BadFilter "bad-filter" 422,
    /// The frame is not text, not JSON, or not a message.
    BadFrame "bad-frame",
    /// The code of an invitation makes no account: it is none, used up, expired or revoked.
    BadInvitation "bad-invitation" 422,
    /// There is no computer opponent of this level.
    BadLevel "bad-level" 422,
    /// A line of conditional moves is illegal, too long, or contradicts another.
    BadLines "bad-lines" 422,
    /// The reported match is not one of the reported player's.
    BadMatch "bad-match" 422,
    /// The name breaks the rules for names.
    BadName "bad-name" 422,
    /// The answer of a browser does not fit the challenge of a passkey.
    BadPasskey "bad-passkey" 422,
    /// The name of a passkey is not valid.
    BadPasskeyName "bad-passkey-name" 422,
    /// Lines of the list of pupils are at fault; nothing was made.
    BadPupils "bad-pupils" 422,
    /// The endpoint is not that of a push service.
    BadPushEndpoint "bad-push-endpoint" 422,
    /// The keys of a push subscription are malformed.
    BadPushKeys "bad-push-keys" 422,
    /// The rating range of a seek is not one.
    BadRange "bad-range" 422,
    /// The request is malformed.
    BadRequest "bad-request" 400,
    /// The scopes of a token are empty.
    BadScopes "bad-scopes" 422,
    /// The setup is not one of the game.
    BadSetup "bad-setup" 422,
    /// The terms of the match contradict one another.
    BadTerms "bad-terms" 422,
    /// A text is empty or too long.
    BadText "bad-text" 422,
    /// The time control is outside its bounds.
    BadTimeControl "bad-time-control" 422,
    /// The token is unknown, expired or revoked.
    BadToken "bad-token" 401,
    /// The name of a token is empty or too long.
    BadTokenName "bad-token-name" 422,
    /// The worker's key is not the server's.
    BadWorkerKey "bad-worker-key" 401,
    /// The player is being paired at this moment.
    BeingSeated "being-seated" 409,
    /// The body of the request made no progress in time.
    BodyTimeout "body-timeout" 408,
    /// The server is busy hashing passwords, or stopping.
    Busy "busy" 503,
    /// The second ply has been played.
    CannotAbort "cannot-abort" 409,
    /// The match is no game of an arena that allows it, or the player has moved or halved the clock already.
    CannotBerserk "cannot-berserk" 409,
    /// The operation does not apply to this account.
    CannotChange "cannot-change" 409,
    /// Giving time is not allowed in this match, or its clocks do not run.
    CannotGiveTime "cannot-give-time" 409,
    /// The player to invite to a club is no account of a person.
    CannotInvite "cannot-invite" 422,
    /// The login card has expired.
    CardExpired "card-expired" 410,
    /// The login card was replaced by a newer one.
    CardReplaced "card-replaced" 410,
    /// The login card was used.
    CardUsed "card-used" 410,
    /// The challenge was accepted, cancelled or has expired.
    ChallengeClosed "challenge-closed" 409,
    /// The challenged player has recently declined the challenger.
    ChallengeDeclined "challenge-declined" 429,
    /// The room of the chat takes no more lines: the match has been over for a day.
    ChatClosed "chat-closed" 409,
    /// The operator has switched chat off.
    ChatDisabled "chat-disabled" 403,
    /// The room of the chat has the maximum number of lines.
    ChatFull "chat-full" 409,
    /// Chat is off in the settings of the account.
    ChatOff "chat-off" 403,
    /// The class has the maximum number of pupils.
    ClassFull "class-full" 409,
    /// The class to close still has pupils.
    ClassHasPupils "class-has-pupils" 409,
    /// A pupil of a class that plays among itself, and somebody outside it.
    ClassOnly "class-only" 403,
    /// The club has the maximum number of members.
    ClubFull "club-full" 409,
    /// The club is for invited players, or an officer has removed the caller from it.
    ClubInvitationNeeded "club-invitation-needed" 403,
    /// The club match has begun, has ended, or is not agreed yet.
    ClubMatchClosed "club-match-closed" 409,
    /// The side of the club match has the maximum number of entrants.
    ClubMatchFull "club-match-full" 409,
    /// A computer opponent cannot be reported.
    ComputerOpponent "computer-opponent" 422,
    /// The side's own draw offer is pending.
    DrawOfferPending "draw-offer-pending" 409,
    /// The side has made a draw offer too recently.
    DrawOfferTooSoon "draw-offer-too-soon" 409,
    /// The event is not in a state for this operation.
    EventClosed "event-closed" 409,
    /// The caller does not meet the conditions of the event.
    EventConditions "event-conditions" 403,
    /// The event has the maximum number of players.
    EventFull "event-full" 409,
    /// The event has ended.
    EventOver "event-over" 409,
    /// The password of the event is wrong or missing.
    EventPassword "event-password" 403,
    /// The request is from a page of another origin.
    ForeignOrigin "foreign-origin" 403,
    /// The frame is too large.
    FrameTooLarge "frame-too-large",
    /// The challenged player accepts no challenges from guests.
    GuestsRefused "guests-refused" 403,
    /// The caller registers while signed in to an account.
    HasAccount "has-account" 409,
    /// The account has played, and so cannot become a bot account.
    HasPlayed "has-played" 409,
    /// The rules forbid the move.
    IllegalMove "illegal-move" 409,
    /// An unexpected error, which was logged.
    Internal "internal" 500,
    /// The server makes accounts only with an invitation.
    InvitationNeeded "invitation-needed" 403,
    /// The only officer of a club with other members leaves or steps down.
    LastOfficer "last-officer" 409,
    /// A link that came by mail was used or replaced, or has expired.
    LinkExpired "link-expired" 410,
    /// The session began too long ago for this: the password has to be given again.
    LogInAgain "log-in-again" 403,
    /// The browser is logged in to another account.
    LogOutFirst "log-out-first" 409,
    /// The operator has not enabled mail.
    MailOff "mail-off" 403,
    /// A rematch of a match that still runs, or a player at the chat of its spectators.
    MatchNotOver "match-not-over" 409,
    /// The match is over.
    MatchOver "match-over" 409,
    /// The other player does not take this match from the caller.
    MatchRefused "match-refused" 403,
    /// The account to delete has running matches.
    MatchesRunning "matches-running" 409,
    /// The method is not allowed at this address.
    MethodNotAllowed "method-not-allowed" 405,
    /// The caller is not a moderator with a session.
    ModeratorsOnly "moderators-only" 403,
    /// Another node has taken the match over.
    Moved "moved" 503,
    /// A moderator has muted the player.
    Muted "muted" 409,
    /// The name looks like a name or a display name of another player.
    NameLooksAlike "name-looks-alike" 409,
    /// The name belongs to another account.
    NameTaken "name-taken" 409,
    /// No computer opponent is offered in this pool, or the player does not wait there.
    NoBotOffer "no-bot-offer",
    /// A bot account requests something that is only for people.
    NoBots "no-bots" 403,
    /// The players of the match have no chat: they have not chosen each other, or one is not an account of a person.
    NoChat "no-chat" 403,
    /// There is no draw offer to answer.
    NoDrawOffer "no-draw-offer" 409,
    /// The request to join the club was withdrawn or answered.
    NoJoinRequest "no-join-request" 409,
    /// There is no takeback offer to answer.
    NoTakebackOffer "no-takeback-offer" 409,
    /// The year has fewer days of vacation left.
    NoVacationLeft "no-vacation-left" 409,
    /// The player is no member of the club.
    NotAMember "not-a-member" 409,
    /// The match is not by the day, or one player has both seats.
    NotByTheDay "not-by-the-day" 409,
    /// There is no such address or object.
    NotFound "not-found" 404,
    /// The opponent is not to move, or has not been away for long enough.
    NotGone "not-gone" 409,
    /// The caller has not joined the event.
    NotInEvent "not-in-event" 409,
    /// The socket has not joined the match.
    NotJoined "not-joined",
    /// The content type of the body is not JSON.
    NotJson "not-json" 415,
    /// The sender does not play in this match.
    NotSeated "not-seated" 403,
    /// It is the other side's turn.
    NotYourTurn "not-your-turn" 409,
    /// The side has not played a move that could be taken back.
    NothingToTakeBack "nothing-to-take-back" 409,
    /// The operation is for the officers of the club.
    OfficersOnly "officers-only" 403,
    /// The account is on vacation already.
    OnVacation "on-vacation" 409,
    /// The caller is the only teacher of a class that has pupils.
    OnlyTeacher "only-teacher" 409,
    /// The operation is for accounts with the grant `operator`, by their session.
    OperatorsOnly "operators-only" 403,
    /// The other player has too many running matches.
    OpponentBusy "opponent-busy" 409,
    /// The other player has chat off.
    OpponentChatOff "opponent-chat-off" 409,
    /// The club to close has other officers.
    OtherOfficers "other-officers" 409,
    /// The worker's version is not the server's.
    OtherVersion "other-version" 409,
    /// The case is about the moderator who would decide it.
    OwnCase "own-case" 403,
    /// The caller accepts or declines their own challenge.
    OwnChallenge "own-challenge" 409,
    /// A moderator decides about an appeal against their own decision, although another one could.
    OwnDecision "own-decision" 403,
    /// The reporter and the reported player are the same.
    OwnReport "own-report" 409,
    /// The caller accepts their own seek.
    OwnSeek "own-seek" 409,
    /// The challenge of a passkey has expired, was answered before, or is of another browser.
    PasskeyExpired "passkey-expired" 409,
    /// The passkey is registered already.
    PasskeyTaken "passkey-taken" 409,
    /// The site has no https and is not on `localhost`, so browsers have no passkeys for it.
    PasskeysUnavailable "passkeys-unavailable" 409,
    /// Phrases are off in this match.
    PhrasesOff "phrases-off" 409,
    /// The caller has blocked the other player.
    PlayerBlocked "player-blocked" 409,
    /// The player has repeatedly left matches or called them off.
    PoolWait "pool-wait" 429,
    /// A class has made the account: a teacher releases or deletes it.
    PupilAccount "pupil-account" 409,
    /// The operator has not enabled push messages.
    PushOff "push-off" 403,
    /// The caller's rating is outside the seeker's range.
    RatingOutOfRange "rating-out-of-range" 403,
    /// The operator alone makes accounts.
    RegistrationClosed "registration-closed" 403,
    /// The owner has renamed the account less than 90 days ago, or has set its display name too often in 30 days.
    RenamedLately "renamed-lately" 409,
    /// Another moderator has taken the report, or it is resolved.
    ReportTaken "report-taken" 409,
    /// The caller's report of the same player is still open.
    ReportedAlready "reported-already" 409,
    /// The token lacks a scope.
    ScopeNeeded "scope-needed" 403,
    /// The seeker is not connected.
    SeekerGone "seeker-gone" 409,
    /// The request needs a session; no token is enough.
    SessionNeeded "session-needed" 403,
    /// The request has no session and no token.
    SignInFirst "sign-in-first" 401,
    /// The move is for another ply than the present one.
    StalePly "stale-ply" 409,
    /// The store's disk is full.
    StorageFull "storage-full" 503,
    /// The store's disk is nearly full.
    StorageLow "storage-low" 503,
    /// The store does not answer, or it is not known yet whether a command was carried out.
    StorageUnavailable "storage-unavailable" 503,
    /// The report cannot be resolved, because no moderator has taken it.
    TakeFirst "take-first" 409,
    /// The side's own takeback offer is pending.
    TakebackOfferPending "takeback-offer-pending" 409,
    /// The side has already made a takeback offer at this ply.
    TakebackOfferTooSoon "takeback-offer-too-soon" 409,
    /// Takebacks are not allowed in this match.
    TakebacksOff "takebacks-off" 409,
    /// The operation is for accounts with the grant `teacher`.
    TeachersOnly "teachers-only" 403,
    /// The opponent's clock would exceed the longest base time of a match.
    TimeEnough "time-enough" 409,
    /// Frames or phrases come too fast.
    TooFast "too-fast",
    /// The body is too large.
    TooLarge "too-large" 413,
    /// The account has requested the maximum number of analyses of a day.
    TooManyAnalyses "too-many-analyses" 429,
    /// The caller has blocked the maximum number of players.
    TooManyBlocks "too-many-blocks" 422,
    /// The caller has too many open challenges.
    TooManyChallenges "too-many-challenges" 422,
    /// The club has the maximum number of open invitations.
    TooManyClubInvitations "too-many-club-invitations" 422,
    /// A club has the maximum number of proposed and coming club matches.
    TooManyClubMatches "too-many-club-matches" 422,
    /// The player has founded, or belongs to, the maximum number of clubs.
    TooManyClubs "too-many-clubs" 422,
    /// The server, or this address, has too many connections or sockets.
    TooManyConnections "too-many-connections" 503,
    /// The account has the maximum number of coming events.
    TooManyEvents "too-many-events" 422,
    /// The caller follows the maximum number of players.
    TooManyFollows "too-many-follows" 422,
    /// The server has the maximum number of invitations that have not expired.
    TooManyInvitations "too-many-invitations" 422,
    /// The player or the club has the maximum number of open requests to join.
    TooManyJoinRequests "too-many-join-requests" 422,
    /// The caller has too many running matches; over the WebSocket: the socket follows too many.
    TooManyMatches "too-many-matches" 422,
    /// The caller has muted the maximum number of players.
    TooManyMutes "too-many-mutes" 422,
    /// The club has the maximum number of officers.
    TooManyOfficers "too-many-officers" 422,
    /// The account has the maximum number of passkeys.
    TooManyPasskeys "too-many-passkeys" 422,
    /// The player waits in the maximum number of pools.
    TooManyPools "too-many-pools",
    /// Too many requests or attempts.
    TooManyRequests "too-many-requests" 429,
    /// The player has too many running matches for a pool or a rematch.
    TooManyRunning "too-many-running",
    /// The caller has too many open seeks.
    TooManySeeks "too-many-seeks" 422,
    /// One address or one player has too many streams or exports open.
    TooManyStreams "too-many-streams" 429,
    /// The club, the operators or the server have the maximum number of timetables of events.
    TooManyTimetables "too-many-timetables" 422,
    /// The caller has too many tokens.
    TooManyTokens "too-many-tokens" 422,
    /// There is no club with this handle.
    UnknownClub "unknown-club" 422,
    /// There is no such match.
    UnknownMatch "unknown-match" 404,
    /// There is no player of this name.
    UnknownPlayer "unknown-player" 422,
    /// There is no pool of this name, or no rated one of this game.
    UnknownPool "unknown-pool",
    /// The last vacation was lately.
    VacationTooSoon "vacation-too-soon" 409,
    /// The password is too weak.
    WeakPassword "weak-password" 422,
    /// The operator has set no key for workers.
    WorkersOff "workers-off" 403,
    /// The name or the password is wrong.
    WrongCredentials "wrong-credentials" 401,
    /// It is the caller's own turn.
    YourTurn "your-turn" 409,
    /// The caller challenges themselves.
    Yourself "yourself" 422,
}

impl Code {
    /// Returns whether a refused command of a match can be sent again unchanged after a moment.
    #[must_use]
    pub fn is_passing(&self) -> bool {
        matches!(self, Code::Busy | Code::StorageUnavailable)
    }

    /// Returns whether an `error` with this code and without a match answers `join-pool`: the player does not wait.
    #[must_use]
    pub fn refuses_pool(&self) -> bool {
        matches!(
            self,
            Code::AccountNeeded
                | Code::NoBots
                | Code::PoolWait
                | Code::SignInFirst
                | Code::StorageLow
                | Code::StorageUnavailable
                | Code::TooManyPools
                | Code::TooManyRunning
                | Code::UnknownPool
        )
    }
}

table! {
    /// The reason in `closing`, the last message before the server closes a socket.
    ClosingReason {
        /// The session was ended, or the token revoked; or either has expired.
        LoggedOut "logged-out",
        /// The server is stopping.
        Restarting "restarting",
        /// Frames came too fast, too often.
        TooFast "too-fast",
        /// Too many frames did not parse or were too large.
        TooManyBadFrames "too-many-bad-frames",
        /// The client read too slowly.
        TooSlow "too-slow",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_reads_as_itself() {
        for code in Code::ALL {
            assert_eq!(code.as_str().parse().as_ref(), Ok(code));
            let json = serde_json::to_string(code).expect("a text");
            assert_eq!(json, format!("\"{code}\""));
            assert_eq!(
                serde_json::from_str::<Code>(&json).ok().as_ref(),
                Some(code)
            );
        }
        assert_eq!("".parse::<Code>(), Err(UnknownCode));
    }

    #[test]
    fn every_code_has_a_meaning() {
        let meanings = Code::ALL.iter().map(Code::meaning);
        let meanings = meanings.chain(ClosingReason::ALL.iter().map(ClosingReason::meaning));
        for meaning in meanings {
            assert!(
                meaning.ends_with('.') && meaning.trim() == meaning,
                "{meaning:?}"
            );
        }
        assert_eq!(Code::Later("from-later".into()).meaning(), "");
    }

    #[test]
    fn the_table_is_in_the_order_of_its_texts_without_repetition() {
        let sorted = |texts: Vec<&str>| texts.is_sorted_by(|one, next| one < next);
        assert!(sorted(Code::ALL.iter().map(Code::as_str).collect()));
        assert!(sorted(
            ClosingReason::ALL
                .iter()
                .map(ClosingReason::as_str)
                .collect()
        ));
    }

    #[test]
    fn the_status_of_a_problem_is_that_of_an_error() {
        let statuses = Code::ALL.iter().filter_map(Code::status);
        assert!(statuses.clone().count() > 90);
        assert!(
            statuses
                .into_iter()
                .all(|status| (400..600).contains(&status))
        );
    }

    #[test]
    fn a_code_of_a_later_version_is_passed_on_unchanged() {
        let text = r#"{"t":"error","code":"from-later","message":"something new"}"#;
        let message: crate::ServerMsg = serde_json::from_str(text).expect("it is read");
        let crate::ServerMsg::Error(error) = &message else {
            panic!("{message:?}");
        };
        assert_eq!(error.code, Code::Later("from-later".into()));
        assert_eq!(error.code.status(), None);
        assert_eq!(serde_json::to_string(&message).ok().as_deref(), Some(text));
    }
}
