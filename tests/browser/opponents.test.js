// @ts-check
// The computer opponents: portrait, name and sentence where a level is chosen, on the profile and at a match, and their phrases.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { OPPONENTS } from "../../static/core/opponents.js";
import { finds, playFirst, stage, waitForPlies } from "./support.js";

/** @import { Locator, Page } from "playwright-core" */

const root = new URL("../../static/i18n/", import.meta.url);
const words = Object.assign(
  {},
  ...["en", "play/en", "rest/en"].map((name) => JSON.parse(readFileSync(new URL(`${name}.json`, root), "utf8"))),
);
const nameOf = (/** @type {number} */ level) => String(OPPONENTS[level - 1]?.name);

/** The number of colours in a portrait as it is drawn: without its file it would have one. @param {Locator} portrait */
async function colours(portrait) {
  await portrait.scrollIntoViewIfNeeded();
  const picture = [...(await portrait.screenshot())];
  return portrait.page().evaluate(async (bytes) => {
    const image = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const pen = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d"));
    pen.drawImage(image, 0, 0);
    const { data: pixels } = pen.getImageData(0, 0, image.width, image.height);
    return new Set(new Uint32Array(pixels.buffer)).size;
  }, picture);
}

/** Begins a match against a level. @param {Page} page @param {number} level @param {boolean} here */
async function begin(page, level, here) {
  await page.goto("/play/kalah");
  await page.locator(`input[name=level][value='${level}']`).check();
  await page.locator("input[name=side][value=first]").check();
  if (here) await page.getByRole("checkbox", { name: "On this device" }).check();
  await page.getByRole("button", { name: "Play now" }).click();
  await page.waitForURL(here ? "**/device/*" : "**/match/*");
  await page.locator(".match").waitFor();
}

const greetings = (/** @type {number} */ level) => (OPPONENTS[level - 1]?.greets ?? []).map((phrase) => String(words[`phrase.${phrase}`]));
const farewells = (/** @type {number} */ level) => (OPPONENTS[level - 1]?.wins ?? []).map((phrase) => String(words[`phrase.${phrase}`]));

describe("a computer opponent", () => {
  const { visit } = stage();

  test("is seen, named and heard where its level is chosen", async () => {
    for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
      const { page } = await visit({ colorScheme, viewport: { width: 360, height: 740 } });
      await page.goto("/play");
      const line = page.locator(".level-line");
      for (const [i, { name }] of OPPONENTS.entries()) {
        await page.getByRole("radio", { name: `${name}, level ${i + 1}`, exact: true }).check();
        await line.getByText(name).waitFor();
        await line.getByText(words[`bot.${i + 1}`]).waitFor();
        for (const portrait of [line.locator(".avatar"), page.locator(".level .avatar").nth(i)]) {
          const seen = await colours(portrait);
          assert.ok(seen > 4, `${name}: ${seen} colours`);
        }
      }
    }
  });

  test("has its portrait under a theme of high contrast, too", async () => {
    const { page } = await visit({ forcedColors: "active" });
    await page.goto("/play");
    assert.ok((await colours(page.locator(".level .avatar").first())) > 4);
  });

  for (const here of [false, true]) {
    test(`sits at the board, greets, answers and says farewell${here ? ", on the device alone" : ""}`, async () => {
      const { page } = await visit({ reducedMotion: "reduce", viewport: { width: 360, height: 740 } });
      await begin(page, 1, here);
      const seat = page.locator(".seat.top");
      assert.ok((await colours(seat.locator(".avatar"))) > 4);
      const log = page.locator(".said-list li");
      await log
        .filter({ hasText: nameOf(1) })
        .first()
        .waitFor();
      const [hello = ""] = await log.allInnerTexts();
      assert.ok(
        greetings(1).some((text) => hello.endsWith(text)),
        hello,
      );
      await playFirst(page);
      await waitForPlies(page, 2);
      await page.getByRole("button", { name: "Say something" }).click();
      await page.locator(".phrases .menu").getByRole("button", { name: "Good luck!" }).click();
      await log
        .filter({ hasText: nameOf(1) })
        .filter({ hasText: "Thank you!" })
        .waitFor();
      await page.getByRole("button", { name: "Resign" }).click();
      await page.getByRole("button", { name: "Really resign?" }).click();
      await finds(log, 4);
      const said = await log.allInnerTexts();
      assert.ok(
        farewells(1).some((text) => said.at(-1)?.endsWith(text)),
        said.join(" | "),
      );
      // The seat shows the name again, without the words.
      await seat.locator(".player", { hasText: `${nameOf(1)}, level 1` }).waitFor();
    });
  }

  test("is not heard any more once it is muted", async () => {
    const { page } = await visit({ reducedMotion: "reduce" });
    await begin(page, 2, false);
    const log = page.locator(".said-list li");
    await finds(log, 1);
    await page.getByRole("button", { name: "Say something" }).click();
    await page.getByRole("button", { name: "Mute your opponent" }).click();
    await page.locator(".phrases .menu").getByRole("button", { name: "Good luck!" }).click();
    await log.filter({ hasText: "Good luck!" }).waitFor();
    await playFirst(page);
    await waitForPlies(page, 2);
    await finds(log, 2);
  });

  test("has a page of its own, which its name at the board leads to", async () => {
    const { page } = await visit();
    await begin(page, 10, false);
    await page.locator(".seat.top a.player").click();
    await page.getByRole("heading", { name: `${nameOf(10)}, level 10` }).waitFor();
    await page.locator(".profile-head").getByText(words["bot.10"]).waitFor();
    assert.ok((await colours(page.locator(".profile-head .avatar"))) > 4);
  });
});
