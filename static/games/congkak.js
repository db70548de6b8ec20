// @ts-check
// Congkak: the last seed of a handful takes up the house it falls into, and goes on; in an empty house of one's own it captures.

import { OPENING_OPTION, aRowIsEmpty, facing, seedsIn, sow, sowingGame, sweep, take } from "./sowing.js";

/** @import { Hand } from "./sowing.js" */

/** @param {Hand} hand @param {number} lane */
function play(hand, lane) {
  let last = sow(hand, lane);
  while (last !== hand.store && seedsIn(hand, last) > 1) last = sow(hand, last);
  if (hand.own.includes(last)) take(hand, [last, facing(hand, last)]);
  if (aRowIsEmpty(hand)) sweep(hand);
}

export const congkak = sowingGame({
  id: "congkak",
  start: "7,7,7,7,7,7,7,0/7,7,7,7,7,7,7,0 s",
  picture: "1,9,0,3,12,2,8,17/6,1,10,0,4,9,2,14 s",
  options: [
    { key: "form", values: ["traditional", "limited"], standard: "traditional", rated: "limited" },
    { ...OPENING_OPTION, needs: { form: "limited" } },
    { key: "rounds", values: [], standard: "" },
    { key: "round", values: [], standard: "" },
  ],
  houses: 7,
  clockwise: true,
  ground: "boat",
  seeds: "cowrie",
  pace: 110,
  play,
});
