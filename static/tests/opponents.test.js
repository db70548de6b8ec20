// @ts-check
// The computer opponents: each level has a portrait, a sentence in every language, and the manner of the server's.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { LANGUAGES } from "../core/i18n.js";
import { OPPONENTS } from "../core/opponents.js";
import { LEVELS } from "../games/index.js";
import { farewell, greeting } from "../local/manner.js";

const root = new URL("../", import.meta.url);
/** @param {string} path */
const read = (path) => readFileSync(new URL(path, root), "utf8");

/** The most bytes of a portrait. */
const PORTRAIT_BYTES = 1_000;

describe("a computer opponent", () => {
  test("of each level has a name and a portrait of its own, and there is no other", () => {
    assert.equal(OPPONENTS.length, LEVELS);
    assert.equal(new Set(OPPONENTS.map(({ name }) => name)).size, LEVELS);
    const portraits = [...read("icons/opponents.svg").matchAll(/<symbol id="([^"]+)" viewBox="0 0 40 40">.*?<\/symbol>/gs)];
    assert.deepEqual(
      portraits.map(([, id]) => id),
      OPPONENTS.map((_, i) => `level-${i + 1}`),
    );
    assert.equal(new Set(portraits.map(([drawing]) => drawing.replace(/id="[^"]+"/, ""))).size, LEVELS);
    for (const [drawing, id] of portraits) assert.ok(Buffer.byteLength(drawing) <= PORTRAIT_BYTES, id);
  });

  test("says a sentence of its own in every language, which few pages fetch", () => {
    for (const tag of Object.keys(LANGUAGES)) {
      const words = JSON.parse(read(`i18n/play/${tag}.json`));
      const sentences = OPPONENTS.map((_, i) => words[`bot.${i + 1}`]);
      assert.equal(new Set(sentences).size, LEVELS, tag);
      for (const [i, sentence] of sentences.entries()) assert.match(sentence ?? "", /^.{20,110}\.$/u, `${tag} ${i + 1}`);
    }
  });

  test("has its greeting in the first catalogue: the rest is fetched later", () => {
    for (const tag of Object.keys(LANGUAGES)) {
      const words = JSON.parse(read(`i18n/${tag}.json`));
      for (const phrase of OPPONENTS.flatMap(({ greets }) => greets)) assert.ok(words[`phrase.${phrase}`], `${tag} ${phrase}`);
    }
  });

  test("says on the device what it says on the server", () => {
    /** @type {{ level: number, id: string, plies: number, greeting: string, won: string, lost: string, drawn: string }[]} */
    const cases = JSON.parse(read("tests/opponents.golden.json"));
    assert.ok(cases.length >= LEVELS);
    for (const said of cases) {
      const { level, id, plies } = said;
      assert.equal(greeting(level, id), said.greeting, `${level} ${id}`);
      for (const ending of /** @type {const} */ (["won", "lost", "drawn"]))
        assert.equal(farewell(level, id, plies, ending), said[ending], `${level} ${id} ${ending}`);
    }
  });
});
