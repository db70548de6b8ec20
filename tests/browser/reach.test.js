// @ts-check
// Accessibility: keyboard, screen reader, small screens, four languages, without animation, and dark.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { LANGUAGES } from "../../static/core/i18n.js";
import { GAMES } from "../../static/games/index.js";
import { drawn, finds, focusOn, openMenu, stage, waitForPlies } from "./support.js";

describe("everybody", () => {
  const { visit, table } = stage();

  test("can print a position as it is, in black on white, with nothing to press", async () => {
    const { page } = await visit({ reducedMotion: "reduce", colorScheme: "dark" });
    await page.goto("/rules/reversi");
    await page.locator(".lesson .board .piece").first().waitFor();
    await page.emulateMedia({ media: "print" });
    await finds(page.locator(":is(header, footer, button, .games):visible"), 0);
    const look = await page
      .locator(".lesson")
      .first()
      .evaluate((lesson) => {
        const styleOf = (/** @type {string} */ selector) => getComputedStyle(/** @type {Element} */ (lesson.querySelector(selector)));
        return {
          words: styleOf("p").color,
          ground: getComputedStyle(document.body).backgroundColor,
          board: styleOf(".board").getPropertyValue("print-color-adjust"),
          square: styleOf(".cell").backgroundColor,
        };
      });
    assert.deepEqual(look, { words: "rgb(0, 0, 0)", ground: "rgb(255, 255, 255)", board: "exact", square: "rgb(93, 122, 75)" });
  });

  test("has the whole match in view on a phone across, in every language", async () => {
    for (const game of ["Mawe!", "Oware"]) {
      const { first, watcher, path } = await table(game, { reducedMotion: "reduce", viewport: { width: 640, height: 360 } });
      await watcher.goto(path);
      for (const page of [first, watcher]) {
        for (const language of Object.keys(LANGUAGES)) {
          await page.evaluate((tag) => localStorage.setItem("mawe.language", tag), language);
          await page.reload();
          await page.locator(".seat.bottom .player").waitFor();
          await page.evaluate(() => document.fonts.ready.then(() => {}));
          await drawn(page);
          const edges = await page.evaluate(() => {
            const edgesOf = (/** @type {string} */ selector) => document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect();
            const { left } = edgesOf(".match .side");
            return {
              wide: document.documentElement.scrollWidth,
              bottom: edgesOf(".seat.bottom").bottom,
              beside: left - edgesOf(".board-host").right,
              status: edgesOf(".status").bottom,
            };
          });
          const where = `${game}, ${language}, ${JSON.stringify(edges)}`;
          assert.ok(edges.wide <= 640 && edges.bottom <= 360 && edges.beside > 0 && edges.status <= 360, where);
        }
      }
    }
  });

  test("sees the boards where the system sets all colours, and what is chosen", async () => {
    /** @param {"active" | "none"} forcedColors @param {"light" | "dark"} colorScheme */
    async function pictures(forcedColors, colorScheme) {
      const { page, context } = await visit({ forcedColors, colorScheme, reducedMotion: "reduce" });
      await context.addInitScript((forced) => {
        if (forced === "none") localStorage.setItem("mawe.settings", JSON.stringify({ pieces: "clear" }));
      }, forcedColors);
      const boards = new Map();
      for (const { id } of GAMES) {
        await page.goto(`/rules/${id}`);
        await page.locator(".board .piece").first().waitFor();
        await drawn(page);
        const board = page.locator(".board").first();
        // Without its edge and its round corners, where the colours of the page around shine through.
        await board.evaluate((/** @type {HTMLElement} */ el) => el.style.setProperty("border-radius", "0"));
        const { x, y, width, height } = (await board.boundingBox()) ?? assert.fail("no board");
        boards.set(id, await page.screenshot({ clip: { x: x + 2, y: y + 2, width: width - 4, height: height - 4 } }));
      }
      await page.goto("/play");
      const chosen = page.locator(".new-match .choice input:checked + span").first();
      const other = page.locator(".new-match .choice input:not(:checked) + span").first();
      const ground = (/** @type {Element} */ el) => getComputedStyle(el).backgroundColor;
      return { boards, grounds: [await chosen.evaluate(ground), await other.evaluate(ground)] };
    }
    for (const scheme of /** @type {const} */ (["light", "dark"])) {
      const [forced, free] = [await pictures("active", scheme), await pictures("none", scheme)];
      for (const { id } of GAMES) assert.ok(forced.boards.get(id).equals(free.boards.get(id)), `${id}, ${scheme}`);
      assert.notEqual(forced.grounds[0], forced.grounds[1]);
    }
  });

  test("can play by keyboard alone, on a grid whose cells have names, and hears each move once", async () => {
    const { page } = await visit();
    await page.goto("/play");
    await focusOn(page.getByRole("radio", { name: "White" }));
    await page.keyboard.press("Space");
    await focusOn(page.getByRole("button", { name: "Play now" }));
    await page.keyboard.press("Enter");
    const grid = page.getByRole("grid", { name: "Board of Mawe!" });
    await grid.waitFor();
    await finds(grid.getByRole("row"), 8);
    await finds(grid.getByRole("gridcell"), 64);
    for (const name of ["c1, white stone, can move", "c8, black stone", "c3, empty"]) {
      await finds(grid.getByRole("gridcell", { name, exact: true }), 1, name);
    }
    await page.evaluate(() => {
      const said = /** @type {string[]} */ ([]);
      Object.assign(window, { said });
      const voice = document.querySelector("[aria-live]");
      const hear = (/** @type {MutationRecord[]} */ news) =>
        said.push(...news.flatMap(({ addedNodes }) => [...addedNodes].map((node) => node.textContent ?? "")));
      if (voice) new MutationObserver(hear).observe(voice, { childList: true });
    });
    // One cell has the focus; the arrows go on from there.
    await finds(grid.locator('[tabindex="0"]'), 1);
    await focusOn(grid.locator('[tabindex="0"]'));
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute("data-cell"));
    assert.equal(await focused(), "a1");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    assert.equal(await focused(), "c1");
    // The stone is visible above the focused cell.
    assert.equal(
      await page.evaluate(() => {
        const { x, y, width, height } = /** @type {Element} */ (document.activeElement).getBoundingClientRect();
        const setPointerEvents = (/** @type {string} */ value) => {
          for (const el of document.querySelectorAll(".pieces, .piece")) if (el instanceof HTMLElement) el.style.pointerEvents = value;
        };
        setPointerEvents("auto");
        const top = document.elementFromPoint(x + width / 2, y + height / 2);
        setPointerEvents("");
        return top?.closest(".piece") !== null;
      }),
      true,
    );
    await page.keyboard.press("Enter");
    await grid.getByRole("gridcell", { name: "c1, white stone, chosen", selected: true }).waitFor();
    await grid.getByRole("gridcell", { name: "e3, empty, can be reached" }).waitFor();
    await page.keyboard.press("Escape");
    await grid.getByRole("gridcell", { name: "c1, white stone, can move", exact: true }).waitFor();
    await page.keyboard.press("Enter");
    for (const key of ["ArrowUp", "ArrowUp", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
    assert.equal(await focused(), "e3");
    await page.keyboard.press("Enter");
    await waitForPlies(page, 2);
    const said = await page.evaluate(() => /** @type {any} */ (window).said);
    assert.equal(said.filter((/** @type {string} */ text) => text === "White: c1–e3").length, 1);
    assert.equal(said.filter((/** @type {string} */ text) => text.startsWith("Black: ")).length, 1);
    // The board can be turned; reading order and arrows turn with it.
    await page.getByRole("button", { name: "Turn the board" }).click();
    await page.waitForFunction(() => document.querySelector(".cell")?.getAttribute("data-cell") === "h1");
  });

  test("has one line above a board on any phone, in any language", async () => {
    for (const locale of ["en", "sw", "pl", "ml"]) {
      const { page } = await visit({ locale, viewport: { width: 320, height: 700 } });
      await page.goto("/play");
      await page.locator("form .primary").click();
      await page.locator(".match").waitFor();
      for (const width of [320, 360, 390, 412, 480, 600]) {
        await page.setViewportSize({ width, height: 700 });
        // Elements that overlap in height are in one line.
        const lines = await page.evaluate(() => {
          const shown = [...document.querySelectorAll("header.site :is(a, select, button, .line)")]
            .map((el) => el.getBoundingClientRect())
            .filter(({ width: wide, bottom }) => wide > 1 && bottom > 0);
          let [count, below] = [0, -1];
          for (const { top, bottom } of shown.sort((a, b) => a.top - b.top)) {
            if (top >= below) count += 1;
            below = Math.max(below, bottom);
          }
          return count;
        });
        assert.equal(lines, 1, `${lines} lines at ${width} px in ${locale}`);
      }
    }
  });

  test("has it dark or light as they like, and still if they like", async () => {
    const { page } = await visit({ colorScheme: "dark", reducedMotion: "reduce" });
    await page.goto("/rules/mawe");
    await page.locator(".lesson").first().waitFor();
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await ground();
    await openMenu(page);
    await page.getByRole("button", { name: "Light or dark" }).click();
    const light = await ground();
    assert.notEqual(light, dark);
    await page.reload();
    await page.locator(".lesson").first().waitFor();
    assert.equal(await ground(), light);
    assert.equal(
      await page
        .locator(".piece")
        .first()
        .evaluate((el) => getComputedStyle(el).transitionDuration),
      "0s",
    );
  });
});
