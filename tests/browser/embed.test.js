// @ts-check
// Boards on a page of another origin, and programs on such a page. The page is at `localhost`, the server at `127.0.0.1`: two sites.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";

import { GAMES } from "../../static/games/index.js";
import { beginMatch, eventually, finds, playFirst, stage } from "./support.js";

/** @import { AddressInfo } from "node:net" */
/** @import { BrowserContext, Page, Request } from "playwright-core" */

/** The foreign page: the part of its address after `#` is its body. */
const FOREIGN = `<!doctype html><title>Elsewhere</title><body></body>
<script>document.body.innerHTML = decodeURIComponent(location.hash.slice(1))</script>`;

/** @param {string} path */
const frameOf = (path) => `#${encodeURIComponent(`<iframe src="${path}" width="480" height="590"></iframe>`)}`;

describe("on a page of another origin", () => {
  const { visit, url } = stage();
  /** @type {import("node:http").Server} */
  let elsewhere;
  let foreign = "";
  before(async () => {
    elsewhere = createServer((_, answer) => answer.writeHead(200, { "content-type": "text/html" }).end(FOREIGN));
    await new Promise((listening) => elsewhere.listen(0, "127.0.0.1", () => listening(null)));
    foreign = `http://localhost:${/** @type {AddressInfo} */ (elsewhere.address()).port}/`;
  });
  after(() => elsewhere.close());

  /** A page of that origin, in the browser of a reader. @param {BrowserContext} context @param {string} content */
  async function openForeign(context, content) {
    const page = await context.newPage();
    await page.goto(foreign + content);
    return page;
  }

  /** The frame of a page. @param {Page} page @param {string} path */
  const frameIn = (page, path) =>
    eventually(async () => page.frames().find((frame) => frame.url() === url() + path && frame !== page.mainFrame()));

  test("a board follows its match, knows nobody, and opens the match in a tab", async () => {
    const [first, second] = await Promise.all([visit(), visit()]);
    const path = await beginMatch(first.page, second.page);
    // The reader is a player of the match, in the same browser.
    const requests = /** @type {Request[]} */ ([]);
    const page = await first.context.newPage();
    page.on("request", (request) => requests.push(request));
    const board = `/embed${path}?theme=dark&lang=pl`;
    await page.goto(foreign + frameOf(url() + board));
    const frame = await frameIn(page, board);
    const shown = () => frame.locator("img").getAttribute("src");
    await eventually(async () => /ply=0/.test((await shown()) ?? ""));
    await playFirst(first.page);
    await eventually(async () => /ply=1/.test((await shown()) ?? ""));
    const size = () => frame.locator("img").evaluate((img) => /** @type {HTMLImageElement} */ (img).naturalWidth);
    await eventually(async () => (await size()) > 0);
    assert.equal(await frame.locator("html").getAttribute("lang"), "pl");
    assert.equal(await frame.locator("html").evaluate((root) => getComputedStyle(root).colorScheme), "dark");
    await frame.locator(".second.running").waitFor();
    assert.match((await frame.locator(".second time").textContent()) ?? "", /^\d+:\d\d$/);

    // No request of the frame carries or sets a cookie, and the reader's storage is out of its reach.
    const ours = requests.filter((request) => request.url().startsWith(url()));
    assert.ok(ours.length > 4, `${ours.length} requests`);
    for (const request of ours) {
      assert.equal((await request.allHeaders()).cookie, undefined, request.url());
      // The stream has no end, and so no complete answer.
      const answer = request.url().endsWith("/stream") ? null : await request.response();
      assert.equal(await answer?.headerValue("set-cookie"), answer ? null : undefined, request.url());
    }
    const reach = await frame.evaluate(async () => {
      const refused = (/** @type {() => unknown} */ act) => {
        try {
          act();
          return false;
        } catch {
          return true;
        }
      };
      const me = await (await fetch("/api/v1/me", { credentials: "omit" })).json();
      return { origin, me: me.player, cookies: refused(() => document.cookie), storage: refused(() => localStorage) };
    });
    assert.deepEqual(reach, { origin: "null", me: null, cookies: true, storage: true });

    // A press opens the match, and plays nothing.
    const opened = first.context.waitForEvent("page");
    await frame.locator("img").click();
    const tab = await opened;
    await tab.locator(".match").waitFor();
    assert.equal(new URL(tab.url()).pathname, path);
    await finds(tab.locator(".moves button"), 1);
    await tab.close();
    await page.close();
  });

  test("a board says the result when its match is over", async () => {
    const [first, second] = await Promise.all([visit(), visit()]);
    const path = await beginMatch(first.page, second.page);
    const board = `/embed${path}?lang=en`;
    const page = await openForeign(second.context, frameOf(url() + board));
    const frame = await frameIn(page, board);
    await frame.locator("img").waitFor();
    await playFirst(first.page);
    await playFirst(second.page);
    await first.page.getByRole("button", { name: "Resign" }).click();
    await first.page.getByRole("button", { name: "Really resign?" }).click();
    await frame.locator(".status", { hasText: "Black wins" }).waitFor();
    await page.close();
  });

  test("no other page of this server is shown", async () => {
    const { context } = await visit();
    const page = await openForeign(context, frameOf(`${url()}/`));
    const refused = await eventually(async () => page.frames().find((frame) => frame.url().startsWith("chrome-error:")));
    assert.equal(await refused.locator("main").count(), 0);
    await page.close();
  });

  test("a program reads what is public, acts by a token, and never by the reader's cookie", async () => {
    const { page: own, context } = await visit();
    await own.goto("/register");
    await own.getByRole("textbox", { name: "Name" }).fill("Amina");
    await own.getByLabel("Password").fill("kiboko-na-twiga-7");
    await own.getByRole("button", { name: "Create the account" }).click();
    await own.getByRole("link", { name: "I have them, go on" }).click();
    await own.waitForURL((to) => to.pathname === "/");
    const made = await own.evaluate(async () => {
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify({ name: "a program", scopes: ["read", "play"] });
      return (await fetch("/api/v1/me/tokens", { method: "POST", headers, body })).json();
    });
    assert.match(made.token, /^mawe_/);
    const page = await openForeign(context, "");
    const found = await page.evaluate(
      async ({ base, token }) => {
        const games = await fetch(`${base}/games`);
        const anonymous = await (await fetch(`${base}/me`)).json();
        const withCookies = await fetch(`${base}/me`, { credentials: "include" }).then(
          () => "readable",
          () => "unreadable",
        );
        const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", "idempotency-key": "one" };
        const wish = { game: "kalah", level: 1, time_control: { kind: "unlimited" } };
        const send = () => fetch(`${base}/matches`, { method: "POST", headers, body: JSON.stringify(wish) });
        const [match, again] = [await send(), await send()];
        const without = await fetch(`${base}/matches`, { method: "POST", body: JSON.stringify(wish) });
        return {
          games: (await games.json()).items.length,
          limit: games.headers.get("ratelimit"),
          anonymous: anonymous.player,
          withCookies,
          statuses: [match.status, again.status, without.status],
          same: (await match.json()).id === (await again.json()).id,
          problem: (await without.json()).code,
        };
      },
      { base: `${url()}/api/v1`, token: made.token },
    );
    assert.match(found.limit ?? "", /address-read/);
    const { limit: _, ...rest } = found;
    assert.deepEqual(rest, {
      games: GAMES.length,
      anonymous: null,
      withCookies: "unreadable",
      statuses: [201, 201, 403],
      same: true,
      problem: "foreign-origin",
    });
    await page.close();
  });

  test("the share sheet has the code of a board", async () => {
    const { page } = await visit();
    await page.goto("/play");
    await page.getByRole("radio", { name: "White" }).check();
    await page.getByRole("button", { name: "Play now" }).click();
    await page.locator(".match").waitFor();
    await playFirst(page);
    await page.getByRole("button", { name: "Resign" }).click();
    await page.getByRole("button", { name: "Really resign?" }).click();
    await page.getByRole("button", { name: "Share" }).click();
    await page.getByText("Embed on another page").click();
    const code = await page.getByRole("textbox", { name: "Embed on another page" }).inputValue();
    assert.match(code, new RegExp(`^<iframe src="${url()}/embed${new URL(page.url()).pathname}" width="\\d+" height="\\d+" `));
  });
});
