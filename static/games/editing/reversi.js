// @ts-check
// Positions of Reversi: a sign for each of the 64 squares, row by row.

import { name, SIZE } from "../grid.js";
import { ERASER, pieceTool, plainRead } from "./pieces.js";

/** @import { Editing, Game, Odds } from "../types.js" */
/** @import { Piece } from "../../board/state.js" */
/** @import { Side } from "../../core/types.js" */

const SIGNS = { first: "X", second: "O" };
/** The corners in the order in which they are given as odds. */
const CORNERS = ["a1", "h8", "h1", "a8"];

/** @type {Editing["write"]} */
function write({ pieces, turn }) {
  const signs = Array.from({ length: SIZE * SIZE }, (_, i) => {
    const piece = pieces.get(name(i % SIZE, Math.floor(i / SIZE)));
    return piece ? SIGNS[piece.owner] : "-";
  });
  return `${signs.join("")} ${SIGNS[turn]}`;
}

/** @param {Side} owner @returns {Piece} */
const disc = (owner) => ({ owner, kind: "disc", turned: owner === "second" });

/** @param {Side} side @returns {Odds} */
const corner = (side) => ({
  key: "corner",
  side,
  apply(edited) {
    const free = CORNERS.find((cell) => !edited.pieces.has(cell));
    return free === undefined ? null : { ...edited, pieces: new Map(edited.pieces).set(free, disc(side)) };
  },
});

/** @param {Game} game @returns {Editing} */
export const reversiEditing = (game) => ({
  read: plainRead(game.parse),
  write,
  empty: `${"-".repeat(SIZE * SIZE)} X`,
  tools: [pieceTool("dark-disc", disc("first")), pieceTool("light-disc", disc("second")), ERASER],
  odds: [corner("first"), corner("second")],
});
