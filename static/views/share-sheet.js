// @ts-check
// A link to give away: to copy, as a QR code, or to the device's own choice of programs.
//
//   dialog.sheet.share
//     div.sheet-head > h2, button (close)
//     div.copy-field, button, svg.qr-code

import { h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { copyField } from "./parts/copy-field.js";
import { qrCode } from "./parts/qr-code.js";
import { openSheet } from "./parts/sheet.js";

/** @import { Context } from "./context.js" */

/**
 * Opens the sheet.
 * @param {Pick<Context, "announce">} ctx
 * @param {string} path of the shared page
 * @param {string} text its title
 */
export function openShare(ctx, path, text) {
  const url = new URL(path, location.href).href;
  const send = () => {
    // A refusal is the reader's choice: the sheet stays open with the other ways.
    navigator.share({ title: text, url }).catch(() => {});
  };
  openSheet("share", () => t("share.title"), [
    h("p", { class: "lead" }, text),
    copyField(() => t("share.link"), url, ctx),
    "share" in navigator ? h("button", { type: "button", class: "primary", onclick: send }, () => t("share.send")) : null,
    qrCode(url),
  ]);
}
