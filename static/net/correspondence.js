// @ts-check
// REST for matches by the day: conditional moves, and vacations. Fetched with the first page that needs it.

import { call } from "./api.js";

/** @import { ConditionalLines, Vacation } from "../core/types.js" */

const path = (/** @type {string} */ id) => `/matches/${encodeURIComponent(id)}/conditional-moves`;

/** @type {(id: string) => Promise<ConditionalLines>} */
export const getConditionalMoves = (id) => call("GET", path(id));
/** Stores lines in place of all earlier ones. @type {(id: string, lines: ConditionalLines) => Promise<ConditionalLines>} */
export const putConditionalMoves = (id, lines) => call("PUT", path(id), lines);

/** @type {() => Promise<Vacation>} */
export const getVacation = () => call("GET", "/me/vacation");
/** @type {(days: number) => Promise<Vacation>} */
export const beginVacation = (days) => call("POST", "/me/vacation", { days });
/** @type {() => Promise<Vacation>} */
export const endVacation = () => call("DELETE", "/me/vacation");
