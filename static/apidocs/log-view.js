// @ts-check
// The last lines of a stream or of the socket, at most one drawing a frame.

import { eachFrame, h } from "../core/dom.js";
import { append, emptyLog, MAX_LINES } from "./answer.js";

/** @param {string} name for screen readers */
export function logView(name) {
  let log = emptyLog();
  /** The number of the first line of the log that is not drawn yet. */
  let drawn = 0;
  let total = 0;
  const list = h("ol", { class: "lines" });
  const count = h("p", { class: "quiet", role: "status" });
  const region = h("div", { class: "log", role: "region", "aria-label": name, tabindex: 0 }, list);
  const drawing = eachFrame(() => {
    const isAtEnd = region.scrollHeight - region.scrollTop - region.clientHeight < 40;
    const fresh = log.lines.slice(Math.max(0, log.lines.length - (total - drawn)));
    list.append(...fresh.map((line) => h("li", { class: line.startsWith("→") ? "sent" : "" }, line)));
    while (list.children.length > MAX_LINES) list.firstElementChild?.remove();
    drawn = total;
    if (isAtEnd) region.scrollTop = region.scrollHeight;
    count.textContent = log.dropped > 0 ? `${total} lines; the last ${MAX_LINES} are shown` : `${total} ${total === 1 ? "line" : "lines"}`;
  });
  return {
    region,
    count,
    /** @param {string} line */
    add(line) {
      append(log, line);
      total += 1;
      drawing.soon();
    },
    clear() {
      log = emptyLog();
      drawn = 0;
      total = 0;
      list.replaceChildren();
      drawing.soon();
    },
  };
}
