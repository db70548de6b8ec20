// @ts-check
// The state of a line: its connection, the followed matches, the commands without an answer; and what is sent over it. `socket.js` opens
// and closes the connection, `receive.js` handles the server's messages.

/** @import { ClientMsg, Command, ErrorMsg, EventMsg, Phrase, ServerMsg, Side } from "../core/types.js" */
/** @import { MatchState } from "./match.js" */

/** `WebSocket.OPEN`. */
const OPEN = 1;

/**
 * The part of a WebSocket that a line uses.
 * @typedef {{
 *   readonly readyState: number, send(text: string): void, close(): void,
 *   onopen: any, onmessage: any, onclose: any,
 * }} Transport
 */

/**
 * @typedef {Object} World the environment of a line
 * @property {() => Transport} connect opens a transport
 * @property {() => number} now a steady clock, milliseconds
 * @property {(run: () => void, ms: number) => any} setTimer
 * @property {(timer: any) => void} clearTimer
 * @property {() => number} random 0 to 1
 * @property {() => string} newId a new id for a command
 */

/** @typedef {"connecting" | "open" | "down"} LineStatus */
/** @typedef {{ ok: true, event: EventMsg } | { ok: false, error: ErrorMsg }} Answer */

/**
 * An event for the listeners of a match.
 * @typedef {{ kind: "snapshot" } | { kind: "event", msg: EventMsg } | { kind: "changed" } | { kind: "refused", error: ErrorMsg }
 *   | { kind: "said", side: Side, phrase: Phrase }} MatchNews
 */
/** @typedef {(state: MatchState | null, news: MatchNews) => void} MatchListener */

/**
 * @typedef {Object} Follow one followed match
 * @property {MatchState | null} state
 * @property {Set<MatchListener>} listeners
 * @property {boolean} ready whether the server has answered `join` on this connection
 * @property {number} lost how often `join` was sent again to another server since the last answer
 * @property {boolean} whole whether a snapshot was requested because of a gap; events are ignored until it comes
 */

/** @typedef {{ match: string, frame: ClientMsg, sentAt: number | null, resolve: (answer: Answer) => void }} Pending */

/**
 * @typedef {Object} LineState
 * @property {World} world
 * @property {LineStatus} status
 * @property {Transport | null} transport
 * @property {boolean} opened whether the transport can be written to
 * @property {number} openedAt
 * @property {number} attempts the attempts to connect since the last good connection
 * @property {number} stayAway the delay before reconnecting that the server asked for
 * @property {number} heartbeatMs
 * @property {Record<"open" | "retry" | "beat" | "pong", any>} timers
 * @property {Map<string, Follow>} follows
 * @property {Map<string, Pending>} pending
 * @property {Set<(status: LineStatus) => void>} statusListeners
 * @property {Set<(msg: ServerMsg) => void>} listeners
 */

/** @param {World} world @returns {LineState} */
export const createState = (world) => ({
  world,
  status: "connecting",
  transport: null,
  opened: false,
  openedAt: 0,
  attempts: 0,
  stayAway: 0,
  heartbeatMs: 0,
  timers: { open: null, retry: null, beat: null, pong: null },
  follows: new Map(),
  pending: new Map(),
  statusListeners: new Set(),
  listeners: new Set(),
});

/** @param {LineState} line @param {LineStatus} next */
export function setStatus(line, next) {
  if (line.status === next) return;
  line.status = next;
  for (const listener of line.statusListeners) listener(next);
}

/** @param {LineState} line @param {keyof LineState["timers"]} name */
export function clear({ world, timers }, name) {
  world.clearTimer(timers[name]);
  timers[name] = null;
}

/** @param {LineState} line @param {ClientMsg} msg */
export function send({ transport, opened }, msg) {
  // A closing transport reports its end soon; a lost frame is stored here or requested again.
  if (transport && opened && transport.readyState === OPEN) transport.send(JSON.stringify(msg));
}

/** @param {LineState} line @param {string} id @param {Follow} follow */
export function join(line, id, follow) {
  follow.ready = false;
  const since = follow.whole ? undefined : follow.state?.view.seq;
  send(line, since === undefined ? { t: "join", match: id } : { t: "join", match: id, since });
}

/** @param {LineState} line @param {Pending} command */
export function transmit(line, command) {
  if (!line.opened) return;
  command.sentAt = line.world.now();
  send(line, command.frame);
}

/**
 * The match is joined on this connection: sends the waiting commands, in their order.
 * @param {LineState} line
 * @param {string} id
 * @param {Follow} follow
 */
export function ready(line, id, follow) {
  follow.ready = true;
  follow.lost = 0;
  for (const command of line.pending.values()) if (command.match === id && command.sentAt === null) transmit(line, command);
}

/** @param {LineState} line @param {string} clientId @param {Answer} answer */
export function settle(line, clientId, answer) {
  const command = line.pending.get(clientId);
  if (!command) return;
  line.pending.delete(clientId);
  command.resolve(answer);
  forget(line, command.match);
}

/**
 * Follows a match; the listener is called at once if the match is known already.
 * @param {LineState} line
 * @param {string} id
 * @param {MatchListener} listener
 * @returns {() => void} stops following
 */
export function follow(line, id, listener) {
  const known = line.follows.get(id);
  /** @type {Follow} */
  const followed = known ?? { state: null, listeners: new Set(), ready: false, lost: 0, whole: false };
  if (!known) {
    line.follows.set(id, followed);
    if (line.opened) join(line, id, followed);
  }
  followed.listeners.add(listener);
  if (followed.state) listener(followed.state, { kind: "snapshot" });
  return () => {
    followed.listeners.delete(listener);
    forget(line, id);
  };
}

/** Stops following a match without listeners and without waiting commands. @param {LineState} line @param {string} id */
function forget(line, id) {
  const follow = line.follows.get(id);
  if (!follow || follow.listeners.size > 0) return;
  for (const command of line.pending.values()) if (command.match === id) return;
  line.follows.delete(id);
  send(line, { t: "leave", match: id });
}

/** @param {Follow} follow @param {MatchNews} news */
export function tell(follow, news) {
  for (const listener of follow.listeners) listener(follow.state, news);
}

/**
 * Sends a command for a followed match; the answer may come after any number of reconnections.
 * @param {LineState} line
 * @param {string} id
 * @param {Command} command
 * @returns {Promise<Answer>}
 */
export function sendCommand(line, id, command) {
  const follow = line.follows.get(id);
  const client_id = line.world.newId();
  const seq = follow?.state?.view.seq ?? 0;
  return new Promise((resolve) => {
    /** @type {Pending} */
    const entry = { match: id, frame: { t: "command", match: id, client_id, seq, command }, sentAt: null, resolve };
    line.pending.set(client_id, entry);
    if (follow?.ready) transmit(line, entry);
  });
}
