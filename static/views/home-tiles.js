// @ts-check
// The games of the home page: a press begins a match with the terms chosen last.
//
//   section.tiles-part
//     p.tiles-terms          the terms, a link to change them
//     p.notice, p.error
//     div.tiles > article.tile…
//       button.tile-play     span.tile-art > img, strong, span.tile-line
//       div.tile-more        links to the options and the lessons of the game

import { eachFrame, h, refresh } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { controlOf } from "../core/time.js";
import { GAMES } from "../games/index.js";
import { begin, beginText } from "./begin.js";
import { isUsual, lastTerms, storeGame, termsLine } from "./last-choice.js";
import { errorLine } from "./parts/error-line.js";

/** @import { Game } from "../games/types.js" */
/** @import { Context } from "./context.js" */

/** @param {Context} ctx */
export function gameTiles(ctx) {
  const terms = lastTerms();
  const error = errorLine();
  let busy = false;
  const away = () => ctx.line.status() === "down";

  /** Begins a match, or waits for a stranger; without a connection a match against a person is not possible. @param {Game} game */
  async function play(game) {
    if (busy) return;
    busy = true;
    error.say(null);
    storeGame(game);
    frame.soon();
    try {
      const here = terms.here || away();
      if (!here) await ctx.session.ensure();
      if (terms.opponent === "stranger") {
        const rated = terms.rated && ctx.session.player()?.kind === "account";
        ctx.lobby.wait({ game: game.id, pool: terms.pool, rated });
      } else {
        const level = terms.opponent === "computer" ? terms.level : null;
        ctx.go(await begin({ game: game.id, setup: "", side: terms.side, level, time_control: controlOf(terms.time), here }));
      }
    } catch (refusal) {
      error.say(() => beginText(refusal));
    }
    busy = false;
    frame.soon();
  }

  const isClosed = () => busy || (away() && terms.opponent === "stranger");
  const el = h(
    "section",
    { class: "tiles-part", "aria-label": () => t("new.game") },
    h("p", { class: "notice", role: "status", hidden: () => !away() }, () => t("device.away")),
    error.el,
    h(
      "div",
      { class: "tiles" },
      GAMES.map((game) => tile(game, isClosed, () => void play(game))),
    ),
    h(
      "p",
      { class: "tiles-terms", id: "tiles-terms" },
      // The line of a newcomer is in the document.
      () => (isUsual(terms) ? t("home.terms.usual") : t("home.terms", { terms: termsLine(terms) })),
      " ",
      h("a", { href: "/play" }, () => t("home.change")),
    ),
  );
  const frame = eachFrame(() => refresh(el));
  const stop = ctx.line.onStatus(frame.soon);
  return {
    el,
    destroy() {
      stop();
      frame.stop();
    },
  };
}

/** @param {Game} game @param {() => boolean} isClosed @param {() => void} play */
function tile({ id }, isClosed, play) {
  const name = () => t(`game.${id}.name`);
  /** @param {string} path @param {string} text */
  const more = (path, text) => h("a", { href: path, "aria-label": () => `${t(text)}: ${name()}` }, () => t(text));
  return h(
    "article",
    { class: "tile" },
    h(
      "button",
      { type: "button", class: "tile-play", disabled: isClosed, "aria-describedby": "tiles-terms", onclick: play },
      h(
        "span",
        { class: "tile-art" },
        h("img", { src: new URL(`../art/${id}.svg`, import.meta.url).href, alt: "", width: 320, height: 200 }),
      ),
      h("strong", {}, name),
      h("span", { class: "tile-line" }, () => t(`game.${id}.line`)),
    ),
    h("div", { class: "tile-more" }, more(`/play/${id}`, "home.options"), more(`/learn/${id}`, "menu.learn")),
  );
}
