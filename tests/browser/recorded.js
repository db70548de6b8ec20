// @ts-check
// Recorded games of the rules' test vectors, for pages to play to their end.
import { readFileSync } from "node:fs";

import { setCatalogue } from "../../static/core/i18n.js";
import { initSync } from "../../static/wasm/rules.js";

/** @import { Language } from "../../static/core/types.js" */
/** @import { Side } from "../../static/core/types.js" */
/** @import { Game } from "../../static/games/types.js" */

/** @typedef {{ moves: string, final: string, start?: string, result: { score?: [number, number] } }} Playout */

/** More plies than a game against the computer has. */
export const ENOUGH = 400;

const local = (/** @type {string} */ path) => new URL(`../../${path}`, import.meta.url);

/** @param {Language} tag @param {string} [part] the folder of a part of the page; without one, the texts of every page and of the games that have their own */
export const catalogue = (tag, part) =>
  /** @type {Record<string, string>} */ (
    Object.assign(
      {},
      ...(part ? [part] : [".", "rest", "bao", "pallanguzhi"]).map((folder) =>
        JSON.parse(readFileSync(local(`static/i18n/${folder}/${tag}.json`), "utf8")),
      ),
    )
  );

export const english = catalogue("en");
initSync({ module: readFileSync(local("static/wasm/rules_bg.wasm")) });
setCatalogue("en", english);

/** The fewest plies of a game to play: a line that is cut after some messages must have them. */
const FEWEST = 26;

/** A short game, with a pass if the game has passes. @param {Game} game @returns {Playout} */
export function recorded({ id }) {
  /** @type {Playout[]} */
  const playouts = JSON.parse(readFileSync(local(`rules/tests/vectors/${id}.playouts.json`), "utf8")).playouts;
  const length = (/** @type {Playout} */ { moves }) => moves.split(" ").length - (moves.includes("pass") ? ENOUGH : 0);
  const [shortest] = playouts
    .filter(({ start, moves }) => start === undefined && moves.split(" ").length >= FEWEST)
    .sort((a, b) => length(a) - length(b));
  return /** @type {Playout} */ (shortest);
}

/** The names of a position's cells for the player of a side. @param {Game} game @param {string} position @param {Side | null} you */
export function names(game, position, you) {
  const { pieces } = game.parse(position);
  return game
    .layout("")
    .rows.flat()
    .map((cell) => game.cellName(cell, pieces.get(cell.id), you))
    .sort()
    .join("; ");
}
