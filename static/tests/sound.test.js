// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { restingContext } from "../core/sound.js";

test("the audio device rests some seconds after the last sound, and wakes for the next", () => {
  let now = 0;
  /** The timer that is set: its time and its action. */
  let timer = /** @type {{ at: number, act: () => void } | null} */ (null);
  const wait = (/** @type {() => void} */ act, /** @type {number} */ ms) => {
    timer = { at: now + ms, act };
    return 1;
  };
  const stop = () => {
    timer = null;
  };
  const pass = (/** @type {number} */ ms) => {
    now += ms;
    if (!timer || timer.at > now) return;
    timer.act();
    timer = null;
  };
  let state = "running";
  const context = {
    suspend: async () => {
      state = "suspended";
    },
    resume: async () => {
      state = "running";
    },
  };
  const awake = restingContext(context, wait, stop);
  assert.equal(awake(), context);
  pass(4_000);
  awake();
  pass(4_000);
  assert.equal(state, "running", "a sound in between begins the time anew");
  pass(1_000);
  assert.equal(state, "suspended");
  pass(60_000);
  awake();
  assert.equal(state, "running");
  pass(5_000);
  assert.equal(state, "suspended");
});
