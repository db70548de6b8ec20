// @ts-check
// The e-mail address of an account, in its settings.
//
//   section.card
//     p, form.account, form.account

import { h } from "../core/dom.js";
import { day, loadPart, moment, t } from "../core/i18n.js";
import { problemOf } from "../net/api.js";
import { deleteEmail, getEmail, putEmail } from "../net/email.js";
import { smallForm } from "./form.js";
import { loaded } from "./parts/loaded.js";
import { problemText } from "./texts.js";

/** @import { OwnEmail } from "../core/types.js" */
/** @import { Context } from "./context.js" */

/** A refusal where the password of the account is asked for. @param {unknown} refusal */
const told = (refusal) => (problemOf(refusal).code === "wrong-credentials" ? t("own.wrong") : problemText(refusal));

/** @param {Context} ctx */
export async function emailPart(ctx) {
  const [own] = await Promise.all([getEmail().catch(problemOf), loadPart("email")]);
  const part = h("section", { class: "card", id: "email" }, title());
  // A teacher helps with a forgotten password.
  part.append(...("code" in own && own.code === "pupil-account" ? [h("p", {}, () => t("email.pupil"))] : content(ctx)));
  return part;
}

const title = () => h("h2", {}, () => t("email.title"));

/** @param {Context} ctx */
function content(ctx) {
  /** @type {() => Promise<void>} */
  let load = async () => {};
  const state = loaded(getEmail, (own) =>
    h(
      "div",
      {},
      lines(own),
      removal(ctx, own, () => load()),
    ),
  );
  load = state.load;
  const address = field("email.address", { name: "address", type: "email", autocomplete: "email", maxlength: 254 });
  const password = passwordField();
  const form = smallForm(
    { class: "account" },
    async () => {
      await putEmail(address.input.value.trim(), password.input.value);
      for (const { input } of [address, password]) input.value = "";
      ctx.announce(t("email.sent"));
      await load();
    },
    () => t("email.do"),
    [address.el, password.el],
    (refusal) => {
      (problemOf(refusal).code === "bad-email" ? address : password).input.focus();
      return told(refusal);
    },
  );
  return [h("p", { class: "quiet" }, () => t("email.hint")), state.el, form];
}

/** @param {OwnEmail} own */
function lines({ address, confirmed_at: at, waiting }) {
  const found = [];
  if (address && at) found.push(h("p", {}, () => t("email.is", { address, day: day(at) })));
  if (waiting) found.push(h("p", {}, () => t("email.waits", { address: waiting.address, time: moment(waiting.expires_at) })));
  if (found.length === 0) found.push(h("p", {}, () => t("email.none")));
  return found;
}

/** The form that removes the address, where there is one. @param {Context} ctx @param {OwnEmail} own @param {() => Promise<void>} load */
function removal(ctx, { address, waiting }, load) {
  if (!address && !waiting) return null;
  const password = passwordField();
  const form = smallForm(
    { class: "account" },
    async () => {
      await deleteEmail(password.input.value);
      ctx.announce(t("email.removed"));
      await load();
    },
    () => t("email.remove"),
    [password.el],
    told,
  );
  return h(
    "details",
    {},
    h("summary", {}, () => t("email.remove")),
    form,
  );
}

const passwordField = () =>
  field("email.password", { name: "password", type: "password", autocomplete: "current-password", maxlength: 200 });

/** A field of a form with its label. @param {string} label @param {Record<string, string | number>} attrs */
function field(label, attrs) {
  const input = h("input", { required: true, autocapitalize: "none", spellcheck: "false", ...attrs });
  const el = h(
    "label",
    {},
    h("span", {}, () => t(label)),
    input,
  );
  return { el, input };
}
