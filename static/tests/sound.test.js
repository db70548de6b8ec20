// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { audioDevice } from "../core/sound.js";

test("the audio device rests some seconds after the last sound, and wakes for the next", () => {
  let now = 0;
  /** The timer that is set: its time and its action. */
  let timer = /** @type {{ at: number, act: () => void } | null} */ (null);
  const clock = {
    setTimer: (/** @type {() => void} */ act, /** @type {number} */ ms) => {
      timer = { at: now + ms, act };
      return 1;
    },
    clearTimer: () => {
      timer = null;
    },
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
  const device = audioDevice(context, clock);
  assert.equal(device.wake(), context);
  pass(4_000);
  device.wake();
  pass(4_000);
  assert.equal(state, "running", "a sound in between begins the time anew");
  pass(1_000);
  assert.equal(state, "suspended");
  pass(60_000);
  device.wake();
  assert.equal(state, "running");
  pass(5_000);
  assert.equal(state, "suspended");
});
