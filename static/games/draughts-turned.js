// @ts-check
// Pictures and tasks of the draughts on eight by eight with the sides exchanged, for a game in which Black begins and is shown below: each
// square becomes the one opposite.

/** @import { Lesson, Task } from "./types.js" */

/** @param {string} text */
const opposite = (text) => text.replace(/\d+/g, (square) => String(33 - Number(square)));

/** @param {string} list the pieces of one side, in ascending order as the other's are afterwards */
const pieces = (list) => opposite(list.slice(1)).split(",").reverse().join();

/** @param {string} position */
function exchanged(position) {
  const [turn, white = "", black = ""] = position.split(":");
  return `${turn === "W" ? "B" : "W"}:W${pieces(black)}:B${pieces(white)}`;
}

/** @param {Lesson} lesson @returns {Lesson} */
export const turnedLesson = ({ position, legal, move, ...rest }) => ({
  ...rest,
  position: exchanged(position),
  legal: legal.map(opposite).sort(),
  move: move === null ? null : opposite(move),
});

/** @param {Task} task @returns {Task} */
export const turnedTask = ({ position, solution, wrong, ...rest }) => ({
  ...rest,
  position: exchanged(position),
  solution: solution.map(opposite),
  wrong: opposite(wrong),
});
