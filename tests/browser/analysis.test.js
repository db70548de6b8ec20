// @ts-check
// Analysis: the engine's findings are those of `mawe analyse`; branches by mouse and keyboard; import and export; without a network.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { LANGUAGES } from "../../static/core/i18n.js";
import { EFFORTS } from "../../static/review/analyst.js";
import { GAMES } from "../../static/tests/loaded-games.js";
import { catalogue, recorded } from "./recorded.js";
import { cutOff, drawn, finds, focusOn, KEPT, over, playFirst, playPlies, pressMove, register, stage, visitFirst } from "./support.js";

/** @import { Page } from "playwright-core" */
/** @import { Language } from "../../static/core/types.js" */

/** The number of plies of each recorded game that are analysed. */
const PLIES = 8;

/** @param {string} game @param {string[]} moves @param {number} [ply] */
const address = (game, moves, ply = 0) => `/analysis#${new URLSearchParams({ game, moves: moves.join(" "), ply: String(ply) })}`;

/** @param {Page} page */
const analysed = (page) =>
  page.waitForFunction(() => document.querySelector(".branches button") && document.querySelector(".counts .quiet")?.textContent === "");

/** The moves of the main line, as the page lists them. @param {Page} page */
const listed = (page) =>
  page.locator(".branches > .plies button").evaluateAll((buttons) => buttons.map((button) => button.firstChild?.textContent));

/** All moves, those of branches too. @param {Page} page */
const shown = (page) => page.locator(".branches").evaluate((list) => list.textContent);

/** @param {Page} page */
async function quick(page) {
  await page.locator(".engine select").selectOption("quick");
  await analysed(page);
}

describe("analysis", () => {
  const { visit, table } = stage(["--spectator-delay", "0"]);

  for (const game of GAMES) {
    test(`of a recorded game of ${game.id} is what mawe analyse says within the same number of positions`, async () => {
      const moves = recorded(game).moves.split(" ").slice(0, PLIES);
      const { page } = await visit({ reducedMotion: "reduce" });
      await page.goto(address(game.id, moves));
      await quick(page);
      for (let ply = 0; ply <= moves.length; ply++) {
        const { stdout } = await promisify(execFile)(process.env.MAWE_BIN ?? "", [
          "analyse",
          game.id,
          "--moves",
          moves.slice(0, ply).join(" "),
          "--nodes",
          String(EFFORTS.quick.nodes),
          "--hash",
          "16",
          "--json",
        ]);
        const { pv, depth, nodes } = JSON.parse(stdout);
        await drawn(page);
        assert.deepEqual(await page.locator(".best button").allInnerTexts(), pv.map(game.notation), `${ply} plies`);
        assert.equal(await page.locator(".depth").innerText(), `Depth ${depth}, positions ${new Intl.NumberFormat("en").format(nodes)}`);
        if (ply < moves.length) await page.getByRole("button", { name: "On one move" }).click();
      }
    });
  }

  test("of a match is of its end, also where the document has requested its state and the line was faster", async () => {
    const { first, second, path } = await table("Kalah");
    // The page of the match is made only after the line is open.
    const socket = first.waitForEvent("websocket");
    const isOpen = socket.then((line) => line.waitForEvent("framereceived"));
    await first.route("**/views/match.js", (route) => isOpen.then(() => route.continue()));
    await first.goto(path);
    await playPlies(first, second, 2);
    await first.getByRole("button", { name: "Resign" }).click();
    await first.getByRole("button", { name: "Really resign?" }).click();
    await over(first);
    await first.getByRole("link", { name: "Analyse" }).click();
    await first.locator(".analysis .cell").first().waitFor();
    await finds(first.locator(".branches > .plies button"), 2);
  });

  test("by the server is requested by an account, and read by two readers at once", async () => {
    const { first, second, path } = await table("Checkers", { reducedMotion: "reduce" });
    await playPlies(first, second, 6);
    await first.getByRole("button", { name: "Resign" }).click();
    await first.getByRole("button", { name: "Really resign?" }).click();
    await over(second);
    await register(first, "Asha-analyses");
    for (const page of [first, second]) await page.goto(path.replace("/match/", "/analysis/"));
    await second.getByRole("link", { name: "With an account" }).waitFor();
    assert.equal(await second.getByRole("button", { name: "Request a computer analysis" }).isVisible(), false);
    await first.getByRole("button", { name: "Request a computer analysis" }).focus();
    await first.keyboard.press("Enter");
    await first.getByText("Computer analysis by the server: 300,000 positions for each move").waitFor();
    await second.reload();
    await second.getByText("Computer analysis by the server").waitFor();
    const response = await first.request.get(new URL(`/api/v1${path.replace("/match/", "/matches/")}/analysis`, first.url()).href);
    const { positions, sides } = await response.json();
    assert.equal(positions.length, 7);
    for (const page of [first, second]) {
      await analysed(page);
      const counts = await page.locator(".counts").innerText();
      for (const side of ["first", "second"]) {
        const { inaccuracies, mistakes, blunders } = sides[side];
        assert.ok(counts.includes(`${inaccuracies} ?!, ${mistakes} ?, ${blunders} ??`), counts);
      }
      // It is the server's, and not that of the page's engine.
      const { depth, nodes, pv } = positions.at(-1);
      assert.equal(await page.locator(".depth").innerText(), `Depth ${depth}, positions ${new Intl.NumberFormat("en").format(nodes)}`);
      await finds(page.locator(".best button"), pv.length);
    }
  });

  test("of a match that is over begins at its page, goes to a ply by its link, and can be taken along", async () => {
    const { first, second, path } = await table("Checkers", { reducedMotion: "reduce" });
    await playPlies(first, second, 6);
    await first.getByRole("button", { name: "Resign" }).click();
    await first.getByRole("button", { name: "Really resign?" }).click();
    await over(second);
    await second.getByRole("link", { name: "Analyse" }).click();
    await second.waitForURL(`**${path.replace("/match/", "/analysis/")}`);
    await analysed(second);
    await second.getByText("by resignation").first().waitFor();
    await second.keyboard.press("ArrowLeft");
    await second.keyboard.press("ArrowLeft");
    await drawn(second);
    await finds(second.locator(".branches [aria-current=step]"), 1);
    await second.getByText("Export and link").click();
    const link = await second.locator(".copy-field input").inputValue();
    assert.equal(new URL(link).search, "?ply=4");
    const [download] = await Promise.all([second.waitForEvent("download"), second.getByRole("link", { name: "PDN" }).click()]);
    const pdn = readFileSync(await download.path(), "utf8");
    assert.match(pdn, /\[Result "0-1"\]/);
    assert.match(pdn, /1\. \d+[-x]\d+ \d+[-x]\d+/);
    // The link shows the same place to anybody.
    await first.goto(new URL(link).pathname + new URL(link).search);
    await first.locator(".branches [aria-current=step]").waitFor();
    assert.deepEqual(await listed(first), await listed(second));
    assert.equal(
      await first.locator(".branches button").evaluateAll((buttons) => buttons.findIndex((button) => button.getAttribute("aria-current"))),
      3,
    );
  });

  test("of a match that is still running is not given", async () => {
    const { first, path } = await table("Kalah");
    await first.goto(path.replace("/match/", "/analysis/"));
    await first.getByText("This match is still running.").waitFor();
  });

  test("tries other moves, by mouse and by keyboard, makes them the main line and takes them away", async () => {
    const game = GAMES.find(({ id }) => id === "kalah");
    assert.ok(game);
    const { page } = await visit({ reducedMotion: "reduce" });
    await page.goto(address("kalah", ["3", "6", "1"], 1));
    await page.locator(".branches button").first().waitFor();
    await page.locator('[data-cell="s5"]').click();
    await page.locator(".branch button").waitFor();
    await pressMove(page, game, "2", "second", "first");
    await page.waitForFunction(() => document.querySelectorAll(".branch button").length === 2);
    assert.deepEqual(await listed(page), ["3", "6", "1"]);
    await page.getByRole("button", { name: "Make it the main line" }).click();
    await drawn(page);
    assert.deepEqual(await listed(page), ["3", "5", "2"]);
    await page.getByRole("button", { name: "Back one move" }).click();
    await page.getByRole("button", { name: "Remove from here" }).click();
    await drawn(page);
    assert.deepEqual(await listed(page), ["3", "6", "1"]);
    // A refused move gets its reason.
    await page.locator('[data-cell="s3"]').click();
    await page.locator(".notice", { hasText: "That house has no seeds." }).waitFor();
    // The graph is a slider.
    await quick(page);
    await focusOn(page.locator(".worth input"));
    await page.keyboard.press("End");
    await drawn(page);
    assert.match((await page.locator(".worth input").getAttribute("aria-valuetext")) ?? "", /^Move 3, house 1, South \d+/);
    await page.locator(".worth summary").click();
    await page.locator(".worth tbody tr").nth(2).waitFor();
    await finds(page.locator(".worth tbody tr"), 3);
    // A press plays the principal variation up to a move.
    const line = await page.locator(".best button").allInnerTexts();
    await page.locator(".best button").nth(1).click();
    await drawn(page);
    assert.deepEqual((await listed(page)).slice(0, 5), ["3", "6", "1", ...line.slice(0, 2)]);
  });

  test("goes along with its branches, as a link and as a file, with who played and how it ended", async () => {
    const [{ page }, other] = await Promise.all([visit({ reducedMotion: "reduce" }), visit({ reducedMotion: "reduce" })]);
    await page.goto("/analysis");
    await page
      .locator("textarea")
      .fill('[Black "Amina"]\n[White "Bogdan"]\n[Result "1-0"]\n[Termination "resign"]\n\n1. 11-15 (1. 9-13 22-18 (1... 24-20)) 22-18 1-0');
    await page.getByRole("button", { name: "Analyse" }).click();
    await page.locator(".branches button").first().waitFor();
    await page.locator(".engine [aria-pressed=true]").click();
    await finds(page.locator(".branch"), 2);
    await page.getByRole("heading", { name: "Amina – Bogdan" }).waitFor({ state: "attached" });
    // One more branch by hand, and the shared place in it.
    await page.locator(".branches button", { hasText: "11–15" }).click();
    await drawn(page);
    for (const cell of ["23", "19"]) await page.locator(`.match [data-cell="${cell}"]`).click();
    await page.waitForFunction(() => document.querySelectorAll(".branch").length === 3);
    const before = await shown(page);
    await page.getByText("Export and link").click();
    const link = new URL(await page.locator(".copy-field input").inputValue());
    const files = [];
    for (const name of ["JSON", "PDN"]) {
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name, exact: true }).click()]);
      files.push(readFileSync(await download.path(), "utf8"));
    }
    assert.match(
      files[1] ?? "",
      /\[Black "Amina"\][\s\S]*\n\n1\. 11-15 \(1\. 9-13 22-18 \(1\.\.\. 24-20\)\) 1\.\.\. 22-18 \(1\.\.\. 23-19\) 1-0\n/,
    );

    const reader = other.page;
    await reader.goto(link.pathname + link.hash);
    await reader.locator(".branches [aria-current=step]", { hasText: "23–19" }).waitFor();
    assert.deepEqual(await shown(reader), before);
    for (const file of files) {
      await reader.goto("/analysis");
      await reader.locator("textarea").fill(file);
      await reader.getByRole("button", { name: "Analyse" }).click();
      await reader.locator(".branches button").first().waitFor();
      assert.deepEqual(await shown(reader), before);
      await reader.getByRole("heading", { name: "Amina – Bogdan" }).waitFor({ state: "attached" });
      await reader.locator(".branches button", { hasText: "22–18" }).last().click();
      await reader.getByText("by resignation").first().waitFor();
    }
  });

  test("calls a move by what it gave away, and names the better one", async () => {
    const { page } = await visit({ reducedMotion: "reduce" });
    // A man is given away for nothing: the first safe step of the lessons is missed.
    await page.goto(`/analysis#${new URLSearchParams({ game: "checkers", start: "B:W18,22:B10,11", moves: "10-14 18x9", ply: "1" })}`);
    await quick(page);
    await page.locator(".judged.blunder", { hasText: "10–14 was a blunder" }).waitFor();
    assert.match(await page.locator(".judged").innerText(), /Better: 1[01]–1[56]\.$/);
    assert.match(await page.locator(".counts").innerText(), /Black: accuracy \d+%, 0 \?!, 0 \?, 1 \?\?\. White: 0 \?!, 0 \?, 0 \?\?\./);
    assert.equal(await page.locator(".branches .blunder").textContent(), "10–14?? (blunder)");
  });

  test("makes tasks of the mistakes: a hint to nobody, a try that misses, the better move, and a bar beside the board", async () => {
    const { page } = await visit({ reducedMotion: "reduce" });
    // Black gives a man away with 10-14 and with 16-19.
    const moves =
      "9-13 23-19 11-16 26-23 8-11 21-17 11-15 23-18 16x23 18x11 7x16 27x18 10-14 17x10 6x15 18x11 16-19 24x15 2-7 11x2 3-7 2x11";
    await page.goto(address("checkers", moves.split(" ")));
    await quick(page);
    await page.locator(".lines .arrow").waitFor({ state: "attached" });
    const part = page.locator(".chance-bar > i");
    await page.keyboard.press("ArrowDown");
    // Black, at the bottom, has nearly lost.
    await page.waitForFunction(
      () => Number.parseInt(/** @type {HTMLElement} */ (document.querySelector(".chance-bar > i")).style.height, 10) < 20,
    );
    assert.match(await page.locator(".counts").innerText(), /^Black: accuracy \d+%, .*White: accuracy \d+%/);

    await page.getByRole("button", { name: "Learn from the mistakes" }).click();
    const said = page.locator(".retry-said");
    await said.getByText(/^1 of \d: .* was a (mistake|blunder)\. Find a better move/).waitFor();
    const [, number = "", move = ""] = /^(\d) of \d: (\S+) was/.exec(await said.innerText()) ?? [];
    assert.equal(number, "1");
    // Nothing on the page tells the solution.
    await finds(page.locator(".best:visible, .lines .arrow, .cell.hint, .judged:visible"), 0);
    assert.equal(await part.evaluate((el) => /** @type {HTMLElement} */ (el).style.height), "50%");
    // The move of the game is no answer.
    const before = await listed(page);
    for (const cell of move.split(/[–×]/)) await page.locator(`[data-cell="${cell}"]`).click();
    await said.getByText("there is something better").waitFor();
    assert.deepEqual(await listed(page), before);
    await page.getByRole("button", { name: "Show the better move" }).click();
    await said.getByText(/^Better than .* was /).waitFor();
    await page.getByRole("button", { name: "Next mistake" }).click();
    await said.getByText(/^2 of \d/).waitFor();
    await page.getByRole("button", { name: "Back to the analysis" }).click();
    await finds(page.locator(".retry-said:visible"), 0);
    await page.locator(".best:visible").waitFor();
  });

  test("can be switched off at once, and on again", async () => {
    const { page } = await visit({ reducedMotion: "reduce" });
    await page.goto(address("mawe", []));
    await page.locator(".engine select").selectOption("deep");
    await page.locator(".best button").first().waitFor();
    await page.getByRole("button", { name: "Engine" }).click();
    await page.getByRole("button", { name: "Engine", pressed: false }).waitFor();
    await finds(page.locator(".cell.hint"), 0);
    // The board can be used all the while.
    await page.getByRole("button", { name: "Engine" }).click();
    await playAny(page);
    await page.locator(".branches button").waitFor();
  });
});

/** @param {Page} page */
async function playAny(page) {
  await drawn(page);
  await page.locator(".cell.start").first().click();
  await page.locator(".cell.target").first().click();
}

describe("records that are pasted", () => {
  const { visit } = stage();

  test("are read in the notation that they are in", async () => {
    const { page } = await visit({ reducedMotion: "reduce" });
    for (const [text, wished, moves] of /** @type {const} */ ([
      ["1. 11-15 22-18 2. 15x22 *", "", ["11–15", "22–18", "15×22"]],
      ["F5d6C3", "", ["f5", "d6", "c3"]],
      ["3 6 1", "kalah", ["3", "6", "1"]],
      ['{"game":"oware","moves":"3 4"}', "", ["3", "4"]],
    ])) {
      await page.goto("/analysis");
      await page.locator("textarea").fill(text);
      await page.locator(".analysis-begin select").selectOption(wished);
      await page.getByRole("button", { name: "Analyse" }).click();
      await page.locator(".branches button").first().waitFor();
      assert.deepEqual(await listed(page), moves);
      // The game is in the address: a reload shows it again.
      await page.reload();
      await page.locator(".branches button").first().waitFor();
      assert.deepEqual(await listed(page), moves);
    }
  });

  for (const tag of /** @type {Language[]} */ (Object.keys(LANGUAGES))) {
    test(`${tag}: what is wrong is told with its place, on 320 pixels`, async () => {
      const { page } = await visit({ locale: tag, viewport: { width: 320, height: 568 }, reducedMotion: "reduce" });
      const [words, study] = [catalogue(tag), catalogue(tag, "study")];
      await page.goto("/analysis");
      await page.locator("textarea").fill("1. 11-15 22-18\n2. 12-16 *");
      await page.getByRole("button", { name: study["analysis.do"] ?? "?" }).click();
      await page.locator("[role=alert]", { hasText: words["why.capture-compulsory"] ?? "?" }).waitFor();
      assert.match(await page.locator("[role=alert]").innerText(), /2[\s\S]*4/);
      assert.equal(await page.evaluate(() => document.querySelector("textarea")?.selectionStart), "1. 11-15 22-18\n2. ".length);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
      await page.goto(address("reversi", ["f5", "d6", "c3"], 2));
      await page.locator(".engine select").selectOption("quick");
      await analysed(page);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
      assert.doesNotMatch(await page.locator("main").innerText(), /\banalysis\.[a-z]/);
    });
  }
});

describe("analysis without a network", () => {
  const { visit, table, kill, restart } = stage([], KEPT);

  test("of a game on this device, and of a record", async () => {
    const { page } = await visit({ reducedMotion: "reduce" });
    await visitFirst(page);
    await kill();
    await cutOff(page);
    await page.goto("/play");
    await page.locator("input[name=opponent][value=device]").check();
    await page.locator(".new-match button[type=submit]").click();
    await page.waitForURL("**/device/*");
    for (let i = 0; i < 3; i++) await playFirst(page);
    await page.getByRole("button", { name: "Resign" }).click();
    await page.getByRole("button", { name: "Really resign?" }).click();
    await over(page);
    await page.getByRole("link", { name: "Analyse" }).click();
    await page.waitForURL("**/analysis/device/*");
    await quick(page);
    assert.equal((await listed(page)).length, 3);
    await page.reload();
    await analysed(page);
    await page.getByRole("link", { name: "Analysis" }).first().click();
    await page.locator("textarea").fill("f5 d6 c3");
    await page.getByRole("button", { name: "Analyse" }).click();
    await quick(page);
    assert.deepEqual(await listed(page), ["f5", "d6", "c3"]);
    await page.goto("/");
    await page.locator("header .line.down").waitFor();
    await page.getByText("Offers are shown again as soon as the connection is back.").waitFor();
    await page.context().setOffline(false);
    await restart();
  });

  test("of a match on the server that was opened before", async () => {
    const { first, second, path } = await table("Kalah", { reducedMotion: "reduce" });
    await visitFirst(first);
    await first.goto(path);
    await playFirst(first);
    await first.getByRole("button", { name: "Abort" }).click();
    await Promise.all([over(first), over(second)]);
    await first.waitForFunction(() => Object.keys(localStorage).some((key) => key.startsWith("mawe.seen.")));
    await kill();
    await cutOff(first);
    await first.getByRole("link", { name: "Analysis" }).first().click();
    await first.locator(`a[href="${path.replace("/match/", "/analysis/")}"]`).click();
    await quick(first);
    assert.equal((await listed(first)).length, 1);
    await first.context().setOffline(false);
    await restart();
  });

  test("and a network that hangs does not keep the page from who has it", async () => {
    const { page } = await visit({ reducedMotion: "reduce" });
    await visitFirst(page);
    // Requests without an answer.
    await page.context().route("**/api/**", () => new Promise(() => {}));
    // By the page's own clock: without its files the page would wait for three seconds.
    await page.clock.install();
    await page.goto("/play");
    for (let ms = 0; (await page.locator(".new-match").count()) === 0; ms += 100) {
      assert.ok(ms < 2_500, "it waits for the network");
      await page.clock.runFor(100);
    }
  });
});
