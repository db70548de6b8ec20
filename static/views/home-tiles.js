// @ts-check
// The games of the home page: a press begins a match with the terms chosen last.
//
//   section.tiles-part
//     fieldset.choice-row.with   the opponent
//     p.notice, p.error
//     div.tiles > article.tile…
//       button.tile-play     span.tile-art > img, strong, span.tile-line
//       div.tile-more        links to the options and the lessons of the game
//     p.tiles-terms          the terms, a link to change them

import { eachFrame, h, refresh } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { controlOf } from "../core/time.js";
import { GAMES, loadGame, mayBeRated } from "../games/index.js";
import { begin, beginText, challenge } from "./begin.js";
import { isUsual, lastTerms, OPPONENTS, storeGame, storeTerms, termsLine } from "./last-choice.js";
import { choiceRow } from "./parts/choice-row.js";
import { errorLine } from "./parts/error-line.js";

/** @import { GameEntry } from "../games/types.js" */
/** @import { Context } from "./context.js" */

/** @param {Context} ctx */
export function gameTiles(ctx) {
  let terms = lastTerms();
  const error = errorLine();
  let busy = false;
  const away = () => ctx.line.status() === "down";

  /** Begins a match, waits for a stranger, or makes the link for a friend; without a connection only the first is possible. @param {GameEntry} game */
  async function play(game) {
    if (busy) return;
    busy = true;
    // While the match is made; its page handles a failure.
    void loadGame(game.id).catch(() => {});
    error.say(null);
    storeGame(game);
    frame.soon();
    try {
      const here = !isWithPeople() && (terms.here || away());
      if (!here) await ctx.session.ensure();
      const rated = terms.rated && mayBeRated(game.id) && ctx.session.player()?.kind === "account";
      if (terms.opponent === "stranger") ctx.lobby.wait({ game: game.id, pool: terms.pool, rated });
      else if (terms.opponent === "friend") {
        const time_control = controlOf(terms.friendTime);
        const wish = { game: game.id, setup: "", time_control, side: terms.side, rated: rated && time_control.kind !== "unlimited" };
        ctx.go(await challenge(ctx, wish));
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

  const isWithPeople = () => terms.opponent === "stranger" || terms.opponent === "friend";
  const isClosed = () => busy || (away() && isWithPeople());
  const opponents = choiceRow(
    "with",
    () => t("new.opponent"),
    OPPONENTS.map((value) => ({ value, label: () => t(`new.${value}`) })),
    terms.opponent,
    (value) => {
      terms = { ...terms, opponent: OPPONENTS.find((one) => one === value) ?? terms.opponent };
      storeTerms(terms);
      frame.soon();
    },
  );
  const el = h(
    "section",
    { class: "tiles-part", "aria-label": () => t("new.game") },
    opponents,
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

/** @param {GameEntry} game @param {() => boolean} isClosed @param {() => void} play */
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
