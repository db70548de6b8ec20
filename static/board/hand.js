// @ts-check
// The reader's hand on a board: the meaning of each choice of cells (a move, an attempt, a premove, a piece that cannot move), and the
// board that follows. No DOM. Every board on which moves can be made has one: a match, a position to try out, a task, an analysis.

import { NO_TRACES, setPosition } from "./state.js";

/** @import { Side } from "../core/types.js" */
/** @import { BoardState, Choice, Piece, Pieces, Step, Traces } from "./state.js" */

/**
 * The part of a game that a hand needs; `games/types.js` describes the functions.
 * @typedef {Object} HandGame
 * @property {boolean} lifts
 * @property {boolean} [sows]
 * @property {(move: string, side: Side, pieces?: Pieces) => string[]} path
 * @property {(cells: string[], side: Side, pieces?: Pieces) => string | null} attempt
 * @property {(pieces: Pieces, move: string, side: Side) => Step[]} steps
 * @property {(pieces: Pieces, move: string, side: Side) => Traces} [traces]
 * @property {(piece: Piece) => string | null} stuck
 * @property {(pieces: Pieces, legal: string[], side: Side) => string | null} bound
 */

/**
 * @typedef {Object} Hand
 * @property {HandGame} game
 * @property {boolean} walked whether the move being made was already shown by dragging or by choosing each cell
 * @property {string[] | null} ahead the premove, as the chosen cells
 */

/**
 * The moves that the hand can make now.
 * @typedef {Object} Turn
 * @property {Pieces} pieces
 * @property {string[]} legal
 * @property {Side | null} side the side that the reader moves for; null while they make no move
 * @property {Side | null} [premove] the side that the reader chooses a premove for; null or absent without premoves
 */

/**
 * The meaning of a choice.
 * @typedef {{ kind: "move" | "attempt", move: string } | { kind: "premove" | "no-moves" | "nothing" } | { kind: "forbidden", why: string }} Meaning
 *   an `attempt` is an illegal move; `premove`: the premove was set or dropped; `no-moves`: the chosen piece has none; `forbidden`: it has
 *   none by this rule, given by its code
 */

/** @typedef {{ move: string, side: Side }} Played */

/**
 * @param {HandGame} game
 * @returns {Hand}
 */
export const createHand = (game) => ({ game, walked: false, ahead: null });

/**
 * Takes up a choice on the board.
 * @param {Hand} hand
 * @param {BoardState} board as the choice has left it
 * @param {Turn} turn
 * @param {Choice} choice
 * @returns {Meaning}
 */
export function takeUp(hand, board, turn, choice) {
  const { game } = hand;
  const premove = turn.premove ?? null;
  if (choice.kind === "move") {
    // A move shown step by step by hand, or dropped, is not shown again; choosing the cells of a sowing sows nothing yet.
    hand.walked = (choice.walked && game.lifts && !game.sows) || board.placed !== null;
    return { kind: "move", move: choice.move };
  }
  if (choice.kind === "attempt") {
    if (premove !== null) return setAhead(hand, choice.path, premove);
    const move = turn.side === null ? null : game.attempt(choice.path, turn.side, board.pieces);
    return move === null ? { kind: "nothing" } : { kind: "attempt", move };
  }
  if (choice.kind === "dropped" || (choice.kind === "picked" && premove !== null)) hand.ahead = null;
  return choice.kind === "picked" ? whyNone(game, board, turn) : { kind: "nothing" };
}

/**
 * The reason why the chosen piece has no moves.
 * @param {HandGame} game
 * @param {BoardState} board
 * @param {Turn} turn
 * @returns {Meaning}
 */
function whyNone(game, { picked, pieces, options }, turn) {
  const cell = picked[0] ?? "";
  const piece = pieces.get(cell);
  const stuck = piece ? game.stuck(piece) : null;
  if (stuck !== null) return { kind: "forbidden", why: stuck };
  if (options.some(({ path }) => path[0] === cell)) return { kind: "nothing" };
  const bound = boundBy(game, turn);
  if (bound !== null) return { kind: "forbidden", why: bound };
  if (turn.side === null) return { kind: "nothing" };
  // The rules say why, where one cell is enough to ask them.
  const asked = game.attempt([cell], turn.side, pieces);
  return asked === null ? { kind: "no-moves" } : { kind: "attempt", move: asked };
}

/** The code of the rule that restricts the reader's moves now, or null. @param {HandGame} game @param {Turn} turn */
export const boundBy = (game, { pieces, legal, side }) => (side === null ? null : game.bound(pieces, legal, side));

/**
 * Sets a premove. A choice that makes no move is dropped.
 * @param {Hand} hand
 * @param {string[]} path
 * @param {Side} side
 * @returns {Meaning}
 */
function setAhead(hand, path, side) {
  const { game, ahead } = hand;
  const move = game.attempt(path, side);
  // In a game of one-cell moves, choosing the same cell again removes the premove, and so does any cell that is never played.
  const again = ahead !== null && ahead.join() === path.join();
  hand.ahead = move === null || again || (!game.lifts && game.path(move, side).join() !== path.join()) ? null : path;
  return { kind: "premove" };
}

/** The move of the premove, legal or not; null without one. @param {Hand} hand @param {Side} side */
export const aheadMove = ({ game, ahead }, side) => (ahead === null ? null : game.attempt(ahead, side));

/**
 * The positions to show on the way to the position after some plies. The first of them is not shown again if the hand has just made it.
 * @param {Hand} hand
 * @param {Pieces} before the pieces before the first of the plies
 * @param {(Played & { pieces: Pieces })[]} plies each with the pieces after it
 */
export function stepsOf(hand, before, plies) {
  /** @type {Step[]} */
  const steps = [];
  let now = before;
  for (const [i, { move, side, pieces }] of plies.entries()) {
    if (i > 0) steps.push({ pieces: now });
    if (i > 0 || !hand.walked) steps.push(...hand.game.steps(now, move, side));
    now = pieces;
  }
  hand.walked = false;
  return steps;
}

/**
 * The traces of a ply: those that the game knows, else the cells outside its path whose piece is gone or turned over.
 * @param {HandGame} game
 * @param {Pieces} before
 * @param {Pieces} after
 * @param {Played & { path: string[] }} ply
 * @returns {Traces}
 */
function tracesOf(game, before, after, { move, side, path }) {
  if (game.traces) return game.traces(before, move, side);
  const isChanged = (/** @type {string} */ cell, /** @type {Piece} */ { owner, turned }) => {
    const now = after.get(cell);
    return now === undefined || now.owner !== owner || now.turned !== turned;
  };
  const taken = [...before].filter(([cell, piece]) => !path.includes(cell) && isChanged(cell, piece));
  return { end: null, taken: taken.map(([cell]) => cell) };
}

/**
 * Sets the position, the moves that can be made, and the last ply.
 * @param {Hand} hand
 * @param {BoardState} board
 * @param {Turn & { last: (Played & { before?: Pieces }) | null }} next `before`: the pieces before the last ply, for its traces
 */
export function showTurn({ game, ahead }, board, { last, ...turn }) {
  const { pieces, legal, side } = turn;
  const path = last ? game.path(last.move, last.side, last.before) : [];
  setPosition(board, {
    pieces,
    options: side === null ? [] : legal.map((move) => ({ path: game.path(move, side, pieces), move })),
    hand: side ?? turn.premove ?? null,
    last: path,
    traces: last?.before ? tracesOf(game, last.before, pieces, { ...last, path }) : NO_TRACES,
    bound: boundBy(game, turn) !== null,
  });
  board.ahead = ahead ?? [];
}
