// @ts-check
// The editor of positions: the text of a position, the tools, the judgement of the rules, odds.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { editingOf } from "../games/editing.js";
import { Game, initSync } from "../wasm/rules.js";
import { GAMES } from "./loaded-games.js";

initSync({ module: readFileSync(new URL("../wasm/rules_bg.wasm", import.meta.url)) });

/** Every position in a file of vectors. @param {string} file @returns {Set<string>} */
function positionsIn(file) {
  /** @type {Set<string>} */
  const found = new Set();
  const keys = ["pos", "position", "start", "start_limited", "start_kujifunza", "final"];
  const walk = (/** @type {unknown} */ value) => {
    if (Array.isArray(value)) value.forEach(walk);
    else if (typeof value === "object" && value !== null)
      for (const [key, inner] of Object.entries(value)) {
        if (typeof inner === "string" && keys.includes(key)) found.add(inner);
        else if (key === "after") for (const one of Object.values(inner)) found.add(String(one));
        else walk(inner);
      }
  };
  walk(JSON.parse(readFileSync(new URL(`../../rules/tests/vectors/${file}`, import.meta.url), "utf8")));
  return found;
}

describe("a position is written as it was read", () => {
  for (const game of GAMES) {
    test(game.id, async () => {
      const { read, write, empty } = await editingOf(game);
      const positions = new Set([...positionsIn(`${game.id}.json`), ...positionsIn(`${game.id}.playouts.json`), empty]);
      assert.ok(positions.size > 100, String(positions.size));
      for (const position of positions) {
        // Some files have a position in another order than the rules print it in.
        const printed = Game.fromPosition(game.id, position);
        assert.equal(write(read(position)), printed.position());
        printed.free();
      }
      // The rules accept a board without pieces, which is then over at once.
      const rules = Game.fromPosition(game.id, empty);
      assert.notEqual(rules.outcome(), undefined);
      rules.free();
    });
  }
});
