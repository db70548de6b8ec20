// @ts-check
// Short synthesised sounds, without files. A browser lets a page make sounds only after the reader has pressed something on it.

import { setting } from "./settings.js";

/** The knocks of each sound: their pitch in hertz, their delay in seconds, and their loudness, 1 if absent. */
const SOUNDS = {
  move: [[320, 0]],
  seed: [[620, 0, 0.35]],
  capture: [
    [260, 0],
    [390, 0.07, 0.6],
  ],
  refused: [[140, 0, 0.7]],
  begin: [
    [330, 0],
    [440, 0.12],
  ],
  won: [
    [392, 0],
    [494, 0.12],
    [587, 0.24],
    [784, 0.36],
  ],
  lost: [
    [392, 0],
    [330, 0.16],
    [247, 0.32],
  ],
  drawn: [
    [392, 0],
    [392, 0.18],
  ],
  end: [
    [440, 0],
    [330, 0.14],
    [220, 0.28],
  ],
  hurry: [
    [880, 0],
    [880, 0.16],
  ],
  challenge: [
    [523, 0],
    [659, 0.1],
    [523, 0.2],
  ],
  phrase: [[720, 0, 0.5]],
};
/** The loudness by the setting. */
const LOUDNESS = { on: 0.25, quiet: 0.08, off: 0 };
/** The length of a knock, in seconds. */
const RING_S = 0.14;
/** The time after the last sound until the audio device rests, longer than every sound. */
const REST_MS = 5_000;

/** @typedef {keyof typeof SOUNDS} SoundName */

/** @type {(() => AudioContext) | null} */
let awake = null;

/**
 * Returns a function that returns the context for sounds that begin now, and suspends it some seconds after the last call: a context that
 * runs keeps the audio hardware of a phone awake.
 * @template {{ suspend(): Promise<void>, resume(): Promise<void> }} C
 * @param {C} context
 * @param {(act: () => void, ms: number) => number} wait
 * @param {(timer: number) => void} stop
 */
export function restingContext(context, wait = setTimeout, stop = clearTimeout) {
  let timer = 0;
  return () => {
    stop(timer);
    timer = wait(() => void context.suspend(), REST_MS);
    // The time of a suspended context stands still, so the sounds wait for its return.
    void context.resume();
    return context;
  };
}

/** @param {SoundName} name */
export function sound(name) {
  const loudness = LOUDNESS[setting("sound")];
  if (loudness === 0 || document.hidden || !navigator.userActivation?.hasBeenActive) return;
  awake ??= restingContext(new AudioContext());
  const context = awake();
  for (const [pitch = 0, delay = 0, part = 1] of SOUNDS[name]) knock(context, pitch, context.currentTime + delay, loudness * part);
}

/** A knock like a stone on wood: a tone whose pitch and loudness fall. @param {AudioContext} on @param {number} pitch @param {number} at @param {number} loudness */
function knock(on, pitch, at, loudness) {
  const tone = new OscillatorNode(on, { type: "triangle", frequency: pitch });
  const level = new GainNode(on, { gain: 0 });
  level.gain.setValueAtTime(loudness, at);
  level.gain.exponentialRampToValueAtTime(0.001, at + RING_S);
  tone.frequency.setValueAtTime(pitch, at);
  tone.frequency.exponentialRampToValueAtTime(pitch / 2, at + RING_S);
  tone.connect(level).connect(on.destination);
  tone.start(at);
  tone.stop(at + RING_S);
}
