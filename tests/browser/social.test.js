// @ts-check
// Offers and phrases between players during a match.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { boardText, chooseLanguage, finds, myTurn, playFirst, playPlies, plies, stage, waitForPlies } from "./support.js";

/** @import { Page } from "playwright-core" */

/** @param {Page} page @param {number} count */
const hasPlies = (page, count) => page.waitForFunction((n) => document.querySelectorAll(".moves button").length === n, count);

describe("at a match", () => {
  const { visit, table } = stage();

  test("a move is taken back by consent, and not without", async () => {
    const { first, second, watcher, path } = await table();
    await watcher.goto(path);
    const start = await boardText(first);
    await playPlies(first, second, 1);
    await first.getByRole("button", { name: "Take back" }).click();
    await watcher.getByText("White: asks to take a move back.").waitFor();
    await second.locator("main").getByText("Your opponent asks to take a move back.").waitFor();
    await second.getByRole("button", { name: "Decline" }).click();
    await first.locator("main").getByText("Your opponent does not agree to take the move back.").waitFor();
    assert.equal(await plies(first), 1);
    await first.getByRole("button", { name: "Take back" }).click();
    await first.locator("main").getByText("You can ask again after the next move.").waitFor();

    await playFirst(second);
    await waitForPlies(first, 2);
    await playFirst(first);
    await waitForPlies(second, 3);
    await second.getByRole("button", { name: "Take back" }).click();
    await first.getByRole("button", { name: "Allow" }).click();
    // The move is the answer, so the offer ends with it.
    await Promise.all([first, second, watcher].map((page) => hasPlies(page, 1)));
    await first.getByRole("button", { name: "Back one move" }).click();
    assert.equal(await boardText(first), start);
    await myTurn(second);
    await playFirst(second);
    await Promise.all([first, watcher].map((page) => waitForPlies(page, 2)));
  });

  test("against the computer it is taken back at once", async () => {
    const { page } = await visit();
    await page.goto("/play");
    await page.getByRole("radio", { name: "White" }).check();
    await page.getByRole("button", { name: "Play now" }).click();
    await page.locator(".match").waitFor();
    assert.equal(await page.getByRole("button", { name: "Take back" }).isVisible(), false);
    await playFirst(page);
    await waitForPlies(page, 2);
    await page.getByRole("button", { name: "Take back" }).click();
    await hasPlies(page, 0);
    await playFirst(page);
  });

  test("a phrase is heard in one's own language, until the speaker is muted", async () => {
    const { first, second, path } = await table();
    await chooseLanguage(second, "sw");
    await second.getByRole("link", { name: "Wachezaji" }).waitFor();
    await first.getByRole("button", { name: "Say something" }).click();
    await first.keyboard.press("Escape");
    assert.equal(await first.getByRole("group", { name: "Say something" }).isVisible(), false);
    await first.getByRole("button", { name: "Say something" }).press("Enter");
    await first.getByRole("button", { name: "Good luck!" }).click();
    await first.locator(".seat.bottom .said").getByText("Good luck!").waitFor();
    await second.locator(".seat.top .said").getByText("Kila la heri!").waitFor();
    assert.match(await second.locator("[aria-live]").innerText(), /: Kila la heri!/);

    await second.getByRole("button", { name: "Sema kitu" }).click();
    await second.getByRole("button", { name: "Nyamazisha mpinzani" }).click();
    await second.locator(".seat.top .said").waitFor({ state: "hidden" });
    await first.getByRole("button", { name: "Say something" }).click();
    await first.getByRole("button", { name: "Oops!" }).click();
    await first.locator(".seat.bottom .said").getByText("Oops!").waitFor();
    await playFirst(first);
    await waitForPlies(second, 1);
    assert.equal(await second.locator(".seat.top .said").isVisible(), false);
    // What was said stays readable, but for what a muted opponent says.
    await finds(first.locator(".said-list li"), 2);
    await first.locator(".said-list li", { hasText: "Good luck!" }).waitFor();
    await first.locator(".said-list li", { hasText: "Oops!" }).waitFor();
    await finds(second.locator(".said-list li"), 1);
    await second.locator(".said-list li", { hasText: "Kila la heri!" }).waitFor();
    // The setting is there when the page is opened again.
    await second.goto(path);
    await second.getByRole("button", { name: "Sema kitu" }).click();
    await second.getByRole("button", { name: "Msikie mpinzani tena" }).waitFor();
  });

  test("time is given, and seen on both clocks", async () => {
    const { first, second } = await table();
    await playPlies(first, second, 3);
    const minutes = async () => Number((await first.locator(".seat.top .clock").innerText()).split(":")[0]);
    assert.ok((await minutes()) <= 5);
    for (let i = 0; i < 4; i++) await first.getByRole("button", { name: "Give your opponent 15 seconds" }).click();
    await second.locator("main").getByText("Your opponent has given you 15 seconds.").waitFor();
    await first.waitForFunction(() => Number(document.querySelector(".seat.top .clock")?.textContent?.split(":")[0]) >= 5);
  });

  test("who waits for an opponent that has gone is told when the match can be claimed", async () => {
    const tables = await Promise.all([table(), table()]);
    await Promise.all(
      tables.map(async ({ first, second }) => {
        await playPlies(first, second, 3);
        await second.context().close();
        await first
          .locator("main")
          .getByText(/Your opponent is away. In \d+ seconds you can end the match./)
          .waitFor();
        await first.locator("main").getByText("Your opponent has left the match.").waitFor({ timeout: 120_000 });
      }),
    );
    const [{ first: stern }, { first: kind }] = tables;
    await stern.getByRole("button", { name: "Claim the win" }).click();
    await stern.locator(".status.over").getByText("White wins – the opponent left the match").waitFor();
    await kind.getByRole("button", { name: "Call it a draw" }).click();
    await kind.locator(".status.over").getByText("Draw – the opponent left the match").waitFor();
  });
});
