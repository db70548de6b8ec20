// @ts-check
// The form of an appeal against a moderator's decision.

import { h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { smallForm } from "./form.js";

const MAX_TEXT_CHARS = 1000;

/** @param {(text: string) => Promise<void>} send */
export function appealForm(send) {
  const text = h("textarea", { name: "appeal", rows: 4, required: true, maxlength: MAX_TEXT_CHARS, dir: "auto" });
  return smallForm(
    { class: "account appeal" },
    () => send(text.value),
    () => t("appeal.send"),
    [
      h("p", { class: "quiet" }, () => t("appeal.hint")),
      h(
        "label",
        {},
        h("span", {}, () => t("appeal.text")),
        text,
      ),
    ],
  );
}
