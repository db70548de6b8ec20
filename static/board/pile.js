// @ts-check
// The places of seeds in a pile: every place is fixed, so that a seed that comes or goes leaves the others where they are.

/** @import { Box } from "./state.js" */

/** The golden angle, in radians, by which sunflowers arrange their seeds: no two layers look alike. */
const GOLDEN = Math.PI * (3 - Math.sqrt(5));

/** The number of seeds beside each other on a square of one unit; further seeds lie on top of them. */
const ROOM = 15;

/** The distance of the outermost seeds from the middle, as a part of the pit. */
const REACH = 0.36;

/**
 * The place of the `i`th seed of a pile, counted from 0.
 * @param {number} i
 * @param {Pick<Box, "w" | "h">} pit
 * @returns {{ x: number, y: number, turn: number }} from the middle of the pit, in board units; its rotation, in turns
 */
export function lie(i, { w, h }) {
  const room = Math.round(ROOM * w * h);
  const layer = Math.floor(i / room);
  const angle = i * GOLDEN + layer;
  // A single seed lies in the middle, a few beside each other.
  const place = i % room;
  const radius = Math.sqrt((place + Math.min(place, 0.8)) / room);
  // A long pit is filled along its length, with the same distance to the edge all round: the circle becomes an oval.
  const edge = Math.min(w, h) * (1 - 2 * REACH);
  return { x: (Math.cos(angle) * radius * (w - edge)) / 2, y: (Math.sin(angle) * radius * (h - edge)) / 2, turn: (i * 0.37) % 1 };
}
