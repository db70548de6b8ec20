// @ts-check
// The expected result of each side, ply by ply: a drawing that is a slider, and the same as a table.
//
//   figure.worth
//     figcaption
//     div.worth-host > svg (grid, area, line, marks, cursor), input[type=range]
//     details > table

import { h, onRefresh, svg } from "../core/dom.js";
import { number, t } from "../core/i18n.js";
import { percent } from "../review/percent.js";
import { judgeMove, worth } from "../review/verdict.js";
import { scrolled } from "../views/parts/scrolled.js";

/** @import { Thought } from "../engine/types.js" */
/** @import { Game } from "../games/types.js" */
/** @import { Place } from "../review/tree.js" */

/** The drawing's own units, stretched to the available room. */
const WIDTH = 1000;
const HEIGHT = 100;

/**
 * @typedef {Object} Graph
 * @property {Game} game
 * @property {() => Place[]} line the main line, the start first
 * @property {() => Place} at the shown place
 * @property {(place: Place) => Thought | undefined} thoughtOf
 */

/**
 * @param {Game} game
 * @param {Graph["line"]} line
 * @param {Graph["at"]} at
 * @param {Graph["thoughtOf"]} thoughtOf
 * @param {(place: Place) => void} show
 */
export function worthGraph(game, line, at, thoughtOf, show) {
  /** @type {Graph} */
  const graph = { game, line, at, thoughtOf };
  const title = () => t("analysis.graph", { side: t(`game.${game.id}.side.first`) });
  const drawing = createDrawing();
  const slider = h("input", {
    type: "range",
    min: 0,
    step: 1,
    "aria-label": title,
    oninput: () => {
      const place = line()[slider.valueAsNumber];
      if (place) show(place);
    },
  });
  const el = h(
    "figure",
    { class: "worth" },
    h("figcaption", {}, title),
    h("div", { class: "worth-host" }, drawing.el, slider),
    tablePart(graph),
  );
  onRefresh(el, () => {
    const places = line();
    const here = places.indexOf(at());
    drawing.draw(curveOf(graph, places), here);
    slider.max = String(places.length - 1);
    if (here >= 0) slider.value = String(here);
    slider.setAttribute("aria-valuetext", placeText(graph, at()));
  });
  return el;
}

/** The text of a place: its move, its value, and its mistake. @param {Graph} graph @param {Place} place */
export function placeText({ game, thoughtOf }, place) {
  const value = worth(game.id, place, thoughtOf(place));
  const mistake = judgeMove(game.id, place, thoughtOf)?.name;
  return [
    place.parent ? t("analysis.ply", { n: place.ply, move: game.spoken(place.move) }) : t("replay.first"),
    value === null ? t("analysis.open") : `${t(`game.${game.id}.side.first`)} ${percent(value)}`,
    mistake ? t(`analysis.name.${mistake}`) : "",
  ]
    .filter(Boolean)
    .join(", ");
}

/** @typedef {{ x: string, y: string, mistake: string | null }} Point in the drawing's units */
/** @typedef {{ points: Point[], x: (ply: number) => string }} Curve */

/** The points of the places that are known. @param {Graph} graph @param {Place[]} places @returns {Curve} */
export function curveOf({ game, thoughtOf }, places) {
  const last = Math.max(1, places.length - 1);
  const x = (/** @type {number} */ ply) => ((ply / last) * WIDTH).toFixed(1);
  const points = places.flatMap((place, i) => {
    const value = worth(game.id, place, thoughtOf(place));
    if (value === null) return [];
    return [{ x: x(i), y: ((1 - value) * HEIGHT).toFixed(1), mistake: judgeMove(game.id, place, thoughtOf)?.name ?? null }];
  });
  return { points, x };
}

/** The drawing, and the function that changes it. */
function createDrawing() {
  const area = svg("path", { class: "area" });
  const curve = svg("path", { class: "line-of" });
  const marks = svg("g", {});
  const cursor = svg("path", { class: "cursor" });
  const el = svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    area,
    svg("path", { class: "grid", d: `M0 ${HEIGHT / 2}H${WIDTH}` }),
    curve,
    marks,
    cursor,
  );
  return {
    el,
    /** @param {Curve} of @param {number} here the ply of the cursor; negative without one */
    draw({ points, x }, here) {
      const path = points.map((point) => `${point.x} ${point.y}`).join("L");
      curve.setAttribute("d", path ? `M${path}` : "");
      area.setAttribute("d", path ? `M${points[0]?.x} ${HEIGHT}L${path}L${points.at(-1)?.x} ${HEIGHT}Z` : "");
      // A path without length is a round dot, however the drawing is stretched.
      marks.replaceChildren(
        ...points.flatMap((point) =>
          point.mistake ? [svg("path", { class: `dot ${point.mistake}`, d: `M${point.x} ${point.y}h0` })] : [],
        ),
      );
      cursor.setAttribute("d", here < 0 ? "" : `M${x(here)} 0V${HEIGHT}`);
    },
  };
}

/** The values as a table, filled while it is open. @param {Graph} graph */
function tablePart(graph) {
  const rows = h("tbody", {});
  const head = ["moves.title", `game.${graph.game.id}.side.first`, "analysis.verdict"];
  const el = h(
    "details",
    { ontoggle: fill },
    h("summary", {}, () => t("chart.table")),
    scrolled(
      () => t("chart.table"),
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            head.map((key) => h("th", { scope: "col" }, () => t(key))),
          ),
        ),
        rows,
      ),
    ),
  );
  function fill() {
    if (el.open)
      rows.replaceChildren(
        ...graph
          .line()
          .slice(1)
          .map((place) => rowOf(graph, place)),
      );
  }
  onRefresh(el, fill);
  return el;
}

/** @param {Graph} graph @param {Place} place */
function rowOf({ game, thoughtOf }, place) {
  const value = worth(game.id, place, thoughtOf(place));
  const mistake = judgeMove(game.id, place, thoughtOf)?.name;
  return h(
    "tr",
    {},
    h("td", {}, `${number(place.ply)}. ${game.notation(place.move)}`),
    h("td", {}, value === null ? "–" : percent(value)),
    h("td", {}, mistake ? t(`analysis.name.${mistake}`) : ""),
  );
}
