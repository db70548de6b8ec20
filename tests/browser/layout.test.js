// @ts-check
// Layouts in motion and at the edge, in every language: what stands still while a page is filled, and the line of the header.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { LANGUAGES } from "../../static/core/i18n.js";
import { ask, MODERATOR } from "./every-screen.js";
import { USUAL_TEXT, WIDE } from "./looks.js";
import { drawn, eventually, stage } from "./support.js";

describe("in every language", () => {
  const { visit, admin } = stage(["--operator-page"], { viewport: WIDE });

  test("the home page stands still when the numbers of players and matches come", async () => {
    const { page: present } = await visit();
    await ask(present, "POST", "/accounts", { name: "Present", password: "kiboko-na-twiga-7" });
    await present.goto("/about");
    await eventually(async () => (await ask(present, "GET", "/activity")).players > 0);
    for (const locale of Object.keys(LANGUAGES)) {
      const { page } = await visit({ locale });
      /** @type {() => void} */
      let release = () => {};
      /** @type {Promise<unknown>} */
      let released;
      await page.route("**/api/v1/activity", async (route) => {
        await released;
        await route.continue();
      });
      for (const width of [360, 412, 480, 768, 1280]) {
        released = new Promise((go) => {
          release = () => go(null);
        });
        await page.setViewportSize({ width, height: 823 });
        await page.goto("/");
        await page.locator(".tile-play:enabled").first().waitFor();
        const top = () => page.locator(".home-top").evaluate((el) => el.getBoundingClientRect().top);
        const before = await top();
        release();
        await page.locator(".life:not(.empty)").waitFor();
        await drawn(page);
        assert.equal(await top(), before, `${locale} at ${width} px`);
      }
    }
  });

  test("the header of a moderator with the longest name has one line, with text of twice the size too", async () => {
    const { page: seeder } = await visit();
    await ask(seeder, "POST", "/accounts", { name: MODERATOR, password: "kiboko-na-twiga-7" });
    for (const role of ["moderator", "operator", "teacher"]) await admin("grant", MODERATOR, role);
    const session = await seeder.context().storageState();
    for (const locale of Object.keys(LANGUAGES)) {
      const { page, context } = await visit({ locale, storageState: session });
      await page.goto("/about");
      await page.locator(".me.account").waitFor();
      const devtools = await context.newCDPSession(page);
      for (const [width, text] of /** @type {const} */ ([
        [360, USUAL_TEXT],
        [360, 2 * USUAL_TEXT],
        [320, 2 * USUAL_TEXT],
      ])) {
        await devtools.send("Page.setFontSizes", { fontSizes: { standard: text } });
        await page.setViewportSize({ width, height: 640 });
        await drawn(page);
        const parts = await page.evaluate(() =>
          ["header.site", ".brand", ".me", ".menu-button"].map((part) => document.querySelector(part)?.getBoundingClientRect().toJSON()),
        );
        const [header, ...others] = parts;
        const [least, most] = [Math.max(...others.map(({ top }) => top)), Math.min(...others.map(({ bottom }) => bottom))];
        assert.ok(least < most, `${locale}, ${width} px, text of ${text} px: ${JSON.stringify(parts)}`);
        assert.ok(
          others.every(({ left, right }) => left >= header.left && right <= header.right),
          `${locale}: ${JSON.stringify(parts)}`,
        );
      }
    }
  });
});
