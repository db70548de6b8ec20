// @ts-check
// What is measured by the clock: the speed at which moves are shown. `npm run browser` runs the files with this ending one after another, when
// nothing else runs, because a page that shares its core draws fewer frames.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { drawn, MOVING, myTurn, SLOW_MS, stage } from "./support.js";

describe("a move", () => {
  const { visit } = stage();

  test("of seeds is shown as fast as it is wished", async () => {
    const { page } = await visit(MOVING);
    /** The number of states of the sown pile that are seen, and the time of the last one. @param {string} speed */
    async function seen(speed) {
      await page.goto("/settings");
      await page.locator(`input[name=set-sowing][value=${speed}]`).check();
      await page.goto("/play");
      await page.locator("input[name=game][value=oware]").check();
      await page.locator("input[name=opponent][value=device]").check();
      await page.locator("form .primary").click();
      await myTurn(page);
      await drawn(page);
      return page.evaluate(
        () =>
          /** @type {Promise<{ states: number, ms: number }>} */ (
            new Promise((done) => {
              const states = new Set();
              const began = performance.now();
              let ms = 0;
              const look = () => {
                const now = performance.now() - began;
                const known = states.size;
                states.add([...document.querySelectorAll(".match .count")].map((el) => el.textContent).join());
                if (states.size > known) ms = now;
                if (now < 2500) requestAnimationFrame(look);
                else done({ states: states.size, ms });
              };
              const cell = /** @type {HTMLElement} */ (document.querySelector('.match [data-cell="s1"]'));
              cell.focus();
              cell.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
              look();
            })
          ),
      );
    }
    assert.equal((await seen("none")).states, 2);
    // Frames delayed by MAWE_SLOW_MS are rarer than the seeds of a fast sowing.
    assert.ok((await seen("fast")).states >= (SLOW_MS > 0 ? 3 : 5));
    // Slow, the fourth seed falls more than 0.9 s after the first look; fast, after 0.2 s.
    const slow = await seen("slow");
    assert.ok(slow.states >= 5 && slow.ms > 700, JSON.stringify(slow));
  });
});
