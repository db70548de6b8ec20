// @ts-check
// The service worker outside a browser: the files that it stores, and the addresses at which it serves them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { createContext, runInContext } from "node:vm";

const ORIGIN = "https://mawe.example";
const script = readFileSync(new URL("../sw.js", import.meta.url), "utf8");
const FILES = ["/index.html", "/app.js", "/i18n/en.json", "/i18n/play/en.json", "/i18n/pl.json"];

/** A started worker of version 1, in front of a server with these tags, by the path of a file. */
function worker() {
  const tags = Object.fromEntries(FILES.map((path) => [path, `"tag of ${path}"`]));
  /** @type {{ tags: Record<string, string>, isAway: boolean, asked: string[] }} */
  const network = { tags: { ...tags }, isAway: false, asked: [] };
  /** @type {Map<string, (event: any) => void>} */
  const handlers = new Map();
  /** @type {Map<string, Response>} */
  const stored = new Map();
  const cache = {
    match: async (/** @type {string} */ path) => stored.get(path)?.clone(),
    put: async (/** @type {string} */ path, /** @type {Response} */ answer) => void stored.set(path, answer),
  };
  const caches = { open: async () => cache, match: cache.match, keys: async () => ["mawe.1"] };
  const fetch = async (/** @type {string | { url: string }} */ request) => {
    const { pathname } = new URL(typeof request === "string" ? request : request.url, ORIGIN);
    network.asked.push(pathname);
    if (network.isAway) throw new TypeError("no network");
    const etag = network.tags[pathname.replace(/^\/v\/[^/]*/, "")] ?? "";
    const answer = new Response(`from the network: ${pathname}`, {
      status: etag ? 200 : 404,
      headers: { etag, "cache-control": "immutable" },
    });
    return Object.defineProperty(answer, "url", { value: ORIGIN + pathname });
  };
  const self = {
    SHELL: { version: "1", files: tags, pages: ["", "watch"] },
    addEventListener: (/** @type {string} */ name, /** @type {(event: any) => void} */ handler) => handlers.set(name, handler),
  };
  runInContext(script, createContext({ self, caches, fetch, Headers, URL, Response, location: { origin: ORIGIN } }));

  /** @param {string} name @param {object} [event] */
  async function happens(name, event = {}) {
    /** @type {Promise<unknown>} */
    let work = Promise.resolve();
    handlers.get(name)?.({ ...event, waitUntil: (/** @type {Promise<unknown>} */ promise) => (work = promise) });
    await work;
  }

  /** The response of the worker; undefined if it leaves the request to the browser. @param {string} address @param {string} [mode] */
  async function served(address, mode = "cors") {
    /** @type {Promise<Response> | undefined} */
    let answer;
    /** @type {Promise<unknown>[]} */
    const work = [];
    const request = { method: "GET", mode, url: new URL(address, ORIGIN).href };
    handlers.get("fetch")?.({
      request,
      respondWith: (/** @type {Promise<Response>} */ promise) => (answer = promise),
      waitUntil: (/** @type {Promise<unknown>} */ promise) => void work.push(promise),
    });
    const text = (await answer)?.text();
    await Promise.all(work);
    return text;
  }

  return { network, stored, happens, served };
}

describe("the files of a version", () => {
  test("come from below its address, and are stored under their paths without an address of their own", async () => {
    const { network, stored, happens } = worker();
    await happens("install");
    assert.deepEqual(network.asked, ["/v/1/index.html", "/v/1/app.js"]);
    assert.deepEqual([...stored.keys()], ["/index.html", "/app.js"]);
    assert.deepEqual(
      [...stored.values()].map(({ url, status, headers }) => [url, status, headers.get("etag"), headers.get("cache-control")]),
      [
        ["", 200, '"tag of /index.html"', "no-cache"],
        ["", 200, '"tag of /app.js"', "no-cache"],
      ],
    );
  });

  test("are not stored if a server of another version answers", async () => {
    const { network, stored, happens } = worker();
    network.tags["/app.js"] = '"newer"';
    await assert.rejects(happens("install"), /of another version/);
    assert.equal(stored.has("/app.js"), false);
  });

  test("are served at their paths and below their version, and the document at every page", async () => {
    const { network, happens, served } = worker();
    await happens("install");
    network.isAway = true;
    const kept = "from the network: /v/1/app.js";
    assert.deepEqual([await served("/app.js"), await served("/v/1/app.js"), await served("/v/1/app.js?x")], [kept, kept, kept]);
    for (const page of ["/", "/watch"]) assert.equal(await served(page, "navigate"), "from the network: /v/1/index.html");
    for (const other of ["/sw.js", "/v/1/sw.js", "/v/1", "/v/1/", "/v/1/v/1/app.js", "/v/app.js", "/api/v1/me", "/v/1/constructor"])
      assert.equal(await served(other), undefined, other);
    assert.equal(await served("https://other.example/v/1/app.js"), undefined);
    assert.equal(await served("/v/1/index.html", "navigate"), "from the network: /v/1/index.html");
  });

  test("stand in for those of another version only without a network", async () => {
    const { network, happens, served } = worker();
    await happens("install");
    assert.equal(await served("/v/2/app.js"), "from the network: /v/2/app.js");
    network.isAway = true;
    assert.equal(await served("/v/2/app.js"), "from the network: /v/1/app.js");
  });

  test("that depend on the reader are stored once they are used, at any address", async () => {
    for (const use of [
      (/** @type {ReturnType<typeof worker>} */ { happens }) =>
        happens("message", { data: { used: ["/v/1/i18n/en.json", 3, "/v/1/app.js"] } }),
      (/** @type {ReturnType<typeof worker>} */ { happens }) => happens("message", { data: { used: ["/v/2/i18n/en.json"] } }),
      (/** @type {ReturnType<typeof worker>} */ { served }) => served("/v/1/i18n/en.json"),
      (/** @type {ReturnType<typeof worker>} */ { served }) => served("/i18n/en.json"),
    ]) {
      const started = worker();
      await use(started);
      assert.deepEqual([...started.stored.keys()].toSorted(), ["/i18n/en.json", "/i18n/play/en.json"]);
    }
  });
});
