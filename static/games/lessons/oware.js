// @ts-check
// The pictures of the rules of Oware. Where the text is about one house, `legal` lists only that one.

/** @import { Lesson } from "../types.js" */

/** @type {Lesson[]} */
export const lessons = [
  { key: "start", position: "4,4,4,4,4,4,0/4,4,4,4,4,4,0 s", legal: ["1", "2", "3", "4", "5", "6"], move: null },
  { key: "sow", position: "4,4,4,4,4,4,0/4,4,4,4,4,4,0 s", legal: ["5"], move: "5" },
  { key: "capture", position: "0,0,0,0,0,1,15/1,0,0,0,3,4,24 s", legal: ["6"], move: "6" },
  { key: "chain", position: "0,0,0,0,0,3,14/1,2,1,0,0,5,22 s", legal: ["6"], move: "6" },
  { key: "stop", position: "0,0,0,0,0,3,14/1,3,1,0,0,5,21 s", legal: ["6"], move: "6" },
  { key: "origin", position: "12,0,1,1,1,1,5/3,3,3,3,3,3,9 s", legal: ["1"], move: "1" },
  { key: "slam", position: "2,0,0,0,0,2,19/1,1,0,0,0,0,23 s", legal: ["6"], move: "6" },
  { key: "feed", position: "4,0,0,3,1,1,17/0,0,0,0,0,0,22 s", legal: ["4", "6"], move: "4" },
  { key: "end", position: "0,0,0,0,0,1,23/1,0,0,0,0,2,21 s", legal: ["6"], move: "6" },
];
