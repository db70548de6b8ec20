// @ts-check
// The types of the wire, by the names that the page uses. The types themselves are in wire.d.ts, which tests/wire-types generates from the
// server's types; field meanings and units are explained there and in docs/protocol.md.

/** @typedef {import("./wire.js").components["schemas"]} Schemas */

/** @typedef {Schemas["GameKind"]} GameKind */
/** @typedef {Schemas["Side"]} Side */
/** @typedef {Schemas["PoolId"]} PoolId */
/** @typedef {Schemas["Speed"]} Speed */
/** @typedef {Schemas["PlayerKind"]} PlayerKind */
/** @typedef {Schemas["SideWish"]} SideWish */
/** @typedef {Schemas["TimeControl"]} TimeControl */
/** @typedef {Schemas["PlayerRef"]} PlayerRef */
/** @typedef {Schemas["RatingRef"]} RatingRef */
/** @typedef {Schemas["Seats_SeatView"]["first"]} SeatView */
/** @typedef {Schemas["ClockView"]} ClockView */
/** @typedef {Schemas["Presence"]} Presence */
/** @typedef {Schemas["RematchView"]} RematchView */
/** @typedef {Schemas["MatchResult"]} MatchResult */
/** @typedef {Schemas["Phrase"]} Phrase */
/** @typedef {Schemas["PlyView"]} PlyView */
/** @typedef {Schemas["Analysis"]} MatchAnalysis */
/** @typedef {Schemas["StateView"]} StateView */
/** @typedef {Schemas["MatchView"]} MatchView */
/** @typedef {Schemas["Command"]} Command */
/** @typedef {Schemas["ClientMsg"]} ClientMsg */
/** @typedef {Schemas["Snapshot"]} Snapshot */
/** @typedef {Schemas["EventMsg"]} EventMsg */
/** @typedef {Schemas["ErrorMsg"]} ErrorMsg */
/** @typedef {Schemas["ServerMsg"]} ServerMsg */
/** @typedef {Schemas["Challenge"]} Challenge */
/** @typedef {Schemas["Challenges"]} Challenges */
/** @typedef {Schemas["DeclineReason"]} DeclineReason */
/** @typedef {Schemas["Notice"]} Notice */
/** @typedef {Schemas["ChatLine"]} ChatLine */
/** @typedef {Schemas["ChatLines"]} ChatLines */
/** @typedef {Schemas["ChatRights"]} ChatRights */
/** @typedef {Schemas["Preferences"]} Preferences */
/** @typedef {Schemas["RelationView"]} RelationView */
/** @typedef {Schemas["FollowView"]} FollowView */
/** @typedef {Schemas["BlockView"]} BlockView */
/** @typedef {Schemas["ClubSummary"]} ClubSummary */
/** @typedef {Schemas["ClubView"]} ClubView */
/** @typedef {Schemas["ClubOfPlayer"]} ClubOfPlayer */
/** @typedef {Schemas["ClubMemberView"]} ClubMemberView */
/** @typedef {Schemas["ClubRequestView"]} ClubRequestView */
/** @typedef {Schemas["ClubInvitationView"]} ClubInvitationView */
/** @typedef {Schemas["ClubLogEntry"]} ClubLogEntry */
/** @typedef {Schemas["ClubRanked"]} ClubRanked */
/** @typedef {Schemas["ClubMatchSummary"]} ClubMatchSummary */
/** @typedef {Schemas["ClubMatchView"]} ClubMatchView */
/** @typedef {Schemas["ClubBoardView"]} ClubBoard */
/** @typedef {Schemas["ClubGameView"]} ClubGame */
/** @typedef {Schemas["ClubMatchPlayerView"]} ClubMatchPlayer */
/** @typedef {Schemas["EventSummary"]} EventSummary */
/** @typedef {Schemas["EventView"]} EventView */
/** @typedef {Schemas["EventEntryView"]} EventEntry */
/** @typedef {Schemas["EventKind"]} EventKind */
/** @typedef {Schemas["EventTimetableView"]} EventTimetable */
/** @typedef {Schemas["EventStandingPage"]} Standings */
/** @typedef {Schemas["EventStandingView"]} StandingRow */
/** @typedef {Schemas["EventStandingGame"]} StandingGame */
/** @typedef {Schemas["EventGamePage"]} EventGames */
/** @typedef {Schemas["EventGameView"]} EventGame */
/** @typedef {Schemas["ClassRules"]} ClassRules the permissions of pupils */
/** @typedef {Schemas["PupilView"]} Pupil */
/** @typedef {Schemas["PupilWish"]} PupilWish an account to make */
/** @typedef {Schemas["NewLoginCard"]} LoginCard */
/** @typedef {Schemas["PupilLine"]} LineFault a line at fault in a list of pupils */
/** @typedef {Schemas["Avatar"]} Avatar */
/** @typedef {Schemas["Me"]} Me */
/** @typedef {Schemas["SiteView"]} SiteView */
/** @typedef {Schemas["InvitationView"]} InvitationView an invitation to register */
/** @typedef {Schemas["MadeInvitation"]} MadeInvitation a new one, with its code */
/** @typedef {Schemas["Registered"]} Registered an account that was just made */
/** @typedef {Schemas["OwnDisplayName"]} OwnDisplayName */
/** @typedef {Schemas["OwnName"]} OwnName */
/** @typedef {Schemas["OwnEmailView"]} OwnEmail the addresses of the reader's account */
/** @typedef {Schemas["ConfirmedEmail"]} ConfirmedEmail */
/** @typedef {Schemas["PasskeyChallenge"]} PasskeyChallenge */
/** @typedef {Schemas["PasskeyList"]} PasskeyList */
/** @typedef {Schemas["PasskeyView"]} PasskeyView */
/** @typedef {Schemas["RecoveryCodesLeft"]} RecoveryCodesLeft */
/** @typedef {Schemas["AuthorizationView"]} AccessWish */
/** @typedef {Schemas["Language"]} Language */
/** @typedef {Schemas["ReportReason"]} ReportReason */
/** @typedef {Schemas["ReportView"]} Report */
/** @typedef {Schemas["Decision"]} Decision */
/** @typedef {Schemas["DecisionView"]} OwnDecision a moderator's decision about the reader */
/** @typedef {Schemas["AuditView"]} AuditLine */
/** @typedef {Schemas["PairView"]} PlayerPair */
/** @typedef {Schemas["StatusView"]} OperatorStatus */
/** @typedef {Schemas["Pulse"]} Pulse */
/** @typedef {Schemas["AccountItem"]} OperatorAccount */
/** @typedef {Schemas["JobFigures"]} OperatorJobs */
/** @typedef {Schemas["Setting"]} OperatorSetting */
/** @typedef {Schemas["BannerView"]} Banner */
/** @typedef {Schemas["SeekView"]} SeekView */
/** @typedef {Schemas["PoolCount"]} PoolCount */
/** @typedef {Schemas["TvChannel"]} TvChannel */
/** @typedef {Schemas["Activity"]} Activity */
/** @typedef {Schemas["MatchSummary"]} MatchSummary */
/** @typedef {Schemas["Event"]} MatchEvent */
/** @typedef {Schemas["RatingView"]} PlayerRating */
/** @typedef {Schemas["Profile"]} PlayerProfile */
/** @typedef {Schemas["ConditionalLines"]} ConditionalLines */
/** @typedef {Schemas["VacationView"]} Vacation */
/** @typedef {Schemas["Ranked"]} LeaderboardRow */
/** @typedef {Schemas["GameRecord"]} GameRecord */
/** @typedef {Schemas["GameStatistics"]} GameStatistics */
/** @typedef {Schemas["HeadToHead"]} HeadToHead */
/** @typedef {Schemas["RatingPoint"]} RatingPoint */
/** @typedef {Schemas["OptionsWish"]} OptionsWish */
/** @typedef {Schemas["MatchOptions"]} MatchOptions */
/** @typedef {Schemas["SessionView"]} SessionView */
/** @typedef {Schemas["TokenView"]} TokenView */
/** @typedef {Schemas["NewTokenView"]} NewToken */
/** @typedef {Schemas["Scope"]} Scope */

/**
 * One value for each of the two seats.
 * @template T
 * @typedef {{ first: T, second: T }} Seats
 */

/**
 * A page of a list; `next` is the cursor of the page after it.
 * @template T
 * @typedef {{ items: T[], next?: string | null }} Page
 */

export {};
