// @ts-check
// The service worker outside a browser: its notifications, and the page that a click on one opens.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { createContext, runInContext } from "node:vm";

import { SIMD_PROBE } from "../engine/engine.js";

const root = new URL("../", import.meta.url);
const script = readFileSync(new URL("sw.js", root), "utf8");

/** A started worker, with catalogues in these languages. @param {string[]} [languages] @param {string[]} [windows] where they are */
function worker(languages = ["en", "pl"], windows = []) {
  /** @type {Map<string, (event: any) => void>} */
  const handlers = new Map();
  /** @type {{ title: string, options: any }[]} */
  const shown = [];
  /** @type {string[]} */
  const led = [];
  /** @type {{ path: string, options: any }[]} */
  const asked = [];
  const files = Object.fromEntries(languages.map((tag) => [`/i18n/${tag}.json`, `tag-${tag}`]));
  const subscription = { toJSON: () => ({ endpoint: "https://push.example.org/new", keys: { p256dh: "P", auth: "A" } }) };
  const self = {
    navigator: { setAppBadge: async () => void led.push("marked") },
    SHELL: { version: "1", files, pages: [] },
    addEventListener: (/** @type {string} */ name, /** @type {(event: any) => void} */ handler) => handlers.set(name, handler),
    registration: {
      showNotification: async (/** @type {string} */ title, /** @type {any} */ options) => void shown.push({ title, options }),
      pushManager: {
        subscribe: async (/** @type {any} */ options) => {
          led.push(`subscribed with ${options.applicationServerKey}`);
          return subscription;
        },
      },
    },
    clients: {
      matchAll: async () => windows.map((url) => ({ url, focus: async () => void led.push(`focused ${url}`) })),
      openWindow: async (/** @type {string} */ path) => void led.push(`opened ${path}`),
    },
  };
  const caches = {
    open: async () => ({ match: async (/** @type {string} */ path) => new Response(readFileSync(new URL(`.${path}`, root))) }),
  };
  const fetch = async (/** @type {string} */ path, /** @type {any} */ options) => {
    asked.push({ path, options });
    return path.endsWith("/push/key") ? Response.json({ key: "KEY" }) : new Response(null, { status: 204 });
  };
  runInContext(script, createContext({ self, caches, fetch, URL, Request: class {}, location: { origin: "https://mawe.example" } }));

  /** @param {string} name @param {object} [event] */
  async function happens(name, event = {}) {
    /** @type {Promise<unknown>} */
    let work = Promise.resolve();
    handlers.get(name)?.({ ...event, waitUntil: (/** @type {Promise<unknown>} */ promise) => (work = promise) });
    await work;
  }

  return { shown, led, asked, happens };
}

/** @param {object} told */
const message = (told) => ({ data: { json: () => told } });

describe("a call", () => {
  test("is shown in the language that it names, and a later one about the same takes its place", async () => {
    const { shown, happens } = worker();
    const told = { kind: "turn", id: "abc", game: "oware", by: "Ala", language: "en" };
    await happens("push", message(told));
    await happens("push", message({ ...told, language: "pl" }));
    await happens("push", message({ ...told, kind: "challenge" }));
    assert.deepEqual(
      shown.map(({ title }) => title),
      ["Your move against Ala", "Twój ruch! Czeka Ala", "Ala invites you to a match"],
    );
    assert.deepEqual(
      shown.map(({ options }) => [options.tag, options.lang, options.data.path]),
      [
        ["turn abc", "en", "/match/abc"],
        ["turn abc", "pl", "/match/abc"],
        ["challenge abc", "en", "/challenge/abc"],
      ],
    );
    assert.equal(shown[0]?.options.body, "Oware");
  });

  test("to an event, and to a match in it, has the words of the notice", async () => {
    const { shown, happens } = worker(["en", "pl", "notices/pl"]);
    const told = { kind: "event-starts", id: "abc", game: "oware", by: "", event: "Piątek", language: "pl" };
    await happens("push", message(told));
    await happens("push", message({ ...told, kind: "event-match-begun", id: "def", by: "Ala" }));
    // Without its catalogue it has the name of the event.
    await happens("push", message({ ...told, language: "en" }));
    assert.deepEqual(
      shown.map(({ title, options }) => [title, options.body, options.data.path]),
      [
        ["Wkrótce zaczyna się turniej Piątek", "Oware", "/event/abc"],
        ["Zaczęła się twoja partia w turnieju Piątek: Oware, gra Ala", "Oware", "/match/def"],
        ["Piątek", "Oware", "/event/abc"],
      ],
    );
  });

  test("marks the icon of the installed page, if it is the reader's turn", async () => {
    const { led, happens } = worker();
    await happens("push", message({ kind: "challenge", id: "abc", game: "oware", by: "Ala", language: "en" }));
    assert.deepEqual(led, []);
    await happens("push", message({ kind: "turn", id: "abc", game: "oware", by: "Ala", language: "en" }));
    assert.deepEqual(led, ["marked"]);
  });

  test("is shown without words, and even without a message: a browser takes silence ill", async () => {
    const { shown, happens } = worker([]);
    await happens("push", message({ kind: "turn", id: "abc", game: "oware", by: "Ala", language: "en" }));
    await happens("push", { data: null });
    assert.deepEqual(
      shown.map(({ title, options }) => [title, options.body, options.data.path]),
      [
        ["Ala", "", "/match/abc"],
        ["Mawe!", "", "/"],
      ],
    );
  });

  test("leads to the window that shows it, or to a new one", async () => {
    /** @param {string[]} windows */
    const click = async (windows) => {
      const { led, happens } = worker(["en"], windows);
      let closed = 0;
      await happens("notificationclick", { notification: { data: { path: "/match/abc" }, close: () => closed++ } });
      assert.equal(closed, 1);
      return led;
    };
    assert.deepEqual(await click(["https://mawe.example/", "https://mawe.example/match/abc?x"]), [
      "focused https://mawe.example/match/abc?x",
    ]);
    assert.deepEqual(await click(["https://mawe.example/match/other"]), ["opened /match/abc"]);
  });
});

describe("the engine's library that is stored", () => {
  const LIBRARIES = ["/wasm/engine_bg.wasm", "/wasm/engine_simd_bg.wasm"];
  const FILES = ["/index.html", "/engine/engine.js", "/wasm/engine.js", "/wasm/rules_bg.wasm"];

  /** The files that a new worker stores. @param {{ validate: (module: Uint8Array) => boolean } | undefined} WebAssembly the browser's */
  async function stored(WebAssembly) {
    /** @type {string[]} */
    const stored = [];
    /** @type {Map<string, (event: any) => void>} */
    const handlers = new Map();
    const self = {
      SHELL: { version: "1", files: Object.fromEntries([...FILES, ...LIBRARIES].map((path) => [path, "tag"])), pages: [] },
      addEventListener: (/** @type {string} */ name, /** @type {(event: any) => void} */ handler) => handlers.set(name, handler),
    };
    const cache = { match: async () => undefined, put: async (/** @type {string} */ path) => void stored.push(path) };
    const caches = { open: async () => cache, match: async () => undefined };
    const fetch = async () => new Response("", { headers: { etag: "tag" } });
    runInContext(
      script,
      createContext({ self, caches, fetch, URL, Headers, Response, WebAssembly, location: { origin: "https://mawe.example" } }),
    );
    /** @type {Promise<unknown> | undefined} */
    let work;
    handlers.get("install")?.({ waitUntil: (/** @type {Promise<unknown>} */ promise) => (work = promise) });
    await work;
    return stored;
  }

  test("is the one that the page would load", async () => {
    /** @type {Uint8Array[]} */
    const probes = [];
    const browser = (/** @type {boolean} */ hasSimd) => ({
      validate: (/** @type {Uint8Array} */ probe) => probes.push(probe) > 0 && hasSimd,
    });
    assert.deepEqual(await stored(browser(true)), [...FILES, "/wasm/engine_simd_bg.wasm"]);
    assert.deepEqual(await stored(browser(false)), [...FILES, "/wasm/engine_bg.wasm"]);
    assert.deepEqual(
      probes.map((probe) => [...probe]),
      [[...SIMD_PROBE], [...SIMD_PROBE]],
    );
    // Where the browser's owner has switched WebAssembly off, the page still works.
    assert.deepEqual(await stored(undefined), [...FILES, "/wasm/engine_bg.wasm"]);
  });
});

test("the server hears of a subscription that the browser has exchanged", async () => {
  const { asked, led, happens } = worker();
  await happens("pushsubscriptionchange", { newSubscription: null });
  assert.deepEqual(led, ["subscribed with KEY"]);
  const { path, options } = asked[1] ?? {};
  assert.deepEqual(
    [path, options.method, JSON.parse(options.body)],
    ["/api/v1/me/push", "PUT", { endpoint: "https://push.example.org/new", p256dh: "P", auth: "A" }],
  );
});
