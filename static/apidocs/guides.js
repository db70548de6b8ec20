// @ts-check
// The guides, which the server renders from `docs/`: `/api/docs/NAME` is a document of its own, and the page shows its content in place.

/** @import { Example } from "./messages.js" */
/** @import { Heading } from "./search.js" */

const PLACE = "/api/docs/";

/** The guides, in the order of the navigation. @type {readonly string[]} */
export const GUIDES = ["api", "api-bots", "clients", "protocol", "pairing", "moderation"];

/** @typedef {{ name: string, title: string, parts: readonly Node[] }} Guide */

/** @type {Map<string, Promise<Guide>>} */
const known = new Map();

/** The guide of an address; "" for any other address. @param {string} path @returns {string} */
export function guideOf(path) {
  const name = path.startsWith(PLACE) ? path.slice(PLACE.length) : "";
  return GUIDES.includes(name) ? name : "";
}

/** Keeps the guide that came with the document. @param {string} name @param {HTMLElement} main */
export function adopt(name, main) {
  known.set(name, Promise.resolve(guide(name, main)));
}

/** @param {string} name @returns {Promise<Guide>} */
export function loadGuide(name) {
  const found = known.get(name);
  if (found) return found;
  const loading = (async () => {
    const answer = await fetch(PLACE + name);
    if (!answer.ok) throw new Error(`${answer.status} for ${PLACE}${name}`);
    // A document that the parser makes runs no script and loads nothing.
    const main = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main");
    if (!main) throw new Error(`${PLACE}${name} is no guide`);
    return guide(name, document.importNode(main, true));
  })();
  known.set(name, loading);
  // It is asked for again with the next step of the reader.
  loading.catch(() => known.delete(name));
  return loading;
}

/** @param {string} name @param {HTMLElement} main @returns {Guide} */
function guide(name, main) {
  main.querySelector("noscript")?.remove();
  return { name, title: main.querySelector("h1")?.textContent ?? name, parts: [...main.childNodes] };
}

/** The elements of a guide that fit, wherever they stand. @param {Guide} guide @param {string} selector @returns {Element[]} */
const within = ({ parts }, selector) =>
  parts.flatMap((part) => (part instanceof Element ? [...(part.matches(selector) ? [part] : []), ...part.querySelectorAll(selector)] : []));

/** The headings of a guide, and the codes that begin the rows of its tables. @param {Guide} guide @returns {Heading[]} */
export function headingsOf(guide) {
  let href = `${PLACE}${guide.name}`;
  return within(guide, "h1[id], h2[id], h3[id], h4[id], td:first-child > code:only-child").map((part) => {
    const text = part.textContent ?? "";
    if (part.localName !== "code") href = `${PLACE}${guide.name}#${part.id}`;
    const said = part.localName === "code" ? (part.parentElement?.nextElementSibling?.textContent ?? "") : "";
    return { guide: said === "" ? guide.title : `${guide.title}: ${said}`, text, href };
  });
}

/** The examples of messages in a guide, each with the id of the heading before it. @param {Guide} guide @returns {Example[]} */
export function examplesIn(guide) {
  let heading = "";
  return within(guide, "h2[id], h3[id], h4[id], pre[data-example]").flatMap((part) => {
    const file = part.getAttribute("data-example");
    if (file === null) heading = part.id;
    return file === null ? [] : [{ file, text: (part.textContent ?? "").trim(), heading }];
  });
}
