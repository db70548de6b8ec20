// @ts-check
// The end of a match from the side of a player: what it means for them, and where to go from there.
//
//   div.ending[.won|.lost|.drawn]
//     p.headline
//     p.rating-now
//     div.ways > button (next level), a (register)

import { h, hideWhen } from "../core/dom.js";
import { number, t } from "../core/i18n.js";
import { LEVELS } from "../games/index.js";
import { begin, beginText } from "./begin.js";
import { endingText } from "./match-news.js";
import { opponentLevel, outcomeOf } from "./match-state.js";
import { ratingText } from "./texts.js";

/** @import { MatchContext } from "./context.js" */
/** @import { Table } from "./match-state.js" */

/**
 * @param {MatchContext} ctx
 * @param {Table} table
 * @param {{ path: (id: string) => string, update: () => void }} place `path` is the address of a match
 */
export function endingPart(ctx, table, { path, update }) {
  const outcome = () => outcomeOf(table);
  const isGuest = () => ctx.session.player()?.kind === "guest" && !table.isLocal;
  return hideWhen(
    h(
      "div",
      { class: () => `ending ${outcome() ?? ""}` },
      h("p", { class: "headline" }, () => endingText(table)),
      h("p", { class: "rating-now", hidden: () => ratingNow(table) === "" }, () => ratingNow(table)),
      h(
        "div",
        { class: "ways" },
        nextLevel(ctx, table, update),
        hideWhen(
          h("a", { class: "button", href: () => `/register?next=${path(table.match.view.id)}` }, () => t("ending.keep")),
          () => !isGuest(),
        ),
      ),
    ),
    () => outcome() === null,
  );
}

/** The reader's rating before and after the match; empty while it is not counted. Before the first one there is none. @param {Table} table */
function ratingNow({ match: { view, you } }) {
  const { rating, rating_change: change } = you === null ? { rating: null, rating_change: null } : view.seats[you];
  if (typeof change !== "number") return "";
  const by = number(change, { signDisplay: "exceptZero" });
  if (!rating) return t("ending.rating.first", { change: by });
  return t("ending.rating", { from: ratingText(rating), to: ratingText({ ...rating, rating: rating.rating + change }), change: by });
}

/**
 * A match like this one against the next level, for who has won this one.
 * @param {MatchContext} ctx
 * @param {Table} table
 * @param {() => void} update
 */
function nextLevel(ctx, table, update) {
  const level = (opponentLevel(table) ?? LEVELS) + 1;
  let busy = false;
  async function go() {
    const { game, setup, time_control, private: isPrivate } = table.match.view;
    const side = table.match.you ?? "random";
    busy = true;
    table.notice = null;
    update();
    try {
      ctx.go(await begin({ game, setup, side, level, time_control, here: table.isLocal }, { private: isPrivate }));
    } catch (problem) {
      table.notice = () => beginText(problem);
    }
    busy = false;
    update();
  }
  return hideWhen(
    h("button", { type: "button", class: "primary", disabled: () => busy, onclick: go }, () => t("ending.next-level", { n: level })),
    () => outcomeOf(table) !== "won" || level > LEVELS,
  );
}
