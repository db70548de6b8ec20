// @ts-check
// A sowing that can be followed: the hand, the wait of the page for the last seed, skipping, traces, the preview, and showing it again.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { GAMES } from "../../static/games/index.js";
import { drawn, finds, MOVING, stage, statusText, waitForPlies } from "./support.js";

/** @import { Page } from "playwright-core" */

const cell = (/** @type {Page} */ page, /** @type {string} */ id) => page.locator(`.match [data-cell="${id}"]`);

/** Begins a game on one device, with slow sowings. @param {Page} page @param {string} game */
async function begin(page, game) {
  await page.goto("/settings");
  await page.locator("input[name=set-sowing][value=slow]").check();
  await page.goto(`/play/${game}`);
  await page.locator("input[name=opponent][value=device]").check();
  await page.locator("form .primary").click();
  await cell(page, "s1").and(page.locator(".target")).waitFor();
}

/** The hand and what the page says, in one frame. @param {Page} page */
const seen = (page) =>
  page.evaluate(() => ({
    hand: document.querySelector(".match .hand")?.textContent ?? null,
    status: document.querySelector(".status")?.textContent,
    tally: document.querySelector(".seat.bottom .tally")?.lastChild?.textContent,
    targets: document.querySelectorAll(".match .cell.target").length,
  }));

describe("a sowing", () => {
  const { visit } = stage();

  test("is followed by the turn and the count at its last seed, or when the reader skips it", async () => {
    const { page } = await visit(MOVING);
    await begin(page, "congkak");
    await cell(page, "s2").click();
    await page.locator(".match .hand").waitFor();
    /** @type {Awaited<ReturnType<typeof seen>>[]} */
    const looks = [];
    while (looks.length < 3) {
      const look = await seen(page);
      if (look.hand !== null && look.hand !== looks.at(-1)?.hand) looks.push(look);
      if (look.hand === null) break;
    }
    assert.ok(looks.length > 0);
    for (const { status, tally, targets } of looks) assert.deepEqual([status, tally, targets], ["South to move", "0", 0]);
    // A press on the other side's store is no move, and ends the wait.
    await cell(page, "n-store").click();
    await page.locator(".status", { hasText: "North to move" }).waitFor();
    assert.equal((await seen(page)).hand, null);
    assert.notEqual((await seen(page)).tally, "0");
    assert.equal(await page.locator(".notice:visible").count(), 0);
    await finds(page.locator(".match .cell.end"), 1);
    assert.match((await page.locator(".match .cell.end").getAttribute("aria-label")) ?? "", /last seed/);
  });

  test("is shown to its end without a press, and again by a button", async () => {
    const { page } = await visit(MOVING);
    await begin(page, "kalah");
    await cell(page, "s3").click();
    await page.locator(".status", { hasText: "South to move" }).waitFor();
    await page.locator(".match .hand").waitFor({ state: "detached" });
    // It ended in the own store: South moves again.
    await finds(page.locator(".match .cell.end[data-cell=s-store]"), 1);
    const board = () => page.locator(".match .count").allInnerTexts();
    const after = await board();
    await page.evaluate(() => {
      const hands = /** @type {HTMLElement} */ (document.querySelector(".match .pieces"));
      new MutationObserver(() => {
        if (document.querySelector(".match .hand")) document.body.dataset.sown = "again";
      }).observe(hands, { childList: true });
    });
    await page.getByRole("button", { name: "Show the last move again" }).click();
    await page.locator("body[data-sown=again]").waitFor();
    await page.getByRole("button", { name: "Turn the board" }).click();
    await page.locator(".match .hand").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Turn the board" }).click();
    await drawn(page);
    assert.deepEqual(await board(), after);
    assert.equal(await statusText(page), "South to move");
  });

  test("shows beforehand where its last seed would fall, to a pointer and to the keyboard", async () => {
    const { page } = await visit({ reducedMotion: "reduce" });
    await begin(page, "oware");
    await cell(page, "s5").hover();
    await finds(page.locator(".match .cell.reach[data-cell=n3]"), 1);
    await cell(page, "s1").hover();
    await finds(page.locator(".match .cell.reach[data-cell=s5]"), 1);
    await page.locator(".moves").hover();
    await page.locator(".match .cell.reach").waitFor({ state: "detached" });
    await cell(page, "s1").focus();
    await page.keyboard.press("ArrowRight");
    await finds(page.locator(".match .cell.reach[data-cell=s6]"), 1);
    await page.keyboard.press("Enter");
    await page.locator(".status", { hasText: "North to move" }).waitFor();
    await finds(page.locator(".match .cell.reach"), 0);
  });

  test("is on an upright board on a phone, with houses that a finger finds", async () => {
    for (const viewport of [
      { width: 360, height: 640 },
      { width: 320, height: 568 },
    ]) {
      const { page } = await visit({ viewport, hasTouch: true, reducedMotion: "reduce" });
      for (const { id } of GAMES.filter(({ sows, lifts }) => sows && !lifts)) {
        await page.goto(`/play/${id}`);
        await page.locator("input[name=opponent][value=device]").check();
        await page.locator("form .primary").click();
        await page.locator(".match .board.upright").waitFor();
        for (const house of await page.locator(".match .cell.house").all()) {
          const box = await house.boundingBox();
          assert.ok(box && box.width >= 48 && box.height >= 47.9, `${id} at ${viewport.width}: ${JSON.stringify(box)}`);
        }
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
        await cell(page, "s1").tap();
        await waitForPlies(page, 1);
      }
      // A phone that is turned gets the board across.
      await page.setViewportSize({ width: viewport.height, height: viewport.width });
      await page.locator(".match .board:not(.upright)").waitFor();
      await page.setViewportSize(viewport);
      await page.locator(".match .board.upright").waitFor();
    }
  });

  test("of the own row is lighter, with arrows", async () => {
    const { page } = await visit({ reducedMotion: "reduce" });
    await page.goto("/play/kalah");
    await page.locator("input[name=side][value=second]").check();
    await page.locator("form .primary").click();
    await finds(page.locator(".match .cell.house.own"), 6);
    const owned = await page.locator(".match .cell.own").evaluateAll((cells) => cells.map((one) => one.getAttribute("data-cell")));
    assert.ok(owned.every((id) => id?.startsWith("n")));
  });
});
