// @ts-check
// A board on the page: a state, and `update`, the only way to change it. Changes are shown with the next frame, at most once a frame.

import { onRefresh } from "../core/dom.js";
import { setting } from "../core/settings.js";
import { bind } from "./events.js";
import { createRender } from "./render.js";
import { createState } from "./state.js";

/** @import { BoardState, Choice, Layout } from "./state.js" */
/** @import { Look } from "./render.js" */

/** The longest time for showing a move, in milliseconds: the steps of a long sowing are shorter. */
const LONGEST_MS = 4_000;

/** The duration of a step, as a multiple of the usual one; 0 shows no steps. */
const SOWING = { slow: 2, normal: 1, fast: 0.4, none: 0 };
const MOTION = { normal: 1, fast: 0.5, none: 0 };

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
  const slowness = () => (look.sows ? SOWING[setting("sowing")] : MOTION[setting("motion")]);
  /** Whether the next frame draws the whole board, or only the pieces, for the next step of a move. */
  let whole = false;
  const drawSoon = (/** @type {boolean} */ all) => {
    whole ||= all;
    frame ||= requestAnimationFrame(draw);
  };
  const draw = () => {
    frame = 0;
    if (whole) render.draw();
    else render.step();
    whole = false;
  };
  const redraw = () => drawSoon(true);
  const walk = () => {
    if (stepping !== null || state.steps.length === 0) return;
    stepping = setTimeout(() => {
      stepping = null;
      state.steps.shift();
      drawSoon(false);
      walk();
    }, paceMs);
  };
  const focus = () => {
    if (frame) {
      cancelAnimationFrame(frame);
      draw();
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
      // Readers who want no animation, or do not see the page, get the end at once.
      if (document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches || slowness() === 0) state.steps = [];
      if (state.steps.length > left) paceMs = Math.min(look.pace, LONGEST_MS / state.steps.length) * slowness();
      // A seed's transition is no longer than a step.
      if (look.sows) render.el.style.setProperty("--motion", String(Math.min(1, slowness())));
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
