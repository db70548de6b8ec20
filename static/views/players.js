// @ts-check
// Players: search by name, the leaderboard of a game by speed, and statistics of the game.

import { h } from "../core/dom.js";
import { SPEEDS } from "../core/facts.js";
import { number, t } from "../core/i18n.js";
import { GAMES, gameOf, mayBeRated } from "../games/index.js";
import { getGames, getLeaderboard } from "../net/api.js";
import { choiceRow } from "./parts/choice-row.js";
import { gameLinks } from "./parts/game-links.js";
import { loaded } from "./parts/loaded.js";
import { nothingHere } from "./parts/nothing-here.js";
import { playerLink } from "./parts/player-link.js";
import { scrolled } from "./parts/scrolled.js";
import { playerSearch } from "./player-search.js";
import { problemText, ratingText } from "./texts.js";

/** @import { GameStatistics, LeaderboardRow, Speed } from "../core/types.js" */
/** @import { ViewMaker } from "./context.js" */

/** @type {ViewMaker} */
export function playersView(ctx, { game: named = "" }) {
  const game = named || GAMES[0].id;
  if (!gameOf(game)) return { el: nothingHere(() => t("match.unknown-game")), title: () => t("missing.title") };
  /** @type {Speed} */
  let speed = "blitz";
  const host = h("div", {});
  const open = () =>
    host.replaceChildren(
      loaded(
        () => getLeaderboard(game, speed, null),
        (page) => table(game, speed, page),
      ).el,
    );
  if (mayBeRated(game)) open();
  const statistics = loaded(getGames, ({ items }) => statisticsPart(items.find((item) => item.game === game)), {
    problem: () => h("span", {}),
  });
  return {
    title: () => (named ? `${t(`game.${named}.name`)}: ${t("players.title")}` : t("players.title")),
    el: h(
      "section",
      { class: "page" },
      h("h1", { tabindex: "-1" }, () => t("players.title")),
      playerSearch(ctx),
      gameLinks(game, "players"),
      h("h2", {}, () => `${t(`game.${game}.name`)} · ${t("leaderboard.title")}`),
      mayBeRated(game)
        ? choiceRow(
            "table-speed",
            () => t("table.speed"),
            SPEEDS.map((value) => ({ value, label: () => t(`speed.${value}`) })),
            speed,
            (value) => {
              speed = /** @type {Speed} */ (value);
              open();
            },
          )
        : h("p", { class: "quiet" }, () => t("rated.none", { game: t(`game.${game}.name`) })),
      host,
      statistics.el,
    ),
  };
}

/** @param {GameStatistics | undefined} found */
function statisticsPart(found) {
  if (!found || found.played === 0) return null;
  const { game, played, first_won, second_won, drawn, average_plies } = found;
  const share = (/** @type {number} */ n) => number(n / played, { style: "percent" });
  const row = (/** @type {() => string} */ what, /** @type {() => string} */ value) => [h("dt", {}, what), h("dd", {}, value)];
  return h(
    "section",
    { class: "card" },
    h("h2", {}, () => t("statistics.title", { game: t(`game.${game}.name`) })),
    h(
      "dl",
      { class: "terms" },
      ...row(
        () => t("statistics.played"),
        () => number(played),
      ),
      ...row(
        () => t(`game.${game}.won.first`),
        () => share(first_won),
      ),
      ...row(
        () => t(`game.${game}.won.second`),
        () => share(second_won),
      ),
      ...row(
        () => t("result.draw"),
        () => share(drawn),
      ),
      ...(average_plies === null
        ? []
        : row(
            () => t("statistics.plies"),
            () => number(average_plies, { maximumFractionDigits: 0 }),
          )),
    ),
  );
}

/**
 * @param {string} game
 * @param {Speed} speed
 * @param {{ items: LeaderboardRow[], next?: string | null }} first
 */
function table(game, speed, first) {
  if (first.items.length === 0) return h("p", { class: "quiet" }, () => t("leaderboard.none"));
  const head = (/** @type {string} */ key) => h("th", { scope: "col" }, () => t(key));
  const body = h("tbody", {});
  let cursor = first.next ?? null;
  const more = h("button", { type: "button", onclick: load }, () => t("player.more"));
  const note = h("p", { class: "quiet" });

  /** @param {LeaderboardRow[]} rows */
  function add(rows) {
    body.append(
      ...rows.map(({ rank, player, rating, games }) =>
        h(
          "tr",
          {},
          h("td", {}, () => number(rank)),
          h("td", {}, playerLink(player)),
          h("td", { class: "rating" }, () => ratingText(rating)),
          h("td", {}, () => number(games)),
        ),
      ),
    );
    more.hidden = cursor === null;
  }

  async function load() {
    try {
      const page = await getLeaderboard(game, speed, cursor);
      cursor = page.next ?? null;
      add(page.items);
      note.textContent = "";
    } catch (error) {
      note.textContent = problemText(error);
    }
  }

  add(first.items);
  return h(
    "div",
    { class: "card" },
    scrolled(
      () => t("leaderboard.title"),
      h(
        "table",
        { class: "leaderboard" },
        h("thead", {}, h("tr", {}, head("table.rank"), head("table.player"), head("table.rating"), head("table.games"))),
        body,
      ),
    ),
    note,
    more,
  );
}
