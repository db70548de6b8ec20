// @ts-check
// Passkeys with Chromium's virtual authenticator: registered, used for a login, renamed, removed, and refused afterwards.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, test } from "node:test";

import { addDevice, finds, stage } from "./support.js";

/** @import { Page } from "playwright-core" */

const PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true };
const PASSWORD = "kiboko-na-twiga-7";

/** The walk of `every-screen.test.js` has an address, where there are no passkeys. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** @param {Page} page @param {string} part a selector */
async function axeFindsNothing(page, part) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const found = await page.evaluate(async (selector) => {
    const { axe } = /** @type {any} */ (window);
    const { violations, passes } = await axe.run(selector, { resultTypes: ["violations"] });
    return { rules: passes.length, faults: violations.map((/** @type {any} */ one) => `${one.id}: ${one.nodes[0]?.html}`) };
  }, part);
  assert.ok(found.rules > 0);
  assert.deepEqual(found.faults, []);
}

describe("a passkey", () => {
  const { visit, url } = stage([], PHONE);

  /** The site under a name: browsers have no passkeys for an address. */
  const home = () => url().replace("127.0.0.1", "localhost");

  /** Nothing of the page is wider than the phone. @param {Page} page */
  const fits = async (page) => assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));

  /** Keeps a picture for the eyes of whoever asks for it. @param {Page} page @param {string} name */
  async function picture(page, name) {
    const folder = process.env.MAWE_PICTURES;
    if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  }

  /** @param {Page} page @param {string} name */
  async function account(page, name) {
    await page.goto(`${home()}/login`);
    const made = await page.request.post(`${home()}/api/v1/accounts`, { data: { name, password: PASSWORD } });
    assert.equal(made.status(), 201);
  }

  const who = async (/** @type {Page} */ page) => (await (await page.request.get(`${home()}/api/v1/me`)).json()).player?.name ?? null;

  test("is added, logs in without a name, is renamed and removed, and then refused", async () => {
    const { page } = await visit();
    const device = await addDevice(page);
    await account(page, "Amina");
    await page.goto(`${home()}/settings`);
    const part = page.locator("#passkeys");
    await part.getByText("You have no passkeys.").waitFor();
    await part.getByRole("textbox", { name: "Name of the passkey" }).fill("My phone");
    await part.getByLabel("Current password").fill("not the password");
    await part.getByRole("button", { name: "Add a passkey" }).tap();
    await part.getByText("The password is wrong.").waitFor();
    assert.equal((await device.credentials()).length, 0);
    await part.getByLabel("Current password").fill(PASSWORD);
    await part.getByRole("button", { name: "Add a passkey" }).tap();
    await part.getByText("My phone", { exact: true }).waitFor();
    await part.getByText("not used yet").waitFor();
    assert.equal((await device.credentials()).length, 1);
    await fits(page);
    await part.scrollIntoViewIfNeeded();
    await picture(page, "passkeys-phone");
    // The device has one already.
    await part.getByRole("textbox", { name: "Name of the passkey" }).fill("Again");
    await part.getByLabel("Current password").fill(PASSWORD);
    await part.getByRole("button", { name: "Add a passkey" }).tap();
    await part.getByText("This device has a passkey of yours already.").waitFor();

    await page.context().clearCookies();
    await page.goto(`${home()}/login?next=/settings`);
    assert.equal(await who(page), null);
    const button = page.getByRole("button", { name: "Log in with a passkey" });
    await button.waitFor();
    await fits(page);
    await picture(page, "passkeys-login-phone");
    await axeFindsNothing(page, "main");
    await device.verifies(false);
    await button.tap();
    await page.getByText("No passkey was used.").waitFor();
    assert.equal(await who(page), null);
    await device.verifies(true);
    await button.tap();
    await page.waitForURL((address) => address.pathname === "/settings");
    assert.equal(await who(page), "Amina");
    await part.getByText("last used").waitFor();

    await part.getByRole("button", { name: "Rename (My phone)", exact: true }).tap();
    await part.locator("li input").fill("Old phone");
    await part.getByRole("button", { name: "Rename the passkey" }).tap();
    await part.getByText("Old phone", { exact: true }).waitFor();
    await part.getByRole("button", { name: "Remove (Old phone)" }).tap();
    await part.locator("li").getByLabel("Current password").fill(PASSWORD);
    await fits(page);
    await picture(page, "passkeys-remove-phone");
    await axeFindsNothing(page, "#passkeys");
    await part.getByRole("button", { name: "Remove the passkey" }).tap();
    await part.getByText("You have no passkeys.").waitFor();

    await page.context().clearCookies();
    await page.goto(`${home()}/login?next=/settings`);
    await button.tap();
    await page.getByText("This passkey does not log in here").waitFor();
    await picture(page, "passkeys-refused-phone");
    assert.equal(await who(page), null);
  });

  test("is added, used and removed by the keyboard", async () => {
    const { page } = await visit({ hasTouch: false, isMobile: false, viewport: { width: 1280, height: 800 } });
    await addDevice(page);
    await account(page, "Chiku");
    await page.goto(`${home()}/settings`);
    const part = page.locator("#passkeys");
    await part.getByRole("textbox", { name: "Name of the passkey" }).focus();
    await page.keyboard.type("Laptop");
    await page.keyboard.press("Tab");
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press("Enter");
    await part.getByText("Laptop", { exact: true }).waitFor();
    // The focus is at the head of the list; its buttons follow.
    const focused = page.locator(":focus");
    assert.equal(await focused.textContent(), "Passkeys");
    await picture(page, "passkeys-desktop");

    await page.context().clearCookies();
    await page.goto(`${home()}/login?next=/settings`);
    await page.getByRole("button", { name: "Log in with a passkey" }).waitFor();
    await picture(page, "passkeys-login-desktop");
    await page.getByLabel("Password").focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    assert.equal(await focused.textContent(), "Log in with a passkey");
    await page.keyboard.press("Enter");
    await page.waitForURL((address) => address.pathname === "/settings");
    assert.equal(await who(page), "Chiku");

    await part.getByText("Laptop", { exact: true }).waitFor();
    await part.getByRole("heading", { name: "Passkeys" }).focus();
    for (const name of ["Rename (Laptop)", "Remove (Laptop)"]) {
      await page.keyboard.press("Tab");
      assert.equal(await focused.textContent(), name);
    }
    await page.keyboard.press("Enter");
    await page.keyboard.type(PASSWORD);
    await picture(page, "passkeys-remove-desktop");
    await page.keyboard.press("Enter");
    await part.getByText("You have no passkeys.").waitFor();
    assert.equal(await focused.textContent(), "Passkeys");
  });

  test("is offered in the field of the name", async () => {
    const { page } = await visit();
    await addDevice(page, { offers: true });
    await account(page, "Eshe");
    await page.goto(`${home()}/settings`);
    const part = page.locator("#passkeys");
    await part.getByRole("textbox", { name: "Name of the passkey" }).fill("Phone");
    await part.getByLabel("Current password").fill(PASSWORD);
    await part.getByRole("button", { name: "Add a passkey" }).tap();
    await part.getByText("Phone", { exact: true }).waitFor();
    await page.context().clearCookies();
    await page.goto(`${home()}/login?next=/settings`);
    await page.waitForURL((address) => address.pathname === "/settings");
    assert.equal(await who(page), "Eshe");
  });

  test("is not offered, and nothing is said of it, where the server has none", async () => {
    const { page } = await visit();
    await addDevice(page, { offers: true });
    const problem = { status: 409, code: "passkeys-unavailable", title: "Conflict", detail: "" };
    const contentType = "application/problem+json";
    await page.route("**/api/v1/sessions/passkey/challenge", (route) => route.fulfill({ status: 409, contentType, json: problem }));
    const refused = page.waitForResponse("**/api/v1/sessions/passkey/challenge");
    await page.goto(`${home()}/login`);
    await refused;
    const button = page.locator("button", { hasText: "Log in with a passkey" });
    await button.waitFor({ state: "attached" });
    await button.waitFor({ state: "hidden" });
    await finds(page.locator(".error:not(:empty)"), 0);
    await page.getByRole("button", { name: "Log in", exact: true }).waitFor();
  });

  test("is not offered at an address", async () => {
    const { page } = await visit();
    await page.goto("/login");
    await page.getByRole("button", { name: "Log in", exact: true }).waitFor();
    const made = await page.request.post("/api/v1/accounts", { data: { name: "Dada", password: PASSWORD } });
    assert.equal(made.status(), 201);
    await page.goto("/settings");
    await page.locator("#delete").waitFor();
    await page.waitForLoadState("networkidle");
    await finds(page.locator("#passkeys:visible"), 0);
    await finds(page.getByRole("button", { name: "Log in with a passkey" }), 0);
  });
});
