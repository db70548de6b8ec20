// @ts-check
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { SETTINGS } from "../core/settings.js";
import { ticks } from "../views/chart.js";
import { readFileSync } from "node:fs";

describe("a chart's lines across", () => {
  test("are round, few, and hold all that is drawn between the first and the last", () => {
    for (const [low, high] of /** @type {[number, number][]} */ ([[1500, 1500], [1338.2, 1567.4], [1500, 1503], [800, 2600], [0, 4000]])) {
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
    const english = JSON.parse(readFileSync(new URL("../i18n/en.json", import.meta.url), "utf8"));
    for (const [name, values] of Object.entries(SETTINGS)) {
      for (const key of [`settings.${name}`, ...values.map((value) => `settings.${name}.${value}`)]) assert.ok(key in english, key);
    }
  });
});
