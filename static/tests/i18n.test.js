// @ts-check
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { LANGUAGES, setCatalogue, t } from "../core/i18n.js";
import { GAMES } from "../games/index.js";

/** @import { Language } from "../core/types.js" */
/** @import { Lesson, Task } from "../games/types.js" */

const root = new URL("../", import.meta.url);
const tags = /** @type {Language[]} */ (Object.keys(LANGUAGES));

/** The folders of the catalogues: of every page, and of those that few readers open. */
const FILES = ["", ...readdirSync(new URL("i18n/", root)).flatMap((name) => (name.includes(".") ? [] : `${name}/`))];
/** @param {Language} tag */
const texts = (tag) => FILES.map((folder) => readFileSync(new URL(`i18n/${folder}${tag}.json`, root), "utf8"));
/** @param {Language} tag @returns {Record<string, string>} */
const catalogue = (tag) => Object.assign({}, ...texts(tag).map((text) => JSON.parse(text)));
const catalogues = new Map(tags.map((tag) => [tag, catalogue(tag)]));

/** @param {string} key */
const base = (key) => key.split("#")[0] ?? key;

/** @param {Record<string, string>} messages */
const bases = (messages) => [...new Set(Object.keys(messages).map(base))].sort();

/** @param {string} text */
const holes = (text) => (text.match(/\{\w+\}/g) ?? []).sort().join();

const english = catalogues.get("en") ?? {};
const keys = bases(english);
const namespaces = new Set(keys.map((key) => key.split(".")[0]));

/** The source of the page, without tests. */
const source = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".js") && !path.startsWith("tests"))
  .map((path) => readFileSync(new URL(path, root), "utf8"))
  .join("\n");

/** The parts of the server that write documents, by the same keys. */
const heads = ["pages", "cards", "mails", "site"]
  .map((name) => readFileSync(new URL(`../server/src/http/${name}.rs`, root), "utf8"))
  .join("\n");

/** Complete keys in the source, and the beginnings of keys that are put together: `why.${code}`. */
const literals = new Set([
  ...[...source.matchAll(/"([a-z]+(?:\.[a-z-]+)*)"/g)].map(([, key]) => key ?? ""),
  ...[...heads.matchAll(/["{]([a-z]+(?:\.[a-z-]+)+)["}]/g)].map(([, key]) => key ?? ""),
]);
const prefixes = new Set([...source.matchAll(/`([a-z]+(?:\.[a-z-]+)*\.)\$\{/g)].map(([, prefix]) => prefix ?? ""));

describe("catalogues", () => {
  for (const [tag, messages] of catalogues) {
    test(`${tag} has exactly the keys of English`, () => assert.deepEqual(bases(messages), keys));

    test(`${tag} says each key once`, () => {
      const written = texts(tag).flatMap((text) => [...text.matchAll(/^ {2}"([^"]+)": /gm)].map(([, key]) => key));
      assert.deepEqual(written, Object.keys(messages));
    });

    test(`${tag} has every plural form of its language, and no other`, () => {
      const forms = [...new Intl.PluralRules(tag).resolvedOptions().pluralCategories].sort();
      for (const key of new Set(
        Object.keys(messages)
          .filter((k) => k.includes("#"))
          .map(base),
      )) {
        const found = Object.keys(messages)
          .filter((k) => k.startsWith(`${key}#`))
          .map((k) => k.split("#")[1])
          .sort();
        assert.deepEqual(found, forms, key);
      }
    });

    test(`${tag} says nothing empty, and fills the holes that English has`, () => {
      for (const [key, text] of Object.entries(messages)) {
        assert.notEqual(text.trim(), "", key);
        const model = english[key] ?? english[`${base(key)}#other`] ?? "";
        assert.equal(holes(text), holes(model), key);
      }
    });
  }

  test("are fetched before the first module by the script that runs first, in the language that is chosen then", () => {
    const listed = JSON.parse(
      /\[("[a-z]+",? ?)+\]\.includes/.exec(readFileSync(new URL("theme.js", root), "utf8"))?.[0].replace(".includes", "") ?? "[]",
    );
    assert.deepEqual(listed, tags);
  });

  test("no text is left over that the page never says", () => {
    const unused = keys.filter((key) => !literals.has(key) && ![...prefixes].some((prefix) => key.startsWith(prefix)));
    assert.deepEqual(unused, []);
  });

  test("the page says nothing that the catalogues lack", () => {
    const said = [...literals].filter((key) => key.includes(".") && namespaces.has(key.split(".")[0] ?? ""));
    assert.deepEqual(
      said.filter((key) => !keys.includes(key)),
      [],
    );
  });

  test("the service worker finds its texts in the catalogue of every page, the only one that it reads", () => {
    const spare = JSON.parse(readFileSync(new URL("i18n/en.json", root), "utf8"));
    const said = [...readFileSync(new URL("sw.js", root), "utf8").matchAll(/"([a-z]+\.[a-z.-]+)"/g)].map(([, key]) => key ?? "");
    const needed = said.filter((key) => keys.includes(key));
    assert.ok(needed.length >= 2);
    for (const key of needed) assert.ok(key in spare, key);
    for (const { id } of GAMES) assert.ok(`game.${id}.name` in spare, id);
  });

  test("every game has its names and its squares", () => {
    for (const { id, options, marks, unit } of GAMES) {
      const wanted = ["name", "lead", ...["first", "second"].flatMap((side) => [`side.${side}`, `won.${side}`])];
      const shared = [`tally.${unit}`, ...Object.values(marks).map((mark) => `turn.${mark}`)];
      for (const key of [...wanted.map((part) => `game.${id}.${part}`), `about.source.${id}`, ...shared])
        assert.ok(keys.includes(key), key);
      for (const { key, values, rated } of options) {
        assert.ok(keys.includes(values.length > 0 ? `option.${key}.title` : `option.${key}`), key);
        if (rated !== undefined) assert.ok(keys.includes(`option.${key}.rated`), key);
        for (const value of values)
          assert.ok(keys.includes(`game.${id}.option.${key}.${value}`) || keys.includes(`option.${key}`), `${id} ${key} ${value}`);
      }
    }
  });

  test("every reason for which the rules refuse a move is told", () => {
    const errors = readFileSync(new URL("../rules/src/error.rs", root), "utf8");
    const codes = [...errors.matchAll(/PlayError::\w+ => "([a-z]+(?:-[a-z]+)*)"/g)].map(([, code]) => `why.${code}`);
    assert.ok(codes.length > 30);
    assert.deepEqual(
      codes.filter((key) => !keys.includes(key)),
      [],
    );
    assert.deepEqual(
      keys.filter((key) => key.startsWith("why.") && key !== "why.other" && !codes.includes(key)),
      [],
    );
  });

  test("every reason for which a match ends is told", () => {
    const protocol = readFileSync(new URL("../docs/protocol.md", root), "utf8");
    const [, table = ""] = /\| `reason` \| the match ended because \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(protocol) ?? [];
    const codes = [...table.matchAll(/^\| `([a-z-]+)`/gm)].map(([, code]) => code);
    assert.ok(codes.length > 10);
    for (const code of codes) assert.ok(keys.includes(`reason.${code}`) || keys.includes(`result.${code}`), code);
  });

  test("every task has a title and a goal, and no other has", async () => {
    const wanted = (
      await Promise.all(
        GAMES.map(async ({ id }) => {
          const { tasks } = await import(new URL(`games/tasks/${id}.js`, root).href);
          return /** @type {Task[]} */ (tasks).flatMap(({ key, texts = id }) => [
            `task.${texts}.${key}.goal`,
            `task.${texts}.${key}.title`,
          ]);
        }),
      )
    ).flat();
    assert.deepEqual(
      keys.filter((key) => key.startsWith("task.")),
      [...new Set(wanted)].sort(),
    );
  });

  test("the rules have a title and a text for every picture, and no other", async () => {
    const files = readdirSync(new URL("games/lessons/", root)).sort();
    const pictures = await Promise.all(
      files.map(async (file) => {
        const { lessons } = await import(new URL(`games/lessons/${file}`, root).href);
        return { id: file.replace(/\.js$/, ""), lessons: /** @type {Lesson[]} */ (lessons) };
      }),
    );
    const wanted = pictures.flatMap(({ id, lessons }) => [
      `rules.${id}.title`,
      `rules.${id}.lead`,
      ...lessons.flatMap(({ key, texts = id }) => [`rules.${texts}.${key}.title`, `rules.${texts}.${key}.text`]),
    ]);
    assert.deepEqual(
      keys.filter((key) => key.startsWith("rules.") && !literals.has(key)),
      [...new Set(wanted)].sort(),
    );
  });
});

describe("saying", () => {
  test("Polish counts in its own way", () => {
    setCatalogue("pl", catalogues.get("pl") ?? {});
    assert.equal(t("match.spectators", { n: 1 }), "1 widz");
    assert.equal(t("match.spectators", { n: 5 }), "5 widzów");
    assert.equal(t("match.plies", { n: 2 }), "2 ruchy");
    assert.equal(t("match.plies", { n: 12 }), "12 ruchów");
  });

  test("an unknown key is shown as it is, and a hole without a value stays", () => {
    setCatalogue("en", { a: "{x} and {y}" });
    assert.equal(t("a", { x: "one" }), "one and {y}");
    assert.equal(t("nothing.here"), "nothing.here");
  });
});
