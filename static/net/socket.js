// @ts-check
// The only user of the WebSocket. It keeps a connection to the server open, keeps every followed match complete (`since`, gaps, snapshots),
// and keeps every command until it is answered: the same frame, with the same `client_id`, is sent again after each reconnection, which is
// harmless because the server stores the answer under that id.
//
// No DOM and no clock of its own: the transport, the timers and the random numbers are arguments, so tests can script all of them.

import { clear, createState, follow, join, send, sendCommand, setStatus, tell, transmit } from "./line.js";
import { receive } from "./receive.js";

/** @import { ClientMsg, Command, Phrase, ServerMsg } from "../core/types.js" */
/** @import { LineState, LineStatus, MatchListener, Transport, World } from "./line.js" */
/** @import { MatchState } from "./match.js" */

export const SUBPROTOCOL = "mawe.v1";

/** Without a `pong` within this time the connection is dead, although the browser may still call it open. */
const PONG_MS = 5_000;
/** A connection that takes longer to open is replaced by a new attempt. */
const OPEN_MS = 10_000;
/**
 * The first delay before a reconnection; it doubles, up to the last. Half of each delay is random, so that clients do not return together.
 */
const RETRY_MS = 300;
const RETRY_MAX_MS = 10_000;
/** After a connection that lasted this long the delays begin anew. */
const GOOD_MS = 5_000;
/** A command without an answer on a living connection is sent again after this time. */
const ANSWER_MS = 10_000;

/** @typedef {ReturnType<typeof createLine>} Line */

/** @param {World} world */
export function createLine(world) {
  const line = createState(world);
  return {
    /** Opens the line. */
    start: () => connect(line),

    /** @returns {LineStatus} */
    status: () => line.status,

    /** @param {(status: LineStatus) => void} listener @returns {() => void} stops listening */
    onStatus(listener) {
      line.statusListeners.add(listener);
      return () => line.statusListeners.delete(listener);
    },

    /** Listens to every message, after the line has processed it. @param {(msg: ServerMsg) => void} listener @returns {() => void} stops listening */
    onMessage(listener) {
      line.listeners.add(listener);
      return () => line.listeners.delete(listener);
    },

    /** After a change outside (of the network, or of the page's visibility): reconnects at once, or checks the connection. */
    wake: () => (line.timers.retry !== null ? connect(line) : ping(line)),

    /** After a change of the player: opens a new connection, with all followed matches and waiting commands. */
    reopen: () => reopen(line),

    /** The number of commands without an answer. */
    waiting: () => line.pending.size,

    /** Follows a match. @param {string} id @param {MatchListener} listener @returns {() => void} stops following */
    follow: (id, listener) => follow(line, id, listener),

    /**
     * Sets the state of a followed match from another source, so that it is shown at once; the line then brings later events. Ignored where
     * the line has brought a state already.
     * @param {string} id
     * @param {MatchState} state
     */
    know(id, state) {
      const followed = line.follows.get(id);
      if (!followed || followed.state) return;
      followed.state = state;
      tell(followed, { kind: "snapshot" });
    },

    /** Sends a command for a followed match. @param {string} id @param {Command} command */
    command: (id, command) => sendCommand(line, id, command),

    /** Offers or accepts a rematch. @param {string} id the finished match */
    rematch: (id) => send(line, { t: "rematch", match: id }),

    /** Sends a phrase to a match. A phrase that does not reach the server is dropped. @param {string} id @param {Phrase} phrase */
    phrase: (id, phrase) => send(line, { t: "phrase", match: id, phrase }),

    /** Mutes the opponent's phrases, or ends that. @param {string} id @param {boolean} muted */
    mute: (id, muted) => send(line, { t: "mute", match: id, muted }),

    /** Sends a message that needs no answer; it is lost where the line is not open. @param {ClientMsg} msg */
    send: (msg) => send(line, msg),
  };
}

/** @param {LineState} line */
function connect(line) {
  const { world, timers } = line;
  clear(line, "retry");
  const mine = world.connect();
  line.transport = mine;
  line.opened = false;
  timers.open = world.setTimer(() => drop(line, mine), OPEN_MS);
  mine.onopen = () => {
    if (line.transport !== mine) return;
    world.clearTimer(timers.open);
    line.opened = true;
    line.openedAt = world.now();
    for (const [id, followed] of line.follows) join(line, id, followed);
  };
  mine.onmessage = (/** @type {{ data: string }} */ { data }) => {
    if (line.transport === mine) hear(line, data);
  };
  mine.onclose = () => drop(line, mine);
}

/** @param {LineState} line @param {string} text */
function hear(line, text) {
  /** @type {ServerMsg} */
  let msg;
  try {
    msg = JSON.parse(text);
  } catch {
    return;
  }
  if (msg.t === "hello") {
    line.heartbeatMs = msg.heartbeat_ms;
    beat(line);
    setStatus(line, "open");
  } else if (msg.t === "pong") clear(line, "pong");
  else if (msg.t === "closing") line.stayAway = msg.retry_ms;
  else receive(line, msg);
  for (const listener of line.listeners) listener(msg);
}

/** Handles a transport that is closed or given up, and plans the next one. @param {LineState} line @param {Transport} gone */
function drop(line, gone) {
  const { world } = line;
  if (line.transport !== gone) return;
  shut(line);
  setStatus(line, "down");
  if (world.now() - line.openedAt >= GOOD_MS) line.attempts = 0;
  const wait = Math.min(RETRY_MS * 2 ** line.attempts, RETRY_MAX_MS);
  line.attempts += 1;
  line.timers.retry = world.setTimer(() => connect(line), Math.max(line.stayAway, 0) + wait / 2 + (world.random() * wait) / 2);
  line.stayAway = 0;
}

/** Closes the transport without planning another. @param {LineState} line */
function shut(line) {
  const old = line.transport;
  line.transport = null;
  line.opened = false;
  for (const name of /** @type {const} */ (["open", "beat", "pong"])) clear(line, name);
  for (const followed of line.follows.values()) followed.ready = false;
  for (const command of line.pending.values()) command.sentAt = null;
  if (old) {
    old.onopen = old.onmessage = old.onclose = null;
    old.close();
  }
}

/** @param {LineState} line */
function reopen(line) {
  shut(line);
  line.world.clearTimer(line.timers.retry);
  line.attempts = 0;
  // The players in the seats may have new names: request every match whole.
  for (const followed of line.follows.values()) followed.whole = followed.state !== null;
  setStatus(line, "connecting");
  connect(line);
}

/** @param {LineState} line */
function ping(line) {
  const mine = line.transport;
  if (!mine || !line.opened) return;
  send(line, { t: "ping" });
  line.timers.pong ??= line.world.setTimer(() => drop(line, mine), PONG_MS);
}

/** @param {LineState} line */
function beat(line) {
  const { world, timers } = line;
  world.clearTimer(timers.beat);
  timers.beat = world.setTimer(() => {
    ping(line);
    for (const command of line.pending.values()) {
      if (command.sentAt !== null && world.now() - command.sentAt > ANSWER_MS) transmit(line, command);
    }
    beat(line);
  }, line.heartbeatMs);
}

/** The browser as the environment of a line; the caller adds `newId`. */
export function browserWorld() {
  const url = `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/api/v1/ws`;
  return {
    connect: () => new WebSocket(url, SUBPROTOCOL),
    now: () => performance.now(),
    setTimer: (/** @type {() => void} */ run, /** @type {number} */ ms) => setTimeout(run, ms),
    clearTimer: (/** @type {any} */ timer) => clearTimeout(timer),
    random: Math.random,
  };
}
