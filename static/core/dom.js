// @ts-check
// Building elements, and updating them. An attribute or a child given as a function is *live*: it is computed when the element is made and
// again whenever `refresh` visits it, so a view is built once and follows both its data and the language.

/** @type {WeakMap<Element, (() => void)[]>} */
const live = new WeakMap();

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {string | number | boolean | null | undefined} Plain */
/** @typedef {Plain | (() => Plain) | ((event: any) => unknown)} Attr */
/** @typedef {Node | string | number | null | undefined | false | (() => string | number)} Child */

/**
 * An HTML element. `on…` attributes are listeners.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, Attr>} [attrs]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, attrs = {}, ...children) {
  const el = document.createElement(tag);
  fill(el, attrs, children.flat());
  return el;
}

/**
 * An element of the document as `h` would make it anew; of what it was before nothing is left but the element.
 * @template {HTMLElement} E
 * @param {E} el
 * @param {Record<string, Attr>} attrs
 * @param {...Child} children
 * @returns {E}
 */
export function renew(el, attrs, ...children) {
  live.delete(el);
  for (const name of el.getAttributeNames()) el.removeAttribute(name);
  el.replaceChildren();
  fill(el, attrs, children);
  return el;
}

/**
 * An SVG element; the same rules as `h`.
 * @param {string} tag
 * @param {Record<string, Attr>} [attrs]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function svg(tag, attrs = {}, ...children) {
  const el = document.createElementNS(SVG, tag);
  fill(el, attrs, children);
  return /** @type {SVGElement} */ (el);
}

/**
 * A list that follows `items`: an element stays as long as its item is the same object under the same key.
 * @template T
 * @param {HTMLElement} parent
 * @param {() => readonly T[]} items
 * @param {(item: T) => string} keyOf
 * @param {(item: T) => HTMLElement} build
 * @returns {HTMLElement} the parent
 */
export function list(parent, items, keyOf, build) {
  /** @type {Map<string, { item: T, el: HTMLElement }>} */
  let shown = new Map();
  onRefresh(parent, () => {
    /** @type {typeof shown} */
    const next = new Map();
    /** @type {HTMLElement[]} */
    const order = [];
    for (const item of items()) {
      const key = keyOf(item);
      const old = shown.get(key);
      const entry = old && old.item === item ? old : { item, el: build(item) };
      next.set(key, entry);
      order.push(entry.el);
    }
    shown = next;
    if (order.length !== parent.children.length || order.some((el, i) => parent.children[i] !== el)) parent.replaceChildren(...order);
  });
  return parent;
}

/**
 * Runs `update` now and at every `refresh` over `el`.
 * @param {Element} el
 * @param {() => void} update
 */
export function onRefresh(el, update) {
  update();
  const known = live.get(el);
  if (known) known.push(update);
  else live.set(el, [update]);
}

/**
 * Updates every live part of `root`.
 * @param {Element} root
 */
export function refresh(root) {
  for (const update of live.get(root) ?? []) update();
  for (const el of root.querySelectorAll("*")) for (const update of live.get(el) ?? []) update();
}

/**
 * Runs `render` with the next frame, at most once a frame.
 * @param {() => void} render
 * @returns {{ soon: () => void, stop: () => void }} `stop` cancels the frame that is waiting
 */
export function eachFrame(render) {
  let frame = 0;
  return {
    soon() {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        render();
      });
    },
    stop() {
      cancelAnimationFrame(frame);
      frame = 0;
    },
  };
}

/**
 * Hides an element while a condition holds; the condition is live.
 * @param {HTMLElement} el
 * @param {() => boolean} hidden
 */
export function hideWhen(el, hidden) {
  onRefresh(el, () => {
    el.hidden = hidden();
  });
  return el;
}

/**
 * @param {Element} el
 * @param {Record<string, Attr>} attrs
 * @param {Child[]} children
 */
function fill(el, attrs, children) {
  for (const [name, value] of Object.entries(attrs)) {
    if (name.startsWith("on")) el.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (typeof value === "function") {
      const read = /** @type {() => Plain} */ (value);
      /** @type {Plain} */
      let last;
      onRefresh(el, () => {
        const now = read();
        if (now === last) return;
        last = now;
        setAttr(el, name, now);
      });
    } else setAttr(el, name, value);
  }
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (typeof child === "function") {
      const text = document.createTextNode("");
      el.append(text);
      onRefresh(el, () => {
        const now = String(child());
        if (text.data !== now) text.data = now;
      });
    } else el.append(child instanceof Node ? child : String(child));
  }
}

/**
 * @param {Element} el
 * @param {string} name
 * @param {Plain} value
 */
function setAttr(el, name, value) {
  if (name === "value" && "value" in el) el.value = String(value ?? "");
  else if (name === "checked" && "checked" in el) el.checked = Boolean(value);
  else if (value === false || value === null || value === undefined) el.removeAttribute(name);
  else el.setAttribute(name, value === true ? "" : String(value));
}
