// @ts-check
// The form for a new match and its parts as states, without a page.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { setCatalogue, t } from "../core/i18n.js";
import { controlOf } from "../core/time.js";
import { GAMES, mayBeRated } from "../games/index.js";
import { isUsual, termsLine, termsOf, USUAL } from "../views/last-choice.js";
import {
  actionText,
  canBeSeries,
  closedText,
  createNewMatch,
  hasTerms,
  isHere,
  isRated,
  isSeries,
  ratedClosed,
  waitingIn,
  waitsIn,
} from "../views/new-match-state.js";
import { createNotices, newsOf } from "../views/notices.js";

/** @import { LobbyState, Pool } from "../net/lobby.js" */
/** @import { Around } from "../views/new-match-state.js" */

const [mawe] = GAMES;

/** The texts of every page. @param {string} tag */
const texts = (tag) =>
  Object.assign(
    {},
    ...["", "rest/"].map((folder) => JSON.parse(readFileSync(new URL(`../i18n/${folder}${tag}.json`, import.meta.url), "utf8"))),
  );
setCatalogue("en", texts("en"));

/** @type {Around} */
const member = { status: "open", player: { name: "Amina", kind: "account" } };
/** @type {Around} */
const guest = { status: "open", player: { name: "Zofia", kind: "guest" } };

describe("a new match", () => {
  test("is rated only between people with accounts, and with a clock", () => {
    const form = { ...createNewMatch(mawe, USUAL, new URLSearchParams("to=Zofia")), rated: true };
    assert.equal(form.opponent, "friend");
    assert.equal(isRated(form, member), true);
    assert.equal(isRated(form, guest), false);
    assert.equal(isRated({ ...form, opponent: "computer" }, member), false);
    assert.equal(ratedClosed({ ...form, unlimited: true }, member), true);
  });

  test("is never rated in a game without rated matches, and says so", () => {
    const form = { ...createNewMatch(mawe, USUAL, new URLSearchParams("to=Zofia")), rated: true };
    const casual = GAMES.filter(({ id }) => !mayBeRated(id));
    assert.deepEqual(
      casual.map(({ id }) => id),
      ["pallanguzhi"],
    );
    for (const game of casual) {
      assert.equal(isRated({ ...form, game }, member), false);
      assert.equal(ratedClosed({ ...form, game }, member), true);
      assert.equal(closedText({ ...form, game }), "Pallanguzhi is played without ratings for now.");
    }
  });

  test("is on this device by choice or without a connection, and never with people", () => {
    const form = createNewMatch(mawe, USUAL);
    assert.equal(isHere(form, guest), false);
    assert.equal(isHere({ ...form, here: true }, guest), true);
    assert.equal(isHere(form, { ...guest, status: "down" }), true);
    assert.equal(isHere({ ...form, opponent: "friend", here: true }, guest), false);
  });

  test("with strangers has terms only where they are opened", () => {
    const form = { ...createNewMatch(mawe, USUAL), opponent: /** @type {const} */ ("stranger") };
    assert.equal(hasTerms(form), false);
    assert.equal(hasTerms({ ...form, terms: true }), true);
    // The time of closed terms does not count.
    assert.equal(ratedClosed({ ...form, unlimited: true }, member), false);
  });

  test("with a friend is a challenge by name, or a link", () => {
    assert.notEqual(
      actionText(createNewMatch(mawe, USUAL, new URLSearchParams("to=Zofia"))),
      actionText({ ...createNewMatch(mawe, USUAL, new URLSearchParams("to=Zofia")), friend: " " }),
    );
  });
});

describe("a series against a friend", () => {
  const form = { ...createNewMatch(mawe, USUAL, new URLSearchParams("with=friend")), games: 4 };

  test("is for players with accounts, by link and with a time", () => {
    assert.equal(isSeries(form, member), true);
    assert.equal(isSeries({ ...form, games: 1 }, member), false);
    for (const other of [{ opponent: /** @type {const} */ ("computer") }, { friend: "Zofia" }, { unlimited: true }])
      assert.equal(canBeSeries({ ...form, ...other }, member), false);
    assert.equal(canBeSeries(form, guest), false);
    assert.equal(canBeSeries(form, { ...guest, player: null }), false);
  });
});

describe("the terms chosen last", () => {
  test("of a newcomer are a match against the computer without a clock", () => {
    const form = createNewMatch(mawe, termsOf(null));
    assert.deepEqual([form.opponent, form.level, controlOf(USUAL.time).kind], ["computer", 2, "unlimited"]);
    assert.equal(createNewMatch(mawe, USUAL, new URLSearchParams("with=friend")).opponent, "friend");
    assert.equal(createNewMatch(mawe, USUAL, new URLSearchParams("with=nobody")).opponent, "computer");
  });

  test("are stored whole, and what is unknown among them is the usual", () => {
    const own = { ...USUAL, opponent: /** @type {const} */ ("stranger"), level: 7, pool: /** @type {const} */ ("3+2"), rated: true };
    assert.deepEqual(termsOf(JSON.parse(JSON.stringify(own))), own);
    for (const stored of [
      "",
      7,
      [],
      { level: 11, side: "third", pool: "7+7" },
      { opponent: "nobody", time: { chosen: "<b>" } },
      { friendTime: { chosen: "5+3", minutes: "many" } },
    ])
      assert.deepEqual(termsOf(stored), USUAL, JSON.stringify(stored));
    const time = { chosen: "own", minutes: 12, seconds: 4, days: 3 };
    assert.deepEqual(termsOf({ time }).time, time);
  });

  test("of a newcomer are the line of the document, in every language", () => {
    for (const tag of /** @type {const} */ (["sw", "pl", "ml", "en"])) {
      setCatalogue(tag, texts(tag));
      assert.equal(t("home.terms", { terms: termsLine(USUAL) }), t("home.terms.usual"));
    }
    assert.equal(isUsual(USUAL), true);
    assert.equal(isUsual({ ...USUAL, level: 3 }), false);
  });

  test("are a line that says what a press does", () => {
    assert.equal(termsLine(USUAL), "Computer, level 2 · No time limit");
    assert.equal(termsLine({ ...USUAL, opponent: "stranger", pool: "3+2" }), "A stranger · 3 + 2");
    assert.equal(termsLine({ ...USUAL, opponent: "device", here: true }), "One device · On this device, without the server");
  });
});

test("a time is within the server's limits", () => {
  const choice = { chosen: "3+2", minutes: 1_000, seconds: Number.NaN, days: 3 };
  assert.deepEqual(controlOf(choice), { kind: "realtime", base_ms: 180_000, increment_ms: 2_000 });
  assert.deepEqual(controlOf({ ...choice, chosen: "own" }), { kind: "realtime", base_ms: 10_800_000, increment_ms: 0 });
  assert.deepEqual(controlOf({ ...choice, chosen: "days" }), { kind: "correspondence", days: 3 });
  assert.deepEqual(controlOf({ ...choice, chosen: "unlimited" }), { kind: "unlimited" });
});

describe("the wait for an opponent", () => {
  /** @type {Pool} */
  const pool = { game: "mawe", pool: "3+2", rated: false };
  /** @param {Partial<LobbyState>} [more] @returns {LobbyState} */
  const lobby = (more) => ({ wait: null, refusal: null, seeks: [], pools: [], challenges: [], tv: new Map(), ...more });

  test("is known by its pool", () => {
    const state = lobby({
      wait: { pool, since: 0, waiting: 1, bot: null },
      pools: [{ ...pool, waiting: 2, time_control: { kind: "realtime", base_ms: 180_000, increment_ms: 2_000 } }],
    });
    assert.deepEqual([waitsIn(state, pool), waitsIn(state, { ...pool, rated: true })], [true, false]);
    assert.deepEqual([waitingIn(state, pool), waitingIn(state, { ...pool, pool: "5+0" })], [2, 0]);
  });

  test("is announced once, and again after its end", () => {
    const notices = createNotices();
    const waiting = lobby({ wait: { pool, since: 0, waiting: 1, bot: null } });
    assert.equal(newsOf(notices, waiting).length, 1);
    assert.equal(newsOf(notices, waiting).length, 0);
    assert.equal(newsOf(notices, lobby()).length, 0);
    assert.equal(newsOf(notices, waiting).length, 1);
  });

  test("one challenge of a challenger is announced while it is open", () => {
    const notices = createNotices();
    const challenge = (/** @type {string} */ id) =>
      /** @type {any} */ ({
        id,
        challenger: { name: "Zofia", kind: "guest" },
        challenger_rating: null,
        to: null,
        game: "mawe",
        setup: "",
        side: "random",
        rated: false,
        time_control: { kind: "unlimited" },
        options: { takebacks: true, free_takebacks: false, give_time: true, phrases: true },
      });
    assert.equal(newsOf(notices, lobby({ challenges: [challenge("a")] })).length, 1);
    assert.equal(newsOf(notices, lobby({ challenges: [challenge("b"), challenge("a")] })).length, 0);
    assert.equal(newsOf(notices, lobby({ challenges: [challenge("c")] })).length, 1);
  });
});
