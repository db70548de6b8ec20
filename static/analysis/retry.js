// @ts-check
// The reader's mistakes as tasks: the position before each is shown again, and a move that loses less solves it. No DOM.

import { lineFrom, playMove, remove } from "../review/tree.js";
import { judgeMove } from "../review/verdict.js";

/** @import { Side } from "../core/types.js" */
/** @import { Thought } from "../engine/types.js" */
/** @import { Place, Tree } from "../review/tree.js" */

/**
 * @typedef {Object} Retry
 * @property {Side | null} side the side whose mistakes they are; null for both
 * @property {Place} mistake the place after the mistake
 * @property {"asked" | "wrong" | "solved" | "told"} state `told`: the solution is shown
 * @property {Place | null} tried the place after the reader's move, until it is judged
 * @property {boolean} isNew whether that move was not in the tree before
 */

/** @typedef {(place: Place) => Thought | undefined} ThoughtOf */

/** The mistakes and blunders of the main line. @param {Tree} tree @param {ThoughtOf} thoughtOf @param {Side | null} side */
export const mistakesOf = ({ root, played: { game } }, thoughtOf, side) =>
  lineFrom(root).filter((place) => {
    const name = judgeMove(game, place, thoughtOf)?.name;
    return (side === null || place.side === side) && (name === "mistake" || name === "blunder");
  });

/** Begins a task: shows the position before a mistake. @param {Tree} tree @param {Side | null} side @param {Place} mistake @returns {Retry} */
export function begin(tree, side, mistake) {
  tree.at = /** @type {Place} */ (mistake.parent);
  return { side, mistake, state: "asked", tried: null, isNew: false };
}

/** Whether the task hides the engine's findings. @param {Retry | null} retry */
export const hides = (retry) => retry !== null && (retry.state === "asked" || retry.state === "wrong");

/** Plays the reader's move at the position of the task. @param {Tree} tree @param {Retry} retry @param {string} move */
export function attempt(tree, retry, move) {
  const { changes } = tree;
  const from = tree.at;
  playMove(tree, move);
  retry.tried = from.next.find((place) => place.move === move) ?? null;
  retry.isNew = tree.changes !== changes;
}

/**
 * Judges the reader's move, once the engine knows its value: a move that misses is taken back.
 * @param {Tree} tree
 * @param {Retry} retry
 * @param {ThoughtOf} thoughtOf
 * @param {(place: Place) => boolean} isDone whether the search of a place is complete
 * @returns {boolean} whether the move was judged now
 */
export function judge(tree, retry, thoughtOf, isDone) {
  const { tried, mistake } = retry;
  if (tried === null) return false;
  const { game } = tree.played;
  const isSame = tried === mistake;
  const isBest = tried.move === thoughtOf(/** @type {Place} */ (mistake.parent))?.best;
  if (!isSame && !isBest && !isDone(tried)) return false;
  const judged = judgeMove(game, tried, thoughtOf);
  if (!isSame && judged === null) return false;
  retry.tried = null;
  if (!isSame && judged?.name === null) {
    retry.state = "solved";
    return true;
  }
  retry.state = "wrong";
  // The branch was an answer, not a part of the reader's analysis.
  if (retry.isNew) remove(tree, tried);
  tree.at = /** @type {Place} */ (mistake.parent);
  return true;
}

/** The mistake after the one of the task; undefined after the last. @param {Tree} tree @param {Retry} retry @param {ThoughtOf} thoughtOf */
export const nextMistake = (tree, { side, mistake }, thoughtOf) =>
  mistakesOf(tree, thoughtOf, side).find((place) => place.ply > mistake.ply);
