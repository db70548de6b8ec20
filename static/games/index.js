// @ts-check
// The games this page can show. A game is one file; what it must say is the type below.

import { mawe } from "./mawe.js";

/** @import { Seats, Side } from "../core/types.js" */
/** @import { Cell, BoardState, Layout, Piece, Pieces } from "../board/state.js" */

/** @typedef {{ key: string, position: string, legal: string[], move: string | null }} Lesson */

/**
 * @typedef {Object} Game
 * @property {string} id as on the wire
 * @property {string} start the standard position before the first ply
 * @property {(setup: string) => Layout} layout
 * @property {(position: string) => { pieces: Pieces, turn: Side }} parse reads the position notation
 * @property {(move: string) => string[]} path the cells that make a move, in the order they are chosen
 * @property {(cells: string[]) => string | null} attempt the move that a choice of cells asks for, legal or not; null where it asks nothing
 * @property {(pieces: Pieces, move: string) => Pieces} preview how a legal move will look until the server has answered
 * @property {(move: string) => string} notation a move as people read it
 * @property {(pieces: Pieces) => string[]} counted the cells that count at the end
 * @property {(pieces: Pieces) => Seats<number>} tally what each side has to show for now
 * @property {(piece: Piece) => string | null} stuck why a piece that stands there cannot be moved at all, as a code of the rules
 * @property {(piece: Piece) => { front: SVGElement, back: SVGElement | null }} draw
 * @property {(cell: Cell, piece: Piece | undefined) => string} cellName
 * @property {(cell: Cell, state: BoardState) => string[]} coords
 * @property {Lesson[]} lessons the pictures of its rules page, in the order of the text
 */

/** Every game, in the order of the menu. */
export const GAMES = [mawe];

/** @type {Map<string, Game>} */
const byId = new Map(GAMES.map((game) => [game.id, game]));

/**
 * @param {string} id
 * @returns {Game | undefined}
 */
export const gameOf = (id) => byId.get(id);
