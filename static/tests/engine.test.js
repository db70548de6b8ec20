// @ts-check
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, describe, test } from "node:test";
import { libraryFor, openEngine, SIMD_PROBE } from "../engine/engine.js";
import { GAMES, LEVELS } from "../games/index.js";

/** @import { Thought } from "../engine/types.js" */

/** The answers of the native engine, written by wasm/engine/tests/golden.rs. */
const golden = JSON.parse(readFileSync(new URL("./engine.golden.json", import.meta.url), "utf8"));

/** Browsers with vector instructions, and those without. */
const BROWSERS = [
  { browser: "a browser with vectors", library: "engine_simd_bg.wasm", hasSimd: true },
  { browser: "a browser without", library: "engine_bg.wasm", hasSimd: false },
];

/** The features of every browser since 2021, which the plain library may use. */
const FEATURES = [
  "bulk-memory",
  "bulk-memory-opt",
  "call-indirect-overlong",
  "multivalue",
  "mutable-globals",
  "nontrapping-fptoint",
  "reference-types",
  "sign-ext",
];

/** The features that the compiler was allowed to use: in a section of the library, each a sign, a length and a name. @param {BufferSource} library */
function featuresOf(library) {
  const [section] = WebAssembly.Module.customSections(new WebAssembly.Module(library), "target_features");
  return [...new TextDecoder().decode(section).matchAll(/\+[\s\S]([\w-]+)/g)].map(([, name]) => name).sort();
}

for (const { browser, library, hasSimd } of BROWSERS) {
  describe(`the engine as WebAssembly in ${browser}`, () => {
    const address = libraryFor(() => hasSimd);
    const file = readFileSync(address);
    /** The glue keeps one library, so each has a glue of its own. @type {typeof import("../wasm/engine.js")} */
    let glue;
    /** @type {WebAssembly.Memory} */
    let memory;
    before(async () => {
      glue = await import(`../wasm/engine.js?${library}`);
      ({ memory } = glue.initSync({ module: file }));
    });

    test("is the library that it can run", () => {
      assert.ok(address.pathname.endsWith(`/wasm/${library}`));
      assert.deepEqual(featuresOf(file), hasSimd ? [...FEATURES, "simd128"] : FEATURES);
    });

    test("finds what it finds natively, move, score, nodes and line", () => {
      const kinds = new Set(golden.map((/** @type {{ game: string }} */ { game }) => game));
      assert.deepEqual([...kinds].sort(), GAMES.map(({ id }) => id).sort());
      for (const kind of kinds) {
        // A table of the size that the page's worker has; results of one search are used by the next.
        const engine = new glue.Engine(16);
        for (const { game, position, moves, nodes, answer } of golden) {
          if (game !== kind) continue;
          const played = new glue.Game(kind, "", position, moves);
          /** @type {Thought[]} */
          const reports = [];
          const report = (/** @type {string} */ text) => reports.push(JSON.parse(text));
          assert.deepEqual(JSON.parse(engine.think(played, undefined, nodes, undefined, report)), answer, `${kind} ${moves}`);
          // The iteration that the limit interrupted may have found a better move; it is not reported.
          assert.equal(reports.at(-1)?.depth, answer.depth);
          played.free();
        }
        engine.free();
      }
    });

    test("errs as natively, level by level", () => {
      for (const { game: kind, position, moves, seed, levels } of golden) {
        const game = new glue.Game(kind, "", position, moves);
        assert.deepEqual(
          levels.map((/** @type {string} */ _, /** @type {number} */ index) => JSON.parse(glue.choose(game, index + 1, seed)).move),
          levels,
          `${kind} ${moves}`,
        );
        game.free();
      }
    });

    test("never takes more than 64 MiB", () => {
      // A table of the worker's size fits; a larger one is refused, and the library still works.
      new glue.Engine(16).free();
      assert.throws(() => new glue.Engine(128), /no-memory/);
      assert.ok(memory.buffer.byteLength <= 64 << 20);
      new glue.Engine(1).free();
    });

    test("refuses with a code what cannot be", () => {
      const engine = new glue.Engine(1);
      const game = new glue.Game("mawe", "", "", "");
      assert.throws(() => new glue.Game("go", "", "", ""), /unknown-game/);
      assert.throws(() => new glue.Game("mawe", "", "8/8", ""), /ends-early/);
      assert.throws(() => new glue.Game("mawe", "", "", "a2b3"), /empty-square/);
      assert.throws(() => engine.think(game), /no-limit/);
      assert.throws(() => glue.choose(game, 0, 0), /unknown-level/);
      assert.throws(() => glue.choose(game, LEVELS + 1, 0), /unknown-level/);
      const { move, intent } = JSON.parse(glue.choose(game, LEVELS, 0, 50));
      assert.match(move, /^[a-h][1-8][a-h][1-8]$/);
      assert.equal(intent, "plays", "it is early");
      assert.equal(JSON.parse(engine.think(game, 0)).pv.length > 0, true);
      const over = new glue.Game("kalah", "", "0,0,0,0,0,0,20/0,0,0,0,0,0,28 s", "");
      assert.throws(() => engine.think(over, 3), /game-over/);
      assert.throws(() => glue.choose(over, 1, 0), /game-over/);
    });
  });
}

test("the engine's library follows from what the browser accepts", () => {
  assert.ok(libraryFor().pathname.endsWith("/engine_simd_bg.wasm"), "node has vectors");
  // A browser without them has all else of the module: with the vector's type (123) and the body exchanged for a number's it is valid.
  const plain = SIMD_PROBE.slice(0, -11);
  plain[14] = 127;
  const withoutVectors = Uint8Array.of(...plain, 6, 1, 4, 0, 65, 0, 11);
  assert.ok(WebAssembly.validate(withoutVectors));
});

/** A worker whose answers the test gives. */
const stage = () => {
  /** @type {{ heard: any[], say: (data: unknown) => void, ended: boolean }[]} */
  const workers = [];
  const spawn = () => {
    /** @type {((event: any) => void) | undefined} */
    let listener;
    const worker = { heard: /** @type {any[]} */ ([]), ended: false, say: (/** @type {unknown} */ data) => listener?.({ data }) };
    workers.push(worker);
    return /** @type {Worker} */ (
      /** @type {unknown} */ ({
        addEventListener: (/** @type {string} */ type, /** @type {any} */ heard) => {
          if (type === "message") listener = heard;
        },
        postMessage: (/** @type {unknown} */ data) => worker.heard.push(data),
        terminate: () => {
          worker.ended = true;
        },
      })
    );
  };
  return { workers, engine: openEngine({ spawn, compiled: async () => "the library" }) };
};
const THOUGHT = { best: "a1b2", score: 3, proven: false, depth: 1, nodes: 9, pv: ["a1b2"] };
const soon = () => new Promise((resolve) => setImmediate(resolve));

describe("the door to the engine", () => {
  test("gives the answer to who asked, and every report before it", async () => {
    const { workers, engine } = stage();
    /** @type {Thought[]} */
    const reports = [];
    const first = engine.think({ game: "mawe", depth: 2 }, (thought) => reports.push(thought));
    const second = engine.choose({ game: "mawe", level: 1, seed: 5 });
    await soon();
    const [worker] = workers;
    assert.ok(worker && workers.length === 1);
    assert.deepEqual(
      worker.heard.map((data) => data.ask ?? data.module),
      ["the library", "think", "choose"],
    );
    worker.say({ id: 0, report: THOUGHT });
    const choice = { move: "c1c2", intent: "plays" };
    worker.say({ id: 1, found: choice });
    worker.say({ id: 0, found: { ...THOUGHT, depth: 2 } });
    assert.equal((await first)?.depth, 2);
    assert.equal(await second, choice);
    assert.deepEqual(reports, [THOUGHT]);
  });

  test("stops at once with what was found last, and works on", async () => {
    const { workers, engine } = stage();
    const stopped = engine.think({ game: "mawe", movetime_ms: 60_000 });
    await soon();
    workers[0]?.say({ id: 0, report: THOUGHT });
    engine.stop();
    assert.equal(workers[0]?.ended, true);
    assert.deepEqual(await stopped, THOUGHT);
    const next = engine.think({ game: "mawe", depth: 1 });
    await soon();
    workers[0]?.say({ id: 0, found: { ...THOUGHT, depth: 9 } });
    workers[1]?.say({ id: 1, found: THOUGHT });
    assert.deepEqual(await next, THOUGHT);
  });

  test("that is told to stop before it was open gives nothing", async () => {
    const { workers, engine } = stage();
    const asked = engine.choose({ game: "mawe", level: 1, seed: 0 });
    engine.stop();
    assert.equal(await asked, undefined);
    assert.equal(workers.length, 0);
  });

  test("says what is wrong by its code", async () => {
    const { workers, engine } = stage();
    const asked = engine.think({ game: "go", depth: 1 });
    await soon();
    workers[0]?.say({ id: 0, error: "unknown-game" });
    await assert.rejects(asked, /unknown-game/);
    const away = openEngine({ compiled: () => Promise.reject(new Error("offline")) });
    await assert.rejects(away.think({ game: "mawe", depth: 1 }), /engine-away/);
  });
});
