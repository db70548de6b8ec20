// @ts-check
// The choices of the page, within the bounds of the server.
import assert from "node:assert/strict";
import { test } from "node:test";

import { BASE_MS, INCREMENTS, POOLS, SPEED_ENDS_MS, SPEEDS } from "../core/facts.js";
import { speedOf } from "../core/time.js";

/** @param {number} base_ms @param {number} increment_ms */
const speed = (base_ms, increment_ms) => speedOf({ kind: "realtime", base_ms, increment_ms });

test("each speed ends where the server's ends", () => {
  for (const [place, end] of SPEED_ENDS_MS.entries()) {
    assert.equal(speed(end - 1, 0), SPEEDS[place]);
    assert.equal(speed(end, 0), SPEEDS[place + 1]);
    assert.equal(speed(0, end / INCREMENTS), SPEEDS[place + 1]);
  }
  assert.equal(speed(BASE_MS[1], 0), "classical");
  assert.equal(speedOf({ kind: "unlimited" }), "daily");
});

test("pools are named by minutes and seconds", () => {
  for (const pool of POOLS) assert.match(pool, /^\d+\+\d+$/);
});
