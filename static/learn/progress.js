// @ts-check
// The tasks that the reader has solved, stored on the device.

const STORED = "mawe.learnt";

/** @returns {Record<string, string[]>} the keys of the tasks, by game */
function stored() {
  try {
    const value = JSON.parse(localStorage.getItem(STORED) ?? "{}");
    return value !== null && typeof value === "object" ? value : {};
  } catch {
    return {};
  }
}

/** The keys of a game's solved tasks. @param {string} game @returns {Set<string>} */
export function solvedOf(game) {
  const keys = stored()[game];
  return new Set(Array.isArray(keys) ? keys : []);
}

/** @param {string} game @param {string} key */
export function markSolved(game, key) {
  try {
    localStorage.setItem(STORED, JSON.stringify({ ...stored(), [game]: [...solvedOf(game).add(key)] }));
  } catch {
    // Storage may be forbidden; the task is solved all the same.
  }
}
