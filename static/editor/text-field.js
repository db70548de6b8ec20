// @ts-check
// The position as text: it follows the board, and the board follows it. A text that the rules refuse stays, with the reason and the place.

import { h, onRefresh } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { setText } from "./state.js";
import { faultText, isWriting } from "./texts.js";

/** @import { Editor } from "./state.js" */

/** @param {Editor} editor @param {() => void} update */
export function textField(editor, update) {
  const field = h("textarea", {
    rows: 3,
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "none",
    "aria-describedby": "position-fault",
    "aria-invalid": () => (editor.fault ? "true" : null),
    oninput: () => {
      setText(editor, field.value.replaceAll("\n", ""));
      update();
    },
  });
  onRefresh(field, () => {
    if (field.value.replaceAll("\n", "") !== editor.text) field.value = editor.text;
  });
  return h(
    "div",
    { class: "text-field" },
    h(
      "label",
      {},
      h("span", {}, () => t("editor.text")),
      field,
    ),
    h("p", { class: "error", id: "position-fault", role: "alert", hidden: () => !isWriting(editor) }, () =>
      editor.fault && isWriting(editor) ? faultText(editor.fault) : "",
    ),
  );
}
