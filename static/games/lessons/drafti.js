// @ts-check
// The pictures of the rules of Drafti ya Kitanzania.

import { BEGINNING, CHOICE, END, HUNT, KING, STAY } from "../draughts-pictures.js";

/** @type {import("../types.js").Lesson[]} */
export const lessons = [
  ...BEGINNING,
  { key: "capture", position: "W:W22,30,31:B4,18", legal: ["22x15"], move: "22x15" },
  CHOICE,
  { key: "crown", texts: "draughts", position: "W:W12,28:B8,14", legal: ["12x3"], move: "12x3" },
  KING,
  HUNT,
  STAY,
  END,
];
