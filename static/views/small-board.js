// @ts-check
// A running match on a small board for watching, with each ply as it is played.

import { createBoard } from "../board/board.js";
import { setPosition } from "../board/state.js";
import { h } from "../core/dom.js";

/** @import { Played } from "../board/hand.js" */
/** @import { Pieces } from "../board/state.js" */
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

  /**
   * Shows the position after a number of plies; the steps of a single further ply one after another.
   * @param {number} ply
   * @param {Pieces} pieces
   * @param {(Played & { before: Pieces }) | null} last the last of the plies
   */
  function showPly(ply, pieces, last) {
    board.update((state) => {
      setPosition(state, { pieces, options: [], hand: null, last: last ? game.path(last.move, last.side, last.before) : [] });
      state.steps = last && shown === ply - 1 ? game.steps(last.before, last.move, last.side) : [];
    });
    shown = ply;
  }

  /** @param {MatchState} match */
  function show({ view }) {
    const ply = view.plies.length;
    const last = view.plies[ply - 1];
    const before = view.plies[ply - 2]?.position ?? view.start;
    showPly(ply, game.parse(view.position).pieces, last ? { ...last, before: game.parse(before).pieces } : null);
  }

  return {
    el,
    show,
    showPly,
    /** Shows the position before the first ply. */
    rest: () => showPly(0, game.parse(game.start).pieces, null),
    /** Whether the steps of a ply are being shown. */
    isMoving: () => board.state.steps.length > 0,
    destroy: board.destroy,
  };
}
