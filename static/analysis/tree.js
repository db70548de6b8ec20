// @ts-check
// A game with its branches: the ply that was played comes first among its siblings, others that were tried stand beside it. No page here;
// the rules judge each ply, nothing else does.

import { begin } from "./records.js";

/** @import { Side } from "../core/types.js" */
/** @import { Game as Rules } from "../wasm/rules.js" */
/** @import { Played } from "./records.js" */

/**
 * A place in the tree: what stands there, and the move that led to it.
 * @typedef {Object} Place
 * @property {number} id
 * @property {Place | null} parent null at the start
 * @property {Place[]} next the main line's first
 * @property {number} ply how many plies lead here
 * @property {string} move the ply that led here; empty at the start
 * @property {Side} side who made it; at the start, who is to begin
 * @property {string} position
 * @property {Side} turn who is to move
 * @property {string[]} legal none where the game is over
 * @property {string | undefined} outcome as the rules write it
 */

/** @typedef {{ Game: typeof Rules, played: Played, root: Place, at: Place, count: number, changes: number }} Tree `at` is looked at; `changes` counts how often places came or went */

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
  return tree;
}

/** @param {Rules} rules @param {Place | null} parent @param {string} move @param {Side} side @param {number} id @returns {Place} */
const placeOf = (rules, parent, move, side, id) => ({
  id, parent, next: [], ply: (parent?.ply ?? -1) + 1, move, side, position: rules.position(), turn: /** @type {Side} */ (rules.turn()),
  legal: rules.legalMoves(), outcome: rules.outcome(),
});

/** @param {Tree} tree @param {Place} from @param {Rules} rules as they stand there; they go on @param {string} move */
function grow(tree, from, rules, move) {
  rules.play(move);
  const place = placeOf(rules, from, move, from.turn, tree.count++);
  from.next.push(place);
  tree.changes += 1;
  return place;
}

/** The way to a place: every place after the start. @param {Place} place @returns {Place[]} */
export function wayTo(place) {
  /** @type {Place[]} */
  const way = [];
  for (let at = place; at.parent; at = at.parent) way.unshift(at);
  return way;
}

/** The main line from a place on, the place first. @param {Place} place @returns {Place[]} */
export function lineFrom(place) {
  /** @type {Place[]} */
  const line = [];
  for (/** @type {Place | undefined} */ let at = place; at; at = at.next[0]) line.push(at);
  return line;
}

/** The rules as they stand at a place. The caller frees them. @param {Tree} tree @param {Place} place */
export function rulesAt({ Game, played }, place) {
  const rules = begin(Game, played);
  for (const { move } of wayTo(place)) rules.play(move);
  return rules;
}

/**
 * Plays a move where the tree is looked at: down a branch that is there, or into a new one. A pass that is all one can do follows by itself.
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

/** Why a move cannot be made where the tree is looked at, as a code. @param {Tree} tree @param {string} move */
export function whyNot(tree, move) {
  const rules = rulesAt(tree, tree.at);
  const why = rules.explainIllegal(move);
  rules.free();
  return why;
}

/** Where the branch begins that a place is in: its first place that is no main line; null on the main line. @param {Place} place @returns {Place | null} */
export const branchOf = (place) => wayTo(place).findLast((at) => at.parent?.next[0] !== at) ?? null;

/** The branch becomes the line that it left. @param {Tree} tree @param {Place} branch */
export function promote(tree, branch) {
  const siblings = branch.parent?.next ?? [];
  siblings.splice(siblings.indexOf(branch), 1);
  siblings.unshift(branch);
  tree.changes += 1;
}

/** Takes a place and all behind it away; who was there looks at what was before. @param {Tree} tree @param {Place} place not the start */
export function remove(tree, place) {
  const { parent } = place;
  if (!parent) return;
  if (wayTo(tree.at).includes(place)) tree.at = parent;
  parent.next.splice(parent.next.indexOf(place), 1);
  tree.changes += 1;
}

/** The main line as a game. @param {Tree} tree @returns {Played} */
export const mainLine = ({ played, root }) => ({ ...played, moves: lineFrom(root).slice(1).map(({ move }) => move) });

/** Every place, those of the main line first. @param {Tree} tree @returns {Place[]} */
export function places({ root }) {
  const line = lineFrom(root);
  const more = (/** @type {Place} */ place) => place.next.slice(1).flatMap(all);
  /** @param {Place} place @returns {Place[]} */
  const all = (place) => [place, ...place.next.flatMap(all)];
  return [...line, ...line.flatMap(more)];
}
