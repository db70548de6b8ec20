// @ts-check
// The tasks of Oware: captures, feeding and grand slams. `tests/learn.test.js` plays the solution of each.

/** @import { Task } from "../types.js" */

/** @type {Task[]} */
export const tasks = [
  {
    key: "capture",
    position: "2,0,3,0,0,1,15/2,0,4,0,3,1,17 s",
    goals: [{ kind: "gains", n: 3 }],
    moves: 1,
    solution: ["6"],
    wrong: "1",
  },
  {
    key: "chain",
    position: "0,4,0,0,0,3,14/1,2,1,0,0,5,18 s",
    goals: [{ kind: "gains", n: 7 }],
    moves: 1,
    solution: ["6"],
    wrong: "2",
  },
  {
    key: "feed",
    position: "4,0,0,0,3,1,18/0,0,0,0,0,0,22 s",
    goals: [{ kind: "feeds", n: 2 }],
    moves: 1,
    solution: ["5"],
    wrong: "6",
  },
  {
    key: "slam",
    position: "0,0,0,0,2,2,20/1,1,0,0,0,0,22 s",
    goals: [{ kind: "gains", n: 2 }],
    moves: 1,
    solution: ["5"],
    wrong: "6",
  },
  {
    key: "save",
    position: "2,0,0,5,0,0,15/0,0,0,3,0,1,22 s",
    goals: [{ kind: "holds", what: "store", n: 0 }],
    moves: 1,
    solution: ["1"],
    wrong: "4",
  },
  {
    key: "win",
    position: "0,0,2,0,0,1,23/1,0,4,0,3,0,14 s",
    goals: [{ kind: "wins" }],
    moves: 1,
    solution: ["6"],
    wrong: "3",
  },
];
