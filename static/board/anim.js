// @ts-check
// Animation is the difference of two states: which piece of the new one is which piece of the old one. A piece is known by its kind:
// that is what it keeps when it goes elsewhere, turns over, or changes sides.

/** @import { Pieces } from "./state.js" */

/**
 * For every cell of `next`, the cell of `prev` that its piece came from; a piece without one is new. Pieces that did not move keep
 * their place; of those that did, the nearest of the same kind is taken to be the same.
 * @param {Pieces} prev
 * @param {Pieces} next
 * @param {(a: string, b: string) => number} distance between two cells
 * @returns {Map<string, string>} next cell → previous cell
 */
export function origins(prev, next, distance) {
  /** @type {Map<string, string>} */
  const from = new Map();
  const left = new Set(prev.keys());
  for (const [cell, piece] of next) {
    const before = prev.get(cell);
    if (before?.kind === piece.kind) {
      from.set(cell, cell);
      left.delete(cell);
    }
  }
  for (const [cell, piece] of next) {
    if (from.has(cell)) continue;
    let nearest = null;
    for (const candidate of left) {
      if (prev.get(candidate)?.kind !== piece.kind) continue;
      if (nearest === null || distance(candidate, cell) < distance(nearest, cell)) nearest = candidate;
    }
    if (nearest !== null) {
      from.set(cell, nearest);
      left.delete(nearest);
    }
  }
  return from;
}

/**
 * Seeds that go from pile to pile: each pile keeps as many as it can, and those that are too many go to the nearest that lack some.
 * @param {Map<string, number>} prev how many lay in each cell
 * @param {Map<string, number>} next how many are to lie there
 * @param {(a: string, b: string) => number} distance between two cells
 * @returns {{ from: string | null, to: string | null }[]} each seed that goes; from or to nowhere, where the sum changes
 */
export function transfers(prev, next, distance) {
  /** @type {string[]} */
  const spare = [];
  for (const [cell, count] of prev) for (let i = next.get(cell) ?? 0; i < count; i++) spare.push(cell);
  /** @type {{ from: string | null, to: string | null }[]} */
  const moved = [];
  for (const [cell, count] of next) {
    for (let i = prev.get(cell) ?? 0; i < count; i++) {
      const nearest = spare.reduce(
        (best, candidate, k) => (best < 0 || distance(candidate, cell) < distance(/** @type {string} */ (spare[best]), cell) ? k : best),
        -1,
      );
      const [from = null] = nearest < 0 ? [] : spare.splice(nearest, 1);
      moved.push({ from, to: cell });
    }
  }
  return [...moved, ...spare.map((from) => ({ from, to: null }))];
}
