// @ts-check
// The mark on the icon of the installed page: how many matches wait for the reader's move. Where a device shows none, nothing happens.

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
    /** These matches wait, and no others. @param {string[]} ids */
    set(ids) {
      waiting = new Set(ids);
      show();
    },

    /** One match waits, or does no longer. @param {string} id @param {boolean} waits */
    note(id, waits) {
      if (waiting.has(id) === waits) return;
      if (waits) waiting.add(id);
      else waiting.delete(id);
      show();
    },
  };
}

export const badge = createBadge(globalThis.navigator ?? {});
