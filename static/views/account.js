// @ts-check
// Register and log in: the same form with different texts and actions.

import { h, refresh } from "../core/dom.js";
import { loadPart, t } from "../core/i18n.js";
import { postDisabledAppeal, problemOf } from "../net/api.js";
import { appealForm } from "./appeal-form.js";
import { errorLine } from "./parts/error-line.js";
import { problemText } from "./texts.js";

/** @import { Context, View, ViewMaker } from "./context.js" */

/** The parameter of the login's address with which it takes a recovery code. */
const RECOVER = "recover";

/** The next page: only a path of this site. */
const nextPage = () => ownPath(new URLSearchParams(location.search).get("next") ?? "/", location.origin);

/**
 * A path if it leads to a page of this site, else the front page. A browser reads `/\` as `//`, behind which stands another host.
 * @param {string} wished
 * @param {string} origin of this site
 */
export function ownPath(wished, origin) {
  if (!wished.startsWith("/") || !URL.canParse(wished, origin)) return "/";
  const { origin: wishedOrigin, pathname, search, hash } = new URL(wished, origin);
  return wishedOrigin === origin && !pathname.startsWith("//") ? pathname + search + hash : "/";
}

/** @type {ViewMaker} */
export const registerView = (ctx) =>
  accountView(ctx, {
    title: "account.register",
    hint: ctx.session.player()?.kind === "guest" ? "account.register.guest" : "account.register.hint",
    action: "account.register.do",
    password: "new-password",
    otherPath: "/login",
    otherText: "account.log-in.instead",
    act: (name, password) => ctx.session.register(name, password),
  });

/** @type {ViewMaker} */
export const logInView = (ctx) => (new URLSearchParams(location.search).has(RECOVER) ? recoveryView(ctx) : passwordView(ctx));

/** @param {Context} ctx */
const passwordView = (ctx) =>
  accountView(ctx, {
    title: "account.log-in",
    hint: null,
    action: "account.log-in.do",
    password: "current-password",
    otherPath: "/register",
    otherText: "account.register.instead",
    act: (name, password) => ctx.session.logIn(name, password),
  });

/**
 * @param {Context} ctx
 * @param {{
 *   title: string, hint: string | null, action: string, password: string, otherPath: string, otherText: string,
 *   act: (name: string, password: string) => Promise<string[] | void>,
 * }} kind
 * @returns {View}
 */
function accountView(ctx, { title, hint, action, password: complete, otherPath, otherText, act }) {
  const error = errorLine();
  let busy = false;
  const name = h("input", {
    name: "name",
    autocomplete: "username",
    autocapitalize: "none",
    spellcheck: "false",
    required: true,
    maxlength: 40,
  });
  const password = h("input", { name: "password", type: "password", autocomplete: complete, required: true, maxlength: 200 });
  /** The place of the appeal of a disabled account. */
  const appeal = h("div", {});
  const button = h("button", { type: "submit", class: "primary", disabled: () => busy }, () => t(action));
  const next = nextPage();

  async function submit(/** @type {Event} */ event) {
    event.preventDefault();
    if (busy) return;
    busy = true;
    error.say(null);
    appeal.replaceChildren();
    refresh(button);
    try {
      const codes = await act(name.value.trim(), password.value);
      if (codes) await showCodes(ctx, el, codes, next);
      else ctx.go(next, { replace: true });
      return;
    } catch (refusal) {
      error.say(() => problemText(refusal));
      const { code, field } = problemOf(refusal);
      (field === "password" || code === "weak-password" ? password : name).focus();
      if (code === "account-disabled") appeal.replaceChildren(appealPart(ctx, name.value.trim(), password.value));
    }
    busy = false;
    refresh(button);
  }

  const el = h(
    "section",
    { class: "page narrow" },
    h(
      "form",
      { class: "card account", onsubmit: submit },
      h("h1", { tabindex: "-1" }, () => t(title)),
      hint ? h("p", { class: "quiet" }, () => t(hint)) : null,
      h(
        "label",
        {},
        h("span", {}, () => t("account.name")),
        name,
      ),
      h(
        "label",
        {},
        h("span", {}, () => t("account.password")),
        password,
      ),
      error.el,
      button,
      h(
        "p",
        {},
        h("a", { href: `${otherPath}?next=${encodeURIComponent(next)}` }, () => t(otherText)),
      ),
      otherPath === "/register"
        ? h(
            "p",
            {},
            h("a", { href: `/login?${RECOVER}&next=${encodeURIComponent(next)}` }, () => t("account.recover")),
          )
        : null,
    ),
    appeal,
  );
  return { title: () => t(title), el };
}

/**
 * Shows the recovery codes of a new account in the place of the form.
 * @param {Context} ctx
 * @param {HTMLElement} place
 * @param {string[]} codes
 * @param {string} next
 */
async function showCodes(ctx, place, codes, next) {
  const module = import("./recovery-codes.js");
  const loaded = await module
    .then(({ loadRecoveryTexts }) => loadRecoveryTexts())
    .then(
      () => module,
      () => null,
    );
  // Without its files the page goes on: new codes can be made in the settings.
  if (!loaded) return ctx.go(next, { replace: true });
  const name = ctx.session.player()?.name ?? "";
  const title = h("h1", { tabindex: "-1" }, () => t("codes.welcome", { name }));
  place.replaceChildren(
    h(
      "div",
      { class: "card account" },
      title,
      h("p", { class: "quiet" }, () => t("codes.hint")),
      loaded.recoveryCodes(ctx, name, codes),
      h("a", { class: "button primary", href: next }, () => t("codes.kept")),
    ),
  );
  title.focus();
}

/** The form for a recovery code, which few readers open. @param {Context} ctx @returns {View} */
function recoveryView(ctx) {
  const el = h("section", { class: "page narrow" });
  void Promise.all([import("./recovery.js"), loadPart("account")]).then(
    ([{ recoveryForm }]) => {
      el.replaceChildren(recoveryForm(ctx, nextPage()));
      el.querySelector("h1")?.focus();
    },
    () => el.replaceChildren(h("p", { class: "card" }, () => t("problem.offline"))),
  );
  return { title: () => t("account.log-in"), el };
}

/** The appeal of a disabled account, whose owner has just given its password. @param {Context} ctx @param {string} name @param {string} password */
function appealPart(ctx, name, password) {
  const sent = h("p", { class: "quiet" });
  const form = appealForm(async (text) => {
    const answer = await postDisabledAppeal({ name, password, text }).then(
      () => t("appeal.sent"),
      (refusal) => {
        // The login does not say whether the operator has disabled the account, or a moderator.
        if (problemOf(refusal).code === "not-found") return t("appeal.none");
        throw refusal;
      },
    );
    sent.textContent = answer;
    form.replaceWith(sent);
    ctx.announce(answer);
  });
  return h("div", { class: "card" }, form);
}
