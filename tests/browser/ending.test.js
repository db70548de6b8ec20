// @ts-check
// The end of a match from the side of each player.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { drawn, finds, myTurn, over, playPlies, plies, ratedMatch, register, stage, waitForPlies } from "./support.js";

/** @import { Page } from "playwright-core" */

/** The most matches against the weakest level until one is won with the suggested moves. */
const MOST = 3;

/** @param {Page} page */
const headline = (page) => page.locator(".ending .headline");

/** Plays the suggested moves until the match is over, or for some turns. @param {Page} page @param {number} [turns] */
async function playHints(page, turns = Infinity) {
  for (let turn = 0; turn < turns; turn++) {
    await page.locator(".status.mine, .status.over").first().waitFor();
    if ((await page.locator(".status.over").count()) > 0) return;
    const before = await plies(page);
    await page.getByRole("button", { name: "Hint" }).click();
    await page.locator(".cell.hint").first().click();
    await waitForPlies(page, before + 1);
    await drawn(page);
  }
}

describe("an ending", () => {
  const { visit, table } = stage(["--bots", "1"]);

  test("says what it means to each player, and to screen readers, and nothing to a spectator", async () => {
    const { first, second, watcher, path } = await table("Checkers", { reducedMotion: "reduce" });
    await watcher.goto(path);
    await playPlies(first, second, 2);
    for (const page of [first, second, watcher]) await finds(page.locator(".ending:visible"), 0);
    await first.getByRole("button", { name: "Resign" }).click();
    await first.getByRole("button", { name: "Really resign?" }).click();
    await Promise.all([first, second, watcher].map(over));
    await headline(first).getByText("You lost").waitFor();
    await headline(second).getByText("You won").waitFor();
    await finds(watcher.locator(".ending:visible"), 0);
    assert.match(await second.locator("[aria-live]").innerText(), /You won · White wins.* – by resignation/);
    // Without a rating, and without another level.
    await finds(second.locator(".rating-now:visible"), 0);
    await finds(second.getByRole("button", { name: "Next: level" }), 0);
    const keep = second.getByRole("link", { name: "Register to keep your matches" });
    assert.equal(await keep.getAttribute("href"), `/register?next=${path}`);
    await second.reload();
    await headline(second).getByText("You won").waitFor();
  });

  test("says how well the reader has played, and leads to the mistakes", async () => {
    const { page } = await visit({ reducedMotion: "reduce" });
    await page.goto("/play");
    await page.getByRole("radio", { name: "Kalah" }).check();
    await page.getByRole("checkbox", { name: "On this device" }).check();
    await page.locator("input[name=level][value='1']").check();
    await page.locator("input[name=side][value=first]").check();
    await page.getByRole("button", { name: "Play now" }).click();
    await page.waitForURL("**/device/*");
    await playHints(page, 8);
    await page.getByRole("button", { name: "Resign" }).click();
    await page.getByRole("button", { name: "Really resign?" }).click();
    await headline(page).getByText("You lost").waitFor();
    // The suggested moves are the engine's own: at most a small part is lost.
    await page.locator(".review", { hasText: /Accuracy: \d\d+%\./ }).waitFor();
    const link = page.locator(".review a");
    assert.match((await link.getAttribute("href")) ?? "", /^\/analysis\/device\/\w+\?side=first&retry$/);
    await page.goto((await link.getAttribute("href")) ?? "");
    await page.locator(".match.analysis").waitFor();
    await finds(page.locator(".branches button"), await plies(page));
  });

  test("offers a rematch that lasts, and a way to share the match", async () => {
    const { first, second, path } = await table("Mawe!", { reducedMotion: "reduce" });
    await playPlies(first, second, 2);
    await first.getByRole("button", { name: "Resign" }).click();
    await first.getByRole("button", { name: "Really resign?" }).click();
    await Promise.all([first, second].map(over));
    await first.getByRole("button", { name: "Rematch" }).click();
    const offer = second.locator(".bar:visible", { hasText: "Your opponent offers a rematch." });
    await offer.locator(".countdown", { hasText: /^\d+ s$/ }).waitFor();
    await first.locator(".bar:visible", { hasText: "You have offered a rematch." }).locator(".countdown").waitFor();
    await second.locator("[aria-live]", { hasText: "offers a rematch" }).waitFor({ state: "attached" });

    await second.getByRole("button", { name: "Share" }).click();
    const sheet = second.getByRole("dialog", { name: "Share" });
    const link = sheet.getByRole("textbox", { name: "Link" });
    assert.equal(await link.inputValue(), second.url());
    // The code is dark and light squares in a white frame of four.
    await sheet.getByRole("img", { name: "QR code of this link" }).locator("path").waitFor();
    await second.keyboard.press("Escape");
    await sheet.waitFor({ state: "hidden" });

    await offer.getByRole("button", { name: "Accept the rematch" }).click();
    await Promise.all([first, second].map((page) => page.waitForURL((url) => url.pathname.startsWith("/match/") && url.pathname !== path)));
  });

  test("shows the rating before and after", async () => {
    const [a, b] = [(await visit()).page, (await visit()).page];
    await Promise.all([register(a, "amina-1"), register(b, "baraka-1")]);
    for (const [won, lost] of /** @type {const} */ ([
      [/^Rating: \+\d+$/, /^Rating: -\d+$/],
      [/^Rating: 1\d\d\d\? → 1\d\d\d\? \(\+\d+\)$/, /^Rating: 1\d\d\d\? → 1\d\d\d\? \(-\d+\)$/],
    ])) {
      await ratedMatch(a, b, "baraka-1", 4);
      await headline(a).getByText("You won").waitFor();
      await a.locator(".rating-now", { hasText: won }).waitFor();
      await b.locator(".rating-now", { hasText: lost }).waitFor();
    }
    await finds(a.getByRole("link", { name: "Register to keep your matches" }), 0);
  });

  for (const here of [false, true]) {
    test(`that is won leads to the next level of the computer${here ? ", on the device alone" : ""}`, async () => {
      const { page } = await visit({ reducedMotion: "reduce" });
      for (let i = 0; i < MOST; i++) {
        await page.goto("/play");
        await page.getByRole("radio", { name: "Kalah" }).check();
        await page.locator("input[name=level][value='1']").check();
        await page.locator("input[name=side][value=first]").check();
        if (here) await page.getByRole("checkbox", { name: "On this device" }).check();
        else await page.getByRole("radio", { name: "No limit" }).check();
        await page.getByRole("button", { name: "Play now" }).click();
        await page.waitForURL(here ? "**/device/*" : "**/match/*");
        await playHints(page);
        if ((await headline(page).innerText()) === "You won") break;
      }
      const old = page.url();
      await page.getByRole("button", { name: "Next: level 2" }).click();
      await page.waitForURL((url) => url.href !== old);
      await myTurn(page);
      await page.locator(".seat.top", { hasText: "Changarawe, level 2" }).waitFor();
      assert.equal(await plies(page), 0);
    });
  }
});
