// @ts-check
// The front door: a match is one click away.
//
//   section.home
//     div.hero     picture of the board | section.card.new-match
//     div.columns  your matches, matches to watch, the best players

import { createBoard } from "../board/board.js";
import { setPosition } from "../board/state.js";
import { h, refresh } from "../core/dom.js";
import { number, t } from "../core/i18n.js";
import { GAMES } from "../games/index.js";
import { getLeaderboard, getMyMatches, getRunningMatches, postChallenge, postMatch } from "../net/api.js";
import { choiceRow, errorLine, hideWhen, loaded, matchRow, playerLink, problemText, ratingText, sidePicker, timePicker } from "./parts.js";

/** @import { LeaderboardRow } from "../core/types.js" */
/** @import { Context, View } from "./context.js" */

const LEVELS = 8;
const DEFAULT_LEVEL = 2;
/** How many of the best the front page names. */
const TEASER = 5;
/** How many running matches it lists, the strongest first. */
const WATCH = 8;

/** A moment of a real match, with stones on both faces. */
const PICTURE = "2B3B1/3W4/B2b1BW1/2w1W3/3B2b1/1W1w1B2/4W3/W4B1W w";

/** @param {Context} ctx @returns {View} */
export function homeView(ctx) {
  const game = GAMES[0];
  if (!game) throw new Error("no game to play");
  const picture = h("div", { class: "board-host" });
  const board = createBoard(picture, game.layout(""), game, { label: () => t("home.picture") });
  board.update((state) => setPosition(state, { pieces: game.parse(PICTURE).pieces, options: [], hand: null, last: [] }));

  const mine = loaded(async () => (ctx.session.player() ? getMyMatches() : { items: [] }), ({ items }) => (items.length === 0 ? null : h("section", { class: "card" },
    h("h2", {}, () => t("home.mine")),
    h("ul", { class: "rows" }, items.map((match) => matchRow(match)))
  )), { problem: () => h("span", {}) });

  const watch = loaded(() => getRunningMatches(game.id), ({ items }) => (items.length === 0
    ? h("p", { class: "quiet" }, () => t("home.watch.none"))
    : h("ul", { class: "rows" }, items.slice(0, WATCH).map((match) => matchRow(match)))));

  const best = loaded(() => getLeaderboard(game.id, "blitz", null), ({ items }) => (items.length === 0
    ? h("p", { class: "quiet" }, () => t("leaderboard.none"))
    : h("ol", { class: "teaser" }, items.slice(0, TEASER).map(teaserRow))));

  const form = newMatch(ctx, game.id);
  const stop = ctx.session.onChange(() => {
    refresh(form);
    void mine.load();
  });

  const el = h("section", { class: "home" },
    h("div", { class: "hero" },
      h("div", { class: "hero-picture" }, picture),
      h("div", { class: "hero-text" },
        h("h1", { tabindex: "-1" }, () => t("home.title")),
        h("p", { class: "lead" }, () => t("home.lead"), " ", h("a", { href: `/rules/${game.id}` }, () => t("home.rules"))),
        form)),
    h("div", { class: "columns" },
      mine.el,
      h("section", { class: "card" }, h("h2", {}, () => t("home.watch")), watch.el),
      h("section", { class: "card" }, h("h2", {}, () => t("leaderboard.title")), best.el,
        h("p", {}, h("a", { href: `/leaderboard/${game.id}` }, () => t("home.leaderboard"))))));

  return {
    el,
    title: () => t("home.tab"),
    destroy() {
      stop();
      board.destroy();
    },
  };
}

/**
 * @param {Context} ctx
 * @param {string} game
 */
function newMatch(ctx, game) {
  let opponent = "computer";
  let level = DEFAULT_LEVEL;
  let busy = false;
  const side = sidePicker("side", game);
  const time = timePicker("time");
  const error = errorLine();
  const rated = h("input", { type: "checkbox", disabled: () => ctx.session.player()?.kind !== "account" });

  async function submit(/** @type {Event} */ event) {
    event.preventDefault();
    if (busy) return;
    busy = true;
    error.say(null);
    refresh(form);
    const wish = { game, setup: "", side: side.side(), time_control: time.control() };
    try {
      await ctx.session.ensure();
      if (opponent === "computer") ctx.go(`/match/${(await postMatch({ ...wish, level })).id}`);
      else ctx.go(`/challenge/${(await postChallenge({ ...wish, rated: rated.checked && !rated.disabled })).id}`);
    } catch (refusal) {
      error.say(() => problemText(refusal));
    }
    busy = false;
    refresh(form);
  }

  const levels = Array.from({ length: LEVELS }, (_, i) => String(i + 1));
  const form = h("form", { class: "card new-match", onsubmit: submit },
    choiceRow("opponent", () => t("new.opponent"), [
      { value: "computer", label: () => t("new.computer") },
      { value: "friend", label: () => t("new.friend") },
    ], opponent, (value) => {
      opponent = value;
      refresh(form);
    }),
    hideWhen(choiceRow("level", () => t("new.level"), levels.map((value) => ({ value, label: () => number(Number(value)) })), String(level), (value) => {
      level = Number(value);
    }), () => opponent !== "computer"),
    side.el,
    time.el,
    hideWhen(h("div", { class: "rated-row" },
      h("label", {}, rated, h("span", {}, () => t("new.rated"))),
      h("p", { class: "quiet", hidden: () => !rated.disabled }, () => t("new.rated.hint"))), () => opponent === "computer"),
    error.el,
    h("button", { type: "submit", class: "primary", disabled: () => busy }, () => t(opponent === "computer" ? "new.play" : "new.link")));
  return form;
}

/** @param {LeaderboardRow} row */
function teaserRow({ player, rating }) {
  return h("li", {}, playerLink(player), h("span", { class: "rating" }, () => ratingText(rating)));
}
