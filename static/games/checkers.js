// @ts-check
// American checkers.

import { draughts } from "./draughts.js";

/** @type {import("./types.js").GameMaker} */
export const checkers = (entry) =>
  draughts(entry, {
    rows: 8,
    men: 12,
    flying: false,
    most: false,
    onward: false,
    start: "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
    picture: "B:WK3,13,18,21,24,26,30,31,32:B1,5,8,9,10,12,16,19,K29",
  });
