// @ts-check
// A position for trying out: the reader moves for both sides, by the rules. The referee on this device judges, so that no network is
// needed; nothing is stored.
//
//   div.free
//     div.board-host
//     p.told
//     div.actions (take back, again, leave)

import { createBoard } from "../board/board.js";
import { showTurn, takeUp } from "../board/hand.js";
import { cancel } from "../board/state.js";
import { eachFrame, h, refresh } from "../core/dom.js";
import { twice } from "../core/files.js";
import { t } from "../core/i18n.js";
import init, { Referee } from "../wasm/rules.js";
import { begin, canTakeBack, createFree, lastOf, outcome, play, restart, takeBack, toldText, turnOf } from "./free-state.js";
import { whyText } from "./texts.js";

/** @import { Board } from "../board/board.js" */
/** @import { Choice, Layout, Step } from "../board/state.js" */
/** @import { Game } from "../games/types.js" */
/** @import { Context } from "./context.js" */
/** @import { Free, Shown } from "./free-state.js" */

/** @typedef {Awaited<ReturnType<typeof freeBoard>>} FreeBoard */

/**
 * @typedef {Object} Page
 * @property {Pick<Context, "announce">} ctx
 * @property {Free} free
 * @property {Board} board
 * @property {HTMLElement} host
 * @property {boolean} flipped
 * @property {() => void} onMove called when the plies have changed
 * @property {() => void} refreshSoon
 */

/**
 * @param {Pick<Context, "announce">} ctx
 * @param {Game} game
 * @param {string} position
 * @param {{ label: () => string, onLeave?: () => void, layout?: Layout, flipped?: boolean, onMove?: () => void }} place
 */
export async function freeBoard(ctx, game, position, { label, onLeave, layout = game.layout(""), flipped = false, onMove = () => {} }) {
  await twice(init);
  const free = createFree(Referee, game, position);
  const host = h("div", { class: "board-host" });
  const board = createBoard(host, layout, game, {
    label,
    onChoice: (choice) => onChoice(page, choice),
    announce: ctx.announce,
  });
  const frame = eachFrame(() => refresh(el));
  /** @type {Page} */
  const page = { ctx, free, board, host, flipped, onMove, refreshSoon: frame.soon };
  const again = () => {
    tell(page, restart(free));
    focus(page);
  };
  const button = (/** @type {string} */ label, /** @type {() => void} */ act, /** @type {() => boolean} */ disabled) =>
    h("button", { type: "button", disabled, onclick: act }, () => t(label));
  const el = h(
    "div",
    { class: "free" },
    host,
    h("p", { class: () => `told${free.notice ? " refused" : ""}` }, () => toldText(free)),
    game.toldPart?.(() => lastOf(free)) ?? null,
    h(
      "div",
      { class: "actions" },
      button(
        "takeback.ask",
        () => {
          takeBack(free);
          ctx.announce(t("takeback.done"));
          show(page);
        },
        () => !canTakeBack(free),
      ),
      button("rules.reset", again, () => !canTakeBack(free)),
      onLeave ? button("rules.leave", onLeave, () => false) : null,
    ),
  );
  tell(page, begin(free));

  return {
    el,
    focus: () => focus(page),
    /** The plies that were tried. */
    plies: () => free.table.plies,
    restart: again,
    destroy() {
      frame.stop();
      free.table.rules.free();
      board.destroy();
    },
  };
}

/** @param {Page} page @param {Step[]} [steps] the positions to show before */
function show({ free, board, flipped, onMove, refreshSoon }, steps = []) {
  const { hand, game } = free;
  const last = lastOf(free);
  board.update((state) => {
    showTurn(hand, state, { ...turnOf(free), last: last && { ...last, before: game.parse(last.position).pieces } });
    state.flipped = flipped;
    state.steps = steps;
    state.marks = outcome(free)?.score ? game.counted(state.pieces) : [];
  });
  refreshSoon();
  onMove();
}

/** @param {Page} page @param {Shown} shown */
function tell(page, { steps, said }) {
  for (const text of said) page.ctx.announce(text);
  show(page, steps);
}

/** @param {Page} page @param {Choice} choice */
function onChoice(page, choice) {
  const { ctx, free, board } = page;
  const meaning = takeUp(free.hand, board.state, turnOf(free), choice);
  free.notice = null;
  if (meaning.kind === "move" || meaning.kind === "attempt") {
    // A refused move leaves no cells chosen: each attempt here begins anew.
    board.update(cancel);
    const shown = play(free, meaning.move);
    if (shown !== null) return tell(page, shown);
  } else if (meaning.kind === "forbidden") free.notice = () => whyText(meaning.why);
  else if (meaning.kind === "no-moves") free.notice = () => t("board.no-moves");
  const notice = /** @type {Free} */ (free).notice?.();
  if (notice) ctx.announce(notice);
  show(page);
}

/** Sets the keyboard's focus on the first piece or house that can be played. @param {Page} page */
function focus({ board, host }) {
  board.update((state) => {
    state.focus = state.options[0]?.path[0] ?? state.focus;
  });
  // After the board is drawn.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const cell = host.querySelector('[tabindex="0"]');
      if (cell instanceof HTMLElement) cell.focus({ preventScroll: true });
    }),
  );
}
