// @ts-check
// The pictures of the rules of Bao: first what the beginners' form needs, then the store and the nyumba of Bao la Kiswahili. The first is the
// start of Kiswahili, the standard of the page; where the text is about one pit, `legal` lists only that one.

/** @import { Lesson } from "../types.js" */

const START = "0,0,0,0,6h,2,2,0,0,0,0,0,0,0,0,0,22/0,0,0,0,6h,2,2,0,0,0,0,0,0,0,0,0,22 s";
const BEGINNERS = "2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,0/2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,0 s";

/** @type {Lesson[]} */
export const lessons = [
  { key: "start", position: START, legal: ["A6L", "A6R", "A7L", "A7R"], move: null },
  {
    key: "sow",
    position: "0,0,0,0,0,4,12,0,2,2,2,2,2,2,2,2,0/0,0,0,0,7,6,5,1,0,3,3,0,3,3,0,1,0 s",
    legal: ["A6L", "A6R"],
    move: "A6L",
  },
  { key: "capture", position: BEGINNERS, legal: ["A7L"], move: "A7L" },
  { key: "endelea", position: "0,3,0,0,4,1,0,0,0,9,0,0,0,0,0,0,0/0,0,6,5,0,0,0,0,0,0,0,0,0,0,0,0,0 s", legal: ["A2R"], move: "A2R" },
  { key: "kimbi", position: BEGINNERS, legal: ["A5L", "A5R"], move: "A5R" },
  {
    key: "takata",
    position: "2,0,0,1,0,0,0,0,0,5,0,0,2,0,0,0,0/3,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0 s",
    legal: ["A1L", "A1R"],
    move: "A1R",
  },
  {
    key: "hamna",
    position: "1,3,7,9,1,2,0,4,2,6,3,3,1,3,5,1,0/1,0,0,1,0,0,0,0,2,4,1,0,0,0,2,2,0 s",
    legal: ["B7R"],
    move: "B7R",
  },
  {
    key: "namua",
    position: "0,0,0,0,7h,0,0,0,0,0,0,0,0,0,0,0,20/0,0,2,3,8h,1,0,1,0,0,0,0,0,0,0,0,20 s",
    legal: ["A5L", "A5R"],
    move: "A5R",
  },
  { key: "store", position: START, legal: ["A6L", "A6R", "A7L", "A7R"], move: "A6L" },
  {
    key: "nyumba",
    position: "2,1,0,0,12h,0,0,0,0,0,0,0,0,0,0,0,14/0,0,4,4,10h,2,1,0,0,0,0,0,0,0,0,0,14 s",
    legal: ["A5L", "A5R", "A5R>"],
    move: "A5R>",
  },
  {
    key: "tax",
    position: "0,0,0,0,9h,0,0,0,0,0,0,0,0,0,0,0,20/0,0,2,0,9h,2,1,0,0,0,0,0,0,0,0,0,20 s",
    legal: ["A5L", "A5R"],
    move: "A5L",
  },
  {
    key: "takasia",
    position: "0,3,0,0,4,1,0,0,0,7,0,0,0,0,0,0,0/0,0,6,5t,0,0,0,0,0,0,0,0,0,0,0,0,0 n",
    legal: ["A3L", "A3R"],
    move: "A3R",
  },
];
