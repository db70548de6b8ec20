// @ts-check
// The state of an analysis on the page, and its texts. No DOM: `table.js` draws it.

import { createHand, showTurn, stepsOf } from "../board/hand.js";
import { number, t } from "../core/i18n.js";
import { readOutcome } from "../local/referee.js";
import { percent } from "../review/percent.js";
import { branchOf, createTree, lineFrom, linesOf, places, wayTo } from "../review/tree.js";
import { accuracies, countMistakes, judgeMove, winsIn, worth } from "../review/verdict.js";
import { resultText, turnText } from "../views/texts.js";

/** @import { Side } from "../core/types.js" */
/** @import { BoardState } from "../board/state.js" */
/** @import { Hand, Turn } from "../board/hand.js" */
/** @import { Thought } from "../engine/types.js" */
/** @import { Game, Ply } from "../games/types.js" */
/** @import { Game as Rules } from "../wasm/rules.js" */
/** @import { Analyst } from "../review/analyst.js" */
/** @import { Played } from "../review/played.js" */
/** @import { Retry } from "./retry.js" */
/** @import { Place, Tree } from "../review/tree.js" */

/**
 * @typedef {Object} Source the origin of a game
 * @property {Played} played
 * @property {number} ply the ply to begin at
 * @property {number} [line] the line of that ply, by its number in an address; without it the main line
 * @property {() => string} title
 * @property {string | null} path the address of the match, if others can open it
 * @property {string} [match] the id of the match on the server
 * @property {Side} [side] the reader's side
 * @property {boolean} [retries] whether the reader came to improve their mistakes
 */

/**
 * @typedef {Object} Analysis
 * @property {Game} game
 * @property {Source} source
 * @property {Tree} tree
 * @property {Hand} hand
 * @property {boolean} flipped
 * @property {(() => string) | null} notice
 * @property {Place | null} shown the place that the board showed last
 * @property {Retry | null} retry the mistake that the reader tries to improve
 */

/** @typedef {Pick<Analyst, "thoughtOf" | "isOn" | "failure" | "isDone">} Findings */

/** @param {typeof Rules} Rules the rules, loaded @param {Game} game @param {Source} source @returns {Analysis} */
export function createAnalysis(Rules, game, source) {
  const tree = createTree(Rules, source.played);
  tree.at = linesOf(tree)[source.line ?? 0]?.find((place) => place.ply === source.ply) ?? tree.root;
  return { game, source, tree, hand: createHand(game), flipped: source.side === "second", notice: null, shown: null, retry: null };
}

/** @param {Analysis} analysis */
export const mainLine = ({ tree }) => lineFrom(tree.root);

/** The places to search, in their order. @param {Analysis} analysis */
export function toSearch(analysis) {
  const { tree } = analysis;
  const line = mainLine(analysis);
  return line.includes(tree.at) ? line : [...wayTo(tree.at).slice(-1), ...line, ...places(tree)];
}

/** Whether the game ended here for a reason outside the rules, such as a resignation. @param {Analysis} analysis @param {Place} place */
export const endsHere = ({ source: { played } }, place) =>
  !!played.result && place.outcome === undefined && place.ply === played.moves.length && branchOf(place) === null;

/** The moves that the reader can make. @param {Analysis} analysis @returns {Turn} */
export const turnOf = ({ tree: { at }, game }) => ({
  pieces: game.parse(at.position).pieces,
  legal: at.legal,
  side: at.outcome === undefined ? at.turn : null,
});

/** The ply that led to the shown place; null at the root. @param {Analysis} analysis @returns {Ply | null} */
export function lastOf({ tree: { at } }) {
  const { parent, move, side } = at;
  return parent ? { move, side, position: parent.position } : null;
}

/**
 * Shows the place on a board. A step forward shows the steps of the move; a jump shows the position at once.
 * @param {Analysis} analysis
 * @param {BoardState} board
 * @param {string | undefined} best the move to mark
 */
export function showOn(analysis, board, best) {
  const { game, hand, tree, shown, flipped } = analysis;
  const { at } = tree;
  const { parent, move, side } = at;
  const before = parent ? game.parse(parent.position).pieces : undefined;
  showTurn(hand, board, { ...turnOf(analysis), last: parent ? { move, side, before } : null });
  // The graph and the list of moves mark the verdicts; the board marks no duty.
  board.bound = false;
  if (shown !== at) {
    const isNext = parent !== null && parent === shown;
    board.steps = isNext && before ? stepsOf(hand, before, [{ move, side, pieces: board.pieces }]) : [];
  }
  board.hints = best === undefined ? [] : game.path(best, at.turn, board.pieces);
  board.flipped = flipped;
  board.marks = at.outcome !== undefined && readOutcome(game.id, at.outcome).score ? game.counted(board.pieces) : [];
  analysis.shown = at;
  hand.walked = false;
}

// The texts.

/** @param {Analysis} analysis @param {Side} side */
export const sideName = ({ game }, side) => t(`game.${game.id}.side.${side}`);

/** @param {Analysis} analysis */
export function statusText(analysis) {
  const { game, tree, source } = analysis;
  const { at } = tree;
  const { result } = source.played;
  if (at.outcome !== undefined) return resultText(game.id, readOutcome(game.id, at.outcome));
  if (result && endsHere(analysis, at)) return resultText(game.id, result);
  return turnText(game.id, at.turn);
}

/** The chances of both sides at the shown place. @param {Analysis} analysis @param {Findings} findings */
export function valueText(analysis, { thoughtOf, isOn, failure }) {
  const { game, tree } = analysis;
  const thought = thoughtOf(tree.at);
  const value = worth(game.id, tree.at, thought);
  if (value === null) return t(failure() ? "analysis.failed" : isOn() ? "analysis.thinking" : "analysis.off");
  const chances = t("analysis.chances", {
    first: sideName(analysis, "first"),
    second: sideName(analysis, "second"),
    mine: percent(value),
    theirs: percent(1 - value),
  });
  return thought ? `${chances} · ${thoughtText(analysis, thought)}` : chances;
}

/** @param {Analysis} analysis @param {Thought} thought of the shown place */
function thoughtText(analysis, thought) {
  const isFirst = analysis.tree.at.turn === "first";
  const winner = sideName(analysis, thought.score > 0 === isFirst ? "first" : "second");
  const wins = winsIn(thought);
  if (wins !== null) return t("analysis.wins", { side: winner, n: Math.abs(wins) });
  if (thought.proven) return t(thought.score === 0 ? "analysis.draw" : "analysis.won", { side: winner });
  const score = ((isFirst ? 1 : -1) * thought.score) / 100;
  return t("analysis.score", {
    score: number(score, { signDisplay: "exceptZero", maximumFractionDigits: 1 }),
    side: sideName(analysis, "first"),
  });
}

/** @param {Analysis} analysis @param {Findings} findings */
export function depthText({ tree }, { thoughtOf }) {
  const thought = thoughtOf(tree.at);
  return thought ? t("analysis.depth", { depth: thought.depth, positions: thought.nodes }) : "";
}

/** The verdict on the move that led to the shown place. @param {Analysis} analysis @param {Findings} findings */
export function judgedText({ game, tree }, { thoughtOf }) {
  const judged = judgeMove(game.id, tree.at, thoughtOf);
  if (!judged) return "";
  const move = game.spoken(tree.at.move);
  if (judged.name) return t(`analysis.said.${judged.name}`, { move, best: game.spoken(judged.best), loss: percent(judged.loss) });
  return tree.at.move === judged.best && (tree.at.parent?.legal.length ?? 0) > 1 ? t("analysis.said.best", { move }) : "";
}

/** The announcement of the shown place; empty at the start. @param {Analysis} analysis @param {Findings} findings */
export function arrivalText(analysis, findings) {
  const { game, tree } = analysis;
  const { parent, side, move } = tree.at;
  if (!parent) return "";
  const made = t("announce.move", { side: sideName(analysis, side), move: game.spoken(move) });
  return [made, judgedText(analysis, findings)].filter(Boolean).join(". ");
}

/** The accuracy of each side and the number of its errors. @param {Analysis} analysis @param {Findings} findings */
export function countsText(analysis, { thoughtOf }) {
  const line = mainLine(analysis);
  if (line.length <= 1) return "";
  const counts = countMistakes(analysis.game.id, line, thoughtOf);
  const accuracy = accuracies(analysis.game.id, line, thoughtOf);
  const text = (/** @type {Side} */ side) => {
    const value = accuracy[side];
    const close = value === null ? [] : [t("analysis.accuracy", { value: percent(value) })];
    return `${sideName(analysis, side)}: ${[...close, t("analysis.counts", counts[side])].join(", ")}.`;
  };
  return `${text("first")} ${text("second")}`;
}

/** The number of places of the main line that are searched; empty once all are. @param {Analysis} analysis @param {Findings} findings */
export function progressText(analysis, { isOn, isDone }) {
  const line = mainLine(analysis);
  const done = line.filter(isDone).length;
  return isOn() && done < line.length ? t("analysis.progress", { done, all: line.length }) : "";
}
