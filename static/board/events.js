// @ts-check
// Input on the board: pointer (mouse, pen, touch) and keyboard. Returns a function that removes the listeners.

import { setting } from "../core/settings.js";
import { beginsDrag, drag, pressDown, pressKey, release } from "./gestures.js";
import { boardSize, cancel, canPick, cellAt, nextCells } from "./state.js";

/** @import { Side } from "../core/types.js" */
/** @import { BoardState, Choice, Pieces } from "./state.js" */
/** @import { Press } from "./gestures.js" */

/**
 * @typedef {Object} Input
 * @property {HTMLElement} boardEl
 * @property {BoardState} state
 * @property {Press | null} press
 * @property {() => void} redraw
 * @property {() => void} focus
 * @property {() => boolean} skip shows the end of a move at once; returns whether it was under way
 * @property {((pieces: Pieces, move: string, side: Side) => string | null) | undefined} reach
 * @property {(choice: Choice) => void} onChoice
 */

/**
 * @param {HTMLElement} boardEl
 * @param {BoardState} state
 * @param {Pick<Input, "redraw" | "focus" | "skip" | "reach" | "onChoice">} hands
 * @returns {() => void} removes the listeners
 */
export function bind(boardEl, state, hands) {
  const bound = new AbortController();
  /** @type {Input} */
  const input = { boardEl, state, press: null, ...hands };
  const listeners = /** @type {Record<string, (input: Input, event: any) => void>} */ ({
    pointerdown: onDown,
    pointermove: onMove,
    pointerup: onUp,
    pointercancel: onCancel,
    pointerleave: onLeave,
    focusin: onFocus,
    keydown: onKey,
  });
  for (const [name, listener] of Object.entries(listeners))
    boardEl.addEventListener(name, (event) => listener(input, event), { signal: bound.signal });
  return () => bound.abort();
}

/** @param {Input} input @param {PointerEvent} event */
function pointAt({ boardEl, state }, event) {
  const box = boardEl.getBoundingClientRect();
  const { w, h } = boardSize(state);
  const x = ((event.clientX - box.left) / box.width) * w;
  const y = ((event.clientY - box.top) / box.height) * h;
  return { x, y, cell: cellAt(state, x, y) };
}

/** @param {PointerEvent} event */
const pointerOf = ({ pointerId, clientX, clientY }) => ({ id: pointerId, x: clientX, y: clientY });

/** Draws the board and reports a choice. @param {Input} input @param {Choice} choice */
function tell({ redraw, onChoice }, choice) {
  redraw();
  onChoice(choice);
}

/** @param {Input} input @param {PointerEvent} event */
function onDown(input, event) {
  if (event.button !== 0 || input.press) return;
  const { cell } = pointAt(input, event);
  if (cell === null || skips(input, cell)) return;
  const { press, choice } = pressDown(input.state, cell, pointerOf(event));
  input.press = press;
  if (choice) tell(input, choice);
}

/** Shows the end of a move that is under way; the press goes on only if it begins a move. @param {Input} input @param {string} cell */
const skips = ({ state, skip }, cell) => skip() && !canPick(state, cell) && !nextCells(state).has(cell);

/** Marks the cell that the last seed of a house would reach. @param {Input} input @param {string | null} cell */
function point({ state, reach, redraw }, cell) {
  const option = reach && setting("movable") === "on" ? state.options.find(({ path }) => path.length === 1 && path[0] === cell) : undefined;
  const reached = option && state.hand && state.steps.length === 0 ? (reach?.(state.pieces, option.move, state.hand) ?? null) : null;
  if (reached === state.reach) return;
  state.reach = reached;
  redraw();
}

/** @param {Input} input */
const onLeave = (input) => point(input, null);

/** @param {Input} input @param {PointerEvent} event */
function onMove(input, event) {
  const { press, state, boardEl } = input;
  if (input.reach) point(input, pointAt(input, event).cell);
  if (!press || press.id !== event.pointerId) return;
  if (!press.dragging) {
    if (!beginsDrag(state, press, pointerOf(event), setting("hands"))) return;
    press.dragging = true;
    boardEl.setPointerCapture(event.pointerId);
  }
  drag(state, press, pointAt(input, event));
  input.redraw();
}

/** @param {Input} input @param {PointerEvent} event */
function onUp(input, event) {
  const { press, state } = input;
  if (!press || press.id !== event.pointerId) return;
  input.press = null;
  const choice = release(state, press, pointAt(input, event).cell, setting("hands"));
  if (choice) tell(input, choice);
  else if (press.dragging) input.redraw();
  input.focus();
}

/** @param {Input} input */
function onCancel(input) {
  input.press = null;
  cancel(input.state);
  input.redraw();
}

/** @param {Input} input @param {FocusEvent} event */
function onFocus(input, event) {
  const { state, redraw } = input;
  const cell = event.target instanceof HTMLElement ? event.target.dataset.cell : undefined;
  if (cell !== undefined) point(input, cell);
  if (cell === undefined || cell === state.focus) return;
  state.focus = cell;
  redraw();
}

/** @param {Input} input @param {KeyboardEvent} event */
function onKey(input, event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if ((event.key === "Enter" || event.key === " ") && skips(input, input.state.focus)) return event.preventDefault();
  const done = pressKey(input.state, event.key);
  if (done === null) return;
  if (done.choice) tell(input, done.choice);
  if (done.moved) {
    input.redraw();
    input.focus();
  }
  event.preventDefault();
  event.stopPropagation();
}
