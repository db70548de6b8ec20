// @ts-check
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { before, describe, test } from "node:test";

import { Game, games, initSync, walk } from "../wasm/rules.js";
import { fewestOf, playoutsOf, replay } from "./playouts.js";

const VECTORS = new URL("../../rules/tests/vectors/", import.meta.url);
const ENDING = ".playouts.json";

before(() => {
  initSync({ module: readFileSync(new URL("../wasm/rules_bg.wasm", import.meta.url)) });
});

/** @param {() => unknown} action */
const refusal = (action) => {
  try {
    action();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return "accepted";
};

describe("every playout of the vectors", () => {
  const files = readdirSync(VECTORS).filter((name) => name.endsWith(ENDING));

  test("is there for every game", () => {
    assert.deepEqual(files.map((name) => name.slice(0, -ENDING.length)).sort(), games().sort());
  });

  for (const file of files) {
    const kind = file.slice(0, -ENDING.length);
    test(kind, async () => {
      const playouts = playoutsOf(JSON.parse(readFileSync(new URL(file, VECTORS), "utf8")));
      assert.ok(playouts.length >= fewestOf(kind));
      for (const playout of playouts) assert.deepEqual(await replay({ Game, walk }, kind, playout), []);
    });
  }

  test("is compared: one that tells something else is found out", async () => {
    const [playout] = playoutsOf(JSON.parse(readFileSync(new URL(`kalah${ENDING}`, VECTORS), "utf8")));
    assert.ok(playout);
    for (const change of [{ counts: "6" }, { final: "" }, { digest: "0" }, { plies: 0 }, { result: { winner: "x", reason: "y" } }]) {
      assert.notDeepEqual(await replay({ Game, walk }, "kalah", { ...playout, ...change }), [], Object.keys(change).join());
    }
  });
});

describe("a game", () => {
  test("is played, explained and taken back as text", () => {
    const game = Game.start("mawe", "");
    assert.equal(game.turn(), "first");
    assert.equal(game.explainIllegal("a1b2"), undefined);
    assert.equal(game.explainIllegal("a2b3"), "empty-square");
    assert.equal(
      refusal(() => game.play("a2b3")),
      "empty-square",
    );
    game.play("a1b2");
    assert.deepEqual([game.ply(), game.moves(), game.turn(), game.outcome()], [1, ["a1b2"], "second", undefined]);
    assert.equal(game.retreat(1), 1);
    assert.equal(game.position(), Game.start("mawe", "").position());
    game.free();
  });

  test("that cannot be is refused with a code", () => {
    assert.equal(
      refusal(() => Game.start("go", "")),
      "unknown-game",
    );
    assert.equal(
      refusal(() => Game.start("mawe", "seeds=3")),
      "unknown-option",
    );
    assert.equal(
      refusal(() => Game.fromPosition("mawe", "8/8")),
      "ends-early",
    );
    assert.equal(
      refusal(() => walk("mawe", "", "a1b2 a1b2")),
      "empty-square",
    );
  });
});
