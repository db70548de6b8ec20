// @ts-check
// Russian draughts, shashki.

import { draughts } from "./draughts.js";

/** @type {import("./types.js").GameMaker} */
export const russian = (entry) =>
  draughts(entry, {
    rows: 8,
    men: 12,
    flying: true,
    most: false,
    onward: true,
    start: "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
    picture: "W:WK3,18,21,23,24,27,28,29,32:B1,4,6,8,9,12,16,K31",
    recorded:
      "23-19 9-14 21-17 14x21 26-23 11-15 23-18 5-9 18x11 7x16x23 27x18 12-16 32-27 8-12 27-23 4-8 24-19 8-11 31-27 3-7 " +
      "28-24 16-20 22-17 21x14 25-22 11-16 29-25 7-11 25-21 11-15 18x11 16x7 21-17 14x21 23-18 7-11 27-23 20x27 23x32 11-16 " +
      "18-15 16x23 15-11 9-13 32-28 23-27 28-24 27x20 30-26 20-24 26-23 2-7 11x2x9 13x6 23-18 24-27 18-15 10x19 22-18 27-32 " +
      "18-14 32x5",
  });
