// @ts-check
// A program on a page of another origin gets an access (OAuth 2 with PKCE). The program is the one of docs/api-bots.md, word for word. Its page is
// at `localhost`, the server at `127.0.0.1`: two sites.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";

import { eventually, register, stage } from "./support.js";

/** @import { AddressInfo } from "node:net" */
/** @import { Page } from "playwright-core" */

const DOCUMENT = readFileSync(new URL("../../docs/api-bots.md", import.meta.url), "utf8");
const PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true };

describe("a program of somebody else", () => {
  const { visit, url } = stage([], PHONE);
  /** @type {import("node:http").Server} */
  let elsewhere;
  let program = "";
  before(async () => {
    const [, page = ""] = /```html\n([\s\S]*?)```/.exec(DOCUMENT) ?? [];
    assert.ok(page.includes("https://mawe.example"), "the page names the server");
    elsewhere = createServer((_, answer) =>
      answer.writeHead(200, { "content-type": "text/html" }).end(page.replace("https://mawe.example", url())),
    );
    await new Promise((listening) => elsewhere.listen(0, "127.0.0.1", () => listening(null)));
    program = `http://localhost:${/** @type {AddressInfo} */ (elsewhere.address()).port}/`;
  });
  after(() => elsewhere.close());

  /** Opens the program's page, and lets it ask for an access. @param {Page} page */
  async function ask(page) {
    await page.goto(program);
    await page.locator("#enter").click();
    await page.waitForURL(`${url()}/oauth/authorize**`);
    await page.locator(".authorize .host").waitFor();
  }

  /** The program's text when its reader is back. @param {Page} page */
  async function told(page) {
    await page.waitForURL(`${program}**`);
    const who = page.locator("#who");
    return eventually(async () => (await who.textContent()) || null);
  }

  /** The names of the tokens of a page's player. @param {Page} page */
  async function tokens(page) {
    const { items } = await (await page.request.get(`${url()}/api/v1/me/tokens`)).json();
    return items.map((/** @type {{ name: string, scopes: string[] }} */ { name, scopes }) => `${name}: ${scopes.join(" ")}`);
  }

  test("is allowed by a press on a phone, and knows its reader then", async () => {
    const { page } = await visit();
    await register(page, "Amina");
    await ask(page);
    const card = page.locator(".authorize");
    assert.equal(await card.locator(".host").textContent(), new URL(program).host);
    const text = (await card.innerText()).replaceAll(/\s+/g, " ");
    assert.match(text, /It calls itself my-games/);
    assert.match(text, /Your account Amina/);
    assert.equal(await card.locator(".rights li").count(), 2);
    await card.getByRole("button", { name: "Allow" }).tap();
    assert.equal(await told(page), "Welcome, Amina!");
    // Nothing secret stays in the address or in the history of the program's page.
    assert.equal(page.url(), program);
    assert.deepEqual(await tokens(page), [`${new URL(program).host}: read play`]);
  });

  test("is allowed by the keyboard", async () => {
    const { page } = await visit({ hasTouch: false, isMobile: false });
    await register(page, "Baraka");
    await ask(page);
    await page.locator(".authorize h1").focus();
    await page.keyboard.press("Tab");
    const focused = page.locator(":focus");
    assert.equal(await focused.textContent(), "Allow");
    await page.keyboard.press("Tab");
    assert.equal(await focused.textContent(), "Refuse");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    assert.equal(await told(page), "Welcome, Baraka!");
  });

  test("is refused, and told so", async () => {
    const { page } = await visit();
    await register(page, "Chiku");
    await ask(page);
    await page.getByRole("button", { name: "Refuse" }).tap();
    assert.equal(await told(page), "Refused: access_denied");
    assert.deepEqual(await tokens(page), []);
  });

  test("waits until its reader has logged in", async () => {
    const [owner, reader] = await Promise.all([visit(), visit()]);
    await register(owner.page, "Dalila");
    const { page } = reader;
    await ask(page);
    assert.equal(await page.getByRole("button", { name: "Allow" }).count(), 0);
    await page.locator(".authorize").getByRole("link", { name: "Log in" }).tap();
    await page.locator("input[name=name]").fill("Dalila");
    await page.locator("input[name=password]").fill("kiboko-na-twiga-7");
    await page.locator("form.account button[type=submit]").tap();
    await page.getByRole("button", { name: "Allow" }).tap();
    assert.equal(await told(page), "Welcome, Dalila!");
  });

  test("is told of a wish that cannot be granted, by a press of its reader alone", async () => {
    const { page } = await visit();
    await register(page, "Eshe");
    const wish = new URLSearchParams({ response_type: "code", client_id: "my-games", redirect_uri: program, scope: "bot", state: "s" });
    await page.goto(`/oauth/authorize?${wish}&code_challenge=${"A".repeat(43)}&code_challenge_method=S256`);
    await page.locator(".authorize code").waitFor();
    assert.equal(await page.locator(".authorize code").textContent(), "invalid_scope");
    assert.equal(await page.getByRole("button", { name: "Allow" }).count(), 0);
    await page.locator(".authorize .actions a").tap();
    await page.waitForURL(`${program}**`);
    const { searchParams } = new URL(page.url());
    assert.deepEqual([searchParams.get("error"), searchParams.get("state")], ["invalid_scope", "s"]);
  });

  test("without a good address leads nowhere", async () => {
    const { page } = await visit();
    await page.goto("/oauth/authorize?response_type=code&client_id=my-games&redirect_uri=http://evil.example/");
    const fault = page.locator(".authorize .error");
    await fault.waitFor();
    assert.match((await fault.textContent()) ?? "", /redirect_uri/);
    assert.equal(await page.locator(".authorize a").count(), 0);
  });
});
