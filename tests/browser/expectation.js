// @ts-check
// The expected result of a score in games between players that err: `node tests/browser/expectation.js [GAMES [KIND…]]` plays the computer's fourth
// level against itself, from random openings, and fits the scale of `static/review/verdict.js` for each game: the expected result of a
// score is 1 / (1 + exp(-score / scale)). Its random numbers have a fixed seed, so a run can be repeated.
import { readFileSync } from "node:fs";

import { GAMES } from "../../static/games/index.js";
import { choose, Engine, initSync as initEngine, Game as Played } from "../../static/wasm/engine.js";
import { initSync as initRules, Game as Rules } from "../../static/wasm/rules.js";

/** @typedef {{ score: number, result: number }} Sample */

const LEVEL = 4;
const NODES = 4_000;
/** The number of random plies at the beginning. */
const OPENING = 6;
/** As in the engine: a score beyond this counts the plies to the end. */
const WIN_BOUND = 9_000_000;

const read = (/** @type {string} */ name) => readFileSync(new URL(`../../static/wasm/${name}_bg.wasm`, import.meta.url));
initRules({ module: read("rules") });
initEngine({ module: read("engine") });

let seed = 1;
/** Pseudorandom numbers (Park and Miller), the same in every run. @param {number} below */
function chance(below) {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed % below;
}

/** @param {string} kind @param {{ first: string, second: string }} codes @returns {Sample[]} */
function play(kind, codes) {
  const rules = Rules.start(kind, "");
  const engine = new Engine(16);
  /** @type {{ turn: string, score: number }[]} */
  const seen = [];
  while (rules.outcome() === undefined) {
    const legal = rules.legalMoves();
    const game = new Played(kind, "", "", rules.moves().join(" "));
    if (rules.ply() < OPENING) rules.play(legal[chance(legal.length)] ?? "");
    else {
      const { score } = JSON.parse(engine.think(game, undefined, NODES));
      if (Math.abs(score) < WIN_BOUND) seen.push({ turn: rules.turn(), score });
      const { move } = JSON.parse(choose(game, LEVEL, chance(1 << 30)));
      rules.play(move);
    }
    game.free();
  }
  const [winner] = rules.outcome()?.split(" ") ?? [];
  engine.free();
  return seen.map(({ turn, score }) => ({
    score,
    result: winner === codes.first ? Number(turn === "first") : winner === codes.second ? Number(turn === "second") : 0.5,
  }));
}

/** The error of a scale: the cross entropy of the results. @param {Sample[]} samples @param {number} scale */
const error = (samples, scale) =>
  samples.reduce((sum, { score, result }) => {
    const p = Math.min(1 - 1e-9, Math.max(1e-9, 1 / (1 + Math.exp(-score / scale))));
    return sum - result * Math.log(p) - (1 - result) * Math.log(1 - p);
  }, 0) / samples.length;

const count = Number(process.argv[2] ?? 60);
const kinds = process.argv.slice(3);
for (const { id, codes } of GAMES.filter((game) => kinds.length === 0 || kinds.includes(game.id))) {
  const samples = Array.from({ length: count }, () => play(id, codes)).flat();
  const scales = Array.from({ length: 240 }, (_, i) => Math.round(10 * 1.03 ** i));
  const best = scales.reduce((a, b) => (error(samples, b) < error(samples, a) ? b : a));
  console.log(
    `${id}: scale ${best}, error ${error(samples, best).toFixed(3)}, by chance ${error(samples, 1e12).toFixed(3)}, ${samples.length} positions of ${count} games`,
  );
}
