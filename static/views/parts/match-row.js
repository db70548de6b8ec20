// @ts-check
// A row of a list of matches.
//
//   li > a.match-row
//     span.players > span.who…
//     span.terms, span.outcome, time

import { h } from "../../core/dom.js";
import { isCalledOff } from "../../core/end-reason.js";
import { day, number, t } from "../../core/i18n.js";
import { countsText, resultText, termsText } from "../texts.js";
import { seatParts } from "./player-link.js";
import { sideMark } from "./side-mark.js";

/** @import { MatchResult, MatchSummary, SeatView, Side } from "../../core/types.js" */

/**
 * A row with a link to a match: players, terms, result.
 * @param {MatchSummary} match
 * @param {string} [of] the player whose history it is
 * @param {{ live?: () => string, yours?: boolean, query?: string }} [options] the text of a running match, whether it is the reader's
 * turn, and the query of its address
 */
export function matchRow(match, of, { live = () => t("match.live"), yours = false, query = "" } = {}) {
  const seat = (/** @type {Side} */ side) =>
    h("span", { class: `who ${side}` }, sideMark(match.game, side), h("span", {}, ...seatParts(match.seats[side])));
  const mine = of === undefined ? null : sideOf(match, of);
  const outcome = () =>
    match.result
      ? [resultText(match.game, match.result), t("match.plies", { n: match.plies ?? 0 }), countsText(match)].filter(Boolean).join(" · ")
      : live();
  const change = mine ? match.seats[mine].rating_change : null;
  return h(
    "li",
    {},
    h(
      "a",
      { class: "match-row", href: `/match/${match.id}${query}` },
      h("span", { class: "players" }, seat("first"), seat("second")),
      h("span", { class: "terms" }, () => `${t(`game.${match.game}.name`)} · ${termsText(match)}`),
      h(
        "span",
        { class: () => `outcome ${mine && match.result ? verdict(match.result, mine) : ""}${yours ? "yours" : ""}` },
        outcome,
        change === null || change === undefined
          ? null
          : h("span", { class: "change" }, () => ` ${number(change, { signDisplay: "exceptZero" })}`),
      ),
      h("time", { datetime: match.finished_at ?? match.created_at }, () => day(match.finished_at ?? match.created_at)),
    ),
  );
}

/** @param {MatchSummary} match @param {string} name @returns {Side | null} */
function sideOf({ seats }, name) {
  const same = (/** @type {SeatView} */ seat) => seat.player.name.toLowerCase() === name.toLowerCase();
  return same(seats.first) ? "first" : same(seats.second) ? "second" : null;
}

/** @param {MatchResult} result @param {Side} side */
function verdict({ winner, reason }, side) {
  if (isCalledOff(reason)) return "";
  return winner === null ? "drawn" : winner === side ? "won" : "lost";
}
