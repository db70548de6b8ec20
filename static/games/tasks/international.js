// @ts-check
// The tasks of international draughts, on ten by ten: captures, crowns and sacrifices. `tests/learn.test.js` plays the solution of each.

/** @type {import("../types.js").Task[]} */
export const tasks = [
  {
    key: "crown",
    texts: "draughts",
    position: "W:W8,44,45:B29",
    goals: [{ kind: "crowns" }],
    moves: 1,
    solution: ["8-2"],
    wrong: "44-39",
  },
  {
    key: "trade",
    texts: "draughts",
    position: "W:W19,27,31,41,45:B4,5,12,18,22,30",
    goals: [{ kind: "takes", n: 2 }],
    moves: 2,
    solution: ["19-13", "18x9", "27x18x7"],
    wrong: "41-36",
    answered: true,
  },
  {
    key: "block",
    texts: "draughts",
    position: "W:W31,41:B26",
    goals: [{ kind: "wins" }],
    moves: 1,
    solution: ["41-37"],
    wrong: "41-36",
  },
  {
    key: "landing",
    texts: "draughts",
    position: "W:WK33:B16,21,22,26",
    goals: [{ kind: "holds", what: "pieces", n: 0 }],
    moves: 1,
    solution: ["33x6"],
    wrong: "33x17",
  },
  {
    key: "shot",
    texts: "draughts",
    position: "W:W34,36,37,38,39,43:B6,10,13,15,16,21,24,25,35",
    goals: [{ kind: "takes", n: 3 }],
    moves: 2,
    solution: ["34-30", "25x34", "39x30x19x8"],
    wrong: "38-33",
    answered: true,
  },
  {
    key: "breakthrough",
    position: "W:W35,36,37,38,39,43,45,46,48,49:B6,7,15,17,23,24,27,29",
    goals: [{ kind: "takes", n: 4 }, { kind: "crowns" }],
    moves: 2,
    solution: ["38-33", "29x38", "43x32x21x12x1"],
    wrong: "37-31",
    answered: true,
  },
];
