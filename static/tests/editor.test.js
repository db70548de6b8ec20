// @ts-check
// The editor of positions: the text of a position, the tools, the judgement of the rules, odds.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import {
  add,
  begin,
  canPlay,
  clear,
  createEditor,
  digit,
  empty,
  gameHere,
  gameWithPeople,
  give,
  isTooLarge,
  MOST_CHARS,
  MOST_SEEDS,
  move,
  oppositeOf,
  put,
  seeds,
  setText,
  setTurn,
} from "../editor/state.js";
import { isWriting } from "../editor/texts.js";
import { editingOf } from "../games/editing.js";
import { Game, initSync } from "../wasm/rules.js";
import { GAMES, gameOf } from "./loaded-games.js";

initSync({ module: readFileSync(new URL("../wasm/rules_bg.wasm", import.meta.url)) });

/** Every position in a file of vectors. @param {string} file @returns {Set<string>} */
function positionsIn(file) {
  /** @type {Set<string>} */
  const found = new Set();
  const keys = ["pos", "position", "start", "start_limited", "start_kujifunza", "final"];
  const walk = (/** @type {unknown} */ value) => {
    if (Array.isArray(value)) value.forEach(walk);
    else if (typeof value === "object" && value !== null)
      for (const [key, inner] of Object.entries(value)) {
        if (typeof inner === "string" && keys.includes(key)) found.add(inner);
        else if (key === "after") for (const one of Object.values(inner)) found.add(String(one));
        else walk(inner);
      }
  };
  walk(JSON.parse(readFileSync(new URL(`../../rules/tests/vectors/${file}`, import.meta.url), "utf8")));
  return found;
}

describe("a position is written as it was read", () => {
  for (const game of GAMES) {
    test(game.id, async () => {
      const { read, write, empty } = await editingOf(game);
      const positions = new Set([...positionsIn(`${game.id}.json`), ...positionsIn(`${game.id}.playouts.json`), empty]);
      assert.ok(positions.size > 100, String(positions.size));
      for (const position of positions) {
        // Some files have a position in another order than the rules print it in.
        const printed = Game.fromPosition(game.id, position);
        assert.equal(write(read(position)), printed.position());
        printed.free();
      }
      // The rules accept a board without pieces, which is then over at once.
      const rules = Game.fromPosition(game.id, empty);
      assert.notEqual(rules.outcome(), undefined);
      rules.free();
    });
  }
});

/** @param {string} id @param {string | null} [position] */
async function edit(id, position = null) {
  const game = gameOf(id);
  assert.ok(game);
  return createEditor(Game, game, await editingOf(game), position);
}

/** @param {Awaited<ReturnType<typeof edit>>} editor @param {string} name */
function choose(editor, name) {
  const tool = editor.editing.tools.find((one) => one.name === name);
  assert.ok(tool, name);
  editor.tool = tool;
}

describe("a board of pieces", () => {
  test("takes a piece where there is none, another one, and gives the same back", async () => {
    const editor = await edit("mawe");
    put(editor, "d4");
    assert.equal(editor.text, "BBBBBBBB/8/8/8/3W4/8/8/WWWWWWWW w");
    choose(editor, "dark-pinned");
    put(editor, "d4");
    assert.equal(editor.text, "BBBBBBBB/8/8/8/3b4/8/8/WWWWWWWW w");
    put(editor, "d4");
    assert.equal(editor.position, "BBBBBBBB/8/8/8/8/8/8/WWWWWWWW w");
    choose(editor, "empty");
    put(editor, "a1");
    assert.equal(editor.text, "BBBBBBBB/8/8/8/8/8/8/1WWWWWWW w");
  });

  test("moves a piece, also off the board, and chooses a tool by a digit", async () => {
    const editor = await edit("checkers");
    move(editor, "9", "15");
    move(editor, "10", null);
    assert.equal(editor.text, "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,11,12,15");
    move(editor, "15", "15");
    move(editor, "13", "16");
    assert.equal(editor.edited.pieces.size, 23);
    digit(editor, "15", "4");
    assert.equal(editor.tool.name, "dark-king");
    put(editor, "15");
    assert.ok(editor.text.endsWith("12,K15"), editor.text);
  });

  test("has a side to move, an empty board and the start", async () => {
    const editor = await edit("reversi");
    setTurn(editor, "second");
    clear(editor);
    assert.equal(editor.text, `${"-".repeat(64)} O`);
    assert.deepEqual([editor.result?.winner, canPlay(editor)], [null, false]);
    begin(editor);
    assert.equal(editor.position, editor.game.start);
    assert.equal(canPlay(editor), true);
  });
});

test("a position of Mawe! keeps its form", async () => {
  const editor = await edit("mawe", "8/8/8/4B3/8/8/8/W7 wd");
  setTurn(editor, "second");
  assert.equal(editor.position, "8/8/8/4B3/8/8/8/W7 bd");
  assert.equal(editor.game.parse("8/8/8/4B3/8/8/8/W7 bd").turn, "second");
});

describe("a board of seeds", () => {
  test("counts by one, and by digits one after another", async () => {
    const editor = await edit("kalah");
    put(editor, "s1");
    put(editor, "s2", oppositeOf(editor));
    assert.equal(editor.text, "5,3,4,4,4,4,0/4,4,4,4,4,4,0 s");
    assert.equal(seeds(editor), 48);
    for (const one of "12") digit(editor, "s-store", one);
    assert.equal(editor.text, "5,3,4,4,4,4,12/4,4,4,4,4,4,0 s");
    for (const one of "34") digit(editor, "s-store", one);
    assert.match(editor.text, /^5,3,4,4,4,4,4\//);
    empty(editor, "n1");
    add(editor, "n1", -1);
    add(editor, "n2", 1);
    assert.equal(editor.text, "5,3,4,4,4,4,4/0,5,4,4,4,4,0 s");
    setTurn(editor, "second");
    clear(editor);
    assert.equal(editor.text, "0,0,0,0,0,0,0/0,0,0,0,0,0,0 n");
  });

  test("keeps the extra moves of limited Congkak, and burns houses by the rules", async () => {
    const editor = await edit("congkak", "7,7,7,7,7,7,7,0/7,7,7,7,7,7,7,0 s0");
    setTurn(editor, "second");
    assert.equal(editor.position, "7,7,7,7,7,7,7,0/7,7,7,7,7,7,7,0 n0");
    choose(editor, "burnt");
    put(editor, "n2");
    assert.deepEqual(editor.fault, { code: "misplaced-burnt-house", at: 19 });
    assert.equal(editor.text[18], "x");
    put(editor, "n1");
    assert.equal(editor.position, "7,7,7,7,7,7,7,0/x,x,7,7,7,7,7,0 n0");
    // A burnt house holds no seeds, and a store cannot burn.
    digit(editor, "n1", "3");
    add(editor, "n1", 1);
    empty(editor, "n1");
    put(editor, "n-store");
    assert.equal(editor.position, "7,7,7,7,7,7,7,0/x,x,7,7,7,7,7,0 n0");
    put(editor, "n2");
    assert.equal(editor.position, "7,7,7,7,7,7,7,0/x,0,7,7,7,7,7,0 n0");
  });

  test("marks the house of Bao, which stays while its pit is empty", async () => {
    const editor = await edit("bao");
    empty(editor, "sA5");
    assert.ok(editor.text.startsWith("0,0,0,0,0,2,2"), editor.text);
    digit(editor, "sA5", "6");
    assert.equal(editor.position, editor.game.start);
    choose(editor, "nyumba");
    put(editor, "sA6");
    assert.equal(editor.fault?.code, "misplaced-house-mark");
    put(editor, "sA6");
    setTurn(editor, "second");
    assert.deepEqual(editor.fault, { code: "unfit-stores", at: null });
  });
});

describe("a text", () => {
  test("is shown if the rules accept it, in their form", async () => {
    const editor = await edit("checkers");
    setText(editor, " W:B12,K2:W21,K31 ");
    assert.equal(editor.position, "W:W21,K31:BK2,12");
    assert.equal(editor.text, " W:B12,K2:W21,K31 ");
    assert.equal(editor.edited.pieces.get("2")?.turned, true);
    assert.equal(isWriting(editor), false);
  });

  test("that is refused stays, with the reason and its place, and leaves the board alone", async () => {
    const editor = await edit("checkers", "W:W33:B2");
    assert.deepEqual(editor.fault, { code: "no-such-square", at: 5 });
    assert.equal(editor.edited.pieces.size, 24);
    assert.equal(isWriting(editor), true);
    assert.equal(canPlay(editor), false);
    for (const [id, text, fault] of /** @type {const} */ ([
      ["mawe", "BBBBBBBB/8/8/8/8/8/8/WWWWWWWWW w", { code: "row-too-long", at: 30 }],
      ["mawe", "BBBBBBBB/8/8/8/8/8/8/WWWWWWWW", { code: "ends-early", at: null }],
      ["kalah", "4,4,4,4,4,4,0/4,4,04,4,4,4,0 s", { code: "leading-zero", at: 20 }],
      ["reversi", `${"-".repeat(64)} Y`, { code: "unknown-side-to-move", at: 66 }],
      ["oware", "x".repeat(MOST_CHARS + 1), { code: "too-long", at: null }],
    ])) {
      const other = await edit(id, text);
      assert.deepEqual([other.text, other.fault], [text, fault]);
    }
  });

  test("of a position that is over has its result", async () => {
    const editor = await edit("checkers", "W:W:B1");
    assert.deepEqual(editor.result, { winner: "first", reason: "no-pieces", score: null });
    assert.equal(canPlay(editor), false);
  });

  test("every reason of the rules is told in every language", () => {
    const errors = readFileSync(new URL("../../rules/src/error.rs", import.meta.url), "utf8");
    const codes = [...errors.matchAll(/PositionFault::\w+ => "([a-z]+(?:-[a-z]+)*)"/g)].map(([, code]) => `editor.fault.${code}`);
    assert.ok(codes.length > 15);
    const words = JSON.parse(readFileSync(new URL("../i18n/editor/en.json", import.meta.url), "utf8"));
    assert.deepEqual(
      codes.filter((key) => !(key in words)),
      [],
    );
  });
});

describe("a game from the position", () => {
  test("is told to the server by its setup, and to this device beside an empty one", async () => {
    const editor = await edit("checkers", "W:W18,K30:B1,2");
    assert.deepEqual(gameWithPeople(editor), { game: "checkers", setup: "position=W:W18,K30:B1,2", rated: false });
    const { time_control, ...here } = gameHere(editor);
    assert.deepEqual(here, { game: "checkers", setup: "", here: true, start: "W:W18,K30:B1,2", turn: "second" });
    assert.equal(time_control.kind, "unlimited");
  });

  test("is that of the rules' own text, however it was written", async () => {
    const editor = await edit("checkers", "W:WK30,18:B2,1");
    assert.equal(gameWithPeople(editor).setup, `position=${editor.position}`);
    assert.equal(gameHere(editor).start, editor.position);
  });
});

describe("a position for the server", () => {
  test("has the bounds of the server", () => {
    const source = readFileSync(new URL("../../server/src/http/positions.rs", import.meta.url), "utf8");
    const bound = (/** @type {string} */ name) =>
      Number(new RegExp(`const ${name}: \\w+ = ([\\d_]+);`).exec(source)?.[1]?.replaceAll("_", ""));
    assert.deepEqual([bound("MAX_POSITION_CHARS"), bound("MAX_SEEDS")], [MOST_CHARS, MOST_SEEDS]);
  });

  test("is too large with one seed more, and can be played on this device", async () => {
    const kalah = (/** @type {number} */ store) => edit("kalah", `4,4,4,4,4,4,0/4,4,4,4,4,4,${store} s`);
    const [most, over] = await Promise.all([kalah(MOST_SEEDS - 48), kalah(MOST_SEEDS - 47)]);
    assert.deepEqual([most, over].map(isTooLarge), [false, true]);
    assert.deepEqual([most, over].map(canPlay), [true, true]);
    // The squares of a board of pieces have numbers, too: more than 1,000 in all.
    assert.equal(isTooLarge(await edit("international")), false);
  });

  test("has the extra moves of limited Congkak among its seeds, as the server counts them", async () => {
    const congkak = (/** @type {string} */ side) => edit("congkak", `7,7,7,7,7,7,7,0/7,7,7,7,7,7,7,${MOST_SEEDS - 98} ${side}`);
    const [plain, limited] = await Promise.all([congkak("s"), congkak("s1")]);
    assert.deepEqual([plain.fault, limited.fault], [null, null]);
    assert.deepEqual([plain, limited].map(isTooLarge), [false, true]);
  });
});

describe("odds", () => {
  for (const { id } of GAMES)
    test(`of ${id} leave a position that can be played`, async () => {
      for (const odds of (await edit(id)).editing.odds) {
        const editor = await edit(id);
        assert.equal(give(editor, odds), true);
        assert.ok(canPlay(editor), editor.text);
        assert.ok(editor.position !== editor.game.start || odds.n !== undefined);
      }
    });

  test("take a piece from the back, give corners, and fill the houses", async () => {
    const texts = async (/** @type {string} */ id) => {
      const { odds } = (await edit(id)).editing;
      return Promise.all(
        odds.map(async (one) => {
          const editor = await edit(id);
          give(editor, one);
          return editor.text;
        }),
      );
    };
    assert.deepEqual(await texts("mawe"), ["BBBBBBBB/8/8/8/8/8/8/WWWWWWW1 w", "BBBBBBB1/8/8/8/8/8/8/WWWWWWWW w"]);
    assert.ok((await texts("drafti"))[0]?.includes("30,31:B1,"));
    assert.ok((await texts("pool"))[1]?.endsWith(":B2,3,4,5,6,7,8,9,10,11,12"));
    assert.ok((await texts("reversi"))[0]?.startsWith("X-------"));
    assert.equal((await texts("oware"))[2], "5,5,5,5,5,5,0/5,5,5,5,5,5,0 s");
  });

  test("change nothing where there is nothing to take or to give", async () => {
    const editor = await edit("mawe", "8/8/8/8/8/8/8/8 w");
    assert.equal(give(editor, /** @type {NonNullable<(typeof editor.editing.odds)[0]>} */ (editor.editing.odds[0])), false);
    const full = await edit("reversi", `X------X${"-".repeat(48)}X------X X`);
    for (const odds of full.editing.odds) assert.equal(give(full, odds), false);
  });
});
