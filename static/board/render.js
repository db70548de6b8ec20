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
//       i.seed                                     each of them, on its own way from pile to pile

import { h } from "../core/dom.js";
import { number, t } from "../core/i18n.js";
import { origins, transfers } from "./anim.js";
import { lie } from "./pile.js";
import { middle, nextCells } from "./state.js";

/** @import { Side } from "../core/types.js" */
/** @import { BoardState, Cell, Piece, Pieces } from "./state.js" */

/**
 * The look of a board and the names of its parts; a game gives most of it.
 * @typedef {Object} Look
 * @property {boolean} lifts whether a move begins by lifting a piece; else a move is one cell
 * @property {number} pace the duration of each step of a move, in milliseconds
 * @property {boolean} [sows] whether the steps of a move sow seeds
 * @property {(piece: Piece) => { front: SVGElement, back: SVGElement | null }} draw a single piece; piles are drawn by the board
 * @property {(cell: Cell, piece: Piece | undefined, you: Side | null) => string} cellName the cell's name for a screen reader: "c3, black
 *   stone, pinned"
 * @property {(cell: Cell, state: BoardState) => string[]} coords the texts at the cell's edges: bottom, left
 */

/** @typedef {ReturnType<typeof createRender>} Render */

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
  boardEl.style.setProperty("--cols", String(state.layout.width));
  boardEl.style.setProperty("--rows", String(state.layout.height));
  host.append(boardEl);

  const cells = state.layout.rows.flat();
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  /** @type {Map<string, { el: HTMLElement, coords: HTMLElement[] }>} */
  const cellEls = new Map();
  for (const cell of cells) {
    const coords = ["at-bottom", "at-left"].map((at) => h("span", { class: `coord ${at}` }));
    const el = h("div", { "data-cell": cell.id }, ...coords);
    if (grid) el.setAttribute("role", "gridcell");
    else el.setAttribute("aria-hidden", "true");
    cellEls.set(cell.id, { el, coords });
  }

  /** @type {Map<string, { el: HTMLElement, piece: Piece }>} pieces on the page, by cell */
  let shown = new Map();
  /** @type {Map<string, HTMLElement[]>} the seeds of each pile, the lowest first */
  const seeds = new Map();
  /** The place of each seed, as text: a seed with the same place is not changed. @type {WeakMap<HTMLElement, string>} */
  const lies = new WeakMap();
  /** @type {boolean | null} */
  let turned = null;

  /** @param {string} a @param {string} b */
  function distance(a, b) {
    const from = byId.get(a);
    const to = byId.get(b);
    return from && to ? Math.hypot(from.x - to.x, from.y - to.y) : Infinity;
  }

  /** The rows of the grid follow the visible order, so they are built again when the board is turned. */
  function layRows() {
    if (turned === state.flipped) return;
    turned = state.flipped;
    const focused = cellsEl.contains(document.activeElement) ? document.activeElement : null;
    const rows = turned ? state.layout.rows.map((row) => [...row].reverse()).reverse() : state.layout.rows;
    cellsEl.replaceChildren(
      ...rows.map((row) => {
        const rowEl = h("div", grid ? { class: "row", role: "row" } : { class: "row" });
        for (const cell of row) {
          const entry = cellEls.get(cell.id);
          if (!entry) continue;
          const at = middle(state, cell);
          place(entry.el, at.x - cell.w / 2, at.y - cell.h / 2, cell.w, cell.h);
          rowEl.append(entry.el);
        }
        return rowEl;
      }),
    );
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  }

  function drawCells() {
    const targets = state.picked.length > 0 || !state.lifts ? nextCells(state) : new Set();
    const on = state.picked[state.picked.length - 1];
    const starts = new Set(state.hand === null ? [] : state.options.map(({ path }) => path[0]));
    for (const cell of cells) {
      const entry = cellEls.get(cell.id);
      if (!entry) continue;
      const { el, coords } = entry;
      const piece = state.pieces.get(cell.id);
      const picked = state.picked.includes(cell.id);
      const target = targets.has(cell.id);
      const last = state.last.includes(cell.id);
      const held = state.hand !== null && state.lifts && (piece?.owner === state.hand || starts.has(cell.id) || cell.id === on);
      const names = ["cell", cell.tone, middle(state, cell).y > state.layout.height / 2 ? "near" : "far"];
      if (picked) names.push("picked");
      if (target) names.push("target");
      if (last) names.push("last");
      if (held) names.push("held");
      if (state.picked.length === 0 && starts.has(cell.id)) names.push("start");
      if (state.bound && state.picked.length === 0 && starts.has(cell.id)) names.push("bound");
      else if (state.pointed && state.lifts && state.picked.length === 0 && starts.has(cell.id)) names.push("movable");
      if (state.marks.includes(cell.id)) names.push("mark");
      if (state.ahead.includes(cell.id)) names.push("ahead");
      if (state.hints.includes(cell.id)) names.push("hint");
      setClass(el, names.join(" "));
      look.coords(cell, state).forEach((text, i) => {
        // Shown by the style sheet: a coordinate at the board's edge is no part of a cell's name.
        if (coords[i]) set(coords[i], "data-coord", text);
      });
      if (!grid) continue;
      const name = [look.cellName(cell, piece, state.you)];
      if (picked) name.push(t("board.mark.picked"));
      if (target) name.push(t(state.lifts ? "board.mark.target" : "board.mark.playable"));
      else if (names.includes("bound")) name.push(t("board.mark.bound"));
      else if (names.includes("movable")) name.push(t("board.mark.movable"));
      if (last) name.push(t("board.mark.last"));
      if (names.includes("ahead")) name.push(t("board.mark.ahead"));
      if (names.includes("hint")) name.push(t("board.mark.hint"));
      set(el, "aria-label", name.join(", "));
      set(el, "aria-selected", picked ? "true" : "false");
      set(el, "tabindex", cell.id === state.focus ? "0" : "-1");
    }
  }

  function drawPieces() {
    const pieces = state.steps[0] ?? state.pieces;
    /** @type {Pieces} */
    const before = new Map([...shown].map(([cell, entry]) => [cell, entry.piece]));
    const from = origins(before, pieces, distance);
    /** @type {typeof shown} */
    const next = new Map();
    const kept = new Set(from.values());
    for (const [cell, entry] of shown) if (!kept.has(cell)) entry.el.remove();
    for (const [cell, piece] of pieces) {
      const origin = from.get(cell);
      const el = (origin !== undefined && shown.get(origin)?.el) || build(piece);
      next.set(cell, { el, piece });
      const dragged = state.drag?.cell === cell;
      const names = ["piece", piece.owner, piece.kind];
      if (piece.turned) names.push("turned");
      if (dragged) names.push("dragging");
      if (origin !== undefined && origin !== cell && state.placed !== cell) names.push("moving");
      if (state.placed === cell) names.push("dropped");
      // Whether its owner's side of the board is the near or the far one.
      names.push((piece.owner === "first") !== state.flipped ? "near" : "far");
      if (piece.count !== undefined) names.push("pile");
      setClass(el, names.join(" "));
      // A piece in the middle of a move stands on the last cell chosen.
      const on = state.picked.length > 1 && state.picked[0] === cell ? state.picked[state.picked.length - 1] : undefined;
      const home = byId.get(on ?? cell);
      if (!home) continue;
      const at = dragged && state.drag ? state.drag : middle(state, home);
      place(el, at.x - home.w / 2, at.y - home.h / 2, home.w, home.h);
      if (piece.count !== undefined) setText(el.firstElementChild, number(piece.count));
      if (!el.isConnected) piecesEl.append(el);
    }
    shown = next;
    state.placed = null;
    drawSeeds(pieces);
  }

  /** @param {Pieces} pieces */
  function drawSeeds(pieces) {
    /** @param {Iterable<[string, number]>} counts */
    const some = (counts) => new Map([...counts].filter(([, count]) => count > 0));
    const wanted = some([...pieces].map(([cell, { count = 0 }]) => [cell, count]));
    const there = some([...seeds].map(([cell, els]) => [cell, els.length]));
    for (const { from, to } of transfers(there, wanted, distance)) {
      const el = (from === null ? undefined : seeds.get(from)?.pop()) ?? h("i", { class: "seed" });
      if (to === null) el.remove();
      else seeds.set(to, [...(seeds.get(to) ?? []), el]);
    }
    for (const [cell, els] of seeds) {
      const { pit } = byId.get(cell) ?? {};
      const kind = pieces.get(cell)?.kind ?? "";
      if (!pit) continue;
      const at = middle(state, pit);
      els.forEach((el, i) => {
        const here = `${cell} ${i} ${kind} ${state.flipped}`;
        if (lies.get(el) === here) return;
        lies.set(el, here);
        const { x, y, turn } = lie(i, pit);
        setClass(el, `seed ${kind}`);
        for (const [name, value] of /** @type {const} */ ([
          ["--x", at.x + x],
          ["--y", at.y + y],
          ["--turn", turn],
        ]))
          el.style.setProperty(name, value.toFixed(3));
        if (!el.isConnected) piecesEl.append(el);
      });
    }
  }

  /** @param {Piece} piece */
  function build(piece) {
    if (piece.count !== undefined) return h("div", { class: "piece" }, h("span", { class: "count" }));
    const { front, back } = look.draw(piece);
    front.classList.add("front");
    back?.classList.add("back");
    return h("div", { class: "piece" }, h("div", { class: "turner" }, front, back));
  }

  return {
    el: boardEl,

    draw() {
      boardEl.classList.toggle("under-way", state.steps.length > 0);
      layRows();
      drawCells();
      drawPieces();
      set(boardEl, "aria-label", label());
    },

    /** Draws the next step of a move: only the pieces change. */
    step() {
      boardEl.classList.toggle("under-way", state.steps.length > 0);
      drawPieces();
    },

    /** Puts the browser's focus on the focused cell. */
    focus: () => cellEls.get(state.focus)?.el.focus({ preventScroll: true }),
  };
}

/**
 * @param {HTMLElement} el
 * @param {number} x
 * @param {number} y
 * @param {number} w
 * @param {number} h
 */
function place(el, x, y, w, h) {
  for (const [name, value] of /** @type {const} */ ([
    ["--x", x],
    ["--y", y],
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
