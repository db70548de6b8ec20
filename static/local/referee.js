// @ts-check
// The server's part in a match, on this device: the rules as WebAssembly judge, and results have the form of the wire's events, so that
// `net/match.js` and the views handle them like the server's. No DOM, no storage, no clock.

import { gameOf } from "../games/index.js";

/** @import { Command, ErrorMsg, MatchEvent, MatchResult, MatchView, PlyView, Side, Snapshot, StateView } from "../core/types.js" */
/** @import { Game as Rules } from "../wasm/rules.js" */
/** @import { Kept } from "./store.js" */

/** A match can be called off before this ply, as on the server. */
const ABORT_PLIES = 2;

const NO_CLOCK = { first_ms: 0, second_ms: 0, running: null, first_move_ms: null };

/** @typedef {{ rules: Rules, kept: Kept, start: string, plies: (PlyView & { forced: boolean })[] }} Table a running game */

/**
 * @param {typeof Rules} Game the rules, loaded
 * @param {Kept} kept
 * @returns {Table}
 * @throws if the record is no game of these rules
 */
export function openTable(Game, kept) {
  const rules = Game.start(kept.game, kept.setup);
  /** @type {Table} */
  const table = { rules, kept, start: rules.position(), plies: [] };
  for (const move of kept.moves) playOne(table, move);
  return table;
}

/**
 * A game from a position on, for both hands; nothing of it is stored.
 * @param {typeof Rules} Game the rules, loaded
 * @param {string} game
 * @param {string} position
 * @returns {Table}
 */
export function openPosition(Game, game, position) {
  const rules = Game.fromPosition(game, position);
  const turn = /** @type {Side} */ (rules.turn());
  const kept = {
    id: "",
    game,
    setup: rules.setup(),
    level: null,
    you: turn,
    moves: [],
    seq: 0,
    result: null,
    turn,
    created_at: "",
    changed_at: "",
    next: null,
  };
  return { rules, kept, start: position, plies: [] };
}

/** @param {Table} table @param {string} move */
function playOne({ rules, plies }, move) {
  const side = /** @type {Side} */ (rules.turn());
  const forced = rules.forcedPass() === move;
  rules.play(move);
  const ply = { move, side, position: rules.position(), clock_ms: 0, lag_ms: 0, spent_ms: 0, forced };
  plies.push(ply);
  return ply;
}

/** @param {Table} table @returns {MatchResult | null} */
function resultOf({ rules, kept }) {
  const outcome = rules.outcome();
  return outcome === undefined ? kept.result : readOutcome(kept.game, outcome);
}

/** Reads the outcome of a game as the rules write it. @param {string} game @param {string} outcome @returns {MatchResult} */
export function readOutcome(game, outcome) {
  const [code = "", reason = "", points] = outcome.split(" ");
  const { first, second } = gameOf(game)?.codes ?? { first: "", second: "" };
  const score = points?.split("-").map(Number);
  return {
    winner: code === first ? "first" : code === second ? "second" : null,
    reason,
    score: score ? { first: score[0] ?? 0, second: score[1] ?? 0 } : null,
  };
}

/** @param {Table} table @returns {StateView} */
function stateOf(table) {
  const { rules } = table;
  const result = resultOf(table);
  return {
    position: rules.position(),
    turn: /** @type {Side} */ (rules.turn()),
    ply: rules.ply(),
    legal: result ? [] : rules.legalMoves(),
    clock: { ...NO_CLOCK },
    draw_offer: null,
    takeback_offer: null,
    result,
  };
}

/**
 * The snapshot of a match, as a page gets it on joining.
 * @param {Table} table
 * @param {{ readonly name: string }} person the reader's name; read whenever it is shown
 * @param {boolean} thinks whether the engine is available
 * @returns {Snapshot}
 */
export function snapshotOf(table, person, thinks) {
  const { kept, start, plies } = table;
  const byHand = {
    player: {
      kind: /** @type {const} */ ("guest"),
      get name() {
        return person.name;
      },
    },
    rating: null,
    rating_change: null,
  };
  const computer = {
    player: { kind: /** @type {const} */ ("bot"), name: `computer-${kept.level}`, level: kept.level },
    rating: null,
    rating_change: null,
  };
  const seat = (/** @type {Side} */ side) => (kept.level === null || side === kept.you ? byHand : computer);
  /** @type {MatchView} */
  const match = {
    ...stateOf(table),
    id: kept.id,
    game: kept.game,
    setup: kept.setup,
    start,
    seq: kept.seq,
    plies: plies.map(({ forced: _, ...ply }) => ply),
    seats: { first: seat("first"), second: seat("second") },
    rated: false,
    private: true,
    speed: "daily",
    time_control: { kind: "unlimited" },
    options: { takebacks: true, free_takebacks: false, give_time: false, phrases: false },
    created_at: kept.created_at,
    finished_at: kept.result ? kept.changed_at : null,
  };
  const here = (/** @type {Side} */ side) => thinks || kept.level === null || side === kept.you;
  return {
    match,
    you: kept.you,
    presence: { first: here("first"), second: here("second"), spectators: 0, claim_after_ms: null, gone_ms: { first: null, second: null } },
    rematch: { offered_by: null, next: kept.next },
  };
}

/** @typedef {{ event: MatchEvent, state: StateView }} Happened */

/**
 * Applies a command to the game. The table changes; its stored record (`kept`) does not yet.
 * @param {Table} table
 * @param {Side} side the side that gives the command
 * @param {Command} command
 * @returns {{ ok: true, happened: Happened[] } | { ok: false, error: ErrorMsg }}
 */
export function judge(table, side, command) {
  const { rules, kept, plies } = table;
  const refuse = (/** @type {string} */ code, /** @type {string} */ why = "") => ({
    ok: /** @type {const} */ (false),
    error: { code, message: code, match: kept.id, ...(why ? { why } : {}) },
  });
  if (resultOf(table)) return refuse("match-over");
  const alone = kept.level === null;
  const ended = (/** @type {MatchEvent} */ event, /** @type {Side | null} */ winner, /** @type {string} */ reason) => {
    const state = { ...stateOf(table), legal: [], result: { winner, reason, score: null } };
    return { ok: /** @type {const} */ (true), happened: [{ event, state }] };
  };

  if (command.kind === "move") {
    if (command.ply !== rules.ply()) return refuse("stale-ply");
    if (!alone && rules.turn() !== side) return refuse("not-your-turn");
    const why = rules.explainIllegal(command.move);
    if (why !== undefined) return refuse("illegal-move", why);
    return { ok: true, happened: [moved(table, command.move), ...passed(table)] };
  }
  if (command.kind === "resign") {
    const loser = alone ? /** @type {Side} */ (rules.turn()) : side;
    return ended({ kind: "resign", side: loser }, loser === "first" ? "second" : "first", "resign");
  }
  if (command.kind === "abort") return rules.ply() < ABORT_PLIES ? ended({ kind: "abort", side }, null, "aborted") : refuse("cannot-abort");
  // A player of both sides agrees with themselves.
  if (command.kind === "offer-draw" && alone) return ended({ kind: "accept-draw", side }, null, "agreement");
  if (command.kind === "offer-takeback") {
    const last = plies.findLastIndex((ply) => !ply.forced && (alone || ply.side === side));
    if (last < 0) return refuse("nothing-to-take-back");
    const back = plies.length - last;
    rules.retreat(back);
    plies.length = last;
    return { ok: true, happened: [{ event: { kind: "takeback", side, plies: back }, state: stateOf(table) }] };
  }
  return refuse("other");
}

/** Plays compulsory passes: passes that are the only legal move. @param {Table} table @returns {Happened[]} */
export function passed(table) {
  const happened = [];
  for (let pass = table.rules.forcedPass(); pass !== undefined; pass = table.rules.forcedPass()) happened.push(moved(table, pass));
  return happened;
}

/** @param {Table} table @param {string} move @returns {Happened} */
function moved(table, move) {
  const { forced: _, ...ply } = playOne(table, move);
  return { event: { kind: "move", ...ply }, state: stateOf(table) };
}
