// @ts-check
// The pictures of the rules of American checkers.

/** @import { Lesson } from "../types.js" */

/** @type {Lesson[]} */
export const lessons = [
  {
    key: "start",
    position: "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
    legal: ["10-14", "10-15", "11-15", "11-16", "12-16", "9-13", "9-14"],
    move: null,
  },
  { key: "step", texts: "draughts", position: "B:W21,27,30,31:B3,8,14", legal: ["14-17", "14-18"], move: "14-18" },
  { key: "capture", position: "B:W18,28,31:B4,9,14", legal: ["14x23"], move: "14x23" },
  { key: "multi", position: "B:W15,23,30:B3,10", legal: ["10x19x26"], move: "10x19x26" },
  { key: "choice", position: "B:W16,18,24,32:B11,14", legal: ["11x20x27", "14x23"], move: "14x23" },
  { key: "crown", texts: "draughts", position: "B:W26,27,32:B22", legal: ["22x31"], move: "22x31" },
  { key: "king", position: "W:WK18,30:B3,4,12", legal: ["18-14", "18-15", "18-22", "18-23"], move: "18-22" },
  { key: "tour", position: "B:W14,15,22,23,32:BK10", legal: ["10x17x26x19x10", "10x19x26x17x10"], move: "10x17x26x19x10" },
  { key: "end", position: "B:W9,14,16,19:B5,12", legal: [], move: null },
];
