// @ts-check
// A board as a plain object, and the functions that change it. No DOM: the page draws the object, the tests read it.
//
// A board knows no rules. Its input is a layout, the pieces, and the legal moves, each as the *path* of cells that makes it: two cells for
// a slide, one for a placing or a sowing, more for a capture of several jumps. Choosing cells one after another follows the paths; at the
// end of a path its move is made. Where a path is also the beginning of a longer one, the choice stays open: the next cell goes on, and the
// same cell once more makes the shorter move. In a game whose moves are all one cell no piece is lifted: choosing a cell plays it.

/** @import { Side } from "../core/types.js" */

/**
 * @typedef {Object} Box in board units, from the top left corner as the first side sees the board
 * @property {number} x left edge
 * @property {number} y top edge
 * @property {number} w width
 * @property {number} h height
 */

/**
 * A place on the board.
 * @typedef {Box & { id: string, tone: string, pit?: Box }} Cell `id` is its name on this board, `tone` the material of the board that it
 *   shows, `pit` the part of it where a pile lies
 */

/**
 * @typedef {Object} Layout
 * @property {number} width in board units
 * @property {number} height
 * @property {string} ground the material of the board
 * @property {boolean} fixed whether both sides see it the same way up
 * @property {boolean} [stands] whether it stands upright on a narrow screen, where its cells would be too small for a finger
 * @property {Cell[][]} rows the cells in reading order, first side at the bottom
 */

/**
 * @typedef {Object} Piece
 * @property {Side} owner
 * @property {string} kind its look, for the game to draw; it stays the same in every move
 * @property {boolean} turned whether its other face is up
 * @property {number} [count] the number of seeds, for a pile
 */

/** @typedef {Map<string, Piece>} Pieces by cell id */

/**
 * A position on the way from one to the next.
 * @typedef {Object} Step
 * @property {Pieces} pieces
 * @property {Held | null} [hand] the seeds in the hand
 */

/**
 * Seeds in the hand.
 * @typedef {Object} Held
 * @property {string} cell the cell above which the hand is
 * @property {number} seeds
 * @property {string} kind
 * @property {boolean} lifted whether it has just taken them up from this cell
 */

/**
 * The cells that the last move has changed, besides those of its path: where the last seed fell, and where something was captured or turned.
 * @typedef {{ end: string | null, taken: string[] }} Traces
 */
/** @typedef {{ path: string[], move: string }} Option a legal move */

/**
 * @typedef {Object} BoardState
 * @property {Layout} layout
 * @property {boolean} lifts whether a move begins by lifting a piece; else a move is one cell
 * @property {Pieces} pieces the pieces of the position
 * @property {Step[]} steps the positions shown before `pieces`, one after another: the steps of a move
 * @property {Side | null} you the side of the reader, whose pieces are named as theirs; null for a spectator
 * @property {boolean} flipped whether the second side is at the bottom
 * @property {boolean} upright whether the board stands on its left edge: the row at the bottom is then the left column
 * @property {Side | null} hand the side whose pieces may be moved; null where the board only shows
 * @property {Option[]} options the legal moves of that side
 * @property {boolean} bound whether the rules restrict that side so much that its pieces are marked
 * @property {boolean} pointed whether the pieces that can be lifted are marked, until one is
 * @property {string[]} picked the cells chosen so far
 * @property {string} focus the cell of the keyboard's focus
 * @property {string[]} last the cells of the last move
 * @property {Traces} traces of the last move
 * @property {string | null} reach the cell that the last seed of the pointed house would fall into
 * @property {string[]} ahead the cells of a premove
 * @property {string[]} hints the cells of a suggested move
 * @property {string[]} marks further marked cells: those counted at the end, or those of a rule's picture
 * @property {{ cell: string, x: number, y: number } | null} drag the cell of the dragged piece, and the pointer's place in board units
 * @property {string | null} placed the cell where a piece was just dropped by hand: it is not animated there again
 */

/**
 * The effect of choosing a cell.
 * @typedef {{ kind: "picked" | "dropped" | "nothing" } | { kind: "move", move: string, walked: boolean }
 *   | { kind: "attempt", path: string[] }} Choice `walked`: every step of the move was chosen by itself
 */

/** @type {Traces} */
export const NO_TRACES = { end: null, taken: [] };

/**
 * @param {Layout} layout
 * @param {boolean} [lifts]
 * @returns {BoardState}
 */
export function createState(layout, lifts = true) {
  const bottom = /** @type {Cell[]} */ (layout.rows.at(-1));
  return {
    layout,
    lifts,
    pieces: new Map(),
    steps: [],
    you: null,
    flipped: false,
    upright: false,
    hand: null,
    options: [],
    bound: false,
    pointed: false,
    picked: [],
    focus: /** @type {Cell} */ (bottom[0]).id,
    last: [],
    traces: NO_TRACES,
    reach: null,
    ahead: [],
    hints: [],
    marks: [],
    drag: null,
    placed: null,
  };
}

/**
 * Sets the pieces, the legal moves, and their side. A choice that has become impossible is dropped.
 * @param {BoardState} state
 * @param {{ pieces: Pieces, options: Option[], hand: Side | null, last: string[], traces?: Traces, bound?: boolean }} next
 */
export function setPosition(state, { pieces, options, hand, last, traces = NO_TRACES, bound = false }) {
  state.pieces = pieces;
  state.options = options;
  state.bound = bound;
  state.hand = hand;
  state.last = last;
  state.traces = traces;
  state.reach = null;
  if (hand === null || (state.picked.length > 0 && !canPick(state, /** @type {string} */ (state.picked[0])))) cancel(state);
}

/** Whether `path` begins with the chosen cells and is longer. @param {BoardState} state @param {string[]} path */
const goesOn = ({ picked }, path) => path.length > picked.length && picked.every((cell, i) => path[i] === cell);

/** The move whose path the chosen cells are, while longer paths go on from there. @param {BoardState} state */
const chosenMove = ({ options, picked }) => options.find(({ path }) => path.length === picked.length && path.join() === picked.join());

/** Whether the pieces of the side to move are dragged; a pile of seeds is not. @param {BoardState} state @param {string} cell */
export const isDragged = ({ lifts, pieces }, cell) => lifts && pieces.get(cell)?.count === undefined;

/**
 * The cells that may be chosen next: those that continue the chosen cells towards a legal move, the last cell of a longer path if only one
 * path leads there, and the last chosen cell where a move ends there.
 * @param {BoardState} state
 * @returns {Set<string>}
 */
export function nextCells(state) {
  /** @type {Set<string>} */
  const next = new Set();
  for (const { path } of state.options) {
    if (!goesOn(state, path)) continue;
    next.add(/** @type {string} */ (path[state.picked.length]));
    const end = path[path.length - 1];
    if (end !== undefined && shortcut(state, end)) next.add(end);
  }
  const here = state.picked.at(-1);
  if (here !== undefined && chosenMove(state)) next.add(here);
  return next;
}

/**
 * The only move that ends on a cell, after a piece was chosen; null where there is none, or more than one. A path that goes on from the end
 * of another has no shortcut: its last part is a choice of its own.
 * @param {BoardState} state
 * @param {string} cell
 */
function shortcut(state, cell) {
  if (state.picked.length === 0) return null;
  const ways = state.options.filter(({ path }) => goesOn(state, path) && path[path.length - 1] === cell);
  const [way] = ways;
  const goesOnFrom = (/** @type {Option} */ { path }) => way !== undefined && path.join() === way.path.slice(0, -1).join();
  return way !== undefined && ways.length === 1 && !state.options.some(goesOnFrom) ? way : null;
}

/**
 * Whether a cell can be chosen first: it begins a legal move, or one of the side's pieces stands there (which may have no move).
 * @param {BoardState} state
 * @param {string} cell
 */
export function canPick(state, cell) {
  if (state.hand === null || !state.lifts) return false;
  return state.pieces.get(cell)?.owner === state.hand || state.options.some(({ path }) => path[0] === cell);
}

/**
 * Chooses a cell, after a click, a key or a drop. A cell that makes no legal move, after an own piece or in a game without lifting, is an
 * *attempt*: the board judges nothing, so the caller sends it and gets the reason of the refusal.
 * @param {BoardState} state
 * @param {string} cell
 * @returns {Choice}
 */
export function choose(state, cell) {
  if (state.hand === null) return { kind: "nothing" };
  const path = [...state.picked, cell];
  const steps = state.options.filter((option) => goesOn(state, option.path) && option.path[state.picked.length] === cell);
  const done = steps.find((option) => option.path.length === path.length);
  const stays = steps.length === 0 && cell === state.picked.at(-1) ? chosenMove(state) : undefined;
  const way = steps.length > 1 && done ? null : (done ?? stays ?? (steps.length === 0 ? shortcut(state, cell) : null));
  if (way) {
    cancel(state);
    return { kind: "move", move: way.move, walked: way === done || way === stays };
  }
  if (steps.length > 0) {
    state.picked = path;
    return { kind: "picked" };
  }
  if (!state.lifts) return { kind: "attempt", path };
  if (state.picked.length === 0) {
    if (!canPick(state, cell)) return { kind: "nothing" };
    state.picked = path;
    return { kind: "picked" };
  }
  if (state.picked.includes(cell)) {
    cancel(state);
    return { kind: "dropped" };
  }
  if (canPick(state, cell)) {
    state.picked = [cell];
    return { kind: "picked" };
  }
  cancel(state);
  return { kind: "attempt", path };
}

/**
 * Drops the chosen cells.
 * @param {BoardState} state
 */
export function cancel(state) {
  state.picked = [];
  state.drag = null;
}

/**
 * The rows of cells as they are visible, from the top left corner on.
 * @param {BoardState} state
 * @returns {Cell[][]}
 */
export function visibleRows(state) {
  const { rows } = state.layout;
  if (!state.upright) return state.flipped ? rows.map((row) => [...row].reverse()).reverse() : rows;
  const cells = rows.flat().map((cell) => ({ cell, at: middle(state, cell) }));
  const heights = [...new Set(cells.map(({ at }) => at.y))].sort((a, b) => a - b);
  return heights.map((y) =>
    cells
      .filter(({ at }) => at.y === y)
      .sort((a, b) => a.at.x - b.at.x)
      .map(({ cell }) => cell),
  );
}

/**
 * Moves the keyboard's focus in the visible direction, up to the edge; in another row it goes to the nearest cell.
 * @param {BoardState} state
 * @param {number} dx cells to the right
 * @param {number} dy rows down
 */
export function moveFocus(state, dx, dy) {
  const rows = visibleRows(state);
  const row = Math.max(
    0,
    rows.findIndex((cells) => cells.some(({ id }) => id === state.focus)),
  );
  const here = rows[row]?.find(({ id }) => id === state.focus);
  const target = rows[clamp(row + dy, rows.length - 1)];
  if (!here || !target) return;
  const { x } = middle(state, here);
  const off = (/** @type {Cell} */ cell) => Math.abs(middle(state, cell).x - x);
  const column = target.reduce((best, cell, i) => (off(cell) < off(/** @type {Cell} */ (target[best])) ? i : best), 0);
  const cell = target[clamp(column + dx, target.length - 1)];
  if (cell) state.focus = cell.id;
}

/** The size of the board as it stands, or of a part of it, in board units. @param {BoardState} state @param {{ w: number, h: number }} box */
export const sizeOf = ({ upright }, { w, h }) => (upright ? { w: h, h: w } : { w, h });

/** @param {BoardState} state */
export const boardSize = (state) => sizeOf(state, { w: state.layout.width, h: state.layout.height });

/**
 * The middle of a cell, or of a part of one, on the board as it is turned and stands now, in board units.
 * @param {BoardState} state
 * @param {Box} box
 */
export function middle(state, box) {
  const at = lyingMiddle(state, box);
  return state.upright ? { x: state.layout.height - at.y, y: at.x } : at;
}

/** The same on a board that does not stand upright. @param {BoardState} state @param {Box} box */
export function lyingMiddle({ layout, flipped }, { x, y, w, h }) {
  const at = { x: x + w / 2, y: y + h / 2 };
  return flipped ? { x: layout.width - at.x, y: layout.height - at.y } : at;
}

/**
 * The cell at a point of the board as it is turned and stands now.
 * @param {BoardState} state
 * @param {number} x in board units
 * @param {number} y
 * @returns {string | null}
 */
export function cellAt({ layout, flipped, upright }, x, y) {
  const lying = upright ? { x: y, y: layout.height - x } : { x, y };
  const px = flipped ? layout.width - lying.x : lying.x;
  const py = flipped ? layout.height - lying.y : lying.y;
  for (const cell of layout.rows.flat()) {
    if (px >= cell.x && px < cell.x + cell.w && py >= cell.y && py < cell.y + cell.h) return cell.id;
  }
  return null;
}

/**
 * @param {number} value
 * @param {number} max
 */
const clamp = (value, max) => Math.max(0, Math.min(max, value));
