// @ts-check
// The pictures of the rules of Reversi.

/** @import { Lesson } from "../types.js" */

/** @type {Lesson[]} */
export const lessons = [
  {
    key: "start",
    position: "---------------------------OX------XO--------------------------- X",
    legal: ["c4", "d3", "e6", "f5"],
    move: null,
  },
  { key: "flip", position: "------------------XOOO------------------------------------------ X", legal: ["g3"], move: "g3" },
  { key: "lines", position: "---------X-X-X----OOO----XO-OX----OOO----X-X-X------------------ X", legal: ["d4"], move: "d4" },
  { key: "gap", position: "------------------XO-O------------------OOO--------------------- X", legal: ["e3"], move: "e3" },
  { key: "once", position: "-XOO-------O-------X-------------------------------------------- X", legal: ["e1"], move: "e1" },
  { key: "pass", position: "--------------------------XXX------XXX-------X-O-----OO------O-X X", legal: ["pass"], move: null },
  { key: "corner", position: "-OOX----O-------X----------------------------------------------- X", legal: ["a1"], move: "a1" },
  { key: "end", position: "OOOOOOO-OXXXOXXXXXXOXXXXXXOXXOXXXOOXXOXXXOXXXXXXXXOOOOXXXXXXXXXX O", legal: [], move: null },
];
