// @ts-check
// What the page says. A catalogue is one flat JSON file a language: `key` → text with `{name}` holes, and for a text that counts,
// one `key#form` for each plural form the language has (`Intl.PluralRules`), chosen by the parameter `n`.

/** @typedef {"en" | "sw" | "pl" | "ml"} Language */

/** Every language, with its name in itself. A fifth is a line here and a file in `i18n/`. */
export const LANGUAGES = /** @type {const} */ ({ en: "English", sw: "Kiswahili", pl: "Polski", ml: "മലയാളം" });

const STORED = "mawe.language";

/** @type {Language} */
let language = "en";
/** @type {Record<string, string>} */
let messages = {};
let plural = new Intl.PluralRules("en");
let numbers = new Intl.NumberFormat("en");
/** @type {Set<() => void>} */
const listeners = new Set();

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
  for (const listener of listeners) listener();
}

/**
 * Fetch a language's catalogue and speak it; remembered for the next visit when the reader chose it.
 * @param {Language} next
 * @param {{ remember?: boolean }} [options]
 */
export async function loadLanguage(next, { remember = false } = {}) {
  const answer = await fetch(new URL(`../i18n/${next}.json`, import.meta.url));
  if (!answer.ok) throw new Error(`no catalogue for ${next}: ${answer.status}`);
  setCatalogue(next, await answer.json());
  if (remember) {
    try {
      localStorage.setItem(STORED, next);
    } catch {
      // Storage may be forbidden; the choice then lasts as long as the page.
    }
  }
}

/**
 * The language to begin with: the reader's choice, else the first of the browser's that we speak.
 * @returns {Language}
 */
export function preferredLanguage() {
  let stored = null;
  try {
    stored = localStorage.getItem(STORED);
  } catch {
    // As above.
  }
  const wished = [stored, ...navigator.languages].map((tag) => (tag ?? "").toLowerCase().split("-")[0]);
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
export const number = (value, options) => (options ? new Intl.NumberFormat(language, options) : numbers).format(value);

/**
 * A moment as the reader would write it, from RFC 3339.
 * @param {string} at
 */
export const moment = (at) => new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(new Date(at));

/** @param {string} at */
export const day = (at) => new Intl.DateTimeFormat(language, { dateStyle: "medium" }).format(new Date(at));
