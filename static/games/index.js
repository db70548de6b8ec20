// @ts-check
// The games of this page. A game is one file of the type below.

import { checkers } from "./checkers.js";
import { congkak } from "./congkak.js";
import { kalah } from "./kalah.js";
import { mawe } from "./mawe.js";
import { oware } from "./oware.js";
import { reversi } from "./reversi.js";

/** @import { Seats, Side } from "../core/types.js" */
/** @import { Cell, BoardState, Layout, Piece, Pieces } from "../board/state.js" */

/**
 * An option of a match: `key=value` in the setup, left out for the standard value. Its texts in the catalogues are `option.KEY.title` and
 * `game.ID.option.KEY.VALUE`, or `option.KEY` for any number. An option without `values` is shown but not offered. A rated match is played
 * with `rated`, if that is given. An option with `needs` is offered only with these values of other options, and one with `server` only for
 * a match on the server.
 * @typedef {{ key: string, values: string[], standard: string, rated?: string, needs?: Record<string, string>, server?: boolean }} SetupOption
 */

/**
 * A round of a match.
 * @typedef {Object} Round
 * @property {number} number counted from 1
 * @property {number} of the most rounds of the match
 * @property {Seats<number>} owned the seeds of each side at its beginning
 * @property {number} ply the number of plies before it
 */

/**
 * @typedef {Object} Game
 * @property {string} id its name on the wire
 * @property {string} start the standard position before the first ply
 * @property {string} picture a position from a match, for the home page
 * @property {SetupOption[]} options
 * @property {Seats<string>} marks the sign beside each side's name: `light` or `dark`, `near` or `far`
 * @property {Seats<string>} codes the name of each side in a result of the rules
 * @property {boolean} lifts whether a move begins by lifting a piece; else a move is one cell
 * @property {number} pace the duration of each step of a move, in milliseconds
 * @property {boolean} [sows] whether its steps sow seeds: they have a speed setting of their own
 * @property {(setup: string) => Layout} layout
 * @property {(position: string) => { pieces: Pieces, turn: Side }} parse reads the position notation
 * @property {(move: string, side: Side) => string[]} path the cells that make a move, in the order they are chosen; none for a pass
 * @property {(cells: string[], side: Side) => string | null} attempt the move of a choice of cells, legal or not; null if it makes no move
 * @property {(pieces: Pieces, move: string, side: Side) => Pieces} preview the pieces after a legal move, until the server has answered
 * @property {(pieces: Pieces, move: string, side: Side) => Pieces[]} steps the pieces at each step before that; none for a move of one step
 * @property {(move: string) => string} notation a move as text for the reader
 * @property {(move: string) => string} spoken a move as text for a screen reader
 * @property {(pieces: Pieces) => string[]} counted the cells that count at the end
 * @property {(setup: string, positions: string[]) => Round | null} [round] the round of the last of these positions, the first of which
 *   begins the match; null where the setup has no rounds
 * @property {(pieces: Pieces) => Seats<number>} tally the current count of each side
 * @property {(piece: Piece) => string | null} stuck the reason why a piece on the board cannot move at all, as a code of the rules
 * @property {(pieces: Pieces, legal: string[], side: Side) => string | null} bound the reason why a side has so few moves, as a code of the
 *   rules
 * @property {(piece: Piece) => { front: SVGElement, back: SVGElement | null }} draw
 * @property {(cell: Cell, piece: Piece | undefined, you: Side | null) => string} cellName `you` is the player's side, whose pieces are
 *   named as theirs
 * @property {(cell: Cell, state: BoardState) => string[]} coords
 */

/** Every game, in the order of the menu. */
export const GAMES = [mawe, reversi, checkers, kalah, oware, congkak];

/** The computer's levels in each game are 1 to this number; a test compares it with the engine's (`Level::MAX`). */
export const LEVELS = 10;

/** @type {Map<string, Game>} */
const byId = new Map(GAMES.map((game) => [game.id, game]));

/**
 * @param {string} id
 * @returns {Game | undefined}
 */
export const gameOf = (id) => byId.get(id);
