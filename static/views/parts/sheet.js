// @ts-check
// A sheet over the page. Escape, its button and a press outside close it; it goes with the view.
//
//   dialog.sheet
//     div.sheet-head > h2, button (close)
//     …

import { h } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { sign } from "./sign.js";

/** @import { Child } from "../../core/dom.js" */

/**
 * @param {string} className
 * @param {() => string} title
 * @param {Child[]} children
 * @param {() => void} [onClose]
 */
export function openSheet(className, title, children, onClose = () => {}) {
  /** @type {HTMLDialogElement} */
  const sheet = h(
    "dialog",
    { class: `sheet ${className}`, "aria-label": title },
    h(
      "div",
      { class: "sheet-head" },
      h("h2", {}, title),
      h("button", { type: "button", onclick: () => sheet.close() }, sign("close"), " ", () => t("notice.close")),
    ),
    ...children,
  );
  sheet.addEventListener("click", (event) => event.target === sheet && sheet.close());
  sheet.addEventListener("close", () => {
    onClose();
    sheet.remove();
  });
  document.querySelector("main")?.append(sheet);
  sheet.showModal();
}
