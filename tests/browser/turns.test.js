// @ts-check
// Matches by the day: conditional moves and vacations, in two windows.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { gameOf } from "../../static/tests/loaded-games.js";
import { clickMove, eventually, finds, register, stage, waitForPlies } from "./support.js";

/** @import { Page } from "playwright-core" */

const DAILY = { kind: "correspondence", days: 3 };
const game = /** @type {import("../../static/games/types.js").Game} */ (gameOf("checkers"));

/** @param {Page} page @param {string} path @param {object} data */
const post = async (page, path, data) =>
  (await page.request.post(`/api/v1${path}`, { data, headers: { "content-type": "application/json" } })).json();

/** A match of checkers by the day; the first page has the first move. @param {Page} first @param {Page} second */
async function begin(first, second) {
  const { id } = await post(first, "/challenges", { game: "checkers", side: "first", time_control: DAILY });
  const { id: match } = await post(second, `/challenges/${id}/accept`, {});
  await Promise.all([first, second].map((page) => page.goto(`/match/${match}`)));
  return match;
}

/** Makes moves of both sides on the board for trying. @param {Page} page @param {string} line */
async function tryLine(page, line) {
  for (const [at, move] of line.split(" ").entries())
    for (const cell of game.path(move, at % 2 === 0 ? "first" : "second")) await sheet(page).locator(`[data-cell="${cell}"]`).click();
}

const sheet = (/** @type {Page} */ page) => page.getByRole("dialog", { name: "Conditional moves" });
const opener = (/** @type {Page} */ page) => page.locator(".actions button.conditional");

describe("a match by the day", () => {
  const { visit } = stage();

  test("has conditional moves, tried on a board and played by the server", async () => {
    const [a, b] = await Promise.all([visit(), visit()]);
    for (const { page } of [a, b]) await post(page, "/guests", {});
    const id = await begin(a.page, b.page);
    // It is the first player's turn: only the other is offered the board.
    await opener(b.page).click();
    const open = sheet(b.page);
    await open.getByText("No line is saved.").waitFor();
    const save = open.getByRole("button", { name: "Save this line" });
    assert.ok(await save.isDisabled());
    await tryLine(b.page, "11-15 22-18 15x22 25x18");
    await open.getByText("This line: 11–15 22–18 15×22 25×18").waitFor();
    await save.click();
    await open.locator(".lines li").getByText("11–15 22–18 15×22 25×18", { exact: true }).waitFor();
    // The board begins again for the next line.
    await eventually(async () => ((await save.isDisabled()) ? true : null));
    await tryLine(b.page, "9-13 22-18");
    await save.click();
    await finds(open.locator(".lines li"), 2);
    // With the keyboard a line is removed.
    await open.getByRole("button", { name: "Remove the line 9–13 22–18" }).focus();
    await b.page.keyboard.press("Enter");
    await finds(open.locator(".lines li"), 1);
    assert.equal(await opener(a.page).isVisible(), false);

    // The opponent moves: the sheet closes, the answer is on both boards, and it is the opponent's turn again.
    await clickMove(a.page, game, "11-15", "first");
    await a.page.getByRole("button", { name: "Yes, play" }).click();
    await Promise.all([waitForPlies(a.page, 2), waitForPlies(b.page, 2)]);
    await open.waitFor({ state: "detached" });
    await opener(b.page).click();
    await sheet(b.page).locator(".lines li").getByText("15×22 25×18", { exact: true }).waitFor();
    await sheet(b.page).getByRole("button", { name: "Close" }).press("Enter");
    await open.waitFor({ state: "detached" });
    const theirs = await (await a.page.request.get(`/api/v1/matches/${id}/conditional-moves`)).json();
    assert.deepEqual(theirs.lines, []);
  });

  test("waits for a player on vacation, and the opponent sees until when", async () => {
    const [a, b] = await Promise.all([visit(), visit()]);
    await register(a.page, "Amina");
    await register(b.page, "Zofia");
    await b.page.goto("/settings");
    const card = b.page.locator(".card.vacation");
    await card.getByText("30 days left this year").waitFor();
    await card.getByLabel("Length").selectOption("5");
    await card.getByRole("button", { name: "Begin now" }).click();
    await card.getByRole("button", { name: "Really begin?" }).click();
    await card.getByText(/^On vacation until /).waitFor();
    await begin(a.page, b.page);
    await a.page
      .locator(".seat.second .vacation")
      .getByText(/^On vacation until /)
      .waitFor();
    await finds(a.page.locator(".seat .vacation:visible"), 1);
    await a.page.goto("/player/Zofia");
    await a.page
      .locator(".profile-head")
      .getByText(/^On vacation until /)
      .waitFor();
    // It ends with the day that has begun.
    await b.page.goto("/settings");
    await card.getByRole("button", { name: "End the vacation" }).click();
    await eventually(async () => {
      const { until, days_left } = await (await b.page.request.get("/api/v1/me/vacation")).json();
      return until !== null && days_left >= 29 ? true : null;
    });
  });
});
