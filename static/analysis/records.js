// @ts-check
// Games as text: what somebody has pasted is read, and what is analysed is written. The rules judge each ply; this finds out what a text is.

import { gameOf } from "../games/index.js";

/** @import { Side } from "../core/types.js" */
/** @import { Game as Rules } from "../wasm/rules.js" */

/**
 * A game as it was played: every ply, passes too.
 * @typedef {Object} Played
 * @property {string} game
 * @property {string} setup
 * @property {string | null} start the position before the first ply, where the setup does not say it
 * @property {string[]} moves
 */

/**
 * What is wrong with a text, by its code; where, as far as it is known.
 * @typedef {{ code: string, line?: number, column?: number, ply?: number }} Fault
 */

/** @typedef {Played | { fault: Fault }} Read */

/** More than this is no record of one game. */
const MOST = 200_000;

/** @param {unknown} error */
const codeOf = (error) => (error instanceof Error ? error.message : String(error));

/** @param {Fault} fault @returns {{ fault: Fault }} */
const wrong = (fault) => ({ fault });

/**
 * A pasted text: JSON of this page or of `mawe export`, PDN, a transcript of Reversi, or the moves as the lists here write them.
 * @param {typeof Rules} Game the rules, loaded
 * @param {string} text
 * @param {string} wished the game that the reader has named; empty where the text is to say it
 * @returns {Read}
 */
export function readRecord(Game, text, wished) {
  const trimmed = text.replace(/^\uFEFF/, "").trim();
  if (trimmed === "") return wrong({ code: "empty" });
  if (trimmed.length > MOST) return wrong({ code: "too-long" });
  if (trimmed.startsWith("{")) return fromJson(Game, text, trimmed);
  if (wished === "checkers" || (wished === "" && looksLikePdn(trimmed))) return fromNotation(() => Game.fromPdn(text), "checkers");
  if (wished === "reversi" || (wished === "" && looksLikeTranscript(trimmed))) return fromNotation(() => Game.fromTranscript(text), "reversi");
  const game = wished || (/^[^a-z]*[a-h][1-8]\W?[a-h][1-8]/i.test(trimmed) ? "mawe" : "");
  // Kalah, Oware and Congkak are written alike.
  return game === "" ? wrong({ code: "which-game" }) : fromMoves(Game, game, text);
}

/** @param {string} text */
const looksLikePdn = (text) => text.startsWith("[") || /\b\d{1,2}[-x–×]\d{1,2}\b/i.test(text);

/** The first disc of Reversi; a stone of Mawe! never begins on those squares. @param {string} text */
const looksLikeTranscript = (text) => /^(?:1[.)]\s*)?(?:c4|d3|e6|f5)/i.test(text);

/** @param {() => Rules} read @param {string} kind @returns {Read} */
function fromNotation(read, kind) {
  try {
    return playedOf(read(), kind);
  } catch (error) {
    const [code = "", line, column] = codeOf(error).split(" ");
    return wrong(line === undefined ? { code } : { code, line: Number(line), column: Number(column) });
  }
}

/** @param {Rules} rules is freed @param {string} kind @returns {Played} */
function playedOf(rules, kind) {
  const moves = rules.moves();
  rules.retreat(moves.length);
  const start = rules.position();
  rules.free();
  return { game: kind, setup: "", start: start === gameOf(kind)?.start ? null : start, moves };
}

/**
 * One object, or lines of which the first is one.
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
  const plies = Array.isArray(moves) ? moves.map(String) : typeof moves === "string" ? moves.split(/\s+/).filter(Boolean) : null;
  if (plies === null) return wrong({ code: "no-moves-in-it" });
  return judged(Game, { game, setup: String(setup), start: start === null ? null : String(start), moves: plies });
}

/**
 * Where the browser says that JSON is broken; browsers say it in different words, and some not at all.
 * @param {number} from where the JSON begins in the text
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
 * Moves as people write them: with numbers or without, en dashes and crosses too, a result at the end.
 * @param {typeof Rules} Game
 * @param {string} game
 * @param {string} text
 * @returns {Read}
 */
function fromMoves(Game, game, text) {
  /** @type {{ move: string, line: number, column: number }[]} */
  const words = [];
  text.split("\n").forEach((row, i) => {
    // A number with a dot counts the turns.
    for (const { 0: word, index } of row.matchAll(/\d+\.+|[^\s,;]+/g)) {
      if (/^\d+\.+$/.test(word)) continue;
      words.push({ move: word.toLowerCase().replaceAll("–", game === "mawe" ? "" : "-").replaceAll("×", "x"), line: i + 1, column: index + 1 });
    }
  });
  const tidy = words.map(({ move }) => (game === "mawe" ? move.replaceAll("-", "") : move));
  const read = judged(Game, { game, setup: "", start: null, moves: tidy });
  if (!("fault" in read) || read.fault.ply === undefined) return read;
  const { line, column } = words[read.fault.ply - 1] ?? {};
  return wrong({ ...read.fault, line, column });
}

/** @param {typeof Rules} Game @param {Played} played @returns {Read} */
function judged(Game, played) {
  /** @type {Rules} */
  let rules;
  try {
    rules = begin(Game, played);
  } catch {
    return wrong({ code: played.start === null ? "bad-setup" : "bad-start" });
  }
  try {
    for (const [i, move] of played.moves.entries()) {
      const why = rules.explainIllegal(move);
      if (why !== undefined) return wrong({ code: why, ply: i + 1 });
      rules.play(move);
    }
    return played;
  } finally {
    rules.free();
  }
}

/**
 * The rules at the beginning of a game.
 * @param {typeof Rules} Game
 * @param {Pick<Played, "game" | "setup" | "start">} played
 */
export const begin = (Game, { game, setup, start }) => (start === null ? Game.start(game, setup) : Game.fromPosition(game, start));

// Writing.

/** @typedef {{ extension: string, text: string }} Written */

/**
 * The game in every notation that it has, JSON first.
 * @param {typeof Rules} Game
 * @param {Played} played
 * @param {{ names?: { first: string, second: string }, winner?: Side | "draw" | "", reason?: string }} [more] what the moves do not say
 * @returns {Written[]}
 */
export function writeRecord(Game, played, { names, winner = "", reason } = {}) {
  const { game, setup, start, moves } = played;
  const codes = gameOf(game)?.codes ?? { first: "", second: "" };
  const result = winner === "" ? undefined : { winner: winner === "draw" ? winner : codes[winner], reason };
  const json = { game, ...(setup ? { setup } : {}), ...(start === null ? {} : { start }), moves: moves.join(" "), ...(result ? { result } : {}) };
  const rules = begin(Game, played);
  for (const move of moves) rules.play(move);
  const pdn = rules.pdn(names ? ["Black", names.first, "White", names.second] : [], winner);
  const transcript = start === null ? rules.transcript() : undefined;
  rules.free();
  return [
    { extension: "json", text: `${JSON.stringify(json)}\n` },
    ...(pdn === undefined ? [] : [{ extension: "pdn", text: pdn }]),
    // A transcript does not say where it starts, nor do moves alone.
    ...(transcript === undefined ? [] : [{ extension: "txt", text: `${transcript}\n` }]),
    ...(pdn !== undefined || transcript !== undefined || start !== null || setup !== "" ? [] : [{ extension: "txt", text: `${moves.join(" ")}\n` }]),
  ];
}

// The game in an address, behind its #: nothing of it is sent to a server.

/** @param {Played} played @param {number} ply the ply to be looked at */
export function fragmentOf({ game, setup, start, moves }, ply) {
  return `#${new URLSearchParams({ game, ...(setup ? { setup } : {}), ...(start === null ? {} : { start }), moves: moves.join(" "), ply: String(ply) })}`;
}

/**
 * @param {typeof Rules} Game
 * @param {string} fragment
 * @returns {{ read: Read, ply: number } | null} null where it names no game
 */
export function fromFragment(Game, fragment) {
  const fields = new URLSearchParams(fragment.replace(/^#/, ""));
  const game = fields.get("game");
  if (game === null) return null;
  if (!gameOf(game)) return { read: wrong({ code: "unknown-game" }), ply: 0 };
  const moves = (fields.get("moves") ?? "").split(" ").filter(Boolean);
  const read = judged(Game, { game, setup: fields.get("setup") ?? "", start: fields.get("start"), moves });
  return { read, ply: Math.max(0, Math.round(Number(fields.get("ply"))) || 0) };
}
