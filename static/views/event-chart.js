// @ts-check
// The points of the leaders in the course of an event, as a drawing and as a table.
//
//   section.card.event-chart
//     h2
//     figure
//       div.points-curve   div.point-lines > span…, svg (grid, a line a player), div.point-ends > span, span
//       ul.legend > li.course-N > svg, span
//     details > table

import { h, hideWhen, onRefresh, svg } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { getAllGames, getByes } from "../net/events.js";
import { courseByRounds, courseOfArena, pointLines, pointsAfter, roundsOf, roundsWithoutGame } from "./event-points.js";
import { pointsText } from "./event-texts.js";
import { scrolled } from "./parts/scrolled.js";
import { fullName, playerName } from "./texts.js";

/** @import { EventGames } from "../core/types.js" */
/** @import { Course } from "./event-points.js" */
/** @import { EventPage, EventParts } from "./event-state.js" */

/** The most pages of the games of an arena that are read, and the games of a page: of longer ones there is no chart. */
const PAGES = 20;
const PAGE = 100;
/** How often a chart of a running event is drawn anew. */
const DRAW_MS = 20_000;
/** The drawing's own units, stretched to the available room. */
const WIDTH = 1000;
const HEIGHT = 100;

/** What has been read. @typedef {{ pages: (EventGames & { cursor: string | null })[], byes: Map<number, EventGames["byes"]> }} Known */
/** @typedef {{ courses: Course[], last: number }} Chart */

/** @param {EventParts} parts */
export function pointsChart({ page, event, update }) {
  /** @type {Known} */
  const known = { pages: [], byes: new Map() };
  /** @type {Chart} */
  const chart = { courses: [], last: 0 };
  let seq = -1;
  let readAt = -DRAW_MS;
  let isReading = false;
  const roundText = (/** @type {number} */ n) => t(event().kind === "arena" ? "event.pairing" : "event.round", { n });
  const curve = h("div", { class: "points-curve" });
  const legend = h("ul", { class: "legend" });
  const table = h("table", {});
  const el = hideWhen(
    h(
      "section",
      { class: "card event-chart" },
      h("h2", {}, () => t("event.chart")),
      h("figure", {}, curve, legend),
      h(
        "details",
        {},
        h("summary", {}, () => t("chart.table")),
        scrolled(() => t("event.chart"), table),
      ),
    ),
    () => chart.courses.length === 0,
  );
  onRefresh(el, () => {
    const now = performance.now();
    if (isReading || event().seq === seq || (now - readAt < DRAW_MS && event().state === "running")) return;
    [isReading, readAt] = [true, now];
    const { seq: seen } = event();
    readCourses(page, known)
      .then((courses) => {
        seq = seen;
        Object.assign(chart, { courses, last: event().round });
        curve.replaceChildren(...(courses.length > 0 ? drawing(chart, roundText) : []));
        legend.replaceChildren(...courses.map(legendItem));
        table.replaceChildren(...tableParts(chart, event().kind === "arena", roundText));
        update();
      })
      // The next change, or the next visit, reads it.
      .catch(() => {})
      .finally(() => {
        isReading = false;
      });
  });
  return el;
}

/** Computes the courses of the leaders, and reads what they need. @param {EventPage} page @param {Known} known @returns {Promise<Course[]>} */
async function readCourses({ id, event, leaders }, known) {
  const last = event?.round ?? 0;
  if (event?.kind === "arena") {
    if (leaders.some(({ games }) => (games.at(-1)?.number ?? 0) > PAGES * PAGE)) return [];
    const read = async () => {
      const games = await readGames(id, known);
      return games === null ? [] : leaders.map((row) => courseOfArena(row, games, last));
    };
    const courses = await read();
    // A game that was over before has been judged anew.
    if (event.state !== "finished" || courses.every(isInStep)) return courses;
    known.pages.length = 0;
    return read();
  }
  const missing = new Set(leaders.flatMap((row) => roundsWithoutGame(row, last)));
  const unread = [...missing].filter((round) => !known.byes.has(round));
  await Promise.all(unread.map(async (round) => known.byes.set(round, await getByes(id, round))));
  return leaders.map((row) => courseByRounds(row, known.byes, last));
}

/** Whether a course ends at the points of the standings. @param {Course} course */
const isInStep = ({ row, marks }) => marks.at(-1)?.points === row.points;

/** Reads the games of an event, from the first page that may have changed on; null if they are too many. @param {string} id @param {Known} known */
async function readGames(id, { pages }) {
  const changed = pages.findIndex(({ items, next }) => next === null || items.some(({ result, skipped }) => !result && !skipped));
  /** @type {string | null | undefined} */
  let cursor = changed < 0 ? (pages.at(-1)?.next ?? null) : pages[changed]?.cursor;
  if (changed >= 0) pages.length = changed;
  do {
    if (pages.length === PAGES) return null;
    const games = await getAllGames(id, cursor ?? null);
    pages.push({ ...games, cursor: cursor ?? null });
    cursor = games.next;
  } while (cursor !== null);
  return pages.flatMap(({ items }) => items);
}

/** @param {Chart} chart @param {(round: number) => string} roundText */
function drawing({ courses, last }, roundText) {
  const lines = pointLines(Math.max(...courses.map(({ marks }) => marks.at(-1)?.points ?? 0)));
  const high = lines.at(-1) ?? 1;
  const x = (/** @type {number} */ round) => (round / last) * WIDTH;
  const y = (/** @type {number} */ points) => HEIGHT - (points / high) * HEIGHT;
  const trail = (/** @type {Course} */ { marks }) =>
    marks.map(({ round, points }) => `${x(round).toFixed(1)},${y(points).toFixed(2)}`).join(" ");
  const summary = () =>
    t("event.chart.summary", { list: courses.map(({ row }) => `${fullName(row.player)} ${pointsText(row.points)}`).join(", ") });
  return [
    h(
      "div",
      { class: "point-lines", "aria-hidden": "true" },
      [...lines].reverse().map((line) => h("span", {}, () => pointsText(line))),
    ),
    svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": summary },
      ...lines.map((line) => svg("path", { class: "grid", d: `M0 ${y(line).toFixed(2)}H${WIDTH}` })),
      // The line of the first is the widest, and below the others: where they coincide all are seen.
      ...courses.map((course, place) => svg("polyline", { class: `course course-${place + 1}`, points: trail(course) })),
    ),
    h(
      "div",
      { class: "point-ends", "aria-hidden": "true" },
      h("span", {}, () => t("event.chart.start")),
      h("span", {}, () => roundText(last)),
    ),
  ];
}

/** A player with their kind of line, most points first. @param {Course} course @param {number} place */
const legendItem = ({ row }, place) =>
  h(
    "li",
    {},
    svg("svg", { viewBox: "0 0 32 8", "aria-hidden": "true" }, svg("path", { class: `course course-${place + 1}`, d: "M1 4H31" })),
    h("span", {}, () => `${playerName(row.player)} `),
    h("strong", {}, () => pointsText(row.points)),
  );

/** The head and the body of the table: a row for each round in which points changed. @param {Chart} chart @param {boolean} isArena @param {(round: number) => string} roundText */
function tableParts({ courses }, isArena, roundText) {
  return [
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, () => t(isArena ? "event.pairings" : "event.rounds.title")),
        courses.map(({ row }) => h("th", { scope: "col" }, () => playerName(row.player))),
      ),
    ),
    h(
      "tbody",
      {},
      roundsOf(courses).map((round) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, () => roundText(round)),
          courses.map((course) => h("td", {}, () => pointsText(pointsAfter(course, round)))),
        ),
      ),
    ),
  ];
}
