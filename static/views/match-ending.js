// @ts-check
// The end of a match from the side of a player: what it means for them, and where to go from there.
//
//   div.ending[.won|.lost|.drawn]
//     p.headline
//     p.rating-now
//     p.review > span, a
//     div.ways > button (next level), a (register), button (share)

import { h, hideWhen, onRefresh, refresh } from "../core/dom.js";
import { number, t } from "../core/i18n.js";
import { LEVELS } from "../games/index.js";
import { begin, beginText } from "./begin.js";
import { endingText } from "./match-news.js";
import { opponentLevel, outcomeOf } from "./match-state.js";
import { sign } from "./parts/sign.js";
import { playerName, ratingText } from "./texts.js";

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
  const review = reviewLine(table, path);
  const el = hideWhen(
    h(
      "div",
      { class: () => `ending ${outcome() ?? ""}` },
      h("p", { class: "headline" }, () => endingText(table)),
      h("p", { class: "rating-now", hidden: () => ratingNow(table) === "" }, () => ratingNow(table)),
      review.el,
      h(
        "div",
        { class: "ways" },
        nextLevel(ctx, table, update),
        hideWhen(
          h("a", { class: "button", href: () => `/register?next=${path(table.match.view.id)}` }, () => t("ending.keep")),
          () => !isGuest(),
        ),
        shareButton(ctx, table, path),
      ),
    ),
    () => outcome() === null,
  );
  return { el, stop: review.stop };
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
    const { game, setup, start, time_control, private: isPrivate } = table.match.view;
    const side = table.match.you ?? "random";
    busy = true;
    table.notice = null;
    update();
    try {
      // From the position again, where the match on this device began from one.
      const from = table.isLocal && setup === "" && start !== table.game.start ? { start } : {};
      ctx.go(await begin({ game, setup, side, level, time_control, here: table.isLocal, ...from }, { private: isPrivate }));
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

/** The fewest plies of a match that is worth a look. */
const LEAST_PLIES = 8;

/**
 * The accuracy of the reader and the number of their mistakes, with the way to them: of a match that has ended on this page. The engine is
 * not fetched for a reader who saves data.
 * @param {Table} table
 * @param {(id: string) => string} path
 */
function reviewLine(table, path) {
  const { view } = table.match;
  /** @type {import("../review/match-review.js").Review | null} */
  let found = null;
  let isAsked = table.wasOver;
  let isGone = false;
  let stop = () => {
    isGone = true;
  };
  const savesData = () => /** @type {{ connection?: { saveData?: boolean } }} */ (navigator).connection?.saveData === true;

  async function look() {
    isAsked = true;
    const { you } = table.match;
    if (you === null || view.plies.length < LEAST_PLIES || savesData()) return;
    try {
      const { reviewMatch } = await import("../review/match-review.js");
      if (isGone) return;
      const work = reviewMatch(view, you);
      stop = work.stop;
      found = await work.done;
    } catch {
      // Without a network and the stored engine there is no review; the analysis says more.
    }
    refresh(el);
  }

  const text = () =>
    found ? t("ending.review", { accuracy: number(found.accuracy, { style: "percent", maximumFractionDigits: 0 }) }) : "";
  const link = () => `/analysis${path(view.id).replace(/^\/match/, "")}?side=${table.match.you}&retry`;
  const mistakes = hideWhen(
    h("a", { href: link }, () => t("ending.mistakes", { n: found?.mistakes ?? 0 })),
    () => !found || found.mistakes === 0,
  );
  const el = hideWhen(h("p", { class: "review", role: "status" }, text, " ", mistakes), () => found === null);
  onRefresh(el, () => {
    if (!isAsked && outcomeOf(table) !== null) void look();
  });
  return { el, stop: () => stop() };
}

/** @param {MatchContext} ctx @param {Table} table @param {(id: string) => string} path */
function shareButton(ctx, table, path) {
  const { view } = table.match;
  const names = () => `${playerName(view.seats.first.player)} – ${playerName(view.seats.second.player)}`;
  const open = () =>
    import("./share-sheet.js").then(
      ({ openShare }) => openShare(ctx, path(view.id), names()),
      () => {
        // The link stands below the match, too.
      },
    );
  return table.isLocal ? null : h("button", { type: "button", onclick: open }, sign("share"), " ", () => t("share.do"));
}
