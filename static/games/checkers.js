// @ts-check
// American checkers, its look and its input: thirty-two dark squares, numbered from Black's home row. A crowned man is turned over: a king
// is two men on each other, with a crown.

import { svg } from "../core/dom.js";
import { number, t } from "../core/i18n.js";

/** @import { Game, GameMaker } from "./types.js" */
/** @import { Cell, Pieces } from "../board/state.js" */
/** @import { Side } from "../core/types.js" */

const ROWS = 8;
const IN_A_ROW = 4;
/** The men of each side at the start. */
const MEN = 12;

/** Black's view: the home row below, square 1 at its right. */
const CELLS = Array.from({ length: ROWS * IN_A_ROW }, (_, i) => {
  const row = Math.floor(i / IN_A_ROW);
  const x = ROWS - 1 - (2 * (i % IN_A_ROW) + (row % 2 === 0 ? 1 : 0));
  return { id: String(i + 1), x, y: ROWS - 1 - row, w: 1, h: 1, tone: "dark" };
});
const ROW_LIST = Array.from({ length: ROWS }, (_, y) => CELLS.filter((cell) => cell.y === y).sort((a, b) => a.x - b.x));
const byId = new Map(CELLS.map((cell) => [cell.id, cell]));

/** @param {string} id */
const cellOf = (id) => /** @type {Cell} */ (byId.get(id));

/** @type {Game["parse"]} */
function parse(position) {
  const [turn, ...lists] = position.split(":");
  /** @type {Pieces} */
  const pieces = new Map();
  for (const list of lists) {
    const isBlack = list.charAt(0) === "B";
    for (const item of list.slice(1).split(",").filter(Boolean)) {
      const crowned = item.startsWith("K");
      pieces.set(crowned ? item.slice(1) : item, {
        owner: isBlack ? "first" : "second",
        kind: isBlack ? "black-man" : "white-man",
        turned: crowned,
      });
    }
  }
  return { pieces, turn: turn === "W" ? "second" : "first" };
}

/** @type {Game["path"]} */
const path = (move) => move.split(/[-x]/);

/** @param {string} a @param {string} b two squares apart on a diagonal: the one between them */
function between(a, b) {
  const [from, to] = [cellOf(a), cellOf(b)];
  if (Math.abs(from.x - to.x) !== 2 || Math.abs(from.y - to.y) !== 2) return null;
  return CELLS.find(({ x, y }) => x === (from.x + to.x) / 2 && y === (from.y + to.y) / 2)?.id ?? null;
}

/** The row where a side's men are crowned. @param {Side} side */
const farRow = (side) => (side === "first" ? 0 : ROWS - 1);

/**
 * The piece goes to its last square; the jumped pieces leave the board; a man on the far row is crowned.
 * @type {Game["preview"]}
 */
function preview(pieces, move) {
  const squares = path(move, "first");
  const [from = "", to = ""] = [squares[0], squares[squares.length - 1]];
  const piece = pieces.get(from);
  if (!piece) return pieces;
  const next = new Map(pieces);
  next.delete(from);
  for (const [i, square] of squares.slice(1).entries()) next.delete(between(/** @type {string} */ (squares[i]), square) ?? "");
  return next.set(to, { ...piece, turned: piece.turned || cellOf(to).y === farRow(piece.owner) });
}

/**
 * The piece on each square where it lands on the way; jumped pieces stay until the end.
 * @type {Game["steps"]}
 */
function steps(pieces, move) {
  const squares = path(move, "first");
  const [from = ""] = squares;
  const piece = pieces.get(from);
  if (!piece) return [];
  return squares.slice(1, -1).map((square) => {
    const next = new Map(pieces);
    next.delete(from);
    return { pieces: next.set(square, piece) };
  });
}

/** A step is written with a hyphen, a jump with x. @type {Game["attempt"]} */
function attempt(cells) {
  const [from, to] = cells;
  if (from === undefined || to === undefined) return null;
  return cells.join(cells.length > 2 || between(from, to) !== null ? "x" : "-");
}

/** @param {string} move */
const notation = (move) => move.replaceAll("-", "–").replaceAll("x", "×");

/** @param {string} shade @returns {ReturnType<Game["draw"]>} */
function draw(shade) {
  /** A man whose upper face has its middle at this height. @param {number} y @param {number} r */
  const man = (y, r) => [
    svg("circle", { class: "edge", cx: 50, cy: y + 5, r }),
    svg("circle", { class: "body", cx: 50, cy: y, r }),
    svg("circle", { class: "ring", cx: 50, cy: y, r: r - 7 }),
  ];
  const face = (/** @type {import("../core/dom.js").Child[]} */ ...parts) =>
    svg("svg", { viewBox: "0 0 100 100", class: `man ${shade}` }, ...parts);
  const front = face(
    ...man(48, 41),
    svg("circle", { class: "ring", cx: 50, cy: 48, r: 25 }),
    svg("circle", { class: "ring", cx: 50, cy: 48, r: 15 }),
  );
  const back = face(
    ...man(56, 40),
    ...man(41, 40),
    svg("path", { class: "crown", d: "M29 55L25 27L38 38L50 20L62 38L75 27L71 55Z" }),
    svg("path", { class: "crown", d: "M30 60H70" }),
  );
  return { front, back };
}

/** @type {Game["tally"]} */
function tally(pieces) {
  const first = [...pieces.values()].filter(({ owner }) => owner === "first").length;
  return { first, second: pieces.size - first };
}

/** @type {GameMaker} */
export const checkers = (entry) => ({
  ...entry,
  start: "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
  picture: "B:WK3,13,18,21,24,26,30,31,32:B1,5,8,9,10,12,16,19,K29",
  pace: 300,
  layout: () => ({ width: ROWS, height: ROWS, ground: "checked", fixed: false, rows: ROW_LIST }),
  parse,
  path,
  attempt,
  preview,
  steps,
  notation,
  spoken: notation,
  counted: () => [],
  tally,
  captured(pieces) {
    const { first, second } = tally(pieces);
    return { first: MEN - second, second: MEN - first };
  },
  stuck: () => null,
  bound: (_pieces, legal) => (legal.some((move) => move.includes("x")) ? "capture-compulsory" : null),
  draw: ({ owner }) => draw(entry.marks[owner]),
  cellName(cell, piece) {
    const id = number(Number(cell.id));
    if (!piece) return t("board.cell.empty", { cell: id });
    return t(`game.checkers.cell.${piece.owner}${piece.turned ? ".king" : ""}`, { cell: id });
  },
  coords: ({ id }) => ["", id],
});
