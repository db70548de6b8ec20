// @ts-check
// Push messages while the page is closed: the browser's subscription, and its registration at the server.

import { currentLanguage } from "../core/i18n.js";
import { deleteCalls, getPushKey, putCalls } from "./api.js";

/** A reason why a browser cannot receive push messages. @typedef {"insecure" | "unsupported" | "denied"} Hindrance */

/** The reason why this browser cannot receive push messages, or null. @returns {Hindrance | null} */
export function hindrance() {
  if (!isSecureContext) return "insecure";
  if (!("serviceWorker" in navigator) || !("PushManager" in window) || !("Notification" in window)) return "unsupported";
  return Notification.permission === "denied" ? "denied" : null;
}

/**
 * Switches push messages on for this browser. The browser may ask the reader for permission, and allows that only in a handler of their
 * input.
 * @returns {Promise<Hindrance | null>} the reason of a failure
 */
export async function beCalled() {
  const before = hindrance();
  if (before !== null) return before;
  if ((await Notification.requestPermission()) !== "granted") return "denied";
  await subscribe();
  return null;
}

/** Sends the subscription to the server again: after a new session, in another language, or if the server has lost it. */
export async function stayCalled() {
  if (hindrance() === null && Notification.permission === "granted") await subscribe();
}

/** Switches push messages off for this browser. */
export async function beLeftAlone() {
  await deleteCalls();
  const registration = await navigator.serviceWorker?.getRegistration();
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
}

async function subscribe() {
  const { key } = await getPushKey();
  // The page registers it too, but only some seconds after it is shown.
  await navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" });
  const { pushManager } = await navigator.serviceWorker.ready;
  let subscription = await pushManager.getSubscription();
  if (subscription && base64url(subscription.options.applicationServerKey) !== key) {
    // The server has another key than before: its database is a new one.
    await subscription.unsubscribe();
    subscription = null;
  }
  subscription ??= await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  await putCalls({
    endpoint: subscription.endpoint,
    p256dh: base64url(subscription.getKey("p256dh")),
    auth: base64url(subscription.getKey("auth")),
    language: currentLanguage(),
  });
}

/** @param {ArrayBuffer | null} bytes */
const base64url = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
