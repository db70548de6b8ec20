// @ts-check
// The goals of tasks, judged by the rules: each is a condition on the position after a move, and on the replies.

import { other } from "../core/time.js";
import { readOutcome } from "../local/referee.js";

/** @import { Side } from "../core/types.js" */
/** @import { Pieces } from "../board/state.js" */
/** @import { Game, Goal } from "../games/types.js" */
/** @import { Game as Rules } from "../wasm/rules.js" */

/** @param {Pieces} pieces @param {Side} side */
const own = (pieces, side) => [...pieces.values()].filter(({ owner }) => owner === side);

/** @param {Pieces} pieces @param {Side} side */
const turned = (pieces, side) => own(pieces, side).filter((piece) => piece.turned).length;

/**
 * Whether a side owns its nyumba, which the position of Bao marks with an `h`.
 * @param {string} position
 * @param {Side} side
 */
const ownsHouse = (position, side) => (position.split("/")[side === "first" ? 0 : 1] ?? "").includes("h");

/** The positions after each legal move of the opponent. @param {Rules} rules @returns {string[]} */
function replies(rules) {
  return rules.legalMoves().map((move) => {
    rules.play(move);
    const position = rules.position();
    rules.retreat(1);
    return position;
  });
}

/**
 * @param {Game} game
 * @param {Goal} goal
 * @param {Object} seen
 * @param {string} seen.before the position at the beginning of the task
 * @param {Rules} seen.rules at the current position
 * @param {Side} seen.side the reader's side
 */
export function isMet(game, goal, { before, rules, side }) {
  const position = rules.position();
  const pieces = game.parse(position).pieces;
  const was = game.parse(before).pieces;
  const foe = other(side);
  switch (goal.kind) {
    case "gains":
      return game.tally(pieces)[side] - game.tally(was)[side] >= goal.n;
    case "takes":
      return own(was, foe).length - own(pieces, foe).length >= goal.n;
    case "pins":
      return turned(pieces, foe) - turned(was, foe) >= goal.n;
    case "frees":
      return turned(was, side) - turned(pieces, side) >= goal.n;
    case "crowns":
      return turned(pieces, side) > turned(was, side);
    case "stands":
      return pieces.get(goal.cell)?.owner === side;
    case "again":
      return rules.outcome() === undefined && rules.turn() === side;
    case "feeds":
      return fed(game, pieces, foe) >= goal.n;
    case "passes":
      return rules.turn() === foe && rules.forcedPass() !== undefined;
    case "denies":
      return rules.turn() === foe && !rules.legalMoves().some((legal) => goal.moves.includes(legal));
    case "holds":
      return rules.turn() === side || replies(rules).every((reply) => loss(game, goal.what, position, reply, side) <= goal.n);
    case "keeps-house":
      return ownsHouse(position, side);
    case "takes-house":
      return ownsHouse(before, foe) && !ownsHouse(position, foe);
    case "wins": {
      const outcome = rules.outcome();
      return outcome !== undefined && readOutcome(game.id, outcome).winner === side;
    }
  }
}

/** The seeds in the houses of a side. @param {Game} game @param {Pieces} pieces @param {Side} side */
const fed = (game, pieces, side) => own(pieces, side).reduce((sum, { count = 0 }) => sum + count, 0) - game.tally(pieces)[side];

/**
 * The loss of a side by a reply.
 * @param {Game} game
 * @param {"pieces" | "stones" | "store" | "house"} what
 * @param {string} before
 * @param {string} after
 * @param {Side} side
 */
function loss(game, what, before, after, side) {
  if (what === "house") return Number(ownsHouse(before, side)) - Number(ownsHouse(after, side));
  const was = game.parse(before).pieces;
  const is = game.parse(after).pieces;
  if (what === "pieces") return own(was, side).length - own(is, side).length;
  if (what === "stones") return turned(is, side) - turned(was, side);
  return game.tally(is)[other(side)] - game.tally(was)[other(side)];
}
