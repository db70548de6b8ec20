// @ts-check
// The pictures of the rules of Kalah. Where the text is about one house, `legal` lists only that one.

/** @import { Lesson } from "../types.js" */

/** @type {Lesson[]} */
export const lessons = [
  { key: "start", position: "4,4,4,4,4,4,0/4,4,4,4,4,4,0 s", legal: ["1", "2", "3", "4", "5", "6"], move: null },
  { key: "sow", position: "4,4,4,4,4,4,0/4,4,4,4,4,4,0 s", legal: ["5"], move: "5" },
  { key: "again", position: "6,5,4,3,2,1,0/4,5,4,5,4,5,0 s", legal: ["1", "2", "3", "4", "5", "6"], move: "6" },
  { key: "capture", position: "4,0,1,0,0,0,10/4,4,4,4,4,4,9 s", legal: ["3"], move: "3" },
  { key: "nothing", position: "4,0,1,0,0,2,10/4,4,0,4,4,4,11 s", legal: ["3"], move: "3" },
  { key: "round", position: "0,0,13,0,0,1,5/1,1,1,1,1,1,23 s", legal: ["3"], move: "3" },
  { key: "end", position: "0,0,0,0,0,1,20/3,0,0,0,0,0,24 s", legal: ["6"], move: "6" },
];
