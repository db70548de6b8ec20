// @ts-check
// The pages to which the links in mails lead: one confirms an address, one sets a new password. The token is in the part of the address that no
// server sees.
//
//   section.page.narrow
//     form.card.account, or div.card.account

import { h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { problemOf } from "../net/api.js";
import { postConfirmation, postReset } from "../net/email.js";
import { smallForm } from "./form.js";
import { problemText } from "./texts.js";

/** @import { Context, ViewMaker } from "./context.js" */

/** The form waits for a press: programs that look through mails open the links in them. @type {ViewMaker} */
export function confirmEmailView() {
  const token = takeFragment();
  const el = h("section", { class: "page narrow" });
  const form = smallForm(
    { class: "card account" },
    async () => {
      const { name, address } = await postConfirmation(token);
      const title = h("h1", { tabindex: "-1" }, () => t("email.confirm"));
      const to = h("a", { class: "button primary", href: "/settings" }, () => t("email.confirm.on"));
      el.replaceChildren(
        h(
          "div",
          { class: "card account" },
          title,
          h("p", { role: "status" }, () => t("email.confirm.done", { address, name })),
          to,
        ),
      );
      title.focus();
    },
    () => t("email.confirm.do"),
    [h("h1", { tabindex: "-1" }, () => t("email.confirm")), h("p", { class: "quiet" }, () => t("email.confirm.hint"))],
  );
  el.append(token === "" ? incomplete("email.confirm") : form);
  return { title: () => t("email.confirm"), el };
}

/** @type {ViewMaker} */
export function resetPasswordView(ctx) {
  const [name = "", token = ""] = takeFragment().split("/");
  const el = h("section", { class: "page narrow" });
  el.append(token === "" ? incomplete("email.reset") : resetForm(ctx, name, token));
  return { title: () => t("email.reset"), el };
}

/** @param {Context} ctx @param {string} name of the account @param {string} token */
function resetForm(ctx, name, token) {
  const password = h("input", { name: "password", type: "password", autocomplete: "new-password", required: true, maxlength: 200 });
  const again = h(
    "p",
    { hidden: true },
    h("a", { href: "/login?recover" }, () => t("email.reset.again")),
  );
  return smallForm(
    { class: "card account" },
    async () => {
      ctx.session.become(await postReset(token, password.value));
      ctx.go("/", { replace: true });
    },
    () => t("email.reset"),
    [
      h("h1", { tabindex: "-1" }, () => t("email.reset")),
      h("p", { class: "quiet" }, () => t("email.reset.hint")),
      h(
        "label",
        {},
        h("span", {}, () => t("account.name")),
        // Shows whose password it is, and lets the browser keep the new one under this name.
        h("input", { name: "name", autocomplete: "username", readonly: true, value: name }),
      ),
      h(
        "label",
        {},
        h("span", {}, () => t("email.reset.password")),
        password,
      ),
      again,
    ],
    (refusal) => {
      again.hidden = problemOf(refusal).code !== "link-expired";
      password.focus();
      return problemText(refusal);
    },
  );
}

/** In the place of a form whose address was cut off. @param {string} title */
function incomplete(title) {
  return h(
    "div",
    { class: "card account" },
    h("h1", { tabindex: "-1" }, () => t(title)),
    h("p", {}, () => t("email.lost")),
    h("a", { href: "/login" }, () => t("account.log-in")),
  );
}

/** The part of the address after the `#`, which does not stay there for the next reader of the screen or of the history. */
function takeFragment() {
  const fragment = decoded(location.hash.slice(1));
  if (location.hash !== "") history.replaceState(history.state, "", location.pathname + location.search);
  return fragment;
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
