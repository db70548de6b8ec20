// @ts-check
// What a score means to people: the result to be expected, and how much of it a move gave away.

import { gameOf } from "../games/index.js";

/** @import { Side } from "../core/types.js" */
/** @import { Thought } from "../engine/engine.js" */
/** @import { Place } from "./tree.js" */

/** Beyond this a score is a win or a loss, and counts the plies to it: as the engine has it (`ai/src/search/score.rs`). */
const WIN_BOUND = 9_000_000;
const WIN = 10_000_000;

/**
 * The score, in hundredths of the game's unit, by which a side has 73 % of the points: measured, `tests/browser/expectation.js`.
 * @type {Record<string, number>}
 */
export const SCALES = { mawe: 68, reversi: 2045, checkers: 706, kalah: 574, oware: 749, congkak: 453 };

/** From so much of a point on a loss has a name; as chess sites have it. */
const NAMES = /** @type {const} */ ([
  ["blunder", 0.15],
  ["mistake", 0.1],
  ["inaccuracy", 0.05],
]);

/** @typedef {"inaccuracy" | "mistake" | "blunder"} Mistake */

/** In how many plies a score wins (or, below zero, loses); null where it does not say. @param {Pick<Thought, "score">} thought */
export const winsIn = ({ score }) => (Math.abs(score) < WIN_BOUND ? null : Math.sign(score) * (WIN - Math.abs(score)));

/**
 * What a side to move can expect of a score: 0 is a loss, 1 a win.
 * @param {string} game
 * @param {Pick<Thought, "score" | "proven">} thought
 */
export function expected(game, { score, proven }) {
  if (winsIn({ score }) !== null || proven) return score > 0 ? 1 : score < 0 ? 0 : 0.5;
  return 1 / (1 + Math.exp(-score / (SCALES[game] ?? 100)));
}

/**
 * What the first side can expect at a place; null where nothing is known yet.
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
 * How much of the point a move gave away, and what it is called. Who had no choice, or made the best move, gave nothing.
 * @param {string} game
 * @param {Place} place
 * @param {(place: Place) => Thought | undefined} thoughtOf
 * @returns {{ loss: number, name: Mistake | null, best: string } | null} null where it is not known yet, and at the start
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
  return { loss, name: NAMES.find(([, least]) => loss >= least)?.[0] ?? null, best: before.best };
}

/**
 * How often each side erred, by what it is called.
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
