// @ts-check
// The editor of positions.

import { h } from "../core/dom.js";
import { t } from "../core/i18n.js";

/** @import { ViewMaker } from "../views/context.js" */
/** @import { Params } from "../core/router.js" */

/** @param {Params} _params @returns {Promise<ViewMaker>} */
export const editorPage = async (_params) => () => ({
  el: h(
    "section",
    { class: "page" },
    h("h1", { tabindex: "-1" }, () => t("editor.title")),
  ),
  title: () => t("editor.title"),
});
