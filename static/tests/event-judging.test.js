// @ts-check
// What a moderator may judge in an event, and how games and results are named; without a page.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { LANGUAGES, setCatalogue } from "../core/i18n.js";
import { choiceText, gameText, judgingProblem, RESULTS } from "../views/event-judging.js";
import { createEventPage, gamesOver, hearEvent, mayJudge } from "../views/event-state.js";

/** @import { EventGame, EventView, Language } from "../core/types.js" */

/** @param {Language} tag */
const catalogue = (tag) =>
  Object.assign(
    {},
    ...["", "rest/", "events/", "moderation/"].map((folder) =>
      JSON.parse(readFileSync(new URL(`../i18n/${folder}${tag}.json`, import.meta.url), "utf8")),
    ),
  );
setCatalogue("en", catalogue("en"));

/** @param {Partial<EventGame>} [more] @returns {EventGame} */
const game = (more) => ({
  number: 3,
  round: 1,
  time_control: null,
  first: { name: "asha", display_name: "Asha", kind: "account" },
  second: { name: "Bahati", kind: "account" },
  match: null,
  state: "ended",
  result: "first",
  berserk: [],
  skipped: null,
  ...more,
});

/** @param {Partial<EventView>} more */
function pageOf(more) {
  const page = createEventPage("e");
  hearEvent(page, /** @type {EventView} */ ({ kind: "swiss", me: null, ...more }));
  return page;
}

describe("judging a game of an event", () => {
  test("is for moderators who do not play in it, once it has begun", () => {
    for (const state of /** @type {const} */ (["running", "finished"])) {
      assert.equal(mayJudge(pageOf({ state }), true), true, state);
      assert.equal(mayJudge(pageOf({ state }), false), false, state);
      assert.equal(mayJudge(pageOf({ state, me: { state: "withdrawn", place: 1, match: null } }), true), false, state);
    }
    for (const state of /** @type {const} */ (["coming", "cancelled"])) assert.equal(mayJudge(pageOf({ state }), true), false, state);
    assert.equal(mayJudge(createEventPage("e"), true), false);
  });

  test("is offered for games that are over, and for those that could not be played", () => {
    const games = /** @type {const} */ (["ready", "playing", "ended", "skipped"]).map((state, number) => game({ number, state }));
    assert.deepEqual(
      gamesOver(games).map(({ state }) => state),
      ["ended", "skipped"],
    );
  });

  test("names a game with its players, apart from others of their names, and with its present result", () => {
    assert.equal(gameText(game()), "Game 3: Asha (@asha) – Bahati, 1 : 0");
    assert.equal(gameText(game({ result: "drawn" })), "Game 3: Asha (@asha) – Bahati, ½ : ½");
    assert.equal(gameText(game({ result: "called-off" })), "Game 3: Asha (@asha) – Bahati, aborted, counts for nobody");
    const skipped = game({ state: "skipped", result: null, skipped: "absent" });
    assert.equal(gameText(skipped), "Game 3: Asha (@asha) – Bahati, not played: an account is closed");
    // One that could not be played and was judged has a result.
    assert.equal(gameText({ ...skipped, result: "second" }), "Game 3: Asha (@asha) – Bahati, 0 : 1");
  });

  test("offers each result of the interface once, with the players of the game", () => {
    const types = readFileSync(new URL("../core/wire.d.ts", import.meta.url), "utf8");
    const known = [...(/ EventGameResult: ([^;]+);/.exec(types)?.[1] ?? "").matchAll(/"([a-z-]+)"/g)].map(([, result]) => result);
    assert.deepEqual([...RESULTS].sort(), known.sort());
    assert.deepEqual(
      RESULTS.map((result) => choiceText(result, game())),
      ["Asha (@asha) wins", "Drawn", "Bahati wins", "Not counted"],
    );
    assert.deepEqual(
      RESULTS.map((result) => choiceText(result, null)),
      ["The first player wins", "Drawn", "The second player wins", "Not counted"],
    );
  });

  test("tells why it was refused", () => {
    const refusal = { status: 409, code: "event-closed", title: "", detail: "", field: null, retry_s: null };
    assert.equal(judgingProblem(refusal), "There is no such game, or it is not over.");
    assert.equal(judgingProblem({ ...refusal, status: 404, code: "not-found" }), "There is no such game, or it is not over.");
    assert.equal(judgingProblem({ ...refusal, code: "event-over" }), "This event is over.");
    assert.equal(judgingProblem({ ...refusal, status: 403, code: "own-case" }), "This is about you: another moderator decides it.");
  });

  for (const tag of /** @type {Language[]} */ (Object.keys(LANGUAGES)))
    test(`lacks no text in ${tag}`, () => {
      setCatalogue(tag, catalogue(tag));
      for (const result of RESULTS)
        for (const text of [gameText(game({ result })), choiceText(result, game()), choiceText(result, null)])
          assert.doesNotMatch(text, /\b(?:event|judging)\.[a-z]|\{/);
    });
});
