// @ts-check
// The games on this device: one record each, stored after every ply. A record is the setup or a position, and the moves; the rules give the rest.

/** @import { Side } from "../core/types.js" */

/**
 * @typedef {Object} Kept
 * @property {string} id
 * @property {string} game
 * @property {string} setup empty where the game begins from a position
 * @property {string} [start] the position that it begins from, as the rules print it; without one, that of the setup
 * @property {number | null} level of the computer; null if both sides move by hand
 * @property {Side} you the side that moves by hand; the first if both do
 * @property {string[]} moves passes among them
 * @property {number} seq the number of its changes
 * @property {{ winner: Side | null, reason: string, score: { first: number, second: number } | null } | null} result
 * @property {Side} turn
 * @property {string} created_at RFC 3339
 * @property {string} changed_at RFC 3339
 * @property {string | null} next the rematch after it
 */

/** @typedef {ReturnType<typeof createStore>} Store */

const PREFIX = "mawe.device.";
/** The most games stored; the oldest finished ones are removed first. */
const MOST = 200;

/**
 * @param {Storage} storage
 */
export function createStore(storage) {
  /** @param {string | null} text @returns {Kept | null} */
  function read(text) {
    try {
      const kept = JSON.parse(text ?? "null");
      return kept !== null && Array.isArray(kept.moves) ? kept : null;
    } catch {
      return null;
    }
  }

  /** @param {string} id */
  const get = (id) => read(storage.getItem(PREFIX + id));

  /** Every game, the last played first. */
  function all() {
    const keys = Array.from({ length: storage.length }, (_, i) => storage.key(i) ?? "").filter((key) => key.startsWith(PREFIX));
    return keys.flatMap((key) => read(storage.getItem(key)) ?? []).sort((a, b) => (a.changed_at < b.changed_at ? 1 : -1));
  }

  /** @param {string} id */
  const remove = (id) => storage.removeItem(PREFIX + id);

  return {
    get,
    all,
    remove,

    /**
     * Stores a game, unless another tab has changed it meanwhile.
     * @param {Kept} kept its `seq` is one higher than the stored one's
     * @returns {boolean} whether it is stored
     * @throws if the device has no room, or allows none
     */
    put(kept) {
      const before = get(kept.id);
      if ((before?.seq ?? -1) >= kept.seq) return false;
      if (before === null)
        for (const { id } of all()
          .filter(({ result }) => result !== null)
          .slice(MOST - 1))
          remove(id);
      storage.setItem(PREFIX + kept.id, JSON.stringify(kept));
      return true;
    },
  };
}

/** The id of the game that a changed key of the storage belongs to. @param {string | null} key */
export const idOf = (key) => (key?.startsWith(PREFIX) ? key.slice(PREFIX.length) : null);
