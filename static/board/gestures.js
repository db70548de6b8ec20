// @ts-check
// What presses, drags and keys on a board mean, as changes of its state. No DOM: `events.js` passes the input in.

import { cancel, canPick, choose, isDragged, moveFocus, nextCells } from "./state.js";

/** @import { BoardState, Choice } from "./state.js" */

/** The distance in pixels after which a press is a drag. */
const DRAG_PX = 5;

export const ARROWS = /** @type {Record<string, [number, number]>} */ ({
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  Home: [-99, 0],
  End: [99, 0],
  PageUp: [0, -99],
  PageDown: [0, 99],
});

/**
 * @typedef {Object} Press a pointer that is down
 * @property {number} id the pointer
 * @property {string} cell the cell where it went down
 * @property {number} x in pixels of the page
 * @property {number} y
 * @property {boolean} dragging
 * @property {boolean} fresh whether going down has chosen the cell
 */

/** @typedef {{ x: number, y: number, cell: string | null }} Point a place on the board in board units, and the cell there */
/** @typedef {{ id: number, x: number, y: number }} Pointer a pointer, and its place in pixels of the page */
/** @typedef {"both" | "click" | "drag"} Hands the ways in which the reader moves pieces */

/**
 * Sets the focus on a cell and chooses it.
 * @param {BoardState} state
 * @param {string} cell
 */
export function take(state, cell) {
  state.focus = cell;
  return choose(state, cell);
}

/**
 * Begins a press. The cell is chosen at once, so that the targets show while the finger is still down; it is put back on release if it was
 * chosen before.
 * @param {BoardState} state
 * @param {string} cell
 * @param {Pointer} pointer
 * @returns {{ press: Press, choice: Choice | null }}
 */
export function pressDown(state, cell, { id, x, y }) {
  state.focus = cell;
  const isFirst = state.picked.length === 0;
  // A pit of the side's own may be the next cell of the move: that choice waits for the release, as any target does.
  const isNew = state.picked[0] !== cell && canPick(state, cell) && (isFirst || !nextCells(state).has(cell));
  const choice = isNew ? choose(state, cell) : null;
  const fresh = choice !== null && (isFirst || choice.kind === "picked");
  return { press: { id, cell, x, y, dragging: false, fresh }, choice: fresh ? choice : null };
}

/**
 * Whether a press becomes a drag with the pointer here.
 * @param {BoardState} state
 * @param {Press} press
 * @param {Pointer} pointer
 * @param {Hands} hands
 */
export function beginsDrag(state, press, { x, y }, hands) {
  if (hands === "click" || Math.hypot(x - press.x, y - press.y) < DRAG_PX) return false;
  // A piece in the middle of a move stands on the last cell chosen.
  const [first = ""] = state.picked;
  return isDragged(state, first) && state.picked[state.picked.length - 1] === press.cell && state.pieces.has(first);
}

/**
 * Moves the dragged piece.
 * @param {BoardState} state
 * @param {Press} press
 * @param {Point} at
 */
export function drag(state, press, { x, y }) {
  state.drag = { cell: state.picked[0] ?? press.cell, x, y };
}

/**
 * Ends a press: a drop, or a click on the cell.
 * @param {BoardState} state
 * @param {Press} press
 * @param {string | null} target the cell under the pointer
 * @param {Hands} hands
 * @returns {Choice | null}
 */
export function release(state, { cell, dragging, fresh }, target, hands) {
  if (dragging) {
    state.drag = null;
    if (target === null || target === cell) return null;
    const choice = take(state, target);
    if (choice.kind === "move") state.placed = target;
    return choice;
  }
  // With the setting for dragging only, a click chooses no target; in games of seeds there is nothing to drag.
  const onlyDrags = isDragged(state, state.picked[0] ?? "") && hands === "drag";
  return target === cell && !fresh && !(onlyDrags && state.picked.length > 0) ? take(state, cell) : null;
}

/**
 * Handles a key.
 * @param {BoardState} state
 * @param {string} key
 * @returns {{ choice: Choice | null, moved: boolean } | null} `moved`: whether the focus has moved; null for a key that means nothing here
 */
export function pressKey(state, key) {
  const arrow = ARROWS[key];
  if (arrow) {
    moveFocus(state, ...arrow);
    return { choice: null, moved: true };
  }
  if (key === "Enter" || key === " ") return { choice: take(state, state.focus), moved: false };
  if (key !== "Escape") return null;
  cancel(state);
  return { choice: { kind: "dropped" }, moved: false };
}
