//! Personal data: all that the store has about a player, for the player to read elsewhere.

use async_trait::async_trait;
use mawe_wire::ids::PlayerId;

use crate::StoreError;

/// Personal data.
#[async_trait]
pub trait PersonalData: Send + Sync {
    /// Returns a page of a part of the data of a player, after `after` if given. Secrets, their hashes, and confidential statements of others
    /// about the player are left out.
    async fn personal_data(
        &self,
        player: &PlayerId,
        part: PersonalPart,
        after: Option<&PersonalCursor>,
        limit: u32,
    ) -> Result<PersonalPage, StoreError>;
}

/// A part of the personal data of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PersonalPart {
    /// The account and its preferences: one row.
    Account,
    /// Former names that are held for the account.
    FormerName,
    /// Display names that are held for the player.
    FormerDisplayName,
    /// Sessions.
    Session,
    /// Subscriptions of browsers to push messages.
    PushSubscription,
    /// API tokens.
    Token,
    /// Unused recovery codes.
    RecoveryCode,
    /// Passkeys.
    Passkey,
    /// The confirmed e-mail address.
    Email,
    /// The e-mail address that waits for its confirmation.
    WaitingEmail,
    /// The link by mail that sets a new password.
    PasswordReset,
    /// Followed players.
    Follow,
    /// Followers.
    Follower,
    /// Blocked players.
    Block,
    /// Players whose chat lines are hidden.
    Mute,
    /// Vacations.
    Vacation,
    /// Requested analyses.
    Analysis,
    /// Ratings.
    Rating,
    /// Changes of ratings.
    RatingChange,
    /// Results in each game, by side.
    SideResult,
    /// Results in each game, by opponent.
    OpponentResult,
    /// Running matches.
    RunningMatch,
    /// Conditional moves in running matches.
    ConditionalMoves,
    /// Challenges and seeks of the player, and challenges to the player.
    Challenge,
    /// Chat lines.
    ChatLine,
    /// Memberships in clubs.
    Club,
    /// Clubs that the player has founded.
    FoundedClub,
    /// Requests to join a club.
    ClubRequest,
    /// Invitations to a club, without those that are hidden from the player.
    ClubInvitation,
    /// Invitations to a club by the player, as an officer.
    SentClubInvitation,
    /// Clubs from which the player was removed.
    ClubRemoval,
    /// Actions of the player as an officer of a club.
    ClubAction,
    /// Actions of officers of a club about the player.
    ClubChange,
    /// Sign-ups for club matches.
    ClubMatchEntry,
    /// Boards of club matches at which the player plays for a club.
    ClubMatchBoard,
    /// Events that the player has created.
    Event,
    /// Events that the player has joined.
    EventEntry,
    /// Timetables of events that the player has created.
    EventTimetable,
    /// The class that has made the account, with the real name of the player.
    Pupil,
    /// Login cards.
    LoginCard,
    /// Invitations to register by the player.
    Invitation,
    /// Notices.
    Notice,
    /// Reports by the player.
    Report,
    /// Decisions of moderators about the player, and appeals against them.
    Decision,
    /// Changes of the account by moderators, the operator and the player.
    AccountChange,
    /// Actions of the player as a moderator or an operator.
    OwnAction,
}

impl PersonalPart {
    /// All parts, in the order of an export.
    pub const ALL: [PersonalPart; 46] = [
        PersonalPart::Account,
        PersonalPart::FormerName,
        PersonalPart::FormerDisplayName,
        PersonalPart::Session,
        PersonalPart::PushSubscription,
        PersonalPart::Token,
        PersonalPart::RecoveryCode,
        PersonalPart::Passkey,
        PersonalPart::Email,
        PersonalPart::WaitingEmail,
        PersonalPart::PasswordReset,
        PersonalPart::Follow,
        PersonalPart::Follower,
        PersonalPart::Block,
        PersonalPart::Mute,
        PersonalPart::Vacation,
        PersonalPart::Analysis,
        PersonalPart::Rating,
        PersonalPart::RatingChange,
        PersonalPart::SideResult,
        PersonalPart::OpponentResult,
        PersonalPart::RunningMatch,
        PersonalPart::ConditionalMoves,
        PersonalPart::Challenge,
        PersonalPart::ChatLine,
        PersonalPart::Club,
        PersonalPart::FoundedClub,
        PersonalPart::ClubRequest,
        PersonalPart::ClubInvitation,
        PersonalPart::SentClubInvitation,
        PersonalPart::ClubRemoval,
        PersonalPart::ClubAction,
        PersonalPart::ClubChange,
        PersonalPart::ClubMatchEntry,
        PersonalPart::ClubMatchBoard,
        PersonalPart::Event,
        PersonalPart::EventEntry,
        PersonalPart::EventTimetable,
        PersonalPart::Pupil,
        PersonalPart::LoginCard,
        PersonalPart::Invitation,
        PersonalPart::Notice,
        PersonalPart::Report,
        PersonalPart::Decision,
        PersonalPart::AccountChange,
        PersonalPart::OwnAction,
    ];

    /// Returns the name of the part in an export.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            PersonalPart::Account => "account",
            PersonalPart::FormerName => "former_names",
            PersonalPart::FormerDisplayName => "former_display_names",
            PersonalPart::Session => "sessions",
            PersonalPart::PushSubscription => "push_subscriptions",
            PersonalPart::Token => "tokens",
            PersonalPart::RecoveryCode => "recovery_codes",
            PersonalPart::Passkey => "passkeys",
            PersonalPart::Email => "emails",
            PersonalPart::WaitingEmail => "waiting_emails",
            PersonalPart::PasswordReset => "password_resets",
            PersonalPart::Follow => "follows",
            PersonalPart::Follower => "followers",
            PersonalPart::Block => "blocks",
            PersonalPart::Mute => "mutes",
            PersonalPart::Vacation => "vacations",
            PersonalPart::Analysis => "analyses",
            PersonalPart::Rating => "ratings",
            PersonalPart::RatingChange => "rating_changes",
            PersonalPart::SideResult => "results",
            PersonalPart::OpponentResult => "opponent_results",
            PersonalPart::RunningMatch => "running_matches",
            PersonalPart::ConditionalMoves => "conditional_moves",
            PersonalPart::Challenge => "challenges",
            PersonalPart::ChatLine => "chat_lines",
            PersonalPart::Club => "clubs",
            PersonalPart::FoundedClub => "founded_clubs",
            PersonalPart::ClubRequest => "club_requests",
            PersonalPart::ClubInvitation => "club_invitations",
            PersonalPart::SentClubInvitation => "sent_club_invitations",
            PersonalPart::ClubRemoval => "club_removals",
            PersonalPart::ClubAction => "club_actions",
            PersonalPart::ClubChange => "club_changes",
            PersonalPart::ClubMatchEntry => "club_match_entries",
            PersonalPart::ClubMatchBoard => "club_match_boards",
            PersonalPart::Event => "events",
            PersonalPart::EventEntry => "event_entries",
            PersonalPart::EventTimetable => "event_timetables",
            PersonalPart::Pupil => "class",
            PersonalPart::LoginCard => "login_cards",
            PersonalPart::Invitation => "invitations",
            PersonalPart::Notice => "notices",
            PersonalPart::Report => "reports",
            PersonalPart::Decision => "decisions",
            PersonalPart::AccountChange => "account_changes",
            PersonalPart::OwnAction => "own_actions",
        }
    }
}

/// A page of a part of personal data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonalPage {
    /// The rows, each a JSON object. Times are RFC 3339.
    pub rows: Vec<String>,
    /// The position after which the next page begins; `None` on the last page.
    pub next: Option<PersonalCursor>,
}

/// The position of a row in a part: a text, a number and a text, in this order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PersonalCursor {
    pub(crate) group: String,
    pub(crate) number: i64,
    pub(crate) key: String,
}
