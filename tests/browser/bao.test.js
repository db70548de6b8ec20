// @ts-check
// Bao in a browser: a move by mouse, by keyboard, by finger and by the buttons of the choice bar; the choice at the house; the words; the size
// of its pits on the narrowest phones.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { gameOf } from "../../static/tests/loaded-games.js";
import { initSync, Game as Rules } from "../../static/wasm/rules.js";
import { judge } from "./axe.js";
import { drawn, finds, MOVING, pressMove, stage, waitForPlies } from "./support.js";

/** @import { Page } from "playwright-core" */

/** A5R stops at the house, or plays it. */
const AT_HOUSE = "2,1,0,0,12h,0,0,0,0,0,0,0,0,0,0,0,14/0,0,4,4,10h,2,1,0,0,0,0,0,0,0,0,0,14 s";

initSync({ module: readFileSync(new URL("../../static/wasm/rules_bg.wasm", import.meta.url)) });
const bao = gameOf("bao");
assert.ok(bao);

/** @param {Page} page @param {string} id */
const cell = (page, id) => page.locator(`.match [data-cell="${id}"]`);

/** @param {Page} page */
const ways = (page) => page.getByRole("group", { name: "Ways to play" });

/** @param {Page} page @param {string} [form] */
async function begin(page, form = "kiswahili") {
  await page.goto("/play/bao");
  await page.locator("input[name=opponent][value=device]").check();
  if (form !== "kiswahili") await page.locator(`input[name=option-form][value=${form}]`).check();
  await page.locator("form .primary").click();
  await page.locator(".match .cell.start").first().waitFor();
}

/** Opens an analysis that begins with a position. @param {Page} page @param {string} position */
async function analyse(page, position) {
  await page.goto(`/analysis#${new URLSearchParams({ game: "bao", start: position, moves: "" })}`);
  await page.locator(".analysis .cell.start").first().waitFor();
}

/** The seeds in a cell, as a screen reader is told. @param {Page} page @param {string} id */
const seedsIn = async (page, id) => Number(/(\d+) kete/.exec((await cell(page, id).getAttribute("aria-label")) ?? "")?.[1]);

describe("Bao", () => {
  const { visit, table } = stage();

  test("is played by mouse, keyboard and the buttons that name the ways of a pit", async () => {
    const { page } = await visit();
    await begin(page);
    // By mouse: the pit, and the pit where its first seed falls.
    await cell(page, "sA7").click();
    await finds(page.locator(".match .cell.target"), 2);
    await cell(page, "sA6").click();
    await waitForPlies(page, 1);
    // By keyboard.
    const rules = Rules.start("bao", "");
    rules.play("A7L");
    const [move = ""] = rules.legalMoves();
    await pressMove(page, bao, move, "second", "first", ".match", rules);
    await waitForPlies(page, 2);
    rules.play(move);
    // By a button, found as a screen reader finds it.
    const [pit = ""] = rules.legalMoves();
    const chosen = cell(page, `s${pit.slice(0, 2)}`);
    await chosen.focus();
    await page.keyboard.press("Enter");
    const buttons = ways(page).getByRole("button");
    await buttons.first().waitFor();
    await judge(page, "match of Bao", "a pit is chosen");
    assert.equal(await buttons.count(), rules.legalMoves().filter((other) => other.startsWith(pit.slice(0, 2))).length);
    await buttons.first().focus();
    await page.keyboard.press("Enter");
    await waitForPlies(page, 3);
    await ways(page).getByText("Choose a pit").waitFor();
    // The keyboard is back on the board.
    assert.notEqual(await page.evaluate(() => document.activeElement?.getAttribute("data-cell") ?? null), null);
  });

  test("has its place in the document before its board is there", async () => {
    const { path } = await table("Bao");
    for (const viewport of [
      { width: 1100, height: 800 },
      { width: 360, height: 640 },
      { width: 320, height: 568 },
    ]) {
      const [{ page: early }, { page: late }] = [await visit({ viewport, javaScriptEnabled: false }), await visit({ viewport })];
      await early.goto(path);
      await late.goto(path);
      await late.locator(".match:not(.early) .board").waitFor();
      for (const part of [".match .board", ".match .seat.bottom"])
        assert.deepEqual(await early.locator(part).boundingBox(), await late.locator(part).boundingBox(), `${part} at ${viewport.width}`);
    }
  });

  test("is typed as it is written", async () => {
    const { page } = await visit();
    await begin(page);
    await cell(page, "sA6").focus();
    await page.keyboard.press("a");
    await page.keyboard.type("6l");
    await page.keyboard.press("Enter");
    await waitForPlies(page, 1);
    assert.equal(await seedsIn(page, "sA5"), 7);
  });

  test("asks at the house whether to stop or to play it", async () => {
    for (const [press, seeds] of /** @type {const} */ ([
      ["sA8", 14],
      ["sA5", 0],
    ])) {
      const { page } = await visit();
      await analyse(page, AT_HOUSE);
      await cell(page, "sA5").click();
      await cell(page, "sA8").click();
      await ways(page).getByRole("button", { name: "right kichwa, play the nyumba" }).waitFor();
      await finds(page.locator(".match .cell.target"), 2);
      await cell(page, press).click();
      await finds(page.locator(".branches > .plies button"), 1);
      await drawn(page);
      if (seeds === 14) assert.equal(await seedsIn(page, "sA5"), seeds);
      else assert.doesNotMatch((await cell(page, "sA5").getAttribute("aria-label")) ?? "", /nyumba/);
    }
  });

  test("tells the last move in words for who wants it, and keeps that choice", async () => {
    const { page } = await visit();
    await analyse(page, AT_HOUSE);
    await cell(page, "sA5").click();
    await ways(page).getByRole("button", { name: "right kichwa, play the nyumba" }).click();
    const words = page.locator(".told-ply");
    assert.equal(await words.locator("li").first().isVisible(), false);
    await words.locator("summary").click();
    await words.getByText("safari: the nyumba is played").waitFor();
    await words.getByText("4 kete captured at A5, sown from the right kichwa, the last into A5").waitFor();
    await begin(page);
    await cell(page, "sA6").click();
    await ways(page).getByRole("button", { name: "left" }).click();
    await page.locator(".told-ply[open]").getByText("3 kete of A6 sown").waitFor();
    // In one sentence for a screen reader.
    await page.locator("[aria-live]", { hasText: "Namua, takata: a kete from the ghala into A6" }).first().waitFor({ state: "attached" });
  });

  test("says why a pit cannot be played", async () => {
    const { page } = await visit();
    await begin(page);
    await cell(page, "sA1").click();
    await page.locator(".notice", { hasText: "That pit has no kete." }).waitFor();
  });

  test("is shown seed by seed, and skipped by a press", async () => {
    const { page } = await visit(MOVING);
    await begin(page, "kujifunza");
    await cell(page, "sA1").waitFor();
    const rules = Rules.start("bao", "form=kujifunza");
    const [move = ""] = rules.legalMoves();
    for (const id of bao.path(move, "first", bao.parse(rules.position()).pieces)) await cell(page, id).click();
    await page.locator(".match .hand").waitFor();
    await cell(page, "n-store").click();
    await page.locator(".match .hand").waitFor({ state: "detached" });
    await page.locator(".status", { hasText: "North to move" }).waitFor();
  });

  test("has pits for a finger on the narrowest phones, which a finger plays", async () => {
    for (const viewport of [
      { width: 360, height: 640 },
      { width: 320, height: 568 },
    ]) {
      const { page } = await visit({ viewport, hasTouch: true });
      await begin(page);
      for (const pit of await page.locator(".match .cell.pit").all()) {
        const box = await pit.boundingBox();
        assert.ok(box && box.width >= 39.9 && box.height >= 39.9, `${viewport.width}: ${JSON.stringify(box)}`);
      }
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      await cell(page, "sA7").tap();
      await cell(page, "sA6").tap();
      await waitForPlies(page, 1);
      await page.locator(".match .cell.start").first().tap();
      await ways(page).getByRole("button").first().tap();
      await waitForPlies(page, 2);
    }
  });

  test("is played against the computer", async () => {
    const { page } = await visit();
    await page.goto("/play/bao");
    await page.locator("input[name=level][value='1']").check();
    await page.locator("input[name=side][value=first]").check();
    await page.locator("form .primary").click();
    await page.locator(".match .cell.start").first().waitFor();
    await cell(page, "sA6").click();
    await ways(page).getByRole("button", { name: "right" }).click();
    await waitForPlies(page, 2);
  });
});
