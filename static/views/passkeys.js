// @ts-check
// The passkeys of an account in the settings: a list, and the forms that add, rename and remove one.
//
//   section.card#passkeys
//     ul.rows > li.owned
//     form.account

import { createPasskey, hasPasskeys } from "../core/credentials.js";
import { h } from "../core/dom.js";
import { day, loadPart, moment, t } from "../core/i18n.js";
import { problemOf } from "../net/api.js";
import { deletePasskey, getPasskeys, patchPasskey, postPasskey, postPasskeyChallenge } from "../net/passkeys.js";
import { smallForm } from "./form.js";
import { loaded } from "./parts/loaded.js";
import { problemText } from "./texts.js";

/** @import { PasskeyView } from "../core/types.js" */
/** @import { Context } from "./context.js" */

/** A refusal of the server, or of the browser. @param {unknown} refusal */
export function passkeyProblem(refusal) {
  if (!(refusal instanceof DOMException)) return problemText(refusal);
  return t(refusal.name === "InvalidStateError" ? "passkeys.there" : "passkeys.cancelled");
}

/** The same where the password of the account is asked for. @param {unknown} refusal */
const told = (refusal) => (problemOf(refusal).code === "wrong-credentials" ? t("passkeys.wrong-password") : passkeyProblem(refusal));

/** @param {Context} ctx */
export async function passkeysPart(ctx) {
  await loadPart("passkeys");
  const form = h("div", {});
  const title = h("h2", { tabindex: "-1" }, () => t("passkeys.title"));
  /** Shows the list anew, and leaves the reader at its head. @param {string} done */
  const changed = async (done) => {
    await load();
    title.focus();
    ctx.announce(t(done));
  };
  const { el, load } = loaded(getPasskeys, ({ available, items }) => {
    const canAdd = available && hasPasskeys();
    section.hidden = !canAdd && items.length === 0;
    if (!canAdd) form.replaceChildren();
    else if (!form.firstChild) form.append(addForm(changed));
    return items.length === 0
      ? h("p", {}, () => t("passkeys.none"))
      : h(
          "ul",
          { class: "rows" },
          items.map((passkey) => row(passkey, changed)),
        );
  });
  const section = h(
    "section",
    { class: "card", id: "passkeys" },
    title,
    h("p", { class: "quiet" }, () => t("passkeys.hint")),
    el,
    form,
  );
  return section;
}

/** A field with its label. @param {string} label @param {Record<string, string | number>} attrs */
function field(label, attrs) {
  const input = h("input", { required: true, ...attrs });
  const el = h(
    "label",
    {},
    h("span", {}, () => t(label)),
    input,
  );
  return { el, input };
}

const nameField = (value = "") => field("passkeys.name", { name: "passkey-name", type: "text", autocomplete: "off", maxlength: 40, value });
const passwordField = () =>
  field("passkeys.password", { name: "password", type: "password", autocomplete: "current-password", maxlength: 200 });

/** @param {(done: string) => Promise<void>} changed */
function addForm(changed) {
  const [name, password] = [nameField(), passwordField()];
  return smallForm(
    { class: "account" },
    async () => {
      const { challenge, options } = await postPasskeyChallenge(password.input.value);
      await postPasskey(challenge, name.input.value.trim(), await createPasskey(options));
      name.input.value = "";
      password.input.value = "";
      await changed("passkeys.added");
    },
    () => t("passkeys.add"),
    [name.el, password.el],
    told,
  );
}

/** @param {PasskeyView} passkey @param {(done: string) => Promise<void>} changed */
function row({ id, name, created_at: made, last_used_at: used }, changed) {
  const place = h("div", {});
  /** The form that is open. */
  let open = "";
  /** @param {string} key @param {() => HTMLElement} build */
  const opener = (key, build) =>
    h(
      "button",
      {
        type: "button",
        onclick: () => {
          open = open === key ? "" : key;
          place.replaceChildren(...(open ? [build()] : []));
          place.querySelector("input")?.focus();
        },
      },
      () => t(key),
      h("span", { class: "visually-hidden" }, ` (${name})`),
    );
  return h(
    "li",
    {},
    h(
      "div",
      { class: "owned" },
      h(
        "span",
        {},
        h("strong", {}, name),
        h("small", { class: "quiet" }, () =>
          [t("passkeys.made", { day: day(made) }), used ? t("passkeys.used", { at: moment(used) }) : t("passkeys.unused")].join(" · "),
        ),
      ),
      h(
        "div",
        { class: "actions" },
        opener("passkeys.rename", () => renameForm(id, name, changed)),
        opener("passkeys.remove", () => removeForm(id, changed)),
      ),
    ),
    place,
  );
}

/** @param {string} id @param {string} old @param {(done: string) => Promise<void>} changed */
function renameForm(id, old, changed) {
  const name = nameField(old);
  return smallForm(
    { class: "account" },
    async () => {
      await patchPasskey(id, name.input.value.trim());
      await changed("passkeys.renamed");
    },
    () => t("passkeys.rename.do"),
    [name.el],
  );
}

/** @param {string} id @param {(done: string) => Promise<void>} changed */
function removeForm(id, changed) {
  const password = passwordField();
  return smallForm(
    { class: "account" },
    async () => {
      await deletePasskey(id, password.input.value);
      await changed("passkeys.removed");
    },
    () => t("passkeys.remove.do"),
    [h("p", { class: "quiet" }, () => t("passkeys.remove.hint")), password.el],
    told,
  );
}
