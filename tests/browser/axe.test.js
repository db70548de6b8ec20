// @ts-check
// axe on every screen, wide and narrow, in both colour schemes: no serious or critical violation. `MAWE_AXE=1` prints the report of
// docs/page.md.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, test } from "node:test";

import { GAMES } from "../../static/games/index.js";
import { recorded } from "./recorded.js";
import { focusOn, follow, playFirst, register, stage, waitForPlies } from "./support.js";

/** @import { Page } from "playwright-core" */
/** @import { AxeResults } from "axe-core" */

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PHONE = { width: 360, height: 740 };
const WIDE = { width: 1280, height: 800 };

/** @type {{ screen: string, look: string, passes: number, violations: string[] }[]} */
const report = [];

/** The rules whose results depend on the colour scheme. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"];

/**
 * Judges a screen in the light scheme by all rules, and in the dark one by the rules of colours.
 * @param {Page} page
 * @param {string} screen
 * @param {string} look
 */
async function judge(page, screen, look) {
  await page.waitForFunction(() => document.querySelector("main h1, #content h1, h1") && !document.querySelector("[aria-busy]"));
  await judgeScheme(page, screen, look, "light");
  await judgeScheme(page, screen, look, "dark");
}

/**
 * @param {Page} page
 * @param {string} screen
 * @param {string} look
 * @param {"light" | "dark"} colorScheme
 */
async function judgeScheme(page, screen, look, colorScheme) {
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
  const result = /** @type {AxeResults} */ (
    await page.evaluate(
      (rules) => /** @type {any} */ (window).axe.run(document, { resultTypes: ["violations"], ...(rules && { runOnly: rules }) }),
      colorScheme === "dark" ? OF_COLOURS : null,
    )
  );
  const violations = result.violations.map(
    ({ id, impact, nodes }) =>
      `${impact} ${id}: ${nodes
        .map(({ target, failureSummary }) => `${target.join(" ")} (${failureSummary?.split("\n")[1]?.trim()})`)
        .slice(0, 4)
        .join("; ")}`,
  );
  report.push({ screen, look: `${colorScheme}, ${look}`, passes: result.passes.length, violations });
  assert.deepEqual(
    violations.filter((violation) => /^(serious|critical) /.test(violation)),
    [],
    `${screen}, ${colorScheme}, ${look}`,
  );
}

describe("axe finds nothing serious", () => {
  const { visit, table, admin } = stage(["--spectator-delay", "0"]);

  for (const [look, options] of /** @type {const} */ ([
    ["wide", { viewport: WIDE }],
    ["phone", { viewport: PHONE, locale: "ml" }],
  ])) {
    test(`on the screens that anybody sees: ${look}`, async () => {
      const { page } = await visit({ ...options, reducedMotion: "reduce" });
      await page.goto("/");
      for (const path of [
        "/",
        "/play",
        "/watch",
        "/players",
        "/settings",
        "/about",
        "/login",
        "/register",
        "/match/none",
        "/nothing/here",
        ...GAMES.map(({ id }) => `/rules/${id}`),
      ]) {
        await follow(page, path);
        await judge(page, path, look);
      }
      for (const path of ["/learn", "/analysis", ...GAMES.map(({ id }) => `/learn/${id}`), "/learn/kalah/twice", "/learn/mawe/pin"]) {
        await follow(page, path);
        await page.locator(".learn, .analysis-begin, .task").waitFor();
        if (path.endsWith("pin")) {
          await page.locator(".actions button").last().click();
          await page.locator(".cell.hint").first().waitFor();
        }
        await judge(page, path, look);
      }
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
      for (const opponent of ["stranger", "friend", "device"]) {
        await follow(page, "/play");
        await page.locator(`input[name=opponent][value=${opponent}]`).check();
        if (opponent === "stranger") await page.locator(".new-match .plain").click();
        await page.locator(".match-options summary").click();
        await judge(page, `/ against ${opponent}`, look);
      }
      await page.locator("input[name=opponent][value=stranger]").check();
      await page.locator(".pool").first().click();
      await page.locator(".news.wait").waitFor();
      await judge(page, "/ while one waits", look);
      await page.locator(".news.wait button").last().click();
      await page.locator("input[name=opponent][value=friend]").check();
      await page.locator("form .primary").click();
      await page.locator(".copy-field").waitFor();
      await judge(page, "/challenge", look);
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
      await page.goto(`/player/${name}`);
      await page.locator(".filters summary").click();
      await judge(page, "/player", look);
    });

    test(`on what moderators see: ${look}`, async () => {
      const { page } = await visit({ ...options, locale: "en", reducedMotion: "reduce" });
      const [name, other] = ["keeper", "bad"].map((word) => `${word}-${look.replaceAll(/\W+/g, "-")}`);
      const { page: reported } = await visit();
      await register(reported, String(other));
      await register(page, String(name));
      await admin("grant", String(name), "moderator");
      await page.goto(`/player/${other}/report`);
      await judge(page, "/player/NAME/report", look);
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

  test("in the API's documentation", async () => {
    const { page } = await visit();
    await page.goto("/api/docs");
    await judge(page, "/api/docs", "wide");
  });

  test("and says what it looked at", () => {
    assert.ok(report.length > 100, `${report.length} screens`);
    if (!process.env.MAWE_AXE) return;
    const minor = report.flatMap(({ screen, look, violations }) => violations.map((violation) => `${violation} [${screen}, ${look}]`));
    console.log(
      `${report.length} screens and states; rules passed on the poorest: ${Math.min(...report.filter(({ look }) => look.startsWith("light")).map(({ passes }) => passes))}`,
    );
    console.log(minor.length === 0 ? "nothing minor or moderate either" : minor.join("\n"));
  });
});
