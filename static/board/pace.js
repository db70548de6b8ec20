// @ts-check
// The duration of the steps of a move: long enough to follow, short enough to wait for.

/** @import { BoardState, Step } from "./state.js" */

/** The longest time for one sowing, from the house where the hand takes up seeds to the next, in milliseconds. */
export const RELAY_MS = 1_200;
/** The longest time for all steps that wait to be shown. */
export const LONGEST_MS = 4_000;

/**
 * The duration of each step, in milliseconds.
 * @param {readonly Step[]} steps
 * @param {number} pace the usual duration
 * @returns {number[]}
 */
export function durations(steps, pace) {
  /** @type {number[]} */
  const relays = [];
  for (const { hand } of steps) {
    if (hand?.lifted || relays.length === 0) relays.push(0);
    relays[relays.length - 1] = (relays.at(-1) ?? 0) + 1;
  }
  const each = relays.flatMap((count) => Array.from({ length: count }, () => Math.min(pace, RELAY_MS / count)));
  const all = each.reduce((sum, ms) => sum + ms, 0);
  return all <= LONGEST_MS ? each : each.map((ms) => (ms * LONGEST_MS) / all);
}

/**
 * Shows the steps of a move one after another.
 * @param {BoardState} state
 * @param {(isEnd: boolean) => void} onStep called at each step, and at the end
 */
export function createStepper(state, onStep) {
  /** @type {ReturnType<typeof setTimeout> | null} */
  let timer = null;
  /** The duration of each step, in milliseconds. @type {number[]} */
  let paces = [];

  function stop() {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  }

  function walk() {
    if (timer !== null || state.steps.length === 0) return;
    timer = setTimeout(() => {
      timer = null;
      state.steps.shift();
      // A hidden page would be shown its steps one a second.
      if (document.hidden) state.steps = [];
      onStep(state.steps.length === 0);
      walk();
    }, paces.shift() ?? 0);
  }

  return {
    walk,
    stop,
    /** Sets the duration of the steps. @param {number} usual @param {number} slowness */
    pace(usual, slowness) {
      paces = durations(state.steps, usual).map((ms) => ms * slowness);
    },
    /** The duration of the next step, at most `most`. @param {number} most */
    next: (most) => Math.min(most, paces[0] ?? most),
    /** Shows the end of a move at once; returns whether it was under way. */
    skip() {
      if (state.steps.length === 0) return false;
      stop();
      state.steps = [];
      onStep(true);
      return true;
    },
  };
}
