// @ts-check
// The page's files on this device, and their update: never while a match is played in any tab, and in no tab that the reader is using.
// `sw.js` stores them.

import { cataloguePath, currentLanguage } from "../core/i18n.js";

/** A tab with a running match holds this lock, shared with other tabs; the update needs it alone. */
const PLAYING = "mawe.playing";
/** The pages of matches: one that is reloaded restores the match as it was. */
const MATCH = /^\/(match|device)\//;
/** A new version that takes longer to activate is left for the next time. */
const TAKE_MS = 5_000;
/** The interval between checks for a new version. */
const LOOK_MS = 3_600_000;

/** Whether another tab has updated the files since this page was loaded. */
let isOld = false;

/** Workers and locks exist only on a secure connection, or with a server on the same machine. */
const canKeep = () => "serviceWorker" in navigator && "locks" in navigator;

/** Registers the service worker, after the page has been shown. */
export async function keepFiles() {
  if (!canKeep()) return;
  const { serviceWorker } = navigator;
  let had = serviceWorker.controller !== null;
  serviceWorker.addEventListener("controllerchange", () => {
    // The first worker stores the version that this page was loaded from.
    isOld = had;
    had = true;
  });
  try {
    const registration = await serviceWorker.register("/sw.js", { updateViaCache: "none" });
    const look = () => void registration.update().catch(() => {});
    setInterval(look, LOOK_MS);
    addEventListener("online", look);
    const { active } = await serviceWorker.ready;
    // The catalogues and fonts that were loaded before the worker controlled the page.
    const used = new Set(performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname));
    // The catalogue may have come in the document.
    used.add(cataloguePath(currentLanguage()));
    active?.postMessage({ used: [...used] });
  } catch {
    // Without the worker the page needs the network, as before.
  }
}

/**
 * Activates a newer version, if there is one and no match is played. Called before a page is shown.
 * @param {string} path of the page; nothing is updated on the way into a match
 * @returns {Promise<boolean>} whether the page must be reloaded
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

/** When the document was last loaded again for a file, in milliseconds since 1970. */
const RELOADED = "mawe.reloaded";
/** The least time between two reloads for a file: one that is missing for good must not reload the page again and again. */
const RELOAD_MS = 30_000;

/**
 * Loads the document again after a module could not be loaded, if the files are on the device: a browser does not fetch the module again
 * before.
 * @returns {boolean} whether the page is being reloaded
 */
export function reloadForFiles() {
  if (!canKeep() || !navigator.serviceWorker.controller) return false;
  try {
    if (Date.now() - Number(sessionStorage.getItem(RELOADED)) < RELOAD_MS) return false;
    sessionStorage.setItem(RELOADED, String(Date.now()));
  } catch {
    return false;
  }
  location.reload();
  return true;
}

/**
 * Prevents updates while a match is played on this page.
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
