// @ts-check
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { loadGame } from "../games/index.js";

const mawe = await loadGame("mawe");

/**
 * The pieces of a position as text, to compare previews with positions.
 * @param {string} position
 */
const stones = (position) =>
  [...mawe.parse(position).pieces].map(([cell, { owner, turned }]) => `${cell} ${owner}${turned ? " pinned" : ""}`).sort();

/** @param {string} position @param {string} move */
const after = (position, move) =>
  [...mawe.preview(mawe.parse(position).pieces, move, "first")]
    .map(([cell, { owner, turned }]) => `${cell} ${owner}${turned ? " pinned" : ""}`)
    .sort();

describe("positions", () => {
  test("the start has eight stones a side, White to move", () => {
    const { pieces, turn } = mawe.parse(mawe.start);
    assert.equal(turn, "first");
    assert.equal(pieces.size, 16);
    assert.deepEqual(pieces.get("a1"), { owner: "first", kind: "white-stone", turned: false });
    assert.deepEqual(pieces.get("h8"), { owner: "second", kind: "black-stone", turned: false });
  });

  test("small letters are pinned stones", () => {
    assert.deepEqual(stones("8/8/5W2/4b3/8/8/8/w7 b"), ["a1 first pinned", "e5 second pinned", "f6 first"]);
    assert.equal(mawe.parse("8/8/5W2/4b3/8/8/8/w7 b").turn, "second");
  });
});

describe("a move shown before it is answered", () => {
  test("a slide only moves the stone", () => {
    assert.deepEqual(after("8/8/5W2/8/8/2W5/8/8 w", "c3e5"), stones("8/8/5W2/4W3/8/8/8/8 b"));
  });

  test("a jump turns the jumped stone over, also at the end of a run-up", () => {
    assert.deepEqual(after("8/8/8/4B3/8/8/8/W7 w", "a1f6"), stones("8/8/5W2/4b3/8/8/8/8 b"));
  });

  test("sideways it pins an opponent and frees an ally", () => {
    assert.deepEqual(after("8/8/8/8/2BWw3/8/8/8 w", "d4b4"), stones("8/8/8/8/1Wb1w3/8/8/8 b"));
    assert.deepEqual(after("8/8/8/8/2BWw3/8/8/8 w", "d4f4"), stones("8/8/8/8/2B1WW2/8/8/8 b"));
  });

  test("every step of a whole recorded match leads to the next position", () => {
    // The first plies of a recorded match, and the pieces after them.
    let { pieces } = mawe.parse(mawe.start);
    for (const move of "a1c3 g8e6 c3a5 e8d7 h1g2 b8d6".split(" ")) pieces = mawe.preview(pieces, move, "first");
    assert.equal(pieces.size, 16);
    for (const cell of ["a5", "g2", "e6", "d7", "d6"]) assert.ok(pieces.has(cell), cell);
  });
});

describe("counting", () => {
  test("free stones on the far rank count, pinned ones do not", () => {
    const { pieces } = mawe.parse("1W3WWw/4W3/B3w1W1/1w1b4/6b1/8/3b4/2BBB1B1 b");
    assert.deepEqual(mawe.tally(pieces), { first: 3, second: 4 });
    assert.deepEqual(mawe.counted(pieces).sort(), ["b8", "c1", "d1", "e1", "f8", "g1", "g8"]);
  });
});

describe("gestures", () => {
  test("a move is its two cells, and an attempt is written as a move", () => {
    assert.deepEqual(mawe.path("a1c3", "first"), ["a1", "c3"]);
    assert.equal(mawe.attempt(["a1", "a2"], "first"), "a1a2");
    assert.equal(mawe.attempt(["a1"], "first"), null);
  });

  test("a pinned stone says why it stays", () => {
    assert.equal(mawe.stuck({ owner: "first", kind: "white-stone", turned: true }), "pinned");
    assert.equal(mawe.stuck({ owner: "first", kind: "white-stone", turned: false }), null);
  });
});
