// @ts-check
// A task as the page shows it: the run, the reader's hand, the suggested move and the last ply. No DOM.

import { createHand, stepsOf } from "../board/hand.js";
import { t } from "../core/i18n.js";
import { other } from "../core/time.js";
import { back, begin, hint, play } from "./run.js";

/** @import { Step } from "../board/state.js" */
/** @import { Hand, Played, Turn } from "../board/hand.js" */
/** @import { Game, Task } from "../games/types.js" */
/** @import { Game as Rules } from "../wasm/rules.js" */
/** @import { Run } from "./run.js" */

/**
 * @typedef {Object} TaskTable
 * @property {typeof Rules} Rules
 * @property {Game} game
 * @property {Task} task
 * @property {Run} run
 * @property {Hand} hand
 * @property {string | null} suggested the suggested move
 * @property {(() => string) | null} refused the reason why a move was refused
 * @property {Played | null} last the last ply, for the board
 */

/** @param {typeof Rules} Rules the rules, loaded @param {Game} game @param {Task} task @returns {TaskTable} */
export const createTable = (Rules, game, task) => ({
  Rules,
  game,
  task,
  run: begin(Rules, game, task),
  hand: createHand(game),
  suggested: null,
  refused: null,
  last: null,
});

/** @param {TaskTable} table */
const pieces = ({ game, run }) => game.parse(run.rules.position()).pieces;

/** The moves that the reader can make. @param {TaskTable} table @returns {Turn} */
export function turnOf(table) {
  const { rules, state, side } = table.run;
  const isOpen = state === "open";
  return { pieces: pieces(table), legal: isOpen ? rules.legalMoves() : [], side: isOpen ? side : null };
}

/**
 * Plays a legal move, and the replies.
 * @param {TaskTable} table
 * @param {string} move
 * @returns {Step[]} the positions to show before the present one
 */
export function make(table, move) {
  const { game, run, hand } = table;
  const before = pieces(table);
  table.suggested = null;
  table.refused = null;
  let now = before;
  // The plies after the reader's are the opponent's.
  const plies = play(run, move).map((ply, i) => {
    const side = i === 0 ? run.side : other(run.side);
    now = game.preview(now, ply, side);
    return { move: ply, side, pieces: now };
  });
  table.last = plies.at(-1) ?? null;
  return stepsOf(hand, before, plies);
}

/** Takes back the reader's last move, and the replies. @param {TaskTable} table */
export function takeBack(table) {
  back(table.run);
  forget(table);
}

/** @param {TaskTable} table */
export function restart(table) {
  table.run.rules.free();
  table.run = begin(table.Rules, table.game, table.task);
  forget(table);
}

/** @param {TaskTable} table */
function forget(table) {
  table.suggested = null;
  table.refused = null;
  table.last = null;
}

/** Suggests the next move of the solution; off its way the task begins again. @param {TaskTable} table */
export function suggest(table) {
  if (hint(table.run) === null) restart(table);
  table.suggested = hint(table.run);
}

/** The refusal, or how the task stands. @param {TaskTable} table */
export function toldText({ refused, run }) {
  if (refused) return refused();
  if (run.state === "solved") return t("learn.solved");
  if (run.state === "wrong") return t("learn.wrong");
  return run.made > 0 ? t("learn.on") : "";
}
