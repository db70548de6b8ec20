// @ts-check
// The ways to make moves: premoves, confirmed, typed, by click or by drag.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { GAMES, gameOf } from "../../static/tests/loaded-games.js";
import { initSync, Game as Rules } from "../../static/wasm/rules.js";
import { english } from "./recorded.js";
import { clickMove, finds, focusOn, MOVING, myTurn, playFirst, plies, stage, waitForPlies } from "./support.js";

/** @import { Page } from "playwright-core" */

initSync({ module: readFileSync(new URL("../../static/wasm/rules_bg.wasm", import.meta.url)) });

/** @param {Page} page @param {Record<string, string>} settings */
async function prefer(page, settings) {
  await page.goto("/settings");
  for (const [name, value] of Object.entries(settings)) await page.locator(`input[name=set-${name}][value=${value}]`).check();
}

/** For each game a first move, a reply that can be chosen before it, and a premove that is illegal after it. */
const AHEAD = /** @type {const} */ ([
  ["mawe", "a1b2", "c8d7", "c8c1"],
  ["reversi", "d3", "c3", "a1"],
  ["checkers", "11-15", "22-18", "22-15"],
  ["drafti", "22-18", "11-15", "11-18"],
  ["brazilian", "22-18", "11-15", "11-18"],
  ["russian", "22-18", "11-15", "11-18"],
  ["international", "32-28", "18-23", "18-29"],
  ["pool", "11-15", "22-18", "22-15"],
  ["kalah", "1", "2", null],
  ["oware", "1", "2", null],
  ["congkak", "2", "3", null],
  ["pallanguzhi", "1", "2", null],
]);

describe("a move", () => {
  const { table, visit } = stage([], MOVING);

  for (const [id, first, answer, impossible] of AHEAD) {
    test(`of ${id} is made ahead of the turn, and falls away where it cannot be played`, async () => {
      const game = gameOf(id);
      assert.ok(game);
      const { first: white, second: black } = await table(english[`game.${id}.name`]);
      const wait = black.locator(".bar", { hasText: "As soon as it is your turn: " });
      /** @param {string} move */
      const ahead = async (move) => {
        for (const cell of game.path(move, "second")) await black.locator(`.match [data-cell="${cell}"]`).click();
      };
      await ahead(answer);
      await wait.waitFor();
      await black.locator(".cell.ahead").first().waitFor();
      // Withdrawn by the button and by Escape.
      await wait.getByRole("button", { name: "Cancel" }).click();
      await wait.waitFor({ state: "hidden" });
      await ahead(answer);
      await wait.waitFor();
      await black.keyboard.press("Escape");
      await wait.waitFor({ state: "hidden" });

      await ahead(impossible ?? answer);
      await wait.waitFor();
      await clickMove(white, game, first, "first");
      if (impossible === null) await waitForPlies(white, 2);
      else {
        await black.locator(".notice").getByText("Your move in advance was not possible any more.").waitFor();
        assert.equal(await plies(black), 1);
      }
    });
  }

  test("can be seen before a piece is chosen, unless the reader wishes otherwise", async () => {
    for (const [name, id, move] of /** @type {const} */ ([
      ["Mawe!", "mawe", "a1b2"],
      ["Checkers", "checkers", "11-15"],
    ])) {
      const { first, second, path } = await table(name);
      const game = gameOf(id);
      assert.ok(game);
      const rules = Rules.start(id, "");
      /** @param {Page} page */
      const marked = async (page) =>
        (await page.locator(".match .cell.movable").evaluateAll((cells) => cells.map((cell) => cell.getAttribute("data-cell")))).sort();
      const movable = [...new Set(rules.legalMoves().map((legal) => game.path(legal, "first")[0]))].sort();
      await first.locator(".match .cell.movable").first().waitFor();
      assert.deepEqual(await marked(first), movable);
      const [cell = ""] = movable;
      assert.match((await first.locator(`.match [data-cell="${cell}"]`).getAttribute("aria-label")) ?? "", /, can move$/);
      // The waiting player has no movable pieces.
      assert.deepEqual(await marked(second), []);
      // With one piece chosen its targets are marked instead.
      await first.locator(`.match [data-cell="${cell}"]`).click();
      await first.locator(".match .cell.target").first().waitFor();
      assert.deepEqual(await marked(first), []);
      await first.keyboard.press("Escape");
      await prefer(second, { movable: "off" });
      await second.goto(path);
      await clickMove(first, game, move, "first");
      await myTurn(second);
      await second.locator(".match .cell.start").first().waitFor();
      await finds(second.locator(".match .cell.movable"), 0);
    }
  });

  test("ahead of the turn can be switched off", async () => {
    const { first, second, path } = await table();
    await prefer(second, { premove: "off" });
    await second.goto(path);
    await second.locator('.match [data-cell="c8"]').click();
    await finds(second.locator(".cell.picked, .cell.ahead"), 0);
    await playFirst(first);
    await myTurn(second);
  });

  test("is confirmed where that is wished, by mouse and by keyboard, and can be withdrawn", async () => {
    const { page } = await visit();
    await prefer(page, { confirm: "always" });
    await page.goto("/play");
    await page.locator("input[name=side][value=first]").check();
    await page.getByRole("button", { name: "Play now" }).click();
    await myTurn(page);
    for (const cell of ["c1", "d2"]) await page.locator(`.match [data-cell="${cell}"]`).click();
    const asked = page.locator(".bar", { hasText: "Play c1–d2?" });
    await asked.getByRole("button", { name: "Cancel" }).click();
    await asked.waitFor({ state: "hidden" });
    await page.getByRole("gridcell", { name: "c1, white stone, can move", exact: true }).waitFor();
    assert.equal(await plies(page), 0);
    for (const cell of ["c1", "d2"]) await page.locator(`.match [data-cell="${cell}"]`).click();
    await asked.getByRole("button", { name: "Yes, play" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Enter");
    await waitForPlies(page, 1);
  });

  test("is written, from the board or in its field; what is wrong with it is said", async () => {
    const { first, second } = await table();
    await focusOn(first.locator('.match .cell[tabindex="0"]'));
    await first.keyboard.type("c1e3");
    await first.keyboard.press("Enter");
    await waitForPlies(second, 1);
    await second.getByRole("button", { name: "Type a move" }).click();
    const field = second.getByRole("textbox", { name: "Type a move" });
    await field.fill("sideways");
    await field.press("Enter");
    await second.locator(".notice").getByText("This is not a move.").waitFor();
    await field.fill("a8 a1");
    await field.press("Enter");
    await second.locator(".notice").getByText("A stone moves along a diagonal, or jumps sideways.").waitFor();
    await field.fill("C8 – D7");
    await field.press("Enter");
    await waitForPlies(first, 2);
  });

  test("that is against the rules is answered with the rule, in every game and in the reader's language", async () => {
    const wrong = /** @type {Record<string, [string[], string]>} */ ({
      mawe: [["a1", "a5"], "Jiwe husogea"],
      reversi: [["a1"], "haitageuza"],
      checkers: [["9", "22"], ""],
      drafti: [["22", "15"], "Kete husogea"],
      brazilian: [["22", "15"], "Kete husogea"],
      russian: [["22", "15"], "Kete husogea"],
      international: [["32", "23"], "Kete husogea"],
      pool: [["9", "18"], "Kete husogea"],
      kalah: [["n1"], "mpinzani"],
      oware: [["n1"], "mpinzani"],
      congkak: [["n1"], "mpinzani"],
      bao: [["sA1"], "halina kete"],
      pallanguzhi: [["n1"], "mpinzani"],
    });
    for (const { id } of GAMES) {
      const { page } = await visit({ locale: "sw" });
      await page.goto("/play");
      await page.locator(`input[name=game][value=${id}]`).check();
      await page.locator("input[name=side][value=first]").check();
      await page.locator("form .primary").click();
      await myTurn(page);
      const [cells = [], part = ""] = wrong[id] ?? [];
      for (const cell of cells) await page.locator(`.match [data-cell="${cell}"]`).click();
      const notice = page.locator(".notice:visible");
      await notice.waitFor();
      const text = await notice.innerText();
      assert.ok(text.includes(part) && !/why\.|not allowed/.test(text), `${id}: ${text}`);
      assert.equal(await plies(page), 0);
    }
  });

  test("is made by dragging only, or by clicking only, as it is wished", async () => {
    const { page } = await visit();
    const begin = async () => {
      await page.goto("/play");
      await page.locator("input[name=side][value=first]").check();
      await page.getByRole("button", { name: "Play now" }).click();
      await myTurn(page);
    };
    const middle = async (/** @type {string} */ cell) => {
      const box = await page.locator(`.match [data-cell="${cell}"]`).boundingBox();
      assert.ok(box);
      return /** @type {const} */ ([box.x + box.width / 2, box.y + box.height / 2]);
    };
    const drag = async () => {
      await page.mouse.move(...(await middle("c1")));
      await page.mouse.down();
      await page.mouse.move(...(await middle("d2")), { steps: 4 });
      await page.mouse.up();
    };
    await prefer(page, { hands: "drag" });
    await begin();
    for (const cell of ["c1", "d2"]) await page.locator(`.match [data-cell="${cell}"]`).click();
    await finds(page.locator(".cell.picked"), 1);
    await drag();
    await waitForPlies(page, 1);
    await prefer(page, { hands: "click" });
    await begin();
    await drag();
    assert.equal(await plies(page), 0);
    await page.keyboard.press("Escape");
    for (const cell of ["c1", "d2"]) await page.locator(`.match [data-cell="${cell}"]`).click();
    await waitForPlies(page, 1);
  });
});
