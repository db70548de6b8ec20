// @ts-check
// Two friends and a spectator.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { beginMatch, boardText, finds, myTurn, over, playFirst, playPlies, plies, stage, statusText, waitForPlies } from "./support.js";

/** @import { Page } from "playwright-core" */
/** More plies than any match of Mawe! has. */
const ENOUGH = 200;

describe("two friends", () => {
  const { visit, table } = stage();

  test("play a whole match while a third watches; all see the same end; it can be replayed; there is a rematch", async () => {
    const { first, second, watcher, path } = await table();
    await watcher.goto(path);
    await watcher.getByText("You are watching").waitFor();
    await first.getByText("1 spectator").waitFor();

    for (let ply = 0; ply < ENOUGH && (await first.locator(".status.over").count()) === 0; ply++) {
      const mover = ply % 2 === 0 ? first : second;
      await waitForPlies(mover, ply);
      if ((await mover.locator(".status.over").count()) > 0) break;
      await playFirst(mover);
    }
    await Promise.all([over(first), over(second), over(watcher)]);

    const count = await plies(first);
    assert.ok(count > 16, `a match of ${count} plies`);
    for (const page of [second, watcher]) {
      assert.equal(await plies(page), count);
      assert.equal(await boardText(page), await boardText(first));
      assert.equal(await statusText(page), await statusText(first));
    }
    assert.match(await statusText(first), /(White wins|Black wins|Draw) \d : \d/);
    // The counted stones are marked: as many as the score says.
    const [white = 0, black = 0] = (await statusText(first)).match(/\d/g)?.map(Number) ?? [];
    await finds(first.locator(".cell.mark"), white + black);

    // Looking back: by the list, by the keys, by the buttons.
    const end = await boardText(watcher);
    await watcher.locator(".moves button").first().click();
    await watcher
      .getByRole("gridcell", { name: /last move/ })
      .first()
      .waitFor();
    assert.notEqual(await boardText(watcher), end);
    await watcher.keyboard.press("ArrowLeft");
    await finds(watcher.getByRole("gridcell", { name: /white stone/ }), 8);
    await watcher.waitForFunction(() => document.querySelectorAll(".cell.last").length === 0);
    await watcher.getByRole("button", { name: "Play through" }).click();
    await watcher.locator('.moves button[aria-current="step"]').nth(0).waitFor();
    await watcher.getByRole("button", { name: "To the latest move" }).click();
    await watcher.waitForFunction((n) => document.querySelectorAll(".cell.mark").length === n, white + black);
    assert.equal(await boardText(watcher), end);

    // A reload shows the same.
    await watcher.reload();
    await over(watcher);
    assert.equal(await boardText(watcher), end);
    assert.equal(await plies(watcher), count);

    // The rematch, with the sides exchanged.
    await first.getByRole("button", { name: "Rematch" }).click();
    await second.getByRole("button", { name: "Accept the rematch" }).click();
    await Promise.all([first, second].map((page) => page.waitForURL((url) => url.pathname !== path && url.pathname.startsWith("/match/"))));
    await myTurn(second);
    await playFirst(second);
    await waitForPlies(first, 1);
    await watcher.getByRole("link", { name: "To the rematch" }).click();
    await waitForPlies(watcher, 1);
  });

  test("a challenge by link gives the friend ten minutes more, and both read it", async () => {
    const [host, guest] = (await Promise.all([visit(), visit()])).map(({ page }) => page);
    assert.ok(host && guest);
    await host.goto("/play/kalah?with=friend");
    await host.locator(".new-match input[value='5+3']").check();
    await host.locator(".match-options summary").click();
    await host.getByLabel("Minutes more for your opponent").fill("10");
    await host.getByRole("button", { name: "Create a link for your friend" }).click();
    await host.getByText("whoever accepts: 10 min more").waitFor();
    await guest.goto(new URL(host.url()).pathname);
    await guest.getByText("whoever accepts: 10 min more").waitFor();
    await guest.getByRole("button", { name: "Accept and play" }).click();
    await Promise.all([host, guest].map((page) => page.waitForURL("**/match/*")));
    for (const page of [host, guest]) {
      await page.getByText(/(South|North): 10 min more/).waitFor();
      const clocks = await page.locator(".seat .clock").allTextContents();
      assert.deepEqual(clocks.map((text) => text.trim()).sort(), ["15:00", "5:00"]);
    }
  });

  test("a value of an option that is not offered any more refuses no match", async () => {
    const { page } = await visit();
    await page.goto("/play/kalah?with=friend");
    await page.locator(".new-match input[value='5+3']").check();
    await page.locator(".match-options summary").click();
    await page.getByLabel("Minutes more for your opponent").fill("99");
    await page.getByRole("button", { name: "Create a link for your friend" }).click();
    assert.match(page.url(), /\/play\/kalah/, "more than the server takes");
    await page.locator(".new-match input[value='computer']").check();
    await page.getByRole("button", { name: "Play now" }).click();
    await page.waitForURL("**/match/*");
  });

  test("one resigns: the first press asks, the second does", async () => {
    const { first, second } = await table();
    await playPlies(first, second, 2);
    await first.getByRole("button", { name: "Resign" }).click();
    await finds(first.locator(".status.over"), 0);
    await first.getByRole("button", { name: "Really resign?" }).click();
    await Promise.all([over(first), over(second)]);
    assert.equal(await statusText(second), "Black wins – by resignation");
    assert.equal(await statusText(first), await statusText(second));
  });

  test("a draw is offered, declined, and accepted from the other side", async () => {
    const { first, second } = await table();
    await playPlies(first, second, 2);
    await first.getByRole("button", { name: "Offer a draw" }).click();
    await first.getByText("You have offered a draw.").waitFor();
    await second.getByRole("button", { name: "Decline" }).click();
    await first.locator(".notice", { hasText: "Your opponent declines the draw." }).waitFor();
    await playPlies(first, second, 4);
    await second.getByRole("button", { name: "Offer a draw" }).click();
    await first.getByRole("button", { name: "Accept", exact: true }).click();
    await Promise.all([over(first), over(second)]);
    assert.equal(await statusText(first), "Draw – by agreement");
  });

  test("a match is aborted before its second ply", async () => {
    const { first, second } = await table();
    await playFirst(first);
    await waitForPlies(second, 1);
    await second.getByRole("button", { name: "Abort" }).click();
    await over(first);
    assert.equal(await statusText(first), "The match was aborted. Nobody wins.");
  });

  test("what is not allowed is answered with the reason, and changes nothing", async () => {
    const { first, second } = await table();
    const start = await boardText(first);
    await first.locator("[data-cell=a1]").click();
    await first.locator("[data-cell=a4]").click();
    const notice = first.locator(".notice");
    await notice.waitFor();
    assert.match(await notice.innerText(), /diagonal|does not move like that/);
    assert.equal(await boardText(first), start);
    // The other side's stones cannot be picked, in turn or out of it.
    await second.locator("[data-cell=a1]").click();
    await first.locator("[data-cell=a8]").click();
    await finds(first.locator(".cell.picked"), 0);
    await finds(second.locator(".cell.picked"), 0);
  });

  test("two tabs of one player agree", async () => {
    const { first, second, path } = await table();
    const tab = await first.context().newPage();
    await tab.goto(path);
    await myTurn(tab);
    await playFirst(tab);
    await waitForPlies(first, 1);
    await playFirst(second);
    await Promise.all([waitForPlies(tab, 2), waitForPlies(first, 2)]);
    assert.equal(await boardText(tab), await boardText(first));
    await playFirst(first);
    await waitForPlies(tab, 3);
  });

  test("a stone is dragged, by mouse and by finger, and the page does not scroll under it", async () => {
    const phone = await visit({ viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true });
    const desk = await visit();
    await beginMatch(desk.page, phone.page);
    const drag = async (/** @type {Page} */ page, /** @type {string} */ from, /** @type {string} */ to) => {
      const [a, b] = await Promise.all([from, to].map((cell) => page.locator(`[data-cell=${cell}]`).boundingBox()));
      assert.ok(a && b);
      return [a.x + a.width / 2, a.y + a.height / 2, b.x + b.width / 2, b.y + b.height / 2];
    };
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = await drag(desk.page, "d1", "f3");
    await desk.page.mouse.move(x1, y1);
    await desk.page.mouse.down();
    await desk.page.mouse.move((x1 + x2) / 2, (y1 + y2) / 2, { steps: 4 });
    await desk.page.locator(".piece.dragging").waitFor();
    await desk.page.mouse.move(x2, y2, { steps: 4 });
    await desk.page.mouse.up();
    await waitForPlies(phone.page, 1);

    await myTurn(phone.page);
    await phone.page.locator("[data-cell=d8]").scrollIntoViewIfNeeded();
    const scrolled = await phone.page.evaluate(() => scrollY);
    const [fx1 = 0, fy1 = 0, fx2 = 0, fy2 = 0] = await drag(phone.page, "d8", "b6");
    const touch = await phone.context.newCDPSession(phone.page);
    const at = (/** @type {number} */ x, /** @type {number} */ y) => [{ x, y }];
    await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(fx1, fy1) });
    for (let i = 1; i <= 5; i++) {
      await touch.send("Input.dispatchTouchEvent", {
        type: "touchMove",
        touchPoints: at(fx1 + ((fx2 - fx1) * i) / 5, fy1 + ((fy2 - fy1) * i) / 5),
      });
    }
    await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await waitForPlies(desk.page, 2);
    assert.equal(await desk.page.locator(".moves button").nth(1).innerText(), "d8–b6");
    assert.equal(await phone.page.evaluate(() => scrollY), scrolled);
  });
});
