// @ts-check
// The pictures of the rules of pool checkers, in which Black begins.

import { BEGINNING, CAPTURE, CHOICE, END, HUNT, KING, PASS, STAY } from "../draughts-pictures.js";
import { turnedLesson } from "../draughts-turned.js";

/** @type {import("../types.js").Lesson[]} */
export const lessons = [...BEGINNING, CAPTURE, CHOICE, PASS, KING, HUNT, STAY, END].map(turnedLesson);
