// @ts-check
// Clubs over REST. In a module of its own: few readers load it.

import { call, query } from "./api.js";

/** @import { ClubInvitationView, ClubLogEntry, ClubMemberView, ClubOfPlayer, ClubRanked, ClubRequestView, ClubSummary, ClubView, MatchSummary, Page } from "../core/types.js" */

const at = (/** @type {string} */ handle, rest = "") => `/clubs/${encodeURIComponent(handle)}${rest}`;
const of = (/** @type {string} */ handle, /** @type {string} */ list, /** @type {string} */ name) =>
  at(handle, `/${list}/${encodeURIComponent(name)}`);

/** @type {(search: string, cursor: string | null) => Promise<Page<ClubSummary>>} */
export const getClubs = (search, cursor) => call("GET", `/clubs?${query({ search: search || null, cursor })}`);
/** The reader's clubs. @type {(standing: "member" | "requested" | "invited", cursor: string | null) => Promise<Page<ClubOfPlayer>>} */
export const getMyClubs = (standing, cursor) => call("GET", `/me/clubs?${query({ standing, cursor })}`);
/** The public clubs of a player. @type {(name: string, limit: number) => Promise<Page<ClubOfPlayer>>} */
export const getClubsOf = (name, limit) => call("GET", `/players/${encodeURIComponent(name)}/clubs?${query({ limit: String(limit) })}`);
/** @type {(club: { handle: string, name: string, joining?: string, kind?: "class" }) => Promise<ClubView>} */
export const postClub = (club) => call("POST", "/clubs", club);
/** @type {(handle: string) => Promise<ClubView>} */
export const getClub = (handle) => call("GET", at(handle));
/** @type {(handle: string, change: Record<string, unknown>) => Promise<ClubView>} */
export const patchClub = (handle, change) => call("PATCH", at(handle), change);
/** Closes a club. @type {(handle: string, password: string) => Promise<null>} */
export const deleteClub = (handle, password) => call("DELETE", at(handle), { password });
/** Reports a club to the moderators. @type {(handle: string, report: { reason: string, text: string }) => Promise<unknown>} */
export const postClubReport = (handle, report) => call("POST", at(handle, "/reports"), report);
/** A moderator's change. @type {(handle: string, change: Record<string, unknown>) => Promise<ClubView>} */
export const patchModeratedClub = (handle, change) => call("PATCH", `/moderation${at(handle)}`, change);
/** A moderator closes a club. @type {(handle: string, why: string) => Promise<null>} */
export const deleteModeratedClub = (handle, why) => call("DELETE", `/moderation${at(handle)}`, { why });
/** @type {(handle: string, cursor: string | null) => Promise<Page<ClubMemberView>>} */
export const getMembers = (handle, cursor) => call("GET", at(handle, `/members?${query({ cursor })}`));
/** Joins, or requests to join. @type {(handle: string, line: string) => Promise<unknown>} */
export const postMember = (handle, line) => call("POST", at(handle, "/members"), { line });
/** Leaves with the own name, else removes. @type {(handle: string, name: string) => Promise<null>} */
export const deleteMember = (handle, name) => call("DELETE", of(handle, "members", name));
/** @type {(handle: string, player: string) => Promise<null>} */
export const postOfficer = (handle, player) => call("POST", at(handle, "/officers"), { player });
/** @type {(handle: string, name: string) => Promise<null>} */
export const deleteOfficer = (handle, name) => call("DELETE", of(handle, "officers", name));
/** @type {(handle: string, cursor: string | null) => Promise<Page<ClubRequestView>>} */
export const getRequests = (handle, cursor) => call("GET", at(handle, `/requests?${query({ cursor })}`));
/** @type {(handle: string, name: string) => Promise<null>} */
export const acceptRequest = (handle, name) => call("POST", `${of(handle, "requests", name)}/accept`, {});
/** Withdraws the own request, or refuses. @type {(handle: string, name: string) => Promise<null>} */
export const deleteRequest = (handle, name) => call("DELETE", of(handle, "requests", name));
/** @type {(handle: string, cursor: string | null) => Promise<Page<ClubInvitationView>>} */
export const getInvitations = (handle, cursor) => call("GET", at(handle, `/invitations?${query({ cursor })}`));
/** @type {(handle: string, player: string) => Promise<null>} */
export const postInvitation = (handle, player) => call("POST", at(handle, "/invitations"), { player });
/** Declines the own invitation, or takes one back. @type {(handle: string, name: string) => Promise<null>} */
export const deleteInvitation = (handle, name) => call("DELETE", of(handle, "invitations", name));
/** @type {(handle: string, cursor: string | null) => Promise<Page<ClubLogEntry>>} */
export const getClubLog = (handle, cursor) => call("GET", at(handle, `/log?${query({ cursor })}`));
/** @type {(handle: string, game: string, speed: string, cursor: string | null) => Promise<Page<ClubRanked>>} */
export const getClubBoard = (handle, game, speed, cursor) => call("GET", at(handle, `/leaderboards/${game}?${query({ speed, cursor })}`));
/** @type {(handle: string, cursor: string | null) => Promise<Page<MatchSummary>>} */
export const getClubMatches = (handle, cursor) => call("GET", at(handle, `/matches?${query({ cursor })}`));
/** @type {(handle: string, cursor: string | null) => Promise<Page<MatchSummary>>} */
export const getRunningClubMatches = (handle, cursor) => call("GET", at(handle, `/matches?${query({ state: "running", cursor })}`));
