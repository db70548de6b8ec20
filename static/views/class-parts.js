// @ts-check
// What the modules of a class share.

/**
 * The place of the class in the page: shows something else there, or the class anew.
 * @typedef {{ show: (content: HTMLElement) => void, back: () => void }} Place
 */

/** The four rules, in the order in which they are shown. */
export const RULES = /** @type {const} */ (["outsiders", "phrases", "spectators", "profiles"]);
