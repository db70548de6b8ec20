// @ts-check
// The tools and odds that games of single pieces share.

/** @import { Edited, Odds, Tool } from "../types.js" */
/** @import { Piece, Pieces } from "../../board/state.js" */
/** @import { Side } from "../../core/types.js" */

/** @param {Piece | undefined} a @param {Piece} b */
const isSame = (a, b) => a?.owner === b.owner && a.kind === b.kind && a.turned === b.turned;

/** A tool that puts a piece on a cell, and takes away the same piece. @param {string} name @param {Piece} piece @returns {Tool} */
export const pieceTool = (name, piece) => ({ name, piece, put: (here) => (isSame(here, piece) ? undefined : piece) });

/** @type {Tool} */
export const ERASER = { name: "empty", put: () => undefined };

/**
 * Odds that take one piece of a side away.
 * @param {Side} side
 * @param {(pieces: Pieces) => string | undefined} choose the cell of the piece
 * @returns {Odds}
 */
export const oneFewer = (side, choose) => ({
  key: "fewer",
  side,
  apply(edited) {
    const cell = choose(edited.pieces);
    if (cell === undefined) return null;
    const pieces = new Map(edited.pieces);
    pieces.delete(cell);
    return { ...edited, pieces };
  },
});

/** A game whose positions say nothing but pieces and turn. @param {(position: string) => Omit<Edited, "note">} parse */
export const plainRead = (parse) => (/** @type {string} */ position) => ({ ...parse(position), note: "" });

/** A game that writes more behind the letter of the side to move: that is the note. @param {(position: string) => Omit<Edited, "note">} parse */
export const notedRead = (parse) => (/** @type {string} */ position) => ({
  ...parse(position),
  note: (position.split(" ")[1] ?? "").slice(1),
});
