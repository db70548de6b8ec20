// @ts-check
// The lines of a chat's room as the page keeps them: order, gaps, the muted, the unread.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import {
  charactersLeft,
  createRoom,
  gapAfter,
  hasEarlier,
  hideLines,
  MAX_CHARS,
  markSeen,
  shownLines,
  takeLines,
  unread,
} from "../views/chat-state.js";

/** @import { ChatLine } from "../core/types.js" */

/** @param {number} number @param {string} name @returns {ChatLine} */
const line = (number, name = "Zofia") => ({ number, from: { name, kind: "account" }, text: `line ${number}`, at: "2026-01-01T00:00:00Z" });
/** @param {number} from @param {number} to */
const lines = (from, to) => Array.from({ length: to - from + 1 }, (_, at) => line(from + at));
/** @param {ReturnType<typeof createRoom>} room */
const numbers = (room) => room.lines.map(({ number }) => number);

describe("the lines of a room", () => {
  test("are in order, each once, and the later one counts", () => {
    const room = createRoom("players", 0);
    takeLines(room, lines(1, 2));
    takeLines(room, [line(3)]);
    takeLines(room, lines(1, 3));
    assert.deepEqual(numbers(room), [1, 2, 3]);
    const { text: _, ...removed } = line(2);
    takeLines(room, [{ ...removed, hidden: "removed" }]);
    assert.equal(room.lines[1]?.hidden, "removed");
    assert.equal(gapAfter(room), null);
  });

  test("show a gap where a message was lost, until it is filled", () => {
    const room = createRoom("players", 0);
    takeLines(room, lines(1, 2));
    takeLines(room, [line(5)]);
    assert.equal(gapAfter(room), 2);
    takeLines(room, [line(3)]);
    assert.equal(gapAfter(room), 3);
    takeLines(room, [line(4)]);
    assert.equal(gapAfter(room), null);
    // The page was away for long: the latest lines come first.
    takeLines(room, lines(101, 140));
    assert.equal(gapAfter(room), 5);
    takeLines(room, lines(6, 55));
    assert.equal(gapAfter(room), 55);
    takeLines(room, lines(56, 105));
    assert.equal(gapAfter(room), null);
  });

  test("begin where the server began, and earlier ones come on request", () => {
    const room = createRoom("players", 0);
    assert.equal(hasEarlier(room), false);
    takeLines(room, lines(61, 100));
    assert.equal(hasEarlier(room), true);
    // A change of a line that is not here makes no gap.
    takeLines(room, [line(7)]);
    assert.deepEqual(numbers(room)[0], 61);
    takeLines(room, lines(11, 60));
    takeLines(room, lines(1, 10));
    assert.equal(hasEarlier(room), false);
    assert.equal(gapAfter(room), null);
    takeLines(room, []);
    assert.equal(room.lines.length, 100);
  });

  test("of the muted are not shown, and their numbers stay", () => {
    const room = createRoom("players", 0);
    takeLines(room, [line(1), line(2, "Amina"), line(3)]);
    hideLines(room, "Zofia");
    assert.deepEqual(
      shownLines(room).map(({ number }) => number),
      [2],
    );
    assert.equal(gapAfter(room), null);
  });

  test("are unread until they were shown, but for the reader's own and those without a text", () => {
    const room = createRoom("players", 1);
    takeLines(room, [line(1), line(2), line(3, "Amina"), { ...line(4), hidden: "removed" }, { ...line(5), hidden: "muted" }, line(6)]);
    assert.equal(unread(room, "Amina"), 2);
    markSeen(room);
    assert.equal(unread(room, "Amina"), 0);
    takeLines(room, [line(7)]);
    assert.equal(unread(room, "Amina"), 1);
  });
});

test("the characters left are told near the end, and counted as the server counts them", () => {
  assert.equal(charactersLeft(""), null);
  assert.equal(charactersLeft("a".repeat(MAX_CHARS - 31)), null);
  assert.equal(charactersLeft("a".repeat(MAX_CHARS - 30)), 30);
  assert.equal(charactersLeft(` ${"a".repeat(MAX_CHARS + 3)} `), -3);
  // One character each: a letter with a mark, and an emoji.
  assert.equal(charactersLeft("o\u0308".repeat(MAX_CHARS)), 0);
  assert.equal(charactersLeft("👩".repeat(MAX_CHARS)), 0);
});
