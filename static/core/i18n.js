// @ts-check
// The texts of the page. A catalogue is one flat JSON file for each language: `key` → text with `{name}` placeholders, and for a text with
// a count one `key#form` for each plural form of the language (`Intl.PluralRules`), chosen by the parameter `n`.

import { twice } from "./files.js";

/** @import { Language } from "./types.js" */

/** Every language that the server stores for an account, with its name in that language. */
export const LANGUAGES = /** @type {Readonly<Record<Language, string>>} */ ({ en: "English", sw: "Kiswahili", pl: "Polski", ml: "മലയാളം" });

const STORED = "mawe.language";

/** The part with the texts that the front page and a match that begins do not have: they are said after something has happened. */
const REST = "rest";

/** @type {Language} */
let language = "en";
/** @type {Record<string, string>} */
let messages = {};
let plural = new Intl.PluralRules("en");
let numbers = new Intl.NumberFormat("en");
/** The loaded parts: catalogues of their own for what few readers open, by the name of their folder. @type {Set<string>} */
const parts = new Set();
/** The loads of parts, by name. @type {Map<string, Promise<void>>} */
const partLoads = new Map();
/** Whether the current catalogue lacks the rest, whose texts are empty until it is there. */
let lacksRest = false;
/** Number formats of the current language, by their options as JSON. @type {Map<string, Intl.NumberFormat>} */
const formats = new Map();
/** @type {Set<() => void>} */
const listeners = new Set();
/** Counts the requests for catalogues: when two are under way, only the later one is used. */
let asked = 0;
/** The language asked for last. @type {Language} */
let wished = "en";

/** @returns {Language} */
export const currentLanguage = () => language;

/**
 * Makes a language the current one.
 * @param {Language} next
 * @param {Record<string, string>} catalogue
 */
export function setCatalogue(next, catalogue) {
  language = next;
  messages = catalogue;
  plural = new Intl.PluralRules(next);
  numbers = new Intl.NumberFormat(next);
  formats.clear();
  for (const listener of listeners) listener();
}

/** The address of a language's catalogue. @param {Language} tag */
export const cataloguePath = (tag) => new URL(`../i18n/${tag}.json`, import.meta.url).pathname;

/** @param {string} path @returns {Promise<Record<string, string>>} */
async function fetchCatalogue(path) {
  // The document contains catalogues in the language that the browser prefers.
  const brought = globalThis.document?.querySelector(`script[data-catalogue="${path}"]`);
  if (brought) return JSON.parse(brought.textContent ?? "");
  return twice(async () => {
    const answer = await fetch(new URL(`../i18n/${path}`, import.meta.url));
    if (!answer.ok) throw new Error(`no catalogue ${path}: ${answer.status}`);
    return answer.json();
  });
}

/**
 * Adds the texts of a part of the page, for the current language and for every later one.
 * @param {string} part the folder of its catalogues in `i18n/`
 */
export async function loadPart(part) {
  if (parts.has(part)) return partLoads.get(part);
  parts.add(part);
  const loading = loadLanguage(wished);
  partLoads.set(part, loading);
  try {
    await loading;
  } catch (error) {
    parts.delete(part);
    throw error;
  } finally {
    partLoads.delete(part);
  }
}

/** Adds the texts that a first visit does not begin with; after a failure the next call tries again. */
export const loadRest = () => loadPart(REST).catch(() => {});

/** Whether the texts of the rest are there. */
export const hasRest = () => !lacksRest;

/**
 * Fetches a language's catalogue and makes it the current one; with `remember` also for the next visit, as the reader's choice; `whole`
 * with the rest of the texts, as later loads have it then.
 * @param {Language} next
 * @param {{ remember?: boolean, whole?: boolean }} [options]
 */
export function loadLanguage(next, { remember = false, whole = false } = {}) {
  if (whole) parts.add(REST);
  latest = load(next, remember);
  return latest;
}

/** The load that was asked for last. @type {Promise<void>} */
let latest = Promise.resolve();

/** @param {Language} next @param {boolean} remember */
async function load(next, remember) {
  const mine = ++asked;
  wished = next;
  const isWhole = parts.has(REST);
  const files = [`${next}.json`, ...[...parts].map((part) => `${part}/${next}.json`)];
  const catalogues = await Promise.all(files.map(fetchCatalogue)).catch((error) => {
    // Overtaken, it does not matter: the device may have the later language only.
    if (mine === asked) throw error;
    return [];
  });
  // A later load has all parts of this one: their texts are there when it is done.
  if (mine === asked) {
    lacksRest = !isWhole;
    setCatalogue(next, Object.assign({}, ...catalogues));
  } else await latest;
  if (remember && wished === next) {
    try {
      localStorage.setItem(STORED, next);
    } catch {
      // Storage may be forbidden; the choice then lasts as long as the page.
    }
  }
}

/** The language that the reader has chosen on this device, or null. */
export function chosenLanguage() {
  try {
    return localStorage.getItem(STORED);
  } catch {
    return null;
  }
}

/** @param {string | null} tag @returns {Language | undefined} */
const known = (tag) => /** @type {Language[]} */ (Object.keys(LANGUAGES)).find((one) => one === tag?.toLowerCase().split("-")[0]);

/** The language that the address asks for: `?lang=pl`. It holds for this visit, and before any other. */
export const addressedLanguage = () => known(new URLSearchParams(globalThis.location?.search).get("lang"));

/**
 * The language to begin with: that of the address, else the reader's choice, else the first of the browser's languages that has a catalogue.
 * @returns {Language}
 */
export const preferredLanguage = () =>
  addressedLanguage() ?? [chosenLanguage(), ...navigator.languages].map(known).find((tag) => tag !== undefined) ?? "en";

/**
 * @param {() => void} listener
 * @returns {() => void} stops listening
 */
export function onLanguage(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * The text of `key`. Numbers among the parameters are formatted for the language.
 * @param {string} key
 * @param {Record<string, string | number>} [params]
 */
export function t(key, params = {}) {
  let text = messages[key];
  if (text === undefined && typeof params.n === "number") text = messages[`${key}#${plural.select(params.n)}`];
  if (text === undefined) return lacksRest ? "" : key;
  return text.replace(/\{(\w+)\}/g, (hole, name) => {
    const value = params[name];
    return value === undefined ? hole : typeof value === "number" ? numbers.format(value) : value;
  });
}

/**
 * Whether the catalogue knows `key`.
 * @param {string} key
 */
export const knows = (key) => key in messages;

/**
 * The text of `key` if the catalogue has it, else that of `fallback`: the server may add codes before the page knows them. The texts of most
 * codes are in the rest; it is fetched then.
 * @param {string} key
 * @param {string} fallback
 * @param {Record<string, string | number>} [params]
 */
export function tOr(key, fallback, params) {
  if (knows(key)) return t(key, params);
  if (lacksRest) void loadRest();
  return t(fallback, params);
}

/**
 * @param {number} value
 * @param {Intl.NumberFormatOptions} [options]
 */
export function number(value, options) {
  if (!options) return numbers.format(value);
  // A clock asks for the same format ten times a second, and making a format takes longer than using it.
  const key = JSON.stringify(options);
  const known = formats.get(key) ?? new Intl.NumberFormat(language, options);
  formats.set(key, known);
  return known.format(value);
}

/**
 * Date and time in the reader's format, from RFC 3339.
 * @param {string} at
 */
export const moment = (at) => new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(new Date(at));

/** @param {string} at */
export const day = (at) => new Intl.DateTimeFormat(language, { dateStyle: "medium" }).format(new Date(at));
