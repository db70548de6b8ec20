// @ts-check
// A task on its board.
//
//   section.match.task
//     div.board-host
//     div.side
//       nav.quiet, h1, p.goal, p.told, div.actions (back, again, hint, next)

import { createBoard } from "../board/board.js";
import { showTurn, takeUp } from "../board/hand.js";
import { eachFrame, h, hideWhen, refresh } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { turnText, whyText } from "../views/texts.js";
import { markSolved } from "./progress.js";
import { createTable, make, restart, suggest, takeBack, toldText, turnOf } from "./task-state.js";

/** @import { Board } from "../board/board.js" */
/** @import { Choice, Step } from "../board/state.js" */
/** @import { Game, Task } from "../games/types.js" */
/** @import { Context } from "../views/context.js" */
/** @import { Game as Rules } from "../wasm/rules.js" */
/** @import { TaskTable } from "./task-state.js" */

/**
 * @typedef {Object} Page
 * @property {Pick<Context, "announce">} ctx
 * @property {TaskTable} table
 * @property {Place} place
 * @property {Board} board
 * @property {HTMLElement} again
 * @property {HTMLElement} onward
 * @property {() => void} refreshSoon
 */

/** @typedef {{ number: number, count: number, next: string }} Place the number of the task, and the address of the next one */

/**
 * @param {Pick<Context, "announce">} ctx
 * @param {typeof Rules} Game the rules, loaded
 * @param {Game} game
 * @param {Task} task
 * @param {Place} place
 */
export function taskTable(ctx, Game, game, task, place) {
  const table = createTable(Game, game, task);
  const host = h("div", { class: "board-host" });
  const board = createBoard(host, game.layout(""), game, {
    label: () => t("match.board", { game: t(`game.${game.id}.name`) }),
    onChoice: (choice) => onChoice(page, choice),
    announce: ctx.announce,
  });
  const again = h(
    "button",
    {
      type: "button",
      class: () => (table.run.state === "wrong" ? "primary" : ""),
      disabled: () => table.run.made === 0,
      onclick: () => {
        restart(table);
        show(page);
      },
    },
    () => t("learn.again"),
  );
  const onward = h("a", { class: () => `button ${table.run.state === "solved" ? "primary" : ""}`, href: place.next }, () =>
    t(place.number < place.count ? "learn.next" : "learn.overview"),
  );
  const frame = eachFrame(() => refresh(el));
  /** @type {Page} */
  const page = { ctx, table, place, board, again, onward, refreshSoon: frame.soon };
  const el = h("section", { class: "match task" }, host, sidePart(page));
  const { width, height } = board.state.layout;
  el.style.setProperty("--shape", String(width / height));
  el.style.setProperty("--upright", String(height / width));
  show(page);

  return {
    el,
    title: () => text(table, "title"),
    destroy() {
      frame.stop();
      table.run.rules.free();
      board.destroy();
    },
  };
}

/** @param {TaskTable} table @param {string} part */
const text = ({ game, task }, part) => t(`task.${task.texts ?? game.id}.${task.key}.${part}`);

/** @param {Page} page @param {Step[]} [steps] the positions to show before */
function show({ table, board, refreshSoon }, steps = []) {
  const { hand, game, run, suggested, last } = table;
  board.update((state) => {
    showTurn(hand, state, { ...turnOf(table), last });
    state.steps = steps;
    state.you = run.side;
    state.flipped = !state.layout.fixed && run.side === "second";
    state.hints = suggested === null ? [] : game.path(suggested, run.side, state.pieces);
  });
  refreshSoon();
}

/** @param {Page} page @param {Choice} choice */
function onChoice(page, choice) {
  const { table, board } = page;
  const meaning = takeUp(table.hand, board.state, turnOf(table), choice);
  table.refused = null;
  if (meaning.kind === "move") return made(page, meaning.move);
  const why = meaning.kind === "attempt" ? table.run.rules.explainIllegal(meaning.move) : undefined;
  if (why !== undefined) refuse(page, () => whyText(why));
  else if (meaning.kind === "forbidden") refuse(page, () => whyText(meaning.why));
  else if (meaning.kind === "no-moves") refuse(page, () => t("board.no-moves"));
  show(page);
}

/** @param {Page} page @param {() => string} text */
function refuse({ ctx, table }, text) {
  table.refused = text;
  ctx.announce(text());
}

/** @param {Page} page @param {string} move */
function made(page, move) {
  const { ctx, table, again, onward } = page;
  const steps = make(table, move);
  const { state } = table.run;
  if (state === "solved") markSolved(table.game.id, table.task.key);
  show(page, steps);
  ctx.announce(toldText(table));
  // After the board has set the focus.
  if (state !== "open") requestAnimationFrame(() => (state === "solved" ? onward : again).focus({ preventScroll: true }));
}

/** @param {Page} page */
function sidePart(page) {
  const { table, place, again, onward } = page;
  const { game, task } = table;
  const { number, count } = place;
  return h(
    "div",
    { class: "side" },
    h(
      "p",
      { class: "quiet" },
      h("a", { href: `/learn/${game.id}` }, () => t(`game.${game.id}.name`)),
      () => ` · ${t("learn.count", { number, count })}`,
    ),
    h("h1", { tabindex: "-1" }, () => text(table, "title")),
    h("p", { class: "goal" }, () => text(table, "goal")),
    h("p", { class: "quiet" }, () =>
      [turnText(game.id, table.run.side), task.moves > 1 ? t("learn.moves", { n: task.moves }) : ""].filter(Boolean).join(" · "),
    ),
    hideWhen(
      h("p", { class: () => `told ${table.refused ? "" : table.run.state}` }, () => toldText(table)),
      () => toldText(table) === "",
    ),
    h(
      "div",
      { class: "actions" },
      onward,
      hideWhen(again, () => table.run.state === "solved"),
      hideWhen(backButton(page), () => task.moves === 1),
      hideWhen(hintButton(page), () => table.run.state === "solved"),
    ),
    h(
      "p",
      {},
      h("a", { href: `/rules/${game.id}` }, () => t(`rules.${game.id}.title`)),
    ),
  );
}

/** @param {Page} page */
function backButton(page) {
  const onclick = () => {
    takeBack(page.table);
    show(page);
  };
  return h("button", { type: "button", disabled: () => page.table.run.made === 0, onclick }, () => t("takeback.ask"));
}

/** @param {Page} page */
function hintButton(page) {
  const { ctx, table } = page;
  const onclick = () => {
    suggest(table);
    if (table.suggested !== null) ctx.announce(t("hint.said", { move: table.game.spoken(table.suggested) }));
    show(page);
  };
  return h("button", { type: "button", onclick }, () => t("hint.ask"));
}
