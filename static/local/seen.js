// @ts-check
// Finished matches of the server that the reader has opened, stored on this device so that they can be analysed without a network: the last
// ones.

/** @import { MatchResult, MatchView, PlayerRef, Seats } from "../core/types.js" */

/**
 * @typedef {Object} Seen
 * @property {string} id
 * @property {string} game
 * @property {string} setup
 * @property {string} start the position before the first ply
 * @property {string[]} moves
 * @property {Seats<PlayerRef>} players
 * @property {MatchResult} result
 * @property {string} seen_at RFC 3339
 */

/** @typedef {ReturnType<typeof createSeen>} SeenStore */

const PREFIX = "mawe.seen.";
/** The most matches stored; the one opened longest ago is removed first. A long match takes some 3 kB, and browsers give 5 MB. */
const MOST = 60;

/** @param {Storage} storage */
export function createSeen(storage) {
  /** @param {string | null} text @returns {Seen | null} */
  function read(text) {
    try {
      const seen = JSON.parse(text ?? "null");
      return seen !== null && Array.isArray(seen.moves) && seen.result ? seen : null;
    } catch {
      return null;
    }
  }

  const keys = () => Array.from({ length: storage.length }, (_, i) => storage.key(i) ?? "").filter((key) => key.startsWith(PREFIX));

  /** Every match, the last opened first. */
  const all = () =>
    keys()
      .flatMap((key) => read(storage.getItem(key)) ?? [])
      .sort((a, b) => (a.seen_at < b.seen_at ? 1 : -1));

  return {
    all,

    /** @param {string} id */
    get: (id) => read(storage.getItem(PREFIX + id)),

    /**
     * Stores a finished match, unless the device has no room for it.
     * @param {MatchView} view
     * @param {string} [at] when it was opened
     */
    put(view, at) {
      const seen = seenOf(view, at);
      if (seen === null) return;
      const { id } = seen;
      for (const old of all()
        .filter((other) => other.id !== id)
        .slice(MOST - 1))
        storage.removeItem(PREFIX + old.id);
      try {
        storage.setItem(PREFIX + id, JSON.stringify(seen));
      } catch {
        // No room, or storage is forbidden.
      }
    },

    /** Removes all matches at a logout, so that the next user of the device does not find them. */
    clear() {
      for (const key of keys()) storage.removeItem(key);
    },
  };
}

/** The record of a match; null while it runs. @param {MatchView} view @param {string} [at] @returns {Seen | null} */
export function seenOf({ id, game, setup, start, plies, seats, result }, at = new Date().toISOString()) {
  if (result === null) return null;
  return {
    id,
    game,
    setup,
    start,
    moves: plies.map(({ move }) => move),
    players: { first: seats.first.player, second: seats.second.player },
    result,
    seen_at: at,
  };
}
