// @ts-check
// The home page: the games, and the life of the server.
//
//   section.home
//     div.home-head  h1, p.life
//     div.home-top   the opponent and the games, the live board
//     div            the events, where there are any
//     div.columns    the player's matches, open offers, matches to watch, the latest results, the best players

import { eachFrame, h, refresh } from "../core/dom.js";
import { hasRest, onLanguage, t } from "../core/i18n.js";
import { getActivity, getLeaderboard, getRunningMatches, getTv } from "../net/api.js";
import { gameTiles } from "./home-tiles.js";
import { hasChosen, lastRatedGame } from "./last-choice.js";
import { myMatches } from "./my-matches.js";
import { avatar } from "./parts/avatar.js";
import { emptyState } from "./parts/empty-state.js";
import { loaded } from "./parts/loaded.js";
import { matchRow } from "./parts/match-row.js";
import { playerLink } from "./parts/player-link.js";
import { seekList } from "./seeks.js";
import { ratingText } from "./texts.js";

/** @import { LeaderboardRow, MatchSummary } from "../core/types.js" */
/** @import { GameEntry } from "../games/types.js" */
/** @import { Context, View } from "./context.js" */

/** The number of players from the leaderboard. */
const TEASER = 5;
/** The number of running matches in the list: the featured match of each game, then those of the strongest players. */
const WATCH = 8;
/** The number of results in the list. */
const RESULTS = 5;
/** The interval at which the lists are fetched again. */
const LOOK_MS = 30_000;

/** Whether there are games on this device. @param {Storage} storage */
export const hasDeviceGames = (storage) => Object.keys(storage).some((key) => key.startsWith("mawe.device."));

/** The place of the games on this device; their list is fetched where there are some. */
function deviceSlot() {
  const slot = h("div", { hidden: true });
  try {
    if (hasDeviceGames(localStorage)) {
      import("./device-list.js").then(
        ({ deviceList }) => slot.replaceWith(deviceList()),
        // The next visit fetches it.
        () => {},
      );
    }
  } catch {
    // Storage may be forbidden: then no games are stored.
  }
  return slot;
}

/** @param {Context} ctx @returns {View} */
export function homeView(ctx) {
  const tiles = gameTiles(ctx);
  const live = liveSlot(ctx);
  const mine = ownMatches(ctx);
  const watch = runningMatches((match) => live.show(match));
  const activity = serverActivity();
  const seeks = seekList(ctx);
  const events = eventsSlot();
  const look = () => {
    if (document.visibilityState !== "visible") return;
    for (const part of [mine, watch, activity, events]) void part.load();
  };
  const el = h(
    "section",
    { class: "home" },
    h(
      "div",
      { class: "home-head" },
      h("h1", { tabindex: "-1" }, () => t("home.title")),
      activity.line,
    ),
    h("div", { class: "home-top" }, tiles.el, live.el),
    events.el,
    h(
      "div",
      { class: "columns" },
      deviceSlot(),
      mine.el,
      card(() => t("seek.title"), [seeks.el]),
      card(() => t("home.watch"), [watch.el]),
      card(() => t("home.results"), [activity.results]),
      bestPlayers(lastRatedGame()),
    ),
  );
  const frame = eachFrame(() => refresh(el));
  const looking = setInterval(look, LOOK_MS);
  document.addEventListener("visibilitychange", look);
  const stops = [
    ctx.session.onChange(() => void mine.load()),
    onLanguage(events.load),
    ctx.line.onStatus((status) => {
      frame.soon();
      if (status === "open") look();
    }),
    frame.stop,
  ];

  return {
    el,
    title: () => t("home.title"),
    destroy() {
      for (const stop of stops) stop();
      clearInterval(looking);
      document.removeEventListener("visibilitychange", look);
      for (const part of [tiles, live, seeks]) part.destroy();
    },
  };
}

/** The place of the live board, whose modules are fetched after those of the tiles. @param {Context} ctx */
function liveSlot(ctx) {
  const el = h("div", { class: "live-slot" });
  let gone = false;
  // Asked before the modules come: the press of a tile meanwhile is a choice.
  const newcomer = !hasChosen();
  const loading = import("./home-live.js").then(
    ({ liveBoard }) => {
      const live = liveBoard(ctx, newcomer);
      if (gone) return void live.destroy();
      el.append(live.el);
      return live;
    },
    () => {
      // The page is whole without it.
    },
  );
  return {
    el,
    /** @param {MatchSummary | null} match */
    show: (match) => void loading.then((live) => gone || live?.show(match)),
    destroy() {
      gone = true;
      void loading.then((live) => live?.destroy());
    },
  };
}

/** The place of the events. Their module is fetched once all texts are there: after everything that is visible. */
function eventsSlot() {
  const el = h("div", { hidden: true });
  const load = () => {
    if (hasRest())
      import("./home-events.js").then(
        ({ showEvents }) => showEvents(el),
        // The next look fetches it.
        () => {},
      );
  };
  load();
  return { el, load };
}

/** @param {() => string} title @param {HTMLElement[]} parts */
const card = (title, parts) => h("section", { class: "card" }, h("h2", {}, title), ...parts);

/** The number of players and matches, and the latest results. */
function serverActivity() {
  const counts = { players: 0, matches: 0 };
  const text = () => {
    const { players, matches } = counts;
    if (players === 0) return "\u00a0";
    return [t("home.players", { n: players }), matches > 0 ? t("home.matches", { n: matches }) : ""].filter(Boolean).join(" · ");
  };
  // It has its room before the numbers are known.
  const line = h("p", { class: () => `life${counts.players === 0 ? " empty" : ""}` }, text);
  const results = loaded(getActivity, ({ players, matches, results: found }) => {
    Object.assign(counts, { players, matches });
    refresh(line);
    if (found.length === 0) return emptyState("results", () => t("home.results.none"));
    return h(
      "ul",
      { class: "rows" },
      found.slice(0, RESULTS).map((match) => matchRow(match)),
    );
  });
  return { line, results: results.el, load: results.load };
}

/** @param {GameEntry} game */
const bestPlayers = ({ id }) =>
  card(
    () => `${t("leaderboard.title")} · ${t(`game.${id}.name`)}`,
    [
      loaded(
        () => getLeaderboard(id, "blitz", null),
        ({ items }) =>
          items.length === 0
            ? emptyState("leaderboard", () => t("leaderboard.none"))
            : h("ol", { class: "teaser" }, items.slice(0, TEASER).map(teaserRow)),
      ).el,
      h(
        "p",
        {},
        h("a", { href: `/players/${id}` }, () => t("home.leaderboard")),
      ),
    ],
  );

/** @param {Context} ctx */
const ownMatches = (ctx) =>
  loaded(
    () => myMatches(ctx),
    (items) => {
      if (items.length === 0) return null;
      const rows = items.map(({ match, turn }) =>
        matchRow(match, undefined, { live: () => t(`home.turn.${turn}`), yours: turn === "yours" }),
      );
      return card(() => t("home.mine"), [h("ul", { class: "rows mine" }, rows)]);
    },
    { problem: () => h("span", {}) },
  );

/** @param {(match: MatchSummary | null) => void} feature called with the first featured match */
const runningMatches = (feature) =>
  loaded(
    async () => {
      const rows = await onNow().catch((error) => {
        feature(null);
        throw error;
      });
      feature(rows.find(({ tv }) => tv)?.match ?? null);
      return rows;
    },
    (rows) =>
      rows.length === 0
        ? emptyState("watch", () => t("home.watch.none"))
        : h(
            "ul",
            { class: "rows" },
            rows.map(({ match, tv }) => matchRow(match, undefined, tv ? { live: () => t("tv.best"), query: `?tv=${match.game}` } : {})),
          ),
  );

/** The featured match of each game, then the strongest of the other running matches. */
async function onNow() {
  const [featured, running] = await Promise.all([getTv(), getRunningMatches(null)]);
  const tv = featured.items.flatMap(({ match }) => (match && !match.result ? [{ match, tv: true }] : []));
  const others = running.items.filter(({ id }) => !tv.some(({ match }) => match.id === id)).map((match) => ({ match, tv: false }));
  return [...tv, ...others].slice(0, WATCH);
}

/** @param {LeaderboardRow} row */
function teaserRow({ player, rating }) {
  return h(
    "li",
    {},
    avatar(player),
    playerLink(player),
    h("span", { class: "rating" }, () => ratingText(rating)),
  );
}
