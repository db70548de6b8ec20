// @ts-check
// The games this page can show. A game is one file; what it must say is the type below.

import { checkers } from "./checkers.js";
import { congkak } from "./congkak.js";
import { kalah } from "./kalah.js";
import { mawe } from "./mawe.js";
import { oware } from "./oware.js";
import { reversi } from "./reversi.js";

/** @import { Seats, Side } from "../core/types.js" */
/** @import { Cell, BoardState, Layout, Piece, Pieces } from "../board/state.js" */

/**
 * What a match can be set up with: `key=value` in the setup, left out where it is the standard. Its words are the catalogues'
 * `option.KEY.title` and `game.ID.option.KEY.VALUE`, or `option.KEY` for any number. One without `values` is told, not offered. A rated
 * match is played with `rated`, where that is said. One with `needs` goes only with these values of other options, and one with `server`
 * only with a match that the server makes.
 * @typedef {{ key: string, values: string[], standard: string, rated?: string, needs?: Record<string, string>, server?: boolean }} SetupOption
 */

/**
 * A round of a match.
 * @typedef {Object} Round
 * @property {number} number counted from 1
 * @property {number} of how many there are at most
 * @property {Seats<number>} owned what each side owned when it began
 * @property {number} ply how many plies were played before it
 */

/**
 * @typedef {Object} Game
 * @property {string} id as on the wire
 * @property {string} start the standard position before the first ply
 * @property {string} picture a moment of a match, for the front door
 * @property {SetupOption[]} options
 * @property {Seats<string>} marks the sign beside each side's name: `light` or `dark`, `near` or `far`
 * @property {Seats<string>} codes how the rules call each side in a result
 * @property {boolean} lifts whether a move begins by taking up a piece; else a move is one cell
 * @property {number} pace how long each step of a move is shown, in milliseconds
 * @property {boolean} [sows] whether its steps are seeds that are sown: they have a speed of their own
 * @property {(setup: string) => Layout} layout
 * @property {(position: string) => { pieces: Pieces, turn: Side }} parse reads the position notation
 * @property {(move: string, side: Side) => string[]} path the cells that make a move, in the order they are chosen; none for a pass
 * @property {(cells: string[], side: Side) => string | null} attempt the move that a choice of cells asks for, legal or not; null where it asks nothing
 * @property {(pieces: Pieces, move: string, side: Side) => Pieces} preview how a legal move will look until the server has answered
 * @property {(pieces: Pieces, move: string, side: Side) => Pieces[]} steps what is to be seen on the way there; nothing for a move of one step
 * @property {(move: string) => string} notation a move as people read it
 * @property {(move: string) => string} spoken a move as people say it
 * @property {(pieces: Pieces) => string[]} counted the cells that count at the end
 * @property {(setup: string, positions: string[]) => Round | null} [round] which round of a match the last of these positions is of, the first being where the match began; null where the setup is of no match
 * @property {(pieces: Pieces) => Seats<number>} tally what each side has to show for now
 * @property {(piece: Piece) => string | null} stuck why a piece that stands there cannot be moved at all, as a code of the rules
 * @property {(pieces: Pieces, legal: string[], side: Side) => string | null} bound what leaves a side so little choice, as a code of the rules
 * @property {(piece: Piece) => { front: SVGElement, back: SVGElement | null }} draw
 * @property {(cell: Cell, piece: Piece | undefined, you: Side | null) => string} cellName for a player, what is theirs is called so
 * @property {(cell: Cell, state: BoardState) => string[]} coords
 */

/** Every game, in the order of the menu. */
export const GAMES = [mawe, reversi, checkers, kalah, oware, congkak];

/** The computer's levels in each game, from 1 to this; the engine has as many (`Level::MAX`), which a test compares. */
export const LEVELS = 10;

/** @type {Map<string, Game>} */
const byId = new Map(GAMES.map((game) => [game.id, game]));

/**
 * @param {string} id
 * @returns {Game | undefined}
 */
export const gameOf = (id) => byId.get(id);
