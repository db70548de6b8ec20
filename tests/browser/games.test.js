// @ts-check
// Every game, from its first ply to its last: two players play a recorded game, one with the mouse, the other with the keyboard and over a
// connection that breaks, delays frames and sends them twice.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { GAMES } from "../../static/tests/loaded-games.js";
import { Game as Rules } from "../../static/wasm/rules.js";
import { ENOUGH, english, names, recorded } from "./recorded.js";
import {
  boardText,
  clickMove,
  finds,
  MOVING,
  myTurn,
  over,
  playToEnd,
  plies,
  register,
  spoilLine,
  stage,
  statusText,
  toldBoard,
  typeMove,
  waitForPlies,
} from "./support.js";

/** @import { BrowserContextOptions, Page } from "playwright-core" */
/** @import { Side } from "../../static/core/types.js" */

describe("a recorded game is played to its end by two people and watched by a third", () => {
  const { table } = stage();

  for (const game of GAMES) {
    test(game.id, async () => {
      const { moves, final, result } = recorded(game);
      // One page in three has animations: in turn that of the mouse, of the keyboard and of the spectator.
      /** @type {[BrowserContextOptions, BrowserContextOptions, BrowserContextOptions]} */
      const options = [{}, {}, {}];
      options[GAMES.indexOf(game) % 3] = MOVING;
      /** @type {Awaited<ReturnType<typeof spoilLine>> | undefined} */
      let line;
      const name = english[`game.${game.id}.name`];
      const { first, second, watcher, path } = await table(name, options, async (page) => {
        line = await spoilLine(page);
      });
      await watcher.goto(path);
      // For a screen reader: a grid, its rows from the far one to the near one, and every cell by its name.
      const { rows } = game.layout("");
      for (const [page, you] of /** @type {[Page, Side | null][]} */ ([
        [first, "first"],
        [second, "second"],
        [watcher, null],
      ])) {
        const told = await toldBoard(page, `Board of ${name}`);
        assert.deepEqual(
          told.map((cells) => cells.length),
          rows.map((cells) => cells.length),
        );
        assert.equal(told.flat().sort().join("; "), names(game, game.start, you));
      }
      const rules = Rules.start(game.id, "");
      let ply = 0;
      for (const move of moves.split(" ")) {
        const side = /** @type {Side} */ (rules.turn());
        // The server plays a pass.
        if (game.path(move, side).length > 0)
          await (side === "first" ? clickMove(first, game, move, side, rules) : typeMove(second, game, move, side, side, rules));
        rules.play(move);
        ply += 1;
        await Promise.all([waitForPlies(first, ply), waitForPlies(second, ply)]);
      }
      await Promise.all([over(first), over(second), over(watcher)]);
      assert.equal(rules.position(), final);
      assert.equal(await boardText(first), names(game, final, "first"));
      assert.equal(await boardText(second), names(game, final, "second"));
      assert.equal(await boardText(watcher), names(game, final, null));
      assert.equal(await statusText(second), await statusText(first));
      if (result.score) assert.ok((await statusText(first)).includes(result.score.join(" : ")), await statusText(first));
      assert.equal(await plies(watcher), ply);
      assert.equal(await plies(second), ply);
      assert.ok(line && line.doubled > ply && line.delayed > 0 && line.cuts > 0, JSON.stringify(line));
      if (moves.includes("pass")) assert.ok((await first.locator(".moves button", { hasText: "pass" }).count()) > 0);

      // The first position is shown again in the replay.
      await watcher.getByRole("button", { name: "To the start" }).click();
      assert.equal(await boardText(watcher), names(game, game.start, null));
    });
  }
});

describe("a game", () => {
  const { visit, table } = stage();

  test("of Kalah with three seeds a house is played against the computer", async () => {
    const { page } = await visit({ reducedMotion: "reduce" });
    await page.goto("/play");
    await page.getByRole("radio", { name: "Kalah" }).check();
    await page.locator("input[name=option-seeds][value='3']").check();
    await page.locator("input[name=level][value='1']").check();
    await page.getByRole("button", { name: "Play now" }).click();
    await page.getByText("3 seeds a house").waitFor();
    await playToEnd(page, ENOUGH);
    const [south = 0, north = 0] = (await statusText(page)).match(/\d+/g)?.map(Number) ?? [];
    assert.equal(south + north, 36);
  });

  test("of Congkak with rounds says which one is on, and goes on under the same link", async () => {
    const { page } = await visit({ reducedMotion: "reduce" });
    await page.goto("/play");
    await page.getByRole("radio", { name: "Congkak" }).check();
    await page.getByRole("radio", { name: "3 rounds at most" }).check();
    await page.locator("input[name=level][value='1']").check();
    await page.getByRole("button", { name: "Play now" }).click();
    const round = page.locator(".round-now");
    await round.filter({ hasText: "Round 1 of at most 3" }).waitFor();
    const address = page.url();
    await playToEnd(page, ENOUGH);
    const text = await round.innerText();
    const [south = 0, north = 0] = (await statusText(page)).match(/\d+/g)?.map(Number) ?? [];
    assert.equal(south + north, 98);
    // A side that cannot fill a house loses before the last round.
    assert.ok(/Round [23] of at most 3/.test(text) || Math.min(south, north) < 7, `${text} ${south} ${north}`);
    assert.equal(page.url(), address);
  });

  test("of Pallanguzhi in a pair of rounds tells the seeds of the first, and adds them", async () => {
    const { page } = await visit({ reducedMotion: "reduce" });
    await page.goto("/play/pallanguzhi?with=computer");
    await page.locator("input[name=option-form][value=pair]").check();
    await finds(page.locator("input[name=option-rounds]:visible"), 0);
    await page.locator("input[name=level][value='1']").check();
    await page.getByRole("button", { name: "Play now" }).click();
    const round = page.locator(".round-now");
    await round.filter({ hasText: "Round 1 of 2" }).waitFor();
    await playToEnd(page, ENOUGH);
    const [, , won = 0, lost = 0] = ((await round.innerText()).match(/\d+/g) ?? []).map(Number);
    assert.equal(won + lost, 84);
    const [south = 0, north = 0] = (await statusText(page)).match(/\d+/g)?.map(Number) ?? [];
    assert.equal(south + north, 168);
    assert.ok(south >= won && north >= lost, `${south} ${north} after ${won} ${lost}`);
  });

  test("of Pallanguzhi is offered without ratings", async () => {
    const { page } = await visit();
    await register(page, "Meenakshi");
    const hint = page.getByText("Pallanguzhi is played without ratings for now.");
    await page.goto("/play/pallanguzhi?with=friend");
    const rated = page.getByRole("checkbox", { name: "Rated" });
    assert.equal(await rated.isDisabled(), true);
    await hint.waitFor();
    await page.getByRole("radio", { name: "Kalah" }).check();
    await hint.waitFor({ state: "hidden" });
    await rated.check();
    await page.getByRole("radio", { name: "Pallanguzhi" }).check();
    assert.deepEqual([await rated.isChecked(), await rated.isDisabled()], [false, true]);
    await page.goto("/players/pallanguzhi");
    await hint.waitFor();
  });

  test("of Congkak in its limited form is offered, accepted and said to be so", async () => {
    const [host, guest] = await Promise.all([visit(), visit()]);
    await host.page.goto("/play");
    await host.page.getByRole("radio", { name: "Congkak" }).check();
    await host.page.getByRole("radio", { name: "One extra move at most" }).check();
    await host.page.getByRole("radio", { name: "A friend" }).check();
    await host.page.getByRole("button", { name: "Create a link for your friend" }).click();
    const link = await host.page.getByRole("textbox", { name: "Link for your friend" }).inputValue();
    await guest.page.goto(new URL(link).pathname);
    await guest.page.getByText("One extra move at most").waitFor();
    await guest.page.getByRole("button", { name: "Accept and play" }).click();
    await Promise.all([host, guest].map(({ page }) => page.locator(".about", { hasText: "One extra move at most" }).waitFor()));
  });

  test("says why a house cannot be played, and that one moves again", async () => {
    const { first, second } = await table("Kalah", { reducedMotion: "reduce" });
    await first.locator("[data-cell=n2]").click();
    await first.locator(".notice", { hasText: "That house is your opponent’s." }).waitFor();
    await first.locator("[data-cell=s-store]").click();
    await first.locator(".notice", { hasText: "Seeds in a store stay there." }).waitFor();
    await first.locator("[data-cell=s3]").click();
    await first.getByText("Your move again").waitFor();
    await second.getByText("Waiting for your opponent").waitFor();
    await finds(first.getByRole("gridcell", { name: /^your house 3, 0 seeds/ }), 1);
    await finds(second.getByRole("gridcell", { name: /^opponent’s house 3, 0 seeds/ }), 1);
    // Each player has their own houses below.
    for (const [page, own] of /** @type {[Page, string][]} */ ([
      [first, "s1"],
      [second, "n1"],
    ])) {
      await finds(page.locator(".row").last().locator(`[data-cell=${own}]`), 1);
    }
    await first.locator("[data-cell=s3]").click();
    await first.locator(".notice", { hasText: "That house has no seeds." }).waitFor();
  });

  test("of checkers points out the capture that must be made", async () => {
    const { first, second } = await table("Checkers");
    for (const [page, cells] of /** @type {[Page, string[]][]} */ ([
      [first, ["11", "15"]],
      [second, ["22", "18"]],
    ])) {
      await myTurn(page);
      for (const cell of cells) await page.locator(`[data-cell="${cell}"]`).click();
    }
    await first.locator(".duty", { hasText: "You can capture, so you must." }).waitFor();
    await finds(first.locator(".cell.bound"), 1);
    await first.locator('[data-cell="9"]').click();
    await first.locator(".notice", { hasText: "You can capture, so you must." }).waitFor();
    await first.locator('[data-cell="15"]').click();
    await first.locator('[data-cell="22"]').click();
    await waitForPlies(second, 3);
    await finds(second.locator(".piece"), 23);
  });
});
