// @ts-check
// The home page: a form for a new match, and lists of matches and players.
//
//   section.home
//     div.hero     picture of the board | section.card.new-match
//     div.columns  the player's matches, open offers, matches to watch, the best players

import { createBoard } from "../board/board.js";
import { setPosition } from "../board/state.js";
import { badge } from "../core/badge.js";
import { eachFrame, h, refresh } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { GAMES, gameOf } from "../games/index.js";
import { getLeaderboard, getMatch, getMyMatches, getRunningMatches, getTv } from "../net/api.js";
import { onOneDevice } from "../net/rights.js";
import { deviceList } from "./device-list.js";
import { newMatch } from "./new-match.js";
import { loaded } from "./parts/loaded.js";
import { matchRow } from "./parts/match-row.js";
import { playerLink } from "./parts/player-link.js";
import { seekList } from "./seeks.js";
import { ratingText } from "./texts.js";

/** @import { LeaderboardRow, MatchSummary } from "../core/types.js" */
/** @import { Board } from "../board/board.js" */
/** @import { Game } from "../games/types.js" */
/** @import { Context, View } from "./context.js" */

/** The number of players from the leaderboard. */
const TEASER = 5;
/** The number of running matches in the list: the featured match of each game, then those of the strongest players. */
const WATCH = 8;
/** The number of the player's running matches for which the list shows whose turn it is. */
const MINE = 10;
/** The interval at which the turns and the featured matches are fetched again. */
const LOOK_MS = 30_000;

/** The game chosen last, stored for the next visit. */
const STORED = "mawe.game";

/** @param {Context} ctx @returns {View} */
export function homeView(ctx) {
  const home = { game: gameOf(storedGame()) ?? GAMES[0] };
  const picture = gamePicture();
  const best = h("div", {});
  const choose = (/** @type {Game} */ next) => {
    home.game = next;
    picture.show(next);
    best.replaceChildren(bestPlayers(next));
  };
  choose(home.game);
  const mine = ownMatches(ctx);
  const watch = runningMatches();
  const seeks = seekList(ctx);
  const look = () => {
    if (document.visibilityState !== "visible") return;
    void mine.load();
    void watch.load();
  };
  const form = newMatch(ctx, home.game, (next) => {
    choose(next);
    storeGame(next);
    frame.soon();
  });
  const el = h(
    "section",
    { class: "home" },
    hero(ctx, home, picture.el, form),
    h(
      "div",
      { class: "columns" },
      deviceList(),
      mine.el,
      card(() => t("seek.title"), [seeks.el]),
      card(() => t("home.watch"), [watch.el]),
      card(
        () => `${t("leaderboard.title")} · ${t(`game.${home.game.id}.name`)}`,
        [
          best,
          h(
            "p",
            {},
            h("a", { href: () => `/players/${home.game.id}` }, () => t("home.leaderboard")),
          ),
        ],
      ),
    ),
  );
  const frame = eachFrame(() => refresh(el));
  const formFrame = eachFrame(() => refresh(form));
  const looking = setInterval(look, LOOK_MS);
  document.addEventListener("visibilitychange", look);
  const stops = [
    ctx.session.onChange(() => {
      formFrame.soon();
      void mine.load();
    }),
    ctx.lobby.onChange(formFrame.soon),
    ctx.line.onStatus((status) => {
      frame.soon();
      if (status === "open") void mine.load();
    }),
    frame.stop,
    formFrame.stop,
  ];

  return {
    el,
    title: () => t("home.tab"),
    destroy() {
      for (const stop of stops) stop();
      clearInterval(looking);
      document.removeEventListener("visibilitychange", look);
      seeks.destroy();
      picture.destroy();
    },
  };
}

/** @param {() => string} title @param {HTMLElement[]} parts */
const card = (title, parts) => h("section", { class: "card" }, h("h2", {}, title), ...parts);

/** @param {Context} ctx @param {{ game: Game }} home @param {HTMLElement} picture @param {HTMLElement} form */
const hero = (ctx, home, picture, form) =>
  h(
    "div",
    { class: "hero" },
    h("div", { class: "hero-picture" }, picture),
    h(
      "div",
      { class: "hero-text" },
      h("h1", { tabindex: "-1" }, () => t("home.title")),
      h(
        "p",
        { class: "lead" },
        () => t(`game.${home.game.id}.lead`),
        " ",
        h("a", { href: () => `/rules/${home.game.id}` }, () => t("home.rules")),
      ),
      h("p", { class: "notice", role: "status", hidden: () => ctx.line.status() !== "down" }, () => t("device.away")),
      form,
    ),
  );

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

/** @param {Game} game */
const bestPlayers = (game) =>
  loaded(
    () => getLeaderboard(game.id, "blitz", null),
    ({ items }) =>
      items.length === 0
        ? h("p", { class: "quiet" }, () => t("leaderboard.none"))
        : h("ol", { class: "teaser" }, items.slice(0, TEASER).map(teaserRow)),
  ).el;

/** @param {Context} ctx */
const ownMatches = (ctx) =>
  loaded(
    () => myMatches(ctx),
    (items) => {
      if (items.length === 0) return null;
      const rows = items.map(({ match, turn }) =>
        matchRow(match, undefined, turn ? { live: () => t(`home.turn.${turn}`), yours: turn === "yours" } : {}),
      );
      return card(() => t("home.mine"), [h("ul", { class: "rows mine" }, rows)]);
    },
    { problem: () => h("span", {}) },
  );

const runningMatches = () =>
  loaded(onNow, (rows) =>
    rows.length === 0
      ? h("p", { class: "quiet" }, () => t("home.watch.none"))
      : h(
          "ul",
          { class: "rows" },
          rows.map(({ match, tv }) => matchRow(match, undefined, tv ? { live: () => t("tv.best"), query: `?tv=${match.game}` } : {})),
        ),
  );

/**
 * The player's running matches, first those in which it is their turn.
 * @param {Context} ctx
 * @returns {Promise<{ match: MatchSummary, turn: "yours" | "theirs" | "device" | null }[]>}
 */
async function myMatches(ctx) {
  const me = ctx.session.player();
  if (!me) {
    badge.set([]);
    return [];
  }
  const { items } = await getMyMatches();
  // The list does not say whose turn it is: fetch each match.
  const rows = await Promise.all(
    items.map(async (match, i) => {
      const view = i < MINE ? await getMatch(match.id).catch(() => null) : null;
      if (!view) return { match, turn: null };
      if (onOneDevice(view)) return { match, turn: /** @type {const} */ ("device") };
      return { match, turn: /** @type {"yours" | "theirs"} */ (view.seats[view.turn].player.name === me.name ? "yours" : "theirs") };
    }),
  );
  badge.set(rows.filter(({ turn }) => turn === "yours").map(({ match }) => match.id));
  return rows.sort((a, b) => Number(b.turn === "yours") - Number(a.turn === "yours"));
}

/** The featured match of each game, then the strongest of the other running matches. */
async function onNow() {
  const [featured, running] = await Promise.all([getTv(), getRunningMatches(null)]);
  const tv = featured.items.flatMap(({ match }) => (match && !match.result ? [{ match, tv: true }] : []));
  const others = running.items.filter(({ id }) => !tv.some(({ match }) => match.id === id)).map((match) => ({ match, tv: false }));
  return [...tv, ...others].slice(0, WATCH);
}

/** @param {Game} game */
function storeGame(game) {
  try {
    localStorage.setItem(STORED, game.id);
  } catch {
    // Then the choice lasts as long as the page.
  }
}

function storedGame() {
  try {
    return localStorage.getItem(STORED) ?? "";
  } catch {
    return "";
  }
}

/** @param {LeaderboardRow} row */
function teaserRow({ player, rating }) {
  return h(
    "li",
    {},
    playerLink(player),
    h("span", { class: "rating" }, () => ratingText(rating)),
  );
}
