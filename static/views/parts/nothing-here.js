// @ts-check
// The page for an address without content.

import { h } from "../../core/dom.js";
import { t } from "../../core/i18n.js";

/** A page for an address without content. @param {() => string} text */
export function nothingHere(text) {
  return h(
    "section",
    { class: "page narrow" },
    h("h1", { tabindex: "-1" }, () => t("missing.title")),
    h("p", {}, text),
    h(
      "p",
      {},
      h("a", { class: "button", href: "/" }, () => t("missing.home")),
    ),
  );
}
