// @ts-check
// REST for the computer analysis of a match.

import { call } from "./api.js";

/** @import { MatchAnalysis } from "../core/types.js" */

const of = (/** @type {string} */ id) => `/matches/${encodeURIComponent(id)}/analysis`;

/** @type {(id: string) => Promise<MatchAnalysis>} */
export const getAnalysis = (id) => call("GET", of(id));
/** @type {(id: string) => Promise<MatchAnalysis>} */
export const postAnalysis = (id) => call("POST", of(id), {});
