// @ts-check
// Clubs: found, search, join, request, invite, lead and leave; with the mouse, the keyboard and on a narrow phone.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { ask } from "./every-screen.js";
import { focusOn, follow, register, stage } from "./support.js";

/** @import { Page } from "playwright-core" */

const PHONE = { viewport: { width: 360, height: 640 } };

/** The card with a heading. @param {Page} page @param {string} heading */
const card = (page, heading) => page.locator("section.card", { has: page.getByRole("heading", { name: heading, exact: true }) });

/** The row of a player in a card. @param {Page} page @param {string} heading @param {string} name */
const row = (page, heading, name) => card(page, heading).locator("li", { has: page.getByRole("link", { name, exact: true }) });

/** @param {Page} page */
const fits = async (page) => assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);

describe("clubs", () => {
  const { visit, admin } = stage();

  test("found one by keyboard, find it and join it at once", async () => {
    const [asha, bahati] = await Promise.all([visit(), visit(PHONE)]);
    await register(asha.page, "Asha-founds");
    await register(bahati.page, "Bahati-joins");
    await follow(asha.page, "/people");
    await asha.page.locator("main").getByRole("link", { name: "Clubs", exact: true }).click();
    await asha.page.waitForURL("**/clubs");
    await asha.page.getByText("You are in no club yet.").waitFor();
    await focusOn(asha.page.getByRole("textbox", { name: /^Name/ }));
    await asha.page.keyboard.type("Mawe ya Mjini");
    await asha.page.keyboard.press("Tab");
    await asha.page.keyboard.type("mjini");
    await asha.page.keyboard.press("Enter");
    await asha.page.waitForURL("**/club/mjini");
    await asha.page.getByText("You are an officer.").waitFor();
    assert.match(await asha.page.title(), /Mawe ya Mjini/);

    // A name that looks like it.
    await follow(asha.page, "/clubs");
    await asha.page.getByRole("textbox", { name: /^Name/ }).fill("MAWE YA MJ1NI");
    await asha.page.getByRole("textbox", { name: /^Address/ }).fill("other");
    await asha.page.getByRole("button", { name: "Found the club" }).click();
    await asha.page.getByText("Another club has this name, or one that looks like it.").waitFor();

    await bahati.page.goto("/clubs");
    await bahati.page.getByRole("searchbox").fill("ya mji");
    await bahati.page.keyboard.press("Enter");
    await fits(bahati.page);
    await bahati.page.getByRole("link", { name: "Mawe ya Mjini" }).click();
    await focusOn(bahati.page.getByRole("button", { name: "Join", exact: true }));
    await bahati.page.keyboard.press("Enter");
    await bahati.page.getByText("You are a member.").waitFor();
    await row(bahati.page, "Members", "Bahati-joins").waitFor();
    await bahati.page.locator("h1:focus").waitFor();
    await fits(bahati.page);

    // The profile lists it.
    await bahati.page.goto("/player/Bahati-joins");
    await card(bahati.page, "Clubs").getByRole("link", { name: "Mawe ya Mjini" }).click();
    await bahati.page.getByRole("button", { name: "Leave the club" }).click();
    await bahati.page.getByRole("button", { name: "Press again to leave" }).click();
    await bahati.page.getByRole("button", { name: "Join", exact: true }).waitFor();
  });

  test("officers accept requests, invite, remove, change the texts, and see it in the log", async () => {
    const [asha, bahati, chiku] = await Promise.all([visit(), visit(PHONE), visit()]);
    await register(asha.page, "Asha-leads");
    await register(bahati.page, "Bahati-asks");
    await register(chiku.page, "Chiku-invited");
    await ask(asha.page, "POST", "/clubs", { handle: "led", name: "Led by Asha", joining: "request" });

    await bahati.page.goto("/club/led");
    await bahati.page.getByLabel("A line for the officers").fill("I play Oware");
    await bahati.page.getByRole("button", { name: "Request to join" }).click();
    await bahati.page.getByText("The officers have your request.").waitFor();
    await fits(bahati.page);

    await asha.page.goto("/club/led");
    const request = row(asha.page, "Requests to join", "Bahati-asks");
    await request.getByText("I play Oware").waitFor();
    await request.getByRole("button", { name: /^Accept/ }).click();
    await row(asha.page, "Members", "Bahati-asks").waitFor();
    await asha.page.getByText("No open requests.").waitFor();
    await follow(bahati.page, "/notices");
    await bahati.page.getByRole("link", { name: "You are a member of the club Led by Asha now" }).waitFor();

    await asha.page.getByLabel("Name of the player").fill("Nobody-at-all");
    await asha.page.getByRole("button", { name: "Invite", exact: true }).click();
    await card(asha.page, "Invitations").locator(".error:not([hidden])").waitFor();
    await asha.page.getByLabel("Name of the player").fill("Chiku-invited");
    await asha.page.getByRole("button", { name: "Invite", exact: true }).click();
    await row(asha.page, "Invitations", "Chiku-invited").waitFor();
    await follow(chiku.page, "/notices");
    await chiku.page.getByRole("link", { name: "Asha-leads invites you to the club Led by Asha" }).click();
    await chiku.page.getByRole("button", { name: "Accept the invitation" }).click();
    await chiku.page.getByText("You are a member.").waitFor();

    // Texts: the reader's language, or the first there is.
    await asha.page.getByLabel("Line at the top").fill("Every Friday");
    await asha.page.getByLabel("Description (Kiswahili)").fill("Karibu sana");
    await asha.page.getByRole("button", { name: "Save", exact: true }).click();
    await asha.page.getByText("Saved.").waitFor();
    await follow(bahati.page, "/club/led");
    await bahati.page.getByText("Every Friday").waitFor();
    await bahati.page.getByText("Karibu sana").waitFor();

    // The only officer does not leave; another one may.
    await follow(asha.page, "/clubs");
    await follow(asha.page, "/club/led");
    await asha.page.getByRole("button", { name: "Leave the club" }).click();
    await asha.page.getByRole("button", { name: "Press again to leave" }).click();
    await asha.page.getByText("The club would have no officer").waitFor();
    await row(asha.page, "Members", "Chiku-invited")
      .getByRole("button", { name: /Make an officer/ })
      .click();
    await row(asha.page, "Members", "Chiku-invited")
      .getByRole("button", { name: /End the office/ })
      .waitFor();
    const member = row(asha.page, "Members", "Bahati-asks");
    await member.getByRole("button", { name: /^Remove/ }).click();
    await member.getByRole("button", { name: /Press again to remove/ }).click();
    await card(asha.page, "Log").getByText("Asha-leads removed Bahati-asks").waitFor();
    await card(asha.page, "Log").getByText("Asha-leads changed the club: line at the top").waitFor();
    await asha.page.getByRole("button", { name: "Leave the club" }).click();
    await asha.page.getByRole("button", { name: "Press again to leave" }).click();
    await asha.page.getByRole("button", { name: "Request to join" }).waitFor();

    // The last one closes it, by the password.
    await follow(chiku.page, "/clubs");
    await follow(chiku.page, "/club/led");
    await chiku.page.getByLabel("Your password").fill("wrong");
    await chiku.page.getByRole("button", { name: "Close the club" }).click();
    await chiku.page.getByText("The password is wrong.").waitFor();
  });

  test("a club by invitation shows others little more than its name", async () => {
    const [asha, stranger] = await Promise.all([visit(), visit(PHONE)]);
    await register(asha.page, "Asha-hides");
    await ask(asha.page, "POST", "/clubs", { handle: "hidden", name: "Hidden club", joining: "invitation", banner: "Secret" });
    await stranger.page.goto("/club/hidden");
    await stranger.page.getByText("This club is for invited players.").waitFor();
    assert.equal(await stranger.page.getByText("Secret").count(), 0);
    assert.equal(await stranger.page.getByRole("heading", { name: "Members" }).count(), 0);
    await follow(stranger.page, "/club/nowhere");
    await stranger.page.getByText("There is no such club.").waitFor();
    // The way to a club begins with an account.
    await follow(stranger.page, "/clubs");
    await focusOn(stranger.page.getByRole("link", { name: "Register to found a club or to join one." }));
    await stranger.page.keyboard.press("Enter");
    await stranger.page.waitForURL("**/register?next=/clubs");
  });

  test("a club is reported, and a moderator changes and closes it", async () => {
    const [asha, bahati, chiku] = await Promise.all([visit(), visit(PHONE), visit()]);
    await register(asha.page, "Asha-rude");
    await register(bahati.page, "Bahati-reports");
    await register(chiku.page, "Chiku-moderates");
    await admin("grant", "Chiku-moderates", "moderator");
    await ask(asha.page, "POST", "/clubs", { handle: "rude", name: "Rude people", banner: "We insult." });

    // By keyboard, on a phone.
    await bahati.page.goto("/club/rude");
    await focusOn(bahati.page.getByText("Report this club"));
    await bahati.page.keyboard.press("Enter");
    await bahati.page.locator("select[name=reason]").selectOption("name");
    await bahati.page.locator("textarea[name=report]").fill("Look at its line at the top.");
    await fits(bahati.page);
    await focusOn(bahati.page.getByRole("button", { name: "Send the report" }));
    await bahati.page.keyboard.press("Enter");
    await bahati.page.getByText("Thank you. A moderator will look into it.").waitFor();
    assert.equal(await bahati.page.getByText("For moderators").count(), 0);

    await chiku.page.goto("/moderation");
    await chiku.page.getByText("Look at its line at the top.").waitFor();
    await chiku.page.getByRole("link", { name: "Rude people" }).click();
    await chiku.page.waitForURL("**/club/rude");
    await chiku.page.getByText("For moderators").click();
    await chiku.page.locator("input[name=banner]").fill("");
    const why = chiku.page.getByLabel("Reason, for the log");
    await why.first().fill("No insults.");
    await chiku.page.getByRole("button", { name: "Change", exact: true }).click();
    await chiku.page.getByText("Saved.").waitFor();
    await asha.page.goto("/club/rude");
    await asha.page.getByText("A moderator changed the club").waitFor();
    assert.equal(await asha.page.locator(".club-line").count(), 0);

    const close = chiku.page.getByRole("button", { name: "Close the club" });
    await close.click();
    await chiku.page.getByRole("button", { name: "Press again: it is gone for good" }).click();
    // The reason is missing: the browser says so, and nothing is sent.
    await chiku.page.locator("input[name=why]:focus").waitFor();
    await why.last().fill("It was told before.");
    await close.click();
    await chiku.page.getByRole("button", { name: "Press again: it is gone for good" }).click();
    await chiku.page.getByText("There is no such club.").waitFor();
    await chiku.page.goto("/moderation");
    await chiku.page.getByText("closed since").waitFor();
  });
});
