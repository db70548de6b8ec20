// @ts-check
// A walk through a group of screens: each has room in every language and size of window, axe finds nothing on it, and the keyboard reaches
// everything in view. To open a screen costs more than any of these, so one walk does them all.
//
// The files of these walks take longest of all, so their names put them near the front: Node starts the files of tests in the order of names.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { faultsOf, tell } from "./axe.js";
import { fillServer, showScreen } from "./every-screen.js";
import { createWalk } from "./keyboard.js";
import { createLooks, OPENING, PHONE, prepareLooks, USUAL_TEXT, WIDE } from "./looks.js";
import { GROUPS } from "./screen-groups.js";
import { drawn, startBrowser, startServer, visitor } from "./support.js";

/** @import { BrowserContextOptions, Page } from "playwright-core" */
/** @import { Look } from "./looks.js" */
/** @import { GroupName } from "./screen-groups.js" */

/** The server's options for every screen: a spectator sees a match as it is, and operators have their page. */
const SERVER = ["--spectator-delay", "0", "--operator-page"];
/** Each screen is judged wide and as a phone, and in both colour schemes. */
const JUDGEMENTS = 4;
/** The least number of stops on a screen in four rounds by the keyboard: the header alone has ten. */
const FEWEST_STOPS = 40;

/** A phone for axe, in which a driver can press. */
export const PRESSED_PHONE = { size: { width: 360, height: 740 }, text: USUAL_TEXT, isPressed: true };
/** The sizes in which the keyboard goes through a screen. */
const WALKED = [WIDE, PHONE].map((size) => ({ size, text: USUAL_TEXT }));

/** The checks of the screens of a page whose document is loaded. @param {Page} page @param {{ speaks: boolean }} options */
export async function createChecks(page, { speaks }) {
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

/** A server and a browser for walks. Must be called inside `describe`. */
export function walkingStage() {
  /** @type {Awaited<ReturnType<typeof startServer>>} */
  let server;
  /** @type {Awaited<ReturnType<typeof startBrowser>>} */
  let browser;
  before(async () => {
    [server, browser] = await Promise.all([startServer(SERVER), startBrowser()]);
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });
  return {
    /** @param {BrowserContextOptions} [options] */
    visit: (options) => visitor(browser, server, { viewport: WIDE, ...options }),
    /** @param {...string} words */
    admin: (...words) => server.admin(...words),
  };
}

/**
 * Asserts that a walk has found nothing, and has looked at all screens.
 * @param {Awaited<ReturnType<typeof createChecks>>} checks
 * @param {number} screens
 */
export function conclude(checks, screens) {
  assert.deepEqual(checks.found, { room: [], axe: [], keyboard: [] });
  assert.ok(checks.steps() >= FEWEST_STOPS * screens, `${checks.steps()} stops on ${screens} screens`);
  tell(JUDGEMENTS * screens);
}

/** Walks through a group. @param {GroupName} name */
export function walkGroup(name) {
  describe(`every screen among ${name}`, () => {
    const { visit, admin } = walkingStage();

    test("has room in every language and size, axe finds nothing, and the keyboard reaches what is in view", async () => {
      const { session, filled } = await fillServer(visit, admin);
      const { who, screens: list } = GROUPS[name];
      const screens = list(filled);
      const { page, context, complaints } = await visit(who === "moderator" ? { storageState: session } : {});
      await prepareLooks(page);
      await page.goto("/about");
      const checks = await createChecks(page, { speaks: true });
      for (const screen of screens) {
        await showScreen(page, screen);
        await checks.all(screen.name);
      }
      await context.close();
      assert.deepEqual(complaints, []);
      conclude(checks, screens.length);
    });
  });
}
