// @ts-check
// Takes the pictures of docs/screenshots: `MAWE_BIN=target/debug/mawe node tests/browser/screenshots.js`. Each is to be looked at.
import { mkdirSync, readFileSync } from "node:fs";

import { gameOf } from "../../static/games/index.js";
import { Game as Rules, initSync } from "../../static/wasm/rules.js";
import { beginMatch, clickMove, myTurn, startBrowser, startServer, visitor, waitForPlies } from "./support.js";

const DESKTOP = { width: 1280, height: 800 };
/** Room enough for the long boards. */
const LOW = { width: 1000, height: 500 };
const PHONE = { width: 360, height: 740 };

/** The picture of a match shows so many pinned stones, if they come within so many plies. */
const PINNED = 2;
const MOST_PLIES = 40;

/** The longest that a sowing is seen. */
const SOWN_MS = 5_000;

const english = JSON.parse(readFileSync(new URL("../../static/i18n/en.json", import.meta.url), "utf8"));
initSync({ module: readFileSync(new URL("../../static/wasm/rules_bg.wasm", import.meta.url)) });

const folder = new URL("../../docs/screenshots/", import.meta.url).pathname;
mkdirSync(folder, { recursive: true });

const server = await startServer();
const browser = await startBrowser();
try {
  const white = await visitor(browser, server, { viewport: DESKTOP });
  const black = await visitor(browser, server, { viewport: PHONE, hasTouch: true, isMobile: true });
  await white.page.goto("/");
  await white.page.locator(".board, .match, form").first().waitFor();
  await shoot(white.page, "home-desktop-light");
  const path = await beginMatch(white.page, black.page);
  let plies = 0;
  while (plies < MOST_PLIES && (plies < 10 || (await pinned(white.page)) < PINNED)) {
    await playSome(white.page, plies);
    await playSome(black.page, plies + 1);
    plies += 2;
  }
  await waitForPlies(white.page, plies);
  await white.page.locator(".cell.held").last().click();
  await shoot(white.page, "match-desktop-light");
  await shoot(black.page, "match-phone-light");

  for (const [id, plies, name] of /** @type {const} */ ([["kalah", 17, "kalah-desktop-light"], ["checkers", 22, "checkers-phone-dark"], ["congkak", 6, "congkak-phone-dark"]])) {
    const game = gameOf(id);
    if (!game) throw new Error(`there is no ${id}`);
    const phone = { viewport: PHONE, hasTouch: true, isMobile: true, colorScheme: /** @type {const} */ ("dark") };
    const [first, second] = await Promise.all([visitor(browser, server, { viewport: LOW }), visitor(browser, server, phone)]);
    await beginMatch(first.page, second.page, String(english[`game.${id}.name`]));
    await playRecorded(game, first.page, second.page, plies);
    // The last seeds are on their way for a while.
    await second.page.waitForTimeout(SOWN_MS);
    await shoot((name.includes("phone") ? second : first).page, name);
    await Promise.all([first.context.close(), second.context.close()]);
  }

  const watcher = await visitor(browser, server, { viewport: DESKTOP, colorScheme: "dark", locale: "sw" });
  await watcher.page.goto(path);
  await waitForPlies(watcher.page, plies);
  await shoot(watcher.page, "watch-desktop-dark-sw");

  const reader = await visitor(browser, server, { viewport: PHONE, locale: "ml" });
  await reader.page.goto("/rules/mawe");
  await reader.page.locator("h1").waitFor();
  await shoot(reader.page, "rules-phone-light-ml");
  const other = await visitor(browser, server, { viewport: PHONE, locale: "pl", colorScheme: "dark" });
  await other.page.goto("/");
  await other.page.locator("h1").waitFor();
  await shoot(other.page, "home-phone-dark-pl");
} finally {
  await browser.close();
  await server.stop();
}

/**
 * The beginning of a recorded game.
 * @param {import("../../static/games/index.js").Game} game
 * @param {import("playwright-core").Page} first
 * @param {import("playwright-core").Page} second
 * @param {number} plies
 */
async function playRecorded(game, first, second, plies) {
  const [, recorded] = JSON.parse(readFileSync(new URL(`../../rules/tests/vectors/${game.id}.playouts.json`, import.meta.url), "utf8")).playouts;
  const rules = Rules.start(game.id, "");
  for (const [ply, move] of recorded.moves.split(" ").slice(0, plies).entries()) {
    const side = /** @type {"first" | "second"} */ (rules.turn());
    await clickMove(side === "first" ? first : second, game, move, side);
    rules.play(move);
    await Promise.all([waitForPlies(first, ply + 1), waitForPlies(second, ply + 1)]);
  }
}

/** @param {import("playwright-core").Page} page */
function pinned(page) {
  return page.locator('.match [aria-label*="pinned"]').count();
}

/** A move from the middle of what is possible, the same in every run. @param {import("playwright-core").Page} page @param {number} ply */
async function playSome(page, ply) {
  await myTurn(page);
  const starts = page.locator(".match .cell.start");
  await starts.nth((ply * 3 + 1) % (await starts.count())).click();
  const targets = page.locator(".match .cell.target");
  await targets.nth((ply * 5 + 2) % (await targets.count())).click();
  await waitForPlies(page, ply + 1);
}

/** @param {import("playwright-core").Page} page @param {string} name */
async function shoot(page, name) {
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => null))));
  await page.screenshot({ path: `${folder}${name}.png` });
}
