// @ts-check
// The pictures of the rules of Pallanguzhi. Where the text is about one pit, `legal` lists only that one; the last position is one of a match
// with rubbish holes.

/** @import { Lesson } from "../types.js" */

/** @type {Lesson[]} */
export const lessons = [
  { key: "start", position: "6,6,6,6,6,6,6,0/6,6,6,6,6,6,6,0 s", legal: ["1", "2", "3", "4", "5", "6", "7"], move: null },
  { key: "sow", position: "0,2,0,0,0,3,0,40/0,0,0,0,1,0,0,38 s", legal: ["6"], move: "6" },
  { key: "relay", position: "2,0,0,2,0,1,0,38/0,0,0,0,3,0,5,33 s", legal: ["1"], move: "1" },
  { key: "pasu", position: "0,0,2,3,1,0,0,38/0,0,2,0,1,0,0,37 s", legal: ["3"], move: "3" },
  { key: "theirs", position: "0,0,0,0,0,2,1,38/3,0,0,0,2,0,0,38 s", legal: ["6"], move: "6" },
  { key: "capture", position: "1,0,0,6,0,0,0,34/2,0,0,1,0,0,0,40 s", legal: ["1"], move: "1" },
  { key: "end", position: "0,0,0,0,0,0,1,40/1,0,0,0,0,2,0,40 s", legal: ["7"], move: "7" },
  { key: "rounds", position: "6,6,6,6,6,6,6,18/6,6,6,6,x,x,x,0 n", legal: ["1", "2", "3", "4"], move: null },
];
