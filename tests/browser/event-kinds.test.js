// @ts-check
// A Swiss tournament, a knockout and a simul, each played to its end by three players, and a series of two with a spectator; then its matches,
// the course of its points, and the judgement of a moderator.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { judge } from "./axe.js";
import { BLITZ, card, isWhole, join, nextMatch, PHONE, playAll, playOut } from "./event-play.js";
import { ask } from "./every-screen.js";
import { layoutFaults } from "./screen-faults.js";
import { eventually, focusOn, register, stage } from "./support.js";

/** @import { Page } from "playwright-core" */
/** @import { Running } from "./event-play.js" */

/** The names of the three, the strongest first. */
const NAMES = ["Asha", "Bahati", "Chiku"];

describe("events of other kinds", () => {
  const { visit, admin } = stage();

  /** Three players with accounts, on a desk and on phones. @param {string} suffix of their names */
  async function three(suffix) {
    const visitors = await Promise.all([visit(), visit(PHONE), visit({ ...PHONE, colorScheme: "dark" })]);
    const pages = visitors.map(({ page }) => page);
    for (const [place, page] of pages.entries()) await register(page, `${NAMES[place]}-${suffix}`);
    return /** @type {[Page, Page, Page]} */ (pages);
  }

  /** An event that begins with the third player, whom all three have joined. @param {Page[]} pages @param {object} terms @returns {Promise<string>} */
  async function begin(pages, terms) {
    const { id } = await ask(/** @type {Page} */ (pages[0]), "POST", "/events", { time_control: BLITZ, start_players: 3, ...terms });
    for (const page of pages) {
      await page.goto(`/event/${id}`);
      await page.locator(".event-head h1").waitFor();
      // The host of a simul is in it from the start.
      if ((await ask(page, "GET", `/events/${id}`)).me === null) await join(page);
    }
    return id;
  }

  /** The weaker of two players resigns. @param {Page[]} pages the strongest first @returns {(running: Running) => Page} */
  const weaker =
    (pages) =>
    ({ players }) =>
      /** @type {Page} */ (pages.findLast((page) => players.includes(page)));

  /** The names on the podium. @param {Page} page @param {string} suffix */
  async function podium(page, suffix) {
    await page.locator(".podium li").nth(2).waitFor();
    return (await page.locator(".podium li a").allInnerTexts()).map((name) => name.replace(`-${suffix}`, ""));
  }

  /** Nothing of a page is cut, hidden or without a name. @param {Page} page @param {string} screen */
  async function isSound(page, screen) {
    await isWhole(page);
    assert.deepEqual(await layoutFaults(page), []);
    await judge(page, screen, "as it is");
  }

  /** Opens the matches of a player from the standings, and the latest of them, by keyboard. @param {Page} page @param {string} name @param {number} count of matches */
  async function openMatch(page, name, count) {
    const path = new URL(page.url()).pathname;
    await focusOn(page.getByRole("button", { name: `Matches of ${name}` }));
    await page.keyboard.press("Enter");
    const sheet = page.getByRole("dialog", { name: `Matches of ${name}` });
    await sheet
      .locator(".player-match")
      .nth(count - 1)
      .waitFor();
    assert.equal(await sheet.locator("a.outcome").count(), count);
    await isSound(page, "the matches of a player in an event");
    // The way back without a choice leads to the button.
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("aria-label")), `Matches of ${name}`);
    await page.keyboard.press("Enter");
    await focusOn(sheet.locator("a.outcome").first());
    await page.keyboard.press("Enter");
    await page.waitForURL("**/match/*?event=*");
    await page.locator(".status.over").waitFor();
    // The chat comes below it.
    await page.locator("main p:has(a[href^='/event/']) + .chat").waitFor({ state: "attached" });
    await page.locator("main a[href^='/event/']").click();
    await page.waitForURL(`**${path}`);
    await page.locator(".standings tbody tr").first().waitFor();
  }

  /** A moderator turns the result of the last game over, by keyboard on a phone, and the event shows it to others. @param {string} id @param {Page} reader */
  async function judgeLast(id, reader) {
    const { items: games } = await ask(reader, "GET", `/events/${id}/games?limit=100`);
    const { number, first, second, result } = games.at(-1);
    const other = result === "first" ? "second" : "first";
    const winner = other === "first" ? first.name : second.name;
    const score = other === "first" ? "1 : 0" : "0 : 1";
    /** @returns {Promise<Map<string, number>>} */
    const points = async () => {
      const { items } = await ask(reader, "GET", `/events/${id}/standings`);
      return new Map(items.map((/** @type {any} */ row) => [row.player.name, row.points]));
    };
    const before = await points();
    await reader.goto(`/event/${id}`);
    const outcome = (/** @type {Page} */ page) => card(page, "Rounds").locator(".pairing .outcome", { hasText: `Game ${number}:` });
    await outcome(reader).waitFor();
    assert.equal(await reader.getByText("Judge a game", { exact: true }).count(), 0);

    const { page } = await visit(PHONE);
    await register(page, "Mwamuzi");
    await admin("grant", "Mwamuzi", "moderator");
    await page.goto(`/event/${id}`);
    await focusOn(page.getByText("Judge a game", { exact: true }));
    await page.keyboard.press("Enter");
    const game = page.getByRole("combobox", { name: "Game" });
    await game.waitFor();
    await isSound(page, "the form for judging a game");
    // Nothing is sent without a game, a result and a reason.
    const submit = page.getByRole("button", { name: "Judge the game" });
    await focusOn(submit);
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("name")), "judged-game");
    await game.selectOption(String(number));
    await page.getByRole("combobox", { name: "New result" }).selectOption({ label: `${winner} wins` });
    await focusOn(page.getByLabel("Reason, for the log"));
    await page.keyboard.type("The flag fell first.");
    await page.keyboard.press("Enter");
    const said = page.locator("[role=status]", { hasText: `Judged: Game ${number}: ${first.name} – ${second.name}, ${score}` });
    await said.waitFor();
    await isSound(page, "a game that is judged");
    // The server sends nothing about an event that is over: the reader's next visit shows it.
    await reader.reload();
    for (const one of [page, reader]) await outcome(one).filter({ hasText: score }).waitFor();

    const after = await points();
    const loser = winner === first.name ? second.name : first.name;
    assert.equal(after.get(winner), (before.get(winner) ?? 0) + 1);
    assert.equal(after.get(loser), (before.get(loser) ?? 0) - 1);
    const row = reader.locator(".standings tbody tr", { hasText: winner });
    await row.locator(".points", { hasText: new RegExp(`^${after.get(winner)}$`) }).waitFor();
    await page.goto("/moderation");
    await page.getByRole("radio", { name: "Log" }).check();
    const line = page.locator(".log-line", { hasText: "Game of an event judged" });
    await line.getByText("The flag fell first.").waitFor();
  }

  test("a Swiss tournament of three rounds", async () => {
    const pages = await three("swiss");
    const [asha, bahati, chiku] = pages;
    const id = await begin(pages, { kind: "swiss", name: "Stones of three", game: "kalah", rated: true, rounds: 3 });
    assert.equal(await playAll(pages, id, weaker(pages)), 3);
    for (const page of pages) {
      assert.deepEqual(await podium(page, "swiss"), NAMES);
      await page.locator(".event-chart svg[role=img]").waitFor();
      await isWhole(page);
    }
    // Each has a round without an opponent, which is in the course of the points.
    const chart = card(bahati, "The leaders’ points");
    await chart.getByRole("img", { name: "Asha-swiss 3, Bahati-swiss 2, Chiku-swiss 1" }).waitFor();
    await focusOn(chart.getByText("As a table"));
    await bahati.keyboard.press("Enter");
    const points = chart.getByRole("row", { name: /^Round 3 / }).getByRole("cell");
    assert.deepEqual(await points.allInnerTexts(), ["3", "2", "1"]);
    await isSound(bahati, "an event that is over");
    await openMatch(chiku, "Chiku-swiss", 2);
    // From a pairing to its match.
    const rounds = card(asha, "Rounds");
    await rounds.getByText("Round 3 of 3").waitFor();
    await focusOn(rounds.getByRole("button", { name: "Round before" }));
    await asha.keyboard.press("Enter");
    await rounds.getByText("Round 2 of 3").waitFor();
    await rounds.getByText("bye: 1 point").waitFor();
    await focusOn(rounds.locator(".pairing a.outcome"));
    await asha.keyboard.press("Enter");
    await asha.waitForURL("**/match/*?event=*");
    await asha.locator(".status.over").waitFor();
    await judgeLast(id, asha);
  });

  test("a knockout: the best has a bye, the others a mini-match, then the final", async () => {
    const pages = await three("cup");
    const [asha, bahati] = pages;
    const id = await begin(pages, { kind: "knockout", name: "Cup of stones", game: "oware" });
    assert.equal(await playAll(pages, id, weaker(pages)), 4);
    for (const page of pages) {
      const order = await podium(page, "cup");
      assert.equal(order[0], "Asha");
      assert.deepEqual([...order].sort(), NAMES);
      await isWhole(page);
    }
    assert.equal(await asha.locator(".event-chart").count(), 0);
    const { items } = await ask(asha, "GET", `/events/${id}/standings`);
    const { games } = items.find((/** @type {any} */ row) => row.player.name === "Bahati-cup");
    await openMatch(bahati, "Bahati-cup", games.length);
  });

  test("a simul: the host plays both at the same time", async () => {
    const pages = await three("simul");
    const [host, ...guests] = pages;
    const id = await begin(pages, { kind: "simul", name: "One against two", game: "reversi", host_extra_minutes: 10 });
    const matches = await eventually(async () => {
      const found = await Promise.all(guests.map(async (page) => (await ask(page, "GET", `/events/${id}`)).me.match));
      return found.every(Boolean) && found;
    });
    assert.notEqual(matches[0], matches[1]);
    for (const [place, page] of guests.entries()) await page.waitForURL(`**/match/${matches[place]}?event=*`);
    // The host has more time, which the terms say to everybody.
    for (const page of guests) {
      await page.locator(".about", { hasText: /(Black|White): 10 min more/ }).waitFor();
      await page.locator(".seat.top .clock", { hasText: "15:00" }).waitFor();
    }
    // One of the host's opens by itself; the page of the event leads to the other.
    await host.waitForURL("**/match/*?event=*");
    const first = matches.findIndex((match) => host.url().includes(match));
    for (const place of [first, 1 - first]) {
      const guest = /** @type {Page} */ (guests[place]);
      await playOut({ match: matches[place], players: [host, guest] }, guest);
    }
    for (const page of pages) {
      const rows = page.locator(".standings tbody tr");
      await page.locator(".event-state.finished").waitFor();
      await rows.nth(2).waitFor();
      assert.equal(await rows.first().locator(".points").innerText(), "2");
      await page.locator(".event-head", { hasText: "host: 10 min more" }).waitFor();
      assert.match(await rows.first().innerText(), /Asha-simul/);
      await isWhole(page);
    }
    await openMatch(host, "Asha-simul", 2);
  });

  test("a series against a friend is made by the form for a match, and joined by its link alone", async () => {
    const [host, friend] = (await Promise.all([visit(), visit(PHONE)])).map(({ page }) => page);
    assert.ok(host && friend);
    await register(host, "Asha-by-link");
    await register(friend, "Bahati-by-link");
    await host.goto("/play/kalah?with=friend");
    await host.locator(".new-match input[value='5+3']").check();
    await host.locator(".games-row input[value='2']").check();
    await host.locator(".match-options").waitFor({ state: "hidden" });
    await host.getByRole("button", { name: "Create a link for your friend" }).click();
    const link = host.locator(".event-invitation input");
    await link.waitFor();
    await isSound(host, "a series that waits for a friend");
    const url = await link.inputValue();
    await friend.goto(url);
    await friend.getByRole("button", { name: "Join" }).waitFor();
    assert.equal(await friend.locator("input[name=event-password]").isVisible(), false);
    await friend.getByRole("button", { name: "Join" }).click();
    await Promise.all([host, friend].map((page) => page.waitForURL("**/match/*")));
    const told = await ask(host, "GET", new URL(url).pathname.replace("/event/", "/events/"));
    assert.deepEqual([told.kind, told.games, told.entry.password], ["series", 2, true]);
    const password = new URL(url).hash.slice(1);
    assert.ok(password.length > 20 && !JSON.stringify(told).includes(password));
  });

  test("a series: two matches with the sides exchanged and one score, seen by a spectator", async () => {
    const pages = await three("series");
    const [asha, bahati, spectator] = pages;
    const both = [asha, bahati];
    const terms = { kind: "series", name: "Two in a row", game: "kalah", games: 2, start_players: 2 };
    const id = await begin(both, terms);
    await spectator.goto(`/event/${id}`);
    const score = spectator.locator(".event-score");
    await spectator.locator(".event-head", { hasText: "Series · 2 matches" }).waitFor();
    const played = new Set();
    const sides = [];
    for (const game of [1, 2]) {
      const running = await eventually(() => nextMatch(both, id, played));
      // The next match opens by itself.
      if (game === 2) await Promise.all(both.map((page) => page.waitForURL(`**/match/${running.match}?event=*`)));
      const { seats } = await ask(spectator, "GET", `/matches/${running.match}`);
      sides.push([seats.first.player.name, seats.second.player.name]);
      // Bahati resigns the first match, Asha the second one.
      await playOut(running, game === 1 ? bahati : asha);
      if (game === 1) await score.getByText("Asha-series 1 : 0 Bahati-series", { exact: true }).waitFor();
    }
    assert.deepEqual(sides[1], sides[0]?.toReversed());
    for (const page of pages) {
      await page.locator(".event-state.finished").waitFor();
      await page.locator(".event-score", { hasText: /^\S+-series 1 : 1 \S+-series$/ }).waitFor();
      const places = page.locator(".standings tbody tr .place");
      assert.deepEqual(await places.allInnerTexts(), ["1", "1"]);
      await isWhole(page);
    }
    await isSound(spectator, "a series that is over");
    await openMatch(spectator, "Asha-series", 2);
  });
});
