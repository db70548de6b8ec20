// @ts-check
// Begins a match against the computer or on one device: on the server, or on this device without it. With people on other devices it begins
// once they accept.

import { t } from "../core/i18n.js";
import { loadGame } from "../games/index.js";
import { postChallenge, postMatch, postPassAndPlay, postSeek, problemOf } from "../net/api.js";
import { problemText } from "./texts.js";

/** @import { GameKind, Side, SideWish, TimeControl } from "../core/types.js" */
/** @import { NewChallenge, NewSeek } from "../net/api.js" */
/** @import { Context } from "./context.js" */

/**
 * @typedef {Object} Wish
 * @property {GameKind} game
 * @property {string} setup
 * @property {SideWish} side
 * @property {number | null} level of the computer; null for one device
 * @property {TimeControl} time_control of a match on the server
 * @property {boolean} here whether the match is on this device, without the server
 * @property {string} [start] the position that a match on this device begins from, with an empty setup
 * @property {Side} [turn] the side to move in it
 */

/** The device has no room for the match, or storage is forbidden. */
const DEVICE_FULL = { status: 0, code: "device-full" };

/**
 * @param {Wish} wish of a player who is known to the server, unless the match is on this device
 * @param {object} [more] further fields for the server
 * @returns {Promise<string>} the address of the match
 * @throws a problem with a text by `beginText`
 */
export async function begin({ game, setup, side, level, time_control, here, start, turn }, more = {}) {
  // While the match is made; its page handles a failure.
  void loadGame(game).catch(() => {});
  if (here) {
    const [{ beginMatch }, { createStore }] = await Promise.all([import("../local/line.js"), import("../local/store.js")]);
    try {
      return `/device/${beginMatch(createStore(localStorage), { game, setup, start, turn, side, level })}`;
    } catch {
      throw DEVICE_FULL;
    }
  }
  const terms = { game, setup, time_control, ...more };
  const { id } = await (level === null ? postPassAndPlay(terms) : postMatch({ ...terms, side, level }));
  return `/match/${id}`;
}

/**
 * Makes a challenge, for a player by name or with a link; its maker becomes a guest if the server does not know them yet.
 * @param {Pick<Context, "lobby" | "session">} ctx
 * @param {NewChallenge} wish
 * @returns {Promise<string>} the address with the link, or of the match that has begun already
 * @throws a problem with a text by `beginText`
 */
export async function challenge({ lobby, session }, wish) {
  await session.ensure();
  const { id, match } = await postChallenge(wish);
  lobby.made(id);
  return match ? `/match/${match}` : `/challenge/${id}`;
}

/**
 * Makes an offer to everybody, in the same way; this tab opens its match.
 * @param {Pick<Context, "lobby" | "session">} ctx
 * @param {NewSeek} wish
 */
export async function offer({ lobby, session }, wish) {
  await session.ensure();
  lobby.made((await postSeek(wish)).id);
}

/** @param {unknown} error */
export const beginText = (error) => (problemOf(error).code === DEVICE_FULL.code ? t("refused.device-full") : problemText(error));
