// @ts-check
// The tasks of Mawe!: stones home, pinning and freeing stones. `tests/learn.test.js` plays the solution of each.

/** @import { Task } from "../types.js" */

/** @type {Task[]} */
export const tasks = [
  {
    key: "home",
    position: "8/8/8/2W5/8/1B6/8/8 w",
    goals: [{ kind: "gains", n: 1 }],
    moves: 1,
    solution: ["c5f8"],
    wrong: "c5d6",
  },
  {
    key: "pin",
    position: "8/8/8/4B3/8/2W5/8/8 w",
    goals: [{ kind: "pins", n: 1 }],
    moves: 1,
    solution: ["c3f6"],
    wrong: "c3d4",
  },
  {
    key: "sideways",
    position: "8/8/8/3B4/2BW4/8/8/8 w",
    goals: [{ kind: "pins", n: 1 }],
    moves: 1,
    solution: ["d4b4"],
    wrong: "d4e5",
  },
  {
    key: "free",
    position: "8/8/8/4w3/8/2W5/8/8 w",
    goals: [{ kind: "frees", n: 1 }],
    moves: 1,
    solution: ["c3f6"],
    wrong: "c3d4",
  },
  {
    key: "both",
    position: "8/5B2/4W3/8/8/8/2W5/8 w",
    goals: [
      { kind: "pins", n: 1 },
      { kind: "gains", n: 1 },
    ],
    moves: 1,
    solution: ["e6g8"],
    wrong: "e6d7",
  },
  {
    key: "safe",
    position: "8/8/5B2/8/3W4/8/7W/8 w",
    goals: [{ kind: "holds", what: "stones", n: 0 }],
    moves: 1,
    solution: ["d4b6"],
    wrong: "d4e5",
  },
  {
    key: "win",
    position: "2W5/6W1/8/8/8/8/4W3/B7 w",
    goals: [{ kind: "wins" }],
    moves: 1,
    solution: ["g7h8"],
    wrong: "e2d3",
  },
];
