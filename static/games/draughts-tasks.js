// @ts-check
// The tasks that the draughts with flying kings on eight by eight have in common, with their texts.

/** @import { Task } from "./types.js" */

/** A king that may choose its way. @type {Task} */
export const THREE = {
  key: "three",
  texts: "draughts",
  position: "W:WK1:B6,14,25",
  goals: [{ kind: "takes", n: 3 }],
  moves: 1,
  solution: ["1x10x21x30"],
  wrong: "1x15x29",
};

/** @type {Task[]} */
export const COMMON = [
  {
    key: "crown",
    texts: "draughts",
    position: "W:W8,30,31:B20",
    goals: [{ kind: "crowns" }],
    moves: 1,
    solution: ["8-4"],
    wrong: "31-27",
  },
  {
    key: "trade",
    texts: "draughts",
    position: "W:W23,24,28:B4,7,15,16,21",
    goals: [{ kind: "takes", n: 2 }],
    moves: 2,
    solution: ["24-19", "15x24", "28x19x12"],
    wrong: "23-18",
    answered: true,
  },
  {
    key: "block",
    texts: "draughts",
    position: "W:W19,20:B12",
    goals: [{ kind: "wins" }],
    moves: 1,
    solution: ["20-16"],
    wrong: "19-15",
  },
  {
    key: "landing",
    texts: "draughts",
    position: "W:WK32:B2,5,6,18",
    goals: [{ kind: "holds", what: "pieces", n: 0 }],
    moves: 1,
    solution: ["32x14"],
    wrong: "32x9",
  },
];

/** Where men capture backwards. @type {Task} */
export const SHOT = {
  key: "shot",
  texts: "draughts",
  position: "W:W12,16,20,21,23,24,29,31:B3,4,5,6,7,8,15",
  goals: [{ kind: "takes", n: 3 }],
  moves: 2,
  solution: ["16-11", "7x16", "12x19x10x1"],
  wrong: "31-27",
  answered: true,
};
