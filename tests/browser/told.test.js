// @ts-check
// The notices above the page: the operator's, and a moderator's message to a player.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";

import { chooseLanguage, finds, stage } from "./support.js";

const folder = mkdtempSync(join(tmpdir(), "mawe-banner-"));
const picture = join(folder, "cup.png");
writeFileSync(
  picture,
  Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64"),
);

describe("the operator's notice", () => {
  after(() => rmSync(folder, { recursive: true, force: true }));
  const words = "The cup begins on Friday <b>";
  const { visit } = stage(["--banner-text", words, "--banner-link", "https://example.org/cup", "--banner-picture", picture]);

  test("is one marked line under the header, in the reader's language, and moves nothing", async () => {
    const { page } = await visit();
    await page.goto("/rules/mawe");
    const banner = page.getByRole("complementary", { name: "From the operator" });
    await banner.waitFor();
    const link = banner.getByRole("link", { name: words });
    assert.equal(await link.getAttribute("href"), "https://example.org/cup");
    assert.match((await link.getAttribute("rel")) ?? "", /noopener.*sponsored/);
    await page.waitForFunction(() => /** @type {HTMLImageElement | null} */ (document.querySelector(".banner img"))?.naturalWidth === 1);
    assert.equal(await page.evaluate(() => document.querySelector("header")?.nextElementSibling?.className), "banner");
    // Content stays at its height. (The header's texts move side by side.)
    const moved = await page.evaluate(
      () =>
        new Promise((resolve) => {
          /** @type {string[]} */
          const moved = [];
          new PerformanceObserver((list) => {
            const sources = list.getEntries().flatMap((entry) => /** @type {any} */ (entry).sources);
            for (const { node, previousRect, currentRect } of sources)
              if (previousRect.y !== currentRect.y) moved.push(node?.outerHTML ?? "gone");
          }).observe({ type: "layout-shift", buffered: true });
          setTimeout(() => resolve(moved), 300);
        }),
    );
    assert.deepEqual(moved, []);
    for (const [language, label] of [
      ["sw", "Kutoka kwa mwendeshaji"],
      ["pl", "Od operatora"],
      ["ml", "സെർവർ നടത്തിപ്പുകാരിൽ നിന്ന്"],
    ]) {
      await chooseLanguage(page, /** @type {string} */ (language));
      await page.getByRole("complementary", { name: label }).waitFor();
    }
  });

  test("fits a small screen, and goes when the one who comes in has none", async () => {
    const { page } = await visit({ viewport: { width: 320, height: 640 } });
    await page.goto("/");
    await page.locator(".banner").waitFor();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    // The server's answer for an account with premium.
    await page.route("**/api/v1/banner", (route) => route.fulfill({ json: { banner: null } }));
    await page.goto("/register");
    await page.getByLabel("Name").fill("Tajiri");
    await page.getByLabel("Password").fill("korosho na maembe");
    await page.locator("main form button").last().click();
    await page.locator(".me.account").waitFor();
    await page.locator(".banner").waitFor({ state: "hidden" });
  });
});

describe("a word from a moderator", () => {
  const { visit } = stage();
  const notice = {
    id: "4fWq8ZtLm1Bs",
    kind: "muted",
    text: "That was too much <b>.",
    until: "2031-11-27T18:00:00Z",
    at: "2030-11-20T18:00:00Z",
  };

  test("is shown at every visit until it is read", async () => {
    const { page } = await visit();
    let waiting = [notice];
    /** @type {string[]} */
    const read = [];
    await page.route("**/api/v1/me/notices?*", (route) => route.fulfill({ json: { items: waiting, unread: waiting.length } }));
    await page.route("**/api/v1/me/notices/read", (route) => {
      read.push(route.request().postData() ?? "");
      waiting = [];
      return route.fulfill({ status: 204 });
    });
    await page.request.post("/api/v1/guests", { data: {}, headers: { "content-type": "application/json" } });
    await page.goto("/");
    const word = page.getByRole("group", { name: "Word from a moderator" });
    await word.getByText("That was too much <b>.").waitFor();
    assert.match((await word.textContent()) ?? "", /2031/);
    await page.reload();
    await word.getByRole("button", { name: "Close" }).click();
    await word.waitFor({ state: "hidden" });
    assert.deepEqual(read, [JSON.stringify({ id: notice.id })]);
    await page.reload();
    await page.locator("h1").first().waitFor();
    await finds(word, 0);
  });
});
