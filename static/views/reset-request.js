// @ts-check
// The form that has a link for a new password sent by mail, beside that for a recovery code.
//
//   form.card.account

import { h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { postResetWish } from "../net/email.js";
import { smallForm } from "./form.js";

/** @import { Context } from "./context.js" */

/** @param {Context} ctx */
export function resetRequestForm(ctx) {
  const sent = h("p", { role: "status", hidden: true }, () => t("email.forgot.sent"));
  const account = h("input", {
    name: "account",
    autocomplete: "username",
    autocapitalize: "none",
    spellcheck: "false",
    required: true,
    maxlength: 254,
  });
  return smallForm(
    { class: "card account", id: "by-mail" },
    async () => {
      await postResetWish(account.value.trim());
      sent.hidden = false;
      ctx.announce(t("email.forgot.sent"));
    },
    () => t("email.forgot.do"),
    [
      h("h2", {}, () => t("email.forgot")),
      h("p", { class: "quiet" }, () => t("email.forgot.hint")),
      h(
        "label",
        {},
        h("span", {}, () => t("email.forgot.account")),
        account,
      ),
      sent,
    ],
  );
}
