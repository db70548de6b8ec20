// @ts-check
// An e-mail address in the settings, and a new password by mail: the mails come to a mail server of the test, and their links are followed.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { faultsOf } from "./axe.js";
import { MAIL_SCREENS, MAIL_SETTINGS, showScreen } from "./every-screen.js";
import { freePort, startMailServer } from "./mail-server.js";
import { layoutFaults } from "./screen-faults.js";
import { focusOn, register, startBrowser, startServer, visitor } from "./support.js";

/** @import { BrowserContextOptions, Page } from "playwright-core" */

const PHONE = { width: 360, height: 640 };
const WIDE = { width: 1280, height: 800 };
const OLD = "kiboko-na-twiga-7";
const NEW = "korosho na maembe";

describe("mail", () => {
  /** @type {Awaited<ReturnType<typeof startMailServer>>} */
  let post;
  /** @type {Awaited<ReturnType<typeof startServer>>} */
  let server;
  /** @type {Awaited<ReturnType<typeof startBrowser>>} */
  let browser;
  before(async () => {
    post = await startMailServer();
    const listen = `127.0.0.1:${await freePort()}`;
    const mail = ["--smtp", `smtp://127.0.0.1:${post.port}`, "--mail-from", "Club <noreply@club.example>"];
    [server, browser] = await Promise.all([startServer([...mail, "--origin", `http://${listen}`], listen), startBrowser()]);
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
    await post?.stop();
  });

  /** Runs with the page of a new visitor, which must have no error. @param {BrowserContextOptions} options @param {(page: Page) => Promise<void>} act */
  async function visit(options, act) {
    const { page, context, complaints } = await visitor(browser, server, options);
    await act(page);
    assert.deepEqual(complaints, []);
    await context.close();
  }

  /** Enters an address in the settings, by keyboard. @param {Page} page @param {string} address */
  async function enter(page, address) {
    await page.goto("/settings");
    await focusOn(page.locator("#email input[name=address]"));
    await page.keyboard.type(address);
    await page.keyboard.press("Tab");
    await page.keyboard.type(OLD);
    await page.keyboard.press("Enter");
  }

  test("an address is confirmed, and sets a new password on another device", async () => {
    await visit({ viewport: PHONE }, async (page) => {
      await register(page, "Amina");
      await enter(page, "amina@example");
      await page.getByText("Write an address like amina@example.org").waitFor();
      await page.locator("#email input[name=address]").fill("amina@example.org");
      await page.keyboard.press("Enter");
      await page.getByText("amina@example.org waits for its confirmation").waitFor();
      await post.link(1);
      assert.equal(post.mails.length, 1);
      assert.equal(post.mails[0]?.to, "amina@example.org");
    });
    const confirmation = await post.link(1);
    // The link is opened where the mail is read, without a session.
    await visit({ viewport: PHONE }, async (page) => {
      await page.goto(`/confirm-email#${confirmation}`);
      await page.waitForURL((url) => url.hash === "");
      await focusOn(page.getByRole("button", { name: "Confirm" }));
      await page.keyboard.press("Enter");
      await page.getByText("amina@example.org is confirmed for Amina.").waitFor();
      assert.ok(await page.evaluate(() => document.activeElement?.tagName === "H1"));
    });

    await visit({ viewport: PHONE, locale: "sw" }, async (page) => {
      await page.goto("/login");
      await page.getByRole("link", { name: "Umesahau nenosiri?" }).click();
      await focusOn(page.locator("#by-mail input"));
      await page.keyboard.type("Amina");
      await page.keyboard.press("Enter");
      await page.getByText("Kama kuna akaunti hiyo").first().waitFor();
      const link = await post.link(2);
      // In the language of the requesting browser: the account has chosen none.
      assert.match(post.mails[1]?.text ?? "", /mtu ameomba nenosiri jipya/);
      await page.goto(`/reset-password#${link}`);
      assert.equal(await page.locator("input[autocomplete=username]").inputValue(), "Amina");
      assert.equal(new URL(page.url()).hash, "");
      await focusOn(page.locator("input[autocomplete=new-password]"));
      await page.keyboard.type(NEW);
      await page.keyboard.press("Enter");
      await page.waitForURL((url) => url.pathname === "/");
      // The link is used up, and says so.
      await page.goto(`/reset-password#${link}`);
      await page.locator("input[autocomplete=new-password]").fill(OLD);
      await page.keyboard.press("Enter");
      await page.getByText("Kiungo hiki kimetumika").waitFor();
      await page.getByRole("link", { name: "Omba kiungo kingine" }).click();
      await page.locator("#by-mail").waitFor();
    });

    await visit({ viewport: WIDE }, async (page) => {
      await page.goto("/login");
      await page.getByRole("textbox", { name: "Name" }).fill("Amina");
      await page.getByLabel("Password").fill(NEW);
      await page.getByRole("button", { name: "Log in" }).click();
      await page.waitForURL((url) => url.pathname === "/");
      await page.goto("/settings");
      await page.getByText("Your address is amina@example.org").waitFor();
      await page.locator("#email summary").click();
      await page.locator("#email details input").fill(NEW);
      await page.keyboard.press("Enter");
      await page.getByText("You have entered no address.").waitFor();
      await post.link(3);
      assert.match(post.mails[2]?.text ?? "", /this address was removed/);
    });
  });

  test("an address of the time before mail was off is seen and removed", async () => {
    const silent = await startServer();
    try {
      const { page, context, complaints } = await visitor(browser, silent, { viewport: PHONE });
      await register(page, "Amina");
      await page.goto("/settings");
      await page.locator("#display-name").waitFor();
      await page.waitForLoadState("networkidle");
      assert.equal(await page.locator("#email").count(), 0);
      await silent.sql(
        "INSERT INTO emails SELECT id, 'amina@example.org', 'amina@example.org', 1700000000000 FROM players WHERE name = 'Amina'",
      );
      await page.reload();
      const part = page.locator("#email");
      await part.getByText("This server sends no mail now").waitFor();
      await part.getByText("Your address is amina@example.org").waitFor();
      assert.equal(await part.locator("input[name=address]").count(), 0);
      assert.deepEqual(await layoutFaults(page), []);
      await focusOn(part.locator("summary"));
      await page.keyboard.press("Enter");
      await focusOn(part.locator("details input"));
      await page.keyboard.type(OLD);
      await page.keyboard.press("Enter");
      await part.getByText("You have entered no address.").waitFor();
      assert.deepEqual(complaints, []);
      await context.close();
    } finally {
      await silent.stop();
    }
  });

  test("a link that was cut off says so", async () => {
    await visit({ viewport: PHONE }, async (page) => {
      for (const path of ["/confirm-email", "/reset-password", "/reset-password#Amina"]) {
        await page.goto("/about");
        await page.goto(path);
        await page.getByText("This address is incomplete.").waitFor();
      }
    });
  });

  test("its screens have no fault on a phone and on a wide window, in all languages", async () => {
    for (const [viewport, locale] of /** @type {const} */ ([
      [PHONE, "en-GB"],
      [PHONE, "ml"],
      [PHONE, "pl"],
      [WIDE, "sw"],
    ])) {
      await visit({ viewport, locale }, async (page) => {
        await page.goto("/login");
        for (const screen of MAIL_SCREENS) await judge(page, screen);
        const answer = await page.request.post("/api/v1/accounts", { data: { name: `Reader-${locale}`, password: OLD } });
        assert.ok(answer.ok());
        const address = `${"m".repeat(60)}@${"m".repeat(60)}.example.org`;
        const entered = await page.request.put("/api/v1/me/email", { data: { address, password: OLD } });
        assert.ok(entered.ok(), await entered.text());
        await page.goto("/about");
        for (const screen of MAIL_SETTINGS) await judge(page, screen);
      });
    }
  });

  /** @param {Page} page @param {import("./every-screen.js").Screen} screen */
  async function judge(page, screen) {
    await showScreen(page, screen);
    assert.deepEqual(await layoutFaults(page), [], screen.name);
    assert.deepEqual(await faultsOf(page, screen.name, `${page.viewportSize()?.width} px`), []);
  }
});
