// @ts-check
// The pictures of the rules of Mawe!; `legal` lists the moves of the stone that the text is about.

/** @import { Lesson } from "../types.js" */

/** @type {Lesson[]} */
export const lessons = [
  { key: "start", position: "BBBBBBBB/8/8/8/8/8/8/WWWWWWWW w", legal: [], move: null },
  { key: "slide", position: "8/8/5W2/8/8/2W5/8/8 w", legal: ["c3a5", "c3b4", "c3d4", "c3e5"], move: "c3e5" },
  { key: "jump", position: "8/8/8/4B3/8/8/8/W7 w", legal: ["a1b2", "a1c3", "a1d4", "a1f6"], move: "a1f6" },
  { key: "free", position: "8/8/8/4w3/8/2W5/8/8 w", legal: ["c3a5", "c3b4", "c3d4", "c3f6"], move: "c3f6" },
  {
    key: "sideways",
    position: "8/8/8/8/2BWw3/8/8/8 w",
    legal: ["d4a7", "d4b4", "d4b6", "d4c5", "d4e5", "d4f4", "d4f6", "d4g7", "d4h8"],
    move: "d4b4",
  },
  { key: "blocked", position: "8/8/8/3b4/8/1W3w2/8/8 w", legal: ["b3a4", "b3c4"], move: null },
  { key: "end", position: "1W3WWW/4W3/B3w1W1/1w1b4/6b1/8/3b4/2BBB1B1 b", legal: [], move: null },
];
