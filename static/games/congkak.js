// @ts-check
// Congkak: a sowing that ends in a house with seeds goes on with them; one that ends in an own empty house captures.

import { aRowIsEmpty, facing, seedsIn, sow, sowingGame, sweep, take } from "./sowing.js";

/** @import { Game, GameMaker } from "./types.js" */
/** @import { Hand } from "./sowing.js" */

/** @param {Hand} hand @param {number} lane */
function play(hand, lane) {
  let last = sow(hand, lane);
  while (last !== hand.store && seedsIn(hand, last) > 1) last = sow(hand, last);
  if (hand.own.includes(last)) take(hand, [last, facing(hand, last)]);
  if (aRowIsEmpty(hand)) sweep(hand);
}

/** The seeds of a full house. */
const FULL = 7;

/**
 * The houses of a position, and the seeds that each side owns.
 * @param {string} position
 */
function read(position) {
  const rows = (position.split(" ")[0] ?? "").split("/").map((row) => row.split(","));
  const owned = rows.map((row) => row.reduce((sum, lane) => sum + (Number(lane) || 0), 0));
  return { houses: rows.flatMap((row) => row.slice(0, -1)), owned: { first: owned[0] ?? 0, second: owned[1] ?? 0 } };
}

/**
 * Whether a round begins here: every house that is not burnt is full. Each move adds to a store, so no later position of a round is like
 * that.
 * @param {string} position
 */
const isRoundStart = (position) => read(position).houses.every((seeds) => seeds === "x" || seeds === String(FULL));

/** A number of the setup, or NaN. @param {string} setup @param {string} key */
const inSetup = (setup, key) =>
  Number(new Map(setup.split(",").map((pair) => /** @type {[string, string]} */ (pair.split("=")))).get(key) ?? NaN);

/** @type {NonNullable<Game["round"]>} */
function round(setup, positions) {
  const of = inSetup(setup, "rounds");
  const start = positions.findLastIndex((position, ply) => ply === 0 || isRoundStart(position));
  if (Number.isNaN(of) || start < 0) return null;
  const before = positions.slice(1).filter(isRoundStart).length;
  return { number: (inSetup(setup, "round") || 1) + before, of, owned: read(positions[start] ?? "").owned, ply: start };
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
    round,
  });
