// @ts-check
// Days, streaks, best wins and milestones of a profile.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { activityOf, milestonesOf } from "../views/player-activity.js";

/** @import { MatchSummary, PlayerProfile } from "../core/types.js" */

const NOW = new Date(2026, 10, 26, 15, 0);

/**
 * A finished match of Amina, who moves first.
 * @param {number} daysAgo
 * @param {"won" | "lost" | "drawn" | "aborted"} how
 * @param {number | null} [rating] of the opponent, in a rated match
 */
const match = (daysAgo, how, rating = null) =>
  /** @type {MatchSummary} */ (
    /** @type {unknown} */ ({
      id: `${daysAgo} ${how}`,
      rated: rating !== null,
      finished_at: new Date(2026, 10, 26 - daysAgo, 12, 0).toISOString(),
      seats: { first: { player: { name: "Amina" } }, second: { player: { name: "Bogdan" }, rating: rating === null ? null : { rating } } },
      result: {
        winner: how === "won" ? "first" : how === "lost" ? "second" : null,
        reason: how === "aborted" ? "aborted" : how === "drawn" ? "agreement" : "resign",
      },
    })
  );

describe("the activity of a player", () => {
  test("has the matches of each day, up to today", () => {
    const { days } = activityOf([match(0, "won"), match(0, "lost"), match(1, "won"), match(400, "won")], "Amina", NOW);
    // The 26th is a Thursday: the last week has four days.
    assert.equal(days.length, 15 * 7 + 4);
    assert.deepEqual(days.slice(-2), [1, 2]);
    assert.equal(
      days.reduce((sum, count) => sum + count, 0),
      3,
    );
  });

  test("counts wins in a row; an aborted match changes nothing", () => {
    const list = [
      match(0, "won"),
      match(0, "aborted"),
      match(1, "won"),
      match(2, "drawn"),
      match(3, "won"),
      match(3, "won"),
      match(4, "won"),
    ];
    const { streak, longest } = activityOf(list, "Amina", NOW);
    assert.deepEqual([streak, longest], [2, 3]);
    assert.deepEqual(activityOf([match(0, "lost")], "Amina", NOW).streak, 0);
    assert.deepEqual(activityOf([match(0, "won"), match(1, "won")], "Amina", NOW).streak, 2);
  });

  test("has the rated wins against the strongest", () => {
    const list = [
      match(0, "won", 1500),
      match(1, "lost", 2000),
      match(2, "won", 1700),
      match(3, "won"),
      match(4, "won", 1600),
      match(5, "won", 1400),
    ];
    assert.deepEqual(
      activityOf(list, "Amina", NOW).best.map(({ seats }) => seats.second.rating?.rating),
      [1700, 1600, 1500],
    );
  });

  test("reaches milestones by matches, games and established ratings", () => {
    const side = { won: 1, drawn: 0, lost: 0, plies: 10 };
    const none = { won: 0, drawn: 0, lost: 0, plies: 0 };
    const profile = (/** @type {object} */ parts) =>
      /** @type {PlayerProfile} */ (/** @type {unknown} */ ({ played: 0, games: [], ratings: [], ...parts }));
    assert.equal(milestonesOf(profile({})).length, 0);
    assert.equal(milestonesOf(profile({ played: 9 })).length, 0);
    assert.equal(milestonesOf(profile({ played: 120 })).length, 1);
    const games = [
      "mawe",
      "reversi",
      "checkers",
      "drafti",
      "brazilian",
      "russian",
      "international",
      "pool",
      "kalah",
      "oware",
      "congkak",
      "bao",
      "pallanguzhi",
    ].map((game) => ({
      game,
      sides: { first: side, second: none },
    }));
    assert.equal(milestonesOf(profile({ games })).length, 1);
    assert.equal(milestonesOf(profile({ games: games.slice(1) })).length, 0);
    assert.equal(milestonesOf(profile({ ratings: [{ game: "mawe", rating: 1850, provisional: false }] })).length, 1);
    assert.equal(milestonesOf(profile({ ratings: [{ game: "mawe", rating: 1850, provisional: true }] })).length, 0);
  });
});
