// @ts-check
// The field of the search with the list of its results: `/` goes there, the arrows lead through the list, Enter opens.

import { h } from "../core/dom.js";
import { search } from "./search.js";

/** @import { Entry } from "./search.js" */

/** @param {() => Promise<readonly Entry[]>} index is asked with every change: guides come later */
export function searchPart(index) {
  const list = h("div", { role: "listbox", id: "found", "aria-label": "Found", hidden: true });
  const status = h("p", { class: "visually-hidden", role: "status" });
  const input = searchField();
  let chosen = -1;
  /** The text whose results are shown. */
  let shown = "";
  const close = () => show([]);

  /** @param {number} place */
  function choose(place) {
    const options = [...list.children];
    chosen = options.length === 0 ? -1 : (place + options.length) % options.length;
    for (const [at, option] of options.entries()) option.setAttribute("aria-selected", String(at === chosen));
    const option = options[chosen];
    option?.scrollIntoView({ block: "nearest" });
    if (option) input.setAttribute("aria-activedescendant", option.id);
    else input.removeAttribute("aria-activedescendant");
  }

  /** @param {readonly Entry[]} entries */
  function show(entries) {
    // The guides may come while the reader chooses.
    const kept = input.value === shown ? list.children[chosen]?.getAttribute("href") : undefined;
    shown = input.value;
    list.replaceChildren(...entries.map((entry, place) => optionOf(entry, place)));
    const isEmpty = entries.length === 0 && input.value.trim() !== "" && document.activeElement === input;
    status.textContent = entries.length > 0 ? `${entries.length} found` : isEmpty ? "Nothing found" : "";
    status.classList.toggle("visually-hidden", !isEmpty);
    list.hidden = entries.length === 0;
    input.setAttribute("aria-expanded", String(entries.length > 0));
    const place = [...list.children].findIndex((option) => option.getAttribute("href") === kept);
    choose(Math.max(place, 0));
  }

  let asked = 0;
  async function update() {
    const turn = ++asked;
    const entries = search(await index(), input.value);
    // A later letter may have been answered sooner.
    if (turn === asked) show(entries);
  }

  input.addEventListener("input", update);
  input.addEventListener("focus", update);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") choose(chosen + 1);
    else if (event.key === "ArrowUp") choose(chosen - 1);
    else if (event.key === "Enter") /** @type {HTMLElement | undefined} */ (list.children[chosen])?.click();
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
  });
  const root = h("div", { class: "api-search", role: "search" }, input, list, status);
  root.addEventListener("focusout", (event) => {
    if (!root.contains(/** @type {Node | null} */ (event.relatedTarget))) close();
  });
  // The field keeps the focus while a result is pressed.
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", () => {
    close();
    input.blur();
  });
  reachBySlash(input);
  return { root, update: () => (document.activeElement === input ? update() : undefined) };
}

/** The field itself: a combobox whose list is `found`. */
function searchField() {
  return h("input", {
    type: "search",
    id: "search",
    role: "combobox",
    "aria-label": "Search the API",
    "aria-expanded": "false",
    "aria-controls": "found",
    "aria-autocomplete": "list",
    autocomplete: "off",
    spellcheck: false,
    maxlength: 200,
    placeholder: "Search ( / )",
  });
}

/** `/` goes to the field from everywhere but a field of text. @param {HTMLInputElement} input */
function reachBySlash(input) {
  document.addEventListener("keydown", (event) => {
    const { target } = event;
    const isWriting = target instanceof HTMLElement && (/^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable);
    if (event.key !== "/" || isWriting || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
}

/** @param {Entry} entry @param {number} place */
function optionOf({ kind, label, detail, href }, place) {
  // The keys go to the field; a press, also with the middle button, is that of a link.
  return h(
    "a",
    {
      role: "option",
      id: `found-${place}`,
      "aria-selected": "false",
      href: href.startsWith("#") ? `/api/docs${href}` : href,
      tabindex: -1,
    },
    h("span", { class: "kind" }, kind),
    " ",
    h("code", {}, label),
    " ",
    h("span", { class: "quiet" }, detail),
  );
}
