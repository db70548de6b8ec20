// @ts-check
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { createBadge } from "../core/badge.js";

describe("the mark on the icon", () => {
  test("counts the matches that wait, and goes with the last", () => {
    /** @type {(number | null)[]} */
    const shown = [];
    const badge = createBadge({
      setAppBadge: async (count) => void shown.push(count),
      clearAppBadge: async () => void shown.push(null),
    });
    badge.set(["a", "b"]);
    badge.note("c", true);
    badge.note("c", true);
    badge.note("a", false);
    badge.note("x", false);
    badge.set([]);
    assert.deepEqual(shown, [2, 3, 2, null]);
  });

  test("is missed by nobody whose device has none, or refuses", async () => {
    createBadge({}).set(["a"]);
    createBadge({
      setAppBadge: async () => {
        throw new Error("not installed");
      },
    }).set(["a"]);
    await new Promise((resolve) => setImmediate(resolve));
  });
});
