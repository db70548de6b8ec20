// @ts-check
// The tasks of Kalah: the own store, captures, and the end of a row. `tests/learn.test.js` plays the solution of each.

/** @import { Task } from "../types.js" */

/** @type {Task[]} */
export const tasks = [
  {
    key: "again",
    position: "4,4,4,4,4,4,0/4,4,4,4,4,4,0 s",
    goals: [{ kind: "again" }],
    moves: 1,
    solution: ["3"],
    wrong: "1",
  },
  {
    key: "capture",
    position: "4,0,1,0,2,0,10/4,1,5,4,1,4,12 s",
    goals: [{ kind: "gains", n: 6 }],
    moves: 1,
    solution: ["3"],
    wrong: "1",
  },
  {
    key: "twice",
    position: "3,0,0,0,1,1,12/6,2,1,3,4,2,13 s",
    goals: [{ kind: "gains", n: 8 }],
    moves: 2,
    solution: ["6", "5"],
    wrong: "5",
  },
  {
    key: "hold",
    position: "1,0,0,6,0,2,12/0,1,0,2,0,3,21 s",
    goals: [{ kind: "holds", what: "store", n: 1 }],
    moves: 1,
    solution: ["4"],
    wrong: "1",
  },
  {
    key: "last",
    position: "0,0,1,0,0,2,20/0,0,5,0,0,0,20 s",
    goals: [{ kind: "wins" }],
    moves: 1,
    solution: ["3"],
    wrong: "6",
  },
];
