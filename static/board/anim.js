// @ts-check
// Animation is the difference of two states: it matches the pieces of the new state with those of the old. A piece is known by its kind,
// which stays the same when it moves, turns over, or changes sides.

/** @import { Pieces } from "./state.js" */

/**
 * For every cell of `next`, the cell of `prev` from which its piece came; a piece without one is new. Pieces that did not move keep their
 * cell, and so do piles, which only change; for the others the nearest piece of the same kind is taken.
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
    const isPile = before?.count !== undefined && piece.count !== undefined;
    if (before && (isPile || before.kind === piece.kind)) {
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
 * The seeds that move between piles: each pile keeps as many as it can, and the surplus goes to the nearest piles that lack seeds.
 * @param {Map<string, number>} prev the number of seeds in each cell before
 * @param {Map<string, number>} next the number of seeds in each cell after
 * @param {(a: string, b: string) => number} distance between two cells
 * @returns {{ from: string | null, to: string | null }[]} each seed that moves; null for a seed that appears or disappears
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
