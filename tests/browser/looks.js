// @ts-check
// The looks of a screen: languages, sizes of the window and sizes of text. One document goes through all of them, because a screen takes several
// times as long to open as to look at.
import { readdirSync, readFileSync } from "node:fs";

import { LANGUAGES } from "../../static/core/i18n.js";
import { faults, PRESSED } from "./layout.js";

/** @import { Page } from "playwright-core" */
/** @typedef {{ size: { width: number, height: number }, text: number, isPressed?: boolean }} Look `isPressed`: the driver presses something there */
/** @typedef {{ name: string, tag: string, words: Record<string, string>, stale: string[] }} Words */

export const WIDE = { width: 1280, height: 800 };
export const PHONE = { width: 360, height: 640 };
export const NARROW = { width: 320, height: 640 };
/** The size of text that a browser begins with, and the one for readers who have set twice of it: `rem` and the sheets' `em` follow it. */
export const [USUAL_TEXT, LARGE_TEXT] = [16, 32];
/** The look in which a screen is opened. @type {Look} */
export const OPENING = { size: WIDE, text: USUAL_TEXT, isPressed: true };
/**
 * How large the picture of the other looks is, which nobody sees: a small one takes a third of the time away. The sizes of the layout stay, but
 * the driver cannot press anything with the pointer.
 */
const PICTURE_SCALE = 0.05;
/** The sizes for words that readers see. @type {readonly Look[]} */
const LOOKS = [
  OPENING,
  ...[{ width: 1920, height: 1080 }, { width: 768, height: 1024 }, { width: 640, height: 360 }, NARROW, PHONE].map((size) => ({
    size,
    text: USUAL_TEXT,
  })),
  { size: PHONE, text: LARGE_TEXT },
  { size: WIDE, text: LARGE_TEXT },
];
/** Of them, for words that no reader sees: where there is much room, where there is least, and where letters are largest. */
const FEW_LOOKS = LOOKS.filter((look) => look === OPENING || look.size === NARROW || (look.size === PHONE && look.text === LARGE_TEXT));
const LONG_WORDS = "a language of long words";

/** Texts with longer words, like those of German: half as long again. @param {string} text */
const stretched = (text) =>
  text.replace(/\{\w+\}|\p{L}{4,}/gu, (word) =>
    word.startsWith("{") ? word : word + word.toLowerCase().slice(0, Math.ceil(word.length / 2)),
  );

/** All texts of a language, of every part of the page. @param {string} tag @returns {Record<string, string>} */
function catalogue(tag) {
  const folder = new URL("../../static/i18n/", import.meta.url);
  const parts = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const files = [`${tag}.json`, ...parts.map(({ name }) => `${name}/${tag}.json`)];
  return Object.assign({}, ...files.map((file) => JSON.parse(readFileSync(new URL(file, folder), "utf8"))));
}

/**
 * Shows a document in a language, without the network.
 * @param {Page} page
 * @param {string} tag
 */
export const speak = (page, tag) =>
  page.evaluate(
    async ([language, words]) => {
      if (document.documentElement.lang === language) return;
      const address = performance.getEntriesByType("resource").find(({ name }) => /\/core\/i18n\b[^/]*\.js/.test(name))?.name;
      const { setCatalogue } = await import(String(address));
      setCatalogue(language, words);
    },
    /** @type {const} */ ([tag, catalogue(tag)]),
  );

/** The languages that are looked at, in an order with one of every look at each end. @returns {Words[]} */
function languages() {
  const english = catalogue("en");
  const own = Object.keys(LANGUAGES).map((tag) => {
    const words = tag === "en" ? english : catalogue(tag);
    const known = new Set(Object.values(words));
    // A text without a hole that the language does not have: on the screen it would be left from the language before.
    const stale = Object.values(english).filter((text) => !known.has(text) && /\p{L}{2}/u.test(text) && !text.includes("{"));
    return { name: tag, tag, words, stale };
  });
  const long = Object.fromEntries(Object.entries(english).map(([key, text]) => [key, stretched(text)]));
  own.splice(1, 0, { name: LONG_WORDS, tag: "en", words: long, stale: [] });
  return own;
}

/** Tools of the page; the tests put them there, with the finder of faults. @typedef {Window & { speak?: (name: string) => void, spoken?: string, faultsIn?: typeof faultsIn, layoutFaults?: typeof faults, words?: Words[] }} Tools */

/**
 * Prepares the languages of a document. It runs in the page.
 * @param {Words[]} all
 */
async function teach(all) {
  const page = /** @type {Tools} */ (window);
  const address = performance.getEntriesByType("resource").find(({ name }) => /\/core\/i18n\b[^/]*\.js/.test(name))?.name;
  const { setCatalogue } = await import(String(address));
  page.words = all;
  page.speak = (name) => {
    const one = all.find((words) => words.name === name);
    if (!one) throw new Error(`no language ${name}`);
    if (page.spoken !== name || document.documentElement.lang !== one.tag) setCatalogue(one.tag, one.words);
    page.spoken = name;
  };
}

/**
 * The faults of a document in each of some languages; null is the language as it is. It runs in the page.
 * @param {{ names: readonly (string | null)[], pressed: string, withStale: boolean }} what
 */
async function faultsIn({ names, pressed, withStale }) {
  /** A board of another size has its pieces in place a frame or two later: faults count once they have stayed for so many frames. */
  const STEADY_FRAMES = 40;
  const page = /** @type {Tools} */ (window);
  // A board draws with the frame after its new size: what comes after two frames sees it.
  const drawn = () =>
    new Promise((seen) =>
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = seen;
          port2.postMessage(null);
        }),
      ),
    );
  /** Words of the language before. @param {string} name */
  const stale = (name) => {
    const known = page.words?.find((words) => words.name === name);
    const left = new Set(known?.stale);
    const found = document.documentElement.lang === known?.tag ? [] : [`the page is in ${document.documentElement.lang}`];
    if (left.size === 0) return found;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.nodeValue?.trim() ?? "";
      if (left.has(text) && node.parentElement?.checkVisibility()) found.push(`“${text}” is left from another language`);
    }
    return found;
  };
  const all = [];
  for (const name of names) {
    if (name !== null) page.speak?.(name);
    const look = () => [...(page.layoutFaults?.(pressed) ?? ["no tool"]), ...(name !== null && withStale ? stale(name) : [])];
    await drawn();
    let found = look();
    for (let frame = 0; found.length > 0 && frame < STEADY_FRAMES; frame += 2) {
      await drawn();
      found = look();
    }
    all.push(...found.map((fault) => (name === null ? fault : `${name}: ${fault}`)));
  }
  return all;
}

/**
 * Prepares a page for `createLooks`, before its document is loaded.
 * @param {Page} page
 */
export const prepareLooks = (page) => page.addInitScript({ content: `window.layoutFaults = ${faults}; window.faultsIn = ${faultsIn};` });

/**
 * The looks of a page whose document is loaded.
 * @param {Page} page prepared by `prepareLooks`
 * @param {{ speaks: boolean }} options whether the document has the languages of the client
 */
export async function createLooks(page, { speaks }) {
  const devtools = await page.context().newCDPSession(page);
  const all = speaks ? languages() : [];
  let now = OPENING;
  if (speaks) await page.evaluate(teach, all);

  /**
   * Sets the sizes of the window and of the text. It sends two messages, and one for most looks: the functions of the driver send more, and
   * there are thousands of looks.
   * @param {Look} look
   */
  async function set(look) {
    const [before, { size, text }] = [now, look];
    now = look;
    if (text !== before.text) await devtools.send("Page.setFontSizes", { fontSizes: { standard: text } });
    const scale = look.isPressed ? 1 : PICTURE_SCALE;
    if (size !== before.size || look.isPressed !== before.isPressed)
      await devtools.send("Emulation.setDeviceMetricsOverride", { ...size, deviceScaleFactor: 1, mobile: false, scale });
  }

  /** @param {{ names: readonly (string | null)[], withStale: boolean }} what @returns {Promise<string[]>} */
  const find = (what) => page.evaluate((given) => /** @type {any} */ (window).faultsIn(given), { ...what, pressed: PRESSED });

  return {
    set,
    /** Shows the page in a language. @param {string} name */
    speak: (name) => page.evaluate((one) => /** @type {any} */ (window).speak(one), name),
    /** The faults of the layout that do not go away. @param {readonly Look[]} [of] the looks @returns {Promise<string[]>} */
    async faults(of = LOOKS) {
      const found = [];
      for (const [at, look] of of.entries()) {
        await set(look);
        const names = speaks ? all.map(({ name }) => name).filter((name) => name !== LONG_WORDS || FEW_LOOKS.includes(look)) : [null];
        // Forth and back: a look begins with the language that the page has.
        if (at % 2 === 1) names.reverse();
        const some = await find({ names, withStale: look === OPENING });
        found.push(...some.map((fault) => `${look.size.width}×${look.size.height}, text of ${look.text} px, ${fault}`));
      }
      if (speaks) await this.speak("en");
      await set(OPENING);
      return found;
    },
  };
}
