// @ts-check
// A player: ratings, record, and every match they played.

import { h, refresh } from "../core/dom.js";
import { day, number, t } from "../core/i18n.js";
import { getHistory, getPlayer, problemOf } from "../net/api.js";
import { loaded, matchRow, nothingHere, playerName, problemText, ratingText } from "./parts.js";

/** @import { MatchSummary, PlayerProfile, PlayerRating } from "../core/types.js" */
/** @import { ViewMaker } from "./context.js" */

/** @type {ViewMaker} */
export function playerView(_ctx, { name = "" }) {
  const profile = loaded(() => getPlayer(name), profilePart, {
    problem: (error) => (problemOf(error).status === 404 ? nothingHere(() => t("player.missing")) : h("p", { class: "quiet" }, () => problemText(error))),
  });
  return { el: h("section", { class: "page" }, profile.el), title: () => name };
}

/** @param {PlayerProfile} profile */
function profilePart({ player, created_at, ratings, played, won, drawn, lost }) {
  return h("div", { class: "profile" },
    h("h1", { tabindex: "-1" }, () => playerName(player)),
    h("p", { class: "quiet" }, () => `${t(`player.kind.${player.kind}`)} · ${t("player.since", { day: day(created_at) })}`),
    h("dl", { class: "figures" }, figure("player.played", played), figure("player.won", won), figure("player.drawn", drawn), figure("player.lost", lost)),
    h("section", { class: "card" },
      h("h2", {}, () => t("player.ratings")),
      ratings.length === 0 ? h("p", { class: "quiet" }, () => t("player.unrated")) : ratingTable(ratings)),
    h("section", { class: "card" },
      h("h2", {}, () => t("player.history")),
      history(player.name)));
}

/** @param {string} key @param {number} value */
const figure = (key, value) => h("div", {}, h("dt", {}, () => t(key)), h("dd", {}, () => number(value)));

/** @param {PlayerRating[]} ratings */
function ratingTable(ratings) {
  const head = (/** @type {string} */ key) => h("th", { scope: "col" }, () => t(key));
  return h("div", { class: "scroll" }, h("table", {},
    h("thead", {}, h("tr", {}, head("challenge.game"), head("table.speed"), head("table.rating"), head("player.won"), head("player.drawn"), head("player.lost"))),
    h("tbody", {}, ratings.map((row) => h("tr", {},
      h("td", {}, () => t(`game.${row.game}.name`)),
      h("td", {}, () => t(`speed.${row.speed}`)),
      h("td", { class: "rating" }, () => ratingText(row), h("small", {}, () => ` ± ${number(2 * row.deviation)}`)),
      h("td", {}, () => number(row.won)),
      h("td", {}, () => number(row.drawn)),
      h("td", {}, () => number(row.lost)))))));
}

/** @param {string} name */
function history(name) {
  /** @type {string | null} */
  let cursor = null;
  let busy = false;
  let empty = false;
  /** @type {unknown} */
  let failed = null;
  const rows = h("ul", { class: "rows" });
  const more = h("button", { type: "button", onclick: load, disabled: () => busy, hidden: () => cursor === null && failed === null },
    () => t(failed === null ? "player.more" : "retry"));
  const note = h("p", { class: "quiet", hidden: () => !empty && failed === null }, () => (failed === null ? t("player.none") : problemText(failed)));
  const el = h("div", {}, rows, note, more);

  async function load() {
    busy = true;
    failed = null;
    refresh(el);
    try {
      const page = await getHistory(name, cursor);
      rows.append(...page.items.map((/** @type {MatchSummary} */ match) => matchRow(match, name)));
      cursor = page.next ?? null;
      empty = rows.children.length === 0;
    } catch (error) {
      failed = error;
    }
    busy = false;
    refresh(el);
  }
  void load();
  return el;
}
