// @ts-check
// The site as its operator has furnished it: the name, the logo and the colour in the frame of the page, links to the operator's documents,
// and the way to the login where the site is for its accounts alone.

import { h, refresh } from "../core/dom.js";
import { loadStyle } from "../core/files.js";
import { loadPart, t } from "../core/i18n.js";

/** @import { SiteView } from "../core/types.js" */
/** @import { Context } from "./context.js" */

/** The pages that need no account. */
const OPEN = ["/login", "/login-card", "/confirm-email", "/reset-password", "/register"];

/** The furnishing, which happens once: the operator's choices last as long as the server runs. @type {Promise<void> | null} */
let furnishing = null;

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
 * @param {Pick<Context, "session" | "go">} ctx
 * @param {HTMLElement} header
 * @param {HTMLElement} footer
 * @returns {Promise<(path: string) => boolean>} leads from a path that the reader may not see to the login, and returns whether it has
 */
export async function furnish({ session, go }, header, footer) {
  /** @param {string} path */
  const isShut = (path) => {
    const isIn = (session.player()?.kind ?? "guest") !== "guest";
    const isPrivate = session.site()?.public === false && !isIn;
    document.documentElement.toggleAttribute("data-shut", isPrivate);
    if (!isPrivate || OPEN.includes(path)) return false;
    go(path === "/" ? "/login" : `/login?next=${encodeURIComponent(path + location.search)}`, { replace: true });
    return true;
  };
  furnishing ??= furnishFrame(session.site(), header, footer).then(() => {
    session.onChange(() => isShut(location.pathname));
  });
  await furnishing;
  return isShut;
}

/** @param {SiteView | null} site @param {HTMLElement} header @param {HTMLElement} footer */
async function furnishFrame(site, header, footer) {
  // Without these files the page goes on.
  await Promise.all([loadPart("site"), loadStyle("site")]).catch(() => {});
  if (!site) return;
  const root = document.documentElement;
  root.toggleAttribute("data-closed", site.registration === "closed");
  const word = header.querySelector(".brand-word");
  if (site.name && word) root.dataset.site = word.textContent = site.name;
  if (site.logo) header.querySelector(".brand-mark")?.replaceWith(h("img", { class: "brand-logo", src: site.logo, alt: "" }));
  if (site.style_sheet && !document.querySelector(`link[href="${site.style_sheet}"]`))
    document.head.append(h("link", { rel: "stylesheet", href: site.style_sheet }));
  if (site.manifest) document.querySelector('link[rel="manifest"]')?.setAttribute("href", site.manifest);
  footer.querySelector("nav")?.append(...documentLinks(site));
  refresh(header);
}
