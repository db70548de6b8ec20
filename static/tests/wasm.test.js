// @ts-check
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { before, describe, test } from "node:test";

import { Game, games, initSync, walk } from "../wasm/rules.js";

const VECTORS = new URL("../../rules/tests/vectors/", import.meta.url);
const ENDING = ".playouts.json";

/** @typedef {{ id: number, start?: string, moves: string, counts: string, plies: number, final: string, digest: string, result: { winner: string, reason: string, score?: number[] } }} Playout */

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
    test(kind, () => {
      const vectors = JSON.parse(readFileSync(new URL(file, VECTORS), "utf8"));
      /** @type {Playout[]} */
      const playouts = ["playouts", "playouts_limited", "traces", "traces_limited"].flatMap((key) => vectors[key] ?? []);
      assert.ok(playouts.length >= 200);
      for (const playout of playouts) replay(kind, playout);
    });
  }
});

/** @param {string} kind @param {Playout} playout */
function replay(kind, playout) {
  const name = `${kind} ${playout.id}`;
  const told = walk(kind, playout.start ?? "", playout.moves);
  const lines = told.trimEnd().split("\n");
  const counts = lines.slice(0, -1).map((line) => line.slice(line.indexOf("|") + 1).split(",").length);
  assert.equal(counts.join(" "), playout.counts, name);
  assert.equal(lines.length, playout.plies + 1, name);
  assert.equal(lines.at(-1), `${playout.final}|`, name);
  assert.equal(createHash("sha256").update(told).digest("hex").slice(0, 16), playout.digest, name);

  const game = playout.start ? Game.fromPosition(kind, playout.start) : Game.start(kind, "");
  for (const move of playout.moves.split(" ")) game.play(move);
  const { winner, reason, score } = playout.result;
  assert.equal(game.outcome(), [winner, reason, ...(score ? [score.join("-")] : [])].join(" "), name);
  assert.deepEqual(game.legalMoves(), []);
  game.free();
}

describe("a game", () => {
  test("is played, explained and taken back as text", () => {
    const game = Game.start("mawe", "");
    assert.equal(game.turn(), "first");
    assert.equal(game.explainIllegal("a1b2"), undefined);
    assert.equal(game.explainIllegal("a2b3"), "empty-square");
    assert.equal(refusal(() => game.play("a2b3")), "empty-square");
    game.play("a1b2");
    assert.deepEqual([game.ply(), game.moves(), game.turn(), game.outcome()], [1, ["a1b2"], "second", undefined]);
    assert.equal(game.retreat(1), 1);
    assert.equal(game.position(), Game.start("mawe", "").position());
    game.free();
  });

  test("that cannot be is refused with a code", () => {
    assert.equal(refusal(() => Game.start("go", "")), "unknown-game");
    assert.equal(refusal(() => Game.start("mawe", "seeds=3")), "unknown-option");
    assert.equal(refusal(() => Game.fromPosition("mawe", "8/8")), "ends-early");
    assert.equal(refusal(() => walk("mawe", "", "a1b2 a1b2")), "empty-square");
  });
});
