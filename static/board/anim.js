// @ts-check
// Animation is the difference of two states: which piece of the new one is which piece of the old one.

/** @import { Pieces } from "./state.js" */

/**
 * For every cell of `next`, the cell of `prev` that its piece came from; a piece without one is new. Pieces that did not move keep
 * their place; of those that did, the nearest with the same owner and kind is taken to be the same.
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
    if (before && before.owner === piece.owner && before.kind === piece.kind) {
      from.set(cell, cell);
      left.delete(cell);
    }
  }
  for (const [cell, piece] of next) {
    if (from.has(cell)) continue;
    let nearest = null;
    for (const candidate of left) {
      const before = prev.get(candidate);
      if (before?.owner !== piece.owner || before.kind !== piece.kind) continue;
      if (nearest === null || distance(candidate, cell) < distance(nearest, cell)) nearest = candidate;
    }
    if (nearest !== null) {
      from.set(cell, nearest);
      left.delete(nearest);
    }
  }
  return from;
}
