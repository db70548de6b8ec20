// @ts-check
// The page's files on this device, and when they are exchanged for newer ones: never while a match is played in any tab, and in no tab
// under the reader's hands. `sw.js` keeps them.

import { cataloguePath, currentLanguage } from "../core/i18n.js";

/** Who plays holds this lock, shared by all tabs; who exchanges the files needs it alone. */
const PLAYING = "mawe.playing";
/** Where matches are played: who reloads one in the middle finds all as it was. */
const MATCH = /^\/(match|device)\//;
/** A new version that does not come within this is left for the next time. */
const TAKE_MS = 5_000;
/** How often it is looked for. */
const LOOK_MS = 3_600_000;

/** Whether another tab has exchanged the files that this page was made of. */
let isOld = false;

/** Workers and locks there are only where the connection is secure, or the server on the same machine. */
const canKeep = () => "serviceWorker" in navigator && "locks" in navigator;

/** Keep the files, from now on; the page has been shown by then. */
export async function keepFiles() {
  if (!canKeep()) return;
  const { serviceWorker } = navigator;
  let had = serviceWorker.controller !== null;
  serviceWorker.addEventListener("controllerchange", () => {
    // The first worker has what this page was made of.
    isOld = had;
    had = true;
  });
  try {
    const registration = await serviceWorker.register("/sw.js", { updateViaCache: "none" });
    const look = () => void registration.update().catch(() => {});
    setInterval(look, LOOK_MS);
    addEventListener("online", look);
    const { active } = await serviceWorker.ready;
    // The words and fonts that came before the worker could see them.
    const used = new Set(performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname));
    // The document may have brought them along.
    used.add(cataloguePath(currentLanguage()));
    active?.postMessage({ used: [...used] });
  } catch {
    // Then the page needs the network, as it did before.
  }
}

/**
 * Takes the newer files, if there are any and nobody plays. To be asked where a page is about to be shown.
 * @param {string} path of the page; on the way into a match nothing is exchanged
 * @returns {Promise<boolean>} whether the page must be loaded anew
 */
export async function takeNewer(path) {
  if (!canKeep()) return false;
  if (isOld) return true;
  if (!navigator.serviceWorker.controller || MATCH.test(path)) return false;
  const registration = await navigator.serviceWorker.getRegistration().catch(() => undefined);
  const waiting = registration?.waiting;
  if (!waiting) return false;
  return navigator.locks.request(PLAYING, { ifAvailable: true }, (lock) =>
    lock === null
      ? false
      : new Promise((resolve) => {
          navigator.serviceWorker.addEventListener("controllerchange", () => resolve(true), { once: true });
          setTimeout(() => resolve(isOld), TAKE_MS);
          waiting.postMessage("take");
        }),
  );
}

/**
 * A match is played on this page: the files stay as they are.
 * @returns {() => void} to be called when it is over
 */
export function holdVersion() {
  if (!canKeep()) return () => {};
  /** @type {(value?: unknown) => void} */
  let release = () => {};
  const over = new Promise((resolve) => {
    release = resolve;
  });
  void navigator.locks.request(PLAYING, { mode: "shared" }, () => over).catch(() => {});
  return release;
}
