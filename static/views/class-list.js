// @ts-check
// The list of new pupils, as a teacher writes it: one a line, `Asha Juma` or `Asha Juma = ashaj`. No DOM.

/** @import { PupilWish } from "../core/types.js" */

/** The most pupils of one request. */
export const MOST_PUPILS = 500;

/**
 * The pupils of a text. Lines without anything are left out; `lines` has the number that the line of each pupil has in the text, from 1.
 * @param {string} text
 * @returns {{ pupils: PupilWish[], lines: number[] }}
 */
export function readList(text) {
  /** @type {PupilWish[]} */
  const pupils = [];
  /** @type {number[]} */
  const lines = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    pupils.push(readLine(line));
    lines.push(index + 1);
  }
  return { pupils, lines };
}

/** @param {string} line @returns {PupilWish} */
function readLine(line) {
  const sign = line.lastIndexOf("=");
  if (sign < 0) return { real_name: line.trim() };
  const [realName, name] = [line.slice(0, sign).trim(), line.slice(sign + 1).trim()];
  return name === "" ? { real_name: realName } : { real_name: realName, name };
}

/**
 * The place of a line in a text, for a selection.
 * @param {string} text
 * @param {number} line from 1
 * @returns {[start: number, end: number]}
 */
export function placeOf(text, line) {
  const before = text.split("\n").slice(0, line);
  const end = before.join("\n").length;
  return [end - (before.at(-1)?.length ?? 0), end];
}

/** The code of a card as groups of four signs. @param {string} code */
export const inGroups = (code) => (code.replaceAll(/[\s-]/g, "").match(/.{1,4}/g) ?? []).join("-");
