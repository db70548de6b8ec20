// @ts-check
// The view of a match as a state: its moves, its news, and looking back. Without a page.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, describe, test } from "node:test";

import { createState } from "../board/state.js";
import { setCatalogue } from "../core/i18n.js";
import { loadGame } from "../games/index.js";
import { applyEvent, fromSnapshot } from "../net/match.js";
import { aheadText, hear, statusText } from "../views/match-news.js";
import {
  canMove,
  createTable,
  lookAt,
  mayPremove,
  onItsWay,
  propose,
  send,
  shownPly,
  showOn,
  toConfirm,
  turnOf,
} from "../views/match-state.js";
import { challengeText, termsText } from "../views/texts.js";

/** @import { EventMsg, MatchView, Side } from "../core/types.js" */

const mawe = await loadGame("mawe");

/** The texts of every page. @param {string} tag */
const texts = (tag) =>
  Object.assign(
    {},
    ...["", "rest/"].map((folder) => JSON.parse(readFileSync(new URL(`../i18n/${folder}${tag}.json`, import.meta.url), "utf8"))),
  );
setCatalogue("en", texts("en"));

const after = "8/8/8/4b3/1w6/8/1W6/7W b";
const start = "8/8/8/4b3/1w6/8/8/W6W w";
const seat = (/** @type {string} */ name) => ({ player: { name, kind: "guest" }, rating: null });

/** A match before its first ply, as one of its sides sees it, or a spectator. @param {Side | null} you */
function tableOf(you) {
  const view = /** @type {MatchView} */ (
    /** @type {unknown} */ ({
      id: "m",
      game: "mawe",
      setup: "",
      seq: 1,
      ply: 0,
      start,
      position: start,
      plies: [],
      turn: "first",
      legal: ["a1b2", "a1c3"],
      rated: false,
      result: null,
      seats: { first: seat("Amina"), second: seat("Zofia") },
      options: { takebacks: true, free_takebacks: false, give_time: true, phrases: true },
      time_control: { kind: "realtime", base_ms: 300_000, increment_ms: 0 },
      clock: { first_ms: 1, second_ms: 1, running: "first", first_move_ms: null },
      draw_offer: null,
      takeback_offer: null,
    })
  );
  const presence = { first: true, second: true, spectators: 0, gone_ms: { first: null, second: null }, claim_after_ms: null };
  return createTable(fromSnapshot({ match: view, you, presence, rematch: { offered_by: null, offer_ms: null, next: null } }, 0), mawe);
}

/** The event of the first ply. @param {object} [more] */
const moved = (more) =>
  /** @type {EventMsg} */ (
    /** @type {unknown} */ ({
      seq: 2,
      event: { kind: "move", move: "a1b2", side: "first", position: after, clock_ms: 0, lag_ms: 0, spent_ms: 0 },
      state: { ply: 1, position: after, turn: "second", legal: ["e5d4"], result: null, draw_offer: null, takeback_offer: null, ...more },
    })
  );

let table = tableOf("first");
beforeEach(() => {
  table = tableOf("first");
});

/** Applies an event, as the line does, and tells the view. @param {EventMsg} msg */
function receive(msg) {
  applyEvent(table.match, msg, 0);
  return hear(table, { kind: "event", msg });
}

describe("the reader's move", () => {
  test("is shown before its answer, and no other can be made meanwhile", () => {
    const board = createState(mawe.layout(""));
    showOn(table, board, []);
    assert.equal(canMove(table), true);
    send(table, "a1b2", 5);
    showOn(table, board, []);
    assert.ok(board.pieces.has("b2") && !board.pieces.has("a1"));
    assert.deepEqual([canMove(table), board.hand, board.last], [false, null, ["a1", "b2"]]);
  });

  test("waits for confirmation while the board shows it", () => {
    propose(table, "a1b2");
    assert.equal(toConfirm(table)?.move, "a1b2");
    receive(moved());
    assert.equal(toConfirm(table), null);
  });

  test("that was refused has its reason", () => {
    const error = /** @type {any} */ ({ t: "error", code: "illegal-move", why: "pinned" });
    const [effect] = hear(table, { kind: "refused", error });
    assert.equal(effect?.kind, "announce");
    assert.equal(table.notice?.(), effect?.kind === "announce" ? effect.text : "");
  });
});

describe("the opponent's move", () => {
  test("is announced, with a sound", () => {
    assert.equal(statusText(table), "Your move");
    const effects = receive(moved());
    assert.deepEqual(
      effects.map(({ kind }) => kind),
      ["sound", "announce"],
    );
    assert.equal(statusText(table), "Waiting for your opponent");
  });

  test("plays the premove, or drops one that became illegal", () => {
    table = tableOf("second");
    assert.equal(mayPremove(table), true);
    assert.equal(turnOf(table).premove, "second");
    table.hand.ahead = ["e5", "d4"];
    assert.match(aheadText(table), /e5.d4/);
    assert.deepEqual(receive(moved()).at(-1), { kind: "play", move: "e5d4" });
    table = tableOf("second");
    table.hand.ahead = ["e5", "f4"];
    assert.equal(receive(moved()).at(-1)?.kind, "announce");
    assert.equal(table.hand.ahead, null);
    assert.ok(table.notice);
  });

  test("that ends the match ends the premove, too", () => {
    table = tableOf("second");
    table.hand.ahead = ["e5", "d4"];
    const result = { winner: "first", reason: "no-moves", score: null };
    const kinds = receive(moved({ result })).map(({ kind }) => kind);
    assert.deepEqual(kinds.slice(-3), ["ended", "sound", "announce"]);
    assert.equal(table.hand.ahead, null);
  });
});

describe("a clock that is halved", () => {
  const clock = { first_ms: 150_000, second_ms: 300_000, running: null, first_move_ms: 60_000 };
  /** The event of it. @param {Side} side @param {number} seq @param {Side[]} [berserk] those who have done it */
  const halved = (side, seq, berserk) =>
    /** @type {EventMsg} */ (
      /** @type {unknown} */ ({
        seq,
        event: { kind: "berserk", side },
        state: { ply: 0, turn: "first", legal: [], result: null, clock, ...(berserk ? { berserk } : {}) },
      })
    );

  test("is news to the player, the opponent and those who watch", () => {
    const texts = [tableOf("first"), tableOf("second"), tableOf(null)].map((one) => {
      table = one;
      const effects = receive(halved("first", 2, ["first"]));
      const text = table.notice?.() ?? "";
      assert.deepEqual(effects, [{ kind: "announce", text }]);
      return text;
    });
    assert.deepEqual(texts, ["You have halved your clock.", "White has halved the clock.", "White has halved the clock."]);
  });

  test("stays in the state, with the clocks of the event", () => {
    receive(halved("first", 2, ["first"]));
    receive(halved("second", 3, ["first", "second"]));
    assert.deepEqual([table.match.view.berserk, table.match.view.clock], [["first", "second"], clock]);
    // A state without it: nobody has halved the clock.
    receive({ ...moved(), seq: 4 });
    assert.equal("berserk" in table.match.view, false);
  });
});

test("the terms name the sides with more time, and that clocks may be halved", () => {
  const { view } = tableOf("first").match;
  assert.equal(termsText(view), "Blitz · 5 min + 0 s · casual");
  assert.equal(termsText({ ...view, extra_ms: { first: 600_000, second: 0 } }), "Blitz · 5 min + 0 s · casual · White: 10 min more");
  const options = { ...view.options, berserk: true };
  assert.equal(termsText({ ...view, options }), "Blitz · 5 min + 0 s · casual · berserk possible");
});

test("the terms of a challenge name the players with more time", () => {
  const { view } = tableOf("first").match;
  const person = (/** @type {string} */ name) => ({ name, kind: /** @type {const} */ ("account") });
  const offer = { ...view, challenger: person("Asha"), to: null };
  assert.equal(challengeText(offer), "Blitz · 5 min + 0 s · casual");
  assert.equal(
    challengeText({ ...offer, extra_minutes: { challenger: 0, opponent: 10 } }),
    "Blitz · 5 min + 0 s · casual · whoever accepts: 10 min more",
  );
  assert.equal(
    challengeText({ ...offer, to: person("Zofia"), extra_minutes: { challenger: 1, opponent: 2 } }),
    "Blitz · 5 min + 0 s · casual · Asha: 1 min more · Zofia: 2 min more",
  );
});

test("looking back stays at its ply, and shows no move of the reader", () => {
  receive(moved());
  lookAt(table, 0);
  assert.deepEqual([shownPly(table), canMove(table), onItsWay(table)], [0, false, null]);
  lookAt(table, 7);
  assert.equal(table.lookedAt, null);
});
