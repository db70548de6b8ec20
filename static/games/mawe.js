// @ts-check
// Mawe!, its look and its input. The server or the WebAssembly rules judge moves; this file only reads positions.

import { svg } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { edgeNames, fileOf, name, rankOf, SIZE, squares } from "./grid.js";

/** @import { Game, GameMaker } from "./types.js" */
/** @import { Pieces } from "../board/state.js" */

/** @type {Game["parse"]} */
function parse(position) {
  const [board = "", turn] = position.split(" ");
  /** @type {Pieces} */
  const pieces = new Map();
  board.split("/").forEach((row, i) => {
    let file = 0;
    for (const letter of row) {
      const run = Number(letter);
      if (run > 0) {
        file += run;
        continue;
      }
      const upper = letter.toUpperCase();
      const isWhite = upper === "W";
      pieces.set(name(file, SIZE - 1 - i), {
        owner: isWhite ? "first" : "second",
        kind: isWhite ? "white-stone" : "black-stone",
        turned: letter !== upper,
      });
      file += 1;
    }
  });
  return { pieces, turn: turn?.startsWith("b") ? "second" : "first" };
}

/**
 * The pieces after a move, before the server has answered: the stone goes to its square, and the jumped stone is turned over.
 * @type {Game["preview"]}
 */
function preview(pieces, move) {
  const [from = "", to = ""] = path(move);
  const stone = pieces.get(from);
  if (!stone) return pieces;
  const next = new Map(pieces);
  next.delete(from);
  const over = name(fileOf(to) - Math.sign(fileOf(to) - fileOf(from)), rankOf(to) - Math.sign(rankOf(to) - rankOf(from)));
  const jumped = next.get(over);
  if (jumped) next.set(over, { ...jumped, turned: !jumped.turned });
  next.set(to, stone);
  return next;
}

/** @param {string} move */
const path = (move) => [move.slice(0, 2), move.slice(2, 4)];

/** @param {string} move */
const notation = (move) => path(move).join("–");

/** @type {Game["counted"]} */
function counted(pieces) {
  return [...pieces]
    .filter(([cell, { owner, turned }]) => !turned && rankOf(cell) === (owner === "first" ? SIZE - 1 : 0))
    .map(([cell]) => cell);
}

/** The outline of a river stone, seen from above and not quite round; the same on both sides. */
const OUTLINE = "M50 9C71 8 90 24 91 47C92 72 75 91 51 91C27 92 9 74 9 51C9 27 27 10 50 9Z";
const INNER = "M50 14C68 13 85 27 86 47C87 68 72 84 51 84C30 85 15 70 15 50C15 29 30 15 50 14Z";

/** @param {string} shade @returns {ReturnType<Game["draw"]>} */
function draw(shade) {
  const front = svg(
    "svg",
    { viewBox: "0 0 100 100", class: `stone ${shade}` },
    svg("path", { class: "edge", d: OUTLINE }),
    svg("path", { class: "body", d: INNER }),
    svg("ellipse", { class: "shine", cx: 41, cy: 33, rx: 19, ry: 11, transform: "rotate(-24 41 33)" }),
    svg("path", { class: "grain", d: "M30 62q3 1 5 0M58 71q4 1 6-1M66 50q3-1 5 1M47 56q2 1 4 0M38 47q2-1 3 0M60 36q2 1 4 0" }),
  );
  // The other side is the flat underside, with a cross cut into it.
  const back = svg(
    "svg",
    { viewBox: "0 0 100 100", class: `stone ${shade} underside` },
    svg("path", { class: "edge", d: OUTLINE }),
    svg("path", { class: "body", d: INNER }),
    svg("path", { class: "rim", d: "M50 22C64 21 78 32 79 47C80 63 68 76 51 76C35 77 23 65 23 50C23 33 34 23 50 22Z" }),
    svg("path", { class: "cut light", d: "M36 37L66 65M66 36L36 65" }),
    svg("path", { class: "cut", d: "M35 35L65 63M65 34L35 63" }),
  );
  return { front, back };
}

/** @type {GameMaker} */
export const mawe = (entry) => ({
  ...entry,
  start: "BBBBBBBB/8/8/8/8/8/8/WWWWWWWW w",
  picture: "2B3B1/3W4/B2b1BW1/2w1W3/3B2b1/1W1w1B2/4W3/W4B1W w",
  recorded:
    "d1f3 g8f7 f3g4 f8g7 g1h2 g7h6 g4h5 f7e6 c1b2 e6f5 b2a3 c8b7 h2g3 b7a6 g3h4 b8c7 a3b4 f5d3 b4c5 c7b6 f1c4 h6f4 e1d2 " +
    "f4g3 d2a5 g3f2 a5c7 a6c6 h4g5 b6a5 h1b7 e8b5 c5f8 c6e4 b1c2 b5a4 h5e8 f2g1 c4g8 a5e1 a1g7 a4d1 b7c8 d8b8 g5d8 e4h1",
  pace: 220,
  showsCounted: true,
  layout: () => ({
    width: SIZE,
    height: SIZE,
    ground: "wood",
    fixed: false,
    rows: squares(
      (y) => SIZE - 1 - y,
      (x, y) => `${(x + y) % 2 === 0 ? "light" : "dark"}${y === 0 || y === SIZE - 1 ? " goal" : ""}`,
    ),
  }),
  parse,
  preview,
  steps: () => [],
  path,
  attempt: (cells) => (cells.length === 2 ? cells.join("") : null),
  notation,
  spoken: notation,
  counted,
  tally(pieces) {
    const home = counted(pieces).map((cell) => pieces.get(cell)?.owner);
    return { first: home.filter((owner) => owner === "first").length, second: home.filter((owner) => owner === "second").length };
  },
  stuck: (piece) => (piece.turned ? "pinned" : null),
  bound: () => null,
  draw: ({ owner }) => draw(entry.marks[owner]),
  cellName(cell, piece) {
    if (!piece) return t("board.cell.empty", { cell: cell.id });
    return t(`game.mawe.cell.${piece.owner}${piece.turned ? ".pinned" : ""}`, { cell: cell.id });
  },
  coords: edgeNames,
});
