// @ts-check
// Bao on the page against its rules: the sowing it shows, the cells that choose a move, and the words about it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { createHand, showTurn, takeUp } from "../board/hand.js";
import { durations, LONGEST_MS } from "../board/pace.js";
import { choose, createState, nextCells } from "../board/state.js";
import { setCatalogue } from "../core/i18n.js";
import { ways } from "../games/bao.js";
import { typedMove } from "../games/typed.js";
import { movesFrom } from "../games/ways.js";
import { initSync, Game as Rules } from "../wasm/rules.js";
import { gameOf } from "./loaded-games.js";

/** @import { Game } from "../games/types.js" */
/** @import { Pieces } from "../board/state.js" */

initSync({ module: readFileSync(new URL("../wasm/rules_bg.wasm", import.meta.url)) });
const bao = /** @type {Game} */ (gameOf("bao"));

const HOUSE = "2,1,0,0,12h,0,0,0,0,0,0,0,0,0,0,0,14/0,0,4,4,10h,2,1,0,0,0,0,0,0,0,0,0,14 s";
const TAX = "0,0,0,0,9h,0,0,0,0,0,0,0,0,0,0,0,20/0,0,2,0,9h,2,1,0,0,0,0,0,0,0,0,0,20 s";

/** @param {Pieces} pieces */
const told = (pieces) => [...pieces].map(([cell, { owner, kind, count }]) => `${cell} ${owner} ${kind} ${count}`).sort();

/** @param {Pieces} pieces */
const seeds = (pieces) => [...pieces.values()].reduce((sum, { count = 0 }) => sum + count, 0);

/** A board with the reader's turn. @param {string} position */
function boardOf(position) {
  const rules = Rules.fromPosition("bao", position);
  const { pieces, turn } = bao.parse(position);
  const state = createState(bao.layout(""), bao.lifts);
  const hand = createHand(bao);
  const next = { pieces, legal: rules.legalMoves(), side: turn };
  rules.free();
  showTurn(hand, state, { ...next, last: null });
  return { state, hand, next, pieces, turn };
}

/** Numbers from 0 to below 1, the same in every run. @param {number} seed */
function chance(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

describe("a ply of Bao", () => {
  test("ends on the page where it ends by the rules, with every seed on its way, in random games of both forms", () => {
    let plies = 0;
    const next = chance(7);
    const marks = new Set();
    for (let game = 0; game < 120; game++) {
      const rules = Rules.start("bao", game % 2 === 0 ? "" : "form=kujifunza");
      while (rules.outcome() === undefined) {
        const where = rules.position();
        const { pieces, turn } = bao.parse(where);
        const legal = rules.legalMoves();
        const move = legal[Math.floor(next() * legal.length)] ?? "";
        for (const { pieces: shown, hand } of bao.steps(pieces, move, turn)) assert.equal(seeds(shown) + (hand?.seeds ?? 0), 64, where);
        const after = bao.preview(pieces, move, turn);
        rules.play(move);
        assert.deepEqual(told(after), told(bao.parse(rules.position()).pieces), `${where} ${move}`);
        for (const { kind } of after.values()) marks.add(kind);
        plies += 1;
      }
      rules.free();
    }
    assert.ok(plies > 4000, String(plies));
    assert.deepEqual([...marks].sort(), ["kete", "nyumba", "takasia"]);
  });

  test("lifts the seeds of its pit, of captures, and the seed from the store, in this order", () => {
    const { pieces } = bao.parse(HOUSE);
    const lifted = bao.steps(pieces, "A5R>", "first").flatMap(({ hand }) => (hand?.lifted ? [`${hand.cell} ${hand.seeds}`] : []));
    // A seed into A5 captures the four at A4 of North; the last of them falls into the house, which is played.
    assert.deepEqual(lifted.slice(0, 3), ["s-store 1", "nA4 4", "sA5 14"]);
    const stopped = bao.traces?.(pieces, "A5R", "first");
    assert.deepEqual(stopped, { end: "sA5", taken: ["nA4"] });
  });

  test("taxes a house that is the only pit with seeds", () => {
    const { pieces } = bao.parse(TAX);
    assert.equal(bao.preview(pieces, "A5L", "first").get("sA5")?.count, 8);
    assert.equal(bao.preview(pieces, "A5L", "first").get("sA5")?.kind, "nyumba");
  });
});

test("the longest plies of recorded games are shown in four seconds, each of their sowings in little more than one", () => {
  const { playouts } = JSON.parse(readFileSync(new URL("../../rules/tests/vectors/bao.playouts.json", import.meta.url), "utf8"));
  let longest = 0;
  for (const { moves, start } of playouts.slice(0, 60)) {
    const rules = start === undefined ? Rules.start("bao", "") : Rules.fromPosition("bao", start);
    for (const move of moves.split(" ")) {
      const { pieces, turn } = bao.parse(rules.position());
      const steps = bao.steps(pieces, move, turn);
      const times = durations(steps, bao.pace);
      assert.equal(times.length, steps.length);
      assert.ok(times.reduce((sum, ms) => sum + ms, 0) <= LONGEST_MS + 1, `${rules.position()} ${move}`);
      longest = Math.max(longest, steps.length);
      rules.play(move);
    }
    rules.free();
  }
  assert.ok(longest > 100, String(longest));
});

describe("a move of Bao", () => {
  test("is a pit, the cell of its first seed, and the house where it is played", () => {
    const { pieces } = bao.parse(HOUSE);
    assert.deepEqual(bao.path("A2", "first", pieces), ["sA2", "sA1"]);
    assert.deepEqual(bao.path("A5R>", "first", pieces), ["sA5", "sA8", "sA5"]);
    const { pieces: start } = bao.parse(bao.start);
    assert.deepEqual(bao.path("A6L", "first", start), ["sA6", "sA5"]);
    assert.deepEqual(bao.path("B1L", "second"), ["nB1", "nA1"]);
  });

  test("waits at the house for the choice to stop or to play it", () => {
    for (const [last, move] of [
      ["sA8", "A5R"],
      ["sA5", "A5R>"],
    ]) {
      const { state } = boardOf(HOUSE);
      assert.equal(choose(state, "sA5").kind, "picked");
      assert.equal(choose(state, "sA8").kind, "picked");
      assert.deepEqual([...nextCells(state)].sort(), ["sA5", "sA8"]);
      assert.deepEqual(movesFrom(state), ["A5R", "A5R>"]);
      assert.deepEqual(choose(state, last ?? ""), { kind: "move", move, walked: true });
    }
  });

  test("is put back by a second press on the pit, and never played by a short cut to the house", () => {
    const { state } = boardOf(HOUSE);
    choose(state, "sA5");
    assert.deepEqual([...nextCells(state)].sort(), ["sA1", "sA8"]);
    assert.equal(choose(state, "sA5").kind, "dropped");
  });

  test("is shown sown, although every cell of it was chosen", () => {
    const { state, hand, next } = boardOf(HOUSE);
    choose(state, "sA2");
    takeUp(hand, state, next, choose(state, "sA1"));
    assert.equal(hand.walked, false);
  });

  test("that a pit does not have is asked of the rules, for the reason", () => {
    const { state, hand, next } = boardOf(TAX);
    const meaning = takeUp(hand, state, next, choose(state, "sB3"));
    assert.deepEqual(meaning, { kind: "forbidden", why: "empty-pit" });
    // A back pit, while the front row has one to sow.
    const position = "2,0,0,0,0,0,0,0,0,3,0,0,0,0,0,0,0/0,0,0,0,0,0,0,2,0,0,0,0,0,0,0,0,0 s";
    const own = boardOf(position);
    const asked = takeUp(own.hand, own.state, own.next, choose(own.state, "sB2"));
    assert.deepEqual(asked, { kind: "attempt", move: "B2L" });
    assert.equal(Rules.fromPosition("bao", position).explainIllegal("B2L"), "front-row-first");
  });

  test("is typed as the list writes it, in small letters, with arrows, or without a letter that is the only one", () => {
    const { next } = boardOf(HOUSE);
    for (const [text, move] of [
      ["a5r>", "A5R>"],
      [" A5 → ", "A5R"],
      ["a2", "A2"],
    ])
      assert.deepEqual(typedMove(bao, text ?? "", next.legal, "first"), { kind: "move", move }, text);
    assert.deepEqual(typedMove(bao, "b3l", next.legal, "first"), { kind: "attempt", move: "B3L" });
    assert.deepEqual(typedMove(bao, "c3", next.legal, "first"), { kind: "unclear" });
  });
});

describe("the words of Bao", () => {
  const texts = ["", "rest/", "bao/"].map((folder) =>
    JSON.parse(readFileSync(new URL(`../i18n/${folder}en.json`, import.meta.url), "utf8")),
  );
  setCatalogue("en", Object.assign({}, ...texts));
  const { pieces } = bao.parse(HOUSE);

  test("name the ways of a pit", () => {
    assert.deepEqual(ways(["A5L", "A5R", "A5R>"], pieces, "first"), [
      "left kichwa",
      "right kichwa, stop at the nyumba",
      "right kichwa, play the nyumba",
    ]);
    assert.deepEqual(ways(["A2"], pieces, "first"), ["capture"]);
    assert.deepEqual(ways(["A6L", "A6R"], bao.parse(bao.start).pieces, "first"), ["left", "right"]);
  });

  test("tell a ply part by part, and in one sentence", () => {
    const stop = bao.told?.(pieces, "A5R", "first");
    assert.deepEqual(stop?.parts, [
      "Namua: a kete from the ghala into A5, which captures",
      "4 kete captured at A5, sown from the right kichwa, the last into A5",
      "stops at the nyumba",
    ]);
    assert.equal(stop?.sentence, "Namua: a kete from the ghala into A5, which captures; 4 kete captured; stops at the nyumba");
    const play = bao.told?.(pieces, "A5R>", "first");
    assert.ok(play?.parts.includes("safari: the nyumba is played"), play?.parts.join("\n") ?? "");
    const tax = bao.told?.(bao.parse(TAX).pieces, "A5L", "first");
    assert.ok(
      tax?.parts.some((part) => part.startsWith("the nyumba is taxed: 2")),
      tax?.parts.join("\n") ?? "",
    );
  });

  test("name a cell with its row, its mark and its seeds", () => {
    const cell = { id: "sA5", x: 0, y: 0, w: 1, h: 1, tone: "pit" };
    assert.equal(bao.cellName(cell, pieces.get("sA5"), "first"), "A5, your front row, nyumba, 12 kete");
    assert.equal(bao.cellName({ ...cell, id: "n-store" }, pieces.get("n-store"), null), "North’s ghala, 14 kete");
  });
});
