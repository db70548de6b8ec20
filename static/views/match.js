// @ts-check
// A match at its address: played, watched, or replayed.

import { h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { gameOf } from "../games/index.js";
import { getMatch, problemOf } from "../net/api.js";
import { matchTable } from "./match-table.js";
import { nothingHere } from "./parts.js";

/** @import { ViewMaker } from "./context.js" */

/** @type {ViewMaker} */
export function matchView(ctx, { id = "" }) {
  const host = h("div", { class: "match-page" }, h("p", { class: "quiet loading" }, () => t("loading")));
  /** @type {ReturnType<typeof matchTable> | null} */
  let table = null;

  // What is on in a game: another match follows by itself.
  const tv = new URLSearchParams(location.search).get("tv");
  const channel = tv !== null && gameOf(tv) ? tv : null;
  const stopTv = channel === null ? () => {} : ctx.lobby.watchTv(channel);
  const stopLobby = ctx.lobby.onChange(goOn);
  function goOn() {
    const next = channel === null ? null : ctx.lobby.state.tv.get(channel);
    if (next && next !== id && table && !table.seated()) ctx.go(`/match/${next}?tv=${channel}`, { replace: true });
  }
  const title = () => table?.title() ?? t("match.title");

  const leave = ctx.line.follow(id, (match, news) => {
    if (table) table.hear(news);
    else if (match) {
      const game = gameOf(match.view.game);
      if (!game) return host.replaceChildren(nothingHere(() => t("match.unknown-game")));
      table = matchTable(ctx, match, game, { path: (next) => `/match/${next}`, onTv: channel !== null });
      host.replaceChildren(table.el);
      document.title = title();
      goOn();
    } else if (news.kind === "refused" && news.error.code === "unknown-match") {
      host.replaceChildren(nothingHere(() => t("match.missing")));
    }
  });
  // An address that cannot be a match is refused without naming it: then the other door is asked.
  const stopErrors = ctx.line.onMessage(async (msg) => {
    if (msg.t !== "error" || msg.match !== undefined || table) return;
    const status = await getMatch(id).then(() => 200, (error) => problemOf(error).status);
    if (status === 404 && !table) host.replaceChildren(nothingHere(() => t("match.missing")));
  });
  return {
    el: host,
    title,
    destroy() {
      leave();
      stopErrors();
      stopTv();
      stopLobby();
      table?.destroy();
    },
  };
}
