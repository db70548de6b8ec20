// @ts-check
// A game with its branches: the played ply comes first among its siblings, the alternatives follow. No DOM; the rules judge each ply.

import { begin } from "./played.js";

/** @import { Side } from "../core/types.js" */
/** @import { Game as Rules } from "../wasm/rules.js" */
/** @import { Branch, Played } from "./played.js" */

/**
 * A place in the tree: a position, and the move that led to it.
 * @typedef {Object} Place
 * @property {number} id
 * @property {Place | null} parent null at the start
 * @property {Place[]} next the main line's first
 * @property {number} ply the number of plies before it
 * @property {string} move the move that led here; empty at the start
 * @property {Side} side the side of that move; at the start, the side to begin
 * @property {string} position
 * @property {Side} turn the side to move
 * @property {string[]} legal none if the game is over
 * @property {string | undefined} outcome as the rules write it
 */

/**
 * `at` is the shown place; `changes` counts how often places were added or removed.
 * @typedef {{ Game: typeof Rules, played: Played, root: Place, at: Place, count: number, changes: number }} Tree
 */

/**
 * @param {typeof Rules} Game
 * @param {Played} played a game that these rules allow
 * @returns {Tree}
 */
export function createTree(Game, played) {
  const rules = begin(Game, played);
  const root = placeOf(rules, null, "", /** @type {Side} */ (rules.turn()), 0);
  /** @type {Tree} */
  const tree = { Game, played, root, at: root, count: 1, changes: 0 };
  let place = root;
  for (const move of played.moves) place = grow(tree, place, rules, move);
  rules.free();
  addBranches(tree, lineFrom(root), played.branches ?? []);
  return tree;
}

/** @param {Tree} tree @param {Place[]} line the start of the game first @param {Branch[]} branches that leave it */
function addBranches(tree, line, branches) {
  for (const { ply, moves, branches: further = [] } of branches) {
    const from = line[ply];
    if (!from) continue;
    const rules = rulesAt(tree, from);
    let place = from;
    const own = line.slice(0, ply + 1);
    for (const move of moves) {
      // A place that exists already is used again: the same move twice is one place.
      const known = place.next.find((next) => next.move === move);
      if (known) rules.play(move);
      place = known ?? grow(tree, place, rules, move);
      own.push(place);
    }
    rules.free();
    addBranches(tree, own, further);
  }
}

/** @param {Rules} rules @param {Place | null} parent @param {string} move @param {Side} side @param {number} id @returns {Place} */
const placeOf = (rules, parent, move, side, id) => ({
  id,
  parent,
  next: [],
  ply: (parent?.ply ?? -1) + 1,
  move,
  side,
  position: rules.position(),
  turn: /** @type {Side} */ (rules.turn()),
  legal: rules.legalMoves(),
  outcome: rules.outcome(),
});

/** @param {Tree} tree @param {Place} from @param {Rules} rules at `from`; afterwards at the new place @param {string} move */
function grow(tree, from, rules, move) {
  rules.play(move);
  const place = placeOf(rules, from, move, from.turn, tree.count++);
  from.next.push(place);
  tree.changes += 1;
  return place;
}

/** The places from the start to a place, without the start. @param {Place} place @returns {Place[]} */
export function wayTo(place) {
  /** @type {Place[]} */
  const way = [];
  for (let at = place; at.parent; at = at.parent) way.unshift(at);
  return way;
}

/** The main line from a place on, beginning with it. @param {Place} place @returns {Place[]} */
export function lineFrom(place) {
  /** @type {Place[]} */
  const line = [];
  for (/** @type {Place | undefined} */ let at = place; at; at = at.next[0]) line.push(at);
  return line;
}

/** The rules at a place. The caller frees them. @param {Tree} tree @param {Place} place */
export function rulesAt({ Game, played }, place) {
  const rules = begin(Game, played);
  for (const { move } of wayTo(place)) rules.play(move);
  return rules;
}

/**
 * Plays a move at the shown place: into an existing branch, or into a new one. A pass that is the only legal move is played, too.
 * @param {Tree} tree
 * @param {string} move a legal one
 */
export function playMove(tree, move) {
  const known = tree.at.next.find((place) => place.move === move);
  if (known) tree.at = known;
  else {
    const rules = rulesAt(tree, tree.at);
    tree.at = grow(tree, tree.at, rules, move);
    for (let pass = rules.forcedPass(); pass !== undefined; pass = rules.forcedPass()) tree.at = grow(tree, tree.at, rules, pass);
    rules.free();
  }
}

/** The reason why a move is illegal at the shown place, as a code. @param {Tree} tree @param {string} move */
export function whyNot(tree, move) {
  const rules = rulesAt(tree, tree.at);
  const why = rules.explainIllegal(move);
  rules.free();
  return why;
}

/**
 * The beginning of a place's branch: its first place off the main line; null on the main line.
 * @param {Place} place
 * @returns {Place | null}
 */
export const branchOf = (place) => wayTo(place).findLast((at) => at.parent?.next[0] !== at) ?? null;

/** Makes the branch the main line of its parent. @param {Tree} tree @param {Place} branch */
export function promote(tree, branch) {
  const siblings = branch.parent?.next ?? [];
  siblings.splice(siblings.indexOf(branch), 1);
  siblings.unshift(branch);
  tree.changes += 1;
}

/**
 * Removes a place and all after it; if the shown place is among them, its parent is shown.
 * @param {Tree} tree
 * @param {Place} place not the start
 */
export function remove(tree, place) {
  const { parent } = place;
  if (!parent) return;
  if (wayTo(tree.at).includes(place)) tree.at = parent;
  parent.next.splice(parent.next.indexOf(place), 1);
  tree.changes += 1;
}

/** The tree as a game with its branches. @param {Tree} tree @returns {Played} */
export function gameOfTree({ played, root }) {
  const { branches: _, ...rest } = played;
  const line = lineFrom(root);
  const branches = branchesOf(line).map(({ branch }) => branch);
  return { ...rest, moves: line.slice(1).map(({ move }) => move), ...(branches.length > 0 ? { branches } : {}) };
}

/** The branches of a line, each with the place that it begins with. @param {Place[]} line @returns {{ branch: Branch, place: Place }[]} */
function branchesOf(line) {
  return line.flatMap((at) =>
    at.next.slice(1).map((place) => {
      const own = lineFrom(place);
      const branches = branchesOf(own).map(({ branch }) => branch);
      return { place, branch: { ply: at.ply, moves: own.map(({ move }) => move), ...(branches.length > 0 ? { branches } : {}) } };
    }),
  );
}

/** The lines in the order of their numbers in an address, the main line first. @param {Tree} tree @returns {Place[][]} */
export function linesOf({ root }) {
  /** @param {Place[]} line @returns {Place[][]} */
  const withThose = (line) => [line, ...branchesOf(line).flatMap(({ place }) => withThose(lineFrom(place)))];
  return withThose(lineFrom(root));
}

/** Every place, those of the main line first. @param {Tree} tree @returns {Place[]} */
export function places({ root }) {
  const line = lineFrom(root);
  const more = (/** @type {Place} */ place) => place.next.slice(1).flatMap(all);
  /** @param {Place} place @returns {Place[]} */
  const all = (place) => [place, ...place.next.flatMap(all)];
  return [...line, ...line.flatMap(more)];
}
