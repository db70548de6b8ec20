// @ts-check
// A board on the page: a state, and `update`, the only way to change it. Changes are shown with the next frame, at most once a frame.

import { onRefresh } from "../core/dom.js";
import { setting } from "../core/settings.js";
import { bind } from "./events.js";
import { createStepper } from "./pace.js";
import { createRender } from "./render.js";
import { cancel, createState } from "./state.js";

/** @import { BoardState, Choice, Layout } from "./state.js" */
/** @import { Look } from "./render.js" */

/** The duration of a step, as a multiple of the usual one; 0 shows no steps. */
const SOWING = { slow: 2, normal: 1, fast: 0.4, none: 0 };
const MOTION = { normal: 1, fast: 0.5, none: 0 };

/** The duration of a seed's transition in `css/board.css`. */
const SEED_MS = 200;

/** @typedef {ReturnType<typeof createBoard>} Board */

/**
 * @param {HTMLElement} host
 * @param {Layout} layout
 * @param {Look} look
 * @param {{ label: () => string, onChoice?: (choice: Choice) => void, announce?: (text: string) => void, onStep?: () => void }} options without
 *   `onChoice` the board is a picture; `announce`: for the choice bar, if the game has one; `onStep`: called at each step of a move, and at its
 *   end
 */
export function createBoard(host, layout, look, { label, onChoice, announce = () => {}, onStep = () => {} }) {
  const state = createState(layout, look.lifts);
  const render = createRender(host, state, look, { grid: onChoice !== undefined, label });
  let frame = 0;
  const slowness = () => (look.sows ? SOWING[setting("sowing")] : MOTION[setting("motion")]);
  /** Whether the next frame draws the whole board, or only the pieces, for the next step of a move. */
  let whole = false;
  const drawSoon = (/** @type {boolean} */ all) => {
    whole ||= all;
    frame ||= requestAnimationFrame(draw);
  };
  const draw = () => {
    frame = 0;
    if (whole) {
      render.draw();
      wayBar?.show(state);
    } else render.step();
    whole = false;
  };
  const redraw = () => drawSoon(true);
  const stepper = createStepper(state, (isEnd) => {
    drawSoon(isEnd);
    onStep();
  });
  const focus = () => {
    if (frame) {
      cancelAnimationFrame(frame);
      draw();
    }
    render.focus();
  };
  const wayBar =
    onChoice &&
    look.wayBar?.({
      announce,
      onMove(move) {
        stepper.skip();
        cancel(state);
        onChoice({ kind: "move", move, walked: false });
      },
    });
  if (wayBar) host.append(wayBar.el);
  const stopStanding = onChoice && layout.stands ? stand(state, redraw) : () => {};
  const unbind = onChoice ? bind(render.el, state, { redraw, focus, skip: stepper.skip, onChoice, reach: look.reach }) : () => {};
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
      if (state.steps.length > left || left === 0) stepper.pace(look.pace, slowness());
      // A seed's transition is no longer than a step.
      if (look.sows) render.el.style.setProperty("--motion", String(Math.min(1, slowness(), stepper.next(SEED_MS) / SEED_MS)));
      redraw();
      stepper.walk();
    },

    /** Shows the end of a move at once. */
    skip: stepper.skip,

    destroy() {
      unbind();
      stopStanding();
      stepper.stop();
      cancelAnimationFrame(frame);
      render.el.remove();
      wayBar?.el.remove();
    },
  };
}

/** Screens on which a board of houses stands upright. */
const NARROW = "(max-width: 559px) and (orientation: portrait)";

/** Keeps a board upright on narrow screens. @param {BoardState} state @param {() => void} redraw @returns {() => void} stops it */
function stand(state, redraw) {
  const narrow = matchMedia(NARROW);
  state.upright = narrow.matches;
  const follow = () => {
    state.upright = narrow.matches;
    redraw();
  };
  narrow.addEventListener("change", follow);
  return () => narrow.removeEventListener("change", follow);
}
