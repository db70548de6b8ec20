// @ts-check
// The expected result of each side, ply by ply: a drawing that is a slider, and the same as a table.
//
//   figure.worth
//     figcaption
//     div.worth-host > svg (grid, area, line, marks, cursor), input[type=range]
//     details > table

import { h, onRefresh, svg } from "../core/dom.js";
import { number, t } from "../core/i18n.js";
import { scrolled } from "../views/parts/scrolled.js";
import { judgeMove, worth } from "./verdict.js";

/** @import { Thought } from "../engine/types.js" */
/** @import { Game } from "../games/types.js" */
/** @import { Place } from "./tree.js" */

/** The drawing's own units, stretched to the available room. */
const WIDTH = 1000;
const HEIGHT = 100;

/** @param {number} part */
export const percent = (part) => number(part, { style: "percent", maximumFractionDigits: 0 });

/**
 * @param {Game} game
 * @param {() => Place[]} line the main line, the start first
 * @param {() => Place} at the shown place
 * @param {(place: Place) => Thought | undefined} thoughtOf
 * @param {(place: Place) => void} show
 */
export function worthGraph(game, line, at, thoughtOf, show) {
  const side = (/** @type {"first" | "second"} */ which) => t(`game.${game.id}.side.${which}`);
  const title = () => t("analysis.graph", { side: side("first") });
  const area = svg("path", { class: "area" });
  const curve = svg("path", { class: "line-of" });
  const marks = svg("g", {});
  const cursor = svg("path", { class: "cursor" });
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

  /** @param {Place} place */
  function valueText(place) {
    const value = worth(game.id, place, thoughtOf(place));
    const mistake = judgeMove(game.id, place, thoughtOf)?.name;
    return [
      place.parent ? t("analysis.ply", { n: place.ply, move: game.spoken(place.move) }) : t("replay.first"),
      value === null ? t("analysis.open") : `${side("first")} ${percent(value)}`,
      mistake ? t(`analysis.name.${mistake}`) : "",
    ]
      .filter(Boolean)
      .join(", ");
  }

  const rows = h("tbody", {});
  const details = h(
    "details",
    { ontoggle: () => fillTable() },
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
            h("th", { scope: "col" }, () => t("moves.title")),
            h("th", { scope: "col" }, () => side("first")),
            h("th", { scope: "col" }, () => t("analysis.verdict")),
          ),
        ),
        rows,
      ),
    ),
  );

  function fillTable() {
    if (!details.open) return;
    rows.replaceChildren(
      ...line()
        .slice(1)
        .map((place) => {
          const value = worth(game.id, place, thoughtOf(place));
          const mistake = judgeMove(game.id, place, thoughtOf)?.name;
          return h(
            "tr",
            {},
            h("td", {}, `${number(place.ply)}. ${game.notation(place.move)}`),
            h("td", {}, value === null ? "–" : percent(value)),
            h("td", {}, mistake ? t(`analysis.name.${mistake}`) : ""),
          );
        }),
    );
  }

  const el = h(
    "figure",
    { class: "worth" },
    h("figcaption", {}, title),
    h(
      "div",
      { class: "worth-host" },
      svg(
        "svg",
        { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
        area,
        svg("path", { class: "grid", d: `M0 ${HEIGHT / 2}H${WIDTH}` }),
        curve,
        marks,
        cursor,
      ),
      slider,
    ),
    details,
  );

  onRefresh(el, () => {
    const places = line();
    const last = Math.max(1, places.length - 1);
    const x = (/** @type {number} */ ply) => ((ply / last) * WIDTH).toFixed(1);
    const y = (/** @type {number} */ value) => ((1 - value) * HEIGHT).toFixed(1);
    const known = places.flatMap((place, i) => {
      const value = worth(game.id, place, thoughtOf(place));
      return value === null ? [] : [{ place, i, value }];
    });
    const path = known.map(({ i, value }) => `${x(i)} ${y(value)}`).join("L");
    curve.setAttribute("d", path ? `M${path}` : "");
    area.setAttribute("d", path ? `M${x(known[0]?.i ?? 0)} ${HEIGHT}L${path}L${x(known.at(-1)?.i ?? 0)} ${HEIGHT}Z` : "");
    // A path without length is a round dot, however the drawing is stretched.
    marks.replaceChildren(
      ...known.flatMap(({ place, i, value }) => {
        const name = judgeMove(game.id, place, thoughtOf)?.name;
        return name ? [svg("path", { class: `dot ${name}`, d: `M${x(i)} ${y(value)}h0` })] : [];
      }),
    );
    const here = places.indexOf(at());
    cursor.setAttribute("d", here < 0 ? "" : `M${x(here)} 0V${HEIGHT}`);
    slider.max = String(places.length - 1);
    if (here >= 0) slider.value = String(here);
    slider.setAttribute("aria-valuetext", valueText(at()));
    fillTable();
  });
  return el;
}
