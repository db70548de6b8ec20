// @ts-check
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { createContext, runInContext } from "node:vm";
import { SETTINGS } from "../core/settings.js";
import { ticks } from "../views/chart.js";

describe("a chart's lines across", () => {
  test("are round, few, and hold all that is drawn between the first and the last", () => {
    for (const [low, high] of /** @type {[number, number][]} */ ([
      [1500, 1500],
      [1338.2, 1567.4],
      [1500, 1503],
      [800, 2600],
      [0, 4000],
    ])) {
      const lines = ticks(low, high);
      const [first = NaN, last = NaN] = [lines[0], lines.at(-1)];
      assert.ok(first <= low && last >= high && first < last, `${low} ${high}: ${lines}`);
      assert.ok(lines.length >= 2 && lines.length <= 7, `${low} ${high}: ${lines}`);
      assert.ok(lines.every((line) => line % 10 === 0));
    }
  });
});

describe("settings", () => {
  test("have a name for each choice in the catalogue", () => {
    const english = JSON.parse(readFileSync(new URL("../i18n/settings/en.json", import.meta.url), "utf8"));
    for (const [name, values] of Object.entries(SETTINGS)) {
      for (const key of [`settings.${name}`, ...values.map((value) => `settings.${name}.${value}`)]) assert.ok(key in english, key);
    }
  });

  test("look the same before the first paint as when they are chosen", () => {
    const script = readFileSync(new URL("../theme.js", import.meta.url), "utf8");
    /** The attributes that `theme.js` sets on the document. @param {Record<string, string>} chosen @param {string} [query] of the device */
    const marks = (chosen, query = "") => {
      /** @type {Record<string, string>} */
      const dataset = { words: "en" };
      const documentElement = { dataset, lang: "en", classList: { add() {} } };
      const currentScript = { src: "https://mawe.example/v/1/theme.js" };
      const document = { currentScript, documentElement, head: { append() {} }, createElement: () => ({}) };
      const localStorage = { getItem: (/** @type {string} */ key) => (key === "mawe.settings" ? JSON.stringify(chosen) : null) };
      const addEventListener = () => {};
      const navigator = { languages: ["en"] };
      const matchMedia = (/** @type {string} */ media) => ({ matches: media === query });
      const location = { pathname: "/", search: "" };
      runInContext(
        script,
        createContext({ addEventListener, document, localStorage, location, matchMedia, navigator, URL, URLSearchParams }),
      );
      delete dataset.words;
      return dataset;
    };
    const names = /** @type {const} */ (["theme", "board", "pieces", "motion"]);
    for (const name of names) {
      const [usual, ...others] = SETTINGS[name];
      assert.deepEqual(marks({ [name]: usual }), {}, `${name}: the usual, chosen`);
      for (const other of others) assert.deepEqual(marks({ [name]: other }), { [name]: other });
    }
    const forced = "(forced-colors: active)";
    assert.deepEqual(marks({}, forced), { pieces: "clear" });
    assert.deepEqual(marks({ pieces: "clay" }, forced), { pieces: "clay" });
    assert.deepEqual(marks({ pieces: "natural" }, forced), {});
  });
});
