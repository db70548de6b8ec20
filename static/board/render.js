// @ts-check
// The only code that changes the board's elements. It reuses them: a piece keeps its element for as long as it is the same piece, and CSS
// moves and turns it.
//
//   div.board[role=grid | img]
//     div.cells
//       div.row[role=row]
//         div.cell[role=gridcell][data-cell]     ground, marks, focus, the name for screen readers
//           span.coord                           file or rank, at the edge
//     div.pieces[aria-hidden]
//       div.piece > div.turner > (svg.front, svg.back)
//       div.piece.pile > span.count                how many lie there
//       i.seed                                     each of them, on its own way from pile to pile, or in the hand
//       div.hand > span                            how many seeds the hand holds
//     svg.lines                                    arrows and arcs, of `lines.js`

import { h } from "../core/dom.js";
import { number, t } from "../core/i18n.js";
import { origins, transfers } from "./anim.js";
import { createLines } from "./lines.js";
import { lie } from "./pile.js";
import { boardSize, isDragged, lyingMiddle, middle, nextCells, sizeOf, visibleRows } from "./state.js";

/** @import { Side } from "../core/types.js" */
/** @import { BoardState, Box, Cell, Held, Piece, Pieces } from "./state.js" */

/** The choice bar below a board, which follows it by `show`. @typedef {{ el: HTMLElement, show: (state: BoardState) => void }} WayBar */

/**
 * The look of a board and the names of its parts; a game gives most of it.
 * @typedef {Object} Look
 * @property {boolean} lifts whether a move begins by lifting a piece; else a move is one cell
 * @property {number} pace the duration of each step of a move, in milliseconds
 * @property {boolean} [sows] whether the steps of a move sow seeds
 * @property {(pieces: Pieces, move: string, side: Side) => string | null} [reach] the cell where the last seed of the first sowing falls
 * @property {(piece: Piece) => { front: SVGElement, back: SVGElement | null }} draw a single piece; piles are drawn by the board
 * @property {(cell: Cell, piece: Piece | undefined, you: Side | null) => string} cellName the cell's name for a screen reader: "c3, black
 *   stone, pinned"
 * @property {(cell: Cell, state: BoardState) => string[]} coords the texts at the cell's edges: bottom, left
 * @property {(page: { announce: (text: string) => void, onMove: (move: string) => void }) => WayBar} [wayBar] a bar below the board with a
 *   button for each legal move of the chosen cells, in a game in which a move is more than its cells say
 */

/**
 * The board's elements and their contents.
 * @typedef {Object} Render
 * @property {BoardState} state
 * @property {Look} look
 * @property {boolean} grid
 * @property {HTMLElement} boardEl
 * @property {HTMLElement} cellsEl
 * @property {HTMLElement} piecesEl
 * @property {Map<string, Cell>} byId
 * @property {Map<string, { el: HTMLElement, coords: HTMLElement[] }>} cellEls
 * @property {Map<string, { el: HTMLElement, piece: Piece }>} shown pieces on the page, by cell
 * @property {Map<string, HTMLElement[]>} seeds the seeds of each pile and of the hand, the lowest first
 * @property {HTMLElement | null} handEl
 * @property {WeakMap<HTMLElement, string>} lies the place of each seed, as text: a seed with the same place is not changed
 * @property {string | null} turned how the board was turned when the rows were laid
 */

/**
 * @param {HTMLElement} host
 * @param {BoardState} state
 * @param {Look} look
 * @param {{ grid: boolean, label: () => string }} options `grid`: a board to play on, else a picture
 */
export function createRender(host, state, look, { grid, label }) {
  const cellsEl = h("div", { class: "cells" });
  const piecesEl = h("div", { class: "pieces", "aria-hidden": "true" });
  const boardEl = h("div", { class: `board ${state.layout.ground}`, role: grid ? "grid" : "img" }, cellsEl, piecesEl);
  host.append(boardEl);
  const cells = state.layout.rows.flat();
  /** @type {Render} */
  const render = {
    state,
    look,
    grid,
    boardEl,
    cellsEl,
    piecesEl,
    byId: new Map(cells.map((cell) => [cell.id, cell])),
    cellEls: new Map(cells.map((cell) => [cell.id, buildCell(cell, grid)])),
    shown: new Map(),
    seeds: new Map(),
    handEl: null,
    lies: new WeakMap(),
    turned: null,
  };
  const drawLines = createLines(boardEl, state);
  const noteSteps = () => boardEl.classList.toggle("under-way", state.steps.length > 0);

  return {
    el: boardEl,

    draw() {
      noteSteps();
      layRows(render);
      drawCells(render);
      drawPieces(render);
      drawLines();
      set(boardEl, "aria-label", label());
    },

    /** Draws the next step of a move: only the pieces change. */
    step() {
      noteSteps();
      drawPieces(render);
      drawLines();
    },

    /** Puts the browser's focus on the focused cell. */
    focus: () => render.cellEls.get(state.focus)?.el.focus({ preventScroll: true }),
  };
}

/** @param {Cell} cell @param {boolean} grid */
function buildCell(cell, grid) {
  const coords = ["at-bottom", "at-left"].map((at) => h("span", { class: `coord ${at}` }));
  const el = h("div", { "data-cell": cell.id }, ...coords);
  if (grid) el.setAttribute("role", "gridcell");
  else el.setAttribute("aria-hidden", "true");
  return { el, coords };
}

/** The key of the seeds in the hand, among those of the piles. */
const HAND = "hand";

/** The distance between two cells, for the animation; the hand is at its cell. @param {Render} render @param {Held | null} [hand] */
const distanceOn =
  ({ byId }, hand = null) =>
  (/** @type {string} */ a, /** @type {string} */ b) => {
    const from = byId.get(a === HAND && hand ? hand.cell : a);
    const to = byId.get(b === HAND && hand ? hand.cell : b);
    return from && to ? Math.hypot(from.x - to.x, from.y - to.y) : Infinity;
  };

/** Lays the rows of the grid, which follow the visible order: they are built again when the board is turned. @param {Render} render */
function layRows(render) {
  const { state, boardEl, cellsEl, cellEls, grid } = render;
  const turned = `${state.flipped} ${state.upright}`;
  if (render.turned === turned) return;
  render.turned = turned;
  const size = boardSize(state);
  boardEl.style.setProperty("--cols", String(size.w));
  boardEl.style.setProperty("--rows", String(size.h));
  boardEl.classList.toggle("upright", state.upright);
  const focused = cellsEl.contains(document.activeElement) ? document.activeElement : null;
  cellsEl.replaceChildren(
    ...visibleRows(state).map((row) => {
      const rowEl = h("div", grid ? { class: "row", role: "row" } : { class: "row" });
      for (const cell of row) {
        const entry = cellEls.get(cell.id);
        if (!entry) continue;
        place(entry.el, middle(state, cell), sizeOf(state, cell));
        rowEl.append(entry.el);
      }
      return rowEl;
    }),
  );
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
}

/** @param {Render} render */
function drawCells({ state, look, grid, byId, cellEls }) {
  const found = state.steps.length > 0 ? marksUnderWay(state) : marksOn(state);
  for (const cell of byId.values()) {
    const entry = cellEls.get(cell.id);
    if (!entry) continue;
    const { el, coords } = entry;
    const marks = found(cell);
    const half = lyingMiddle(state, cell).y > state.layout.height / 2 ? "near" : "far";
    setClass(el, ["cell", cell.tone, half, ...marks].join(" "));
    look.coords(cell, state).forEach((text, i) => {
      // Shown by the style sheet: a coordinate at the board's edge is no part of a cell's name.
      if (coords[i]) set(coords[i], "data-coord", text);
    });
    if (!grid) continue;
    const name = look.cellName(cell, state.pieces.get(cell.id), state.you);
    set(el, "aria-label", [name, ...markNames(marks, state.lifts)].join(", "));
    set(el, "aria-selected", marks.includes("picked") ? "true" : "false");
    set(el, "tabindex", cell.id === state.focus ? "0" : "-1");
  }
}

/** Whether a cell is a house of the reader's. @param {BoardState} state @param {string} id */
const isOwn = ({ you, lifts, pieces }, id) => you !== null && !lifts && pieces.get(id)?.owner === you;

/** The marks while a move is shown: what follows from it waits for its end. @param {BoardState} state @returns {(cell: Cell) => string[]} */
const marksUnderWay =
  (state) =>
  ({ id }) =>
    names({
      last: state.last.includes(id),
      own: isOwn(state, id),
      held: isDragged(state, id) && state.hand !== null && state.pieces.get(id)?.owner === state.hand,
    });

/** The names of the marks that are set. @param {Record<string, boolean>} marks */
const names = (marks) => Object.keys(marks).filter((name) => marks[name]);

/**
 * The marks of each cell, as the classes of its element.
 * @param {BoardState} state
 * @returns {(cell: Cell) => string[]}
 */
function marksOn(state) {
  const { picked, lifts, hand } = state;
  const targets = picked.length > 0 || !lifts ? nextCells(state) : new Set();
  const on = picked[picked.length - 1];
  const starts = new Set(hand === null ? [] : state.options.map(({ path }) => path[0]));
  return ({ id }) => {
    const isStart = picked.length === 0 && starts.has(id);
    const isHeld = hand !== null && isDragged(state, id) && (state.pieces.get(id)?.owner === hand || starts.has(id) || id === on);
    const isBound = state.bound && isStart;
    return names({
      picked: picked.includes(id),
      target: targets.has(id),
      last: state.last.includes(id),
      held: isHeld,
      start: isStart,
      bound: isBound,
      movable: !isBound && state.pointed && lifts && isStart,
      mark: state.marks.includes(id),
      ahead: state.ahead.includes(id),
      hint: state.hints.includes(id),
      own: isOwn(state, id),
      end: state.traces.end === id,
      taken: state.traces.taken.includes(id),
      reach: state.reach === id,
    });
  };
}

/** The marks that are part of a cell's name, in its order. */
const NAMED = ["picked", "target", "bound", "movable", "last", "end", "taken", "ahead", "hint"];

/** @param {string[]} marks @param {boolean} lifts */
const markNames = (marks, lifts) =>
  NAMED.filter((mark) => marks.includes(mark) && !(marks.includes("target") && (mark === "bound" || mark === "movable"))).map((mark) =>
    t(`board.mark.${mark === "target" && !lifts ? "playable" : mark}`),
  );

/** @param {Render} render */
function drawPieces(render) {
  const { state, look, piecesEl, byId, shown } = render;
  const step = state.steps[0];
  const pieces = step?.pieces ?? state.pieces;
  /** @type {Pieces} */
  const before = new Map([...shown].map(([cell, entry]) => [cell, entry.piece]));
  const from = origins(before, pieces, distanceOn(render));
  /** @type {typeof shown} */
  const next = new Map();
  const kept = new Set(from.values());
  for (const [cell, entry] of shown) if (!kept.has(cell)) entry.el.remove();
  for (const [cell, piece] of pieces) {
    const origin = from.get(cell);
    const el = (origin !== undefined && shown.get(origin)?.el) || build(piece, look);
    next.set(cell, { el, piece });
    setClass(el, pieceClass(render, cell, piece, origin));
    // A piece in the middle of a move stands on the last cell chosen.
    const on =
      piece.count === undefined && state.picked.length > 1 && state.picked[0] === cell ? state.picked[state.picked.length - 1] : undefined;
    const home = byId.get(on ?? cell);
    if (!home) continue;
    const at = state.drag?.cell === cell ? state.drag : middle(state, home);
    place(el, at, sizeOf(state, home));
    if (piece.count !== undefined) setText(el.firstElementChild, number(piece.count));
    if (!el.isConnected) piecesEl.append(el);
  }
  render.shown = next;
  state.placed = null;
  drawSeeds(render, pieces, step?.hand ?? null);
  drawHand(render, step?.hand ?? null);
}

/** @param {Render} render @param {string} cell @param {Piece} piece @param {string | undefined} origin the cell that it comes from */
function pieceClass({ state, byId }, cell, piece, origin) {
  const names = ["piece", piece.owner, piece.kind];
  if (piece.turned) names.push("turned");
  if (state.drag?.cell === cell) names.push("dragging");
  if (origin !== undefined && origin !== cell && state.placed !== cell) names.push("moving");
  if (state.placed === cell) names.push("dropped");
  // Whether its owner's side of the board is the near or the far one.
  names.push((piece.owner === "first") !== state.flipped ? "near" : "far");
  if (piece.count !== undefined) names.push("pile", byId.get(cell)?.tone ?? "", ...(piece.count === 0 ? ["empty"] : []));
  return names.join(" ");
}

/** The piles that are not empty. @param {Iterable<[string, number]>} counts */
const filled = (counts) => new Map([...counts].filter(([, count]) => count > 0));

/** @param {Render} render @param {Pieces} pieces @param {Held | null} hand */
function drawSeeds(render, pieces, hand) {
  const { byId, seeds } = render;
  const wanted = filled([...[...pieces].map(([cell, { count = 0 }]) => counted(cell, count)), counted(HAND, hand?.seeds ?? 0)]);
  const there = filled([...seeds].map(([cell, els]) => counted(cell, els.length)));
  for (const { from, to } of transfers(there, wanted, distanceOn(render, hand))) {
    const el = (from === null ? undefined : seeds.get(from)?.pop()) ?? h("i", { class: "seed" });
    if (to === null) el.remove();
    else seeds.set(to, [...(seeds.get(to) ?? []), el]);
  }
  for (const [cell, els] of seeds) {
    const { pit } = byId.get(cell === HAND ? (hand?.cell ?? "") : cell) ?? {};
    const kind = cell === HAND ? `${hand?.kind} held` : (pieces.get(cell)?.kind ?? "");
    if (!pit) continue;
    const place = cell === HAND ? handOver(pit) : pit;
    for (const [i, el] of els.entries()) laySeed(render, el, { cell: `${cell} ${place.x} ${place.y}`, pit: place, kind, i });
  }
}

/** @param {string} cell @param {number} count @returns {[string, number]} */
const counted = (cell, count) => [cell, count];

/** The place of the seeds in the hand, in the middle of a pit and closer together than in it. @param {Box} pit @returns {Box} */
const handOver = ({ x, y, w, h }) => ({ x: x + w / 2 - HAND_SIZE / 2, y: y + h / 2 - HAND_SIZE / 2, w: HAND_SIZE, h: HAND_SIZE });

/** The width and height of the seeds in the hand, in board units. */
const HAND_SIZE = 0.62;

/** Shows the hand with the number of its seeds. @param {Render} render @param {Held | null} hand */
function drawHand(render, hand) {
  const { state, byId, piecesEl } = render;
  const pit = byId.get(hand?.cell ?? "")?.pit;
  if (!hand || !pit) {
    render.handEl?.remove();
    render.handEl = null;
    return;
  }
  render.handEl ??= h("div", { class: "hand" }, h("span", {}));
  const el = render.handEl;
  const at = middle(state, pit);
  el.style.setProperty("--x", at.x.toFixed(3));
  el.style.setProperty("--y", at.y.toFixed(3));
  setText(el.firstElementChild, number(hand.seeds));
  setClass(el, hand.lifted ? "hand lifted" : "hand");
  if (!el.isConnected) piecesEl.append(el);
}

/** @param {Render} render @param {HTMLElement} el @param {{ cell: string, pit: Box, kind: string, i: number }} where */
function laySeed({ state, lies, piecesEl }, el, { cell, pit, kind, i }) {
  const here = `${cell} ${i} ${kind} ${state.flipped} ${state.upright}`;
  if (lies.get(el) === here) return;
  lies.set(el, here);
  const at = middle(state, pit);
  const { x, y, turn } = lie(i, sizeOf(state, pit));
  setClass(el, `seed ${kind}`);
  for (const [name, value] of /** @type {const} */ ([
    ["--x", at.x + x],
    ["--y", at.y + y],
    ["--turn", turn],
  ]))
    el.style.setProperty(name, value.toFixed(3));
  if (!el.isConnected) piecesEl.append(el);
}

/** @param {Piece} piece @param {Look} look */
function build(piece, look) {
  if (piece.count !== undefined) return h("div", { class: "piece" }, h("span", { class: "count" }));
  const { front, back } = look.draw(piece);
  front.classList.add("front");
  back?.classList.add("back");
  return h("div", { class: "piece" }, h("div", { class: "turner" }, front, back));
}

/**
 * @param {HTMLElement} el
 * @param {{ x: number, y: number }} at its middle
 * @param {{ w: number, h: number }} size
 */
function place(el, at, { w, h }) {
  for (const [name, value] of /** @type {const} */ ([
    ["--x", at.x - w / 2],
    ["--y", at.y - h / 2],
    ["--w", w],
    ["--h", h],
  ])) {
    if (el.style.getPropertyValue(name) !== String(value)) el.style.setProperty(name, String(value));
  }
}

/** @param {Element} el @param {string} names */
function setClass(el, names) {
  if (el.className !== names) el.className = names;
}

/** @param {Element | null} el @param {string} text */
function setText(el, text) {
  if (el && el.textContent !== text) el.textContent = text;
}

/** @param {Element} el @param {string} name @param {string} value */
function set(el, name, value) {
  if (el.getAttribute(name) !== value) el.setAttribute(name, value);
}
