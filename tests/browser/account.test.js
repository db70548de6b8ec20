// @ts-check
// The life of an account on a phone: it is made with recovery codes, recovered by one, renamed, and deleted.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { eventually, finds, stage } from "./support.js";

/** @import { Page } from "playwright-core" */

const PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true };
const PASSWORD = "kiboko-na-twiga-7";
const NEW_PASSWORD = "korosho na machungwa";

describe("an account", () => {
  const { visit, url } = stage([], PHONE);

  /** Registers without leaving the page of the codes; returns these. @param {Page} page @param {string} name */
  async function makeAccount(page, name) {
    await page.goto("/register?next=/settings");
    await page.getByRole("textbox", { name: "Name" }).fill(name);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Create the account" }).tap();
    const codes = page.locator(".recovery-codes code");
    await finds(codes, 8);
    return codes.allTextContents();
  }

  /** Nothing of the page is wider than the phone. @param {Page} page */
  const fits = async (page) => assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));

  /** Keeps a picture for the eyes of whoever asks for it. @param {Page} page @param {string} name */
  async function picture(page, name) {
    const folder = process.env.MAWE_PICTURES;
    if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  }

  test("is made, recovered by a code, renamed and deleted", async () => {
    const { page } = await visit();
    const codes = await makeAccount(page, "Amina");
    assert.equal(new Set(codes).size, 8);
    for (const code of codes) assert.match(code, /^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/);
    assert.match(await page.locator(".whose").innerText(), new RegExp(`For Amina at ${new URL(url()).host}`));
    await fits(page);
    await picture(page, "codes");
    await page.getByRole("link", { name: "I have them, go on" }).tap();
    await page.waitForURL("**/settings");
    const part = (/** @type {string} */ name) => page.locator(".account-parts .card").filter({ hasText: name });
    await part("Recovery codes").getByText("8 codes are left").waitFor();
    await fits(page);
    await picture(page, "settings");

    // The password is forgotten; the code is typed as it was written down.
    await page.context().clearCookies();
    await page.goto("/login?next=/settings");
    await picture(page, "login");
    await page.getByRole("link", { name: "Use a recovery code" }).tap();
    // The form of the login has a field for the name, too.
    await page.getByRole("heading", { name: "Use a recovery code" }).waitFor();
    await page.getByRole("textbox", { name: "Name" }).fill("Amina");
    await page.getByRole("textbox", { name: "Recovery code" }).fill("0000 0000 0000 0000");
    await page.getByLabel("New password").fill(NEW_PASSWORD);
    await page.getByRole("button", { name: "Set the new password" }).tap();
    await page.getByText("Name and code do not match, or the code was used before.").waitFor();
    await fits(page);
    await picture(page, "recovery");
    await page.getByRole("textbox", { name: "Recovery code" }).fill(String(codes[5]).toLowerCase().replaceAll("-", " "));
    await page.getByRole("button", { name: "Set the new password" }).tap();
    await page.waitForURL("**/settings");
    await part("Recovery codes").getByText("7 codes are left").waitFor();

    const rename = part("once in 90 days");
    await rename.getByRole("textbox", { name: "New name" }).fill("Bahati");
    await rename.getByRole("button", { name: "Change the name" }).tap();
    await part("You can change the name again from").waitFor();
    const who = async () => (await (await page.request.get(`${url()}/api/v1/me`)).json()).player?.name ?? null;
    assert.equal(await who(), "Bahati");
    // The address of the old name leads to the new one.
    await page.goto("/player/Amina");
    assert.equal(new URL(page.url()).pathname, "/player/Bahati");

    await page.goto("/settings");
    const end = page.locator("#delete");
    const [name, password] = [end.getByRole("textbox", { name: "Your name, to be sure" }), end.getByLabel("Current password")];
    const button = end.getByRole("button", { name: "Delete the account for good" });
    await name.fill("Amina");
    await password.fill(NEW_PASSWORD);
    await button.tap();
    await end.getByText("That is not the name of this account.").waitFor();
    await name.fill("Bahati");
    await password.fill(PASSWORD);
    await button.tap();
    await end.getByText("The password is wrong.").waitFor();
    await picture(page, "delete");
    await password.fill(NEW_PASSWORD);
    await button.tap();
    await page.waitForURL((address) => address.pathname === "/");
    await eventually(async () => (await who()) === null);
    const gone = await page.request.get(`${url()}/api/v1/players/Bahati`);
    assert.equal(gone.status(), 404);
  });

  test("gets new codes by the keyboard, and the old ones end", async () => {
    const { page } = await visit({ hasTouch: false, isMobile: false });
    await page.goto("/register?next=/settings");
    await page.getByRole("textbox", { name: "Name" }).fill("Chiku");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.keyboard.press("Enter");
    const codes = page.locator(".recovery-codes code");
    await finds(codes, 8);
    const old = await codes.allTextContents();
    // The title has the focus; copying, printing and the way on follow.
    const focused = page.locator(":focus");
    assert.equal(await focused.textContent(), "Welcome, Chiku!");
    for (const next of ["Copy", "Print", "I have them, go on"]) {
      await page.keyboard.press("Tab");
      assert.equal(await focused.textContent(), next);
    }
    await page.keyboard.press("Enter");
    await page.waitForURL("**/settings");
    const part = page.locator(".account-parts .card").filter({ hasText: "Recovery codes" });
    await part.getByLabel("Current password").focus();
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press("Enter");
    await finds(codes, 8);
    const fresh = await codes.allTextContents();
    assert.ok(fresh.every((code) => !old.includes(code)));
    const recover = (/** @type {string | undefined} */ code) =>
      page.request.post(`${url()}/api/v1/recoveries`, { data: { name: "Chiku", code, new_password: NEW_PASSWORD } });
    assert.equal((await recover(old[0])).status(), 401);
    assert.equal((await recover(fresh[0])).status(), 200);
  });
});
