// @ts-check
// What only a match has in which the players may halve their clocks: the button for it, and a mark beside a clock that is halved. Fetched
// with the first such match.
//
//   button.berserk; in the bars of the seats, before the clock: span.halved > svg

import { h, hideWhen, refresh, svg } from "../core/dom.js";
import { loadStyle } from "../core/files.js";
import { hasRest, loadRest, t } from "../core/i18n.js";
import { canBerserk, hasHalved } from "../net/berserk.js";
import { playerName } from "./texts.js";

/** @import { Command } from "../core/types.js" */
/** @import { MatchContext } from "./context.js" */
/** @import { Table } from "./match-state.js" */
/** @import { Seat } from "./seat.js" */

/** A clock with its right half filled. Only these matches have it: it is not among the signs that every first visit fetches. */
const clockSign = () =>
  svg(
    "svg",
    { class: "sign", viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("circle", { cx: 12, cy: 13.5, r: 7.5 }),
    svg("path", { d: "M12 6a7.5 7.5 0 0 1 0 15z", fill: "currentColor" }),
    svg("path", { d: "M9.500 2.500h5" }),
  );

/**
 * @param {MatchContext} _ctx
 * @param {Table} table
 * @param {{ ask: (kind: Exclude<Command["kind"], "move">) => void, seats: Record<"top" | "bottom", Seat> }} place
 * @returns {HTMLElement[]} for the actions of the match
 */
export function rareActions(_ctx, table, { ask, seats }) {
  const { match } = table;
  for (const seat of Object.values(seats)) markClock(table, seat);
  // Without it the mark stands closer.
  loadStyle("berserk").catch(() => {});
  const button = hideWhen(
    h(
      "button",
      {
        type: "button",
        class: "berserk",
        disabled: () => table.asking > 0,
        onclick: () => ask("berserk"),
        title: () => t("berserk.label"),
        "aria-label": () => `${t("berserk.do")}: ${t("berserk.label")}`,
      },
      clockSign(),
      " ",
      () => t("berserk.do"),
    ),
    () => !hasRest() || !canBerserk(match),
  );
  // A match that begins is shown without the rest of the texts.
  if (!hasRest()) void loadRest().then(() => refresh(button.closest(".match") ?? button));
  return [button];
}

/** Shows at a seat that its clock was halved. @param {Table} table @param {Seat} seat */
function markClock({ match }, { el, side }) {
  const isHalved = () => hasHalved(match, side());
  const text = () => (isHalved() ? t("berserk.halved", { name: playerName(match.view.seats[side()].player) }) : "");
  const mark = hideWhen(h("span", { class: "halved", role: "img", title: text, "aria-label": text }, clockSign()), () => !isHalved());
  el.querySelector(".clock")?.before(mark);
}
