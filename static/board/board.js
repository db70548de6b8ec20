// @ts-check
// A board on the page: a state, and the one door through which it changes. What goes through it is shown with the next frame, at most
// once a frame.

import { onRefresh } from "../core/dom.js";
import { bind } from "./events.js";
import { createRender } from "./render.js";
import { createState } from "./state.js";

/** @import { BoardState, Choice, Layout } from "./state.js" */
/** @import { Look } from "./render.js" */

/** @typedef {ReturnType<typeof createBoard>} Board */

/**
 * @param {HTMLElement} host
 * @param {Layout} layout
 * @param {Look} look
 * @param {{ label: () => string, onChoice?: (choice: Choice) => void }} options without `onChoice` the board is a picture
 */
export function createBoard(host, layout, look, { label, onChoice }) {
  const state = createState(layout);
  const render = createRender(host, state, look, { grid: onChoice !== undefined, label });
  let frame = 0;
  const redraw = () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      render.draw();
    });
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
      change(state);
      redraw();
    },

    destroy() {
      unbind();
      cancelAnimationFrame(frame);
      render.el.remove();
    },
  };
}
