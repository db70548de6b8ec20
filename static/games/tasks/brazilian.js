// @ts-check
// The tasks of Brazilian draughts: captures, crowns and sacrifices. `tests/learn.test.js` plays the solution of each.

import { COMMON, SHOT } from "../draughts-tasks.js";

/** @type {import("../types.js").Task[]} */
export const tasks = [...COMMON, SHOT];
