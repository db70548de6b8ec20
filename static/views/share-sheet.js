// @ts-check
// A link to give away: to copy, as a QR code, to the device's own choice of programs, or as a board on another page.
//
//   dialog.sheet.share
//     div.sheet-head > h2, button (close)
//     div.copy-field, button, svg.qr-code
//     details (public pages) > summary, div.copy-field

import { h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { getEmbed } from "../net/api.js";
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
  // The server alone knows whether a page may be embedded, and how.
  const embed = h(
    "details",
    { hidden: true },
    h("summary", {}, () => t("share.embed")),
  );
  getEmbed(url).then(
    ({ html }) => {
      embed.append(copyField(() => t("share.embed"), html, ctx));
      embed.hidden = false;
    },
    () => {
      // It is private, or the line is down: the link is there all the same.
    },
  );
  openSheet("share", () => t("share.title"), [
    h("p", { class: "lead" }, text),
    copyField(() => t("share.link"), url, ctx),
    "share" in navigator ? h("button", { type: "button", class: "primary", onclick: send }, () => t("share.send")) : null,
    qrCode(url),
    embed,
  ]);
}
