// @ts-check
// The text of a setup: the choices in the form for a new match, or a position; and its words for readers.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";

import { LANGUAGES, setCatalogue } from "../core/i18n.js";
import { GAMES, gameOf } from "../games/index.js";
import { inSetup, isOpen, positionIn, setupAt, setupOf } from "../games/setup.js";
import { setupText } from "../views/texts.js";

/** @import { Language } from "../core/types.js" */

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

  it("is the form of Mawe! without draws in casual matches alone", () => {
    assert.equal(setup("mawe", { form: "decisive" }, casual), "form=decisive");
    assert.equal(setup("mawe", { form: "standard" }, casual), "");
    assert.equal(setup("mawe", { form: "decisive" }, rated), "");
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

describe("a setup that is a position", () => {
  const texts = [
    "B:W21,K22:B1,2",
    "7,7,7,7,7,7,7,0/x,7,7,7,7,7,7,0 s",
    "BBBBBBBB/8/8/8/8/8/8/WWWWWWWW w",
    // No position of any game, but nothing of a position is read as an option.
    "1,seeds=6,form=pair,rounds=3",
  ];

  it("has the position as it is", () => {
    for (const text of texts) {
      assert.equal(setupAt(text), `position=${text}`);
      assert.equal(positionIn(setupAt(text)), text);
    }
    for (const setup of ["", "seeds=6", "rounds=3,round=2,owned=60-24"]) assert.equal(positionIn(setup), null);
  });

  it("has no options, unlike one of options", () => {
    for (const text of texts)
      for (const key of ["seeds", "form", "rounds", "position"]) assert.equal(inSetup(setupAt(text), key), null, text);
    const setup = "rounds=3,round=2,owned=60-24";
    assert.deepEqual(
      ["rounds", "round", "owned", "form"].map((key) => inSetup(setup, key)),
      ["3", "2", "60-24", null],
    );
    assert.equal(inSetup("", "seeds"), null);
  });

  it("is told in words, in every language, and options beside the name of the game are as before", () => {
    for (const language of /** @type {Language[]} */ (Object.keys(LANGUAGES))) {
      // The part of the catalogue that every page has.
      const catalogue = JSON.parse(readFileSync(new URL(`../i18n/${language}.json`, import.meta.url), "utf8"));
      setCatalogue(language, catalogue);
      const words = catalogue["option.position"];
      assert.ok(words);
      for (const { id } of GAMES) for (const text of texts) assert.equal(setupText(id, setupAt(text)), words);
    }
    setCatalogue("en", JSON.parse(readFileSync(new URL("../i18n/en.json", import.meta.url), "utf8")));
    assert.equal(setupText("kalah", ""), "");
    assert.equal(setupText("kalah", "seeds=6"), "6 seeds a house");
    assert.equal(setupText("congkak", "rounds=3,round=2,owned=60-38"), "at most 3 rounds · round 2");
  });
});
