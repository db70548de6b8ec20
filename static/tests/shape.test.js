// @ts-check
// The shape of the page's scripts: no function is so long that a reader loses its beginning, and nothing that it closes over is.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** The greatest number of lines of a function, from its name to its closing brace. */
const LONGEST = 80;

/** The scripts that are served; those in `wasm` are generated, and those in `vendor` other people's. */
const scripts = readdirSync(ROOT, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".js") && !/^(?:tests|vendor|wasm)\//.test(name))
  .sort();

/**
 * The functions of a script that are longer than `LONGEST`, as `file: name`.
 * @param {string} name
 * @param {string} text
 */
function longFunctions(name, text) {
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  /** @type {string[]} */
  const long = [];
  /** @param {ts.Node} node */
  function visit(node) {
    if (ts.isFunctionLike(node)) {
      const first = source.getLineAndCharacterOfPosition(node.getStart(source)).line;
      const lines = source.getLineAndCharacterOfPosition(node.end).line - first + 1;
      const { name: own = "parent" in node && ts.isVariableDeclaration(node.parent) ? node.parent.name : undefined } = node;
      if (lines > LONGEST) long.push(`${name}: ${own?.getText(source) ?? `a function in line ${first + 1}`}`);
    }
    ts.forEachChild(node, visit);
  }
  visit(source);
  return long;
}

test("a function that is too long is found", () => {
  const body = "  f();\n".repeat(LONGEST);
  assert.deepEqual(longFunctions("a.js", `const g = () => {\n${body}};\n`), ["a.js: g"]);
  assert.deepEqual(longFunctions("a.js", "function g() {\n  f();\n}\n"), []);
});

test(`no function has more than ${LONGEST} lines`, () => {
  assert.ok(scripts.length > 100);
  assert.deepEqual(
    scripts.flatMap((name) => longFunctions(name, readFileSync(join(ROOT, name), "utf8"))),
    [],
  );
});
