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
import { GAMES, gameOf } from "../games/index.js";
import { getLeaderboard, getMyMatches, getRunningMatches, postChallenge, postMatch } from "../net/api.js";
import { choiceRow, errorLine, hideWhen, loaded, matchRow, playerLink, problemText, ratingText, setupPicker, sidePicker, timePicker } from "./parts.js";

/** @import { LeaderboardRow } from "../core/types.js" */
/** @import { Board } from "../board/board.js" */
/** @import { Game } from "../games/index.js" */
/** @import { Context, View } from "./context.js" */

const LEVELS = 8;
const DEFAULT_LEVEL = 2;
/** How many of the best the front page names. */
const TEASER = 5;
/** How many running matches it lists, the strongest first. */
const WATCH = 8;

/** The game chosen last, kept for the next visit. */
const STORED = "mawe.game";

/** @param {Context} ctx @returns {View} */
export function homeView(ctx) {
  let game = gameOf(storedGame()) ?? GAMES[0];
  const picture = h("div", { class: "board-host" });
  /** @type {Board | null} */
  let board = null;
  const best = h("div", {});

  /** What the page shows of the game chosen. @param {Game} next */
  function choose(next) {
    game = next;
    board?.destroy();
    board = createBoard(picture, game.layout(""), game, { label: () => t("home.picture", { game: t(`game.${game.id}.name`) }) });
    board.update((state) => setPosition(state, { pieces: game.parse(game.picture).pieces, options: [], hand: null, last: [] }));
    best.replaceChildren(loaded(() => getLeaderboard(game.id, "blitz", null), ({ items }) => (items.length === 0
      ? h("p", { class: "quiet" }, () => t("leaderboard.none"))
      : h("ol", { class: "teaser" }, items.slice(0, TEASER).map(teaserRow)))).el);
  }
  choose(game);

  const mine = loaded(async () => (ctx.session.player() ? getMyMatches() : { items: [] }), ({ items }) => (items.length === 0 ? null : h("section", { class: "card" },
    h("h2", {}, () => t("home.mine")),
    h("ul", { class: "rows" }, items.map((match) => matchRow(match)))
  )), { problem: () => h("span", {}) });

  const watch = loaded(() => getRunningMatches(null), ({ items }) => (items.length === 0
    ? h("p", { class: "quiet" }, () => t("home.watch.none"))
    : h("ul", { class: "rows" }, items.slice(0, WATCH).map((match) => matchRow(match)))));

  const form = newMatch(ctx, game, (next) => {
    choose(next);
    try {
      localStorage.setItem(STORED, next.id);
    } catch {
      // Then the choice lasts as long as the page.
    }
    refresh(el);
  });
  const stop = ctx.session.onChange(() => {
    refresh(form);
    void mine.load();
  });

  const el = h("section", { class: "home" },
    h("div", { class: "hero" },
      h("div", { class: "hero-picture" }, picture),
      h("div", { class: "hero-text" },
        h("h1", { tabindex: "-1" }, () => t("home.title")),
        h("p", { class: "lead" }, () => t(`game.${game.id}.lead`), " ", h("a", { href: () => `/rules/${game.id}` }, () => t("home.rules"))),
        form)),
    h("div", { class: "columns" },
      mine.el,
      h("section", { class: "card" }, h("h2", {}, () => t("home.watch")), watch.el),
      h("section", { class: "card" }, h("h2", {}, () => `${t("leaderboard.title")} · ${t(`game.${game.id}.name`)}`), best,
        h("p", {}, h("a", { href: () => `/leaderboard/${game.id}` }, () => t("home.leaderboard"))))));

  return {
    el,
    title: () => t("home.tab"),
    destroy() {
      stop();
      board?.destroy();
    },
  };
}

function storedGame() {
  try {
    return localStorage.getItem(STORED) ?? "";
  } catch {
    return "";
  }
}

/**
 * @param {Context} ctx
 * @param {Game} first
 * @param {(game: Game) => void} onGame
 */
function newMatch(ctx, first, onGame) {
  let game = first;
  let opponent = "computer";
  let level = DEFAULT_LEVEL;
  let busy = false;
  let side = sidePicker("side", game.id);
  let setup = setupPicker(game);
  const time = timePicker("time");
  const error = errorLine();
  /** What a rated match of this game does not leave open. */
  const ratedOption = () => game.options.find((option) => option.rated !== undefined);
  /** @type {HTMLInputElement} */
  const rated = h("input", { type: "checkbox", onchange: () => refresh(form), disabled: () => ctx.session.player()?.kind !== "account" });

  async function submit(/** @type {Event} */ event) {
    event.preventDefault();
    if (busy) return;
    busy = true;
    error.say(null);
    refresh(form);
    const isRated = opponent === "friend" && rated.checked && !rated.disabled;
    const wish = { game: game.id, setup: setup.setup(isRated), side: side.side(), time_control: time.control() };
    try {
      await ctx.session.ensure();
      if (opponent === "computer") ctx.go(`/match/${(await postMatch({ ...wish, level })).id}`);
      else ctx.go(`/challenge/${(await postChallenge({ ...wish, rated: isRated })).id}`);
    } catch (refusal) {
      error.say(() => problemText(refusal));
    }
    busy = false;
    refresh(form);
  }

  const levels = Array.from({ length: LEVELS }, (_, i) => String(i + 1));
  // What differs from game to game.
  const own = h("div", { class: "own" }, setup.el, side.el);
  /** @type {HTMLFormElement} */
  const form = h("form", { class: "card new-match", onsubmit: submit },
    choiceRow("game", () => t("new.game"), GAMES.map(({ id }) => ({ value: id, label: () => t(`game.${id}.name`) })), game.id, (value) => {
      const wished = side.side();
      game = gameOf(value) ?? game;
      side = sidePicker("side", game.id, wished);
      setup = setupPicker(game);
      own.replaceChildren(setup.el, side.el);
      onGame(game);
    }),
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
    own,
    time.el,
    hideWhen(h("div", { class: "rated-row" },
      h("label", {}, rated, h("span", {}, () => t("new.rated"))),
      h("p", { class: "quiet", hidden: () => !rated.disabled }, () => t("new.rated.hint")),
      h("p", { class: "quiet", hidden: () => !rated.checked || rated.disabled || ratedOption() === undefined },
        () => t(`option.${ratedOption()?.key ?? "form"}.rated`))), () => opponent === "computer"),
    error.el,
    h("button", { type: "submit", class: "primary", disabled: () => busy }, () => t(opponent === "computer" ? "new.play" : "new.link")));
  return form;
}

/** @param {LeaderboardRow} row */
function teaserRow({ player, rating }) {
  return h("li", {}, playerLink(player), h("span", { class: "rating" }, () => ratingText(rating)));
}
