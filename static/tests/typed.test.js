// @ts-check
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { meantMove, typedMove } from "../games/typed.js";
import { initSync, Game as Rules } from "../wasm/rules.js";
import { GAMES, gameOf } from "./loaded-games.js";

initSync({ module: readFileSync(new URL("../wasm/rules_bg.wasm", import.meta.url)) });

/** @import { Game } from "../games/types.js" */

/** @param {string} id */
const game = (id) => /** @type {Game} */ (gameOf(id));

describe("a written move", () => {
  for (const one of GAMES) {
    test(`of ${one.id} is found as the list of moves writes it, and as the wire does`, () => {
      const [playout] = JSON.parse(
        readFileSync(new URL(`../../rules/tests/vectors/${one.id}.playouts.json`, import.meta.url), "utf8"),
      ).playouts;
      const rules = Rules.start(one.id, "");
      for (const played of playout.moves.split(" ")) {
        const [legal, side] = [rules.legalMoves(), /** @type {"first" | "second"} */ (rules.turn())];
        for (const move of legal) {
          if (one.path(move, side).length === 0) continue;
          for (const text of [move, one.notation(move), ` ${move.toUpperCase()} `])
            assert.deepEqual(typedMove(one, text, legal, side), { kind: "move", move }, text);
        }
        rules.play(played);
      }
    });
  }

  test("may leave out the way of a capture where only one leads there", () => {
    const legal = ["11x18x25", "11x20", "12-16"];
    assert.deepEqual(typedMove(game("checkers"), "11x25", legal, "first"), { kind: "move", move: "11x18x25" });
    assert.equal(meantMove(["1", "9"], ["1x10x9", "1x6x9"]), null);
  });

  test("that is not on the list is an attempt, for the server to refuse with its reason", () => {
    assert.deepEqual(typedMove(game("mawe"), "a1 a5", ["a1b2"], "first"), { kind: "attempt", move: "a1a5" });
    assert.deepEqual(typedMove(game("checkers"), "11-25", ["11-15"], "first"), { kind: "attempt", move: "11-25" });
    assert.deepEqual(typedMove(game("reversi"), "a1", ["d3"], "first"), { kind: "attempt", move: "a1" });
    assert.deepEqual(typedMove(game("kalah"), "house 3", ["1", "2"], "second"), { kind: "attempt", move: "3" });
  });

  test("that names nothing of this board is unclear", () => {
    for (const one of GAMES)
      for (const text of ["", "hello", "z99", "?!"])
        assert.deepEqual(typedMove(one, text, ["x"], "first"), { kind: "unclear" }, `${one.id} ${text}`);
  });
});
