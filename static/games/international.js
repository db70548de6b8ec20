// @ts-check
// International draughts, in Polish `warcaby stupolowe`.

import { draughts } from "./draughts.js";

/** @type {import("./types.js").GameMaker} */
export const international = (entry) =>
  draughts(entry, {
    rows: 10,
    men: 20,
    flying: true,
    most: true,
    onward: false,
    start: "W:W31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50:B1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20",
    picture: "W:WK5,33,36,37,38,40,41,43,44,45,46,49,50:B3,6,7,8,11,12,13,15,17,18,24,K47",
  });
