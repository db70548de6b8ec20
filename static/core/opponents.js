// @ts-check
// Made by `MAWE_FACTS=write cargo nextest run --workspace -E 'test(the_page_knows_the_computer_opponents)'`: the computer opponents of
// `server/src/bots/`.

/** @import { Phrase } from "./types.js" */

/**
 * @typedef {Object} Opponent
 * @property {string} name
 * @property {readonly Phrase[]} greets
 * @property {readonly Phrase[]} wins
 * @property {readonly Phrase[]} loses
 * @property {readonly Phrase[]} draws
 * @property {number} answers the number of phrases that are answered in one match
 */

/** The beginning of their names on the server. */
export const PREFIX = "mawe-";

/** The computer opponents, level 1 first. @type {readonly Opponent[]} */
export const OPPONENTS = [
  {
    name: "Kokoto",
    greets: ["hello", "good-luck"],
    wins: ["thank-you", "good-game"],
    loses: ["oops", "well-played"],
    draws: ["good-game"],
    answers: 2,
  },
  {
    name: "Changarawe",
    greets: ["hello"],
    wins: ["good-game"],
    loses: ["oops", "good-game"],
    draws: ["good-game"],
    answers: 2,
  },
  {
    name: "Komwe",
    greets: ["good-luck", "hello"],
    wins: ["good-game", "thank-you"],
    loses: ["well-played"],
    draws: ["good-game"],
    answers: 2,
  },
  {
    name: "Kete",
    greets: ["good-luck"],
    wins: ["thank-you", "good-game"],
    loses: ["well-played", "good-game"],
    draws: ["good-game"],
    answers: 2,
  },
  {
    name: "Jiwe",
    greets: ["hello"],
    wins: ["good-game"],
    loses: ["well-played"],
    draws: ["good-game"],
    answers: 1,
  },
  {
    name: "Mwamba",
    greets: ["hello", "good-luck"],
    wins: ["thank-you"],
    loses: ["well-played", "thank-you"],
    draws: ["good-game"],
    answers: 1,
  },
  {
    name: "Jabali",
    greets: ["good-luck"],
    wins: ["good-game"],
    loses: ["well-played"],
    draws: ["thank-you"],
    answers: 1,
  },
  {
    name: "Kilima",
    greets: ["good-luck", "hello"],
    wins: ["well-played", "good-game"],
    loses: ["well-played"],
    draws: ["well-played"],
    answers: 1,
  },
  {
    name: "Mlima",
    greets: ["good-luck"],
    wins: ["well-played"],
    loses: ["well-played"],
    draws: ["well-played"],
    answers: 1,
  },
  {
    name: "Kilele",
    greets: ["hello"],
    wins: ["well-played"],
    loses: ["well-played"],
    draws: ["well-played"],
    answers: 0,
  },
];

/** The answers of all of them, by the person's phrase. @type {Partial<Record<Phrase, Phrase>>} */
export const ANSWERS = {
  "good-luck": "thank-you",
  "good-game": "thank-you",
  "well-played": "thank-you",
  "must-go": "good-game",
};
