// @ts-check
// The text of a setup: options with commas between them, or one position.

/** @import { SetupOption } from "./types.js" */

/** Begins a setup that is a position. It stands alone: the rest of the text is the position as it is, with any commas and blanks of its own. */
const POSITION = "position=";

/** The setup of a match that begins from a position. @param {string} position */
export const setupAt = (position) => `${POSITION}${position}`;

/** The position that a setup is; null for one of options. @param {string} setup */
export const positionIn = (setup) => (setup.startsWith(POSITION) ? setup.slice(POSITION.length) : null);

/** The value of an option in a setup; null where it is left out. @param {string} setup @param {string} key */
export function inSetup(setup, key) {
  if (positionIn(setup) !== null) return null;
  return new Map(setup.split(",").map((pair) => /** @type {[string, string]} */ (pair.split("=")))).get(key) ?? null;
}

/**
 * Whether an option is open to choice, given the other choices.
 * @param {SetupOption} option
 * @param {Map<string, string>} chosen
 * @param {boolean} isHere whether the match is made on this device, without the server
 */
export const isOpen = ({ needs = {}, server = false }, chosen, isHere) =>
  !(server && isHere) && Object.entries(needs).every(([key, value]) => chosen.get(key) === value);

/**
 * Writes the chosen options of a game.
 * @param {SetupOption[]} options
 * @param {Map<string, string>} chosen
 * @param {{ isRated: boolean, isHere: boolean }} match
 */
export const setupOf = (options, chosen, { isRated, isHere }) =>
  options
    .flatMap((option) => {
      const { key, standard, rated } = option;
      const value = isRated && rated !== undefined ? rated : chosen.get(key);
      return value === undefined || value === standard || !isOpen(option, chosen, isHere) ? [] : [`${key}=${value}`];
    })
    .join(",");
