// @ts-check
// A game on this device: the match view with the referee's line.

import { h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { loadGame } from "../games/index.js";
import { openDevice } from "../local/device.js";
import { createStore } from "../local/store.js";
import { reloadForFiles } from "../local/version.js";
import { matchTable } from "./match-table.js";
import { nothingHere } from "./parts/nothing-here.js";

/** @import { MatchContext, ViewMaker } from "./context.js" */

/** @param {string} id */
export const devicePath = (id) => `/device/${id}`;

/** @type {ViewMaker} */
export function deviceView(ctx, { id = "" }) {
  const host = h(
    "div",
    { class: "match-page" },
    h("p", { class: "quiet loading" }, () => t("loading")),
  );
  /** @type {ReturnType<typeof matchTable> | null} */
  let table = null;
  let gone = false;
  let leave = () => {};
  const title = () => table?.title() ?? t("device.title");

  /** The game of the stored match: its first messages come at once when it is followed, so the board must be ready before. */
  const stored = async () => loadGame(createStore(localStorage).get(id)?.game ?? "");

  Promise.all([openDevice(), stored()]).then(
    ([line, game]) => {
      if (gone) return;
      // A game on this device needs no player.
      /** @type {MatchContext} */
      const local = { go: ctx.go, announce: ctx.announce, line, session: { player: () => null } };
      leave = line.follow(id, (match, news) => {
        if (table) table.hear(news);
        else if (match && game) {
          table = matchTable(local, match, game, { path: devicePath, isLocal: true });
          host.replaceChildren(table.el);
          document.title = title();
        } else host.replaceChildren(nothingHere(() => t("device.missing")));
      });
    },
    () => gone || reloadForFiles() || host.replaceChildren(nothingHere(() => t("problem.offline"))),
  );

  return {
    el: host,
    title,
    destroy() {
      gone = true;
      leave();
      table?.destroy();
    },
  };
}
