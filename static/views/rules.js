// @ts-check
// The rules of a game, with pictures drawn by the board of the game. A picture with a move can show it, and the reader can take over a
// picture's board and move on it (`free-board.js`, fetched with the first one).

import { createBoard } from "../board/board.js";
import { setPosition } from "../board/state.js";
import { h, refresh } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { loadGame } from "../games/index.js";
import { lessonsOf } from "../games/pictures.js";
import { errorLine } from "./parts/error-line.js";
import { gameLinks } from "./parts/game-links.js";
import { nothingHere } from "./parts/nothing-here.js";

/** @import { Game, Lesson } from "../games/types.js" */
/** @import { Params } from "../core/router.js" */
/** @import { Context, View, ViewMaker } from "./context.js" */
/** @import { FreeBoard } from "./free-board.js" */

/** The page, with its game loaded. @param {Params} params @returns {Promise<ViewMaker>} */
export async function rulesPage({ game: id = "" }) {
  const game = await loadGame(id);
  return (ctx) => rulesView(ctx, game);
}

/** @param {Context} ctx @param {Game | undefined} game @returns {View} */
function rulesView(ctx, game) {
  if (!game) return { el: nothingHere(() => t("match.unknown-game")), title: () => t("missing.title") };
  const text = (/** @type {string} */ key) => t(`rules.${game.id}.${key}`);
  const lessons = lessonParts(ctx, game);
  return {
    title: () => text("title"),
    el: h(
      "article",
      { class: "page rules" },
      gameLinks(game.id, "rules"),
      h("h1", { tabindex: "-1" }, () => text("title")),
      h("p", { class: "lead" }, () => text("lead")),
      ...lessons.els,
      h(
        "p",
        { class: "onward" },
        h("a", { class: "button primary", href: `/learn/${game.id}` }, () => t("menu.learn")),
        " ",
        h("a", { class: "button", href: `/analysis#game=${game.id}` }, () => t("menu.analysis")),
        " ",
        h("a", { class: "button", href: `/editor/${game.id}` }, () => t("editor.title")),
        " ",
        h("a", { class: "button", href: "/" }, () => t("new.play")),
      ),
    ),
    destroy: lessons.destroy,
  };
}

/**
 * The rules of a game in parts, each with its picture.
 * @param {Pick<Context, "announce">} ctx
 * @param {Game} game
 */
export function lessonParts(ctx, game) {
  const parts = lessonsOf(game.id).map((lesson) => {
    const words = `rules.${lesson.texts ?? game.id}.${lesson.key}`;
    const title = () => t(`${words}.title`);
    const shown = picture(ctx, game, lesson, title);
    const told = h(
      "div",
      { class: "lesson-text" },
      h("h2", {}, title),
      h("p", {}, () => t(`${words}.text`)),
    );
    return { el: h("section", { class: "lesson" }, told, shown.el), destroy: shown.destroy };
  });
  return {
    els: parts.map(({ el }) => el),
    destroy() {
      for (const { destroy } of parts) destroy();
    },
  };
}

/**
 * The pieces whose moves a picture shows: a single one is picked, so that the board shows its targets; several are marked. A move of one
 * cell picks nothing, and is shown as in play.
 * @param {string[][]} paths
 */
const moversOf = (paths) => [...new Set(paths.flatMap((path) => (path.length > 1 ? path.slice(0, 1) : [])))];

/**
 * @param {Pick<Context, "announce">} ctx
 * @param {Game} game
 * @param {Lesson} lesson
 * @param {() => string} label
 */
function picture(ctx, game, { position, legal, move }, label) {
  const host = h("div", { class: "board-host" });
  const board = createBoard(host, game.layout(""), game, { label });
  const { pieces, turn } = game.parse(position);
  const movers = moversOf(legal.map((m) => game.path(m, turn, pieces)));
  let played = false;
  /** The board for trying out, while the reader uses it. @type {FreeBoard | null} */
  let free = null;
  let gone = false;

  function show() {
    board.update((state) => {
      setPosition(state, {
        pieces: played && move !== null ? game.preview(pieces, move, turn) : pieces,
        options: played ? [] : legal.map((m) => ({ path: game.path(m, turn, pieces), move: m })),
        hand: null,
        last: played && move !== null ? game.path(move, turn, pieces) : [],
      });
      state.steps = played && move !== null ? game.steps(pieces, move, turn) : [];
      state.picked = !played && movers.length === 1 ? movers : [];
      state.marks = legal.length === 0 ? game.counted(pieces) : !played && movers.length > 1 ? movers : [];
    });
  }
  show();

  async function takeOver() {
    takeButton.disabled = true;
    const taken = await import("./free-board.js")
      .then(({ freeBoard }) => freeBoard(ctx, game, position, { label, onLeave: leave }))
      .catch(() => null);
    takeButton.disabled = false;
    if (gone) return taken?.destroy();
    if (taken === null) return failed.say(() => t("problem.offline"));
    failed.say(null);
    free = taken;
    el.replaceChildren(free.el);
    free.focus();
  }

  function leave() {
    free?.destroy();
    free = null;
    el.replaceChildren(...still);
    takeButton.focus({ preventScroll: true });
  }

  const showButton =
    move === null
      ? null
      : h(
          "button",
          {
            type: "button",
            onclick: () => {
              played = !played;
              show();
              if (showButton) refresh(showButton);
            },
          },
          () => t(played ? "rules.back" : "rules.show"),
        );
  const takeButton = h("button", { type: "button", onclick: () => void takeOver() }, () => t("rules.try"));
  const failed = errorLine();
  // A finished game cannot be tried out.
  const isOver = legal.length === 0 && position !== game.start;
  const still = [host, h("div", { class: "actions" }, showButton, isOver ? null : takeButton), failed.el];
  const el = h("figure", { class: "picture" }, still);
  return {
    el,
    destroy() {
      gone = true;
      free?.destroy();
      board.destroy();
    },
  };
}
