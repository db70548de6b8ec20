// @ts-check
// A game under analysis as plain data: its moves, branches and players; and the check of all its plies by the rules.

import { positionIn } from "../games/setup.js";

/** @import { MatchResult, Seats } from "../core/types.js" */
/** @import { Game as Rules } from "../wasm/rules.js" */

/**
 * A game with every ply, passes too.
 * @typedef {Object} Played
 * @property {string} game
 * @property {string} setup
 * @property {string | null} start the position before the first ply, unless the setup gives it
 * @property {string[]} moves
 * @property {Branch[]} [branches] the alternatives that were tried
 * @property {Seats<string>} [names] the players
 * @property {MatchResult} [result] the result, unless the rules give it
 */

/**
 * A line that branches off another one.
 * @typedef {Object} Branch
 * @property {number} ply the number of plies, from the start, before the first of its moves
 * @property {string[]} moves at least one
 * @property {Branch[]} [branches]
 */

/**
 * The fault of a text, as a code, with its place as far as it is known.
 * @typedef {{ code: string, line?: number, column?: number, ply?: number }} Fault
 */

/** @typedef {Played | { fault: Fault }} Read */

/** The most plies in branches: more than a person tries. */
const MOST_BESIDE = 5_000;

/** @param {Fault} fault @returns {{ fault: Fault }} */
export const wrong = (fault) => ({ fault });

/**
 * The rules at the beginning of a game.
 * @param {typeof Rules} Game
 * @param {Pick<Played, "game" | "setup" | "start">} played
 */
export const begin = (Game, { game, setup, start }) => (start === null ? Game.start(game, setup) : Game.fromPosition(game, start));

/**
 * The beginning in one form: a game whose setup is a position begins from it, with the empty setup, as one that was begun on this device.
 * @param {{ setup: string, start: string | null }} begun
 */
export function beginningOf({ setup, start }) {
  const position = positionIn(setup);
  return position === null ? { setup, start } : { setup: "", start: start ?? position };
}

/**
 * The beginning of a match of the server, which tells the first position always.
 * @param {typeof Rules} Game
 * @param {{ game: string, setup: string, start: string }} match
 */
export function matchBeginning(Game, { game, setup, start }) {
  if (positionIn(setup) !== null) return beginningOf({ setup, start });
  const rules = Game.start(game, setup);
  const isUsual = rules.position() === start;
  rules.free();
  return { setup, start: isUsual ? null : start };
}

/** @param {typeof Rules} Game @param {Played} played @returns {Read} */
export function judged(Game, played) {
  /** @type {Rules} */
  let rules;
  try {
    rules = begin(Game, played);
  } catch {
    return wrong({ code: played.start === null ? "bad-setup" : "bad-start" });
  }
  try {
    for (const [i, move] of played.moves.entries()) {
      const why = rules.explainIllegal(move);
      if (why !== undefined) return wrong({ code: why, ply: i + 1 });
      rules.play(move);
    }
    const fault = faultBeside(rules, played.branches ?? [], { plies: 0 });
    return fault ? wrong(fault) : played;
  } finally {
    rules.free();
  }
}

/**
 * The first fault of the branches of a line, or null. Afterwards the rules are at the end of the line again.
 * @param {Rules} rules
 * @param {Branch[]} branches
 * @param {{ plies: number }} counted the plies of all branches so far
 * @returns {Fault | null}
 */
function faultBeside(rules, branches, counted) {
  const line = rules.moves();
  for (const branch of branches) {
    counted.plies += branch.moves.length;
    if (counted.plies > MOST_BESIDE) return { code: "too-long" };
    if (branch.ply < 0 || branch.ply > line.length) return { code: "bad-branch" };
    rules.retreat(rules.ply() - branch.ply);
    for (const [i, move] of branch.moves.entries()) {
      const why = rules.explainIllegal(move);
      if (why !== undefined) return { code: why, ply: branch.ply + i + 1 };
      rules.play(move);
    }
    const fault = faultBeside(rules, branch.branches ?? [], counted);
    if (fault) return fault;
    rules.retreat(rules.ply() - branch.ply);
    for (const move of line.slice(branch.ply)) rules.play(move);
  }
  return null;
}

/**
 * Adds names and result to a game; the result only where the moves do not decide it.
 * @param {typeof Rules} Game
 * @param {Played} played
 * @param {Pick<Played, "names" | "result">} told
 * @returns {Played}
 */
export function withTold(Game, played, { names, result }) {
  const rules = begin(Game, played);
  for (const move of played.moves) rules.play(move);
  const isOver = rules.outcome() !== undefined;
  rules.free();
  return { ...played, ...(names ? { names } : {}), ...(result && !isOver ? { result } : {}) };
}
