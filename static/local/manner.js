// @ts-check
// The phrases of a computer opponent on this device: by the table of the server's opponents and by the same choice, so that the device shows
// the same characters. Nothing is random: of several phrases that fit, the id of the match and the ply decide.

import { ANSWERS, OPPONENTS } from "../core/opponents.js";

/** @import { Phrase } from "../core/types.js" */

/** The phrases of an opponent about the end, by its result. */
const ENDINGS = /** @type {const} */ ({ won: "wins", lost: "loses", drawn: "draws" });

/** @param {number} level */
export const opponentOf = (level) => /** @type {(typeof OPPONENTS)[number]} */ (OPPONENTS[level - 1] ?? OPPONENTS.at(-1));

/** The greeting at the beginning. @param {number} level @param {string} id of the match */
export const greeting = (level, id) => choose(opponentOf(level).greets, id, 0);

/**
 * The phrase after the end.
 * @param {number} level
 * @param {string} id of the match
 * @param {number} plies
 * @param {keyof typeof ENDINGS} ending for the opponent
 */
export const farewell = (level, id, plies, ending) => choose(opponentOf(level)[ENDINGS[ending]], id, plies);

/** The answer to a phrase of the person's; null where it needs none. @param {Phrase} phrase */
export const reply = (phrase) => ANSWERS[phrase] ?? null;

/** Chooses by the id (FNV-1a) and the ply, as `server/src/bots/manner.rs` does. @param {readonly Phrase[]} phrases @param {string} id @param {number} ply */
function choose(phrases, id, ply) {
  let hash = 0x811c9dc5;
  for (const letter of id) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) >>> 0;
  return /** @type {Phrase} */ (phrases[((hash % phrases.length) + (ply % phrases.length)) % phrases.length]);
}
