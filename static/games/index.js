// @ts-check
// The games of this page. A game is one file; `types.js` has its type.

import { checkers } from "./checkers.js";
import { congkak } from "./congkak.js";
import { kalah } from "./kalah.js";
import { mawe } from "./mawe.js";
import { oware } from "./oware.js";
import { reversi } from "./reversi.js";

/** @import { Game } from "./types.js" */

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
