// @ts-check
// The page's engine: a worker that is started by the first question, and terminated to stop a search.

import { twice } from "../core/files.js";

/** @import { Answer, Asked, Choice, Limits, Offered, Played, Player, Thought } from "./types.js" */

/**
 * @typedef {{
 *   resolve: (found: any) => void,
 *   reject: (error: Error) => void,
 *   onReport?: (thought: Thought) => void,
 *   last?: Thought,
 * }} Waiting
 */

const LIBRARY = new URL("../wasm/engine_bg.wasm", import.meta.url);
/** The same library compiled with vector instructions, which judges the positions of Mawe! and checkers much faster. */
const SIMD_LIBRARY = new URL("../wasm/engine_simd_bg.wasm", import.meta.url);

/**
 * A module with a function that uses vectors of 128 bits: a browser without them (Chrome before 91, Firefox before 89, Safari before 16.4)
 * finds it invalid. The service worker has the same bytes.
 */
export const SIMD_PROBE = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0],
  ...[10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11],
);

/**
 * The address of the library for this browser.
 * @param {(module: BufferSource) => boolean} [validate] a replacement in tests
 */
export const libraryFor = (validate = WebAssembly.validate) => (validate(SIMD_PROBE) ? SIMD_LIBRARY : LIBRARY);

/** Compiled once for all workers. @type {Promise<WebAssembly.Module> | undefined} */
let library;

/** @returns {Promise<WebAssembly.Module>} */
const compiled = () => {
  library ??= twice(() => WebAssembly.compileStreaming(fetch(libraryFor()))).catch((error) => {
    // The next call tries again.
    library = undefined;
    throw error;
  });
  return library;
};

const spawn = () => new Worker(new URL("./worker.js", import.meta.url), { type: "module" });

/**
 * @typedef {Object} Engine
 * @property {() => Worker} spawn
 * @property {() => Promise<unknown>} compiled
 * @property {Worker | undefined} worker
 * @property {number} next the number of the next question
 * @property {Map<number, Waiting>} waiting the questions without an answer
 */

/**
 * Opens an engine with a worker of its own. It answers one question at a time, in order.
 * @param {{ spawn?: () => Worker, compiled?: () => Promise<unknown> }} [from] replacements in tests
 */
export const openEngine = (from = {}) => {
  /** @type {Engine} */
  const engine = { spawn, compiled, worker: undefined, next: 0, waiting: new Map(), ...from };
  return {
    /**
     * The best move and the principal variation. A stopped search gives the result of its last complete iteration, or `undefined`.
     * @param {Played & Limits} question
     * @param {(thought: Thought) => void} [onReport] called after every iteration
     * @returns {Promise<Thought | undefined>} rejected with the code of the problem
     */
    think: (question, onReport) => ask(engine, { ...question, ask: "think" }, onReport),

    /**
     * The move of a computer player of some level, and its intent.
     * @param {Played & Player} question
     * @returns {Promise<Choice | undefined>} `undefined` if stopped
     */
    choose: (question) => ask(engine, { ...question, ask: "choose" }),

    /**
     * Whether a computer player accepts a draw.
     * @param {Played & Offered} question
     * @returns {Promise<boolean | undefined>} `undefined` if stopped
     */
    draw: (question) => ask(engine, { ...question, ask: "draw" }),

    /** Stops all questions at once. The transposition table is lost. */
    stop: () => end(engine, (asked) => asked.resolve(asked.last)),
  };
};

/** Terminates the worker, and settles every question. @param {Engine} engine @param {(asked: Waiting) => void} settle */
function end(engine, settle) {
  engine.worker?.terminate();
  engine.worker = undefined;
  for (const asked of engine.waiting.values()) settle(asked);
  engine.waiting.clear();
}

/** @param {Engine} engine */
function start(engine) {
  const worker = engine.spawn();
  worker.addEventListener("message", (event) => hear(engine, event.data));
  worker.addEventListener("error", () => end(engine, (asked) => asked.reject(new Error("engine-failed"))));
  return worker;
}

/** @param {Engine} engine @param {Answer} answer */
function hear({ waiting }, answer) {
  const asked = waiting.get(answer.id);
  if (!asked) return;
  if ("report" in answer) {
    asked.last = answer.report;
    asked.onReport?.(answer.report);
    return;
  }
  waiting.delete(answer.id);
  if ("error" in answer) asked.reject(new Error(answer.error));
  else asked.resolve(answer.found);
}

/**
 * @param {Engine} engine
 * @param {Asked} question
 * @param {(thought: Thought) => void} [onReport]
 */
async function ask(engine, question, onReport) {
  const { waiting } = engine;
  const id = engine.next++;
  /** @type {Promise<any>} */
  const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject, onReport }));
  // The question may be stopped before a caller waits for it.
  answer.catch(() => {});
  try {
    const module = await engine.compiled();
    if (waiting.has(id)) {
      if (!engine.worker) {
        engine.worker = start(engine);
        engine.worker.postMessage({ module });
      }
      engine.worker.postMessage({ ...question, id });
    }
  } catch {
    waiting.get(id)?.reject(new Error("engine-away"));
    waiting.delete(id);
  }
  return answer;
}
