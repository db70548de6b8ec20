// @ts-check
// The pictures of the rules of international draughts, on ten by ten.

/** @type {import("../types.js").Lesson[]} */
export const lessons = [
  {
    key: "start",
    position: "W:W31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50:B1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20",
    legal: ["31-26", "31-27", "32-27", "32-28", "33-28", "33-29", "34-29", "34-30", "35-30"],
    move: null,
  },
  { key: "step", texts: "draughts", position: "W:W28,37:B3,8", legal: ["28-22", "28-23"], move: "28-23" },
  { key: "capture", texts: "draughts", position: "W:W23,48:B4,28", legal: ["23x32"], move: "23x32" },
  { key: "most", texts: "draughts", position: "W:W28,40:B2,22,24,34", legal: ["40x29x20"], move: "40x29x20" },
  { key: "pass", texts: "draughts", position: "W:W14,45:B8,9,30", legal: ["14x3x12"], move: "14x3x12" },
  {
    key: "king",
    texts: "draughts",
    position: "W:WK28,47:B3,15",
    legal: "28-10 28-11 28-14 28-17 28-19 28-22 28-23 28-32 28-33 28-37 28-39 28-41 28-44 28-46 28-5 28-50 28-6".split(" "),
    move: "28-50",
  },
  { key: "hunt-most", texts: "draughts", position: "W:WK6:B17,23,30", legal: ["6x28x19x35"], move: "6x28x19x35" },
  { key: "stay", texts: "draughts", position: "B:W12,34:BK23", legal: ["23x1", "23x40", "23x45", "23x7"], move: "23x7" },
  { key: "end", position: "W:W16:B7,11", legal: [], move: null },
];
