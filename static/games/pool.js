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
  });
