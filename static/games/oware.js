// @ts-check
// Oware by the Abapa rules: twos and threes are captured from the opponent's houses, from the last seed backwards.

import { seedsIn, sow, sowingGame, sum, sweep, take } from "./sowing.js";

/** @import { Game, GameMaker } from "./types.js" */
/** @import { Hand } from "./sowing.js" */

/** @param {number} seeds */
const isCaught = (seeds) => seeds === 2 || seeds === 3;

/** @param {Hand} hand @param {number} lane */
function play(hand, lane) {
  const { theirs, store } = hand;
  const last = sow(hand, lane, (skipped) => skipped === lane || skipped === store);
  const caught = [];
  for (let at = last; theirs.includes(at) && isCaught(seedsIn(hand, at)); at--) caught.push(at);
  // A grand slam captures nothing.
  if (sum(hand, caught) < sum(hand, theirs)) take(hand, caught);
  if (!isDecided(hand) && cannotMove(hand)) sweep(hand);
}

/** Whether one side has more than half of the seeds, or each has half. @param {Hand} hand */
function isDecided(hand) {
  const half =
    sum(
      hand,
      hand.lanes.map((_, lane) => lane),
    ) / 2;
  const [mine, theirs] = [seedsIn(hand, hand.store), seedsIn(hand, hand.theirStore)];
  return mine > half || theirs > half || (mine === half && theirs === half);
}

/** Whether the other side has no seeds, or the mover's own row is empty and no house of the other side reaches it. @param {Hand} hand */
function cannotMove(hand) {
  const { own, theirs } = hand;
  if (sum(hand, theirs) === 0) return true;
  return sum(hand, own) === 0 && theirs.every((lane, i) => seedsIn(hand, lane) < theirs.length - i);
}

/** @type {Game["bound"]} */
function bound(pieces, legal, side) {
  const theirs = [...pieces].filter(([cell, { owner }]) => owner !== side && !cell.endsWith("store"));
  return legal.length > 0 && theirs.every(([, { count }]) => count === 0) ? "must-feed-opponent" : null;
}

/** @type {GameMaker} */
export const oware = (entry) =>
  sowingGame(entry, {
    start: "4,4,4,4,4,4,0/4,4,4,4,4,4,0 s",
    picture: "0,6,1,8,2,0,7/2,5,0,7,1,3,6 s",
    recorded:
      "1 6 6 2 3 3 6 2 3 3 1 6 1 1 4 4 3 3 1 6 4 4 2 4 5 5 5 4 1 2 1 5 1 1 4 1 3 4 4 5 5 3 1 5 4 4 3 5 5 6 5 1 3 5 4 2 1 3 3 " +
      "1 5 2 2 2 5 6 2 3 3 1 1 2 4 1 5 2 2 5 6 4 3 2 5 4 4 3 5 4 2 6 2 5 4 6 6 3 5 4 3 2 5 3 4 4 2 6 1 3 5 4 2 2 4 5 2 3 5 4 " +
      "3 1 4 5 1 2 6 4 5 3 2 4 3 6",
    houses: 6,
    clockwise: false,
    ground: "earth",
    seeds: "nut",
    pace: 150,
    play,
    bound,
  });
