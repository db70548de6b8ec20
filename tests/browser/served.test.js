// @ts-check
// The files as the server sends them: comments are taken out, the code is that of the source, and a first visit stays within its budget.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { brotliCompressSync, constants } from "node:zlib";
import ts from "typescript";

import { startServer } from "./support.js";

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
    const named = [...document.matchAll(/(?:href|src)="(\/[^"]+\.(?:js|css|svg|webmanifest))"/g)].map(([, path = ""]) => path);
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
