// @ts-check
// The tasks of Congkak: relay sowing, tembak, and the own store. `tests/learn.test.js` plays the solution of each.

/** @import { Task } from "../types.js" */

/** @type {Task[]} */
export const tasks = [
  {
    key: "again",
    position: "7,7,7,7,7,7,7,0/7,7,7,7,7,7,7,0 s",
    goals: [{ kind: "again" }],
    moves: 1,
    solution: ["1"],
    wrong: "2",
  },
  {
    key: "relay",
    position: "2,3,0,1,1,0,2,40/0,0,0,0,1,0,0,48 s",
    goals: [{ kind: "gains", n: 10 }],
    moves: 1,
    solution: ["1"],
    wrong: "2",
  },
  {
    key: "tembak",
    position: "1,0,0,0,0,0,4,40/0,2,0,0,0,5,3,43 s",
    goals: [{ kind: "gains", n: 6 }],
    moves: 1,
    solution: ["1"],
    wrong: "7",
  },
  {
    key: "twice",
    position: "0,0,1,2,0,0,1,36/5,0,1,1,0,0,0,51 s",
    goals: [{ kind: "gains", n: 7 }],
    moves: 2,
    solution: ["7", "3"],
    wrong: "3",
  },
  {
    key: "hold",
    position: "0,2,0,0,0,6,2,52/1,0,0,1,0,0,2,32 s",
    goals: [{ kind: "holds", what: "store", n: 1 }],
    moves: 1,
    solution: ["6"],
    wrong: "2",
  },
  {
    key: "last",
    position: "0,0,0,0,0,1,1,46/4,0,0,0,0,0,0,46 s",
    goals: [{ kind: "wins" }],
    moves: 2,
    solution: ["7", "6"],
    wrong: "6",
  },
];
