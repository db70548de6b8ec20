// @ts-check
// The engine in a thread of its own. It answers one question after the other and reads no messages in between: to stop it, terminate it.
import init, { acceptsDraw, choose, Engine, Game } from "../wasm/engine.js";

/** @import { Answer, Question } from "./types.js" */

/** Of the 64 MiB that the library may use. */
const TABLE_MEGABYTES = 16;

/** @type {Promise<Engine> | undefined} */
let engine;

/** @param {WebAssembly.Module} module */
const load = async (module) => {
  await init({ module_or_path: module });
  return new Engine(TABLE_MEGABYTES);
};

/** @param {Answer} answer */
const tell = (answer) => postMessage(answer);

/** @param {Question} question @param {Engine} engine */
const answer = (question, engine) => {
  const { game: kind, setup = "", position = "", moves = "" } = question;
  const game = new Game(kind, setup, position, moves);
  try {
    if (question.ask === "choose") return JSON.parse(choose(game, question.level, question.seed, question.movetime_ms));
    if (question.ask === "draw") return acceptsDraw(game, question.side, question.level, question.seed);
    /** @param {string} found */
    const report = (found) => tell({ id: question.id, report: JSON.parse(found) });
    if (question.fresh) engine.forget();
    return JSON.parse(engine.think(game, question.depth, question.nodes, question.movetime_ms, report));
  } finally {
    game.free();
  }
};

addEventListener("message", async (/** @type {MessageEvent<{ module: WebAssembly.Module } | Question>} */ { data }) => {
  if ("module" in data) {
    engine = load(data.module);
    // Each question reports the failure.
    engine.catch(() => {});
    return;
  }
  const { id } = data;
  try {
    if (!engine) throw new Error("not-loaded");
    tell({ id, found: answer(data, await engine) });
  } catch (error) {
    tell({ id, error: error instanceof Error ? error.message : String(error) });
  }
});
