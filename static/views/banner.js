// @ts-check
// The operator's notice: one line under the header, labelled as theirs. The server decides which players see it.
//
//   aside.banner
//     span.banner-label   its label
//     a, or span          picture, text

import { h, refresh } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { getBanner } from "../net/api.js";

/** @import { Banner } from "../core/types.js" */

export function bannerLine() {
  /** @type {Banner | null} */
  let banner = null;
  /** Counts the requests, so that a slow answer does not replace a later one. */
  let asked = 0;
  const el = h("aside", { class: "banner", hidden: () => banner === null, "aria-label": () => t("banner.label") });

  /** Asks the server for the banner of the current player; without an answer there is none. */
  async function load() {
    const mine = ++asked;
    const next = await getBanner().then(
      (answer) => answer.banner,
      () => null,
    );
    if (mine !== asked) return;
    banner = next;
    el.replaceChildren(...(banner ? content(banner) : []));
    refresh(el);
  }

  return { el, load };
}

/** @param {Banner} banner */
function content({ text, link, picture }) {
  // The text describes the picture.
  const inside = [picture && h("img", { src: picture, alt: "" }), h("span", { dir: "auto" }, text)];
  return [
    h("span", { class: "banner-label", "aria-hidden": "true" }, () => t("banner.label")),
    link ? h("a", { href: link, target: "_blank", rel: "noopener noreferrer nofollow sponsored" }, inside) : h("span", {}, inside),
  ];
}
