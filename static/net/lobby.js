// @ts-check
// Finding an opponent: the pool in which this page waits, the offers of the lobby, challenges to the player, featured matches. No DOM.
//
// Requests are sent again when the connection has come back: the server forgets them with the connection.

/** @import { Challenge, ClientMsg, ErrorMsg, PlayerRef, PoolCount, SeekView, ServerMsg } from "../core/types.js" */
/** @import { LineStatus } from "./socket.js" */

/**
 * The parts of the connection that the lobby uses.
 * @typedef {{ status(): LineStatus, onStatus(run: (status: LineStatus) => void): unknown, onMessage(run: (msg: ServerMsg) => void):
 *   unknown, send(msg: ClientMsg): void }} Wire
 */

/** @typedef {{ game: string, pool: string, rated: boolean }} Pool */

/**
 * @typedef {Object} Wait this page's wait in a pool
 * @property {Pool} pool
 * @property {number} since by the lobby's clock
 * @property {number} waiting the number of players waiting there; 0 before the server has answered
 * @property {{ player: PlayerRef, rating: number } | null} bot the computer opponent that is offered
 */

/**
 * @typedef {Object} LobbyState
 * @property {Wait | null} wait
 * @property {ErrorMsg | null} refusal why the last wait was refused
 * @property {SeekView[]} seeks all open offers, the player's own included
 * @property {PoolCount[]} pools pools in which a player waits
 * @property {Challenge[]} challenges challenges to this player by name, newest first
 * @property {Map<string, string | null>} tv the featured match of each game
 */

/**
 * A match that began from a pool, a seek or a challenge. `mine`: this tab had asked for it.
 * @typedef {{ match: string, mine: boolean, challenge: string | null }} Begun
 */

/** Refusals of a wait; none of them names the pool. */
const REFUSALS = new Set([
  "sign-in-first",
  "account-needed",
  "unknown-pool",
  "too-many-pools",
  "pool-wait",
  "storage-low",
  "storage-unavailable",
]);

/** @typedef {ReturnType<typeof createLobby>} Lobby */

/** @param {Pool} a @param {Pool} b */
export const samePool = (a, b) => a.game === b.game && a.pool === b.pool && a.rated === b.rated;

/**
 * @param {Wire} line
 * @param {() => number} now a steady clock, milliseconds
 */
export function createLobby(line, now) {
  /** @type {LobbyState} */
  const state = { wait: null, refusal: null, seeks: [], pools: [], challenges: [], tv: new Map() };
  let watching = 0;
  /** The number of views that show the featured match of a game. @type {Map<string, number>} */
  const channels = new Map();
  /** Ids of the seeks and challenges that this tab made. @type {Set<string>} */
  const made = new Set();
  /** @type {Set<() => void>} */
  const listeners = new Set();
  /** @type {Set<(begun: Begun) => void>} */
  const pairedListeners = new Set();

  function changed() {
    for (const listener of listeners) listener();
  }

  /** @param {Begun} begun */
  function paired(begun) {
    for (const listener of pairedListeners) listener(begun);
  }

  function leave() {
    if (!state.wait) return;
    line.send({ t: "leave-pool", ...state.wait.pool });
    state.wait = null;
    changed();
  }

  line.onStatus((status) => {
    if (status !== "open") return;
    if (state.wait) line.send({ t: "join-pool", ...state.wait.pool });
    if (watching > 0) line.send({ t: "watch-lobby" });
    for (const game of channels.keys()) line.send({ t: "watch-tv", game });
  });

  line.onMessage((msg) => {
    switch (msg.t) {
      case "pool":
        if (!state.wait || !samePool(state.wait.pool, msg)) return;
        state.wait.waiting = msg.waiting;
        state.wait.since = now() - msg.waited_ms;
        break;
      case "pool-left":
        if (!state.wait || !samePool(state.wait.pool, msg)) return;
        state.wait = null;
        break;
      case "bot-offer":
        if (!state.wait || !samePool(state.wait.pool, msg)) return;
        state.wait.bot = { player: msg.bot, rating: msg.rating };
        break;
      case "paired": {
        const mine = state.wait !== null && samePool(state.wait.pool, msg);
        state.wait = null;
        paired({ match: msg.match, mine, challenge: null });
        break;
      }
      case "challenge-accepted":
        paired({ match: msg.match, mine: made.delete(msg.challenge), challenge: msg.challenge });
        break;
      case "lobby":
        state.seeks = msg.seeks ?? state.seeks;
        state.pools = msg.pools ?? state.pools;
        break;
      case "challenge":
        state.challenges = [msg.challenge, ...state.challenges.filter(({ id }) => id !== msg.challenge.id)];
        break;
      case "challenge-gone":
        state.challenges = state.challenges.filter(({ id }) => id !== msg.challenge);
        break;
      case "tv":
        state.tv.set(msg.game, msg.match);
        break;
      case "error":
        if (msg.match || msg.client_id || !state.wait) return;
        if (msg.code === "no-bot-offer") state.wait.bot = null;
        else if (state.wait.waiting === 0 && REFUSALS.has(msg.code)) {
          state.wait = null;
          state.refusal = msg;
        } else return;
        break;
      default:
        return;
    }
    changed();
  });

  return {
    state,

    /**
     * @param {() => void} listener
     * @returns {() => void} stops listening
     */
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    /**
     * A match has begun.
     * @param {(begun: Begun) => void} listener
     */
    onPaired(listener) {
      pairedListeners.add(listener);
    },

    /** Waits in a pool; in one at a time. @param {Pool} pool */
    wait(pool) {
      if (state.wait && samePool(state.wait.pool, pool)) return;
      leave();
      state.wait = { pool, since: now(), waiting: 0, bot: null };
      state.refusal = null;
      line.send({ t: "join-pool", ...pool });
      changed();
    },

    /** Stops waiting. */
    leave,

    /** Accepts the offered computer opponent. */
    acceptBot() {
      if (state.wait?.bot) line.send({ t: "accept-bot", ...state.wait.pool });
    },

    /** The length of this page's wait, in milliseconds. */
    waited: () => (state.wait ? now() - state.wait.since : 0),

    /** Notes a seek or a challenge made by this tab, which then opens its match. @param {string} id */
    made: (id) => void made.add(id),
    /** @param {string} id */
    isMade: (id) => made.has(id),

    /** Replaces the challenges by those stored on the server. @param {Challenge[]} challenges */
    take(challenges) {
      state.challenges = challenges;
      changed();
    },

    /** @param {string} id of a challenge that is answered */
    answered(id) {
      state.challenges = state.challenges.filter((challenge) => challenge.id !== id);
      changed();
    },

    /** @returns {() => void} stops watching */
    watch() {
      if (watching++ === 0) line.send({ t: "watch-lobby" });
      return () => {
        if (--watching === 0) line.send({ t: "unwatch-lobby" });
      };
    },

    /**
     * @param {string} game
     * @returns {() => void} stops watching
     */
    watchTv(game) {
      const count = channels.get(game) ?? 0;
      channels.set(game, count + 1);
      if (count === 0) line.send({ t: "watch-tv", game });
      return () => {
        const left = (channels.get(game) ?? 1) - 1;
        if (left > 0) return void channels.set(game, left);
        channels.delete(game);
        state.tv.delete(game);
        line.send({ t: "unwatch-tv", game });
      };
    },
  };
}
