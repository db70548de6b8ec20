// @ts-check
// The parts of a PDN of draughts that the rules do not read: players and result, in its tags, and variations, in brackets after the move
// that they replace. As the rules do, it reads only the first game of a text.

import { meantMove } from "../games/typed.js";
import { begin } from "../review/played.js";

/** @import { Side } from "../core/types.js" */
/** @import { Game as Rules } from "../wasm/rules.js" */
/** @import { Branch, Played } from "../review/played.js" */

/** The parts of a PDN: tags, comments, brackets, moves, results and others. */
const PIECES =
  /\[\w+[ \t]*"(?:[^"\\\n]|\\.)*"[ \t]*\]|\{[^}]*\}|;[^\n]*|^%[^\n]*|\$\d+|\d+\.+|1\/2-1\/2|(?<![\d-])(?:[012]-[012]|\*)(?![\d-])|(?:\d+|[a-h][1-8])(?:[-x:](?:\d+|[a-h][1-8]))+|[()]/gim;
const TAG = /^\[(\w+)[ \t]*"((?:[^"\\\n]|\\.)*)"/;

const RESULTS = ["1-0", "2-0", "0-1", "0-2", "1/2-1/2", "1-1"];

/** The longest line of moves, as in the rules. */
const WIDTH = 79;

/**
 * The players and the result, as the usage of this game names them.
 * @param {Rules} rules
 * @param {string} text
 * @returns {Pick<Played, "names" | "result">}
 */
export function tagsOf(rules, text) {
  /** @type {Map<string, string>} */
  const tags = new Map();
  for (const [piece] of text.matchAll(PIECES)) {
    const [, name, value] = TAG.exec(piece) ?? [];
    if (name !== undefined && value !== undefined) {
      // A tag that occurs again begins another game.
      if (tags.has(name)) break;
      tags.set(name, value.replace(/\\(.)/g, "$1"));
    }
  }
  const known = (/** @type {string} */ name) => (/^\??$/.test(tags.get(name) ?? "") ? undefined : tags.get(name));
  const [first, second] = rules.pdnPlayers().map(known);
  const winner = /** @type {Side | "draw" | undefined} */ (rules.pdnWinner(tags.get("Result")?.trim() ?? ""));
  return {
    ...(first === undefined && second === undefined ? {} : { names: { first: first ?? "?", second: second ?? "?" } }),
    ...(winner === undefined
      ? {}
      : { result: { winner: winner === "draw" ? null : winner, reason: tags.get("Termination") ?? "", score: null } }),
  };
}

/**
 * @typedef {Object} Line a line that is being read
 * @property {string[]} moves all moves from the start of the game
 * @property {Branch} branch
 * @property {boolean} isLost whether it has a word that is no legal move: the rest is left out, as words in a comment are
 */

/**
 * The variations of a game whose moves the rules have read already.
 * @param {typeof Rules} Game
 * @param {Played} played
 * @param {string} text
 * @returns {Branch[]}
 */
export function variationsOf(Game, played, text) {
  if (!text.includes("(")) return [];
  const rules = begin(Game, played);
  /** @type {Line} */
  const main = { moves: [], branch: { ply: 0, moves: [] }, isLost: false };
  /** The current line, after those that it branches from. */
  const lines = [main];
  for (const [piece] of text.matchAll(PIECES)) {
    const line = /** @type {Line} */ (lines.at(-1));
    const isMain = lines.length === 1;
    if (piece === "(") {
      const ply = Math.max(0, line.moves.length - 1);
      lines.push({ moves: line.moves.slice(0, ply), branch: { ply, moves: [] }, isLost: line.isLost || line.moves.length === 0 });
    } else if (piece === ")" && !isMain) {
      lines.pop();
      const left = /** @type {Line} */ (lines.at(-1)).branch;
      if (line.branch.moves.length > 0) left.branches = [...(left.branches ?? []), line.branch];
    } else if (isMain && line.moves.length > 0 && (piece.startsWith("[") || piece === "*" || RESULTS.includes(piece))) break;
    else if (!/^[a-h]?\d+[-x:]/i.test(piece) || line.isLost) continue;
    else if (isMain) line.moves.push(played.moves[line.moves.length] ?? "");
    else {
      const move = meantOf(rules, piece.toLowerCase(), legalAfter(rules, line.moves));
      line.isLost = move === null;
      if (move === null) continue;
      line.moves.push(move);
      line.branch.moves.push(move);
    }
  }
  rules.free();
  return main.branch.branches ?? [];
}

/**
 * The legal move that a word means: by the names of squares that this game has in PDN, or by their numbers.
 * @param {Rules} rules
 * @param {string} word
 * @param {string[]} legal
 */
function meantOf(rules, word, legal) {
  const squares = word.match(/[a-h]?\d+/g) ?? [];
  const written = legal.map((move) => rules.pdnMove(move));
  const meant = meantMove(squares, written);
  return meant === null ? meantMove(squares, legal) : (legal[written.indexOf(meant)] ?? null);
}

/** @param {Rules} rules of this game, at any ply @param {string[]} moves */
function legalAfter(rules, moves) {
  const known = rules.moves();
  const shared = moves.findIndex((move, i) => move !== known[i]);
  const kept = shared < 0 ? moves.length : shared;
  if (known.length > kept) rules.retreat(known.length - kept);
  for (const move of moves.slice(kept)) rules.play(move);
  return rules.legalMoves();
}

/**
 * The moves with their variations. Move numbers count the first side's moves.
 * @param {Rules} rules of this game
 * @param {Played} played
 * @param {Side} begins the side of the first ply
 * @param {string} result in PDN
 */
export function movetext(rules, played, begins, result) {
  const words = [...wordsOf(rules, played.moves, played.branches ?? [], 0, begins === "first" ? 0 : 1), result];
  let column = 0;
  return words
    .map((word) => {
      const breaks = column > 0 && column + 1 + word.length > WIDTH;
      const gap = column === 0 ? "" : breaks ? "\n" : " ";
      column = (breaks || column === 0 ? 0 : column + 1) + word.length;
      return gap + word;
    })
    .join("");
}

/**
 * @param {Rules} rules
 * @param {string[]} moves
 * @param {Branch[]} branches
 * @param {number} from the plies before them
 * @param {number} offset 1 where the second side begins
 * @returns {string[]}
 */
function wordsOf(rules, moves, branches, from, offset) {
  /** @type {string[]} */
  const words = [];
  /** Whether the second side's move needs its number, too: at the beginning of a line, and after a variation. */
  let isNumbered = true;
  for (const [i, move] of moves.map((one) => rules.pdnMove(one)).entries()) {
    const ply = from + i + offset;
    const isFirst = ply % 2 === 0;
    words.push(isFirst ? `${ply / 2 + 1}. ${move}` : isNumbered ? `${(ply + 1) / 2}... ${move}` : move);
    const others = branches.filter((branch) => branch.ply === from + i);
    for (const branch of others) {
      const inner = wordsOf(rules, branch.moves, branch.branches ?? [], branch.ply, offset);
      words.push(...inner.map((word, at) => `${at === 0 ? "(" : ""}${word}${at === inner.length - 1 ? ")" : ""}`));
    }
    isNumbered = others.length > 0;
  }
  return words;
}
