// @ts-check
// The pictures of the rules of Russian draughts.

import { BEGINNING, CAPTURE, CHOICE, END_64, HUNT, KING, STAY } from "../draughts-pictures.js";

/** @type {import("../types.js").Lesson[]} */
export const lessons = [
  ...BEGINNING,
  CAPTURE,
  CHOICE,
  { key: "crown", position: "W:W12,28:B8,14,20", legal: ["12x3x17", "12x3x21"], move: "12x3x17" },
  KING,
  HUNT,
  STAY,
  END_64,
];
