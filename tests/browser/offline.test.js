// @ts-check
// Without a network: after the first visit the server is stopped and the browser is offline, and everything that needs neither still works.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { describe, test } from "node:test";

import { LANGUAGES } from "../../static/core/i18n.js";
import { GAMES } from "../../static/tests/loaded-games.js";
import { Game as Rules } from "../../static/wasm/rules.js";
import { catalogue, ENOUGH, english, names, recorded } from "./recorded.js";
import {
  boardText,
  clickMove,
  drawn,
  eventually,
  focusOn,
  follow,
  inFlight,
  KEPT,
  myTurn,
  over,
  playFirst,
  playToEnd,
  plies,
  register,
  stage,
  statusText,
  typeMove,
  visitFirst,
  waitForPlies,
} from "./support.js";

/** @import { AddressInfo } from "node:net" */
/** @import { Page } from "playwright-core" */
/** @import { Language } from "../../static/core/types.js" */
/** @import { Side } from "../../static/core/types.js" */
/** @import { Server } from "./support.js" */

/**
 * @param {Page} page
 * @param {string} game
 * @param {"computer" | "device"} opponent
 * @param {Record<string, string>} [more] other choices
 */
async function begin(page, game, opponent, more = {}) {
  await page.goto("/play");
  await page.locator("header .line.down").waitFor();
  await page.locator(`input[name=game][value=${game}]`).check();
  await page.locator(`input[name=opponent][value=${opponent}]`).check();
  for (const [name, value] of Object.entries(more)) await page.locator(`input[name=${name}][value="${value}"]`).check();
  await page.locator(".new-match button[type=submit]").click();
  await page.waitForURL("**/device/*");
  await page.locator(".match").waitFor();
}

/** Reloads a page and checks that it shows the same game. @param {Page} page */
async function reloaded(page) {
  const [count, board] = [await plies(page), await boardText(page)];
  await page.reload();
  await page.locator(".match").waitFor();
  assert.equal(await plies(page), count);
  assert.equal(await boardText(page), board);
}

describe("without a network", () => {
  const someone = inFlight();

  test("the home page says what there is and what there is not", async () => {
    const { page } = someone;
    await page.goto("/play");
    await page.getByText("No connection to the server.").waitFor();
    assert.equal(await page.locator("input[name=here]").isChecked(), true);
    await page.getByRole("radio", { name: "A friend" }).check();
    await page.getByText("This needs the server, which cannot be reached.").waitFor();
    assert.equal(await page.locator(".new-match button[type=submit]").isDisabled(), true);
    await page.getByRole("link", { name: "How to play" }).first().click();
    // Its pictures are in files of their own.
    await page.locator(".lesson").first().waitFor();
  });

  for (const game of GAMES) {
    test(`${game.id} is played to its end by pass and play`, async () => {
      const { page } = someone;
      await begin(page, game.id, "device");
      const { moves, final, result } = recorded(game);
      const rules = Rules.start(game.id, "");
      for (const [ply, move] of moves.split(" ").entries()) {
        const side = /** @type {Side} */ (rules.turn());
        if (game.path(move, side).length > 0)
          await (side === "first" ? clickMove(page, game, move, side, rules) : typeMove(page, game, move, side, "first", rules));
        rules.play(move);
        await waitForPlies(page, ply + 1);
        if (ply === 4) await reloaded(page);
      }
      await over(page);
      assert.equal(rules.position(), final);
      assert.equal(await boardText(page), names(game, final, null));
      if (result.score) assert.deepEqual((await statusText(page)).match(/\d+/g)?.map(Number), result.score);
      await reloaded(page);
      await over(page);
    });

    test(`${game.id} is played against the computer`, async () => {
      const { page } = someone;
      const isOver = async () => {
        await page.locator(".status.mine, .status.over").first().waitFor();
        return (await page.locator(".status.over").count()) > 0;
      };
      // The computer errs by chance: one game of Bao in a hundred ends within these moves, and another is begun.
      let before = 0;
      do {
        await begin(page, game.id, "computer", { side: "first", level: "1" });
        for (let i = 0; i < 3 && !(await isOver()); i++) await playFirst(page);
        if (await isOver()) continue;
        await reloaded(page);
        before = await plies(page);
        await playFirst(page);
      } while (await isOver());
      assert.ok((await plies(page)) >= before + 2 || game.id === "kalah" || game.id === "congkak");
      await page.getByRole("button", { name: "Take back" }).click();
      await page.waitForFunction((n) => document.querySelectorAll(".moves button").length <= n, before);
      await myTurn(page);
      assert.equal(await plies(page), before);
    });
  }

  test("a game with an option of its own is played against the computer to its end, and once more", async () => {
    const { page } = someone;
    await begin(page, "kalah", "computer", { side: "first", level: "1", "option-seeds": "3" });
    await page.getByText("3 seeds a house").waitFor();
    await playToEnd(page, ENOUGH);
    const [south = 0, north = 0] = (await statusText(page)).match(/\d+/g)?.map(Number) ?? [];
    assert.equal(south + north, 36);
    const path = new URL(page.url()).pathname;
    await page.getByRole("button", { name: "Rematch" }).click();
    await page.waitForURL((url) => url.pathname !== path);
    // The sides are exchanged: the computer begins.
    await waitForPlies(page, 1);
    await myTurn(page);
  });

  test("the strongest level answers, and thinks on after a reload", async () => {
    const { page } = someone;
    await begin(page, "mawe", "computer", { side: "first", level: "10" });
    await playFirst(page);
    await page.reload();
    await waitForPlies(page, 2);
    await myTurn(page);
  });

  test("a game is given up, is listed, is told why a move is not legal, and is removed", async () => {
    const { page } = someone;
    await begin(page, "oware", "device");
    const path = new URL(page.url()).pathname;
    await page.getByRole("button", { name: "Type a move" }).click();
    for (let i = 0; i < 2; i++) await playFirst(page);
    await page.getByRole("button", { name: "Resign" }).click();
    await page.getByRole("button", { name: "Really resign?" }).click();
    await over(page);
    await page.getByRole("link", { name: "Mawe!", exact: true }).click();
    const row = page.locator(".device-games li", { has: page.locator(`a[href="${path}"]`) });
    await row.getByText("2 moves").or(row.getByText("resign")).first().waitFor();
    await row.getByRole("button", { name: "Remove" }).click();
    await row.getByRole("button", { name: "Really remove?" }).click();
    await row.waitFor({ state: "detached" });
    await page.goto(path);
    await page.getByText("This game is not kept on this device.").waitFor();
  });

  test("two tabs at one game stay together", async () => {
    const { page, context } = someone;
    await begin(page, "reversi", "device");
    const other = await context.newPage();
    await other.goto(new URL(page.url()).pathname);
    await other.locator(".match").waitFor();
    await playFirst(page);
    await waitForPlies(other, 1);
    await playFirst(other);
    await waitForPlies(page, 2);
    assert.equal(await boardText(page), await boardText(other));
    await other.close();
  });
});

describe("a file that the browser loses once", () => {
  const someone = inFlight();

  // The document's scripts and style sheets, the view's, and what the view fetches.
  for (const path of [
    "/app.js",
    "/core/dom.js",
    "/css/base.css",
    "/css/study.css",
    "/i18n/en.json",
    "/i18n/study/en.json",
    "/learn/view.js",
    "/games/kalah.js",
    "/games/sowing.js",
    "/wasm/rules_bg.wasm",
  ]) {
    test(`is loaded again: ${path}`, async () => {
      const { page, context } = someone;
      const [worker] = context.serviceWorkers();
      assert.ok(worker);
      await worker.evaluate((lost) => {
        const scope = /** @type {any} */ (globalThis);
        const { match } = Cache.prototype;
        scope.lost = 0;
        Cache.prototype.match = function (/** @type {string} */ asked) {
          if (asked !== lost) return match.call(this, asked);
          Cache.prototype.match = match;
          scope.lost += 1;
          return Promise.resolve(undefined);
        };
      }, path);
      // A page is loaded again once in some seconds, which a fast machine needs for several of these tests.
      await page.evaluate(() => sessionStorage.clear());
      await page.goto("/learn/kalah/again");
      await page.locator(".task").waitFor();
      assert.equal(await worker.evaluate(() => /** @type {any} */ (globalThis).lost), 1, "it was lost");
      await page.waitForFunction(
        (sheets) => sheets.every((sheet) => [...document.styleSheets].some(({ href }) => href?.endsWith(sheet))),
        ["/css/base.css", "/css/study.css"],
      );
      await page.getByText(catalogue("en", "study")["task.kalah.again.goal"] ?? "?").waitFor();
    });
  }
});

describe("in every language, by keyboard", () => {
  const { visit } = stage([], KEPT);

  for (const tag of /** @type {Language[]} */ (Object.keys(LANGUAGES))) {
    test(tag, async () => {
      const { page, context } = await visit({ locale: tag, reducedMotion: "reduce" });
      const words = catalogue(tag);
      await visitFirst(page);
      await context.setOffline(true);
      await page.goto("/play");
      await page.getByText(words["device.away"] ?? "?").waitFor();
      await focusOn(page.locator("input[name=opponent][value=computer]"));
      for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowRight");
      assert.equal(await page.locator("input[name=opponent][value=device]").isChecked(), true);
      await focusOn(page.locator(".new-match button[type=submit]"));
      await page.keyboard.press("Enter");
      await page.locator(".match").waitFor();
      const rules = Rules.start("mawe", "");
      const game = GAMES.find(({ id }) => id === "mawe");
      assert.ok(game);
      for (let ply = 0; ply < 2; ply++) {
        const move = rules.legalMoves()[0] ?? "";
        await typeMove(page, game, move, /** @type {Side} */ (rules.turn()), "first");
        rules.play(move);
        await waitForPlies(page, ply + 1);
      }
      await page.getByText(words["device.hint"] ?? "?").waitFor();
      assert.equal(await page.evaluate(() => document.documentElement.lang), tag);
      if (tag === "ml") assert.equal(await page.evaluate(() => document.fonts.check("16px 'Noto Sans Malayalam'", "കളി")), true);
    });
  }

  test("and back: who was signed in is so again", async () => {
    const { page, context } = await visit();
    await register(page, "amina-abroad");
    await visitFirst(page);
    await context.setOffline(true);
    await page.reload();
    await page.locator("header .line.down").waitFor();
    assert.equal(await page.locator("header .me").isVisible(), false);
    await context.setOffline(false);
    await page.locator("header .me", { hasText: "amina-abroad" }).waitFor();
    await page.locator("header .line.open").waitFor();
  });

  test("and with a network, by a tick", async () => {
    const { page } = await visit();
    await page.goto("/play");
    await page.locator("header .line.open").waitFor();
    await page.getByRole("checkbox", { name: "On this device, without the server" }).check();
    await page.getByRole("button", { name: "Play now" }).click();
    await page.waitForURL("**/device/*");
    await playFirst(page);
  });
});

describe("the page of a first visit", () => {
  const { visit } = stage([], KEPT);

  test("goes on without a network, with one copy of each file", async () => {
    const { page, context } = await visit();
    const task = "/learn/kalah/again";
    const shown = async () => {
      await page.locator(".task .cell").first().waitFor();
      await page.getByText(catalogue("en", "study")["task.kalah.again.goal"] ?? "?").waitFor();
      const files = await page.evaluate(() => {
        const paths = performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname);
        return paths.filter((path) => /\.(js|css|json|svg|wasm)$/.test(path) && path !== "/sw.js" && !path.startsWith("/api/"));
      });
      assert.ok(files.length > 90, `${files}`);
      return files;
    };
    await visitFirst(page);
    await context.setOffline(true);
    await follow(page, task);
    const files = await shown();
    const [version = ""] = /^\/v\/[\w-]{16}\//.exec(files[0] ?? "") ?? [];
    assert.deepEqual(
      files.filter((path) => !version || !path.startsWith(version)),
      [],
    );
    // The stored document has paths without a version.
    await page.goto(task);
    assert.deepEqual(
      (await shown()).filter((path) => path.startsWith("/v/")),
      [],
    );
  });
});

/** Longer than a page waits for newer files (`local/version.js`), so that they come after it is shown without them. */
const LATE_MS = 7_000;

/**
 * The server, and after `upgrade` the server with one changed text.
 * @param {Server} server
 * @param {boolean} isLate whether the newer files come late, as on a busy machine
 */
async function startUpgrade(server, isLate) {
  let isNew = false;
  const words = "/i18n/en.json";
  const tag = '"of-the-new-version"';
  const proxy = createServer(async (asked, answer) => {
    try {
      const url = asked.url ?? "/";
      const got = await fetch(new URL(url, server.url));
      const headers = Object.fromEntries(
        ["content-type", "etag", "content-security-policy", "cache-control"].map((name) => [name, got.headers.get(name) ?? ""]),
      );
      let body = Buffer.from(await got.arrayBuffer());
      // With and without a version in the address.
      if (isNew && url.endsWith(words)) {
        body = Buffer.from(JSON.stringify({ ...english, "home.title": "Games of the new version" }));
        headers.etag = tag;
      } else if (isNew && url === "/sw.js") {
        const [first = "", ...rest] = body.toString().split("\n");
        const shell = JSON.parse(first.replace("self.SHELL = ", "").replace(/;$/, ""));
        shell.version += "-new";
        shell.files[words] = tag;
        const taking = "worker.skipWaiting()";
        let script = rest.join("\n");
        assert.ok(script.includes(taking));
        if (isLate) script = script.replace(taking, `new Promise((passed) => setTimeout(passed, ${LATE_MS})).then(() => ${taking})`);
        body = Buffer.from(`self.SHELL = ${JSON.stringify(shell)};\n${script}`);
        headers.etag = tag;
      }
      answer.writeHead(got.status, headers).end(body);
    } catch {
      answer.writeHead(502).end();
    }
  });
  await new Promise((ready) => proxy.listen(0, "127.0.0.1", () => ready(null)));
  return {
    url: `http://127.0.0.1:${/** @type {AddressInfo} */ (proxy.address()).port}`,
    upgrade() {
      isNew = true;
    },
    stop() {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}

/**
 * Returns a function that stops the active worker, as a browser does with an idle one. Chromium exchanges a worker only when it counts no
 * event of the old one; when it misses the end of an event it waits five minutes, unless the worker is stopped.
 * @param {Page} page
 */
async function stopper(page) {
  const devtools = await page.context().newCDPSession(page);
  /** @type {Map<string, string>} */
  const states = new Map();
  devtools.on("ServiceWorker.workerVersionUpdated", ({ versions }) => {
    for (const { versionId, status } of versions) states.set(versionId, status);
  });
  await devtools.send("ServiceWorker.enable");
  return async () => {
    for (const [versionId, status] of states) if (status === "activated") await devtools.send("ServiceWorker.stopWorker", { versionId });
  };
}

describe("a new version", () => {
  const { visit, url } = stage([], KEPT);

  // A version that comes too late for one page is left for the next: no files change while the reader uses a page.
  for (const [when, isLate] of /** @type {const} */ ([
    ["", false],
    [", also where it comes late", true],
  ]))
    test(`is taken when no match is running, and never under a running game${when}`, async () => {
      const proxy = await startUpgrade(
        /** @type {Server} */ ({
          get url() {
            return url();
          },
        }),
        isLate,
      );
      try {
        const { page, context } = await visit({ baseURL: proxy.url, reducedMotion: "reduce" });
        await visitFirst(page);
        await page.goto("/play");
        await page.locator("input[name=game][value=oware]").check();
        await page.locator("input[name=opponent][value=device]").check();
        await page.locator("header .line.down").waitFor();
        await page.locator(".new-match button[type=submit]").click();
        await page.locator(".match").waitFor();
        await playFirst(page);

        proxy.upgrade();
        await page.evaluate(async () => {
          const registration = await navigator.serviceWorker.ready;
          await registration.update();
          while (!registration.waiting) await new Promise((again) => setTimeout(again, 50));
        });
        // The game goes on, is reloaded, and another tab is opened: all with the old version.
        await playFirst(page);
        await reloaded(page);
        const other = await context.newPage();
        await other.goto("/");
        await other.getByRole("heading", { name: english["home.title"] }).waitFor();
        await other.getByRole("link", { name: "Watch" }).click();
        await other.close();
        await playFirst(page);
        assert.equal(await page.evaluate(async () => (await navigator.serviceWorker.ready).waiting !== null), true);

        await page.getByRole("button", { name: "Resign" }).click();
        await page.getByRole("button", { name: "Really resign?" }).click();
        await over(page);
        const home = page.getByRole("link", { name: "Mawe!", exact: true });
        const next = page.getByRole("heading", { name: "Games of the new version" });
        const stopOld = await stopper(page);
        await home.click();
        if (isLate) await page.getByRole("heading", { name: english["home.title"] }).waitFor();
        await eventually(async () => {
          await next.or(page.getByRole("heading", { name: english["home.title"] })).waitFor();
          if (await next.isVisible()) return true;
          await stopOld();
          await page.getByRole("link", { name: "Watch", exact: true }).click();
          await page.waitForURL("**/watch");
          await home.click();
          return false;
        });
        // One version is stored, and the game is still there.
        assert.equal(await page.evaluate(async () => (await caches.keys()).length), 1);
        await page.locator(".device-games a").first().click();
        await over(page);
        assert.equal(await plies(page), 3);
        await drawn(page);
      } finally {
        proxy.stop();
      }
    });

  test("keeps nothing of the API", async () => {
    const { page } = await visit();
    await visitFirst(page);
    const kept = await page.evaluate(async () => {
      const caches_ = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
      return caches_.flat().map(({ url }) => new URL(url).pathname);
    });
    assert.ok(kept.includes("/index.html") && kept.includes("/wasm/engine_simd_bg.wasm"));
    assert.ok(!kept.includes("/wasm/engine_bg.wasm"), "the engine for browsers without vectors");
    assert.deepEqual(
      kept.filter((path) => path.startsWith("/api") || path === "/i18n/pl.json" || path.startsWith("/fonts/")),
      [],
    );
  });
});

describe("the page as an app", () => {
  const { visit } = stage([], KEPT);

  test("can be installed", async () => {
    const { page } = await visit();
    await visitFirst(page);
    const devtools = await page.context().newCDPSession(page);
    const { errors } = await devtools.send("Page.getAppManifest");
    assert.deepEqual(errors, []);
    const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors");
    // A window in incognito mode, as the tests have it, cannot install the page; everything else is in order.
    assert.deepEqual(
      installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito"),
      [],
    );
  });
});
