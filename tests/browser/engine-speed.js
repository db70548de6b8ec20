// @ts-check
// Compares the speed of the page's engine with that of the native one, search by search:
// `cargo build --release -p mawe-ai --example timed && node tests/browser/engine-speed.js [FILE.wasm]… [-- GAME…]`.
// Each FILE is one more library, for example one of an earlier commit (`git show COMMIT:static/wasm/engine_bg.wasm >FILE.wasm`).
// `MAWE_TIMED` names the native program if it lies elsewhere. The figures are in docs/lab/speed.md.
//
// The searches of all engines follow each other within a round, so that other programs of the machine slow all of them down; a figure is
// the median of the rounds. Every search must have the native result, or the script ends with an error.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";

/** @typedef {{ ms: number, nodes: number, score: number, best: string }} Timed */
/** @typedef {{ name: string, search: (game: string, position: string) => Promise<Timed> }} Timer */

const root = new URL("../../", import.meta.url);
/** Many short searches: other programs interrupt a short one less often. */
const NODES = 200_000;
const ROUNDS = 25;
const NATIVE = process.env.MAWE_TIMED ?? fileURLToPath(new URL("target/release/examples/timed", root));
/** The table of the page's worker. */
const TABLE_MEGABYTES = 16;

const { argv } = process;
const bar = argv.includes("--") ? argv.indexOf("--") : argv.length;
const wanted = argv.slice(bar + 1);
const libraries = [
  ...argv.slice(2, bar).map((path) => pathToFileURL(path)),
  ...readdirSync(new URL("static/wasm/", root))
    .filter((name) => /^engine.*\.wasm$/.test(name))
    .map((name) => new URL(`static/wasm/${name}`, root)),
];

/** @returns {Timer & { end: () => void }} */
function native() {
  const program = spawn(NATIVE, { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: program.stdout });
  const search = async (/** @type {string} */ game, /** @type {string} */ position) => {
    program.stdin.write(`${NODES} ${game} ${position}\n`);
    const [line] = await once(lines, "line");
    const [ms, nodes, score, best] = String(line).split(" ");
    return { ms: Number(ms), nodes: Number(nodes), score: Number(score), best: String(best) };
  };
  return { name: "native", search, end: () => program.stdin.end() };
}

/** The engine of a library. The glue keeps one library, so each has a glue of its own. @param {URL} file @returns {Promise<Timer>} */
async function inWasm(file) {
  const name = basename(file.pathname, ".wasm");
  /** @type {typeof import("../../static/wasm/engine.js")} */
  const { Engine, Game, initSync } = await import(`../../static/wasm/engine.js?${file.pathname}`);
  initSync({ module: readFileSync(file) });
  const engine = new Engine(TABLE_MEGABYTES);
  const search = async (/** @type {string} */ kind, /** @type {string} */ position) => {
    const game = new Game(kind, "", position, "");
    engine.forget();
    const began = performance.now();
    const { nodes, score, best } = JSON.parse(engine.think(game, undefined, NODES));
    const ms = performance.now() - began;
    game.free();
    return { ms, nodes, score, best };
  };
  return { name, search };
}

/** @param {number[]} numbers */
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

const program = native();
const timers = [program, ...(await Promise.all(libraries.map(inWasm)))];
const positions = readFileSync(new URL("ai/benches/mid_game.txt", root), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => line.split(/ (.*)/))
  .filter(([game = ""]) => wanted.length === 0 || wanted.includes(game));

console.log(`${NODES} nodes, medians of ${ROUNDS} rounds: million nodes a second, and the time divided by the native time`);
console.log(`| game | ${timers.map(({ name }, at) => (at ? `${name} | ratio` : name)).join(" | ")} |`);
for (const [game = "", position = ""] of positions) {
  /** @type {number[][]} */
  const times = timers.map(() => []);
  let speeds = timers.map(() => 0);
  // The first round is not counted: V8 replaces its first, quickly compiled code while it runs.
  for (let round = 0; round <= ROUNDS; round++) {
    /** @type {Timed | undefined} */
    let expected;
    for (const [at, timer] of timers.entries()) {
      const { ms, ...found } = await timer.search(game, position);
      expected ??= { ms: 0, ...found };
      assert.deepEqual({ ms: 0, ...found }, expected, `${timer.name}, ${game}`);
      if (round > 0) times[at]?.push(ms);
    }
    speeds = times.map((ms) => (expected?.nodes ?? 0) / median(ms) / 1e3);
  }
  const [first = 0] = speeds;
  const cells = speeds.map((speed, at) => speed.toFixed(2) + (at ? ` | ${(first / speed).toFixed(2)}` : ""));
  console.log(`| ${game} | ${cells.join(" | ")} |`);
}
program.end();
