// @ts-check
// Brazilian draughts, in Polish `warcaby klasyczne`.

import { draughts } from "./draughts.js";

/** @type {import("./types.js").GameMaker} */
export const brazilian = (entry) =>
  draughts(entry, {
    rows: 8,
    men: 12,
    flying: true,
    most: true,
    onward: false,
    start: "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
    picture: "W:W18,20,22,23,24,25,28,29,31,K4:B5,6,7,8,11,12,13,16,K30",
  });
