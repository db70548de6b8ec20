// @ts-check
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { face, remaining, speedOf } from "../core/time.js";

describe("clocks", () => {
  const clock = { first_ms: 60_000, second_ms: 9_000, running: /** @type {const} */ ("first"), first_move_ms: null };

  test("only the running clock runs on, and not below nothing", () => {
    assert.equal(remaining(clock, 1_500, "first"), 58_500);
    assert.equal(remaining(clock, 1_500, "second"), 9_000);
    assert.equal(remaining(clock, 99_000, "first"), 0);
  });

  test("tenths appear under ten seconds, hours above sixty minutes", () => {
    assert.deepEqual(face(303_000), { hours: 0, minutes: 5, seconds: 3, tenths: null });
    assert.deepEqual(face(302_100), { hours: 0, minutes: 5, seconds: 3, tenths: null });
    assert.deepEqual(face(10_000), { hours: 0, minutes: 0, seconds: 10, tenths: null });
    assert.deepEqual(face(9_999), { hours: 0, minutes: 0, seconds: 10, tenths: null });
    assert.deepEqual(face(9_420), { hours: 0, minutes: 0, seconds: 9, tenths: 5 });
    assert.deepEqual(face(0), { hours: 0, minutes: 0, seconds: 0, tenths: 0 });
    assert.deepEqual(face(3_725_000), { hours: 1, minutes: 2, seconds: 5, tenths: null });
  });

  test("speeds are told as the server tells them", () => {
    const speed = (/** @type {number} */ base, /** @type {number} */ inc) =>
      speedOf({ kind: "realtime", base_ms: base * 60_000, increment_ms: inc * 1000 });
    assert.deepEqual(
      [speed(1, 1), speed(2, 1), speed(3, 0), speed(5, 3), speed(8, 0), speed(10, 5), speed(25, 0)],
      ["bullet", "bullet", "blitz", "blitz", "rapid", "rapid", "classical"],
    );
    assert.equal(speedOf({ kind: "correspondence", days: 3 }), "daily");
    assert.equal(speedOf({ kind: "unlimited" }), "daily");
  });
});
