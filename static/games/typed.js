// @ts-check
// Reads a typed move: in the notation of the move list, or shorter.

/** @import { Side } from "../core/types.js" */
/** @import { Game } from "./types.js" */

/** The cells that a text contains: "C1 – e3", "11x18x25", "house 3". @param {string} text */
const named = (text) => text.toLowerCase().match(/[a-h]\d+|\d+/g) ?? [];

/** @param {string[]} a @param {string[]} b */
const same = (a, b) => a.length === b.length && a.every((cell, i) => cell === b[i]);

/**
 * The legal move with exactly these cells, or the only one from the first of two cells to the second.
 * @param {string[]} cells
 * @param {string[]} legal
 * @returns {string | null}
 */
export function meantMove(cells, legal) {
  if (cells.length === 0) return null;
  const exact = legal.find((move) => same(named(move), cells));
  if (exact !== undefined || cells.length !== 2) return exact ?? null;
  const ways = legal.filter((move) => named(move)[0] === cells[0] && named(move).at(-1) === cells[1]);
  return ways.length === 1 ? (ways[0] ?? null) : null;
}

/**
 * The move of a text: a legal one; an illegal one, which the server refuses with a reason; or none that this game can read.
 * @param {Game} game
 * @param {string} text
 * @param {string[]} legal
 * @param {Side} side
 * @returns {{ kind: "move" | "attempt", move: string } | { kind: "unclear" }}
 */
export function typedMove(game, text, legal, side) {
  if (game.read) {
    const wish = game.read(text, legal);
    return wish === null ? { kind: "unclear" } : { kind: legal.includes(wish) ? "move" : "attempt", move: wish };
  }
  const words = named(text);
  const move = meantMove(words, legal);
  if (move !== null) return { kind: "move", move };
  const known = new Set(
    game
      .layout("")
      .rows.flat()
      .map(({ id }) => id),
  );
  // The houses of a row are numbered; all other cells are called by their names.
  const cells = words.every((word) => known.has(word)) ? words : words.slice(0, 1).flatMap((word) => game.path(word, side));
  const wanted = cells.length >= (game.lifts ? 2 : 1) && cells.every((cell) => known.has(cell)) ? game.attempt(cells, side) : null;
  return wanted === null ? { kind: "unclear" } : { kind: "attempt", move: wanted };
}
