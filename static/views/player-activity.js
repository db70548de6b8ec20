// @ts-check
// What a player has done lately: a calendar of the days with matches, streaks and the best wins, from the latest finished matches; and
// milestones, from the whole record.
//
//   section.card.activity
//     h2, svg.calendar[role=img], p.quiet
//     dl.figures
//     ul.milestones > li…
//     h3, ul.rows

import { h, svg } from "../core/dom.js";
import { isCalledOff } from "../core/end-reason.js";
import { number, t } from "../core/i18n.js";
import { GAMES } from "../games/index.js";
import { matchRow } from "./parts/match-row.js";

/** @import { MatchSummary, PlayerProfile, Side } from "../core/types.js" */

const WEEKS = 16;
const DAYS = 7;
const DAY_MS = 86_400_000;
/** The best wins listed. */
const BEST = 3;
/** The counts of finished matches, and the ratings, that are milestones. */
const COUNTS = [10, 50, 100, 500, 1_000, 5_000];
const RATINGS = [1_600, 1_800, 2_000, 2_200];

/** @param {PlayerProfile} profile @param {MatchSummary[]} latest the latest matches, newest first */
export const activityPart = (profile, latest) => (latest.length === 0 ? null : shown(profile, latest));

/**
 * @typedef {Object} Activity
 * @property {number[]} days the matches finished on each day, the oldest first; the last is today
 * @property {number} streak the wins in a row up to the latest match
 * @property {number} longest the most wins in a row
 * @property {MatchSummary[]} best the rated wins against the highest ratings
 */

/**
 * @param {MatchSummary[]} matches finished ones, the latest first
 * @param {string} name
 * @param {Date} now
 * @returns {Activity}
 */
export function activityOf(matches, name, now) {
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  // The calendar ends with the current week.
  const days = new Array(WEEKS * DAYS - (DAYS - 1 - dayOfWeek(now))).fill(0);
  let [run, streak, longest] = [0, -1, 0];
  /** @type {{ match: MatchSummary, rating: number }[]} */
  const wins = [];
  for (const match of matches) {
    const { result, finished_at, seats } = match;
    const at = new Date(finished_at ?? match.created_at);
    const day = new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime();
    // Rounded: a day may have 23 or 25 hours.
    const index = days.length - 1 - Math.round((today - day) / DAY_MS);
    if (index >= 0 && index < days.length) days[index] += 1;
    const side = seats.first.player.name === name ? "first" : "second";
    if (!result || isCalledOff(result.reason) || seats.first.player.name === seats.second.player.name) continue;
    const isWon = result.winner === side;
    if (!isWon && streak < 0) streak = run;
    run = isWon ? run + 1 : 0;
    longest = Math.max(longest, run);
    const rating = seats[/** @type {Side} */ (side === "first" ? "second" : "first")].rating?.rating;
    if (isWon && match.rated && rating !== undefined) wins.push({ match, rating });
  }
  const best = wins.sort((a, b) => b.rating - a.rating).slice(0, BEST);
  return { days, streak: streak < 0 ? run : streak, longest, best: best.map(({ match }) => match) };
}

/** The day of the week, Monday first. @param {Date} date */
const dayOfWeek = (date) => (date.getDay() + DAYS - 1) % DAYS;

/** The milestones that a player has reached, as texts. @param {PlayerProfile} profile @returns {(() => string)[]} */
export function milestonesOf({ played, games, ratings }) {
  const count = COUNTS.findLast((least) => played >= least);
  const known = games.filter(({ sides: { first, second } }) =>
    [first, second].some(({ won, drawn, lost }) => won + drawn + lost > 0),
  ).length;
  const top = ratings.filter(({ provisional }) => !provisional).sort((a, b) => b.rating - a.rating)[0];
  const height = top && RATINGS.findLast((least) => top.rating >= least);
  return [
    ...(count === undefined ? [] : [() => t("milestone.played", { n: count })]),
    ...(known === GAMES.length ? [() => t("milestone.games", { n: known })] : []),
    ...(top && height !== undefined ? [() => t("milestone.rating", { rating: number(height), game: t(`game.${top.game}.name`) })] : []),
  ];
}

/** @param {PlayerProfile} profile @param {MatchSummary[]} items */
function shown(profile, items) {
  const { days, streak, longest, best } = activityOf(items, profile.player.name, new Date());
  const milestones = milestonesOf(profile);
  return h(
    "section",
    { class: "card activity" },
    h("h2", {}, () => t("activity.title")),
    calendar(days),
    h("dl", { class: "figures" }, figure("activity.streak", streak), figure("activity.longest", longest)),
    milestones.length === 0
      ? null
      : h(
          "ul",
          { class: "milestones", "aria-label": () => t("milestone.title") },
          milestones.map((text) => h("li", {}, text)),
        ),
    best.length === 0
      ? null
      : [
          h("h3", {}, () => t("activity.best")),
          h(
            "ul",
            { class: "rows" },
            best.map((match) => matchRow(match, profile.player.name)),
          ),
        ],
    h("p", { class: "quiet" }, () => t("activity.latest", { n: items.length })),
  );
}

/** @param {string} key @param {number} value */
const figure = (key, value) =>
  h(
    "div",
    {},
    h("dt", {}, () => t(key)),
    h("dd", {}, () => number(value)),
  );

/** A square a day, a column a week; the darker, the more matches. @param {number[]} days */
function calendar(days) {
  const total = days.reduce((sum, count) => sum + count, 0);
  const label = () => t("activity.calendar", { n: total, weeks: WEEKS });
  const shade = (/** @type {number} */ count) => (count === 0 ? "none" : count < 3 ? "some" : count < 8 ? "many" : "most");
  const el = svg("svg", { class: "calendar", viewBox: `0 0 ${WEEKS * 10} ${DAYS * 10}`, role: "img", "aria-label": label() });
  el.append(
    ...days.map((count, i) =>
      svg("rect", { class: shade(count), x: Math.floor(i / DAYS) * 10 + 1, y: (i % DAYS) * 10 + 1, width: 8, height: 8, rx: 2 }),
    ),
  );
  return h("div", {}, el, h("p", { class: "quiet" }, label));
}
