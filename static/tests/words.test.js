// @ts-check
// The catalogues keep to the words of docs/words/.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { LANGUAGES } from "../core/i18n.js";

const root = new URL("../../", import.meta.url);
/** @param {string} path */
const read = (path) => readFileSync(new URL(path, root), "utf8");

/** @typedef {{ term: string, word: string, not: string[] }} Row */

/** The rows of a glossary. @param {string} tag @returns {Row[]} */
function glossary(tag) {
  const rows = read(`docs/words/${tag}.md`)
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  assert.deepEqual(rows[0], ["term", "word", "not", "why"]);
  return rows.slice(1).map(([term = "", word = "", not = ""]) => ({ term, word, not: not === "" ? [] : not.split(", ") }));
}

/** The texts of a language by key, in small letters, without their holes. @param {string} tag @returns {[string, string][]} */
const texts = (tag) =>
  ["", ...readdirSync(new URL("../i18n/", import.meta.url)).flatMap((name) => (name.includes(".") ? [] : `${name}/`))]
    .flatMap((folder) => Object.entries(JSON.parse(read(`static/i18n/${folder}${tag}.json`))))
    .map(([key, text]) => [
      key,
      String(text)
        .replace(/\{\w+\}/g, "")
        .toLowerCase(),
    ]);

/** Where a text has words that begin like this. @param {string} text @param {string} word */
const says = (text, word) => new RegExp(`(?<![\\p{L}\\p{M}])${word.toLowerCase()}`, "u").test(text);

describe("the words", () => {
  for (const tag of Object.keys(LANGUAGES)) {
    test(`of ${tag} are those of its glossary`, () => {
      const all = texts(tag);
      const rows = glossary(tag);
      assert.ok(rows.length > 10);
      for (const { term, word, not } of rows) {
        assert.ok(
          all.some(([, text]) => says(text, word)),
          `${term}: nothing says “${word}”`,
        );
        for (const other of not) {
          const keys = all.filter(([, text]) => says(text, other)).map(([key]) => key);
          assert.deepEqual(keys, [], `${term}: “${other}” instead of “${word}”`);
        }
      }
    });
  }
});
