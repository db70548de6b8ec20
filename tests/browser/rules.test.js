// @ts-check
// The boards of the rules pages for trying out: in every game, by mouse and by keyboard, without a network; and in four languages.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { LANGUAGES } from "../../static/core/i18n.js";
import { lessonsOf } from "../../static/games/pictures.js";
import { GAMES, gameOf } from "../../static/tests/loaded-games.js";
import { Game as Rules } from "../../static/wasm/rules.js";
import { catalogue, english, names } from "./recorded.js";
import { cellsOfMove, drawn, finds, focusOn, inFlight, MARKS, playFirst, pressMove, stage, waitForPlies } from "./support.js";

/** @import { Locator, Page } from "playwright-core" */
/** @import { Language, Side } from "../../static/core/types.js" */

/** An illegal choice at the start of each game. @type {Record<string, string[]>} */
const FORBIDDEN = {
  mawe: ["a1", "a5"],
  reversi: ["a1"],
  checkers: ["9", "18"],
  drafti: ["22", "15"],
  brazilian: ["22", "15"],
  russian: ["22", "15"],
  international: ["32", "23"],
  pool: ["9", "18"],
  kalah: ["n2"],
  oware: ["n2"],
  congkak: ["n2"],
  // The nyumba with six seeds.
  bao: ["sA5"],
  pallanguzhi: ["n2"],
};

/** @param {Locator} board */
const told = async (board) => (await board.locator(".told").innerText()).trim();

/** The names of a board's cells for a screen reader, without the parts about possible moves. @param {Page} page @param {Locator} board */
async function cellsOf(page, board) {
  await drawn(page);
  const cells = await board.locator(".cell").evaluateAll((els) => els.map((el) => el.getAttribute("aria-label") ?? ""));
  return cells
    .map((cell) => cell.replace(MARKS, ""))
    .sort()
    .join("; ");
}

describe("a board of the rules, taken over without a network", () => {
  const someone = inFlight();

  for (const game of GAMES) {
    test(`${game.id} is moved on by keyboard and mouse, refuses with the reason, and begins again`, async () => {
      const { page } = someone;
      await page.goto(`/rules/${game.id}`);
      const lesson = page.locator(".lesson").first();
      await focusOn(lesson.getByRole("button", { name: "Try it yourself" }));
      await page.keyboard.press("Enter");
      const board = lesson.locator(".free");
      await board.waitFor();
      // It is a board like any other: a grid of named cells, one of which has the focus at once.
      const grid = lesson.getByRole("grid");
      await finds(grid.getByRole("gridcell"), game.layout("").rows.flat().length);
      await page.waitForFunction(() => document.activeElement?.matches(".free .cell.start"));
      const rules = Rules.start(game.id, "");
      assert.equal(await cellsOf(page, board), names(game, rules.position(), null));
      assert.equal(await told(board), english[`turn.${game.marks.first}`]);

      const cells = FORBIDDEN[game.id] ?? [];
      const why = rules.explainIllegal(game.attempt(cells, "first", game.parse(rules.position()).pieces) ?? "");
      assert.ok(why && english[`why.${why}`], String(why));
      for (const cell of cells) await board.locator(`[data-cell="${cell}"]`).click();
      await board.locator(".told", { hasText: english[`why.${why}`] ?? "" }).waitFor();
      assert.equal(await cellsOf(page, board), names(game, rules.position(), null), "nothing has moved");

      // Both sides in turn, one by keyboard and the other by mouse, and every legal move is marked before.
      for (let ply = 0; ply < 6; ply++) {
        const side = /** @type {Side} */ (rules.turn());
        const legal = rules.legalMoves();
        await drawn(page);
        const starts = await board.locator(".cell.start").evaluateAll((els) => els.map((el) => el.getAttribute("data-cell")).sort());
        assert.deepEqual(starts, [...new Set(legal.map((move) => game.path(move, side)[0]))].sort());
        const move = legal[ply % legal.length] ?? "";
        if (ply % 2 === 0) await pressMove(page, game, move, side, "first", ".free", rules);
        else for (const cell of cellsOfMove(game, move, side, rules)) await board.locator(`[data-cell="${cell}"]`).click();
        rules.play(move);
        assert.equal(await cellsOf(page, board), names(game, rules.position(), null), move);
      }
      await board.getByRole("button", { name: "Take back" }).click();
      rules.retreat(1);
      assert.equal(await cellsOf(page, board), names(game, rules.position(), null));
      await board.getByRole("button", { name: "Start again" }).click();
      assert.equal(await cellsOf(page, board), names(game, game.start, null));
      await board.getByRole("button", { name: "Back to the picture" }).click();
      await board.waitFor({ state: "detached" });
      assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Try it yourself");
    });

    test(`${game.id}: every picture of a game under way is a board, and shows what its move leads to`, async () => {
      const { page } = someone;
      await page.goto(`/rules/${game.id}`);
      for (const [i, { key, position, move }] of lessonsOf(game.id).entries()) {
        const lesson = page.locator(".lesson").nth(i);
        const rules = Rules.fromPosition(game.id, position);
        const take = lesson.getByRole("button", { name: "Try it yourself" });
        // A finished game cannot be tried out.
        await finds(take, rules.outcome() === undefined ? 1 : 0, key);
        if (rules.outcome() !== undefined) continue;
        await take.click();
        const board = lesson.locator(".free");
        await board.waitFor();
        const side = /** @type {Side} */ (rules.turn());
        if (move !== null) {
          for (const cell of cellsOfMove(game, move, side, rules)) await board.locator(`[data-cell="${cell}"]`).click();
          rules.play(move);
        }
        for (let pass = rules.forcedPass(); pass !== undefined; pass = rules.forcedPass()) rules.play(pass);
        assert.equal(await cellsOf(page, board), names(game, rules.position(), null), key);
        const isOver = rules.outcome() !== undefined;
        assert.equal((await board.locator(".cell.start").count()) > 0, !isOver && rules.legalMoves().length > 0, key);
        if (!isOver)
          assert.ok((await told(board)).endsWith(english[`turn.${game.marks[/** @type {Side} */ (rules.turn())]}`] ?? "none"), key);
      }
    });
  }
});

describe("a board of the rules, taken over", () => {
  const { visit } = stage();

  for (const tag of /** @type {Language[]} */ (Object.keys(LANGUAGES))) {
    test(`${tag}: on 320 pixels, in the reader's words`, async () => {
      const words = catalogue(tag);
      const { page } = await visit({ locale: tag, viewport: { width: 320, height: 640 }, reducedMotion: "reduce" });
      await page.goto("/rules/checkers");
      const lesson = page.locator(".lesson").first();
      await lesson.getByRole("button", { name: words["rules.try"] ?? "" }).click();
      await lesson.locator(".free").waitFor();
      for (const cell of ["9", "18"]) await lesson.locator(`[data-cell="${cell}"]`).click();
      const why = Rules.start("checkers", "").explainIllegal(gameOf("checkers")?.attempt(["9", "18"], "first") ?? "");
      await lesson.locator(".told", { hasText: words[`why.${why}`] ?? "none" }).waitFor();
      for (const name of ["takeback.ask", "rules.reset", "rules.leave"])
        await finds(lesson.getByRole("button", { name: words[name] ?? "none" }), 1, name);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
    });
  }
});

describe("the rules over a match", () => {
  const { visit } = stage();

  test("open in a sheet, and the match goes on when it is closed", async () => {
    for (const viewport of [
      { width: 1100, height: 760 },
      { width: 360, height: 640 },
    ]) {
      const { page } = await visit({ viewport, reducedMotion: "reduce" });
      await page.goto("/play/oware");
      await page.locator("input[name=opponent][value=device]").check();
      await page.locator("form .primary").click();
      const button = page.locator(".actions").getByRole("button", { name: "Rules" });
      await button.click();
      const sheet = page.getByRole("dialog", { name: catalogue("en", "rules")["rules.oware.title"] });
      await finds(sheet.locator(".lesson"), lessonsOf("oware").length);
      assert.ok(await sheet.evaluate((el) => el.scrollWidth <= el.clientWidth && el.getBoundingClientRect().right <= innerWidth));
      await sheet.getByRole("button", { name: "Try it yourself" }).first().click();
      await sheet.locator(".free .cell.target").first().click();
      await sheet.getByRole("button", { name: "Close" }).click();
      await sheet.waitFor({ state: "detached" });
      assert.equal(await button.evaluate((el) => el === document.activeElement), true);
      await button.click();
      await sheet.waitFor();
      await page.keyboard.press("Escape");
      await sheet.waitFor({ state: "detached" });
      await playFirst(page);
      await waitForPlies(page, 1);
    }
  });
});
