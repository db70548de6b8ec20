// @ts-check
// The pictures of the rules of Brazilian draughts.

import { BEGINNING, ENDING, KING } from "../draughts-pictures.js";

/** @type {import("../types.js").Lesson[]} */
export const lessons = [
  ...BEGINNING,
  { key: "capture", position: "W:W14,31:B4,18", legal: ["14x23"], move: "14x23" },
  { key: "most", position: "W:W14,27,32:B3,9,15,23", legal: ["27x18x11"], move: "27x18x11" },
  { key: "crown", position: "W:W12,28:B7,8,14", legal: ["12x3x10x17"], move: "12x3x10x17" },
  KING,
  { key: "hunt", position: "W:WK1:B6,14,25", legal: ["1x10x21x30"], move: "1x10x21x30" },
  ...ENDING,
];
