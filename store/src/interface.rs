//! The trait of every store.

use crate::{
    Accounts, Analyses, AnswerableMoves, AuditLog, Challenges, Chat, Classes, ClubMatches, Clubs,
    Counting, Database, Devices, DisplayNames, Emails, EventTimetables, Events, FormerNames,
    Invitations, Journal, Matches, Nodes, Notices, OauthCodes, Passkeys, PersonalData, Players,
    PushSubscriptions, Ratings, Recounts, RecoveryCodes, Relations, Reports, RequestKeys, Seeds,
    Seeks, Sessions, Tallies, Tokens, Upkeep, Vacations, Voids, Wishes,
};

/// A store: all its domains, with their guarantees. Its methods are those of the domains' traits; a test of one domain implements only
/// that trait.
pub trait Store:
    Journal
    + Nodes
    + Wishes
    + Matches
    + AnswerableMoves
    + Players
    + Challenges
    + Chat
    + Classes
    + ClubMatches
    + Clubs
    + Seeks
    + Ratings
    + Seeds
    + Tallies
    + Counting
    + Recounts
    + Voids
    + Sessions
    + Tokens
    + OauthCodes
    + RecoveryCodes
    + Emails
    + EventTimetables
    + Events
    + Passkeys
    + Devices
    + PushSubscriptions
    + Accounts
    + FormerNames
    + DisplayNames
    + Invitations
    + Vacations
    + Analyses
    + Relations
    + PersonalData
    + RequestKeys
    + AuditLog
    + Reports
    + Notices
    + Upkeep
    + Database
    + 'static
{
}
