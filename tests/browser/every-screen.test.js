// @ts-check
// Every screen, opened once: it has room in every language and size of window, axe finds nothing, and the keyboard reaches everything in view.
// To open a screen costs more than any of these, so one walk does them all.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { faultsOf, judge, tell } from "./axe.js";
import { API_PAGES, fillServer, showApiPage, showScreen, unseen } from "./every-screen.js";
import { createWalk } from "./keyboard.js";
import { createLooks, NARROW, OPENING, PHONE, prepareLooks, USUAL_TEXT, WIDE } from "./looks.js";
import { drawn, startBrowser, startServer, visitor } from "./support.js";

/** @import { BrowserContextOptions, Page } from "playwright-core" */
/** @import { Look } from "./looks.js" */
/** @import { Visitor } from "./support.js" */

/** A phone for axe, in which a driver can press. */
const PRESSED_PHONE = { size: { width: 360, height: 740 }, text: USUAL_TEXT, isPressed: true };
/** The sizes in which the keyboard goes through a screen. */
const WALKED = [WIDE, PHONE].map((size) => ({ size, text: USUAL_TEXT }));

/** The checks of the screens of a page whose document is loaded. @param {Page} page @param {{ speaks: boolean }} options */
async function createChecks(page, { speaks }) {
  const [looks, walk] = await Promise.all([createLooks(page, { speaks }), createWalk(page)]);
  /** Of each check: a test tells them all. */
  const found = { room: /** @type {string[]} */ ([]), axe: /** @type {string[]} */ ([]), keyboard: /** @type {string[]} */ ([]) };
  let steps = 0;

  /** The keyboard alone. @param {string} name */
  async function goThrough(name) {
    for (const look of WALKED) {
      await looks.set(look);
      await drawn(page);
      const gone = await walk();
      steps += gone.steps;
      found.keyboard.push(...gone.found.map((fault) => `${name}, ${look.size.width}×${look.size.height}: ${fault}`));
    }
    await looks.set(OPENING);
  }

  return {
    found,
    looks,
    goThrough,
    steps: () => steps,
    /** All of them. @param {string} name of the screen that the page shows @param {readonly Look[]} [of] the looks of the layout */
    async all(name, of) {
      found.axe.push(...(await faultsOf(page, name, "wide")));
      found.room.push(...(await looks.faults(of)).map((fault) => `${name}, ${fault}`));
      if (speaks) await looks.speak("ml");
      await looks.set({ ...PRESSED_PHONE, isPressed: false });
      await drawn(page);
      found.axe.push(...(await faultsOf(page, name, "phone")));
      if (speaks) await looks.speak("en");
      await goThrough(name);
    },
  };
}

describe("every screen", () => {
  /** @type {Awaited<ReturnType<typeof startServer>>} */
  let server;
  /** @type {Awaited<ReturnType<typeof startBrowser>>} */
  let browser;
  /** @type {Awaited<ReturnType<typeof fillServer>>} */
  let filled;
  /** @type {string[]} */
  const paths = [];

  /** @param {BrowserContextOptions} [options] @returns {Promise<Visitor>} */
  const visit = (options) => visitor(browser, server, { viewport: WIDE, ...options });

  before(async () => {
    [server, browser] = await Promise.all([startServer(["--spectator-delay", "0", "--operator-page"]), startBrowser()]);
    filled = await fillServer(visit, (...words) => server.admin(...words));
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  describe("has room in every language and size, axe finds nothing, and the keyboard reaches what is in view", { concurrency: 3 }, () => {
    for (const who of /** @type {const} */ (["visitor", "moderator"])) {
      test(`for a ${who}`, async () => {
        const { page, context, complaints } = await visit(who === "moderator" ? { storageState: filled.session } : {});
        await prepareLooks(page);
        await page.goto("/about");
        const checks = await createChecks(page, { speaks: true });
        const screens = filled.screens[who];
        for (const screen of screens) {
          paths.push(await showScreen(page, screen));
          await checks.all(screen.name);
        }
        if (who === "visitor") {
          // The bar of the last screen stays above every page.
          await page.locator(".news.wait").waitFor();
          for (const screen of screens.filter(({ path }) => ["/", "/play", "/about", "/rules/oware"].includes(String(path)))) {
            await showScreen(page, screen);
            await checks.goThrough(`${screen.name} while waiting for a stranger`);
          }
        }
        await context.close();
        assert.deepEqual(complaints, []);
        assert.deepEqual(checks.found, { room: [], axe: [], keyboard: [] });
        assert.ok(checks.steps() > 800, `${checks.steps()} stops`);
      });
    }

    test("on the pages of the API", async () => {
      const { page, context, complaints } = await visit();
      await prepareLooks(page);
      await page.goto("/api/docs");
      const checks = await createChecks(page, { speaks: false });
      for (const screen of API_PAGES) {
        await showApiPage(page, screen);
        await checks.all(screen.path);
      }
      for (const look of [OPENING, PRESSED_PHONE]) {
        await checks.looks.set(look);
        await page.keyboard.press("Escape");
        const search = page.getByRole("combobox", { name: "Search the API" });
        await search.fill("match");
        await page.getByRole("option").first().waitFor();
        await judge(page, "/api/docs, the search", `${look.size.width} px`);
        await search.fill("");
      }
      await page.getByRole("button", { name: "Pages" }).click();
      await judge(page, "/api/docs, the drawer", "phone");
      await context.close();
      assert.deepEqual(complaints, []);
      assert.deepEqual(checks.found, { room: [], axe: [], keyboard: [] });
      assert.ok(checks.steps() > 400, `${checks.steps()} stops`);
    });
  });

  test("is checked by what finds faults", async () => {
    const { page, context } = await visit();
    await prepareLooks(page);
    await page.goto("/about");
    const checks = await createChecks(page, { speaks: true });
    await page.evaluate(() => {
      const title = /** @type {Element} */ (document.querySelector("main h1"));
      const cover = Object.assign(document.createElement("div"), { className: "test-cover" });
      cover.style.cssText = "position: fixed; inset: 0; z-index: 999";
      const [skipped, next] = ["Skipped", "Next"].map((text) => Object.assign(document.createElement("button"), { textContent: text }));
      skipped?.addEventListener("focus", () => next?.focus());
      const wide = Object.assign(document.createElement("p"), { textContent: "Wide" });
      wide.style.cssText = "inline-size: 3000px";
      title.after(title.cloneNode(true), wide, document.createElement("img"), ...[skipped, next].filter((one) => one !== undefined), cover);
    });
    // A fault is waited for, so in few looks.
    await checks.all("broken", [OPENING, { size: NARROW, text: USUAL_TEXT }]);
    await context.close();
    const { room, axe, keyboard } = checks.found;
    for (const [found, fault] of /** @type {[string[], RegExp][]} */ ([
      [room, /^broken, 320×640, text of 16 px, ml: the page is \d+ px too wide/],
      [room, /^broken, 1280×800, text of 16 px, pl: “.*” is left from another language/],
      [axe, /^broken, light, wide: critical image-alt/],
      [axe, /^broken, dark, phone: critical image-alt|^broken, light, phone: critical image-alt/],
      [keyboard, /^broken, 360×640: Tab: button\. “Skipped” is not reached/],
      [keyboard, /^broken, 1280×800: Shift\+Tab: button\. “Next” is behind div\.test-cover/],
    ]))
      assert.ok(
        found.some((one) => fault.test(one)),
        `${fault} is not among ${found.join("\n")}`,
      );
  });

  test("is in the list, and axe has judged it", () => {
    assert.deepEqual(unseen(paths), [], "addresses that no screen of the list has");
    tell(380);
  });
});
