// @ts-check
// A game on this device that begins from a position, as the editor begins it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { beginMatch, createDeviceLine } from "../local/line.js";
import { createStore } from "../local/store.js";
import { initSync, Referee } from "../wasm/rules.js";

/** @import { MatchState } from "../net/match.js" */

initSync({ module: readFileSync(new URL("../wasm/rules_bg.wasm", import.meta.url)) });

/** North wins a seed at once, or gives South the rest. */
const KALAH = "1,0,0,0,0,1,20/0,0,0,0,3,1,20 n";
/** Black has no move, and passes. */
const PASS = "OX------O-----------------------------------------------------XX X";

/** @param {{ game: string, start: string, turn?: "first" | "second", level?: number | null, side?: "first" | "second" }} wish */
function table({ game, start, turn, level = null, side = "first" }) {
  /** @type {Map<string, string>} */
  const items = new Map();
  const storage = /** @type {any} */ ({
    get length() {
      return items.size;
    },
    key: (/** @type {number} */ n) => [...items.keys()][n] ?? null,
    getItem: (/** @type {string} */ key) => items.get(key) ?? null,
    removeItem: (/** @type {string} */ key) => items.delete(key),
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => items.set(key, value),
  });
  const store = createStore(storage);
  /** @type {any[]} */
  const asked = [];
  const ask = (/** @type {any} */ question) => new Promise((resolve) => asked.push({ ...question, resolve }));
  const openEngine = () => /** @type {any} */ ({ choose: ask, draw: ask, stop: () => {} });
  const open = () => createDeviceLine({ Referee, store, openEngine, person: { name: "You" }, now: () => 0 });
  const line = open();
  const id = beginMatch(store, { game, setup: "", start, turn, level, side });
  const follow = (/** @type {ReturnType<typeof open>} */ by, /** @type {string} */ which) => {
    /** @type {{ state: MatchState | null }} */
    const seen = { state: null };
    by.follow(which, (state) => {
      seen.state = state;
    });
    return () => {
      assert.ok(seen.state, "there is a game");
      return seen.state;
    };
  };
  const state = follow(line, id);
  const play = (/** @type {string} */ move) => line.command(id, { kind: "move", ply: state().view.ply, move });
  return { line, id, store, storage, asked, state, play, again: (/** @type {string} */ which) => follow(open(), which)() };
}

describe("a game from a position", () => {
  test("for two begins there, and is there again after a reload", async () => {
    const { state, play, again, store, id } = table({ game: "kalah", start: KALAH, turn: "second" });
    assert.deepEqual([state().view.start, state().view.position, state().view.turn], [KALAH, KALAH, "second"]);
    assert.equal(store.get(id)?.turn, "second");
    assert.equal(again(id).view.position, KALAH);
    assert.ok((await play("6")).ok);
    const { position } = state().view;
    assert.equal(position, "1,0,0,0,0,1,20/0,0,0,0,3,0,21 n");
    assert.deepEqual([again(id).view.position, again(id).view.plies.length], [position, 1]);
    assert.deepEqual([store.get(id)?.start, store.get(id)?.moves], [KALAH, ["6"]]);
  });

  test("against the computer asks it for a move from there", async () => {
    const { state, asked, again, id } = table({ game: "kalah", start: KALAH, turn: "second", level: 3 });
    assert.deepEqual([asked[0].position, asked[0].moves, asked[0].setup, asked[0].level], [KALAH, "", undefined, 3]);
    asked[0].resolve({ move: "6", intent: "plays" });
    await new Promise(setImmediate);
    assert.equal(state().view.ply, 1);
    assert.equal(asked.at(-1).moves, "6");
    assert.equal(state().view.rated, false);
    assert.equal(again(id).view.ply, 1);
  });

  test("begins with the passes that the rules make", async () => {
    const { state, asked, play, again, store, id } = table({ game: "reversi", start: PASS, level: 1, side: "second" });
    assert.deepEqual(
      state().view.plies.map(({ move, side }) => [side, move]),
      [["first", "pass"]],
    );
    assert.equal(asked.length, 0);
    assert.equal(again(id).view.ply, 1);
    assert.ok((await play("c1")).ok);
    assert.deepEqual(store.get(id)?.moves.slice(0, 2), ["pass", "c1"]);
  });

  test("is played again from the same position, with the sides changed", async () => {
    const { line, id, state, store, again } = table({ game: "kalah", start: KALAH, turn: "second", level: 2 });
    assert.ok((await line.command(id, { kind: "resign" })).ok);
    line.rematch(id);
    const next = state().rematch.next ?? "";
    assert.deepEqual([store.get(next)?.start, store.get(next)?.you], [KALAH, "second"]);
    assert.equal(again(next).view.position, KALAH);
  });

  test("that the rules do not accept is no game", () => {
    const { store, line } = table({ game: "kalah", start: KALAH });
    const id = beginMatch(store, { game: "kalah", setup: "", start: "nonsense", level: null, side: "first" });
    line.follow(id, (state) => assert.equal(state, null));
  });
});
