// @ts-check
// Finding an opponent: the pool in which this page waits, the offers of the lobby, challenges to the player, featured matches. No DOM.
//
// Requests are sent again when the connection has come back: the server forgets them with the connection.

import { POOL_REFUSALS } from "../core/facts.js";

/** @import { Challenge, ClientMsg, ErrorMsg, GameKind, PlayerRef, PoolCount, PoolId, SeekView, ServerMsg } from "../core/types.js" */
/** @import { LineStatus } from "./line.js" */

/**
 * The parts of the connection that the lobby uses.
 * @typedef {{ status(): LineStatus, onStatus(run: (status: LineStatus) => void): unknown, onMessage(run: (msg: ServerMsg) => void):
 *   unknown, send(msg: ClientMsg): void }} Wire
 */

/** @typedef {{ game: GameKind, pool: PoolId, rated: boolean }} Pool */

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

/** Refusals of a wait. @type {Set<string>} */
const refusals = new Set(POOL_REFUSALS);

/** @typedef {ReturnType<typeof createLobby>} Lobby */

/** @param {Pool} a @param {Pool} b */
export const samePool = (a, b) => a.game === b.game && a.pool === b.pool && a.rated === b.rated;

/**
 * @typedef {Object} LobbyParts
 * @property {Wire} line
 * @property {() => number} now a steady clock, milliseconds
 * @property {LobbyState} state
 * @property {number} watching the number of views that show the offers
 * @property {Map<GameKind, number>} channels the number of views that show the featured match of a game
 * @property {Set<string>} made ids of the seeks and challenges that this tab made
 * @property {Set<() => void>} listeners
 * @property {Set<(begun: Begun) => void>} pairedListeners
 */

/**
 * @param {Wire} line
 * @param {() => number} now a steady clock, milliseconds
 */
export function createLobby(line, now) {
  /** @type {LobbyState} */
  const state = { wait: null, refusal: null, seeks: [], pools: [], challenges: [], tv: new Map() };
  /** @type {LobbyParts} */
  const lobby = { line, now, state, watching: 0, channels: new Map(), made: new Set(), listeners: new Set(), pairedListeners: new Set() };
  line.onStatus((status) => {
    if (status === "open") askAgain(lobby);
  });
  line.onMessage((msg) => {
    if (hear(lobby, msg)) changed(lobby);
  });

  return {
    state,

    /** @param {() => void} listener @returns {() => void} stops listening */
    onChange(listener) {
      lobby.listeners.add(listener);
      return () => lobby.listeners.delete(listener);
    },

    /** A match has begun. @param {(begun: Begun) => void} listener */
    onPaired(listener) {
      lobby.pairedListeners.add(listener);
    },

    /** Waits in a pool; in one at a time. @param {Pool} pool */
    wait: (pool) => wait(lobby, pool),

    /** Stops waiting. */
    leave: () => leave(lobby),

    /** Accepts the offered computer opponent. */
    acceptBot() {
      if (state.wait?.bot) line.send({ t: "accept-bot", ...state.wait.pool });
    },

    /** The length of this page's wait, in milliseconds. */
    waited: () => (state.wait ? now() - state.wait.since : 0),

    /** Notes a seek or a challenge made by this tab, which then opens its match. @param {string} id */
    made: (id) => void lobby.made.add(id),
    /** @param {string} id */
    isMade: (id) => lobby.made.has(id),

    /** Replaces the challenges by those stored on the server. @param {Challenge[]} challenges */
    take(challenges) {
      state.challenges = challenges;
      changed(lobby);
    },

    /** @param {string} id of a challenge that is answered */
    answered(id) {
      state.challenges = state.challenges.filter((challenge) => challenge.id !== id);
      changed(lobby);
    },

    /** @returns {() => void} stops watching */
    watch: () => watch(lobby),

    /** @param {GameKind} game @returns {() => void} stops watching */
    watchTv: (game) => watchTv(lobby, game),
  };
}

/** @param {LobbyParts} lobby */
function changed({ listeners }) {
  for (const listener of listeners) listener();
}

/** @param {LobbyParts} lobby @param {Begun} begun */
function paired({ pairedListeners }, begun) {
  for (const listener of pairedListeners) listener(begun);
}

/** Sends the requests again on a new connection. @param {LobbyParts} lobby */
function askAgain({ line, state, watching, channels }) {
  if (state.wait) line.send({ t: "join-pool", ...state.wait.pool });
  if (watching > 0) line.send({ t: "watch-lobby" });
  for (const game of channels.keys()) line.send({ t: "watch-tv", game });
}

/** @param {LobbyParts} lobby @param {Pool} pool */
function wait(lobby, pool) {
  const { line, now, state } = lobby;
  if (state.wait && samePool(state.wait.pool, pool)) return;
  leave(lobby);
  state.wait = { pool, since: now(), waiting: 0, bot: null };
  state.refusal = null;
  line.send({ t: "join-pool", ...pool });
  changed(lobby);
}

/** @param {LobbyParts} lobby */
function leave(lobby) {
  const { line, state } = lobby;
  if (!state.wait) return;
  line.send({ t: "leave-pool", ...state.wait.pool });
  state.wait = null;
  changed(lobby);
}

/** @param {LobbyParts} lobby */
function watch(lobby) {
  if (lobby.watching++ === 0) lobby.line.send({ t: "watch-lobby" });
  return () => {
    if (--lobby.watching === 0) lobby.line.send({ t: "unwatch-lobby" });
  };
}

/** @param {LobbyParts} lobby @param {GameKind} game */
function watchTv({ line, state, channels }, game) {
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
}

/** Handles a message; returns whether the state has changed. @param {LobbyParts} lobby @param {ServerMsg} msg */
function hear(lobby, msg) {
  const { state, made } = lobby;
  switch (msg.t) {
    case "pool":
    case "pool-left":
    case "bot-offer":
      return hearOfPool(lobby, msg);
    case "paired": {
      const mine = state.wait !== null && samePool(state.wait.pool, msg);
      state.wait = null;
      paired(lobby, { match: msg.match, mine, challenge: null });
      return true;
    }
    case "challenge-accepted":
      paired(lobby, { match: msg.match, mine: made.delete(msg.challenge), challenge: msg.challenge });
      return true;
    case "lobby":
      state.seeks = msg.seeks ?? state.seeks;
      state.pools = msg.pools ?? state.pools;
      return true;
    case "challenge":
      state.challenges = [msg.challenge, ...state.challenges.filter(({ id }) => id !== msg.challenge.id)];
      return true;
    case "challenge-gone":
      state.challenges = state.challenges.filter(({ id }) => id !== msg.challenge);
      return true;
    case "tv":
      state.tv.set(msg.game, msg.match);
      return true;
    case "error":
      return hearError(state, msg);
    default:
      return false;
  }
}

/** @param {LobbyParts} lobby @param {Extract<ServerMsg, { t: "pool" | "pool-left" | "bot-offer" }>} msg */
function hearOfPool({ state, now }, msg) {
  const { wait } = state;
  if (!wait || !samePool(wait.pool, msg)) return false;
  if (msg.t === "pool-left") state.wait = null;
  else if (msg.t === "bot-offer") wait.bot = { player: msg.bot, rating: msg.rating };
  else {
    wait.waiting = msg.waiting;
    wait.since = now() - msg.waited_ms;
  }
  return true;
}

/** @param {LobbyState} state @param {ErrorMsg} msg */
function hearError(state, msg) {
  if (msg.match || msg.client_id || !state.wait) return false;
  if (msg.code === "no-bot-offer") state.wait.bot = null;
  else if (state.wait.waiting === 0 && refusals.has(msg.code)) {
    state.wait = null;
    state.refusal = msg;
  } else return false;
  return true;
}
