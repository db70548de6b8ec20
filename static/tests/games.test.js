// @ts-check
// Requirements on every game, tested with the recorded games of the rules' test vectors.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { choose, createState, setPosition } from "../board/state.js";
import { other } from "../core/time.js";
import { lessonsOf } from "../games/pictures.js";
import { pliesOf } from "../games/recorded.js";
import { setupAt } from "../games/setup.js";
import { initSync, Game as Rules } from "../wasm/rules.js";
import { GAMES, gameOf } from "./loaded-games.js";

/** @import { Game, Round } from "../games/types.js" */
/** @import { Pieces } from "../board/state.js" */
/** @import { Seats } from "../core/types.js" */

/** @typedef {{ id: number, start?: string, moves: string, final: string, result: { winner: string, reason: string, score?: [number, number] } }} Playout */

initSync({ module: readFileSync(new URL("../wasm/rules_bg.wasm", import.meta.url)) });

/** The number of recorded games of each kind; they are long. */
const PLAYOUTS = 40;

/** @param {Game} game @returns {Playout[]} */
function playoutsOf({ id }) {
  const vectors = JSON.parse(readFileSync(new URL(`../../rules/tests/vectors/${id}.playouts.json`, import.meta.url), "utf8"));
  return ["playouts", "playouts_limited"].flatMap((key) => (vectors[key] ?? []).slice(0, PLAYOUTS));
}

/** The pieces of a position, sorted. @param {Pieces} pieces */
const told = (pieces) => [...pieces].map(([cell, { owner, kind, turned, count }]) => `${cell} ${owner} ${kind} ${turned} ${count}`).sort();

test("the document keeps the place of each board", () => {
  const boards = JSON.parse(readFileSync(new URL("../first/boards.json", import.meta.url), "utf8"));
  const sizes = GAMES.map((game) => {
    const { width, height } = game.layout("");
    return [game.id, `${width}-${height}`];
  });
  assert.deepEqual(boards, Object.fromEntries(sizes));
  const sheet = readFileSync(new URL("../css/match.css", import.meta.url), "utf8");
  // The columns and rows are 8 unless a class says something else; a board of houses may stand upright.
  const usual = /\.match\.early \{\s*--cols: (\d+);\s*--rows: (\d+);/.exec(sheet);
  const upright = /orientation: portrait\) \{\s*\.early:is\(([^)]*)\)/.exec(sheet)?.[1]?.split(", ") ?? [];
  for (const game of GAMES) {
    const size = boards[game.id];
    const own = new RegExp(`\\.early\\.board-${size} \\{([^}]*)\\}`).exec(sheet)?.[1] ?? "";
    const [cols, rows] = ["cols", "rows"].map((name, i) => new RegExp(`--${name}: (\\d+);`).exec(own)?.[1] ?? usual?.[i + 1]);
    assert.equal(`${cols}-${rows}`, size, game.id);
    assert.equal(upright.includes(`.board-${size}`), game.layout("").stands === true, game.id);
  }
});

for (const game of GAMES) {
  describe(game.id, () => {
    test("is found by its name, and its layout has every cell of its positions once", () => {
      assert.equal(gameOf(game.id), game);
      const cells = game
        .layout("")
        .rows.flat()
        .map(({ id }) => id);
      assert.equal(new Set(cells).size, cells.length);
      for (const position of [game.start, game.picture, ...lessonsOf(game.id).map((lesson) => lesson.position)]) {
        const { pieces } = game.parse(position);
        assert.ok(pieces.size > 0, position);
        for (const cell of pieces.keys()) assert.ok(cells.includes(cell), cell);
      }
    });

    test("shows every recorded game as it was played", () => {
      for (const playout of playoutsOf(game)) follow(game, playout);
    });

    test("the move that a lesson shows is one of those it lists", () => {
      for (const { key, legal, move } of lessonsOf(game.id)) if (move !== null) assert.ok(legal.includes(move), key);
    });

    test("counts at the end what the rules count", () => {
      for (const { final, result } of playoutsOf(game)) {
        if (!result.score) continue;
        const { first, second } = game.tally(game.parse(final).pieces);
        assert.deepEqual([first, second], result.score, final);
      }
    });
  });
}

/** @param {Game} game @param {Playout} playout */
function follow(game, playout) {
  const cells = new Set(
    game
      .layout("")
      .rows.flat()
      .map(({ id }) => id),
  );
  const rules = playout.start ? Rules.fromPosition(game.id, playout.start) : Rules.start(game.id, "");
  const moves = playout.moves.split(" ");
  for (const [ply, move] of moves.entries()) {
    const where = `${game.id} ${playout.id}, ply ${ply}: ${rules.position()} ${move}`;
    const { pieces, turn } = game.parse(rules.position());
    assert.equal(turn, rules.turn(), where);
    const options = rules.legalMoves().map((legal) => ({ path: game.path(legal, turn, pieces), move: legal }));
    assert.equal(new Set(options.map(({ path }) => path.join())).size, options.length, where);
    for (const cell of options.flatMap(({ path }) => path)) assert.ok(cells.has(cell), `${where}: ${cell}`);
    assert.ok(game.notation(move).length > 0 && game.spoken(move).length > 0, where);

    // Choosing the cells of the path one by one makes the move.
    const state = createState(game.layout(""), game.lifts);
    setPosition(state, { pieces, options, hand: turn, last: [] });
    const path = game.path(move, turn, pieces);
    const choices = path.map((cell) => choose(state, cell));
    // Where longer moves go on from there, the last cell is chosen once more.
    if (choices.at(-1)?.kind === "picked") choices.push(choose(state, path.at(-1) ?? ""));
    if (path.length > 0) assert.deepEqual(choices.at(-1), { kind: "move", move, walked: true }, where);
    // The chosen cells of a legal move give its text.
    if (path.length > 0) assert.equal(game.attempt(path, turn, pieces), move, where);
    else assert.deepEqual(game.preview(pieces, move, turn), pieces, where);

    const before = told(pieces);
    const steps = game.steps(pieces, move, turn);
    const shown = game.preview(pieces, move, turn);
    assert.deepEqual(told(pieces), before, `${where}: the preview changes nothing`);
    for (const step of steps) for (const cell of step.pieces.keys()) assert.ok(cells.has(cell), where);
    rules.play(move);
    const isSwept = rules.outcome()?.includes("repetition");
    if (!isSwept) assert.deepEqual(told(shown), told(game.parse(rules.position()).pieces), where);
  }
  assert.equal(rules.position(), playout.final);
  rules.free();
}

/**
 * The rules' answer to the choice of these cells.
 * @param {string} id
 * @param {string} position
 * @param {string[]} cells
 */
function why(id, position, cells) {
  const game = /** @type {Game} */ (gameOf(id));
  const rules = Rules.fromPosition(id, position);
  const { pieces, turn } = game.parse(position);
  const move = game.attempt(cells, turn, pieces);
  return move === null ? null : rules.explainIllegal(move);
}

describe("what is not allowed is asked in words that the rules know", () => {
  /** @type {[string, string, string[], string][]} */
  const cases = [
    ["mawe", "8/8/8/4B3/8/8/8/W7 w", ["a1", "a2"], "not-on-a-line"],
    ["reversi", "---------------------------OX------XO--------------------------- X", ["a1"], "flips-nothing"],
    ["reversi", "---------------------------OX------XO--------------------------- X", ["d4"], "occupied"],
    ["checkers", "B:W18,32:B14,1", ["1", "5"], "capture-compulsory"],
    ["checkers", "B:W18,32:B14,1", ["14", "10"], "men-move-forward"],
    ["checkers", "B:W18,27:B14", ["14", "23"], "capture-must-continue"],
    ["checkers", "B:W32:B14,18", ["14", "23"], "cannot-jump-own-piece"],
    ["checkers", "B:W32:B14", ["14", "30"], "not-diagonal"],
    ["drafti", "W:W23,32:B1,8", ["23", "14"], "not-diagonal"],
    ["drafti", "W:W15,32:B1,19", ["15", "24"], "men-move-forward"],
    ["drafti", "W:WK32,23:B1", ["32", "14"], "cannot-jump-own-piece"],
    ["drafti", "W:WK32:B1,18,23", ["32", "14"], "jumps-over-one"],
    ["drafti", "W:WK32:B1,4", ["32", "31"], "king-not-diagonal"],
    ["brazilian", "W:W22,K29:B18,10,25", ["29", "22"], "occupied"],
    ["brazilian", "W:W32,K29:B27,18,10", ["29", "11"], "capture-must-continue"],
    ["russian", "W:W23,32:B1,8", ["23", "14"], "not-diagonal"],
    ["international", "W:W28,40:B2,22,24,34", ["28", "17"], "take-the-most"],
    ["pool", "B:W18,27:B14", ["14", "23"], "capture-must-continue"],
    ["kalah", "4,4,0,4,4,4,4/4,4,4,4,4,4,0 s", ["s3"], "empty-house"],
    ["kalah", "4,4,0,4,4,4,4/4,4,4,4,4,4,0 s", ["n3"], "not-your-house"],
    ["kalah", "4,4,0,4,4,4,4/4,4,4,4,4,4,0 s", ["s-store"], "store-is-not-played"],
    ["oware", "1,0,0,0,0,6,20/0,0,0,0,0,0,21 s", ["s1"], "must-feed-opponent"],
    ["congkak", "7,7,7,7,7,7,7,11/x,x,7,7,7,7,7,3 n", ["n1"], "burnt-house"],
    ["congkak", "7,7,7,7,7,7,7,11/x,x,7,7,7,7,7,3 n", ["s7"], "not-your-house"],
    ["pallanguzhi", "6,6,6,6,6,6,6,18/6,6,6,6,x,x,x,0 n", ["n5"], "rubbish-hole"],
    ["pallanguzhi", "6,6,6,6,6,6,6,18/6,6,6,6,x,x,x,0 n", ["s7"], "not-your-house"],
    ["pallanguzhi", "6,6,6,0,6,6,6,6/6,6,6,6,6,6,6,0 s", ["s4"], "empty-house"],
    ["pallanguzhi", "6,6,6,6,6,6,6,18/6,6,6,6,x,x,x,0 n", ["n-store"], "store-is-not-played"],
  ];
  for (const [id, position, cells, code] of cases) {
    test(`${id}: ${cells.join(", ")} is ${code}`, () => assert.equal(why(id, position, cells), code));
  }

  test("one cell is not yet a move where a piece is taken up", () => {
    for (const game of GAMES.filter(({ lifts }) => lifts)) assert.equal(game.attempt(["a1"], "first"), null);
  });
});

describe("a move of several steps", () => {
  const checkers = /** @type {Game} */ (gameOf("checkers"));

  /** @param {string} position @param {string[]} legal */
  function boardOf(position, legal) {
    const { pieces, turn } = checkers.parse(position);
    const state = createState(checkers.layout(""));
    setPosition(state, { pieces, options: legal.map((move) => ({ path: checkers.path(move, turn), move })), hand: turn, last: [] });
    return state;
  }

  test("is chosen step by step", () => {
    const state = boardOf("W:W22:B18,11", ["22x15x8"]);
    assert.deepEqual(
      ["22", "15", "8"].map((cell) => choose(state, cell).kind),
      ["picked", "picked", "move"],
    );
  });

  test("or by its last square, where one way leads there", () => {
    const state = boardOf("W:W22:B18,11", ["22x15x8"]);
    choose(state, "22");
    assert.deepEqual(choose(state, "8"), { kind: "move", move: "22x15x8", walked: false });
  });

  test("but not where there are two ways", () => {
    const state = boardOf("W:WK32:B27,26,18,19", ["32x23x14", "32x23x16", "32x23x14x5", "32x24x14"]);
    choose(state, "32");
    assert.equal(choose(state, "14").kind, "attempt");
  });

  test("is shown landing by landing, and takes what it jumped at its end", () => {
    const { pieces } = checkers.parse("W:W22:B18,11");
    const [step] = checkers.steps(pieces, "22x15x8", "second");
    assert.deepEqual([...(step?.pieces ?? new Map()).keys()].sort(), ["11", "15", "18"]);
    assert.deepEqual([...checkers.preview(pieces, "22x15x8", "second").keys()], ["8"]);
  });
});

describe("a man that passes the far row in a capture", () => {
  /** Whether the piece is crowned on each square where it lands. @param {string} id @param {string} position @param {string} move */
  function crowned(id, position, move) {
    const game = /** @type {Game} */ (gameOf(id));
    const { pieces, turn } = game.parse(position);
    const shown = [...game.steps(pieces, move, turn), { pieces: game.preview(pieces, move, turn) }];
    return game
      .path(move, turn)
      .slice(1)
      .map((cell, i) => shown[i]?.pieces.get(cell)?.turned);
  }

  test("is a king from there on in Russian draughts", () => {
    assert.deepEqual(crowned("russian", "W:W13:B7,9,12,K20", "13x6"), [false]);
    assert.deepEqual(crowned("russian", "W:W12:B8,14", "12x3x17"), [true, true]);
    assert.deepEqual(crowned("russian", "B:W10,K22,27:B24", "24x31x17x3"), [true, true, true]);
  });

  test("stays a man elsewhere, and is crowned where it ends there", () => {
    assert.deepEqual(crowned("brazilian", "W:W12:B7,8,14", "12x3x10x17"), [false, false, false]);
    assert.deepEqual(crowned("international", "W:W14:B8,9", "14x3x12"), [false, false]);
    assert.deepEqual(crowned("pool", "B:W17,26,27:B22", "22x31x24"), [false, false]);
    assert.deepEqual(crowned("pool", "B:W23,25:B21", "21x30"), [true]);
  });
});

describe("draughts in which Black begins", () => {
  test("have Black's home below, and the others White's", () => {
    for (const [id, corner] of /** @type {const} */ ([
      ["checkers", "4"],
      ["pool", "4"],
      ["russian", "29"],
      ["international", "46"],
    ]))
      assert.equal(gameOf(id)?.layout("").rows.at(-1)?.[0]?.id, corner, id);
  });
});

describe("a sowing", () => {
  const total = (/** @type {Pieces} */ pieces) => [...pieces.values()].reduce((sum, { count = 0 }) => sum + count, 0);

  test("goes seed by seed, and none is lost on the way", () => {
    for (const game of GAMES.filter(({ id }) => ["kalah", "oware", "congkak", "pallanguzhi"].includes(id))) {
      const { pieces, turn } = game.parse(game.picture);
      for (const move of Rules.fromPosition(game.id, game.picture).legalMoves()) {
        const steps = [...game.steps(pieces, move, turn), { pieces: game.preview(pieces, move, turn), hand: null }];
        const seeds = pieces.get(game.path(move, turn)[0] ?? "")?.count ?? 0;
        assert.ok(steps.length >= seeds, `${game.id} ${move}`);
        for (const { pieces: shown, hand } of steps) assert.equal(total(shown) + (hand?.seeds ?? 0), total(pieces), `${game.id} ${move}`);
        // The hand takes up all seeds of the house, and has one less at each house on its way.
        assert.deepEqual(steps[0]?.hand, { cell: game.path(move, turn)[0], seeds, kind: pieces.get("s1")?.kind, lifted: true });
        for (const [i, { hand }] of steps.entries()) {
          const last = steps[i - 1]?.hand;
          // It waits over a house that is won on the way.
          const waits = hand?.cell === last?.cell;
          if (hand && !hand.lifted) assert.equal(hand.seeds, (last?.seeds ?? 0) - (waits ? 0 : 1), `${game.id} ${move}`);
        }
      }
    }
  });

  test("leaves traces: where its last seed fell, and what it took", () => {
    const kalah = /** @type {Game} */ (gameOf("kalah"));
    const { pieces } = kalah.parse("1,0,2,1,6,0,9/3,0,5,5,1,2,6 s");
    // From house 1 into the empty house 2, which takes the house opposite.
    assert.deepEqual(kalah.traces?.(pieces, "1", "first"), { end: "s2", taken: ["s2", "n5"] });
    assert.deepEqual(kalah.traces?.(pieces, "3", "first"), { end: "s5", taken: [] });
    const congkak = /** @type {Game} */ (gameOf("congkak"));
    const start = congkak.parse(congkak.start).pieces;
    // Seven seeds from house 1 end in the store; from house 2 in a house of the other side, where the sowing goes on.
    assert.equal(congkak.reach?.(start, "1", "first"), "s-store");
    assert.equal(congkak.reach?.(start, "2", "first"), "n1");
    assert.notEqual(congkak.traces?.(start, "2", "first").end, "n1");
  });

  test("names the houses as their players see them", () => {
    const kalah = /** @type {Game} */ (gameOf("kalah"));
    const rows = kalah.layout("").rows.map((row) => row.map(({ id }) => id));
    assert.deepEqual(rows, [
      ["n-store", "n6", "n5", "n4", "n3", "n2", "n1"],
      ["s1", "s2", "s3", "s4", "s5", "s6", "s-store"],
    ]);
    const congkak = /** @type {Game} */ (gameOf("congkak"));
    assert.deepEqual(
      congkak.layout("").rows[1]?.map(({ id }) => id),
      ["s-store", "s7", "s6", "s5", "s4", "s3", "s2", "s1"],
    );
  });
});

describe("a ply of Pallanguzhi", () => {
  const pallanguzhi = /** @type {Game} */ (gameOf("pallanguzhi"));
  const counts = (/** @type {Pieces} */ pieces) => [...pieces].map(([cell, { kind, count }]) => `${cell} ${kind} ${count}`).sort();

  test("ends where the rules end it, in every recorded game", () => {
    const file = new URL("../../rules/tests/vectors/pallanguzhi.playouts.json", import.meta.url);
    const { playouts } = JSON.parse(readFileSync(file, "utf8"));
    for (const { start, moves, result } of playouts) {
      const rules = start === undefined ? Rules.start("pallanguzhi", "") : Rules.fromPosition("pallanguzhi", start);
      for (const move of moves.split(" ")) {
        const { pieces, turn } = pallanguzhi.parse(rules.position());
        rules.play(move);
        // Where positions are repeated, the sides take the seeds of their rows, which the page learns from the rules.
        if (rules.outcome() !== undefined && result.reason === "repetition") continue;
        const told = counts(pallanguzhi.parse(rules.position()).pieces);
        assert.deepEqual(counts(pallanguzhi.preview(pieces, move, turn)), told, `${start} ${rules.moves().join(" ")}`);
      }
    }
  });

  test("takes a pasu at once, goes on with the next pit, and wins the pit behind an empty one", () => {
    const { pieces } = pallanguzhi.parse("1,0,0,5,0,0,2,30/0,0,0,0,0,0,5,41 s");
    const lifted = pallanguzhi.steps(pieces, "1", "first").flatMap(({ hand }) => (hand?.lifted ? [`${hand.cell} ${hand.seeds}`] : []));
    assert.deepEqual(lifted, ["s1 1", "s7 2"]);
    assert.deepEqual(pallanguzhi.traces?.(pieces, "1", "first"), { end: "n2", taken: ["s4"] });
    const pasu = pallanguzhi.steps(pallanguzhi.parse("0,0,0,0,0,0,2,30/3,0,0,0,0,1,5,43 s").pieces, "7", "first");
    assert.deepEqual(
      pasu.map(({ pieces: shown, hand }) => [shown.get("n1")?.count, shown.get("s-store")?.count, hand?.seeds ?? 0]),
      [
        [3, 30, 2],
        [4, 30, 1],
        [0, 34, 1],
        [0, 34, 0],
      ],
    );
  });

  test("is named by its pits", () => {
    assert.deepEqual(
      pallanguzhi.layout("").rows.map((row) => row.map(({ id }) => id)),
      [
        ["n-store", "n7", "n6", "n5", "n4", "n3", "n2", "n1"],
        ["s1", "s2", "s3", "s4", "s5", "s6", "s7", "s-store"],
      ],
    );
  });
});

describe("a match of Pallanguzhi", () => {
  const pallanguzhi = /** @type {Game} */ (gameOf("pallanguzhi"));

  /**
   * Plays to the end, and tells the round after each ply.
   * @param {string} setup
   * @param {(round: Round | null, ply: number, before: Pieces) => void} told
   */
  function played(setup, told) {
    const rules = Rules.start("pallanguzhi", setup);
    const positions = [rules.position()];
    /** @type {string[]} */
    const moves = [];
    for (let ply = 1; rules.outcome() === undefined; ply++) {
      const legal = rules.legalMoves();
      const move = legal[(ply * 7 + 3) % legal.length] ?? "";
      const { pieces, turn } = pallanguzhi.parse(rules.position());
      rules.play(move);
      moves.push(move);
      positions.push(rules.position());
      told(pallanguzhi.round?.(setup, positions, moves) ?? null, ply, pallanguzhi.preview(pieces, move, turn));
    }
    return rules;
  }

  test("is counted from its positions, with the seeds that each side owns", () => {
    let number = 1;
    played("rounds=5", (round, ply) => {
      if (round?.ply === ply) number += 1;
      assert.equal(round?.number, number);
      assert.equal((round?.owned.first ?? 0) + (round?.owned.second ?? 0), 84);
    });
    assert.ok(number > 1, "there was a second round");
  });

  test("that is a pair adds what the first round has given", () => {
    /** @type {Round[]} */
    const second = [];
    /** @type {Seats<number> | null} */
    let won = null;
    const rules = played("form=pair", (round, ply, left) => {
      if (round?.ply === ply) won = pallanguzhi.tally(left);
      if (round?.number === 2) second.push(round);
      else assert.deepEqual(round, { number: 1, of: 2, owned: { first: 0, second: 0 }, ply: 0, adds: true });
    });
    assert.ok(second.length > 1);
    for (const round of second) assert.deepEqual(round, { number: 2, of: 2, owned: won, ply: second[0]?.ply, adds: true });
    const score = rules.outcome()?.match(/(\d+)-(\d+)$/);
    assert.equal(Number(score?.[1]) + Number(score?.[2]), 168);
  });

  test("goes on from the round that its setup says", () => {
    const start = "6,6,6,6,6,6,6,18/6,6,6,6,x,x,x,0 n";
    const roundOf = (/** @type {string} */ setup, /** @type {string} */ position) => pallanguzhi.round?.(setup, [position], []);
    assert.deepEqual(roundOf("rounds=3,round=2,owned=60-24", start), {
      number: 2,
      of: 3,
      owned: { first: 60, second: 24 },
      ply: 0,
      adds: false,
    });
    const { owned, number } = roundOf("form=pair,round=2,owned=50-34", pallanguzhi.start.replace(" s", " n")) ?? {};
    assert.deepEqual([number, owned], [2, { first: 50, second: 34 }]);
    assert.equal(roundOf("", pallanguzhi.start), null);
  });
});

describe("a match of rounds", () => {
  const congkak = /** @type {Game} */ (gameOf("congkak"));
  const roundOf = (/** @type {string} */ setup, /** @type {string[]} */ positions) => congkak.round?.(setup, positions, []);

  test("is counted from its positions, whoever won the last round", () => {
    const rules = Rules.start("congkak", "form=limited,rounds=5");
    const positions = [rules.position()];
    assert.deepEqual(roundOf("form=limited,rounds=5", positions), {
      number: 1,
      of: 5,
      owned: { first: 49, second: 49 },
      ply: 0,
      adds: false,
    });
    const begun = [0];
    for (let ply = 1; rules.outcome() === undefined; ply++) {
      const legal = rules.legalMoves();
      rules.play(legal[(ply * 7 + 3) % legal.length] ?? "");
      positions.push(rules.position());
      const round = roundOf("form=limited,rounds=5", positions);
      if (round?.ply === ply) begun.push(ply);
      assert.equal(round?.number, begun.length);
      assert.equal((round?.owned.first ?? 0) + (round?.owned.second ?? 0), 98);
    }
    assert.ok(begun.length > 1, "there was a second round");
    const [winner, reason] = rules.outcome()?.split(" ") ?? [];
    assert.ok(winner && reason === "row-empty");
  });

  test("goes on from the round that its setup says, and a round of its own is none", () => {
    const start = "7,7,7,7,7,7,7,11/x,x,7,7,7,7,7,3 n";
    assert.deepEqual(roundOf("rounds=3,round=2,owned=60-38", [start]), {
      number: 2,
      of: 3,
      owned: { first: 60, second: 38 },
      ply: 0,
      adds: false,
    });
    assert.equal(roundOf("", [congkak.start]), null);
    assert.equal(roundOf("form=limited", [congkak.start]), null);
  });
});

describe("a match from a position", () => {
  for (const game of GAMES) {
    test(`of ${game.id} has a cell for every piece, and no rounds`, () => {
      const positions = new Set(playoutsOf(game).flatMap(({ start, final }) => [start ?? game.start, final]));
      assert.ok(positions.size > 10);
      for (const position of positions) {
        const setup = setupAt(position);
        const cells = game
          .layout(setup)
          .rows.flat()
          .map(({ id }) => id);
        const { pieces } = game.parse(position);
        assert.deepEqual(
          [...pieces.keys()].filter((cell) => !cells.includes(cell)),
          [],
          position,
        );
        assert.equal(game.round?.(setup, [position], []) ?? null, null, position);
      }
    });
  }
});

describe("the other way round", () => {
  test("a cell of one side stands where its like stands for the other", () => {
    for (const game of GAMES) {
      const { rows, width, height, fixed } = game.layout("");
      const boxes = rows.flat().map(({ x, y, w, h }) => [x, y, w, h].join());
      if (!fixed)
        for (const { x, y, w, h } of rows.flat()) assert.ok(boxes.includes([width - x - w, height - y - h, w, h].join()), game.id);
    }
    assert.equal(other("first"), "second");
  });
});

describe("a recorded game of the home page", () => {
  for (const { id } of GAMES) {
    test(`of ${id} is by the rules, ply by ply, to its end`, () => {
      const game = /** @type {Game} */ (gameOf(id));
      const rules = Rules.fromPosition(id, game.start);
      for (const { move, side, pieces } of pliesOf(game)) {
        assert.equal(rules.turn(), side);
        rules.play(move);
        assert.deepEqual(told(pieces), told(game.parse(rules.position()).pieces), move);
      }
      assert.notEqual(rules.outcome(), undefined);
    });
  }
});
