// @ts-check
// The actions that the page offers in a match, and the time after which an absent opponent's match can be claimed.

import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { daysOf } from "../core/time.js";
import { canBerserk, hasHalved } from "../net/berserk.js";
import { fromSnapshot } from "../net/match.js";
import {
  canAbort,
  canGiveTime,
  canOfferDraw,
  canResign,
  canSpeak,
  canTakeBack,
  claimIn,
  isComputerAway,
  onOneDevice,
  sideAtHand,
} from "../net/rights.js";

/** @import { MatchView, Side } from "../core/types.js" */

const realtime = { kind: "realtime", base_ms: 300_000, increment_ms: 0 };
const person = (/** @type {string} */ name) => ({ player: { name, kind: "guest" }, rating: null });
const computer = { player: { name: "mawe-Jiwe", kind: "bot", level: 3 }, rating: null };
const noResult = /** @type {{ winner: null, reason: string, score: null } | null} */ (null);

const usual = {
  seats: { first: person("Amina"), second: /** @type {object} */ (person("Zofia")) },
  rated: false,
  time_control: /** @type {object} */ (realtime),
  options: { takebacks: true, free_takebacks: false, give_time: true, phrases: true, berserk: false },
  sides: /** @type {Side[]} */ (["first", "second"]),
  running: /** @type {Side | null} */ ("first"),
  turn: /** @type {Side} */ ("first"),
  result: noResult,
  draw_offer: /** @type {Side | null} */ (null),
  berserk: /** @type {Side[] | undefined} */ (undefined),
  takeback_offer: /** @type {Side | null} */ (null),
};

/** @param {Partial<typeof usual>} [wish] @param {Side | null} [you] */
function matchOf(wish = {}, you = "first") {
  const { sides, running, ...rest } = { ...usual, ...wish };
  const view = /** @type {MatchView} */ (
    /** @type {unknown} */ ({
      ...rest,
      id: "m",
      plies: sides.map((side) => ({ side })),
      clock: { first_ms: 1, second_ms: 1, running, first_move_ms: null },
    })
  );
  const presence = { first: true, second: true, spectators: 0, gone_ms: { first: null, second: null }, claim_after_ms: null };
  return fromSnapshot({ match: view, you, presence, rematch: { offered_by: null, offer_ms: null, next: null } }, 1_000);
}

const device = { first: person("Amina"), second: person("Amina") };
const over = { winner: null, reason: "agreement", score: null };

suite("what is offered", () => {
  test("calling off before two plies, resigning and a draw after", () => {
    const early = matchOf({ sides: ["first"] });
    assert.deepEqual([canAbort(early), canResign(early), canOfferDraw(early)], [true, false, false]);
    const later = matchOf();
    assert.deepEqual([canAbort(later), canResign(later), canOfferDraw(later)], [false, true, true]);
    assert.equal(canOfferDraw(matchOf({ draw_offer: "second" })), false);
    assert.equal(canResign(matchOf({ result: over })), false);
    assert.equal(canResign(matchOf({}, null)), false);
  });

  test("a takeback of one's own move, where it is allowed and not asked for yet", () => {
    assert.equal(canTakeBack(matchOf()), true);
    assert.equal(canTakeBack(matchOf({ sides: ["first"] }, "second")), false);
    assert.equal(canTakeBack(matchOf({ takeback_offer: "first" })), false);
    assert.equal(canTakeBack(matchOf({ options: { ...usual.options, takebacks: false } })), false);
    assert.equal(canTakeBack(matchOf({ result: over })), false);
  });

  test("a takeback without asking until the opponent has moved, where it was agreed on", () => {
    const options = { ...usual.options, takebacks: false, free_takebacks: true };
    const sides = /** @type {Side[]} */ (["first", "second", "first"]);
    assert.equal(canTakeBack(matchOf({ options, sides })), true);
    assert.equal(canTakeBack(matchOf({ options, sides }, "second")), false, "it has been answered");
    assert.equal(canTakeBack(matchOf({ options: { ...options, takebacks: true }, sides }, "second")), true, "but can be asked for");
    assert.equal(canTakeBack(matchOf({ options: { ...options, free_takebacks: false }, sides })), false);
  });

  test("against the computer a takeback in casual matches only", () => {
    const seats = { first: person("Amina"), second: computer };
    assert.equal(canTakeBack(matchOf({ seats })), true);
    assert.equal(canTakeBack(matchOf({ seats, rated: true })), false);
  });

  test("time is given between people, while clocks run", () => {
    assert.equal(canGiveTime(matchOf()), true);
    assert.equal(canGiveTime(matchOf({ running: null })), false);
    assert.equal(canGiveTime(matchOf({ time_control: { kind: "correspondence", days: 3 } })), false);
    assert.equal(canGiveTime(matchOf({ seats: { first: person("Amina"), second: computer } })), false);
  });

  test("the own clock is halved before the own first move, once, where the arena allows it", () => {
    const options = { ...usual.options, berserk: true };
    const early = { options, sides: /** @type {Side[]} */ (["first"]), running: null };
    assert.equal(canBerserk(matchOf({ ...early, sides: [] })), true);
    assert.deepEqual([canBerserk(matchOf(early, "first")), canBerserk(matchOf(early, "second"))], [false, true]);
    assert.deepEqual([canBerserk(matchOf({ ...early, berserk: ["first"] }, "second")), canBerserk(matchOf(early, null))], [true, false]);
    assert.equal(canBerserk(matchOf({ ...early, berserk: ["second"] }, "second")), false);
    assert.equal(canBerserk(matchOf({ ...early, options: usual.options }, "second")), false);
    assert.equal(canBerserk(matchOf({ ...early, time_control: { kind: "unlimited" } }, "second")), false);
    assert.equal(canBerserk(matchOf({ ...early, result: over }, "second")), false);
  });

  test("phrases between people and to a computer opponent, also after the end, and not to programs or for those who watch", () => {
    assert.equal(canSpeak(matchOf({ result: over })), true);
    assert.equal(canSpeak(matchOf({}, null)), false);
    assert.equal(canSpeak(matchOf({ options: { ...usual.options, phrases: false } })), false);
    assert.equal(canSpeak(matchOf({ seats: { first: person("Amina"), second: computer } })), true);
    const program = { player: { name: "Chatu", kind: "bot" }, rating: null };
    assert.equal(canSpeak(matchOf({ seats: { first: person("Amina"), second: program } })), false);
    assert.equal(canSpeak(matchOf({ seats: /** @type {any} */ ({ first: program, second: computer }) })), false);
  });

  test("on one device the hand is that of the side to move; any move is taken back, and nobody is spoken to", () => {
    const match = matchOf({ seats: device, turn: "second", sides: ["first"], options: { ...usual.options, takebacks: false } });
    assert.equal(onOneDevice(match.view), true);
    assert.equal(sideAtHand(match), "second");
    assert.equal(canTakeBack(match), true);
    assert.deepEqual([canSpeak(match), canGiveTime(match)], [false, false]);
    assert.equal(sideAtHand(matchOf({ seats: device }, null)), null);
  });
});

suite("a claim", () => {
  /** @param {number | null} gone @param {number | null} claimAfter */
  function away(gone, claimAfter, wish = {}, you = /** @type {Side | null} */ ("first")) {
    const match = matchOf({ turn: "second", ...wish }, you);
    match.presence = { ...match.presence, second: gone === null, gone_ms: { first: null, second: gone }, claim_after_ms: claimAfter };
    return match;
  }

  test("counts down from what the server said and when it said so, and then stands", () => {
    const match = away(12_000, 40_000);
    assert.equal(claimIn(match, 1_000), 28_000);
    assert.equal(claimIn(match, 11_000), 18_000);
    assert.equal(claimIn(match, 29_000), 0);
    assert.equal(claimIn(match, 99_000), 0);
  });

  test("a short absence, or one that is days from a claim, is not spoken of", () => {
    assert.equal(claimIn(away(0, 40_000), 1_000), null);
    assert.equal(claimIn(away(0, 40_000), 6_000), 35_000);
    assert.equal(claimIn(away(60_000, 14 * 86_400_000), 1_000), null);
  });

  test("is none where the opponent is here or not to move, where nobody may, for spectators, and after the end", () => {
    assert.equal(claimIn(away(null, 40_000), 60_000), null);
    assert.equal(claimIn(away(12_000, 40_000, { turn: "first" }), 60_000), null);
    assert.equal(claimIn(away(12_000, null), 60_000), null);
    assert.equal(claimIn(away(12_000, 40_000, {}, null), 60_000), null);
    assert.equal(claimIn(away(12_000, 40_000, { result: over }), 60_000), null);
  });
});

test("a clock is halved for those who watch, too", () => {
  const match = matchOf({ berserk: ["second"] }, null);
  assert.deepEqual([hasHalved(match, "first"), hasHalved(match, "second"), hasHalved(matchOf(), "first")], [false, true, false]);
});

test("a clock of days says days and hours, a shorter one does not", () => {
  assert.deepEqual(daysOf(3 * 86_400_000), { days: 3, hours: 0 });
  assert.deepEqual(daysOf(86_400_000 + 5.9 * 3_600_000), { days: 1, hours: 5 });
  assert.equal(daysOf(86_399_000), null);
});

test("a computer is away when it is to move and is not there", () => {
  const away = (/** @type {object} */ wish, /** @type {boolean} */ here) => {
    const match = matchOf({ seats: { first: person("Amina"), second: computer }, turn: "second", ...wish });
    match.presence = { ...match.presence, second: here };
    return isComputerAway(match);
  };
  assert.equal(away({}, false), true);
  assert.equal(away({}, true), false);
  assert.equal(away({ turn: "first" }, false), false);
  assert.equal(away({ result: { winner: null, reason: "agreement", score: null } }, false), false);
  // An absent person, or an absent bot of another user, is no computer opponent of the server.
  assert.equal(away({ seats: { first: person("Amina"), second: person("Zofia") } }, false), false);
  assert.equal(away({ seats: { first: person("Amina"), second: { player: { name: "Chatu", kind: "bot" }, rating: null } } }, false), false);
});
