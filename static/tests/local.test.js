// @ts-check
// The referee on this device, compared with the recorded games and with the server's behaviour.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { OPPONENTS } from "../core/opponents.js";
import { beginMatch, createDeviceLine } from "../local/line.js";
import { farewell, greeting } from "../local/manner.js";
import { createStore } from "../local/store.js";
import { hasDeviceGames } from "../views/home.js";
import { Game, initSync, Referee } from "../wasm/rules.js";
import { GAMES } from "./loaded-games.js";

/** @import { MatchState } from "../net/match.js" */
/** @import { MatchNews } from "../net/line.js" */

initSync({ module: readFileSync(new URL("../wasm/rules_bg.wasm", import.meta.url)) });

/** A storage in memory, with limited room. */
function storage(room = Infinity) {
  /** @type {Map<string, string>} */
  const items = new Map();
  return /** @type {Storage & { room: number }} */ ({
    room,
    get length() {
      return items.size;
    },
    key: (/** @type {number} */ n) => [...items.keys()][n] ?? null,
    getItem: (/** @type {string} */ key) => items.get(key) ?? null,
    removeItem: (/** @type {string} */ key) => void items.delete(key),
    setItem(/** @type {string} */ key, /** @type {string} */ value) {
      if (value.length > this.room) throw new Error("QuotaExceededError");
      items.set(key, value);
    },
    clear: () => items.clear(),
  });
}

/** A computer opponent that makes its first legal move when the test says so, with the intent that it says. */
function computer() {
  /** @type {{ played: any, resolve: (answer: any) => void, reject: (error: Error) => void }[]} */
  const asked = [];
  const stop = () => {
    for (const { resolve } of asked.splice(0)) resolve(undefined);
  };
  const answer = async (intent = "plays") => {
    const question = asked.pop();
    assert.ok(question, "nobody is asked");
    const game = Game.start(question.played.game, question.played.setup);
    for (const move of question.played.moves.split(" ").filter(Boolean)) game.play(move);
    question.resolve({ move: game.legalMoves()[0], intent });
    await new Promise(setImmediate);
  };
  const openEngine = () =>
    /** @type {any} */ ({
      choose: (/** @type {any} */ played) => new Promise((resolve, reject) => asked.push({ played, resolve, reject })),
      draw: (/** @type {any} */ played) => new Promise((resolve, reject) => asked.push({ played, resolve, reject })),
      stop,
    });
  return { asked, answer, openEngine };
}

/** @param {{ game?: string, setup?: string, level?: number | null, side?: "first" | "second" }} [wish] */
function table({ game = "mawe", setup = "", level = null, side = "first" } = {}, items = storage()) {
  const store = createStore(items);
  const bot = computer();
  const open = () => createDeviceLine({ Referee, store, openEngine: bot.openEngine, person: { name: "You" }, now: () => 0 });
  const line = open();
  const id = beginMatch(store, { game, setup, level, side });
  /** @type {MatchNews[]} */
  const news = [];
  /** @type {MatchState | null} */
  let state = null;
  const leave = line.follow(id, (next, heard) => {
    state = next;
    news.push(heard);
  });
  const seen = () => /** @type {MatchState} */ (/** @type {unknown} */ (state));
  const play = (/** @type {string} */ move) => line.command(id, { kind: "move", ply: seen().view.ply, move });
  return { line, open, store, items, bot, id, news, seen, view: () => seen().view, play, leave };
}

describe("a game on this device", () => {
  for (const { id, codes } of GAMES) {
    test(`${id} ends as the rule book's games end, passes played by themselves`, async () => {
      const { playouts } = JSON.parse(readFileSync(new URL(`../../rules/tests/vectors/${id}.playouts.json`, import.meta.url), "utf8"));
      const games = playouts.filter((/** @type {any} */ { start, moves }) => start === undefined && moves !== "");
      for (const { moves, final, result } of [
        ...games.slice(0, 10),
        ...games.filter((/** @type {any} */ one) => one.moves.includes("pass")).slice(0, 3),
      ]) {
        const { play, view, store, id: match } = table({ game: id });
        for (const [ply, move] of moves.split(" ").entries())
          if (ply >= view().ply) assert.deepEqual((await play(move)).ok, true, `${id} ${ply} ${move}`);
        const winner = result.winner === codes.first ? "first" : result.winner === codes.second ? "second" : null;
        assert.ok(winner !== null || result.winner === "draw");
        assert.deepEqual(view().result, {
          winner,
          reason: result.reason,
          score: result.score ? { first: result.score[0], second: result.score[1] } : null,
        });
        assert.equal(view().position, final);
        assert.deepEqual(
          view().plies.map(({ move }) => move),
          moves.split(" "),
        );
        assert.deepEqual(view().legal, []);
        assert.deepEqual(store.get(match)?.result, view().result);
      }
    });
  }

  test("is what the front page looks for in the storage", () => {
    const stored = (/** @type {Storage} */ items) =>
      /** @type {any} */ (Object.fromEntries(Array.from({ length: items.length }, (_, n) => [items.key(n), ""])));
    assert.equal(hasDeviceGames(stored(storage())), false);
    assert.equal(hasDeviceGames(stored(table().items)), true);
  });

  test("ends in a draw if the computer accepts one, and goes on if not", async () => {
    for (const accepts of [true, false]) {
      const { bot, line, play, view, id } = table({ level: 3 });
      assert.ok((await line.command(id, { kind: "offer-draw" })).ok);
      assert.equal(bot.asked.length, 1);
      const { played, resolve } = /** @type {typeof bot.asked[0]} */ (bot.asked.pop());
      assert.deepEqual([played.side, played.moves], ["second", ""]);
      resolve(accepts);
      await new Promise(setImmediate);
      assert.equal(view().draw_offer, null);
      assert.deepEqual(view().result, accepts ? { winner: null, reason: "agreement", score: null } : null);
      if (accepts) continue;
      // The player moves, and the computer after that.
      assert.ok((await play(view().legal[0] ?? "")).ok);
      await bot.answer();
      assert.equal(view().ply, 2);
    }
  });

  test("an offer of a draw in the computer's turn is answered first, then it moves", async () => {
    const { bot, line, view, id } = table({ level: 3, side: "second" });
    assert.equal(bot.asked.length, 1, "it is the computer's turn");
    assert.ok((await line.command(id, { kind: "offer-draw" })).ok);
    // The search for a move was stopped.
    assert.equal(bot.asked.length, 1);
    bot.asked.pop()?.resolve(false);
    await new Promise(setImmediate);
    await bot.answer();
    assert.deepEqual([view().draw_offer, view().ply], [null, 1]);
  });

  test("the computer resigns, or offers a draw with its move", async () => {
    const lost = table({ level: 8, side: "second" });
    await lost.bot.answer("resigns");
    assert.deepEqual([lost.view().ply, lost.view().result], [0, { winner: "second", reason: "resign", score: null }]);

    const even = table({ level: 8, side: "second" });
    await even.bot.answer("offers-draw");
    assert.deepEqual([even.view().ply, even.view().draw_offer, even.bot.asked.length], [1, "first", 0]);
    // A move declines it, and an offer too soon after it is none.
    assert.ok((await even.play(even.view().legal[0] ?? "")).ok);
    await even.bot.answer("offers-draw");
    assert.deepEqual([even.view().ply, even.view().draw_offer], [3, null]);

    const agreed = table({ level: 8, side: "second" });
    await agreed.bot.answer("offers-draw");
    assert.ok((await agreed.line.command(agreed.id, { kind: "accept-draw" })).ok);
    assert.deepEqual(agreed.view().result, { winner: null, reason: "agreement", score: null });
  });

  test("of Congkak with rounds goes on to the next one, and is opened anew in it", async () => {
    const { play, view, open, id } = table({ game: "congkak", setup: "rounds=3" });
    const congkak = GAMES.find((game) => game.id === "congkak");
    const round = () => congkak?.round?.(view().setup, [view().start, ...view().plies.map(({ position }) => position)], [])?.number;
    let most = 1;
    for (let ply = 0; !view().result; ply++) {
      const { legal } = view();
      assert.ok((await play(legal[(ply * 7 + 3) % legal.length] ?? "")).ok);
      if (round() === most) continue;
      most = round() ?? 0;
      open().follow(id, (again) => assert.equal(again?.view.position, view().position));
    }
    assert.ok(most > 1, "it went on");
    const { score } = view().result ?? {};
    assert.equal((score?.first ?? 0) + (score?.second ?? 0), 98);
  });

  test("is whole again when it is opened anew, after every ply", async () => {
    const { play, view, open, id } = table({ game: "oware" });
    for (const move of ["3", "2", "1"]) {
      assert.ok((await play(move)).ok);
      open().follow(id, (again) => assert.deepEqual({ ...again?.view, finished_at: null }, { ...view(), finished_at: null }));
    }
  });

  test("refuses what the rules refuse, and says why", async () => {
    const { play, line, id, view } = table();
    const legal = view().legal[0] ?? "";
    const answer = await play("a1a1");
    assert.ok(!answer.ok && answer.error.code === "illegal-move" && answer.error.why);
    assert.ok((await play(legal)).ok);
    const stale = await line.command(id, { kind: "move", ply: 0, move: legal });
    assert.ok(!stale.ok && stale.error.code === "stale-ply");
    assert.equal(view().ply, 1);
  });

  test("is given up by who is to move, agreed upon, or called off before it has begun", async () => {
    for (const [kind, plies, result] of /** @type {const} */ ([
      ["resign", 3, { winner: "first", reason: "resign", score: null }],
      ["offer-draw", 2, { winner: null, reason: "agreement", score: null }],
      ["abort", 1, { winner: null, reason: "aborted", score: null }],
    ])) {
      const { play, line, id, view } = table();
      for (let ply = 0; ply < plies; ply++) await play(view().legal[0] ?? "");
      assert.ok((await line.command(id, { kind })).ok);
      assert.deepEqual(view().result, result);
      assert.deepEqual((await line.command(id, { kind: "resign" })).ok, false);
    }
  });

  test("against the computer: it answers, a takeback takes its answer with it, and stops it", async () => {
    const { play, line, id, view, bot } = table({ game: "oware", level: 3 });
    assert.equal(bot.asked.length, 0);
    await play("3");
    assert.equal(bot.asked.at(-1)?.played.level, 3);
    const notMine = await play("1");
    assert.ok(!notMine.ok && notMine.error.code === "not-your-turn");
    await bot.answer();
    assert.equal(view().ply, 2);
    await line.command(id, { kind: "offer-takeback" });
    assert.equal(view().ply, 0);
    await play("2");
    await line.command(id, { kind: "offer-takeback" });
    assert.equal(bot.asked.length, 0);
    await new Promise(setImmediate);
    assert.equal(view().ply, 0);
    const nothing = await line.command(id, { kind: "offer-takeback" });
    assert.ok(!nothing.ok && nothing.error.code === "nothing-to-take-back");
  });

  test("where the computer cannot be had, the table says so", async () => {
    const { play, seen, bot, news } = table({ level: 1 });
    await play(seen().view.legal[0] ?? "");
    bot.asked.pop()?.reject(new Error("engine-away"));
    await new Promise(setImmediate);
    assert.equal(seen().presence.second, false);
    assert.equal(news.at(-1)?.kind, "changed");
  });

  test("the computer greets once, answers a little, and says farewell", async () => {
    for (const [i, { name, answers }] of OPPONENTS.entries()) {
      const level = i + 1;
      const { line, id, news, open, play, view, seen, bot } = table({ level });
      const said = (/** @type {MatchNews[]} */ heard) =>
        heard.flatMap((one) => (one.kind === "said" ? [`${one.side}: ${one.phrase}`] : []));
      const hello = `second: ${greeting(level, id)}`;
      assert.equal(view().seats.second.player.name, name);
      assert.deepEqual(said(news), [hello]);
      for (let n = 0; n < 3; n++) line.phrase(id, "good-luck");
      const answered = Array.from({ length: 3 }, (_, n) => ["first: good-luck", ...(n < answers ? ["second: thank-you"] : [])]).flat();
      assert.deepEqual(said(news), [hello, ...answered]);
      await play(view().legal[0] ?? "");
      await bot.answer();

      // Opened anew, as by another page: nothing is said again, and nothing answered.
      /** @type {MatchNews[]} */
      const later = [];
      const other = open();
      other.follow(id, (_, heard) => later.push(heard));
      other.phrase(id, "well-played");
      assert.deepEqual(said(later), ["first: well-played"]);
      assert.ok((await line.command(id, { kind: "resign" })).ok);
      const goodbye = `second: ${farewell(level, id, seen().view.ply, "won")}`;
      assert.deepEqual(said(news), [hello, ...answered, goodbye]);
      other.changed(id);
      assert.deepEqual(said(later), ["first: well-played"]);
    }
  });

  test("a muted computer says nothing, nor does one whose game is called off, nor one's own other hand", async () => {
    const muted = table({ level: 1 });
    muted.line.mute(muted.id, true);
    muted.line.phrase(muted.id, "good-luck");
    await muted.play(muted.view().legal[0] ?? "");
    await muted.bot.answer();
    await muted.line.command(muted.id, { kind: "resign" });
    const called = table({ level: 1 });
    await called.line.command(called.id, { kind: "abort" });
    for (const { news, seen } of [muted, called]) {
      assert.ok(seen().view.result);
      assert.equal(news.filter((one) => one.kind === "said" && one.side === "second").length, 1, "the greeting");
    }
    assert.equal(table().news.filter(({ kind }) => kind === "said").length, 0);
  });

  test("once more, with the sides changed: the computer begins", async () => {
    const { line, id, seen, store, bot } = table({ level: 1 });
    await line.command(id, { kind: "abort" });
    line.rematch(id);
    const next = store.get(seen().rematch.next ?? "");
    assert.equal(next?.you, "second");
    line.follow(next?.id ?? "", () => {});
    assert.equal(bot.asked.length, 1);
  });

  test("goes on from where another tab has brought it", async () => {
    const { open, id, view, play, line, news } = table();
    const other = open();
    other.follow(id, () => {});
    await other.command(id, { kind: "move", ply: 0, move: view().legal[0] ?? "" });
    const late = await play(view().legal[1] ?? "");
    assert.ok(!late.ok && late.error.code === "stale-ply");
    assert.equal(view().ply, 1);
    assert.equal(news.at(-1)?.kind, "snapshot");
    await other.command(id, { kind: "move", ply: 1, move: view().legal[0] ?? "" });
    line.changed(id);
    assert.equal(view().ply, 2);
  });

  test("a move that the device cannot keep is not made", async () => {
    const { play, view, items } = table();
    items.room = 10;
    const answer = await play(view().legal[0] ?? "");
    assert.ok(!answer.ok && answer.error.code === "device-full");
    assert.equal(view().ply, 0);
    items.room = Infinity;
    assert.ok((await play(view().legal[0] ?? "")).ok);
    assert.equal(view().ply, 1);
  });

  test("what is damaged, or not there, is no game", () => {
    const { line, items } = table();
    items.setItem("mawe.device.broken", "{");
    items.setItem(
      "mawe.device.wrong",
      JSON.stringify({ id: "wrong", game: "mawe", setup: "", moves: ["z9z9"], level: null, you: "first" }),
    );
    for (const id of ["broken", "wrong", "none"]) {
      line.follow(id, (state, news) => {
        assert.equal(state, null);
        assert.ok(news.kind === "refused" && news.error.code === "unknown-match");
      });
    }
  });
});
