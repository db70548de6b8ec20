// @ts-check
// The files of a page are requested in one round: by the document, or by the script that runs before the modules.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { GAMES } from "../games/index.js";

const root = new URL("../", import.meta.url);
/** @param {string} path */
const read = (path) => readFileSync(new URL(path, root), "utf8");

/** @param {string} text @param {RegExp} pattern @returns {string[]} */
const found = (text, pattern) => [...text.matchAll(pattern)].map(([, name]) => name ?? "");

/**
 * A module with all its static imports.
 * @param {string} path
 * @param {Set<string>} [seen]
 */
function closure(path, seen = new Set()) {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const name of found(read(path), /^import [^;]*?from "([^"]+)";/gms))
    closure(new URL(name, new URL(path, root)).href.slice(root.href.length), seen);
  return seen;
}

const named = new Set(found(read("index.html"), /(?:href|src)="\/([^"]+\.js)"/g));
const own = new Map(
  [...read("theme.js").matchAll(/^ {4}(\w+|"[\w-]*"):\s+"([a-z/ -]+)",$/gm)].map(([, word = "", names = ""]) => [
    word.replaceAll('"', ""),
    names.split(" ").map((name) => {
      if (name.startsWith("css/")) return `${name}.css`;
      return name.includes("/") && !name.startsWith("parts/") ? `${name}.js` : `views/${name}.js`;
    }),
  ]),
);

describe("asked for with the document", () => {
  test("is all that the page needs to begin, and to play", () => {
    const needed = [...closure("app.js"), ...closure("views/match.js")];
    assert.ok(needed.length > 50);
    assert.deepEqual(
      needed.filter((path) => !named.has(path)),
      [],
    );
    assert.deepEqual(
      [...named].filter((path) => !needed.includes(path)),
      ["theme.js"],
    );
  });

  test("are the files of the games, where their boards are drawn", () => {
    const [list = ""] = found(read("theme.js"), /const games =\s+"([^"]+)"/g);
    const isModule = (/** @type {string} */ file) => !file.includes("/");
    const games = list.split(" ").map((files) =>
      files
        .split("+")
        .filter(isModule)
        .map((file) => `games/${file}.js`),
    );
    // The style and the texts that a game has for itself, as `games/index.js` loads them.
    const looks = found(list, /(\w+)\+[^ ]*css\/\1\+i18n\/\1/g);
    assert.deepEqual(looks, found(read("games/index.js"), /ownLook\("(\w+)"\)/g));
    assert.deepEqual(
      games.map(([path]) => path),
      GAMES.map(({ id }) => `games/${id}.js`),
    );
    for (const files of games) assert.deepEqual([...closure(files[0] ?? "")].filter((name) => !named.has(name)).sort(), files.toSorted());
  });

  test("is what a page has for itself", () => {
    const routes = [
      ...read("app.js").matchAll(
        /pattern: "\/([\w-]*)[^"]*",\s+view: (?:worded\(\s*"\w+",\s+)?(?:(?:styled|apart)\("(\w+)", )?async \(\w*\) => \(await import\("\.\/([^"]+)"/g,
      ),
    ];
    assert.ok(routes.length > 10);
    const seen = new Set(["match"]);
    for (const [, word = "", sheet, path = ""] of routes) {
      if (seen.has(word)) continue;
      seen.add(word);
      const needed = [...closure(path)].filter((name) => !named.has(name));
      if (sheet) needed.push(`css/${sheet}.css`);
      assert.deepEqual(own.get(word)?.toSorted(), needed.sort(), word);
    }
    assert.deepEqual(
      [...own.keys()].filter((word) => !seen.has(word)),
      [],
    );
  });
});
