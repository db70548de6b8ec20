// @ts-check
// Follows and blocks: a player's page, the page of people, the settings; with the mouse, the keyboard and on a narrow phone.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { ask, playMatch } from "./every-screen.js";
import { focusOn, follow, register, stage } from "./support.js";

/** @import { Page } from "playwright-core" */

const AN_HOUR = { kind: "realtime", base_ms: 3_600_000, increment_ms: 0 };

/** Waits until a player's page shows the relation. @param {Page} page @param {string} button */
const offers = (page, button) => page.locator(".relation").getByRole("button", { name: button, exact: true }).waitFor();

/** The first row of a player. @param {Page} page @param {string} name */
const person = (page, name) => page.locator(".person", { has: page.getByRole("link", { name, exact: true }) }).first();

describe("people", () => {
  const { visit } = stage();

  test("follow each other, see what a friend plays, and watch it", async () => {
    const [asha, bahati, chiku] = await Promise.all([visit(), visit({ viewport: { width: 360, height: 640 } }), visit()]);
    await register(asha.page, "Asha-follows");
    await register(bahati.page, "Bahati-follows");
    await register(chiku.page, "Chiku-follows");

    await asha.page.goto("/player/Bahati-follows");
    await asha.page.getByRole("button", { name: "Follow", exact: true }).click();
    await offers(asha.page, "Unfollow");
    // The focus stays where the reader is.
    await asha.page.locator(".relation button:focus").waitFor();

    // On a phone, by keyboard.
    await bahati.page.goto("/people");
    const row = person(bahati.page, "Asha-follows");
    await focusOn(row.getByRole("button", { name: /Follow back/ }));
    await bahati.page.keyboard.press("Enter");
    await bahati.page.locator("section.card").first().getByRole("link", { name: "Asha-follows", exact: true }).waitFor();
    assert.equal(await bahati.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
    await bahati.page.goto("/player/Asha-follows");
    await bahati.page.getByText("You follow each other").waitFor();
    await bahati.page.getByText("1 follower").waitFor();

    // A match with clocks, which the friend watches.
    const { id: challenge } = await ask(bahati.page, "POST", "/challenges", { game: "oware", time_control: AN_HOUR });
    const { id } = await ask(chiku.page, "POST", `/challenges/${challenge}/accept`, {});
    await follow(asha.page, "/people");
    const friend = person(asha.page, "Bahati-follows");
    await friend.getByText("here now · You follow each other").waitFor();
    await friend.getByRole("link", { name: "Plays Oware: watch" }).click();
    await asha.page.waitForURL(`**/match/${id}`);
    await asha.page.getByText("You are watching").waitFor();

    // A finished match is on the list of latest ones.
    const ended = await playMatch([bahati.page, chiku.page], { game: "kalah", rated: false, time_control: AN_HOUR }, 2, true);
    await follow(asha.page, "/people");
    await asha.page.locator(`.match-row[href="/match/${ended}"]`).waitFor();
    await person(asha.page, "Bahati-follows")
      .getByRole("button", { name: /Unfollow/ })
      .click();
    await asha.page.getByText("You follow nobody yet.").waitFor();
  });

  test("block: challenges are refused, and nothing is told", async () => {
    const [asha, bahati, chiku] = await Promise.all([visit(), visit({ viewport: { width: 360, height: 640 } }), visit()]);
    await register(asha.page, "Asha-blocks");
    await register(bahati.page, "Bahati-blocks");
    await register(chiku.page, "Chiku-blocks");
    await asha.page.goto("/player/Bahati-blocks");
    // By keyboard: once to ask, once to confirm.
    await focusOn(asha.page.locator(".relation").getByRole("button", { name: "Block", exact: true }));
    await asha.page.keyboard.press("Enter");
    await asha.page.getByRole("button", { name: "Press again to block" }).waitFor();
    await asha.page.keyboard.press("Enter");
    await offers(asha.page, "Unblock");
    await asha.page.getByText("You have blocked this player").waitFor();

    await bahati.page.goto("/play?to=Asha-blocks");
    await bahati.page.locator(".new-match button[type=submit]").click();
    await bahati.page.getByText("This player does not take this match.").waitFor();
    await bahati.page.goto("/player/Asha-blocks");
    await offers(bahati.page, "Follow");
    assert.equal(await bahati.page.getByText("You have blocked").count(), 0);

    // The open offers are the same for everybody: the reader's page leaves out those of a blocked player.
    for (const { page } of [bahati, chiku]) await ask(page, "POST", "/seeks", { game: "oware", time_control: AN_HOUR });
    const offer = (/** @type {Page} */ page, /** @type {string} */ name) => page.locator(".seek", { hasText: name });
    await follow(chiku.page, "/play");
    await offer(chiku.page, "Bahati-blocks").waitFor();
    await asha.page.goto("/play");
    await offer(asha.page, "Chiku-blocks").waitFor();
    assert.equal(await offer(asha.page, "Bahati-blocks").count(), 0);

    // The settings have the list, and the way back.
    await asha.page.goto("/settings");
    const settings = asha.page.locator("#people");
    await settings.getByRole("link", { name: "Bahati-blocks" }).waitFor();
    await settings.getByRole("button", { name: /Unblock/ }).click();
    await settings.getByText("You have blocked nobody.").waitFor();
    await bahati.page.goto("/play?to=Asha-blocks");
    await bahati.page.locator(".new-match button[type=submit]").click();
    await bahati.page.waitForURL("**/challenge/**");
  });

  test("choose who may challenge, and a range of ratings", async () => {
    const asha = await visit();
    await register(asha.page, "Asha-chooses");
    await asha.page.goto("/settings");
    const settings = asha.page.locator("#people");
    await settings.locator("input[value=friends]").check();
    await settings.getByLabel("at least").fill("1600");
    await settings.getByLabel("at most").fill("1500");
    await settings.getByRole("button", { name: "Save" }).click();
    await settings.getByText("A rating is 0 to 4000").waitFor();
    await settings.getByLabel("at most").fill("");
    await settings.getByRole("button", { name: "Save" }).click();
    await settings.getByText("Saved.").waitFor();
    await asha.page.reload();
    await settings.locator("input[value=friends]:checked").waitFor();
    assert.equal(await settings.getByLabel("at least").inputValue(), "1600");
    const { challenges_from, challenge_min_rating, challenge_max_rating } = await ask(asha.page, "GET", "/me/preferences");
    assert.deepEqual([challenges_from, challenge_min_rating, challenge_max_rating], ["friends", 1600, null]);
  });

  test("a guest is asked to register", async () => {
    const guest = await visit();
    await guest.page.goto("/people");
    await guest.page.getByText("Register to follow players").waitFor();
  });
});
