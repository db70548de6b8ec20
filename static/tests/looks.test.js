// @ts-check
// The sizes of text and the signs: each size is a step of the scale in base.css, each sign a symbol of one file.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";

const root = new URL("../", import.meta.url);
/** @param {string} path */
const read = (path) => readFileSync(new URL(path, root), "utf8");
/** @param {string} text @param {RegExp} pattern @returns {string[]} */
const found = (text, pattern) => [...text.matchAll(pattern)].map(([, name]) => name ?? "");

const sheets = new Map(readdirSync(new URL("css/", root)).map((name) => [name, read(`css/${name}`).replaceAll(/\/\*.*?\*\//gs, "")]));
const modules = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".js") && !path.startsWith("tests"))
  .map((path) => read(path))
  .join("\n");
const documents = ["index.html", ...readdirSync(new URL("first/", root)).map((name) => `first/${name}`)]
  .map((path) => read(path))
  .join("\n");

/** The steps of the scale. */
const STEP = /(--(?:board-)?text-[\w-]+):/g;

describe("the size of a text", () => {
  const steps = found(sheets.get("base.css") ?? "", STEP);

  test("is a step of the scale, in every style sheet", () => {
    assert.ok(steps.length > 8);
    const known = new Set(steps.map((step) => `var(${step})`));
    for (const [name, sheet] of sheets) {
      const sizes = found(sheet, /font-size:\s*([^;}]+?)\s*[;}]/g);
      assert.deepEqual(
        sizes.filter((size) => !known.has(size)),
        [],
        name,
      );
      // A shorthand gives a size, too.
      for (const font of found(sheet, /[\s{;]font:\s*([^;}]+?)\s*[;}]/g))
        assert.ok(font === "inherit" || known.has(font.split(/[\s/]/)[0] ?? ""), `${name}: ${font}`);
      if (name !== "base.css") assert.deepEqual(found(sheet, STEP), [], `${name} makes a step of its own`);
    }
  });

  test("is used, whichever step it is", () => {
    const used = new Set([...sheets.values()].flatMap((sheet) => found(sheet, /var\((--(?:board-)?text-[\w-]+)\)/g)));
    assert.deepEqual(
      steps.filter((step) => !used.has(step)),
      [],
    );
  });

  test("is set by no script", () => assert.doesNotMatch(modules, /font-size|fontSize/));
});

describe("a sign", () => {
  const file = read("icons/signs.svg");
  const ids = found(file, /<symbol id="([a-z-]+)" viewBox="0 0 24 24">/g);

  test("has the colour of its text", () => {
    assert.ok(ids.length > 15);
    assert.equal(ids.length, found(file, /(<symbol )/g).length);
    assert.deepEqual([...new Set(found(file, /(?:fill|stroke)="([^"]*)"/g))], ["currentColor"]);
  });

  test("is a symbol of the file", () => {
    const named = [
      ...found(modules, /\bsign\("([a-z-]+)"\)/g),
      ...found(modules, /\bplyButton\(\s*"[a-z.]+",\s*"([a-z-]+)"/g),
      ...found(documents, /signs\.svg#([a-z-]+)"/g),
    ];
    assert.ok(named.length > 10);
    assert.deepEqual(
      named.filter((name) => !ids.includes(name)),
      [],
    );
  });

  test("is drawn by no style sheet", () => {
    for (const [name, sheet] of sheets) assert.doesNotMatch(sheet, /\.sign\.[a-z]/, name);
  });
});
