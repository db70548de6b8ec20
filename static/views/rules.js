// @ts-check
// The rules of a game, with pictures drawn by the very board it is played on; where a picture has a move, the reader plays it.

import { createBoard } from "../board/board.js";
import { setPosition } from "../board/state.js";
import { h, refresh } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { gameOf } from "../games/index.js";
import { gameLinks, nothingHere } from "./parts.js";

/** @import { Game, Lesson } from "../games/index.js" */
/** @import { Board } from "../board/board.js" */
/** @import { ViewMaker } from "./context.js" */

/** @type {ViewMaker} */
export function rulesView(_ctx, { game: id = "" }) {
  const game = gameOf(id);
  if (!game) return { el: nothingHere(() => t("match.unknown-game")), title: () => t("missing.title") };
  /** @type {Board[]} */
  const boards = [];
  const text = (/** @type {string} */ key) => t(`rules.${game.id}.${key}`);
  return {
    title: () => text("title"),
    el: h("article", { class: "page rules" },
      gameLinks(game.id, "rules"),
      h("h1", { tabindex: "-1" }, () => text("title")),
      h("p", { class: "lead" }, () => text("lead")),
      ...game.lessons.map((lesson) => h("section", { class: "lesson" },
        h("div", { class: "lesson-text" }, h("h2", {}, () => text(`${lesson.key}.title`)), h("p", {}, () => text(`${lesson.key}.text`))),
        picture(game, lesson, () => text(`${lesson.key}.title`), boards))),
      h("p", { class: "onward" }, h("a", { class: "button primary", href: `/learn/${game.id}` }, () => t("menu.learn")), " ",
        h("a", { class: "button", href: `/analysis#game=${game.id}` }, () => t("menu.analysis")), " ", h("a", { class: "button", href: "/" }, () => t("new.play")))),
    destroy() {
      for (const board of boards) board.destroy();
    },
  };
}

/**
 * The pieces whose moves a picture shows: one is taken up, so that the board shows where it can go; several are pointed out. A move of
 * one cell takes up nothing, and is shown as the board shows it in play.
 * @param {string[][]} paths
 */
const moversOf = (paths) => [...new Set(paths.flatMap((path) => (path.length > 1 ? path.slice(0, 1) : [])))];

/**
 * @param {Game} game
 * @param {Lesson} lesson
 * @param {() => string} label
 * @param {Board[]} boards
 */
function picture(game, { position, legal, move }, label, boards) {
  const host = h("div", { class: "board-host" });
  const board = createBoard(host, game.layout(""), game, { label });
  boards.push(board);
  const { pieces, turn } = game.parse(position);
  const movers = moversOf(legal.map((m) => game.path(m, turn)));
  let played = false;

  function show() {
    board.update((state) => {
      setPosition(state, {
        pieces: played && move !== null ? game.preview(pieces, move, turn) : pieces,
        options: played ? [] : legal.map((m) => ({ path: game.path(m, turn), move: m })),
        hand: null,
        last: played && move !== null ? game.path(move, turn) : [],
      });
      state.steps = played && move !== null ? game.steps(pieces, move, turn) : [];
      state.picked = !played && movers.length === 1 ? movers : [];
      state.marks = legal.length === 0 ? game.counted(pieces) : !played && movers.length > 1 ? movers : [];
    });
  }
  show();
  const button = move === null ? null : h("button", {
    type: "button",
    onclick: () => {
      played = !played;
      show();
      if (button) refresh(button);
    },
  }, () => t(played ? "rules.back" : "rules.show"));
  return h("figure", { class: "picture" }, host, button);
}
