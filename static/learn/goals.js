// @ts-check
// What a task asks for, judged by the rules: each goal is a question about the position that a move has made, and about what may follow.

import { other } from "../core/time.js";
import { readOutcome } from "../local/referee.js";

/** @import { Side } from "../core/types.js" */
/** @import { Pieces } from "../board/state.js" */
/** @import { Game } from "../games/index.js" */
/** @import { Game as Rules } from "../wasm/rules.js" */

/**
 * A goal of who solves the task:
 * - `gains`: so many more count for them (stones home, discs, seeds in the store)
 * - `takes`: the opponent has so many pieces fewer
 * - `pins`, `frees`: so many more stones of the opponent's are turned over, so many fewer of their own
 * - `crowns`: a piece of theirs has turned to its other face
 * - `stands`: a piece of theirs stands on the cell
 * - `again`: they are to move once more
 * - `feeds`: in the opponent's houses lie so many seeds
 * - `passes`: the opponent can only pass
 * - `denies`: the opponent cannot play any of these moves
 * - `holds`: whatever the opponent replies, no more than so much is lost: `pieces` taken, `stones` turned over, seeds gained in the other `store`
 * - `wins`: the game is over, and won
 * @typedef {{ kind: "gains" | "takes" | "pins" | "frees" | "feeds", n: number } | { kind: "crowns" | "again" | "passes" | "wins" }
 *   | { kind: "stands", cell: string } | { kind: "denies", moves: string[] } | { kind: "holds", what: "pieces" | "stones" | "store", n: number }} Goal
 */

/** @param {Pieces} pieces @param {Side} side */
const own = (pieces, side) => [...pieces.values()].filter(({ owner }) => owner === side);

/** @param {Pieces} pieces @param {Side} side */
const turned = (pieces, side) => own(pieces, side).filter((piece) => piece.turned).length;

/** What may stand there after the opponent's next move. @param {Rules} rules @returns {string[]} */
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
 * @param {string} seen.before the position that the task begins with
 * @param {Rules} seen.rules as they stand now
 * @param {Side} seen.side who solves it
 */
export function isMet(game, goal, { before, rules, side }) {
  const pieces = game.parse(rules.position()).pieces;
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
      return (
        rules.turn() === side ||
        replies(rules).every((position) => loss(game, goal.what, pieces, game.parse(position).pieces, side) <= goal.n)
      );
    case "wins": {
      const outcome = rules.outcome();
      return outcome !== undefined && readOutcome(game.id, outcome).winner === side;
    }
  }
}

/** The seeds in the houses of a side. @param {Game} game @param {Pieces} pieces @param {Side} side */
const fed = (game, pieces, side) => own(pieces, side).reduce((sum, { count = 0 }) => sum + count, 0) - game.tally(pieces)[side];

/**
 * @param {Game} game
 * @param {"pieces" | "stones" | "store"} what
 * @param {Pieces} was
 * @param {Pieces} is
 * @param {Side} side who may have lost something
 */
function loss(game, what, was, is, side) {
  if (what === "pieces") return own(was, side).length - own(is, side).length;
  if (what === "stones") return turned(is, side) - turned(was, side);
  return game.tally(is)[other(side)] - game.tally(was)[other(side)];
}
