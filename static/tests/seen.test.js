// @ts-check
// The finished matches that a device stores.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { createSeen } from "../local/seen.js";

/** @import { MatchView } from "../core/types.js" */

/** @param {number} [room] the longest text that fits */
function storage(room = Infinity) {
  /** @type {Map<string, string>} */
  const items = new Map();
  return /** @type {Storage} */ (
    /** @type {unknown} */ ({
      get length() {
        return items.size;
      },
      key: (/** @type {number} */ i) => [...items.keys()][i] ?? null,
      getItem: (/** @type {string} */ key) => items.get(key) ?? null,
      removeItem: (/** @type {string} */ key) => items.delete(key),
      setItem(/** @type {string} */ key, /** @type {string} */ text) {
        if (text.length > room) throw new Error("full");
        items.set(key, text);
      },
    })
  );
}

/** @param {string} id @param {MatchView["result"]} [result] */
const match = (id, result = { winner: "first", reason: "resign", score: null }) =>
  /** @type {MatchView} */ (
    /** @type {unknown} */ ({
      id,
      game: "kalah",
      setup: "",
      start: "4,4,4,4,4,4,0/4,4,4,4,4,4,0 s",
      result,
      plies: [{ move: "3", side: "first", position: "…", clock_ms: 1, lag_ms: 1, spent_ms: 1 }],
      seats: {
        first: { player: { kind: "guest", name: "amina" }, rating: null, rating_change: null },
        second: { player: { kind: "bot", name: "computer-3", level: 3 }, rating: null, rating_change: null },
      },
    })
  );

describe("matches that were opened", () => {
  test("are kept when they are over, the last of them, and no more than is needed", () => {
    const store = createSeen(storage());
    store.put(match("running", null));
    assert.deepEqual(store.all(), []);
    for (let i = 0; i < 70; i++) store.put(match(`m${i}`), new Date(i * 1000).toISOString());
    assert.equal(store.all().length, 60);
    assert.equal(store.all()[0]?.id, "m69");
    assert.equal(store.get("m9"), null);
    // Opened again, it becomes the last.
    store.put(match("m10"), new Date(100_000).toISOString());
    store.put(match("more"), new Date(101_000).toISOString());
    assert.equal(store.get("m11"), null);
    assert.deepEqual(store.get("m10"), {
      id: "m10",
      game: "kalah",
      setup: "",
      start: "4,4,4,4,4,4,0/4,4,4,4,4,4,0 s",
      moves: ["3"],
      result: { winner: "first", reason: "resign", score: null },
      players: { first: { kind: "guest", name: "amina" }, second: { kind: "bot", name: "computer-3", level: 3 } },
      seen_at: new Date(100_000).toISOString(),
    });
  });

  test("are not kept where there is no room, and go with whoever logs out", () => {
    const full = createSeen(storage(10));
    full.put(match("a"));
    assert.deepEqual(full.all(), []);
    const place = storage();
    place.setItem("mawe.seen.damaged", "{");
    place.setItem("mawe.settings", "{}");
    const store = createSeen(place);
    store.put(match("a"));
    assert.deepEqual(
      store.all().map(({ id }) => id),
      ["a"],
    );
    store.clear();
    assert.deepEqual(store.all(), []);
    assert.equal(place.length, 1);
  });
});
