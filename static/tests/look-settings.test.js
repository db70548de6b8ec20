// @ts-check
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { AVATARS, FLAGS } from "../views/look-settings.js";

const names = (/** @type {string} */ folder) =>
  readdirSync(new URL(`../looks/${folder}/`, import.meta.url)).map((file) => file.replace(/\.svg$/, ""));

test("the settings offer the avatars and flags that there are", () => {
  assert.deepEqual([...AVATARS].sort(), names("avatars").sort());
  assert.deepEqual(FLAGS, names("flags").sort());
});

test("every country has a name in every language", () => {
  for (const language of ["en", "sw", "pl", "ml"]) {
    const known = new Intl.DisplayNames(language, { type: "region" });
    for (const code of FLAGS) assert.notEqual(known.of(code), code, `${language} ${code}`);
  }
});

test("every avatar has a word in every language", () => {
  for (const language of ["en", "sw", "pl", "ml"]) {
    const words = JSON.parse(readFileSync(new URL(`../i18n/settings/${language}.json`, import.meta.url), "utf8"));
    for (const name of AVATARS) assert.ok(words[`avatar.${name}`], `${language} ${name}`);
  }
});
