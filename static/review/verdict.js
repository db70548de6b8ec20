// @ts-check
// The meaning of a score for people: the expected result, and the loss of it by a move.

import { gameOf } from "../games/index.js";
import { ACCURACY, MISTAKES, SCALES, WIN, WIN_BOUND } from "./scales.js";

/** @import { Side } from "../core/types.js" */
/** @import { Thought } from "../engine/types.js" */
/** @import { Place } from "./tree.js" */

/** @typedef {"inaccuracy" | "mistake" | "blunder"} Mistake */

/** The number of plies in which a score wins (or, below zero, loses); null if it does not say. @param {Pick<Thought, "score">} thought */
export const winsIn = ({ score }) => (Math.abs(score) < WIN_BOUND ? null : Math.sign(score) * (WIN - Math.abs(score)));

/**
 * The expected result of the side to move: 0 is a loss, 1 a win.
 * @param {string} game
 * @param {Pick<Thought, "score" | "proven">} thought
 */
export function expected(game, { score, proven }) {
  if (winsIn({ score }) !== null || proven) return score > 0 ? 1 : score < 0 ? 0 : 0.5;
  return 1 / (1 + Math.exp(-score / (SCALES[game] ?? 100)));
}

/**
 * The expected result of the first side at a place; null if it is not known yet.
 * @param {string} game
 * @param {Pick<Place, "turn" | "outcome">} place
 * @param {Pick<Thought, "score" | "proven"> | undefined} thought
 */
export function worth(game, { turn, outcome }, thought) {
  if (outcome !== undefined) {
    const [winner] = outcome.split(" ");
    const codes = gameOf(game)?.codes;
    return winner === codes?.first ? 1 : winner === codes?.second ? 0 : 0.5;
  }
  if (!thought) return null;
  const mover = expected(game, thought);
  return turn === "first" ? mover : 1 - mover;
}

/**
 * The loss of expected result by a move, and its name. An only move and the best move have no loss.
 * @param {string} game
 * @param {Place} place
 * @param {(place: Place) => Thought | undefined} thoughtOf
 * @returns {{ loss: number, name: Mistake | null, best: string } | null} null if it is not known yet, and at the start
 */
export function judgeMove(game, place, thoughtOf) {
  const { parent, side, move } = place;
  const before = parent ? thoughtOf(parent) : undefined;
  if (!parent || !before) return null;
  if (parent.legal.length < 2 || move === before.best) return { loss: 0, name: null, best: before.best };
  const was = worth(game, parent, before);
  const is = worth(game, place, thoughtOf(place));
  if (was === null || is === null) return null;
  const loss = Math.max(0, side === "first" ? was - is : is - was);
  return { loss, name: MISTAKES.find(([, least]) => loss >= least)?.[0] ?? null, best: before.best };
}

/**
 * The number of each side's errors, by name.
 * @param {string} game
 * @param {Place[]} line
 * @param {(place: Place) => Thought | undefined} thoughtOf
 */
export function countMistakes(game, line, thoughtOf) {
  const none = () => ({ inaccuracy: 0, mistake: 0, blunder: 0 });
  /** @type {Record<Side, Record<Mistake, number>>} */
  const counts = { first: none(), second: none() };
  for (const place of line) {
    const name = judgeMove(game, place, thoughtOf)?.name;
    if (name) counts[place.side][name] += 1;
  }
  return counts;
}

/**
 * How close each side's moves came to the best ones, from 0 to 1; null for a side without a judged choice. The mean over its moves of a value
 * that falls with the loss, by the curve that lichess publishes for chess.
 * @param {string} game
 * @param {Place[]} line
 * @param {(place: Place) => Thought | undefined} thoughtOf
 */
export function accuracies(game, line, thoughtOf) {
  /** @type {Record<Side, number[]>} */
  const values = { first: [], second: [] };
  for (const place of line) {
    const judged = judgeMove(game, place, thoughtOf);
    if (!judged || (place.parent?.legal.length ?? 0) < 2) continue;
    values[place.side].push(Math.max(0, Math.min(1, ACCURACY.factor * Math.exp(-ACCURACY.exponent * judged.loss) - ACCURACY.shift)));
  }
  const mean = (/** @type {number[]} */ all) => (all.length === 0 ? null : all.reduce((sum, one) => sum + one, 0) / all.length);
  return { first: mean(values.first), second: mean(values.second) };
}
