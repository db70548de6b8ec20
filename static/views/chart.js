// @ts-check
// The course of a rating, as a drawing and as a table.
//
//   figure.chart
//     div.curve       div.ticks > span…, svg (band, grid, line, dots), div.days > span, span
//     details > table

import { h, svg } from "../core/dom.js";
import { day, number, t } from "../core/i18n.js";
import { playerLink } from "./parts/player-link.js";
import { scrolled } from "./parts/scrolled.js";

/** @import { RatingPoint } from "../core/types.js" */

/** Distances between the horizontal lines, the smallest first. */
const STEPS = [10, 25, 50, 100, 200, 500];
/** The most horizontal lines. */
const LINES = 5;
/** A line with more points has no dots. */
const DOTS = 40;
/** The drawing's own units, stretched to the available room. */
const WIDTH = 1000;
const HEIGHT = 100;

/**
 * The round values of the horizontal lines between `low` and `high`.
 * @param {number} low
 * @param {number} high
 */
export function ticks(low, high) {
  const step = STEPS.find((size) => Math.ceil(high / size) - Math.floor(low / size) <= LINES) ?? 1000;
  const from = Math.floor(low / step) * step;
  const to = Math.max(from + step, Math.ceil(high / step) * step);
  return Array.from({ length: (to - from) / step + 1 }, (_, i) => from + i * step);
}

/**
 * @param {RatingPoint[]} points the oldest first; at least one
 * @param {() => string} title
 */
export function ratingChart(points, title) {
  const ratings = points.map(({ rating }) => rating);
  const lines = ticks(Math.min(...ratings), Math.max(...ratings));
  const [low = 0, high = 1] = [lines[0], lines[lines.length - 1]];
  const x = (/** @type {number} */ i) => (points.length === 1 ? WIDTH / 2 : (i / (points.length - 1)) * WIDTH);
  // The band of the deviation may reach beyond the drawing.
  const y = (/** @type {number} */ rating) => HEIGHT - ((Math.max(low, Math.min(high, rating)) - low) / (high - low)) * HEIGHT;
  const trail = (/** @type {(point: RatingPoint) => number} */ of) =>
    points.map((point, i) => `${x(i).toFixed(1)},${y(of(point)).toFixed(2)}`);
  const band = [
    ...trail(({ rating, deviation }) => rating + 2 * deviation),
    ...trail(({ rating, deviation }) => rating - 2 * deviation).reverse(),
  ].join(" ");
  const [first, last] = /** @type {[RatingPoint, RatingPoint]} */ ([points[0], points[points.length - 1]]);
  const plain = (/** @type {number} */ value) => number(value, { useGrouping: false, maximumFractionDigits: 0 });
  const summary = () =>
    t("chart.summary", {
      title: title(),
      from: plain(first.rating),
      to: plain(last.rating),
      lowest: plain(Math.min(...ratings)),
      highest: plain(Math.max(...ratings)),
      count: points.length,
    });
  return h(
    "figure",
    { class: "chart" },
    h("figcaption", {}, title),
    h(
      "div",
      { class: "curve" },
      h(
        "div",
        { class: "ticks", "aria-hidden": "true" },
        [...lines].reverse().map((line) => h("span", {}, () => plain(line))),
      ),
      svg(
        "svg",
        { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": summary },
        svg("polygon", { class: "band", points: band }),
        ...lines.map((line) => svg("path", { class: "grid", d: `M0 ${y(line).toFixed(2)}H${WIDTH}` })),
        svg("polyline", { class: "line-of", points: trail(({ rating }) => rating).join(" ") }),
        // A path without length is a round dot, however the drawing is stretched.
        ...(points.length > DOTS
          ? []
          : points.map(({ rating }, i) => svg("path", { class: "dot", d: `M${x(i).toFixed(1)} ${y(rating).toFixed(2)}h0` }))),
      ),
      h(
        "div",
        { class: "days", "aria-hidden": "true" },
        h("span", {}, () => day(first.at)),
        h("span", {}, () => (points.length > 1 ? day(last.at) : "")),
      ),
    ),
    h(
      "details",
      {},
      h("summary", {}, () => t("chart.table")),
      table(points),
    ),
  );
}

/** @param {RatingPoint[]} points */
function table(points) {
  const head = (/** @type {string} */ key) => h("th", { scope: "col" }, () => t(key));
  return scrolled(
    () => t("chart.table"),
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h("tr", {}, head("chart.day"), head("new.opponent"), head("chart.result"), head("table.rating"), head("chart.change")),
      ),
      h(
        "tbody",
        {},
        [...points].reverse().map((point) =>
          h(
            "tr",
            {},
            h(
              "td",
              {},
              h("a", { href: `/match/${point.match}` }, () => day(point.at)),
            ),
            h("td", {}, playerLink(point.opponent)),
            h("td", {}, () => t(`filter.result.${point.result}`)),
            h(
              "td",
              { class: "rating" },
              () => number(point.rating, { useGrouping: false, maximumFractionDigits: 0 }),
              h("small", {}, () => ` ± ${number(2 * point.deviation, { maximumFractionDigits: 0 })}`),
            ),
            h("td", {}, () => number(point.change, { signDisplay: "exceptZero", maximumFractionDigits: 0 })),
          ),
        ),
      ),
    ),
  );
}
