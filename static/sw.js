// @ts-check
// The service worker: stores the files of one version on the device and serves them from there. Changing data (`/api/`, the live
// connection) is never stored. The server writes the list of the files above these lines, so a new version is a new worker.
//
// A new worker waits until a page sends "take": `local/version.js` does so when no match is running.

/**
 * @typedef {Object} Shell
 * @property {string} version a digest of all files
 * @property {Record<string, string>} files the ETag of each file, by its path: its address without a version
 * @property {string[]} pages the first parts of the addresses at which the document is shown
 */

/** @type {any} the worker: the type checker knows windows only */
const worker = self;
/** @type {Shell} */
const { version, files, pages } = worker.SHELL;

const PREFIX = "mawe.";
const CACHE = PREFIX + version;
const DOCUMENT = "/index.html";

/**
 * The start of the addresses of this version's files. A document from the server has such addresses. The stored document has paths, so
 * that the next version keeps the files that have not changed.
 */
const VERSIONED = `/v/${version}`;

/** The path of a file, given its address in any version. @param {string} address */
const pathOf = (address) => address.replace(/^\/v\/[^/]*(?=\/)/, "");

/** Files that depend on the reader: stored once a page has used them. @param {string} path */
const isOptional = (path) => path.startsWith("/i18n/") || path.startsWith("/fonts/");

/** A module with vectors of 128 bits, the same as in `engine/engine.js`. */
const SIMD_PROBE = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0],
  ...[10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11],
);
const hasSimd = typeof WebAssembly === "object" && WebAssembly.validate(SIMD_PROBE);

/** The one of the engine's two libraries that this browser does not use. @param {string} path */
const isUnused = (path) => path.endsWith(hasSimd ? "/engine_bg.wasm" : "/engine_simd_bg.wasm");

/** All catalogues of a language, given one of them: lessons must work without a network, too. @param {string} path */
const withAll = (path) =>
  path.startsWith("/i18n/")
    ? Object.keys(files).filter((file) => file.startsWith("/i18n/") && file.endsWith(path.slice(path.lastIndexOf("/"))))
    : [path];

/** @param {Response} answer @param {string} path */
const isOfThisVersion = (answer, path) => answer.ok && (answer.headers.get("etag") ?? "").includes(files[path] ?? "none");

/** Whether a path is a file of the page; `files` inherits names from `Object` that are none. @param {string} path */
const isFile = (path) => Object.hasOwn(files, path);

/** A file stored before, by this version or an older one. @param {string} path */
async function kept(path) {
  const answer = await caches.match(path);
  return answer && isOfThisVersion(answer, path) ? answer : undefined;
}

/**
 * A response that fits every address of a file. It has no address of its own, to which the imports of a module would be relative; and a page
 * that asks for it by its path may not keep it longer than this version, as it may at the address from which it was fetched.
 * @param {Response} answer
 */
function atAnyAddress(answer) {
  const headers = new Headers(answer.headers);
  headers.set("cache-control", "no-cache");
  return new Response(answer.body, { headers });
}

/** The files being stored at this moment, by path. @type {Map<string, Promise<void>>} */
const underWay = new Map();

/**
 * Stores a file once: a second write that the network interrupts would remove the first.
 * @param {Cache} cache
 * @param {string} path
 * @param {() => Response | Promise<Response>} get
 */
function keepOnce(cache, path, get) {
  const keeping =
    underWay.get(path) ??
    (async () => {
      if (await cache.match(path)) return;
      const answer = await get();
      // The server has changed since it wrote the list: the next worker stores all of the next version.
      if (!isOfThisVersion(answer, path)) throw new Error(`${path} is of another version`);
      await cache.put(path, atAnyAddress(answer));
    })().finally(() => underWay.delete(path));
  underWay.set(path, keeping);
  return keeping;
}

/** From the browser's own cache, if a page has fetched the file. @param {Cache} cache @param {string} path */
const keep = (cache, path) => keepOnce(cache, path, async () => (await kept(path)) ?? (await fetch(VERSIONED + path)));

async function install() {
  const cache = await caches.open(CACHE);
  const used = await Promise.all(
    Object.keys(files)
      .filter(isOptional)
      .map(async (path) => ((await caches.match(path)) ? withAll(path) : [])),
  );
  const needed = Object.keys(files).filter((path) => !isOptional(path) && !isUnused(path));
  await Promise.all([...needed, ...used.flat()].map((path) => keep(cache, path)));
}

/** Removes older versions. */
async function activate() {
  for (const name of await caches.keys()) if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name);
  // Also serves a page that was opened before this worker existed.
  await worker.clients.claim();
}

/** @param {string} path of a file @param {Request} request @param {any} event keeps the worker alive while it stores */
async function serve(path, request, event) {
  const cache = await caches.open(CACHE);
  const known = await cache.match(path);
  if (known) return known;
  const answer = await fetch(request);
  if (isOptional(path) && isOfThisVersion(answer, path)) {
    const copy = answer.clone();
    await keepOnce(cache, path, () => copy);
    // The page does not wait for the other catalogues; the worker does.
    event.waitUntil(Promise.all(withAll(path).map((other) => keep(cache, other))).catch(() => {}));
  }
  return answer;
}

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(install()));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(activate()));

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  /** @type {Request} */
  const request = event.request;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  const path = pathOf(url.pathname);
  const isPage = request.mode === "navigate" && pages.includes(url.pathname.split("/")[1] ?? "");
  if (isPage) event.respondWith(serve(DOCUMENT, request, event));
  else if (!isFile(path)) return;
  else if ([path, VERSIONED + path].includes(url.pathname)) event.respondWith(serve(path, request, event));
  // The page came from a server of another version, before this worker controlled it.
  else event.respondWith(fetch(request).catch(() => serve(path, request, event)));
});

/**
 * A language's texts for a notification, from the device or the network.
 * @param {any} event
 * @param {string[]} catalogues
 * @returns {Promise<(key: string, names?: Record<string, string>) => string>}
 */
async function wordsOf(event, catalogues) {
  /** @type {Record<string, string>} */
  const messages = {};
  for (const catalogue of catalogues) {
    const path = `/i18n/${catalogue}.json`;
    if (!isFile(path)) continue;
    const texts = serve(path, new Request(path), event).then((answer) => answer.json());
    Object.assign(messages, await texts.catch(() => ({})));
  }
  return (key, names = {}) => (messages[key] ?? "").replace(/{(\w+)}/g, (_, name) => names[name] ?? "");
}

/** The pages that notifications open. @type {Record<string, string>} */
const PLACES = { turn: "match", challenge: "challenge", "event-starts": "event", "event-match-begun": "match" };

/**
 * Shows a notification for a turn, a challenge or an event: the server's message has only codes, ids, names and the language.
 * @param {any} event
 */
async function call(event) {
  const { kind = "", id = "", game = "", by = "", event: name = "", language = "en" } = event.data?.json() ?? {};
  const isTurn = kind === "turn";
  const isOfEvent = kind.startsWith("event-");
  const words = await wordsOf(event, isOfEvent ? [language, `notices/${language}`] : [language]);
  const title = isOfEvent ? `notices.${kind}` : isTurn ? "call.turn" : "challenge.offered";
  // Without a catalogue the name alone is shown, because a push must show a notification.
  await worker.registration.showNotification(
    words(title, { name: by, event: name, game: words(`game.${game}.name`) }) || name || by || "Mawe!",
    {
      body: words(`game.${game}.name`),
      // A later notification about the same match, challenge or event replaces this one, with a sound.
      tag: `${kind} ${id}`,
      renotify: true,
      lang: language,
      icon: "/icons/icon-192.png",
      data: { path: PLACES[kind] ? `/${PLACES[kind]}/${id}` : "/" },
    },
  );
  // The page counts the waiting matches when it is opened.
  if (isTurn) await worker.navigator.setAppBadge?.().catch(() => {});
}

/** Opens an address, in a window that shows it already or in a new one. @param {string} path */
async function goTo(path) {
  const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = windows.find((/** @type {{ url: string }} */ { url }) => new URL(url).pathname === path);
  await (there ? there.focus() : worker.clients.openWindow(path));
}

/** The browser has replaced its subscription: sends the new one to the server, which knows the language. @param {any} event */
async function renew(event) {
  const { key } = await (await fetch("/api/v1/push/key")).json();
  const { pushManager } = worker.registration;
  const subscription = event.newSubscription ?? (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  const { endpoint, keys } = subscription.toJSON();
  const body = JSON.stringify({ endpoint, p256dh: keys.p256dh, auth: keys.auth });
  await fetch("/api/v1/me/push", { method: "PUT", headers: { "content-type": "application/json" }, body });
}

worker.addEventListener("push", (/** @type {any} */ event) => event.waitUntil(call(event)));

worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(goTo(event.notification.data.path));
});

// After a failure the page sends the subscription at its next visit.
worker.addEventListener("pushsubscriptionchange", (/** @type {any} */ event) => event.waitUntil(renew(event).catch(() => {})));

worker.addEventListener("message", (/** @type {any} */ event) => {
  if (event.data === "take") event.waitUntil(worker.skipWaiting());
  // Files that the page used before the worker controlled it.
  else if (Array.isArray(event.data?.used)) {
    const paths = event.data.used.filter((/** @type {unknown} */ address) => typeof address === "string").map(pathOf);
    const wanted = paths.filter((/** @type {string} */ path) => isFile(path) && isOptional(path));
    event.waitUntil(
      caches
        .open(CACHE)
        .then((cache) => Promise.all(wanted.flatMap(withAll).map((/** @type {string} */ path) => keep(cache, path))))
        .catch(() => {}),
    );
  }
});
