// @ts-check
// The recorded game of the home page.

import { other } from "../core/time.js";

/** @import { Side } from "../core/types.js" */
/** @import { Pieces } from "../board/state.js" */
/** @import { Game } from "./types.js" */

/**
 * The plies of the recorded game from its start, with the pieces before and after each.
 * @param {Game} game
 */
export function pliesOf(game) {
  /** @type {{ move: string, side: Side, before: Pieces, pieces: Pieces }[]} */
  const plies = [];
  for (const word of game.recorded.split(" ")) {
    const last = plies.at(-1);
    const again = word.startsWith("+");
    const move = again ? word.slice(1) : word;
    const side = last ? (again ? last.side : other(last.side)) : "first";
    const before = last?.pieces ?? game.parse(game.start).pieces;
    plies.push({ move, side, before, pieces: game.preview(before, move, side) });
  }
  return plies;
}
