// @ts-check
// Clocks and time controls as numbers; `views/` formats them.

import { BASE_MS, INCREMENT_MS, INCREMENTS, SPEED_ENDS_MS, SPEEDS } from "./facts.js";

/** @import { ClockView, Side, Speed, TimeControl } from "./types.js" */

/** A clock warns below this time. */
export const WARN_MS = 20_000;
/** The same for a time control in days. */
export const WARN_DAILY_MS = 3_600_000;
/** A clock shows tenths below this time. */
export const TENTHS_MS = 10_000;

/**
 * The time left to a side: the server's value, less the time since then if that side's clock is running.
 * @param {ClockView} clock
 * @param {number} since milliseconds since the clock was received
 * @param {Side} side
 */
export function remaining(clock, since, side) {
  const ms = side === "first" ? clock.first_ms : clock.second_ms;
  return clock.running === side ? Math.max(0, ms - since) : ms;
}

/**
 * The parts of a clock's display. A running clock shows the second that is being used up, so that 0:00 means that the time is over.
 * @param {number} ms
 * @returns {{ hours: number, minutes: number, seconds: number, tenths: number | null }}
 */
export function face(ms) {
  if (ms < TENTHS_MS) {
    const tenths = Math.ceil(ms / 100);
    if (tenths < 100) return { hours: 0, minutes: 0, seconds: Math.floor(tenths / 10), tenths: tenths % 10 };
  }
  const seconds = Math.ceil(ms / 1000);
  return { hours: Math.floor(seconds / 3600), minutes: Math.floor(seconds / 60) % 60, seconds: seconds % 60, tenths: null };
}

/**
 * Whole days and the remaining hours; null for less than a day.
 * @param {number} ms
 * @returns {{ days: number, hours: number } | null}
 */
export function daysOf(ms) {
  const hours = Math.floor(ms / 3_600_000);
  return hours < 24 ? null : { days: Math.floor(hours / 24), hours: hours % 24 };
}

/**
 * The speed of a time control: by base and counted increments, as the server computes it.
 * @param {TimeControl} control
 * @returns {Speed}
 */
export function speedOf(control) {
  if (control.kind !== "realtime") return "daily";
  const ms = control.base_ms + INCREMENTS * control.increment_ms;
  return SPEEDS.find((_, place) => ms < (SPEED_ENDS_MS[place] ?? Infinity)) ?? "daily";
}

/** @param {Side} side @returns {Side} */
export const other = (side) => (side === "first" ? "second" : "first");

/**
 * A choice of time: `base+increment` of a preset, `own` minutes and seconds, `days` for each turn, or `unlimited`.
 * @typedef {{ chosen: string, minutes: number, seconds: number, days: number }} TimeChoice
 */

/** The time control of a choice, within the server's limits. @param {TimeChoice} choice @returns {TimeControl} */
export function controlOf({ chosen, minutes, seconds, days }) {
  if (chosen === "days") return { kind: "correspondence", days };
  if (chosen === "unlimited") return { kind: "unlimited" };
  const [base = 5, increment = 3] = chosen === "own" ? [minutes || 15, seconds || 0] : chosen.split("+").map(Number);
  const whole = (/** @type {number} */ value, /** @type {readonly [number, number]} */ [min, max]) =>
    Math.round(Math.max(min, Math.min(max, value)));
  return { kind: "realtime", base_ms: whole(base * 60_000, BASE_MS), increment_ms: whole(increment * 1000, INCREMENT_MS) };
}
