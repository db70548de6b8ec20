// @ts-check
// Push messages while the page is closed. A real Firefox subscribes at a push service of the test, which forwards the server's messages and
// cannot read them: the browser decrypts them and wakes the page's service worker, which shows a notification in the reader's language.
//
// The Firefox is MAWE_FIREFOX, else the first on the path.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import puppeteer from "puppeteer-core";

import { startPushService } from "./push-service.js";
import { chooseLanguage, eventually, KEPT, onPath, stage, startServer } from "./support.js";

/** @import { Browser, Page } from "puppeteer-core" */
/** @import { Server } from "./support.js" */

/** The server may check again only after a minute whether a player with a closed socket is away. */
const PATIENCE_MS = 90_000;

/** @typedef {{ title: string, body: string, tag: string, lang: string, path: string }} Shown */

/** Firefox preferences besides its defaults. @param {string} line */
const preferences = (line) => ({
  "dom.push.serverURL": line,
  // An automated browser connects to no push service by default.
  "dom.push.connection.enabled": true,
  "dom.push.testing.allowInsecureServerURL": true,
  // The reader has given permission.
  "permissions.default.desktop-notification": 1,
  // The browser draws notifications itself: there may be no desktop.
  "alerts.useSystemBackend": false,
});

/** An opponent over REST. @param {string} url */
async function opponent(url) {
  let cookie = "";
  /** @param {string} method @param {string} path @param {object} [body] */
  const call = async (method, path, body) => {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { "content-type": "application/json", cookie },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? cookie;
    assert.ok(answer.ok, `${path}: ${answer.status}`);
    return answer.json();
  };
  const { player } = await call("POST", "/guests", {});
  return {
    name: /** @type {string} */ (player.name),
    /** @param {object} offer */
    challenge: (offer) => call("POST", "/challenges", offer),
    /** Plays the first legal move. @param {string} id */
    async play(id) {
      const { seq, ply, legal } = await call("GET", `/matches/${id}`);
      await call("POST", `/matches/${id}/commands`, { client_id: `ply-${ply}`, seq, command: { kind: "move", ply, move: legal[0] } });
    },
  };
}

describe("a real browser", () => {
  /** @type {Awaited<ReturnType<typeof startPushService>>} */
  let service;
  /** @type {Server} */
  let server;
  /** @type {Browser} */
  let browser;

  before(async () => {
    service = await startPushService();
    server = await startServer(["--push-trust", service.host]);
    browser = await puppeteer.launch({
      browser: "firefox",
      executablePath: process.env.MAWE_FIREFOX ?? onPath("firefox-esr", "firefox"),
      headless: true,
      extraPrefsFirefox: preferences(service.line),
    });
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
    service?.stop();
  });

  /** The notifications that are shown. @param {Page} page @returns {Promise<Shown[]>} */
  const shown = (page) =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration("/");
      const notifications = (await registration?.getNotifications()) ?? [];
      return notifications.map(({ title, body, tag, lang, data }) => ({ title, body, tag, lang, path: data.path }));
    });

  /** @param {Page} page @param {(all: Shown[]) => boolean} holds */
  const waitToSee = (page, holds) =>
    eventually(async () => {
      const all = await shown(page);
      return holds(all) && all;
    }, PATIENCE_MS);

  test("is called by its own push service, in the reader's language, and reads what nobody else can", async () => {
    const page = await browser.newPage();
    /** @type {string[]} */
    const complaints = [];
    // Firefox reports the requests of a page that is left before the worker has answered them, without their addresses.
    const isOfLeftPage = (/** @type {string} */ text) => text.includes("Failed to load ‘’. A ServiceWorker intercepted the request");
    page.on("pageerror", (error) => !isOfLeftPage(String(error)) && complaints.push(String(error)));
    /**
     * Waits until a condition holds in the page. The driver's own wait fails at once when the document is being exchanged.
     * @param {(value: string) => boolean} condition
     * @param {string} [value]
     */
    const holds = (condition, value = "") => eventually(() => page.evaluate(condition, value).catch(() => false), PATIENCE_MS);
    /** @param {string} language */
    const speak = async (language) => {
      await page.goto(`${server.url}/settings`);
      await page.waitForSelector("header select");
      await page.select("header select", language);
      await holds((tag) => document.documentElement.lang === tag, language);
    };
    const list = () => page.evaluate(async () => (await (await fetch("/api/v1/me/push")).json()).items);

    // The reader, without a player yet, switches push messages on.
    await speak("en");
    const choose = async (/** @type {"on" | "off"} */ value) => {
      const choice = await page.waitForSelector(`.set-calls label:has([value=${value}])`);
      await choice?.click();
    };
    await choose("on");
    await eventually(async () => service.subscriptions() === 1 && (await list()).length === 1, PATIENCE_MS);
    const [{ service: host, current }] = await list();
    assert.deepEqual([host, current], ["127.0.0.1", true]);
    await holds(() => document.querySelector(".set-calls input:checked")?.getAttribute("value") === "on");

    // A correspondence match begins, and the page is closed.
    const friend = await opponent(server.url);
    const challenge = await friend.challenge({ game: "mawe", side: "first", time_control: { kind: "correspondence", days: 3 } });
    await page.goto(`${server.url}/challenge/${challenge.id}`);
    await (await page.waitForSelector("main button.primary"))?.click();
    await holds(() => location.pathname.startsWith("/match/"));
    const id = await page.evaluate(() => location.pathname.split("/")[2] ?? "");
    const leave = () => page.goto(`${server.url}/api/openapi.json`);
    await leave();

    await friend.play(id);
    const [first] = await waitToSee(page, (all) => all.length > 0);
    assert.deepEqual(first, {
      title: `Your move against ${friend.name}`,
      body: "Mawe!",
      tag: `turn ${id}`,
      lang: "en",
      path: `/match/${id}`,
    });
    const [posted] = service.posted;
    assert.ok(posted);
    assert.equal(posted.headers["content-encoding"], "aes128gcm");
    assert.match(posted.headers.authorization ?? "", /^vapid t=/);
    for (const secret of [id, friend.name, "turn"]) assert.ok(!posted.body.includes(secret), secret);
    // The browser acknowledges the message after the page's worker has handled it.
    await eventually(async () => service.acknowledged.some(({ code }) => code === 100), PATIENCE_MS);

    // In another language; the notification of a later move replaces the earlier one.
    await speak("pl");
    await eventually(async () => (await list())[0].language === "pl", PATIENCE_MS);
    await page.evaluate(async (match) => {
      const { seq, ply, legal } = await (await fetch(`/api/v1/matches/${match}`)).json();
      const body = JSON.stringify({ client_id: `ply-${ply}`, seq, command: { kind: "move", ply, move: legal[0] } });
      await fetch(`/api/v1/matches/${match}/commands`, { method: "POST", headers: { "content-type": "application/json" }, body });
    }, id);
    await leave();
    await friend.play(id);
    const all = await waitToSee(page, ([one]) => one?.lang === "pl");
    assert.deepEqual(all, [
      { title: `Twój ruch! Czeka ${friend.name}`, body: "Mawe!", tag: `turn ${id}`, lang: "pl", path: `/match/${id}` },
    ]);
    assert.equal(service.posted[1]?.headers.topic, posted.headers.topic);

    // After switching off there is no subscription.
    await speak("en");
    await choose("off");
    await eventually(async () => service.subscriptions() === 0 && (await list()).length === 0, PATIENCE_MS);
    assert.deepEqual(complaints, []);
  });
});

describe("a browser that may not be called", () => {
  const { visit } = stage([], KEPT);

  test("says what stands in the way, in every language", async () => {
    const { page } = await visit({ permissions: [] });
    await page.goto("/settings");
    const on = page.locator(".set-calls input[value=on]");
    await on.waitFor();
    // A page in an incognito window has no permission, and the reader is not asked.
    assert.equal(await page.evaluate(() => Notification.permission), "denied");
    assert.ok(await on.isDisabled());
    for (const [language, words] of [
      ["en", "Allow notifications"],
      ["sw", "Ruhusu arifa"],
      ["pl", "Zezwól"],
      ["ml", "അനുവദിച്ച്"],
    ]) {
      await chooseLanguage(page, /** @type {string} */ (language));
      await page.getByText(/** @type {string} */ (words)).waitFor();
    }
  });
});
