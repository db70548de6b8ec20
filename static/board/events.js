// @ts-check
// Input on the board: pointer (mouse, pen, touch) and keyboard. Returns a function that removes the listeners.

import { setting } from "../core/settings.js";
import { cancel, canPick, cellAt, choose, moveFocus } from "./state.js";

/** @import { BoardState, Choice } from "./state.js" */

/** The distance in pixels after which a press is a drag. */
const DRAG_PX = 5;

const ARROWS = /** @type {Record<string, [number, number]>} */ ({
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
 * @param {HTMLElement} boardEl
 * @param {BoardState} state
 * @param {{ redraw: () => void, focus: () => void, onChoice: (choice: Choice) => void }} hands
 * @returns {() => void} removes the listeners
 */
export function bind(boardEl, state, { redraw, focus, onChoice }) {
  const bound = new AbortController();
  const options = { signal: bound.signal };

  /** @type {{ id: number, cell: string, x: number, y: number, dragging: boolean, fresh: boolean } | null} */
  let press = null;

  /** @param {PointerEvent} event */
  function at(event) {
    const box = boardEl.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * state.layout.width;
    const y = ((event.clientY - box.top) / box.height) * state.layout.height;
    return { x, y, cell: cellAt(state, x, y) };
  }

  /** With the setting for dragging only, a click chooses no target; in games without lifting there is nothing to drag. */
  const onlyDrags = () => state.lifts && setting("hands") === "drag";

  /** @param {string} cell */
  function take(cell) {
    state.focus = cell;
    const choice = choose(state, cell);
    redraw();
    onChoice(choice);
    return choice;
  }

  boardEl.addEventListener(
    "pointerdown",
    (event) => {
      if (event.button !== 0 || press) return;
      const { cell } = at(event);
      if (cell === null) return;
      state.focus = cell;
      // Chosen at once, so that the targets show while the finger is still down; put back on release if it was chosen before.
      const fresh = state.picked[0] !== cell && canPick(state, cell);
      press = { id: event.pointerId, cell, x: event.clientX, y: event.clientY, dragging: false, fresh };
      if (fresh && state.picked.length === 0) take(cell);
      else if (fresh && choose(state, cell).kind === "picked") {
        redraw();
        onChoice({ kind: "picked" });
      } else press.fresh = false;
    },
    options,
  );

  boardEl.addEventListener(
    "pointermove",
    (event) => {
      if (!press || press.id !== event.pointerId) return;
      if (!press.dragging) {
        if (Math.hypot(event.clientX - press.x, event.clientY - press.y) < DRAG_PX) return;
        if (setting("hands") === "click") return;
        // A piece in the middle of a move stands on the last cell chosen.
        if (!state.lifts || state.picked[state.picked.length - 1] !== press.cell || !state.pieces.has(state.picked[0] ?? "")) return;
        press.dragging = true;
        boardEl.setPointerCapture(event.pointerId);
      }
      const { x, y } = at(event);
      state.drag = { cell: state.picked[0] ?? press.cell, x, y };
      redraw();
    },
    options,
  );

  boardEl.addEventListener(
    "pointerup",
    (event) => {
      if (!press || press.id !== event.pointerId) return;
      const { cell, dragging, fresh } = press;
      press = null;
      const target = at(event).cell;
      if (dragging) {
        state.drag = null;
        if (target !== null && target !== cell) {
          state.placed = target;
          if (take(target).kind !== "move") state.placed = null;
        } else redraw();
      } else if (target === cell && !fresh && !(onlyDrags() && state.picked.length > 0)) take(cell);
      focus();
    },
    options,
  );

  boardEl.addEventListener(
    "pointercancel",
    () => {
      press = null;
      cancel(state);
      redraw();
    },
    options,
  );

  boardEl.addEventListener(
    "focusin",
    (event) => {
      const cell = event.target instanceof HTMLElement ? event.target.dataset.cell : undefined;
      if (cell === undefined || cell === state.focus) return;
      state.focus = cell;
      redraw();
    },
    options,
  );

  boardEl.addEventListener(
    "keydown",
    (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      const arrow = ARROWS[event.key];
      if (arrow) {
        moveFocus(state, ...arrow);
        redraw();
        focus();
      } else if (event.key === "Enter" || event.key === " ") take(state.focus);
      else if (event.key === "Escape") {
        cancel(state);
        redraw();
        onChoice({ kind: "dropped" });
      } else return;
      event.preventDefault();
      event.stopPropagation();
    },
    options,
  );

  return () => bound.abort();
}
