// @ts-check
// A board on the page: a state, and the one door through which it changes. What goes through it is shown with the next frame, at most
// once a frame.

import { onRefresh } from "../core/dom.js";
import { bind } from "./events.js";
import { createRender } from "./render.js";
import { createState } from "./state.js";

/** @import { BoardState, Choice, Layout } from "./state.js" */
/** @import { Look } from "./render.js" */

/** The longest that a move is shown on its way, in milliseconds: a long sowing goes faster. */
const LONGEST_MS = 4_000;

/** @typedef {ReturnType<typeof createBoard>} Board */

/**
 * @param {HTMLElement} host
 * @param {Layout} layout
 * @param {Look} look
 * @param {{ label: () => string, onChoice?: (choice: Choice) => void }} options without `onChoice` the board is a picture
 */
export function createBoard(host, layout, look, { label, onChoice }) {
  const state = createState(layout, look.lifts);
  const render = createRender(host, state, look, { grid: onChoice !== undefined, label });
  let frame = 0;
  /** @type {ReturnType<typeof setTimeout> | null} */
  let stepping = null;
  let paceMs = 0;
  const redraw = () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      render.draw();
    });
  };
  const walk = () => {
    if (stepping !== null || state.steps.length === 0) return;
    stepping = setTimeout(() => {
      stepping = null;
      state.steps.shift();
      redraw();
      walk();
    }, paceMs);
  };
  const focus = () => {
    if (frame) {
      cancelAnimationFrame(frame);
      frame = 0;
      render.draw();
    }
    render.focus();
  };
  const unbind = onChoice ? bind(render.el, state, { redraw, focus, onChoice }) : () => {};
  // The names of the cells follow the language.
  onRefresh(render.el, redraw);
  render.draw();

  return {
    /** @type {Readonly<BoardState>} */
    state,

    /** @param {(state: BoardState) => void} change */
    update(change) {
      const left = state.steps.length;
      change(state);
      // Who wants stillness, or looks elsewhere, sees at once how it ends.
      if (document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches) state.steps = [];
      if (state.steps.length > left) paceMs = Math.min(look.pace, LONGEST_MS / state.steps.length);
      redraw();
      walk();
    },

    destroy() {
      unbind();
      if (stepping !== null) clearTimeout(stepping);
      cancelAnimationFrame(frame);
      render.el.remove();
    },
  };
}
