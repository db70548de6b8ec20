// @ts-check
// The games of this page. An entry has what lists, texts and forms need; the rest of a game, which draws its board, is a file of its own
// that is loaded when a page draws this board: a first visit has the files of the one game that is played. `types.js` has the types.

import { loadStyle, twice } from "../core/files.js";
import { loadPart } from "../core/i18n.js";

/** @import { GameKind } from "../core/types.js" */
/** @import { Game, GameEntry, GameMaker, SetupOption } from "./types.js" */

/** The option of seeds in each house at the start, for the games that have it. @type {SetupOption} */
const SEEDS = { key: "seeds", values: ["3", "4", "5", "6"], standard: "4" };

/**
 * The option of an opening drawn by the server, of every game that has openings; for rated matches of Kalah and Congkak the server draws one
 * anyway.
 * @type {SetupOption}
 */
const OPENING = { key: "opening", values: ["start", "drawn"], standard: "start", server: true };

/** What all sowing games have in common. @type {Pick<GameEntry, "marks" | "unit" | "codes" | "lifts" | "sows">} */
const SOWN = { marks: { first: "near", second: "far" }, unit: "seeds", codes: { first: "s", second: "n" }, lifts: false, sows: true };

/**
 * What the draughts have in common in which White begins.
 * @type {Pick<GameEntry, "marks" | "unit" | "codes" | "lifts">}
 */
const WHITE_BEGINS = { marks: { first: "light", second: "dark" }, unit: "pieces", codes: { first: "W", second: "B" }, lifts: true };

/** The same of those in which Black begins. @type {typeof WHITE_BEGINS} */
const BLACK_BEGINS = { ...WHITE_BEGINS, marks: { first: "dark", second: "light" }, codes: { first: "B", second: "W" } };

/** Every game, in the order of the menu. @type {[GameEntry, ...GameEntry[]]} */
export const GAMES = [
  {
    id: "mawe",
    options: [{ key: "form", values: ["standard", "decisive"], standard: "standard", rated: "standard" }],
    marks: { first: "light", second: "dark" },
    unit: "stones",
    codes: { first: "w", second: "b" },
    lifts: true,
  },
  {
    id: "reversi",
    options: [OPENING],
    marks: { first: "dark", second: "light" },
    unit: "discs",
    codes: { first: "X", second: "O" },
    lifts: false,
  },
  { id: "checkers", options: [OPENING], ...BLACK_BEGINS },
  { id: "drafti", options: [], ...WHITE_BEGINS },
  { id: "brazilian", options: [], ...WHITE_BEGINS },
  { id: "russian", options: [], ...WHITE_BEGINS },
  { id: "international", options: [], ...WHITE_BEGINS },
  { id: "pool", options: [], ...BLACK_BEGINS },
  {
    id: "kalah",
    options: [
      { ...SEEDS, rated: "4" },
      { ...OPENING, needs: { seeds: "4" } },
    ],
    ...SOWN,
  },
  { id: "oware", options: [SEEDS], ...SOWN },
  {
    id: "congkak",
    options: [
      { key: "form", values: ["traditional", "limited"], standard: "traditional", rated: "limited" },
      { ...OPENING, needs: { form: "limited", rounds: "1" } },
      { key: "rounds", values: ["1", "3", "5"], standard: "1", rated: "1" },
      { key: "round", values: [], standard: "" },
    ],
    ...SOWN,
  },
  {
    id: "bao",
    options: [{ key: "form", values: ["kiswahili", "kujifunza"], standard: "kiswahili", rated: "kiswahili" }],
    ...SOWN,
    unit: "kete",
    lifts: true,
  },
  {
    id: "pallanguzhi",
    options: [
      { key: "form", values: ["single", "pair"], standard: "single" },
      { key: "rounds", values: ["1", "3", "5"], standard: "1", needs: { form: "single" } },
      { key: "round", values: [], standard: "" },
    ],
    ...SOWN,
    casual: true,
  },
];

/** Loads the style and the texts that a game has for itself; without a document, as in tests, there is no use for them. @param {string} name */
const ownLook = (name) => globalThis.document && Promise.all([loadStyle(name), loadPart(name)]);

/** The files of the games. @type {Record<GameKind, () => Promise<GameMaker>>} */
const FILES = {
  mawe: async () => (await import("./mawe.js")).mawe,
  reversi: async () => (await import("./reversi.js")).reversi,
  checkers: async () => (await import("./checkers.js")).checkers,
  drafti: async () => (await import("./drafti.js")).drafti,
  brazilian: async () => (await import("./brazilian.js")).brazilian,
  russian: async () => (await import("./russian.js")).russian,
  international: async () => (await import("./international.js")).international,
  pool: async () => (await import("./pool.js")).pool,
  kalah: async () => (await import("./kalah.js")).kalah,
  oware: async () => (await import("./oware.js")).oware,
  congkak: async () => (await import("./congkak.js")).congkak,
  bao: async () => (await Promise.all([import("./bao.js"), ownLook("bao")]))[0].bao,
  pallanguzhi: async () => (await Promise.all([import("./pallanguzhi.js"), ownLook("pallanguzhi")]))[0].pallanguzhi,
};

/** The computer's levels in each game are 1 to this number; a test compares it with the engine's (`Level::MAX`). */
export const LEVELS = 10;

/** @type {Map<string, GameEntry>} */
const byId = new Map(GAMES.map((game) => [game.id, game]));

/**
 * @param {string} id
 * @returns {GameEntry | undefined}
 */
export const gameOf = (id) => byId.get(id);

/** The games that have rated matches. */
export const RATED_GAMES = /** @type {typeof GAMES} */ (GAMES.filter(({ casual }) => !casual));

/** Whether a game has rated matches. @param {string} id */
export const mayBeRated = (id) => !gameOf(id)?.casual;

/** The games that are loaded, or being loaded. @type {Map<string, Promise<Game>>} */
const loaded = new Map();

/**
 * Loads a game with all that draws its board, once. A file that is lost is asked for again, and after a second failure by the next call.
 * @overload
 * @param {GameKind} id
 * @returns {Promise<Game>} rejected if its file cannot be loaded
 */
/**
 * @overload
 * @param {string} id
 * @returns {Promise<Game | undefined>} nothing for an unknown game
 */
/** @param {string} id */
export async function loadGame(id) {
  const entry = gameOf(id);
  if (!entry) return undefined;
  let loading = loaded.get(id);
  if (!loading) {
    loading = twice(FILES[entry.id]).then(
      (make) => make(entry),
      (error) => {
        loaded.delete(id);
        throw error;
      },
    );
    loaded.set(id, loading);
  }
  return loading;
}
