// @ts-check
// The rules in a page: WebAssembly in a real browser, from a real server, under its Content-Security-Policy.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { fewestOf, playoutsOf } from "../../static/tests/playouts.js";
import { startBrowser, startServer, visitor } from "./support.js";

/** @import { Browser, Page } from "playwright-core" */
/** @import { Playout } from "../../static/tests/playouts.js" */
/** @import { Server } from "./support.js" */

const VECTORS = new URL("../../rules/tests/vectors/", import.meta.url);
const ENDING = ".playouts.json";
/** An address at which the page can import the module for replays; the server does not serve tests. */
const REPLAY = "/tests/playouts.js";
const ENGINE = "/engine/engine.js";

describe("the rules in the browser", () => {
  /** @type {Server} */
  let server;
  /** @type {Browser} */
  let browser;
  before(async () => {
    server = await startServer();
    browser = await startBrowser();
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  test("replay every playout as native rules do", async () => {
    const { page, context, complaints } = await visitor(browser, server);
    const replay = fileURLToPath(new URL(`../../static${REPLAY}`, import.meta.url));
    await page.route(`**${REPLAY}`, (route) => route.fulfill({ path: replay, contentType: "text/javascript" }));
    await page.goto("/");
    const files = readdirSync(VECTORS).filter((name) => name.endsWith(ENDING));
    const kinds = files.map((name) => name.slice(0, -ENDING.length));
    assert.deepEqual((await gamesOf(page)).sort(), kinds.sort());
    for (const kind of kinds) {
      const playouts = playoutsOf(JSON.parse(readFileSync(new URL(kind + ENDING, VECTORS), "utf8")));
      assert.ok(playouts.length >= fewestOf(kind), kind);
      assert.deepEqual(await replayed(page, kind, playouts), { games: playouts.length, differences: [] });
    }
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test("need the one word of the policy that allows them", async () => {
    const { page, context } = await visitor(browser, server);
    await page.route("**/", async (route) => {
      const response = await route.fetch();
      const policy = response.headers()["content-security-policy"] ?? "";
      assert.match(policy, / 'wasm-unsafe-eval';/);
      await route.fulfill({
        response,
        headers: { ...response.headers(), "content-security-policy": policy.replace(" 'wasm-unsafe-eval'", "") },
      });
    });
    await page.goto("/");
    await assert.rejects(gamesOf(page), /Content Security Policy/);
    await context.close();
  });
});

describe("the engine in the browser", () => {
  /** @type {Server} */
  let server;
  /** @type {Browser} */
  let browser;
  before(async () => {
    server = await startServer();
    browser = await startBrowser();
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  for (const { library, hasSimd } of [
    { library: "/wasm/engine_simd_bg.wasm", hasSimd: true },
    { library: "/wasm/engine_bg.wasm", hasSimd: false },
  ]) {
    test(`finds in a worker what it finds natively, with ${library}`, () => compare(library, hasSimd));
  }

  /** @param {string} library the one that the page loads @param {boolean} hasSimd whether the browser accepts vector instructions */
  async function compare(library, hasSimd) {
    const { page, context, complaints } = await visitor(browser, server);
    if (!hasSimd) {
      await page.addInitScript(() => {
        WebAssembly.validate = () => false;
      });
    }
    /** @type {Set<string>} */
    const fetched = new Set();
    page.on("request", (request) => fetched.add(new URL(request.url()).pathname));
    await page.goto("/");
    /** @type {{ game: string, position: string, moves: string, nodes: number, answer: object }[]} */
    const golden = JSON.parse(readFileSync(new URL("../../static/tests/engine.golden.json", import.meta.url), "utf8"));
    const games = [...new Set(golden.map(({ game }) => game))];
    // The first of each game: then the native engine had an empty table, too.
    for (const { nodes, answer, ...played } of games
      .map((kind) => golden.find(({ game }) => game === kind))
      .filter((question) => !!question)) {
      const found = await page.evaluate(
        async ({ address, question }) => {
          const { openEngine } = /** @type {typeof import("../../static/engine/engine.js")} */ (await import(address));
          const engine = openEngine();
          const found = await engine.think(question);
          engine.stop();
          return found;
        },
        { address: ENGINE, question: { game: played.game, position: played.position, moves: played.moves, nodes } },
      );
      assert.deepEqual(found, answer, played.game);
    }
    const engines = [...fetched].filter((path) => /engine\w*\.wasm$/.test(path));
    assert.ok(engines.length > 0 && engines.every((path) => path.endsWith(library)), String(engines));
    assert.deepEqual(complaints, []);
    await context.close();
  }

  test("stops at once, keeps what it had found, and leaves the page free meanwhile", async () => {
    const { page, context, complaints } = await visitor(browser, server);
    await page.goto("/");
    const { stopped, frames, again } = await page.evaluate(async (address) => {
      const { openEngine } = /** @type {typeof import("../../static/engine/engine.js")} */ (await import(address));
      const engine = openEngine();
      let frames = 0;
      const count = () => {
        frames += 1;
        requestAnimationFrame(count);
      };
      const stopped = await new Promise((resolve) => {
        // One hour: the search ends because it is stopped, after its sixth iteration.
        const search = engine.think({ game: "mawe", movetime_ms: 3_600_000 }, ({ depth }) => {
          if (depth === 1) count();
          if (depth === 6) {
            engine.stop();
            resolve(search);
          }
        });
      });
      const again = await engine.choose({ game: "oware", level: 1, seed: 1 });
      return { stopped, frames, again };
    }, ENGINE);
    assert.equal(stopped?.depth, 6);
    assert.ok(frames > 0);
    assert.match(again?.move ?? "", /^[1-6]$/);
    assert.deepEqual(complaints, []);
    await context.close();
  });
});

/**
 * The games of the rules, whose module fetches its library from its own folder.
 * @param {Page} page
 */
const gamesOf = (page) =>
  page.evaluate(async (address) => {
    const rules = /** @type {typeof import("../../static/wasm/rules.js")} */ (await import(address));
    await rules.default();
    return rules.games();
  }, "/wasm/rules.js");

/**
 * @param {Page} page the rules loaded
 * @param {string} kind
 * @param {Playout[]} playouts
 */
const replayed = (page, kind, playouts) =>
  page.evaluate(
    async ({ kind, playouts, addresses }) => {
      const rules = /** @type {typeof import("../../static/wasm/rules.js")} */ (await import(addresses.rules));
      const { replay } = /** @type {typeof import("../../static/tests/playouts.js")} */ (await import(addresses.replay));
      /** @type {string[]} */
      const differences = [];
      for (const playout of playouts) differences.push(...(await replay(rules, kind, playout)));
      return { games: playouts.length, differences };
    },
    { kind, playouts, addresses: { rules: "/wasm/rules.js", replay: REPLAY } },
  );
