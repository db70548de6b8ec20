// @ts-check
// The focus is in view: no element that a keyboard reaches is wholly behind a part that stays in place (WCAG 2.2, 2.4.11).
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { API_PAGES, fillServer, showApiPage, showScreen } from "./every-screen.js";
import { drawn, startBrowser, startServer, visitor } from "./support.js";

/** @import { BrowserContextOptions, Page } from "playwright-core" */

const SIZES = [
  { width: 1280, height: 800 },
  { width: 360, height: 640 },
];

/** More than any screen has to press: what is reached after these is not looked at. */
const MOST_STEPS = 150;

/**
 * The fault of the element that has the focus: empty if a part of it is in view, null where the focus has gone round the page.
 * @param {{ isFirst: boolean }} step
 */
function faultOfFocus({ isFirst }) {
  const page = /** @type {Window & { reached?: Set<Element> }} */ (window);
  if (isFirst) page.reached = new Set();
  const el = document.activeElement;
  if (!el || el === document.body || page.reached?.has(el)) return null;
  page.reached?.add(el);
  const box = el.getBoundingClientRect();
  const named = `${el.localName}.${el.getAttribute("class") ?? ""} “${(el.getAttribute("aria-label") ?? el.textContent ?? "").trim().slice(0, 40)}”`;
  const [left, top] = [Math.max(0, box.left), Math.max(0, box.top)];
  const [right, bottom] = [Math.min(innerWidth, box.right), Math.min(innerHeight, box.bottom)];
  // The browser has scrolled to it; what the engine finds meanwhile may move it.
  if (right <= left || bottom <= top) return "";
  let cover = null;
  for (const x of [0.05, 0.25, 0.5, 0.75, 0.95]) {
    for (const y of [0.05, 0.25, 0.5, 0.75, 0.95]) {
      const hit = document.elementFromPoint(left + x * (right - left), top + y * (bottom - top));
      if (!hit || el.contains(hit) || hit.contains(el)) return "";
      cover = hit;
    }
  }
  return `${named} is behind ${cover?.localName}.${cover?.getAttribute("class") ?? ""}`;
}

/** Goes through a screen by the keyboard, forward and back. @param {Page} page */
async function faults(page) {
  /** @type {string[]} */
  const found = [];
  let steps = 0;
  for (const key of ["Tab", "Shift+Tab"]) {
    for (let step = 0; step < MOST_STEPS; step++) {
      await page.keyboard.press(key);
      const fault = await page.evaluate(faultOfFocus, { isFirst: step === 0 });
      if (fault === null) break;
      steps += 1;
      if (fault !== "") found.push(`${key}: ${fault}`);
    }
  }
  return { found, steps };
}

describe("by the keyboard", { concurrency: 2 }, () => {
  /** @type {Awaited<ReturnType<typeof startServer>>} */
  let server;
  /** @type {Awaited<ReturnType<typeof startBrowser>>} */
  let browser;
  /** @type {Awaited<ReturnType<typeof fillServer>>} */
  let filled;

  before(async () => {
    [server, browser] = await Promise.all([startServer(["--spectator-delay", "0", "--operator-page"]), startBrowser()]);
    filled = await fillServer(
      (options) => visitor(browser, server, { reducedMotion: "reduce", ...options }),
      (...words) => server.admin(...words),
    );
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  for (const viewport of SIZES) {
    for (const who of /** @type {const} */ (["visitor", "moderator"])) {
      test(`a ${who} sees what has the focus, at ${viewport.width}×${viewport.height}`, async () => {
        /** @type {BrowserContextOptions} */
        const options = { viewport, reducedMotion: "reduce", ...(who === "moderator" && { storageState: filled.session }) };
        const { page, context, complaints } = await visitor(browser, server, options);
        await page.goto("/about");
        /** @type {string[]} */
        const found = [];
        let steps = 0;
        const look = async (/** @type {string} */ name) => {
          await drawn(page);
          const walked = await faults(page);
          steps += walked.steps;
          found.push(...walked.found.map((fault) => `${name}: ${fault}`));
        };
        for (const screen of filled.screens[who]) {
          await showScreen(page, screen);
          await look(screen.name);
        }
        // The bar of the last screen stays above every page.
        if (who === "visitor") {
          await page.locator(".news.wait").waitFor();
          for (const screen of filled.screens.visitor.filter(({ path }) =>
            ["/", "/play", "/about", "/rules/oware"].includes(String(path)),
          )) {
            await showScreen(page, screen);
            await look(`${screen.name} while waiting for a stranger`);
          }
        }
        await context.close();
        assert.ok(steps > 200, `${steps}`);
        assert.deepEqual(complaints, []);
        assert.deepEqual(found, []);
      });
    }
    test(`a programmer sees what has the focus on the pages of the API, at ${viewport.width}×${viewport.height}`, async () => {
      const { page, context, complaints } = await visitor(browser, server, { viewport, reducedMotion: "reduce" });
      const found = [];
      let steps = 0;
      for (const screen of API_PAGES) {
        await showApiPage(page, screen);
        const walked = await faults(page);
        steps += walked.steps;
        found.push(...walked.found.map((fault) => `${screen.path}: ${fault}`));
      }
      await context.close();
      assert.ok(steps > 200, `${steps}`);
      assert.deepEqual(complaints, []);
      assert.deepEqual(found, []);
    });
  }
});
