// @ts-check
// The login by a passkey: a button, and the offer of the browser in the field of the name.
//
//   button, p.error

import { hasPasskeys, offersInFields, usePasskey } from "../core/credentials.js";
import { h, refresh } from "../core/dom.js";
import { loadPart, t } from "../core/i18n.js";
import { problemOf } from "../net/api.js";
import { postLoginChallenge, postPasskeyLogin } from "../net/passkeys.js";
import { errorLine } from "./parts/error-line.js";
import { passkeyProblem } from "./passkeys.js";

/** @import { Context } from "./context.js" */

/** The age at which a challenge that waits in a field is replaced: the server's are good for five minutes. */
const RENEW_MS = 4 * 60_000;

/** @param {unknown} refusal */
const told = (refusal) => (problemOf(refusal).code === "wrong-credentials" ? t("passkeys.refused") : passkeyProblem(refusal));

/**
 * @param {Context} ctx
 * @param {string} next the address after it
 * @param {AbortSignal} left the page of the login was left
 * @returns {Promise<HTMLElement[]>} the parts of the form; none where there are no passkeys
 */
export async function passkeyLogin(ctx, next, left) {
  if (!hasPasskeys()) return [];
  await loadPart("passkeys");
  const error = errorLine();
  let busy = false;
  // A browser takes one request at a time: the button ends the one that waits in the field.
  let waiting = new AbortController();
  const button = h("button", { type: "button", disabled: () => busy, onclick: () => void ask() }, () => t("passkeys.log-in"));

  /** @param {AbortSignal} signal @param {CredentialMediationRequirement} [mediation] @param {() => void} [chosen] called at the choice */
  async function logIn(signal, mediation, chosen) {
    const { challenge, options } = await postLoginChallenge();
    const credential = await usePasskey(options, signal, mediation);
    chosen?.();
    ctx.session.become(await postPasskeyLogin(challenge, credential));
    ctx.go(next, { replace: true });
  }

  async function ask() {
    waiting.abort();
    busy = true;
    error.say(null);
    refresh(button);
    await logIn(left).catch((refusal) => {
      if (left.aborted) return;
      error.say(() => told(refusal));
      start();
    });
    busy = false;
    refresh(button);
  }

  /** Waits for a choice in the field of the name, until the page is left or the button is pressed. */
  async function offer() {
    if (!(await offersInFields())) return;
    waiting = new AbortController();
    const mine = waiting;
    while (!left.aborted && !mine.signal.aborted) {
      const signal = AbortSignal.any([left, mine.signal, AbortSignal.timeout(RENEW_MS)]);
      let isChosen = false;
      const chosen = () => {
        isChosen = true;
      };
      try {
        await logIn(signal, "conditional", chosen);
        return;
      } catch (refusal) {
        // The challenge was replaced for its age.
        if (signal.aborted && !isChosen) continue;
        // Without a choice the reader has asked for nothing, and is told nothing.
        if (isChosen) error.say(() => told(refusal));
        else if (problemOf(refusal).code === "passkeys-unavailable") button.hidden = true;
        return;
      }
    }
  }

  // What the browser cannot offer in a field it offers by the button.
  const start = () => void offer().catch(() => {});
  start();
  return [button, error.el];
}
