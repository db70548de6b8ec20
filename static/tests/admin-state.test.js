// @ts-check
// The charts of the operator's page, without a page.
import assert from "node:assert/strict";
import { test } from "node:test";

import { CHARTS, POINTS, trail, withPulse } from "../views/admin-state.js";

/** @import { Pulse } from "../core/types.js" */

/** @param {number} second @param {Partial<Pulse>} [more] @returns {Pulse} */
const pulse = (second, more = {}) => ({
  at: new Date(second * 1000).toISOString(),
  node: null,
  started_at: "2026-11-27T00:00:00Z",
  players: 3,
  sockets: 4,
  rooms: 2,
  requests: 0,
  failed_requests: 0,
  moves: 0,
  commits: 0,
  commit_seconds: 0,
  appends_waiting: 0,
  jobs_waiting: 1,
  jobs_running: 2,
  cpu_seconds: null,
  memory_bytes: null,
  ...more,
});

/** The values of a chart. @param {string} id @param {Pulse[]} pulses */
const values = (id, pulses) => CHARTS.find((chart) => chart.id === id)?.of(pulses);

test("a chart has the points of one run of one node, and no more than its number", () => {
  /** @type {Pulse[]} */
  let pulses = [];
  for (let i = 0; i < POINTS + 5; i++) pulses = withPulse(pulses, pulse(i));
  assert.equal(pulses.length, POINTS);
  assert.equal(pulses[0]?.at, pulse(5).at);
  assert.equal(withPulse(pulses, pulse(1000, { node: "b" })).length, 1);
  assert.equal(withPulse(pulses, pulse(1000, { started_at: "2026-11-27T00:01:00Z" })).length, 1);
  assert.equal(withPulse(pulses, pulse(0)).length, 1, "a clock that goes back");
});

test("a count is shown by its change in time", () => {
  const pulses = [pulse(0), pulse(5, { moves: 10, requests: 20, commits: 4, commit_seconds: 0.02, cpu_seconds: 2.5 }), pulse(10)];
  assert.deepEqual(values("moves", pulses.slice(0, 2)), [120]);
  assert.deepEqual(values("requests", pulses.slice(0, 2)), [4]);
  assert.deepEqual(values("commit", pulses.slice(0, 2)), [5]);
  assert.deepEqual(values("processor", pulses.slice(0, 2)), [50]);
  assert.deepEqual(values("commit", [pulse(0), pulse(5)]), [0], "without commits");
  assert.deepEqual(values("moves", [pulse(0)]), [], "one point has no change");
  assert.deepEqual(values("jobs", pulses), [3, 3, 3]);
});

test("a line ends at the right, and its highest point at the top", () => {
  assert.equal(trail([], 100, 50), "");
  const line = trail([0, 10, 5], 23, 50);
  assert.equal(line, "21.0,50.0 22.0,0.0 23.0,25.0");
  assert.equal(trail([0, 0], 23, 50), "22.0,50.0 23.0,50.0", "nothing happens");
  const full = trail(Array(POINTS).fill(1), 119, 50).split(" ");
  assert.deepEqual([full[0], full.at(-1)], ["0.0,0.0", "119.0,0.0"]);
});
