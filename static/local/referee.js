// @ts-check
// What the server is to a match, on this device: the rules as WebAssembly judge, and what happens is told as the events of the wire, so
// that `net/match.js` and the views take them as they take a server's. No page, no storage, no clock.

import { gameOf } from "../games/index.js";

/** @import { Command, ErrorMsg, MatchEvent, MatchResult, MatchView, PlyView, Side, Snapshot, StateView } from "../core/types.js" */
/** @import { Game as Rules } from "../wasm/rules.js" */
/** @import { Kept } from "./store.js" */

/** As on the server: before this ply a match can be called off. */
const ABORT_PLIES = 2;

const NO_CLOCK = { first_ms: 0, second_ms: 0, running: null, first_move_ms: null };

/** @typedef {{ rules: Rules, kept: Kept, start: string, plies: (PlyView & { forced: boolean })[] }} Table a game under way */

/**
 * @param {typeof Rules} Game the rules, loaded
 * @param {Kept} kept
 * @returns {Table}
 * @throws where what was kept is no game of these rules
 */
export function openTable(Game, kept) {
  const rules = Game.start(kept.game, kept.setup);
  /** @type {Table} */
  const table = { rules, kept, start: rules.position(), plies: [] };
  for (const move of kept.moves) playOne(table, move);
  return table;
}

/**
 * A game from a position on, for both hands, of which nothing is kept.
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

/** What the rules say of the end of a game. @param {string} game @param {string} outcome @returns {MatchResult} */
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
 * A match as a page gets it that opens it.
 * @param {Table} table
 * @param {{ readonly name: string }} person what the reader is called; read whenever it is shown
 * @param {boolean} thinks whether there is somebody to think for the computer
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
 * What a command makes of the game. The table goes on; what it was kept as (`kept`) does not change yet.
 * @param {Table} table
 * @param {Side} side who gives it
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
  // Who plays both sides agrees with themselves.
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

/** A pass that is all one can do is played for whoever has to. @param {Table} table @returns {Happened[]} */
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
