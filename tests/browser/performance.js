// @ts-check
// Measures the weight of a first visit, the time to its paint, and the smoothness of moving pieces, in a slowed-down browser:
// `MAWE_BIN=target/release/mawe node tests/browser/performance.js [weight|paint|match|frames]…`; `match` is the last two rows of `paint` alone,
// a running match and the profile of its player.
// The figures are in docs/page.md.
//
// A proxy in this script speaks TLS and HTTP/2 in front of the server, as in production; openssl makes its certificate.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { createSecureServer } from "node:http2";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { gameOf } from "../../static/tests/loaded-games.js";
import { initSync, Game as Rules } from "../../static/wasm/rules.js";
import { clickMove, myTurn, startBrowser, startServer, waitForPlies, withoutLaterFiles } from "./support.js";

/** @import { AddressInfo } from "node:net" */
/** @import { Browser, BrowserContextOptions } from "playwright-core" */

/** Lighthouse's "slow 4G": round trip, bits a second down and up. */
const SLOW_4G = { latency: 150, down: 1_638_400, up: 675_000 };
const PHONE = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
const RUNS = 5;
/** The time for which frames are counted after a move: the longest that a move is shown. */
const WATCHED_MS = 4_500;
/** Frames are 16.7 ms apart; a longer gap means a missing frame. */
const LATE_MS = 25;

const wanted = process.argv.slice(2);
/** @param {string} part */
const wants = (part) => wanted.length === 0 || wanted.includes(part);

initSync({ module: readFileSync(new URL("../../static/wasm/rules_bg.wasm", import.meta.url)) });

/** Forwards requests to the server at `to`, once there is one. @param {() => URL} to */
async function startProxy(to) {
  const folder = mkdtempSync(join(tmpdir(), "mawe-proxy-"));
  const [key, cert] = ["key.pem", "cert.pem"].map((name) => join(folder, name));
  execFileSync(
    "openssl",
    [
      "req",
      "-x509",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:prime256v1",
      "-nodes",
      "-days",
      "1",
      "-subj",
      "/CN=127.0.0.1",
      "-keyout",
      String(key),
      "-out",
      String(cert),
    ],
    { stdio: "ignore" },
  );
  const proxy = createSecureServer({ key: readFileSync(String(key)), cert: readFileSync(String(cert)), allowHTTP1: true });
  rmSync(folder, { recursive: true });
  proxy.on("request", (asked, answer) => {
    const headers = Object.fromEntries(Object.entries(asked.headers).filter(([name]) => !name.startsWith(":") && name !== "connection"));
    const passed = request(
      new URL(asked.url ?? "/", to()),
      { method: asked.method, headers: { ...headers, "x-forwarded-for": "127.0.0.1" } },
      (got) => {
        const { connection: _c, "transfer-encoding": _t, "keep-alive": _k, ...rest } = got.headers;
        answer.writeHead(got.statusCode ?? 502, rest);
        got.pipe(answer);
      },
    );
    asked.pipe(passed);
  });
  proxy.on("upgrade", (asked, socket, head) => {
    const through = connect(Number(to().port), to().hostname, () => {
      const lines = Object.entries(asked.headers).map(([name, value]) => `${name}: ${value}`);
      through.write(`${asked.method} ${asked.url} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
      through.write(head);
      socket.pipe(through).pipe(socket);
    });
    for (const end of [socket, through]) end.on("error", () => end.destroy());
  });
  await new Promise((ready) => proxy.listen(0, "127.0.0.1", () => ready(null)));
  return { url: `https://127.0.0.1:${/** @type {AddressInfo} */ (proxy.address()).port}`, stop: () => proxy.close() };
}

/**
 * @param {Browser} browser
 * @param {string} url
 * @param {BrowserContextOptions} [options]
 */
async function newcomer(browser, url, options = {}) {
  const context = await browser.newContext({ baseURL: url, locale: "en-GB", ignoreHTTPSErrors: true, ...PHONE, ...options });
  const page = await context.newPage();
  return { context, page, cdp: await context.newCDPSession(page) };
}

// Weight.

/** @param {Browser} browser @param {string} url @param {string} locale */
async function weight(browser, url, locale) {
  const { context, page, cdp } = await newcomer(browser, url, { locale });
  await cdp.send("Network.enable");
  /** @type {Map<string, { url: string, round: number, bytes: number }>} */
  const requests = new Map();
  /** @param {string | undefined} asker */
  const roundOf = (asker) => [...requests.values()].find((one) => one.url === asker)?.round ?? 0;
  cdp.on("Network.requestWillBeSent", ({ requestId, request: asked, initiator }) => {
    if (!asked.url.startsWith("http")) return;
    // The document's own links are requested one round after it; requests of a script come one round after the files that it needs to run.
    const round =
      requests.size === 0
        ? 0
        : initiator.type === "parser" || initiator.type === "preload" || initiator.type === "other"
          ? 1
          : Math.max(1, roundOf(initiator.url ?? initiator.stack?.callFrames[0]?.url)) + 1;
    requests.set(requestId, { url: asked.url, round, bytes: 0 });
  });
  cdp.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const one = requests.get(requestId);
    if (one) one.bytes = encodedDataLength;
  });
  const sum = () => {
    const all = [...requests.values()];
    const kind = (/** @type {RegExp} */ pattern) =>
      all.filter((one) => pattern.test(new URL(one.url).pathname)).reduce((bytes, one) => bytes + one.bytes, 0);
    return {
      requests: all.length,
      files: all.filter(({ url: of }) => !of.includes("/api/")).length,
      kB: all.reduce((bytes, { bytes: more }) => bytes + more, 0) / 1000,
      script: kind(/\.js$/) / 1000,
      style: kind(/\.css$/) / 1000,
      words: kind(/\.json$/) / 1000,
      fonts: kind(/\.woff2$/) / 1000,
      api: kind(/^\/api\//) / 1000,
      lastRound: Math.max(...all.filter(({ url: of }) => !of.includes("/api/")).map(({ round }) => round)),
      late: all.filter(({ round, url: of }) => round > 1 && !of.includes("/api/")).map(({ url: of }) => new URL(of).pathname),
    };
  };
  await withoutLaterFiles(page);
  await page.goto("/", { waitUntil: "networkidle" });
  const home = sum();
  await page.locator(".tile-play").first().click();
  await myTurn(page);
  const board = sum();
  await context.close();
  return { home, board };
}

// Paint.

/** @param {Browser} browser @param {string} url @param {string} path @param {number} cpu */
async function paint(browser, url, path, cpu) {
  /** @type {{ lcp: number, cls: number, element: string, shifts: string[], work: number }[]} */
  const runs = [];
  for (let i = 0; i < RUNS; i++) {
    const { context, page, cdp } = await newcomer(browser, url);
    await cdp.send("Network.enable");
    await cdp.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: SLOW_4G.latency,
      downloadThroughput: SLOW_4G.down / 8,
      uploadThroughput: SLOW_4G.up / 8,
    });
    await cdp.send("Emulation.setCPUThrottlingRate", { rate: cpu });
    await page.addInitScript(() => {
      const seen = { lcp: 0, cls: 0, element: "", shifts: /** @type {string[]} */ ([]) };
      Object.assign(window, { seen });
      const named = (/** @type {any} */ node) =>
        node ? `${node.nodeName.toLowerCase()}.${node.className?.baseVal ?? node.className ?? ""}` : "?";
      new PerformanceObserver((list) => {
        for (const entry of /** @type {any[]} */ (list.getEntries())) [seen.lcp, seen.element] = [entry.startTime, named(entry.element)];
      }).observe({ type: "largest-contentful-paint", buffered: true });
      new PerformanceObserver((list) => {
        for (const entry of /** @type {any[]} */ (list.getEntries())) {
          if (entry.hadRecentInput) continue;
          seen.cls += entry.value;
          seen.shifts.push(
            `${entry.value.toFixed(4)} at ${Math.round(entry.startTime)} ms: ${entry.sources.map((/** @type {any} */ { node }) => named(node)).join(", ")}`,
          );
        }
      }).observe({ type: "layout-shift", buffered: true });
    });
    await cdp.send("Performance.setTimeDomain", { timeDomain: "threadTicks" });
    await cdp.send("Performance.enable");
    await page.goto(path, { waitUntil: "networkidle" });
    const work = 1000 * ((await cdp.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration")?.value ?? NaN);
    await page.waitForTimeout(1000);
    runs.push({ ...(await page.evaluate(() => /** @type {any} */ (window).seen)), work });
    await context.close();
  }
  runs.sort((a, b) => a.lcp - b.lcp);
  const [best, median, worst] = /** @type {typeof runs} */ ([runs[0], runs[Math.floor(RUNS / 2)], runs[RUNS - 1]]);
  return {
    lcp: median.lcp,
    from: best.lcp,
    to: worst.lcp,
    element: median.element,
    work: Math.min(...runs.map(({ work }) => work)),
    cls: Math.max(...runs.map(({ cls }) => cls)),
    shifts: runs.flatMap(({ shifts }) => shifts),
  };
}

/** Begins a match against the computer that waits for its first move; anybody with the address can watch it. @param {string} url */
async function runningMatch(url) {
  const { page } = await newcomer(browser, url);
  await page.goto("/play");
  await page.locator("input[name=side][value=first]").check();
  await page.locator("form .primary").click();
  await myTurn(page);
  // Its page stays open, or the match would soon be over.
  return [new URL(page.url()).pathname, String(await page.locator(".seat.bottom a.player").getAttribute("href"))];
}

// Frames.

/**
 * Plays `moves` on one device, then the last one while the frames are counted.
 * @param {Browser} browser
 * @param {string} url
 * @param {string} id
 * @param {string[]} moves
 * @param {number} cpu
 */
async function frames(browser, url, id, moves, cpu) {
  const game = gameOf(id);
  if (!game) throw new Error(`there is no ${id}`);
  const { context, page, cdp } = await newcomer(browser, url);
  await page.goto("/play");
  await page.locator(`input[name=game][value=${id}]`).check();
  await page.locator("input[name=opponent][value=device]").check();
  await page.locator("form .primary").click();
  const rules = Rules.start(id, "");
  for (const [ply, move] of moves.slice(0, -1).entries()) {
    const side = /** @type {"first" | "second"} */ (rules.turn());
    if (game.path(move, side).length > 0) await clickMove(page, game, move, side);
    rules.play(move);
    await waitForPlies(page, ply + 1);
  }
  await page.waitForTimeout(WATCHED_MS);
  await myTurn(page);
  const last = String(moves.at(-1));
  const [cell] = game.path(last, /** @type {"first" | "second"} */ (rules.turn()));
  await page.locator(`.match [data-cell="${cell}"]`).focus();
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: cpu });
  // The thread's own time leaves out other programs on the machine.
  await cdp.send("Performance.setTimeDomain", { timeDomain: "threadTicks" });
  await cdp.send("Performance.enable");
  const worked = async () => (await cdp.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration")?.value ?? NaN;
  const before = await worked();
  const times = await page.evaluate(
    (ms) =>
      new Promise((done) => {
        /** @type {number[]} */
        const seen = [];
        const began = performance.now();
        const frame = (/** @type {number} */ now) => {
          seen.push(now);
          if (performance.now() - began < ms) requestAnimationFrame(frame);
          else done(seen);
        };
        document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
        requestAnimationFrame(frame);
      }),
    WATCHED_MS,
  );
  const work = 1000 * ((await worked()) - before);
  await context.close();
  /** The times of late frames, in ms after the move. */
  const lateAt = /** @type {number[]} */ (times).flatMap((time, i, all) =>
    i > 0 && time - Number(all[i - 1]) > LATE_MS ? [Math.round(time - Number(all[0]))] : [],
  );
  const gaps = /** @type {number[]} */ (times)
    .slice(1)
    .map((time, i) => time - /** @type {number[]} */ (times)[i])
    .sort((a, b) => a - b);
  const at = (/** @type {number} */ part) => gaps[Math.min(gaps.length - 1, Math.floor(gaps.length * part))] ?? NaN;
  return {
    second: (1000 * gaps.length) / gaps.reduce((all, gap) => all + gap, 0),
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    worst: at(1),
    late: lateAt.length / gaps.length,
    lateAt,
    work: work / gaps.length,
  };
}

/**
 * The ply of a recorded game with the most changes, with the plies before it.
 * @param {string} id
 * @param {(before: string, after: string) => number} much
 */
function busiest(id, much) {
  const { playouts } = JSON.parse(readFileSync(new URL(`../../rules/tests/vectors/${id}.playouts.json`, import.meta.url), "utf8"));
  let best = { moves: /** @type {string[]} */ ([]), amount: 0 };
  for (const playout of playouts
    .filter((/** @type {{ start?: string, moves: string }} */ { start, moves }) => start === undefined && !moves.includes("pass"))
    .slice(0, 12)) {
    const rules = Rules.start(id, "");
    const moves = playout.moves.split(" ");
    for (const [ply, move] of moves.slice(0, 40).entries()) {
      const before = rules.position();
      const side = /** @type {"first" | "second"} */ (rules.turn());
      const steps = gameOf(id)?.steps(gameOf(id)?.parse(before).pieces ?? new Map(), move, side).length ?? 0;
      rules.play(move);
      const amount = steps + much(before, rules.position());
      if (amount > best.amount) best = { moves: moves.slice(0, ply + 1), amount };
    }
  }
  return best;
}

/** The number of discs that change sides. @param {string} before @param {string} after */
const flipped = (before, after) => [...before.slice(0, 64)].filter((disc, i) => disc !== "-" && after[i] !== disc).length;

/** The server behind the proxy; `plain` is one without. @type {Awaited<ReturnType<typeof startServer>>} */
let server;
const proxy = await startProxy(() => new URL(server.url));
server = await startServer(["--origin", proxy.url, "--behind-proxy"]);
const plain = await startServer();
const browser = await startBrowser();
try {
  if (wants("weight")) {
    for (const locale of ["en", "sw", "pl", "ml"]) {
      const { home, board } = await weight(browser, proxy.url, locale);
      console.log(
        `weight ${locale}: front page ${home.requests} requests (${home.files} files), ${home.kB.toFixed(1)} kB: scripts ${home.script.toFixed(1)}, styles ${home.style.toFixed(1)}, words ${home.words.toFixed(
          1,
        )}, fonts ${home.fonts.toFixed(1)}, API ${home.api.toFixed(1)}; files in ${home.lastRound} round(s) after the document, late: ${home.late.join(" ") || "none"}`,
      );
      console.log(`  up to a board on which the first move can be made: ${board.requests} requests, ${board.kB.toFixed(1)} kB`);
    }
  }
  if (wants("paint") || wants("match")) {
    for (const [name, url] of [
      ["HTTP/2", proxy.url],
      ["HTTP/1.1", plain.url],
    ]) {
      const running = await runningMatch(String(url));
      const others = wants("paint")
        ? /** @type {const} */ ([
            ["/", 1],
            ["/", 4],
            ["/rules/mawe", 4],
            ["/watch", 4],
          ])
        : [];
      for (const [path, cpu] of /** @type {[string, number][]} */ ([...others, ...running.map((path) => [path, 4])])) {
        const { lcp, from, to, element, work, cls, shifts } = await paint(browser, String(url), path, cpu);
        console.log(
          `paint ${name} ${path}, processor slowed ${cpu}×: largest ${Math.round(lcp)} ms (${Math.round(from)} to ${Math.round(to)}), ${element}; main thread ${Math.round(work)} ms of its own time; layout shift ${cls.toFixed(4)}`,
        );
        for (const shift of new Set(shifts)) console.log(`  ${shift}`);
      }
    }
  }
  if (wants("frames")) {
    for (const [id, what] of [
      ["congkak", "steps"],
      ["reversi", "flipped discs"],
    ]) {
      const { moves, amount } = busiest(String(id), id === "reversi" ? flipped : () => 0);
      for (const cpu of [1, 4, 6]) {
        const { second, p50, p95, p99, worst, late, lateAt, work } = await frames(browser, proxy.url, String(id), moves, cpu);
        console.log(
          `frames ${id}, ${amount} ${what}, processor slowed ${cpu}×: ${second.toFixed(1)} a second, p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)}, p99 ${p99.toFixed(1)}, worst ${worst.toFixed(
            1,
          )}; later than ${LATE_MS} ms: ${(100 * late).toFixed(1)} %, at ${lateAt.join(", ") || "no time"}; main thread ${work.toFixed(2)} ms a frame of its own time`,
        );
      }
    }
  }
} finally {
  await browser.close();
  proxy.stop();
  await Promise.all([server.stop(), plain.stop()]);
}
process.exit();
