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
    game: "drafti",
    moves:
      "21-17 9-14 22-18 14x21 18-14 10x17 25-22 11-16 22x13 16-20 24-19 8-11 19-16 12x19 23x16 4-8 16-12 11-15 29-25 5-9 " +
      "25-22 9-14 26-23 8-11 22-17 15-18 17x10 7x14 23-19 11-16 19-15 18-22 15-10 6x15 31-26 22x31 13-9 31x24 28x19x10 16-19 " +
      "9-6 2x9 10-7 3x10 12-8 20-24 8-3 9-13 3-8 19-23 8-12 24-27 12x26 27-31 26-16 14-18 16-2 18-23 2-20 10-15 20-7 31-20 " +
      "7-3 20-24 3-7 24-31 7-20 15-19 20-11 19-24 11-15 24-27 15-24 21-25 30x21 23-26 32x23 31x20 23-18 20-24 18-14 1-5 14-9 " +
      "5x14 21-17 13x22",
  },
  {
    game: "brazilian",
    moves:
      "22-18 9-13 25-22 11-16 24-20 6-9 20x11 7x16 27-24 16-20 24-19 2-7 18-15 10-14 22-18 7-10 15x6 9x2 18x9 13x6 29-25 3-7 " +
      "25-22 6-9 21-17 9-13 23-18 2-6 26-23 8-11 30-26 11-16 19-15 7-11 15x8 4x11 17-14 11-15 18x11 16x7 32-27 6-10 22-17 " +
      "13x22 26x17 12-16 23-18 1-6 17-13 10x17 13x22 7-11 18-14 6-10 14x7 11x2 22-18 5-9 28-24 9-13 18-14 2-6 31-26 13-17 " +
      "14x21 6-10 21-17 10-15 26-23 16-19 23x16 20x11 27-23 11-16 24-20 15-19 20x11 19x26 17-14 26-31 14-9 31-20 11-8 20-16 " +
      "8-3 16-2 9-5 2-6 3-8 6-10 8-18 10-19 18-29 19-1 29-25",
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
