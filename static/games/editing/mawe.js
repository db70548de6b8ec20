// @ts-check
// Positions of Mawe!: the ranks from the top, runs of empty squares as numbers, pinned stones in lower case; the note is the mark of the form.

import { name, rankOf, SIZE } from "../grid.js";
import { ERASER, notedRead, oneFewer, pieceTool } from "./pieces.js";

/** @import { Editing, Game } from "../types.js" */
/** @import { Pieces } from "../../board/state.js" */
/** @import { Side } from "../../core/types.js" */

const LETTERS = { first: "W", second: "B" };
const RANKS = Array.from({ length: SIZE }, (_, i) => SIZE - 1 - i);

/** @type {Editing["write"]} */
function write({ pieces, turn, note }) {
  const rows = RANKS.map((rank) => {
    const letters = Array.from({ length: SIZE }, (_, file) => {
      const piece = pieces.get(name(file, rank));
      if (!piece) return " ";
      return piece.turned ? LETTERS[piece.owner].toLowerCase() : LETTERS[piece.owner];
    });
    return letters.join("").replace(/ +/g, (run) => String(run.length));
  });
  return `${rows.join("/")} ${LETTERS[turn].toLowerCase()}${note}`;
}

/** A stone at home, the last by its file. @param {Side} side @returns {(pieces: Pieces) => string | undefined} */
const lastAtHome = (side) => (pieces) => {
  const home = side === "first" ? 0 : SIZE - 1;
  return [...pieces]
    .filter(([cell, { owner }]) => owner === side && rankOf(cell) === home)
    .map(([cell]) => cell)
    .sort()
    .at(-1);
};

/** @param {Game} game @returns {Editing} */
export const maweEditing = (game) => ({
  read: notedRead(game.parse),
  write,
  empty: "8/8/8/8/8/8/8/8 w",
  tools: [
    ...[false, true].flatMap((turned) => [
      pieceTool(turned ? "light-pinned" : "light-stone", { owner: "first", kind: "white-stone", turned }),
      pieceTool(turned ? "dark-pinned" : "dark-stone", { owner: "second", kind: "black-stone", turned }),
    ]),
    ERASER,
  ],
  odds: [oneFewer("first", lastAtHome("first")), oneFewer("second", lastAtHome("second"))],
});
