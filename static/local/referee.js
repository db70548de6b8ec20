// @ts-check
// The form of the match core on this device: the server's own code as WebAssembly judges, and its JSON becomes the wire's snapshots and
// events, so that `net/match.js` and the views handle them like the server's. No DOM, no storage, no clock.

import { OPPONENTS } from "../core/opponents.js";
import { gameOf } from "../games/index.js";

/** @import { Command, ErrorMsg, MatchEvent, MatchResult, MatchView, PlyView, Side, Snapshot, StateView } from "../core/types.js" */
/** @import { Referee } from "../wasm/rules.js" */
/** @import { Kept } from "./store.js" */

/**
 * @typedef {Object} Table a running game
 * @property {Referee} rules
 * @property {(PlyView & { forced?: boolean })[]} plies each played here with a note whether the rules forced it
 */

/** @typedef {{ event: MatchEvent, state: StateView }} Happened */
/** @typedef {Happened & { client_id?: string }} Told an event as the referee writes it; one without a command is a pass */

/**
 * @param {typeof Referee} Referees the referee, loaded
 * @param {Kept} kept
 * @returns {Table & { kept: Kept }}
 * @throws if the record is no game of these rules
 */
export function openTable(Referees, kept) {
  const rules = Referees.open(JSON.stringify(kept));
  const { start, plies } = JSON.parse(rules.table());
  if (kept.start === undefined) return { rules, kept, plies };
  if (kept.start !== start) throw new Error("damaged");
  const table = { rules, plies };
  // A position may begin with a pass, which is stored with the first move.
  if (plies.length === 0) passed(table);
  return { ...table, kept: { ...kept, moves: table.plies.map((/** @type {PlyView} */ { move }) => move) } };
}

/**
 * A game from a position on, for both hands; nothing of it is stored.
 * @param {typeof Referee} Referees the referee, loaded
 * @param {string} game
 * @param {string} position
 * @returns {Table}
 */
export const openPosition = (Referees, game, position) => ({ rules: Referees.fromPosition(game, position), plies: [] });

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

/**
 * The snapshot of a match, as a page gets it on joining.
 * @param {Table & { kept: Kept }} table
 * @param {{ readonly name: string }} person the reader's name; read whenever it is shown
 * @param {boolean} thinks whether the engine is available
 * @returns {Snapshot}
 */
export function snapshotOf({ rules, kept }, person, thinks) {
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
    player: { kind: /** @type {const} */ ("bot"), name: OPPONENTS[(kept.level ?? 1) - 1]?.name ?? "", level: kept.level },
    rating: null,
    rating_change: null,
  };
  const seat = (/** @type {Side} */ side) => (kept.level === null || side === kept.you ? byHand : computer);
  const read = JSON.parse(rules.table());
  /** @type {MatchView} */
  const match = {
    ...read,
    // The rules know nobody to speak to; this device has a computer opponent.
    options: { ...read.options, phrases: kept.level !== null },
    id: kept.id,
    game: kept.game,
    seq: kept.seq,
    seats: { first: seat("first"), second: seat("second") },
    private: true,
    created_at: kept.created_at,
    finished_at: kept.result ? kept.changed_at : null,
  };
  const here = (/** @type {Side} */ side) => thinks || kept.level === null || side === kept.you;
  return {
    match,
    you: kept.you,
    presence: { first: here("first"), second: here("second"), spectators: 0, claim_after_ms: null, gone_ms: { first: null, second: null } },
    rematch: { offered_by: null, offer_ms: null, next: kept.next },
  };
}

/**
 * Gives a command to the referee. The table changes; its stored record does not yet.
 * @param {Table} table
 * @param {Side} side the side that gives the command
 * @param {Command} command
 * @returns {{ ok: true, happened: Happened[] } | { ok: false, error: ErrorMsg }}
 */
export function judge(table, side, command) {
  /** @type {{ events: Told[], error: ErrorMsg | null }} */
  const { events, error } = JSON.parse(table.rules.command(side, JSON.stringify(command)));
  return error ? { ok: false, error } : { ok: true, happened: note(table, events) };
}

/** Plays the passes that a position begins with. @param {Table} table @returns {Happened[]} */
export const passed = (table) => note(table, JSON.parse(table.rules.playPasses()));

/** Follows the plies through the events. @param {Table} table @param {Told[]} events @returns {Happened[]} */
function note({ plies }, events) {
  return events.map(({ event, state, client_id }) => {
    if (event.kind === "move") {
      const { kind: _, ...ply } = event;
      plies.push({ ...ply, forced: client_id === undefined });
    } else if (event.kind === "takeback") plies.length -= event.plies;
    return { event, state };
  });
}
