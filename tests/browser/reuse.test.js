// @ts-check
// The contexts that tests use in turn: nothing of one test reaches the next.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { createPool } from "./reuse.js";
import { KEPT, startBrowser, startServer, visitor } from "./support.js";

/** @import { BrowserContextOptions } from "playwright-core" */
/** @import { Visitor } from "./support.js" */

/** What a page finds of earlier tests. @param {Visitor} visitor */
async function traces({ page, context }) {
  await page.goto("/about");
  const found = await page.evaluate(async () => ({
    local: localStorage.getItem("trace"),
    session: sessionStorage.getItem("trace"),
    databases: (await indexedDB.databases()).map(({ name }) => name).filter((name) => name === "trace"),
    caches: (await caches.keys()).filter((name) => name === "trace"),
    window: window.name,
    hover: document.querySelectorAll(":hover").length,
  }));
  const cookies = (await context.cookies()).filter(({ name }) => name === "trace");
  return { ...found, cookies: cookies.length, pages: context.pages().length, size: page.viewportSize() };
}

/** Leaves everything that a test can leave. @param {Visitor} visitor */
async function leaveTraces({ page, context }) {
  await page.goto("/about");
  await page.evaluate(async () => {
    localStorage.setItem("trace", "1");
    sessionStorage.setItem("trace", "1");
    await cookieStore.set("trace", "1");
    await caches.open("trace");
    await new Promise((opened) => {
      indexedDB.open("trace").onsuccess = opened;
    });
  });
  await context.newPage();
  await page.setViewportSize({ width: 500, height: 500 });
  await page.mouse.move(200, 200);
}

describe("a context that is used again", () => {
  /** @type {Awaited<ReturnType<typeof startServer>>} */
  let server;
  /** @type {Awaited<ReturnType<typeof startBrowser>>} */
  let browser;
  const pool = createPool(
    (options) => visitor(browser, server, options),
    () => server.url,
  );
  before(async () => {
    [server, browser] = await Promise.all([startServer(), startBrowser()]);
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  /** @type {BrowserContextOptions} */
  const options = { viewport: { width: 900, height: 700 } };

  test("has no trace of the test before", async () => {
    const one = await pool.take(options);
    const fresh = { ...(await traces(one)), hover: 0 };
    await leaveTraces(one);
    // The traces are there: a test that looks for them in vain would show nothing.
    const left = await traces(one);
    assert.deepEqual(
      [left.local, left.session, left.databases, left.caches, left.cookies, left.pages],
      ["1", "1", ["trace"], ["trace"], 1, 2],
    );
    assert.deepEqual(await pool.giveBack(one), []);
    const again = await pool.take(options);
    assert.ok(again === one);
    assert.deepEqual(await traces(again), fresh);
    await pool.giveBack(again);
  });

  test("gives each error of its page to one test alone", async () => {
    const one = await pool.take(options);
    await one.page.goto("/about");
    const thrown = one.page.waitForEvent("pageerror");
    await one.page.evaluate(() => void setTimeout(() => reportError(new Error("an error of this test"))));
    await thrown;
    assert.match(String(await pool.giveBack(one)), /an error of this test/);
    const again = await pool.take(options);
    assert.ok(again === one);
    assert.deepEqual(await pool.giveBack(again), []);
  });

  for (const [what, act] of /** @type {[string, (visitor: Visitor) => Promise<unknown> | void][]} */ ([
    ["a script for each document", ({ page }) => page.addInitScript(() => {}).then(() => {})],
    ["a route", ({ context }) => context.route("**/none", () => {}).then(() => {})],
    ["no network", ({ context }) => context.setOffline(true)],
    ["other media", ({ page }) => page.emulateMedia({ media: "print" })],
    ["a session of the devtools", ({ page, context }) => context.newCDPSession(page)],
    ["a listener", ({ page }) => void page.on("request", () => {})],
    ["a page that is closed", ({ page }) => page.close()],
  ]))
    test(`is closed where a test leaves ${what}`, async () => {
      const one = await pool.take(options);
      await act(one);
      await pool.giveBack(one);
      assert.equal(browser.contexts().includes(one.context), false);
      const next = await pool.take(options);
      assert.ok(next !== one);
      await pool.giveBack(next);
    });

  test("has the options that are asked for, and never a worker", async () => {
    const one = await pool.take(options);
    await pool.giveBack(one);
    const other = await pool.take({ ...options, locale: "sw" });
    assert.ok(other !== one);
    await pool.giveBack(other);
    const kept = await pool.take({ ...options, ...KEPT });
    await pool.giveBack(kept);
    assert.ok((await pool.take({ ...options, ...KEPT })) !== kept);
  });
});
