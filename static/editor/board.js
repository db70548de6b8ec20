// @ts-check
// The board of the editor: drawn as any board, with an input of its own, since here every cell can be changed.
//
// A tap uses the chosen tool. A long press, the right button or Shift uses its opposite: one seed fewer, or an empty square. A piece is
// dragged to another square, or off the board. Keys: arrows as on any board; Enter and Space as a tap; Delete empties; + and - change the
// seeds; digits write their number.

import { ARROWS } from "../board/gestures.js";
import { createRender } from "../board/render.js";
import { boardSize, cellAt, createState, moveFocus } from "../board/state.js";
import { setting } from "../core/settings.js";
import { add, digit, empty, isOfPiles, move, oppositeOf, put } from "./state.js";

/** @import { Editor } from "./state.js" */

/** The time after which a press is a long one. */
const LONG_MS = 500;
/** The distance in pixels after which a press is a drag. */
const DRAG_PX = 5;

/** @typedef {{ id: number, cell: string, x: number, y: number, isDone: boolean, dragging: boolean, timer: number }} Press `isDone`: it was a long one */

/**
 * @param {HTMLElement} host
 * @param {Editor} editor
 * @param {() => string} label
 * @param {(cell: string) => void} onEdit called when a cell has been changed
 */
export function editorBoard(host, editor, label, onEdit) {
  const { game } = editor;
  const state = createState(game.layout(""), game.lifts);
  const render = createRender(host, state, game, { grid: true, label });
  const narrow = matchMedia("(max-width: 559px) and (orientation: portrait)");
  const bound = new AbortController();
  const page = { editor, state, render, onEdit, press: /** @type {Press | null} */ (null), draw };

  function draw() {
    state.pieces = editor.edited.pieces;
    state.flipped = editor.flipped && !game.layout("").fixed;
    state.upright = (state.layout.stands ?? false) && narrow.matches;
    render.draw();
    // A touch on a piece drags it; anywhere else it scrolls the page.
    for (const el of render.el.querySelectorAll("[data-cell]"))
      if (el instanceof HTMLElement) el.toggleAttribute("data-piece", !isOfPiles(editor) && state.pieces.has(el.dataset.cell ?? ""));
  }

  const on = (/** @type {string} */ name, /** @type {(event: any) => void} */ listener) =>
    render.el.addEventListener(name, listener, { signal: bound.signal });
  on("pointerdown", (event) => onDown(page, event));
  on("pointermove", (event) => onMove(page, event));
  on("pointerup", (event) => onUp(page, event));
  on("pointercancel", () => letGo(page));
  on("contextmenu", (event) => event.preventDefault());
  on("keydown", (event) => onKey(page, event));
  on("focusin", (event) => onFocus(page, event));
  // The board is as large as the window has room for its shape.
  const { width, height } = state.layout;
  host.style.setProperty("--shape", String(width / height));
  host.style.setProperty("--upright", String(height / width));
  narrow.addEventListener("change", draw, { signal: bound.signal });
  // An edit is no move: nothing flies.
  render.el.style.setProperty("--motion", "0");
  draw();

  return {
    draw,
    destroy() {
      letGo(page);
      bound.abort();
      render.el.remove();
    },
  };
}

/**
 * @typedef {Object} Page
 * @property {Editor} editor
 * @property {ReturnType<typeof createState>} state
 * @property {ReturnType<typeof createRender>} render
 * @property {(cell: string) => void} onEdit
 * @property {Press | null} press
 * @property {() => void} draw
 */

/** @param {Page} page @param {PointerEvent} event */
function pointAt({ render, state }, event) {
  const box = render.el.getBoundingClientRect();
  const { w, h } = boardSize(state);
  const x = ((event.clientX - box.left) / box.width) * w;
  const y = ((event.clientY - box.top) / box.height) * h;
  return { x, y, cell: cellAt(state, x, y) };
}

/** @param {Page} page @param {string} cell */
function edited({ onEdit, draw }, cell) {
  draw();
  onEdit(cell);
}

/** @param {Page} page @param {PointerEvent} event */
function onDown(page, event) {
  const { cell } = pointAt(page, event);
  if (page.press || cell === null || event.button > 2 || event.button === 1) return;
  page.state.focus = cell;
  page.editor.digits = "";
  if (event.button === 2 || event.shiftKey) {
    put(page.editor, cell, oppositeOf(page.editor));
    edited(page, cell);
    return page.render.focus();
  }
  const press = { id: event.pointerId, cell, x: event.clientX, y: event.clientY, isDone: false, dragging: false, timer: 0 };
  press.timer = window.setTimeout(() => longPress(page, press), LONG_MS);
  page.press = press;
}

/** @param {Page} page @param {Press} press */
function longPress(page, press) {
  if (page.press !== press || press.dragging) return;
  press.isDone = true;
  put(page.editor, press.cell, oppositeOf(page.editor));
  edited(page, press.cell);
}

/** @param {Page} page @param {PointerEvent} event */
function onMove(page, event) {
  const { press, state, editor, render } = page;
  if (!press || press.id !== event.pointerId || press.isDone) return;
  if (!press.dragging) {
    const isFar = Math.hypot(event.clientX - press.x, event.clientY - press.y) >= DRAG_PX;
    if (!isFar || isOfPiles(editor) || !editor.edited.pieces.has(press.cell) || setting("hands") === "click") return;
    press.dragging = true;
    render.el.setPointerCapture(event.pointerId);
  }
  const { x, y } = pointAt(page, event);
  state.drag = { cell: press.cell, x, y };
  page.draw();
}

/** @param {Page} page @param {PointerEvent} event */
function onUp(page, event) {
  const { press, state, editor } = page;
  if (!press || press.id !== event.pointerId) return;
  letGo(page);
  const target = pointAt(page, event).cell;
  if (press.dragging) {
    move(editor, press.cell, target);
    state.placed = target;
    state.focus = target ?? state.focus;
    edited(page, target ?? press.cell);
  } else if (!press.isDone && target === press.cell) {
    put(editor, press.cell);
    edited(page, press.cell);
  }
  page.render.focus();
}

/** @param {Page} page */
function letGo(page) {
  clearTimeout(page.press?.timer);
  page.press = null;
  page.state.drag = null;
}

/** @param {Page} page @param {FocusEvent} event */
function onFocus({ state, editor, draw }, event) {
  const cell = event.target instanceof HTMLElement ? event.target.dataset.cell : undefined;
  if (cell === undefined || cell === state.focus) return;
  state.focus = cell;
  editor.digits = "";
  draw();
}

/** What a key does to the cell with the focus; nothing for a key without a meaning here. @param {Editor} editor @param {string} key */
function actionOf(editor, key) {
  if (key === "Enter" || key === " ") return (/** @type {string} */ cell) => put(editor, cell);
  if (key === "Delete" || key === "Backspace") return (/** @type {string} */ cell) => empty(editor, cell);
  if (key === "+" || key === "=") return (/** @type {string} */ cell) => add(editor, cell, 1);
  if (key === "-") return (/** @type {string} */ cell) => add(editor, cell, -1);
  if (/^\d$/.test(key)) return (/** @type {string} */ cell) => digit(editor, cell, key);
  return null;
}

/** @param {Page} page @param {KeyboardEvent} event */
function onKey(page, event) {
  const { editor, state, render, draw } = page;
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const arrow = ARROWS[event.key];
  const act = actionOf(editor, event.key);
  if (arrow) {
    editor.digits = "";
    moveFocus(state, ...arrow);
    draw();
    render.focus();
  } else if (act) {
    act(state.focus);
    edited(page, state.focus);
  } else return;
  event.preventDefault();
  event.stopPropagation();
}
