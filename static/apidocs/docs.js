// @ts-check
// The page of the API: reads the OpenAPI document, and shows the page of the address. For programmers, and so in English, as the document is.
//
// header      home, the button of the drawer, search, identity
// nav         guides, the socket, operations by tags, types
// main        one page: `/api/docs#operation/ID`, `#tag/…`, `#schema/…`, `#code/…`, `#message/…`, `#socket`, or a guide at an address of its own

import { h } from "../core/dom.js";
import { consolePart } from "./console-view.js";
import { readDocument } from "./document.js";
import { adopt, examplesIn, GUIDES, guideOf, headingsOf, loadGuide } from "./guides.js";
import { identityPart, learnIdentity } from "./identity.js";
import { messagesOf } from "./messages.js";
import { drawerButton, fillNavigation, markCurrent } from "./navigation.js";
import { operationPage } from "./operation-view.js";
import { codePage, codesPage, messagePage, overviewPage, schemaPage, schemasPage, socketPage, tagPage } from "./pages.js";
import { indexOf } from "./search.js";
import { searchPart } from "./search-view.js";

/** @import { Reference } from "./document.js" */
/** @import { Entry, Heading } from "./search.js" */
/** @typedef {{ element: HTMLElement, leave?: () => void }} Page */

const HOME = "/api/docs";
const main = /** @type {HTMLElement} */ (document.getElementById("content"));
const nav = /** @type {HTMLElement} */ (document.getElementById("navigation"));
const header = /** @type {HTMLElement} */ (document.querySelector(".api-header"));
const first = guideOf(location.pathname);
if (first) adopt(first, main);

/** Ends the stream and the socket of the page before. */
let leave = () => {};
/** Counts the pages, so that one that comes late is not shown. */
let turn = 0;

/** The page of a fragment; null if there is none. @param {string} fragment without `#` @param {Reference} reference @returns {Promise<Page | null>} */
async function pageOf(fragment, reference) {
  const [name = "", query = ""] = fragment.split("?");
  const [kind = "", ...rest] = name.split("/").map(decodeURIComponent);
  const key = rest.join("/");
  const given = Object.fromEntries(new URLSearchParams(query));
  const plain = (/** @type {HTMLElement | null} */ element) => element && { element };
  switch (kind) {
    case "":
      return plain(overviewPage(reference));
    case "operation": {
      const operation = reference.operations.get(key);
      return operation ? operationPage(operation, reference, given) : null;
    }
    case "tag": {
      const tag = reference.tags.find((one) => one.name === key);
      return tag ? plain(tagPage(tag)) : null;
    }
    case "schemas":
      return plain(schemasPage(reference));
    case "schema":
      return plain(schemaPage(key, reference));
    case "codes":
      return plain(codesPage(reference));
    case "code":
      return plain(codePage(key, reference));
    case "socket":
      return socketOf(reference, given.message);
    case "message": {
      const message = messagesOf(reference).find(({ sender, name: own }) => key === `${sender}/${own}`);
      return message ? plain(messagePage(message, await examples(), reference)) : null;
    }
    default:
      return null;
  }
}

/** @param {Reference} reference @param {string} [name] @returns {Promise<Page>} */
async function socketOf(reference, name) {
  const messages = messagesOf(reference);
  const part = consolePart(messages, await examples(), reference, name);
  return { element: socketPage(part.element, messages), leave: part.leave };
}

/** The examples of the guide; without it examples are put together from the schemas. */
async function examples() {
  try {
    return examplesIn(await loadGuide("protocol"));
  } catch {
    return [];
  }
}

/** Shows the page of the address. @param {Reference} reference @param {boolean} isFirst */
async function show(reference, isFirst) {
  const own = ++turn;
  const name = guideOf(location.pathname);
  const fragment = location.hash.slice(1);
  const page = name ? await guidePage(name) : await pageOf(fragment, reference).catch(() => null);
  if (own !== turn) return;
  leave();
  const shown = page ?? missing();
  leave = shown.leave ?? (() => {});
  main.replaceChildren(shown.element);
  const heading = main.querySelector("h1");
  document.title = heading ? `${heading.textContent} – Mawe! API` : "Mawe! – the API";
  markCurrent(nav, name ? location.pathname : fragment === "" ? HOME : `${HOME}#${fragment.split("?")[0]}`);
  const target = name && fragment !== "" ? document.getElementById(decodeURIComponent(fragment)) : null;
  if (target) return target.scrollIntoView();
  if (isFirst) return;
  scrollTo(0, 0);
  // Screen readers announce the new page; the browser does it at an address of its own.
  heading?.focus({ preventScroll: true });
}

/** @param {string} name @returns {Promise<Page>} */
async function guidePage(name) {
  try {
    const { parts } = await loadGuide(name);
    const element = h("article", { class: "guide" });
    element.append(...parts);
    element.querySelector("h1")?.setAttribute("tabindex", "-1");
    return { element };
  } catch (error) {
    return { element: h("p", { role: "alert" }, `The guide could not be read: ${error}`) };
  }
}

/** @returns {Page} */
const missing = () => ({
  element: h(
    "article",
    {},
    h("h1", { tabindex: -1 }, "Not found"),
    h("p", {}, "This address names no part of the API: ", h("a", { href: HOME }, "overview"), "."),
  ),
});

/** Everything that can be found: at once the reference, and the guides when they have come. @param {Reference} reference */
function searchIndex(reference) {
  const messages = messagesOf(reference);
  /** @type {Heading[]} */
  let headings = [];
  /** @type {Entry[]} */
  let entries = [];
  let isAsked = false;
  const part = searchPart(async () => {
    if (entries.length === 0) entries = indexOf(reference, messages, headings);
    if (!isAsked) {
      isAsked = true;
      Promise.all(GUIDES.map((name) => loadGuide(name).then(headingsOf, () => []))).then((found) => {
        headings = found.flat();
        entries = [];
        part.update();
      });
    }
    return entries;
  });
  return part;
}

/** A link within the page is followed without loading the document again. @param {MouseEvent} event @param {() => void} follow */
function follow(event, follow) {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const to = new URL(link.href);
  if (to.origin !== location.origin || (to.pathname !== HOME && !guideOf(to.pathname))) return;
  event.preventDefault();
  if (to.href !== location.href) history.pushState(null, "", to);
  follow();
}

try {
  const answer = await fetch("/api/openapi.json");
  if (!answer.ok) throw new Error(`${answer.status}`);
  const reference = readDocument(await answer.json());
  const { button, close } = drawerButton(nav);
  fillNavigation(nav, reference);
  header.append(button, searchIndex(reference).root, identityPart());
  document.addEventListener("click", (event) =>
    follow(event, () => {
      close();
      show(reference, false);
    }),
  );
  // The browser's own ways: back, forward, and an address that is written.
  addEventListener("popstate", () => show(reference, false));
  await show(reference, true);
  learnIdentity();
} catch (error) {
  main.prepend(h("p", { role: "alert" }, `The document could not be read: ${error}`));
}
