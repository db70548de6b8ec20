// @ts-check
// The events of the home page: which are shown, and their texts in each language.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { LANGUAGES, moment, setCatalogue } from "../core/i18n.js";
import { aboutText, chosenEvents, SHOWN, timeText } from "../views/home-events.js";

/** @import { EventSummary, Language } from "../core/types.js" */

/** The catalogues that the home page has when it shows events: those of every page but the first, and none of the pages of events. @param {Language} tag */
const catalogue = (tag) =>
  Object.assign(
    {},
    ...["", "rest/"].map((folder) => JSON.parse(readFileSync(new URL(`../i18n/${folder}${tag}.json`, import.meta.url), "utf8"))),
  );

/** @param {string} id @param {Partial<EventSummary>} [more] @returns {EventSummary} */
const event = (id, more) => ({
  id,
  kind: "arena",
  state: "coming",
  name: `Event ${id}`,
  game: "oware",
  setup: "",
  time_control: { kind: "realtime", base_ms: 300_000, increment_ms: 3_000 },
  speed: "blitz",
  rated: true,
  start_at: "2026-12-01T18:00:00Z",
  start_players: null,
  duration_minutes: 60,
  games: null,
  best_of: false,
  rounds: null,
  cycles: null,
  max_players: 100,
  fill_ins: null,
  apart_by_address: false,
  berserk: false,
  host_extra_minutes: 0,
  players: 3,
  round: 0,
  created_by: { name: "Asha", kind: "account" },
  created_at: "2026-11-01T18:00:00Z",
  finished_at: null,
  entry: { min_rating: null, max_rating: null, min_matches: 0, club: null, password: false },
  ...more,
});

/** @param {...string} ids */
const coming = (...ids) => ids.map((id) => event(id));
/** @param {...string} ids */
const running = (...ids) => ids.map((id) => event(id, { state: "running" }));
/** @param {EventSummary[]} events */
const ids = (events) => events.map(({ id }) => id).join("");

describe("the events of the home page", () => {
  test("are those that run and the next to come, three in all", () => {
    assert.equal(SHOWN, 3);
    assert.equal(ids(chosenEvents([], [])), "");
    assert.equal(ids(chosenEvents(running("a"), [])), "a");
    assert.equal(ids(chosenEvents([], coming("x", "y", "z", "w"))), "xyz");
    assert.equal(ids(chosenEvents(running("a"), coming("x", "y", "z"))), "axy");
    assert.equal(ids(chosenEvents(running("a", "b", "c", "d"), [])), "abc");
  });

  test("have a place for the next one however many run", () => {
    assert.equal(ids(chosenEvents(running("a", "b", "c"), coming("x", "y"))), "abx");
  });

  test("have an event once that begins between the two answers", () => {
    const both = chosenEvents(running("a"), coming("a"));
    assert.deepEqual(
      both.map(({ id, state }) => [id, state]),
      [["a", "running"]],
    );
    assert.equal(ids(chosenEvents(running("a", "b", "c"), coming("a"))), "abc");
  });

  test("say in English what is played, and when", () => {
    setCatalogue("en", catalogue("en"));
    assert.equal(aboutText(event("a", { kind: "swiss" })), "Swiss system · Oware · 3 players");
    assert.equal(aboutText(event("a", { state: "running", players: 1 })), "Arena · Oware · 1 player");
    assert.equal(timeText(event("a", { state: "running" })), "now");
    assert.equal(timeText(event("a")), `begins ${moment("2026-12-01T18:00:00Z")}`);
    assert.equal(timeText(event("a", { start_at: null, start_players: 4 })), "begins with 1 more player");
  });

  for (const tag of /** @type {Language[]} */ (Object.keys(LANGUAGES)))
    test(`lack no text in ${tag}`, () => {
      setCatalogue(tag, catalogue(tag));
      for (const kind of /** @type {const} */ (["arena", "swiss", "round-robin", "knockout", "simul"]))
        for (const more of [
          { state: /** @type {const} */ ("running") },
          { start_at: null, start_players: 8 },
          { start_at: "2026-12-01T18:00:00Z" },
        ]) {
          const shown = event("a", { kind, ...more });
          // A text that is missing is its key.
          for (const text of [aboutText(shown), timeText(shown)]) assert.doesNotMatch(text, /\b(?:event|home|game)\.[a-z]|\{/);
        }
    });
});
