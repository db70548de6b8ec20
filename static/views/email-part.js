// @ts-check
// The e-mail address of an account, in its settings. Where the server sends no mail, a stored address can be removed, and none is entered.
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

/** Null where the server sends no mail and the account has no address. @param {Context} ctx @returns {Promise<HTMLElement | null>} */
export async function emailPart(ctx) {
  const [own] = await Promise.all([getEmail().catch(problemOf), loadPart("email")]);
  const isOn = ctx.session.site()?.mail === true;
  if (!isOn && ("code" in own || !(own.address || own.waiting))) return null;
  const part = h("section", { class: "card", id: "email" }, title());
  // A teacher helps with a forgotten password.
  part.append(...("code" in own && own.code === "pupil-account" ? [h("p", {}, () => t("email.pupil"))] : content(ctx, isOn)));
  return part;
}

const title = () => h("h2", {}, () => t("email.title"));

/** @param {Context} ctx @param {boolean} isOn whether the server sends mail */
function content(ctx, isOn) {
  /** @type {() => Promise<void>} */
  let load = async () => {};
  const state = loaded(getEmail, (own) =>
    h(
      "div",
      {},
      lines(own, isOn),
      removal(ctx, own, () => load()),
    ),
  );
  load = state.load;
  const hint = h("p", { class: "quiet" }, () => t(isOn ? "email.hint" : "email.off"));
  return isOn ? [hint, state.el, entry(ctx, load)] : [hint, state.el];
}

/** The form of a new address. @param {Context} ctx @param {() => Promise<void>} load */
function entry(ctx, load) {
  const address = field("email.address", { name: "address", type: "email", autocomplete: "email", maxlength: 254 });
  const password = passwordField();
  return smallForm(
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
}

/** @param {OwnEmail} own @param {boolean} isOn whether the server sends mail */
function lines({ address, confirmed_at: at, waiting }, isOn) {
  const found = [];
  if (address && at) found.push(h("p", {}, () => t("email.is", { address, day: day(at) })));
  if (waiting) found.push(h("p", {}, () => waitingText(waiting, isOn)));
  if (found.length === 0) found.push(h("p", {}, () => t("email.none")));
  return found;
}

/** @param {NonNullable<OwnEmail["waiting"]>} waiting @param {boolean} isOn */
const waitingText = ({ address, expires_at: until }, isOn) =>
  isOn ? t("email.waits", { address, time: moment(until) }) : t("email.unconfirmed", { address });

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
