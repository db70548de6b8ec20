// @ts-check
// The best players of a game, by speed.

import { h } from "../core/dom.js";
import { number, t } from "../core/i18n.js";
import { gameOf } from "../games/index.js";
import { getLeaderboard } from "../net/api.js";
import { choiceRow, gameLinks, loaded, nothingHere, playerLink, problemText, ratingText } from "./parts.js";

/** @import { LeaderboardRow, Speed } from "../core/types.js" */
/** @import { ViewMaker } from "./context.js" */

const SPEEDS = /** @type {const} */ (["bullet", "blitz", "rapid", "classical", "daily"]);

/** @type {ViewMaker} */
export function leaderboardView(_ctx, { game = "" }) {
  const title = () => t("leaderboard.title");
  if (!gameOf(game)) return { el: nothingHere(() => t("match.unknown-game")), title };
  /** @type {Speed} */
  let speed = "blitz";
  const host = h("div", {});
  const open = () => host.replaceChildren(loaded(() => getLeaderboard(game, speed, null), (page) => table(game, speed, page)).el);
  open();
  return {
    title,
    el: h("section", { class: "page" },
      gameLinks(game, "leaderboard"),
      h("h1", { tabindex: "-1" }, () => `${t(`game.${game}.name`)} · ${title()}`),
      choiceRow("speed", () => t("table.speed"), SPEEDS.map((value) => ({ value, label: () => t(`speed.${value}`) })), speed, (value) => {
        speed = /** @type {Speed} */ (value);
        open();
      }),
      host),
  };
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
    body.append(...rows.map(({ rank, player, rating, games }) => h("tr", {},
      h("td", {}, () => number(rank)),
      h("td", {}, playerLink(player)),
      h("td", { class: "rating" }, () => ratingText(rating)),
      h("td", {}, () => number(games)))));
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
  return h("div", { class: "card scroll" }, h("table", { class: "leaderboard" },
    h("thead", {}, h("tr", {}, head("table.rank"), head("table.player"), head("table.rating"), head("table.games"))), body), note, more);
}
