// @ts-check
// A running match on a small board for watching, with each ply as it is played.

import { createBoard } from "../board/board.js";
import { setPosition } from "../board/state.js";
import { h } from "../core/dom.js";

/** @import { MatchState } from "../net/match.js" */
/** @import { Game } from "../games/types.js" */

/**
 * @param {Game} game
 * @param {string} setup
 * @param {() => string} label
 */
export function smallBoard(game, setup, label) {
  const el = h("div", { class: "board-host" });
  const board = createBoard(el, game.layout(setup), game, { label });
  /** The number of plies that it showed last. @type {number | null} */
  let shown = null;

  /** @param {MatchState} match */
  function show({ view }) {
    const ply = view.plies.length;
    const last = view.plies[ply - 1];
    const before = view.plies[ply - 2]?.position ?? view.start;
    board.update((state) => {
      setPosition(state, {
        pieces: game.parse(view.position).pieces,
        options: [],
        hand: null,
        last: last ? game.path(last.move, last.side) : [],
      });
      state.steps = last && shown === ply - 1 ? game.steps(game.parse(before).pieces, last.move, last.side) : [];
    });
    shown = ply;
  }

  /** Shows the position before the first ply. */
  const rest = () =>
    board.update((state) => setPosition(state, { pieces: game.parse(game.start).pieces, options: [], hand: null, last: [] }));
  return { el, show, rest, destroy: board.destroy };
}
