// @ts-check
// Replays recorded games on the rules of the page, in Node.js and in a browser, and compares the rules' answers with those of the native
// rules, as text. The module imports nothing, so that a page can load it too.

/** @typedef {{ id: number, start?: string, moves: string, counts: string, plies: number, final: string, digest: string, result: { winner: string, reason: string, score?: number[] } }} Playout */
/** @typedef {{ playouts?: Playout[], playouts_limited?: Playout[], traces?: Playout[], traces_limited?: Playout[] }} Vectors */
/** @typedef {Pick<typeof import("../wasm/rules.js"), "Game" | "walk">} Rules */

/**
 * Every game of a file `GAME.playouts.json`.
 * @param {Vectors} vectors
 * @returns {Playout[]}
 */
export const playoutsOf = ({ playouts = [], playouts_limited = [], traces = [], traces_limited = [] }) => [
  ...playouts,
  ...playouts_limited,
  ...traces,
  ...traces_limited,
];

/** The games of the draughts family, whose vectors have 100 random games; Bao and Pallanguzhi have 150, the others 200 (`rules/tests/whole.rs`). */
const DRAUGHTS = ["drafti", "brazilian", "russian", "international", "pool"];

/** The number of random games that the vectors of a game have at least. @param {string} kind */
export const fewestOf = (kind) => (DRAUGHTS.includes(kind) ? 100 : ["bao", "pallanguzhi"].includes(kind) ? 150 : 200);

/**
 * Plays a game twice, in one walk and move by move, and returns the differences from the vectors; none if all is equal.
 * @param {Rules} rules
 * @param {string} kind
 * @param {Playout} playout
 * @returns {Promise<string[]>}
 */
export async function replay({ Game, walk }, kind, playout) {
  /** @type {string[]} */
  const differences = [];
  /** @param {string} what @param {unknown} told @param {unknown} expected */
  const same = (what, told, expected) => {
    if (told !== expected) differences.push(`${kind} ${playout.id}: ${what} is ${told}, not ${expected}`);
  };

  const told = walk(kind, playout.start ?? "", playout.moves);
  const lines = told.trimEnd().split("\n");
  const counts = lines.slice(0, -1).map((line) => line.slice(line.indexOf("|") + 1).split(",").length);
  same("counts", counts.join(" "), playout.counts);
  same("plies", lines.length - 1, playout.plies);
  same("final", lines.at(-1), `${playout.final}|`);
  same("digest", await digest(told), playout.digest);

  const game = playout.start ? Game.fromPosition(kind, playout.start) : Game.start(kind, "");
  for (const [ply, move] of playout.moves.split(" ").entries()) {
    same(`ply ${ply}`, `${game.position()}|${game.legalMoves().join(",")}`, lines[ply]);
    game.play(move);
  }
  const { winner, reason, score } = playout.result;
  same("position", game.position(), playout.final);
  same("outcome", game.outcome(), [winner, reason, ...(score ? [score.join("-")] : [])].join(" "));
  same("legal moves at the end", game.legalMoves().join(), "");
  game.free();
  return differences;
}

/**
 * The first 16 hex digits of SHA-256.
 * @param {string} text
 */
async function digest(text) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return [...hash.slice(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
