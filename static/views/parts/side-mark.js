// @ts-check
// The sign of a side.

import { svg } from "../../core/dom.js";
import { gameOf } from "../../games/index.js";

/** @import { Side } from "../../core/types.js" */

/** The paths of the marks: arrows for the nearer and the farther row, or both; other games have a circle of either shade. */
const MARKS = /** @type {Record<string, string>} */ ({
  near: "M3 7H17L10 17Z",
  far: "M3 13H17L10 3Z",
  "near-far": "M3 12H17L10 19ZM3 8H17L10 1Z",
  "far-near": "M3 12H17L10 19ZM3 8H17L10 1Z",
});

/**
 * A sign for a side; the text beside it names the side, too.
 * @param {string} game
 * @param {Side | "random"} side
 */
export function sideMark(game, side) {
  const marks = gameOf(game)?.marks ?? { first: "light", second: "dark" };
  const mark = side === "random" ? `${marks.first}-${marks.second}` : marks[side];
  const path = MARKS[mark];
  const shape = path ? [svg("path", { class: "arrow", d: path })] : [svg("circle", { cx: 10, cy: 10, r: 8 })];
  if (!path && side === "random") shape.push(svg("path", { class: "half", d: "M10 2a8 8 0 0 1 0 16z" }));
  return svg("svg", { class: `mark ${mark}`, viewBox: "0 0 20 20", "aria-hidden": "true" }, ...shape);
}
