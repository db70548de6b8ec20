// @ts-check
// The identity of requests from this page: the reader's session, or a token. The token is in the memory of this document alone: it is in no
// store, no address and no attribute, and is gone with the page.

import { h } from "../core/dom.js";

/** @import { Sent } from "./request.js" */

/** A token as the server makes it. */
const TOKEN = /^mawe_[0-9A-Za-z]{46}$/;

/** @type {{ token: string, player: { name: string, kind: string } | null, isKnown: boolean }} */
const identity = { token: "", player: null, isKnown: false };

/** @type {Set<() => void>} */
const listeners = new Set();

/** Calls a function now and after each change of the identity, as long as its element is on the page. @param {Element} el @param {() => void} update */
export function onIdentity(el, update) {
  update();
  const listener = () => (el.isConnected ? update() : void listeners.delete(listener));
  // An element is put on the page after it is made.
  queueMicrotask(() => listeners.add(listener));
}

/** Sends a request from this page. @param {Sent} request @param {AbortSignal} [signal] @returns {Promise<Response>} */
export function send({ method, path, headers, body }, signal) {
  /** @type {RequestInit} */
  const init = { method, headers: { ...headers }, body, cache: "no-store", redirect: "manual" };
  if (signal) init.signal = signal;
  if (identity.token !== "") {
    init.headers = { ...headers, Authorization: `Bearer ${identity.token}` };
    // The token alone decides, as for a program.
    init.credentials = "omit";
  }
  return fetch(path, init);
}

/** Asks the server for the player of this identity. */
export async function learnIdentity() {
  try {
    const answer = await send({ method: "GET", path: "/api/v1/me", headers: {}, body: null });
    const me = await answer.json();
    identity.player = answer.ok ? me.player : null;
    identity.isKnown = answer.ok;
  } catch {
    identity.isKnown = false;
  }
  for (const listener of listeners) listener();
}

/** The caller in words. */
export function callerText() {
  const how = identity.token === "" ? "this browser's session" : "the token";
  if (!identity.isKnown) return identity.token === "" ? "not known: the server did not answer" : "a token that the server refuses";
  if (!identity.player) return "nobody: no session, no token";
  const kind = identity.player.kind === "guest" ? ", a guest" : identity.player.kind === "bot" ? ", a bot account" : "";
  return `${identity.player.name}${kind}, by ${how}`;
}

/** The short form of `callerText`, whose words are in it: the label of an element has to contain its text. */
function callerName() {
  if (!identity.isKnown) return identity.token === "" ? "Not known" : "A token";
  return identity.player?.name ?? "Nobody";
}

/** The part of the header that shows and changes the identity. */
export function identityPart() {
  const caller = h("span", {}, "…");
  const input = h("input", {
    type: "password",
    id: "token",
    autocomplete: "off",
    spellcheck: false,
    placeholder: "mawe_…",
    maxlength: 100,
    "aria-describedby": "token-note",
  });
  const fault = h("p", { role: "status", class: "fault" });
  const forget = h("button", { type: "button" }, "Forget it");
  const form = h("form", { class: "line" }, input, h("button", {}, "Use the token"), forget);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = input.value.trim();
    fault.textContent = TOKEN.test(text) ? "" : "A token is mawe_ and 46 letters and digits.";
    if (!TOKEN.test(text)) return;
    input.value = "";
    identity.token = text;
    learnIdentity();
  });
  forget.addEventListener("click", () => {
    identity.token = "";
    input.value = "";
    learnIdentity();
  });
  const guest = h("button", { type: "button" }, "Come in as a guest");
  guest.addEventListener("click", async () => {
    const headers = { "Content-Type": "application/json" };
    const answer = await send({ method: "POST", path: "/api/v1/guests", headers, body: "{}" }).catch(() => null);
    fault.textContent = answer?.ok ? "" : `The server refused it: ${answer?.status ?? "no answer"}.`;
    await learnIdentity();
  });
  const inside = h(
    "div",
    { class: "identity-panel" },
    h("p", {}, "Requests from this page are sent as: ", caller, "."),
    h("label", { for: "token" }, "Send them with a token instead"),
    form,
    h(
      "p",
      { id: "token-note", class: "quiet" },
      "Kept in this page's memory only, until it is closed or loaded again. The socket goes by the session: a browser sends no token there.",
    ),
    fault,
    h("p", {}, guest, " ", h("a", { class: "button", href: "/login" }, "Log in")),
  );
  const summary = h("summary", {}, "Nobody");
  const details = h("details", { class: "identity" }, summary, inside);
  onIdentity(details, () => {
    caller.textContent = callerText();
    summary.textContent = callerName();
    summary.setAttribute("aria-label", `Requests are sent as: ${callerText()}`);
    forget.hidden = identity.token === "";
    guest.hidden = identity.player !== null || identity.token !== "";
  });
  details.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !details.open) return;
    details.open = false;
    summary.focus();
  });
  return details;
}
