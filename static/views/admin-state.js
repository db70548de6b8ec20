// @ts-check
// The numbers of the operator's page over time, and the charts that are made of them; without a page.

/** @import { Pulse } from "../core/types.js" */

/** The number of points of a chart: ten minutes, at one in five seconds. */
export const POINTS = 120;
/** The number for which a drawing has room at least: a line that has just begun does not change its form with each point. */
const ROOM = 24;

/**
 * The points so far and the next one. Counts are those of one run of one node: behind a balancer another node may answer, and after a
 * restart counts begin anew.
 * @param {readonly Pulse[]} pulses the oldest first
 * @param {Pulse} next
 * @returns {Pulse[]}
 */
export function withPulse(pulses, next) {
  const last = pulses.at(-1);
  const goesOn = last && last.node === next.node && last.started_at === next.started_at && last.at < next.at;
  return goesOn ? [...pulses, next].slice(-POINTS) : [next];
}

/**
 * A value for each pair of neighbours, from the change between them and its seconds.
 * @param {readonly Pulse[]} pulses
 * @param {(change: (of: (pulse: Pulse) => number | null) => number, seconds: number) => number} value
 */
function changes(pulses, value) {
  return pulses.slice(1).map((now, i) => {
    const before = /** @type {Pulse} */ (pulses[i]);
    const change = (/** @type {(pulse: Pulse) => number | null} */ of) => (of(now) ?? 0) - (of(before) ?? 0);
    return value(change, (Date.parse(now.at) - Date.parse(before.at)) / 1000);
  });
}

/** @typedef {{ id: string, of: (pulses: readonly Pulse[]) => number[], digits?: number, unit?: string }} Chart */

/**
 * The charts, in their order. `unit`: of `Intl.NumberFormat`.
 * @type {readonly Chart[]}
 */
export const CHARTS = [
  { id: "players", of: (pulses) => pulses.map(({ players }) => players) },
  { id: "rooms", of: (pulses) => pulses.map(({ rooms }) => rooms) },
  {
    id: "moves",
    of: (pulses) => changes(pulses, (change, seconds) => (change(({ moves }) => moves) / seconds) * 60),
  },
  {
    id: "requests",
    digits: 1,
    of: (pulses) => changes(pulses, (change, seconds) => change(({ requests }) => requests) / seconds),
  },
  {
    id: "commit",
    digits: 1,
    unit: "millisecond",
    of: (pulses) =>
      changes(pulses, (change) => {
        const commits = change((pulse) => pulse.commits);
        return commits === 0 ? 0 : (change((pulse) => pulse.commit_seconds) / commits) * 1000;
      }),
  },
  { id: "jobs", of: (pulses) => pulses.map(({ jobs_waiting, jobs_running }) => jobs_waiting + jobs_running) },
  {
    id: "processor",
    unit: "percent",
    of: (pulses) => changes(pulses, (change, seconds) => (change(({ cpu_seconds }) => cpu_seconds) / seconds) * 100),
  },
  { id: "memory", unit: "megabyte", of: (pulses) => pulses.map(({ memory_bytes }) => (memory_bytes ?? 0) / 1e6) },
];

/**
 * The points of a line in a drawing of this size, from its left end to its right one; the lowest value of the drawing is 0.
 * @param {readonly number[]} values
 * @param {number} width
 * @param {number} height
 */
export function trail(values, width, height) {
  const top = Math.max(1, ...values);
  const room = Math.max(ROOM, values.length);
  const step = width / (room - 1);
  const from = room - values.length;
  return values.map((value, i) => `${((from + i) * step).toFixed(1)},${(height - (value / top) * height).toFixed(1)}`).join(" ");
}
