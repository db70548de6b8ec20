// @ts-check
// The choices in the form for a new match, as the text of a setup.

import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { gameOf } from "../games/index.js";
import { isOpen, setupOf } from "../games/setup.js";

/** @param {string} game */
const optionsOf = (game) => /** @type {import("../games/types.js").GameEntry} */ (gameOf(game)).options;
const casual = { isRated: false, isHere: false };
const rated = { isRated: true, isHere: false };

/** @param {string} game @param {Record<string, string>} chosen @param {{ isRated: boolean, isHere: boolean }} match */
const setup = (game, chosen, match) => setupOf(optionsOf(game), new Map(Object.entries(chosen)), match);

describe("the setup of a new match", () => {
  it("is empty where nothing but the usual was chosen", () => {
    assert.equal(setup("kalah", { seeds: "4", opening: "start" }, casual), "");
    assert.equal(setup("congkak", { form: "traditional", opening: "start" }, casual), "");
    assert.equal(setup("mawe", {}, casual), "");
  });

  it("asks for a drawn opening where there are some", () => {
    assert.equal(setup("kalah", { seeds: "4", opening: "drawn" }, casual), "opening=drawn");
    assert.equal(setup("kalah", { seeds: "6", opening: "drawn" }, casual), "seeds=6");
    assert.equal(setup("congkak", { form: "limited", opening: "drawn", rounds: "1" }, casual), "form=limited,opening=drawn");
    assert.equal(setup("congkak", { form: "limited", opening: "drawn", rounds: "3" }, casual), "form=limited,rounds=3");
    assert.equal(setup("congkak", { form: "traditional", opening: "drawn" }, casual), "");
    for (const game of ["checkers", "reversi"]) assert.equal(setup(game, { opening: "drawn" }, casual), "opening=drawn");
  });

  it("leaves the opening to the server, which has none on this device", () => {
    assert.equal(setup("kalah", { seeds: "4", opening: "drawn" }, { isRated: false, isHere: true }), "");
    const opening = optionsOf("kalah").find(({ key }) => key === "opening");
    assert.ok(opening);
    assert.equal(isOpen(opening, new Map([["seeds", "4"]]), false), true);
    assert.equal(isOpen(opening, new Map([["seeds", "4"]]), true), false);
    assert.equal(isOpen(opening, new Map([["seeds", "3"]]), false), false);
  });

  it("is a round, a pair of rounds or a match of Pallanguzhi", () => {
    assert.equal(setup("pallanguzhi", { form: "single", rounds: "1" }, casual), "");
    assert.equal(setup("pallanguzhi", { form: "single", rounds: "3" }, casual), "rounds=3");
    assert.equal(setup("pallanguzhi", { form: "pair", rounds: "3" }, casual), "form=pair");
  });

  it("of a rated match is the form that is rated", () => {
    assert.equal(setup("kalah", { seeds: "6", opening: "start" }, rated), "");
    assert.equal(setup("congkak", { form: "traditional", opening: "start" }, rated), "form=limited");
    assert.equal(setup("oware", { seeds: "6" }, rated), "seeds=6");
  });

  it("of a rated match has an opening where it is wished", () => {
    for (const game of ["checkers", "reversi"]) {
      assert.equal(setup(game, { opening: "start" }, rated), "");
      assert.equal(setup(game, { opening: "drawn" }, rated), "opening=drawn");
    }
  });
});
