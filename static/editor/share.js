// @ts-check
// The position elsewhere: its link, the analysis that begins from it, and its picture.

import { h, hideWhen, onRefresh } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { editorPath } from "../views/editor-path.js";
import { copyField } from "../views/parts/copy-field.js";
import { isTooLarge } from "./state.js";

/** @import { Context } from "../views/context.js" */
/** @import { Editor } from "./state.js" */

/** The address of an analysis without moves. @param {Editor} editor */
const analysisOf = ({ game, position }) =>
  `/analysis#${new URLSearchParams({ game: game.id, ...(position === null || position === game.start ? {} : { start: position }) })}`;

/** The address of a picture of the position, which the server draws. @param {Editor} editor */
const pictureOf = ({ game, position }) =>
  `/api/v1/positions/${game.id}/picture.png?${new URLSearchParams({ position: position ?? game.start })}`;

/** @param {Pick<Context, "announce">} ctx @param {Editor} editor */
export function sharePart(ctx, editor) {
  const link = h("div", {});
  let shown = "";
  onRefresh(link, () => {
    const address = new URL(editorPath(editor.game, editor.position), location.href).href;
    if (address === shown) return;
    shown = address;
    link.replaceChildren(copyField(() => t("editor.link"), address, ctx));
  });
  return h(
    "section",
    { class: "card share-position", hidden: () => editor.position === null },
    h("h2", {}, () => t("editor.share")),
    link,
    h(
      "p",
      { class: "actions" },
      h("a", { class: "button", href: () => analysisOf(editor) }, () => t("editor.analyse")),
      hideWhen(
        h("a", { class: "button", href: () => pictureOf(editor), target: "_blank" }, () => t("editor.picture")),
        () => isTooLarge(editor),
      ),
    ),
  );
}
