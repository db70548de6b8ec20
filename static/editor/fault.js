// @ts-check
// The place of a fault in the text of a position. The rules give the reason alone; they read a text from its beginning to its end, so the
// place is where the reason first appears and stays.

/** @import { Game as Rules } from "../wasm/rules.js" */

/** Faults of the whole text, or of its end. */
const NO_PLACE = ["ends-early", "unfit-stores", "too-long"];

/**
 * @param {typeof Rules} Game the rules, loaded
 * @param {string} kind
 * @param {string} text
 * @param {string} code the reason
 * @returns {number | null} counted from 1
 */
export function placeOfFault(Game, kind, text, code) {
  if (NO_PLACE.includes(code)) return null;
  let length = text.length;
  while (length > 0 && reasonOf(Game, kind, text.slice(0, length - 1)) === code) length -= 1;
  return length > 0 ? length : null;
}

/** The reason why a text is no position; null if it is one. @param {typeof Rules} Game @param {string} kind @param {string} text */
function reasonOf(Game, kind, text) {
  try {
    Game.fromPosition(kind, text).free();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
