// @ts-check
// Kalah: a last seed in the own store gives another move; one in an own empty house captures the seeds opposite.

import { aRowIsEmpty, facing, seedsIn, sow, sowingGame, sweep, take } from "./sowing.js";

/** @import { Hand } from "./sowing.js" */
/** @import { GameMaker } from "./types.js" */

/** @param {Hand} hand @param {number} lane */
function play(hand, lane) {
  const last = sow(hand, lane);
  const opposite = facing(hand, last);
  if (hand.own.includes(last) && seedsIn(hand, last) === 1 && seedsIn(hand, opposite) > 0) take(hand, [last, opposite]);
  if (aRowIsEmpty(hand)) sweep(hand);
}

/** @type {GameMaker} */
export const kalah = (entry) =>
  sowingGame(entry, {
    start: "4,4,4,4,4,4,0/4,4,4,4,4,4,0 s",
    picture: "1,6,0,2,7,1,9/3,0,5,5,1,2,6 s",
    recorded: "1 3 +6 3 2 +6 +4 3 6 +1 4 3 5 6 +4 2 6 +3 1 2 6 5 +1 5 2 4 5 6 +5 3 +5 6",
    houses: 6,
    clockwise: false,
    ground: "plank",
    seeds: "pebble",
    pace: 150,
    play,
  });
