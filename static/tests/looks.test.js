// @ts-check
// The sizes of text, the space between things, and the signs: each size and each space is a step of a scale in base.css, each sign a symbol
// of one file.
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

/** The values of gaps, paddings and margins in a sheet, as `property: value`. @param {string} sheet */
const spacesOf = (sheet) =>
  [...sheet.matchAll(/(?<![\w-])((?:row-|column-)?gap|(?:padding|margin)(?:-[a-z-]+)?)\s*:\s*([^;}]+?)\s*(?:!important\s*)?[;}]/g)].map(
    ([, property = "", value = ""]) => /** @type {const} */ ([property, value]),
  );

/**
 * The values that are no steps. Besides steps there are none and the browser's choice; lines and the frame of a board, in pixels; parts of a
 * board and of a line of text, which grow with them.
 * @param {string} sheet
 * @param {readonly string[]} steps
 */
function strangeSpaces(sheet, steps) {
  const known = [...steps.map((step) => `calc(-1 * var(${step}))`), ...steps.map((step) => `var(${step})`), "var(--page-edge)"];
  const isPlain = (/** @type {string} */ part) => /^(?:0|auto|-?[1-5]px|-?[\d.]+(?:cqw|lh))$/.test(part);
  return spacesOf(sheet).flatMap(([property, value]) => {
    const rest = known.reduce((left, step) => left.replaceAll(step, "0"), value);
    return rest.split(/\s+/).every(isPlain) ? [] : [`${property}: ${value}`];
  });
}

describe("a gap, a padding, a margin", () => {
  const base = sheets.get("base.css") ?? "";
  const steps = found(base, /(--space-\d):/g);

  test("is a step of the scale, in every style sheet", () => {
    assert.ok(steps.length > 6);
    let count = 0;
    for (const [name, sheet] of sheets) {
      count += spacesOf(sheet).length;
      assert.deepEqual(strangeSpaces(sheet, steps), [], name);
      if (name !== "base.css") assert.doesNotMatch(sheet, /--(?:space-\d|page-edge):/, `${name} makes a step of its own`);
    }
    assert.ok(count > 300, String(count));
  });

  test("is found where it is none", () => {
    const sheet =
      "a { gap: 0.3rem; margin: 0 auto 7px; padding: var(--space-1) calc(1rem - 2px) } b { padding-inline: 1em !important; margin: -4px 0; }";
    assert.deepEqual(strangeSpaces(sheet, steps), [
      "gap: 0.3rem",
      "margin: 0 auto 7px",
      "padding: var(--space-1) calc(1rem - 2px)",
      "padding-inline: 1em",
    ]);
  });

  test("grows from step to step", () => {
    const sizes = steps.map((step) => Number(new RegExp(`${step}: ([\\d.]+)rem;`).exec(base)?.[1]));
    assert.deepEqual(
      sizes,
      sizes.toSorted((a, b) => a - b),
    );
    assert.equal(new Set(sizes).size, sizes.length);
  });

  test("is used, whichever step it is", () => {
    const used = new Set([...sheets.values()].flatMap((sheet) => found(sheet, /var\((--space-\d)\)/g)));
    assert.deepEqual(
      steps.filter((step) => !used.has(step)),
      [],
    );
  });
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
