// @ts-check
// The chances of both sides as a bar beside the board: the part of the side at the bottom grows from below. The text beside it says the same.
//
//   div.chance-bar[aria-hidden] > i

import { h, onRefresh } from "../core/dom.js";
import { other } from "../core/time.js";
import { worth } from "../review/verdict.js";
import { hides } from "./retry.js";

/** @import { Analyst } from "../review/analyst.js" */
/** @import { Analysis } from "./state.js" */

/** @param {Analysis} analysis @param {Pick<Analyst, "thoughtOf">} analyst */
export function chanceBar(analysis, { thoughtOf }) {
  const { game, tree } = analysis;
  const part = h("i", {});
  const el = h("div", { "aria-hidden": "true" }, part);
  onRefresh(el, () => {
    const below = analysis.flipped ? "second" : "first";
    el.className = `chance-bar ${game.marks[other(below)]}`;
    part.className = game.marks[below];
    const value = hides(analysis.retry) ? null : worth(game.id, tree.at, thoughtOf(tree.at));
    el.classList.toggle("open", value === null);
    // Before the first finding of a place the bar stays as it was.
    if (hides(analysis.retry)) part.style.height = "50%";
    else if (value !== null) part.style.height = `${Math.round(100 * (below === "first" ? value : 1 - value))}%`;
  });
  return el;
}
