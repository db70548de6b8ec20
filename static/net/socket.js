// @ts-check
// The only user of the WebSocket. It keeps a connection to the server open, keeps every followed match complete (`since`, gaps, snapshots),
// and keeps every command until it is answered: the same frame, with the same `client_id`, is sent again after each reconnection, which is
// harmless because the server stores the answer under that id.
//
// No DOM and no clock of its own: the transport, the timers and the random numbers are arguments, so tests can script all of them.

import { applyEvent, applyJoined, applyPresence, fromSnapshot } from "./match.js";

/** @import { ClientMsg, Command, ErrorMsg, EventMsg, Phrase, ServerMsg, Side } from "../core/types.js" */
/** @import { MatchState } from "./match.js" */

export const SUBPROTOCOL = "mawe.v1";

/** `WebSocket.OPEN`. */
const OPEN = 1;

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
/** The delay after a refusal that the server calls temporary. */
const AGAIN_MS = 1_000;
/** Temporary refusals: the command stays and is sent again. */
const PASSING = new Set(["storage-unavailable", "busy"]);

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

/** @typedef {ReturnType<typeof createLine>} Line */

/** @param {World} world */
export function createLine(world) {
  /** @type {LineStatus} */
  let status = "connecting";
  /** @type {Transport | null} */
  let transport = null;
  /** Whether the transport can be written to. */
  let opened = false;
  let openedAt = 0;
  let attempts = 0;
  /** The delay before reconnecting that the server asked for. */
  let stayAway = 0;
  let heartbeatMs = 0;
  /** @type {any} */
  let openTimer = null;
  /** @type {any} */
  let retryTimer = null;
  /** @type {any} */
  let beatTimer = null;
  /** @type {any} */
  let pongTimer = null;

  /** @type {Map<string, Follow>} */
  const follows = new Map();
  /** @type {Map<string, Pending>} */
  const pending = new Map();
  /** @type {Set<(status: LineStatus) => void>} */
  const statusListeners = new Set();
  /** @type {Set<(msg: ServerMsg) => void>} */
  const listeners = new Set();

  /** @param {LineStatus} next */
  function setStatus(next) {
    if (status === next) return;
    status = next;
    for (const listener of statusListeners) listener(next);
  }

  function connect() {
    world.clearTimer(retryTimer);
    retryTimer = null;
    const mine = world.connect();
    transport = mine;
    opened = false;
    openTimer = world.setTimer(() => drop(mine), OPEN_MS);
    mine.onopen = () => {
      if (transport !== mine) return;
      world.clearTimer(openTimer);
      opened = true;
      openedAt = world.now();
      for (const [id, follow] of follows) join(id, follow);
    };
    mine.onmessage = (/** @type {{ data: string }} */ { data }) => {
      if (transport === mine) receive(data);
    };
    mine.onclose = () => drop(mine);
  }

  /**
   * Handles a transport that is closed or given up, and plans the next one.
   * @param {Transport} gone
   */
  function drop(gone) {
    if (transport !== gone) return;
    shut();
    setStatus("down");
    if (world.now() - openedAt >= GOOD_MS) attempts = 0;
    const wait = Math.min(RETRY_MS * 2 ** attempts, RETRY_MAX_MS);
    attempts += 1;
    retryTimer = world.setTimer(connect, Math.max(stayAway, 0) + wait / 2 + (world.random() * wait) / 2);
    stayAway = 0;
  }

  /** Closes the transport without planning another. */
  function shut() {
    const old = transport;
    transport = null;
    opened = false;
    for (const timer of [openTimer, beatTimer, pongTimer]) world.clearTimer(timer);
    beatTimer = pongTimer = null;
    for (const follow of follows.values()) follow.ready = false;
    for (const command of pending.values()) command.sentAt = null;
    if (old) {
      old.onopen = old.onmessage = old.onclose = null;
      old.close();
    }
  }

  /** @param {ClientMsg} msg */
  function send(msg) {
    // A closing transport reports its end soon; a lost frame is stored here or requested again.
    if (transport && opened && transport.readyState === OPEN) transport.send(JSON.stringify(msg));
  }

  function ping() {
    const mine = transport;
    if (!mine || !opened) return;
    send({ t: "ping" });
    pongTimer ??= world.setTimer(() => drop(mine), PONG_MS);
  }

  function beat() {
    world.clearTimer(beatTimer);
    beatTimer = world.setTimer(() => {
      ping();
      for (const command of pending.values()) {
        if (command.sentAt !== null && world.now() - command.sentAt > ANSWER_MS) transmit(command);
      }
      beat();
    }, heartbeatMs);
  }

  /**
   * @param {string} id
   * @param {Follow} follow
   */
  function join(id, follow) {
    follow.ready = false;
    const since = follow.whole ? undefined : follow.state?.view.seq;
    send(since === undefined ? { t: "join", match: id } : { t: "join", match: id, since });
  }

  /** @param {Pending} command */
  function transmit(command) {
    if (!opened) return;
    command.sentAt = world.now();
    send(command.frame);
  }

  /**
   * The match is joined on this connection: sends the waiting commands, in their order.
   * @param {string} id
   * @param {Follow} follow
   */
  function ready(id, follow) {
    follow.ready = true;
    follow.lost = 0;
    for (const command of pending.values()) if (command.match === id && command.sentAt === null) transmit(command);
  }

  /**
   * @param {string} clientId
   * @param {Answer} answer
   */
  function settle(clientId, answer) {
    const command = pending.get(clientId);
    if (!command) return;
    pending.delete(clientId);
    command.resolve(answer);
    forget(command.match);
  }

  /**
   * Stops following a match without listeners and without waiting commands.
   * @param {string} id
   */
  function forget(id) {
    const follow = follows.get(id);
    if (!follow || follow.listeners.size > 0) return;
    for (const command of pending.values()) if (command.match === id) return;
    follows.delete(id);
    send({ t: "leave", match: id });
  }

  /**
   * @param {Follow} follow
   * @param {MatchNews} news
   */
  function tell(follow, news) {
    for (const listener of follow.listeners) listener(follow.state, news);
  }

  /**
   * Events are missing: requests the whole match, and ignores events until it comes.
   * @param {string} id
   * @param {Follow} follow
   */
  function askWhole(id, follow) {
    if (follow.whole) return;
    follow.whole = true;
    join(id, follow);
  }

  /** @param {string} text */
  function receive(text) {
    /** @type {ServerMsg} */
    let msg;
    try {
      msg = JSON.parse(text);
    } catch {
      return;
    }
    switch (msg.t) {
      case "hello":
        heartbeatMs = msg.heartbeat_ms;
        beat();
        setStatus("open");
        break;
      case "pong":
        world.clearTimer(pongTimer);
        pongTimer = null;
        break;
      case "snapshot": {
        const follow = follows.get(msg.match.id);
        if (!follow) break;
        // The same object for as long as the match is followed: views keep a reference to it.
        follow.state = Object.assign(follow.state ?? {}, fromSnapshot(msg, world.now()));
        follow.whole = false;
        tell(follow, { kind: "snapshot" });
        ready(msg.match.id, follow);
        break;
      }
      case "event": {
        const follow = follows.get(msg.match);
        if (follow?.state && !follow.whole) {
          const outcome = applyEvent(follow.state, msg, world.now());
          if (outcome === "applied") tell(follow, { kind: "event", msg });
          else if (outcome === "gap") askWhole(msg.match, follow);
        }
        if (msg.client_id) settle(msg.client_id, { ok: true, event: msg });
        break;
      }
      case "joined": {
        const follow = follows.get(msg.match);
        if (!follow?.state || follow.whole) break;
        if (msg.seq > follow.state.view.seq) {
          askWhole(msg.match, follow);
          break;
        }
        applyJoined(follow.state, msg, world.now());
        tell(follow, { kind: "changed" });
        ready(msg.match, follow);
        break;
      }
      case "presence": {
        const follow = follows.get(msg.match);
        if (!follow?.state) break;
        applyPresence(follow.state, msg.presence, world.now());
        tell(follow, { kind: "changed" });
        break;
      }
      case "rematch": {
        const follow = follows.get(msg.match);
        if (!follow?.state) break;
        follow.state.rematch = msg.rematch;
        tell(follow, { kind: "changed" });
        break;
      }
      case "phrase": {
        const follow = follows.get(msg.match);
        if (follow?.state) tell(follow, { kind: "said", side: msg.side, phrase: msg.phrase });
        break;
      }
      case "error":
        refused(msg);
        break;
      case "closing":
        stayAway = msg.retry_ms;
        break;
      case "challenge-accepted":
        break;
    }
    for (const listener of listeners) listener(msg);
  }

  /** @param {ErrorMsg} error */
  function refused(error) {
    const command = error.client_id ? pending.get(error.client_id) : undefined;
    if (command && PASSING.has(error.code)) {
      command.sentAt = null;
      world.setTimer(() => {
        // In between, a reconnection may have sent it, or an answer may have come.
        if (
          pending.get(/** @type {string} */ (error.client_id)) === command &&
          command.sentAt === null &&
          follows.get(command.match)?.ready
        ) {
          transmit(command);
        }
      }, AGAIN_MS);
      return;
    }
    const moved = error.code === "moved" && error.match ? follows.get(error.match) : undefined;
    if (error.match && moved) {
      // Another server has the match now: join there, and send its unanswered commands again.
      const { match } = error;
      const mine = transport;
      for (const pent of pending.values()) if (pent.match === match) pent.sentAt = null;
      moved.ready = false;
      // The first time the move takes a moment. If that retry has failed, the match's server cannot be reached, and the reader is told.
      if (moved.lost > 0) tell(moved, { kind: "refused", error });
      world.setTimer(() => {
        if (transport !== mine || follows.get(match) !== moved || moved.ready) return;
        moved.lost++;
        join(match, moved);
      }, AGAIN_MS);
      return;
    }
    if (error.client_id) {
      settle(error.client_id, { ok: false, error });
      return;
    }
    if (error.code === "too-fast" && !error.match) {
      // The server does not say which frame it dropped: send every `join` and every unanswered command again.
      const mine = transport;
      world.setTimer(() => {
        if (transport !== mine) return;
        for (const [id, follow] of follows) if (!follow.ready || follow.whole) join(id, follow);
        for (const command of pending.values()) if (follows.get(command.match)?.ready) transmit(command);
      }, AGAIN_MS);
      return;
    }
    const follow = error.match ? follows.get(error.match) : undefined;
    if (!follow) return;
    if (error.code === "unknown-match") {
      // No command for this match will get another answer.
      for (const [clientId, command] of pending) if (command.match === error.match) settle(clientId, { ok: false, error });
    }
    tell(follow, { kind: "refused", error });
  }

  return {
    /** Opens the line. */
    start: connect,

    /** @returns {LineStatus} */
    status: () => status,

    /**
     * @param {(status: LineStatus) => void} listener
     * @returns {() => void} stops listening
     */
    onStatus(listener) {
      statusListeners.add(listener);
      return () => statusListeners.delete(listener);
    },

    /**
     * Listens to every message, after the line has processed it.
     * @param {(msg: ServerMsg) => void} listener
     * @returns {() => void} stops listening
     */
    onMessage(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    /** After a change outside (of the network, or of the page's visibility): reconnects at once, or checks the connection. */
    wake() {
      if (retryTimer !== null) connect();
      else ping();
    },

    /** After a change of the player: opens a new connection, with all followed matches and waiting commands. */
    reopen() {
      shut();
      world.clearTimer(retryTimer);
      attempts = 0;
      // The players in the seats may have new names: request every match whole.
      for (const follow of follows.values()) follow.whole = follow.state !== null;
      setStatus("connecting");
      connect();
    },

    /** The number of commands without an answer. */
    waiting: () => pending.size,

    /**
     * Follows a match. The listener is called at once if the match is known already.
     * @param {string} id
     * @param {MatchListener} listener
     * @returns {() => void} stops following
     */
    follow(id, listener) {
      let follow = follows.get(id);
      if (!follow) {
        follow = { state: null, listeners: new Set(), ready: false, lost: 0, whole: false };
        follows.set(id, follow);
        if (opened) join(id, follow);
      }
      follow.listeners.add(listener);
      if (follow.state) listener(follow.state, { kind: "snapshot" });
      const followed = follow;
      return () => {
        followed.listeners.delete(listener);
        forget(id);
      };
    },

    /**
     * Sets the state of a followed match from another source, so that it is shown at once; the line then brings later events. Ignored where
     * the line has brought a state already.
     * @param {string} id
     * @param {MatchState} state
     */
    know(id, state) {
      const follow = follows.get(id);
      if (!follow || follow.state) return;
      follow.state = state;
      tell(follow, { kind: "snapshot" });
    },

    /**
     * Sends a command for a followed match; the answer may come after any number of reconnections.
     * @param {string} id
     * @param {Command} command
     * @returns {Promise<Answer>}
     */
    command(id, command) {
      const follow = follows.get(id);
      const client_id = world.newId();
      const seq = follow?.state?.view.seq ?? 0;
      return new Promise((resolve) => {
        /** @type {Pending} */
        const entry = { match: id, frame: { t: "command", match: id, client_id, seq, command }, sentAt: null, resolve };
        pending.set(client_id, entry);
        if (follow?.ready) transmit(entry);
      });
    },

    /**
     * Offers or accepts a rematch.
     * @param {string} id the finished match
     */
    rematch: (id) => send({ t: "rematch", match: id }),

    /**
     * Sends a phrase to a match. A phrase that does not reach the server is dropped.
     * @param {string} id
     * @param {Phrase} phrase
     */
    phrase: (id, phrase) => send({ t: "phrase", match: id, phrase }),

    /**
     * Mutes the opponent's phrases, or ends that.
     * @param {string} id
     * @param {boolean} muted
     */
    mute: (id, muted) => send({ t: "mute", match: id, muted }),

    /** Sends a message that needs no answer; it is lost where the line is not open. @param {ClientMsg} msg */
    send,
  };
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
