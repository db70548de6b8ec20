// @ts-check
// The pages of events as states, without a page.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { setCatalogue } from "../core/i18n.js";
import { gameOf } from "../games/index.js";
import { courseByRounds, courseOfArena, pointLines, pointsAfter, roundsOf, roundsWithoutGame } from "../views/event-points.js";
import {
  actionsOf,
  addGames,
  chooseRound,
  countdown,
  createEventPage,
  fail,
  hasChart,
  hasPodium,
  hearEvent,
  hearGames,
  hearStandings,
  hearState,
  isChanging,
  isFull,
  merged,
  scoreOf,
  shownCursor,
  shownRound,
  turnPage,
} from "../views/event-state.js";
import {
  entryTexts,
  eventProblem,
  eventTerms,
  fieldOf,
  scoreText,
  startText,
  timetableText,
  WEEKDAYS,
  waitText,
  weekdayText,
} from "../views/event-texts.js";
import { EXTRA } from "../views/match-options.js";
import {
  canBeDaily,
  chooseKind,
  createNewEvent,
  DURATIONS,
  HOST_EXTRA,
  hasPlaces,
  localTime,
  mayBerserk,
  mayFillIn,
  mayRepeat,
  PLAYERS,
  ROUNDS,
  repeats,
  SERIES_GAMES,
  timetableOf,
  wishOf,
} from "../views/new-event-state.js";

/** @import { PlayerRef } from "../core/types.js" */
/** @import { GameEntry } from "../games/types.js" */
/** @import { EventGame, EventView, StandingRow } from "../core/types.js" */

setCatalogue(
  "en",
  Object.assign(
    {},
    ...["", "rest/", "events/"].map((folder) => JSON.parse(readFileSync(new URL(`../i18n/${folder}en.json`, import.meta.url), "utf8"))),
  ),
);

const START = "2026-12-01T18:00:00Z";
const MINUTE_MS = 60_000;
/** @param {string} name @returns {PlayerRef} */
const person = (name) => ({ name, kind: "account" });
const BLITZ = /** @type {const} */ ({ kind: "realtime", base_ms: 300_000, increment_ms: 3_000 });

/** @param {Partial<EventView>} [more] @returns {EventView} */
const event = (more) => ({
  id: "e",
  kind: "arena",
  state: "coming",
  name: "Friday arena",
  description: "",
  game: "oware",
  setup: "",
  time_control: BLITZ,
  speed: "blitz",
  rated: true,
  start_at: START,
  start_players: null,
  duration_minutes: 60,
  rounds: null,
  cycles: null,
  games: null,
  best_of: false,
  max_players: 100,
  fill_ins: null,
  apart_by_address: false,
  berserk: false,
  host_extra_minutes: 0,
  players: 3,
  round: 0,
  created_by: person("Asha"),
  created_at: START,
  began_at: null,
  finished_at: null,
  cancelled: null,
  seq: 1,
  may_cancel: false,
  entry: { min_rating: null, max_rating: null, min_matches: 0, club: null, password: false },
  me: null,
  featured: null,
  ...more,
});

/** @param {Partial<EventView>} [more] */
function pageOf(more) {
  const page = createEventPage("e");
  hearEvent(page, event(more));
  return page;
}

/** @param {number} place @param {number} [points] @returns {StandingRow} */
const row = (place, points = 10 - place) => ({
  place,
  player: person(`P${place}`),
  rating: 1500,
  points,
  tie_breaks: [],
  state: "in",
  games: [],
  fire: false,
  played: 0,
  won: 0,
});

/** @param {number} number @param {number} [round] @returns {EventGame} */
const game = (number, round = 1) => ({
  number,
  round,
  time_control: null,
  first: person("A"),
  second: person("B"),
  match: null,
  state: "ready",
  result: null,
  berserk: [],
  skipped: null,
});

const asha = person("Asha");
const bahati = person("Bahati");
const me = { state: /** @type {const} */ ("in"), place: 1, match: null };

describe("what a reader can do in an event", () => {
  test("a stranger joins, a visitor registers first", () => {
    assert.deepEqual(actionsOf(pageOf(), bahati), ["join"]);
    assert.deepEqual(actionsOf(pageOf(), null), ["log-in"]);
    assert.deepEqual(actionsOf(pageOf(), { name: "Guest-1", kind: "guest" }), ["log-in"]);
  });

  test("who has joined withdraws, and pauses while it runs", () => {
    assert.deepEqual(actionsOf(pageOf({ me }), bahati), ["withdraw"]);
    assert.deepEqual(actionsOf(pageOf({ me, state: "running" }), bahati), ["pause", "withdraw"]);
    assert.deepEqual(actionsOf(pageOf({ me: { ...me, state: "paused" }, state: "running" }), bahati), ["resume", "withdraw"]);
    assert.deepEqual(actionsOf(pageOf({ me, state: "running", kind: "knockout" }), bahati), ["withdraw"]);
  });

  test("who has withdrawn joins again, who is out does not", () => {
    assert.deepEqual(actionsOf(pageOf({ me: { ...me, state: "withdrawn" }, state: "running" }), bahati), ["join"]);
    assert.deepEqual(actionsOf(pageOf({ me: { ...me, state: "eliminated" }, state: "running", kind: "knockout" }), bahati), []);
  });

  test("an arena and a Swiss tournament are open while they run, other kinds are not", () => {
    for (const kind of /** @type {const} */ (["arena", "swiss"]))
      assert.deepEqual(actionsOf(pageOf({ kind, state: "running" }), bahati), ["join"], kind);
    for (const kind of /** @type {const} */ (["round-robin", "knockout", "simul", "series"]))
      assert.deepEqual(actionsOf(pageOf({ kind, state: "running" }), bahati), [], kind);
  });

  test("nobody joins where all places are taken, or when it is over", () => {
    const full = pageOf({ players: 100 });
    assert.deepEqual(actionsOf(full, bahati), []);
    assert.equal(isFull(full), true);
    for (const state of /** @type {const} */ (["finished", "cancelled"]))
      assert.deepEqual(actionsOf(pageOf({ state, me }), bahati), [], state);
  });

  test("who may cancel it is the server's word", () => {
    assert.deepEqual(actionsOf(pageOf({ may_cancel: true }), asha), ["join", "cancel"]);
    assert.deepEqual(actionsOf(pageOf({ state: "running", kind: "knockout", may_cancel: true }), bahati), ["cancel"]);
  });

  test("a player of a Swiss tournament may leave out the next round", () => {
    const swiss = { me, kind: /** @type {const} */ ("swiss"), rounds: 5 };
    assert.deepEqual(actionsOf(pageOf({ ...swiss }), bahati), ["bye", "withdraw"]);
    assert.deepEqual(actionsOf(pageOf({ ...swiss, state: "running", round: 4 }), bahati), ["pause", "bye", "withdraw"]);
    assert.deepEqual(actionsOf(pageOf({ ...swiss, state: "running", round: 5 }), bahati), ["pause", "withdraw"]);
  });

  test("the host of a simul does not leave it", () => {
    assert.deepEqual(actionsOf(pageOf({ kind: "simul", me }), asha), []);
  });
});

describe("the page of an event", () => {
  test("opens the reader's match when it begins, not one that had begun before", () => {
    const page = createEventPage("e");
    assert.equal(hearEvent(page, event({ state: "running", me: { ...me, match: "one" } })), null);
    assert.equal(hearEvent(page, event({ state: "running", me: { ...me, match: "one" } })), null);
    assert.equal(hearEvent(page, event({ state: "running", me })), null);
    assert.equal(hearEvent(page, event({ state: "running", me: { ...me, match: "two" } })), "two");
  });

  test("looks again as long as something changes", () => {
    const page = createEventPage("e");
    assert.equal(isChanging(page), true);
    fail(page, { status: 0, code: "offline" });
    assert.equal(isChanging(page), true);
    fail(page, { status: 404, code: "not-found" });
    assert.equal(isChanging(page), false);
    assert.equal(isChanging(pageOf({ state: "running" })), true);
    assert.equal(isChanging(pageOf({ state: "finished" })), false);
  });

  test("counts down to the start, and to the end of an arena", () => {
    const start = Date.parse(START);
    assert.deepEqual(countdown(event(), start - MINUTE_MS), { of: "start", ms: MINUTE_MS });
    assert.deepEqual(countdown(event(), start + MINUTE_MS), { of: "start", ms: 0 });
    assert.deepEqual(countdown(event({ state: "running" }), start + MINUTE_MS), { of: "end", ms: 59 * MINUTE_MS });
    assert.equal(countdown(event({ state: "running", kind: "swiss" }), start), null);
    assert.equal(countdown(event({ start_at: null, start_players: 4 }), start), null);
    assert.equal(countdown(event({ state: "finished" }), start), null);
    const late = event({ state: "running", began_at: "2026-12-01T18:00:30Z" });
    assert.deepEqual(countdown(late, start + MINUTE_MS), { of: "end", ms: 59 * MINUTE_MS + 30_000 });
  });

  test("takes in a state that the server has sent, and knows what else has changed", () => {
    const page = pageOf({ state: "running", kind: "swiss", round: 1, seq: 5, me: null });
    const standings = { items: [row(1), row(2)], next: null, tie_break_names: ["wins"], seq: 7 };
    const state = {
      t: /** @type {const} */ ("event-state"),
      event: page.id,
      seq: 7,
      state: /** @type {const} */ ("running"),
      players: 9,
      round: 1,
      featured: null,
      standings,
    };
    assert.equal(hearState(page, state), false);
    assert.deepEqual([page.event?.players, page.event?.seq, page.rows.length], [9, 7, 2]);
    // One that is out of date changes nothing.
    assert.equal(hearState(page, { ...state, seq: 6, players: 3 }), false);
    assert.equal(page.event?.players, 9);
    assert.equal(hearState(page, { ...state, seq: 8, round: 2 }), true);
    assert.equal(hearState(page, { ...state, seq: 9, round: 2, state: "finished" }), true);
    assert.equal(hearState(pageOf({ state: "running", kind: "arena", round: 1, seq: 1, me: null }), { ...state, round: 2 }), false);
    const mine = pageOf({ state: "running", kind: "arena", round: 1, seq: 1, me: { state: "in", place: 1, match: null } });
    assert.equal(hearState(mine, { ...state, round: 2 }), true);
    // After its end a moderator has judged a game: the games have changed, too. The first message is the state as it is.
    const over = pageOf({ state: "finished", kind: "swiss", round: 3, seq: 7, me: null });
    assert.equal(hearState(over, { ...state, state: "finished", round: 3 }), false);
    assert.equal(hearState(over, { ...state, state: "finished", round: 3, seq: 8 }), true);
  });

  test("turns the pages of the standings, and drops the answer of another page", () => {
    const page = pageOf({ state: "running" });
    hearStandings(page, { items: [row(1), row(2), row(3), row(4)], next: "c", tie_break_names: ["wins"], seq: 9 }, null);
    turnPage(page, true);
    assert.equal(shownCursor(page), "c");
    hearStandings(page, { items: [row(1), row(2), row(3, 20)], next: "c", tie_break_names: [], seq: 9 }, null);
    assert.equal(page.rows.length, 4);
    assert.equal(page.podium[2]?.points, 20);
    hearStandings(page, { items: [row(5)], next: null, tie_break_names: ["wins"], seq: 9 }, "c");
    assert.deepEqual(
      page.rows.map(({ place }) => place),
      [5],
    );
    turnPage(page, true);
    assert.equal(shownCursor(page), "c");
    turnPage(page, false);
    turnPage(page, false);
    assert.equal(shownCursor(page), null);
    // The podium is of the first page, whichever is shown.
    assert.deepEqual(
      page.podium.map(({ place }) => place),
      [1, 2, 3],
    );
    assert.equal(hasPodium(page), false);
    hearEvent(page, event({ state: "finished" }));
    assert.equal(hasPodium(page), true);
  });

  test("keeps the rows that have not changed", () => {
    const old = [row(1), row(2)];
    const next = merged(old, [row(2), row(1, 20)], ({ player }) => player.name);
    assert.equal(next[0], old[1]);
    assert.notEqual(next[1], old[0]);
  });

  test("shows the last round until the reader chooses another", () => {
    const page = pageOf({ kind: "swiss", state: "running", round: 2, rounds: 5 });
    assert.equal(shownRound(page), 2);
    hearEvent(page, event({ kind: "swiss", state: "running", round: 3, rounds: 5 }));
    assert.equal(shownRound(page), 3);
    chooseRound(page, 1);
    hearGames(page, { items: [game(9, 3)], next: null, byes: [] }, 3);
    assert.deepEqual(page.games, []);
    hearGames(page, { items: [game(1)], next: "c", byes: [{ player: person("C"), points: 1 }] }, 1);
    addGames(page, { items: [game(2)], next: null, byes: [] }, 1);
    assert.deepEqual(
      page.games.map(({ number }) => number),
      [1, 2],
    );
    assert.equal(page.moreGames, null);
    // The next look fetches the first ones alone.
    hearGames(page, { items: [{ ...game(1), state: "playing" }], next: "c", byes: [] }, 1);
    assert.deepEqual(
      page.games.map(({ number, state }) => `${number} ${state}`),
      ["1 playing", "2 ready"],
    );
    assert.equal(page.moreGames, null);
    chooseRound(page, 2);
    hearGames(page, { items: [game(3, 2)], next: null, byes: [] }, 2);
    assert.deepEqual(
      page.games.map(({ number }) => number),
      [3],
    );
    chooseRound(page, 0);
    assert.equal(shownRound(page), 1);
    chooseRound(page, 3);
    hearEvent(page, event({ kind: "swiss", state: "running", round: 4, rounds: 5 }));
    assert.equal(shownRound(page), 4);
    assert.equal(shownRound(pageOf({ state: "running", round: 40 })), 40);
  });
});

describe("the podium and the leaders", () => {
  test("have all who share a place", () => {
    const page = pageOf({ state: "finished", kind: "knockout", round: 2 });
    const shared = [row(1), row(2), { ...row(3), player: person("C") }, { ...row(3), player: person("D") }, row(5), row(6)];
    hearStandings(page, { items: shared, next: null, tie_break_names: ["round"], seq: 9 }, null);
    assert.deepEqual(
      page.podium.map(({ place }) => place),
      [1, 2, 3, 3],
    );
    assert.equal(page.leaders.length, 5);
  });

  test("have a chart where points are gained from round to round", () => {
    const has = (/** @type {Partial<EventView>} */ more, points = 2) => {
      const page = pageOf({ state: "running", round: 2, ...more });
      hearStandings(page, { items: [row(1, points), row(2, 0)], next: null, tie_break_names: [], seq: 9 }, null);
      return hasChart(page);
    };
    assert.equal(has({ kind: "swiss" }), true);
    assert.equal(has({ kind: "swiss" }, 0), false);
    assert.equal(has({ kind: "swiss", round: 1 }), false);
    assert.equal(has({ kind: "knockout" }), false);
    assert.equal(has({ kind: "series" }), true);
    assert.equal(has({ kind: "arena", state: "finished" }), true);
    assert.equal(has({ kind: "arena", state: "cancelled" }), false);
  });
});

describe("the score of a series", () => {
  const scored = (/** @type {Partial<EventView>} */ more) => {
    const page = pageOf({ kind: "series", state: "running", games: 4, ...more });
    hearStandings(page, { items: [row(1, 2.5), row(2, 1.5)], next: null, tie_break_names: [], seq: 9 }, null);
    return scoreOf(page);
  };

  test("is there once it has begun, and in no other kind", () => {
    const score = scored({});
    assert.ok(score);
    assert.equal(scoreText(score), "P1 2.5 : 1.5 P2");
    assert.ok(scored({ state: "finished" }));
    assert.equal(scored({ state: "coming" }), null);
    assert.equal(scored({ kind: "knockout" }), null);
    assert.equal(scoreOf(pageOf({ kind: "series", state: "running" })), null);
  });
});

describe("the course of the points", () => {
  /** @typedef {StandingRow["games"][number]["result"]} Result */
  /** A row with these results, round by round; undefined for a round without a game. @param {number} points @param {(Result | undefined)[]} results @returns {StandingRow} */
  const played = (points, ...results) => ({
    ...row(1, points),
    player: person("A"),
    games: results.flatMap((result, i) =>
      result === undefined ? [] : [{ number: i + 1, round: i + 1, opponent: 2, side: "first", result }],
    ),
  });
  const marks = (/** @type {{ marks: { round: number, points: number }[] }} */ course) =>
    course.marks.map(({ round, points }) => [round, points]);

  test("of a Swiss tournament has the byes, and ends where a game is open", () => {
    const whole = played(2.5, "won", undefined, "drawn");
    assert.deepEqual(roundsWithoutGame(whole, 4), [2, 4]);
    const byes = new Map([
      [2, [{ player: person("A"), points: 1 }]],
      [4, [{ player: person("B"), points: 1 }]],
    ]);
    assert.deepEqual(marks(courseByRounds(whole, byes, 4)), [
      [0, 0],
      [1, 1],
      [2, 2],
      [3, 2.5],
      [4, 2.5],
    ]);
    const open = played(1, "won", null);
    assert.deepEqual(roundsWithoutGame(open, 2), []);
    assert.deepEqual(marks(courseByRounds(open, new Map(), 2)), [
      [0, 0],
      [1, 1],
    ]);
  });

  test("of a round robin ends with the points that count", () => {
    // The first opponent has withdrawn early.
    assert.deepEqual(marks(courseByRounds(played(1, "won", "won"), new Map(), 2)).at(-1), [2, 1]);
    assert.deepEqual(marks(courseByRounds(played(0, null), new Map(), 1)), [[0, 0]]);
  });

  test("of an arena counts double after two wins", () => {
    const won = (/** @type {number} */ n) => ({ ...game(n, n), result: /** @type {const} */ ("first") });
    /** @type {EventGame[]} */
    const games = [
      won(1),
      won(2),
      won(3),
      { ...game(4, 4), result: "drawn" },
      won(5),
      { ...game(6, 6), state: "playing" },
      { ...game(7, 7), result: "called-off" },
    ];
    const course = courseOfArena(played(12), games, 9);
    assert.deepEqual(marks(course), [
      [0, 0],
      [1, 2],
      [2, 4],
      [3, 8],
      [4, 10],
      [5, 12],
      [9, 12],
    ]);
    assert.equal(pointsAfter(course, 0), 0);
    assert.equal(pointsAfter(course, 4), 10);
    assert.equal(pointsAfter(course, 8), 12);
    assert.deepEqual(roundsOf([course]), [1, 2, 3, 4, 5, 9]);
    // The other player of these games.
    assert.equal(courseOfArena({ ...row(2), player: person("B") }, games, 9).marks.at(-1)?.points, 1);
  });

  test("of an arena with halved clocks has one more point for each win with one", () => {
    /** @type {EventGame[]} */
    const games = [
      { ...game(1, 1), result: "first", berserk: ["first", "second"] },
      { ...game(2, 2), result: "second", berserk: ["first"] },
      { ...game(3, 3), result: "first", berserk: ["second"] },
      { ...game(4, 4), result: "first" },
      { ...game(5, 5), result: "first", berserk: ["first"] },
      { ...game(6, 6), result: "drawn", berserk: ["first"] },
    ];
    assert.deepEqual(
      marks(courseOfArena(played(16), games, 6)).map(([, points]) => points),
      [0, 3, 3, 5, 7, 12, 14],
      "the point more is not doubled",
    );
  });

  test("has few lines, of round values", () => {
    assert.deepEqual(pointLines(0), [0, 1]);
    assert.deepEqual(pointLines(2.5), [0, 1, 2, 3]);
    assert.deepEqual(pointLines(7), [0, 2, 4, 6, 8]);
    assert.deepEqual(pointLines(30), [0, 10, 20, 30]);
    for (let most = 1; most < 3_000; most++) {
      const lines = pointLines(most);
      assert.ok(lines.length <= 6 && (lines.at(-1) ?? 0) >= most && lines.every(Number.isInteger), String(most));
    }
  });
});

describe("the texts of an event", () => {
  test("name the terms and the conditions", () => {
    assert.equal(eventTerms(event()), "Arena · 60 minutes · Oware · Blitz · 5 min + 3 s · rated");
    assert.equal(
      eventTerms(event({ kind: "swiss", rounds: 5, rated: false })),
      "Swiss system · 5 rounds · Oware · Blitz · 5 min + 3 s · casual",
    );
    assert.equal(eventTerms(event({ berserk: true })), "Arena · 60 minutes · Oware · Blitz · 5 min + 3 s · berserk possible · rated");
    assert.equal(
      eventTerms(event({ kind: "simul", host_extra_minutes: 10 })),
      "Simul · Oware · Blitz · 5 min + 3 s · host: 10 min more · rated",
    );
    const series = { kind: /** @type {const} */ ("series"), games: 5, berserk: false };
    assert.equal(eventTerms(event(series)), "Series · 5 matches · Oware · Blitz · 5 min + 3 s · rated");
    assert.equal(eventTerms(event({ ...series, best_of: true })), "Series · best of 5 · Oware · Blitz · 5 min + 3 s · rated");
    assert.deepEqual(entryTexts(event().entry), []);
    const entry = { min_rating: 1200, max_rating: 1800, min_matches: 10, club: { handle: "w", name: "Wachezaji" }, password: true };
    assert.deepEqual(entryTexts(entry), [
      "a rating of at least 1200",
      "a rating of at most 1800",
      "10 rated matches of this game and speed",
      "membership of Wachezaji",
      "the password",
    ]);
  });

  test("say how long it takes", () => {
    assert.equal(waitText(0), "0:00");
    assert.equal(waitText(59_001), "1:00");
    assert.equal(waitText(61 * MINUTE_MS), "1:01:00");
    assert.equal(waitText(47 * 60 * MINUTE_MS), "47:00:00");
    assert.equal(waitText(72 * 60 * MINUTE_MS), "3 days");
    assert.equal(startText(event({ start_at: null, start_players: 4 })), "begins with 1 more player");
    assert.equal(startText(event({ state: "running" })), "");
  });

  test("say what is wrong with a field", () => {
    assert.equal(fieldOf({ status: 400, code: "bad-terms", field: "entry.min_rating" }), "min_rating");
    assert.equal(fieldOf({ status: 0, code: "offline" }), null);
    assert.equal(fieldOf({ status: 403, code: "event-conditions", field: "" }), null);
    // The same field is asked for at joining.
    assert.match(eventProblem({ status: 403, code: "event-password", field: "password" }), /not the password/);
    assert.match(eventProblem({ status: 422, code: "bad-text", field: "name" }), /3 to 60/);
    assert.match(eventProblem({ status: 400, code: "bad-terms", field: "start_at" }), /too early/);
    assert.match(eventProblem({ status: 400, code: "bad-terms", field: "entry.club" }), /no club/);
    assert.match(eventProblem({ status: 400, code: "bad-terms", field: "host_extra_minutes" }), /60 minutes more/);
    assert.match(eventProblem({ status: 400, code: "bad-terms", field: "something_new" }), /does not fit/);
  });
});

describe("a new event", () => {
  test("has the bounds of the server", () => {
    const read = (/** @type {string} */ path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
    const source = [
      "server/src/http/events/creation.rs",
      "server/src/http/terms.rs",
      "play/src/events/terms.rs",
      "play/src/events/bounds.rs",
    ]
      .map(read)
      .join("");
    const numbers = (/** @type {string} */ pattern) =>
      (new RegExp(pattern).exec(source) ?? []).slice(1).map((text) => Number(text.replaceAll("_", "")));
    const bounds = (/** @type {string} */ name) => numbers(`const ${name}: (?:std::ops::)?RangeInclusive<u32> = ([\\d_]+)..=([\\d_]+);`);
    const [least] = numbers("const FEWEST_PLAYERS: u32 = ([\\d_]+);");
    assert.deepEqual(bounds("ROUNDS"), ROUNDS);
    assert.deepEqual(bounds("EXTRA_MINUTES"), HOST_EXTRA);
    assert.deepEqual([EXTRA.min, EXTRA.max], HOST_EXTRA);
    assert.deepEqual(bounds("GAMES"), SERIES_GAMES);
    const [shortest = NaN, longest = NaN] = bounds("DURATION_MINUTES");
    assert.ok(DURATIONS.every((minutes) => minutes >= shortest && minutes <= longest));
    for (const [kind, name] of Object.entries({
      arena: "Arena",
      swiss: "Swiss",
      "round-robin": "RoundRobin",
      knockout: "Knockout",
      simul: "Simul",
      series: "Series",
    })) {
      const [most] = numbers(`EventKind::${name} => ([\\d_]+)`);
      assert.deepEqual(PLAYERS[/** @type {keyof typeof PLAYERS} */ (kind)].slice(0, 2), [least, most], kind);
    }
  });

  const oware = /** @type {GameEntry} */ (gameOf("oware"));
  const now = Date.parse("2026-12-01T17:10:00Z");
  const terms = { setup: "", time_control: BLITZ };

  test("is an arena at the next full hour that leaves time to join", () => {
    const form = createNewEvent(oware, now);
    assert.equal(form.startAt, localTime(Date.parse(START)));
    assert.equal(createNewEvent(oware, now + 25 * MINUTE_MS).startAt, localTime(Date.parse(START) + 60 * MINUTE_MS));
    const wish = wishOf({ ...form, name: " Friday arena " }, terms);
    assert.deepEqual(wish, {
      kind: "arena",
      name: "Friday arena",
      description: "",
      game: "oware",
      setup: "",
      time_control: BLITZ,
      rated: true,
      start_at: "2026-12-01T18:00:00.000Z",
      start_players: null,
      duration_minutes: 60,
      rounds: null,
      cycles: null,
      games: null,
      best_of: false,
      max_players: PLAYERS.arena[2],
      apart_by_address: false,
      berserk: true,
      host_extra_minutes: null,
      fill_ins: null,
      entry: { min_rating: null, max_rating: null, min_matches: null, club: null, password: null },
    });
  });

  test("of a game without rated matches is casual, for players of any rating", () => {
    const pallanguzhi = /** @type {GameEntry} */ (gameOf("pallanguzhi"));
    const wish = wishOf({ ...createNewEvent(pallanguzhi, now), minRating: "1500" }, terms);
    assert.deepEqual([wish.rated, wish.entry.min_rating], [false, null]);
  });

  test("of each kind says its own length alone", () => {
    const form = createNewEvent(oware, now);
    chooseKind(form, "swiss");
    form.start = "players";
    const { start_players, rounds, duration_minutes, start_at, max_players } = wishOf(form, terms);
    assert.deepEqual([start_players, rounds, duration_minutes, start_at, max_players], [4, 5, null, null, PLAYERS.swiss[2]]);
    chooseKind(form, "round-robin");
    assert.equal(wishOf(form, terms).cycles, 1);
    assert.equal(canBeDaily(form), true);
    // An arena begins at a time.
    chooseKind(form, "arena");
    assert.equal(form.start, "time");
    assert.equal(canBeDaily(form), false);
  });

  test("is a series of two, which begins when both have come unless the creator chooses a time", () => {
    const form = createNewEvent(oware, now);
    chooseKind(form, "series");
    form.games = 5;
    form.bestOf = true;
    const { start_players, start_at, max_players, games, best_of, rounds, cycles } = wishOf(form, terms);
    assert.deepEqual([start_players, start_at, max_players, games, best_of, rounds, cycles], [2, null, 2, 5, true, null, null]);
    assert.equal(canBeDaily(form), true);
    assert.equal(hasPlaces(form), false);
    form.start = "time";
    assert.deepEqual([wishOf(form, terms).start_players, wishOf(form, terms).start_at], [null, "2026-12-01T18:00:00.000Z"]);
    // Another kind has its own start and length.
    chooseKind(form, "series");
    chooseKind(form, "knockout");
    assert.equal(form.start, "time");
    assert.deepEqual([wishOf(form, terms).games, wishOf(form, terms).best_of], [null, false]);
    form.start = "players";
    chooseKind(form, "swiss");
    assert.deepEqual([form.start, wishOf(form, terms).start_players], ["players", 4]);
  });

  test("lets clocks be halved in an arena with time enough, unless the creator does not want it", () => {
    const form = createNewEvent(oware, now);
    const asks = (/** @type {number} */ base_ms) => wishOf(form, { setup: "", time_control: { ...BLITZ, base_ms } }).berserk;
    assert.deepEqual([asks(20_000), asks(19_999), asks(NaN)], [true, false, false]);
    assert.equal(mayBerserk(form, { kind: "correspondence", days: 3 }), false);
    form.berserk = false;
    assert.equal(asks(300_000), false);
    assert.equal(mayBerserk(form, BLITZ), true);
    form.berserk = true;
    chooseKind(form, "swiss");
    assert.equal(wishOf(form, terms).berserk, false);
  });

  test("gives the host of a simul more time, and asks for it in no other kind", () => {
    const form = { ...createNewEvent(oware, now), hostExtra: 15 };
    assert.equal(wishOf(form, terms).host_extra_minutes, null);
    chooseKind(form, "simul");
    assert.equal(wishOf(form, terms).host_extra_minutes, 15);
    assert.equal(wishOf({ ...form, hostExtra: HOST_EXTRA[0] }, terms).host_extra_minutes, 0);
  });

  test("asks for computer players where the kind has them", () => {
    const form = { ...createNewEvent(oware, now), fillTo: "6", fillLevel: 4 };
    assert.deepEqual(wishOf(form, terms).fill_ins, { players: 6, level: 4 });
    form.apart = true;
    assert.equal(wishOf(form, terms).apart_by_address, true);
    chooseKind(form, "knockout");
    assert.equal(wishOf(form, terms).apart_by_address, false);
    assert.equal(mayFillIn(form), false);
    assert.equal(wishOf(form, terms).fill_ins, null);
    chooseKind(form, "swiss");
    assert.deepEqual(wishOf({ ...form, fillTo: " " }, terms).fill_ins, null);
  });

  test("has the conditions that are filled in", () => {
    const form = { ...createNewEvent(oware, now), minRating: "1200", club: " wachezaji ", password: "siri" };
    assert.deepEqual(wishOf(form, terms).entry, {
      min_rating: 1200,
      max_rating: null,
      min_matches: null,
      club: "wachezaji",
      password: "siri",
    });
  });

  test("is a timetable where it is repeated, by officers for a club and by operators for everybody", () => {
    const form = {
      ...createNewEvent(oware, now),
      name: "Friday",
      weekdays: ["friday", "monday"],
      at: "19:30",
      zone: " Africa/Dar_es_Salaam ",
    };
    assert.equal(mayRepeat(form, false), false);
    assert.equal(mayRepeat({ ...form, club: "wachezaji" }, false), true);
    assert.equal(repeats(form, true), false);
    form.repeat = "weekly";
    assert.deepEqual([repeats(form, true), repeats(form, false)], [true, false]);
    const { event, ...times } = timetableOf(form, terms);
    assert.deepEqual(times, { every: "weekly", weekdays: ["monday", "friday"], at: "19:30", zone: "Africa/Dar_es_Salaam" });
    assert.deepEqual([event.start_at, event.start_players, event.name], [null, null, "Friday"]);
    assert.deepEqual(timetableOf({ ...form, repeat: "daily" }, terms).weekdays, []);
  });
});

describe("the times of a timetable", () => {
  test("are said with their days and their zone", () => {
    assert.deepEqual(WEEKDAYS.map(weekdayText), ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]);
    const at = { at: "18:00", zone: "Africa/Dar_es_Salaam" };
    assert.equal(timetableText({ every: "daily", weekdays: [], ...at }), "Every day at 18:00 (Africa/Dar es Salaam)");
    assert.equal(
      timetableText({ every: "weekly", weekdays: ["monday", "friday"], ...at }),
      "Monday and Friday, at 18:00 (Africa/Dar es Salaam)",
    );
  });
});
