// @ts-check
// The texts about events that several views share, in the reader's language. No DOM.

import { currentLanguage, knows, moment, number, t } from "../core/i18n.js";
import { problemOf } from "../net/api.js";
import { playerName, problemText, setupText, timeText } from "./texts.js";

/** @import { EventEntry, EventKind, EventSummary, EventTimetable, StandingRow } from "../core/types.js" */

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The time before which hours are counted, and after which days are. */
const DAYS_FROM_MS = 48 * HOUR_MS;

/** The kinds, in the order in which they are offered. */
export const KINDS = /** @type {const} */ (["arena", "swiss", "round-robin", "knockout", "simul", "series"]);

/** A Monday. */
const MONDAY_MS = Date.UTC(2026, 0, 5);

/** The days of the week, as a timetable names them. */
export const WEEKDAYS = /** @type {const} */ (["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]);

/** The name of a day of the week. @param {(typeof WEEKDAYS)[number]} day */
export const weekdayText = (day) =>
  new Intl.DateTimeFormat(currentLanguage(), { weekday: "long", timeZone: "UTC" }).format(MONDAY_MS + WEEKDAYS.indexOf(day) * 24 * HOUR_MS);

/** The times of a timetable. @param {Pick<EventTimetable, "every" | "weekdays" | "at" | "zone">} timetable */
export function timetableText({ every, weekdays, at, zone }) {
  const time = { time: at, zone: zone.replaceAll("_", " ") };
  if (every === "daily") return t("event.timetable.daily", time);
  const days = new Intl.ListFormat(currentLanguage(), { type: "conjunction" }).format(weekdays.map(weekdayText));
  return t("event.timetable.weekly", { days, ...time });
}

/** @param {string} id */
export const eventPath = (id) => `/event/${encodeURIComponent(id)}`;

/** @param {EventKind} kind */
export const kindText = (kind) => t(`event.kind.${kind}`);

/** Points, with the half of a draw. @param {number} points */
export const pointsText = (points) => number(points, { maximumFractionDigits: 1 });

/** The score of a series. @param {readonly [StandingRow, StandingRow]} rows */
export const scoreText = ([one, other]) =>
  t("event.score", {
    first: playerName(one.player),
    a: pointsText(one.points),
    b: pointsText(other.points),
    second: playerName(other.player),
  });

/** What is said of an event and of a timetable in the same words. @typedef {Omit<EventTimetable["event"], "name" | "description" | "entry">} EventTermsOf */

/** The length of an event, as its kind counts it. @param {EventTermsOf} event */
function lengthText({ kind, duration_minutes: minutes, rounds, cycles, games, best_of: isBestOf }) {
  if (kind === "arena" && minutes) return t("event.minutes", { n: minutes });
  if (kind === "swiss" && rounds) return t("event.rounds", { n: rounds });
  if (kind === "series" && games) return t(isBestOf ? "event.best-of" : "event.games", { n: games });
  return kind === "round-robin" && cycles === 2 ? t("event.twice") : "";
}

/** The kind and the terms of an event. @param {EventTermsOf} event */
export const eventTerms = (event) =>
  [
    kindText(event.kind),
    lengthText(event),
    t(`game.${event.game}.name`),
    setupText(event.game, event.setup),
    t(`speed.${event.speed}`),
    timeText(event.time_control),
    event.host_extra_minutes > 0 ? t("event.host-extra", { n: event.host_extra_minutes }) : "",
    event.berserk ? t("match.berserk") : "",
    t(event.rated ? "match.rated" : "match.casual"),
  ]
    .filter(Boolean)
    .join(" · ");

/** The number of players, and of places where they are few. @param {EventSummary} event */
export const playersText = ({ players, max_players: most, state }) =>
  state === "coming" ? t("event.players.of", { n: players, most }) : t("event.players", { n: players });

/** The conditions for joining, one text each. @param {EventEntry} entry @returns {string[]} */
export function entryTexts({ min_rating: least, max_rating: most, min_matches: matches, club, password }) {
  const rating = (/** @type {number} */ value) => number(value, { useGrouping: false });
  return [
    least === null ? "" : t("event.entry.min-rating", { rating: rating(least) }),
    most === null ? "" : t("event.entry.max-rating", { rating: rating(most) }),
    matches ? t("event.entry.matches", { n: matches }) : "",
    club ? t("event.entry.club", { club: club.name }) : "",
    password ? t("event.entry.password") : "",
  ].filter(Boolean);
}

/** When an event begins, in the reader's own time, or with how many players. @param {EventSummary} event */
export function startText({ start_at: start, start_players: wanted, players, state, finished_at: finished }) {
  if (state === "finished") return finished ? t("event.finished", { time: moment(finished) }) : "";
  if (state !== "coming") return "";
  if (start !== null) return t("event.starts", { time: moment(start) });
  return wanted === null ? "" : t("event.starts.full", { n: Math.max(0, wanted - players) });
}

/**
 * A wait as words: days, hours, minutes, and the seconds of the last hour.
 * @param {number} ms
 */
export function waitText(ms) {
  if (ms >= DAYS_FROM_MS) return t("event.wait.days", { n: Math.round(ms / (24 * HOUR_MS)) });
  const seconds = Math.max(0, Math.ceil(ms / SECOND_MS));
  const two = (/** @type {number} */ value) => number(value, { minimumIntegerDigits: 2 });
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const rest = `${hours > 0 ? two(minutes) : number(minutes)}:${two(seconds % 60)}`;
  return hours > 0 ? `${number(hours)}:${rest}` : rest;
}

/** The field that a refusal is about, by its name in the request without its group; null for none. @param {unknown} refusal */
export const fieldOf = (refusal) => problemOf(refusal).field?.split(".").at(-1) || null;

/** The text of a refusal to join or to change something. @param {unknown} refusal */
export function eventProblem(refusal) {
  const field = fieldOf(refusal);
  const { code } = problemOf(refusal);
  // Some codes are said about other things, too.
  if (knows(`event.problem.${code}`)) return t(`event.problem.${code}`);
  const own = `event.bad.${field?.replaceAll("_", "-")}`;
  if (field !== null && !code.startsWith("event-") && knows(own)) return t(own);
  return code === "bad-terms" ? t("event.bad") : problemText(refusal);
}
