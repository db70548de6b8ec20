// @ts-check
// A game on this device: the match view with the referee's line.

import { h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { gameOf } from "../games/index.js";
import { openDevice } from "../local/device.js";
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

  openDevice().then(
    (line) => {
      if (gone) return;
      // A game on this device needs no player.
      /** @type {MatchContext} */
      const local = { go: ctx.go, announce: ctx.announce, line, session: { player: () => null } };
      leave = line.follow(id, (match, news) => {
        const game = match && gameOf(match.view.game);
        if (table) table.hear(news);
        else if (match && game) {
          table = matchTable(local, match, game, { path: devicePath, isLocal: true });
          host.replaceChildren(table.el);
          document.title = title();
        } else host.replaceChildren(nothingHere(() => t("device.missing")));
      });
    },
    () => host.replaceChildren(nothingHere(() => t("problem.offline"))),
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
