// @ts-check
// The reasons of an end that gives no result; a test of `wire/src/end_reason.rs` compares them with the server's.

const CALLED_OFF = ["aborted", "no-show", "left-early", "closed"];

/** Whether a match that ended for this reason was called off. @param {string | undefined} reason */
export const isCalledOff = (reason) => reason !== undefined && CALLED_OFF.includes(reason);
