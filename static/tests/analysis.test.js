// @ts-check
// Analysis without a page: reading and writing records, the tree, verdicts, and the engine over a tree.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, describe, test } from "node:test";
import { readRecord } from "../analysis/records.js";
import { attempt, begin, hides, judge, mistakesOf, nextMistake } from "../analysis/retry.js";
import { foundOn, sharedAnalysis } from "../analysis/shared.js";
import { fragmentOf, fromFragment, writeRecord } from "../analysis/writing.js";
import { GAMES } from "../games/index.js";
import { createAnalyst } from "../review/analyst.js";
import { matchBeginning } from "../review/played.js";
import { SCALES } from "../review/scales.js";
import { branchOf, createTree, gameOfTree, lineFrom, linesOf, places, playMove, promote, remove, wayTo, whyNot } from "../review/tree.js";
import { accuracies, countMistakes, expected, judgeMove, worth } from "../review/verdict.js";
import { Game, initSync } from "../wasm/rules.js";

/** @import { Thought } from "../engine/types.js" */
/** @import { Branch, Played } from "../review/played.js" */
/** @import { Place } from "../review/tree.js" */

before(() => {
  initSync({ module: readFileSync(new URL("../wasm/rules_bg.wasm", import.meta.url)) });
});

/** A recorded game of the rules' test vectors. @param {string} kind @returns {Played} */
function recorded(kind) {
  const { playouts } = JSON.parse(readFileSync(new URL(`../../rules/tests/vectors/${kind}.playouts.json`, import.meta.url), "utf8"));
  const { moves, start = null } = playouts.find((/** @type {{ start?: string }} */ { start }) => start === undefined);
  return { game: kind, setup: "", start, moves: moves.split(" ") };
}

/** @param {string} text @param {string} [wished] */
const faultOf = (text, wished = "") => {
  const read = readRecord(Game, text, wished);
  assert.ok("fault" in read, text);
  return read.fault;
};

describe("a record", () => {
  for (const { id } of GAMES) {
    test(`of ${id} is read as it was written, in each notation`, () => {
      const played = recorded(id);
      const told = { ...played, names: { first: "Amina", second: 'Bogdan "B" \\ Nowak' } };
      const written = writeRecord(Game, told);
      assert.ok(written.length >= 2);
      // Lists of moves contain nothing else.
      for (const { text, extension } of written)
        assert.deepEqual(readRecord(Game, text, id), extension === "txt" ? played : told, extension);
      const [json] = written;
      assert.deepEqual(readRecord(Game, json?.text ?? "", ""), told);
      assert.deepEqual(fromFragment(Game, fragmentOf(told, 7)), { read: told, ply: 7, line: 0 });
    });

    test(`of ${id} keeps how it ended, where the rules do not say it`, () => {
      const { result: _, ...played } = recorded(id);
      const half = { ...played, moves: played.moves.slice(0, 5) };
      for (const result of [
        { winner: /** @type {const} */ ("second"), reason: "resign", score: null },
        { winner: null, reason: "agreement", score: null },
      ]) {
        const told = { ...half, names: { first: "Amina", second: "Bogdan" }, result };
        for (const { text, extension } of writeRecord(Game, told))
          assert.deepEqual(readRecord(Game, text, id), extension === "txt" ? half : told, extension);
        assert.deepEqual(fromFragment(Game, fragmentOf(told, 2)), { read: told, ply: 2, line: 0 });
      }
      // The rules' outcome takes precedence over a written result.
      const wrong = writeRecord(Game, { ...played, result: { winner: "second", reason: "resign", score: null } });
      for (const { text } of wrong) assert.deepEqual(readRecord(Game, text, id), played);
      for (const reason of ["aborted", "no-show", "closed"]) {
        const calledOff = { ...half, result: { winner: null, reason, score: null } };
        const [json, ...others] = writeRecord(Game, calledOff);
        assert.deepEqual(readRecord(Game, json?.text ?? "", ""), calledOff);
        assert.equal(JSON.parse(json?.text ?? "").result.winner, "none");
        for (const { text, extension } of others) if (extension === "pdn") assert.match(text, / \*\s*$/, "a match without a result");
      }
    });

    test(`of ${id} keeps its branches, as a file and as an address`, () => {
      const played = recorded(id);
      const grown = createTree(Game, { ...played, moves: played.moves.slice(0, 8) });
      const line = lineFrom(grown.root);
      /**
       * Plays `count` plies from a place on, each a legal move that is not in the tree yet if there is one.
       * @param {Place} at
       * @param {number} count
       */
      const wander = (at, count) => {
        grown.at = at;
        for (let i = 0; i < count; i++) {
          const move = grown.at.legal.find((legal) => grown.at.next.every((place) => place.move !== legal)) ?? grown.at.legal[0];
          if (move !== undefined) playMove(grown, move);
        }
        return grown.at;
      };
      const end = wander(/** @type {Place} */ (line[2]), 3);
      wander(/** @type {Place} */ (end.parent), 2);
      wander(/** @type {Place} */ (line[2]), 1);
      wander(grown.root, 2);
      wander(/** @type {Place} */ (line[7]), 4);
      const told = gameOfTree(grown);
      assert.equal(linesOf(grown).flat().length, grown.count);
      assert.ok(linesOf(grown).length >= 4, id);
      const shapes = (/** @type {Branch[]} */ branches) => JSON.stringify(branches);
      for (const { text, extension } of writeRecord(Game, told).filter(({ extension: as }) => as !== "txt")) {
        const read = readRecord(Game, text, id);
        assert.ok(!("fault" in read), extension);
        assert.equal(shapes(read.branches ?? []), shapes(told.branches ?? []), `${extension}: ${text}`);
        assert.deepEqual(read, told, extension);
        assert.deepEqual(gameOfTree(createTree(Game, read)), told, extension);
      }
      for (const [i, places] of linesOf(grown).entries()) {
        const last = /** @type {Place} */ (places.at(-1));
        const fragment = fragmentOf(told, last.ply, i);
        assert.doesNotMatch(fragment.split("branches=")[1]?.split("&")[0] ?? "", /%/);
        const found = fromFragment(Game, fragment);
        assert.ok(found && !("fault" in found.read));
        const again = createTree(Game, found.read);
        const there = linesOf(again)[found.line]?.find(({ ply }) => ply === found.ply);
        assert.deepEqual(
          wayTo(/** @type {Place} */ (there)).map(({ move }) => move),
          wayTo(last).map(({ move }) => move),
        );
      }
    });
  }

  test("says itself which game it is, where it can", () => {
    assert.deepEqual(readRecord(Game, "1. 11-15 22-18 2. 15x22 *", ""), {
      game: "checkers",
      setup: "",
      start: null,
      moves: ["11-15", "22-18", "15x22"],
    });
    assert.deepEqual(readRecord(Game, "F5 d6 C3", ""), { game: "reversi", setup: "", start: null, moves: ["f5", "d6", "c3"] });
    assert.deepEqual(readRecord(Game, "1. c1–d2 b8–c7", ""), { game: "mawe", setup: "", start: null, moves: ["c1d2", "b8c7"] });
    assert.deepEqual(readRecord(Game, "1. 3 6 2. 1", "kalah"), { game: "kalah", setup: "", start: null, moves: ["3", "6", "1"] });
    assert.equal(faultOf("3 6 1").code, "which-game");
    // Of an export of many matches the first is read.
    assert.deepEqual(readRecord(Game, '{"game":"kalah","moves":"3 6"}\n{"game":"oware","moves":"1"}', ""), {
      game: "kalah",
      setup: "",
      start: null,
      moves: ["3", "6"],
    });
  });

  test("in PDN is read with its tags and its variations, as others write them", () => {
    const read = readRecord(
      Game,
      [
        '[Event "A cup (the first)"]',
        '[Black "Amina \\"A\\""]',
        '[White "?"]',
        '[Result "0-1"]',
        '[Termination "resign"]',
        "",
        "{an opening (of many)} 1. 11-15 $1 (1. 9-13 22-18 (1... 24-20 2. 11-15) 2. 6-9) (1. 12-16) 1... 22-18 2. 15x22 (2. Who captures? 9-14)",
        "; (1. 10-15)",
        "25x18 (2... 26x17 3. 9-13 17-9 4. 8-11) 0-1",
        '[Event "Another"]',
        "1. 9-13 (1. 9-14) *",
      ].join("\n"),
      "",
    );
    assert.deepEqual(read, {
      game: "checkers",
      setup: "",
      start: null,
      moves: ["11-15", "22-18", "15x22", "25x18"],
      names: { first: 'Amina "A"', second: "?" },
      result: { winner: "second", reason: "resign", score: null },
      branches: [
        { ply: 0, moves: ["9-13", "22-18", "6-9"], branches: [{ ply: 1, moves: ["24-20", "11-15"] }] },
        { ply: 0, moves: ["12-16"] },
        // A capture written by its first and its last square only is that capture; from a word that is no legal move on, nothing is read.
        { ply: 3, moves: ["26x17", "9-13"] },
      ],
    });
    assert.deepEqual(faultOf("1. 11-15 (1. 9-13 *"), { code: "open-variation", line: 1, column: 10 });
  });

  test("of draughts has the names of squares, the sides and the result of its game in PDN", () => {
    const played = {
      game: "russian",
      setup: "",
      start: null,
      moves: ["21-17", "9-14", "17-13"],
      names: { first: "Amina", second: "Bakari" },
      result: { winner: /** @type {const} */ ("second"), reason: "resign", score: null },
      branches: [{ ply: 1, moves: ["11-15", "22-18", "15x22x13"], branches: [{ ply: 2, moves: ["17-13"] }] }],
    };
    const pdn = writeRecord(Game, played)[1]?.text ?? "";
    assert.match(pdn, /\[GameType "25,/);
    assert.match(pdn, /\[White "Amina"\]/);
    assert.match(pdn, /1\. a3-b4 b6-c5 \(1\.\.\. f6-e5 2\. c3-d4 \(2\. b4-a5\) 2\.\.\. e5xc3xa5\) 2\. b4-a5 0-1/);
    assert.deepEqual(readRecord(Game, pdn, ""), played);
    assert.deepEqual(readRecord(Game, "1. 21–17 9–14 2. 17–13", "russian"), {
      game: "russian",
      setup: "",
      start: null,
      moves: played.moves,
    });
    assert.deepEqual(faultOf(pdn, "brazilian").code, "other-game");
    // Black begins in pool checkers, and the first number of a result is White's.
    const pool = readRecord(Game, '[GameType "23"][Black "A"][White "B"][Result "1-0"] 1. 9-13 1-0', "");
    assert.ok(!("fault" in pool));
    assert.deepEqual([pool.game, pool.names, pool.result?.winner], ["pool", { first: "A", second: "B" }, "second"]);
  });

  test("begins where it says", () => {
    const start = "W:WK18,30:B3,4,12";
    const played = { game: "checkers", setup: "", start, moves: ["18-22"] };
    const written = writeRecord(Game, played);
    assert.deepEqual(
      written.map(({ extension }) => extension),
      ["json", "pdn"],
    );
    for (const { text } of written) assert.deepEqual(readRecord(Game, text, ""), played);
    assert.deepEqual(fromFragment(Game, fragmentOf(played, 1)), { read: played, ply: 1, line: 0 });
    const limited = { game: "congkak", setup: "form=limited", start: null, moves: ["1"] };
    assert.deepEqual(readRecord(Game, writeRecord(Game, limited)[0]?.text ?? "", ""), limited);
  });

  test("of a match from a position begins there, whether it is told by the setup or beside it", () => {
    const start = "W:WK18,30:B3,4,12";
    const setup = `position=${start}`;
    const played = { game: "checkers", setup: "", start, moves: ["18-22"] };
    for (const told of [{ setup }, { setup, start }])
      assert.deepEqual(readRecord(Game, JSON.stringify({ game: "checkers", ...told, moves: "18-22" }), ""), played);
    assert.deepEqual(fromFragment(Game, `#${new URLSearchParams({ game: "checkers", setup, moves: "18-22" })}`)?.read, played);
    assert.deepEqual(faultOf(JSON.stringify({ game: "checkers", setup: "position=W:W99:B1", moves: "" })), { code: "bad-start" });
    const begun = (/** @type {string} */ setup, /** @type {string} */ start) => matchBeginning(Game, { game: "checkers", setup, start });
    assert.deepEqual(begun(setup, start), { setup: "", start });
    assert.deepEqual(begun("", start), { setup: "", start });
    const rules = Game.start("checkers", "");
    assert.deepEqual(begun("", rules.position()), { setup: "", start: null });
    rules.free();
  });

  test("that is wrong is told by what and where", () => {
    assert.deepEqual(faultOf(""), { code: "empty" });
    assert.deepEqual(faultOf("1. 11-15\n11-15 *", "checkers"), { code: "empty-square", line: 2, column: 1 });
    assert.deepEqual(faultOf("f5d6\n!", "reversi"), { code: "unexpected-symbol", line: 2, column: 1 });
    assert.deepEqual(faultOf("1. c1-d2\n2. c1-d2", "mawe"), { code: "empty-square", ply: 2, line: 2, column: 4 });
    assert.deepEqual(faultOf("3, 6,\n9", "kalah"), { code: "no-such-house", ply: 3, line: 2, column: 1 });
    assert.deepEqual(faultOf('{"game":"go","moves":""}'), { code: "unknown-game" });
    assert.deepEqual(faultOf('{"game":"kalah"}'), { code: "no-moves-in-it" });
    assert.deepEqual(faultOf('{"game":"kalah","setup":"seeds=99","moves":""}'), { code: "bad-setup" });
    assert.deepEqual(faultOf('{"game":"kalah","start":"8/8 s","moves":""}'), { code: "bad-start" });
    assert.deepEqual(faultOf('{"game":"kalah","moves":"3 3"}'), { code: "empty-house", ply: 2 });
    assert.deepEqual(faultOf('{"game":"kalah",\n "moves":3 3}').code, "bad-json");
    assert.equal(faultOf("x".repeat(300_000)).code, "too-long");
    assert.equal(fromFragment(Game, "#somewhere"), null);
    assert.deepEqual(fromFragment(Game, "#game=go&moves=1"), { read: { fault: { code: "unknown-game" } }, ply: 0, line: 0 });
    const branches = (/** @type {string} */ text) => fromFragment(Game, `#game=kalah&moves=3+6+1&branches=${text}`)?.read;
    for (const text of ["9.1.5", "0.x.5", "0.1", "0.4.1", "1.1.5"])
      assert.deepEqual(branches(text), { fault: { code: "bad-branch" } }, text);
    assert.deepEqual(branches("0.1.3"), { fault: { code: "empty-house", ply: 2 } });
    assert.deepEqual(branches("0.1.5*1.2.9"), { fault: { code: "no-such-house", ply: 3 } });
    assert.deepEqual(faultOf('{"game":"kalah","moves":"3","branches":[{"ply":1,"moves":"3"}]}'), { code: "empty-house", ply: 2 });
  });
});

describe("a tree", () => {
  const tree = () => createTree(Game, { game: "kalah", setup: "", start: null, moves: ["3", "6", "1"] });
  const text = (/** @type {Place[]} */ line) =>
    line
      .slice(1)
      .map(({ move }) => move)
      .join(" ");

  test("keeps what was played, and what else was tried beside it", () => {
    const it = tree();
    assert.equal(text(lineFrom(it.root)), "3 6 1");
    it.at = /** @type {Place} */ (it.root.next[0]);
    playMove(it, "5");
    playMove(it, "1");
    assert.equal(text([it.root, ...wayTo(it.at)]), "3 5 1");
    const branch = branchOf(it.at);
    assert.equal(branch?.move, "5");
    assert.equal(places(it).length, 6);
    it.at = it.root;
    playMove(it, "3");
    assert.equal(it.at, it.root.next[0], "a move that is there leads there");
    assert.equal(places(it).length, 6);
    assert.equal(whyNot(it, "3"), "empty-house");
    promote(it, /** @type {Place} */ (branch));
    assert.equal(text(lineFrom(it.root)), "3 5 1");
    assert.deepEqual(gameOfTree(it).moves, ["3", "5", "1"]);
    assert.deepEqual(gameOfTree(it).branches, [{ ply: 1, moves: ["6", "1"] }]);
    assert.equal(branchOf(/** @type {Place} */ (branch)), null);
    it.at = /** @type {Place} */ (lineFrom(it.root).at(-1));
    remove(it, /** @type {Place} */ (branch));
    assert.equal(text(lineFrom(it.root)), "3 6 1");
    assert.equal(it.at, it.root.next[0]);
    remove(it, it.root);
    assert.equal(places(it).length, 4);
  });

  test("passes by itself where nothing else can be done, and knows its end", () => {
    const { playouts } = JSON.parse(readFileSync(new URL("../../rules/tests/vectors/reversi.playouts.json", import.meta.url), "utf8"));
    const moves = playouts
      .map((/** @type {Played & { moves: string }} */ { moves }) => moves.split(" "))
      .find((/** @type {string[]} */ list) => list.includes("pass"));
    const it = createTree(Game, { game: "reversi", setup: "", start: null, moves: [] });
    for (const move of moves) if (move !== "pass") playMove(it, move);
    assert.deepEqual(
      lineFrom(it.root)
        .slice(1)
        .map(({ move }) => move),
      moves,
    );
    assert.ok(it.at.outcome);
    assert.deepEqual(it.at.legal, []);
  });
});

describe("the judgement of a game", () => {
  /** @typedef {{ game: string, moves: string[], report: import("../core/types.js").Schemas["Analysis"] }} Sample */
  /** @type {Sample[]} */
  const samples = JSON.parse(readFileSync(new URL("reports.golden.json", import.meta.url), "utf8"));

  for (const { game, moves, report } of samples)
    test(`of ${game} is that of the server`, () => {
      const line = lineFrom(createTree(Game, { game, setup: "", start: null, moves }).root);
      const found = new Map(foundOn(line, report));
      const thoughtOf = (/** @type {Place} */ place) => found.get(place);
      assert.ok(found.size > 0);
      const accuracy = accuracies(game, line, thoughtOf);
      const counts = countMistakes(game, line, thoughtOf);
      for (const side of /** @type {const} */ (["first", "second"])) {
        const { inaccuracies, mistakes, blunders, accuracy: value } = report.sides?.[side] ?? assert.fail();
        assert.deepEqual(counts[side], { inaccuracy: inaccuracies, mistake: mistakes, blunder: blunders });
        assert.ok(Math.abs((accuracy[side] ?? -1) - (value ?? -1)) < 1e-6, side);
      }
      for (const { ply, loss, mistake } of report.positions) {
        const place = line[ply + 1];
        if (!place) continue;
        const judged = judgeMove(game, place, thoughtOf);
        assert.equal(judged?.name ?? undefined, mistake, `ply ${ply}`);
        assert.ok(Math.abs((judged?.loss ?? -1) - (loss ?? -1)) < 1e-6, `ply ${ply}`);
      }
    });
});

describe("the server's analysis of a match", () => {
  const position = { ply: 0, best: "3", score: 7, proven: false, depth: 9, nodes: 300_000, pv: ["3"] };
  /** @typedef {import("../core/types.js").MatchAnalysis} MatchAnalysis */
  /** @type {(state: MatchAnalysis["state"]) => MatchAnalysis} */
  const answer = (state) => ({ engine: "1", state, nodes: 300_000, positions: state === "done" ? [position] : [] });
  const refuse = (/** @type {number} */ status) => Object.assign(new Error("refused"), { status, code: "x" });

  /** A server that gives these answers in turn. @param {(MatchAnalysis | Error)[]} answers */
  function server(answers) {
    /** @type {string[]} */
    const asked = [];
    const next = (/** @type {string} */ method) => async (/** @type {string} */ id) => {
      asked.push(`${method} ${id}`);
      const one = answers.shift() ?? assert.fail("one question too many");
      if (one instanceof Error) throw one;
      return one;
    };
    return { asked, get: next("GET"), post: next("POST"), isHidden: () => isHidden };
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  let isHidden = false;

  test("is requested, waited for and read", async (context) => {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    const { asked, ...calls } = server([refuse(404), answer("waiting"), answer("waiting"), refuse(0), answer("done")]);
    let changes = 0;
    const shared = sharedAnalysis("m", calls, () => changes++);
    assert.equal(shared.state(), "unknown");
    await shared.look();
    assert.equal(shared.state(), "none");
    await shared.request();
    assert.equal(shared.state(), "waiting");
    for (const state of ["waiting", "waiting", "done"]) {
      context.mock.timers.tick(3_000);
      await settle();
      assert.equal(shared.state(), state);
    }
    context.mock.timers.tick(60_000);
    assert.deepEqual(asked, ["GET m", "POST m", "GET m", "GET m", "GET m"]);
    assert.deepEqual(shared.analysis()?.positions, [position]);
    assert.equal(changes, 5);
  });

  test("is waited for by a second reader, until the page is left", async (context) => {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    const { asked, ...calls } = server([answer("waiting"), answer("waiting")]);
    const shared = sharedAnalysis("m", calls, () => {});
    await shared.look();
    assert.equal(shared.state(), "waiting");
    isHidden = true;
    context.mock.timers.tick(60_000);
    isHidden = false;
    assert.deepEqual(asked, ["GET m"], "a hidden page asks for nothing");
    context.mock.timers.tick(3_000);
    await settle();
    assert.deepEqual([shared.state(), asked.length], ["waiting", 2]);
    shared.stop();
    context.mock.timers.tick(60_000);
    assert.equal(asked.length, 2);
  });

  test("may be refused, which changes nothing", async () => {
    const { asked, ...calls } = server([answer("failed"), refuse(429)]);
    const shared = sharedAnalysis("m", calls, () => {});
    await shared.look();
    await assert.rejects(shared.request());
    assert.equal(shared.state(), "failed");
    assert.equal(asked.length, 2);
  });
});

describe("a verdict", () => {
  /** @param {number} score @param {string} best @returns {Thought} */
  const thought = (score, best = "1", proven = false) => ({ best, score, proven, depth: 5, nodes: 100, pv: [best] });

  test("says what can be expected", () => {
    for (const { id } of GAMES) {
      assert.equal(expected(id, thought(0)), 0.5);
      assert.ok(Math.abs(expected(id, thought(SCALES[id] ?? 0)) - 0.731) < 0.001, id);
      assert.equal(expected(id, thought(9_999_990)), 1);
      assert.equal(expected(id, thought(-9_999_990)), 0);
      assert.equal(expected(id, thought(3, "1", true)), 1);
    }
    assert.equal(worth("kalah", { turn: "first", outcome: "n row-empty 20-28" }, undefined), 0);
    assert.equal(worth("kalah", { turn: "second", outcome: "draw row-empty 24-24" }, undefined), 0.5);
    assert.equal(worth("kalah", { turn: "second", outcome: undefined }, thought(-9_999_990)), 1);
    assert.equal(worth("kalah", { turn: "second", outcome: undefined }, undefined), null);
  });

  test("names what a move gave away, from its mover's view", () => {
    const tree = createTree(Game, { game: "kalah", setup: "", start: null, moves: ["3", "6", "1"] });
    const [start, again, north, last] = /** @type {[Place, Place, Place, Place]} */ (lineFrom(tree.root));
    // South moves twice: the third house ends in the store.
    assert.equal(again.turn, "first");
    /** @type {Map<Place, Thought>} */
    const known = new Map([
      [start, thought(557, "3")],
      [again, thought(557, "5")],
      [north, thought(0, "2")],
      [last, thought(600, "4")],
    ]);
    const of = (/** @type {Place} */ place) => known.get(place);
    assert.equal(judgeMove("kalah", start, of), null);
    assert.deepEqual(judgeMove("kalah", again, of), { loss: 0, name: null, best: "3" });
    assert.equal(judgeMove("kalah", north, of)?.name, "blunder");
    assert.equal(judgeMove("kalah", north, of)?.best, "5");
    assert.equal(judgeMove("kalah", last, of)?.name, "blunder");
    assert.deepEqual(countMistakes("kalah", lineFrom(tree.root), of), {
      first: { inaccuracy: 0, mistake: 0, blunder: 1 },
      second: { inaccuracy: 0, mistake: 0, blunder: 1 },
    });
    known.delete(last);
    assert.equal(judgeMove("kalah", last, of), null);
    known.set(north, thought(60, "2"));
    assert.equal(judgeMove("kalah", north, of)?.name, "blunder");
    known.set(north, thought(-400, "2"));
    assert.equal(judgeMove("kalah", north, of)?.name, "inaccuracy");
    known.set(north, thought(-560, "2"));
    assert.equal(judgeMove("kalah", north, of)?.name, null);
  });
});

describe("the engine over a tree", () => {
  /** An engine whose answers the test gives. */
  function stage() {
    /** @type {{ question: any, report: (thought: Thought) => void, resolve: (thought: Thought | undefined) => void, reject: (error: Error) => void }[]} */
    const asked = [];
    /** @type {Thought | undefined} */
    let last;
    const engine = /** @type {any} */ ({
      think: (/** @type {any} */ question, /** @type {(thought: Thought) => void} */ onReport) =>
        new Promise((resolve, reject) => {
          /** @param {Thought} thought */
          const report = (thought) => {
            last = thought;
            onReport(thought);
          };
          asked.push({ question, report, resolve, reject });
        }),
      stop: () => asked.at(-1)?.resolve(last),
    });
    const tree = createTree(Game, { game: "kalah", setup: "", start: null, moves: ["3", "6", "1"] });
    const analyst = createAnalyst(tree, engine, () => {});
    return { asked, tree, analyst, movesAsked: () => asked.map(({ question }) => question.moves) };
  }
  const soon = () => new Promise((resolve) => setImmediate(resolve));
  /** @param {number} score @returns {Thought} */
  const thought = (score) => ({ best: "1", score, proven: false, depth: 3, nodes: 9, pv: ["1"] });

  test("thinks of what is looked at first, then of the rest, each afresh and within the same limits", async () => {
    const { asked, tree, analyst, movesAsked } = stage();
    const line = lineFrom(tree.root);
    tree.at = /** @type {Place} */ (line[2]);
    analyst.look(line);
    for (let i = 0; i < 4; i++) {
      await soon();
      asked.at(-1)?.resolve(thought(i));
    }
    await soon();
    assert.deepEqual(movesAsked(), ["3 6", "", "3", "3 6 1"]);
    assert.deepEqual(asked[0]?.question, { game: "kalah", setup: "", moves: "3 6", nodes: 200_000, movetime_ms: 4_000, fresh: true });
    assert.equal(analyst.thoughtOf(tree.at)?.score, 0);
    assert.ok(line.every(analyst.isDone));
  });

  test("leaves a thought for the place that the reader goes to, and does not take half a thought for a whole one", async () => {
    const { asked, tree, analyst, movesAsked } = stage();
    const line = lineFrom(tree.root);
    analyst.look(line);
    await soon();
    asked[0]?.report(thought(7));
    assert.equal(analyst.thoughtOf(tree.root)?.score, 7);
    tree.at = /** @type {Place} */ (line[1]);
    analyst.look(line);
    await soon();
    assert.deepEqual(movesAsked(), ["", "3"]);
    assert.equal(analyst.isDone(tree.root), false);
    asked[1]?.resolve(thought(1));
    await soon();
    assert.deepEqual(movesAsked(), ["", "3", ""]);
    analyst.setEffort("deep");
    await soon();
    assert.equal(asked.at(-1)?.question.nodes, 2_000_000);
    assert.equal(asked.at(-1)?.question.moves, "3");
    assert.equal(analyst.thoughtOf(/** @type {Place} */ (line[1]))?.score, 1, "what is known stays until more is");
  });

  test("takes in what the server has found, for the efforts that search less", async () => {
    const { asked, tree, analyst, movesAsked } = stage();
    const line = lineFrom(tree.root);
    analyst.setEffort("deep");
    analyst.look(line);
    await soon();
    asked[0]?.resolve(thought(5));
    await soon();
    assert.deepEqual(movesAsked(), ["", "3"]);
    analyst.adopt(line.slice(0, 3).map((place, i) => [place, thought(100 + i)]));
    const scores = () => line.map((place) => analyst.thoughtOf(place)?.score);
    assert.deepEqual(scores(), [5, 101, 102, undefined], "the deep search is kept");
    assert.deepEqual(
      line.map((place) => analyst.isDone(place)),
      [true, false, false, false],
    );
    analyst.setEffort("normal");
    for (let i = 0; i < 3; i++) {
      await soon();
      asked.at(-1)?.resolve(thought(6));
    }
    await soon();
    // The deep place again, by the lighter effort, and the one that the server lacks.
    assert.deepEqual(movesAsked(), ["", "3", "", "3 6 1"]);
    assert.deepEqual(
      line.slice(1, 3).map((place) => analyst.isDone(place)),
      [true, true],
    );
  });

  test("can be switched off, and begins again after a failure", async () => {
    const { asked, tree, analyst } = stage();
    analyst.look(lineFrom(tree.root));
    await soon();
    asked[0]?.reject(new Error("engine-away"));
    await soon();
    assert.equal(analyst.failure(), "engine-away");
    assert.equal(asked.length, 1);
    analyst.setOn(true);
    await soon();
    assert.equal(asked.length, 2);
    analyst.setOn(false);
    await soon();
    assert.equal(asked.length, 2);
    assert.equal(analyst.isDone(tree.root), false);
  });
});

describe("the mistakes of a game as tasks", () => {
  /** Findings in which each place has the given value for its mover, and the first legal move is the best. @param {(place: Place) => number} score */
  const findings = (score) => (/** @type {Place} */ place) =>
    /** @type {Thought} */ ({ score: score(place), proven: false, best: place.legal[0] ?? "", pv: [], depth: 1, nodes: 1 });
  const all = () => true;

  /** A game of Kalah in which the first side's second choice is a blunder. */
  function blundered() {
    const tree = createTree(Game, { game: "kalah", setup: "", start: null, moves: ["1", "1", "2"] });
    const [root, , before, after] = lineFrom(tree.root);
    assert.ok(root && before && after && before.turn === after.side);
    const lost = /** @type {(place: Place) => number} */ (
      (place) => (place === after ? (place.turn === after.side ? -1 : 1) * SCALES.kalah * 2 : 0)
    );
    // The best move is another than the one that was played.
    const thoughtOf = (/** @type {Place} */ place) => ({
      ...findings(lost)(place),
      best: place.legal.find((move) => move !== "2" && move !== "1") ?? "",
    });
    return { tree, before, after, thoughtOf };
  }

  test("are those of the side asked for, in their order", () => {
    const { tree, after, thoughtOf } = blundered();
    assert.deepEqual(mistakesOf(tree, thoughtOf, null), [after]);
    assert.deepEqual(mistakesOf(tree, thoughtOf, after.side), [after]);
    assert.deepEqual(mistakesOf(tree, thoughtOf, after.side === "first" ? "second" : "first"), []);
  });

  test("are solved by a move that loses little, and hide the findings until then", () => {
    const { tree, before, after, thoughtOf } = blundered();
    const retry = begin(tree, null, after);
    assert.equal(tree.at, before);
    assert.ok(hides(retry));
    const move = before.legal.find((legal) => legal !== after.move && legal !== thoughtOf(before).best) ?? "";
    attempt(tree, retry, move);
    assert.equal(
      judge(tree, retry, thoughtOf, () => false),
      false,
      "not before the engine has looked",
    );
    assert.equal(judge(tree, retry, thoughtOf, all), true);
    assert.equal(retry.state, "solved");
    assert.ok(!hides(retry));
    assert.equal(nextMistake(tree, retry, thoughtOf), undefined);
  });

  test("take back a move that misses, and the move of the game at once", () => {
    const { tree, before, after, thoughtOf } = blundered();
    const retry = begin(tree, null, after);
    attempt(tree, retry, after.move);
    assert.equal(
      judge(tree, retry, thoughtOf, () => false),
      true,
    );
    assert.equal(retry.state, "wrong");
    assert.equal(tree.at, before);
    assert.equal(before.next[0], after, "the game is kept");
    const move = before.legal.find((legal) => legal !== after.move && legal !== thoughtOf(before).best) ?? "";
    attempt(tree, retry, move);
    const bad = (/** @type {Place} */ place) =>
      place === retry.tried ? { ...thoughtOf(place), score: (place.turn === after.side ? -1 : 1) * SCALES.kalah * 2 } : thoughtOf(place);
    assert.equal(judge(tree, retry, bad, all), true);
    assert.equal(retry.state, "wrong");
    assert.deepEqual(before.next, [after], "the attempt is no branch");
  });

  test("an accuracy is 1 without losses, and falls with them", () => {
    const { tree, after, thoughtOf } = blundered();
    const line = lineFrom(tree.root);
    const other = after.side === "first" ? "second" : "first";
    const close = accuracies("kalah", line, thoughtOf);
    assert.ok(close[after.side] !== null && /** @type {number} */ (close[after.side]) < 0.8);
    assert.ok(close[other] === null || /** @type {number} */ (close[other]) > 0.99);
    assert.deepEqual(accuracies("kalah", line.slice(0, 1), thoughtOf), { first: null, second: null });
  });
});
