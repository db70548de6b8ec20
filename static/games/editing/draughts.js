// @ts-check
// Positions of American checkers and of the draughts family, as in Portable Draughts Notation: the side to move, White's squares, Black's.

import { ERASER, oneFewer, pieceTool, plainRead } from "./pieces.js";

/** @import { Editing, Game } from "../types.js" */
/** @import { Piece, Pieces } from "../../board/state.js" */
/** @import { Side } from "../../core/types.js" */

const KINDS = { W: "white-man", B: "black-man" };

/** The squares of a side in ascending order. @param {Pieces} pieces @param {Side} side */
const squaresOf = (pieces, side) =>
  [...pieces]
    .filter(([, { owner }]) => owner === side)
    .map(([cell]) => Number(cell))
    .sort((a, b) => a - b);

/** @param {Game} game @returns {Editing} */
export function draughtsEditing(game) {
  const sideOf = (/** @type {"W" | "B"} */ letter) => /** @type {Side} */ (game.codes.first === letter ? "first" : "second");

  /** @param {Pieces} pieces @param {"W" | "B"} letter */
  const list = (pieces, letter) =>
    squaresOf(pieces, sideOf(letter)).map((square) => `${pieces.get(String(square))?.turned ? "K" : ""}${square}`);

  /** @param {"W" | "B"} letter @param {boolean} turned @returns {Piece} */
  const piece = (letter, turned) => ({ owner: sideOf(letter), kind: KINDS[letter], turned });

  /** The man nearest to its own edge of the board, before any king. @param {"W" | "B"} letter */
  const rearmost = (letter) => (/** @type {Pieces} */ pieces) => {
    const squares = squaresOf(pieces, sideOf(letter)).map(String);
    const fromEdge = letter === "W" ? squares.reverse() : squares;
    return fromEdge.find((square) => !pieces.get(square)?.turned) ?? fromEdge[0];
  };

  return {
    read: plainRead(game.parse),
    write: ({ pieces, turn }) => `${game.codes[turn]}:W${list(pieces, "W").join()}:B${list(pieces, "B").join()}`,
    empty: `${game.codes.first}:W:B`,
    tools: [
      pieceTool("light-man", piece("W", false)),
      pieceTool("dark-man", piece("B", false)),
      pieceTool("light-king", piece("W", true)),
      pieceTool("dark-king", piece("B", true)),
      ERASER,
    ],
    odds: [oneFewer(sideOf("W"), rearmost("W")), oneFewer(sideOf("B"), rearmost("B"))],
  };
}
