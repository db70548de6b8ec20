// @ts-check
// American pool checkers.

import { draughts } from "./draughts.js";

/** @type {import("./types.js").GameMaker} */
export const pool = (entry) =>
  draughts(entry, {
    rows: 8,
    men: 12,
    flying: true,
    most: false,
    onward: false,
    start: "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
    picture: "B:WK5,17,22,24,25,26,28,29:B3,6,7,8,10,11,13,15,K32",
    recorded:
      "10-14 21-17 14x21 24-20 9-13 23-19 11-16 20x11 7x16x23 26x19 8-11 27-23 11-16 22-18 16-20 25-22 4-8 28-24 20x27 31x24 " +
      "8-11 19-15 3-7 15x8 12x3 29-25 6-9 24-20 7-10 23-19 9-14 18x9 5x14 20-16 14-17 16-12 17x26 30x23 21x30 23-18 30x16 " +
      "12x19 1-5 18-15 10-14 19-16 13-17 15-11 17-22 16-12 22-25 32-28 25-29 11-7 2x11 28-24 11-15 24-20 5-9 12-8 3x12 20-16 " +
      "12x19",
  });
