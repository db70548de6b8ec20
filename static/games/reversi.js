// @ts-check
// Reversi, its look and its input. A disc is dark on one side and light on the other, and shows its owner's colour.

import { svg } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { edgeNames, fileOf, name, rankOf, SIZE, squares } from "./grid.js";

/** @import { Game, GameMaker } from "./types.js" */
/** @import { Piece, Pieces } from "../board/state.js" */
/** @import { Side } from "../core/types.js" */

const PASS = "pass";
const AROUND = [
  [-1, -1],
  [0, -1],
  [1, -1],
  [-1, 0],
  [1, 0],
  [-1, 1],
  [0, 1],
  [1, 1],
];

/** @param {Side} owner @returns {Piece} */
const disc = (owner) => ({ owner, kind: "disc", turned: owner === "second" });

/** @type {Game["parse"]} */
function parse(position) {
  const [board = "", turn] = position.split(" ");
  /** @type {Pieces} */
  const pieces = new Map();
  [...board].forEach((letter, i) => {
    if (letter !== "-") pieces.set(name(i % SIZE, Math.floor(i / SIZE)), disc(letter === "X" ? "first" : "second"));
  });
  return { pieces, turn: turn === "O" ? "second" : "first" };
}

/** @type {Game["path"]} */
const path = (move) => (move === PASS ? [] : [move]);

/**
 * The new disc, and each line between it and another disc of its side turned over.
 * @type {Game["preview"]}
 */
function preview(pieces, move, side) {
  const [cell] = path(move, side);
  if (cell === undefined) return pieces;
  const next = new Map(pieces).set(cell, disc(side));
  for (const [dx = 0, dy = 0] of AROUND) {
    const line = [];
    for (let x = fileOf(cell) + dx, y = rankOf(cell) + dy; pieces.has(name(x, y)); x += dx, y += dy) {
      if (pieces.get(name(x, y))?.owner === side) {
        for (const turned of line) next.set(turned, disc(side));
        break;
      }
      line.push(name(x, y));
    }
  }
  return next;
}

/** @type {Game["notation"]} */
const notation = (move) => (move === PASS ? t("board.pass") : move);

/** @type {Game["draw"]} */
function draw() {
  const face = (/** @type {string} */ shade) =>
    svg(
      "svg",
      { viewBox: "0 0 100 100", class: `disc ${shade}` },
      svg("circle", { class: "edge", cx: 50, cy: 52, r: 42 }),
      svg("circle", { class: "body", cx: 50, cy: 49, r: 41 }),
      svg("circle", { class: "rim", cx: 50, cy: 49, r: 33 }),
      svg("ellipse", { class: "shine", cx: 40, cy: 34, rx: 17, ry: 9, transform: "rotate(-28 40 34)" }),
    );
  return { front: face("dark"), back: face("light") };
}

/** @type {GameMaker} */
export const reversi = (entry) => ({
  ...entry,
  start: "---------------------------OX------XO--------------------------- X",
  picture: "--------------X-OO-O--XXXXO---XOXOOO--XXOXOX---OXXX----O-X------ X",
  recorded:
    "f5 d6 c4 d3 c3 f4 c5 b3 c2 e6 b4 f3 e3 e2 f2 d2 c1 a4 e1 c6 a3 g6 a5 b2 b5 d1 b6 a2 e7 g3 f6 g4 g5 c7 h5 h4 h6 d7 a1 " +
    "e8 f7 h7 f8 g8 d8 c8 h2 g7 b7 a8 b8 b1 h8 h3 g2 h1 g1 f1 a7 a6",
  pace: 300,
  layout: () => ({
    width: SIZE,
    height: SIZE,
    ground: "moss",
    fixed: true,
    rows: squares(
      (y) => y,
      () => "plot",
    ),
  }),
  parse,
  path,
  attempt: ([cell]) => cell ?? null,
  preview,
  steps: () => [],
  notation,
  spoken: notation,
  counted: () => [],
  tally(pieces) {
    const first = [...pieces.values()].filter(({ owner }) => owner === "first").length;
    return { first, second: pieces.size - first };
  },
  stuck: () => null,
  bound: () => null,
  draw,
  cellName: (cell, piece) => (piece ? t(`game.reversi.cell.${piece.owner}`, { cell: cell.id }) : t("board.cell.empty", { cell: cell.id })),
  coords: edgeNames,
});
