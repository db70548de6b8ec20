// @ts-check
// One match as this page knows it: a snapshot and the later events. No DOM and no connection; `net/socket.js` passes the messages in.

/** @import { ClockView, EventMsg, MatchView, PlayerRef, Presence, RematchView, Side, Snapshot } from "../core/types.js" */

/**
 * @typedef {Object} MatchState
 * @property {MatchView} view the match; `view.seq` is the last event applied
 * @property {Side | null} you the seat of this page's player
 * @property {Presence} presence
 * @property {RematchView} rematch
 * @property {number} rematchAt the time at which `rematch` was received, by the same clock as `clockAt`
 * @property {number} presenceAt the time at which `presence` was received, by the same clock as `clockAt`
 * @property {number} clockAt the time at which `view.clock` was received, by this page's own steady clock
 */

/**
 * @param {Snapshot} snapshot
 * @param {number} now
 * @returns {MatchState}
 */
export function fromSnapshot({ match, you, presence, rematch }, now) {
  return { view: match, you, presence, rematch, clockAt: now, presenceAt: now, rematchAt: now };
}

/**
 * A running match from the REST interface, before the live connection has it. Presence is not known yet: both players count as present.
 * @param {MatchView} view
 * @param {PlayerRef | null} player the reader
 * @param {number} at the time at which it was received
 * @returns {MatchState}
 */
export function fromView(view, player, at) {
  const sits = (/** @type {Side} */ side) =>
    player !== null && view.seats[side].player.kind === player.kind && view.seats[side].player.name === player.name;
  return {
    view,
    you: sits("first") ? "first" : sits("second") ? "second" : null,
    clockAt: at,
    presenceAt: at,
    presence: { first: true, second: true, spectators: 0, claim_after_ms: null, gone_ms: { first: null, second: null } },
    rematch: { offered_by: null, offer_ms: null, next: null },
    rematchAt: at,
  };
}

/**
 * Applies the next event. An event that is known already changes nothing; neither does one that is too far ahead, after which the caller
 * must request the whole match again.
 * @param {MatchState} state
 * @param {EventMsg} msg
 * @param {number} now
 * @returns {"applied" | "known" | "gap"}
 */
export function applyEvent(state, msg, now) {
  const { view } = state;
  if (msg.seq <= view.seq) return "known";
  if (msg.seq > view.seq + 1) return "gap";
  view.seq = msg.seq;
  if (msg.event.kind === "move") {
    const { kind: _, ...ply } = msg.event;
    view.plies.push(ply);
  } else if (msg.event.kind === "takeback") {
    view.plies.length = msg.state.ply;
  }
  // Absent from a state in which nobody has halved the clock.
  delete view.berserk;
  Object.assign(view, msg.state);
  if (msg.state.result && view.finished_at === null) view.finished_at = new Date().toISOString();
  state.clockAt = now;
  return "applied";
}

/**
 * @param {MatchState} state
 * @param {Presence} presence
 * @param {number} now
 */
export function applyPresence(state, presence, now) {
  state.presence = presence;
  state.presenceAt = now;
}

/** A lag of this much for a move is fair, or poor. The server compensates for up to half a second. */
const FAIR_MS = 150;
const POOR_MS = 400;
/** The number of a player's last moves by which their connection is judged; a single one may be an exception. */
const TOLD_BY = 3;

/**
 * The quality of a player's connection, by the lag that the server did not charge to their clock.
 * @param {MatchState} state
 * @param {Side} side
 * @returns {"away" | "here" | "fair" | "poor"}
 */
export function lineOf({ presence, view }, side) {
  if (!presence[side]) return "away";
  const lags = view.plies
    .filter((ply) => ply.side === side)
    .slice(-TOLD_BY)
    .map(({ lag_ms }) => lag_ms)
    .sort((a, b) => a - b);
  const usual = lags[Math.floor(lags.length / 2)] ?? 0;
  return usual < FAIR_MS ? "here" : usual < POOR_MS ? "fair" : "poor";
}

/** @param {MatchState} state @param {RematchView} rematch @param {number} now */
export function applyRematch(state, rematch, now) {
  state.rematch = rematch;
  state.rematchAt = now;
}

/**
 * Applies `joined`, the end of a resumption, with the data that no event has.
 * @param {MatchState} state
 * @param {{ clock: ClockView, you: Side | null, presence: Presence, rematch: RematchView }} joined
 * @param {number} now
 */
export function applyJoined(state, { clock, you, presence, rematch }, now) {
  state.view.clock = clock;
  state.you = you;
  applyPresence(state, presence, now);
  applyRematch(state, rematch, now);
  state.clockAt = now;
}
