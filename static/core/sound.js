// @ts-check
// Short synthesised sounds, without files. A browser lets a page make sounds only after the reader has pressed something on it.

import { setting } from "./settings.js";

/** The knocks of each sound: their pitch in hertz, and their delay in seconds. @type {Record<string, [number, number][]>} */
const SOUNDS = {
  move: [[320, 0]],
  begin: [
    [330, 0],
    [440, 0.12],
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
};
const LOUDNESS = 0.25;
/** The length of a knock, in seconds. */
const RING_S = 0.14;

/** @type {AudioContext | null} */
let context = null;

/** @param {"move" | "begin" | "end" | "hurry"} name */
export function sound(name) {
  if (setting("sound") === "off" || document.hidden || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  for (const [pitch, delay] of SOUNDS[name] ?? []) knock(context, pitch, context.currentTime + delay);
}

/** A knock like a stone on wood: a tone whose pitch and loudness fall. @param {AudioContext} on @param {number} pitch @param {number} at */
function knock(on, pitch, at) {
  const tone = new OscillatorNode(on, { type: "triangle", frequency: pitch });
  const level = new GainNode(on, { gain: 0 });
  level.gain.setValueAtTime(LOUDNESS, at);
  level.gain.exponentialRampToValueAtTime(0.001, at + RING_S);
  tone.frequency.setValueAtTime(pitch, at);
  tone.frequency.exponentialRampToValueAtTime(pitch / 2, at + RING_S);
  tone.connect(level).connect(on.destination);
  tone.start(at);
  tone.stop(at + RING_S);
}
