// @ts-check
// The reader's settings, stored on the device. `theme.js` reads them too, before the first paint.

const STORED = "mawe.settings";

/** Every setting with its values; the first value is the default, but for the pieces where the reader's system sets all colours. */
export const SETTINGS = /** @type {const} */ ({
  theme: ["system", "light", "dark"],
  board: ["wood", "slate", "linen"],
  pieces: ["natural", "clay", "clear"],
  sound: ["on", "quiet", "off"],
  motion: ["normal", "fast", "none"],
  sowing: ["normal", "slow", "fast", "none"],
  confirm: ["daily", "always", "never"],
  hands: ["both", "click", "drag"],
  premove: ["on", "off"],
  movable: ["on", "off"],
  calls: ["off", "on"],
  words: ["off", "on"],
});

/** The settings that the style sheets use, as `data-…` of the document; a default value sets no attribute. */
const SHOWN = /** @type {const} */ (["theme", "board", "pieces", "motion"]);

/** Whether the reader's system sets all colours, as the contrast themes of Windows do. */
const forcesColors = () => globalThis.matchMedia?.("(forced-colors: active)").matches ?? false;

/** @typedef {typeof SETTINGS} Settings */
/** @typedef {keyof Settings} SettingName */

/** @type {Map<string, string>} */
let chosen = stored();
/** @type {Set<() => void>} */
const listeners = new Set();

/**
 * @template {SettingName} K
 * @param {K} name
 * @returns {Settings[K][number]}
 */
export function setting(name) {
  const values = /** @type {readonly string[]} */ (SETTINGS[name]);
  const value = chosen.get(name) ?? "";
  const usual = name === "pieces" && forcesColors() ? "clear" : values[0];
  return /** @type {Settings[K][number]} */ (values.includes(value) ? value : usual);
}

/**
 * Stores a choice for the next visit and applies it at once.
 * @template {SettingName} K
 * @param {K} name
 * @param {Settings[K][number]} value
 */
export function setSetting(name, value) {
  chosen.set(name, value);
  try {
    localStorage.setItem(STORED, JSON.stringify(Object.fromEntries(chosen)));
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
  showSettings();
}

/**
 * @param {() => void} listener
 * @returns {() => void} stops listening
 */
export function onSettings(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Reads the settings again, after another tab has changed them. */
export function readSettings() {
  chosen = stored();
  showSettings();
}

function showSettings() {
  for (const name of SHOWN) {
    const value = setting(name);
    if (value === SETTINGS[name][0]) delete document.documentElement.dataset[name];
    else document.documentElement.dataset[name] = value;
  }
  for (const listener of listeners) listener();
}

/** @returns {Map<string, string>} */
function stored() {
  try {
    return new Map(Object.entries(JSON.parse(localStorage.getItem(STORED) ?? "{}")));
  } catch {
    return new Map();
  }
}
