// @ts-check
// Being called while the page is closed: the browser's subscription to push messages, and that the server knows it.

import { currentLanguage } from "../core/i18n.js";
import { deleteCalls, getPushKey, putCalls } from "./api.js";

/** Why a browser cannot be called. @typedef {"insecure" | "unsupported" | "denied"} Hindrance */

/** What stands in the way, if anything does. @returns {Hindrance | null} */
export function hindrance() {
  if (!isSecureContext) return "insecure";
  if (!("serviceWorker" in navigator) || !("PushManager" in window) || !("Notification" in window)) return "unsupported";
  return Notification.permission === "denied" ? "denied" : null;
}

/**
 * Have this browser called from now on. Asks the reader, where they have not answered yet: to be called from under their hand.
 * @returns {Promise<Hindrance | null>} what stands in the way
 */
export async function beCalled() {
  const before = hindrance();
  if (before !== null) return before;
  if ((await Notification.requestPermission()) !== "granted") return "denied";
  await subscribe();
  return null;
}

/** The server hears again what was chosen here: after a new session, in another language, or should it have forgotten. */
export async function stayCalled() {
  if (hindrance() === null && Notification.permission === "granted") await subscribe();
}

/** Have this browser called no more. */
export async function beLeftAlone() {
  await deleteCalls();
  const registration = await navigator.serviceWorker?.getRegistration();
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
}

async function subscribe() {
  const { key } = await getPushKey();
  // The page registers it too, but only after it has shown itself.
  await navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" });
  const { pushManager } = await navigator.serviceWorker.ready;
  let subscription = await pushManager.getSubscription();
  if (subscription && base64url(subscription.options.applicationServerKey) !== key) {
    // The server has another key than it had: its database was made anew.
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
