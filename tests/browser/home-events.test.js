// @ts-check
// The events on the home page: none, some to come, one that runs, and their way to the page of an event.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { judge } from "./axe.js";
import { BLITZ, isWhole, PHONE } from "./event-play.js";
import { ask } from "./every-screen.js";
import { layoutFaults } from "./screen-faults.js";
import { drawn, eventually, focusOn, follow, stage } from "./support.js";

/** @import { Page } from "playwright-core" */

const HOUR_MS = 60 * 60_000;

/** The part with the events. @param {Page} page */
const part = (page) => page.locator(".home-events");

/** Waits for the answers with the events, which the page asks for once it has all its texts. @param {Page} page */
const answers = (page) => Promise.all(["running", "coming"].map((state) => page.waitForResponse(`**/api/v1/events?state=${state}*`)));

/** Lets the page fetch its lists anew, as when the reader comes back to the tab. @param {Page} page */
async function lookAgain(page) {
  const answered = answers(page);
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await answered;
  await drawn(page);
}

describe("events on the home page", () => {
  const { visit, sql, kill, restart } = stage();

  /** @param {string} name */
  async function account(name) {
    const { page } = await visit();
    await page.goto("/about");
    await ask(page, "POST", "/accounts", { name, password: "kiboko-na-twiga-7" });
    return page;
  }

  /** @param {Page} page @param {string} name @param {number} hours until it begins @returns {Promise<string>} */
  async function makeArena(page, name, hours) {
    const start_at = new Date(Date.now() + hours * HOUR_MS).toISOString();
    const terms = { kind: "arena", game: "kalah", time_control: BLITZ, duration_minutes: 60 };
    return (await ask(page, "POST", "/events", { ...terms, name, start_at })).id;
  }

  test("are not asked for before the page has all its texts, and not shown where there are none", async () => {
    const { page } = await visit();
    /** @type {string[]} */
    const asked = [];
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (/\/i18n\/rest\/|\/api\/v1\/events$|home-events\.js$/.test(pathname))
        asked.push(pathname.replace(/^.*\/(?=rest|events|home)/, ""));
    });
    const answered = answers(page);
    await page.goto("/");
    await page.locator(".tile-play:enabled").first().waitFor();
    await answered;
    await drawn(page);
    assert.deepEqual(asked, ["rest/en.json", "home-events.js", "events", "events"]);
    assert.equal(await part(page).count(), 0);
    assert.equal(await page.locator(".home > div:empty").isVisible(), false);
  });

  test("the next three are shown, and an event that has begun comes first", async () => {
    const [asha, bahati] = await Promise.all([account("Asha-begins"), account("Bahati-begins")]);
    await makeArena(asha, "The third arena", 4);
    await makeArena(asha, "The second arena", 3);
    await makeArena(asha, "The fourth arena", 5);
    const { id } = await ask(asha, "POST", "/events", {
      kind: "swiss",
      name: "Stones of the evening",
      game: "oware",
      time_control: BLITZ,
      start_at: new Date(Date.now() + 2 * HOUR_MS).toISOString(),
      rounds: 3,
    });
    const [reader, phone] = await Promise.all([visit(), visit({ ...PHONE, locale: "ml", colorScheme: "dark" })]);
    for (const { page } of [reader, phone]) {
      await page.goto("/");
      await part(page).locator(".event-card").first().waitFor();
    }
    const names = () => part(reader.page).locator("h3").allInnerTexts();
    assert.deepEqual(await names(), ["Stones of the evening", "The second arena", "The third arena"]);
    const first = part(reader.page).locator(".event-card").first();
    await first.getByText("Swiss system · Oware · 0 players", { exact: true }).waitFor();
    await first.getByText(/^begins /).waitFor();
    for (const { page } of [reader, phone]) {
      await isWhole(page);
      assert.deepEqual(await layoutFaults(page), []);
      await judge(page, "the home page with events", "as it is");
    }

    // A player joins; then it begins. The reader's page follows, and the focus stays.
    await focusOn(first.getByRole("link"));
    for (const page of [asha, bahati]) await ask(page, "POST", `/events/${id}/join`, {});
    await lookAgain(reader.page);
    await first.getByText("Swiss system · Oware · 2 players", { exact: true }).waitFor();
    await kill();
    await sql(`UPDATE events SET start_ms = 1, due_ms = 1 WHERE id = '${id}'`);
    await restart();
    await eventually(async () => {
      await lookAgain(reader.page);
      return first.getByText("now", { exact: true }).isVisible();
    });
    assert.equal(await reader.page.evaluate(() => document.activeElement?.textContent), "Stones of the evening");

    // The way to it, and back: the page asks again.
    await reader.page.keyboard.press("Enter");
    await reader.page.waitForURL(`**/event/${id}`);
    await reader.page.getByRole("heading", { name: "Stones of the evening" }).waitFor();
    await makeArena(asha, "The very next arena", 1);
    await reader.page.goBack();
    await part(reader.page).getByRole("link", { name: "The very next arena" }).waitFor();
    assert.deepEqual(await names(), ["Stones of the evening", "The very next arena", "The second arena"]);
    await part(reader.page).getByRole("link", { name: "All events" }).click();
    await reader.page.getByRole("heading", { name: "Running now" }).waitFor();
  });

  test("are hidden when they cannot be fetched, and come back", async () => {
    const host = await account("Chiku-again");
    await makeArena(host, "An arena for all", 6);
    const { page } = await visit(PHONE);
    await page.goto("/");
    await part(page).waitFor();
    const events = "**/api/v1/events?*";
    await page.route(events, (route) => route.fulfill({ status: 503, contentType: "application/problem+json", body: '{"code":"busy"}' }));
    await lookAgain(page);
    await part(page).waitFor({ state: "hidden" });
    await page.unroute(events);
    await lookAgain(page);
    await part(page).waitFor();
    // Another page and back: what is known of the first visit is there at once, without a wait for the texts.
    await follow(page, "/about");
    const answered = answers(page);
    await follow(page, "/");
    await answered;
    await part(page).locator(".event-card").first().waitFor();
  });
});
