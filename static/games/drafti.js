// @ts-check
// Drafti ya Kitanzania.

import { draughts } from "./draughts.js";

/** @type {import("./types.js").GameMaker} */
export const drafti = (entry) =>
  draughts(entry, {
    rows: 8,
    men: 12,
    flying: true,
    most: false,
    onward: false,
    start: "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
    picture: "W:W15,20,21,23,24,28,29,30,31,K2:B5,6,8,9,11,12,13,14,K32",
  });
