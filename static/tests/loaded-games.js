// @ts-check
// Every game with all that draws its board, for tests.

import { GAMES as ENTRIES, loadGame } from "../games/index.js";

/** In the order of the menu. */
export const GAMES = await Promise.all(ENTRIES.map(({ id }) => loadGame(id)));

/** @param {string} id */
export const gameOf = (id) => GAMES.find((game) => game.id === id);
