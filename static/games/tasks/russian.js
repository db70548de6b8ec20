// @ts-check
// The tasks of Russian draughts: captures, crowns and sacrifices. `tests/learn.test.js` plays the solution of each.

import { COMMON, SHOT, THREE } from "../draughts-tasks.js";

/** @type {import("../types.js").Task[]} */
export const tasks = [
  THREE,
  ...COMMON,
  {
    key: "onward",
    position: "W:W12,23:B7,8,16,26",
    goals: [{ kind: "takes", n: 3 }],
    moves: 1,
    solution: ["12x3x17x31"],
    wrong: "12x19",
  },
  SHOT,
];
