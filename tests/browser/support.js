// @ts-check
// A real server, real browsers, and functions for playing.
//
// MAWE_BIN names the server's binary. The browser is MAWE_BROWSER, else the first Chromium on the path. MAWE_SLOW_MS delays each frame, and
// each answer and message of the server: a test that looks too early then fails every time.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { after, afterEach, before } from "node:test";
import { promisify } from "node:util";

import { chromium } from "playwright-core";

import { createState, moveFocus } from "../../static/board/state.js";
import { lastLook, noteRequests } from "./last-look.js";
import { createPool } from "./reuse.js";

/** @import { ChildProcess } from "node:child_process" */
/** @import { Browser, BrowserContextOptions, Locator, Page } from "playwright-core" */
/** @import { Game } from "../../static/games/types.js" */
/** @import { Game as Rules } from "../../static/wasm/rules.js" */
/** @import { Side } from "../../static/core/types.js" */

/** The time that a page may take for anything. Long, because only a failure waits so long, also on a busy machine. */
const PATIENCE_MS = 60_000;

/** The delay of everything that comes to the pages. */
export const SLOW_MS = Number(process.env.MAWE_SLOW_MS ?? 0);

/** @typedef {Awaited<ReturnType<typeof startServer>>} Server */

/**
 * A server with a data directory of its own, which can be killed and started again on the same port.
 * @param {readonly string[]} [options] further options
 * @param {string} [listen] its address, for a server whose options name it
 */
export async function startServer(options = [], listen = "127.0.0.1:0") {
  const bin = process.env.MAWE_BIN;
  assert.ok(bin, "MAWE_BIN must name the server's binary");
  const dataDir = mkdtempSync(join(tmpdir(), "mawe-browser-"));
  /** @type {ChildProcess | null} */
  let child = null;

  /** @param {string} listen @returns {Promise<string>} its address */
  async function start(listen) {
    // Without the line of each request, of which a page makes dozens, and without databases that no test needs.
    const usual = ["--log", "info,sqlx=warn,mawe_server::http::requests=warn", "--solve-endgames=false"];
    const running = spawn(/** @type {string} */ (bin), ["serve", "--listen", listen, "--data-dir", dataDir, ...usual, ...options], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    child = running;
    return new Promise((resolve, reject) => {
      running.once("exit", (code) => reject(new Error(`the server ended with ${code} before it listened`)));
      createInterface({ input: /** @type {import("node:stream").Readable} */ (running.stdout) }).on("line", (line) => {
        const address = /http:\/\/127\.0\.0\.1:\d+/.exec(line);
        if (address) resolve(address[0]);
      });
    });
  }

  const url = await start(listen);

  async function kill() {
    const running = child;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise((resolve) => running.once("exit", resolve));
    running.kill("SIGKILL");
    await ended;
  }

  return {
    url,
    kill,
    /** Runs a command of the operator. @param {...string} words */
    admin: (...words) => promisify(execFile)(/** @type {string} */ (bin), ["admin", ...words, "--data-dir", dataDir]),
    /** Changes the database beside the running server: a test does not wait for hours. @param {string} statement */
    sql: (statement) => {
      const program = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], timeout=30); c.execute(sys.argv[2]); c.commit()";
      return promisify(execFile)("python3", ["-c", program, join(dataDir, "mawe.sqlite"), statement]);
    },
    /** Starts the server again, with the same data and the same port. */
    restart: () => start(new URL(url).host),
    async stop() {
      await kill();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** @param {Record<string, string>} [environment] further variables of the browser's environment */
export async function startBrowser(environment = {}) {
  // The shell is the same browser without a window of its own: it takes a quarter less processor time.
  const executablePath = process.env.MAWE_BROWSER ?? onPath("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome");
  const args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"];
  return chromium.launch({ executablePath, args, env: { .../** @type {Record<string, string>} */ (process.env), ...environment } });
}

/** The first of these programs on the path. @param {...string} names */
export function onPath(...names) {
  for (const name of names) {
    for (const folder of (process.env.PATH ?? "").split(delimiter)) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        // Not in this folder.
      }
    }
  }
  throw new Error(`none of ${names.join(", ")} is on the path; name a browser with MAWE_BROWSER or MAWE_FIREFOX`);
}

/**
 * Repeats a question until it has an answer.
 * @template T
 * @param {() => Promise<T | null | undefined | false>} ask
 * @param {number} [patience]
 */
export async function eventually(ask, patience = PATIENCE_MS) {
  const end = Date.now() + patience;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    assert.ok(Date.now() < end, `it did not come about: ${ask}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/**
 * Waits for a number of elements: a page may show a change a frame, or an answer, after its cause. For a count of 0 the page has the time
 * of a frame, and is checked once.
 * @param {Locator} locator
 * @param {number} count
 * @param {string} [where]
 */
export async function finds(locator, count, where = String(locator)) {
  const end = Date.now() + PATIENCE_MS;
  await drawn(locator.page());
  let found = await locator.count();
  while (count > 0 && found !== count && Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    found = await locator.count();
  }
  assert.equal(found, count, where);
}

/**
 * For visitors whose page is to be kept on the device. Each is a context of its own, whose worker would otherwise fetch and store the files of
 * the whole page, which takes longer than most tests.
 * @satisfies {BrowserContextOptions}
 */
export const KEPT = /** @type {const} */ ({ serviceWorkers: "allow" });

/**
 * For visitors whose boards move. Others wish for no motion, as a system can say: sixty pictures a second of each page at a match cost much
 * processor time.
 * @satisfies {BrowserContextOptions}
 */
export const MOVING = /** @type {const} */ ({ reducedMotion: "no-preference" });

/**
 * A visitor with a browser context of their own; errors of their page are collected.
 * @param {Browser} browser
 * @param {Server} server
 * @param {BrowserContextOptions} [options]
 */
export async function visitor(browser, server, options = {}) {
  const context = await browser.newContext({
    baseURL: server.url,
    locale: "en-GB",
    viewport: { width: 1100, height: 800 },
    serviceWorkers: "block",
    reducedMotion: "reduce",
    ...options,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  if (options.javaScriptEnabled === false) unscripted.add(context);
  if (SLOW_MS > 0) await context.addInitScript(slowDown, SLOW_MS);
  const page = await context.newPage();
  readAfterFrame(page);
  noteRequests(page);
  /** @type {string[]} */
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    // The browser itself reports broken connections on the console, also under the script of the service worker, and refused requests.
    if (
      message.type() === "error" &&
      !/Failed to load resource|WebSocket connection|error occurred when fetching the script/.test(message.text())
    )
      complaints.push(message.text());
  });
  if (options.javaScriptEnabled !== false) {
    // The scripts replace the first words of the document: tests wait for that.
    const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
    const replaced = () => page.waitForFunction(() => document.querySelector(".early") === null);
    page.goto = async (...to) => {
      const answer = await goto(...to);
      await replaced();
      return answer;
    };
    page.reload = async (...how) => {
      const answer = await reload(...how);
      await replaced();
      return answer;
    };
  }
  return { context, page, complaints };
}

/** The contexts whose pages have no scripts, and so show nothing late. @type {WeakSet<object>} */
const unscripted = new WeakSet();

/** The functions of a locator that read the page as it is now, without waiting for anything. */
const READS = /** @type {const} */ ([
  "allInnerTexts",
  "allTextContents",
  "getAttribute",
  "innerText",
  "inputValue",
  "isChecked",
  "isDisabled",
  "isEnabled",
  "isHidden",
  "isVisible",
  "textContent",
]);

/** Makes every read of a locator wait for the next frame, which shows what a click has changed. @param {Page} page */
function readAfterFrame(page) {
  /** @type {any} */
  const locator = Object.getPrototypeOf(page.locator("html"));
  if (locator.readsAfterFrame) return;
  locator.readsAfterFrame = true;
  for (const name of READS) {
    const read = locator[name];
    locator[name] = async function (/** @type {unknown[]} */ ...args) {
      const of = /** @type {Locator} */ (this).page();
      // A page that is being left has no frame to wait for; the read waits for the next document.
      if (!unscripted.has(of.context())) await drawn(of).catch(() => {});
      return read.apply(this, args);
    };
  }
}

/** Runs in the page. @param {number} ms */
function slowDown(ms) {
  const [draw, ask] = [requestAnimationFrame.bind(window), fetch.bind(window)];
  /** @type {Set<number>} */
  const waiting = new Set();
  let last = 0;
  window.requestAnimationFrame = (act) => {
    const id = ++last;
    waiting.add(id);
    setTimeout(
      () =>
        draw((time) => {
          if (waiting.delete(id)) act(time);
        }),
      ms,
    );
    return id;
  };
  window.cancelAnimationFrame = (id) => void waiting.delete(id);
  window.fetch = async (...what) => {
    const answer = await ask(...what);
    await new Promise((passed) => setTimeout(passed, ms));
    return answer;
  };
  window.WebSocket = class extends WebSocket {
    /** @param {((event: MessageEvent) => void) | null} hear */
    set onmessage(hear) {
      super.onmessage =
        hear &&
        ((event) =>
          void setTimeout(() => {
            if (super.onmessage) hear(event);
          }, ms));
    }
  };
}

/** @typedef {Awaited<ReturnType<typeof visitor>>} Visitor */

/**
 * The common part of a suite: one server, one browser. After each test its visitors leave (`reuse.js`), and none of their pages may have
 * had an error. Must be called inside `describe`.
 * @param {readonly string[]} [options] further options of the server
 * @param {BrowserContextOptions} [common] options of all visitors
 */
export function stage(options, common) {
  /** @type {Server} */
  let server;
  /** @type {Browser} */
  let browser;
  /** @type {Visitor[]} */
  let visitors = [];
  const pool = createPool(
    (given) => visitor(browser, server, given),
    () => server.url,
  );
  before(async () => {
    server = await startServer(options);
    browser = await startBrowser();
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });
  afterEach(async (test) => {
    const gone = visitors;
    visitors = [];
    if (/** @type {any} */ (test).passed === false) for (const { page } of gone) console.log(await lastLook(page));
    assert.deepEqual((await Promise.all(gone.map(pool.giveBack))).flat(), []);
  });

  /** @param {BrowserContextOptions} [options] */
  async function visit(options) {
    const someone = await pool.take({ ...common, ...options });
    visitors.push(someone);
    return someone;
  }

  /**
   * Two players at a match, and the page of a third visitor.
   * @param {string} [game] its name on the page
   * @param {BrowserContextOptions | [BrowserContextOptions, BrowserContextOptions, BrowserContextOptions]} [options] of all, or of each
   * @param {(second: Page) => Promise<unknown>} [prepare] prepares the second player's page before it is opened
   */
  async function table(game, options, prepare) {
    const each = Array.isArray(options) ? options : /** @type {const} */ ([options, options, options]);
    const [first, second, watcher] = await Promise.all([visit(each[0]), visit(each[1]), visit(each[2])]);
    await prepare?.(second.page);
    const path = await beginMatch(first.page, second.page, game);
    return { first: first.page, second: second.page, watcher: watcher.page, path };
  }

  return {
    visit,
    table,
    url: () => server.url,
    admin: (/** @type {string[]} */ ...words) => server.admin(...words),
    sql: (/** @type {string} */ statement) => server.sql(statement),
    kill: () => server.kill(),
    restart: () => server.restart(),
  };
}

/** The delay of some frames on a poor connection. */
const DELAY_MS = 80;
/** The number of the server's frames after which a poor connection breaks. */
const FRAMES_TO_CUT = 25;

/**
 * Makes a page's connection poor: it sends each frame twice, both ways, some of them late, and breaks again and again. The order of frames
 * stays, as with TCP.
 * @param {Page} page before it opens its connection
 */
export async function spoilLine(page) {
  const done = { doubled: 0, delayed: 0, cuts: 0 };
  await page.routeWebSocket(/\/api\/v1\/ws$/, (here) => {
    const there = here.connectToServer();
    let frames = 0;
    let broken = false;
    /** @param {(message: string | Buffer) => void} send */
    const poorly = (send) => {
      let before = Promise.resolve();
      let count = 0;
      return (/** @type {string | Buffer} */ message) => {
        count += 1;
        const late = count % 4 === 0;
        if (late) done.delayed += 1;
        before = before
          .then(() => (late ? new Promise((passed) => setTimeout(passed, DELAY_MS)) : undefined))
          .then(() => {
            if (broken) return;
            send(message);
            send(message);
            done.doubled += 1;
          });
      };
    };
    here.onMessage(poorly((message) => there.send(message)));
    const bring = poorly((message) => here.send(message));
    there.onMessage((message) => {
      bring(message);
      frames += 1;
      if (frames < FRAMES_TO_CUT || broken) return;
      broken = true;
      done.cuts += 1;
      void here.close({ code: 1001 });
      void there.close();
    });
  });
  return done;
}

/**
 * The names of the cells of a match's board in the browser's accessibility tree, row by row.
 * @param {Page} page
 * @param {string} name of the grid
 */
export async function toldBoard(page, name) {
  await drawn(page);
  const tree = await page.getByRole("grid", { name, exact: true }).ariaSnapshot();
  const rows = tree.split(/^ {2}- row\b/m).slice(1);
  return rows.map((row) => [...row.matchAll(/- gridcell "((?:[^"\\]|\\.)*)"/g)].map(([, cell = ""]) => cell.replace(MARKS, "")));
}

/** The parts of a cell's name besides its piece. */
export const MARKS = /, (last move|last seed|taken|chosen|can be reached|can be played|can move|must be played)/g;

/**
 * One player creates a link, the other opens it; both end at the match.
 * @param {Page} host plays the first side
 * @param {Page} guest
 * @param {string} [game] its name on the page
 */
export async function beginMatch(host, guest, game = "Mawe!") {
  await host.goto("/play");
  await host.getByRole("radio", { name: game, exact: true }).check();
  await host.getByRole("radio", { name: "A friend" }).check();
  await host.locator("input[name=side][value=first]").check();
  await host.getByRole("button", { name: "Create a link for your friend" }).click();
  const link = await host.getByRole("textbox", { name: "Link for your friend" }).inputValue();
  await guest.goto(new URL(link).pathname);
  await guest.getByRole("button", { name: "Accept and play" }).click();
  await Promise.all([host.waitForURL("**/match/*"), guest.waitForURL("**/match/*")]);
  await Promise.all(
    [host, guest].map(async (page) => {
      await page.locator(".match").waitFor();
      await drawn(page);
    }),
  );
  assert.equal(new URL(host.url()).pathname, new URL(guest.url()).pathname);
  return new URL(host.url()).pathname;
}

/**
 * Goes to another page of the client as a link does, without loading the document again; resolves when its view is in the document.
 * @param {Page} page shows a page of the client
 * @param {string} path
 */
export async function follow(page, path) {
  await page.evaluate((to) => {
    const main = /** @type {Element} */ (document.querySelector("main"));
    const shown = new Promise((resolve) => new MutationObserver(resolve).observe(main, { childList: true }));
    const link = Object.assign(document.createElement("a"), { href: to });
    document.body.append(link);
    link.click();
    link.remove();
    return shown.then(() => {});
  }, path);
}

/** Makes an account. @param {Page} page @param {string} name */
export async function register(page, name) {
  await page.goto("/register");
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await page.getByLabel("Password").fill("kiboko-na-twiga-7");
  await page.getByRole("button", { name: "Create the account" }).click();
  await page.getByRole("link", { name: "I have them, go on" }).click();
  await page.waitForURL((url) => url.pathname === "/");
}

/** @param {Page} page */
export const plies = (page) => page.locator(".moves button").count();

/**
 * @param {Page} page
 * @param {number} count
 */
export async function waitForPlies(page, count) {
  await page.waitForFunction((n) => document.querySelectorAll(".moves button").length >= n, count);
}

/** @param {Page} page */
export const myTurn = (page) => page.locator(".status.mine").waitFor();

/** @param {Page} page */
export const over = (page) => page.locator(".status.over").waitFor();

/** The board is drawn once a frame: after two frames it shows every message received before. @param {Page} page */
export const drawn = (page) => page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen))));

/**
 * Plays a move: the first cell that begins one, and then always the first target.
 * @param {Page} page
 */
export async function playFirst(page) {
  await myTurn(page);
  await drawn(page);
  const before = await plies(page);
  await page.locator(".cell.start").first().click();
  await drawn(page);
  while ((await page.locator(".cell.picked").count()) > 0) {
    await page.locator(".cell.target").first().click();
    await drawn(page);
  }
  await waitForPlies(page, before + 1);
}

/**
 * Plays the first moves until the game is over.
 * @param {Page} page
 * @param {number} most the most moves
 */
export async function playToEnd(page, most) {
  for (let i = 0; i < most && (await page.locator(".status.over").count()) === 0; i++) {
    await page.locator(".status.mine, .status.over").first().waitFor();
    if ((await page.locator(".status.mine").count()) > 0) await playFirst(page);
  }
  await over(page);
}

/**
 * Moves the focus to an element: a page may show a change a frame after its cause, and what is hidden or disabled until then takes no focus.
 * @param {Locator} locator
 */
export const focusOn = (locator) =>
  eventually(() =>
    locator.evaluate((el) => {
      /** @type {HTMLElement} */ (el).focus();
      return document.activeElement === el;
    }),
  );

/**
 * The cells to choose for a move. Where longer moves go on from its last cell, that is chosen once more.
 * @param {Game} game
 * @param {string} move
 * @param {Side} side
 * @param {Rules} [rules] before the move, for games in which the same text is different moves in different positions
 */
export function cellsOfMove(game, move, side, rules) {
  const pieces = rules && game.parse(rules.position()).pieces;
  const path = game.path(move, side, pieces);
  const others = rules?.legalMoves().map((other) => game.path(other, side, pieces)) ?? [];
  const goesOn = others.some((other) => other.length > path.length && path.every((cell, i) => other[i] === cell));
  return goesOn ? [...path, path.at(-1) ?? ""] : path;
}

/**
 * Makes a move by clicks, cell by cell.
 * @param {Page} page
 * @param {Game} game
 * @param {string} move
 * @param {Side} side
 * @param {Rules} [rules] before the move
 */
export async function clickMove(page, game, move, side, rules) {
  await myTurn(page);
  for (const cell of cellsOfMove(game, move, side, rules)) await page.locator(`.match [data-cell="${cell}"]`).click();
}

/**
 * Makes a move with the keyboard: the arrows to each cell, and Enter.
 * @param {Page} page
 * @param {Game} game
 * @param {string} move
 * @param {Side} side
 * @param {Side} [below] the side at the bottom of the board
 * @param {Rules} [rules] before the move
 */
export async function typeMove(page, game, move, side, below = side, rules = undefined) {
  await myTurn(page);
  await pressMove(page, game, move, side, below, ".match", rules);
}

/**
 * The same on any board, in any turn.
 * @param {Page} page
 * @param {Game} game
 * @param {string} move
 * @param {Side} side
 * @param {Side} [below]
 * @param {string} [place] the selector of the board's container
 * @param {Rules} [rules] before the move
 */
export async function pressMove(page, game, move, side, below = side, place = ".match", rules = undefined) {
  await focusOn(page.locator(`${place} .cell[tabindex="0"]`));
  const upright = (await page.locator(`${place} .board.upright`).count()) > 0;
  for (const cell of cellsOfMove(game, move, side, rules)) {
    const at = await page.evaluate(() => document.activeElement?.getAttribute("data-cell") ?? "");
    for (const key of keysTo(game, { below, upright }, at, cell)) await page.keyboard.press(key);
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("data-cell")), cell);
    await page.keyboard.press("Enter");
  }
}

const ARROWS = /** @type {[string, number, number][]} */ ([
  ["ArrowLeft", -1, 0],
  ["ArrowRight", 1, 0],
  ["ArrowUp", 0, -1],
  ["ArrowDown", 0, 1],
]);

/**
 * The shortest way between two cells by the arrow keys.
 * @param {Game} game
 * @param {{ below: Side, upright: boolean }} board the side at its bottom, and whether it stands upright
 * @param {string} from
 * @param {string} to
 * @returns {string[]}
 */
function keysTo(game, { below, upright }, from, to) {
  const state = createState(game.layout(""), game.lifts);
  state.flipped = below === "second" && !state.layout.fixed;
  state.upright = upright;
  /** @type {Map<string, string[]>} */
  const ways = new Map([[from, []]]);
  for (const [cell, keys] of ways) {
    if (cell === to) return keys;
    for (const [key, dx, dy] of ARROWS) {
      state.focus = cell;
      moveFocus(state, dx, dy);
      if (!ways.has(state.focus)) ways.set(state.focus, [...keys, key]);
    }
  }
  throw new Error(`the arrows do not lead from ${from} to ${to}`);
}

/**
 * Both players move in turn, the first side first, until `count` plies are played.
 * @param {Page} first
 * @param {Page} second
 * @param {number} count
 */
export async function playPlies(first, second, count) {
  for (let ply = await plies(first); ply < count; ply++) {
    const mover = ply % 2 === 0 ? first : second;
    await waitForPlies(mover, ply);
    await playFirst(mover);
  }
  await Promise.all([waitForPlies(first, count), waitForPlies(second, count)]);
}

/**
 * Plays a rated match of two players with accounts, which one of them resigns. It counts from the fourth ply on; the sides are drawn by
 * lot.
 * @param {Page} a
 * @param {Page} b
 * @param {string} name of the second player
 * @param {number} count of plies before the resignation
 * @param {Page} [loser]
 */
export async function ratedMatch(a, b, name, count, loser = b) {
  await a.goto(`/player/${name}`);
  await a.getByRole("link", { name: "Challenge" }).click();
  await a.getByRole("checkbox", { name: "Rated" }).check();
  await a.getByRole("button", { name: "Challenge" }).click();
  await b.getByRole("group", { name: "Challenge" }).getByRole("button", { name: "Accept and play" }).click();
  await Promise.all([a.waitForURL("**/match/*"), b.waitForURL("**/match/*")]);
  const first = await Promise.race(
    [a, b].map((page) =>
      page
        .locator(".status.mine")
        .waitFor()
        .then(() => page),
    ),
  );
  await playPlies(first, first === a ? b : a, count);
  await loser.getByRole("button", { name: "Resign" }).click();
  await loser.getByRole("button", { name: "Really resign?" }).click();
  await a.locator(".status.over").waitFor();
}

/**
 * The sorted names of the cells of a match's board.
 * @param {Page} page
 */
export async function boardText(page) {
  await drawn(page);
  const cells = await page.locator(".match .cell").evaluateAll((els) => els.map((el) => el.getAttribute("aria-label") ?? ""));
  return cells
    .map((cell) => cell.replace(MARKS, ""))
    .sort()
    .join("; ");
}

/** @param {Page} page */
export const statusText = (page) => page.locator(".status").innerText();

/** Makes a first visit, and waits until all files are on the device. @param {Page} page of a visitor with `KEPT` */
export async function visitFirst(page) {
  await page.goto("/");
  await page.locator(".tile-play:enabled").first().waitFor();
  // Polled from here, because the function for `waitForFunction` must not return a promise.
  const isKept = () =>
    page.evaluate(async () => {
      const { active } = await navigator.serviceWorker.ready;
      if (active?.state !== "activated" || navigator.serviceWorker.controller === null) return false;
      // The worker fetches the catalogues of the language at the same time: any may be the last.
      const [list = ""] = (await (await fetch("/sw.js")).text()).split(";\n", 1);
      const { files } = JSON.parse(list.slice(list.indexOf("{")));
      const language = document.documentElement.lang;
      const catalogues = Object.keys(files).filter((path) => path.startsWith("/i18n/") && path.endsWith(`/${language}.json`));
      const found = await Promise.all(catalogues.map((path) => caches.match(path)));
      return found.length > 1 && found.every((one) => one !== undefined);
    });
  while (!(await isKept())) await page.waitForTimeout(50);
}

/** Switches the network off and opens the page again. @param {Page} page */
export async function cutOff(page) {
  await page.context().setOffline(true);
  await page.goto("/");
  await page.locator("header .line.down").waitFor();
}

/**
 * A visitor without a network, after a first visit; no error may occur on their page. Must be called inside `describe`.
 * @returns {{ readonly page: Page, readonly context: Visitor["context"] }}
 */
export function inFlight() {
  /** @type {Server} */
  let server;
  /** @type {Browser} */
  let browser;
  /** @type {Visitor} */
  let someone;
  before(async () => {
    server = await startServer();
    browser = await startBrowser();
    someone = await visitor(browser, server, { ...KEPT, reducedMotion: "reduce" });
    await visitFirst(someone.page);
    await server.kill();
    await cutOff(someone.page);
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
    assert.deepEqual(someone?.complaints, []);
  });
  return {
    get page() {
      return someone.page;
    },
    get context() {
      return someone.context;
    },
  };
}

/**
 * Keeps the page from the files that it fetches some seconds after its first view: a slow machine would take them for those of the view.
 * @param {Page} page
 */
export const withoutLaterFiles = (page) =>
  page.addInitScript(() => {
    const later = window.setTimeout;
    Object.assign(window, {
      setTimeout: (/** @type {() => void} */ act, /** @type {number} */ ms) => (ms >= 3_000 ? 0 : later(act, ms)),
    });
  });

/** Opens the menu of the header. @param {Page} page */
export async function openMenu(page) {
  const button = page.locator("header .menu-button");
  if ((await button.getAttribute("aria-expanded")) !== "true") await button.click();
  await page.locator(".site-menu").waitFor();
}

/** Chooses the language in the menu of the header, and closes it. @param {Page} page @param {string} language */
export async function chooseLanguage(page, language) {
  await openMenu(page);
  const [chosen] = await page.locator("header select").selectOption(language);
  await page.keyboard.press("Escape");
  // Its texts come from the server; a page that is left before does not remember the choice.
  await page.waitForFunction((chosen) => document.documentElement.lang === chosen, chosen);
}

/** A device with a lock that is always opened. */
const DEVICE = /** @type {const} */ ({
  protocol: "ctap2",
  transport: "internal",
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
});

/**
 * Adds an authenticator to the browser of a page. This one answers an offer in a field without a choice of the reader, so there are none but in the test of them.
 * @param {Page} page
 */
export async function addDevice(page, { offers = false } = {}) {
  if (!offers) await page.addInitScript(() => Object.assign(PublicKeyCredential, { isConditionalMediationAvailable: async () => false }));
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", { options: DEVICE });
  return {
    /** @param {boolean} isUserVerified */
    verifies: (isUserVerified) => cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
    credentials: async () => (await cdp.send("WebAuthn.getCredentials", { authenticatorId })).credentials,
  };
}
