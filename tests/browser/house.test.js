// @ts-check
// A server for one house: its name, logo and colour, invitations, closed registration, the way to the login, and the operator's documents.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";

import { judge } from "./axe.js";
import { HOUSE_SCREENS, showScreen } from "./every-screen.js";
import { layoutFaults } from "./screen-faults.js";
import { chooseLanguage, eventually, focusOn, KEPT, stage } from "./support.js";

/** @import { Page } from "playwright-core" */

const PHONE = { width: 360, height: 640 };
const WIDE = { width: 1280, height: 800 };
const PASSWORD = "kiboko-na-twiga-7";

/** A picture of one pixel. */
const PIXEL = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");

const home = mkdtempSync(join(tmpdir(), "mawe-house-"));
after(() => rmSync(home, { recursive: true, force: true }));

/** @param {string} name @param {string | Buffer} content */
function file(name, content) {
  const path = join(home, name);
  writeFileSync(path, content);
  return path;
}

const IMPRINT = file(
  "imprint.md",
  "# Who runs this server\n\nMlimani Primary School, Hill Road 4, Arusha.\n\n- <office@mlimani.example>\n- [our page](https://mlimani.example)\n\n| on | from |\n|---|---|\n| Monday | 8 |\n\n<script>document.title = 'ran'</script>\n",
);
file("imprint.sw.md", "# Mwendeshaji wa seva hii\n\nShule ya Msingi Mlimani\n");
const PRIVACY = file("privacy.md", "Nothing is given to others.\n");
/** As long as a name may be. */
const NAME = "Szkoła Podstawowa nr 7 im. Ali Hassana-M";
const LOOK = ["--site-name", NAME, "--site-logo", file("logo.png", PIXEL), "--site-colour", "#7a1fa2"];
const DOCUMENTS = ["--imprint", IMPRINT, "--privacy", PRIVACY];

/** Fills and sends the form for a new account. @param {Page} page @param {string} name */
async function fillIn(page, name) {
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Create the account" }).click();
}

/** The code that the operator's command prints. @param {{ stdout: string }} ended */
const codeIn = ({ stdout }) => /code +(\S+)/.exec(stdout)?.[1] ?? "";

describe("a house with invitations that is for its accounts alone", () => {
  const { visit, admin } = stage([...LOOK, ...DOCUMENTS, "--public", "false", "--registration", "invite"]);

  test("leads to the login, takes an invitation by its link, and back to the page that was wished", async () => {
    const made = await admin("invite", "create", "--uses", "1");
    const code = codeIn(made);
    const { page } = await visit({ viewport: PHONE });
    await page.goto("/watch");
    await page.waitForURL("**/login?next=%2Fwatch");
    await page.getByText("This server is for its accounts only").waitFor();
    assert.equal(await page.title(), `Log in · ${NAME}`);
    await page.locator("header .brand-word").getByText(NAME, { exact: true }).waitFor();
    await eventually(async () => page.locator("img.brand-logo").evaluate((img) => /** @type {HTMLImageElement} */ (img).naturalWidth > 0));

    await page.goto(`/register?invite=${code}`);
    assert.equal(await page.getByLabel("Invitation code").inputValue(), code);
    // A code that makes no account is told, and the reader is where it is entered.
    await page.getByLabel("Invitation code").fill("AAAA-BBBB-CCCC-DDDD");
    await fillIn(page, "Asha-house");
    await page.getByText("This invitation makes no account").waitFor();
    await page.locator("input[name=invitation]:focus").waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.type(code.toLowerCase().replaceAll("-", " "));
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "I have them, go on" }).click();
    await page.waitForURL((url) => url.pathname === "/");
    await page.getByRole("link", { name: "Asha-house" }).first().waitFor();

    // The last use is gone.
    const other = await visit();
    await other.page.goto(`/register?invite=${code}`);
    await fillIn(other.page, "Bahati-house");
    await other.page.getByText("This invitation makes no account").waitFor();
  });

  test("is shut for the next person at a shared computer", async () => {
    const code = codeIn(await admin("invite", "create"));
    const { page } = await visit({ viewport: WIDE, ...KEPT });
    await page.goto(`/register?invite=${code}`);
    await fillIn(page, "Chiku-house");
    await page.getByRole("link", { name: "I have them, go on" }).click();
    await page.waitForURL((url) => url.pathname === "/");
    // With the files of the page on the device, too.
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
    await page.goto("/player/Chiku-house");
    await page.getByRole("heading", { name: "Chiku-house" }).waitFor();
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("button", { name: "Log out" }).click();
    // The page that is closed leads to the login first, and then the logout does by way of the home page: the last of three addresses.
    await page.waitForURL((url) => url.pathname === "/login" && url.search === "");
    await page.goBack();
    await page.waitForURL("**/login?next=%2Fplayer%2FChiku-house");
    await page.goto("/player/Chiku-house");
    await page.waitForURL("**/login?next=%2Fplayer%2FChiku-house");
    assert.equal(await page.getByText("Chiku-house", { exact: true }).count(), 0);
    const stored = await page.evaluate(async () => {
      const addresses = [];
      for (const name of await caches.keys())
        for (const { url } of await (await caches.open(name)).keys()) addresses.push(new URL(url).pathname);
      return addresses.filter((path) => path.startsWith("/api/") || path.startsWith("/player"));
    });
    assert.deepEqual(stored, []);
  });

  test("shows its screens on a phone and on a wide window, in both schemes, without a fault", async () => {
    for (const viewport of [PHONE, WIDE]) {
      const { page } = await visit({ viewport });
      await page.goto("/login");
      for (const screen of HOUSE_SCREENS) {
        await showScreen(page, screen);
        assert.deepEqual(await layoutFaults(page), [], screen.name);
        await judge(page, screen.name, `${viewport.width} px`);
      }
    }
  });

  test("has its documents without JavaScript, in the reader's language", async () => {
    const { page } = await visit({ viewport: PHONE, javaScriptEnabled: false });
    await page.goto("/login");
    await page.goto("/imprint");
    await page.getByRole("heading", { name: "Who runs this server" }).waitFor();
    assert.equal(await page.title(), `Who runs this server · ${NAME}`);
    await page.getByText("<script>document.title").waitFor();
    await page.getByRole("link", { name: "Kiswahili" }).click();
    await page.getByRole("heading", { name: "Mwendeshaji wa seva hii" }).waitFor();
    await page.getByRole("link", { name: "Faragha" }).click();
    await page.getByText("Nothing is given to others.").waitFor();

    for (const viewport of [PHONE, WIDE]) {
      const seen = await visit({ viewport });
      await seen.page.goto("/login");
      // By keyboard, from the page's own link: the scripts leave it to the browser.
      await focusOn(seen.page.locator("main").getByRole("link", { name: "Imprint" }));
      await seen.page.keyboard.press("Enter");
      await seen.page.waitForURL("**/imprint");
      await seen.page.getByRole("heading", { name: "Who runs this server" }).waitFor();
      assert.deepEqual(await layoutFaults(seen.page), []);
      await judge(seen.page, "/imprint", `${viewport.width} px`);
    }
  });
});

describe("a house whose operator invites in the browser", () => {
  const { visit, admin } = stage(["--registration", "invite"]);

  test("makes an invitation, whose link registers, and revokes another", async () => {
    const { stdout } = await admin("create", "Operator-house", "--generate");
    const password = /password +(\S+)/.exec(stdout)?.[1] ?? "";
    await admin("grant", "Operator-house", "operator");
    const operator = await visit({ viewport: PHONE });
    await operator.page.goto("/login");
    await operator.page.getByRole("textbox", { name: "Name" }).fill("Operator-house");
    await operator.page.getByLabel("Password").fill(password);
    await operator.page.getByRole("button", { name: "Log in" }).click();
    await operator.page.waitForURL((url) => url.pathname === "/");
    await operator.page.getByRole("button", { name: "Menu" }).click();
    await operator.page.locator(".site-menu").getByRole("link", { name: "Invitations" }).click();
    await operator.page.getByText("No invitations yet.").waitFor();

    // By keyboard.
    await focusOn(operator.page.locator("input[name=note]"));
    await operator.page.keyboard.type("Darasa la nne");
    await operator.page.keyboard.press("Enter");
    const link = await operator.page.getByLabel("Link to the form for a new account").inputValue();
    await operator.page.getByText("0 of 1 used").waitFor();
    await operator.page.locator(".qr-code path").waitFor({ state: "attached" });

    const guest = await visit();
    await guest.page.goto(link);
    await fillIn(guest.page, "Eshe-house");
    await guest.page.getByRole("link", { name: "I have them, go on" }).click();
    await guest.page.waitForURL((url) => url.pathname === "/");

    await operator.page.reload();
    const row = operator.page.locator(".person").filter({ hasText: "Darasa la nne" });
    await row.getByText("1 of 1 used").waitFor();
    await row.getByText("used up").waitFor();
    assert.equal(await row.getByRole("button").count(), 0);

    await operator.page.locator("input[name=uses]").fill("30");
    await operator.page.getByRole("button", { name: "Make the invitation" }).click();
    const open = operator.page.locator(".person").filter({ hasText: "0 of 30 used" });
    await open.getByRole("button").click();
    await open.getByText("Press again to revoke").click();
    await open.getByText("revoked on").waitFor();

    for (const language of ["sw", "pl", "ml", "en"]) {
      await chooseLanguage(operator.page, language);
      assert.deepEqual(await layoutFaults(operator.page), [], language);
      await judge(operator.page, "/invitations", language);
    }

    // Others have neither the way nor the page.
    await guest.page.goto("/invitations");
    await guest.page.getByText("This page is for the operator").waitFor();
    assert.equal(await guest.page.getByRole("link", { name: "Invitations" }).count(), 0);
  });
});

describe("a house whose operator makes the accounts", () => {
  const { visit, admin } = stage(["--registration", "closed", ...DOCUMENTS]);

  test("says whom to ask, and lets in who has an account", async () => {
    const { stdout } = await admin("create", "Dalila", "--generate");
    const password = /password +(\S+)/.exec(stdout)?.[1] ?? "";
    const { page } = await visit({ viewport: PHONE });
    await page.goto("/register");
    await page.getByText("New accounts on this server are made by its operator").waitFor();
    assert.equal(await page.locator("input").count(), 0);
    assert.deepEqual(await layoutFaults(page), []);
    await judge(page, "/register", "phone");
    await page.locator("main").getByRole("link", { name: "Log in" }).click();
    await page.waitForURL((url) => url.pathname === "/login");
    assert.equal(await page.getByRole("link", { name: "Register" }).filter({ visible: true }).count(), 0);
    await page.getByRole("textbox", { name: "Name" }).fill("Dalila");
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.waitForURL((url) => url.pathname === "/");
    await page.goto("/about");
    await page.locator("main .documents").getByRole("link", { name: "Privacy" }).waitFor();
    await page.locator("footer").getByRole("link", { name: "Imprint" }).waitFor();
  });
});
