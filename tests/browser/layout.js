// @ts-check
// Finds faults of layout in the page as it stands. It runs in the page, so it must not use anything outside itself.

/** What can be pressed. Cells of a board are not among it: a board has its own tests. */
export const PRESSED =
  "a[href], button, select, summary, textarea, input:not([type=radio], [type=checkbox], [type=hidden]), .choice > span";

/**
 * Lists the faults: a page wider than its window, text cut by its box or beside the window, text outside its button or cell of a table,
 * and things to press that lie upon each other.
 * @param {string} pressed the selector of what can be pressed
 * @returns {string[]}
 */
export function faults(pressed) {
  /** Rounding of a layout in fractions of a pixel. */
  const SLACK = 1;
  /** The height of a line of text includes room above and below its letters, which may be cut. */
  const LINE_SLACK = 0.25;
  /** The size of text that browsers begin with, in pixels. */
  const USUAL_TEXT = 16;
  /** The least width of a select's arrow. */
  const ARROW = 20;
  const { clientWidth, scrollWidth } = document.documentElement;
  /** @type {Set<string>} */
  const found = new Set();
  const words = (/** @type {Element} */ el) => (el.textContent ?? "").trim().replaceAll(/\s+/g, " ").slice(0, 30);
  const named = (/** @type {Element} */ el) => `${el.localName}${[...el.classList].map((name) => `.${name}`).join("")} "${words(el)}"`;
  /**
   * Remembers the answers about elements: those of a parent are a part of those of all its children.
   * @template T
   * @param {(el: Element) => T} ask
   */
  const remembered = (ask) => {
    /** @type {Map<Element, T>} */
    const known = new Map();
    return (/** @type {Element} */ el) => {
      const old = known.get(el);
      if (old !== undefined) return old;
      const answer = ask(el);
      known.set(el, answer);
      return answer;
    };
  };
  const isSeen = remembered((el) => el.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true }));
  const styleOf = remembered((el) => getComputedStyle(el));
  const isLimit = remembered((el) => styleOf(el).overflowX !== "visible");
  /** The ancestors whose box limits what is seen of an element, the nearest first. @type {(el: Element) => readonly Element[]} */
  const limits = remembered((el) => {
    const up = el.parentElement;
    if (!up || up === document.body) return [];
    return isLimit(up) ? [up, ...limits(up)] : limits(up);
  });
  /** @type {(el: Element) => boolean} */
  const isClipped = remembered(
    (el) => styleOf(el).clipPath.startsWith("inset(50%") || (el.parentElement !== null && isClipped(el.parentElement)),
  );
  const isForListeners = (/** @type {Element} */ el) => isClipped(el) || el.closest(".skip") !== null;
  const isScroller = (/** @type {Element} */ el) => /auto|scroll/.test(styleOf(el).overflowX + styleOf(el).overflowY);
  const isShortened = (/** @type {Element} */ el) => styleOf(el).textOverflow === "ellipsis" || styleOf(el).webkitLineClamp !== "none";

  if (scrollWidth > clientWidth) {
    const outside = [...document.querySelectorAll("body *")].filter(
      (el) =>
        el.getBoundingClientRect().right > clientWidth + SLACK && (styleOf(el).position === "absolute" || !limits(el).some(isScroller)),
    );
    found.add(`the page is ${scrollWidth - clientWidth} px too wide: ${outside.slice(-3).map(named).join(", ")}`);
  }

  // Text.
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const el = node.parentElement;
    if (!el || !node.nodeValue?.trim() || el.closest("svg, script, style, option, [aria-hidden=true]") || !isSeen(el) || isForListeners(el))
      continue;
    range.selectNodeContents(node);
    const around = [el, ...limits(el)].filter(isLimit);
    const scroller = around.findIndex(isScroller);
    const cutting = (scroller < 0 ? around : around.slice(0, scroller)).filter((box) => !isShortened(box));
    const isEllipsis = around.slice(0, scroller < 0 ? around.length : scroller).some(isShortened);
    const edged = el.closest("button, .button, .choice > span, th, td, .tally, .clock");
    for (const { left, right, top, bottom } of range.getClientRects()) {
      if (right - left < SLACK) continue;
      if (scroller < 0 && !isEllipsis && (left < -SLACK || right > clientWidth + SLACK)) found.add(`beside the window: ${named(el)}`);
      const high = (bottom - top) * LINE_SLACK;
      for (const box of cutting) {
        const of = box.getBoundingClientRect();
        if (left < of.left - SLACK || right > of.right + SLACK || top < of.top - high || bottom > of.bottom + high)
          found.add(`cut by ${named(box)}: ${named(el)}`);
      }
      const edge = edged?.getBoundingClientRect();
      if (
        edge &&
        !isEllipsis &&
        (left < edge.left - SLACK || right > edge.right + SLACK || top < edge.top - high || bottom > edge.bottom + high)
      )
        found.add(`outside its edge: ${named(el)}`);
    }
  }

  // The option that a select shows. Large text may be shortened there by an ellipsis: the list that it opens has all of it.
  const isLarge = Number.parseFloat(styleOf(document.documentElement).fontSize) > USUAL_TEXT;
  const pen = document.createElement("canvas").getContext("2d");
  for (const select of document.querySelectorAll("select")) {
    if (!pen || !isSeen(select) || (isLarge && isShortened(select))) continue;
    const { font, paddingLeft, paddingRight } = styleOf(select);
    pen.font = font;
    const room = select.clientWidth - ARROW - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    const need = pen.measureText(select.selectedOptions[0]?.text ?? "").width;
    if (need > room + SLACK) found.add(`cut by its select: "${select.selectedOptions[0]?.text}", ${Math.ceil(need - room)} px`);
  }

  // Things to press.
  /** @type {(el: Element) => boolean} */
  const isAbove = remembered((el) => /sticky|fixed/.test(styleOf(el).position) || (el.parentElement !== null && isAbove(el.parentElement)));
  const things = [...document.querySelectorAll(pressed)]
    .filter((el) => isSeen(el) && !isForListeners(el))
    .map((el) => {
      const boxes = limits(el).map((box) => box.getBoundingClientRect());
      const parts = [...el.getClientRects()].map(({ left, right, top, bottom }) => ({
        left: Math.max(left, ...boxes.map((box) => box.left)),
        right: Math.min(right, ...boxes.map((box) => box.right)),
        top: Math.max(top, ...boxes.map((box) => box.top)),
        bottom: Math.min(bottom, ...boxes.map((box) => box.bottom)),
      }));
      return { el, parts, above: isAbove(el) };
    });
  for (const [i, one] of things.entries()) {
    for (const other of things.slice(i + 1)) {
      // What stays in view lies upon what is scrolled below it.
      if (one.above !== other.above || one.el.contains(other.el) || other.el.contains(one.el)) continue;
      const meets = one.parts.some((a) =>
        other.parts.some(
          (b) =>
            Math.min(a.right, b.right) - Math.max(a.left, b.left) > SLACK && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > SLACK,
        ),
      );
      if (meets) found.add(`upon each other: ${named(one.el)} and ${named(other.el)}`);
    }
  }
  return [...found];
}
