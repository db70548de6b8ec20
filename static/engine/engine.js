// @ts-check
// The engine as the page has it: a worker that is loaded when it is first asked, and ended when it is told to stop.

/**
 * What was found. A score is in hundredths of the game's unit, from the view of the side to move.
 * @typedef {{ best: string, score: number, proven: boolean, depth: number, nodes: number, pv: string[] }} Thought
 *
 * A game as far as it was played: by its setup, or from a position.
 * @typedef {{ game: string, setup?: string, position?: string, moves?: string }} Played
 *
 * @typedef {{ depth?: number, nodes?: number, movetime_ms?: number, fresh?: boolean }} Limits at least one of the first three; `fresh`
 * forgets earlier searches, so that the same question always has the same answer
 * @typedef {{ level: number, seed: number, movetime_ms?: number }} Player
 *
 * @typedef {Played & { id: number } & (({ ask: "think" } & Limits) | ({ ask: "choose" } & Player))} Question
 * @typedef {{ id: number, report: Thought } | { id: number, found: Thought | string } | { id: number, error: string }} Answer
 *
 * @typedef {{
 *   resolve: (found: any) => void,
 *   reject: (error: Error) => void,
 *   onReport?: (thought: Thought) => void,
 *   last?: Thought,
 * }} Waiting
 */

const LIBRARY = new URL("../wasm/engine_bg.wasm", import.meta.url);

/** Compiled once, however often a worker is ended. @type {Promise<WebAssembly.Module> | undefined} */
let library;

/** @returns {Promise<WebAssembly.Module>} */
const compiled = () => {
  library ??= WebAssembly.compileStreaming(fetch(LIBRARY)).catch((error) => {
    // The next who asks tries again.
    library = undefined;
    throw error;
  });
  return library;
};

const spawn = () => new Worker(new URL("./worker.js", import.meta.url), { type: "module" });

/**
 * A door to an engine of one's own. It does one thing at a time, in order.
 * @param {{ spawn?: () => Worker, compiled?: () => Promise<unknown> }} [from] for tests
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
    // It may be told to stop before it has begun.
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
     * The best move and what comes after it. One that is stopped gives what the last whole iteration had found; `undefined` if none was.
     * @param {Played & Limits} question
     * @param {(thought: Thought) => void} [onReport] told of every iteration
     * @returns {Promise<Thought | undefined>} rejected with the code of what is wrong
     */
    think: (question, onReport) => ask({ ...question, ask: "think" }, onReport),

    /**
     * The move of a player of a level.
     * @param {Played & Player} question
     * @returns {Promise<string | undefined>} `undefined` if stopped
     */
    choose: (question) => ask({ ...question, ask: "choose" }),

    /** Ends at once what is under way. What the table had learnt is lost. */
    stop: () => {
      worker?.terminate();
      worker = undefined;
      for (const asked of waiting.values()) asked.resolve(asked.last);
      waiting.clear();
    },
  };
};
