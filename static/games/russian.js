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
  });
