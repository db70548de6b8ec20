// @ts-check
// Club matches over REST.

import { call, query } from "./api.js";

/** @import { ClubMatchPlayer, ClubMatchSummary, ClubMatchView, Page } from "../core/types.js" */

/** @typedef {"proposed" | "coming" | "running" | "past"} ClubMatchList */
/** @typedef {"home" | "away"} ClubSide */

const at = (/** @type {string} */ id, rest = "") => `/club-matches/${encodeURIComponent(id)}${rest}`;
const of = (/** @type {string} */ handle) => `/clubs/${encodeURIComponent(handle)}/club-matches`;

/** @type {(handle: string, list: ClubMatchList, cursor: string | null) => Promise<Page<ClubMatchSummary>>} */
export const getClubMatchList = (handle, list, cursor) => call("GET", `${of(handle)}?${query({ list, cursor })}`);
/** @type {(handle: string, proposal: Record<string, unknown>) => Promise<ClubMatchView>} */
export const postClubMatch = (handle, proposal) => call("POST", of(handle), proposal);
/** @type {(id: string) => Promise<ClubMatchView>} */
export const getClubMatch = (id) => call("GET", at(id));
/** @type {(id: string) => Promise<unknown>} */
export const acceptClubMatch = (id) => call("POST", at(id, "/accept"), {});
/** @type {(id: string) => Promise<null>} */
export const declineClubMatch = (id) => call("POST", at(id, "/decline"), {});
/** Withdraws a proposal, or cancels an agreed club match. @type {(id: string) => Promise<null>} */
export const endClubMatch = (id) => call("DELETE", at(id));
/** @type {(id: string, side: ClubSide, cursor: string | null) => Promise<Page<ClubMatchPlayer>>} */
export const getClubMatchPlayers = (id, side, cursor) => call("GET", at(id, `/players?${query({ side, cursor })}`));
/** @type {(id: string, side: ClubSide) => Promise<null>} */
export const signUp = (id, side) => call("POST", at(id, "/players"), { side });
/** @type {(id: string) => Promise<null>} */
export const signOff = (id) => call("DELETE", at(id, "/players"));
