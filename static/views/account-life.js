// @ts-check
// The settings of an account as a whole: its recovery codes, its name, its data and its end.
//
//   div.account-parts
//     section.card…

import { h } from "../core/dom.js";
import { day, t } from "../core/i18n.js";
import { deleteMe, getName, getRecoveryCodes, postName, postRecoveryCodes } from "../net/account.js";
import { problemOf } from "../net/api.js";
import { displayNamePart } from "./display-name.js";
import { smallForm } from "./form.js";
import { loaded } from "./parts/loaded.js";
import { loadRecoveryTexts, recoveryCodes } from "./recovery-codes.js";
import { problemText } from "./texts.js";

/** @import { Context } from "./context.js" */

/** @param {Context} ctx */
export async function accountLife(ctx) {
  await loadRecoveryTexts();
  return h(
    "div",
    { class: "account-parts" },
    codesPart(ctx),
    emailSlot(ctx),
    passkeysSlot(ctx),
    namePart(ctx),
    displayNamePart(ctx),
    dataPart(ctx),
    deletePart(ctx),
  );
}

/** A refusal where the password of the account is asked for. @param {unknown} refusal */
const told = (refusal) => (problemOf(refusal).code === "wrong-credentials" ? t("own.wrong") : problemText(refusal));

/** @param {string} label */
function passwordField(label) {
  const input = h("input", { name: "password", type: "password", autocomplete: "current-password", required: true, maxlength: 200 });
  const el = h(
    "label",
    {},
    h("span", {}, () => t(label)),
    input,
  );
  return { el, input };
}

/** @param {Context} ctx */
function codesPart(ctx) {
  const fresh = h("div", { class: "fresh", role: "status" });
  const { el, load } = loaded(getRecoveryCodes, ({ left, created_at: made }) =>
    h("p", {}, () => (made === null ? t("codes.none") : t("codes.left", { n: left, day: day(made) }))),
  );
  const password = passwordField("password.old");
  const form = smallForm(
    { class: "account" },
    async () => {
      const { recovery_codes: codes } = await postRecoveryCodes(password.input.value);
      password.input.value = "";
      fresh.replaceChildren(recoveryCodes(ctx, ctx.session.player()?.name ?? "", codes));
      await load();
    },
    () => t("codes.make"),
    [h("p", { class: "quiet" }, () => t("codes.replace")), password.el],
    told,
  );
  return h(
    "section",
    { class: "card" },
    h("h2", {}, () => t("codes.title")),
    h("p", { class: "quiet" }, () => codesHint(ctx)),
    el,
    fresh,
    form,
  );
}

/** Whether the codes are the only way to a new password. @param {Context} ctx */
const codesHint = (ctx) => (ctx.session.site()?.mail ? t("codes.hint") : `${t("codes.hint")} ${t("codes.only")}`);

/** The place of the e-mail address. @param {Context} ctx */
function emailSlot(ctx) {
  const slot = h("div", { hidden: true });
  void import("./email-part.js")
    .then(({ emailPart }) => emailPart(ctx))
    .then(
      (part) => (part ? slot.replaceWith(part) : slot.remove()),
      // The other settings do without it.
      () => slot.remove(),
    );
  return slot;
}

/** The place of the passkeys, where the browser has some. @param {Context} ctx */
function passkeysSlot(ctx) {
  const slot = h("div", { hidden: true });
  if ("PublicKeyCredential" in window)
    void import("./passkeys.js")
      .then(({ passkeysPart }) => passkeysPart(ctx))
      .then(
        (part) => slot.replaceWith(part),
        // The other settings do without it.
        () => slot.remove(),
      );
  return slot;
}

/** A field of a form with its label. @param {string} label @param {Record<string, string | number>} attrs */
function textField(label, attrs) {
  const input = h("input", { type: "text", required: true, autocapitalize: "none", spellcheck: "false", autocomplete: "off", ...attrs });
  const el = h(
    "label",
    {},
    h("span", {}, () => t(label)),
    input,
  );
  return { el, input };
}

/** The name, which the owner can change once in a while. @param {Context} ctx */
function namePart(ctx) {
  const { el } = loaded(getName, ({ name, not_before: from }) =>
    from === null ? nameForm(ctx, name) : h("p", {}, () => t("name.wait", { name, day: day(from) })),
  );
  return h(
    "section",
    { class: "card", id: "name" },
    h("h2", {}, () => t("name.title")),
    el,
  );
}

/** @param {Context} ctx @param {string} name the present one */
function nameForm(ctx, name) {
  const next = textField("name.new", { name: "new-name", maxlength: 20 });
  return smallForm(
    { class: "account" },
    async () => {
      // The settings are shown anew then.
      ctx.session.become(await postName(next.input.value.trim()));
      ctx.announce(t("name.done"));
    },
    () => t("name.do"),
    [h("p", {}, () => t("name.hint", { name })), next.el],
  );
}

/** The downloads of what the server has about the reader. @param {Context} ctx */
function dataPart(ctx) {
  const name = encodeURIComponent(ctx.session.player()?.name ?? "");
  const download = (/** @type {string} */ href, /** @type {string} */ file, /** @type {string} */ label) =>
    h(
      "li",
      {},
      h("a", { href, download: file }, () => t(label)),
    );
  return h(
    "section",
    { class: "card", id: "data" },
    h("h2", {}, () => t("data.title")),
    h("p", { class: "quiet" }, () => t("data.hint")),
    h(
      "ul",
      { class: "plain" },
      download("/api/v1/me/export", "mawe.json", "data.all"),
      download(`/api/v1/players/${name}/matches/export`, "mawe.ndjson", "data.matches"),
    ),
  );
}

/** The end of the account, which wants its name and its password. @param {Context} ctx */
function deletePart(ctx) {
  const name = textField("delete.name", { name: "own-name", maxlength: 40 });
  const password = passwordField("delete.password");
  const form = smallForm(
    { class: "account" },
    async () => {
      if (name.input.value.trim() !== ctx.session.player()?.name) throw new OtherName();
      await ctx.logOut({ end: () => deleteMe(password.input.value) });
      ctx.announce(t("delete.done"));
    },
    () => t("delete.do"),
    [name.el, password.el],
    (refusal) => (refusal instanceof OtherName ? t("delete.other-name") : told(refusal)),
  );
  return h(
    "section",
    { class: "card", id: "delete" },
    h("h2", {}, () => t("delete.title")),
    h("p", { class: "quiet" }, () => t("delete.hint")),
    form,
  );
}

/** The name that was typed is not the account's. */
class OtherName extends Error {}
