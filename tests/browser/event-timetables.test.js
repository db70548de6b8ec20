// @ts-check
// A timetable of events: an officer makes it in the form, by keyboard, on a phone; a member joins its event; the officer stops it.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { judge } from "./axe.js";
import { card, isWhole, join, PHONE } from "./event-play.js";
import { ask } from "./every-screen.js";
import { layoutFaults } from "./screen-faults.js";
import { eventually, focusOn, register, stage } from "./support.js";

describe("a timetable of events", () => {
  const { visit } = stage();

  test("is made by an officer, makes an event for the members, and is stopped", async () => {
    const { page } = await visit(PHONE);
    await register(page, "Asha");
    await ask(page, "POST", "/clubs", { handle: "wachezaji", name: "Wachezaji", joining: "open" });

    await page.goto("/new-event");
    const form = page.locator("form.new-event");
    await form.locator("[name=event-name]").fill("Friday arena");
    // Without a club a player who is no operator makes events one by one.
    assert.equal(await form.locator(".event-repeat").first().isVisible(), false);
    await form.locator("details.event-entry summary").click();
    await form.locator("[name=event-club]").fill("wachezaji");
    await form.locator("[name=event-club]").blur();
    await focusOn(form.locator("input[name=event-repeat][value=once]"));
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await form.locator(".event-weekdays").waitFor();
    assert.equal(await form.locator("[name=event-start_at]").isVisible(), false);
    assert.deepEqual(await layoutFaults(page), []);
    await judge(page, "the form of a timetable", "as it is");

    // The server says what is missing, at its place.
    await form.locator("button[type=submit]").press("Enter");
    await form.locator(".event-weekdays .error").filter({ hasText: /\S/ }).waitFor();
    await form.locator("[name=weekday][value=friday]").press("Space");
    await form.locator("[name=event-at]").fill("19:30");
    await form.locator("[name=event-zone]").fill("Africa/Dar_es_Salaam");
    await form.locator("button[type=submit]").press("Enter");

    const timetables = card(page, "Timetables");
    await timetables.locator(".event-card h3").filter({ hasText: "Friday arena" }).waitFor();
    assert.match(await timetables.innerText(), /Friday, at 19:30 \(Africa\/Dar es Salaam\)/);
    await isWhole(page);
    assert.deepEqual(await layoutFaults(page), []);
    await judge(page, "the list of timetables", "as it is");

    // Its first event is there; a member joins it.
    const event = await eventually(async () => (await ask(page, "GET", "/events?state=coming")).items[0]?.id ?? null);
    await page.goto(`/event/${event}`);
    await page.locator(".event-head h1").waitFor();
    await join(page);

    await page.goto("/events");
    const stop = timetables.getByRole("button", { name: "Stop" });
    await focusOn(stop);
    await page.keyboard.press("Enter");
    await timetables.getByRole("button", { name: "Press again to stop" }).waitFor();
    await page.keyboard.press("Enter");
    await timetables.waitFor({ state: "hidden" });
    assert.deepEqual((await ask(page, "GET", "/event-timetables")).items, []);
    assert.equal((await ask(page, "GET", `/events/${event}`)).state, "coming");
  });
});
