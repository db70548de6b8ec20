// @ts-check
// The parts that analysis and lessons need besides the page: catalogue and rules. Fetched once, when the first of them is opened.

import { twice } from "../core/files.js";
import { loadPart } from "../core/i18n.js";
import init, { Game } from "../wasm/rules.js";

/** @type {Promise<typeof Game> | undefined} */
let gathered;

/** @returns {Promise<typeof Game>} the rules; rejected if something cannot be loaded */
export const ready = () => {
  gathered ??= Promise.all([twice(init), loadPart("study")]).then(
    () => Game,
    (error) => {
      // The next call tries again.
      gathered = undefined;
      throw error;
    },
  );
  return gathered;
};
