// @ts-check
// The tasks of Reversi: lines, corners, passes. `tests/learn.test.js` plays the solution of each.

/** @import { Task } from "../types.js" */

/** @type {Task[]} */
export const tasks = [
  {
    key: "flip",
    position: "------------------XOOO------------XO---------------------------- X",
    goals: [{ kind: "gains", n: 4 }],
    moves: 1,
    solution: ["g3"],
    wrong: "e5",
  },
  {
    key: "lines",
    position: "-----------------XOO-------OO-----X-O-------XX------------------ X",
    goals: [{ kind: "gains", n: 6 }],
    moves: 1,
    solution: ["e3"],
    wrong: "b2",
  },
  {
    key: "corner",
    position: "--------------------------XXXO-----XOO-------O-------XO--------- X",
    goals: [{ kind: "stands", cell: "h8" }],
    moves: 1,
    solution: ["h8"],
    wrong: "e6",
  },
  {
    key: "deny",
    position: "------------------X--------XOO-----XOO-----O-X--------X--------- X",
    goals: [{ kind: "denies", moves: ["a1", "h1", "a8", "h8"] }],
    moves: 1,
    solution: ["g5"],
    wrong: "d7",
  },
  {
    key: "pass",
    position: "----OXXOX-OOOOOO-OOOXXXOO-OXOXXOXXOOXOOOXXOXOOOOXXXOOOOOXXXXXXX- X",
    goals: [{ kind: "passes" }],
    moves: 1,
    solution: ["h8"],
    wrong: "a3",
  },
  {
    key: "win",
    position: "----------X-------X-----XXXXX-----OXX-----OXX-----O------------- X",
    goals: [{ kind: "wins" }],
    moves: 1,
    solution: ["c8"],
    wrong: "b7",
  },
];
