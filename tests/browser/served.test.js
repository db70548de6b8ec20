// @ts-check
// The files as the server sends them: comments are taken out, the code is that of the source, and a first visit stays within its budget.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { after, before, describe, test } from "node:test";
import { brotliCompressSync, constants } from "node:zlib";
import ts from "typescript";

import { stage, startServer } from "./support.js";

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

/** @param {string} text */
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
    const own = [...(/"": \[([^\]]*)\]/.exec(theme)?.[1] ?? "").matchAll(/"([^"]+)"/g)].map(([, name = ""]) =>
      name.includes("/") ? `/${name}.js` : `/views/${name}.js`,
    );
    assert.ok(named.length > 60 && own.length > 8);
    const sizes = new Map([["/", packed(document)]]);
    for (const path of new Set([...named, ...own])) sizes.set(path, packed(await served(path)));
    const sum = [...sizes.values()].reduce((bytes, more) => bytes + more, 0);
    const largest = [...sizes].sort(([, a], [, b]) => b - a).slice(0, 12);
    console.log(`a first visit up to a board: ${sum} bytes in ${sizes.size} files`);
    assert.ok(sum <= BUDGET_BYTES, `${sum} bytes are more than ${BUDGET_BYTES}; the largest: ${JSON.stringify(largest)}`);
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
