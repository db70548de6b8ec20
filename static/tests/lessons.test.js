// @ts-check
// The pictures of the rule pages, compared with the rules.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { before, describe, test } from "node:test";

import { Game, games, initSync } from "../wasm/rules.js";

/** @import { Lesson } from "../games/types.js" */

const FOLDER = new URL("../games/lessons/", import.meta.url);
const files = readdirSync(FOLDER).filter((name) => name.endsWith(".js"));

/** @type {Map<string, Lesson[]>} by game */
const lessons = new Map(
  await Promise.all(
    files.map(async (file) => {
      const module = await import(new URL(file, FOLDER).href);
      return /** @type {[string, Lesson[]]} */ ([file.slice(0, -".js".length), module.lessons]);
    }),
  ),
);

/**
 * The claims of the texts about the move of a picture, or about its position if it has no move: the position after it, and the result where
 * the match is over and the text names it.
 * @type {Record<string, Record<string, string>>}
 */
const TOLD = {
  mawe: {
    slide: "8/8/5W2/4W3/8/8/8/8 b",
    jump: "8/8/5W2/4b3/8/8/8/8 b",
    free: "8/8/5W2/4W3/8/8/8/8 b",
    sideways: "8/8/8/8/1Wb1w3/8/8/8 b",
    end: "1W3WWW/4W3/B3w1W1/1w1b4/6b1/8/3b4/2BBB1B1 b, draw no-moves 4-4",
  },
  reversi: {
    flip: "------------------XXXXX----------------------------------------- O",
    lines: "---------X-X-X----XXX----XXXXX----XXX----X-X-X------------------ O",
    gap: "------------------XXXO------------------OOO--------------------- O",
    once: "-XXXX------O-------X-------------------------------------------- O",
    corner: "XXXX----X-------X----------------------------------------------- O",
    end: "OOOOOOO-OXXXOXXXXXXOXXXXXXOXXOXXXOOXXOXXXOXXXXXXXXOOOOXXXXXXXXXX O, X no-moves 43-20",
  },
  checkers: {
    step: "W:W21,27,30,31:B3,8,18",
    capture: "W:W28,31:B4,9,23",
    multi: "W:W30:B3,26",
    choice: "W:W16,24,32:B11,23",
    crown: "W:W27,32:BK31",
    king: "B:WK22,30:B3,4,12",
    tour: "W:W32:BK10",
    end: "B:W9,14,16,19:B5,12, W blocked",
  },
  drafti: {
    step: "B:W15,26:B3,7",
    capture: "B:W15,30,31:B4",
    choice: "B:W14,22,31:B11,18,23",
    crown: "B:WK3,28:B14",
    king: "B:WK29,30:B3,12",
    hunt: "B:WK30:B",
    stay: "W:W25:BK8",
    end: "W:W13:B6,9, B blocked",
  },
  brazilian: {
    step: "B:W15,26:B3,7",
    capture: "B:W23,31:B4",
    most: "B:W11,14,32:B3,9",
    pass: "B:W17,28:B",
    king: "B:WK29,30:B3,12",
    "hunt-most": "B:WK30:B",
    stay: "W:W25:BK8",
    end: "W:W13:B6,9, B blocked",
  },
  russian: {
    step: "B:W15,26:B3,7",
    capture: "B:W23,31:B4",
    choice: "B:W14,22,31:B11,18,23",
    crown: "B:WK17,28:B20",
    king: "B:WK29,30:B3,12",
    hunt: "B:WK30:B",
    stay: "W:W25:BK8",
    end: "W:W13:B6,9, B blocked",
  },
  international: {
    step: "B:W23,37:B3,8",
    capture: "B:W32,48:B4",
    most: "B:W20,28:B2,22",
    pass: "B:W12,45:B30",
    king: "B:W47,K50:B3,15",
    "hunt-most": "B:WK35:B",
    stay: "W:W34:BK7",
    end: "W:W16:B7,11, B blocked",
  },
  pool: {
    step: "W:W26,30:B7,18",
    capture: "W:W29:B2,10",
    choice: "W:W10,15,22:B2,11,19",
    pass: "W:W:B5,16",
    king: "W:W21,30:B3,K4",
    hunt: "W:W:BK3",
    stay: "B:WK25:B8",
    end: "B:W24,27:B20, W blocked",
  },
  kalah: {
    sow: "4,4,4,4,0,5,1/5,5,4,4,4,4,0 n",
    again: "6,5,4,3,2,0,1/4,5,4,5,4,5,0 s",
    capture: "4,0,0,0,0,0,15/4,4,0,4,4,4,9 n",
    nothing: "4,0,0,1,0,2,10/4,4,0,4,4,4,11 n",
    round: "1,1,0,1,1,2,9/2,2,2,0,2,2,23 n",
    end: "0,0,0,0,0,0,21/0,0,0,0,0,0,27 s, n row-empty 21-27",
  },
  oware: {
    sow: "4,4,4,4,0,5,0/5,5,5,4,4,4,0 n",
    capture: "0,0,0,0,0,0,17/0,0,0,0,3,4,24 n",
    chain: "0,0,0,0,0,0,21/0,0,0,0,0,5,22 n",
    stop: "0,0,0,0,0,0,16/2,4,0,0,0,5,21 n",
    origin: "0,2,2,2,2,2,5/4,4,4,4,4,4,9 n",
    slam: "2,0,0,0,0,0,19/2,2,0,0,0,0,23 n",
    feed: "4,0,0,0,2,2,17/1,0,0,0,0,0,22 n",
    end: "0,0,0,0,0,0,25/0,0,0,0,0,2,21 n, s majority 25-21",
  },
  congkak: {
    again: "0,8,8,8,8,8,8,1/7,7,7,7,7,7,7,0 s",
    relay: "2,0,0,0,0,0,1,41/1,2,0,0,0,0,3,48 n",
    tembak: "0,0,0,0,0,0,4,46/0,2,0,0,0,0,3,43 n",
    stop: "3,0,0,0,0,0,0,46/3,1,4,0,1,0,0,40 n",
    end: "0,0,0,0,0,0,0,51/0,0,0,0,0,0,0,47 s, s row-empty 51-47",
    limited: "0,0,0,0,0,2,0,47/3,0,5,0,1,0,0,40 n1",
  },
  pallanguzhi: {
    sow: "0,2,0,0,0,0,1,40/1,1,0,0,1,0,0,38 n",
    relay: "0,1,1,0,1,2,0,38/0,0,0,0,3,0,5,33 n",
    pasu: "0,0,0,0,2,0,0,42/0,0,2,0,1,0,0,37 n",
    theirs: "0,0,0,0,0,0,2,42/0,0,0,0,2,0,0,38 n",
    capture: "0,1,0,0,0,0,0,40/0,1,1,0,1,0,0,40 n",
    end: "0,0,0,0,0,0,0,40/0,0,0,0,0,0,0,44 n, n row-empty 40-44",
  },
  bao: {
    sow: "0,1,1,1,1,0,12,0,2,2,2,2,2,2,2,2,0/0,0,0,0,7,6,5,1,0,3,3,0,3,3,0,1,0 n",
    capture: "2,2,2,2,3,3,1,3,2,2,2,2,2,2,2,2,0/2,2,2,0,2,2,2,2,2,2,2,2,2,2,2,2,0 n",
    endelea: "1,1,2,2,0,2,1,1,0,9,0,0,0,1,1,1,0/0,0,6,0,0,0,0,0,0,0,0,0,0,0,0,0,0 n",
    kimbi: "2,2,3,3,1,4,1,4,2,2,2,2,2,2,2,2,0/2,0,2,2,2,0,2,2,2,2,2,2,2,2,2,2,0 n",
    takata: "0,1,1,1,0,0,0,0,0,5,0,0,2,0,0,0,0/3,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0 n",
    hamna: "1,3,7,9,2,3,1,7,2,6,3,3,1,3,0,2,0/0,0,0,0,0,0,0,0,2,4,1,0,0,0,2,2,0 n, s front-empty",
    namua: "0,0,0,0,8h,1,1,1,0,0,0,0,0,0,0,0,19/0,0,2,0,8h,1,0,1,0,0,0,0,0,0,0,0,20 n",
    store: "0,0,1,1,7h,0,2,0,0,0,0,0,0,0,0,0,21/0,0,0,0,6h,2,2,0,0,0,0,0,0,0,0,0,22 n",
    nyumba: "3,2,1,1,1,2,0,2,1,1,1,1,1,1,1,1,13/0,0,4,0,10h,2,1,0,0,0,0,0,0,0,0,0,14 n",
    tax: "0,0,1,1,8h,0,0,0,0,0,0,0,0,0,0,0,19/0,0,2,0,9h,2,1,0,0,0,0,0,0,0,0,0,20 n",
    takasia: "0,3,0,0,4,1,0,0,0,7,0,0,0,0,0,0,0/0,0,0,6,1,1,1,1,0,0,0,0,0,0,0,1,0 s",
  },
};

/** The square or the pit of the moving piece, or the whole move if that is one square or one house. @param {string} move */
const mover = (move) =>
  move
    .split(/[-x]/)[0]
    ?.replace(/^([a-h][1-8])[a-h][1-8]$/, "$1")
    .replace(/^([AB][1-8])[LR]?>?$/, "$1") ?? move;

/** Games with more pictures than nine. Bao has two forms, two stages, and a takata of its own in each of them. */
const MOST = new Map([["bao", 12]]);

before(() => {
  initSync({ module: readFileSync(new URL("../wasm/rules_bg.wasm", import.meta.url)) });
});

test("every game of the rules has its pictures, at least five and seldom more than nine", () => {
  assert.deepEqual([...lessons.keys()].sort(), games().sort());
  for (const [kind, pictures] of lessons) {
    assert.ok(pictures.length >= 5 && pictures.length <= (MOST.get(kind) ?? 9), kind);
    assert.equal(new Set(pictures.map(({ key }) => key)).size, pictures.length, kind);
    assert.equal(pictures[0]?.position, Game.start(kind, "").position(), kind);
  }
});

for (const [kind, pictures] of lessons) {
  describe(kind, () => {
    for (const { key, position, legal, move } of pictures) {
      test(key, () => {
        const game = Game.fromPosition(kind, position);
        assert.equal(game.position(), position);

        // The legal moves are all, or all of some pieces; none if the match is over, or if the text is about no move.
        const all = game.legalMoves();
        const movers = new Set(legal.map(mover));
        assert.deepEqual(
          legal,
          all.filter((m) => movers.has(mover(m))),
        );
        assert.ok(legal.length === 0 || movers.size === 1 || legal.length === all.length, "the moves of one piece, or of all");
        assert.ok(legal.length > 0 || all.length === 0 || key === "start", "moves are left out");

        if (move !== null) {
          assert.ok(legal.includes(move));
          game.play(move);
        }
        const outcome = game.outcome();
        const told = TOLD[kind]?.[key];
        if (move !== null || all.length === 0) assert.ok(told, "nothing is told of it");
        if (told?.includes(", ")) assert.equal(`${game.position()}, ${outcome}`, told);
        else if (told) assert.equal(game.position(), told);
        game.free();
      });
    }

    test("nothing is told of a picture that there is not", () => {
      const known = pictures.filter(({ move, legal }) => move !== null || legal.length === 0).map(({ key }) => key);
      assert.deepEqual(
        Object.keys(TOLD[kind] ?? {}).filter((key) => !known.includes(key)),
        [],
      );
    });
  });
}

test("the texts are right where they say what is not allowed, or what else could be", () => {
  /** @param {string} kind @param {string} key */
  const at = (kind, key) => {
    const picture = lessons.get(kind)?.find((lesson) => lesson.key === key);
    assert.ok(picture, key);
    return Game.fromPosition(kind, picture.position);
  };
  // These are the only legal moves, although there are other pieces.
  for (const [kind, key] of /** @type {const} */ ([
    ["reversi", "gap"],
    ["reversi", "once"],
    ["reversi", "pass"],
    ["checkers", "capture"],
    ["checkers", "choice"],
    ["drafti", "capture"],
    ["brazilian", "most"],
    ["international", "most"],
    ["oware", "feed"],
    ["bao", "takata"],
    ["bao", "tax"],
    ["bao", "takasia"],
  ])) {
    const picture = lessons.get(kind)?.find((lesson) => lesson.key === key);
    assert.deepEqual(at(kind, key).legalMoves(), picture?.legal, key);
  }
  assert.equal(at("checkers", "capture").explainIllegal("9-13"), "capture-compulsory");
  assert.equal(at("checkers", "crown").explainIllegal("22x31x24"), "crowning-ends-move");
  assert.equal(at("brazilian", "most").explainIllegal("14x5"), "take-the-most");
  assert.equal(at("brazilian", "hunt-most").explainIllegal("1x15x29"), "take-the-most");
  assert.equal(at("international", "most").explainIllegal("28x17"), "take-the-most");
  assert.equal(at("international", "hunt-most").explainIllegal("6x39x25"), "take-the-most");
  assert.equal(at("oware", "feed").explainIllegal("1"), "must-feed-opponent");
  assert.equal(at("congkak", "rounds").explainIllegal("1"), "burnt-house");
  assert.equal(at("pallanguzhi", "rounds").explainIllegal("5"), "rubbish-hole");
  assert.equal(at("bao", "capture").explainIllegal("A7R"), "capture-compulsory");
  assert.equal(at("bao", "takata").explainIllegal("A4L"), "singleton");
  assert.equal(at("bao", "takata").explainIllegal("B2L"), "front-row-first");
  assert.equal(at("bao", "store").explainIllegal("A5L"), "house-is-kept");
  assert.equal(at("bao", "takasia").explainIllegal("A4L"), "takasia");
  // Each of South's houses ends in the store; on the extra move every house passes the turn.
  for (const [kind, key, side] of /** @type {const} */ ([
    ["kalah", "again", "first"],
    ["congkak", "limited", "second"],
  ])) {
    const game = at(kind, key);
    for (const m of game.legalMoves()) {
      game.play(m);
      assert.equal(game.turn(), side, m);
      game.retreat(1);
    }
  }
});
