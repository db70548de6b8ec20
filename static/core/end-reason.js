// @ts-check
// The reasons of an end that gives no result.

import { CALLED_OFF } from "./facts.js";

/** Whether a match that ended for this reason was called off. @param {string | undefined} reason */
export const isCalledOff = (reason) => CALLED_OFF.some((code) => code === reason);
