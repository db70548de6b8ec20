// @ts-check
// The rounds of a match of a sowing game, as far as they are plain from its positions: the ply that ends a round leaves the board as the
// next round begins.

import { inSetup } from "./setup.js";

/** @import { Game } from "./types.js" */

/**
 * The houses of a position, and the seeds that each side owns, those of its row included.
 * @param {string} position
 */
function read(position) {
  const rows = (position.split(" ")[0] ?? "").split("/").map((row) => row.split(","));
  const owned = rows.map((row) => row.reduce((sum, lane) => sum + (Number(lane) || 0), 0));
  return { houses: rows.flatMap((row) => row.slice(0, -1)), owned: { first: owned[0] ?? 0, second: owned[1] ?? 0 } };
}

/**
 * The begin of the last round of these positions, the first of which begins the match, and the number of the round.
 * @param {number} full the seeds of a full house
 * @param {string} setup
 * @param {string[]} positions
 */
export function lastRound(full, setup, positions) {
  // A round begins where every house that is not burnt is full. Each move empties a house or adds to a store, so no later position of a
  // round is like that.
  const begins = (/** @type {string} */ position) => read(position).houses.every((seeds) => seeds === "x" || seeds === String(full));
  const ply = positions.findLastIndex((position, at) => at === 0 || begins(position));
  const number = (Number(inSetup(setup, "round")) || 1) + positions.slice(1).filter(begins).length;
  return { number, ply };
}

/**
 * The rounds of a match in which the seeds that a side owns fill its houses for the next round.
 * @param {number} full the seeds of a full house
 * @returns {NonNullable<Game["round"]>}
 */
export const matchRounds = (full) => (setup, positions) => {
  const of = inSetup(setup, "rounds");
  if (of === null || positions.length === 0) return null;
  const { number, ply } = lastRound(full, setup, positions);
  return { number, of: Number(of), owned: read(positions[ply] ?? "").owned, ply, adds: false };
};
