// @ts-check
// axe in states that no screen of `every-screen.js` has, wide and narrow, in both colour schemes.
import { describe, test } from "node:test";

import { GAMES } from "../../static/games/index.js";
import { judge, tell } from "./axe.js";
import { recorded } from "./recorded.js";
import { focusOn, follow, playFirst, register, stage, waitForPlies } from "./support.js";

const PHONE = { width: 360, height: 740 };
const WIDE = { width: 1280, height: 800 };

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

  test("and says what it looked at", () => tell(100));
});
