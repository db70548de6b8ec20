// @ts-check
// The lines over a board: an arrow for a suggested move, and an arc for each jump of the last move.
//
//   svg.lines[aria-hidden]
//     path.arc…
//     path.arrow

import { svg } from "../core/dom.js";
import { boardSize, isDragged, middle } from "./state.js";

/** @import { BoardState, Cell } from "./state.js" */

/** @typedef {{ x: number, y: number }} Point in board units */

/** The height of an arc, as a part of its length. */
const BEND = 0.22;
/** The distance of an arrow's point from the middle of its cell, and the size of its head, in board units. */
const SHORT = 0.12;
const HEAD = 0.34;

/** The cells of a move of several cells, in their order; none for a move that carries no piece. @param {BoardState} state @param {string[]} path */
const pathOf = (state, path) => (path.length > 1 && isDragged(state, path[0] ?? "") ? path : []);

/**
 * The lines that a board shows: for each its kind and the points that it goes through.
 * @param {BoardState} state
 * @returns {{ kind: "arc" | "arrow", d: string }[]}
 */
export function linesOf(state) {
  if (state.steps.length > 0) return [];
  const cells = new Map(state.layout.rows.flat().map((cell) => [cell.id, cell]));
  const points = (/** @type {string[]} */ path) =>
    path.flatMap((id) => {
      const cell = cells.get(id);
      return cell ? [middle(state, /** @type {Cell} */ (cell))] : [];
    });
  const jumps = state.traces.taken.length > 0 ? points(pathOf(state, state.last)) : [];
  const arcs = jumps.slice(1).map((to, i) => ({ kind: /** @type {const} */ ("arc"), d: arc(/** @type {Point} */ (jumps[i]), to) }));
  const way = points(pathOf(state, state.hints));
  return way.length > 1 ? [...arcs, { kind: /** @type {const} */ ("arrow"), d: arrow(way) }] : arcs;
}

/** @param {Point} point */
const text = ({ x, y }) => `${x.toFixed(2)} ${y.toFixed(2)}`;

/** A curve that rises from one point and falls to another, to the same side whichever way it goes. @param {Point} from @param {Point} to */
function arc(from, to) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  // Upwards, or to the left where the way is straight up or down.
  const turn = dx > 0 || (dx === 0 && dy < 0) ? BEND : -BEND;
  const top = { x: (from.x + to.x) / 2 + 2 * turn * dy, y: (from.y + to.y) / 2 - 2 * turn * dx };
  return `M${text(from)}Q${text(top)} ${text(to)}`;
}

/** @param {Point[]} way */
function arrow(way) {
  const [before, end] = /** @type {[Point, Point]} */ (way.slice(-2));
  const length = Math.hypot(end.x - before.x, end.y - before.y);
  const [ux, uy] = [(end.x - before.x) / length, (end.y - before.y) / length];
  const tip = { x: end.x - SHORT * ux, y: end.y - SHORT * uy };
  const wing = (/** @type {number} */ side) => ({
    x: tip.x - HEAD * (ux + side * 0.6 * uy),
    y: tip.y - HEAD * (uy - side * 0.6 * ux),
  });
  const line = [...way.slice(0, -1), tip].map(text).join("L");
  return `M${line}M${text(wing(1))}L${text(tip)}L${text(wing(-1))}`;
}

/**
 * Keeps the lines of a board in its element.
 * @param {HTMLElement} boardEl
 * @param {BoardState} state
 * @returns {() => void} draws them anew
 */
export function createLines(boardEl, state) {
  const el = svg("svg", { class: "lines", "aria-hidden": "true" });
  boardEl.append(el);
  let shown = "";
  return () => {
    const lines = linesOf(state);
    const { w, h } = boardSize(state);
    const key = `${w} ${h} ${lines.map(({ kind, d }) => kind + d).join()}`;
    if (key === shown) return;
    shown = key;
    el.setAttribute("viewBox", `0 0 ${w} ${h}`);
    el.replaceChildren(...lines.map(({ kind, d }) => svg("path", { class: kind, d })));
  };
}
