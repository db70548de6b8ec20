// @ts-check
// The site as its operator has furnished it: the name, the logo and the colour in the frame of the page, links to the operator's documents,
// and the way to the login where the site is for its accounts alone.

import { h, refresh } from "../core/dom.js";
import { loadStyle } from "../core/files.js";
import { loadPart, t } from "../core/i18n.js";

/** @import { SiteView } from "../core/types.js" */
/** @import { Session } from "../net/session.js" */

/** The pages that need no account. */
const OPEN = ["/login", "/register"];

/** Whether the frame has been furnished: the operator's choices last as long as the server runs. */
let isFurnished = false;

/**
 * Links to the operator's documents, which the server writes: the page's scripts do not follow them.
 * @param {SiteView | null} site
 */
export function documentLinks(site) {
  /** @type {[string | null | undefined, string][]} */
  const documents = [
    [site?.imprint, "site.imprint"],
    [site?.privacy, "site.privacy"],
  ];
  return documents.flatMap(([href, text]) => (href ? [h("a", { href, target: "_self" }, () => t(text))] : []));
}

/**
 * Furnishes the frame of the page once.
 * @param {Pick<Session, "site" | "player">} session
 * @param {HTMLElement} header
 * @param {HTMLElement} footer
 * @returns {Promise<(path: string) => string | null>} the page to which the reader is led from a path, if to any
 */
export async function furnish(session, header, footer) {
  const site = session.site();
  if (site && !isFurnished) {
    isFurnished = true;
    await Promise.all([loadPart("site"), loadStyle("site")]);
    if (site.logo) header.querySelector(".brand-mark")?.replaceWith(h("img", { class: "brand-logo", src: site.logo, alt: "" }));
    if (site.style_sheet && !document.querySelector(`link[href="${site.style_sheet}"]`))
      document.head.append(h("link", { rel: "stylesheet", href: site.style_sheet }));
    if (site.manifest) document.querySelector('link[rel="manifest"]')?.setAttribute("href", site.manifest);
    footer.querySelector("nav")?.append(...documentLinks(site));
    refresh(header);
  }
  return (path) => {
    const isIn = (session.player()?.kind ?? "guest") !== "guest";
    const isShut = session.site()?.public === false && !isIn;
    document.documentElement.toggleAttribute("data-shut", isShut);
    if (!isShut || OPEN.includes(path)) return null;
    return path === "/" ? "/login" : `/login?next=${encodeURIComponent(path + location.search)}`;
  };
}
