// @ts-check
// What players do in an event: they join, play their matches, and come back.
import assert from "node:assert/strict";

import { ask } from "./every-screen.js";
import { eventually, focusOn } from "./support.js";

/** @import { Locator, Page } from "playwright-core" */

export const PHONE = { viewport: { width: 360, height: 640 } };
export const BLITZ = { kind: "realtime", base_ms: 300_000, increment_ms: 3_000 };
/** A match counts from the second move of each side on; before it, who leaves has not come. In Kalah a side may move again and again. */
const MOVES = 2;
/** The time for which a link is looked for before the page is looked at again. */
const PRESS_MS = 1_000;

/** A match that runs, with the pages of its players. @typedef {{ match: string, players: Page[] }} Running */

/** The card with a heading. @param {Page} page @param {string} heading */
export const card = (page, heading) => page.locator("section.card", { has: page.getByRole("heading", { name: heading, exact: true }) });

/** No text is wider than the page, and none is the key of a missing one. @param {Page} page */
export async function isWhole(page) {
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  assert.doesNotMatch(await page.locator("main").innerText(), /\b(?:events?|problem)\.[a-z]/);
}

/** Joins the event that the page shows, by keyboard. The last who is waited for may be led to a match at once. @param {Page} page */
export async function join(page) {
  await focusOn(page.locator(".event-join button"));
  await page.keyboard.press("Enter");
  await page.locator(".event-head [role=status]").filter({ hasText: /\S/ }).or(page.locator(".match")).first().waitFor();
}

/** The reader's running match in an event. @param {Page} page @param {string} event @returns {Promise<string | null>} */
const matchOf = async (page, event) => (await ask(page, "GET", `/events/${event}`)).me?.match ?? null;

/** The next match of an event, with the pages of its players. @param {Page[]} pages @param {string} event @param {Set<string>} played @returns {Promise<Running | null>} */
export async function nextMatch(pages, event, played) {
  const matches = await Promise.all(pages.map((page) => matchOf(page, event)));
  // The pages are asked one after the other: a match that has begun in between is seen by one of its players alone.
  const match = matches.find((id, place) => id !== null && !played.has(id) && matches.indexOf(id) !== place) ?? null;
  if (match === null) return null;
  played.add(match);
  return { match, players: pages.filter((_, place) => matches[place] === match) };
}

/** Whether a page shows a match. @param {Page} page @param {string} match */
const isAt = (page, match) => new URL(page.url()).pathname === `/match/${match}`;

/** Presses a link if it is there: the page may be about to leave by itself. @param {Locator} link */
const press = (link) => link.click({ timeout: PRESS_MS }).catch(() => {});

/** Goes to a match that has begun, unless it opens by itself. @param {Page} page @param {string} match */
export const goTo = (page, match) =>
  eventually(async () => {
    if (!isAt(page, match)) await press(page.locator(`a[href^="/match/${match}"]`).first());
    return isAt(page, match);
  });

/**
 * Leaves a match that is over for its event, unless the next match opens by itself: that one has a link to the event, too, so the page is asked
 * for its address and the link pressed at once.
 * @param {Page} page
 * @param {string} match
 */
const goBack = (page, match) =>
  eventually(async () => {
    await page.evaluate((path) => {
      /** @type {HTMLElement | null} */
      const link = document.querySelector("main a[href^='/event/']");
      if (location.pathname === path && document.querySelector("main .status.over")) link?.click();
    }, `/match/${match}`);
    return !isAt(page, match);
  });

/**
 * Plays the first legal moves of a match until each side has made so many more.
 * @param {Running} running
 * @param {number} moves
 * @returns {Promise<Record<"first" | "second", Page>>} the pages of the players by their sides
 */
export async function makeMoves({ players, match }, moves) {
  const [one, other] = /** @type {[Page, Page]} */ (players);
  const { seats } = await ask(one, "GET", `/matches/${match}`);
  const { name } = (await ask(one, "GET", "/me")).player;
  const sides = seats.first.player.name === name ? { first: one, second: other } : { first: other, second: one };
  const moved = { first: 0, second: 0 };
  while (Math.min(moved.first, moved.second) < moves) {
    const { turn, legal, seq, ply } = await ask(one, "GET", `/matches/${match}`);
    const move = { client_id: `ply-${ply}`, seq, command: { kind: "move", ply, move: legal[0] } };
    const side = turn === "first" ? "first" : "second";
    await ask(sides[side], "POST", `/matches/${match}/commands`, move);
    moved[side] += 1;
  }
  return sides;
}

/**
 * Plays a match on the pages of both players, until one resigns.
 * @param {Running} running
 * @param {Page} [loser] by default the player with the second side
 */
export async function playOut({ players, match }, loser) {
  await Promise.all(players.map((page) => goTo(page, match)));
  const sides = await makeMoves({ players, match }, MOVES);
  const { seq } = await ask(sides.first, "GET", `/matches/${match}`);
  await ask(loser ?? sides.second, "POST", `/matches/${match}/commands`, { client_id: "resign", seq, command: { kind: "resign" } });
  await Promise.all(players.map((page) => goBack(page, match)));
}

/** Whether an event is over. @param {Page} page @param {string} event */
export const isOver = async (page, event) => (await ask(page, "GET", `/events/${event}`)).state === "finished";

/**
 * Plays all matches of an event to its end.
 * @param {Page[]} pages of all players
 * @param {string} event
 * @param {(running: Running) => Page | undefined} [loserOf]
 * @returns {Promise<number>} of matches
 */
export async function playAll(pages, event, loserOf = () => undefined) {
  const [first] = /** @type {[Page]} */ (pages);
  const played = new Set();
  for (;;) {
    const next = await eventually(async () => (await nextMatch(pages, event, played)) ?? ((await isOver(first, event)) && "over"));
    if (next === "over") return played.size;
    // All wait for the first one, which opens by itself.
    if (played.size === 1) await Promise.all(next.players.map((page) => page.waitForURL(`**/match/${next.match}?event=*`)));
    await playOut(next, loserOf(next));
  }
}
