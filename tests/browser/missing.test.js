// @ts-check
// Addresses without content: the page says so in the reader's language, and the status is 404.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { stage } from "./support.js";

describe("where nothing is", () => {
  const { visit } = stage();

  for (const [locale, title] of [
    ["en", "Nothing here"],
    ["pl", "Nic tu nie ma"],
    ["sw", "Hakuna kitu hapa"],
    ["ml", "ഇവിടെ ഒന്നുമില്ല"],
  ]) {
    test(`${locale}: the page says so, before its scripts are there and after`, async () => {
      const { page } = await visit({ locale });
      const answer = await page.goto("/no/such/page");
      assert.equal(answer?.status(), 404);
      assert.match((await answer?.text()) ?? "", new RegExp(`<h1>${title}</h1>`));
      await page.getByRole("heading", { level: 1, name: title }).waitFor();
      await page.locator("main:not(.early)").waitFor();
      assert.equal(await page.getByRole("heading", { level: 1 }).textContent(), title);
      assert.equal(await page.locator("html").getAttribute("lang"), locale);
    });
  }

  test("a match and a player that are not there are said to be missing by their own pages", async () => {
    const { page } = await visit();
    for (const path of ["/match/AAAAAAAAAAAA", "/player/Nobody"]) {
      const answer = await page.goto(path);
      assert.equal(answer?.status(), 404, path);
      await page.getByRole("heading", { level: 1, name: "Nothing here" }).waitFor();
    }
  });
});
