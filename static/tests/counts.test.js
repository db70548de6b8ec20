// @ts-check
// The text for a match of less than full weight.

import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { countsText } from "../views/texts.js";

// Without a catalogue a text is its key.
suite("what a match counts for", () => {
  test("a whole one, and one that is not counted yet, needs no words", () => {
    for (const match of [{}, { rating_weight: null }, { rating_weight: 1, voided: false }]) assert.equal(countsText(match), "");
  });

  test("a part, nothing at all, and a void one are told apart", () => {
    assert.equal(countsText({ rating_weight: 0.125 }), "match.weight");
    assert.equal(countsText({ rating_weight: 0 }), "match.weightless");
    assert.equal(countsText({ rating_weight: 1, voided: true }), "match.voided");
  });
});
