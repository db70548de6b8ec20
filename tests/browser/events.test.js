// @ts-check
// Events: made with the form, joined, played and finished, by keyboard, on phones, and in four languages.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { judge } from "./axe.js";
import { BLITZ, card, goTo, isOver, isWhole, join, makeMoves, nextMatch, PHONE, playAll, playOut } from "./event-play.js";
import { ask } from "./every-screen.js";
import { layoutFaults } from "./screen-faults.js";
import { eventually, focusOn, register, stage } from "./support.js";

/** @import { Page } from "playwright-core" */

describe("events", () => {
  const { visit, sql, kill, restart } = stage();

  test("a round robin from the form to the podium", async () => {
    const [asha, bahati, chiku] = await Promise.all([visit(), visit(PHONE), visit({ ...PHONE, colorScheme: "dark" })]);
    await register(asha.page, "Asha-robin");
    await register(bahati.page, "Bahati-robin");
    await register(chiku.page, "Chiku-robin");
    const pages = [asha.page, bahati.page, chiku.page];

    // Empty lists say what to do. The form, by keyboard; a start in the past is told at its field.
    await asha.page.goto("/events");
    await asha.page.getByText("No event is announced.", { exact: false }).waitFor();
    await focusOn(asha.page.getByRole("link", { name: "Make an event" }));
    await asha.page.keyboard.press("Enter");
    await asha.page.waitForURL("**/new-event");
    await focusOn(asha.page.getByRole("radio", { name: "Arena", exact: true }));
    await asha.page.keyboard.press("ArrowRight");
    await asha.page.keyboard.press("ArrowRight");
    await asha.page.getByText("Everybody meets everybody, once or twice", { exact: false }).waitFor();
    await focusOn(asha.page.getByLabel("Name", { exact: true }));
    await asha.page.keyboard.type("Table of stones");
    await asha.page.getByLabel("Start, in your time").fill("2020-01-01T12:00");
    await asha.page.keyboard.press("Enter");
    await asha.page.getByText("The start is too early or too late.").waitFor();
    assert.equal(await asha.page.evaluate(() => document.activeElement?.getAttribute("name")), "event-start_at");
    await focusOn(asha.page.getByRole("radio", { name: "at a time" }));
    await asha.page.keyboard.press("ArrowRight");
    await asha.page.getByLabel("Players at the start").fill("3");
    await focusOn(asha.page.getByRole("button", { name: "Make the event" }));
    await asha.page.keyboard.press("Enter");
    await asha.page.waitForURL("**/event/*");
    await asha.page.getByRole("heading", { name: "Table of stones" }).waitFor();
    const id = new URL(asha.page.url()).pathname.split("/").at(-1) ?? "";
    assert.match(await asha.page.title(), /Table of stones/);

    // The others find it in the list. It begins with the third.
    await join(asha.page);
    await card(asha.page, "Players").getByRole("link", { name: "Asha-robin" }).waitFor();
    for (const page of [bahati.page, chiku.page]) {
      await page.goto("/events");
      await isWhole(page);
      await card(page, "Coming").getByRole("link", { name: "Table of stones" }).click();
      await page.getByRole("heading", { name: "Table of stones" }).waitFor();
      await isWhole(page);
      if (page === bahati.page) await join(page);
    }
    await focusOn(chiku.page.getByRole("button", { name: "Join", exact: true }));
    await chiku.page.keyboard.press("Enter");

    assert.equal(await playAll(pages, id), 3);
    for (const page of pages) {
      await page.locator(".podium li").nth(2).waitFor();
      await page.locator(".standings tr.mine").waitFor();
      await isWhole(page);
    }
    // The rounds, one after the other.
    const rounds = card(chiku.page, "Rounds");
    await rounds.getByText("Round 3").waitFor();
    await focusOn(rounds.getByRole("button", { name: "Round before" }));
    await chiku.page.keyboard.press("Enter");
    await rounds.getByText("Round 2").waitFor();
    await rounds.locator(".pairing .outcome").first().waitFor();
    const answer = await asha.page.request.get(
      (await asha.page.getByRole("link", { name: "results as a table" }).getAttribute("href")) ?? "",
    );
    assert.match(await answer.text(), /Chiku-robin/);
    await asha.page.goto("/events");
    await card(asha.page, "Past").getByRole("link", { name: "Table of stones" }).waitFor();
  });

  test("an arena, in four languages, with a server that is killed before its beginning and before its end", async () => {
    const [asha, bahati, chiku, reader] = await Promise.all([
      visit({ locale: "pl" }),
      visit({ ...PHONE, locale: "sw" }),
      visit({ ...PHONE, locale: "en-GB", colorScheme: "dark" }),
      visit({ ...PHONE, locale: "ml" }),
    ]);
    const pages = [asha.page, bahati.page, chiku.page];
    for (const [page, name] of /** @type {[Page, string][]} */ ([
      [asha.page, "Asha-arena"],
      [bahati.page, "Bahati-arena"],
      [chiku.page, "Chiku-arena"],
    ]))
      await ask(page, "POST", "/accounts", { name, password: "kiboko-na-twiga-7" });
    const { id } = await ask(asha.page, "POST", "/events", {
      kind: "arena",
      name: "Ijumaa ya mawe",
      game: "oware",
      time_control: BLITZ,
      rated: true,
      start_at: new Date(Date.now() + 60 * 60_000).toISOString(),
      duration_minutes: 60,
      entry: { password: "siri-yetu" },
    });
    for (const page of [...pages, reader.page]) await page.goto(`/event/${id}`);
    for (const page of pages) {
      await page.locator("input[name=event-password]").fill("siri-yetu");
      await join(page);
    }
    await reader.page.locator(".time-left").waitFor();
    await isWhole(reader.page);

    await kill();
    await sql(`UPDATE events SET start_ms = 1, due_ms = 1 WHERE id = '${id}'`);
    await restart();
    const played = new Set();
    const first = await eventually(() => nextMatch(pages, id, played).catch(() => null));
    // A spectator sees the board of the leaders.
    await reader.page.locator(".event-board .cell").first().waitFor();
    await isWhole(reader.page);
    await playOut(first);
    const second = await eventually(() => nextMatch(pages, id, played));
    // Not the same two again, while a third waits.
    assert.notDeepEqual(second.players, first.players);
    await playOut(second);

    await kill();
    await sql(`UPDATE events SET duration_ms = 1, due_ms = 1 WHERE id = '${id}'`);
    await restart();
    // Who was paired meanwhile plays on: their match counts.
    await eventually(async () => {
      const next = await nextMatch(pages, id, played).catch(() => null);
      if (next !== null) await playOut(next);
      return isOver(reader.page, id).catch(() => false);
    });
    for (const page of [...pages, reader.page]) {
      await page.locator(".podium li").first().waitFor();
      await isWhole(page);
      await page.goto("/events");
      await page.locator(".event-card a", { hasText: "Ijumaa ya mawe" }).waitFor();
      await isWhole(page);
      await page.goto("/new-event");
      await page.locator("main h1").waitFor();
      await isWhole(page);
    }
  });

  test("an arena from the form, in which a player halves the clock and gets three points for a win", async () => {
    const [asha, bahati, reader] = await Promise.all([visit(), visit(PHONE), visit({ ...PHONE, locale: "ml" })]);
    const pages = [asha.page, bahati.page];
    await register(asha.page, "Asha-halves");
    await register(bahati.page, "Bahati-waits");

    // The form offers it where there is time enough, and then it is on.
    await asha.page.goto("/new-event");
    const allowed = asha.page.getByRole("checkbox", { name: /^Berserk allowed/ });
    assert.equal(await allowed.isChecked(), true);
    await focusOn(asha.page.getByRole("radio", { name: "Other", exact: true }));
    await asha.page.keyboard.press("Space");
    await asha.page.getByLabel("Minutes each").fill("0.25");
    await allowed.waitFor({ state: "hidden" });
    await focusOn(asha.page.getByRole("radio", { name: "10 + 5" }));
    await asha.page.keyboard.press("Space");
    await allowed.waitFor();
    await asha.page.getByLabel("Name", { exact: true }).fill("Half the time");
    await focusOn(asha.page.getByRole("button", { name: "Make the event" }));
    await asha.page.keyboard.press("Enter");
    await asha.page.waitForURL("**/event/*");
    await asha.page.locator(".event-head", { hasText: "berserk possible" }).waitFor();
    await asha.page.getByText("before your first move you may halve your clock", { exact: false }).waitFor();
    const id = new URL(asha.page.url()).pathname.split("/").at(-1) ?? "";
    await bahati.page.goto(`/event/${id}`);
    for (const page of pages) await join(page);
    await kill();
    await sql(`UPDATE events SET start_ms = 1, due_ms = 1 WHERE id = '${id}'`);
    await restart();
    const { match, players } = await eventually(() => nextMatch(pages, id, new Set()).catch(() => null));
    await Promise.all(players.map((page) => goTo(page, match)));

    // One of them halves the clock, by keyboard. No clock runs before both have moved.
    const berserk = (/** @type {Page} */ page) => page.getByRole("button", { name: /^Berserk: halve your clock/ });
    await berserk(bahati.page).waitFor();
    await focusOn(berserk(asha.page));
    await asha.page.keyboard.press("Enter");
    await asha.page.locator(".notice", { hasText: "You have halved your clock." }).waitFor();
    await berserk(asha.page).waitFor({ state: "hidden" });
    await bahati.page.locator(".notice", { hasText: "has halved the clock." }).waitFor();
    await berserk(bahati.page).waitFor();
    const mark = { name: "Asha-halves has halved the clock." };
    await asha.page.locator(".seat.bottom").getByRole("img", mark).waitFor();
    await bahati.page.locator(".seat.top").getByRole("img", mark).waitFor();
    for (const page of pages) {
      await page
        .locator(".seat", { has: page.getByRole("img", mark) })
        .locator(".clock", { hasText: /^5:00$/ })
        .waitFor();
      await page.locator(".clock", { hasText: /^10:00$/ }).waitFor();
    }
    await makeMoves({ match, players }, 1);
    // The state of the match has the mark, for the opponent's new page and for spectators.
    await bahati.page.reload();
    await bahati.page.locator(".seat.top").getByRole("img", mark).waitFor();
    assert.equal(await bahati.page.locator(".halved:visible").count(), 1);
    assert.equal(await berserk(bahati.page).count(), 0);
    assert.deepEqual(await layoutFaults(bahati.page), []);
    await judge(bahati.page, "a match with a halved clock", "as it is");
    await reader.page.goto(`/match/${match}`);
    await reader.page.locator(".halved:visible").waitFor();
    assert.equal(await reader.page.locator("button.berserk:visible").count(), 0);
    await isWhole(reader.page);

    await playOut({ match, players }, bahati.page);
    await reader.page.goto(`/event/${id}`);
    const row = reader.page.locator(".standings tbody tr", { hasText: "Asha-halves" });
    await row.locator(".points", { hasText: /^3$/ }).waitFor();
    await isWhole(reader.page);
    const { items } = await ask(reader.page, "GET", `/events/${id}/standings`);
    assert.deepEqual(
      items.map((/** @type {any} */ { player, points }) => [player.name, points]),
      [
        ["Asha-halves", 3],
        ["Bahati-waits", 0],
      ],
    );
  });

  test("who leaves, comes back, or is refused", async () => {
    const [asha, bahati] = await Promise.all([visit(), visit(PHONE)]);
    await register(asha.page, "Asha-leads");
    await register(bahati.page, "Bahati-comes");
    const { id } = await ask(asha.page, "POST", "/events", {
      kind: "swiss",
      name: "Swiss of seeds",
      game: "kalah",
      time_control: BLITZ,
      start_at: new Date(Date.now() + 60 * 60_000).toISOString(),
      rounds: 3,
      entry: { password: "siri-yetu" },
    });
    await bahati.page.goto(`/event/${id}`);
    await bahati.page.getByLabel("Password of the event").fill("nadhani");
    await bahati.page.getByRole("button", { name: "Join", exact: true }).click();
    await bahati.page.getByText("This is not the password of the event.").waitFor();
    await bahati.page.getByLabel("Password of the event").fill("siri-yetu");
    await bahati.page.keyboard.press("Enter");
    await bahati.page.getByText("You have joined.", { exact: false }).waitFor();
    await bahati.page.getByRole("button", { name: "Withdraw", exact: true }).click();
    await bahati.page.getByRole("button", { name: "Press again to withdraw" }).click();
    await bahati.page.getByText("You have withdrawn.").waitFor();
    await isWhole(bahati.page);
    // The creator cancels it; the other page sees that by itself.
    await asha.page.goto(`/event/${id}`);
    await asha.page.getByRole("button", { name: "Cancel the event" }).click();
    await asha.page.getByRole("button", { name: "Press again to cancel" }).click();
    await asha.page.getByText("Cancelled by its creator.", { exact: false }).waitFor();
    await bahati.page.getByText("Cancelled by its creator.", { exact: false }).waitFor();
    await bahati.page.goto("/event/nothing");
    await bahati.page.getByText("There is no such event.").waitFor();
  });
});
