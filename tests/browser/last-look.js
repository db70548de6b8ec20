// @ts-check
// What the pages of a failed test showed, and their last requests: a failure on another machine is explained by the output alone.

/** @import { Page, Request } from "playwright-core" */

/** The number of requests of a page that are told. */
const REQUESTS = 12;
/** The length of a page's text that is told. */
const TEXT = 1_200;
/** The time for which a page is waited for: one that hangs is told, too. */
const ANSWER_MS = 5_000;

/** One request: how it went is known later. @typedef {{ what: string, how: string }} Sent */

/** The last requests of pages to the API. @type {WeakMap<Page, Sent[]>} */
const sentOf = new WeakMap();

/** Notes the requests of a page to the API. @param {Page} page */
export function noteRequests(page) {
  /** @type {Sent[]} */
  const sent = [];
  sentOf.set(page, sent);
  /** @type {WeakMap<Request, Sent>} */
  const known = new WeakMap();
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (!pathname.startsWith("/api/")) return;
    const one = { what: `${request.method()} ${pathname}${search}`, how: "no answer" };
    known.set(request, one);
    sent.push(one);
    if (sent.length > REQUESTS) sent.shift();
  });
  const end = (/** @type {Request} */ request, /** @type {string} */ how) => {
    const one = known.get(request);
    if (one) one.how = how;
  };
  page.on("response", (response) => end(response.request(), String(response.status())));
  page.on("requestfailed", (request) => end(request, request.failure()?.errorText ?? "failed"));
}

/** Describes what a page shows. @param {Page} page @returns {Promise<string>} */
export async function lastLook(page) {
  const state = page.evaluate((most) => {
    const { title, visibilityState, activeElement, body } = document;
    const drawn = new Promise((seen) => requestAnimationFrame(() => seen("drawn")));
    const late = new Promise((seen) => setTimeout(() => seen("NOT DRAWN within a second"), 1_000));
    const focus = activeElement?.outerHTML.slice(0, 200) ?? "";
    return Promise.race([drawn, late]).then(
      (frame) => `${title} (${visibilityState}, ${frame}), focus on ${focus}\n${body.innerText.slice(0, most)}`,
    );
  }, TEXT);
  const silence = new Promise((resolve) => setTimeout(() => resolve("the page does not answer"), ANSWER_MS).unref());
  const shown = await Promise.race([state.catch(String), silence]);
  const requests = (sentOf.get(page) ?? []).map(({ what, how }) => `  ${what}: ${how}`);
  return [`a page of the failed test: ${page.url()}`, shown, "its last requests:", ...requests].join("\n");
}
