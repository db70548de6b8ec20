// @ts-check
// A board of eight files and eight ranks, each square named by its letter and its number.

/** @import { BoardState, Cell } from "../board/state.js" */

const FILES = "abcdefgh";
export const SIZE = 8;

/** @param {number} file @param {number} rank both from 0 */
export const name = (file, rank) => `${FILES[file]}${rank + 1}`;

/** @param {string} cell */
export const fileOf = (cell) => FILES.indexOf(cell.charAt(0));

/** @param {string} cell */
export const rankOf = (cell) => Number(cell.charAt(1)) - 1;

/**
 * The squares, row by row from the top.
 * @param {(y: number) => number} rankAt the rank of each row
 * @param {(x: number, y: number) => string} tone
 * @returns {Cell[][]}
 */
export const squares = (rankAt, tone) =>
  Array.from({ length: SIZE }, (_, y) =>
    Array.from({ length: SIZE }, (_, x) => ({ id: name(x, rankAt(y)), x, y, w: 1, h: 1, tone: tone(x, y) })),
  );

/**
 * Letters along the bottom and numbers up the left side, in either orientation.
 * @param {Cell} cell
 * @param {BoardState} state
 */
export function edgeNames({ id, x, y }, { flipped }) {
  const edge = SIZE - 1;
  return [y === (flipped ? 0 : edge) ? id.charAt(0) : "", x === (flipped ? edge : 0) ? id.charAt(1) : ""];
}
