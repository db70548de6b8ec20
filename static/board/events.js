// @ts-check
// Input on the board: pointer (mouse, pen, touch) and keyboard. Returns a function that removes the listeners.

import { setting } from "../core/settings.js";
import { beginsDrag, drag, pressDown, pressKey, release } from "./gestures.js";
import { cancel, cellAt } from "./state.js";

/** @import { BoardState, Choice } from "./state.js" */
/** @import { Press } from "./gestures.js" */

/**
 * @typedef {Object} Input
 * @property {HTMLElement} boardEl
 * @property {BoardState} state
 * @property {Press | null} press
 * @property {() => void} redraw
 * @property {() => void} focus
 * @property {(choice: Choice) => void} onChoice
 */

/**
 * @param {HTMLElement} boardEl
 * @param {BoardState} state
 * @param {{ redraw: () => void, focus: () => void, onChoice: (choice: Choice) => void }} hands
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
  const x = ((event.clientX - box.left) / box.width) * state.layout.width;
  const y = ((event.clientY - box.top) / box.height) * state.layout.height;
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
  if (cell === null) return;
  const { press, choice } = pressDown(input.state, cell, pointerOf(event));
  input.press = press;
  if (choice) tell(input, choice);
}

/** @param {Input} input @param {PointerEvent} event */
function onMove(input, event) {
  const { press, state, boardEl } = input;
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
function onFocus({ state, redraw }, event) {
  const cell = event.target instanceof HTMLElement ? event.target.dataset.cell : undefined;
  if (cell === undefined || cell === state.focus) return;
  state.focus = cell;
  redraw();
}

/** @param {Input} input @param {KeyboardEvent} event */
function onKey(input, event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
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
