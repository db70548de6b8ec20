// @ts-check
// A match that has just ended, looked at by the engine of the page for one of its players. Fetched with the first end of a match.

import { openEngine } from "../engine/engine.js";
import { createAnalyst } from "./analyst.js";
import { matchBeginning } from "./played.js";
import { ready } from "./ready.js";
import { createTree, lineFrom } from "./tree.js";
import { accuracies, countMistakes } from "./verdict.js";

/** @import { MatchView, Side } from "../core/types.js" */

/** @typedef {{ accuracy: number, mistakes: number }} Review `mistakes` counts blunders, too */

/**
 * @param {MatchView} view a match that is over
 * @param {Side} side
 * @returns {{ done: Promise<Review | null>, stop: () => void }} null if it was stopped, the engine failed, or the side never had a choice
 */
export function reviewMatch(view, side) {
  const work = new AbortController();
  return { done: judge(view, side, work.signal), stop: () => work.abort() };
}

/** @param {MatchView} view @param {Side} side @param {AbortSignal} signal @returns {Promise<Review | null>} */
async function judge(view, side, signal) {
  const { game, plies } = view;
  const Game = await ready();
  const tree = createTree(Game, { game, ...matchBeginning(Game, view), moves: plies.map(({ move }) => move) });
  const line = lineFrom(tree.root);
  /** @type {() => void} */
  let note = () => {};
  const analyst = createAnalyst(tree, openEngine(), () => note());
  const isOver = () => signal.aborted || analyst.failure() !== null || line.every(analyst.isDone);
  analyst.setEffort("quick");
  analyst.look(line);
  await new Promise((/** @type {(nothing: null) => void} */ resolve) => {
    note = () => isOver() && resolve(null);
    signal.addEventListener("abort", note);
    note();
  });
  analyst.stop();
  const accuracy = accuracies(game, line, analyst.thoughtOf)[side];
  if (!line.every(analyst.isDone) || accuracy === null) return null;
  const { mistake, blunder } = countMistakes(game, line, analyst.thoughtOf)[side];
  return { accuracy, mistakes: mistake + blunder };
}
