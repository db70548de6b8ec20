// @ts-check
// The navigation beside the page, and on a phone in a drawer: after the guides, which stand in the document, the socket, the operations by tags,
// schemas and codes.

import { h } from "../core/dom.js";
import { methodSign } from "./prose.js";

/** @import { Reference } from "./document.js" */

/** @param {HTMLElement} nav @param {Reference} reference */
export function fillNavigation(nav, { tags, schemas, codes }) {
  const link = (/** @type {string} */ href, /** @type {(Node | string)[]} */ ...text) =>
    h("li", {}, h("a", { href: `/api/docs${href}` }, ...text));
  const groups = tags.map(({ name, operations }) =>
    h(
      "details",
      { "data-tag": name },
      h("summary", {}, name, h("span", { class: "quiet" }, ` ${operations.length}`)),
      h(
        "ul",
        {},
        link(`#tag/${name}`, "All of them"),
        ...operations.map(({ id, method, path }) =>
          link(`#operation/${id}`, methodSign(method), " ", h("span", {}, path.replace(/^\/api\/v1/, ""))),
        ),
      ),
    ),
  );
  nav.prepend(h("ul", {}, link("", "Overview")));
  nav.append(
    h("h2", {}, "The socket"),
    h("ul", {}, link("#socket", "Console and messages")),
    h("h2", {}, "Operations"),
    ...groups,
    h("h2", {}, "Types"),
    h("ul", {}, link("#codes", `Error codes (${codes.size})`), link("#schemas", `Schemas (${Object.keys(schemas).length})`)),
  );
}

/** Marks the page that is shown, and opens its group. @param {HTMLElement} nav @param {string} address with its fragment, without values */
export function markCurrent(nav, address) {
  for (const link of nav.querySelectorAll("a")) {
    const isCurrent = link.getAttribute("href") === address;
    if (isCurrent) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
    if (!isCurrent) continue;
    const group = link.closest("details");
    if (group) group.open = true;
    // Only the navigation is scrolled, and only where it is a column of its own.
    const { top, bottom } = link.getBoundingClientRect();
    const frame = nav.getBoundingClientRect();
    if (top < frame.top || bottom > frame.bottom) nav.scrollTop += top - frame.top - frame.height / 2;
  }
}

/** The button that opens the navigation on a phone. @param {HTMLElement} nav */
export function drawerButton(nav) {
  const button = h("button", { type: "button", class: "drawer", "aria-expanded": "false", "aria-controls": nav.id }, "Pages");
  const set = (/** @type {boolean} */ isOpen) => {
    nav.classList.toggle("open", isOpen);
    button.setAttribute("aria-expanded", String(isOpen));
  };
  button.addEventListener("click", () => set(!nav.classList.contains("open")));
  // The drawer lies over the page.
  const leave = (/** @type {EventTarget | null} */ to) => {
    if (to instanceof Node && !nav.contains(to) && to !== button) set(false);
  };
  nav.addEventListener("focusout", ({ relatedTarget }) => leave(relatedTarget));
  document.addEventListener("pointerdown", ({ target }) => leave(target));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !nav.classList.contains("open")) return;
    set(false);
    button.focus();
  });
  return { button, close: () => set(false) };
}
