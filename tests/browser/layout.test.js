// @ts-check
// Every screen in every language, at six sizes of window and with text of twice the size: nothing is wider than the window, no text is cut,
// nothing to press lies upon another.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { LANGUAGES } from "../../static/core/i18n.js";
import { API_PAGES, fillServer, showApiPage, showScreen, unseen } from "./every-screen.js";
import { faults, PRESSED } from "./layout.js";
import { drawn, startBrowser, startServer, visitor } from "./support.js";

/** @import { BrowserContextOptions, Page } from "playwright-core" */
/** @import { Screen } from "./every-screen.js" */
/** @import { Visitor } from "./support.js" */

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 640 };
const SIZES = [
  { width: 1920, height: 1080 },
  { width: 768, height: 1024 },
  { width: 640, height: 360 },
  { width: 320, height: 640 },
  PHONE,
];
/** The size of text that a browser begins with, and the one for readers who have set twice of it: `rem` and the sheets' `em` follow it. */
const [USUAL_TEXT, LARGE_TEXT] = [16, 32];
/** The look in which a screen is opened. */
const OPENING = { size: WIDE, text: USUAL_TEXT };
/**
 * How large the picture of the other looks is, which nobody sees: a small one takes a third of the time away. The sizes of the layout stay, but
 * the driver cannot press anything.
 */
const PICTURE_SCALE = 0.05;
const LOOKS = [
  OPENING,
  ...SIZES.map((size) => ({ size, text: USUAL_TEXT })),
  { size: WIDE, text: LARGE_TEXT },
  { size: PHONE, text: LARGE_TEXT },
];
/** Of them, for words that no reader sees: where there is much room, where there is least, and where letters are largest. */
const FEW_LOOKS = LOOKS.filter((look) => look === OPENING || look.size.width === 320 || (look.size === PHONE && look.text === LARGE_TEXT));
/** A board of another size has its pieces in place a frame or two later: faults count once they have stayed for so many frames. */
const STEADY_FRAMES = 40;

/** Texts with longer words, like those of German: half as long again. @param {string} text */
const stretched = (text) =>
  text.replace(/\{\w+\}|\p{L}{4,}/gu, (word) =>
    word.startsWith("{") ? word : word + word.toLowerCase().slice(0, Math.ceil(word.length / 2)),
  );

/** Makes all words of a page longer. @param {Page} page */
async function stretchWords(page) {
  // The catalogue in the document is in no file of its own.
  await page.addInitScript(() =>
    document.addEventListener("readystatechange", () => {
      for (const words of document.querySelectorAll("script[data-catalogue]")) words.remove();
    }),
  );
  await page.route("**/i18n/**/en.json", async (route) => {
    const answer = await route.fetch();
    const json = Object.fromEntries(Object.entries(await answer.json()).map(([key, text]) => [key, stretched(String(text))]));
    await route.fulfill({ response: answer, json });
  });
}

/** The faults of a page that do not go away. @param {Page} page */
async function steadyFaults(page) {
  await drawn(page);
  let found = await page.evaluate(faults, PRESSED);
  for (let frame = 0; found.length > 0 && frame < STEADY_FRAMES; frame += 2) {
    await drawn(page);
    found = await page.evaluate(faults, PRESSED);
  }
  return found;
}

/**
 * Returns a function that sets the size of the window and of the text. It sends two messages, and one for most looks: the functions of the
 * driver send more, and there are thousands of looks.
 * @param {Page} page
 */
async function createLook(page) {
  const devtools = await page.context().newCDPSession(page);
  let now = OPENING;
  return async (/** @type {typeof OPENING} */ look) => {
    const [before, { size, text }] = [now, look];
    now = look;
    if (text !== before.text) await devtools.send("Page.setFontSizes", { fontSizes: { standard: text } });
    const scale = look === OPENING ? 1 : PICTURE_SCALE;
    if (size !== before.size || look === OPENING || before === OPENING)
      await devtools.send("Emulation.setDeviceMetricsOverride", { ...size, deviceScaleFactor: 1, mobile: false, scale });
  };
}

/**
 * Shows each screen once, in windows of these sizes.
 * @param {Page} page
 * @param {readonly Screen[]} screens
 * @param {typeof LOOKS} looks
 * @returns {Promise<{ paths: string[], found: string[] }>}
 */
async function walk(page, screens, looks) {
  const [paths, found] = [/** @type {string[]} */ ([]), /** @type {string[]} */ ([])];
  await page.goto("/about");
  const look = await createLook(page);
  for (const screen of screens) {
    paths.push(await showScreen(page, screen));
    for (const one of looks) {
      await look(one);
      for (const fault of await steadyFaults(page))
        found.push(`${screen.name}, ${one.size.width}×${one.size.height}, text of ${one.text} px: ${fault}`);
    }
    await look(OPENING);
  }
  return { paths, found };
}

describe("every screen has room", { concurrency: 2 }, () => {
  /** @type {Awaited<ReturnType<typeof startServer>>} */
  let server;
  /** @type {Awaited<ReturnType<typeof startBrowser>>} */
  let browser;
  /** @type {Awaited<ReturnType<typeof fillServer>>} */
  let filled;
  /** @type {Visitor[]} */
  const seeders = [];

  /** @param {BrowserContextOptions} [options] */
  const visit = (options) => visitor(browser, server, { viewport: WIDE, reducedMotion: "reduce", ...options });

  before(async () => {
    [server, browser] = await Promise.all([startServer(["--spectator-delay", "0", "--operator-page"]), startBrowser()]);
    const seed = async (/** @type {BrowserContextOptions | undefined} */ options) => {
      const one = await visit(options);
      seeders.push(one);
      return one;
    };
    filled = await fillServer(seed, (...words) => server.admin(...words));
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  test("and the home page stands still when the numbers of players and matches come", async () => {
    for (const locale of Object.keys(LANGUAGES)) {
      const { page, context } = await visit({ locale });
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
      await context.close();
    }
  });

  test("and the header of a moderator with the longest name has one line, with text of twice the size too", async () => {
    for (const locale of Object.keys(LANGUAGES)) {
      const { page, context } = await visit({ locale, storageState: filled.session });
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
      await context.close();
    }
  });

  test("and so have the pages of the API", async () => {
    const { page, context, complaints } = await visit();
    const look = await createLook(page);
    const found = [];
    for (const screen of API_PAGES) {
      await showApiPage(page, screen);
      for (const one of LOOKS) {
        await look(one);
        for (const fault of await steadyFaults(page))
          found.push(`${screen.path}, ${one.size.width}×${one.size.height}, text of ${one.text} px: ${fault}`);
      }
      await look(OPENING);
    }
    await context.close();
    assert.deepEqual(complaints, []);
    assert.deepEqual(found, []);
  });

  for (const language of [...Object.keys(LANGUAGES), "a language of long words"]) {
    const locale = language in LANGUAGES ? language : "en";
    test(`in ${language}`, async () => {
      const walks = await Promise.all(
        /** @type {const} */ (["visitor", "moderator"]).map(async (who) => {
          const one = await visit({ locale, ...(who === "moderator" && { storageState: filled.session }) });
          if (language !== locale) await stretchWords(one.page);
          const walked = await walk(one.page, filled.screens[who], language === locale ? LOOKS : FEW_LOOKS);
          assert.equal(await one.page.evaluate(() => document.documentElement.lang), locale);
          await one.context.close();
          assert.deepEqual(one.complaints, []);
          return walked;
        }),
      );
      const found = walks.flatMap(({ found: some }) => some);
      assert.equal(found.length, 0, `${found.length} faults:\n${found.join("\n")}`);
      assert.deepEqual(unseen(walks.flatMap(({ paths }) => paths)), [], "addresses that no screen of the list has");
    });
  }
});
