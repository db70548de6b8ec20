// @ts-check
// The state of a match on the page: events applied in order.

import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { applyEvent, fromSnapshot, fromView, lineOf } from "../net/match.js";

/** @import { ClockView, EventMsg, MatchView, PlyView, Side, StateView } from "../core/types.js" */

/** @type {ClockView} */
const clock = { first_ms: 1, second_ms: 1, running: null, first_move_ms: null };
const presence = { first: true, second: true, spectators: 0, gone_ms: { first: null, second: null }, claim_after_ms: null };

/** @param {number} ply @returns {StateView} */
const stateAt = (ply) => ({
  position: `position ${ply}`,
  turn: ply % 2 ? "second" : "first",
  ply,
  legal: [],
  clock,
  draw_offer: null,
  takeback_offer: null,
  result: null,
});

/** @param {number} n @returns {PlyView} */
const plyOf = (n) => ({
  side: /** @type {Side} */ (n % 2 ? "second" : "first"),
  move: `m${n}`,
  position: `position ${n + 1}`,
  clock_ms: 1,
  spent_ms: 1,
  lag_ms: 0,
});

/** @param {number} plies */
function matchWith(plies) {
  const view = /** @type {MatchView} */ (
    /** @type {unknown} */ ({
      id: "m",
      game: "mawe",
      seq: plies,
      finished_at: null,
      plies: Array.from({ length: plies }, (_, n) => plyOf(n)),
      ...stateAt(plies),
    })
  );
  return fromSnapshot({ match: view, you: "first", presence, rematch: { offered_by: null, offer_ms: null, next: null } }, 0);
}

suite("events", () => {
  test("moves that are taken back leave the list, and others take their place", () => {
    const match = matchWith(3);
    /** @type {EventMsg} */
    const back = { match: "m", seq: 4, event: { kind: "takeback", side: "second", plies: 2 }, state: stateAt(1) };
    assert.equal(applyEvent(match, back, 1), "applied");
    assert.deepEqual(match.view.plies, [plyOf(0)]);
    assert.equal(match.view.position, "position 1");
    /** @type {EventMsg} */
    const move = { match: "m", seq: 5, event: { kind: "move", ...plyOf(1), move: "other" }, state: stateAt(2) };
    assert.equal(applyEvent(match, move, 2), "applied");
    assert.deepEqual(
      match.view.plies.map((ply) => ply.move),
      ["m0", "other"],
    );
  });

  test("an event that is known or too far ahead changes nothing", () => {
    const match = matchWith(2);
    /** @type {EventMsg} */
    const event = { match: "m", seq: 2, event: { kind: "resign", side: "first" }, state: stateAt(2) };
    assert.equal(applyEvent(match, event, 1), "known");
    assert.equal(applyEvent(match, { ...event, seq: 4 }, 1), "gap");
    assert.equal(match.view.seq, 2);
  });
});

suite("a match told before the line is open", () => {
  test("knows its reader by the seat, and calls nobody away", () => {
    const seat = (/** @type {"guest" | "account"} */ kind, /** @type {string} */ name) => ({
      player: { kind, name },
      rating: null,
      rating_change: null,
    });
    const view = { ...matchWith(1).view, seats: { first: seat("guest", "a"), second: seat("account", "b") } };
    const you = (/** @type {"guest" | "account"} */ kind, /** @type {string} */ name) => fromView(view, { kind, name }, 7).you;
    assert.equal(you("guest", "a"), "first");
    assert.equal(you("account", "b"), "second");
    assert.equal(you("account", "a"), null);
    assert.equal(fromView(view, null, 7).you, null);
    const told = fromView(view, null, 7);
    assert.equal(told.clockAt, 7);
    assert.equal(lineOf(told, "first"), "here");
    assert.equal(lineOf(told, "second"), "here");
  });
});

suite("a player's line", () => {
  /** @param {number[]} lags of the plies, which the sides make in turn */
  function withLags(lags) {
    const match = matchWith(lags.length);
    match.view.plies.forEach((ply, i) => {
      ply.lag_ms = Number(lags[i]);
    });
    return match;
  }

  test("is as good as the last moves say, each side's by its own", () => {
    assert.equal(lineOf(withLags([]), "first"), "here");
    assert.equal(lineOf(withLags([200, 500, 200, 500]), "first"), "fair");
    assert.equal(lineOf(withLags([200, 500, 200, 500]), "second"), "poor");
    assert.equal(lineOf(withLags([500, 0, 500, 0, 20, 0, 30, 0, 20]), "first"), "here");
  });

  test("is not judged by one move among good ones, nor when there is none", () => {
    assert.equal(lineOf(withLags([20, 0, 500, 0, 20]), "first"), "here");
    const match = withLags([500, 500]);
    match.presence = { ...presence, first: false };
    assert.equal(lineOf(match, "first"), "away");
  });
});
