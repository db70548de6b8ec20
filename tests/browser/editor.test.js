// @ts-check
// The editor in a browser: by mouse, finger, keyboard and text; what the rules refuse; a game from the position on one device and against the
// computer on it, also after a reload; matches from it with a friend and with a stranger.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { GAMES } from "../../static/tests/loaded-games.js";
import { judge } from "./axe.js";
import { boardText, drawn, eventually, finds, myTurn, over, stage, waitForPlies } from "./support.js";

/** @import { Page } from "playwright-core" */

const PHONE = { viewport: { width: 320, height: 640 }, hasTouch: true };
/** The least height of what is pressed, in pixels. */
const TARGET = 40;

/** @param {Page} page @param {string} id */
const cell = (page, id) => page.locator(`.editor [data-cell="${id}"]`);

/** @param {Page} page */
const field = (page) => page.locator(".editor textarea");

/** @param {Page} page @param {string} path */
async function open(page, path) {
  await page.goto(path);
  await page.locator(".editor .cell").first().waitFor();
}

/** Waits until the text field has this position, and the address, too. @param {Page} page @param {string} position @param {string | null} [inAddress] */
async function has(page, position, inAddress = position) {
  await eventually(async () => (await field(page).inputValue()) === position);
  await drawn(page);
  assert.equal(new URL(page.url()).searchParams.get("position"), inAddress);
}

/** @param {Page} page @param {string} name */
const choose = (page, name) => page.locator(`.editor input[name=editor-tool][value=${name}]`).check();

/** @param {Page} page */
const playButton = (page) => page.locator(".play-here .primary");

describe("the editor", () => {
  const { visit } = stage();

  test("puts, replaces, takes and drags pieces by mouse", async () => {
    const { page } = await visit();
    await open(page, "/editor/mawe");
    await has(page, "BBBBBBBB/8/8/8/8/8/8/WWWWWWWW w", null);
    await cell(page, "d4").click();
    await has(page, "BBBBBBBB/8/8/8/3W4/8/8/WWWWWWWW w");
    await choose(page, "dark-pinned");
    await cell(page, "d4").click();
    await has(page, "BBBBBBBB/8/8/8/3b4/8/8/WWWWWWWW w");
    await cell(page, "d4").dragTo(cell(page, "e5"));
    await has(page, "BBBBBBBB/8/8/4b3/8/8/8/WWWWWWWW w");
    await cell(page, "e5").click();
    await cell(page, "a1").click({ button: "right" });
    await has(page, "BBBBBBBB/8/8/8/8/8/8/1WWWWWWW w");
    await page.locator("input[name=editor-turn][value=second]").check();
    await has(page, "BBBBBBBB/8/8/8/8/8/8/1WWWWWWW b");
    await page.getByRole("button", { name: "Turn the board" }).click();
    const [a1, h8] = [await cell(page, "a1").boundingBox(), await cell(page, "h8").boundingBox()];
    assert.ok(a1 && h8 && a1.y < h8.y, "Black is below");
    await page.getByRole("button", { name: "Empty board" }).click();
    await has(page, "8/8/8/8/8/8/8/8 b");
    await page.getByRole("button", { name: "Start position" }).click();
    await has(page, "BBBBBBBB/8/8/8/8/8/8/WWWWWWWW w", null);
  });

  test("counts seeds by finger", async () => {
    const { page } = await visit(PHONE);
    await open(page, "/editor/kalah");
    for (let n = 0; n < 3; n++) await cell(page, "s1").tap();
    await has(page, "7,4,4,4,4,4,0/4,4,4,4,4,4,0 s");
    // A long tap takes a seed.
    const box = await cell(page, "n2").boundingBox();
    assert.ok(box);
    const point = { pointerId: 7, pointerType: "touch", button: 0, clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 };
    await cell(page, "n2").dispatchEvent("pointerdown", point);
    await has(page, "7,4,4,4,4,4,0/4,3,4,4,4,4,0 s");
    await cell(page, "n2").dispatchEvent("pointerup", point);
    await has(page, "7,4,4,4,4,4,0/4,3,4,4,4,4,0 s");
    await choose(page, "less");
    await cell(page, "s1").tap();
    await has(page, "6,4,4,4,4,4,0/4,3,4,4,4,4,0 s");
    await page.getByText("49 seeds").waitFor();
    await page.getByRole("button", { name: "5 seeds a house" }).tap();
    await has(page, "5,5,5,5,5,5,0/5,5,5,5,5,5,0 s");
  });

  test("is used by the keyboard, whose cells have names", async () => {
    const { page } = await visit();
    await open(page, "/editor/oware");
    await cell(page, "s1").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.type("12");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("+");
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("-");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Delete");
    await has(page, "4,12,6,3,0,4,0/4,4,4,4,4,4,0 s");
    assert.equal(await cell(page, "s2").getAttribute("aria-label"), "South’s house 2, 12 seeds");
    await eventually(async () => (await page.locator(".visually-hidden[role=status]").textContent())?.includes("South’s house 5, 0 seeds"));
    await open(page, "/editor/checkers");
    await cell(page, "13").focus();
    await page.keyboard.press("3");
    await page.keyboard.press("Space");
    assert.match(await field(page).inputValue(), /^B:WK13,21,/);
    await page.keyboard.press("Backspace");
    await has(page, "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12", null);
  });

  test("shows a text that the rules accept, and says why and where they refuse one", async () => {
    const { page } = await visit();
    await open(page, "/editor/checkers");
    await field(page).fill("W:W18:B1");
    await finds(page.locator(".editor .piece"), 2);
    await has(page, "W:W18:B1");
    await field(page).fill("W:W18:B99");
    await page.locator("#position-fault", { hasText: "There is no square of this number. Sign 9 of the text." }).waitFor();
    assert.equal(await playButton(page).isDisabled(), true);
    await finds(page.locator(".editor .piece"), 2);
    // The address keeps what was valid.
    assert.equal(new URL(page.url()).searchParams.get("position"), "W:W18:B1");
    await judge(page, "the editor", "a text is refused");
    // A man on the row that crowns it: the board shows it, and the rules say no.
    await field(page).fill("W:W18:B1");
    await cell(page, "2").click();
    await page.locator(".told.refused", { hasText: "A man cannot stand on the row that crowns it." }).waitFor();
    // A side to move without pieces has lost.
    await field(page).fill("B:W18:B");
    await page.locator(".told", { hasText: "The game is over here: White wins" }).waitFor();
    assert.equal(await playButton(page).isDisabled(), true);
    await page.reload();
    await page.locator(".told", { hasText: "The game is over here" }).waitFor();
  });

  test("begins a game for two on this device, which is there after a reload", async () => {
    const { page } = await visit();
    await open(page, "/editor/kalah?position=0,0,0,0,3,1,20/1,0,0,0,0,1,20+n");
    await page.locator(".play-here input[name=opponent][value=device]").check();
    assert.equal(await page.locator(".play-here select[name=level]").isVisible(), false);
    await playButton(page).click();
    await page.locator('.match [data-cell="n6"].target').waitFor();
    await page.locator('.match [data-cell="n6"]').click();
    await waitForPlies(page, 1);
    await page.reload();
    await page.locator('.match [data-cell="n1"].target').waitFor();
    await waitForPlies(page, 1);
    assert.match((await page.locator('.match [data-cell="s-store"]').getAttribute("aria-label")) ?? "", /20 seeds/);
  });

  test("begins a game against the computer on this device, which answers from there", async () => {
    const { page } = await visit();
    await open(page, "/editor/mawe?position=2B3B1/3W4/B2b1BW1/2w1W3/3B2b1/1W1w1B2/4W3/W4B1W+w");
    await page.locator(".play-here select[name=level]").selectOption("1");
    await page.locator(".play-here input[name=side][value=second]").check();
    await playButton(page).click();
    await waitForPlies(page, 1);
    await page.reload();
    await waitForPlies(page, 1);
    assert.match((await page.locator('.match [data-cell="c8"]').getAttribute("aria-label")) ?? "", /black stone/);
  });

  test("begins a match with a friend by a link, and both play from there", async () => {
    const [{ page: host }, { page: guest }] = await Promise.all([visit(), visit()]);
    await open(host, "/editor/checkers?position=W:W18,K30:B1,2");
    await cell(host, "18").dragTo(cell(host, "22"));
    await has(host, "W:W22,K30:B1,2");
    await host.locator(".play-here").getByRole("radio", { name: "A friend" }).check();
    await host.locator(".play-here").getByText("A casual match").waitFor();
    await host.locator(".play-here input[name=side][value=second]").check();
    await host.locator(".play-here input[name=time][value='10+5']").check();
    await host.getByRole("button", { name: "Create a link for your friend" }).click();
    const link = await host.getByRole("textbox", { name: "Link for your friend" }).inputValue();
    const terms = "from a position · Rapid · 10 min + 5 s · casual";
    await host.getByText(terms, { exact: true }).waitFor();

    await guest.goto(new URL(link).pathname);
    await guest.getByText(terms, { exact: true }).waitFor();
    await guest.getByRole("button", { name: "Accept and play" }).click();
    await Promise.all([host, guest].map((page) => page.waitForURL("**/match/*")));
    assert.equal(new URL(host.url()).pathname, new URL(guest.url()).pathname);
    for (const page of [host, guest]) {
      await finds(page.locator(".match .piece"), 4);
      await page.locator(".about").getByText(terms, { exact: true }).waitFor();
    }
    assert.equal(await boardText(host), await boardText(guest));
    assert.match((await host.locator('.match [data-cell="22"]').getAttribute("aria-label")) ?? "", /white man/);

    // The first side of the game is Black; the position has White to move.
    await myTurn(host);
    await host.locator('.match [data-cell="22"]').click();
    await host.locator('.match [data-cell="18"]').click();
    await Promise.all([host, guest].map((page) => waitForPlies(page, 1)));
    await myTurn(guest);
    assert.match((await guest.locator('.match [data-cell="18"]').getAttribute("aria-label")) ?? "", /white man/);
    await guest.reload();
    await waitForPlies(guest, 1);
    await finds(guest.locator(".match .piece"), 4);

    // The way back to the position, once the match is over.
    await finds(guest.getByRole("link", { name: "The position it began from" }), 0);
    await guest.getByRole("button", { name: "Abort" }).click();
    await Promise.all([host, guest].map((page) => over(page)));
    await guest.getByRole("link", { name: "The position it began from" }).click();
    await guest.locator('.analysis [data-cell="22"][aria-label*="white man"]').waitFor();
    await finds(guest.locator(".analysis .piece"), 4);
  });

  test("offers a match from the position to everybody, and opens it when somebody joins", async () => {
    const [{ page: host }, { page: guest }] = await Promise.all([visit(), visit()]);
    await open(host, "/editor/kalah?position=0,0,0,0,3,1,20/1,0,0,0,0,1,20+n");
    await host.locator(".play-here").getByRole("radio", { name: "A stranger" }).check();
    await host.locator(".play-here input[name=side][value=second]").check();
    await host.getByRole("button", { name: "Offer it to everybody" }).click();
    await host.getByText("Your offer is open to everybody.").waitFor();
    assert.equal(await playButton(host).isDisabled(), true);
    // Another position is another offer.
    await cell(host, "s1").click();
    await eventually(async () => (await playButton(host).isDisabled()) === false);
    await guest.goto("/play/kalah");
    const seek = guest.locator(".seek", { hasText: "from a position" });
    await seek.getByRole("button").click();
    await Promise.all([host, guest].map((page) => page.waitForURL("**/match/*")));
    await myTurn(host);
    await host.locator('.match [data-cell="n6"]').click();
    await Promise.all([host, guest].map((page) => waitForPlies(page, 1)));
    assert.match((await guest.locator('.match [data-cell="n-store"]').getAttribute("aria-label")) ?? "", /21 seeds/);
  });

  test("has no picture and no match with people where the board has too many seeds for the server, and a game on this device", async () => {
    const { page } = await visit();
    await open(page, "/editor/kalah?position=4,4,4,4,4,4,0/4,4,4,4,4,4,953+s");
    const picture = page.getByRole("link", { name: "Picture" });
    const why = page.getByText("the board has 1,000 seeds at most at the start");
    await finds(picture, 0);
    for (const person of ["A friend", "A stranger"]) {
      await page.locator(".play-here").getByRole("radio", { name: person }).check();
      await why.waitFor();
      assert.equal(await playButton(page).isDisabled(), true, person);
    }
    await page.locator(".play-here input[name=opponent][value=device]").check();
    assert.equal(await why.isVisible(), false);
    assert.equal(await playButton(page).isDisabled(), false);

    // One seed fewer.
    await page.locator(".play-here").getByRole("radio", { name: "A friend" }).check();
    await why.waitFor();
    await cell(page, "s1").click({ button: "right" });
    await finds(picture, 1);
    assert.equal(await why.isVisible(), false);
    const answer = await page.request.get(new URL((await picture.getAttribute("href")) ?? "", page.url()).href);
    assert.equal(answer.status(), 200);
    await page.getByRole("button", { name: "Create a link for your friend" }).click();
    await page.getByRole("textbox", { name: "Link for your friend" }).waitFor();
  });

  test("leads on to the picture, the analysis, and to other games", async () => {
    const { page } = await visit();
    await open(page, "/editor/drafti?position=W:W18,K30:B1,2,K9");
    const picture = await page.getByRole("link", { name: "Picture" }).getAttribute("href");
    const answer = await page.request.get(new URL(picture ?? "", page.url()).href);
    assert.deepEqual([answer.status(), answer.headers()["content-type"]], [200, "image/png"]);
    await page.getByRole("link", { name: "Analyse" }).click();
    await page.locator(".analysis .cell").first().waitFor();
    await finds(page.locator(".analysis .piece"), 5);
    await page.goBack();
    await finds(page.locator(".editor .piece"), 5);
    await page.locator(".game-choice summary").click();
    await page.getByRole("link", { name: "Bao" }).click();
    await page.locator(".editor .slab").waitFor();
    await page.getByText("64 kete").waitFor();
  });

  test("has targets for fingers on the narrowest phones, and nothing beside the page", async () => {
    const { page } = await visit(PHONE);
    for (const { id } of GAMES) {
      await open(page, `/editor/${id}`);
      await page.locator(".game-choice summary").click();
      const small = await page
        .locator(".editor :is(button, select, textarea, summary, .choice, a.button)")
        .evaluateAll(
          (els, least) => els.filter((el) => el.checkVisibility() && el.getBoundingClientRect().height < least).map((el) => el.outerHTML),
          TARGET,
        );
      assert.deepEqual(small, [], id);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, id);
    }
  });
});
