// @ts-check
// Writes games as text: files in every notation of a game, and the fragment of an address.

import { isCalledOff } from "../core/end-reason.js";
import { gameOf } from "../games/index.js";
import { begin, beginningOf, judged, withTold } from "../review/played.js";
import { movetext } from "./pdn.js";

/** @import { Seats, Side } from "../core/types.js" */
/** @import { Game as Rules } from "../wasm/rules.js" */
/** @import { Branch, Played, Read } from "../review/played.js" */

/** @typedef {{ extension: string, text: string }} Written */

/**
 * The game in every notation that it has, JSON first. Branches are in JSON and PDN; the other notations have no form for them.
 * @param {typeof Rules} Game
 * @param {Played} played
 * @returns {Written[]}
 */
export function writeRecord(Game, played) {
  const { game, setup, start, moves, branches = [], names } = played;
  const rules = begin(Game, played);
  const begins = /** @type {Side} */ (rules.turn());
  for (const move of moves) rules.play(move);
  const winner = played.result ? (played.result.winner ?? "draw") : "";
  const mainLine = rules.pdn(pdnTags(rules, played), isCalledOff(played.result?.reason) ? "" : winner);
  const pdn = mainLine !== undefined && branches.length > 0 ? withVariations(rules, mainLine, played, begins) : mainLine;
  const transcript = start === null ? rules.transcript() : undefined;
  const outcome = rules.outcome();
  rules.free();
  const json = {
    game,
    ...(setup ? { setup } : {}),
    ...(start === null ? {} : { start }),
    moves: moves.join(" "),
    ...(branches.length > 0 ? { branches: branches.map(packed) } : {}),
    ...resultOf(played, outcome),
    ...(names ? { seats: { first: { player: { name: names.first } }, second: { player: { name: names.second } } } } : {}),
  };
  return [
    { extension: "json", text: `${JSON.stringify(json)}\n` },
    ...(pdn === undefined ? [] : [{ extension: "pdn", text: pdn }]),
    // A transcript does not contain its start, nor do bare moves.
    ...(transcript === undefined ? [] : [{ extension: "txt", text: `${transcript}\n` }]),
    ...(pdn !== undefined || transcript !== undefined || start !== null || setup !== ""
      ? []
      : [{ extension: "txt", text: `${moves.join(" ")}\n` }]),
  ];
}

/** @param {Rules} rules @param {Played} played */
function pdnTags(rules, { names, result }) {
  const [first = "", second = ""] = rules.pdnPlayers();
  return [...(names ? [first, names.first, second, names.second] : []), ...(result?.reason ? ["Termination", result.reason] : [])];
}

/** The end in the form of `mawe export`. @param {Played} played @param {string | undefined} outcome of the rules */
function resultOf(played, outcome) {
  const { game, result } = played;
  if (outcome !== undefined) {
    const [winner = "", reason = "", points] = outcome.split(" ");
    return { result: { winner, reason, ...(points ? { score: points.split("-").map(Number) } : {}) } };
  }
  if (!result) return {};
  const code = result.winner ? gameOf(game)?.codes[result.winner] : isCalledOff(result.reason) ? "none" : "draw";
  return { result: { winner: code, reason: result.reason, ...(result.score ? { score: [result.score.first, result.score.second] } : {}) } };
}

/** @param {Branch} branch @returns {object} */
const packed = ({ ply, moves, branches = [] }) => ({
  ply,
  moves: moves.join(" "),
  ...(branches.length > 0 ? { branches: branches.map(packed) } : {}),
});

/** @param {Rules} rules @param {string} pdn of the main line @param {Played} played @param {Side} begins */
function withVariations(rules, pdn, played, begins) {
  // The tags end at the first empty line; the last word is the result.
  const tags = pdn.slice(0, pdn.indexOf("\n\n") + 2);
  return `${tags}${movetext(rules, played, begins, pdn.trim().split(/\s/).at(-1) ?? "*")}\n\n`;
}

// The game in the fragment of an address, which is not sent to a server.
//
// Branches are written one after the other, each after the line that it leaves: the number of that line (0 is the main one), the ply, the
// moves, separated by dots; a star between branches. None of these characters needs encoding in an address.

/**
 * @param {Played} played
 * @param {number} ply the shown ply
 * @param {number} [line] the line of that ply, by the numbers of the branches
 */
export function fragmentOf({ game, setup, start, moves, branches = [], names, result }, ply, line = 0) {
  const lines = flat(branches).map(({ from, branch }) => [from, branch.ply, ...branch.moves].join("."));
  return `#${new URLSearchParams({
    game,
    ...(setup ? { setup } : {}),
    ...(start === null ? {} : { start }),
    moves: moves.join(" "),
    ...(lines.length > 0 ? { branches: lines.join("*") } : {}),
    ...(names ? { first: names.first, second: names.second } : {}),
    ...(result ? { result: [result.winner ?? "draw", result.reason].join(".") } : {}),
    ...(line > 0 ? { line: String(line) } : {}),
    ply: String(ply),
  })}`;
}

/**
 * All branches, each before its own branches; their places in the list, from 1 on, are their numbers.
 * @param {Branch[]} branches
 * @param {number} [from] the number of the line that they leave
 * @param {{ from: number, branch: Branch }[]} [list]
 */
export function flat(branches, from = 0, list = []) {
  for (const branch of branches) {
    list.push({ from, branch });
    flat(branch.branches ?? [], list.length, list);
  }
  return list;
}

/** @param {string} text @returns {Branch[] | null} null if it cannot be read */
function unflat(text) {
  /** @type {{ ply: number, moves: string[], branches?: Branch[] }[]} */
  const lines = [{ ply: 0, moves: [] }];
  for (const one of text.split("*").filter(Boolean)) {
    const [from = "", ply = "", ...moves] = one.split(".");
    const left = lines[Number(from)];
    if (!left || !/^\d+$/.test(ply) || moves.length === 0) return null;
    const branch = { ply: Number(ply), moves };
    left.branches = [...(left.branches ?? []), branch];
    lines.push(branch);
  }
  return lines[0]?.branches ?? [];
}

/**
 * @param {typeof Rules} Game
 * @param {string} fragment
 * @returns {{ read: Read, ply: number, line: number } | null} null if it names no game
 */
export function fromFragment(Game, fragment) {
  const fields = new URLSearchParams(fragment.replace(/^#/, ""));
  const game = fields.get("game");
  if (game === null) return null;
  const nowhere = { ply: 0, line: 0 };
  if (!gameOf(game)) return { read: { fault: { code: "unknown-game" } }, ...nowhere };
  const moves = (fields.get("moves") ?? "").split(" ").filter(Boolean);
  const branches = unflat(fields.get("branches") ?? "");
  if (branches === null) return { read: { fault: { code: "bad-branch" } }, ...nowhere };
  const read = judged(Game, {
    game,
    ...beginningOf({ setup: fields.get("setup") ?? "", start: fields.get("start") }),
    moves,
    ...(branches.length > 0 ? { branches } : {}),
  });
  const whole = (/** @type {string} */ name) => Math.max(0, Math.round(Number(fields.get(name))) || 0);
  return { read: "fault" in read ? read : withTold(Game, read, toldIn(fields)), ply: whole("ply"), line: whole("line") };
}

/** @param {URLSearchParams} fields @returns {Pick<Played, "names" | "result">} */
function toldIn(fields) {
  const [first, second] = [fields.get("first"), fields.get("second")];
  const [winner = "", reason = ""] = (fields.get("result") ?? "").split(".");
  /** @type {Seats<string> | null} */
  const names = first === null || second === null ? null : { first, second };
  return {
    ...(names ? { names } : {}),
    ...(["first", "second", "draw"].includes(winner)
      ? { result: { winner: winner === "draw" ? null : /** @type {Side} */ (winner), reason, score: null } }
      : {}),
  };
}
