// @ts-check
// Lessons: every task of every game solved by mouse or by keyboard, without a network; in four languages; and a first game with hints.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { LANGUAGES } from "../../static/core/i18n.js";
import { GAMES } from "../../static/tests/loaded-games.js";
import { Game as Rules } from "../../static/wasm/rules.js";
import { catalogue } from "./recorded.js";
import {
  cellsOfMove,
  chooseLanguage,
  drawn,
  finds,
  follow,
  inFlight,
  myTurn,
  playFirst,
  plies,
  pressMove,
  stage,
  waitForPlies,
} from "./support.js";

/** @import { Page } from "playwright-core" */
/** @import { Game, Task } from "../../static/games/types.js" */
/** @import { Language, Side } from "../../static/core/types.js" */

/** @param {Game} game @returns {Promise<Task[]>} */
const tasksOf = async ({ id }) => (await import(`../../static/games/tasks/${id}.js`)).tasks;

/** @param {Page} page @param {Game} game @param {string} move @param {Side} side @param {Rules} rules before the move */
async function click(page, game, move, side, rules) {
  for (const cell of cellsOfMove(game, move, side, rules)) await page.locator(`.task [data-cell="${cell}"]`).click();
}

/** The same by keyboard. @type {typeof click} */
const press = (page, game, move, side, rules) => pressMove(page, game, move, side, side, ".match", rules);

/**
 * Makes the reader's moves of the solution.
 * @param {Page} page
 * @param {Game} game
 * @param {Task} task
 * @param {typeof click} make
 */
async function solve(page, game, task, make) {
  const rules = Rules.fromPosition(game.id, task.position);
  const side = /** @type {Side} */ (rules.turn());
  for (const move of task.solution) {
    if (rules.turn() === side) {
      await drawn(page);
      await make(page, game, move, side, rules);
    }
    rules.play(move);
  }
  await page.locator(".told.solved").waitFor();
}

describe("lessons without a network", () => {
  const someone = inFlight();

  for (const game of GAMES) {
    test(`${game.id}: every task is solved, by mouse and by keyboard in turn, and stays solved`, async () => {
      const { page } = someone;
      const tasks = await tasksOf(game);
      await page.goto("/");
      await page.getByRole("link", { name: "Learn" }).first().click();
      await page.locator(`.learn-games a[href="/learn/${game.id}"]`).click();
      await page.locator(`.tasks a[href="/learn/${game.id}/${tasks[0]?.key}"]`).click();
      for (const [i, task] of tasks.entries()) {
        await page.waitForURL(`**/learn/${game.id}/${task.key}`);
        await page.locator(".task").waitFor();
        await solve(page, game, task, i % 2 === 0 ? click : press);
        // With the keyboard, Enter goes on.
        await page.waitForFunction(() => document.activeElement?.matches(".actions a.primary"));
        await page.keyboard.press("Enter");
      }
      await page.locator(".tasks").first().waitFor();
      await finds(page.locator(".tasks .solved"), tasks.length);
      await page.reload();
      await page.locator(".tasks").first().waitFor();
      await finds(page.locator(".tasks .solved"), tasks.length);
      await page.getByText(`Solved: ${tasks.length} of ${tasks.length}`).waitFor();
    });

    test(`${game.id}: a wrong move is told, taken back, and helped by a hint`, async () => {
      const { page } = someone;
      const [task] = await tasksOf(game);
      assert.ok(task);
      await page.goto(`/learn/${game.id}/${task.key}`);
      await page.locator(".task").waitFor();
      const rules = Rules.fromPosition(game.id, task.position);
      const side = /** @type {Side} */ (rules.turn());
      await click(page, game, task.wrong, side, rules);
      await page.getByText("That misses the goal. Try again.").first().waitFor();
      await page.waitForFunction(() => document.activeElement?.matches(".actions button.primary"));
      await page.keyboard.press("Enter");
      await page.locator(".told.wrong").waitFor({ state: "hidden" });
      await page.getByRole("button", { name: "Hint" }).click();
      await drawn(page);
      const hinted = await page.locator(".cell.hint").evaluateAll((cells) => cells.map((cell) => cell.getAttribute("data-cell")).sort());
      assert.deepEqual(hinted, [...new Set(game.path(task.solution[0] ?? "", side, game.parse(task.position).pieces))].sort());
      await solve(page, game, task, click);
    });
  }

  test("a move that is not legal is refused with its reason", async () => {
    const { page } = someone;
    await page.goto("/learn/oware/feed");
    await page.locator(".task").waitFor();
    await page.locator('.task [data-cell="s1"]').click();
    await page.locator(".told", { hasText: "Your opponent has no seeds: play a house that gives some." }).waitFor();
  });

  test("a first game is played with hints and moves taken back", async () => {
    const { page } = someone;
    await page.goto("/learn/kalah");
    await page.getByRole("button", { name: "Play a first game" }).click();
    await page.waitForURL("**/device/*");
    await myTurn(page);
    await page.getByRole("button", { name: "Hint" }).click();
    await page.locator(".cell.hint").waitFor();
    await page.locator(".hint-said", { hasText: "Suggested: house" }).waitFor();
    await page.locator(".cell.hint").click();
    await waitForPlies(page, 1);
    await myTurn(page);
    await finds(page.locator(".cell.hint"), 0);
    await playFirst(page);
    await page.getByRole("button", { name: "Take back" }).click();
    await myTurn(page);
    assert.ok((await plies(page)) >= 1);
  });
});

describe("a hint", () => {
  const { visit, table } = stage();

  test("is given against the computer, where nothing is at stake", async () => {
    const { page } = await visit({ reducedMotion: "reduce" });
    await page.goto("/play");
    await page.locator("input[name=game][value=reversi]").check();
    await page.locator("input[name=side][value=first]").check();
    await page.locator(".new-match button[type=submit]").click();
    await page.waitForURL("**/match/*");
    await myTurn(page);
    await page.getByRole("button", { name: "Hint" }).click();
    await page.locator(".hint-said", { hasText: "Suggested: " }).waitFor();
    await drawn(page);
    await finds(page.locator(".cell.hint"), 1);
    assert.match((await page.locator(".cell.hint").getAttribute("aria-label")) ?? "", /suggested/);
    await page.locator(".cell.hint").click();
    await waitForPlies(page, 1);
    await page.locator(".cell.hint").waitFor({ state: "detached" });
  });

  test("is not given against a person, nor to who watches", async () => {
    const { first, second, watcher, path } = await table("Reversi");
    await watcher.goto(path);
    await watcher.locator(".match").waitFor();
    for (const page of [first, second, watcher]) await finds(page.getByRole("button", { name: "Hint" }), 0);
  });
});

describe("lessons in every language", () => {
  const { visit } = stage();

  for (const tag of /** @type {Language[]} */ (Object.keys(LANGUAGES))) {
    test(`${tag}: on 320 pixels, nothing is cut off, and no word is missing`, async () => {
      const { page } = await visit({ locale: tag, viewport: { width: 320, height: 568 }, reducedMotion: "reduce" });
      const words = catalogue(tag);
      const study = catalogue(tag, "study");
      await page.goto("/learn");
      await page.getByRole("heading", { name: words["menu.learn"], exact: true }).waitFor();
      for (const game of GAMES) {
        const tasks = (await tasksOf(game)).map(({ key, texts }) => ({
          path: `/learn/${game.id}/${key}`,
          goal: `task.${texts ?? game.id}.${key}.goal`,
        }));
        for (const { path, goal } of [{ path: `/learn/${game.id}`, goal: "" }, ...tasks]) {
          await follow(page, path);
          await page.locator(".learn, .task").waitFor();
          assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320, path);
          const text = await page.locator("main").innerText();
          assert.doesNotMatch(text, /\b(?:learn|task|hint)\.[a-z]/, path);
          if (goal) assert.ok(text.includes(study[goal] ?? "?"), path);
        }
      }
    });
  }

  test("another language is spoken at once", async () => {
    const { page } = await visit();
    await page.goto("/learn/mawe/pin");
    await page.getByRole("heading", { name: "Pin this stone" }).waitFor();
    await chooseLanguage(page, "pl");
    await page.getByRole("heading", { name: "Unieruchom ten kamień" }).waitFor();
  });
});
