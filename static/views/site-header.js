// @ts-check
// The header of every page: one line with the ways through the site and the reader's name, and a menu with the rest.
//
//   header.site
//     a.skip, a.brand, nav
//     div.tools
//       span.line, a.me, a (register, log in)
//       button.menu-button
//       div.site-menu[hidden] > nav, label > select, button (theme), a (settings), button (log out)

import { h, hideWhen, refresh } from "../core/dom.js";
import { currentLanguage, LANGUAGES, t } from "../core/i18n.js";
import { setSetting, setting } from "../core/settings.js";
import { sign } from "./parts/sign.js";
import { playerName, playerPath } from "./texts.js";

/** @import { Language } from "../core/types.js" */
/** @import { Context } from "./context.js" */

/** The pages of the header, by their texts; `wide` is left out where the line is short. */
const PAGES = [
  { href: "/watch", text: "menu.watch" },
  { href: "/players", text: "menu.players" },
  { href: "/learn", text: "menu.learn" },
  { href: "/analysis", text: "menu.analysis", wide: true },
  { href: "/events", text: "menu.events", wide: true },
  { href: "/clubs", text: "menu.clubs", wide: true },
];

/** @param {Context} ctx */
export function siteHeader(ctx) {
  const { line, session } = ctx;
  const here = () => encodeURIComponent(location.pathname);
  const me = () => session.player();
  const isAccount = () => me()?.kind === "account";
  const lineText = () => t(`line.${line.status()}`);
  const register = () =>
    hideWhen(
      h("a", { href: () => `/register?next=${here()}` }, () => t("account.register")),
      isAccount,
    );
  const menu = siteMenu(ctx, register());
  return h(
    "header",
    { class: "site" },
    h("a", { class: "skip", href: "#main" }, () => t("menu.skip")),
    h(
      "a",
      { class: "brand", href: "/" },
      h("span", { class: "brand-mark", "aria-hidden": "true" }),
      h("span", { class: "brand-word" }, "Mawe!"),
    ),
    siteNav(session),
    h(
      "div",
      { class: "tools" },
      h("span", { class: () => `line ${line.status()}`, role: "img", title: lineText, "aria-label": lineText }),
      hideWhen(
        h("a", { class: () => `me ${me()?.kind ?? ""}`, href: () => playerPathOf(me()) }, () => nameOf(me())),
        () => me() === null,
      ),
      register(),
      hideWhen(
        h("a", { href: () => `/login?next=${here()}` }, () => t("account.log-in")),
        isAccount,
      ),
      menu.button,
      menu.panel,
    ),
  );
}

/** @param {Context} ctx */
export const logOutButton = (ctx) =>
  h("button", { type: "button", onclick: () => void ctx.logOut().catch(() => ctx.announce(t("problem.offline"))) }, () =>
    t("account.log-out"),
  );

/** @param {ReturnType<Context["session"]["player"]>} player */
const nameOf = (player) => (player ? playerName(player) : "");

/** @param {ReturnType<Context["session"]["player"]>} player */
const playerPathOf = (player) => (player ? playerPath(player) : "/");

/** @param {Context["session"]} session */
const siteNav = (session) =>
  h(
    "nav",
    { "aria-label": () => t("menu.title") },
    PAGES.map(({ href, text, wide = false }) => h("a", { class: wide ? "wide" : "", href }, () => t(text))),
    hideWhen(
      h("a", { href: "/moderation" }, () => t("moderation.title")),
      () => !session.moderator(),
    ),
  );

/**
 * The menu. Its button and Escape close it, and so does a press on anything else, or on one of its links.
 * @param {Context} ctx
 * @param {HTMLElement} register
 */
function siteMenu(ctx, register) {
  const { session, speak } = ctx;
  let isOpen = false;
  const languages = h(
    "select",
    {
      value: () => currentLanguage(),
      onchange: () => void speak(/** @type {Language} */ (languages.value)).catch(() => refresh(panel)),
    },
    Object.entries(LANGUAGES).map(([tag, name]) => h("option", { value: tag, lang: tag }, name)),
  );
  const panel = h(
    "div",
    { class: "site-menu", id: "site-menu", hidden: () => !isOpen },
    siteNav(session),
    hideWhen(
      h("a", { class: "button", href: "/admin" }, () => t("admin.title")),
      () => !session.operator(),
    ),
    hideWhen(
      h("a", { class: "button", href: "/invitations" }, () => t("invitations.title")),
      () => !session.inviter(),
    ),
    h(
      "label",
      {},
      h("span", {}, () => t("menu.language")),
      languages,
    ),
    h("button", { type: "button", class: "theme", onclick: turnTheme }, sign("theme"), " ", () => t("menu.theme")),
    h("a", { class: "button", href: "/settings" }, sign("settings"), " ", () => t("settings.title")),
    register,
    hideWhen(logOutButton(ctx), () => session.player()?.kind !== "account"),
  );
  const button = h(
    "button",
    {
      type: "button",
      class: "icon menu-button",
      "aria-expanded": () => String(isOpen),
      "aria-controls": "site-menu",
      title: () => t("menu.open"),
      "aria-label": () => t("menu.open"),
      onclick: () => set(!isOpen),
    },
    sign("menu"),
  );

  /** @param {boolean} open */
  function set(open) {
    if (open === isOpen) return;
    isOpen = open;
    refresh(button);
    refresh(panel);
  }

  document.addEventListener("click", ({ target }) => {
    const isLink = target instanceof Element && target.closest("a") !== null;
    if (target instanceof Node && !button.contains(target) && (isLink || !panel.contains(target))) set(false);
  });
  const onKey = (/** @type {Event} */ event) => {
    if (/** @type {KeyboardEvent} */ (event).key !== "Escape" || !isOpen) return;
    set(false);
    button.focus();
  };
  for (const part of [button, panel]) part.addEventListener("keydown", onKey);
  return { button, panel };
}

/** Light or dark: the system's setting until the reader chooses one. */
function turnTheme() {
  const dark = setting("theme") === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : setting("theme") === "dark";
  setSetting("theme", dark ? "light" : "dark");
}
