// @ts-check
// What the page says. A catalogue is one flat JSON file a language: `key` → text with `{name}` holes, and for a text that counts,
// one `key#form` for each plural form the language has (`Intl.PluralRules`), chosen by the parameter `n`.

/** @import { Language } from "./types.js" */

/** Every language that the server keeps for an account, with its name in itself. */
export const LANGUAGES = /** @type {Readonly<Record<Language, string>>} */ ({ en: "English", sw: "Kiswahili", pl: "Polski", ml: "മലയാളം" });

const STORED = "mawe.language";

/** @type {Language} */
let language = "en";
/** @type {Record<string, string>} */
let messages = {};
let plural = new Intl.PluralRules("en");
let numbers = new Intl.NumberFormat("en");
/** What a language says on pages that few open, in catalogues of their own: their names, once one of those pages was. @type {Set<string>} */
const parts = new Set();
/** How else numbers are written in this language, by the options. @type {Map<string, Intl.NumberFormat>} */
const formats = new Map();
/** @type {Set<() => void>} */
const listeners = new Set();
/** Counts the catalogues asked for: of two that are on their way the later one is spoken. */
let asked = 0;
/** The language asked for last. @type {Language} */
let wished = "en";

/** @returns {Language} */
export const currentLanguage = () => language;

/**
 * Speak this language from now on.
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

/** Where the catalogue of a language is. @param {Language} tag */
export const cataloguePath = (tag) => new URL(`../i18n/${tag}.json`, import.meta.url).pathname;

/** @param {string} path @returns {Promise<Record<string, string>>} */
async function fetchCatalogue(path) {
  // The document brings one along, in the language that the browser asks for.
  const brought = globalThis.document?.querySelector("script#words");
  if (brought && path === `${brought.getAttribute("lang")}.json`) return JSON.parse(brought.textContent ?? "");
  const answer = await fetch(new URL(`../i18n/${path}`, import.meta.url));
  if (!answer.ok) throw new Error(`no catalogue ${path}: ${answer.status}`);
  return answer.json();
}

/**
 * Speak of what a part of the page is about, too, from now on and in every language.
 * @param {string} part the folder of its catalogues in `i18n/`
 */
export async function loadPart(part) {
  if (parts.has(part)) return;
  parts.add(part);
  try {
    await loadLanguage(wished);
  } catch (error) {
    parts.delete(part);
    throw error;
  }
}

/**
 * Fetch a language's catalogue and speak it; remembered for the next visit when the reader chose it.
 * @param {Language} next
 * @param {{ remember?: boolean }} [options]
 */
export async function loadLanguage(next, { remember = false } = {}) {
  const mine = ++asked;
  wished = next;
  const catalogues = await Promise.all([
    fetchCatalogue(`${next}.json`),
    ...[...parts].map((part) => fetchCatalogue(`${part}/${next}.json`)),
  ]);
  if (mine !== asked) return;
  setCatalogue(next, Object.assign({}, ...catalogues));
  if (remember) {
    try {
      localStorage.setItem(STORED, next);
    } catch {
      // Storage may be forbidden; the choice then lasts as long as the page.
    }
  }
}

/** What the reader has chosen on this device, if they have. */
export function chosenLanguage() {
  try {
    return localStorage.getItem(STORED);
  } catch {
    return null;
  }
}

/**
 * The language to begin with: the reader's choice, else the first of the browser's that we speak.
 * @returns {Language}
 */
export function preferredLanguage() {
  const wished = [chosenLanguage(), ...navigator.languages].map((tag) => (tag ?? "").toLowerCase().split("-")[0]);
  return /** @type {Language} */ (wished.find((tag) => tag !== undefined && tag in LANGUAGES) ?? "en");
}

/**
 * @param {() => void} listener
 * @returns {() => void} stops listening
 */
export function onLanguage(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * The text of `key`. Numbers among the parameters are written as the language writes them.
 * @param {string} key
 * @param {Record<string, string | number>} [params]
 */
export function t(key, params = {}) {
  let text = messages[key];
  if (text === undefined && typeof params.n === "number") text = messages[`${key}#${plural.select(params.n)}`];
  if (text === undefined) return key;
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
 * The first of two texts that the catalogue has: for codes that the server may add before the page learns them.
 * @param {string} key
 * @param {string} fallback
 * @param {Record<string, string | number>} [params]
 */
export const tOr = (key, fallback, params) => (knows(key) ? t(key, params) : t(fallback, params));

/**
 * @param {number} value
 * @param {Intl.NumberFormatOptions} [options]
 */
export function number(value, options) {
  if (!options) return numbers.format(value);
  // A clock asks for the same one ten times a second, and each takes longer to make than to use.
  const key = JSON.stringify(options);
  const known = formats.get(key) ?? new Intl.NumberFormat(language, options);
  formats.set(key, known);
  return known.format(value);
}

/**
 * A moment as the reader would write it, from RFC 3339.
 * @param {string} at
 */
export const moment = (at) => new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(new Date(at));

/** @param {string} at */
export const day = (at) => new Intl.DateTimeFormat(language, { dateStyle: "medium" }).format(new Date(at));
