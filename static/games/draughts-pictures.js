// @ts-check
// The pictures that the draughts on eight by eight have in common. Texts of `draughts` are those of several games.

/** @import { Lesson } from "./types.js" */

/** The texts of the first one are each game's own, because the document brings them by its name. @type {Lesson[]} */
export const BEGINNING = [
  {
    key: "start",
    position: "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
    legal: ["21-17", "22-17", "22-18", "23-18", "23-19", "24-19", "24-20"],
    move: null,
  },
  { key: "step", texts: "draughts", position: "W:W18,26:B3,7", legal: ["18-14", "18-15"], move: "18-15" },
];

/** Men capture backwards, too. @type {Lesson} */
export const CAPTURE = { key: "capture", texts: "draughts", position: "W:W14,31:B4,18", legal: ["14x23"], move: "14x23" };

/** @type {Lesson} */
export const CHOICE = {
  key: "choice",
  texts: "draughts",
  position: "W:W21,22,31:B11,17,18,23",
  legal: ["21x14", "22x13", "22x15x8"],
  move: "21x14",
};

/** A man that only passes the far row stays a man. @type {Lesson} */
export const PASS = { key: "pass", texts: "draughts", position: "W:W12,28:B7,8,14", legal: ["12x3x10x17"], move: "12x3x10x17" };

/** @type {Lesson} */
export const KING = {
  key: "king",
  texts: "draughts",
  position: "W:WK18,30:B3,12",
  legal: ["18-11", "18-14", "18-15", "18-22", "18-23", "18-25", "18-27", "18-29", "18-32", "18-4", "18-5", "18-8", "18-9"],
  move: "18-29",
};

/** @type {Lesson} */
export const HUNT = {
  key: "hunt",
  texts: "draughts",
  position: "W:WK1:B6,14,25",
  legal: ["1x10x21x30", "1x15x29"],
  move: "1x10x21x30",
};

/** @type {Lesson} */
export const STAY = { key: "stay", texts: "draughts", position: "B:W11,25:BK18", legal: ["18x29", "18x4", "18x8"], move: "18x8" };

/** Its texts are those of a game, because they tell when a match is drawn. @type {Lesson} */
export const END = { key: "end", position: "W:W13:B6,9", legal: [], move: null };

/** The end where the endings are drawn as in Brazilian and Russian draughts. @type {Lesson} */
export const END_64 = { ...END, texts: "draughts" };
