// @ts-check
// A new player against the computer, and then with an account.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { boardText, finds, myTurn, openMenu, playFirst, plies, stage, waitForPlies } from "./support.js";

describe("a newcomer", () => {
  const { visit } = stage();

  test("plays the computer after one click, registers in the middle, and keeps the match", async () => {
    const { page } = await visit();
    await page.goto("/play");
    await page.getByRole("button", { name: "Play now" }).click();
    await page.locator(".match").waitFor();
    await page.locator(".me", { hasText: "Guest-" }).waitFor();
    const path = new URL(page.url()).pathname;
    for (let i = 0; i < 3; i++) await playFirst(page);
    await myTurn(page);
    const [count, board] = [await plies(page), await boardText(page)];

    const name = `amina-${Date.now() % 100_000}`;
    await page.getByRole("link", { name: "Register" }).click();
    await page.getByLabel("Name").fill("x");
    await page.getByLabel("Password").fill("kitu kirefu cha siri");
    await page.getByRole("button", { name: "Create the account" }).click();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Name").fill(name);
    await page.getByRole("button", { name: "Create the account" }).click();
    await page.getByRole("link", { name: "I have them, go on" }).click();
    await page.waitForURL(`**${path}`);
    await page.locator(".seat .player", { hasText: name }).waitFor();
    await myTurn(page);
    assert.equal(await plies(page), count);
    assert.equal(await boardText(page), board);
    await playFirst(page);
    await waitForPlies(page, count + 2);

    // The home page lists the match; logging out and in again leads back to it.
    await page.getByRole("link", { name: "Mawe!", exact: true }).click();
    await page.locator(`a[href="${path}"]`).first().waitFor();
    await openMenu(page);
    await page.getByRole("button", { name: "Log out" }).click();
    await page.getByRole("link", { name: "Log in" }).click();
    await page.getByLabel("Name").fill(name);
    await page.getByLabel("Password").fill("wrong wrong wrong");
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByText("Name and password do not match.").waitFor();
    await page.getByLabel("Password").fill("kitu kirefu cha siri");
    await page.getByRole("button", { name: "Log in" }).click();
    await page.locator(".me", { hasText: name }).waitFor();
    await page.locator(".columns section", { hasText: "Your matches" }).locator(`a[href="${path}"]`).click();
    await myTurn(page);

    // After resigning, the match is in the history.
    await page.getByRole("button", { name: "Resign" }).click();
    await page.getByRole("button", { name: "Really resign?" }).click();
    await page.locator(".status.over").waitFor();
    await page.locator("header .me").click();
    await page.getByRole("heading", { name }).waitFor();
    await page.locator(`.rows a[href="${path}"]`).click();
    await page.locator(".status.over").waitFor();
  });

  test("sees the rules in their own language, with pictures that move", async () => {
    const { page } = await visit({ locale: "pl-PL" });
    await page.goto("/rules/mawe");
    await page.getByRole("heading", { name: "Zasady Mawe!" }).waitFor();
    const lesson = page.locator(".lesson", { hasText: "Skok, który unieruchamia" });
    await finds(lesson.locator(".piece.turned"), 0);
    await lesson.getByRole("button", { name: "Pokaż ruch" }).click();
    await lesson.locator(".piece.turned").waitFor();
    // Another language, without a reload, and stored.
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("combobox", { name: "Język" }).selectOption("sw");
    await page.getByRole("heading", { name: "Kanuni za Mawe!" }).waitFor();
    await lesson.or(page.locator(".piece.turned")).first().waitFor();
    assert.equal(await page.locator(".piece.turned").first().isVisible(), true);
    await page.reload();
    await page.getByRole("heading", { name: "Kanuni za Mawe!" }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.lang), "sw");
  });
});
