// @ts-check
// Recorded games for the home page, where nobody plays: the engine against itself from an opening of three random plies, with 40,000 to
// 120,000 positions a move. A test plays each to its end by the rules.

import { other } from "../core/time.js";

/** @import { GameKind, Side } from "../core/types.js" */
/** @import { Pieces } from "../board/state.js" */
/** @import { Game } from "./types.js" */

/** @typedef {{ game: GameKind, moves: string }} Recorded `moves`: with `+` before a move of the side that has made the move before it */

/** @type {Recorded[]} */
export const RECORDED = [
  {
    game: "mawe",
    moves:
      "d1f3 g8f7 f3g4 f8g7 g1h2 g7h6 g4h5 f7e6 c1b2 e6f5 b2a3 c8b7 h2g3 b7a6 g3h4 b8c7 a3b4 f5d3 b4c5 c7b6 f1c4 h6f4 e1d2 " +
      "f4g3 d2a5 g3f2 a5c7 a6c6 h4g5 b6a5 h1b7 e8b5 c5f8 c6e4 b1c2 b5a4 h5e8 f2g1 c4g8 a5e1 a1g7 a4d1 b7c8 d8b8 g5d8 e4h1",
  },
  {
    game: "reversi",
    moves:
      "f5 d6 c4 d3 c3 f4 c5 b3 c2 e6 b4 f3 e3 e2 f2 d2 c1 a4 e1 c6 a3 g6 a5 b2 b5 d1 b6 a2 e7 g3 f6 g4 g5 c7 h5 h4 h6 d7 a1 " +
      "e8 f7 h7 f8 g8 d8 c8 h2 g7 b7 a8 b8 b1 h8 h3 g2 h1 g1 f1 a7 a6",
  },
  {
    game: "checkers",
    moves:
      "9-14 22-18 5-9 24-19 11-15 18x11 8x15x24 28x19 4-8 25-22 8-11 22-18 11-16 29-25 7-11 18-15 11x18 21-17 14x21 23x14x5 " +
      "16x23 26x19 3-7 31-26 7-11 25-22 11-15 27-24 6-9 26-23 9-14 32-28 2-6 24-20 15x24 28x19 10-15 19x10 6x15 22-17 15-18 " +
      "17x10 18x27 10-7 27-31 7-3 31-27 3-7 27-23 7-10 23-18 30-26 21-25 26-22 18-23 22-17 23-18 17-13 25-30 13-9 30-26 9-6 " +
      "26-23 6-2 23-19 2-6 19-23 6-2 18-22 2-6 22-26 6-2 23-18 2-7 26-23 7-2",
  },
  {
    game: "kalah",
    moves: "1 3 +6 3 2 +6 +4 3 6 +1 4 3 5 6 +4 2 6 +3 1 2 6 5 +1 5 2 4 5 6 +5 3 +5 6",
  },
  {
    game: "oware",
    moves:
      "1 6 6 2 3 3 6 2 3 3 1 6 1 1 4 4 3 3 1 6 4 4 2 4 5 5 5 4 1 2 1 5 1 1 4 1 3 4 4 5 5 3 1 5 4 4 3 5 5 6 5 1 3 5 4 2 1 3 3 " +
      "1 5 2 2 2 5 6 2 3 3 1 1 2 4 1 5 2 2 5 6 4 3 2 5 4 4 3 5 4 2 6 2 5 4 6 6 3 5 4 3 2 5 3 4 4 2 6 1 3 5 4 2 2 4 5 2 3 5 4 " +
      "3 1 4 5 1 2 6 4 5 3 2 4 3 6",
  },
  {
    game: "congkak",
    moves: "7 5 +6 +1 +7 +7 +4 +3 +4 6 1 4 6 +7 +3 5 2 6 +7 +3 3 +1 7 +6 3 5",
  },
];

/**
 * The plies of a recorded game from its start, with the pieces before and after each.
 * @param {Game} game
 * @param {string} moves
 */
export function pliesOf(game, moves) {
  /** @type {{ move: string, side: Side, before: Pieces, pieces: Pieces }[]} */
  const plies = [];
  for (const word of moves.split(" ")) {
    const last = plies.at(-1);
    const again = word.startsWith("+");
    const move = again ? word.slice(1) : word;
    const side = last ? (again ? last.side : other(last.side)) : "first";
    const before = last?.pieces ?? game.parse(game.start).pieces;
    plies.push({ move, side, before, pieces: game.preview(before, move, side) });
  }
  return plies;
}
