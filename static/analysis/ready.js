// @ts-check
// The parts that analysis and lessons need besides the page: catalogue, style sheet and rules. Fetched once, when the first of them is
// opened.

import { loadPart } from "../core/i18n.js";
import init, { Game } from "../wasm/rules.js";

const STYLE = "/css/study.css";

/** @type {Promise<typeof Game> | undefined} */
let gathered;

/** @returns {Promise<typeof Game>} the rules; rejected if something cannot be loaded */
export const ready = () => {
  gathered ??= Promise.all([init(), loadPart("study"), style()]).then(
    () => Game,
    (error) => {
      // The next call tries again.
      gathered = undefined;
      throw error;
    },
  );
  return gathered;
};

/** @returns {Promise<void>} */
function style() {
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: STYLE });
  return new Promise((resolve, reject) => {
    link.addEventListener("load", () => resolve());
    link.addEventListener("error", () => {
      link.remove();
      reject(new Error("no style"));
    });
    document.head.append(link);
  });
}
