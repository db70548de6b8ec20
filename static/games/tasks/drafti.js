// @ts-check
// The tasks of Drafti ya Kitanzania: captures, crowns and sacrifices. `tests/learn.test.js` plays the solution of each.

import { COMMON, THREE } from "../draughts-tasks.js";

/** @type {import("../types.js").Task[]} */
export const tasks = [
  THREE,
  ...COMMON,
  {
    key: "shot",
    texts: "draughts",
    position: "W:W20,21,22,23,25,28,29,32:B1,5,6,8,11,14,15",
    goals: [{ kind: "takes", n: 3 }],
    moves: 2,
    solution: ["22-18", "15x22", "25x18x9x2"],
    wrong: "22-17",
    answered: true,
  },
];
