// @ts-check
// Who this page speaks for.

import { deleteSession, getMe, postAccount, postGuest, postLanguage, postSession } from "./api.js";

/** @import { Language, Me, PlayerRef } from "../core/types.js" */

/** @typedef {ReturnType<typeof createSession>} Session */

/**
 * @param {() => void} onIdentity called when the player is another than before: the live line must say so
 */
export function createSession(onIdentity) {
  /** @type {PlayerRef | null} */
  let player = null;
  /** Whether they see reports and act on them. */
  let moderator = false;
  /** Whether they are shown no notices of the operator's. */
  let premium = false;
  /** What they read, as the server has it. @type {Language | null} */
  let language = null;
  /** What they have chosen to read, until the server has it. @type {Language | null} */
  let chosen = null;
  /** @type {Set<() => void>} */
  const listeners = new Set();
  // Other tabs of the same browser share the cookie, so they share the player.
  const channel = new BroadcastChannel("mawe.session");
  channel.onmessage = () => void load();

  /** @param {Me} next */
  function take(next) {
    const changed = JSON.stringify(player) !== JSON.stringify(next.player);
    ({ player, moderator, premium } = next);
    language = next.player ? (chosen ?? next.language) : null;
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
    void tell();
  }

  /** What could not be told is told with the next look. */
  async function tell() {
    const told = chosen;
    if (told === null || !player) return;
    await postLanguage(told).then(
      () => {
        if (chosen === told) chosen = null;
        channel.postMessage("changed");
      },
      () => {},
    );
  }

  return {
    player: () => player,
    moderator: () => moderator,
    premium: () => premium,
    language: () => language,

    /**
     * @param {() => void} listener
     * @returns {() => void} stops listening
     */
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    /** The first look: the line opens with the same cookie, so nothing has to be told. */
    async begin() {
      take(await getMe());
    },

    load,

    /** From now on they read this, here and wherever they log in. @param {Language} next */
    async speak(next) {
      if (!player) return;
      language = next;
      chosen = next;
      await tell();
    },

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
      chosen = null;
      become({ player: null, moderator: false, premium: false, language: null });
    },
  };
}
