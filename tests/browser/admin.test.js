// @ts-check
// The operator's page in a browser.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { chooseLanguage, eventually, finds, focusOn, openMenu, register, stage } from "./support.js";

describe("the operator's page", () => {
  const { visit, admin } = stage(["--operator-page", "--metrics", "same", "--metrics-token", "a-token-that-nobody-sees"]);

  /** @param {string} name @param {import("playwright-core").BrowserContextOptions} [options] */
  async function operator(name, options) {
    const { page } = await visit(options);
    await register(page, name);
    await admin("grant", name, "operator", "--why", "my own account");
    await page.reload();
    return page;
  }

  /** @param {import("playwright-core").Page} page @param {string} name */
  const part = (page, name) => page.getByRole("radio", { name, exact: true }).check();

  test("shows the state of the server, and charts that go on", async () => {
    const page = await operator("Mjuzi");
    await openMenu(page);
    await page.getByRole("link", { name: "The server" }).click();
    await page.getByRole("heading", { name: "The server" }).waitFor();
    const state = page.locator(".state");
    await state.getByText("sqlite").waitFor();
    await finds(state.locator("dt"), 16);
    await finds(page.locator(".pulse"), 8);
    const players = page.locator(".pulse").first();
    await eventually(async () => (await players.locator("strong").innerText()) === "1");
    // The lines grow with each look.
    const points = () => players.locator("polyline").evaluate((line) => line.getAttribute("points")?.split(" ").length ?? 0);
    await eventually(async () => (await points()) >= 2);
  });

  test("finds accounts, and shows options without secrets, jobs, matches and the log", async () => {
    const page = await operator("Fundi");
    await page.goto("/admin");
    await part(page, "Accounts");
    await page.getByLabel("A part of the name").fill("fund");
    await page.getByLabel("A part of the name").press("Enter");
    await page.waitForFunction(() => document.querySelectorAll(".accounts li").length === 1);
    await page.locator(".accounts li").getByText("Operator").waitFor();
    await page.getByLabel("Which accounts").selectOption({ label: "Disabled" });
    await page.getByText("There is no such account.").waitFor();
    await part(page, "Options");
    const row = page.getByRole("row", { name: "--metrics-token" });
    await row.getByText("set, not shown").waitFor();
    await row.getByText("command line").waitFor();
    assert.ok(!(await page.content()).includes("a-token-that-nobody-sees"));
    await part(page, "Computer opponents");
    await finds(page.locator("tbody tr"), 10);
    await part(page, "Matches");
    await page.getByText("Nobody is playing in public right now. Start a match!").waitFor();
    await part(page, "Log");
    await page.locator(".log-line").getByText("my own account").first().waitFor();
  });

  test("is for nobody else, and does not say what it would show", async () => {
    const { page } = await visit();
    await register(page, "Mgeni-tu");
    await page.goto("/admin");
    await page.getByText("This page is for the operator of the server.").waitFor();
    await finds(page.locator(".pulse"), 0);
  });

  test("fits the smallest screen in every language, and is used by keyboard", async () => {
    const page = await operator("Jicho", { viewport: { width: 320, height: 568 } });
    await page.goto("/admin");
    const isNarrow = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    for (const language of /** @type {const} */ (["Kiswahili", "Polski", "മലയാളം", "English"])) {
      await chooseLanguage(page, language);
      for (let i = 0; i < 6; i++) {
        await page.locator(".admin-part input").nth(i).check();
        await page.waitForFunction(() => document.querySelector("main [aria-busy=true]") === null);
        assert.ok(await isNarrow(), `${language}, part ${i}`);
      }
    }
    await focusOn(page.locator(".admin-part input:checked"));
    await page.keyboard.press("ArrowLeft");
    await page.getByText("The options in force on this server.").waitFor();
  });
});
