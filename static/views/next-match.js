// @ts-check
// The way from a match by the day to the next one in which it is the reader's turn. Fetched with the first such match.
//
//   a.button

import { h, hideWhen, onRefresh, refresh } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { myTurn } from "./match-state.js";
import { myMatches } from "./my-matches.js";

/** @import { MatchSummary } from "../core/types.js" */
/** @import { Context } from "./context.js" */
/** @import { Table } from "./match-state.js" */

/** @param {{ session: Pick<Context["session"], "player"> }} ctx @param {Table} table @param {(id: string) => string} path */
export function nextMatch(ctx, table, path) {
  const { id } = table.match.view;
  /** @type {MatchSummary[]} */
  let waiting = [];
  /** The number of plies when the list was fetched: it is fetched again after each move of the reader. */
  let asked = -1;

  async function load() {
    asked = table.match.view.ply;
    try {
      const rows = await myMatches(ctx);
      waiting = rows
        .filter(({ match, turn }) => turn === "yours" && match.id !== id && match.time_control.kind === "correspondence")
        .map(({ match }) => match)
        .reverse();
    } catch {
      // Without a network the next move asks again.
    }
    refresh(el);
  }

  const el = hideWhen(
    h("a", { class: () => `button ${myTurn(table) ? "" : "primary"}`, href: () => path(waiting[0]?.id ?? id) }, () =>
      t("match.next", { n: waiting.length }),
    ),
    () => waiting.length === 0,
  );
  onRefresh(el, () => {
    if (asked < 0 || (!myTurn(table) && asked !== table.match.view.ply)) void load();
  });
  return el;
}
