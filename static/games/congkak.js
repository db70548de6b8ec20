// @ts-check
// Congkak: a sowing that ends in a house with seeds goes on with them; one that ends in an own empty house captures.

import { matchRounds } from "./rounds.js";
import { aRowIsEmpty, facing, seedsIn, sow, sowingGame, sweep, take } from "./sowing.js";

/** @import { GameMaker } from "./types.js" */
/** @import { Hand } from "./sowing.js" */

/** @param {Hand} hand @param {number} lane */
function play(hand, lane) {
  let last = sow(hand, lane);
  while (last !== hand.store && seedsIn(hand, last) > 1) last = sow(hand, last);
  if (hand.own.includes(last)) take(hand, [last, facing(hand, last)]);
  if (aRowIsEmpty(hand)) sweep(hand);
}

/** @type {GameMaker} */
export const congkak = (entry) =>
  sowingGame(entry, {
    start: "7,7,7,7,7,7,7,0/7,7,7,7,7,7,7,0 s",
    picture: "1,9,0,3,12,2,8,17/6,1,10,0,4,9,2,14 s",
    recorded: "7 5 +6 +1 +7 +7 +4 +3 +4 6 1 4 6 +7 +3 5 2 6 +7 +3 3 +1 7 +6 3 5",
    houses: 7,
    clockwise: true,
    ground: "boat",
    seeds: "cowrie",
    pace: 110,
    play,
    round: matchRounds(7),
  });
