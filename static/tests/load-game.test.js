// @ts-check
// The list of games is light: the file of a game is loaded when its board is drawn.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { GAMES, gameOf, loadGame } from "../games/index.js";

describe("a game", () => {
  test("that is unknown is none", async () => {
    assert.equal(gameOf("chess"), undefined);
    assert.equal(await loadGame("chess"), undefined);
    assert.equal(await loadGame("toString"), undefined);
  });

  test("is loaded once", async () => {
    const [first, second] = await Promise.all([loadGame("mawe"), loadGame("mawe")]);
    assert.equal(first, second);
    assert.equal(await loadGame("mawe"), first);
  });

  test("has what its entry has, and the rest from its own file", async () => {
    for (const entry of GAMES) {
      assert.equal(gameOf(entry.id), entry);
      const game = await loadGame(entry.id);
      assert.deepEqual({ ...game, ...entry }, game, entry.id);
      const exported = await import(`../games/${entry.id}.js`);
      assert.equal(exported[entry.id](entry).start, game.start, entry.id);
      // A fact of both would be in two places.
      const own = exported[entry.id]({});
      for (const key of Object.keys(entry)) assert.ok(!(key in own), `${key} of ${entry.id} is in its file, too`);
    }
  });
});

test("the list imports no game with the page", () => {
  const source = readFileSync(new URL("../games/index.js", import.meta.url), "utf8");
  assert.doesNotMatch(source, /^(?:im|ex)port [^;]*from "\.\/(?!types)/m);
});
