// @ts-check
// The form in which a recovery code sets a new password, in the place of the login.
//
//   div
//     form.card.account

import { h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { postRecovery } from "../net/account.js";
import { problemOf } from "../net/api.js";
import { smallForm } from "./form.js";
import { problemText } from "./texts.js";

/** @import { Context } from "./context.js" */

/** @param {Context} ctx @param {string} next the address after it */
export function recoveryForm(ctx, next) {
  const field = (/** @type {string} */ label, /** @type {Record<string, string | number>} */ attrs) => {
    const input = h("input", { required: true, ...attrs });
    const el = h(
      "label",
      {},
      h("span", {}, () => t(label)),
      input,
    );
    return { el, input };
  };
  const plain = { autocapitalize: "none", spellcheck: "false" };
  const name = field("account.name", { ...plain, name: "name", autocomplete: "username", maxlength: 40 });
  const code = field("recover.code", { ...plain, name: "code", autocomplete: "off", maxlength: 64 });
  const password = field("recover.password", { name: "password", type: "password", autocomplete: "new-password", maxlength: 200 });
  return smallForm(
    { class: "card account" },
    async () => {
      ctx.session.become(await postRecovery(name.input.value.trim(), code.input.value, password.input.value));
      ctx.go(next, { replace: true });
    },
    () => t("recover.do"),
    [
      h("h1", { tabindex: "-1" }, () => t("recover.title")),
      h("p", { class: "quiet" }, () => t("recover.hint")),
      name.el,
      code.el,
      password.el,
    ],
    (refusal) => {
      const isWrong = problemOf(refusal).code === "wrong-credentials";
      (isWrong ? code : password).input.focus();
      return isWrong ? t("recover.wrong") : problemText(refusal);
    },
  );
}
