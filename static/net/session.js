// @ts-check
// Who this page speaks for.

import { deleteSession, getMe, postAccount, postGuest, postSession } from "./api.js";

/** @import { Me, PlayerRef } from "../core/types.js" */

/** @typedef {ReturnType<typeof createSession>} Session */

/**
 * @param {() => void} onIdentity called when the player is another than before: the live line must say so
 */
export function createSession(onIdentity) {
  /** @type {PlayerRef | null} */
  let player = null;
  /** Whether they see reports and act on them. */
  let moderator = false;
  /** @type {Set<() => void>} */
  const listeners = new Set();
  // Other tabs of the same browser share the cookie, so they share the player.
  const channel = new BroadcastChannel("mawe.session");
  channel.onmessage = () => void load();

  /** @param {Me} next */
  function take(next) {
    const changed = JSON.stringify(player) !== JSON.stringify(next.player);
    ({ player, moderator } = next);
    for (const listener of listeners) listener();
    return changed;
  }

  /** @param {Me} next */
  function become(next) {
    if (!take(next)) return;
    onIdentity();
    channel.postMessage("changed");
  }

  /** Ask the server who we are. */
  async function load() {
    if (take(await getMe())) onIdentity();
  }

  return {
    player: () => player,
    moderator: () => moderator,

    /**
     * @param {() => void} listener
     * @returns {() => void} stops listening
     */
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    /** The first look: the line opens after it, so nothing has to be told. */
    async begin() {
      take(await getMe());
    },

    load,

    /** Be somebody: a guest, where there is nobody yet. */
    async ensure() {
      if (!player) become(await postGuest());
    },

    /** @param {string} name @param {string} password */
    async register(name, password) {
      become(await postAccount(name, password));
    },

    /** @param {string} name @param {string} password */
    async logIn(name, password) {
      become(await postSession(name, password));
    },

    async logOut() {
      await deleteSession();
      become({ player: null, moderator: false });
    },
  };
}
