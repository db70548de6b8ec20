// @ts-check
// Catalogues that are fetched at the same time: a load that is overtaken ends with the later one, whose texts contain its own.
import assert from "node:assert/strict";
import { test } from "node:test";

import { hasRest, loadLanguage, loadPart, t } from "../core/i18n.js";

test("a part's texts are there when its load is done, also if another load has overtaken it", async () => {
  /** @type {(() => void)[]} */
  const answers = [];
  const real = globalThis.fetch;
  globalThis.fetch = (address) =>
    new Promise((resolve) => {
      const name = new URL(String(address)).pathname.split("/i18n/")[1] ?? "";
      answers.push(() => resolve(Response.json({ [`of.${name.split("/")[0]}`]: name })));
    });
  try {
    let isDone = false;
    const first = loadPart("study").then(() => {
      isDone = true;
    });
    const second = loadPart("rules");
    assert.equal(answers.length, 2 + 3);
    // The first load has all its answers, and is overtaken.
    for (const answer of answers.splice(0, 2)) answer();
    await new Promise(setImmediate);
    assert.equal(isDone, false);
    for (const answer of answers) answer();
    await Promise.all([first, second]);
    assert.deepEqual([t("of.study"), t("of.rules")], ["study/en.json", "rules/en.json"]);
  } finally {
    globalThis.fetch = real;
  }
});

test("a load that fails after another has overtaken it ends with the other", async () => {
  const real = globalThis.fetch;
  // Without a network the device has the reader's language only.
  globalThis.fetch = async (address) => {
    const name = new URL(String(address)).pathname.split("/i18n/")[1] ?? "";
    if (!name.endsWith("sw.json")) throw new TypeError("no network");
    return Response.json({ [`of.${name.split("/")[0]}`]: name });
  };
  try {
    const part = loadPart("play");
    await loadLanguage("sw", { whole: true });
    await part;
    assert.deepEqual([t("of.play"), t("of.rest"), hasRest()], ["play/sw.json", "rest/sw.json", true]);
  } finally {
    globalThis.fetch = real;
  }
});
