// @ts-check
// The home page: from a tile to a move, and the life of the server.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { GAMES } from "../../static/games/index.js";
import { english } from "./recorded.js";
import { beginMatch, drawn, eventually, finds, follow, MOVING, playFirst, playPlies, stage, waitForPlies } from "./support.js";

/** @import { Page } from "playwright-core" */

/** The catalogue that a first visit fetches late. */
const REST = "**/i18n/rest/*.json";

/** Holds the rest of the texts back from the page until `release`, which waits for their request. @param {Page} page */
async function holdRest(page) {
  let release = () => {};
  /** @type {Promise<void>} */
  const released = new Promise((resolve) => {
    release = resolve;
  });
  const asked = page.waitForRequest(REST);
  await page.route(REST, (route) => released.then(() => route.continue()));
  return async () => {
    await asked;
    release();
  };
}

/** Notes every element that the reader sees, with its own text and its names. @param {Page} page */
const noteTexts = (page) =>
  page.evaluate(() => {
    const said = (/** @type {Element} */ el) => [
      [...el.childNodes].map((node) => (node instanceof Text ? node.data : "")).join(""),
      ...["aria-label", "title", "placeholder"].map((name) => el.getAttribute(name) ?? "-"),
    ];
    const seen = [...document.body.querySelectorAll("*")].filter((el) => el.checkVisibility({ visibilityProperty: true }));
    Object.assign(window, { said, noted: seen.map((el) => [el, said(el)]) });
    return seen.length;
  });

/** The texts that were missing when they were noted. @param {Page} page @returns {Promise<string[]>} */
const missingTexts = (page) =>
  page.evaluate(() => {
    const { said, noted } = /** @type {any} */ (window);
    return noted.flatMap((/** @type {[Element, string[]]} */ [el, before]) =>
      said(el).filter((/** @type {string} */ text, /** @type {number} */ i) => before[i]?.trim() === "" && text.trim() !== ""),
    );
  });

/** Waits until the page has all its texts. @param {Page} page */
const wholeTexts = (page) =>
  eventually(() =>
    page.evaluate(async () => {
      const address = performance.getEntriesByType("resource").find(({ name }) => name.endsWith("/core/i18n.js"))?.name ?? "";
      return /** @type {boolean} */ ((await import(address)).hasRest());
    }),
  );

const tile = (/** @type {Page} */ page, /** @type {string} */ name) =>
  page.locator(".tile-play", { has: page.getByText(name, { exact: true }) });

describe("the home page", () => {
  const { visit } = stage(["--spectator-delay", "0"]);

  test("shows all games without scrolling, and one press begins each", async () => {
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 360, height: 640 },
      { width: 640, height: 360 },
    ]) {
      const { page } = await visit({ viewport, reducedMotion: "reduce" });
      await page.goto("/");
      for (const { id } of GAMES) {
        const button = tile(page, String(english[`game.${id}.name`]));
        await button.waitFor();
        const box = await button.boundingBox();
        assert.ok(box && box.y >= 0 && box.y + box.height <= viewport.height, `${id} at ${viewport.width}: ${JSON.stringify(box)}`);
        const art = await button.locator("img").boundingBox();
        assert.ok(art && art.width > 30 && art.height > 30, `${id} at ${viewport.width}: ${JSON.stringify(art)}`);
        assert.equal(await page.evaluate(() => scrollY), 0);
        await button.click();
        await page.waitForURL("**/match/*");
        await page.locator(".match").waitFor();
        await page.getByText("Changarawe, level 2").first().waitFor();
        await page.getByText("No time limit").first().waitFor();
        await follow(page, "/");
      }
    }
  });

  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 360, height: 640 },
    { width: 640, height: 360 },
  ]) {
    const size = `${viewport.width}×${viewport.height}`;
    test(`at ${size} two presses begin with any opponent, and one with the opponent of the last time`, async () => {
      const { page } = await visit({ viewport, reducedMotion: "reduce" });
      /** Presses what is in view, without scrolling. @param {import("playwright-core").Locator} target */
      const press = async (target) => {
        await target.waitFor();
        assert.equal(await page.evaluate(() => scrollY), 0);
        const box = await target.boundingBox();
        assert.ok(box && box.y >= 0 && box.y + box.height <= viewport.height, JSON.stringify(box));
        await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
      };
      const oware = page.locator(".tile-play:enabled", { hasText: "Oware" });
      const choice = (/** @type {string} */ name) => page.locator(".with .choice", { hasText: name });
      /** @type {[string, string, () => Promise<void>][]} */
      const ways = [
        ["A friend", "A friend · 5 min + 3 s", () => page.getByText("Waiting for your friend").waitFor()],
        ["A stranger", "A stranger · 5 + 0", () => page.locator(".news.wait").waitFor()],
        ["One device", "One device · No time limit", () => page.locator(".match .cell").first().waitFor()],
        ["Computer", "Computer, level 2 · No time limit", () => page.locator(".match .cell").first().waitFor()],
      ];
      for (const [name, terms, begun] of ways) {
        for (const presses of [2, 1]) {
          await page.goto("/");
          if (presses === 2) await press(choice(name));
          await page.getByText(`One press begins: ${terms}.`).waitFor();
          assert.equal(await choice(name).locator("input").isChecked(), true);
          await press(oware);
          await begun();
        }
      }
    });
  }

  test("a link for a friend leads both to the same match", async () => {
    const [host, guest] = await Promise.all([visit(), visit()]);
    await host.page.goto("/");
    await host.page.getByRole("radio", { name: "A friend" }).check();
    await tile(host.page, "Kalah").click();
    await host.page.waitForURL("**/challenge/*");
    await guest.page.goto(new URL(host.page.url()).pathname);
    await guest.page.getByRole("button", { name: "Accept and play" }).click();
    for (const { page } of [host, guest]) await page.locator(".match .cell").first().waitFor();
    assert.equal(new URL(host.page.url()).pathname, new URL(guest.page.url()).pathname);
    await host.page.getByText("Blitz · 5 min + 3 s").first().waitFor();
  });

  test("a first visit lacks no text up to the first move, though it fetches half of them later", async () => {
    const played = await visit();
    await played.page.goto("/play/oware");
    await played.page.getByRole("button", { name: "Play now" }).click();
    await played.page.locator(".status.mine").waitFor();
    // A match is listed once it has begun, whoever has the first move.
    await playFirst(played.page);
    await waitForPlies(played.page, 2);
    for (const { id } of [null, ...GAMES].map((game) => ({ id: game?.id }))) {
      const { page } = await visit();
      const release = await holdRest(page);
      await page.goto("/");
      await page.locator(".tile-play:enabled").first().waitFor();
      if (id) {
        await tile(page, String(english[`game.${id}.name`])).click();
        await page.locator(".status.mine").waitFor();
      } else await page.locator(".columns .match-row").first().waitFor();
      await drawn(page);
      assert.ok((await noteTexts(page)) > 50);
      // A press asks for them in a match; the front page asks by itself.
      if (id) await page.locator(".match").dispatchEvent("pointerdown");
      await release();
      await wholeTexts(page);
      await drawn(page);
      assert.deepEqual(await missingTexts(page), [], id ?? "the front page");
    }
  });

  test("a move that the rules forbid is explained, as the first press of a first visit", async () => {
    const { page } = await visit();
    await page.goto("/");
    await tile(page, String(english["game.reversi.name"])).click();
    await page.locator(".status.mine").waitFor();
    await page.locator(".match .cell").first().click();
    await page.locator(".notice", { hasText: english["why.flips-nothing"] }).or(page.locator(".notice:visible")).first().waitFor();
    assert.notEqual(await page.locator(".now .notice").innerText(), "");
  });

  test("a tile begins with the terms chosen last", async () => {
    const { page } = await visit();
    await page.goto("/play/kalah");
    await page.locator("input[name=level][value='3']").check();
    await page.locator("input[name=side][value=first]").check();
    await page.getByRole("radio", { name: "10 + 5" }).check();
    await page.getByRole("button", { name: "Play now" }).click();
    await page.waitForURL("**/match/*");
    await page.goto("/");
    await page.getByText("One press begins: Computer, level 3 · 10 min + 5 s.").waitFor();
    await tile(page, "Oware").click();
    await page.waitForURL("**/match/*");
    await page.getByText("Komwe, level 3").first().waitFor();
    await page.getByText("Rapid · 10 min + 5 s").first().waitFor();
    await playFirst(page);
    // Strangers: a press waits in the pool.
    await page.goto("/play/mawe?with=stranger");
    await page.getByRole("button", { name: /^3 \+ 2/ }).click();
    await page.getByRole("button", { name: /^3 \+ 2/, pressed: true }).click();
    await page.goto("/");
    await page.getByText("One press begins: A stranger · 3 + 2.").waitFor();
    await tile(page, "Checkers").click();
    const wait = page.getByRole("group", { name: "Looking for an opponent" });
    await wait.getByText("Checkers").waitFor();
    await wait.getByRole("button", { name: "Cancel" }).click();
    await wait.waitFor({ state: "hidden" });
  });

  test("the first match of a game has hints, once", async () => {
    const { page } = await visit({ reducedMotion: "reduce" });
    const begin = async (/** @type {string} */ game) => {
      await page.goto(`/play/${game}?with=device`);
      await page.getByRole("button", { name: "Play now" }).click();
      await page.locator(".match .cell.start").first().waitFor();
    };
    await begin("mawe");
    const coach = page.locator(".coach");
    for (const [ply, hint] of ["mawe.1", "mawe.2", "mawe.3"].entries()) {
      await coach.getByText(String(english[`coach.${hint}`])).waitFor();
      await playFirst(page);
      await waitForPlies(page, ply + 1);
    }
    await coach.waitFor({ state: "hidden" });
    await begin("mawe");
    await finds(page.locator(".coach:visible"), 0);
    await begin("kalah");
    await coach.getByText(String(english["coach.sow"])).waitFor();
    await coach.getByRole("button", { name: "Got it" }).click();
    await coach.waitFor({ state: "hidden" });
    await begin("kalah");
    await finds(page.locator(".coach:visible"), 0);
  });

  test("leads to options, lessons and people", async () => {
    const { page } = await visit();
    await page.goto("/");
    await page.getByRole("link", { name: "Options: Reversi" }).click();
    await page.waitForURL("**/play/reversi");
    assert.equal(await page.getByRole("radio", { name: "Reversi" }).isChecked(), true);
    await page.goBack();
    await page.getByRole("link", { name: "Learn: Congkak" }).click();
    await page.waitForURL("**/learn/congkak");
    await page.goBack();
    await page.getByRole("radio", { name: "A friend" }).check();
    await page.getByRole("link", { name: "Change" }).click();
    await page.getByRole("button", { name: "Create a link for your friend" }).waitFor();
    assert.equal(await page.getByRole("radio", { name: "5 + 3" }).isChecked(), true);
  });

  test("plays a recorded game where nobody plays, which stands still for who wants no motion", async () => {
    const { page } = await visit(MOVING);
    await page.goto("/");
    const live = page.locator(".live");
    await live.getByRole("heading", { name: "A recorded game" }).waitFor();
    await live.getByText("played by the engine against itself").waitFor();
    const last = () => live.locator(".cell.last").evaluateAll((cells) => cells.map((cell) => cell.getAttribute("data-cell")).join());
    await page.waitForFunction(() => document.querySelector(".live .cell.last"));
    const before = await last();
    await page.waitForFunction(
      (was) => [...document.querySelectorAll(".live .cell.last")].map((cell) => cell.getAttribute("data-cell")).join() !== was,
      before,
    );
    await live.getByRole("button", { name: "Pause" }).click();
    await live.getByRole("button", { name: "Play through" }).waitFor();

    const { page: still } = await visit({ reducedMotion: "reduce" });
    await still.goto("/");
    await still.locator(".live").getByRole("button", { name: "Play through" }).waitFor();
    await still.locator(".live .cell.last").first().waitFor();
  });

  test("shows a match that is played, whose turn it is, and its result", async () => {
    const [first, second, watcher] = await Promise.all([visit(), visit(), visit({ reducedMotion: "reduce" })]);
    await watcher.page.goto("/");
    await watcher.page.getByText("No match has been played yet.").waitFor();
    await watcher.page.getByText("Nobody offers a match at the moment.").waitFor();
    await finds(watcher.page.locator(".empty-state svg"), 4);
    await beginMatch(first.page, second.page, "Kalah");
    await playPlies(first.page, second.page, 2);
    await waitForPlies(second.page, 2);
    const live = watcher.page.locator(".live");
    const look = async () => {
      await watcher.page.reload();
      await watcher.page.waitForFunction(() => document.querySelector(".tile-play") && !document.querySelector("main [aria-busy]"));
      await drawn(watcher.page);
    };
    // The server looks for featured matches every two seconds.
    await eventually(async () => {
      await look();
      return live.getByRole("heading", { name: "Live now" }).isVisible();
    });
    await live.getByText("Kalah · Blitz · 5 min + 3 s").waitFor();
    await watcher.page.getByText(/^\d+ players are here · \d+ match(es are| is) running$/).waitFor();
    const counts = (/** @type {Page} */ page, /** @type {string} */ where) => page.locator(`${where} .count`).allInnerTexts();
    await live.locator(".count").first().waitFor();
    const [there, here] = [await counts(first.page, ".match"), await counts(watcher.page, ".live")];
    assert.deepEqual(here.sort(), there.sort());

    const [mover, other] = (await first.page.locator(".status.mine").isVisible()) ? [first, second] : [second, first];
    const home = await mover.context.newPage();
    await home.goto("/");
    await home.locator(".rows.mine .yours").getByText("your move").waitFor();
    const away = await other.context.newPage();
    await away.goto("/");
    await away.locator(".rows.mine").getByText("waiting for your opponent").waitFor();

    await first.page.getByRole("button", { name: "Resign" }).click();
    await first.page.getByRole("button", { name: "Really resign?" }).click();
    await first.page.locator(".ending").waitFor();
    await look();
    await watcher.page.locator(".card", { hasText: "Latest results" }).locator(".match-row").getByText("Kalah").waitFor();
  });
});
