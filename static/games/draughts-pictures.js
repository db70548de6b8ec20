// @ts-check
// The pictures that the draughts with flying kings have in common.

/** @import { Lesson } from "./types.js" */

/** @type {Lesson[]} */
export const BEGINNING = [
  {
    key: "start",
    position: "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
    legal: ["21-17", "22-17", "22-18", "23-18", "23-19", "24-19", "24-20"],
    move: null,
  },
  { key: "step", position: "W:W18,26:B3,7", legal: ["18-14", "18-15"], move: "18-15" },
];

/** @type {Lesson} */
export const KING = {
  key: "king",
  position: "W:WK18,30:B3,12",
  legal: ["18-11", "18-14", "18-15", "18-22", "18-23", "18-25", "18-27", "18-29", "18-32", "18-4", "18-5", "18-8", "18-9"],
  move: "18-29",
};

/** @type {Lesson[]} */
export const ENDING = [
  { key: "stay", position: "B:W11,25:BK18", legal: ["18x29", "18x4", "18x8"], move: "18x8" },
  { key: "end", position: "W:W13:B6,9", legal: [], move: null },
];
