// @ts-check
// The terms that the player chose last, stored for the next match. No DOM.

import { POOLS } from "../core/facts.js";
import { t } from "../core/i18n.js";
import { controlOf } from "../core/time.js";
import { GAMES, gameOf, LEVELS, mayBeRated, RATED_GAMES } from "../games/index.js";
import { timeText } from "./texts.js";

/** @import { TimeChoice } from "../core/time.js" */
/** @import { PoolId, SideWish } from "../core/types.js" */
/** @import { GameEntry } from "../games/types.js" */

const GAME = "mawe.game";
const TERMS = "mawe.terms";

export const OPPONENTS = /** @type {const} */ (["computer", "stranger", "friend", "device"]);
const SIDES = /** @type {const} */ (["first", "random", "second"]);

/**
 * The terms of a match that need no further question. A friend is one who gets a link: a name differs from match to match.
 * @typedef {Object} Terms
 * @property {(typeof OPPONENTS)[number]} opponent
 * @property {number} level of the computer
 * @property {SideWish} side
 * @property {TimeChoice} time with the computer or on one device
 * @property {TimeChoice} friendTime with a friend
 * @property {boolean} here whether the match is on this device, without the server
 * @property {PoolId} pool of strangers
 * @property {boolean} rated with people
 */

/** The terms of a newcomer. @type {Terms} */
export const USUAL = {
  opponent: "computer",
  level: 2,
  side: "random",
  time: { chosen: "unlimited", minutes: 15, seconds: 10, days: 3 },
  friendTime: { chosen: "5+3", minutes: 15, seconds: 10, days: 3 },
  here: false,
  pool: "5+0",
  rated: false,
};

/**
 * The stored terms; each that is missing or unknown is the usual one.
 * @param {unknown} stored
 * @returns {Terms}
 */
export function termsOf(stored) {
  const known = /** @type {Partial<Terms>} */ (typeof stored === "object" && stored !== null ? stored : {});
  /** @template T @param {readonly T[]} values @param {unknown} value @param {T} usual @returns {T} */
  const among = (values, value, usual) => values.find((one) => one === value) ?? usual;
  const level = Number(known.level);
  return {
    opponent: among(OPPONENTS, known.opponent, USUAL.opponent),
    level: Number.isInteger(level) && level >= 1 && level <= LEVELS ? level : USUAL.level,
    side: among(SIDES, known.side, USUAL.side),
    time: timeOf(known.time, USUAL.time),
    friendTime: timeOf(known.friendTime, USUAL.friendTime),
    here: known.here === true,
    pool: among(POOLS, known.pool, USUAL.pool),
    rated: known.rated === true,
  };
}

/** @param {unknown} stored @param {TimeChoice} usual @returns {TimeChoice} */
function timeOf(stored, usual) {
  const { chosen, minutes, seconds, days } = /** @type {Record<string, unknown>} */ (stored ?? {});
  const numbers = { minutes: Number(minutes), seconds: Number(seconds), days: Number(days) };
  if (typeof chosen !== "string" || Object.values(numbers).some(Number.isNaN)) return usual;
  return /^(own|days|unlimited|\d+\+\d+)$/.test(chosen) ? { chosen, ...numbers } : usual;
}

/** Whether these are the terms of a newcomer. @param {Terms} terms */
export const isUsual = (terms) => termsLine(terms) === termsLine(USUAL);

/** The text of the terms: the opponent, and the time where there is a choice. @param {Terms} terms */
export function termsLine({ opponent, level, time, friendTime, here, pool }) {
  if (opponent === "stranger") return [t("new.stranger"), pool.replace("+", " + ")].join(" · ");
  if (opponent === "friend") return [t("new.friend"), timeText(controlOf(friendTime))].join(" · ");
  const who = opponent === "computer" ? t("computer.level", { n: level }) : t("new.device");
  return [who, here ? t("new.here") : timeText(controlOf(time))].join(" · ");
}

/** @returns {Terms} */
export const lastTerms = () => termsOf(parsed(read(TERMS)));

/** @param {Terms} terms */
export const storeTerms = (terms) => write(TERMS, JSON.stringify(terms));

/** Whether the player has chosen a game before. */
export const hasChosen = () => read(GAME) !== null;

/** The game chosen last. @returns {GameEntry} */
export const lastGame = () => gameOf(read(GAME) ?? "") ?? GAMES[0];

/** The same of the games that have ratings. */
export function lastRatedGame() {
  const last = lastGame();
  return mayBeRated(last.id) ? last : RATED_GAMES[0];
}

/** @param {GameEntry} game */
export const storeGame = (game) => write(GAME, game.id);

/** @param {string | null} text */
function parsed(text) {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}

/** @param {string} key */
function read(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** @param {string} key @param {string} value */
function write(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Then the choice lasts as long as the page.
  }
}
