// @ts-check
// The pictures of the rules of Brazilian draughts.

import { BEGINNING, CAPTURE, END_64, KING, PASS, STAY } from "../draughts-pictures.js";

/** @type {import("../types.js").Lesson[]} */
export const lessons = [
  ...BEGINNING,
  CAPTURE,
  { key: "most", texts: "draughts", position: "W:W14,27,32:B3,9,15,23", legal: ["27x18x11"], move: "27x18x11" },
  PASS,
  KING,
  { key: "hunt-most", texts: "draughts", position: "W:WK1:B6,14,25", legal: ["1x10x21x30"], move: "1x10x21x30" },
  STAY,
  END_64,
];
