// @ts-check
// Takes the pictures of docs/screenshots: `MAWE_BIN=target/debug/mawe node tests/browser/screenshots.js`. Each is to be looked at.
import { mkdirSync } from "node:fs";

import { beginMatch, myTurn, startBrowser, startServer, visitor, waitForPlies } from "./support.js";

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 740 };

/** The picture of a match shows so many pinned stones, if they come within so many plies. */
const PINNED = 2;
const MOST_PLIES = 40;

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
