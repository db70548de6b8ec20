// @ts-check
// The page of the API on a real server: search, forms that send, a stream, the console of the socket, guides, and a phone.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { ask } from "./every-screen.js";
import { eventually, stage } from "./support.js";

/** @import { Page } from "playwright-core" */

const RAPID = { kind: "realtime", base_ms: 600_000, increment_ms: 0 };

/** The page of an operation. @param {Page} page @param {string} fragment */
async function open(page, fragment) {
  await page.goto(`/api/docs#${fragment}`);
  await page.locator(".identity").waitFor();
}

/** The status line of the last answer. @param {Page} page */
const status = (page) => page.locator(".answer .status-line");

describe("the page of the API", () => {
  const { visit } = stage();

  test("finds by the keyboard: a slash, letters, arrows, Enter", async () => {
    const { page } = await visit();
    await open(page, "");
    await page.keyboard.press("/");
    const field = page.getByRole("combobox", { name: "Search the API" });
    await page.keyboard.type("post challenges");
    const options = page.getByRole("option");
    await options.first().waitFor();
    assert.match(await options.first().innerText(), /POST \/api\/v1\/challenges/);
    const first = await field.getAttribute("aria-activedescendant");
    await page.keyboard.press("ArrowDown");
    assert.notEqual(await field.getAttribute("aria-activedescendant"), first);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: /^Challenges a player/ }).waitFor();
    assert.equal(new URL(page.url()).hash, "#operation/post_challenges");
    assert.match(await page.title(), /^Challenges a player/);
    assert.equal(await page.locator(".api-nav [aria-current]").getAttribute("href"), "/api/docs#operation/post_challenges");
    await page.keyboard.press("/");
    await page.keyboard.type("xyzzy");
    await page.getByText("Nothing found").waitFor();
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: /the API$/ }).waitFor();
  });

  test("finds codes of the guides, and leads to their place", async () => {
    const { page } = await visit();
    await open(page, "");
    await page.getByRole("combobox", { name: "Search the API" }).fill("men-move-forward");
    await page.getByRole("option").first().click();
    await page.locator(".guide #error").waitFor();
    assert.match(page.url(), /\/api\/docs\/protocol#error$/);
    await eventually(() => page.evaluate(() => Math.abs(document.getElementById("error")?.getBoundingClientRect().top ?? 9_999) < 200));
  });

  test("opens operations, schemas, codes and messages by their addresses", async () => {
    const { page } = await visit();
    for (const [fragment, heading, part] of /** @type {const} */ ([
      ["operation/get_tv", /featured match/, "/api/v1/tv"],
      ["schema/Problem", /^Problem$/, "request_id"],
      ["code/too-many-requests", /^too-many-requests$/, "Status 429"],
      ["message/client/join", /^join$/, "Kx7Rm2Qp9TzA"],
      ["tag/lobby", /^lobby$/, "/api/v1/seeks"],
      ["operation/nothing", /^Not found$/, "overview"],
    ])) {
      await page.goto("about:blank");
      await open(page, fragment);
      await page.getByRole("heading", { level: 1, name: heading }).waitFor();
      await page.locator("main").getByText(part).first().waitFor();
    }
  });

  test("shows a schema as deep as it goes, and stops where it repeats itself", async () => {
    const { page } = await visit();
    await open(page, "operation/get_matches_by_id");
    await page.locator(".answer-row summary").first().click();
    const seats = page.locator(".answer-row details.field", { hasText: "seats" }).first();
    await seats.locator("summary").first().click();
    await seats.getByText("first", { exact: true }).first().waitFor();
    await page.locator(".answer-row", { hasText: "404" }).locator("summary").first().click();
    await page.locator(".answer-row", { hasText: "404" }).getByRole("link", { name: "Problem" }).first().waitFor();
  });

  test("sends a request with the values of the form, which the examples have too", async () => {
    const { page } = await visit();
    await open(page, "operation/get_players_by_name_matches");
    await page.getByRole("button", { name: "Send the request" }).click();
    assert.match(await page.locator(".try .fault").innerText(), /name is needed/);
    assert.equal(await page.evaluate(() => document.activeElement?.id), "parameter-name");
    await page.locator("#parameter-name").fill("mawe-Kete");
    await page.locator("#parameter-limit").fill("3");
    const snippet = page.locator(".snippet");
    assert.equal(await snippet.innerText(), `curl -sS '${new URL(page.url()).origin}/api/v1/players/mawe-Kete/matches?limit=3'`);
    await page.getByRole("button", { name: "Python" }).click();
    assert.match(await snippet.innerText(), /client\.get_players_by_name_matches\("mawe-Kete", limit=3\)/);
    await page.getByRole("button", { name: "JavaScript" }).click();
    assert.match(await snippet.innerText(), /"\/api\/v1\/players\/\{name\}\/matches"/);
    await page.getByRole("button", { name: "Send the request" }).click();
    await page.locator(".answer .body").waitFor();
    assert.match(await status(page).innerText(), /^200 .*after \d+ ms/);
    assert.match(await page.locator(".answer .body").innerText(), /"items": \[/);
    await page.locator(".answer .headers summary").click();
    await page
      .locator(".answer .headers")
      .getByText(/^x-request-id: [0-9a-f]{16}$/)
      .waitFor();
  });

  test("shows the problem of a refused request, and what its code means", async () => {
    const { page } = await visit();
    await open(page, "operation/post_challenges");
    await page.getByText("as nobody: no session, no token").waitFor();
    await page.getByRole("button", { name: "Change: send POST" }).click();
    await page.locator(".answer .body").waitFor();
    assert.match(await status(page).innerText(), /^401/);
    await page.locator(".answer").getByRole("link", { name: "sign-in-first" }).click();
    await page.getByRole("heading", { level: 1, name: "sign-in-first" }).waitFor();
  });

  test("acts as a guest, and leads on to the operations of the result", async () => {
    const { page } = await visit();
    await open(page, "operation/post_matches");
    await page.locator(".identity summary").click();
    await page.getByRole("button", { name: "Come in as a guest" }).click();
    await page.locator(".identity summary", { hasNotText: /Nobody|Not known/ }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByText(/This is done for real .* a guest, by this browser's session/).waitFor();
    await page.getByRole("button", { name: "Change: send POST" }).click();
    await page.locator(".answer .steps a", { hasText: "GET /api/v1/matches/{id}/board.svg" }).click();
    await page.getByRole("button", { name: "Send the request" }).click();
    await page.locator(".answer img").waitFor();
    assert.ok(await page.locator(".answer img").evaluate((image) => /** @type {HTMLImageElement} */ (image).naturalWidth > 0));
  });

  test("sends a token that is typed in, without the session, and keeps it nowhere", async () => {
    const { page } = await visit();
    await page.goto("/api/docs");
    await ask(page, "POST", "/accounts", { name: "Programmer", password: "korosho na maembe" });
    const { token } = await ask(page, "POST", "/me/tokens", { name: "a test", scopes: ["read"], expires_in_days: 1 });
    await page.context().clearCookies();
    await open(page, "operation/get_me");
    await page.locator(".identity summary").click();
    await page.getByLabel("Send them with a token instead").fill("mawe_short");
    await page.getByRole("button", { name: "Use the token" }).click();
    await page.getByText("A token is mawe_ and 46 letters and digits.").waitFor();
    await page.getByLabel("Send them with a token instead").fill(token);
    await page.getByRole("button", { name: "Use the token" }).click();
    await page.locator(".identity summary", { hasText: "Programmer" }).waitFor();
    assert.equal(await page.getByLabel("Send them with a token instead").inputValue(), "");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Send the request" }).click();
    await page.locator(".answer .body", { hasText: '"name": "Programmer"' }).waitFor();
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, document.body.outerHTML]),
    );
    assert.ok(!kept.includes(token), "the token is in the memory of a module alone");
    await page.reload();
    await page.locator(".identity summary", { hasText: "Nobody" }).waitFor();
  });

  test("reads a stream line by line until it is stopped", async () => {
    const { page } = await visit();
    await page.goto("/api/docs");
    await ask(page, "POST", "/guests", {});
    const { id } = await ask(page, "POST", "/matches", { game: "oware", level: 1, side: "first", time_control: RAPID });
    await open(page, `operation/get_matches_by_id_stream?id=${id}`);
    await page.getByRole("button", { name: "Read the stream" }).click();
    await page.locator(".lines li", { hasText: '"t":"snapshot"' }).waitFor();
    const { legal, seq } = await ask(page, "GET", `/matches/${id}`);
    await ask(page, "POST", `/matches/${id}/commands`, { client_id: "a-1", seq, command: { kind: "move", ply: 0, move: legal[0] } });
    await page.locator(".lines li", { hasText: '"t":"event"' }).first().waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("– stopped").waitFor();
  });

  test("reads no more of an answer than it can show", async () => {
    const { page } = await visit();
    let sent = 0;
    await page.route("**/api/v1/players/*/matches/export", (route) => {
      sent += 1;
      return route.fulfill({
        contentType: "application/x-ndjson",
        body: `${JSON.stringify({ moves: "x".repeat(1_000) })}\n`.repeat(2_000),
      });
    });
    await open(page, "operation/get_players_by_name_matches_export?name=mawe-Kete");
    await page.getByRole("button", { name: "Send the request" }).click();
    await page.getByText("Only the first 262,144 bytes were read").waitFor();
    assert.equal(sent, 1);
    assert.ok((await page.locator(".answer .body").innerText()).length <= 262_144);
  });

  test("speaks on the socket, with the examples of the guide", async () => {
    const { page } = await visit();
    await open(page, "message/client/watch-lobby");
    await page.getByRole("link", { name: "Try it in the console" }).click();
    await page.getByRole("button", { name: "Connect" }).click();
    await page.getByText("Connected to /api/v1/ws, subprotocol mawe.v1.").waitFor();
    await page.locator(".lines li", { hasText: '← {"t":"hello"' }).waitFor();
    assert.equal(await page.locator("#message").inputValue(), '{ "t": "watch-lobby" }');
    await page.getByRole("button", { name: "Send the message" }).click();
    await page.locator(".lines li", { hasText: '→ {"t":"watch-lobby"}' }).waitFor();
    await page.locator(".lines li", { hasText: '← {"t":"lobby"' }).waitFor();
    await page.locator("#message").fill("no message");
    await page.getByRole("button", { name: "Send the message" }).click();
    await page.locator(".lines li", { hasText: '"code":"bad-frame"' }).waitFor();
    await page.locator("#message").fill(`"${"x".repeat(5_000)}"`);
    await page.getByRole("button", { name: "Send the message" }).click();
    await page.getByText("The server reads 4,096 bytes of a message at most.").waitFor();
    await page.getByRole("button", { name: "Disconnect" }).click();
    await page.getByText("Closed with 1000.").waitFor();
  });

  test("leaves nothing open behind: another page ends the socket", async () => {
    const { page } = await visit();
    await open(page, "socket");
    const opened = page.waitForEvent("websocket");
    await page.getByRole("button", { name: "Connect" }).click();
    const socket = await opened;
    await page.locator(".lines li", { hasText: "hello" }).waitFor();
    const closed = socket.waitForEvent("close");
    await page.getByRole("link", { name: /^Error codes/ }).click();
    await closed;
  });

  test("has guides that work without scripts, and files for a server without the internet", async () => {
    const { page } = await visit({ javaScriptEnabled: false });
    await page.goto("/api/docs/api-bots");
    await page.getByRole("heading", { level: 1, name: "Tokens and bots" }).waitFor();
    await page.locator("main").getByRole("link", { name: "clients.md" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Clients" }).waitFor();
    await page.locator("main").getByRole("link", { name: "examples/bot.py" }).first().click();
    await page.waitForURL("**/api/docs/bot.py");
    assert.match((await page.locator("body").textContent()) ?? "", /import/);
  });

  test("has a drawer on a phone, and nothing wider than 320 pixels", async () => {
    const { page } = await visit({ viewport: { width: 320, height: 640 } });
    await open(page, "operation/get_leaderboards_by_game");
    const drawer = page.getByRole("button", { name: "Pages" });
    assert.equal(await page.locator(".api-nav").isVisible(), false);
    await drawer.click();
    assert.equal(await drawer.getAttribute("aria-expanded"), "true");
    await page.keyboard.press("Escape");
    assert.equal(await page.locator(".api-nav").isVisible(), false);
    await drawer.click();
    await page.getByRole("link", { name: "Tokens and bots" }).click();
    await page.getByRole("heading", { level: 1, name: "Tokens and bots" }).waitFor();
    assert.equal(await page.locator(".api-nav").isVisible(), false);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
  });

  test("is in English and in the reader's theme, whatever the reader's language", async () => {
    const { page } = await visit({ locale: "pl" });
    await page.addInitScript(() => localStorage.setItem("mawe.settings", '{"theme":"dark"}'));
    const asked = /** @type {string[]} */ ([]);
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await open(page, "");
    assert.deepEqual(await page.evaluate(() => [document.documentElement.lang, document.documentElement.dataset.theme]), ["en", "dark"]);
    assert.deepEqual(
      asked.filter((path) => path.startsWith("/i18n/") || path.startsWith("/views/")),
      [],
    );
  });
});
