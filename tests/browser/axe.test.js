// @ts-check
// axe in states that no screen of `every-screen.js` has, wide and narrow, in both colour schemes.
import { describe, test } from "node:test";

import { GAMES } from "../../static/tests/loaded-games.js";
import { judge, tell } from "./axe.js";
import { speak } from "./looks.js";
import { recorded } from "./recorded.js";
import { drawn, focusOn, follow, playFirst, register, stage, waitForPlies } from "./support.js";

/** @import { Page } from "playwright-core" */

const WIDE = { width: 1280, height: 800 };
/** The looks of each state: the states cost more than to look at them. */
const LOOKS = [
  { name: "wide", size: WIDE, language: "en" },
  { name: "phone", size: { width: 360, height: 740 }, language: "ml" },
];

/**
 * Judges a state in each look, and goes back to the first.
 * @param {Page} page
 * @param {string} state
 */
async function judgeLooks(page, state) {
  for (const { name, size, language } of [...LOOKS].reverse()) {
    await page.setViewportSize(size);
    await speak(page, language);
    await drawn(page);
    await judge(page, state, name);
  }
}

describe("axe finds nothing in other states", () => {
  const { visit, table, admin } = stage(["--spectator-delay", "0"], { viewport: WIDE });

  test("of lessons, analysis and search", async () => {
    const { page } = await visit();
    await page.goto("/learn/mawe/pin");
    await page.locator(".actions button").last().click();
    await page.locator(".cell.hint").first().waitFor();
    await judgeLooks(page, "a task with its hint");
    for (const game of GAMES) {
      const { id } = game;
      const { moves } = recorded(game);
      await page.goto(`/analysis#${new URLSearchParams({ game: id, moves: moves.split(" ").slice(0, 12).join(" "), ply: "5" })}`);
      await page.locator(".engine select").selectOption("quick");
      await page.waitForFunction(() => document.querySelector(".counts .quiet")?.textContent === "");
      await page.locator(".worth details").evaluate((details) => details.setAttribute("open", ""));
      await page.locator(".side > details:not(.told-ply)").evaluate((details) => details.setAttribute("open", ""));
      await page.locator(".copy-field").waitFor();
      await judgeLooks(page, `/analysis of ${id}`);
    }
    for (const { id } of GAMES) {
      await page.goto(`/editor/${id}`);
      await page.locator(".editor .cell").first().waitFor();
      await judgeLooks(page, `/editor of ${id}`);
    }
    await follow(page, "/players");
    await page.getByRole("searchbox").pressSequentially("mawe");
    await page.locator(".found a").first().waitFor();
    await judgeLooks(page, "/players with players found");
  });

  test("on what belongs to an account", async () => {
    const { page } = await visit();
    await register(page, "axe-wide");
    await page.goto("/settings");
    await page.locator(".new-token input[type=text]").fill("axe");
    await page.locator(".new-token button").click();
    await page.locator(".fresh input").waitFor();
    for (const pieces of ["clear", "clay"]) {
      await page.locator(`input[name=set-pieces][value=${pieces}]`).check();
      await judgeLooks(page, `/settings with ${pieces} pieces`);
    }
  });

  test("on what moderators see", async () => {
    const { page } = await visit();
    const [name, other] = ["axe-keeper", "axe-bad"];
    const { page: reported } = await visit();
    await register(reported, other);
    await register(page, name);
    await admin("grant", name, "moderator");
    await page.goto(`/player/${other}/report`);
    await page.locator("select[name=reason]").selectOption("other");
    await page.locator("textarea").fill("Something is wrong.");
    await page.locator("main form button").click();
    await page.locator(".notice").waitFor();
    await judgeLooks(page, "/player/NAME/report when it is sent");
    await page.goto("/moderation");
    await page.locator(".reports .primary").last().click();
    await page.locator("select[name=action]").selectOption("rename");
    await judgeLooks(page, "/moderation");
    for (const part of ["resolved", "log"]) {
      await page.locator(`input[name=moderation-part][value=${part}]`).check();
      await judgeLooks(page, `/moderation, ${part}`);
    }
  });

  test("on a game on this device", async () => {
    const { page } = await visit();
    await page.goto("/play");
    await page.locator("input[name=here]").check();
    await page.locator("form .primary").click();
    await page.waitForURL("**/device/*");
    await playFirst(page);
    await judgeLooks(page, "/device");
    await page.goto("/");
    await page.locator(".device-games li").waitFor();
    await judgeLooks(page, "/ with games on this device");
    await page.context().setOffline(true);
    await page.locator("header .line.down").waitFor();
    await judgeLooks(page, "/ without a network");
  });

  test("on a match of every game", async () => {
    for (const { id } of GAMES) {
      const { page } = await visit();
      await page.goto("/play");
      await page.locator(`input[name=game][value=${id}]`).check();
      await page.locator("input[name=opponent][value=device]").check();
      await page.locator("form .primary").click();
      await page.locator(".match").waitFor();
      for (let ply = 0; ply < 2; ply++) await playFirst(page);
      await waitForPlies(page, 2);
      await focusOn(page.locator(".cell.start").first());
      await page.locator(".typed button").first().click();
      await judgeLooks(page, `a match of ${id}`);
      await page.getByRole("button", { name: "Resign" }).click();
      await page.getByRole("button", { name: "Really resign?" }).click();
      await page.locator(".status.over").waitFor();
      await judgeLooks(page, `the end of a match of ${id}`);
      await page.context().close();
    }
  });

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

  test("and says what it looked at", () => tell(100));
});
