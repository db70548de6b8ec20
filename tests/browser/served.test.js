// @ts-check
// The files as the server sends them: comments are taken out, the code is that of the source, and a first visit stays within its budget.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { brotliCompressSync, constants } from "node:zlib";
import ts from "typescript";

import { stage, startBrowser, startServer, visitor, withoutLaterFiles } from "./support.js";

/** @import { AddressInfo } from "node:net" */

const root = new URL("../../static/", import.meta.url);
const FILES = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
  (path) => /\.(?:js|css)$/.test(path) && !path.startsWith("tests/"),
);

/**
 * The budget of a first visit up to a board, less what is not a file: responses of the API, and the heads of some ninety responses
 * (docs/page.md).
 */
const BUDGET_BYTES = 105_000;

/**
 * The same for all that a browser asks for until the reader can move: 120 kB, less 14 kB of responses of the API and heads. Among the files
 * are those of the front page that come after its tiles.
 */
const VISIT_BYTES = 106_000;

/**
 * The code of a script, without comments and white space.
 * @param {string} text
 */
function syntax(text) {
  const source = ts.createSourceFile("a.js", text, ts.ScriptTarget.ESNext, true, ts.ScriptKind.JS);
  /** @type {string[]} */
  const tokens = [];
  /** @param {import("typescript").Node} node */
  const visit = (node) => {
    if (ts.isJSDoc(node)) return;
    const children = node.getChildren(source);
    if (children.length === 0) tokens.push(node.getText(source));
    else for (const child of children) visit(child);
  };
  visit(source);
  return tokens;
}

/** @param {string} text */
const rulesOf = (text) =>
  text
    .replaceAll(/\/\*.*?\*\//gs, "")
    .replaceAll(/\s+/g, " ")
    .trim();

/** @param {string | Buffer} text */
const packed = (text) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;

describe("a served file", () => {
  /** @type {Awaited<ReturnType<typeof startServer>>} */
  let server;
  before(async () => {
    server = await startServer();
  });
  after(() => server?.stop());

  /** @param {string} path */
  async function served(path) {
    const response = await fetch(new URL(path, server.url), { headers: { "accept-language": "en" } });
    assert.equal(response.status, 200, path);
    return response.text();
  }

  test("has the code of its source, line by line, and hardly a comment", async () => {
    assert.ok(FILES.length > 100);
    let removed = 0;
    for (const path of FILES) {
      const source = readFileSync(new URL(path, root), "utf8");
      // The service worker begins with the list of files.
      const text = path === "sw.js" ? (await served(path)).replace(/^self\.SHELL = .*\n/, "") : await served(path);
      assert.equal(text.split("\n").length, source.split("\n").length, path);
      if (path.endsWith(".js")) assert.deepEqual(syntax(text), syntax(source), path);
      else assert.equal(rulesOf(text), rulesOf(source), path);
      removed += source.length - text.length;
    }
    assert.ok(removed > 150_000, `${removed}`);
  });

  test("of a first visit is small enough, with all the others of that visit", async () => {
    const document = await served("/");
    const named = [...document.matchAll(/(?:href|src)="(\/[^"#]+\.(?:js|css|svg|webmanifest))["#]/g)].map(([, path = ""]) => path);
    const theme = readFileSync(new URL("theme.js", root), "utf8");
    const own = (/^ {4}"": "([^"]+)"/m.exec(theme)?.[1] ?? "")
      .split(" ")
      .map((name) => (name.includes("/") && !name.startsWith("parts/") ? `/${name}.js` : `/views/${name}.js`));
    assert.ok(named.length > 60 && own.length > 8);
    const sizes = new Map([["/", packed(document)]]);
    // The game of the first tile, whose files are asked for with the press.
    const game = ["/games/mawe.js", "/games/grid.js"];
    for (const path of new Set([...named, ...own, ...game])) sizes.set(path, packed(await served(path)));
    const sum = [...sizes.values()].reduce((bytes, more) => bytes + more, 0);
    const largest = [...sizes].sort(([, a], [, b]) => b - a).slice(0, 12);
    console.log(`a first visit up to a board: ${sum} bytes in ${sizes.size} files`);
    assert.ok(sum <= BUDGET_BYTES, `${sum} bytes are more than ${BUDGET_BYTES}; the largest: ${JSON.stringify(largest)}`);
  });
});

/**
 * A directory with a configuration of fonts for a browser on a device that has one for Malayalam, as nearly every phone has: to the browser
 * each font of the system has the name of that one. Caches of the system, which have the right names, are left out.
 * @returns {{ file: string, remove: () => void }}
 */
function deviceFonts() {
  const folder = mkdtempSync(join(tmpdir(), "mawe-fonts-"));
  const file = join(folder, "fonts.conf");
  writeFileSync(
    file,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>/usr/share/fonts</dir><dir>/usr/local/share/fonts</dir><cachedir>${folder}</cachedir>
<match target="scan"><edit name="postscriptname" mode="assign"><string>NotoSansMalayalam-Regular</string></edit></match></fontconfig>`,
  );
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

describe("the files of a first visit up to a board to move on", () => {
  /** @type {Awaited<ReturnType<typeof startServer>>} */
  let server;
  const fonts = deviceFonts();
  /** Browsers on a device with a font for Malayalam, and on one without. @type {Awaited<ReturnType<typeof startBrowser>>[]} */
  let browsers = [];
  before(async () => {
    server = await startServer();
    browsers = await Promise.all([startBrowser({ FONTCONFIG_FILE: fonts.file }), startBrowser()]);
  });
  after(async () => {
    await Promise.all(browsers.map((browser) => browser.close()));
    await server?.stop();
    fonts.remove();
  });

  /**
   * The bytes of the files, each packed as in a release, and the files.
   * @param {number} device
   * @param {string} locale
   * @param {"first" | "second"} side with the second, the computer has moved before
   * @param {object} [circumstances]
   * @param {number} [circumstances.days] by which the clock of the browser is ahead
   * @param {boolean} [circumstances.late] whether the live board comes between the press of the tile and the match
   */
  async function visited(device, locale, side, { days = 0, late = false } = {}) {
    const browser = browsers[device];
    assert.ok(browser);
    const { context, page, complaints } = await visitor(browser, server, { locale, serviceWorkers: "block" });
    await page.addInitScript((ahead) => {
      const now = Date.now;
      Date.now = () => now() + ahead;
    }, days * 86_400_000);
    await withoutLaterFiles(page);
    let press = () => {};
    const pressed = new Promise((resolve) => {
      press = () => resolve(null);
    });
    if (late)
      await page.route("**/views/home-live.js", async (route) => {
        await pressed;
        await route.continue();
      });
    await page.route("**/api/v1/matches", async (route) => {
      const wish = route.request().postDataJSON();
      press();
      if (late) await page.locator(".live-slot .cell").first().waitFor();
      await route.continue(wish ? { postData: { ...wish, side } } : {});
    });
    /** @type {Set<string>} */
    const paths = new Set();
    page.on("request", (request) => {
      const { pathname, protocol } = new URL(request.url());
      if (protocol === "http:" && !pathname.startsWith("/api/")) paths.add(pathname);
    });
    await page.goto("/");
    await page.locator(".tile-play:enabled").first().click();
    await page.locator(".status.mine").waitFor();
    await page.locator(".match .cell.start").first().waitFor();
    assert.equal(await page.locator(".match .moves button").count(), side === "second" ? 1 : 0);
    // Hidden from a guest; its style is asked for when the match has made the visitor one.
    await page.locator("header .bell").waitFor({ state: "attached" });
    const files = [...paths];
    await context.close();
    assert.deepEqual(complaints, []);
    let bytes = 0;
    for (const path of files) {
      const response = await fetch(new URL(path, server.url), { headers: { "accept-language": locale } });
      assert.equal(response.status, 200, path);
      const body = Buffer.from(await response.arrayBuffer());
      bytes += path.endsWith(".woff2") ? body.length : packed(body);
    }
    return { bytes, files };
  }

  for (const locale of ["en", "sw", "pl", "ml"])
    test(`in ${locale} are within the budget, also where the computer has the first move`, async () => {
      for (const side of /** @type {const} */ (["first", "second"])) {
        const { bytes, files } = await visited(0, locale, side);
        console.log(`${locale}, ${side}: ${bytes} bytes in ${files.length} files`);
        assert.ok(files.length > 70, `${files}`);
        assert.deepEqual(
          files.filter((path) => path.includes("/i18n/") || path.includes("/fonts/")),
          [],
        );
        assert.ok(bytes <= VISIT_BYTES, `${bytes} bytes are more than ${VISIT_BYTES}`);
      }
    });

  test("are the same on each day, whatever game the front page would show", async () => {
    const today = await visited(0, "en", "first");
    for (const late of [false, true]) {
      const tomorrow = await visited(0, "en", "first", { days: 1, late });
      assert.deepEqual(tomorrow.files.toSorted(), today.files.toSorted());
    }
  });

  test("have one font for Malayalam where the device has none", async () => {
    const { files } = await visited(1, "ml", "first");
    assert.equal(files.filter((path) => path.includes("/fonts/")).length, 1);
  });
});

/**
 * A relay in front of a server that notes the address of every request. Browsers send a request only after the response to the one before
 * it on the same connection, so a request begins a piece of data.
 * @param {string} url of the server
 */
async function startRelay(url) {
  const { hostname, port } = new URL(url);
  /** @type {string[]} */
  let paths = [];
  let bytes = 0;
  const relay = createServer((client) => {
    const server = connect(Number(port), hostname);
    client.on("data", (data) => {
      const path = /^[A-Z]+ (\S+) HTTP\/1\.1\r\n/.exec(data.toString("latin1"))?.[1];
      if (path) paths.push(path);
    });
    server.on("data", (data) => {
      bytes += data.length;
    });
    client.pipe(server).pipe(client);
    for (const end of [client, server]) end.on("error", () => end.destroy());
  });
  await new Promise((ready) => relay.listen(0, "127.0.0.1", () => ready(null)));
  return {
    url: `http://127.0.0.1:${/** @type {AddressInfo} */ (relay.address()).port}`,
    /** The files that were requested since the last call, and the bytes of all responses. */
    taken() {
      const taken = { files: paths.filter((path) => !path.startsWith("/api/")), bytes };
      [paths, bytes] = [[], 0];
      return taken;
    },
    stop: () => relay.close(),
  };
}

describe("without a service worker", () => {
  const { visit, table, url } = stage();

  // What the page does once it has its files: a match shows a board, the front page a tile and later its live board.
  for (const [what, address, shown] of /** @type {const} */ ([
    ["the front page", "/", ".live-slot .cell"],
    ["a match", "", ".match .cell"],
    ["a rules page", "/rules/oware", ".lesson .cell"],
  ]))
    test(`a second visit to ${what} asks for the document alone`, async () => {
      const path = address || (await table("Oware")).path;
      const relay = await startRelay(url());
      try {
        const { context, page } = await visit({ baseURL: relay.url, serviceWorkers: "block" });
        await page.close();
        const open = async () => {
          const tab = await context.newPage();
          await tab.goto(path, { waitUntil: "networkidle" });
          await tab.locator(shown).first().waitFor();
          await tab.close();
          return relay.taken();
        };
        const [first, second] = [await open(), await open()];
        console.log(`${what}: ${first.files.length} files, ${first.bytes} bytes; then ${second.files.length}, ${second.bytes} bytes`);
        assert.ok(first.files.length > 70, `${first.files}`);
        assert.deepEqual(
          first.files.filter((file) => file !== path && !file.startsWith("/v/")),
          [],
        );
        assert.deepEqual(second.files, [path]);
      } finally {
        relay.stop();
      }
    });
});
