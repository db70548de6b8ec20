// @ts-check
// The module graph of the page: no circles, and no import from a higher layer. Imports of types count, too.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const root = new URL("../", import.meta.url);
const modules = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
  (path) => path.endsWith(".js") && !/^(?:tests|vendor|wasm)\//.test(path),
);

/** Static imports, those of types, workers, and imports within code or types. */
const IMPORT = /(?:\bfrom |^import |\bimport\(|new URL\()(["`])(\.[^"`]+\.js)\1/gm;

/** The modules of a path; one that is put together stands for all that fit. @param {string} path */
function named(path) {
  const [before = "", after] = path.split(/\$\{\w+\}/);
  return after === undefined ? [path] : modules.filter((name) => name.startsWith(before) && name.endsWith(after));
}

/** The modules that each module imports. @type {Map<string, string[]>} */
const graph = new Map(
  modules.map((path) => {
    const source = readFileSync(new URL(path, root), "utf8");
    const paths = [...source.matchAll(IMPORT)].map(([, , name = ""]) => decodeURI(new URL(name, new URL(path, root)).pathname));
    return [path, paths.map((name) => name.slice(decodeURI(root.pathname).length)).flatMap(named)];
  }),
);

/** The layers that a module of each layer may import; only `app.js` imports all. @type {Record<string, string[]>} */
const MAY_IMPORT = {
  core: [],
  net: ["core"],
  board: ["core"],
  games: ["core", "board"],
  engine: ["core", "wasm"],
  local: ["core", "net", "games", "engine", "wasm"],
  review: ["core", "games", "engine", "wasm"],
  views: ["core", "net", "board", "games", "local", "engine", "vendor", "wasm", "review"],
  analysis: ["core", "net", "board", "games", "local", "engine", "wasm", "review", "views"],
  editor: ["core", "board", "games", "local", "wasm", "views"],
  learn: ["core", "board", "games", "local", "wasm", "review", "views", "analysis"],
  apidocs: ["core"],
  embed: ["core"],
};

const layerOf = (/** @type {string} */ path) => path.slice(0, Math.max(0, path.indexOf("/")));

test("every import is found", () => {
  assert.ok(modules.length > 100);
  assert.ok(graph.get("games/index.js")?.includes("games/types.js"), "a type");
  assert.ok(graph.get("engine/engine.js")?.includes("engine/worker.js"), "a worker");
  assert.ok(graph.get("app.js")?.includes("views/home.js"), "an import within code");
  assert.ok(graph.get("learn/view.js")?.includes("games/tasks/mawe.js"), "a path that is put together");
  for (const [path, imports] of graph)
    for (const name of imports) {
      const declaration = name.replace(/\.js$/, ".d.ts");
      assert.ok(existsSync(new URL(name, root)) || existsSync(new URL(declaration, root)), `${path} imports ${name}`);
    }
});

test("no imports form a circle", () => {
  /** @type {Set<string>} */
  const done = new Set();
  /** @param {string} path @param {string[]} way */
  function visit(path, way) {
    assert.ok(!way.includes(path), [...way.slice(way.indexOf(path)), path].join(" → "));
    if (done.has(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...way, path]);
    done.add(path);
  }
  for (const path of modules) visit(path, []);
});

test("no layer imports a higher one", () => {
  for (const [path, imports] of graph) {
    const layer = layerOf(path);
    if (layer === "") continue;
    const allowed = [layer, ...(MAY_IMPORT[layer] ?? [])];
    for (const name of imports) assert.ok(allowed.includes(layerOf(name)), `${path} imports ${name}`);
  }
});
