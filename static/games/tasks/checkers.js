// @ts-check
// The tasks of American checkers: captures, crowns and sacrifices. `tests/learn.test.js` plays the solution of each.

/** @import { Task } from "../types.js" */

/** @type {Task[]} */
export const tasks = [
  {
    key: "three",
    position: "B:W10,18,27,30:B6,7",
    goals: [{ kind: "takes", n: 3 }],
    moves: 1,
    solution: ["7x14x23x32"],
    wrong: "6x15x22",
  },
  {
    key: "crown",
    texts: "draughts",
    position: "B:W12,31:B10,27",
    goals: [{ kind: "crowns" }],
    moves: 1,
    solution: ["27-32"],
    wrong: "10-14",
  },
  {
    key: "safe",
    position: "B:W18,22:B10,11",
    goals: [{ kind: "holds", what: "pieces", n: 0 }],
    moves: 1,
    solution: ["11-16"],
    wrong: "10-14",
  },
  {
    key: "trade",
    texts: "draughts",
    position: "B:W12,17,18,26,29:B5,9,10",
    goals: [{ kind: "takes", n: 2 }],
    moves: 2,
    solution: ["9-14", "18x9", "5x14x21"],
    wrong: "10-15",
    answered: true,
  },
  {
    key: "king",
    position: "B:W6,14,15:BK18",
    goals: [{ kind: "takes", n: 2 }],
    moves: 1,
    solution: ["18x9x2"],
    wrong: "18x11",
  },
  {
    key: "block",
    texts: "draughts",
    position: "B:W20:B11,12",
    goals: [{ kind: "wins" }],
    moves: 1,
    solution: ["12-16"],
    wrong: "11-15",
  },
];
