// @ts-check
// The tasks of Drafti ya Kitanzania: captures, crowns and sacrifices. `tests/learn.test.js` plays the solution of each.

/** @import { Task } from "../types.js" */

/** @type {Task[]} */
export const tasks = [
  {
    key: "three",
    position: "W:WK1:B6,14,25",
    goals: [{ kind: "takes", n: 3 }],
    moves: 1,
    solution: ["1x10x21x30"],
    wrong: "1x15x29",
  },
  {
    key: "crown",
    position: "W:W8,30,31:B20",
    goals: [{ kind: "crowns" }],
    moves: 1,
    solution: ["8-4"],
    wrong: "31-27",
  },
  {
    key: "trade",
    position: "W:W23,24,28:B4,7,15,16,21",
    goals: [{ kind: "takes", n: 2 }],
    moves: 2,
    solution: ["24-19", "15x24", "28x19x12"],
    wrong: "23-18",
    answered: true,
  },
  {
    key: "block",
    position: "W:W19,20:B12",
    goals: [{ kind: "wins" }],
    moves: 1,
    solution: ["20-16"],
    wrong: "19-15",
  },
  {
    key: "landing",
    position: "W:WK32:B2,5,6,18",
    goals: [{ kind: "holds", what: "pieces", n: 0 }],
    moves: 1,
    solution: ["32x14"],
    wrong: "32x9",
  },
  {
    key: "shot",
    position: "W:W20,21,22,23,25,28,29,32:B1,5,6,8,11,14,15",
    goals: [{ kind: "takes", n: 3 }],
    moves: 2,
    solution: ["22-18", "15x22", "25x18x9x2"],
    wrong: "22-17",
    answered: true,
  },
];
