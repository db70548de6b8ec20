// @ts-check
// The tasks of Brazilian draughts: captures, crowns and sacrifices. `tests/learn.test.js` plays the solution of each.

import { COMMON } from "../draughts-tasks.js";

/** @type {import("../types.js").Task[]} */
export const tasks = [
  ...COMMON,
  {
    key: "shot",
    position: "W:W12,16,20,21,23,24,29,31:B3,4,5,6,7,8,15",
    goals: [{ kind: "takes", n: 3 }],
    moves: 2,
    solution: ["16-11", "7x16", "12x19x10x1"],
    wrong: "31-27",
    answered: true,
  },
];
