// @ts-check
// The tasks of pool checkers: captures, crowns and sacrifices. `tests/learn.test.js` plays the solution of each.

import { COMMON, SHOT, THREE } from "../draughts-tasks.js";
import { turnedTask } from "../draughts-turned.js";

/** @type {import("../types.js").Task[]} */
export const tasks = [THREE, ...COMMON, SHOT].map(turnedTask);
