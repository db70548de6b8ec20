// @ts-check
// The pictures of the rules of Drafti ya Kitanzania.

import { BEGINNING, ENDING, KING } from "../draughts-pictures.js";

/** @type {import("../types.js").Lesson[]} */
export const lessons = [
  ...BEGINNING,
  { key: "capture", position: "W:W22,30,31:B4,18", legal: ["22x15"], move: "22x15" },
  { key: "choice", position: "W:W21,22,31:B11,17,18", legal: ["21x14", "22x13", "22x15x8"], move: "21x14" },
  { key: "crown", position: "W:W12,28:B8,14", legal: ["12x3"], move: "12x3" },
  KING,
  { key: "hunt", position: "W:WK1:B6,14,25", legal: ["1x10x21x30", "1x15x29"], move: "1x10x21x30" },
  ...ENDING,
];
