// @ts-check
// The badge on the icon of the installed page: the number of matches in which it is the reader's turn. A device without badges is left
// alone.

/** @param {{ setAppBadge?: (count: number) => Promise<void>, clearAppBadge?: () => Promise<void> }} device the browser's `navigator` */
export function createBadge(device) {
  /** @type {Set<string>} */
  let waiting = new Set();

  function show() {
    const shown = waiting.size > 0 ? device.setAppBadge?.(waiting.size) : device.clearAppBadge?.();
    // A page that is not installed has no icon to mark.
    shown?.catch(() => {});
  }

  return {
    /** Replaces the waiting matches by these. @param {string[]} ids */
    set(ids) {
      waiting = new Set(ids);
      show();
    },

    /** Adds one match to the waiting ones, or removes it. @param {string} id @param {boolean} waits */
    note(id, waits) {
      if (waiting.has(id) === waits) return;
      if (waits) waiting.add(id);
      else waiting.delete(id);
      show();
    },
  };
}

export const badge = createBadge(globalThis.navigator ?? {});
