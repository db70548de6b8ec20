// @ts-check
// The player of this page.

import { deleteSession, getMe, postGuest, postLanguage } from "./api.js";

/** @import { Language, Me, PlayerRef, SiteView } from "../core/types.js" */

/** @typedef {ReturnType<typeof createSession>} Session */

/**
 * @typedef {Object} SessionState
 * @property {PlayerRef | null} player
 * @property {boolean} moderator whether the player sees reports and acts on them
 * @property {boolean} operator whether the player sees the operator's page
 * @property {boolean} inviter whether the player makes invitations to register
 * @property {boolean} premium whether the player is shown no notices of the operator's
 * @property {SiteView | null} site the operator's choices for this site
 * @property {Language | null} language the player's language, as the server has it
 * @property {Language | null} chosen the language that the player has chosen, until the server has stored it
 * @property {number} turns counts the changes of the player by this page: an answer that was asked for before one is out of date
 * @property {Set<() => void>} listeners
 * @property {BroadcastChannel} channel other tabs of the same browser share the cookie, and so the player
 * @property {() => void} onIdentity
 */

/**
 * @param {() => void} onIdentity called when the player has changed: the live connection must be opened again
 */
export function createSession(onIdentity) {
  /** @type {SessionState} */
  const state = {
    player: null,
    moderator: false,
    operator: false,
    inviter: false,
    premium: false,
    site: null,
    language: null,
    chosen: null,
    turns: 0,
    listeners: new Set(),
    channel: new BroadcastChannel("mawe.session"),
    onIdentity,
  };
  state.channel.onmessage = () => void load(state);

  return {
    player: () => state.player,
    moderator: () => state.moderator,
    operator: () => state.operator,
    inviter: () => state.inviter,
    premium: () => state.premium,
    site: () => state.site,
    language: () => state.language,

    /** @param {() => void} listener @returns {() => void} stops listening */
    onChange(listener) {
      state.listeners.add(listener);
      return () => state.listeners.delete(listener);
    },

    /** The first request: the live connection opens with the same cookie, so nothing has to be reported. */
    async begin() {
      await ask(state);
    },

    load: () => load(state),

    /** Makes this the player's language, here and wherever they log in. @param {Language} next */
    async speak(next) {
      if (!state.player) return;
      state.language = next;
      state.chosen = next;
      await tell(state);
    },

    /** Makes a guest where there is no player yet. */
    async ensure() {
      if (!state.player) become(state, await postGuest());
    },

    /** Takes the server's answer to something that has changed the player. @param {Omit<Me, "unread">} next */
    become: (next) => become(state, next),

    /** Ends the session. @param {() => Promise<unknown>} [end] ends more than the session, such as the account */
    async logOut(end = deleteSession) {
      await end();
      state.chosen = null;
      const nobody = { player: null, moderator: false, operator: false, inviter: false, premium: false, teacher: false, language: null };
      become(state, { ...nobody, site: state.site });
    },
  };
}

/** Takes the server's answer; returns whether the player has changed. @param {SessionState} state @param {Omit<Me, "unread">} next */
function take(state, { player, moderator, operator, inviter, premium, site, language }) {
  const changed = JSON.stringify(state.player) !== JSON.stringify(player);
  Object.assign(state, { player, moderator, operator, inviter, premium, site, language: player ? (state.chosen ?? language) : null });
  for (const listener of state.listeners) listener();
  return changed;
}

/**
 * Asks the server for the player; returns whether the player has changed. On a slow line the answer may come after the reader has become
 * another player here.
 * @param {SessionState} state
 */
async function ask(state) {
  const { turns } = state;
  const me = await getMe();
  return turns === state.turns && take(state, me);
}

/** @param {SessionState} state @param {Omit<Me, "unread">} next */
function become(state, next) {
  state.turns += 1;
  if (!take(state, next)) return;
  state.onIdentity();
  state.channel.postMessage("changed");
}

/** Asks for the player, and opens the connection again for another one. @param {SessionState} state */
async function load(state) {
  if (await ask(state)) state.onIdentity();
  void tell(state);
}

/** Sends the chosen language; a failure is retried with the next `load`. @param {SessionState} state */
async function tell(state) {
  const told = state.chosen;
  if (told === null || !state.player) return;
  await postLanguage(told).then(
    () => {
      if (state.chosen === told) state.chosen = null;
      state.channel.postMessage("changed");
    },
    () => {},
  );
}
