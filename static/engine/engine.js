// @ts-check
// The page's engine: a worker that is started by the first question, and terminated to stop a search.

/** @import { Answer, Limits, Played, Player, Thought } from "./types.js" */

/**
 * @typedef {{
 *   resolve: (found: any) => void,
 *   reject: (error: Error) => void,
 *   onReport?: (thought: Thought) => void,
 *   last?: Thought,
 * }} Waiting
 */

const LIBRARY = new URL("../wasm/engine_bg.wasm", import.meta.url);

/** Compiled once for all workers. @type {Promise<WebAssembly.Module> | undefined} */
let library;

/** @returns {Promise<WebAssembly.Module>} */
const compiled = () => {
  library ??= WebAssembly.compileStreaming(fetch(LIBRARY)).catch((error) => {
    // The next call tries again.
    library = undefined;
    throw error;
  });
  return library;
};

const spawn = () => new Worker(new URL("./worker.js", import.meta.url), { type: "module" });

/**
 * Opens an engine with a worker of its own. It answers one question at a time, in order.
 * @param {{ spawn?: () => Worker, compiled?: () => Promise<unknown> }} [from] replacements in tests
 */
export const openEngine = (from = {}) => {
  const parts = { spawn, compiled, ...from };
  /** @type {Worker | undefined} */
  let worker;
  let next = 0;
  /** @type {Map<number, Waiting>} */
  const waiting = new Map();

  /** @param {MessageEvent<Answer>} event */
  const hear = ({ data }) => {
    const asked = waiting.get(data.id);
    if (!asked) return;
    if ("report" in data) {
      asked.last = data.report;
      asked.onReport?.(data.report);
      return;
    }
    waiting.delete(data.id);
    if ("error" in data) asked.reject(new Error(data.error));
    else asked.resolve(data.found);
  };

  /** @param {string} code */
  const fail = (code) => {
    worker?.terminate();
    worker = undefined;
    for (const asked of waiting.values()) asked.reject(new Error(code));
    waiting.clear();
  };

  const start = () => {
    const started = parts.spawn();
    started.addEventListener("message", hear);
    started.addEventListener("error", () => fail("engine-failed"));
    return started;
  };

  /**
   * @param {Played & (({ ask: "think" } & Limits) | ({ ask: "choose" } & Player))} question
   * @param {(thought: Thought) => void} [onReport]
   */
  const ask = async (question, onReport) => {
    const id = next++;
    /** @type {Promise<any>} */
    const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject, onReport }));
    // The question may be stopped before a caller waits for it.
    answer.catch(() => {});
    try {
      const module = await parts.compiled();
      if (waiting.has(id)) {
        if (!worker) {
          worker = start();
          worker.postMessage({ module });
        }
        worker.postMessage({ ...question, id });
      }
    } catch {
      waiting.get(id)?.reject(new Error("engine-away"));
      waiting.delete(id);
    }
    return answer;
  };

  return {
    /**
     * The best move and the principal variation. A stopped search gives the result of its last complete iteration, or `undefined`.
     * @param {Played & Limits} question
     * @param {(thought: Thought) => void} [onReport] called after every iteration
     * @returns {Promise<Thought | undefined>} rejected with the code of the problem
     */
    think: (question, onReport) => ask({ ...question, ask: "think" }, onReport),

    /**
     * The move of a computer player of some level.
     * @param {Played & Player} question
     * @returns {Promise<string | undefined>} `undefined` if stopped
     */
    choose: (question) => ask({ ...question, ask: "choose" }),

    /** Stops all questions at once. The transposition table is lost. */
    stop: () => {
      worker?.terminate();
      worker = undefined;
      for (const asked of waiting.values()) asked.resolve(asked.last);
      waiting.clear();
    },
  };
};
