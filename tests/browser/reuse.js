// @ts-check
// Browser contexts that the tests of a suite use in turn. A new context fetches and compiles the hundred files of the page again, which is half
// of the processor time of a view. A context that is used again keeps its cache of files and its process. Everything else that a test
// leaves in it is removed, and a context with something that cannot be removed is closed instead.

/** @import { BrowserContextOptions, CDPSession } from "playwright-core" */
/** @import { Visitor } from "./support.js" */

/** A file of the server without a script: the page goes there to leave the document of a test, and stays in its process. */
const PLAIN = "/robots.txt";

/** The functions of a page or a context with effects that last longer than the document. */
const LASTING = [
  "addInitScript",
  "addLocatorHandler",
  "emulateMedia",
  "exposeBinding",
  "exposeFunction",
  "grantPermissions",
  "newCDPSession",
  "route",
  "routeFromHAR",
  "routeWebSocket",
  "setDefaultNavigationTimeout",
  "setDefaultTimeout",
  "setExtraHTTPHeaders",
  "setGeolocation",
  "setHTTPCredentials",
  "setOffline",
];
/** The most contexts without a test: the options of tests differ, and each context has a process. */
const MOST_IDLE = 6;

/**
 * What has to be known of a visitor to use their context again.
 * @typedef {object} State
 * @property {BrowserContextOptions} options
 * @property {boolean} isSpent whether a test has done something that cannot be undone
 * @property {string} listeners those at the beginning, from the driver and from `visitor`
 * @property {CDPSession} devtools
 */

/** Whether contexts with these options can be used again: no worker, no session of another context, and scripts that can clear the storage. */
const isReusable = (/** @type {BrowserContextOptions} */ { serviceWorkers, storageState, javaScriptEnabled }) =>
  serviceWorkers !== "allow" && storageState === undefined && javaScriptEnabled !== false;

/** The events of a page and its context with the numbers of their listeners. @param {Visitor} visitor */
const listenersOf = ({ page, context }) =>
  JSON.stringify(
    /** @type {any[]} */ ([page, context]).map((emitter) =>
      emitter
        .eventNames()
        .map((/** @type {string} */ name) => [name, emitter.listenerCount(name)])
        .sort(),
    ),
  );

/**
 * Calls a function when a test does something with lasting effects.
 * @param {Visitor} visitor
 * @param {() => void} spend
 */
function watch({ page, context }, spend) {
  for (const target of /** @type {any[]} */ ([page, context])) {
    for (const name of LASTING) {
      const act = target[name];
      if (!act) continue;
      target[name] = (/** @type {unknown[]} */ ...args) => {
        spend();
        return act.apply(target, args);
      };
    }
  }
}

/**
 * Removes what a test has left in a context, but for its cache of files.
 * @param {Visitor} visitor
 * @param {State} state
 * @param {string} origin
 */
async function clear({ page, context }, { options: { viewport }, devtools }, origin) {
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.goto(PLAIN);
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await context.clearCookies();
  await devtools.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
  await devtools.send("Page.resetNavigationHistory");
  // Outside the window: the next document has nothing under the pointer.
  await page.mouse.move(-1, -1);
  const size = page.viewportSize();
  if (viewport && (size?.width !== viewport.width || size.height !== viewport.height)) await page.setViewportSize(viewport);
}

/**
 * The visitors of a suite.
 * @param {(options: BrowserContextOptions) => Promise<Visitor>} make makes one with a new context
 * @param {() => string} url that of the server
 */
export function createPool(make, url) {
  /** @type {WeakMap<Visitor, State>} */
  const states = new WeakMap();
  /** Those without a test, the one that has waited longest first. @type {Visitor[]} */
  const idle = [];

  return {
    /** Returns a visitor in a context without traces of a test. @param {BrowserContextOptions} options */
    async take(options) {
      const key = JSON.stringify(options);
      const at = idle.findIndex((one) => JSON.stringify(states.get(one)?.options) === key);
      const [again] = at < 0 ? [] : idle.splice(at, 1);
      if (again) return again;
      const made = await make(options);
      if (isReusable(options)) {
        const devtools = await made.context.newCDPSession(made.page);
        /** @type {State} */
        const state = { options, isSpent: false, listeners: listenersOf(made), devtools };
        states.set(made, state);
        watch(made, () => {
          state.isSpent = true;
        });
      }
      return made;
    },

    /** Takes a visitor back at the end of their test. @param {Visitor} visitor @returns {Promise<readonly string[]>} the errors of their page */
    async giveBack(visitor) {
      const { page, context, complaints } = visitor;
      const state = states.get(visitor);
      const { origin } = new URL(url());
      const isHere = context.pages().every((one) => [origin, "null"].includes(new URL(one.url()).origin));
      const isUnchanged = state && !state.isSpent && isHere && !page.isClosed() && listenersOf(visitor) === state.listeners;
      // A server that is gone cannot help to clear the storage.
      const isClear =
        isUnchanged &&
        (await clear(visitor, state, origin).then(
          () => true,
          () => false,
        ));
      if (isClear) idle.push(visitor);
      else await context.close();
      if (idle.length > MOST_IDLE) await idle.shift()?.context.close();
      return complaints.splice(0);
    },
  };
}
