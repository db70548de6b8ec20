// @ts-check
// Writes the chosen options of a game as the text of a setup.

/** @import { SetupOption } from "./types.js" */

/**
 * Whether an option is open to choice, given the other choices.
 * @param {SetupOption} option
 * @param {Map<string, string>} chosen
 * @param {boolean} isHere whether the match is made on this device, without the server
 */
export const isOpen = ({ needs = {}, server = false }, chosen, isHere) =>
  !(server && isHere) && Object.entries(needs).every(([key, value]) => chosen.get(key) === value);

/**
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
