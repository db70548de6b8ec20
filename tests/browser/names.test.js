// @ts-check
// A display name: set on a narrow phone, seen by the opponent, on the profile, in a list and in the chat, and removed by a moderator.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { ask } from "./every-screen.js";
import { chooseLanguage, eventually, finds, focusOn, register, stage } from "./support.js";

/** @import { Page } from "playwright-core" */

const AN_HOUR = { kind: "realtime", base_ms: 3_600_000, increment_ms: 0 };
const PHONE = { viewport: { width: 320, height: 640 } };

/** The card of the settings. @param {Page} page */
const card = (page) => page.locator("#display-name");

/** Sets a display name in the settings. @param {Page} page @param {string} name */
async function choose(page, name) {
  await page.goto("/settings");
  const field = card(page).getByLabel("Display name, up to 24 characters");
  await field.fill(name);
  await focusOn(field);
  await page.keyboard.press("Enter");
}

/** Whether the page is no wider than the window. @param {Page} page */
const fits = (page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);

describe("a display name", () => {
  const { visit, admin } = stage();

  test("is seen by the opponent, on the profile, in lists and in the chat, and removed by a moderator", async () => {
    const [ammu, bahati, moderator] = await Promise.all([visit(PHONE), visit(PHONE), visit()].map(async (one) => (await one).page));
    assert.ok(ammu && bahati && moderator);
    await register(ammu, "Ammu-names");
    await register(bahati, "Bahati-names");
    await register(moderator, "Mwalimu-names");
    await admin("grant", "Mwalimu-names", "moderator");
    for (const page of [ammu, bahati]) await ask(page, "PATCH", "/me/preferences", { chat: true });

    await choose(ammu, "അമ്മു");
    await card(ammu).locator("strong", { hasText: "അമ്മു" }).waitFor();
    assert.ok(await fits(ammu));

    // The opponent sees it at the board, with the name in addresses as a hint and for screen readers.
    const { id: challenge } = await ask(ammu, "POST", "/challenges", { game: "oware", time_control: AN_HOUR });
    const { id } = await ask(bahati, "POST", `/challenges/${challenge}/accept`, {});
    await bahati.goto(`/match/${id}`);
    const player = bahati.locator(".seat").getByRole("link", { name: "അമ്മു (@Ammu-names)", exact: true });
    await player.waitFor();
    assert.equal(await player.locator("bdi").getAttribute("title"), "@Ammu-names");
    assert.ok(await fits(bahati));
    // In the chat.
    await ammu.goto(`/match/${id}`);
    await ammu.locator(".chat-title button").click();
    await ammu.getByRole("textbox", { name: "Write a line" }).fill("jambo");
    await ammu.keyboard.press("Enter");
    await bahati.locator(".chat-title button").click();
    await bahati.locator(".chat-line", { hasText: "jambo" }).locator("strong bdi", { hasText: "അമ്മു" }).waitFor();
    // On the profile, which has the name in addresses.
    await player.click();
    await bahati.waitForURL("**/player/Ammu-names");
    await bahati.getByRole("heading", { level: 1, name: "അമ്മു" }).waitFor();
    await bahati.locator(".handle", { hasText: "@Ammu-names" }).waitFor();
    assert.ok(await fits(bahati));
    // In a list, and in the search by its first letters.
    await bahati.getByRole("button", { name: "Follow", exact: true }).click();
    await bahati.locator(".relation").getByRole("button", { name: "Unfollow", exact: true }).waitFor();
    await bahati.goto("/people");
    await bahati.locator(".person").getByRole("link", { name: "അമ്മു (@Ammu-names)", exact: true }).waitFor();
    await bahati.goto("/players");
    await bahati.locator(".search input").first().fill("അമ്");
    const found = bahati.locator(".found a", { hasText: "അമ്മു" });
    await found.getByText("@Ammu-names").waitFor();
    assert.equal(await found.getAttribute("href"), "/player/Ammu-names");
    assert.ok(await fits(bahati));

    // A moderator removes it, and the owner is told.
    await ask(bahati, "POST", "/players/Ammu-names/reports", { reason: "name", text: "It misleads." });
    await moderator.goto("/moderation");
    const report = moderator.getByRole("listitem", { name: "Report about Ammu-names" });
    await report.getByRole("link", { name: "അമ്മു (@Ammu-names)" }).waitFor();
    await report.getByRole("button", { name: "Take this report" }).click();
    await report.getByLabel("What to do about").selectOption("remove-display-name");
    await report.getByLabel("Reason, for the player").fill("Choose another one.");
    await report.getByRole("button", { name: "Resolve" }).click();
    const news = ammu.getByRole("complementary", { name: "News" });
    await news.getByText("A moderator has removed your display name. Choose another one.").waitFor();
    await bahati.goto("/player/Ammu-names");
    await bahati.getByRole("heading", { level: 1, name: "Ammu-names" }).waitFor();
    await finds(bahati.locator(".handle"), 0);
    await ammu.goto("/settings");
    await card(ammu).getByText("You can set a display name again from").waitFor();
  });

  test("is refused with the reason, in the reader's language, and can be removed", async () => {
    const [asha, zofia] = await Promise.all([visit(PHONE), visit()].map(async (one) => (await one).page));
    assert.ok(asha && zofia);
    await register(asha, "Asha-names");
    await register(zofia, "Zofia-names");
    await ask(zofia, "PUT", "/me/display-name", { display_name: "Żółw" });
    for (const [name, told] of /** @type {const} */ ([
      ["Zofia names", "That name looks like another player's."],
      ["ŻÓŁW", "That name looks like another player's."],
      ["P\u0430blo", "Write all letters in one script."],
      ["zero\u200bwidth", "Characters that cannot be seen"],
      ["Admin", "This name is reserved"],
    ])) {
      await choose(asha, name);
      await card(asha).getByText(told).waitFor();
    }
    assert.ok(await fits(asha));
    await choose(asha, "Asha Mwenye Furaha");
    await card(asha).getByRole("button", { name: "Remove the display name" }).click();
    await eventually(async () => (await ask(asha, "GET", "/me/display-name")).display_name === null);
    await chooseLanguage(zofia, "pl");
    await zofia.goto("/settings");
    await card(zofia).getByRole("button", { name: "Usuń nazwę wyświetlaną" }).waitFor();
  });
});
