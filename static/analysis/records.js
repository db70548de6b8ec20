// @ts-check
// Reads games from pasted text. The rules judge each ply; this module finds out the format of a text. `writing.js` writes games as text.

import { gameOf } from "../games/index.js";
import { beginningOf, judged, withTold, wrong } from "../review/played.js";
import { tagsOf, variationsOf } from "./pdn.js";

/** @import { Game as Rules } from "../wasm/rules.js" */
/** @import { Branch, Played, Read } from "../review/played.js" */

/** A longer text is no record of one game. */
const MOST = 200_000;
/** Branches are read up to this depth. */
const DEEPEST = 50;

/** @param {unknown} error */
const codeOf = (error) => (error instanceof Error ? error.message : String(error));

/**
 * Reads a pasted text: JSON of this page or of `mawe export`, PDN, a transcript of Reversi, or moves in the notation of the move lists.
 * @param {typeof Rules} Game the rules, loaded
 * @param {string} text
 * @param {string} wished the game that the reader has chosen; empty to find it out from the text
 * @returns {Read}
 */
export function readRecord(Game, text, wished) {
  const trimmed = text.replace(/^\uFEFF/, "").trim();
  if (trimmed === "") return wrong({ code: "empty" });
  if (trimmed.length > MOST) return wrong({ code: "too-long" });
  if (trimmed.startsWith("{")) return fromJson(Game, text, trimmed);
  if (wished === "" ? looksLikePdn(trimmed) : hasPdn(Game, wished)) return fromPdn(Game, text, wished);
  if (wished === "reversi" || (wished === "" && looksLikeTranscript(trimmed))) return fromNotation(Game, () => Game.fromTranscript(text));
  const game = wished || (/^[^a-z]*[a-h][1-8]\W?[a-h][1-8]/i.test(trimmed) ? "mawe" : "");
  // Kalah, Oware and Congkak have the same notation.
  return game === "" ? wrong({ code: "which-game" }) : fromMoves(Game, game, text);
}

/** @param {typeof Rules} Game @param {string} kind */
function hasPdn(Game, kind) {
  const rules = Game.start(kind, "");
  const has = rules.pdnPlayers().length > 0;
  rules.free();
  return has;
}

/** @param {string} text */
const looksLikePdn = (text) => text.startsWith("[") || /\b\d{1,2}[-x–×]\d{1,2}\b/i.test(text);

/** The first disc of Reversi; a stone of Mawe! never begins on those squares. @param {string} text */
const looksLikeTranscript = (text) => /^(?:1[.)]\s*)?(?:c4|d3|e6|f5)/i.test(text);

/** @param {typeof Rules} Game @param {() => Rules} read @returns {Read} */
function fromNotation(Game, read) {
  try {
    return playedOf(Game, read());
  } catch (error) {
    const [code = "", line, column] = codeOf(error).split(" ");
    return wrong(line === undefined ? { code } : { code, line: Number(line), column: Number(column) });
  }
}

/**
 * A PDN with players and result from its tags, and with its variations. The signs of this page's move lists are read, too.
 * @param {typeof Rules} Game
 * @param {string} text
 * @param {string} wished the game; empty for the one that the tags name
 * @returns {Read}
 */
function fromPdn(Game, text, wished) {
  const plain = text.replaceAll("–", "-").replaceAll("×", "x");
  const read = fromNotation(Game, () => Game.fromPdn(wished, plain));
  if ("fault" in read) return read;
  const branches = variationsOf(Game, read, plain);
  const rules = Game.start(read.game, "");
  const told = tagsOf(rules, plain);
  rules.free();
  return withTold(Game, { ...read, ...(branches.length > 0 ? { branches } : {}) }, told);
}

/** @param {typeof Rules} Game @param {Rules} rules is freed @returns {Played} */
function playedOf(Game, rules) {
  const [kind, moves] = [rules.kind(), rules.moves()];
  rules.retreat(moves.length);
  const start = rules.position();
  rules.free();
  const standard = Game.start(kind, "");
  const isUsual = standard.position() === start;
  standard.free();
  return { game: kind, setup: "", start: isUsual ? null : start, moves };
}

/**
 * One object, or lines the first of which is one.
 * @param {typeof Rules} Game
 * @param {string} text
 * @param {string} trimmed
 * @returns {Read}
 */
function fromJson(Game, text, trimmed) {
  /** @type {any} */
  let value;
  try {
    const [first = ""] = trimmed.split("\n", 1);
    value = first.trim().endsWith("}") && first !== trimmed ? JSON.parse(first) : JSON.parse(trimmed);
  } catch (error) {
    return wrong({ code: "bad-json", ...placeIn(text.indexOf("{"), text, codeOf(error)) });
  }
  const { game, setup = "", start = null, moves } = value;
  if (typeof game !== "string" || !gameOf(game)) return wrong({ code: "unknown-game" });
  const plies = pliesOf(moves);
  if (plies === null) return wrong({ code: "no-moves-in-it" });
  const branches = branchesIn(value.branches);
  const read = judged(Game, {
    game,
    ...beginningOf({ setup: String(setup), start: start === null ? null : String(start) }),
    moves: plies,
    ...(branches.length > 0 ? { branches } : {}),
  });
  return "fault" in read ? read : withTold(Game, read, toldIn(value));
}

/** @param {unknown} moves */
const pliesOf = (moves) =>
  Array.isArray(moves) ? moves.map(String) : typeof moves === "string" ? moves.split(/\s+/).filter(Boolean) : null;

/** @param {any} list @param {number} [depth] @returns {Branch[]} */
function branchesIn(list, depth = 0) {
  if (!Array.isArray(list) || depth > DEEPEST) return [];
  return list.flatMap((/** @type {any} */ one) => {
    const moves = pliesOf(one?.moves) ?? [];
    const branches = branchesIn(one?.branches, depth + 1);
    return moves.length > 0 && Number.isInteger(one.ply) ? [{ ply: one.ply, moves, ...(branches.length > 0 ? { branches } : {}) }] : [];
  });
}

/** Players and result as `mawe export` writes them. @param {any} value @returns {Pick<Played, "names" | "result">} */
function toldIn({ game, seats, result }) {
  const nameOf = (/** @type {any} */ seat) => (typeof seat?.player?.name === "string" ? seat.player.name : null);
  const names = [nameOf(seats?.first), nameOf(seats?.second)];
  const codes = gameOf(game)?.codes;
  const [first, second] = Array.isArray(result?.score) ? result.score.map(Number) : [];
  return {
    ...(names.includes(null) ? {} : { names: { first: names[0], second: names[1] } }),
    ...(typeof result?.winner !== "string"
      ? {}
      : {
          result: {
            winner: result.winner === codes?.first ? "first" : result.winner === codes?.second ? "second" : null,
            reason: String(result.reason ?? ""),
            score: first === undefined || second === undefined ? null : { first, second },
          },
        }),
  };
}

/**
 * The place of a fault in JSON, from the browser's message; browsers word it differently, and some give none.
 * @param {number} from the place where the JSON begins in the text
 * @param {string} text
 * @param {string} message
 * @returns {{ line?: number, column?: number }}
 */
function placeIn(from, text, message) {
  const named = /line (\d+) column (\d+)/.exec(message);
  const at = /position (\d+)/.exec(message);
  if (!at) return named ? { line: Number(named[1]), column: Number(named[2]) } : {};
  const before = text.slice(0, from + Number(at[1])).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/**
 * Moves in common notations: with numbers or without, with en dashes and multiplication signs, with a result at the end.
 * @param {typeof Rules} Game
 * @param {string} game
 * @param {string} text
 * @returns {Read}
 */
function fromMoves(Game, game, text) {
  /** @type {{ move: string, line: number, column: number }[]} */
  const words = [];
  text.split("\n").forEach((row, i) => {
    // A number with a dot is a move number.
    for (const { 0: word, index } of row.matchAll(/\d+\.+|[^\s,;]+/g)) {
      if (/^\d+\.+$/.test(word)) continue;
      words.push({
        move: (game === "bao" ? word.toUpperCase() : word.toLowerCase()).replaceAll("–", game === "mawe" ? "" : "-").replaceAll("×", "x"),
        line: i + 1,
        column: index + 1,
      });
    }
  });
  const tidy = words.map(({ move }) => (game === "mawe" ? move.replaceAll("-", "") : move));
  const read = judged(Game, { game, setup: "", start: null, moves: tidy });
  if (!("fault" in read) || read.fault.ply === undefined) return read;
  const { line, column } = words[read.fault.ply - 1] ?? {};
  return wrong({ ...read.fault, line, column });
}
