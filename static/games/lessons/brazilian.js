// @ts-check
// The pictures of the rules of Brazilian draughts.

/** @import { Lesson } from "../types.js" */

/** @type {Lesson[]} */
export const lessons = [
  {
    key: "start",
    position: "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
    legal: ["21-17", "22-17", "22-18", "23-18", "23-19", "24-19", "24-20"],
    move: null,
  },
  { key: "step", position: "W:W18,26:B3,7", legal: ["18-14", "18-15"], move: "18-15" },
  { key: "capture", position: "W:W14,31:B4,18", legal: ["14x23"], move: "14x23" },
  { key: "most", position: "W:W14,27,32:B3,9,15,23", legal: ["27x18x11"], move: "27x18x11" },
  { key: "crown", position: "W:W12,28:B7,8,14", legal: ["12x3x10x17"], move: "12x3x10x17" },
  {
    key: "king",
    position: "W:WK18,30:B3,12",
    legal: ["18-11", "18-14", "18-15", "18-22", "18-23", "18-25", "18-27", "18-29", "18-32", "18-4", "18-5", "18-8", "18-9"],
    move: "18-29",
  },
  { key: "hunt", position: "W:WK1:B6,14,25", legal: ["1x10x21x30"], move: "1x10x21x30" },
  { key: "stay", position: "B:W11,25:BK18", legal: ["18x29", "18x4", "18x8"], move: "18x8" },
  { key: "end", position: "W:W13:B6,9", legal: [], move: null },
];
