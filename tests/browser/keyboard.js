// @ts-check
// A walk through a screen by the keyboard, which finds what cannot be reached (WCAG 2.1.1) or is wholly behind a part that stays in place when it
// has the focus (2.4.11).

/** @import { CDPSession, Page } from "playwright-core" */

/** The keys that are pressed at once: the driver waits for the last of them, and the browser draws few of the stops between. */
const BATCH = 16;
/** More than any screen has to press. */
const MOST_KEYS = 400;
/** A part of a page that comes or goes meanwhile may be passed over once, but not every time. */
const MOST_WALKS = 4;
const TAB = { key: "Tab", code: "Tab", windowsVirtualKeyCode: 9 };
/** Shift, as the modifiers of a key event have it. */
const SHIFT = 8;

/**
 * A walk through the page, which the page itself keeps.
 * @typedef {object} Walk
 * @property {Set<Element>} reached
 * @property {string[]} found
 * @property {boolean} isRound whether the focus has come back to an element
 * @property {Element | null} last the element of the last key; null outside the document, as after its end
 */

/** Begins a walk: from now on each key that is released is a stop. It runs in the page. */
function beginWalk() {
  const page = /** @type {Window & { walk?: Walk }} */ (window);
  /** Empty if a part of the element is in view. @param {Element} el */
  const faultOf = (el) => {
    const box = el.getBoundingClientRect();
    const named = `${el.localName}.${el.getAttribute("class") ?? ""} “${(el.getAttribute("aria-label") ?? el.textContent ?? "").trim().slice(0, 40)}”`;
    const [left, top] = [Math.max(0, box.left), Math.max(0, box.top)];
    const [right, bottom] = [Math.min(innerWidth, box.right), Math.min(innerHeight, box.bottom)];
    // The browser has scrolled to it; what the engine finds meanwhile may move it.
    if (right <= left || bottom <= top) return "";
    let cover = null;
    for (const x of [0.05, 0.25, 0.5, 0.75, 0.95]) {
      for (const y of [0.05, 0.25, 0.5, 0.75, 0.95]) {
        const hit = document.elementFromPoint(left + x * (right - left), top + y * (bottom - top));
        if (!hit || el.contains(hit) || hit.contains(el)) return "";
        cover = hit;
      }
    }
    return `${named} is behind ${cover?.localName}.${cover?.getAttribute("class") ?? ""}`;
  };
  // When a key is released, the focus has moved and the browser has scrolled to it.
  const stop = () => {
    const { walk } = page;
    if (!walk || walk.isRound) return;
    const el = document.activeElement === document.body ? null : document.activeElement;
    // A date has a stop for each of its parts.
    if (el === walk.last && el) return;
    if (el) {
      walk.isRound = walk.reached.has(el);
      if (!walk.isRound) {
        walk.reached.add(el);
        const fault = faultOf(el);
        if (fault !== "") walk.found.push(fault);
      }
    } else walk.isRound = walk.last === null && walk.reached.size > 0;
    walk.last = el;
  };
  if (!page.walk) addEventListener("keyup", stop, { capture: true });
  page.walk = { reached: new Set(), found: [], isRound: false, last: null };
}

/**
 * The state of a walk, and the elements that a keyboard should reach and did not. It runs in the page.
 * @returns {{ isRound: boolean, steps: number, found: string[], missed: string[] }}
 */
function walked() {
  const { walk } = /** @type {Window & { walk?: Walk }} */ (window);
  if (!walk) throw new Error("no walk has begun");
  const { reached, found, isRound } = walk;
  const dialog = document.querySelector("dialog:modal");
  const isRadio = (/** @type {Element} */ el) => el instanceof HTMLInputElement && el.type === "radio";
  // Of a group of radio buttons one is a stop.
  const groups = new Set([...reached].filter(isRadio).map((el) => `${/** @type {HTMLInputElement} */ (el).name}`));
  const missed = [
    ...document.querySelectorAll("a[href], button, input, select, textarea, details > summary:first-of-type, iframe, [tabindex]"),
  ].filter(
    (el) =>
      /** @type {HTMLElement} */ (el).tabIndex >= 0 &&
      !el.matches(":disabled, [type=hidden], [inert], [inert] *") &&
      el.checkVisibility({ visibilityProperty: true }) &&
      (!dialog || dialog.contains(el)) &&
      !(isRadio(el) && groups.has(/** @type {HTMLInputElement} */ (el).name)) &&
      !reached.has(el),
  );
  return {
    isRound,
    steps: reached.size,
    found,
    missed: missed.map(
      (el) => `${el.localName}.${el.getAttribute("class") ?? ""} “${(el.textContent ?? "").trim().slice(0, 40)}” is not reached`,
    ),
  };
}

/**
 * Goes once round the page by one key.
 * @param {CDPSession} devtools
 * @param {Page} page
 * @param {number} modifiers
 */
async function goRound(devtools, page, modifiers) {
  await page.evaluate(beginWalk);
  for (let pressed = 0; ; pressed += BATCH) {
    const keys = [];
    for (let key = 0; key < BATCH; key++)
      for (const type of /** @type {const} */ (["rawKeyDown", "keyUp"]))
        keys.push(devtools.send("Input.dispatchKeyEvent", { type, ...TAB, modifiers }));
    await Promise.all(keys);
    const state = await page.evaluate(walked);
    if (state.isRound) return state;
    if (pressed > MOST_KEYS) return { ...state, missed: [...state.missed, `${MOST_KEYS} keys do not lead round the page`] };
  }
}

/**
 * Returns a function that goes through a screen by the keyboard, forward and back, past everything that can be reached.
 * @param {Page} page
 */
export async function createWalk(page) {
  const devtools = await page.context().newCDPSession(page);
  return async () => {
    /** @type {string[]} */
    const found = [];
    let steps = 0;
    for (const [name, modifiers] of /** @type {const} */ ([
      ["Tab", 0],
      ["Shift+Tab", SHIFT],
    ])) {
      let state = await goRound(devtools, page, modifiers);
      for (let walk = 1; state.missed.length > 0 && walk < MOST_WALKS; walk++) state = await goRound(devtools, page, modifiers);
      steps += state.steps;
      found.push(...[...state.found, ...state.missed].map((fault) => `${name}: ${fault}`));
    }
    return { found, steps };
  };
}
