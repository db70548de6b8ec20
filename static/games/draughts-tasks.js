// @ts-check
// The tasks that the draughts with flying kings have in common; their texts are those of each game.

/** @type {import("./types.js").Task[]} */
export const COMMON = [
  {
    key: "crown",
    position: "W:W8,30,31:B20",
    goals: [{ kind: "crowns" }],
    moves: 1,
    solution: ["8-4"],
    wrong: "31-27",
  },
  {
    key: "trade",
    position: "W:W23,24,28:B4,7,15,16,21",
    goals: [{ kind: "takes", n: 2 }],
    moves: 2,
    solution: ["24-19", "15x24", "28x19x12"],
    wrong: "23-18",
    answered: true,
  },
  {
    key: "block",
    position: "W:W19,20:B12",
    goals: [{ kind: "wins" }],
    moves: 1,
    solution: ["20-16"],
    wrong: "19-15",
  },
  {
    key: "landing",
    position: "W:WK32:B2,5,6,18",
    goals: [{ kind: "holds", what: "pieces", n: 0 }],
    moves: 1,
    solution: ["32x14"],
    wrong: "32x9",
  },
];
