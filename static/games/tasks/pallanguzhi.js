// @ts-check
// The tasks of Pallanguzhi: pasu in either row, the pit behind an empty one, relays, and the end of a round. Each has one solution.
// `tests/learn.test.js` plays it.

/** @import { Task } from "../types.js" */

/** @type {Task[]} */
export const tasks = [
  {
    key: "pasu",
    position: "0,0,3,1,0,3,0,27/0,0,0,0,3,0,0,47 s",
    goals: [{ kind: "gains", n: 4 }],
    moves: 1,
    solution: ["3"],
    wrong: "6",
  },
  {
    key: "theirs",
    position: "0,1,0,0,0,1,2,42/3,0,0,0,1,0,1,33 s",
    goals: [{ kind: "gains", n: 4 }],
    moves: 1,
    solution: ["7"],
    wrong: "6",
  },
  {
    key: "capture",
    position: "0,0,1,1,0,0,6,26/0,0,2,0,0,1,0,47 s",
    goals: [{ kind: "gains", n: 6 }],
    moves: 1,
    solution: ["4"],
    wrong: "3",
  },
  {
    key: "relay",
    position: "3,0,0,0,2,0,2,30/0,3,0,3,1,0,1,39 s",
    goals: [{ kind: "gains", n: 11 }],
    moves: 1,
    solution: ["7"],
    wrong: "1",
  },
  {
    key: "treasure",
    position: "0,1,0,1,0,1,1,24/0,0,20,0,1,0,1,34 s",
    goals: [{ kind: "gains", n: 20 }],
    moves: 1,
    solution: ["7"],
    wrong: "6",
  },
  {
    key: "hold",
    position: "3,0,1,3,0,0,0,35/0,0,0,2,0,0,1,39 s",
    goals: [{ kind: "holds", what: "store", n: 0 }],
    moves: 1,
    solution: ["1"],
    wrong: "3",
  },
  {
    key: "last",
    position: "2,0,2,0,2,0,3,27/0,3,1,3,0,0,0,41 s",
    goals: [{ kind: "wins" }],
    moves: 1,
    solution: ["5"],
    wrong: "7",
  },
  {
    key: "two",
    position: "0,0,0,2,0,2,0,38/3,0,0,1,0,0,0,38 s",
    goals: [{ kind: "wins" }],
    moves: 2,
    solution: ["4", "5", "5"],
    answered: true,
    wrong: "6",
  },
];
