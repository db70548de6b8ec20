// @ts-check
// A board as a plain object, and the functions that change it. No DOM: the page shows what this says, the tests read it.
//
// A board knows no rules. It is given a layout, what stands where, and the legal moves, each as the *path* of cells that makes it:
// two cells for a slide, one for a placing or a sowing, more for a capture that goes on. Choosing cells one after another walks down
// the paths; where a path ends, its move is made.

/** @import { Side } from "../core/types.js" */

/**
 * @typedef {Object} Cell a place on the board
 * @property {string} id its name in the notation
 * @property {number} x left edge, in board units from the left as the first side sees it
 * @property {number} y top edge
 * @property {number} w width
 * @property {number} h height
 * @property {string} tone which of the board's materials it shows
 */

/**
 * @typedef {Object} Layout
 * @property {number} width in board units
 * @property {number} height
 * @property {Cell[][]} rows the cells as a reader goes through them, first side at the bottom
 */

/**
 * @typedef {Object} Piece
 * @property {Side} owner
 * @property {string} kind what it is, for the game to draw
 * @property {boolean} turned whether its other face is up
 */

/** @typedef {Map<string, Piece>} Pieces by cell id */
/** @typedef {{ path: string[], move: string }} Option a legal move */

/**
 * @typedef {Object} BoardState
 * @property {Layout} layout
 * @property {Pieces} pieces what stands where
 * @property {boolean} flipped whether the second side is at the bottom
 * @property {Side | null} hand whose pieces may be taken up; null where the board is only looked at
 * @property {Option[]} options the legal moves of that side
 * @property {string[]} picked the cells chosen so far
 * @property {string} focus the cell that the keyboard is on
 * @property {string[]} last the cells of the last move
 * @property {string[]} marks cells to point out: what was counted at the end, what a rule speaks of
 * @property {{ cell: string, x: number, y: number } | null} drag the piece under the pointer and where its middle is, in board units
 * @property {string | null} placed the cell a piece was just dropped on by hand: it must not slide there again
 */

/**
 * What choosing a cell came to.
 * @typedef {{ kind: "picked" | "dropped" | "nothing" } | { kind: "move", move: string } | { kind: "attempt", path: string[] }} Choice
 */

/**
 * @param {Layout} layout
 * @returns {BoardState}
 */
export function createState(layout) {
  const bottom = layout.rows[layout.rows.length - 1];
  return {
    layout, pieces: new Map(), flipped: false, hand: null, options: [], picked: [],
    focus: /** @type {Cell} */ (bottom?.[0]).id, last: [], marks: [], drag: null, placed: null,
  };
}

/**
 * What stands where, the legal moves, and whose they are. A choice that has become impossible is dropped.
 * @param {BoardState} state
 * @param {{ pieces: Pieces, options: Option[], hand: Side | null, last: string[] }} next
 */
export function setPosition(state, { pieces, options, hand, last }) {
  state.pieces = pieces;
  state.options = options;
  state.hand = hand;
  state.last = last;
  if (hand === null || (state.picked.length > 0 && !canPick(state, /** @type {string} */ (state.picked[0])))) cancel(state);
}

/**
 * The cells that may be chosen next: those that continue what is chosen on the way to a legal move.
 * @param {BoardState} state
 * @returns {Set<string>}
 */
export function nextCells(state) {
  const { picked } = state;
  const next = new Set();
  for (const { path } of state.options) {
    if (path.length > picked.length && picked.every((cell, i) => path[i] === cell)) next.add(path[picked.length]);
  }
  return next;
}

/**
 * Whether a cell can be taken up: it begins a legal move, or an own piece stands there (which may turn out to have none).
 * @param {BoardState} state
 * @param {string} cell
 */
export function canPick(state, cell) {
  if (state.hand === null) return false;
  return state.pieces.get(cell)?.owner === state.hand || state.options.some(({ path }) => path[0] === cell);
}

/**
 * Choose a cell, as a click, a key or a drop does. A cell that makes no legal move after an own piece is an *attempt*: the board
 * judges nothing, so it is handed on to be refused with a reason.
 * @param {BoardState} state
 * @param {string} cell
 * @returns {Choice}
 */
export function choose(state, cell) {
  if (state.hand === null) return { kind: "nothing" };
  if (nextCells(state).has(cell)) {
    const path = [...state.picked, cell];
    const done = state.options.find((option) => option.path.length === path.length && option.path.every((c, i) => c === path[i]));
    if (done) {
      cancel(state);
      return { kind: "move", move: done.move };
    }
    state.picked = path;
    return { kind: "picked" };
  }
  if (state.picked.length === 0) {
    if (!canPick(state, cell)) return { kind: "nothing" };
    state.picked = [cell];
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
  const path = [...state.picked, cell];
  cancel(state);
  return { kind: "attempt", path };
}

/**
 * Let go of what is chosen.
 * @param {BoardState} state
 */
export function cancel(state) {
  state.picked = [];
  state.drag = null;
}

/**
 * Move the keyboard's cell, as the eye sees the board; it stops at the edge.
 * @param {BoardState} state
 * @param {number} dx cells to the right
 * @param {number} dy cells down
 */
export function moveFocus(state, dx, dy) {
  const turn = state.flipped ? -1 : 1;
  const { rows } = state.layout;
  const row = rows.findIndex((cells) => cells.some(({ id }) => id === state.focus));
  const column = rows[row]?.findIndex(({ id }) => id === state.focus) ?? 0;
  const target = rows[clamp(row + dy * turn, rows.length - 1)];
  const cell = target?.[clamp(column + dx * turn, target.length - 1)];
  if (cell) state.focus = cell.id;
}

/**
 * Where a cell's middle is on the board as it is turned now, in board units.
 * @param {BoardState} state
 * @param {Cell} cell
 */
export function middle({ layout, flipped }, { x, y, w, h }) {
  const at = { x: x + w / 2, y: y + h / 2 };
  return flipped ? { x: layout.width - at.x, y: layout.height - at.y } : at;
}

/**
 * The cell at a place of the board as it is turned now.
 * @param {BoardState} state
 * @param {number} x in board units
 * @param {number} y
 * @returns {string | null}
 */
export function cellAt({ layout, flipped }, x, y) {
  const px = flipped ? layout.width - x : x;
  const py = flipped ? layout.height - y : y;
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
