// @ts-check

/** @import { Lesson } from "../index.js" */

/** @type {Lesson[]} */
export const lessons = [];
