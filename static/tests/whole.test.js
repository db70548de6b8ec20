// @ts-check
// The page has every part of every game of the rules; docs/adding-a-game.md is the list for people.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { LANGUAGES } from "../core/i18n.js";
import { lessonsOf } from "../games/pictures.js";
import { Game, games, initSync } from "../wasm/rules.js";
import { GAMES, gameOf } from "./loaded-games.js";

const root = new URL("../../", import.meta.url);

/** The page's files for each game. */
const FILES = ["static/games/GAME.js", "static/games/lessons/GAME.js"];
/** The keys of a game in every catalogue; its other keys follow from the game's own file, and i18n.test.js checks them. */
const KEYS = ["game.GAME.name", "rules.GAME.title"];

initSync({ module: readFileSync(new URL("static/wasm/rules_bg.wasm", root)) });

describe("the page's games", () => {
  test("are those of the rules, in their order", () => {
    assert.deepEqual(
      GAMES.map(({ id }) => id),
      games(),
    );
  });

  test("are listed for people with every file", () => {
    const guide = readFileSync(new URL("docs/adding-a-game.md", root), "utf8");
    for (const path of FILES) assert.ok(guide.includes(path), path);
  });
});

/** @param {string} kind */
function known(kind) {
  const game = gameOf(kind);
  assert.ok(game, `static/games/index.js does not name ${kind}`);
  return game;
}

for (const kind of games()) {
  describe(kind, () => {
    test("has its files", () => {
      assert.deepEqual(
        FILES.map((path) => path.replace("GAME", kind)).filter((path) => !existsSync(new URL(path, root))),
        [],
      );
    });

    test("has its names in every language", () => {
      for (const tag of Object.keys(LANGUAGES)) {
        const parts = ["", "rest/", "rules/"].map((folder) =>
          JSON.parse(readFileSync(new URL(`static/i18n/${folder}${tag}.json`, root), "utf8")),
        );
        const messages = Object.assign({}, ...parts);
        assert.deepEqual(
          KEYS.map((key) => key.replace("GAME", kind)).filter((key) => !messages[key]),
          [],
          tag,
        );
      }
    });

    test("starts where the rules start", () => {
      const game = Game.start(kind, "");
      assert.equal(known(kind).start, game.position());
      game.free();
    });

    test("explains itself with moves that the rules allow", () => {
      const lessons = lessonsOf(kind);
      assert.ok(lessons.length > 0);
      for (const { key, position, legal, move } of lessons) {
        const game = Game.fromPosition(kind, position);
        assert.equal(game.position(), position, key);
        const allowed = game.legalMoves();
        assert.deepEqual(
          legal.filter((m) => !allowed.includes(m)),
          [],
          key,
        );
        if (move !== null) assert.ok(legal.includes(move), key);
        game.free();
      }
    });
  });
}
