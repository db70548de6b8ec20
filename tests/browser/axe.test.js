// @ts-check
// axe on every screen, wide and narrow, in both colour schemes, by the rules of WCAG 2.2 AA and by axe's own best practices: no violation of
// the former, no serious one of the latter. `MAWE_AXE=1` prints the report of docs/page.md.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";

import { GAMES } from "../../static/games/index.js";
import { API_PAGES, fillServer, showApiPage, showScreen, unseen } from "./every-screen.js";
import { recorded } from "./recorded.js";
import { focusOn, follow, playFirst, register, stage, startBrowser, startServer, visitor, waitForPlies } from "./support.js";

/** @import { Page } from "playwright-core" */
/** @import { AxeResults } from "axe-core" */

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PHONE = { width: 360, height: 740 };
const WIDE = { width: 1280, height: 800 };

/** The success criteria of WCAG 2.2 on the levels A and AA, as axe names them. */
const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
/** What is judged in the first scheme of a screen. */
const ALL = /** @type {const} */ ({ type: "tag", values: [...WCAG, "best-practice"] });
/** The rules that depend on colours: in the second scheme nothing else is another. */
const OF_COLOURS = /** @type {const} */ ({ type: "rule", values: ["color-contrast", "link-in-text-block"] });

/** @type {{ screen: string, look: string, rules: typeof ALL | typeof OF_COLOURS, passes: number, violations: string[] }[]} */
const report = [];
/** The rules that had something to look at on any screen. @type {Set<string>} */
const applied = new Set();

/** @param {Page} page @param {string} screen @param {string} look */
const judge = async (page, screen, look) => assert.deepEqual(await faultsOf(page, screen, look), []);

/** The scheme of a page: a switch costs a new picture of the page, so a screen begins with the last scheme of the screen before. @type {WeakMap<Page, "light" | "dark">} */
const schemes = new WeakMap();

/**
 * Judges a screen in both colour schemes.
 * @param {Page} page
 * @param {string} screen
 * @param {string} look
 * @returns {Promise<string[]>}
 */
async function faultsOf(page, screen, look) {
  await page.waitForFunction(() => document.querySelector("main h1, #content h1, h1") && !document.querySelector("[aria-busy]"));
  // What stays in view covers for the moment what is scrolled behind it: at the end of the page that is nothing.
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  const first = schemes.get(page) ?? "light";
  const second = first === "light" ? "dark" : "light";
  schemes.set(page, second);
  return [...(await judgeScheme(page, screen, look, first, ALL)), ...(await judgeScheme(page, screen, look, second, OF_COLOURS))];
}

/**
 * @param {Page} page
 * @param {string} screen
 * @param {string} look
 * @param {"light" | "dark"} colorScheme
 * @param {typeof ALL | typeof OF_COLOURS} only the rules
 */
async function judgeScheme(page, screen, look, colorScheme, only) {
  await page.emulateMedia({ colorScheme });
  // A colour in the middle of a transition would be measured as a wrong one.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getTiming().iterations !== Infinity)
        .map((animation) => animation.finished.catch(() => null)),
    ),
  );
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const { violations, passes } = /** @type {AxeResults} */ (
    await page.evaluate(async (runOnly) => {
      const { axe } = /** @type {any} */ (window);
      const options = { resultTypes: ["violations"], runOnly };
      // Selectors take a sixth of the time, and are for the report of a violation alone.
      const results = await axe.run(document, { ...options, selectors: false });
      return results.violations.length === 0 ? results : axe.run(document, options);
    }, only)
  );
  const told = violations.map(({ id, impact, tags, nodes }) => ({
    isFault: tags.some((tag) => WCAG.includes(tag)) || impact === "serious" || impact === "critical",
    text: `${impact} ${id}: ${nodes
      .map(({ target, failureSummary }) => `${target.join(" ")} (${failureSummary?.split("\n")[1]?.trim()})`)
      .slice(0, 4)
      .join("; ")}`,
  }));
  for (const { id } of passes) applied.add(id);
  report.push({ screen, look: `${colorScheme}, ${look}`, rules: only, passes: passes.length, violations: told.map(({ text }) => text) });
  return told.filter(({ isFault }) => isFault).map(({ text }) => `${screen}, ${colorScheme}, ${look}: ${text}`);
}

describe("axe finds nothing on any screen", { concurrency: 2 }, () => {
  /** @type {Awaited<ReturnType<typeof startServer>>} */
  let server;
  /** @type {Awaited<ReturnType<typeof startBrowser>>} */
  let browser;
  /** @type {Awaited<ReturnType<typeof fillServer>>} */
  let filled;
  before(async () => {
    [server, browser] = await Promise.all([startServer(["--spectator-delay", "0", "--operator-page"]), startBrowser()]);
    filled = await fillServer(
      () => visitor(browser, server),
      (...words) => server.admin(...words),
    );
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  for (const [look, options] of /** @type {const} */ ([
    ["wide", { viewport: WIDE }],
    ["phone", { viewport: PHONE, locale: "ml" }],
  ])) {
    test(look, async () => {
      const [paths, found] = [/** @type {string[]} */ ([]), /** @type {string[]} */ ([])];
      for (const who of /** @type {const} */ (["visitor", "moderator"])) {
        const session = who === "moderator" ? { storageState: filled.session } : {};
        const { page, context, complaints } = await visitor(browser, server, { ...options, ...session, reducedMotion: "reduce" });
        await page.goto("/about");
        for (const screen of filled.screens[who]) {
          paths.push(await showScreen(page, screen));
          found.push(...(await faultsOf(page, screen.name, look)));
        }
        await context.close();
        assert.deepEqual(complaints, []);
      }
      assert.deepEqual(found, []);
      assert.deepEqual(unseen(paths), [], "addresses that no screen of the list has");
    });
  }
});

describe("axe finds nothing in other states", () => {
  const { visit, table, admin } = stage(["--spectator-delay", "0"]);

  for (const [look, options] of /** @type {const} */ ([
    ["wide", { viewport: WIDE }],
    ["phone", { viewport: PHONE, locale: "ml" }],
  ])) {
    test(`of lessons, analysis and search: ${look}`, async () => {
      const { page } = await visit({ ...options, reducedMotion: "reduce" });
      await page.goto("/learn/mawe/pin");
      await page.locator(".actions button").last().click();
      await page.locator(".cell.hint").first().waitFor();
      await judge(page, "a task with its hint", look);
      for (const game of GAMES) {
        const { id } = game;
        const { moves } = recorded(game);
        await page.goto(`/analysis#${new URLSearchParams({ game: id, moves: moves.split(" ").slice(0, 12).join(" "), ply: "5" })}`);
        await page.locator(".engine select").selectOption("quick");
        await page.waitForFunction(() => document.querySelector(".counts .quiet")?.textContent === "");
        await page.locator(".worth details").evaluate((details) => details.setAttribute("open", ""));
        await page.locator(".side > details").evaluate((details) => details.setAttribute("open", ""));
        await page.locator(".copy-field").waitFor();
        await judge(page, `/analysis of ${id}`, look);
      }
      await follow(page, "/players");
      await page.getByRole("searchbox").pressSequentially("mawe");
      await page.locator(".found a").first().waitFor();
      await judge(page, "/players with players found", look);
    });

    test(`on what belongs to an account: ${look}`, async () => {
      const { page } = await visit({ ...options, locale: "en", reducedMotion: "reduce" });
      const name = `axe-${look.replaceAll(/\W+/g, "-")}`;
      await register(page, name);
      await page.goto("/settings");
      await page.locator(".new-token input[type=text]").fill("axe");
      await page.locator(".new-token button").click();
      await page.locator(".fresh input").waitFor();
      for (const pieces of ["clear", "clay"]) {
        await page.locator(`input[name=set-pieces][value=${pieces}]`).check();
        await judge(page, `/settings with ${pieces} pieces`, look);
      }
    });

    test(`on what moderators see: ${look}`, async () => {
      const { page } = await visit({ ...options, locale: "en", reducedMotion: "reduce" });
      const [name, other] = ["keeper", "bad"].map((word) => `${word}-${look.replaceAll(/\W+/g, "-")}`);
      const { page: reported } = await visit();
      await register(reported, String(other));
      await register(page, String(name));
      await admin("grant", String(name), "moderator");
      await page.goto(`/player/${other}/report`);
      await page.locator("select[name=reason]").selectOption("other");
      await page.locator("textarea").fill("Something is wrong.");
      await page.locator("main form button").click();
      await page.locator(".notice").waitFor();
      await judge(page, "/player/NAME/report when it is sent", look);
      await page.goto("/moderation");
      await page.locator(".reports .primary").last().click();
      await page.locator("select[name=action]").selectOption("rename");
      await judge(page, "/moderation", look);
      for (const part of ["resolved", "log"]) {
        await page.locator(`input[name=moderation-part][value=${part}]`).check();
        await judge(page, `/moderation, ${part}`, look);
      }
    });

    test(`on a game on this device: ${look}`, async () => {
      const { page } = await visit({ ...options, reducedMotion: "reduce" });
      await page.goto("/play");
      await page.locator("input[name=here]").check();
      await page.locator("form .primary").click();
      await page.waitForURL("**/device/*");
      await playFirst(page);
      await judge(page, "/device", look);
      await page.goto("/");
      await page.locator(".device-games li").waitFor();
      await judge(page, "/ with games on this device", look);
      await page.context().setOffline(true);
      await page.locator("header .line.down").waitFor();
      await judge(page, "/ without a network", look);
    });

    test(`on a match of every game: ${look}`, async () => {
      for (const { id } of GAMES) {
        const { page } = await visit({ ...options, locale: "en", reducedMotion: "reduce" });
        await page.goto("/play");
        await page.locator(`input[name=game][value=${id}]`).check();
        await page.locator("input[name=opponent][value=device]").check();
        await page.locator("form .primary").click();
        await page.locator(".match").waitFor();
        for (let ply = 0; ply < 2; ply++) await playFirst(page);
        await waitForPlies(page, 2);
        await focusOn(page.locator(".cell.start").first());
        await page.locator(".typed button").first().click();
        await judge(page, `a match of ${id}`, look);
        await page.getByRole("button", { name: "Resign" }).click();
        await page.getByRole("button", { name: "Really resign?" }).click();
        await page.locator(".status.over").waitFor();
        await judge(page, `the end of a match of ${id}`, look);
        await page.context().close();
      }
    });
  }

  test("with every bar that two at a match can see", async () => {
    const { first, second } = await table("Mawe!", { reducedMotion: "reduce" });
    await second.locator('.match [data-cell="c8"]').click();
    await second.locator('.match [data-cell="d7"]').click();
    await second.locator(".cell.ahead").first().waitFor();
    await judge(second, "a move ahead of the turn", "wide");
    await playFirst(first);
    await waitForPlies(first, 2);
    await second.getByRole("button", { name: "Offer a draw" }).click();
    await first.locator("main").getByText("Your opponent offers a draw.").waitFor();
    await second.getByRole("button", { name: "Say something" }).click();
    await judge(second, "phrases", "wide");
    await judge(first, "a draw is offered", "wide");
  });

  for (const [look, viewport] of /** @type {const} */ ([
    ["wide", WIDE],
    ["phone", PHONE],
  ]))
    test(`on the pages of the API: ${look}`, async () => {
      const { page } = await visit({ viewport, reducedMotion: "reduce" });
      for (const screen of API_PAGES) {
        await showApiPage(page, screen);
        await judge(page, screen.path, look);
      }
      await page.keyboard.press("Escape");
      await page.getByRole("combobox", { name: "Search the API" }).fill("match");
      await page.getByRole("option").first().waitFor();
      await judge(page, "/api/docs, the search", look);
      if (look === "wide") return;
      await page.getByRole("combobox", { name: "Search the API" }).fill("");
      await page.getByRole("button", { name: "Pages" }).click();
      await judge(page, "/api/docs, the drawer", look);
    });

  test("and says what it looked at", () => {
    assert.ok(report.length > 250, `${report.length} screens`);
    // It is in WCAG 2.2 alone, and axe leaves it out unless it is asked for.
    assert.ok(applied.has("target-size"));
    if (!process.env.MAWE_AXE) return;
    const minor = report.flatMap(({ screen, look, violations }) => violations.map((violation) => `${violation} [${screen}, ${look}]`));
    console.log(
      `${report.length} screens and states; rules passed on the poorest: ${Math.min(...report.filter(({ rules }) => rules === ALL).map(({ passes }) => passes))}`,
    );
    console.log(minor.length === 0 ? "nothing minor or moderate either" : minor.join("\n"));
  });
});
