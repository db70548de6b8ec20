// @ts-check
// The page of a new match: the form, beside a picture of the game.
//
//   section.play
//     div.hero-picture
//     div.hero-text > h1, p.lead, p.notice, form.new-match, section.card (open offers)

import { createBoard } from "../board/board.js";
import { setPosition } from "../board/state.js";
import { eachFrame, h, refresh } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { gameOf, loadGame } from "../games/index.js";
import { lastGame, storeGame } from "./last-choice.js";
import { newMatch } from "./new-match.js";
import { seekList } from "./seeks.js";

/** @import { Board } from "../board/board.js" */
/** @import { Params } from "../core/router.js" */
/** @import { Game, GameEntry } from "../games/types.js" */
/** @import { Context, View, ViewMaker } from "./context.js" */

/** The page, with the game of its first picture loaded. @param {Params} params @returns {Promise<ViewMaker>} */
export async function playPage({ game: named = "" }) {
  const first = await loadGame((gameOf(named) ?? lastGame()).id);
  return (ctx) => playView(ctx, first, named);
}

/** @param {Context} ctx @param {Game} first @param {string} named the game of the address, if there is one @returns {View} */
function playView(ctx, first, named) {
  /** @type {GameEntry} */
  let game = first;
  let gone = false;
  const picture = gamePicture();
  picture.show(first);
  const form = newMatch(ctx, game, (next) => {
    game = next;
    // Until it is loaded, or without it, the picture stays as it is.
    loadGame(next.id).then(
      (loaded) => game === next && !gone && picture.show(loaded),
      () => {},
    );
    storeGame(next);
    frame.soon();
  });
  const seeks = seekList(ctx);
  const el = h(
    "section",
    { class: "play hero" },
    h("div", { class: "hero-picture" }, picture.el),
    h(
      "div",
      { class: "hero-text" },
      h("h1", { tabindex: "-1" }, () => t("new.title")),
      h(
        "p",
        { class: "lead" },
        () => t(`game.${game.id}.lead`),
        " ",
        h("a", { href: () => `/rules/${game.id}` }, () => t("home.rules")),
        " · ",
        h("a", { href: () => `/editor/${game.id}` }, () => t("editor.title")),
      ),
      h("p", { class: "notice", role: "status", hidden: () => ctx.line.status() !== "down" }, () => t("device.away")),
      form,
      h(
        "section",
        { class: "card" },
        h("h2", {}, () => t("seek.title")),
        seeks.el,
      ),
    ),
  );
  const frame = eachFrame(() => refresh(el));
  const stops = [ctx.session.onChange(frame.soon), ctx.lobby.onChange(frame.soon), ctx.line.onStatus(frame.soon)];

  return {
    el,
    title: () => (gameOf(named) ? `${t(`game.${named}.name`)}: ${t("new.title")}` : t("new.title")),
    destroy() {
      gone = true;
      for (const stop of stops) stop();
      frame.stop();
      seeks.destroy();
      picture.destroy();
    },
  };
}

/** The board of the chosen game, as a picture. */
function gamePicture() {
  const el = h("div", { class: "board-host" });
  /** @type {Board | null} */
  let board = null;
  return {
    el,
    /** @param {Game} game */
    show(game) {
      board?.destroy();
      board = createBoard(el, game.layout(""), game, { label: () => t("home.picture", { game: t(`game.${game.id}.name`) }) });
      board.update((state) => setPosition(state, { pieces: game.parse(game.picture).pieces, options: [], hand: null, last: [] }));
    },
    destroy: () => board?.destroy(),
  };
}
