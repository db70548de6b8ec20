// @ts-check
// The ways to an opponent: a pool, a name, the lobby; and two players on one device.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { gameOf } from "../../static/tests/loaded-games.js";
import { clickMove, eventually, finds, myTurn, over, playFirst, plies, register, stage, statusText, waitForPlies } from "./support.js";

/** @import { Page } from "playwright-core" */

/** A short beginning of checkers, after which one side resigns. */
const MOVES = ["11-15", "22-18", "15x22"];

/** @param {Page} page @param {string} opponent */
async function choose(page, opponent) {
  await page.goto("/play");
  await page.getByRole("radio", { name: opponent }).check();
}

const inMatch = (/** @type {Page} */ page) => page.waitForURL("**/match/*");

describe("players meet", () => {
  const { visit } = stage();

  test("strangers wait in a pool and are paired; only the page that asked goes to the match", async () => {
    const [a, b] = await Promise.all([visit(), visit()]);
    await choose(a.page, "A stranger");
    await a.page.getByRole("button", { name: /^5 \+ 0/ }).click();
    const wait = a.page.getByRole("group", { name: "Looking for an opponent" });
    await wait.getByText("Mawe! · 5 + 0 · casual").waitFor();
    await wait.getByText("0:01").waitFor();
    await finds(a.page.locator(".pool[aria-pressed=true]"), 1);
    // The wait goes on while another page is shown, and ends when it is cancelled.
    await a.page.getByRole("link", { name: "Rules" }).click();
    await wait.getByRole("button", { name: "Cancel" }).click();
    await wait.waitFor({ state: "hidden" });

    await choose(a.page, "A stranger");
    await a.page.getByRole("button", { name: /^5 \+ 0/ }).click();
    const tab = await a.context.newPage();
    await tab.goto("/players/mawe");
    await choose(b.page, "A stranger");
    await b.page.getByRole("button", { name: /^5 \+ 0 Blitz 1 waiting/ }).click();
    await Promise.all([inMatch(a.page), inMatch(b.page)]);
    assert.equal(new URL(a.page.url()).pathname, new URL(b.page.url()).pathname);
    await tab.locator(".news.begun").getByText("An opponent is found").waitFor();
    assert.equal(new URL(tab.url()).pathname, "/players/mawe");
    await tab.close();

    const mover = await Promise.race(
      [a.page, b.page].map((page) =>
        page
          .locator(".status.mine")
          .waitFor()
          .then(() => page),
      ),
    );
    await playFirst(mover);
    await Promise.all([waitForPlies(a.page, 1), waitForPlies(b.page, 1)]);

    // The home page shows whose turn it is.
    const waiter = mover === a.page ? b.page : a.page;
    await waiter.goto("/");
    await waiter.locator(".rows.mine").getByText("your move").waitFor();
  });

  test("matches by the day lead from one to the next in which it is one's turn", async () => {
    const [a, b] = await Promise.all([visit(), visit()]);
    const post = async (/** @type {Page} */ page, /** @type {string} */ path, /** @type {object} */ data) =>
      (await page.request.post(`/api/v1${path}`, { data, headers: { "content-type": "application/json" } })).json();
    for (const { page } of [a, b]) await post(page, "/guests", {});
    /** @type {string[]} */
    const ids = [];
    for (const game of ["mawe", "reversi"]) {
      const { id } = await post(a.page, "/challenges", { game, side: "first", time_control: { kind: "correspondence", days: 3 } });
      ids.push((await post(b.page, `/challenges/${id}/accept`, {})).id);
    }
    await a.page.goto(`/match/${ids[0]}`);
    await myTurn(a.page);
    const next = a.page.getByRole("link", { name: "Next: your turn in 1 match" });
    assert.equal(await next.getAttribute("href"), `/match/${ids[1]}`);
    // Moves by the day are confirmed.
    await a.page.locator(".cell.start").first().click();
    await a.page.locator(".cell.target").first().click();
    await a.page.getByRole("button", { name: "Yes, play" }).click();
    await waitForPlies(a.page, 1);
    await next.click();
    await a.page.waitForURL(`**/match/${ids[1]}`);
    await myTurn(a.page);
    // In the first match it is not the reader's turn any more.
    await finds(a.page.getByRole("link", { name: /^Next:/ }), 0);
  });

  test("one is challenged by name, declines with a reason, and challenges in turn", async () => {
    const [a, b] = await Promise.all([visit(), visit({ viewport: { width: 320, height: 640 } })]);
    await Promise.all([register(a.page, "Subira"), register(b.page, "Halina")]);
    await choose(a.page, "A friend");
    await a.page.getByRole("textbox", { name: "Your friend’s name here" }).fill("halina");
    await a.page.getByRole("radio", { name: "Days a turn" }).check();
    await a.page.getByRole("button", { name: "Challenge" }).click();
    await a.page.getByRole("heading", { name: "Waiting for Halina" }).waitFor();
    const call = b.page.getByRole("group", { name: "Challenge" });
    await call.getByText("Subira invites you to a match: Mawe! · Daily · 3 days a turn · casual").waitFor();
    // The challenge is there after a reload, too.
    await b.page.reload();
    await call.getByRole("button", { name: "Decline" }).click();
    const reason = call.getByRole("combobox", { name: "Why you decline" });
    const box = await reason.boundingBox();
    assert.ok(box && box.x >= 0 && box.x + box.width <= 320, "has room on a small phone");
    await reason.selectOption("too-slow");
    await call.getByRole("button", { name: "Decline" }).click();
    await call.waitFor({ state: "hidden" });
    await a.page.getByRole("heading", { name: "Your challenge was declined: the clock is too slow" }).waitFor();

    // A declined challenger must wait; the player who declined may challenge at once.
    await choose(a.page, "A friend");
    await a.page.getByRole("textbox", { name: "Your friend’s name here" }).fill("Halina");
    await a.page.getByRole("button", { name: "Challenge" }).click();
    await a.page.getByText("This player has declined your challenge. Wait a while before asking again.").waitFor();
    await choose(b.page, "A friend");
    await b.page.getByRole("textbox", { name: "Your friend’s name here" }).fill("Subira");
    await b.page.locator("input[name=side][value=second]").check();
    await b.page.getByRole("button", { name: "Challenge" }).click();
    await a.page.getByRole("group", { name: "Challenge" }).getByRole("button", { name: "Accept and play" }).click();
    await Promise.all([inMatch(a.page), inMatch(b.page)]);
    await playFirst(a.page);
    await waitForPlies(b.page, 1);

    await choose(a.page, "A friend");
    await a.page.getByRole("textbox", { name: "Your friend’s name here" }).fill("nobody-of-this-name");
    await a.page.getByRole("button", { name: "Challenge" }).click();
    await a.page.getByText("There is no player of this name.").waitFor();
  });

  test("an offer to everybody is withdrawn, made again, and taken", async () => {
    const [a, b] = await Promise.all([visit(), visit()]);
    await b.page.goto("/");
    const offers = b.page.locator(".seek");
    await choose(a.page, "A stranger");
    await a.page.getByRole("button", { name: "Other terms" }).click();
    await a.page.getByRole("radio", { name: "No limit" }).check();
    await a.page.getByRole("button", { name: "Offer it to everybody" }).click();
    await offers.getByText("Mawe! · No time limit · casual").waitFor();
    await a.page.getByRole("button", { name: /^Withdraw/ }).click();
    await offers.waitFor({ state: "detached" });
    await a.page.getByRole("button", { name: "Other terms" }).click();
    await a.page.getByRole("button", { name: "Offer it to everybody" }).click();
    await b.page.getByRole("button", { name: /^Play: / }).click();
    await Promise.all([inMatch(a.page), inMatch(b.page)]);
    await a.page.locator(".match").waitFor();
    await finds(a.page.locator(".clock:visible"), 0);
  });

  test("two play on one device, take a move back, and one gives up", async () => {
    const { page } = await visit();
    const game = gameOf("checkers");
    assert.ok(game);
    await page.goto("/play");
    await page.getByRole("radio", { name: "Checkers", exact: true }).check();
    await page.getByRole("radio", { name: "One device" }).check();
    assert.equal(await page.getByRole("radio", { name: "No limit" }).isChecked(), true);
    await page.getByRole("button", { name: "Play now" }).click();
    await inMatch(page);
    for (const [ply, move] of MOVES.entries()) {
      await clickMove(page, game, move, ply % 2 === 0 ? "first" : "second");
      await waitForPlies(page, ply + 1);
    }
    assert.equal(await statusText(page), "White to move");
    assert.equal(await page.getByRole("button", { name: "Say something" }).isVisible(), false);
    await page.getByRole("button", { name: "Take back" }).click();
    await page.waitForFunction(() => document.querySelectorAll(".moves button").length === 2);
    await clickMove(page, game, "15x22", "first");
    await waitForPlies(page, 3);
    await page.getByRole("button", { name: "Resign" }).click();
    await page.getByRole("button", { name: "Really resign?" }).click();
    await over(page);
    assert.equal(await statusText(page), "Black wins – by resignation");
    assert.equal(await plies(page), 3);
  });

  test("a match of Mawe! is played by both sides of one device to its end", async () => {
    const { page } = await visit();
    await choose(page, "One device");
    await page.getByRole("button", { name: "Play now" }).click();
    await inMatch(page);
    await page.locator(".match").waitFor();
    for (let ply = 0; ply < 200 && (await page.locator(".status.over").count()) === 0; ply++) await playFirst(page);
    await over(page);
    assert.match(await statusText(page), /(White wins|Black wins|Draw) \d : \d/);
    await page.getByRole("button", { name: "Rematch" }).click();
    await page.locator(".status.mine").waitFor();
    assert.equal(await plies(page), 0);
  });

  test("what is on in a game is watched", async () => {
    const [a, b] = await Promise.all([visit(), visit()]);
    await a.page.goto("/play");
    await a.page.getByRole("radio", { name: "Oware" }).check();
    await a.page.getByRole("radio", { name: "5 + 3" }).check();
    await a.page.locator("input[name=side][value=first]").check();
    await a.page.getByRole("button", { name: "Play now" }).click();
    await inMatch(a.page);
    await playFirst(a.page);
    // The server looks for featured matches every two seconds.
    const link = b.page.getByRole("link", { name: /Oware.*the best on now/ });
    await eventually(async () => {
      await b.page.goto("/");
      await b.page.waitForFunction(() => document.querySelector("main h1") && !document.querySelector("[aria-busy]"));
      return link.isVisible();
    });
    await link.click();
    await b.page.getByText("The best match of Oware at the moment.").waitFor();
    assert.equal(new URL(b.page.url()).pathname, new URL(a.page.url()).pathname);
  });
});

describe("who waits in vain", () => {
  const { visit } = stage(["--bot-offer-after", "1"]);

  test("is offered the computer, and may go on waiting or take it", async () => {
    const { page } = await visit();
    await choose(page, "A stranger");
    await page.getByRole("button", { name: /^3 \+ 2/ }).click();
    const wait = page.getByRole("group", { name: "Looking for an opponent" });
    await wait.getByText(/^Nobody has come yet. You could play [A-Z][a-z]+, level\s\d \(about \d+\)\.$/).waitFor();
    await page.locator("[aria-live]").getByText("Nobody has come yet.").waitFor({ state: "attached" });
    assert.equal(new URL(page.url()).pathname, "/play");
    await wait.getByRole("button", { name: "Play the computer" }).click();
    await inMatch(page);
    await playFirst(page);
    await waitForPlies(page, 2);
    assert.equal(await wait.isVisible(), false);
  });

  test("finds no focus behind the bar, which is tall on a narrow screen", async () => {
    const { page } = await visit();
    await page.setViewportSize({ width: 360, height: 640 });
    await choose(page, "A stranger");
    await page.getByRole("button", { name: /^3 \+ 2/ }).click();
    await page.getByRole("group", { name: "Looking for an opponent" }).getByText("Nobody has come yet.").waitFor();
    const [tall, kept] = await page.evaluate(() => [
      /** @type {HTMLElement} */ (document.querySelector(".notices")).offsetHeight,
      Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop),
    ]);
    assert.ok(tall !== undefined && kept !== undefined && tall > 144 && kept >= tall, `${kept} of ${tall}`);
  });
});
