// @ts-check
// The pictures of the rules of Congkak. Where the text is about one house, `legal` lists only that one; two positions show parts that only
// some matches have, the count of extra moves and burnt houses.

/** @import { Lesson } from "../types.js" */

/** @type {Lesson[]} */
export const lessons = [
  { key: "start", position: "7,7,7,7,7,7,7,0/7,7,7,7,7,7,7,0 s", legal: ["1", "2", "3", "4", "5", "6", "7"], move: null },
  { key: "again", position: "7,7,7,7,7,7,7,0/7,7,7,7,7,7,7,0 s", legal: ["1"], move: "1" },
  { key: "relay", position: "2,0,0,0,1,2,0,40/0,2,0,0,0,0,3,48 s", legal: ["5"], move: "5" },
  { key: "tembak", position: "1,0,0,0,0,0,4,40/0,2,0,0,0,5,3,43 s", legal: ["1"], move: "1" },
  { key: "stop", position: "3,0,0,0,0,0,3,45/2,0,4,0,1,0,0,40 s", legal: ["7"], move: "7" },
  { key: "end", position: "0,0,0,0,0,0,1,50/3,0,0,0,0,0,0,44 s", legal: ["7"], move: "7" },
  { key: "limited", position: "0,0,0,0,0,2,1,46/3,0,5,0,1,0,0,40 s0", legal: ["6", "7"], move: "7" },
  { key: "rounds", position: "7,7,7,7,7,7,7,11/x,x,7,7,7,7,7,3 n", legal: ["3", "4", "5", "6", "7"], move: null },
];
