// @ts-check
// The player of this page.

import { deleteSession, getMe, postAccount, postGuest, postLanguage, postSession } from "./api.js";

/** @import { Language, Me, PlayerRef } from "../core/types.js" */

/** @typedef {ReturnType<typeof createSession>} Session */

/**
 * @param {() => void} onIdentity called when the player has changed: the live connection must be opened again
 */
export function createSession(onIdentity) {
  /** @type {PlayerRef | null} */
  let player = null;
  /** Whether the player sees reports and acts on them. */
  let moderator = false;
  /** Whether the player is shown no notices of the operator's. */
  let premium = false;
  /** The player's language, as the server has it. @type {Language | null} */
  let language = null;
  /** The language that the player has chosen, until the server has stored it. @type {Language | null} */
  let chosen = null;
  /** @type {Set<() => void>} */
  const listeners = new Set();
  // Other tabs of the same browser share the cookie, and so the player.
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

  /** Asks the server for the player. */
  async function load() {
    if (take(await getMe())) onIdentity();
    void tell();
  }

  /** Sends the chosen language; a failure is retried with the next `load`. */
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

    /** The first request: the live connection opens with the same cookie, so nothing has to be reported. */
    async begin() {
      take(await getMe());
    },

    load,

    /** Makes this the player's language, here and wherever they log in. @param {Language} next */
    async speak(next) {
      if (!player) return;
      language = next;
      chosen = next;
      await tell();
    },

    /** Makes a guest where there is no player yet. */
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
