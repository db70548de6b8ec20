// @ts-check
// The look and the input of American checkers and of the draughts family: the dark squares, numbered from Black's home row. A crowned man is
// turned over: a king is two men on each other, with a crown.

import { svg } from "../core/dom.js";
import { number, t } from "../core/i18n.js";

/** @import { Game, GameEntry } from "./types.js" */
/** @import { Cell, Piece, Pieces } from "../board/state.js" */
/** @import { Side } from "../core/types.js" */

/**
 * The rules of one game, as far as they are seen.
 * @typedef {Object} Rules
 * @property {number} rows the rows of the board, of which each has half as many squares
 * @property {number} men the men of each side at the start
 * @property {boolean} flying whether kings move and capture over any distance
 * @property {boolean} most whether the capture of the most pieces is compulsory
 * @property {boolean} onward whether a man is crowned on the far row in the middle of a capture, and goes on as a king
 * @property {string} start
 * @property {string} picture
 * @property {string} recorded
 */

/** @type {Game["path"]} */
const path = (move) => move.split(/[-x]/);

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

/** The board of a size, with the home of the dark pieces above, or below. @param {number} rows @param {boolean} turned */
function boardOf(rows, turned) {
  const inRow = rows / 2;
  const cells = Array.from({ length: rows * inRow }, (_, i) => {
    const row = Math.floor(i / inRow);
    const column = 2 * (i % inRow) + (row % 2 === 0 ? 1 : 0);
    return { id: String(i + 1), x: turned ? rows - 1 - column : column, y: turned ? rows - 1 - row : row, w: 1, h: 1, tone: "dark" };
  });
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  const byPlace = new Map(cells.map((cell) => [`${cell.x} ${cell.y}`, cell.id]));
  /** @param {string} id */
  const cellOf = (id) => /** @type {Cell} */ (byId.get(id));

  /** The squares between two squares of a diagonal; none where they are not on one. @param {string} a @param {string} b */
  function between(a, b) {
    const [from, to] = [cellOf(a), cellOf(b)];
    const distance = Math.abs(from.x - to.x);
    if (distance !== Math.abs(from.y - to.y)) return [];
    const [dx, dy] = [Math.sign(to.x - from.x), Math.sign(to.y - from.y)];
    const steps = Array.from({ length: Math.max(0, distance - 1) }, (_, i) => i + 1);
    return steps.map((step) => byPlace.get(`${from.x + step * dx} ${from.y + step * dy}`) ?? "");
  }
  const list = Array.from({ length: rows }, (_, y) => cells.filter((cell) => cell.y === y).sort((a, b) => a.x - b.x));
  return { list, cellOf, between };
}

/** Reads a position; the first side has this letter. @param {string} position @param {string} first @returns {ReturnType<Game["parse"]>} */
function parse(position, first) {
  /** @param {string} letter @returns {Side} */
  const side = (letter) => (letter === first ? "first" : "second");
  const [turn = "", ...lists] = position.split(":");
  /** @type {Pieces} */
  const pieces = new Map();
  for (const list of lists) {
    const letter = list.charAt(0);
    for (const item of list.slice(1).split(",").filter(Boolean)) {
      const crowned = item.startsWith("K");
      const kind = letter === "B" ? "black-man" : "white-man";
      pieces.set(crowned ? item.slice(1) : item, { owner: side(letter), kind, turned: crowned });
    }
  }
  return { pieces, turn: side(turn) };
}

/** The number of pieces that a move takes. @param {string} move */
const taken = (move) => move.split("x").length - 1;

/**
 * The way of a piece over the board.
 * @param {ReturnType<typeof boardOf>} board
 * @param {Pick<Rules, "rows" | "flying" | "onward">} rules
 * @returns {Pick<Game, "attempt" | "preview" | "steps">}
 */
function movement({ cellOf, between }, { rows, flying, onward }) {
  /** The row where a side's men are crowned. @param {Side} side */
  const farRow = (side) => (side === "first" ? 0 : rows - 1);

  /** A piece that was on these squares, a man of which is crowned on the far row. @param {Piece} piece @param {string[]} squares */
  const crowned = (piece, squares) => ({
    ...piece,
    turned: piece.turned || squares.some((square) => cellOf(square).y === farRow(piece.owner)),
  });

  return {
    /** A step is written with a hyphen, a jump with x. A long jump is known by a piece between its squares. */
    attempt(cells, _side, pieces) {
      const [from, to] = cells;
      if (from === undefined || to === undefined) return null;
      const over = between(from, to);
      const jumps = flying ? over.some((square) => pieces?.has(square)) : over.length === 1;
      return cells.join(cells.length > 2 || jumps ? "x" : "-");
    },

    /** The piece goes to its last square; the jumped pieces leave the board; a man on the far row is crowned. */
    preview(pieces, move) {
      const squares = path(move, "first");
      const [from = "", to = ""] = [squares[0], squares[squares.length - 1]];
      const piece = pieces.get(from);
      if (!piece) return pieces;
      const next = new Map(pieces);
      const passed = squares.slice(1).flatMap((square, i) => between(/** @type {string} */ (squares[i]), square));
      for (const square of passed) if (pieces.get(square)?.owner !== piece.owner) next.delete(square);
      next.delete(from);
      return next.set(to, crowned(piece, onward ? squares.slice(1) : [to]));
    },

    /** The piece on each square where it lands on the way; jumped pieces stay until the end. */
    steps(pieces, move) {
      const [from = "", ...squares] = path(move, "first");
      const piece = pieces.get(from);
      if (!piece) return [];
      return squares.slice(0, -1).map((square, i) => {
        const next = new Map(pieces);
        next.delete(from);
        return { pieces: next.set(square, onward ? crowned(piece, squares.slice(0, i + 1)) : piece) };
      });
    },
  };
}

/**
 * @param {GameEntry} entry the side with the dark marks has its home where the numbers begin
 * @param {Rules} rules
 * @returns {Game}
 */
export function draughts(entry, rules) {
  const { rows, men, most, start, picture, recorded } = rules;
  const board = boardOf(rows, entry.marks.first === "dark");
  return {
    ...entry,
    start,
    picture,
    recorded,
    pace: 300,
    layout: () => ({ width: rows, height: rows, ground: "checked", fixed: false, rows: board.list }),
    parse: (position) => parse(position, entry.codes.first),
    path,
    ...movement(board, rules),
    notation,
    spoken: notation,
    counted: () => [],
    tally,
    captured(pieces) {
      const { first, second } = tally(pieces);
      return { first: men - second, second: men - first };
    },
    stuck: () => null,
    bound(_pieces, legal) {
      const largest = Math.max(0, ...legal.map(taken));
      if (largest === 0) return null;
      return most && largest > 1 ? "take-the-most" : "capture-compulsory";
    },
    draw: ({ owner }) => draw(entry.marks[owner]),
    cellName(cell, piece) {
      const id = number(Number(cell.id));
      if (!piece) return t("board.cell.empty", { cell: id });
      return t(`draughts.cell.${entry.marks[piece.owner]}${piece.turned ? ".king" : ""}`, { cell: id });
    },
    coords: ({ id }) => ["", id],
  };
}
